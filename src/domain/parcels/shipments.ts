// Shipments: the record (spec 2.4) and the filter table of their listing (spec 4.8).
import * as z from 'zod/mini'
import {
  added,
  anyOf,
  atLeast,
  atMost,
  gramsAtLeast,
  gramsAtMost,
  holdsAny,
  is,
  isTrue,
  search,
  secondsFrom,
  secondsUntil,
  shapeOf,
  word as idFilter,
  zone,
  type Filter,
} from '../filters.ts'
import { pageShape } from '../page.ts'
import type { ShipmentColumn } from './columns.ts'
import { keptFields } from '../orders.ts'
import {
  component,
  constant,
  count,
  integer,
  list,
  nullable,
  number,
  object,
  orNull,
  rupees,
  text,
  time,
  word,
  yesNo,
} from '../recordfields.ts'
import { zones } from '../rates/zones.ts'
import { keysOf } from '../keysof.ts'
import { cityKey, pincodeKey, stateKey } from '../read/places.ts'
import { stateName } from '../read/states.ts'
import { failureReasons, shipmentBuckets, shipmentDates, shipmentMilestones, shipmentStatuses } from './statuses.ts'
import { about, lazily, oneOf, pincode } from '../values.ts'

/** The id of a record: text that every database can tell from other text. */
export const recordId = z.string().check(
  z.minLength(1, 'must not be empty'),
  z.maxLength(200, 'is too long'),
  z.refine((value) => !value.includes('\0') && value.isWellFormed(), 'must be well-formed text without NUL'),
)

/** Parts that shipments and returns share, each a component of the API description. */
export const recordParts = lazily(() => ({
  Address: object(
    {
      name: text("Customer's name"),
      phone: text('Phone'),
      city: text('City'),
      state: text('State'),
      zip: text('Pincode'),
    },
    { description: 'Where the customer is.' },
  ),
  Carrier: nullable(object({ id: text('carrier_id'), name: text('Name') }), 'Courier; null before one is assigned'),
  Weight: object(
    { value: number('Grams', { minimum: 0 }), metric_unit: { sent: { const: 'g' }, accepted: z.string() } },
    { description: 'Charged weight, before slabs' },
  ),
}))

export const address = () => component('Address', recordParts().Address)
export const carrier = () => component('Carrier', recordParts().Carrier)
export const weight = () => component('Weight', recordParts().Weight)

/** The milestones of a record, of which these words are ours. */
export const milestones = (words: readonly string[]) =>
  list(
    object({ milestone: word(words, 'Milestone'), milestone_at: time('When it was reached') }, { must: ['milestone'] }),
    'Milestones, oldest first',
  )

export const recordZone = () =>
  orNull(word(zones, 'Zone of the lane'), 'when the pincode of the warehouse is not known')

/** The fields of an item in a parcel. */
export const itemFields = () => ({
  id: text('Identifier of the item'),
  quantity: count('Quantity', { minimum: 1 }),
  price: rupees('Price of one piece'),
  name: text('Name'),
  sku: text('SKU'),
})

/** The fields of an order in both kinds of record. */
export const orderFields = () => ({
  id: text('Our id of the order'),
  display_id: text('Order number as people see it'),
  channel: text('Sales channel'),
  store_name: orNull(text('Store that the order is linked to'), 'for none'),
})

const scan = () =>
  object({
    id: text('Identifier of the scan'),
    status: text("The courier's own word for the status"),
    last_location: text('Where'),
    event_date_time: time('When'),
    description: text('What happened'),
  })

/** The description of a record ends with this. */
export const importedRecords =
  'A record that was imported from another deployment is sent unchanged: ' +
  'it may lack attributes, have null in others, and show other statuses.'

const shipmentAttributes = () => ({
  tracking_number: orNull(text('Tracking number (AWB)'), 'before a courier is assigned'),
  status: word(shipmentStatuses, 'Status'),
  sub_status: orNull(word(keysOf(shipmentBuckets), 'The detailed status where it says more'), 'where it does not'),
  granular_status: word(keysOf(shipmentBuckets), 'Detailed status'),
  created_at: time('When it was created'),
  warehouse_id: text('Warehouse that it leaves from'),
  total_price: rupees('Value of the order'),
  cod_amount: rupees('Cash to collect'),
  is_cod: yesNo('Cash on delivery'),
  zone: recordZone(),
  applied_weight: weight(),
  attempt_count: integer('Delivery attempts', { minimum: 0 }),
  carrier: carrier(),
  order: object(
    {
      ...orderFields(),
      order_date: time('When it was ordered'),
      external_id: text("The shop's own id"),
      ...keptFields(),
    },
    { optional: Object.keys(keptFields()) },
  ),
  items: list(object(itemFields()), 'What is in the parcel'),
  shipping_address: address(),
  shipment_milestones: milestones(shipmentMilestones),
  tracking_details: list(scan(), 'Scans, oldest first'),
  tags: list({ sent: { type: 'string' }, accepted: z.string() }, 'Tags of the order'),
  ndr_reason: orNull(word(failureReasons, 'Reason of the last failed delivery'), 'for none'),
  rto_reason: orNull(word(failureReasons, 'Reason of the return to origin'), 'for none'),
})

/** The fields of a shipment record (spec 2.4). Amounts are rupees, weights grams. */
export const shipmentRecord = lazily(() =>
  object(
    {
      id: { sent: text('Identifier of the record', { format: 'uuid' }).sent, accepted: recordId },
      type: constant('shipment'),
      attributes: object(shipmentAttributes(), { must: ['created_at'] }),
    },
    { description: `A forward shipment. ${importedRecords}`, must: ['id', 'type', 'attributes'] },
  ),
)

/**
 * A shipment record as it is accepted. Only `id` and `created_at` must be there; attributes may be missing or null and
 * unknown ones are kept, because a database also holds what other deployments send.
 */
export const Shipment = z.lazy(() => shipmentRecord().accepted)
export type Shipment = z.output<typeof Shipment>

const dateColumn = (input: Readonly<Record<string, unknown>>): (typeof shipmentDates)[number] =>
  (input['date_field'] ?? 'created_at') as (typeof shipmentDates)[number]

/** Every filter of the shipment listing (spec 4.8), and those that only deployments with `extra_filters` have. */
export const shipmentFilters = {
  search: search(
    'shipment_search',
    'Only shipments that have every word in the tracking number, order ids, customer, items or SKUs',
  ),
  status: is(() => oneOf(shipmentStatuses, 'status'), 'status', 'Only shipments with this status'),
  statuses: added(
    anyOf(() => oneOf(shipmentStatuses, 'status'), 'status', 'Only shipments with one of these statuses'),
  ),
  granular_status: anyOf(
    () => oneOf(keysOf(shipmentBuckets) as [string, ...string[]], 'granular status'),
    'granular_status',
    'Only shipments with one of these detailed statuses',
  ),
  carrier_id: anyOf(idFilter, 'carrier_id', 'Only shipments of these couriers, by carrier id'),
  warehouse_ids: anyOf(idFilter, 'warehouse_id', 'Only shipments from these warehouses, by id'),
  channel: anyOf(idFilter, 'channel', 'Only shipments of these sales channels, for example shopify'),
  zone: anyOf(zone, 'zone', 'Only shipments to these zones'),
  is_cod: isTrue('is_cod', 'Only cash on delivery; false for only prepaid'),
  sku: holdsAny(idFilter, 'shipment_skus', 'Only shipments with one of these SKUs'),
  tags: holdsAny(idFilter, 'shipment_tags', 'Only shipments whose order has one of these tags'),
  ndr_reason: anyOf(
    () => oneOf(failureReasons, 'reason'),
    'ndr_reason',
    'Only shipments whose last failed delivery has one of these reasons',
  ),
  rto_reason: anyOf(
    () => oneOf(failureReasons, 'reason'),
    'rto_reason',
    'Only shipments whose return to origin has one of these reasons',
  ),
  applied_weight_min: gramsAtLeast(
    'applied_weight',
    'Only charged weights of at least this many grams, for example 500',
  ),
  applied_weight_max: gramsAtMost(
    'applied_weight',
    'Only charged weights of at most this many grams, for example 2000',
  ),
  attempts_count__gte: atLeast(
    'attempt_count',
    'Only shipments with at least this many delivery attempts, for example 2',
  ),
  attempts_count__lte: atMost(
    'attempt_count',
    'Only shipments with at most this many delivery attempts, for example 3',
  ),
  store_name: anyOf(idFilter, 'store_name', 'Only shipments of these stores, by name'),
  order_display_id: anyOf(idFilter, 'order_display_id', 'Only shipments of these orders, by their exact display ids'),
  tracking_number: anyOf(idFilter, 'tracking_number', 'Only the shipments with these AWBs'),
  city: anyOf(idFilter, 'city', 'Only shipments to these cities, for example Pune,Mumbai', cityKey),
  state: anyOf(
    stateName,
    'state',
    'Only shipments to these states, by name or code, for example Karnataka,DL',
    stateKey,
  ),
  pincode: anyOf(pincode, 'pincode', 'Only shipments to these pincodes, for example 560001,400001', pincodeKey),
  start_time: secondsFrom(dateColumn, 'Only from this time on, in Unix seconds; date_field names the date'),
  end_time: secondsUntil(dateColumn, 'Only up to this time, in Unix seconds, inclusive'),
} as const satisfies Record<string, Filter<z.ZodMiniType, ShipmentColumn>>

/** The request of the shipment listing (spec 4.8). */
export const ShipmentQuery = lazily(() =>
  z.strictObject({
    ...shapeOf(shipmentFilters),
    date_field: about(z.optional(oneOf(shipmentDates, 'date field')), 'The date that the time range applies to'),
    ...pageShape,
  }),
)
