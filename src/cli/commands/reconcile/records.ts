// Judged lines as records: JSON text that is put together and not made from objects, and cells of CSV.
import type { ReasonCode, Shape } from '../../../domain/money/billed.ts'
import { istDate, isoOf, addDays, readDay } from '../../../domain/time.ts'
import type { View } from '../../output/columns.ts'
import type { CsvWriter } from '../../files/csv.ts'
import type { Outcome } from './judging.ts'

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
  readonly shape: Shape
  /** The courier of the document. */
  readonly courier: string | undefined
  /** Until when a weight can be disputed, ISO 8601; undefined where no policy is known. */
  readonly disputeBy: string | undefined
}

/** What usually proves a reason. */
const evidence: Readonly<Partial<Record<ReasonCode, string>>> = {
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

const rupees = (paise: number | null | undefined): number | null => (paise == null ? null : paise / 100)
const gramsOf = (units: number | undefined): number | null => (units === undefined ? null : units / 100)

const days = new Map<number, string>()

/** The IST day of an instant; an invoice asks for those of a month again and again. */
function dayOf(ms: number): string {
  const number = Math.floor((ms + 19_800_000) / 86_400_000)
  let day = days.get(number)
  if (day === undefined) {
    if (days.size > 4000) days.clear()
    days.set(number, (day = istDate(ms)))
  }
  return day
}

/** The cells of a record without its lists, in the order of the names; lists are JSON text. */
export function cellsOf(outcome: Outcome, terms: RecordTerms): Cell[] {
  const { line, parcel, matchedBy, judged, earlier } = outcome
  const { verdict, category, expected, reasons, zone } = judged
  const disputed = verdict === 'over' && category === 'weight' ? (terms.disputeBy ?? null) : null
  const order = line.order === '' ? (parcel?.order ?? null) : line.order
  const courier = parcel?.carrier_name ?? (line.courier === '' ? (terms.courier ?? null) : line.courier)
  return [
    line.number,
    line.line,
    line.awb,
    order,
    courier,
    judged.journey,
    parcel?.status ?? null,
    parcel === undefined || parcel.day_at === null ? null : dayOf(parcel.day_at),
    judged.card,
    zone === undefined ? null : zone.zone.name,
    judged.zoneBilled === '' ? null : judged.zoneBilled,
    gramsOf(judged.weight),
    line.weight === 0 ? null : line.weight / 100,
    gramsOf(judged.slab),
    line.weight === 0 ? null : gramsOf(judged.slabBilled),
    rupees(judged.billed),
    rupees(expected),
    expected === null ? null : (judged.billed - expected) / 100,
    verdict,
    category,
    reasons.length === 0
      ? '[]'
      : JSON.stringify(reasons.map(({ code, amount, text }) => ({ code, amount: rupees(amount), text }))),
    rupees(judged.gstBilled),
    rupees(judged.gstExpected),
    earlier.length === 0
      ? '[]'
      : JSON.stringify(earlier.map(({ invoice, amount }) => ({ invoice, amount: rupees(amount) }))),
    disputed,
    category === 'ok' || category === 'unknown' ? null : (evidence[category] ?? null),
    terms.shape.gst === 'none' ? 'none' : 'included',
    parcel === undefined ? null : parcel.weight_by,
    zone === undefined ? null : zone.by,
    matchedBy ?? null,
  ]
}

const [reasonsAt, beforeAt] = [recordNames.indexOf('reasons'), recordNames.indexOf('before')]
const keys = recordNames.map((name, at) => `${at === 0 ? '{' : ','}"${name}":`)

// A text of these characters is its own JSON between quotes.
const plainText = /^[\w .:/@,()%+-]*$/

/** The JSON text of a record. */
export function jsonOf(cells: readonly Cell[]): string {
  let text = ''
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    text += keys[at]!
    if (typeof cell !== 'string') text += String(cell)
    else if (at === reasonsAt || at === beforeAt) text += cell
    else text += plainText.test(cell) ? `"${cell}"` : JSON.stringify(cell)
  }
  return text + '}'
}

// A text that no sheet takes for anything else, and that needs no quotes.
const plainCell = /^[\w.:/][\w .:/-]*$/

/** The line of a record in a sheet: cells that need care go through the writer. */
export function sheetLine(cells: readonly Cell[], writer: CsvWriter, between: string): string {
  let text = ''
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    if (at > 0) text += between
    if (typeof cell === 'number') text += String(cell)
    else if (cell !== null) text += cell === '[]' || plainCell.test(cell) ? cell : writer.row([cell]).slice(0, -1)
  }
  return text + '\n'
}

/** The view of judged lines. */
export const recordView: View<Record<string, unknown>> = {
  noun: ['line', 'lines'],
  names: recordNames,
  id: (record) => String(record['awb']),
  columns: recordNames.map((key, at) => ({
    key,
    header: key.replaceAll('_', ' '),
    rank: at + 1,
    raw: (record) => {
      const value = record[key]
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell)
    },
    ...(['billed', 'expected', 'difference', 'gst_billed', 'gst_expected'].includes(key)
      ? { kind: 'money' as const }
      : {}),
  })),
}

/**
 * The end of the window of weight disputes of an aggregator: four days, the shortest that Shiprocket publishes. `day`
 * is the IST day of the document; couriers whose window is not published have none.
 */
export function weightDeadline(form: string, day: string | undefined): string | undefined {
  if (day === undefined || (form !== 'shiprocket' && form !== 'passbook')) return undefined
  return isoOf(readDay(addDays(day, 4))![1])
}
