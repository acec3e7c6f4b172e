// What the lines of an invoice add up to: by verdict, by reason, and the totals that the document prints.
import type { Reason, Verdict } from '../../../domain/money/billed.ts'
import { patternFinder, type PatternFinder } from '../../../domain/money/patterns.ts'
import { wholeReasons } from '../../../domain/money/wholelines.ts'
import type { DocumentSums } from '../../../engine/money/documents.ts'
import type { KeptLine } from '../../../engine/money/lines.ts'
import { billedParcels, type BilledParcels } from './accrual.ts'
import { detailOf, type Detail } from './detail.ts'
import { totalsText, type KeptTerms, type WrongTotal } from './keptterms.ts'

/** Lines and an amount, paise. */
export interface Sum {
  lines: number
  paise: number
}

/** The sums of a document so far. */
export interface Tally {
  lines: number
  billed: number
  expected: number
  /** Differences; of credits what they bill, below 0. */
  readonly verdicts: Readonly<Record<Verdict, Sum>>
  /** By reason: each before GST, also one that takes a whole line, and all GST on them as one. */
  readonly bare: Map<string, Sum>
  /** The same of the lines that cost too much alone: they add up to what is over. */
  readonly tooMuch: Map<string, Sum>
  readonly unknown: Map<string, Sum>
  /** By what --by names. */
  readonly groups: Map<string, Sum>
  /** The invoice numbers of the lines, two at most. */
  readonly numbers: Set<string>
  /** Lines whose parts are the card's with GST on top: the file has GST that no column names. */
  taxed: number
  /** Lines that could not be read. */
  unread: number
  /** Lines that bill something: a credit note has none. */
  charges: number
  /** Lines of each courier that have a parcel. */
  readonly couriers: Map<string, number>
  /** What the document itself credits of what its lines bill too much, paise; set after the last line. */
  credited: number
  /** Whether the lines name several couriers; set after the last line. */
  several: boolean
  /** Lines with a parcel. */
  found: number
  /** Credits of more than was billed for their parcels, and those that stand in another document; found when judged. */
  readonly beyond: string[]
  readonly twice: string[]
  /** Totals that the file prints and that its lines do not add up to. */
  readonly wrong: WrongTotal[]
  /** What is wrong in the same way on many lines. */
  readonly patterns: PatternFinder
  /** Where a page or a workbook is written. */
  readonly detail: Detail | undefined
  /** Where what is still to come is shown. */
  readonly parcels: BilledParcels | undefined
}

/** What a run shows of a document. */
export interface Shows {
  /** Zones, couriers and the dearest lines. */
  readonly detailed: boolean
  /** What is still to come. */
  readonly accrual: boolean
}

const sum = (): Sum => ({ lines: 0, paise: 0 })

/** Sums of no line yet, with what is shown of them; `apart` is for lines that are compared with each other. */
export const tallyOf = ({ detailed, accrual }: Shows, apart: boolean): Tally => ({
  lines: 0,
  billed: 0,
  expected: 0,
  verdicts: { ok: sum(), over: sum(), under: sum(), unknown: sum(), credit: sum() },
  bare: new Map(),
  tooMuch: new Map(),
  unknown: new Map(),
  groups: new Map(),
  numbers: new Set(),
  taxed: 0,
  unread: 0,
  charges: 0,
  credited: 0,
  several: false,
  couriers: new Map(),
  found: 0,
  beyond: [],
  twice: [],
  patterns: patternFinder(apart),
  detail: detailed ? detailOf() : undefined,
  parcels: accrual ? billedParcels() : undefined,
  wrong: [],
})

const add = (sums: Map<string, Sum>, name: string, paise: number): void => {
  const known = sums.get(name)
  if (known === undefined) sums.set(name, { lines: 1, paise })
  else {
    known.lines++
    known.paise += paise
  }
}

/** Couriers that are counted; a file may name any. */
const mostCouriers = 1000

function countCourier(couriers: Map<string, number>, name: string): void {
  const lines = couriers.get(name) ?? 0
  if (lines > 0 || couriers.size < mostCouriers) couriers.set(name, lines + 1)
}

/** Counts a judged line of an invoice number; its reasons are paise. `group` names what --by adds it to. */
export function countLine(
  tally: Tally,
  line: KeptLine,
  reasons: readonly Pick<Reason, 'code' | 'amount' | 'parts'>[],
  number: string,
  group: ((line: KeptLine) => string) | undefined,
): void {
  const { billed, expected, matched_by: matchedBy } = line
  const verdict = line.verdict as Verdict
  tally.lines++
  tally.billed += billed
  if (billed > 0) tally.charges++
  const difference = expected === null ? 0 : billed - expected
  // A credit lowers what is billed, never what the card says.
  if (verdict !== 'credit') tally.expected += expected ?? 0
  const kind = tally.verdicts[verdict]
  kind.lines++
  kind.paise += verdict === 'credit' ? billed : difference
  if (tally.numbers.size < 2) tally.numbers.add(number)
  if (matchedBy !== null) {
    tally.found++
    if (line.courier !== null) countCourier(tally.couriers, line.courier)
  }
  tally.detail?.add(line)
  tally.parcels?.add(line)
  if (verdict === 'unknown') {
    add(tally.unknown, reasons[0]!.code, billed)
    if (reasons[0]!.code === 'unread_line') tally.unread++
    return
  }
  addBare(tally.bare, line, reasons)
  if (verdict === 'over') addBare(tally.tooMuch, line, reasons)
  tally.patterns.add(
    line,
    reasons.flatMap((reason): readonly Pick<Reason, 'code' | 'amount'>[] => reason.parts ?? [reason]),
  )
  if (group !== undefined && difference !== 0) add(tally.groups, group(line), difference)
  if (difference !== 0 && expected !== null && Math.abs(billed * 100 - expected * 118) <= 100) tally.taxed++
}

/** Adds the reasons of a line before GST. */
function addBare(
  bare: Map<string, Sum>,
  { billed, expected, gst_billed: tax }: KeptLine,
  reasons: readonly Pick<Reason, 'code' | 'amount'>[],
): void {
  for (const { code, amount } of reasons) {
    const whole = wholeReasons.includes(code) && expected === 0 && amount === billed
    const gst = whole ? (tax ?? 0) : 0
    add(bare, code, amount! - gst)
    if (gst !== 0) add(bare, 'gst_on_difference', gst)
  }
}

/** What a document keeps of its sums, and the terms that it was judged by. */
export function sumsOf(tally: Tally, terms: KeptTerms | undefined): DocumentSums {
  const { lines, billed, expected, verdicts, bare, wrong, credited } = tally
  const { over, under, unknown, credit } = verdicts
  return {
    lines,
    billed,
    expected,
    over_paise: over.paise,
    over_lines: over.lines,
    under_paise: -under.paise,
    under_lines: under.lines,
    unknown_lines: unknown.lines,
    credit_lines: credit.lines,
    reasons: totalsText({
      reasons: [...bare]
        .toSorted(([, a], [, b]) => Math.abs(b.paise) - Math.abs(a.paise))
        .map(([code, sum]) => ({ code, lines: sum.lines, amount: sum.paise / 100 })),
      ...(terms === undefined ? {} : { terms }),
      wrong,
      credited,
    }),
  }
}
