// Answers as JSON Schema for the API description: as strict as our own engine answers, while the contract's output schemas
// are tolerant because a client reads other deployments too; knows no route and no HTTP library.
import { keptFields } from '../domain/orders.ts'
import { returnRecord } from '../domain/parcels/returns.ts'
import { recordParts, shipmentRecord } from '../domain/parcels/shipments.ts'
import type { Field, JsonSchema as Schema } from '../domain/recordfields.ts'
import { storeRecord } from '../domain/stores.ts'
import { zones } from '../domain/rates/zones.ts'

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more })
const number = (description: string, more: Schema = {}): Schema => ({ type: 'number', description, ...more })
const integer = (description: string, more: Schema = {}): Schema => ({ type: 'integer', description, ...more })
const yesNo = (description: string): Schema => ({ type: 'boolean', description })
const word = (words: readonly (string | number)[], description: string): Schema => ({ enum: words, description })
const list = (items: Schema, description: string): Schema => ({ type: 'array', items, description })
const rupees = (description: string): Schema => number(`${description}, rupees`, { minimum: 0 })

/** An object whose fields are all there, besides those named as optional; more may be added. */
function object(
  properties: Readonly<Record<string, Schema>>,
  description?: string,
  optional: readonly string[] = [],
): Schema {
  // prettier-ignore
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

const offerShared = {
  carrier_id: text('Identifier of the courier service'),
  carrier_name: text('Name of the courier service'),
  carrier_code: text('Short name of the courier service'),
  service_level: word(['standard', 'express'], 'Service level'),
}
const offerDates = {
  status: { const: 'active' },
  expected_delivery: object(
    { pickup: text('Day of pickup in IST', { format: 'date' }), delivery: text('Day of delivery in IST', { format: 'date' }) },
    'Dates YYYY-MM-DD',
  ),
} // prettier-ignore

/** An object in which the keys of the other journey are absent. */
const without = (schema: Schema, keys: readonly string[]): Schema => ({
  ...schema,
  not: { anyOf: keys.map((key) => ({ required: [key] })) },
})

const ForwardOffer = object({
  ...offerShared,
  is_fast: yesNo('Whether the service is fast'),
  is_prime: yesNo('Whether the service is prime'),
  ...offerDates,
  charges: object(
    {
      forward_freight_charges: rupees('Freight'),
      cod_charges: rupees('Charge for cash on delivery; 0 for prepaid'),
      rto_charges: rupees('Due only if the parcel comes back; in no total'),
      total_forward_charges: rupees('Freight and COD charge'),
    },
    'Before GST, at most two decimals',
  ),
  platform_fee: rupees('Fee of the platform; in no total'),
})
const ReturnOffer = without(
  object({
    ...offerShared,
    ...offerDates,
    charges: object(
      {
        return_freight_charges: rupees('Freight'),
        qc_charges: rupees('Charge for the quality check; 0 without one'),
        total_return_charges: rupees('Freight and quality check'),
      },
      'Before GST, at most two decimals',
    ),
  }),
  ['is_fast', 'is_prime', 'platform_fee'],
)

const lane = {
  origin_pincode: text('Pickup pincode', { pattern: '^[1-9][0-9]{5}$' }),
  destination_pincode: text('Delivery pincode', { pattern: '^[1-9][0-9]{5}$' }),
}
const weights = {
  dead_weight: number('Dead weight, grams', { exclusiveMinimum: 0 }),
  volumetric_weight: number('Length x width x height / 5, grams', { minimum: 0 }),
  applicable_weight: number('The greater of both, grams', { exclusiveMinimum: 0 }),
  zone: word(zones, 'Zone of the lane'),
}
const quoteOf = (offer: Schema, details: Schema, what: string): Schema =>
  object({
    status: { const: 'SUCCESS' },
    result: object({
      serviceable_couriers: list(
        offer,
        `Offers by ${what}, then delivery date, then carrier_id; empty when no courier serves the lane`,
      ),
      shipment_details: details,
    }),
  })

const ForwardRates = quoteOf(
  ref('ForwardOffer'),
  object({
    journey_type: { const: 'forward' },
    ...lane,
    payment_method: word(['cod', 'prepaid'], 'How the customer pays'),
    ...weights,
  }),
  'total and platform fee',
)
const ReturnRates = quoteOf(
  ref('ReturnOffer'),
  without(object({ journey_type: { const: 'return' }, ...lane, ...weights }), ['payment_method']),
  'total',
)

/* ---- Orders ---- */

const nothing: Schema = { type: 'null' }
const chargeText = (description: string): Schema =>
  text(`${description}, rupees with two decimals`, { pattern: '^[0-9]+\\.[0-9]{2}$' })
const orderOf = (done: 0 | 1, courier: Readonly<Record<string, Schema>>, description: string): Schema =>
  object(
    {
      status: { const: 1 },
      payload: object({
        order_created: { const: 1 },
        awb_generated: { const: done },
        pickup_generated: { const: done },
        order_id: text("Our id of the order, the record's attributes.order.id; your own order_id becomes external_id and display_id"),
        shipment_id: text('The id of the shipment record', { format: 'uuid' }),
        applied_weight: number('Weight charged before slabs, kilograms', { exclusiveMinimum: 0 }),
        ...courier,
        cod: word([0, 1], '1 for cash on delivery'),
        label_url: nothing,
        ...sentOf(keptFields()),
      }, undefined, Object.keys(keptFields())),
    },
    description,
  ) // prettier-ignore

const OrderRecorded = orderOf(
  0,
  { awb_code: nothing, courier_company_id: nothing, courier_name: nothing, charges: nothing },
  'An order that is recorded and has no courier yet.',
)
const OrderAssigned = orderOf(
  1,
  {
    awb_code: text('Tracking number', { pattern: '^[0-9]{14}$' }),
    courier_company_id: text('The carrier_id of the courier'),
    courier_name: text('Name of the courier'),
    charges: object({
      frwd_charges: object({
        shipping_charges: chargeText('Freight'),
        cod_charges: chargeText('Charge for cash on delivery'),
      }),
      rto_charges: object({ rto_charges: chargeText('Due if the parcel comes back') }),
    }),
  },
  'An order with a courier and a tracking number.',
)

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
  ForwardOffer,
  ReturnOffer,
  ForwardRates,
  ReturnRates,
  Rates: { oneOf: [ref('ForwardRates'), ref('ReturnRates')], description: 'By the journey that was asked for.' },
  OrderRecorded,
  OrderAssigned,
  ...sentOf(recordParts()),
  Shipment: shipmentRecord().sent!,
  Return: returnRecord().sent!,
  Meta,
  ShipmentPage: pageOf('Shipment'),
  ReturnPage: pageOf('Return'),
  Health: object({ status: { const: 'ok' } }),
} as const satisfies Readonly<Record<string, Schema>>
