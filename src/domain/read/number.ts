// The readers of plain numbers and of numbers of units.
import { excerpt, longestValue, typed, type Outcome } from './typed.ts'

const decimal = /^[+]?(\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})$/

/** A plain decimal number in text, or undefined; no exponent, no hex, no sign but `+`, nothing empty. */
export function readDecimal(text: string): number | undefined {
  if (text.length > longestValue) return undefined
  const match = decimal.exec(typed(text))
  return match === null ? undefined : Number(match[1])
}

const signed = /^-?\d{1,15}(?:\.\d{1,12})?$/

/** A number as plain text, which the contract judges; `example` is one for the fault. */
export function readNumber(text: string, what: string, example: string): Outcome<string> {
  const value = typed(text)
  return value.length <= longestValue && signed.test(value)
    ? { value }
    : { fault: `${excerpt(value)} is not ${what}; write for example ${example}` }
}

/** How many pieces of an item there are. */
export const readUnits = (text: string): Outcome<string> => readNumber(text, 'a number of units', '2')
