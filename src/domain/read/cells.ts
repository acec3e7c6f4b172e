// The cells of an order sheet as people and spreadsheets write them: money, weights, dates, payment, yes and no
// (docs/guides/sheets.md, Orders).
import { scaled } from '../rates/measures.ts'
import { readSide as sideIn, sideFault } from './sides.ts'
import { readGrams, type BareWeight } from './weight.ts'
import { excerpt, longestValue } from './excerpt.ts'
import { readRupees } from './money.ts'
import { istMinute } from '../time.ts'
import { readTime } from './day.ts'

/** A cell as a raw value, which the contract checks later, or what is wrong with it. */
export type Cell = { readonly value: unknown } | { readonly fault: string }

/** How the cells of a sheet are to be read. */
export interface CellOptions {
  /** A comma inside a number groups its digits. */
  readonly grouped: boolean
  /** The unit of a weight without one. */
  readonly weight: BareWeight
}

/** Reads a cell that is not empty. */
export type CellReader = (cell: string, reading: CellOptions) => Cell

/** A reader of short values: no regular expression sees a longer cell. */
const short =
  (read: CellReader): CellReader =>
  (cell, reading) =>
    cell.length > longestValue
      ? { fault: `${excerpt(cell)} has more than ${longestValue} characters` }
      : read(cell, reading)

/** A long number that a spreadsheet has rounded, so that its digits are lost: 9.81235E+11. */
const rounded = /^\d(?:\.\d+)?E\+?\d{1,3}$/i

/** Text whose digits matter. */
export const readText: CellReader = short((cell) =>
  rounded.test(cell)
    ? {
        fault:
          `${excerpt(cell)} is a number that a spreadsheet has rounded; ` +
          'make the column text there and save it again',
      }
    : { value: cell },
)

/** Digits that a program may have turned into a number: 560001.0. */
export const readDigits: CellReader = short((cell, reading) => readText(cell.replace(/^(\d+)\.0+$/, '$1'), reading))

/** Rupees: `1499`, `1,499.00`, `₹ 1,49,999`, `Rs. 499`, `499/-`. */
export const readMoney: CellReader = (cell, { grouped }) => {
  const amount = readRupees(cell, grouped)
  return 'fault' in amount ? amount : { value: amount.rupees }
}

/** Centimetres, with or without the unit. */
export const readSide: CellReader = (cell) => {
  const side = sideIn(cell)
  return side === undefined ? { fault: sideFault(cell) } : { value: side }
}

/** A weight in kilograms, as the API has it. */
export const readKilograms: CellReader = (cell, { weight }) => {
  const read = readGrams(cell, weight)
  return 'fault' in read ? read : { value: scaled(read.grams, 0.001) }
}

/** Yes and no in the words of programs and spreadsheets. */
export const readTruth: CellReader = short((cell) => {
  const word = cell.toLowerCase()
  if (['true', 'yes', 'y', '1'].includes(word)) return { value: true }
  if (['false', 'no', 'n', '0'].includes(word)) return { value: false }
  return { fault: `${excerpt(cell)} is not yes or no` }
})

/** Several words between commas. */
export const readList: CellReader = (cell) => ({
  value: cell
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
})

const onDelivery = new Set([
  'cod',
  'cash',
  'cashondelivery',
  'codpayment',
  'payondelivery',
  'cashcod',
  'codcashondelivery',
  'cashondeliverycod',
])
// prettier-ignore
const before = new Set([
  'prepaid', 'paid', 'online', 'onlinepayment', 'onlinepaid', 'paidonline', 'prepayment', 'prepaidorder', 'ppd', 'pp', 'upi', 'card',
  'creditcard', 'debitcard', 'netbanking', 'wallet', 'emi', 'gpay', 'googlepay', 'phonepe', 'paytm', 'razorpay', 'payu', 'cashfree',
])

/** COD or PREPAID, in any usual spelling. */
export const readPayment: CellReader = short((cell) => {
  const word = cell.toLowerCase().replace(/[^a-z]/g, '')
  if (onDelivery.has(word)) return { value: 'COD' }
  if (before.has(word)) return { value: 'PREPAID' }
  return { fault: `${excerpt(cell)} is neither COD nor PREPAID` }
})

/** A date in IST, as the API has it. */
export const readDate: CellReader = short((cell) => {
  const at = readTime(cell)
  if (at !== undefined) return { value: istMinute(at) }
  return { fault: `${excerpt(cell)} is not a date of the calendar; write 2026-09-28 14:05 or 28-09-2026 14:05 (IST)` }
})
