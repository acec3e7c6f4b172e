// Defends the services of others: a filter that the specification does not have says so (`added`), so that the client sends
// it only where a service announces it. Nothing else tells a newcomer who forgets that word.
import { expect, test } from 'vitest'
import { addedFilters, listings, type Listing } from '../../src/domain/parcels/listings.ts'

/** The filters of the specification (spec 4.7, 4.8), as text: the tables are compared with it. */
const specified = {
  listShipments: `search status granular_status carrier_id warehouse_ids channel zone is_cod sku tags ndr_reason rto_reason
    applied_weight_min applied_weight_max attempts_count__gte attempts_count__lte start_time end_time`,
  listReturns: `search status granular_status warehouse_id channel store_name carrier_ids zone refund_status qc_status
    display_id sku is_dangerous_goods created_at__gte created_at__lte return_pickup_scheduled_at__gte
    return_pickup_scheduled_at__lte return_delivered_at__gte return_delivered_at__lte`,
}

test.each(Object.entries(specified))('%s: what is not in the specification is added', (name, text) => {
  const listing = listings[name as keyof typeof listings] as Listing
  const added = new Set(addedFilters(listing))
  const own = Object.keys(listing.filters).filter((filter) => !added.has(filter))
  expect(own.toSorted()).toEqual(text.split(/\s+/).toSorted())
})
