// The cell of an AWB: the AWB as text, and why a cell holds none.
import { excerpt } from '../read/typed.ts'

/** An AWB as text: without blanks, `'`, `="…"` and the `.0` of a number; leading zeros stay. */
export function awbIn(text: string): string {
  if (!/[\s'"=.]/.test(text)) return text
  const inner = /^="(.*)"$/.exec(text.trim())?.[1] ?? text
  // A number has 15 digits that are certain.
  return inner.replace(/[\s']+/g, '').replace(/^(\d{1,15})\.0+$/, '$1')
}

/** Whether a spreadsheet has rounded an AWB: its digits are gone. */
export const isSpoilt = (awb: string): boolean => /^\d(?:\.\d+)?e\+?\d{1,3}$|^\d{16,}\.0+$/i.test(awb)

/** What stands between two AWBs for certain; a blank may also be inside of one. */
const between = /[,;|/&+\r\n]+/

const digitsIn = (text: string): number => text.replace(/\D+/g, '').length

/** Whether each part of a text is long enough for an AWB of its own, and there are several. */
const areAwbs = (parts: readonly string[], characters: number): boolean => {
  const filled = parts.map((part) => part.replace(/[\s'"]+/g, '')).filter((part) => part !== '')
  return filled.length > 1 && filled.every((part) => part.length >= characters && digitsIn(part) >= 5)
}

/** Whether a cell lists several AWBs: `3481000001041, 3481000001051`. */
export const severalAwbs = (text: string): boolean => areAwbs(text.split(between), 6) || areAwbs(text.split(/\s+/), 8)

/** Whether a text is plainly words, as no AWB is: without any digit, or with two words. */
const isWords = (text: string): boolean =>
  !/\p{N}/u.test(text) || text.split(/[\s.:,]+/).filter((word) => /^\p{L}{2,}$/u.test(word)).length > 1

/** Why the cell of an AWB holds none; undefined for one that does. */
export function awbFault(text: string): string | undefined {
  // Nearly all are letters and digits.
  if (/^[\w-]+$/.test(text) && /\d/.test(text)) return undefined
  if (text.trim() === '') return 'it has no AWB'
  if (severalAwbs(text)) return 'several AWBs stand in one cell: write a line for each parcel, with its own amount'
  return isWords(text) ? `${excerpt(text.trim())} stands in place of its AWB` : undefined
}
