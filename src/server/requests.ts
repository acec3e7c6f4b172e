// Requests as JSON Schema for the API description: what the contract's schemas accept, with the rules that they have as
// code (decimal strings, spellings, text limits, rules between fields).
import * as z from 'zod/mini'
import type { Endpoint } from '../domain/contract.ts'
import type { Filter } from '../domain/filters.ts'
import { maxVendorBytes, shippingFields } from '../domain/orders.ts'
import { pageAliases } from '../domain/page.ts'
import type { JsonSchema as Schema } from '../domain/recordfields.ts'
import { maxListed } from '../domain/rawvalue.ts'
import { returnFilters } from '../domain/parcels/returns.ts'
import { shipmentFilters } from '../domain/parcels/shipments.ts'
import { maxId } from '../domain/values.ts'
import { zones } from '../domain/rates/zones.ts'

/** The filter tables of listings, by the names of their bodies. */
const filtersOf: Readonly<Record<string, Readonly<Record<string, Filter>>>> = {
  ShipmentQuery: shipmentFilters,
  ReturnQuery: returnFilters,
}

interface ObjectSchema extends Schema {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** The body of an endpoint as JSON Schema: what the service really accepts. Path parameters are not in it. */
export function requestSchema({ input, path, body = '' }: Endpoint): Schema {
  const made = z.toJSONSchema(input(), {
    io: 'input',
    unrepresentable: 'any',
  }) as unknown as ObjectSchema
  const inPath = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!)
  const fields = Object.entries(made.properties).filter(([key]) => !inPath.includes(key))
  const required = (made.required ?? []).filter((key) => !inPath.includes(key))
  const properties = Object.fromEntries(fields.map(([key, schema]) => [key, fieldOf(body, key, schema)]))
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...brackets(body),
    additionalProperties: false,
    ...rulesOf[body],
  }
}

/** A store as a form: text fields, and the logo as a file. */
export function formSchema(row: Endpoint): Schema {
  const { properties, required } = requestSchema(row) as ObjectSchema
  const store_name = { ...properties['store_name'], examples: ['acme-toys'] }
  const brand_name = {
    ...properties['brand_name'],
    type: 'string',
    description: 'Brand shown in messages to customers. At most 100 characters after trimming; "" stands for none.',
    examples: ['Acme Toys'],
  }
  const logo = {
    type: 'string',
    format: 'binary',
    description: 'PNG, JPEG or WebP, told by its bytes; at most 2,097,152 bytes and 4,096 x 4,096 pixels',
  }
  return {
    type: 'object',
    properties: { store_name, brand_name, logo },
    ...(required === undefined ? {} : { required }),
    additionalProperties: false,
  }
}

/* ---- One field ---- */

/** Longest texts and ids, in characters after trimming; these fields must not be blank nor hold control characters. */
// prettier-ignore
const textLimits: Readonly<Record<string, number>> = {
  order_id: 100, billing_customer_name: 200, billing_last_name: 200, billing_address: 1000, billing_city: 100,
  billing_state: 100, billing_country: 100, billing_email: 254, shipping_customer_name: 200, shipping_last_name: 200,
  shipping_address: 1000, shipping_city: 100, shipping_state: 100, shipping_country: 100, shipping_email: 254,
  pickup_location: 200, name: 500, hsn: 20, sku: maxId, warehouse_id: maxId, carrier_id: maxId,
  rto_warehouse_id: maxId, channel_id: maxId, store_name: maxId,
}

/** Sentences of the API page for fields, instead of the contract's shorter ones. */
const sentences: Readonly<Record<string, string>> = {
  discount: 'Discount, rupees',
  tax: 'Tax, rupees',
  shipping_charges: 'What the customer pays for shipping, rupees',
  sub_total: 'Value of the order, rupees; the total_price of the shipment',
  cod_collectible:
    'Rupees to collect on delivery: more than 0 and at most sub_total with COD, absent or 0 with PREPAID',
  billing_country: 'India, IN or IND, in any case',
  carrier_id: 'Courier to assign instead of the first offer; without a courier yet, the one to be assigned later',
  selling_price: 'Price of one unit, rupees',
  units: 'How many',
  sku: 'SKU',
  name: 'Name of the item',
  hsn: 'HSN code',
  order_items: 'What is in the parcel',
  billing_pincode: 'Delivery pincode, or the one of the bill when shipping_is_billing is false',
  billing_last_name: "Rest of the customer's name",
  billing_email: 'E-mail address',
  billing_phone: 'Mobile number',
  shipping_customer_name: 'Name at the delivery address',
  shipping_last_name: 'Rest of the name at the delivery address',
  shipping_address: 'Street of the delivery address',
  shipping_city: 'City of the delivery address',
  shipping_pincode: 'Pincode of the delivery address',
  shipping_state: 'State of the delivery address',
  shipping_country: 'Country of the delivery address: India, IN or IND, in any case',
  shipping_phone: 'Mobile number at the delivery address',
  shipping_email: 'E-mail address at the delivery address',
  pickup_location: 'Name of the pickup location',
  tags: 'Tags of the order',
  is_dangerous_goods: 'Dangerous goods',
  rto_warehouse_id: 'Warehouse that an undelivered parcel goes back to; kept and returned with the order, no more',
  channel_id: 'Your id of the sales channel; kept and returned with the order, no more',
  vendor_details:
    `Anything about the vendor, at most ${maxVendorBytes} bytes as JSON; ` +
    'kept and returned with the order, no more',
}

const pincode: Schema = {
  type: 'string',
  pattern: '^[1-9][0-9]{2} ?[0-9]{3}$',
}
const phone: Schema = {
  type: 'string',
  pattern: '^(?:(?:\\+|00)?91|0)?[ -]*[6-9](?:[ -]*[0-9]){9}$',
}
const orderDate: Schema = {
  type: 'string',
  pattern:
    '^(?:19[7-9]|[2-9][0-9]{2})[0-9]-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]) (?:[01][0-9]|2[0-3]):[0-5][0-9]$',
}
const dayOrInstant: Schema = {
  type: 'string',
  pattern:
    '^(?:19[7-9]|[2-9][0-9]{2})[0-9]-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])' +
    '(?:[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?(?:[Zz]|[+-](?:0[0-9]|1[0-4]):?[0-5][0-9]))?$',
}
const zone: Schema = {
  anyOf: [{ enum: zones }, { type: 'string', pattern: '^(?:[Zz](?:[Oo][Nn][Ee])?[ _-]?)?[A-Ea-e]$' }],
}
const orderPayment: Schema = {
  anyOf: [{ enum: ['COD', 'PREPAID'] }, { type: 'string', pattern: '^(?:[Cc][Oo][Dd]|[Pp][Rr][Ee][Pp][Aa][Ii][Dd])$' }],
}
const cursor: Schema = {
  type: 'array',
  prefixItems: [
    { type: 'string', pattern: '^-?[0-9]{1,16}$' },
    { type: 'string', minLength: 1, pattern: '^\\P{Cc}*$' },
  ],
  items: false,
  minItems: 2,
  maxItems: 2,
}
const noControls = '^\\P{Cc}*$'
const oneLine = '[^\\p{Cc}\\u2028\\u2029]*$'
const textForm = (most: number): Schema => ({
  type: 'string',
  minLength: 1,
  maxLength: most,
  pattern: `^(?=.*\\S)${oneLine}`,
})
const brand: Schema = {
  type: ['string', 'null'],
  maxLength: 100,
  pattern: '^(?:|(?=.*\\S)[^\\p{Cc}\\u2028\\u2029\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*)$',
}

/** A field of an endpoint, with its sentence in front. */
function fieldOf(body: string, key: string, given: Schema): Schema {
  const { description, ...schema } = given
  const [form, more] = formOf(body, key, schema)
  const own = filtersOf[body] === undefined ? sentences[key] : undefined
  const sentence = own ?? (description as string | undefined)
  const said = [sentence, more].filter((part) => part !== undefined).join('. ')
  return { ...(said === '' ? {} : { description: `${said}.` }), ...form }
}

function formOf(body: string, key: string, schema: Schema): readonly [form: Schema, more?: string] {
  const filter = filtersOf[body]?.[key]
  const limit = textLimits[key]
  if (key === 'logo')
    return [{ type: 'null' }, 'null removes or leaves out the logo; a logo itself needs multipart/form-data']
  if (key === 'store_name' && filter === undefined && body.startsWith('Store'))
    return [
      { type: 'string', pattern: '^[A-Za-z0-9-]{1,100}$' },
      '1 to 100 letters of A to Z, digits and hyphens, compared exactly',
    ]
  if (key === 'brand_name')
    return [
      brand,
      'At most 100 characters after trimming, none that turns the direction of text; "" and null stand for none',
    ]
  if (key.endsWith('_pincode'))
    return [pincode, '6 digits, with or without a space in the middle, of a pincode that exists']
  if (key.endsWith('_phone'))
    return [phone, 'Ten digits from 6 to 9; spaces, dashes and +91, 91, 0091 or 0 in front come off']
  if (key === 'order_date') return [orderDate, 'A day of the calendar from 2000 on, at most a day ahead']
  if (key === 'search_after' || key === 'next_search_after')
    return [cursor, 'Then page must be absent or 1. A cursor belongs to the sort of its page']
  if (key === 'payment_method')
    return body === 'RateRequest' ? [{ type: 'string', examples: ['cod', 'prepaid'] }] : [orderPayment, 'In any case']
  if (filter?.comparison === 'any_of' || filter?.comparison === 'holds_any')
    return [severalOf(schema), 'One value or a list; any of them matches, and an empty list is no filter']
  if (filter !== undefined && schema['type'] === 'string' && filter.comparison.startsWith('at_'))
    return [dayOrInstant, 'ISO 8601 with Z or an offset; a bare date is its whole day in IST']
  if (key === 'tags') return [{ ...schema, items: textForm(maxId) }]
  if (schema['type'] === 'array') return [{ ...schema, items: itemOf(body, schema['items'] as Schema) }]
  if (schema['type'] === 'number' || schema['type'] === 'integer') return [numberOf(schema)]
  if (limit !== undefined) return [textForm(limit)]
  return [sound(schema)]
}

/** The items of an order; of other lists the schema as it is. */
function itemOf(body: string, schema: Schema): Schema {
  const { properties } = schema as Partial<ObjectSchema>
  if (properties === undefined) return schema
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, fieldOf(body, key, field)])),
  }
}

/** A list, or one value that stands for a list of one. */
function severalOf(schema: Schema): Schema {
  const items = schema['items'] as Schema & { readonly enum?: readonly string[] }
  const item = items.enum?.every((word, at) => word === zones[at]) === true ? zone : sound(items)
  return { anyOf: [{ type: 'array', items: item, maxItems: maxListed }, item] }
}

/** Text without control characters; other schemas as they are. */
const sound = (schema: Schema): Schema =>
  schema['type'] === 'string' && schema['enum'] === undefined ? { ...schema, pattern: noControls } : schema

/** A number, or the same as a plain decimal string: no exponent, nothing empty. */
function numberOf(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'string', pattern: decimalPattern(schema) }] }
}

/** The decimal strings that stand for a number between 0 or 1 and a power of ten; without such bounds, any of them. */
function decimalPattern(schema: Schema): string {
  const most = (schema['maximum'] ?? schema['exclusiveMaximum']) as number | undefined
  const least = (schema['exclusiveMinimum'] ?? schema['minimum']) as number | undefined
  const zeros = Math.round(Math.log10(most ?? 1))
  const fraction = schema['type'] === 'integer' ? '(?:\\.0{1,12})?' : '(?:\\.[0-9]{1,12})?'
  if (most === undefined || most > 1e15 || most !== 10 ** zeros) return `^-?[0-9]{1,15}${fraction}$`
  const some = schema['exclusiveMinimum'] === 0 || least === 1 ? '(?=.*[1-9])' : ''
  const top = schema['maximum'] === undefined ? '' : `|1${'0'.repeat(zeros)}(?:\\.0{1,12})?`
  return `^${some}(?:[0-9]{1,${zeros}}${fraction}${top})$`
}

/* ---- Between fields ---- */

/**
 * The names of array parameters may end in `[]`, and those of pages have others; then the first name must be absent.
 */
function brackets(body: string): Schema {
  const lists = Object.entries(filtersOf[body] ?? {})
    .filter(([, { comparison }]) => comparison === 'any_of' || comparison === 'holds_any')
    .map(([key]) => key)
  if (lists.length === 0) return {}
  const others = [...lists.map((key) => [`${key}[]`, key] as const), ...Object.entries(pageAliases)]
  return {
    patternProperties: Object.fromEntries(
      others.map(([other, key]) => [
        `^${other.replaceAll(/[[\]]/g, '\\$&')}$`,
        { $ref: `#/components/schemas/${body}/properties/${key}` },
      ]),
    ),
    not: { anyOf: others.map(([other, key]) => ({ required: [key, other] })) },
    allOf: [
      ifThen(
        { anyOf: [{ required: ['search_after'] }, { required: ['next_search_after'] }] },
        { properties: { page: { enum: [1, '1'] }, 'page[number]': { enum: [1, '1'] } } },
      ),
    ],
  }
}

/** What must hold where a condition holds. */
const ifThen = (condition: Schema, consequence: Schema): Schema => ({ anyOf: [{ not: condition }, consequence] })

const is = (key: string, schema: Schema): Schema => ({ properties: { [key]: schema }, required: [key] })
const above0 = numberOf({ type: 'number', exclusiveMinimum: 0, maximum: 10_000_000_000 })
const zero: Schema = { anyOf: [{ const: 0 }, { type: 'string', pattern: '^0(?:\\.0+)?$' }] }
const cod = is('payment_method', { type: 'string', pattern: '^[Cc][Oo][Dd]$' })
const prepaid = is('payment_method', { type: 'string', pattern: '^[Pp][Rr][Ee][Pp][Aa][Ii][Dd]$' })

const orderRules: Schema = {
  allOf: [
    ifThen(cod, is('cod_collectible', above0)),
    ifThen(prepaid, { properties: { cod_collectible: zero } }),
    ifThen(is('shipping_is_billing', { const: false }), { required: shippingFields }),
  ],
}

const forward = is('journey_type', { const: 'forward' })

/** The rules between fields, where JSON Schema can say them; in words they are in the descriptions of the endpoints. */
const rulesOf: Readonly<Record<string, Schema>> = {
  RateRequest: {
    allOf: [
      ifThen(forward, is('payment_method', { enum: ['cod', 'prepaid'] })),
      ifThen({ allOf: [forward, is('payment_method', { const: 'cod' })] }, is('shipment_value', above0)),
    ],
  },
  OrderCreate: orderRules,
}
