// Judged lines as records: JSON text that is put together and not made from objects, and cells of CSV.
import type { Reason, ReasonCode } from '../../../domain/money/billed.ts'
import { deadlineOf, workingDays } from '../../../domain/money/deadlines.ts'
import { noCard } from '../../../domain/money/judge.ts'
import type { Policy } from '../../../domain/money/policies.ts'
import { numberText } from '../../../domain/numbertext.ts'
import { placeOf } from '../../../domain/pincodes.ts'
import { isoOf, istDate, istDayNumber, readDay } from '../../../domain/time.ts'
import { howMatched, matchedAs, printedAwb, type KeptLine } from '../../../engine/money/lines.ts'
import type { CsvWriter } from '../../files/csv.ts'
import { otherAwb, type Outcome } from './judging.ts'

/** The names of a record, in order. */
export const recordNames = [
  'invoice',
  'line',
  'awb',
  'order',
  'courier',
  'journey',
  'status',
  'picked_up',
  'card',
  'zone',
  'zone_billed',
  'weight',
  'weight_billed',
  'slab',
  'slab_billed',
  'billed',
  'expected',
  'difference',
  'verdict',
  'category',
  'reasons',
  'gst_billed',
  'gst_expected',
  'before',
  'dispute_by',
  'evidence',
  'gst',
  'weight_by',
  'zone_by',
  'matched_by',
] as const

type Cell = string | number | null

/** What records say of the document. */
export interface RecordTerms {
  readonly gst: 'included' | 'none'
  /** The courier of the document. */
  readonly courier: string | undefined
  /** Until when a weight can be disputed, ISO 8601; undefined where no policy is known. */
  readonly disputeBy: string | undefined
}

/** What usually proves a reason. */
export const evidence: Readonly<Partial<Record<ReasonCode, string>>> = {
  duplicate: 'both lines',
  billed_before: 'number and line of the earlier document',
  other_courier: 'label, tracking',
  not_shipped: 'no scan; struck out of the manifest',
  zone: "pincodes, the card's zones",
  weight: 'dimensions, photos, SKU history, frozen weight',
  rate: 'card',
  rto_rate: 'card',
  rto_not_returned: 'POD',
  cod_on_prepaid: 'order, journey',
  cod_rate: 'order, journey',
  cod_not_reversed: 'order, journey',
  reverse: 'return record',
  qc: 'return record',
  fuel: 'card, published index',
  surcharge: 'card',
  gst: 'GSTINs',
  arithmetic: 'the line itself',
}

/** What proves it where a card does. */
const proofOf = (category: string, card: string | null): string | null => {
  const usual = evidence[category as ReasonCode] ?? null
  return card === noCard && usual?.startsWith('card') ? 'other lines of the file' : usual
}

const rupees = (paise: number | null): number | null => (paise === null ? null : paise / 100)
const gramsOf = (milli: number | null): number | null => (milli === null ? null : milli / 1000)

const days = new Map<number, string>()

/** The IST day of an instant; an invoice asks for those of a month again and again. */
function dayOf(ms: number): string {
  const number = istDayNumber(ms)
  let day = days.get(number)
  if (day === undefined) {
    if (days.size > 4000) days.clear()
    days.set(number, (day = istDate(ms)))
  }
  return day
}

const milligrams = (units: number | undefined): number | null => (units === undefined ? null : units * 10)

/** A reason in rupees. */
const reasonRecord = ({ code, amount, text, parts }: Reason) => ({
  code,
  amount: rupees(amount),
  text,
  ...(parts === undefined ? {} : { parts: parts.map((one) => ({ code: one.code, amount: one.amount / 100 })) }),
})

/** A judged line as it is kept. */
export function keptLine(outcome: Outcome, terms: RecordTerms): KeptLine {
  const { line, parcel, matchedBy, judged, earlier } = outcome
  const { reasons, zone } = judged
  const under = otherAwb(outcome)
  return {
    line: line.line,
    awb: under === '' ? line.awb : under,
    order_name: line.order === '' ? (parcel?.order ?? null) : line.order,
    courier: parcel?.carrier_name ?? (line.courier === '' ? (terms.courier ?? null) : line.courier),
    journey: judged.journey,
    status: parcel?.status ?? null,
    picked_up: parcel?.shipped === true ? parcel.day_at : null,
    card: judged.card,
    zone: zone === undefined ? null : zone.zone.name,
    zone_billed: judged.zoneBilled === '' ? null : judged.zoneBilled,
    zone_by: zone === undefined ? null : zone.by,
    weight: milligrams(judged.weight),
    weight_billed: line.weight === 0 ? null : line.weight * 10,
    weight_by: parcel === undefined ? null : line.child === '' ? parcel.weight_by : 'line',
    slab: milligrams(judged.slab),
    slab_billed: line.weight === 0 ? null : milligrams(judged.slabBilled),
    matched_by:
      matchedBy === 'child'
        ? matchedAs(matchedBy, line.child)
        : under === ''
          ? (matchedBy ?? null)
          : matchedAs(matchedBy as 'order' | 'suffix', line.awb),
    origin: parcel?.merchant ?? null,
    state: parcel?.customer == null ? null : (placeOf(parcel.customer)?.state ?? null),
    billed: judged.billed,
    expected: judged.expected,
    gst_billed: judged.gstBilled,
    gst_expected: judged.gstExpected,
    freight: line.freight,
    rto: line.rto,
    cod_fee: line.cod,
    fuel: line.fuel,
    other: line.other,
    verdict: judged.verdict,
    category: judged.category,
    reasons: reasons.length === 0 ? null : JSON.stringify(reasons.map(reasonRecord)),
    earlier:
      earlier.length === 0
        ? null
        : JSON.stringify(earlier.map(({ invoice, amount }) => ({ invoice, amount: rupees(amount) }))),
  }
}

/** The cells of a record in the order of the names; lists are JSON text. */
export function cellsOf(kept: KeptLine, invoice: string, terms: RecordTerms): Cell[] {
  const { verdict, category, expected, billed, picked_up: picked, matched_by: by } = kept
  const plain = by === 'awb' || by === null
  return [
    invoice,
    kept.line,
    plain ? kept.awb : printedAwb(kept),
    kept.order_name,
    kept.courier,
    kept.journey,
    kept.status,
    picked === null ? null : dayOf(picked),
    kept.card,
    kept.zone,
    kept.zone_billed,
    gramsOf(kept.weight),
    gramsOf(kept.weight_billed),
    gramsOf(kept.slab),
    gramsOf(kept.slab_billed),
    billed / 100,
    rupees(expected),
    expected === null ? null : (billed - expected) / 100,
    verdict,
    category,
    kept.reasons ?? '[]',
    rupees(kept.gst_billed),
    rupees(kept.gst_expected),
    kept.earlier ?? '[]',
    verdict === 'over' && category === 'weight' ? (terms.disputeBy ?? null) : null,
    proofOf(category, kept.card),
    terms.gst,
    kept.weight_by,
    kept.zone_by,
    plain ? kept.matched_by : howMatched(kept.matched_by),
  ]
}

const [reasonsAt, beforeAt] = [recordNames.indexOf('reasons'), recordNames.indexOf('before')]
const keys = recordNames.map((name, at) => `${at === 0 ? '{' : ','}"${name}":`)

const own: ReadonlySet<string> = new Set(['awb', 'order', 'reasons', 'before'])
/** Whether the texts of a column come again and again: all but a few are those of another line. */
const shared = recordNames.map((name) => !own.has(name))

/** Writes a text as it was written before, where it was. */
function remembered(write: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    let written = known.get(text)
    if (written === undefined) {
      written = write(text)
      if (known.size < 1000) known.set(text, written)
    }
    return written
  }
}

// A text of these characters is its own JSON between quotes.
const plainText = /^[\w .:/@,()%+-]*$/
const jsonText = (text: string): string => (plainText.test(text) ? `"${text}"` : JSON.stringify(text))
const sharedJson = remembered(jsonText)

/** The JSON text of a record. Joined and not added up, so that it is one text and not all of its pieces. */
export function jsonOf(cells: readonly Cell[]): string {
  const parts: string[] = []
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    parts.push(keys[at]!)
    if (typeof cell === 'number') parts.push(numberText(cell))
    else if (cell === null) parts.push('null')
    else if (at === reasonsAt || at === beforeAt) parts.push(cell)
    else parts.push(shared[at]! ? sharedJson(cell) : jsonText(cell))
  }
  parts.push('}')
  return parts.join('')
}

// A text that no sheet takes for anything else, and that needs no quotes.
const plainCell = /^[\w.:/][\w .:/-]*$/

/** Writes the line of a record in a sheet, in place of its cells: those that need care go through the writer. */
export function sheetLines(writer: CsvWriter, between: string): (cells: Cell[]) => string {
  const written = (cell: string): string =>
    cell === '[]' || plainCell.test(cell) ? cell : writer.row([cell]).slice(0, -1)
  const sharedText = remembered(written)
  return (cells) => {
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at]!
      if (typeof cell === 'number') cells[at] = numberText(cell)
      else if (cell !== null) cells[at] = shared[at]! ? sharedText(cell) : written(cell)
    }
    // Null is nothing between two cells.
    return cells.join(between) + '\n'
  }
}

/**
 * The last instant at which the billed weights of a document can be disputed, ISO 8601: the window of a policy from the
 * IST day of the document. Where the courier announced a discrepancy before, the window began earlier.
 */
export function weightDeadline(
  day: string | undefined,
  { weight_window: window }: Policy,
  holidays: readonly string[],
): string | undefined {
  if (day === undefined) return undefined
  return isoOf(deadlineOf(readDay(day)![0], window, workingDays(new Set(holidays))))
}
