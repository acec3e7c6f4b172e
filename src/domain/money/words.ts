// The words of invoices: which way of a parcel a line bills, and what an entry of a ledger is
// (docs/guides/money.md).

/** The way that a line bills: out, out and back (or back alone), and a return from the customer. */
export type Journey = 'forward' | 'rto' | 'reverse'

/** What the words of a line say: `both` is out and back in one amount. */
export type SaidJourney = Journey | 'both'

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
  ...['rto', 'rto charges', 'rto charge', 'rto delivered', 'return to origin', 'returned'].map(
    (word) => [word, 'rto'] as const,
  ),
  ...['dto', 'reverse', 'reverse pickup', 'reverse charges', 'rvp', 'return'].map((word) => [word, 'reverse'] as const),
])

/** The journey that a word of a type or status column names; undefined for any other word. */
export const readJourney = (text: string): SaidJourney | undefined => journeys.get(letters(text))

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
