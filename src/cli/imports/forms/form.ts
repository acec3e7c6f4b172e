// What a form is: a table that reads the orders out of another program's export (docs/guides/sheets.md, Exports).
import { paiseOf, rupeesText } from '../../../domain/money.ts'
import { readRupees } from '../../../domain/read/money.ts'
import { readPayment } from '../../../domain/read/payment.ts'
import type { ItemName, OrderName } from './columns.ts'

/** The cell of a line under a header, without the space around it; '' where the export has no such header. */
export interface ExportLine {
  readonly cell: (header: string) => string
}

/** An order of an export. Its own `cell` is that of its first line with one: later lines leave them empty. */
export interface ExportOrder extends ExportLine {
  readonly lines: readonly ExportLine[]
}

/**
 * Where a value is: under a header, under the first of some headers with a cell, or made from cells. Faults name the
 * first header that the file has.
 */
export type Source<T> = string | readonly string[] | Computed<T>

/** A value that is made from the cells under some headers. */
export interface Computed<T> {
  readonly from: readonly string[]
  readonly value: (of: T) => string
}

/** An address of an export, taken as a whole; `key` is the header of its street. */
export interface ExportAddress {
  readonly key: string
  readonly fields: Readonly<Partial<Record<OrderName, Source<ExportOrder>>>>
}

/** Orders or lines that are not imported. */
export interface Left {
  /** What they are, for the count: `cancelled`. */
  readonly as: string
  readonly header: string
  /** The words that say so, as `stateWord` makes them; without them, any text does. */
  readonly words?: readonly string[]
  /** Orders of which the words do not say so. */
  readonly unless?: (order: ExportLine) => boolean
  /** The customer is to get nothing: what waits for a courier must not go. */
  readonly off?: true
}

/** A column of words for a state. One that no rule leaves out and that does not ship either is refused, not guessed. */
export interface State {
  readonly header: string
  /** The words of orders to ship, as `stateWord` makes them. */
  readonly ships: readonly string[]
  /** A word of orders to ship and one of orders that stay out, for --map-value. */
  readonly ways: readonly [ship: string, stay: string]
}

/** Where an export says what went back to the customer, and what that leaves to collect. */
export interface Refund {
  readonly header: string
  /** The header of what the order came to before. */
  readonly total: string
  /** The header of what is still to collect; where it says nothing, that is unknown. */
  readonly left: string
}

/** The export of one program. */
export interface Form {
  /** As --from takes it. */
  readonly name: string
  /** `a Shopify export`. */
  readonly title: string
  /** A file with all of these headers is such an export. */
  readonly signs: readonly string[]
  /** The header of the order id. Lines with the same id that follow each other are one order. */
  readonly id: string
  readonly order: Readonly<Partial<Record<OrderName, Source<ExportOrder>>>>
  /** What the customer still has to pay: rupees as text, '' for nothing. */
  readonly outstanding?: Computed<ExportOrder>
  /** Where the parcel goes: the first address with a street, but never past one that names another place. */
  readonly addresses: readonly ExportAddress[]
  readonly item: Readonly<Partial<Record<ItemName, Source<ExportLine>>>>
  /** Headers of what people write for an order that has no field of ours: named where an order has some. */
  readonly unread?: readonly string[]
  /** Orders that are not imported. */
  readonly left?: readonly Left[]
  readonly states?: readonly State[]
  readonly refund?: Refund
  /** Single lines that are not imported. An order without another line is left out too. */
  readonly leftLines?: readonly Left[]
}

/** The words of shops for a parcel that left them. */
export const underway: readonly string[] = ['shipped', 'dispatched', 'in transit', 'out for delivery', 'delivered']

/** A word for a state as it is compared: WooCommerce writes `On hold` as `wc-on-hold` too. */
export const stateWord = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^wc-/, '')
    .replace(/[-_\s]+/g, ' ')
    .trim()

/** An amount in paise; undefined for a text that is not one. */
function paiseIn(text: string): number | undefined {
  const read = readRupees(text)
  return 'fault' in read ? undefined : paiseOf(read.rupees)
}

/**
 * The sum of amounts as text: '' when all are empty. One that cannot be read is returned as it is, so that the reader
 * of the field refuses it.
 */
export function sumOf(amounts: readonly string[], less: readonly string[] = []): string {
  const given = [...amounts, ...less].filter((text) => text !== '')
  if (given.length === 0) return ''
  const bad = given.find((text) => paiseIn(text) === undefined)
  if (bad !== undefined) return bad
  const add = (texts: readonly string[]): number =>
    texts.reduce((sum, text) => sum + (text === '' ? 0 : paiseIn(text)!), 0)
  return rupeesText(add(amounts) - add(less))
}

/** An amount for some pieces as text; `pieces` and `amount` stay as they are when they cannot be read. */
export function times(amount: string, pieces: string): string {
  const paise = paiseIn(amount)
  if (paise === undefined || !/^\d{1,6}$/.test(pieces)) return amount
  return rupeesText(paise * Number(pieces))
}

/** The price of one piece from that of a line, to the nearest paisa. */
export function each(amount: string, pieces: string): string {
  const paise = paiseIn(amount)
  if (paise === undefined || !/^[1-9]\d{0,5}$/.test(pieces)) return amount
  return rupeesText(Math.round(paise / Number(pieces)))
}

/** Whether an amount is there and nothing but 0. */
export const isZero = (amount: string): boolean => amount !== '' && paiseIn(amount) === 0

/** Whether a text says cash on delivery. */
export function saysCod(text: string): boolean {
  const read = readPayment(text)
  return 'value' in read && read.value === 'COD'
}

/** A number with the unit that its header names; '' for none and for 0, which programs write where they know none. */
export const withUnit = (text: string, unit: string): string =>
  /^[\d.]+$/.test(text) ? (Number(text) === 0 ? '' : `${text}${unit}`) : text
