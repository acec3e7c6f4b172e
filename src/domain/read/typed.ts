// Text as people and spreadsheets leave it: what readers see of it, and how their messages quote it.

/** What a reader makes of a text: its value, with a sentence about a conversion; or why there is none. */
export type Outcome<T> = { readonly value: T; readonly said?: string } | { readonly fault: string }

/** The longest text, in characters, that a reader looks at. */
export const longestValue = 200

/** A text without the space around it and without the apostrophe that spreadsheets put before digits. */
export const typed = (text: string): string => text.trim().replace(/^'(?=\d)/, '')

/** A value that cannot be read, in quotes and cut, as messages show it. */
export const excerpt = (text: string): string => `"${text.length > 40 ? `${text.slice(0, 39)}\u2026` : text}"`

/** A long number that a spreadsheet has rounded, so that its digits are lost: 9.81235E+11. */
const rounded = /^\d(?:\.\d+)?E\+?\d{1,3}$/i

/** A text whose digits matter, such as a SKU: it stays as it is. */
export function readText(text: string): Outcome<string> {
  const value = text.trim()
  if (value.length > longestValue) return { fault: `${excerpt(value)} has more than ${longestValue} characters` }
  if (!rounded.test(value)) return { value }
  const rest = 'is a number that a spreadsheet has rounded; make the column text there and save it again'
  return { fault: `${excerpt(value)} ${rest}` }
}

/** Digits that a program may have turned into a number: 560001.0. */
export const readDigits = (text: string): Outcome<string> => {
  const read = readText(typed(text))
  return 'fault' in read ? read : { value: read.value.replace(/^(\d+)\.0+$/, '$1') }
}
