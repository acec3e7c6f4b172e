// The cells of an order sheet as people and spreadsheets write them: money, weights, dates, payment, yes and no; knows no
// column and no order (docs/bulk.md, Orders).
import { readWeight, scaled } from '../../domain/measures.ts'
import { istInstant, istMinute, readInstant } from '../../domain/time.ts'

/** What a cell says: a raw value that the contract will judge, or what is wrong with it. */
export type Cell = { readonly value: unknown } | { readonly fault: string }

/** Reads a cell that is not empty. `grouped` says that a comma inside a number groups its digits. */
export type CellReader = (cell: string, grouped: boolean) => Cell

const shown = (cell: string): string => `"${cell.length > 40 ? `${cell.slice(0, 39)}…` : cell}"`

/** What a spreadsheet makes of a long number, and its digits are gone: 9.81235E+11. */
const rounded = /^\d(?:\.\d+)?E\+?\d{1,3}$/i

/** Text whose digits matter. */
export const readText: CellReader = (cell) =>
  rounded.test(cell)
    ? { fault: `${shown(cell)} is a number that a spreadsheet has rounded; make the column text there and save it again` } // prettier-ignore
    : { value: cell }

/** Digits that a spreadsheet or a program may have taken for a number: 560001.0. */
export const readDigits: CellReader = (cell, grouped) => readText(cell.replace(/^(\d+)\.0+$/, '$1'), grouped)

const groups = /^\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/

/** Rupees: `1499`, `1,499.00`, `₹ 1,49,999`, `Rs. 499`, `499/-`. */
export const readMoney: CellReader = (cell, grouped) => {
  const bare = cell.replace(/^(?:₹|rs\.?|inr)\s*/i, '').replace(/\s*(?:\/-|inr)$/i, '')
  return { value: grouped && groups.test(bare) ? bare.replaceAll(',', '') : bare }
}

/** Centimetres, with or without the unit. */
export const readSide: CellReader = (cell) => ({ value: cell.replace(/\s*cms?\.?$/i, '') })

const unit = /[a-z]\.?$/i

const weightIn =
  (factor: number): CellReader =>
  (cell) => {
    if (!unit.test(cell)) return { value: factor === 1 ? cell : scaledText(cell, factor) }
    const grams = readWeight(cell.replace(/\.$/, ''))
    return grams === undefined
      ? { fault: `${shown(cell)} is not a weight; write 0.5, 0.5kg or 500g` }
      : { value: scaled(grams, 0.001) }
  }

/** A plain number times a factor; anything else is left for the contract to judge. */
const scaledText = (cell: string, factor: number): unknown =>
  /^\d{1,12}(?:\.\d{1,12})?$/.test(cell) ? scaled(Number(cell), factor) : cell

/** A weight in kilograms, as the API has it; with a unit (`500g`, `0.5kg`) whatever that says. */
export const readKilograms = weightIn(1)

/** A weight in a column that says grams. */
export const readGrams = weightIn(0.001)

/** Yes and no in the words of programs and spreadsheets. */
export const readTruth: CellReader = (cell) => {
  const word = cell.toLowerCase()
  if (['true', 'yes', 'y', '1'].includes(word)) return { value: true }
  if (['false', 'no', 'n', '0'].includes(word)) return { value: false }
  return { fault: `${shown(cell)} is not yes or no` }
}

/** Several words between commas. */
export const readList: CellReader = (cell) => ({
  value: cell.split(',').map((word) => word.trim()).filter((word) => word !== ''),
}) // prettier-ignore

const onDelivery = new Set(['cod', 'cash', 'cashondelivery', 'codpayment', 'payondelivery', 'cashcod', 'codcashondelivery']) // prettier-ignore
// prettier-ignore
const before = new Set([
  'prepaid', 'paid', 'online', 'onlinepayment', 'onlinepaid', 'paidonline', 'prepayment', 'prepaidorder', 'ppd', 'pp', 'upi', 'card',
  'creditcard', 'debitcard', 'netbanking', 'wallet', 'emi', 'gpay', 'googlepay', 'phonepe', 'paytm', 'razorpay', 'payu', 'cashfree',
])

/** COD or PREPAID, in any usual spelling. */
export const readPayment: CellReader = (cell) => {
  const word = cell.toLowerCase().replace(/[^a-z]/g, '')
  if (onDelivery.has(word)) return { value: 'COD' }
  if (before.has(word)) return { value: 'PREPAID' }
  return { fault: `${shown(cell)} is neither COD nor PREPAID` }
}

const dayFirst = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[ ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
const yearFirst = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/**
 * A date and time as spreadsheets in India write it, as ms UTC: the year first or the day first (28-09-2026 14:05, 28/09/2026)
 * in IST, with or without its time, or ISO 8601 with an offset; undefined for what is no day of the calendar.
 */
export function readTime(cell: string): number | undefined {
  const first = yearFirst.exec(cell)
  const [, a, b, c, hour, minute, second] = first ?? dayFirst.exec(cell) ?? []
  if (a === undefined) return readInstant(cell)
  const [year, day] = first === null ? [c, a] : [a, c]
  return istInstant(Number(year), Number(b), Number(day), Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0))
}

/** A date in IST, as the API has it. */
export const readDate: CellReader = (cell) => {
  const at = readTime(cell)
  if (at !== undefined) return { value: istMinute(at) }
  return { fault: `${shown(cell)} is not a date of the calendar; write 2026-09-28 14:05 or 28-09-2026 14:05 (IST)` }
}
