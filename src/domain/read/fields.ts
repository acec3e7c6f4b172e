// Which reader reads which field of a request, for every door: flags, prompts, cells, JSON (docs/reference/values.md).
import type { Input } from '../contract.ts'
import { scaled } from '../rates/measures.ts'
import { isoOf, istMinute, readDay, readInstant } from '../time.ts'
import { readMoment } from './day.ts'
import { readRupees } from './money.ts'
import { readUnits } from './number.ts'
import { readPayment } from './payment.ts'
import { readMobile, readPhone } from './phone.ts'
import { readPincode } from './pincode.ts'
import { readSide } from './sides.ts'
import { readState } from './states.ts'
import { readTruth } from './truth.ts'
import { excerpt, longestValue, readDigits, readText, typed, type Outcome } from './typed.ts'
import { readGrams, readWeight, type BareWeight } from './weight.ts'

/** How a door's texts are to be read. */
export interface Manner {
  /** A comma inside a number groups its digits. */
  readonly grouped: boolean
  /** The unit of a weight without one, where the field's name does not say it. */
  readonly weight: BareWeight
  /** ms UTC, for words such as `yesterday`; not in files, which are read later too. */
  readonly now?: number | undefined
}

/** Reads a text that is not empty into the value that the API takes, which the contract checks later. */
export type FieldReader = (text: string, manner: Manner) => Outcome<unknown>

/** A reader of short values: no regular expression sees a longer text. */
const short =
  (read: FieldReader): FieldReader =>
  (text, manner) =>
    text.length > longestValue
      ? { fault: `${excerpt(text)} has more than ${longestValue} characters` }
      : read(text, manner)

/** Rupees as plain decimal text. */
const money: FieldReader = (text, { grouped }) => {
  const amount = readRupees(text, grouped)
  return 'fault' in amount ? amount : { value: amount.rupees }
}

/** The fields of weights in grams have the unit in the API's own name; 0 bounds nothing. */
const grams =
  (certain: boolean): FieldReader =>
  (text) => {
    if (readWeight(text)?.value === 0) return { value: 0 }
    const read = readGrams(text, { unit: 'g', certain })
    return 'fault' in read ? read : { value: read.grams }
  }

const kilograms: FieldReader = (text, { weight }) => {
  const read = readGrams(text, weight)
  return 'fault' in read ? read : { value: scaled(read.grams, 0.001) }
}

/** A pincode, which the contract checks: a deployment may know one that shipx does not. */
const pincode: FieldReader = (text) => {
  const read = readDigits(text)
  return 'fault' in read ? read : { value: readPincode(read.value) }
}

/** A state in the words of the pincode table; another text stays as it is. */
const state: FieldReader = short((text) => ({ value: readState(text) ?? text }))

/** An order id as people and spreadsheets write it: `'1500` is 1500. */
const orderId: FieldReader = (text) => readText(typed(text))

/** What is searched for: a mobile number in any spelling is its ten digits, as records have it. */
const search: FieldReader = (text) => ({ value: readPhone(text) ?? text })

const payment: FieldReader = (text) => readPayment(text)

/** A date in IST in the form of `order_date`. */
const orderDate: FieldReader = (text, { now }) => {
  const at = readMoment(text, { now })
  return 'fault' in at ? at : { value: istMinute(at.value) }
}

/** A Unix time in seconds, from a day or a time too. */
const seconds =
  (end: boolean): FieldReader =>
  (text, { now }) => {
    if (/^\d{1,15}$/.test(typed(text))) return { value: typed(text) }
    const at = readMoment(text, { now, end, yearless: true })
    return 'fault' in at ? at : { value: String(Math.floor(at.value / 1000)) }
  }

/** A time in ISO 8601; a bare date stays one, which means its whole day. */
const isoTime =
  (end: boolean): FieldReader =>
  (text, { now }) => {
    if (readDay(text) !== undefined || readInstant(text) !== undefined) return { value: text }
    const at = readMoment(text, { now, end, yearless: true })
    return 'fault' in at ? at : { value: isoOf(at.value) }
  }

/** Several words between commas. */
const words: FieldReader = (text) => ({
  value: text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
})

type Order = Input<'orchestrateForwardOrder'>
type Field =
  | keyof Order
  | keyof Order['order_items'][number]
  | keyof Input<'getRates'>
  | keyof Input<'listShipments'>
  | keyof Input<'listReturns'>

// prettier-ignore
const readers: Readonly<Partial<Record<Field, FieldReader>>> = {
  order_id: orderId, order_date: orderDate, payment_method: payment, tags: words,
  billing_phone: readMobile, shipping_phone: readMobile, search,
  origin_pincode: pincode, destination_pincode: pincode, billing_pincode: pincode, shipping_pincode: pincode,
  billing_state: state, shipping_state: state,
  shipping_is_billing: readTruth, print_label: readTruth, is_dangerous_goods: readTruth, qc_applicable: readTruth, is_cod: readTruth,
  sub_total: money, cod_collectible: money, shipping_charges: money, discount: money, tax: money, shipment_value: money,
  sku: readText, units: readUnits, selling_price: money,
  weight: kilograms, dead_weight: grams(true), applied_weight_min: grams(false), applied_weight_max: grams(false),
  length: readSide, breadth: readSide, width: readSide, height: readSide,
  start_time: seconds(false), end_time: seconds(true),
  created_at__gte: isoTime(false), return_pickup_scheduled_at__gte: isoTime(false), return_delivered_at__gte: isoTime(false),
  created_at__lte: isoTime(true), return_pickup_scheduled_at__lte: isoTime(true), return_delivered_at__lte: isoTime(true),
}

/** The reader of a field by the API's name; undefined for one whose text stays as it is. */
export const readerOf = (field: string): FieldReader | undefined =>
  (readers as Readonly<Record<string, FieldReader | undefined>>)[field]
