// What parcels that have ended would have cost on a card: the sums of `shipx ratecard simulate`
// (docs/guides/whatif.md).
// Amounts are integer paise; sums of shares of parcels are exact in ten-thousandths of a paisa.
import { percentOf } from '../money.ts'
import type { Offer } from './pricing.ts'

/** What a parcel costs by its outcome, paise: the forward freight with surcharges, the way back, the COD fee, GST. */
export interface OutcomeCost {
  readonly freight: number
  readonly rto: number
  readonly cod: number
  readonly gst: number
}
export const costParts = ['freight', 'rto', 'cod', 'gst'] as const
export type CostPart = (typeof costParts)[number]

/** The cost of an offer for a parcel as it ended; `gst` is a percentage to add, 0 for none. */
export function outcomeCost({ freight, surcharges, rto, cod, parcel }: Offer, gst: number): OutcomeCost {
  const parts = { freight: freight + surcharges, rto: parcel.back === true ? rto : 0, cod, gst: 0 }
  return gst === 0 ? parts : { ...parts, gst: percentOf(parts.freight + parts.rto + parts.cod, gst) }
}

export const costTotal = ({ freight, rto, cod, gst }: OutcomeCost): number => freight + rto + cod + gst

/** A whole parcel in shares. */
export const whole = 10_000

/** A part of a parcel that goes with a service, in ten-thousandths of it. */
export interface Share {
  readonly weight: number
  readonly cost: OutcomeCost
  readonly courier: string
  readonly zone: string
  /** The end of its slab, grams. */
  readonly slab: number
}

/** Parcels and what they cost: counts and paise in ten-thousandths. */
export interface Sum {
  parcels: number
  cost: number
}

/** An exact sum as whole paise (or parcels), half-up, the same below zero. */
export function wholeOf(scaled: number): number {
  const rounded = Math.floor((2 * Math.abs(scaled) + whole) / (2 * whole))
  return scaled < 0 ? -rounded : rounded
}

/** The sums of one way to choose a service for each parcel. */
export interface WaySums {
  readonly all: Sum
  readonly delivered: Sum
  readonly returned: Sum
  readonly parts: Record<CostPart, number>
  readonly by: Readonly<Record<Breakdown, Map<string, Sum>>>
}
export type Breakdown = 'zone' | 'slab' | 'courier' | 'payment'

export const waySums = (): WaySums => ({
  all: { parcels: 0, cost: 0 },
  delivered: { parcels: 0, cost: 0 },
  returned: { parcels: 0, cost: 0 },
  parts: { freight: 0, rto: 0, cod: 0, gst: 0 },
  by: { zone: new Map(), slab: new Map(), courier: new Map(), payment: new Map() },
})

/** Adds to the sum of a key. */
export function addTo(sums: Map<string, Sum>, key: string, parcels: number, cost: number): void {
  const sum = sums.get(key)
  if (sum === undefined) sums.set(key, { parcels, cost })
  else {
    sum.parcels += parcels
    sum.cost += cost
  }
}

/** The cost of a parcel that goes in these shares, in ten-thousandths of a paisa. */
export const costOfShares = (shares: readonly Share[]): number =>
  shares.reduce((sum, { weight, cost }) => sum + weight * costTotal(cost), 0)

/** Adds a parcel that goes in these shares, also to the breakdowns where its payment is named. */
export function addParcel(sums: WaySums, shares: readonly Share[], back: boolean, payment: string | undefined): number {
  let total = 0
  for (const { weight, cost, courier, zone, slab } of shares) {
    const own = weight * costTotal(cost)
    total += own
    if (payment === undefined) continue
    for (const part of costParts) sums.parts[part] += weight * cost[part]
    addTo(sums.by.zone, zone, weight, own)
    addTo(sums.by.slab, String(slab), weight, own)
    addTo(sums.by.courier, courier, weight, own)
    addTo(sums.by.payment, payment, weight, own)
  }
  sums.all.parcels += whole
  sums.all.cost += total
  const ended = back ? sums.returned : sums.delivered
  ended.parcels += whole
  ended.cost += total
  return total
}

/**
 * What parcels would have cost with another share of returns, paise: those that came back stand for that share of all,
 * and those that were delivered for the rest. Undefined where no parcel stands for a share that is not 0.
 */
export function costAtRto({ all, delivered, returned }: WaySums, percent: number): number | undefined {
  // The percentage has at most four decimals.
  const back = BigInt(Math.round(percent * 10_000))
  const out = 1_000_000n - back
  const n = BigInt(all.parcels / whole)
  const average = ({ parcels, cost }: Sum, share: bigint): readonly [bigint, bigint] | undefined => {
    if (share === 0n) return [0n, 1n]
    if (parcels === 0) return undefined
    return [share * n * BigInt(cost), BigInt(parcels / whole)]
  }
  const [there, home] = [average(delivered, out), average(returned, back)]
  if (there === undefined || home === undefined) return undefined
  const scale = 1_000_000n * BigInt(whole)
  const part = there[0] * home[1] + home[0] * there[1]
  const all1 = there[1] * home[1] * scale
  return Number((2n * part + all1) / (2n * all1))
}

/** A lane: the parcels of a pair of pincodes on both cards. */
export interface LaneSum {
  readonly from: string | null
  readonly to: string | null
  parcels: number
  before: number
  after: number
}

/** Two cards on the parcels that both price. */
export interface Compared {
  parcels: number
  before: number
  after: number
  readonly lanes: Map<string, LaneSum>
}

export const nothingCompared = (): Compared => ({ parcels: 0, before: 0, after: 0, lanes: new Map() })

/** Adds a parcel that costs this much on each card, in ten-thousandths of a paisa. */
export function addCompared(
  sums: Compared,
  from: string | null,
  to: string | null,
  before: number,
  after: number,
): void {
  sums.parcels++
  sums.before += before
  sums.after += after
  const key = `${from ?? ''}>${to ?? ''}`
  const lane = sums.lanes.get(key)
  if (lane === undefined) sums.lanes.set(key, { from, to, parcels: 1, before, after })
  else {
    lane.parcels++
    lane.before += before
    lane.after += after
  }
}

/** The lanes that cost the most more, and the most less; at most `most` of each. */
export function extremes(
  { lanes }: Compared,
  most: number,
): readonly [lose: readonly LaneSum[], gain: readonly LaneSum[]] {
  const change = ({ before, after }: LaneSum): number => after - before
  const name = ({ from, to }: LaneSum): string => `${from ?? ''}>${to ?? ''}`
  const ordered = [...lanes.values()].toSorted((a, b) => change(b) - change(a) || (name(a) < name(b) ? -1 : 1))
  return [
    ordered.filter((lane) => change(lane) > 0).slice(0, most),
    ordered
      .filter((lane) => change(lane) < 0)
      .slice(-most)
      .toReversed(),
  ]
}
