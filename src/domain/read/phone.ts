// The reader of mobile numbers.
import { excerpt, longestValue, readDigits, typed, type Outcome } from './typed.ts'

/**
 * Ten digits of an Indian mobile number, or undefined; spaces, dashes, brackets, a leading +91, 91, 0091 or 0, and the
 * apostrophe that spreadsheets put before digits come off.
 */
export function readPhone(input: string): string | undefined {
  if (input.length > longestValue) return undefined
  const digits = typed(input)
    .replace(/[\s()-]+/g, '')
    .replace(/^(?:(?:\+91|0091)0?|91(?=\d{10}$)|0(?=\d{10}$))/, '')
  return /^[6-9]\d{9}$/.test(digits) ? digits : undefined
}

/** The same from a sheet or a flag, or why it is not a mobile number. */
export function readMobile(text: string): Outcome<string> {
  const written = readDigits(text)
  if ('fault' in written) return written
  const value = readPhone(written.value)
  if (value !== undefined) return { value }
  const wanted = 'write ten digits that start with 6 to 9, for example 98765 43210'
  return { fault: `${excerpt(text)} is not an Indian mobile number; ${wanted}` }
}
