// Reasons that may take a whole line of an invoice, with its GST (docs/guides/money.md). Integer paise.
import { insideBase } from './amounts.ts'
import { usualGst } from './kinds.ts'

/** The reasons that may take a whole line. */
export const wholeReasons: readonly string[] = [
  'unknown_awb',
  'other_courier',
  'not_shipped',
  'duplicate',
  'billed_before',
]

/** The GST of a whole line: what a column says, else what is inside the amounts of the document. */
export const wholeGst = (billed: number, tax: number | null, inside: boolean): number =>
  tax ?? (inside ? billed - insideBase(billed, usualGst) : 0)
