// Small rate cards whose prices are worked out by hand, the parcels that go on them, and what a quote says of one.
import { expect } from 'vitest'
import { writtenWeight } from '../../src/domain/rates/cardcells.ts'
import { RateCard } from '../../src/domain/rates/cardschema.ts'
import type { Band, Service } from '../../src/domain/rates/ratecard.ts'
import type { Offer } from '../../src/domain/rates/pricing.ts'
import { quote, type Quote, type RateRequest } from '../../src/domain/rates/rates.ts'
import { zones, type Zone } from '../../src/domain/rates/zones.ts'

/** Monday 23 November 2026, 10:00 in India. */
export const monday = Date.parse('2026-11-23T10:00:00+05:30')

/** Two pincodes of each zone. */
// prettier-ignore
export const lanes: Readonly<Record<Zone, readonly [from: string, to: string]>> = {
  zone_a: ['110001', '122001'],
  zone_b: ['400001', '411001'],
  zone_c: ['400001', '560001'],
  zone_d: ['110001', '302001'],
  zone_e: ['110001', '781001'],
}

/** A prepaid parcel of zone_c, so small that its dead weight counts. */
export function parcel(over: Partial<RateRequest> = {}, zone: Zone = 'zone_c'): RateRequest {
  return {
    journey_type: 'forward',
    origin_pincode: lanes[zone][0],
    destination_pincode: lanes[zone][1],
    dead_weight: 500,
    length: 1,
    width: 1,
    height: 1,
    payment_method: 'prepaid',
    ...over,
  }
}

/** A return of the same small parcel, Bengaluru to Mumbai (zone_c). */
export const returned = (over: Partial<RateRequest> = {}): RateRequest => ({
  journey_type: 'return',
  origin_pincode: '560001',
  destination_pincode: '400001',
  dead_weight: 500,
  length: 1,
  width: 1,
  height: 1,
  ...over,
})

/** The same shape for each zone, by its place: 0 is zone_a. */
export const perZone = <T>(make: (index: number) => T): Record<Zone, T> =>
  Object.fromEntries(zones.map((zone, i) => [zone, make(i)])) as Record<Zone, T>

/** A tariff in rupees: a first price and a step for each 500 g, above 5 kg twice the step for each kilogram. */
export const bands = (first: number, step: number): Band[] => [
  { up_to: 5000, first_weight: 500, first_price: first, step_weight: 500, step_price: step },
  { up_to: null, first_weight: 5000, first_price: first + 9 * step, step_weight: 1000, step_price: 2 * step },
]

/** 30 + 20, 40 + 25, 50 + 35, 60 + 40, 70 + 50 rupees for each 500 g; above 5 kg twice the step for each kilogram. */
// prettier-ignore
const prices: readonly (readonly [first: number, step: number])[] = [[30, 20], [40, 25], [50, 35], [60, 40], [70, 50]]

/** A service that takes everything up to 30 kg in three days, with what a test changes. */
export function service(over: Partial<Service> = {}): Service {
  return {
    carrier_id: 'CAR-1',
    carrier_name: 'One',
    carrier_code: 'one',
    service_level: 'standard',
    is_fast: false,
    is_prime: true,
    divisor: 5000,
    min_weight: 0.01,
    max_weight: 30_000,
    max_side: null,
    forward: perZone((i) => bands(...prices[i]!)),
    return: perZone((i) => bands(...prices[i]!)),
    cod: { available: true, fixed: 30, percent: 2, rule: 'max', max_value: null },
    rto: { percent: 100 },
    qc: { available: true, price: 10 },
    platform_fee: 0,
    transit_days: { forward: perZone(() => 3), return: perZone(() => 3) },
    pickup_cutoff: '14:00',
    working_days: [1, 2, 3, 4, 5, 6],
    serviceability: {},
    ...over,
  }
}

/** A card of these services that passes the schema of cards, as it is written. */
export function cardOf(services: readonly Service[], over: Partial<RateCard> = {}): RateCard {
  const card: RateCard = {
    name: 'small',
    currency: 'INR',
    valid_from: null,
    valid_to: null,
    gst_percent: 18,
    holidays: [],
    zones: {},
    services: [...services],
    ...over,
  }
  const written: unknown = JSON.parse(JSON.stringify(card, writtenWeight))
  expect(RateCard.safeParse(written).error).toBeUndefined()
  return card
}

/** The quote of one service on a card of its own. */
export function found(
  request: RateRequest,
  over: Partial<Service> = {},
  card: Partial<RateCard> = {},
  now = monday,
): Quote {
  return quote(request, cardOf([service(over)], card), now)
}

/** The offer of that service, which must make one. */
export function offerOf(
  request: RateRequest,
  over: Partial<Service> = {},
  card: Partial<RateCard> = {},
  now = monday,
): Offer {
  const { offers, refusals } = found(request, over, card, now)
  expect(refusals).toEqual([])
  return offers[0]!
}

/** Why that service makes no offer. */
export function refusalOf(request: RateRequest, over: Partial<Service> = {}, card: Partial<RateCard> = {}): string {
  const { offers, refusals } = found(request, over, card)
  expect(offers).toEqual([])
  return refusals[0]!.reason
}

/** What each offer costs, in its order: paise, so that nothing is hidden by rounding. */
export const summary = ({ offers }: Quote) =>
  offers.map((offer) => [
    offer.service.carrier_name,
    offer.freight,
    offer.cod,
    offer.qc,
    offer.rto,
    offer.total,
    offer.fee,
    offer.delivery,
  ])

/** Who makes no offer, and why. */
export const reasons = ({ refusals }: Quote) =>
  refusals.map(({ service: { carrier_name }, reason }) => [carrier_name, reason])
