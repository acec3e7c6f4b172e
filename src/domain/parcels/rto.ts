// How parcels end, delivered or returned to origin: the keys, sums and figures of `shipx shipments rto`
// (docs/guides/returns.md). Percentages are exact to two decimals, half-up; amounts are integer paise before GST.
import { shipmentKeys, type ShipmentKey } from './summary.ts'

/** Keys of summaries that say how a parcel ended, or that only one parcel has. */
const left: ReadonlySet<ShipmentKey> = new Set([
  'status',
  'granular_status',
  'awb',
  'order',
  'ndr_reason',
  'rto_reason',
])

/** What outcomes are counted by; `all` is one group, and a week is named by its Monday in IST. */
export const rtoKeys = [
  'all',
  'week',
  ...shipmentKeys.filter((key) => !left.has(key) && key !== 'attempts'),
] as const satisfies readonly (ShipmentKey | 'all' | 'week')[]
export type RtoKey = ShipmentKey | 'all' | 'week'

/** With fewer settled parcels, a share means little. */
export const fewSettled = 30

/** The sums of a group: counts of parcels. */
export interface OutcomeSums {
  readonly orders: number
  readonly picked_up: number
  readonly delivered: number
  /** Back, on the way back or lost on it, and not delivered. */
  readonly rto: number
  /** Delivered by the first attempt; and delivered by an unknown number of attempts. */
  readonly first_attempt: number
  readonly uncounted: number
  /** With a failed attempt; and delivered after it. */
  readonly ndr: number
  readonly ndr_recovered: number
  /** The value of the delivered and of the returned parcels, paise; 0 where nobody asks for it. */
  readonly delivered_value: number
  readonly rto_value: number
}

/** What the returned parcels of a group cost: paise, and how many of them have a cost by what. */
export interface RtoCosts {
  readonly rto_cost: number
  readonly rto_billed: number
  readonly rto_by_card: number
  readonly rto_unpriced: number
  /** How many have a price of the invented sample card. */
  readonly invented: number
}

export const noOutcomes: OutcomeSums = {
  orders: 0,
  picked_up: 0,
  delivered: 0,
  rto: 0,
  first_attempt: 0,
  uncounted: 0,
  ndr: 0,
  ndr_recovered: 0,
  delivered_value: 0,
  rto_value: 0,
}
export const noRtoCosts: RtoCosts = { rto_cost: 0, rto_billed: 0, rto_by_card: 0, rto_unpriced: 0, invented: 0 }

/** A part of a whole in percent with two decimals, half-up; null where there is no whole. */
export const percentIn = (part: number, whole: number): number | null =>
  whole === 0 ? null : hundredthsIn(BigInt(part), BigInt(whole)) / 100

/** A part of a whole in hundredths of a percent, half-up. Both are at least 0, and the whole is more. */
export const hundredthsIn = (part: bigint, whole: bigint): number => Number((part * 20_000n + whole) / (2n * whole))

/** A part of a whole in percent with one decimal, half-up; null where there is no whole. */
export const shortPercentIn = (part: number, whole: number): number | null =>
  whole === 0 ? null : Number((BigInt(part) * 2000n + BigInt(whole)) / (2n * BigInt(whole))) / 10

/** The normal distribution's 97.5 % point: 95 % lie within it on both sides. */
const z = 1.959963984540054

/**
 * The Wilson interval of a share at 95 %, from 0 to 1 (E. B. Wilson, 1927): where the true share is by the chance that
 * a sample of this size has.
 */
export function wilson(part: number, whole: number): readonly [low: number, high: number] {
  const share = part / whole
  const z2 = z * z
  const middle = share + z2 / (2 * whole)
  const spread = z * Math.sqrt((share * (1 - share)) / whole + z2 / (4 * whole * whole))
  const scale = 1 + z2 / whole
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}

/** A share from 0 to 1 as percent with two decimals. */
export const percentOfShare = (share: number): number => Math.round(share * 10_000) / 100

/** The figures of a group: percentages from 0 to 100, rupees before GST; null where there is nothing to divide by. */
export interface RtoFigures {
  readonly orders: number
  readonly picked_up: number
  readonly delivered: number
  readonly rto: number
  readonly settled: number
  /** Of those picked up. */
  readonly settled_percent: number | null
  readonly rto_percent: number | null
  readonly rto_percent_of_picked_up: number | null
  readonly first_attempt_percent: number | null
  readonly ndr_percent: number | null
  readonly ndr_recovered_percent: number | null
  /** Null where none of the returned parcels has a cost. */
  readonly rto_cost: number | null
  /** `invoices`, `card`, or `both`; null without a cost. */
  readonly cost_by: 'invoices' | 'card' | 'both' | null
  /** Returned parcels whose cost is not known, which `rto_cost` leaves out. */
  readonly rto_unpriced: number
  readonly low: number | null
  readonly high: number | null
  readonly few: boolean
}

/** The figures of a group (docs/guides/returns.md says what each is of). */
export function rtoFigures(sums: OutcomeSums, costs: RtoCosts): RtoFigures {
  const { orders, picked_up, delivered, rto, first_attempt: first, uncounted, ndr, ndr_recovered } = sums
  const settled = delivered + rto
  const counted = settled - uncounted
  const range = settled === 0 ? undefined : wilson(rto, settled)
  const { rto_cost: cost, rto_billed: billed, rto_by_card: byCard, rto_unpriced } = costs
  const by = billed === 0 ? (byCard === 0 ? null : 'card') : byCard === 0 ? 'invoices' : 'both'
  return {
    orders,
    picked_up,
    delivered,
    rto,
    settled,
    settled_percent: percentIn(settled, picked_up),
    rto_percent: percentIn(rto, settled),
    rto_percent_of_picked_up: percentIn(rto, picked_up),
    first_attempt_percent: delivered > 0 && delivered === uncounted ? null : percentIn(first, counted),
    ndr_percent: percentIn(ndr, picked_up),
    ndr_recovered_percent: percentIn(ndr_recovered, ndr),
    rto_cost: by === null && rto > 0 ? null : cost / 100,
    cost_by: by,
    rto_unpriced,
    low: range === undefined ? null : percentOfShare(range[0]),
    high: range === undefined ? null : percentOfShare(range[1]),
    few: settled < fewSettled,
  }
}
