// A reconciled invoice as one HTML page: no script, no font, no picture, no request (docs/guides/money.md, A page and
// a workbook).
import type { ReasonCode } from '../../../domain/money/billed.ts'
import { count, counted } from '../../../domain/count.ts'
import { noCard } from '../../../domain/money/judge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { isoOf, istMinute } from '../../../domain/time.ts'
import type { KeptLine } from '../../../engine/money/lines.ts'
import { showDay, withZones } from '../../output/display.ts'
import { exactRupees, rupees } from '../../pages/amounts.ts'
import { signedChart, type Caption } from '../../pages/drawing.ts'
import { figure, moment, pageText } from '../../pages/frame.ts'
import { html, type Html } from '../../pages/html.ts'
import { openTable, type Column, type Line } from '../../pages/table.ts'
import { inventedNote } from '../rates/show.ts'
import { unjudged } from './book.ts'
import { mostDearest, type Spread } from './detail.ts'
import { reasonsOf } from './explain.ts'
import { termsText } from './keptterms.ts'
import { accrualText, largestFirst, nameOf, splitText, type PageFacts } from './page.ts'
import { evidence } from './records.ts'
import type { Sum, Tally } from './tally.ts'

const money = (paise: number): string => exactRupees(rupeesOf(paise))
const lines = (n: number): string => counted(n, ['line', 'lines'])

/** The page of an invoice; `now` is ms UTC. */
export function invoicePage(tally: Tally, facts: PageFacts, now: number): string {
  return pageText({
    command: 'reconcile invoice',
    title: `Invoice ${facts.number}`,
    body: html`${head(tally, facts, now)}
      <main>
        ${headline(tally, facts)} ${reasons(tally, facts)} ${patterns(tally)} ${groups(tally, facts)} ${zones(tally)}
        ${couriers(tally)} ${dearest(tally, facts)} ${unknown(tally, facts)} ${gst(tally, facts)} ${accrual(facts)}
      </main>
      ${foot(facts, now)}`,
  })
}

const yearOf = (day: string): string => `${showDay(day)} ${day.slice(0, 4)}`

function head({ lines: all, wrong }: Tally, facts: PageFacts, now: number): Html {
  const { courier, day, form, card, gst: taxed, terms } = facts
  const judgedWith = terms === undefined ? '' : termsText(terms, money)
  const said = [
    lines(all),
    `Form ${form}`,
    card === noCard ? 'No rate card: its lines are compared with each other' : `Rate card ${card}`,
    ...inventedNote(card).map((note) => note.slice(0, note.indexOf('.'))),
    `Amounts ${taxed ? 'with' : 'before'} GST`,
    ...(judgedWith === '' ? [] : [`Judged with ${judgedWith}`]),
    `Made ${moment(isoOf(now))} IST`,
  ]
  return html`<header>
    <p class="brand">shipx</p>
    <h1>Invoice ${facts.number}</h1>
    <p class="period">${[courier, day === undefined ? undefined : yearOf(day)].filter(Boolean).join(', ')}</p>
    <ul class="facts">
      ${said.map((fact) => html`<li>${fact}</li>`)}
    </ul>
    ${wrong.map(
      ({ counts, line, printed, sum }) =>
        html`<p class="note">
          The total in ${counts} ${line} says ${money(printed)}, and the lines add up to ${money(sum)}.
        </p>`,
    )}
  </header>`
}

const offWords = ({ billed, verdicts: { credit } }: Tally): string =>
  credit.paise === 0 ? '' : `; ${money(billed - credit.paise)} less the credits`

const creditedWords = ({ credited }: Tally): string =>
  credited === 0 ? '' : `; the invoice credits ${money(credited)} of it`

function headline(tally: Tally, { gst: taxed, accrual: open }: PageFacts): Html {
  const { verdicts, bare: by } = tally
  const onGst = by.get('gst_on_difference')
  const judged = tally.lines - verdicts.unknown.lines
  const gst = `${taxed ? 'with' : 'before'} GST`
  const credits = lines(verdicts.credit.lines)
  return html`<section class="headline" aria-label="Headline figures">
    <dl class="figures">
      ${figure('Billed', money(tally.billed), `${gst}, ${lines(tally.lines)}${offWords(tally)}`)}
      ${figure('Expected', money(tally.expected), `by the card, for ${lines(judged)}`)}
      ${figure('Over', money(verdicts.over.paise), `${lines(verdicts.over.lines)}${creditedWords(tally)}`)}
      ${figure('Under', money(-verdicts.under.paise), lines(verdicts.under.lines))}
      ${figure('Cannot be judged', money(unjudged(tally)), lines(verdicts.unknown.lines))}
      ${figure('Credits', money(-verdicts.credit.paise), `${credits} of parcels that were billed before`)}
      ${figure('GST on differences', onGst === undefined ? '–' : money(onGst.paise), 'of the reasons below')}
      ${figure(
        'Never billed',
        open?.parcels === undefined ? '–' : count(open.parcels),
        `${open?.parcels === 1 ? 'parcel' : 'parcels'}${
          open?.amount === undefined ? ' of these months' : `, about ${money(open.amount)} before GST`
        }`,
      )}
    </dl>
  </section>`
}

/** A section with a heading and a sentence. */
const section = (title: string, lead: Html | string, ...inside: readonly Html[]): Html =>
  html`<section class="long">
    <h2>${title}</h2>
    <p class="lead">${lead}</p>
    ${inside}
  </section>`

type Row = Line<Sum & { readonly code: string }>

const rowsOf = (sums: ReadonlyMap<string, Sum>): readonly Row[] =>
  largestFirst(sums).map(([code, sum]) => ({ name: nameOf(code), figures: { ...sum, code } }))

const sumColumns = (amount: string): readonly Column<Row['figures']>[] => [
  { header: 'Lines', show: (sum) => count(sum.lines) },
  { header: amount, show: ({ paise }) => money(paise) },
]

/** Bars of a chart; a table below has the others. */
const mostBars = 24

function bars(id: string, title: string, rows: readonly Row[]): Html {
  const description = `${rows.map(({ name, figures }) => `${name}: ${money(figures.paise)}`).join('; ')}.`
  const caption: Caption = { id, title, description }
  const drawn = rows.slice(0, mostBars).map(({ name, figures }) => ({ name, amount: rupeesOf(figures.paise) }))
  return html`${signedChart(caption, drawn, rupees, 'full')} ${signedChart(caption, drawn, rupees, 'phone')}`
}

function reasons(tally: Tally, facts: PageFacts): Html {
  const { disputeBy, gst: taxed } = facts
  const rows = rowsOf(new Map([...tally.bare].filter(([code]) => code !== 'gst_on_difference')))
  if (rows.length === 0) return section('Reasons', 'Every line that can be judged is as the card says.')
  const onGst = rowsOf(new Map([...tally.bare].filter(([code]) => code === 'gst_on_difference')))
  const order = splitText(facts)
  const split = order === undefined ? '' : ` Taken apart in this order: ${order}.`
  const columns: readonly Column<Row['figures']>[] = [
    { header: 'Code', text: true, show: ({ code }) => code },
    ...sumColumns('Amount'),
    ...(disputeBy === undefined
      ? []
      : [
          {
            header: 'Dispute by',
            show: ({ code }: Row['figures']) => (code === 'weight' ? yearOf(disputeBy.slice(0, 10)) : '–'),
          },
        ]),
    { header: 'Usual proof', text: true, show: ({ code }) => evidence[code as ReasonCode] ?? '–' },
  ]
  const title = 'Differences by reason'
  return section(
    'Reasons',
    `Differences by what they come from, before GST${taxed ? '; GST on them has a row of its own' : ''}.${split}`,
    bars('reasons', title, rows),
    openTable(title, 'Reason', columns, [...rows, ...onGst]),
  )
}

function patterns({ patterns: finder }: Tally): Html {
  const found = finder.found()
  if (found.length === 0) return html``
  return section(
    'The same on many lines',
    'What is wrong in the same way on many lines, before GST: one mail for each, in place of many disputes.',
    html`<ul class="findings">
      ${found.map(
        ({ text, amount, example }) =>
          html`<li>${withZones(text)}: <b>${money(amount)}</b> (for example AWB ${example})</li>`,
      )}
    </ul>`,
  )
}

/** Groups with a row of their own. */
const mostGroups = 100

function groups(tally: Tally, { by, gst: taxed }: PageFacts): Html {
  const rows = rowsOf(tally.groups)
  if (by === 'reason' || by === 'zone' || by === 'courier' || rows.length === 0) return html``
  const title = by === 'sku' ? 'By SKU' : 'By journey'
  const more = rows.length - mostGroups
  const base = taxed ? 'with' : 'before'
  const rest = more > 0 ? ` ${count(more)} more groups are in --xlsx.` : ''
  return section(
    title,
    `Differences by ${by === 'sku' ? 'SKU' : by}, ${base} GST.${rest}`,
    bars('groups', title, rows),
    openTable(title, by === 'sku' ? 'SKU' : 'Journey', sumColumns('Difference'), rows.slice(0, mostGroups)),
  )
}

const spreadColumns: readonly Column<Spread>[] = [
  { header: 'Lines', show: (row) => count(row.lines) },
  { header: 'Billed', show: ({ billed }) => money(billed) },
  { header: 'Expected', show: ({ expected }) => money(expected) },
  { header: 'Over', show: ({ over }) => money(over) },
  { header: 'Under', show: ({ under }) => money(under) },
]

const zoneName = (name: string | null, none: string): string => (name === null ? none : withZones(name))

function zones({ detail }: Tally): Html {
  const all = (detail?.zones() ?? []).slice(0, mostGroups)
  const rows = all.map((row) => ({
    name:
      row.zone === row.billedAs
        ? zoneName(row.zone, 'no zone')
        : `${zoneName(row.zone, 'no zone of ours')}, billed as ${zoneName(row.billedAs, 'none')}`,
    figures: row,
  }))
  return section(
    'By zone',
    'Our zone, and the zone that was billed where it is another one.',
    openTable('By zone', 'Zone', spreadColumns, rows),
  )
}

function couriers({ detail }: Tally): Html {
  const all = (detail?.couriers() ?? []).slice(0, mostGroups)
  const rows = all.map((row) => ({ name: row.courier ?? 'not known', figures: row }))
  return section(
    'By courier',
    'The courier that a parcel went with.',
    openTable('By courier', 'Courier', spreadColumns, rows),
  )
}

const kilos = (milligrams: number | null): string => (milligrams === null ? '–' : `${milligrams / 1_000_000}`)

const why = (line: KeptLine): string =>
  reasonsOf(line)
    .map(({ text, amount }) => (amount === null ? text : `${text} ${amount < 0 ? '' : '+'}${money(amount)}`))
    .map(withZones)
    .join('; ')

const lineColumns: readonly Column<KeptLine>[] = [
  { header: 'Line', show: ({ line }) => String(line) },
  { header: 'Order', show: ({ order_name: order }) => order ?? '–' },
  {
    header: 'kg billed, ours',
    show: ({ weight_billed: theirs, weight }) => `${kilos(theirs)}, ${kilos(weight)}`,
  },
  { header: 'Billed', show: ({ billed }) => money(billed) },
  { header: 'Due', show: ({ expected }) => money(expected!) },
  { header: 'Over', show: ({ billed, expected }) => money(billed - expected!) },
  { header: 'Why', text: true, show: why },
]

const commandNote = (command: string): Html => html`All of them: <code>${command}</code>`

function dearest({ detail, verdicts }: Tally, { command }: PageFacts): Html {
  const shown = detail?.dearest() ?? []
  if (shown.length === 0) return html``
  const { over } = verdicts
  const which =
    over.lines > mostDearest ? `The ${count(shown.length)} dearest of ${lines(over.lines)}` : lines(over.lines)
  return section(
    'Lines that cost too much',
    html`${which}, ${money(over.paise)} in all. ${commandNote(command)}`,
    openTable(
      'Lines that cost too much',
      'AWB',
      lineColumns,
      shown.map((line) => ({ name: line.awb, figures: line })),
    ),
  )
}

function unknown(tally: Tally, { command }: PageFacts): Html {
  const rows = rowsOf(tally.unknown)
  if (rows.length === 0) return html``
  const { unknown: sum } = tally.verdicts
  return section(
    'What could not be judged',
    html`${lines(sum.lines)} with ${money(unjudged(tally))} billed. They never count as right.
    ${commandNote(command.replace('--only over', '--only unknown'))}`,
    openTable('What could not be judged', 'Why', sumColumns('Billed'), rows),
  )
}

function gst({ detail, bare: by }: Tally, { gst: taxed }: PageFacts): Html {
  if (!taxed || detail === undefined) return html``
  const sum = (code: string): number => by.get(code)?.paise ?? 0
  const rows = [
    ['GST billed', detail.gst.billed],
    ['GST of what was expected', detail.gst.expected],
    ['GST on the differences', sum('gst_on_difference')],
    ['GST that is not the rate of its base', sum('gst')],
  ] as const
  return section(
    'GST',
    'GST of all lines that name it.',
    openTable(
      'GST',
      'What',
      [{ header: 'Amount', show: money }],
      rows.map(([name, figures]) => ({ name, figures })),
    ),
  )
}

function accrual({ accrual: open }: PageFacts): Html {
  const said = open === undefined ? undefined : accrualText(open, money)
  if (open === undefined || said === undefined) return html``
  return section('Still to come', html`${said}. ${commandNote(open.command)}`)
}

const foot = (facts: PageFacts, now: number): Html =>
  html`<footer>
    <h2>How this is counted</h2>
    <ul>
      <li><b>Expected</b>: what the rate card of the pickup day says for your own weight and zone.</li>
      <li><b>Over</b>, <b>under</b>: lines that differ from it by the tolerance or more.</li>
      <li>
        The reasons of a line add up to its difference${splitText(facts) === undefined ? '' : ', in the order above'}.
      </li>
      <li><b>Cannot be judged</b>: no card, zone or weight for the line. Such a line never counts as right.</li>
    </ul>
    <p>Made by shipx on ${istMinute(now)} IST. This page makes no request and runs no script.</p>
  </footer>`
