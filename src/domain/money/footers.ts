// The words of rows that are no line of a bill or a remittance: totals, what is payable, and amounts of no parcel.

/** What a row below the lines is: a total, what is payable in the end, or an amount that no line has. */
export type Footer = 'total' | 'payable' | 'apart'

const total = /^(?:(?:grand|sub|net|gross|page|invoice|bill)[\s-]*)?(?:total|sum|कुल)(?![\p{L}\p{M}\p{N}])/iu

/** Whether a text begins with one of some words, whole. */
const begins = (words: readonly string[]): RegExp => new RegExp(`^(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'iu')

const moved = begins(['(?:carr(?:y|ied)|brought)[\\s-]*(?:forward|fwd|over|down)', '[cb]\\s?/\\s?[fd]'])
const apart = begins([
  'less|add|tds|tcs|round(?:ed|ing)?|arrears?|advance|discount|cess|[cis]?gst|utgst|wallet|recharge',
  '(?:amount|amt|payments?)\\s+(?:already\\s+)?(?:paid|received)',
  '(?:prev(?:ious)?|opening|closing|last|old)[\\s.-]*(?:balance|bal|dues?|outstanding)',
])
const payable = begins([
  '(?:(?:net|gross|final|total|taxable|invoice|bill|balance|outstanding|amount|amt|value)[\\s.:-]*)*' +
    '(?:payable|dues?|amount|amt|value|outstanding|receivable|balance)',
])

/** Whether a text begins like the label of a row of totals. */
export const isTotalLabel = (text: string): boolean => total.test(text.trim())

/** What the words of a row in place of an AWB say that it is; undefined for words that are not known. */
export function footerOf(text: string): Footer | undefined {
  const words = text.trim()
  // As nearly every AWB is.
  if (words === '' || /^\d/.test(words) || (/^[\w-]+$/.test(words) && /\d/.test(words))) return undefined
  if (total.test(words) || moved.test(words)) return 'total'
  if (apart.test(words)) return 'apart'
  return payable.test(words) ? 'payable' : undefined
}

/** Whether an amount of these words is taken off what is payable, whatever its sign. */
export const takesOff = (words: string): boolean =>
  /^(?:less|tds|advance|discount|amount|amt|payment)/i.test(words.trim())

const recharge = /\brecharged?\b|\btop[\s-]?up\b|\badd(?:ed)?\s+(?:money|balance)\b/i
const loaded = /\b(?:wallet|balance)\s+(?:load|credit|added)/i

/** Whether words say that money was put into a wallet. */
export const isRecharge = (words: string): boolean => recharge.test(words) || loaded.test(words)
