// Returns: the record (spec 2.5) and the filter table of their listing (spec 4.9).
import * as z from 'zod/mini'
import type { ReturnColumn } from './columns.ts'
import {
  added,
  anyOf,
  holdsAny,
  is,
  isoFrom,
  isoUntil,
  isTrue,
  search,
  shapeOf,
  word as idFilter,
  zone,
  type Filter,
} from '../filters.ts'
import { pageShape } from '../page.ts'
import { constant, foreign, list, object, orNull, rupees, text, time, word, yesNo } from '../recordfields.ts'
import {
  address,
  carrier,
  importedRecords,
  itemFields,
  milestones,
  orderFields,
  recordId,
  recordZone,
  weight,
} from './shipments.ts'
import { keysOf } from '../keysof.ts'
import { cityKey, pincodeKey, stateKey } from '../read/places.ts'
import { stateName } from '../read/states.ts'
import { qcStatuses, refundStatuses, returnBuckets, returnMilestones, returnStatuses } from './statuses.ts'
import { about, lazily, notOneOf, oneOf, pincode } from '../values.ts'

/** What a return shows as its status. */
const shownStatuses = lazily(() => [...new Set(Object.values(returnBuckets).map((bucket) => bucket.shown))])

const returnAttributes = () => ({
  return_reason: text('Reason for the return'),
  request_date: time('When the customer requested it'),
  display_id: text('Return number as people see it'),
  qc_status: word(qcStatuses, 'Quality check'),
  qc_required: yesNo('Whether the return needs a quality check'),
  status: word(
    shownStatuses(),
    'Status that is shown: a received return shows delivered and is filtered as return_received, a lost one shows lost',
  ),
  granular_status: word(keysOf(returnBuckets), 'Detailed status'),
  warehouse_id: text('Warehouse that it goes to'),
  zone: recordZone(),
  is_dangerous_goods: yesNo('Dangerous goods'),
  shipping_address: address(),
  total_price: rupees('Value of the returned items'),
  is_exchange: yesNo('Whether it is an exchange'),
  refund_status: word(refundStatuses, 'Refund'),
  created_at: time('When it was created'),
  return_items: list(
    object({ ...itemFields(), return_reason: text('Reason for returning this item') }),
    'Returned items',
  ),
  weight: weight(),
  shipment: object({
    id: text('The return parcel', { format: 'uuid' }),
    tracking_number: orNull(text('Tracking number of the return parcel'), 'before pickup is scheduled'),
    status: word([...new Set([...shownStatuses(), 'pending'])], 'Status of the return parcel'),
    carrier: carrier(),
    shipment_milestones: milestones(returnMilestones),
  }),
  order: object({ ...orderFields(), external_id: foreign(z.string()) }),
})

/** The fields of a return record (spec 2.5). Amounts are rupees, weights grams. */
export const returnRecord = lazily(() =>
  object(
    {
      id: { sent: text('Identifier of the record', { format: 'uuid' }).sent, accepted: recordId },
      type: constant('return'),
      attributes: object(returnAttributes(), { must: ['created_at'] }),
    },
    { description: `A return. ${importedRecords}`, must: ['id', 'type', 'attributes'] },
  ),
)

/** A return record as it is accepted, as tolerantly as a shipment. */
export const Return = z.lazy(() => returnRecord().accepted)
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

/** Every filter of the return listing (spec 4.9), and those that only deployments with `extra_filters` have. */
export const returnFilters = {
  search: search(
    'return_search',
    'Only returns that have every word in the display id, tracking number, order ids, customer, items or SKUs',
  ),
  status: is(returnStatus, 'status', 'Only returns with this status'),
  statuses: added(anyOf(returnStatus, 'status', 'Only returns with one of these statuses')),
  granular_status: anyOf(
    () => oneOf(keysOf(returnBuckets) as [string, ...string[]], 'granular status'),
    'granular_status',
    'Only returns with one of these detailed statuses',
  ),
  warehouse_id: anyOf(idFilter, 'warehouse_id', 'Only returns to these warehouses, by id'),
  channel: anyOf(idFilter, 'channel', 'Only returns of these sales channels, for example shopify'),
  store_name: anyOf(idFilter, 'store_name', 'Only returns of these stores, by name'),
  carrier_ids: anyOf(idFilter, 'carrier_id', 'Only returns with these couriers, by carrier id'),
  zone: anyOf(zone, 'zone', 'Only returns from these zones'),
  refund_status: anyOf(
    () => oneOf(refundStatuses, 'refund status'),
    'refund_status',
    'Only returns with one of these refund statuses',
  ),
  qc_status: anyOf(
    () => oneOf(qcStatuses, 'QC status'),
    'qc_status',
    'Only returns with one of these results of the quality check',
  ),
  display_id: anyOf(idFilter, 'display_id', 'Only these returns, by their exact display ids'),
  tracking_number: anyOf(idFilter, 'tracking_number', 'Only the returns whose parcels have these AWBs'),
  city: anyOf(idFilter, 'city', 'Only returns from these cities, for example Pune,Mumbai', cityKey),
  state: anyOf(
    stateName,
    'state',
    'Only returns from these states, by name or code, for example Karnataka,DL',
    stateKey,
  ),
  pincode: anyOf(pincode, 'pincode', 'Only returns from these pincodes, for example 560001,400001', pincodeKey),
  sku: holdsAny(idFilter, 'return_skus', 'Only returns with one of these SKUs'),
  is_dangerous_goods: isTrue('is_dangerous_goods', 'Only dangerous goods; false for only other goods'),
  created_at__gte: isoFrom('created_at', 'Only created from this time on, in ISO 8601, or a date in IST'),
  created_at__lte: isoUntil('created_at', 'Only created up to this time, inclusive'),
  return_pickup_scheduled_at__gte: isoFrom(
    'return_pickup_scheduled_at',
    'Only with a pickup scheduled from this time on',
  ),
  return_pickup_scheduled_at__lte: isoUntil(
    'return_pickup_scheduled_at',
    'Only with a pickup scheduled up to this time, inclusive',
  ),
  return_delivered_at__gte: isoFrom('return_delivered_at', 'Only delivered back from this time on'),
  return_delivered_at__lte: isoUntil('return_delivered_at', 'Only delivered back up to this time, inclusive'),
} as const satisfies Record<string, Filter<z.ZodMiniType, ReturnColumn>>

/** The fields that returns can be sorted by (docs/inside/decisions.md, Listings). */
export const returnSorts = ['created_at', 'request_date', 'total_price'] as const satisfies readonly ReturnColumn[]

/** The request of the return listing (spec 4.9). */
export const ReturnQuery = lazily(() =>
  z.strictObject({
    ...shapeOf(returnFilters),
    sort_by: about(z.optional(oneOf(returnSorts, 'sort field')), 'Sort by this field'),
    ...pageShape,
  }),
)
