// Answers as JSON Schema for the API description, as strict as our own engine answers. What their fields hold is said
// with the records (src/domain/recordfields.ts), whose tolerant side the contract's output schemas are.
import { keptFields, orderPayload } from '../domain/orders.ts'
import { returnRecord } from '../domain/parcels/returns.ts'
import { recordParts, shipmentRecord } from '../domain/parcels/shipments.ts'
import { chargesOf, offerFields, parcelFields } from '../domain/rates/rates.ts'
import { sentOnly, whole, type Field, type JsonSchema as Schema } from '../domain/recordfields.ts'
import { storeRecord } from '../domain/stores.ts'

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more })
const integer = (description: string, more: Schema = {}): Schema => ({ type: 'integer', description, ...more })
const list = (items: Schema, description: string): Schema => ({ type: 'array', items, description })

/** An object whose fields are all there, apart from the optional ones; more may be added. */
function object(
  properties: Readonly<Record<string, Schema>>,
  description?: string,
  optional: readonly string[] = [],
): Schema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties).filter((key) => !optional.includes(key)),
  }
}

/** What our own service sends of some fields. */
const sentOf = <K extends string>(fields: Readonly<Record<K, Field>>): Readonly<Record<K, Schema>> =>
  Object.fromEntries(Object.entries<Field>(fields).map(([key, { sent = {} }]) => [key, sent])) as Record<K, Schema>

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const ErrorBody: Schema = object(
  {
    status: { const: 'ERROR' },
    message: text('The first of the errors'),
    errors: {
      ...list({ type: 'string' }, 'One sentence for each thing that is wrong, at most 50'),
      minItems: 1,
      maxItems: 50,
    },
  },
  'The body of every answer that is not a success.',
)

/* ---- Rates ---- */

/** An object without the fields of the other journey: their keys must be absent. */
function without(fields: Readonly<Record<string, Field>>, keys: readonly string[]): Schema {
  const rest = Object.entries(fields).filter(([key]) => !keys.includes(key))
  return { ...whole(Object.fromEntries(rest)).sent, not: { anyOf: keys.map((key) => ({ required: [key] })) } }
}

const journey = (value: 'forward' | 'return') => ({ journey_type: sentOnly({ const: value }) })

const quoteOf = (offer: Schema, parcel: Schema, order: string): Schema =>
  object({
    status: { const: 'SUCCESS' },
    result: object({
      serviceable_couriers: list(
        offer,
        `Offers by ${order}, then delivery date, then carrier_id; empty when no courier serves the lane`,
      ),
      shipment_details: parcel,
    }),
  })

const rateSchemas = {
  ForwardOffer: whole({ ...offerFields(), charges: chargesOf.forward() }).sent!,
  ReturnOffer: without({ ...offerFields(), charges: chargesOf.return() }, ['is_fast', 'is_prime', 'platform_fee']),
  ForwardRates: quoteOf(
    ref('ForwardOffer'),
    whole({ ...parcelFields(), ...journey('forward') }).sent!,
    'total and platform fee',
  ),
  ReturnRates: quoteOf(
    ref('ReturnOffer'),
    without({ ...parcelFields(), ...journey('return') }, ['payment_method']),
    'total',
  ),
  Rates: { oneOf: [ref('ForwardRates'), ref('ReturnRates')], description: 'By the journey that was asked for.' },
}

/* ---- Orders ---- */

const nothing = sentOnly({ type: 'null' })
const not = sentOnly({ const: 0 })
const noCourier = {
  awb_generated: not,
  pickup_generated: not,
  awb_code: nothing,
  courier_company_id: nothing,
  courier_name: nothing,
  charges: nothing,
}
const orderOf = (fields: Parameters<typeof whole>[0], description: string): Schema =>
  object({ status: { const: 1 }, payload: whole(fields, { optional: Object.keys(keptFields()) }).sent! }, description)

const orderSchemas = {
  OrderRecorded: orderOf({ ...orderPayload(), ...noCourier }, 'An order that is recorded and has no courier yet.'),
  OrderAssigned: orderOf(orderPayload(), 'An order with a courier and a tracking number.'),
}

/* ---- Listings ---- */

const Meta = object(
  {
    current_page: integer('Number of this page; 1 with a cursor', { minimum: 1 }),
    per_page: integer('Most records on a page; how many there are where it ended early, at 4 MB', {
      minimum: 1,
      maximum: 100,
    }),
    total: integer('All matches, also with a cursor', { minimum: 0 }),
    next_search_after: {
      type: 'array',
      items: { type: 'string' },
      maxItems: 2,
      description: '[sort value, record id] of the last record, to be sent as search_after; empty on an empty page',
      anyOf: [{ maxItems: 0 }, { minItems: 2 }],
    },
  },
  'Where a page lies among all matches.',
)

const pageOf = (record: string): Schema =>
  object({ data: { ...list(ref(record), 'Records of the page'), maxItems: 100 }, meta: ref('Meta') })

/** Every schema of an answer, by its name in the document. */
export const answerSchemas = {
  Error: ErrorBody,
  Store: storeRecord().sent!,
  StoreAnswer: object({ data: ref('Store') }),
  StoreList: object({ data: list(ref('Store'), 'Connected stores by name') }),
  ...rateSchemas,
  ...orderSchemas,
  ...sentOf(recordParts()),
  Shipment: shipmentRecord().sent!,
  Return: returnRecord().sent!,
  Meta,
  ShipmentPage: pageOf('Shipment'),
  ReturnPage: pageOf('Return'),
  Health: object({ status: { const: 'ok' } }),
} as const satisfies Readonly<Record<string, Schema>>
