// Shipments: the record (spec 2.4) and the filter table of their listing (spec 4.8).
import * as z from 'zod/mini'
import {
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
  word,
  zone,
  type Filter,
} from '../filters.ts'
import { pageShape } from '../page.ts'
import type { ShipmentColumn } from './columns.ts'
import { failureReasons, namesOf, shipmentBuckets, shipmentDates, shipmentStatuses } from './statuses.ts'
import { readInstant } from '../time.ts'
import { about, lazily, oneOf } from '../values.ts'

const some = z.nullish(z.string())
const amount = z.nullish(z.number())

/** An ISO 8601 time with an offset that exists in the calendar. */
export const instant = z
  .string()
  .check(z.refine((value) => readInstant(value) !== undefined, 'must be an ISO 8601 time with Z or an offset'))

/** The id of a record: text that every database can tell from other text. */
export const recordId = z.string().check(
  z.minLength(1, 'must not be empty'),
  z.maxLength(200, 'is too long'),
  z.refine((value) => !value.includes('\0') && value.isWellFormed(), 'must be well-formed text without NUL'),
)

/** Parts of a record that shipments and returns share. */
export const Address = z.looseObject({ name: some, phone: some, city: some, state: some, zip: some })
export const Carrier = z.looseObject({ id: some, name: some })
export const Milestone = z.looseObject({ milestone: z.string(), milestone_at: z.nullish(instant) })
export const Weight = z.looseObject({ value: amount, metric_unit: some })

const Item = z.looseObject({ id: some, quantity: amount, price: amount, name: some, sku: some })
const Scan = z.looseObject({
  id: some,
  status: some,
  last_location: some,
  event_date_time: z.nullish(instant),
  description: some,
})

/**
 * A shipment record (spec 2.4). Only `id` and `created_at` must be there; attributes may be missing or null and unknown
 * ones are kept, because a database also holds what other deployments send. Amounts are rupees, weights grams.
 */
export const Shipment = z.lazy(() =>
  z.looseObject({
    id: recordId,
    type: z.optional(z.literal('shipment')),
    attributes: z.looseObject({
      tracking_number: some,
      status: some,
      sub_status: some,
      granular_status: some,
      created_at: instant,
      warehouse_id: some,
      total_price: amount,
      cod_amount: amount,
      is_cod: z.nullish(z.boolean()),
      zone: some,
      applied_weight: z.nullish(Weight),
      attempt_count: z.nullish(z.int()),
      carrier: z.nullish(Carrier),
      order: z.nullish(
        z.looseObject({
          id: some,
          order_date: z.nullish(instant),
          channel: some,
          display_id: some,
          external_id: some,
          store_name: some,
        }),
      ),
      items: z.nullish(z.array(Item)),
      shipping_address: z.nullish(Address),
      shipment_milestones: z.nullish(z.array(Milestone)),
      tracking_details: z.nullish(z.array(Scan)),
      tags: z.nullish(z.array(z.string())),
      ndr_reason: some,
      rto_reason: some,
    }),
  }),
)
export type Shipment = z.output<typeof Shipment>

const dateColumn = (input: Readonly<Record<string, unknown>>): (typeof shipmentDates)[number] =>
  (input['date_field'] ?? 'created_at') as (typeof shipmentDates)[number]

/** Every filter of the shipment listing (spec 4.8), and the two that only our service and newer deployments have. */
// prettier-ignore
export const shipmentFilters = {
  search:              search('shipment_search', 'Every word must occur in the tracking number, order ids, customer, items or SKUs'),
  status:              is(() => oneOf(shipmentStatuses, 'status'), 'status', 'Status'),
  granular_status:     anyOf(() => oneOf(namesOf(shipmentBuckets) as [string, ...string[]], 'granular status'), 'granular_status', 'Detailed statuses'),
  carrier_id:          anyOf(word, 'carrier_id', 'Carrier ids'),
  warehouse_ids:       anyOf(word, 'warehouse_id', 'Warehouse ids'),
  channel:             anyOf(word, 'channel', 'Sales channels'),
  zone:                anyOf(zone, 'zone', 'Delivery zones'),
  is_cod:              isTrue('is_cod', 'Cash on delivery'),
  sku:                 holdsAny(word, 'shipment_skus', 'SKUs'),
  tags:                holdsAny(word, 'shipment_tags', 'Order tags'),
  ndr_reason:          anyOf(() => oneOf(failureReasons, 'reason'), 'ndr_reason', 'Reasons of the last failed delivery'),
  rto_reason:          anyOf(() => oneOf(failureReasons, 'reason'), 'rto_reason', 'Reasons of the return to origin'),
  applied_weight_min:  gramsAtLeast('applied_weight', 'Least applied weight, grams'),
  applied_weight_max:  gramsAtMost('applied_weight', 'Greatest applied weight, grams'),
  attempts_count__gte: atLeast('attempt_count', 'Least number of delivery attempts'),
  attempts_count__lte: atMost('attempt_count', 'Greatest number of delivery attempts'),
  store_name:          anyOf(word, 'store_name', 'Stores'),
  order_display_id:    anyOf(word, 'order_display_id', 'Order display ids, exact'),
  start_time:          secondsFrom(dateColumn, 'From, Unix seconds, of the field that date_field names'),
  end_time:            secondsUntil(dateColumn, 'Until, Unix seconds, inclusive'),
} as const satisfies Record<string, Filter<z.ZodMiniType, ShipmentColumn>>

/** The request of the shipment listing (spec 4.8). */
export const ShipmentQuery = lazily(() =>
  z.strictObject({
    ...shapeOf(shipmentFilters),
    date_field: about(z.optional(oneOf(shipmentDates, 'date field')), 'The date that the range applies to'),
    ...pageShape,
  }),
)
