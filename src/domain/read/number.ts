// The reader of plain numbers.
import { longestValue } from './excerpt.ts'

const decimal = /^[+]?(\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})$/

/** A plain decimal number in text, or undefined; no exponent, no hex, no sign but `+`, nothing empty. */
export function readDecimal(text: string): number | undefined {
  if (text.length > longestValue) return undefined
  const match = decimal.exec(text.trim())
  return match === null ? undefined : Number(match[1])
}
