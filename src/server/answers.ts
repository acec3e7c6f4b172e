// Answers as JSON Schema for the API description: as strict as our own engine answers, while the contract's output schemas
// are tolerant because a client reads other deployments too; knows no route and no HTTP library.
import {
  failureReasons,
  namesOf,
  qcStatuses,
  refundStatuses,
  returnBuckets,
  returnMilestones,
  shipmentBuckets,
  shipmentMilestones,
  shipmentStatuses,
} from '../domain/parcels/statuses.ts'
import { zones } from '../domain/rates/zones.ts'
import type { Schema } from './requests.ts'

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more })
const number = (description: string, more: Schema = {}): Schema => ({ type: 'number', description, ...more })
const integer = (description: string, more: Schema = {}): Schema => ({ type: 'integer', description, ...more })
const yesNo = (description: string): Schema => ({ type: 'boolean', description })
const word = (words: readonly (string | number)[], description: string): Schema => ({ enum: words, description })
const time = (description: string): Schema => text(`${description}; ISO 8601 in UTC`, { format: 'date-time' })
const list = (items: Schema, description: string): Schema => ({ type: 'array', items, description })
const rupees = (description: string): Schema => number(`${description}, rupees`, { minimum: 0 })

/** The same, or null: `why` says when. */
const orNull = ({ description, enum: words, ...schema }: Schema, why: string): Schema => {
  const said = { description: `${String(description)}; null ${why}` }
  return words === undefined
    ? { ...schema, type: [schema['type'], 'null'], ...said }
    : { enum: [...(words as readonly unknown[]), null], ...said }
}

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

const Store: Schema = object(
  {
    id: text('Identifier of the store', { format: 'uuid' }),
    store_name: text('Name, unique in the account', { pattern: '^[A-Za-z0-9-]{1,100}$' }),
    brand_name: orNull(text('Brand shown in messages to customers', { maxLength: 100 }), 'for none'),
    channel: text('manual_order for stores made through this API'),
    status: word(['connected', 'disconnected'], 'Orders can be linked to connected stores only'),
    logo_url: orNull(text('Path of the logo, answered with a key of the account'), 'for none'),
    created_at: time('When it was made'),
    updated_at: time('When it was changed last'),
  },
  'A store: a sales channel with its own brand and logo.',
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
/** What an order brought to be kept; absent where it brought none. */
const kept = {
  rto_warehouse_id: text('Warehouse that an undelivered parcel goes back to, as the order gave it'),
  channel_id: text('Your id of the sales channel, as the order gave it'),
  vendor_details: { type: 'object', description: 'Details of the vendor, as the order gave them' },
}
const keptFields = Object.keys(kept)

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
        ...kept,
      }, undefined, keptFields),
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

/* ---- Records ---- */

const imported =
  'A record that was imported from another deployment is sent as it came: it may lack attributes, hold null in others, and show other statuses.'
const milestones = (words: readonly string[]): Schema =>
  list(
    object({ milestone: word(words, 'Milestone'), milestone_at: time('When it was reached') }),
    'Milestones, oldest first',
  )

const Address = object(
  {
    name: text("Customer's name"),
    phone: text('Phone'),
    city: text('City'),
    state: text('State'),
    zip: text('Pincode'),
  },
  'Where the customer is.',
)
const Carrier: Schema = {
  ...object({ id: text('carrier_id'), name: text('Name') }),
  type: ['object', 'null'],
  description: 'Courier; null before one is assigned',
}
const Weight = object(
  { value: number('Grams', { minimum: 0 }), metric_unit: { const: 'g' } },
  'Weight that is charged, before slabs',
)
const item = {
  id: text('Identifier of the item'),
  quantity: integer('How many', { minimum: 1 }),
  price: rupees('Price of one'),
  name: text('Name'),
  sku: text('SKU'),
}
const storeName = orNull(text('Store that the order is linked to'), 'for none')
const orderShared = {
  id: text('Our id of the order'),
  display_id: text('Order number as people see it'),
  channel: text('Sales channel'),
  store_name: storeName,
}
const recordZone = orNull(word(zones, 'Zone of the lane'), 'when the pincode of the warehouse is not known')

const Shipment = object(
  {
    id: text('Identifier of the record', { format: 'uuid' }),
    type: { const: 'shipment' },
    attributes: object({
      tracking_number: orNull(text('Tracking number (AWB)'), 'before a courier is assigned'),
      status: word(shipmentStatuses, 'Status'),
      sub_status: orNull(word(namesOf(shipmentBuckets), 'The detailed status where it says more'), 'where it does not'),
      granular_status: word(namesOf(shipmentBuckets), 'Detailed status'),
      created_at: time('When it was made'),
      warehouse_id: text('Warehouse that it leaves from'),
      total_price: rupees('Value of the order'),
      cod_amount: rupees('Cash to collect'),
      is_cod: yesNo('Cash on delivery'),
      zone: recordZone,
      applied_weight: ref('Weight'),
      attempt_count: integer('Delivery attempts', { minimum: 0 }),
      carrier: ref('Carrier'),
      order: object(
        { ...orderShared, order_date: time('When it was ordered'), external_id: text("The shop's own id"), ...kept },
        undefined,
        keptFields,
      ),
      items: list(object(item), 'What is in the parcel'),
      shipping_address: ref('Address'),
      shipment_milestones: milestones(shipmentMilestones),
      tracking_details: list(
        object({
          id: text('Identifier of the scan'),
          status: text("The courier's word for it"),
          last_location: text('Where'),
          event_date_time: time('When'),
          description: text('What happened'),
        }),
        'Scans, oldest first',
      ),
      tags: list({ type: 'string' }, 'Tags of the order'),
      ndr_reason: orNull(word(failureReasons, 'Reason of the last failed delivery'), 'for none'),
      rto_reason: orNull(word(failureReasons, 'Reason of the return to origin'), 'for none'),
    }),
  },
  `A forward shipment. ${imported}`,
)

const shown = [...new Set(Object.values(returnBuckets).map((bucket) => bucket.shown))]

const Return = object(
  {
    id: text('Identifier of the record', { format: 'uuid' }),
    type: { const: 'return' },
    attributes: object({
      return_reason: text('Why it comes back'),
      request_date: time('When the customer asked'),
      display_id: text('Return number as people see it'),
      qc_status: word(qcStatuses, 'Quality check'),
      qc_required: yesNo('Whether a quality check is asked for'),
      status: word(
        shown,
        'Status that is shown: a received return shows delivered and is filtered as return_received, a lost one shows lost',
      ),
      granular_status: word(namesOf(returnBuckets), 'Detailed status'),
      warehouse_id: text('Warehouse that it goes to'),
      zone: recordZone,
      is_dangerous_goods: yesNo('Dangerous goods'),
      shipping_address: ref('Address'),
      total_price: rupees('Value of what comes back'),
      is_exchange: yesNo('Whether it is exchanged'),
      refund_status: word(refundStatuses, 'Refund'),
      created_at: time('When it was made'),
      return_items: list(object({ ...item, return_reason: text('Why this item comes back') }), 'What comes back'),
      weight: ref('Weight'),
      shipment: object({
        id: text('The shipment that comes back', { format: 'uuid' }),
        tracking_number: orNull(text('Tracking number of the way back'), 'before pickup is scheduled'),
        status: word([...new Set([...shown, 'pending'])], 'Status of the way back'),
        carrier: ref('Carrier'),
        shipment_milestones: milestones(returnMilestones),
      }),
      order: object(orderShared),
    }),
  },
  `A return. ${imported}`,
)

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
  Store,
  StoreAnswer: object({ data: ref('Store') }),
  StoreList: object({ data: list(ref('Store'), 'Connected stores by name') }),
  ForwardOffer,
  ReturnOffer,
  ForwardRates,
  ReturnRates,
  Rates: { oneOf: [ref('ForwardRates'), ref('ReturnRates')], description: 'By the journey that was asked for.' },
  OrderRecorded,
  OrderAssigned,
  Address,
  Carrier,
  Weight,
  Shipment,
  Return,
  Meta,
  ShipmentPage: pageOf('Shipment'),
  ReturnPage: pageOf('Return'),
  Health: object({ status: { const: 'ok' } }),
} as const satisfies Readonly<Record<string, Schema>>
