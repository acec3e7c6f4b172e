// Orders: the request of both order endpoints and their answer (spec 4.6).
import * as z from 'zod/mini'
import { count } from './count.ts'
import type { Fault } from './errors.ts'
import { maxPaise, rupeesOf } from './money.ts'
import { largerAsJson, tooMany } from './rawvalue.ts'
import { readPhone } from './read/phone.ts'
import { number, orNullElsewhere, sentOnly, text as textField, whole } from './recordfields.ts'
import { dayMs, dayPattern, istInstant, readOrderDate } from './time.ts'
import {
  about,
  atLeastZero,
  documented,
  flag,
  id,
  integer,
  lazily,
  pincode,
  positive,
  rawNumber,
  reading,
  rule,
  text,
  type Documented,
} from './values.ts'

/**
 * The most items and tags of an order, and its largest size as JSON, bytes, of which the vendor's details are a part.
 */
export const maxItems = 100
export const maxTags = 100
export const maxOrderBytes = 65_536
export const maxVendorBytes = 8192

// Each field has its own schema: its sentence is kept with the schema.
const money = () => atLeastZero(rupeesOf(maxPaise)).check(z.overwrite(nearPaisa), rule(tooFine))

/** An amount to the paisa, where it lacks what sums of floating-point numbers lack: 99.99 for 99.98999999999999. */
function nearPaisa(rupees: number): number {
  const paise = Math.round(rupees * 100)
  return Math.abs(rupees * 100 - paise) < 0.001 ? paise / 100 : rupees
}

const tooFine = (rupees: number): string | undefined =>
  Math.round(rupees * 100) / 100 === rupees ? undefined : 'has more than two decimals; write for example 1499.50'

const phone = () =>
  documented(
    z.string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be text') }).check(
      z.overwrite((value) => readPhone(value) ?? value),
      z.regex(/^[6-9]\d{9}$/, 'must be a phone of ten digits that starts with 6 to 9'),
    ),
    {
      note: 'Ten digits from 6 to 9; spaces, dashes and +91, 91, 0091 or 0 in front come off',
      pattern: '^(?:(?:\\+|00)?91|0)?[ -]*[6-9](?:[ -]*[0-9]){9}$',
    },
  )

const orderDate = documented(
  z
    .string({
      error: (issue) => (issue.input === undefined ? 'is required' : 'must be text of the form YYYY-MM-DD HH:mm'),
    })
    .check(
      rule((value) =>
        readOrderDate(value) === undefined
          ? `"${value.slice(0, 40)}" is not a date and time of the calendar in the form YYYY-MM-DD HH:mm (IST)`
          : undefined,
      ),
    ),
  {
    note: 'A day of the calendar from 2000 on, at most a day ahead',
    pattern: `^${dayPattern} (?:[01][0-9]|2[0-3]):[0-5][0-9]$`,
  },
)

const payment = documented(
  reading(
    (value) => (typeof value === 'string' ? value.toUpperCase() : value),
    z.enum(['COD', 'PREPAID'], {
      error: (issue) => (issue.input === undefined ? 'is required' : 'must be COD or PREPAID'),
    }),
  ),
  {
    note: 'In any case',
    form: {
      anyOf: [
        { enum: ['COD', 'PREPAID'] },
        { type: 'string', pattern: '^(?:[Cc][Oo][Dd]|[Pp][Rr][Ee][Pp][Aa][Ii][Dd])$' },
      ],
    },
  },
)

const OrderItem = z.lazy(() =>
  z.strictObject({
    name: about(text(500), 'Name of the item'),
    sku: about(id(), 'SKU'),
    units: about(integer(1, 100_000), 'Quantity'),
    selling_price: about(money(), 'Price of one unit, rupees'),
    discount: about(z.optional(money()), 'Discount, rupees'),
    tax: about(z.optional(money()), 'Tax, rupees'),
    hsn: about(z.optional(text(20)), 'HSN code'),
  }),
)

const indiaOnly: Documented = { note: 'India, IN or IND, in any case' }
const keptOnly: Documented = { note: 'Kept and returned with the order, no more' }

/** The items beyond the longest order need no faults of their own. */
const upToOneTooMany = (items: unknown): unknown => (Array.isArray(items) ? items.slice(0, maxItems + 1) : items)

const required = lazily(() => ({
  order_id: about(id(100), "The merchant's own order id, unique in the account"),
  order_date: about(orderDate, 'YYYY-MM-DD HH:mm in IST'),
  billing_customer_name: about(text(200), "Customer's name"),
  billing_address: about(text(1000), 'Street address'),
  billing_city: about(text(100), 'City'),
  billing_pincode: about(pincode(), 'Delivery pincode, or that of the bill when shipping_is_billing is false'),
  billing_state: about(text(100), 'State'),
  billing_country: about(text(100), 'Country', indiaOnly),
  billing_phone: about(phone(), 'Mobile number of ten digits'),
  order_items: about(
    reading(
      upToOneTooMany,
      z
        .array(OrderItem, { error: (issue) => (issue.input === undefined ? 'is required' : 'must be a list of items') })
        .check(z.minLength(1, 'needs at least one item'), z.maxLength(maxItems, tooMany(maxItems, 'items'))),
    ),
    'What is in the parcel',
  ),
  payment_method: about(payment, 'COD or PREPAID'),
  sub_total: about(money(), 'Value of the order, rupees', { note: 'The total_price of the shipment' }),
  length: about(positive(10_000, 'cm'), 'Centimetres'),
  breadth: about(positive(10_000, 'cm'), 'Centimetres'),
  height: about(positive(10_000, 'cm'), 'Centimetres'),
  weight: about(positive(10_000, 'kg'), 'Kilograms'),
  warehouse_id: about(id(), 'Warehouse that the parcel is picked up from'),
}))

const optional = lazily(() => ({
  store_name: about(z.optional(id()), 'Store that the order is linked to'),
  cod_collectible: about(z.optional(money()), 'Rupees to collect on delivery; with COD only', {
    note: 'More than 0 and at most sub_total with COD, absent or 0 with PREPAID',
  }),
  shipping_is_billing: about(z.optional(flag), 'Deliver to the billing address (default true)'),
  shipping_customer_name: about(z.optional(text(200)), 'Name at the delivery address'),
  shipping_last_name: about(z.optional(text(200)), 'Last name at the delivery address'),
  shipping_address: about(z.optional(text(1000)), 'Street address of the delivery'),
  shipping_city: about(z.optional(text(100)), 'City of the delivery'),
  shipping_pincode: about(z.optional(pincode()), 'Pincode of the delivery'),
  shipping_state: about(z.optional(text(100)), 'State of the delivery'),
  shipping_country: about(z.optional(text(100)), 'Country of the delivery', indiaOnly),
  shipping_phone: about(z.optional(phone()), 'Mobile number at the delivery address'),
  shipping_email: about(z.optional(text(254)), 'E-mail at the delivery address'),
  print_label: about(z.optional(flag), 'Print a label (default true)'),
  carrier_id: about(z.optional(id()), 'Courier to assign instead of the first offer', {
    note: 'Without a courier yet, the one to be assigned later',
  }),
  billing_last_name: about(z.optional(text(200)), "Customer's last name"),
  billing_email: about(z.optional(text(254)), "Customer's e-mail"),
  pickup_location: about(z.optional(text(200)), 'Name of the pickup place, stored unchanged'),
  tags: about(z.optional(z.array(id()).check(z.maxLength(maxTags, tooMany(maxTags, 'tags')))), 'Order tags'),
  discount: about(z.optional(money()), 'Discount, rupees'),
  tax: about(z.optional(money()), 'Tax, rupees'),
  shipping_charges: about(z.optional(money()), 'What the customer pays for shipping, rupees'),
  is_dangerous_goods: about(z.optional(flag), 'The parcel contains dangerous goods'),
  rto_warehouse_id: about(z.optional(id()), 'Warehouse that an undelivered parcel goes back to', keptOnly),
  channel_id: about(z.optional(id()), 'Your id of the sales channel', keptOnly),
  vendor_details: about(z.optional(z.record(z.string(), z.unknown())), 'Anything about the vendor', {
    note: `At most ${maxVendorBytes} bytes as JSON; kept and returned with the order, no more`,
  }),
}))

/**
 * The request of both order endpoints (spec 4.6; docs/inside/decisions.md, Orders): weight in kilograms, sides in
 * centimetres.
 */
export const OrderCreate = lazily(() => z.strictObject({ ...required(), ...optional() }))
export type OrderCreate = z.output<ReturnType<typeof OrderCreate>>

/** The fields that an order with its own delivery address must bring. */
export const shippingFields = [
  'shipping_customer_name',
  'shipping_address',
  'shipping_city',
  'shipping_pincode',
  'shipping_state',
  'shipping_country',
  'shipping_phone',
] as const

/** The rules between the fields of an order, as faults (docs/inside/decisions.md, Orders). */
export function orderRules(raw: Readonly<Record<string, unknown>>): readonly Fault[] {
  const faults: Fault[] = []
  const method = typeof raw['payment_method'] === 'string' ? raw['payment_method'].toUpperCase() : undefined
  const collectible = rawNumber(raw['cod_collectible'] ?? 0)
  if (method === 'COD' && !(collectible > 0))
    faults.push({ field: 'cod_collectible', message: 'must be more than 0 for a COD order' })
  if (method === 'PREPAID' && collectible > 0)
    faults.push({ field: 'cod_collectible', message: 'must be absent or 0 for a PREPAID order' })
  if (raw['shipping_is_billing'] === false) {
    for (const field of shippingFields) {
      if (raw[field] === undefined) faults.push({ field, message: 'is required when shipping_is_billing is false' })
    }
  }
  return [...faults, ...sizeFaults(raw)]
}

/** Faults of size: the vendor's details, or the whole order, named by its largest field. */
function sizeFaults(raw: Readonly<Record<string, unknown>>): readonly Fault[] {
  const { vendor_details: vendor, order_items: items } = raw
  if (vendor !== undefined && largerAsJson(vendor, maxVendorBytes))
    return [{ field: 'vendor_details', message: `is larger than ${count(maxVendorBytes)} bytes as JSON` }]
  // Too many items have their own fault.
  if ((Array.isArray(items) && items.length > maxItems) || !largerAsJson(raw, maxOrderBytes)) return []
  const sizes = Object.entries(raw).map(([field, value]) => [field, JSON.stringify(value).length] as const)
  const [largest] = sizes.reduce((most, one) => (one[1] > most[1] ? one : most))
  return [{ field: largest, message: `makes the order larger than ${count(maxOrderBytes)} bytes as JSON` }]
}

/** The fault of a country that is not India; undefined for India. */
export const countryFault = (country: string): string | undefined =>
  /^(?:india|ind?)$/i.test(country) ? undefined : `"${country}" is not India; write India, IN or IND`

/**
 * What is wrong with an order that is well-formed, at a time (ms UTC): each fault with its field, as a sentence of its
 * own.
 */
export function orderRefusals(input: OrderCreate, now: number): readonly Fault[] {
  const faults: Fault[] = []
  const { cod_collectible: cod = 0, sub_total } = input
  if (cod > sub_total)
    faults.push({ field: 'cod_collectible', message: `${cod} to collect is above the sub_total of ${sub_total}` })
  const ordered = readOrderDate(input.order_date)!
  if (ordered > now + dayMs)
    faults.push({ field: 'order_date', message: `${input.order_date} is more than a day in the future` })
  if (ordered < firstDate) faults.push({ field: 'order_date', message: `${input.order_date} is before 2000` })
  for (const field of ['billing_country', 'shipping_country'] as const) {
    const country = input[field]
    const message = country === undefined ? undefined : countryFault(country)
    if (message !== undefined) faults.push({ field, message })
  }
  for (const field of ['billing_email', 'shipping_email'] as const) {
    const address = input[field]
    if (address !== undefined && !/^[^@\s]+@[^@\s]+$/.test(address))
      faults.push({ field, message: `"${address}" is not an e-mail address` })
  }
  return faults
}

const firstDate = istInstant(2000, 1, 1)!

/** Where an order goes. */
interface Delivery {
  readonly name: string
  readonly phone: string
  readonly city: string
  readonly state: string
  readonly zip: string
}

/** The delivery address of a checked order: its own, or the billing address. */
export function deliveryOf(input: OrderCreate): Delivery {
  const own = input.shipping_is_billing === false
  const name = own
    ? [input.shipping_customer_name, input.shipping_last_name]
    : [input.billing_customer_name, input.billing_last_name]
  return {
    name: name.filter((part) => part !== undefined).join(' '),
    phone: own ? input.shipping_phone! : input.billing_phone,
    city: own ? input.shipping_city! : input.billing_city,
    state: own ? input.shipping_state! : input.billing_state,
    zip: own ? input.shipping_pincode! : input.billing_pincode,
  }
}

/** The street that a checked order goes to; its shipment does not show it. */
export const streetOf = ({ shipping_is_billing: same, shipping_address, billing_address }: OrderCreate): string =>
  same === false ? shipping_address! : billing_address

/** What an order brought to be kept, in its answer and its record; absent where it brought none. */
export const keptFields = () => ({
  rto_warehouse_id: sentOnly({
    type: 'string',
    description: 'Warehouse that an undelivered parcel goes back to, as sent with the order',
  }),
  channel_id: sentOnly({ type: 'string', description: 'Your id of the sales channel, as sent with the order' }),
  vendor_details: sentOnly({ type: 'object', description: 'Details of the vendor, as sent with the order' }),
})

const zeroOrOne = z.union([z.literal(0), z.literal(1)])
const charge = (description: string) =>
  textField(`${description}, rupees with two decimals`, { pattern: '^[0-9]+\\.[0-9]{2}$' })

/** The fields of an order's answer; `awb_code`, the courier's fields and `charges` are null before it has a courier. */
export const orderPayload = () => ({
  order_created: { sent: { const: 1 }, accepted: z.literal(1) },
  awb_generated: { sent: { const: 1 }, accepted: zeroOrOne },
  pickup_generated: { sent: { const: 1 }, accepted: zeroOrOne },
  order_id: textField(
    "Our id of the order, the record's attributes.order.id; your own order_id becomes external_id and display_id",
  ),
  shipment_id: textField('The id of the shipment record', { format: 'uuid' }),
  applied_weight: orNullElsewhere(number('Weight charged before slabs, kilograms', { exclusiveMinimum: 0 })),
  awb_code: orNullElsewhere(textField('Tracking number', { pattern: '^[0-9]{14}$' })),
  courier_company_id: orNullElsewhere(textField('The carrier_id of the courier')),
  courier_name: orNullElsewhere(textField('Name of the courier')),
  charges: orNullElsewhere(
    whole({
      frwd_charges: whole({
        shipping_charges: charge('Freight'),
        cod_charges: charge('Charge for cash on delivery'),
      }),
      rto_charges: whole({ rto_charges: charge('Due if the parcel comes back') }),
    }),
  ),
  cod: { sent: { enum: [0, 1], description: '1 for cash on delivery' }, accepted: zeroOrOne },
  label_url: { sent: { type: 'null' }, accepted: z.nullable(z.string()) },
  ...keptFields(),
})

/**
 * The answer of both order endpoints (docs/inside/decisions.md, Orders): weight in kilograms, charges as text with two
 * decimals.
 */
export const OrderAnswer = z.lazy(() =>
  z.looseObject({ status: z.literal(1), payload: whole(orderPayload()).accepted }),
)
export type OrderAnswer = z.output<typeof OrderAnswer>
