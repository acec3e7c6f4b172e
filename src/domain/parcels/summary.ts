// The keys and sums of summaries, and a group's sums as shares and averages (docs/guides/worklists.md).
import { dayMs } from '../time.ts'

/** The keys of shipments. */
export const shipmentKeys = [
  'status',
  'granular_status',
  'zone',
  'carrier',
  'store',
  'day',
  'month',
  'sku',
  'tag',
  'city',
  'state',
  'ndr_reason',
  'rto_reason',
  'attempts',
  'warehouse',
  'channel',
  'payment',
  'pincode',
  'awb',
  'order',
] as const

/** The keys of returns. */
export const returnKeys = [
  'status',
  'granular_status',
  'zone',
  'carrier',
  'store',
  'day',
  'month',
  'sku',
  'city',
  'state',
  'reason',
  'qc_status',
  'refund_status',
  'warehouse',
  'channel',
  'pincode',
  'awb',
  'order',
] as const

export type ShipmentKey = (typeof shipmentKeys)[number]
export type ReturnKey = (typeof returnKeys)[number]

/**
 * Keys of which a record may have several values. It counts under each, so groups can add up to more than the total.
 */
export const manyKeys: ReadonlySet<string> = new Set(['sku', 'tag'])

/** Keys that are in order of time and not of size. */
export const timeKeys: ReadonlySet<string> = new Set(['day', 'month'])

/** The sums of a group of shipments: counts, paise, and ms from pickup to delivery over the `timed` ones. */
export const shipmentSums = ['count', 'value', 'cod', 'picked_up', 'delivered', 'rto', 'timed', 'taken'] as const

/**
 * The sums of what a group of shipments cost, cancelled ones left out: how many have a price, their freight, the
 * surcharges on it, cost and value in paise, how many have a courier and no price, and how many a price of the invented
 * sample card.
 */
export const costSums = ['priced', 'freight', 'surcharges', 'cost', 'priced_value', 'unpriced', 'invented'] as const

/**
 * What couriers billed for a group of shipments, over all kept invoices: how many they bill; billed, expected and over
 * in paise before GST; and how many parcels were picked up and no invoice bills.
 */
export const billedSums = ['billed_parcels', 'billed', 'expected', 'over', 'not_billed'] as const

/** The sums of a group of returns: counts, paise, and ms from request to delivery over the `timed` ones. */
export const returnSums = ['count', 'value', 'received', 'cancelled', 'refunded', 'timed', 'taken'] as const

export type ShipmentSums = Readonly<Record<(typeof shipmentSums)[number], number>>
export type CostSums = Readonly<Record<(typeof costSums)[number], number>>
export type BilledSums = Readonly<Record<(typeof billedSums)[number], number>>
export type ReturnSums = Readonly<Record<(typeof returnSums)[number], number>>

/** A group: the values of its one or two keys (null for records without one), and its sums. */
export interface Group<S> {
  readonly keys: readonly (string | null)[]
  readonly sums: S
}

/**
 * A part of a whole with six decimals; null where there is no whole. Four would round a percent with one decimal twice:
 * 28 of 33 would be 84.9.
 */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 1_000_000) / 1_000_000

/** Average days with two decimals; null where nothing was timed. */
export const daysOf = ({ timed, taken }: { readonly timed: number; readonly taken: number }): number | null =>
  timed === 0 ? null : Math.round((taken / timed / dayMs) * 100) / 100
