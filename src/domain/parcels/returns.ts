// Returns: the record (spec 2.5) and the filter table of their listing (spec 4.9).
import * as z from 'zod/mini'
import { anyOf, holdsAny, is, isoFrom, isoUntil, isTrue, search, shapeOf, word, zone, type Filter } from '../filters.ts'
import { pageShape } from '../page.ts'
import type { ReturnColumn } from './columns.ts'
import { Address, Carrier, Milestone, Weight, instant, recordId } from './shipments.ts'
import { namesOf, qcStatuses, refundStatuses, returnBuckets, returnStatuses } from './statuses.ts'
import { about, lazily, notOneOf, oneOf } from '../values.ts'

const some = z.nullish(z.string())
const amount = z.nullish(z.number())

/** A return record (spec 2.5); as tolerant as the shipment record. Amounts are rupees, weights grams. */
export const Return = z.lazy(() =>
  z.looseObject({
    id: recordId,
    type: z.optional(z.literal('return')),
    attributes: z.looseObject({
      return_reason: some,
      request_date: z.nullish(instant),
      display_id: some,
      qc_status: some,
      qc_required: z.nullish(z.boolean()),
      status: some,
      granular_status: some,
      warehouse_id: some,
      zone: some,
      is_dangerous_goods: z.nullish(z.boolean()),
      shipping_address: z.nullish(Address),
      total_price: amount,
      is_exchange: z.nullish(z.boolean()),
      refund_status: some,
      created_at: instant,
      return_items: z.nullish(
        z.array(
          z.looseObject({ id: some, quantity: amount, price: amount, name: some, sku: some, return_reason: some }),
        ),
      ),
      weight: z.nullish(Weight),
      shipment: z.nullish(
        z.looseObject({
          id: some,
          tracking_number: some,
          status: some,
          carrier: z.nullish(Carrier),
          shipment_milestones: z.nullish(z.array(Milestone)),
        }),
      ),
      order: z.nullish(
        z.looseObject({ id: some, display_id: some, external_id: some, channel: some, store_name: some }),
      ),
    }),
  }),
)
export type Return = z.output<typeof Return>

// A record can show `delivered` and `lost`, which people then try to filter by (spec 2.5).
const shownOnly: Readonly<Record<string, string>> = {
  delivered: '"delivered" is what a received return shows, not a status to filter by. Use return_received.',
  lost: '"lost" is what a lost return shows, not a status to filter by. Use granular_status return_lost.',
}
const returnStatus = lazily(() =>
  z.enum(returnStatuses, {
    error: (issue) => {
      const input = typeof issue.input === 'string' ? issue.input : (JSON.stringify(issue.input) ?? '')
      const shown = Object.hasOwn(shownOnly, input) ? shownOnly[input] : undefined
      return shown === undefined
        ? notOneOf(input, returnStatuses, 'status')
        : `${shown} One of: ${returnStatuses.join(', ')}`
    },
  }),
)

/** Every filter of the return listing (spec 4.9), under its own names. */
// prettier-ignore
export const returnFilters = {
  search:                           search('return_search', 'Every word must occur in the display id, tracking number, order ids, customer, items or SKUs'),
  status:                           is(returnStatus, 'status', 'Status'),
  granular_status:                  anyOf(() => oneOf(namesOf(returnBuckets) as [string, ...string[]], 'granular status'), 'granular_status', 'Detailed statuses'),
  warehouse_id:                     anyOf(word, 'warehouse_id', 'Warehouse ids'),
  channel:                          anyOf(word, 'channel', 'Sales channels'),
  store_name:                       anyOf(word, 'store_name', 'Stores'),
  carrier_ids:                      anyOf(word, 'carrier_id', 'Carrier ids'),
  zone:                             anyOf(zone, 'zone', 'Zones'),
  refund_status:                    anyOf(() => oneOf(refundStatuses, 'refund status'), 'refund_status', 'Refund statuses'),
  qc_status:                        anyOf(() => oneOf(qcStatuses, 'QC status'), 'qc_status', 'QC statuses'),
  display_id:                       anyOf(word, 'display_id', 'Return display ids, exact'),
  sku:                              holdsAny(word, 'return_skus', 'SKUs'),
  is_dangerous_goods:               isTrue('is_dangerous_goods', 'Dangerous goods'),
  created_at__gte:                  isoFrom('created_at', 'Created from, ISO 8601 or a date in IST'),
  created_at__lte:                  isoUntil('created_at', 'Created until, inclusive'),
  return_pickup_scheduled_at__gte:  isoFrom('return_pickup_scheduled_at', 'Pickup scheduled from'),
  return_pickup_scheduled_at__lte:  isoUntil('return_pickup_scheduled_at', 'Pickup scheduled until, inclusive'),
  return_delivered_at__gte:         isoFrom('return_delivered_at', 'Return delivered from'),
  return_delivered_at__lte:         isoUntil('return_delivered_at', 'Return delivered until, inclusive'),
} as const satisfies Record<string, Filter<z.ZodMiniType, ReturnColumn>>

/** The fields that returns can be sorted by (docs/decisions.md, Listings). */
export const returnSorts = ['created_at', 'request_date', 'total_price'] as const satisfies readonly ReturnColumn[]

/** The request of the return listing (spec 4.9). */
export const ReturnQuery = lazily(() =>
  z.strictObject({
    ...shapeOf(returnFilters),
    sort_by: about(z.optional(oneOf(returnSorts, 'sort field')), 'Field to sort by'),
    ...pageShape,
  }),
)
