// The words of invoices: which way of a parcel a line bills, and what an entry of a ledger is
// (docs/guides/money.md).

/** The way that a line bills: out, out and back (or back alone), and a return from the customer. */
export type Journey = 'forward' | 'rto' | 'reverse'

/**
 * What the words of a line say: `both` is out and back in one amount; `return` may be the way back or a return from the
 * customer, which only the parcel says.
 */
export type SaidJourney = Journey | 'both' | 'return'

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()

const journeys: ReadonlyMap<string, SaidJourney> = new Map<string, SaidJourney>([
  ...['forward charges', 'forward charge', 'forward', 'fwd', 'dl', 'delivered', 'delivery'].map(
    (word) => [word, 'forward'] as const,
  ),
  ...['forward and rto charges', 'forward and rto charge', 'forward and rto', 'forward rto', 'fwd rto'].map(
    (word) => [word, 'both'] as const,
  ),
  ...['rt', 'rts', 'returned', 'return to origin', 'return to seller', 'return to shipper', 'undelivered return'].map(
    (word) => [word, 'rto'] as const,
  ),
  ...['dto', 'reverse', 'reverse pickup', 'reverse charges', 'rvp', 'customer return'].map(
    (word) => [word, 'reverse'] as const,
  ),
  ...['return', 'returns', 'return shipment', 'return charges'].map((word) => [word, 'return'] as const),
])

/** The journey that a word of a type or status column names; undefined for any other word. */
export function readJourney(text: string): SaidJourney | undefined {
  const words = letters(text)
  // `RTO Freight`, `RTO-Delivered`, `RTO In Transit`: whatever stands beside it.
  return journeys.get(words) ?? (words.startsWith('rto ') || words === 'rto' ? 'rto' : undefined)
}

/** The journey that the end of an AWB names: `-RTO`, `-R`, `-RP`; undefined for any other. */
export const suffixJourney = (awb: string): SaidJourney | undefined =>
  suffixes.get(awb.slice(awb.lastIndexOf('-') + 1).toUpperCase())

const suffixes: ReadonlyMap<string, SaidJourney> = new Map([
  ['RTO', 'rto'],
  ['R', 'return'],
  ['RP', 'reverse'],
])

/** Where an entry of a ledger counts. */
export type Entry = 'freight' | 'rto' | 'cod_fee' | 'reverse' | 'qc' | 'fuel' | 'other'

/** What an entry of a ledger is, by its words; undefined for words that shipx does not know. */
export function readEntry(text: string): Entry | undefined {
  const words = letters(text)
  const says = (word: string): boolean => ` ${words} `.includes(` ${word} `)
  if (says('cod')) return 'cod_fee'
  if (says('rto')) return 'rto'
  if (says('qc')) return 'qc'
  if (says('reverse') || says('dto')) return 'reverse'
  if (says('fuel') || says('fsc')) return 'fuel'
  if (says('freight') || says('forward') || says('fwd') || says('weight')) return 'freight'
  if (says('lost') || says('damaged') || says('cancelled') || says('surcharge') || words === 'sr credit') return 'other'
  return undefined
}
