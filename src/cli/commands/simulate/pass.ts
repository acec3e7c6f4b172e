// One pass over the parcels that have ended: what each would have cost on each card, as it ended.
import sql from 'sql-template-tag'
import type { Query } from '../../../domain/contract.ts'
import { monthOf, type Commitment, type CommittedMonths } from '../../../domain/rates/commitment.ts'
import { isCourier } from '../../../domain/rates/pick.ts'
import { byPrice, type ReadyService } from '../../../domain/rates/pricing.ts'
import {
  addCompared,
  addParcel,
  costOfShares,
  costTotal,
  nothingCompared,
  outcomeCost,
  waySums,
  whole,
  type Compared,
  type Share,
  type WaySums,
} from '../../../domain/rates/whatif.ts'
import { istDate } from '../../../domain/time.ts'
import { parcelsAfter, type SavedParcel } from '../../../engine/orders/parcelrows.ts'
import {
  notOnCard,
  recordOffers,
  type PricedParcel,
  type RecordOffer,
  type Unpriced,
  type UnpricedReason,
} from '../../../engine/orders/recordprice.ts'
import { cameBack } from '../../../engine/records/outcomes.ts'
import { truth } from '../../../engine/records/measures.ts'
import type { Engine } from '../../source/engine.ts'
import { placeOf } from '../../source/source.ts'
import type { SimulatedCard } from './cards.ts'
import type { Way } from './options.ts'
import type { Chances } from './chances.ts'

/** Parcels that are read at once. */
const piece = 1000

/** A parcel that has ended. */
export interface EndedParcel extends SavedParcel {
  readonly back: number
  readonly order_name: string | null
}

/** Why parcels have no price: the reason, how many, and the first of them. */
export interface Refused {
  readonly reason: UnpricedReason | 'no_courier'
  parcels: number
  readonly example: string
  readonly why: string | null
}

/** The sums of a card. */
export interface CardSums {
  readonly card: SimulatedCard
  readonly shipped: WaySums
  readonly cheapest: WaySums
  /** By the way that was asked for, with its breakdowns. */
  readonly chosen: WaySums
  readonly refused: {
    readonly shipped: Map<string, Refused>
    readonly cheapest: Map<string, Refused>
    readonly chosen: Map<string, Refused>
  }
  /** Against the first card. */
  readonly compared: Compared
  readonly months: readonly CommittedMonths[]
  /** What is likely by each courier's own RTO, where that is asked for. */
  readonly expected: { readonly shipped: WaySums; readonly cheapest: WaySums } | undefined
}

/** What a pass is to find out. */
export interface Asking {
  readonly cards: readonly SimulatedCard[]
  readonly way: Way
  /** Whether GST is added. */
  readonly gst: boolean
  readonly commit: readonly Commitment[]
  readonly chances: Chances | undefined
  /** Whether the cheapest service is wanted when the way does not need it. */
  readonly total: 'all' | 'chosen'
}

/** What a parcel costs on a card. */
export interface Answered {
  readonly shipped: Share | Unpriced
  readonly cheapest: Share | Refusal
  /** The shares of the way that was asked for. */
  readonly chosen: readonly Share[] | Refusal
}
export interface Refusal {
  readonly reason: Refused['reason']
  readonly why?: string
}

/** A parcel with its cost on each card. */
export type OnParcel = (row: EndedParcel, from: string | undefined, answers: readonly Answered[]) => void

export interface Passed {
  readonly parcels: number
  readonly returned: number
  readonly cards: readonly CardSums[]
}

/** The parcels of an account that match and have ended, in batches; `stopped` is asked before each. */
export async function* endedParcels(
  engine: Engine,
  input: Query,
  stopped: () => boolean,
): AsyncGenerator<readonly EndedParcel[]> {
  const scope = placeOf(engine)
  const walk = {
    scope,
    input,
    only: sql`(r.status = 'delivered' or (${cameBack}))`,
    columns: sql`, ${truth(cameBack)} as back, r.order_display_id as order_name`,
  }
  for (let after = 0; !stopped();) {
    const from = after
    const found = await engine.database.read(() => parcelsAfter<EndedParcel>(walk, from, piece))
    if (found.length > 0) yield found
    if (found.length < piece) return
    after = found.at(-1)!.seq
    // Lets signals in: SQLite answers synchronously.
    await new Promise(setImmediate)
  }
}

const sumsOf = (card: SimulatedCard, { commit, chances }: Asking): CardSums => ({
  card,
  shipped: waySums(),
  cheapest: waySums(),
  chosen: waySums(),
  refused: { shipped: new Map(), cheapest: new Map(), chosen: new Map() },
  compared: nothingCompared(),
  months: commit.map(() => new Map()),
  expected: chances && { shipped: waySums(), cheapest: waySums() },
})

/** Adds up parcels, a batch at a time. */
export interface Adding {
  readonly add: (rows: readonly EndedParcel[]) => void
  readonly passed: () => Passed
}

/** Sums of no parcel yet; `onParcel` hears of each. */
export function adding(asking: Asking, warehouses: ReadonlyMap<string, string>, onParcel?: OnParcel): Adding {
  const { cards, way, commit, chances } = asking
  const sums = cards.map((card) => sumsOf(card, asking))
  const offers = cards.map(({ versions }) => recordOffers(versions, warehouses))
  let [parcels, returned] = [0, 0]
  const one = (row: EndedParcel): void => {
    const back = row.back === 1
    parcels++
    if (back) returned++
    const payment = row.is_cod === 1 ? 'cod' : row.is_cod === 0 ? 'prepaid' : '-'
    const answers: Answered[] = []
    let [first, from]: [number | undefined, string | undefined] = [undefined, undefined]
    for (const [i, offersOf] of offers.entries()) {
      const own = sums[i]!
      const parcel = offersOf(row, 'any')
      const answer = 'reason' in parcel ? refusedAll(parcel) : answerOf(parcel, row, back, asking)
      if (!('reason' in parcel)) from = parcel.from
      answers.push(answer)
      count(own, row, answer, back, payment)
      const total = 'reason' in answer.chosen ? undefined : costOfShares(answer.chosen)
      if (i === 0) first = total
      else if (first !== undefined && total !== undefined)
        addCompared(own.compared, from ?? null, row.pincode, first, total)
      if (!('reason' in parcel)) {
        for (const [n, { courier }] of commit.entries())
          addCommitted(own.months[n]!, courier, parcel, row, answer, back, asking)
        if (chances !== undefined) addExpected(own, parcel, row, chances, asking.gst)
      }
    }
    onParcel?.(row, from, answers)
  }
  return {
    add: (rows) => {
      for (const row of rows) one(row)
    },
    passed: () => ({ parcels, returned, cards: sums }),
  }

  function answerOf(parcel: PricedParcel, row: EndedParcel, back: boolean, { gst, total }: Asking): Answered {
    const percent = gst ? parcel.card.gst_percent : 0
    const { own } = parcel
    const made = own === undefined ? notOnCard(row, parcel.card) : parcel.offer(own, back)
    const shipped = 'reason' in made ? made : shareOf(made, percent)
    if (way.name === 'as-shipped' && total === 'chosen')
      return { shipped, cheapest: nobody, chosen: 'reason' in shipped ? shipped : [shipped] }
    const all = parcel.services.map((service) => (service === own ? made : parcel.offer(service, back)))
    const cheapest = cheapestOf(all, percent)
    return { shipped, cheapest, chosen: chosenOf(way, shipped, cheapest, all, percent) }
  }
}

const nobody: Refusal = { reason: 'no_courier' }

const refusedAll = (why: Unpriced): Answered => ({ shipped: why, cheapest: why, chosen: why })

function shareOf({ offer }: RecordOffer, percent: number): Share {
  const { service, zone, slab } = offer
  return { weight: whole, cost: outcomeCost(offer, percent), courier: service.carrier_name, zone: zone.name, slab }
}

/** The service that costs the least with what happened; of equal ones the first of the card. */
function cheapestOf(all: readonly (RecordOffer | Unpriced)[], percent: number): Share | Refusal {
  let best: RecordOffer | undefined
  let why: string | undefined
  for (const made of all) {
    if ('reason' in made) why ??= made.why
    else if (best === undefined || made.offer.total < best.offer.total) best = made
  }
  return best === undefined ? { reason: 'no_courier', ...(why === undefined ? {} : { why }) } : shareOf(best, percent)
}

function chosenOf(
  way: Way,
  shipped: Share | Unpriced,
  cheapest: Share | Refusal,
  all: readonly (RecordOffer | Unpriced)[],
  percent: number,
): readonly Share[] | Refusal {
  if (way.name === 'as-shipped' || way.name === 'cheapest') {
    const only = way.name === 'cheapest' ? cheapest : shipped
    return 'reason' in only ? only : [only]
  }
  const offers = all.flatMap((made) => ('reason' in made ? [] : [made.offer])).toSorted(byPrice)
  if (way.name === 'pick') {
    const offer = way.pick(offers)
    const only = `none of ${way.words.join(', ')} takes it`
    return offer === undefined ? { reason: 'no_courier', why: only } : [shareOf({ offer, zone_by: 'card' }, percent)]
  }
  const shares: Share[] = []
  for (const { courier, percent: part } of way.shares) {
    const offer = offers.find(({ service }) => isCourier(service, courier))
    if (offer === undefined) return { reason: 'no_courier', why: `${courier} of the mix does not take it` }
    if (part > 0) shares.push({ ...shareOf({ offer, zone_by: 'card' }, percent), weight: part * 100 })
  }
  return shares
}

/** Counts the answer of a card for a parcel in its sums. */
function count(sums: CardSums, row: EndedParcel, answer: Answered, back: boolean, payment: string): void {
  const { shipped, cheapest, chosen } = answer
  if ('reason' in shipped) refuse(sums.refused.shipped, shipped, row)
  else addParcel(sums.shipped, [shipped], back, undefined)
  if ('reason' in cheapest) refuse(sums.refused.cheapest, cheapest, row)
  else addParcel(sums.cheapest, [cheapest], back, undefined)
  if ('reason' in chosen) refuse(sums.refused.chosen, chosen, row)
  else addParcel(sums.chosen, chosen, back, payment)
}

function refuse(refused: Map<string, Refused>, { reason, why = undefined }: Refusal, row: EndedParcel): void {
  const known = refused.get(reason)
  if (known !== undefined) known.parcels++
  else refused.set(reason, { reason, parcels: 1, example: row.tracking_number ?? row.id, why: why ?? null })
}

/** Counts a parcel in the month of a commitment: it is the courier's, or it would cost so much more with it. */
function addCommitted(
  months: CommittedMonths,
  courier: string,
  parcel: PricedParcel,
  row: EndedParcel,
  { chosen }: Answered,
  back: boolean,
  { gst }: Asking,
): void {
  if ('reason' in chosen) return
  const month = monthOf(months, istDate(row.day_at!).slice(0, 7))
  const named = parcel.services.filter(({ service }) => isCourier(service, courier))
  if (named.some(({ service }) => service.carrier_name === chosen[0]!.courier)) {
    month.given += whole
    return
  }
  const best = cheapestOf(
    named.map((service) => parcel.offer(service, back)),
    gst ? parcel.card.gst_percent : 0,
  )
  if ('reason' in best) return
  const more = whole * costTotal(best.cost) - costOfShares(chosen)
  month.more.set(more, (month.more.get(more) ?? 0) + 1)
}

/** Adds what a parcel costs with the chance that each courier returns it. */
function addExpected(sums: CardSums, parcel: PricedParcel, row: EndedParcel, chances: Chances, gst: boolean): void {
  const percent = gst ? parcel.card.gst_percent : 0
  const likely = (service: ReadyService): readonly Share[] | undefined => {
    const [out, home] = [parcel.offer(service, false), parcel.offer(service, true)]
    if ('reason' in out || 'reason' in home) return undefined
    const chance = chances.of(service.service, row)
    return [
      { ...shareOf(out, percent), weight: whole - chance },
      { ...shareOf(home, percent), weight: chance },
    ]
  }
  const own = parcel.own === undefined ? undefined : likely(parcel.own)
  if (own !== undefined) addParcel(sums.expected!.shipped, own, false, undefined)
  let best: readonly Share[] | undefined
  for (const service of parcel.services) {
    const shares = likely(service)
    if (shares !== undefined && (best === undefined || costOfShares(shares) < costOfShares(best))) best = shares
  }
  if (best !== undefined) addParcel(sums.expected!.cheapest, best, false, undefined)
}
