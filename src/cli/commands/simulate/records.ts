// The record of each card of a simulation: rupees with at most two decimals, before GST unless GST is asked for.
import { fill, type Commitment } from '../../../domain/rates/commitment.ts'
import {
  costAtRto,
  costParts,
  extremes,
  whole,
  wholeOf,
  type CostPart,
  type LaneSum,
  type Sum,
  type WaySums,
} from '../../../domain/rates/whatif.ts'
import { placeOf } from '../../../domain/pincodes.ts'
import type { BreakEven } from './breakeven.ts'
import type { Chances, CourierReturns } from './chances.ts'
import type { CardSums, Passed, Refused } from './pass.ts'

/** Parcels of a breakdown and what they cost. */
interface Part {
  readonly parcels: number
  readonly total: number
}

/** A lane on the first card and on this one. */
interface Lane {
  readonly from: string | null
  readonly to: string | null
  readonly city: string | null
  readonly parcels: number
  readonly before: number
  readonly after: number
  readonly difference: number
}

/** A card on the parcels that have ended. */
export interface SimulatedRecord {
  readonly card: string
  /** The parcels that have ended, and how many of them this card prices as chosen. */
  readonly parcels: number
  readonly returned: number
  readonly priced: number
  readonly as_shipped: number | null
  readonly as_shipped_parcels: number
  readonly cheapest: number | null
  readonly cheapest_parcels: number
  readonly pick: string
  readonly total: number | null
  readonly parts: Readonly<Record<CostPart, number>>
  readonly by_zone: readonly (Part & { readonly zone: string })[]
  readonly by_slab: readonly (Part & { readonly slab: number })[]
  readonly by_courier: readonly (Part & { readonly courier: string })[]
  readonly by_payment: readonly (Part & { readonly payment: string })[]
  /** Against the first card, on the parcels that both price; null for the first card itself. */
  readonly compared: {
    readonly with: string
    readonly parcels: number
    readonly before: number
    readonly after: number
    readonly difference: number
    readonly lanes_gain: readonly Lane[]
    readonly lanes_lose: readonly Lane[]
  } | null
  /** Why parcels have no price as chosen, as shipped and with any service. */
  readonly unpriced: readonly Refused[]
  readonly unpriced_as_shipped: readonly Refused[]
  readonly unpriced_cheapest: readonly Refused[]
  readonly at_rto?: AtRto
  readonly rto_by?: ByCourier
  readonly commit?: readonly Committed[]
  readonly break_even?: BreakEven
}

/** What the card would cost with another share of returns. */
interface AtRto {
  readonly rto_percent: number
  /** How many parcels each returned, and each delivered one stands for. */
  readonly weight_returned: number | null
  readonly weight_delivered: number | null
  readonly as_shipped: number | null
  readonly cheapest: number | null
  readonly total: number | null
}

interface ByCourier {
  readonly as_shipped: number | null
  readonly cheapest: number | null
  readonly couriers: readonly CourierReturns[]
  /** Couriers of the cards without a parcel of their own: they count as the average. */
  readonly unknown: readonly string[]
}

/** A commitment month by month. */
interface Committed {
  readonly courier: string
  readonly parcels: number
  readonly months: readonly {
    readonly month: string
    readonly parcels: number
    readonly lacks: number
    readonly costs: number
    readonly left: number
  }[]
}

/** What else was asked. */
export interface Questions {
  readonly pick: string
  readonly rto: number | undefined
  readonly commit: readonly Commitment[]
  readonly chances: Chances | undefined
  readonly breakEven: BreakEven | undefined
}

const rupees = (scaled: number): number => wholeOf(scaled) / 100
const costOf = ({ all }: WaySums): number | null => (all.parcels === 0 ? null : rupees(all.cost))
const parcelsIn = ({ all }: WaySums): number => all.parcels / whole

/** The records of the cards, in their order. */
export function recordsOf({ parcels, returned, cards }: Passed, questions: Questions): readonly SimulatedRecord[] {
  const base = cards[0]!.card.word
  return cards.map((sums, i) => {
    const { card, shipped, cheapest, chosen, refused } = sums
    return {
      card: card.word,
      parcels,
      returned,
      priced: parcelsIn(chosen),
      as_shipped: costOf(shipped),
      as_shipped_parcels: parcelsIn(shipped),
      cheapest: costOf(cheapest),
      cheapest_parcels: parcelsIn(cheapest),
      pick: questions.pick,
      total: costOf(chosen),
      parts: Object.fromEntries(
        costParts.map((part) => [part, rupees(chosen.parts[part])]),
      ) as SimulatedRecord['parts'],
      by_zone: partsOf(chosen.by.zone, true).map(([zone, part]) => ({ zone, ...part })),
      by_slab: partsOf(chosen.by.slab, true).map(([slab, part]) => ({ slab: Number(slab), ...part })),
      by_courier: partsOf(chosen.by.courier, false).map(([courier, part]) => ({ courier, ...part })),
      by_payment: partsOf(chosen.by.payment, true).map(([payment, part]) => ({ payment, ...part })),
      compared: i === 0 ? null : comparedOf(base, sums),
      unpriced: listed(refused.chosen),
      unpriced_as_shipped: listed(refused.shipped),
      unpriced_cheapest: listed(refused.cheapest),
      ...(questions.rto === undefined ? {} : { at_rto: atRto(sums, questions.rto) }),
      ...(questions.chances === undefined ? {} : { rto_by: byCourier(sums, questions.chances) }),
      ...(questions.commit.length === 0 ? {} : { commit: committed(sums, questions.commit) }),
      ...(questions.breakEven === undefined || i === 0 ? {} : { break_even: questions.breakEven }),
    }
  })
}

const listed = (refused: ReadonlyMap<string, Refused>): readonly Refused[] =>
  [...refused.values()].toSorted((a, b) => b.parcels - a.parcels || (a.reason < b.reason ? -1 : 1))

/** The parts of a breakdown: by their keys, or the dearest first. */
function partsOf(sums: ReadonlyMap<string, Sum>, byKey: boolean): readonly (readonly [string, Part])[] {
  const numbers = [...sums.keys()].every((key) => /^\d+(\.\d+)?$/.test(key))
  const inOrder = (a: string, b: string): number => (numbers ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0)
  return [...sums]
    .toSorted(([a, x], [b, y]) => (byKey ? 0 : y.cost - x.cost) || inOrder(a, b))
    .map(([key, { parcels, cost }]) => [key, { parcels: wholeOf(parcels), total: rupees(cost) }])
}

function comparedOf(base: string, { compared }: CardSums): SimulatedRecord['compared'] {
  const [lose, gain] = extremes(compared, 10)
  const { parcels, before, after } = compared
  return {
    with: base,
    parcels,
    before: rupees(before),
    after: rupees(after),
    difference: wholeDifference(before, after),
    lanes_gain: gain.map(laneOf),
    lanes_lose: lose.map(laneOf),
  }
}

/** The difference of two amounts as they are printed. */
const wholeDifference = (before: number, after: number): number => (wholeOf(after) - wholeOf(before)) / 100

const laneOf = ({ from, to, parcels, before, after }: LaneSum): Lane => ({
  from,
  to,
  city: to === null ? null : (placeOf(to)?.city ?? null),
  parcels,
  before: rupees(before),
  after: rupees(after),
  difference: wholeDifference(before, after),
})

function atRto({ shipped, cheapest, chosen }: CardSums, percent: number): AtRto {
  const at = (sums: WaySums): number | null => {
    const cost = costAtRto(sums, percent)
    return cost === undefined ? null : cost / 100
  }
  const weight = (sum: Sum, share: number): number | null =>
    sum.parcels === 0 ? null : Math.round((share * chosen.all.parcels * 100) / sum.parcels) / 10_000
  return {
    rto_percent: percent,
    weight_returned: weight(chosen.returned, percent),
    weight_delivered: weight(chosen.delivered, 100 - percent),
    as_shipped: at(shipped),
    cheapest: at(cheapest),
    total: at(chosen),
  }
}

const byCourier = ({ expected }: CardSums, { couriers, unknown }: Chances): ByCourier => ({
  as_shipped: costOf(expected!.shipped),
  cheapest: costOf(expected!.cheapest),
  couriers: couriers.map(({ courier, standardised_percent, account_percent }) => ({
    courier,
    standardised_percent,
    account_percent,
  })),
  unknown: unknown(),
})

const committed = ({ months }: CardSums, commitments: readonly Commitment[]): readonly Committed[] =>
  commitments.map(({ courier, parcels }, i) => ({
    courier,
    parcels,
    months: [...months[i]!]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([month, sums]) => {
        const { given, lacks, cost, left } = fill(sums, parcels, whole)
        return { month, parcels: given, lacks, costs: rupees(cost), left }
      }),
  }))
