// The workbook of an invoice: summary, reasons, patterns, zones, couriers, what cannot be judged, and the lines.
import type { ReasonCode } from '../../../domain/money/billed.ts'
import { rupeesOf } from '../../../domain/money.ts'
import type { Context } from '../../command/context.ts'
import type { Workbook, WorkbookCell, WorkbookColumn } from '../../command/workbook.ts'
import { withZones } from '../../output/display.ts'
import { baseText, largestFirst, nameOf, splitText, type PageFacts } from './page.ts'
import { evidence } from './records.ts'
import type { Sum, Tally } from './tally.ts'

/** The workbook of an invoice while its lines are written. */
export interface Book {
  /** Prints the lines into a sheet that can grow next to the others. */
  readonly context: Context
  /** Writes the sheets before the lines. Throws `output_failed`. */
  readonly write: (tally: Tally, facts: PageFacts) => Promise<void>
}

interface Sheet {
  readonly name: string
  readonly noun: readonly [one: string, many: string]
  readonly columns: readonly WorkbookColumn[]
  readonly rows: readonly (readonly WorkbookCell[])[]
}

const text = (header: string): WorkbookColumn => ({ header })
const money = (header: string): WorkbookColumn => ({ header, kind: 'money' })

/** The sheets of an invoice in a workbook. */
export function bookOf(context: Context, workbook: Workbook): Book {
  const named: Workbook = { ...workbook, sheet: (_, noun, columns) => workbook.sheet('Lines', noun, columns, true) }
  return {
    context: { ...context, workbook: named },
    write: async (tally, facts) => {
      for (const { name, noun, columns, rows } of sheetsOf(tally, facts)) {
        const sheet = workbook.sheet(name, noun, columns)
        await sheet.add(rows)
        await sheet.end()
      }
    },
  }
}

const sheetsOf = (tally: Tally, facts: PageFacts): readonly Sheet[] => [
  {
    name: 'Summary',
    noun: ['fact', 'facts'],
    columns: [text('Fact'), text('Value'), text('Lines'), money('Amount')],
    rows: summaryRows(tally, facts),
  },
  {
    name: 'Reasons',
    noun: ['reason', 'reasons'],
    columns: [
      text('Reason'),
      text('Lines'),
      money(`Amount${baseText('reason', facts)}`),
      text('Dispute by'),
      text('Usual proof'),
      text('Code'),
    ],
    rows: largestFirst(tally.bare).map(([code, { lines, paise }]) => [
      nameOf(code),
      lines,
      rupeesOf(paise),
      code === 'weight' ? (facts.disputeBy?.slice(0, 10) ?? null) : null,
      evidence[code as ReasonCode] ?? null,
      code,
    ]),
  },
  ...(facts.by === 'reason' ? [] : [sums(`By ${facts.by}`, facts.by, tally.groups, baseText(facts.by, facts))]),
  {
    name: 'Patterns',
    noun: ['pattern', 'patterns'],
    columns: [
      text('Pattern'),
      text('Reason'),
      text('Lines'),
      text('Of'),
      money(`Amount${baseText('reason', facts)}`),
      text('Example'),
    ],
    rows: tally.patterns
      .found()
      .map(({ text: said, code, lines, of, amount, example }) => [
        withZones(said),
        nameOf(code),
        lines,
        of,
        rupeesOf(amount),
        example,
      ]),
  },
  ...detailSheets(tally),
  { ...sums('Not judged', 'reason', tally.unknown), columns: [text('Reason'), text('Lines'), money('Billed')] },
]

const sums = (name: string, first: string, of: ReadonlyMap<string, Sum>, base = ''): Sheet => ({
  name,
  noun: ['group', 'groups'],
  columns: [
    text(first === 'sku' ? 'SKU' : `${first[0]!.toUpperCase()}${first.slice(1)}`),
    text('Lines'),
    money(`Amount${base}`),
  ],
  rows: largestFirst(of).map(([code, { lines, paise }]) => [nameOf(code), lines, rupeesOf(paise)]),
})

const amounts = [text('Lines'), money('Billed'), money('Expected'), money('Over'), money('Under')]

function detailSheets({ detail }: Tally): readonly Sheet[] {
  if (detail === undefined) return []
  return [
    {
      name: 'Zones',
      noun: ['zone', 'zones'],
      columns: [text('Our zone'), text('Billed as'), ...amounts],
      rows: detail
        .zones()
        .map(({ zone, billedAs, lines, billed, expected, over, under }) => [
          zone === null ? null : withZones(zone),
          billedAs === null ? null : withZones(billedAs),
          lines,
          ...[billed, expected, over, under].map(rupeesOf),
        ]),
    },
    {
      name: 'Couriers',
      noun: ['courier', 'couriers'],
      columns: [text('Courier'), ...amounts],
      rows: detail
        .couriers()
        .map(({ courier, lines, billed, expected, over, under }) => [
          courier,
          lines,
          ...[billed, expected, over, under].map(rupeesOf),
        ]),
    },
  ]
}

function summaryRows(tally: Tally, facts: PageFacts): readonly (readonly WorkbookCell[])[] {
  const { verdicts, detail } = tally
  const split = splitText(facts)
  const said = (name: string, value: string | undefined): readonly WorkbookCell[] => [name, value ?? null, null, null]
  const sum = (name: string, lines: number | null, paise: number | null, value: string | null = null) => [
    name,
    value,
    lines,
    paise === null ? null : rupeesOf(paise),
  ]
  const onGst = tally.bare.get('gst_on_difference')
  const { accrual } = facts
  return [
    said('Invoice', facts.number),
    said('Courier', facts.courier),
    said('Day', facts.day),
    said('Form', facts.form),
    said('Rate card', facts.card),
    said('Amounts', facts.gst ? 'with GST' : 'before GST'),
    sum('Billed', tally.lines, tally.billed),
    sum('Expected', tally.lines - verdicts.unknown.lines, tally.expected),
    sum('Over', verdicts.over.lines, verdicts.over.paise),
    sum('Under', verdicts.under.lines, -verdicts.under.paise),
    sum('Credits', verdicts.credit.lines, -verdicts.credit.paise),
    sum('Cannot be judged', verdicts.unknown.lines, unjudged(tally)),
    ...(onGst === undefined ? [] : [sum('GST on these differences', onGst.lines, onGst.paise)]),
    ...(facts.gst && detail !== undefined
      ? [sum('GST billed', null, detail.gst.billed), sum('GST expected', null, detail.gst.expected)]
      : []),
    ...(accrual === undefined
      ? []
      : [sum('Never billed, before GST', accrual.parcels ?? null, accrual.amount ?? null, accrual.command)]),
    ...tally.wrong.map(({ counts, line, printed, sum: added }) =>
      sum(`The total in ${counts} ${line}`, null, printed, `the lines add up to ${rupeesOf(added).toFixed(2)}`),
    ),
    said('All lines that cost too much', facts.command),
    ...(split === undefined ? [] : [said('The parts of a difference, in this order', split)]),
  ]
}

/** What the lines that cannot be judged bill. */
export const unjudged = ({ unknown }: Tally): number => [...unknown.values()].reduce((all, { paise }) => all + paise, 0)
