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

/** The GST inside an amount that no card prices. */
export const insideGst = (billed: number): number => billed - insideBase(billed, usualGst)
