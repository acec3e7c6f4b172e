// The amounts and weights of invoice cells as integers: paise, hundredths of a gram.

/** What an empty cell, `-` and `NA` are. */
const nothing = /^(?:-|n\/?a|nil|null)$/i

const digit = (code: number): boolean => code >= 48 && code <= 57

/** A plain decimal text times a power of ten, half-up; NaN for any other text. */
function scaledDecimal(text: string, places: number): number {
  let [value, decimals] = [0, -1]
  const from = text.charCodeAt(0) === 45 ? 1 : 0
  if (text.length - from > 15 || text.length === from) return NaN
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 46 && decimals === -1) decimals = 0
    else if (!digit(code)) return NaN
    else if (decimals < places) {
      value = value * 10 + code - 48
      if (decimals >= 0) decimals++
    } else if (decimals++ === places && code >= 53) value++
  }
  for (let missing = Math.max(0, decimals); missing < places; missing++) value *= 10
  return from === 1 && value !== 0 ? -value : value
}

/**
 * The paise of a cell: `31.86`, `₹1,234.50`, `(12.00)`, `₹ (12.00)`, `12.00-` and `12.00 Cr` for negative amounts, and
 * the number inside `%!f(string=45.20)`; 0 for an empty one, NaN for a text that is no amount.
 */
export function paiseIn(text: string): number {
  if (text === '') return 0
  const plain = scaledDecimal(text, 2)
  return Number.isNaN(plain) ? writtenPaise(text.trim()) : plain
}

function writtenPaise(text: string): number {
  if (text.length > 60) return NaN
  if (text === '' || nothing.test(text)) return 0
  const inner = (/^%!\w\(\w+=(.*)\)$/.exec(text)?.[1] ?? text).replaceAll('\u2212', '-')
  // Excel puts the sign of rupees before the bracket, and SAP the minus at the end.
  const opened = /^(?:\u20b9|rs\.?|inr)? ?\(/i.exec(inner)?.[0]
  const bracketed = opened !== undefined && inner.endsWith(')')
  const turned = /\d-$/.test(inner) && !inner.startsWith('-')
  const bracket = bracketed || turned
  const unbracketed = bracketed ? inner.slice(opened.length, -1).trim() : inner
  const bare = turned ? inner.slice(0, -1) : unbracketed
  const credit = /\bcr\.?$/i.test(bare)
  const unsigned = bare
    .replace(/\b[cd]r\.?$/i, '')
    .replaceAll('\u00a0', '')
    .trim()
  const end = ['/-', 'inr'].find((word) => unsigned.toLowerCase().endsWith(word)) ?? ''
  const number = unsigned
    .slice(0, unsigned.length - end.length)
    .replace(/^([-+]?) ?(?:\u20b9|rs\.?|inr)? ?/i, '$1')
    .trim()
  // Without the three digits, as in 40,00, the comma is a decimal point.
  if (!/^[-+]?\d{1,3}(?:(?:,\d{2,3})*,\d{3})?(?:\.\d+)?$|^[-+]?\d+(?:\.\d*)?$|^\.\d+$/.test(number)) return NaN
  const value = scaledDecimal(number.replaceAll(',', '').replace(/^\+/, ''), 2)
  return bracket || credit ? -Math.abs(value) : value
}

/**
 * The paise of a cell of a statement of money received: as `paiseIn`, but `Cr` is money in and `Dr` money out; 0 for an
 * empty one, NaN for a text that is no amount.
 */
export function receivedPaise(text: string): number {
  const [, word] = /\b(cr|dr)\.?$/i.exec(text.trim()) ?? []
  if (word === undefined) return paiseIn(text)
  const paise = Math.abs(paiseIn(text))
  return word.toLowerCase() === 'dr' && paise !== 0 ? -paise : paise
}

/** The hundredths of a gram of a cell in a unit; 0 for an empty one, `NA` and 0, NaN for a text that is no weight. */
export function unitsIn(text: string, unit: 'g' | 'kg'): number {
  if (text === '') return 0
  const plain = scaledDecimal(text, unit === 'kg' ? 5 : 2)
  if (!Number.isNaN(plain)) return plain < 0 ? NaN : plain
  const [, number, written] = /^([\d.]+)\s*(kgs?|g|gms?|grams?)\.?$/i.exec(text.trim()) ?? []
  if (number === undefined) return nothing.test(text.trim()) || text.trim() === '' ? 0 : NaN
  return scaledDecimal(number, written!.toLowerCase().startsWith('k') ? 5 : 2)
}

/** The amount before GST of one with GST, half-up. */
export const insideBase = (paise: number, percent: number): number =>
  Math.sign(paise) * Math.floor((Math.abs(paise) * 100) / (100 + percent) + 0.5)
