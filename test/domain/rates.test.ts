// What a quote promises: every rupee, date, order, key and refusal as the card says, and no request taken that breaks a rule.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explanation, explanationText } from '../../src/cli/commands/rates/explain.ts'
import type { Screen } from '../../src/cli/terminal/screen.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { everyPincode } from '../../src/domain/pincodes.ts'
import { RateCard } from '../../src/domain/rates/cardschema.ts'
import { cardFaults, type Band, type Service } from '../../src/domain/rates/ratecard.ts'
import type { Offer } from '../../src/domain/rates/pricing.ts'
import { quote, RateAnswer, rateAnswer, type Quote, type RateRequest } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { zones, type Zone } from '../../src/domain/rates/zones.ts'
import { rateRequest, returnRateRequest } from '../support/requests.ts'
import { runs } from '../support/size.ts'
import { root } from '../support/checkout.ts'

/** Monday 23 November 2026, 10:00 in India. */
const monday = Date.parse('2026-11-23T10:00:00+05:30')

// prettier-ignore
const lanes: Readonly<Record<Zone, readonly [from: string, to: string]>> = {
  zone_a: ['110001', '122001'],
  zone_b: ['400001', '411001'],
  zone_c: ['400001', '560001'],
  zone_d: ['110001', '302001'],
  zone_e: ['110001', '781001'],
}

/** A prepaid parcel of zone_c, so small that its dead weight counts. */
function parcel(over: Partial<RateRequest> = {}, zone: Zone = 'zone_c'): RateRequest {
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

const returned = (over: Partial<RateRequest> = {}): RateRequest => ({
  journey_type: 'return',
  origin_pincode: '560001',
  destination_pincode: '400001',
  dead_weight: 500,
  length: 1,
  width: 1,
  height: 1,
  ...over,
})

const perZone = <T>(make: (index: number) => T): Record<Zone, T> =>
  Object.fromEntries(zones.map((zone, i) => [zone, make(i)])) as Record<Zone, T>

const bands = (first: number, step: number): Band[] => [
  { up_to: 5000, first_weight: 500, first_price: first, step_weight: 500, step_price: step },
  { up_to: null, first_weight: 5000, first_price: first + 9 * step, step_weight: 1000, step_price: 2 * step },
]

/** 30 + 20, 40 + 25, 50 + 35, 60 + 40, 70 + 50 rupees for each 500 g; above 5 kg twice the step for each kilogram. */
// prettier-ignore
const prices: readonly (readonly [first: number, step: number])[] = [[30, 20], [40, 25], [50, 35], [60, 40], [70, 50]]

function service(over: Partial<Service> = {}): Service {
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

function cardOf(services: readonly Service[], over: Partial<RateCard> = {}): RateCard {
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
  expect(RateCard.safeParse(card).error).toBeUndefined()
  return card
}

function found(request: RateRequest, over: Partial<Service> = {}, card: Partial<RateCard> = {}, now = monday): Quote {
  return quote(request, cardOf([service(over)], card), now)
}

function offerOf(request: RateRequest, over: Partial<Service> = {}, card: Partial<RateCard> = {}, now = monday): Offer {
  const { offers, refusals } = found(request, over, card, now)
  expect(refusals).toEqual([])
  return offers[0]!
}

function refusalOf(request: RateRequest, over: Partial<Service> = {}, card: Partial<RateCard> = {}): string {
  const { offers, refusals } = found(request, over, card)
  expect(offers).toEqual([])
  return refusals[0]!.reason
}

/** `freight 82.00, cod …` of each offer in its order: paise, so that nothing is hidden by rounding. */
const summary = ({ offers }: Quote) =>
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

const reasons = ({ refusals }: Quote) => refusals.map(({ service: { carrier_name }, reason }) => [carrier_name, reason])

describe('the sample card', () => {
  const sides = { length: 20, width: 15, height: 10 }
  const quoted = (over: Partial<RateRequest>) => quote(parcel({ ...sides, ...over }), sampleCard, monday)

  test('gives 500 g of 20x15x10, prepaid, 400001 to 560001 its prices, worked out by hand', () => {
    const result = quoted({})
    expect([result.zone.zone, result.volumetric, result.applicable]).toEqual(['zone_c', 600, 600])
    // prettier-ignore
    expect(summary(result)).toEqual([
      ['Peepal Post',       4100, 0, 0,  4100,  4100,  300, '2026-11-28'],
      ['BlueLine Surface',  7900, 0, 0,  7110,  7900,  500, '2026-11-27'],
      ['Deccan Parcel',     8200, 0, 0,  8200,  8200,  500, '2026-11-26'],
      ['Indus Economy',     8600, 0, 0,  6450,  8600,  400, '2026-11-28'],
      ['SwiftAir',         15000, 0, 0, 15000, 15000,  500, '2026-11-25'],
      ['Monsoon Express',  16300, 0, 0, 13040, 16300,    0, '2026-11-24'],
      ['Banyan Heavy',     18500, 0, 0, 17000, 18500, 1000, '2026-11-28'],
    ])
    expect(reasons(result)).toEqual([['Kaveri Local', 'does not serve zone_c']])
    expect(result.offers.map((offer) => offer.weight)).toEqual([500, 666.67, 600, 631.58, 600, 600, 5000])
  })

  test('adds COD by each rule, half-up, for ₹3,333.33', () => {
    const result = quoted({ payment_method: 'cod', shipment_value: 3333.33 })
    // 1.25 %: 41.666625; 1.5 %: 49.99995; 1.6 %: 53.33328; 1.75 %: 58.333275; 1.8 %: 59.99994
    // prettier-ignore
    expect(summary(result)).toEqual([
      ['Peepal Post',       4100, 4500, 0,  4100,  8600,  300, '2026-11-28'],
      ['BlueLine Surface',  7900, 4167, 0,  7110, 12067,  500, '2026-11-27'],
      ['Deccan Parcel',     8200, 5000, 0,  8200, 13200,  500, '2026-11-26'],
      ['Indus Economy',     8600, 5333, 0,  6450, 13933,  400, '2026-11-28'],
      ['SwiftAir',         15000, 6000, 0, 15000, 21000,  500, '2026-11-25'],
      ['Banyan Heavy',     18500, 9833, 0, 17000, 28333, 1000, '2026-11-28'],
    ])
    expect(reasons(result)).toEqual([
      ['Monsoon Express', 'no COD'],
      ['Kaveri Local', 'does not serve zone_c'],
    ])
  })

  test('takes the fixed COD fee where the share is lower, for ₹1,499', () => {
    const result = quoted({ payment_method: 'cod', shipment_value: 1499 })
    expect(result.offers.map((offer) => [offer.service.carrier_name, offer.cod])).toEqual([
      ['Peepal Post', 4500],
      ['BlueLine Surface', 2500],
      ['Deccan Parcel', 2800],
      ['Indus Economy', 3000],
      ['SwiftAir', 3500],
      ['Banyan Heavy', 4000 + 2623],
    ])
  })

  test('prices a return with a quality check, and leaves out those that cannot check', () => {
    const result = quote(returned(sides), sampleCard, monday)
    // prettier-ignore
    expect(summary(result)).toEqual([
      ['BlueLine Surface',  9850, 0, 1000, 0, 10850, 0, '2026-11-28'],
      ['Deccan Parcel',    10300, 0, 1200, 0, 11500, 0, '2026-11-28'],
      ['Indus Economy',    10400, 0, 1400, 0, 11800, 0, '2026-11-30'],
      ['SwiftAir',         18600, 0, 1500, 0, 20100, 0, '2026-11-26'],
    ])
    expect(reasons(result)).toEqual([
      ['Monsoon Express', 'no quality check on returns'],
      ['Banyan Heavy', 'no quality check on returns'],
      ['Peepal Post', 'takes no returns'],
      ['Kaveri Local', 'does not serve zone_c for returns'],
    ])
  })

  test('prices a return without a quality check on every service that takes returns', () => {
    const result = quote(returned({ ...sides, qc_applicable: false }), sampleCard, monday)
    // prettier-ignore
    expect(summary(result)).toEqual([
      ['BlueLine Surface',  9850, 0, 0, 0,  9850, 0, '2026-11-28'],
      ['Deccan Parcel',    10300, 0, 0, 0, 10300, 0, '2026-11-28'],
      ['Indus Economy',    10400, 0, 0, 0, 10400, 0, '2026-11-30'],
      ['SwiftAir',         18600, 0, 0, 0, 18600, 0, '2026-11-26'],
      ['Monsoon Express',  19700, 0, 0, 0, 19700, 0, '2026-11-25'],
      ['Banyan Heavy',     22000, 0, 0, 0, 22000, 0, '2026-11-30'],
    ])
  })

  // prettier-ignore
  test.each<[grams: number, paise: Readonly<Record<string, number>>]>([
    [5000,    { 'Deccan Parcel': 38600, 'BlueLine Surface': 37100, SwiftAir: 72600, 'Indus Economy': 17300 }],
    [5000.01, { 'Deccan Parcel': 45200, 'BlueLine Surface': 43400, SwiftAir: 86800, 'Indus Economy': 20200 }],
    [7000.5,  { 'Deccan Parcel': 58400, 'BlueLine Surface': 56000, SwiftAir: 115200, 'Indus Economy': 26000, 'Banyan Heavy': 24800 }],
  ])('goes on by the kilogram from 5 kg: %d g to zone_c', (grams, paise) => {
    const { offers } = quote(parcel({ dead_weight: grams }), sampleCard, monday)
    const freight = Object.fromEntries(offers.map((offer) => [offer.service.carrier_name, offer.freight]))
    expect(freight).toMatchObject(paise)
  })

  // prettier-ignore
  test.each<[from: string, to: string, grams: number, cod: number | undefined, courier: string, reason: string]>([
    ['400001', '797112',   500,    999, 'BlueLine Surface', 'no COD to 797112 (Nagaland)'],
    ['400001', '194101',   500,    999, 'SwiftAir',         'no COD to 194101 (Ladakh)'],
    ['400001', '744101',   500, undefined, 'Banyan Heavy',  'no delivery to 744101 (Andaman and Nicobar Islands)'],
    ['682555', '400001',   500, undefined, 'Indus Economy', 'no pickup from 682555 (Lakshadweep)'],
    ['110001', '781001',   500, undefined, 'Monsoon Express', 'does not serve zone_e'],
    ['400001', '560001', 20001, undefined, 'SwiftAir',      'over 20 kg'],
    ['400001', '560001',   500,  10000.01, 'Peepal Post',   'COD above ₹10000.00'],
  ])('from %s to %s, %d g, COD %s: %s says "%s"', (from, to, grams, cod, courier, reason) => {
    const result = quote(
      parcel({
        origin_pincode: from,
        destination_pincode: to,
        dead_weight: grams,
        ...(cod === undefined ? {} : { payment_method: 'cod', shipment_value: cod }),
      }),
      sampleCard,
      monday,
    )
    expect(reasons(result)).toContainEqual([courier, reason])
  })
})

describe('freight', () => {
  // prettier-ignore
  const weights: readonly (readonly [grams: number, ...rupees: readonly [number, number, number, number, number]])[] = [
    [0.01,     30,  40,  50,  60,  70],
    [499.99,   30,  40,  50,  60,  70],
    [500,      30,  40,  50,  60,  70],
    [500.01,   50,  65,  85, 100, 120],
    [1000,     50,  65,  85, 100, 120],
    [1000.01,  70,  90, 120, 140, 170],
    [4500,    190, 240, 330, 380, 470],
    [4500.01, 210, 265, 365, 420, 520],
    [5000,    210, 265, 365, 420, 520],
    [5000.01, 250, 315, 435, 500, 620],
    [6000,    250, 315, 435, 500, 620],
    [6000.01, 290, 365, 505, 580, 720],
    [30000,  1210, 1515, 2115, 2420, 3020],
  ]
  test.each(weights.flatMap(([grams, ...rupees]) => zones.map((zone, i) => [grams, zone, rupees[i]!] as const)))(
    '%d g in %s costs ₹%d, forward and back',
    (grams, zone, rupees) => {
      const forward = offerOf(parcel({ dead_weight: grams }, zone))
      expect([forward.freight, forward.total, forward.rto]).toEqual([rupees * 100, rupees * 100, rupees * 100])
      const [to, from] = lanes[zone]
      const back = offerOf(returned({ origin_pincode: from, destination_pincode: to, dead_weight: grams }))
      expect([back.freight, back.total]).toEqual([rupees * 100, rupees * 100 + 1000])
    },
  )

  test('is worked out on the weight rounded to two decimals, so that what is printed is what is charged', () => {
    expect(offerOf(parcel({ dead_weight: 500.004 })).freight).toBe(5000)
    expect(offerOf(parcel({ dead_weight: 500.005 })).freight).toBe(8500)
    const { applicable } = found(parcel({ dead_weight: 500.004 }))
    expect(applicable).toBe(500)
  })

  test('says where its slab ends and how many steps were paid', () => {
    const { slab, steps } = offerOf(parcel({ dead_weight: 1000.01 }))
    expect([slab, steps]).toEqual([1500, 2])
    expect(offerOf(parcel({ dead_weight: 3 })).slab).toBe(500)
    expect(offerOf(parcel({ dead_weight: 5000.01 })).slab).toBe(6000)
  })

  test('is charged on min_weight at least', () => {
    expect(offerOf(parcel({ dead_weight: 3 }), { min_weight: 1000 })).toMatchObject({ weight: 1000, freight: 8500 })
    expect(offerOf(parcel({ dead_weight: 1000.01 }), { min_weight: 1000 })).toMatchObject({
      weight: 1000.01,
      freight: 12000,
    })
  })

  test('ends at max_weight, dead or volumetric', () => {
    const limit = { max_weight: 2500 }
    expect(offerOf(parcel({ dead_weight: 2500 }), limit).freight).toBe(5000 + 4 * 3500)
    expect(offerOf(parcel({ dead_weight: 2500.004 }), limit).weight).toBe(2500)
    expect(refusalOf(parcel({ dead_weight: 2500.01 }), limit)).toBe('over 2.5 kg')
    expect(offerOf(parcel({ length: 25, width: 25, height: 20 }), limit).weight).toBe(2500)
    expect(refusalOf(parcel({ length: 25, width: 25, height: 20.01 }), limit)).toBe('over 2.5 kg')
  })

  test('ends at max_side, on each of the three sides', () => {
    for (const side of ['length', 'width', 'height'] as const) {
      expect(offerOf(parcel({ [side]: 60 }), { max_side: 60 }).freight).toBe(5000)
      expect(refusalOf(parcel({ [side]: 60.01 }), { max_side: 60 })).toBe('a side over 60 cm')
    }
  })

  test('ends where the last band ends', () => {
    const forward = { zone_c: [{ ...bands(50, 35)[0]!, up_to: 2000 }] }
    expect(offerOf(parcel({ dead_weight: 2000 }), { forward }).freight).toBe(15500)
    expect(refusalOf(parcel({ dead_weight: 2000.01 }), { forward })).toBe('no price above 2 kg in zone_c')
    expect(refusalOf(parcel({}, 'zone_d'), { forward })).toBe('does not serve zone_d')
  })

  test('counts steps and prices of any decimals exactly', () => {
    const forward = {
      zone_c: [{ up_to: null, first_weight: 0.1, first_price: 0.1, step_weight: 0.1, step_price: 0.7 }],
    }
    // 0.3 - 0.1 = 0.19999… and 0.2 / 0.1 = 2 in binary fractions; 0.1 + 2 x 0.7 rupees are 150 paise.
    expect(offerOf(parcel({ dead_weight: 0.3 }), { forward })).toMatchObject({ steps: 2, freight: 150 })
    expect(offerOf(parcel({ dead_weight: 0.7 }), { forward })).toMatchObject({ steps: 6, freight: 430 })
  })
})

describe('volumetric weight', () => {
  // prettier-ignore
  test.each<[number, number, number, Readonly<Record<number, number>>]>([
    [25, 20, 15, { 4000: 1875,   4500: 1666.67, 4750: 1578.95, 5000: 1500,  6000: 1250 }],
    [20, 15, 10, { 4000: 750,    4500: 666.67,  4750: 631.58,  5000: 600,   6000: 500 }],
    [13, 13, 13, { 4000: 549.25, 4500: 488.22,  4750: 462.53,  5000: 439.4, 6000: 366.17 }],
  ])('%d x %d x %d cm by each divisor', (length, width, height, expected) => {
    for (const [divisor, grams] of Object.entries(expected)) {
      const request = parcel({ length, width, height, dead_weight: 1 })
      expect(offerOf(request, { divisor: Number(divisor) })).toMatchObject({ volumetric: grams, weight: grams })
      const { volumetric, applicable } = found(request, { divisor: Number(divisor) })
      expect([volumetric, applicable]).toEqual([expected[5000], expected[5000]])
    }
  })

  test('counts only where it is above the dead weight', () => {
    const sides = { length: 20, width: 15, height: 10 }
    expect(offerOf(parcel({ ...sides, dead_weight: 600.01 })).weight).toBe(600.01)
    expect(offerOf(parcel({ ...sides, dead_weight: 599.99 })).weight).toBe(600)
    expect(found(parcel({ ...sides, dead_weight: 1234.5 })).applicable).toBe(1234.5)
  })
})

describe('COD', () => {
  const cod = (value: number): RateRequest => parcel({ payment_method: 'cod', shipment_value: value })

  // prettier-ignore
  test.each<['max' | 'sum', fixed: number, percent: number, value: number, paise: number]>([
    ['max', 30,    2,       1499,      3000],
    ['max', 30,    2,       1500,      3000],
    ['max', 30,    2,       1500.24,   3000],
    ['max', 30,    2,       1500.25,   3001],
    ['max', 30,    2,       2000,      4000],
    ['max', 0,     0.5,     0.99,         0],
    ['max', 0,     0.5,     1,            1],
    ['max', 0,     1.25,    2000,      2500],
    ['max', 45,    0,       99999,     4500],
    ['sum', 30,    2,       1500,      6000],
    ['sum', 10,    1.25,    99.99,     1125],
    ['sum', 12.35, 1.75,    1499,      3858],
    ['sum', 0,     0,       1499,         0],
    ['max', 0,     100,     1234.56, 123456],
  ])('%s of ₹%d and %d %% of ₹%d is %d paise', (rule, fixed, percent, value, paise) => {
    const offer = offerOf(cod(value), { cod: { available: true, fixed, percent, rule, max_value: null } })
    expect([offer.cod, offer.total]).toEqual([paise, 5000 + paise])
  })

  test('a percentage of more than four decimals is not rounded before it is applied', () => {
    const share = (percent: number, value: number): number =>
      offerOf(cod(value), { cod: { available: true, fixed: 0, percent, rule: 'max', max_value: null } }).cod
    expect(share(1.33333, 50_000)).toBe(66667)
    expect(share(0.00001, 10_000_000)).toBe(100)
    expect(offerOf(parcel({ dead_weight: 30_000 }), { rto: { percent: 33.33333 } }).rto).toBe(70500)
  })

  test('is nothing on a prepaid parcel, whatever its value', () => {
    expect(offerOf(parcel({ shipment_value: 50_000 })).cod).toBe(0)
  })

  test('is refused without COD, and above max_value only', () => {
    const limited = { available: true, fixed: 30, percent: 2, rule: 'max', max_value: 5000 } as const
    expect(offerOf(cod(5000), { cod: limited }).cod).toBe(10000)
    expect(refusalOf(cod(5000.01), { cod: limited })).toBe('COD above ₹5000.00')
    expect(refusalOf(cod(1), { cod: { ...limited, available: false } })).toBe('no COD')
    expect(offerOf(parcel(), { cod: { ...limited, available: false } }).total).toBe(5000)
  })

  test('a value near zero is a value, not a crash', () => {
    expect(offerOf(cod(1e-40)).cod).toBe(3000)
    expect(offerOf(cod(0.001)).cod).toBe(3000)
  })

  test('85 of freight and 25 of COD are 110', () => {
    const result = found(parcel({ dead_weight: 1000, payment_method: 'cod', shipment_value: 1 }), {
      cod: { available: true, fixed: 25, percent: 1, rule: 'max', max_value: null },
    })
    expect(rateAnswer(result).result.serviceable_couriers[0]!.charges).toEqual({
      forward_freight_charges: 85,
      cod_charges: 25,
      rto_charges: 85,
      total_forward_charges: 110,
    })
  })
})

describe('what comes on top', () => {
  test('75 back and 10 of QC are 85', () => {
    const back = { zone_c: [{ ...bands(75, 30)[0]! }] }
    expect(rateAnswer(found(returned(), { return: back })).result.serviceable_couriers[0]!.charges).toEqual({
      return_freight_charges: 75,
      qc_charges: 10,
      total_return_charges: 85,
    })
  })

  test('a quality check is asked for unless the request says false, and never on a forward parcel', () => {
    expect(offerOf(returned()).qc).toBe(1000)
    expect(offerOf(returned({ qc_applicable: true })).qc).toBe(1000)
    expect(offerOf(returned({ qc_applicable: false })).qc).toBe(0)
    expect(offerOf(parcel({ qc_applicable: true })).qc).toBe(0)
    const none = { qc: { available: false, price: 10 } }
    expect(refusalOf(returned(), none)).toBe('no quality check on returns')
    expect(offerOf(returned({ qc_applicable: false }), none).total).toBe(5000)
    expect(offerOf(parcel({ qc_applicable: true }), none).total).toBe(5000)
  })

  test('a service without returns takes none', () => {
    const none = { return: {}, transit_days: { forward: perZone(() => 3), return: {} } }
    expect(refusalOf(returned(), none)).toBe('takes no returns')
    expect(offerOf(parcel(), none).total).toBe(5000)
  })

  // prettier-ignore
  test.each<[percent: number, first: number, paise: number]>([
    [100, 50,    5000],
    [90,  50.55, 4550],
    [50,  33.33, 1667],
    [0,   50,       0],
    [150, 50,    7500],
    [80,  41.01, 3281],
  ])('RTO of %d %% of ₹%d is %d paise, in no total', (percent, first, paise) => {
    const offer = offerOf(parcel(), { rto: { percent }, forward: perZone(() => bands(first, 10)) })
    expect([offer.rto, offer.total]).toEqual([paise, Math.round(first * 100)])
  })

  test('RTO by its own bands goes by the weight charged, and bears no COD fee', () => {
    const rto = { bands: perZone(() => [{ ...bands(44, 11)[0]!, up_to: 2000 }]) }
    expect(offerOf(parcel({ dead_weight: 1001 }), { rto })).toMatchObject({ freight: 12000, rto: 6600 })
    const cod = parcel({ dead_weight: 1001, payment_method: 'cod', shipment_value: 9000 })
    expect(offerOf(cod, { rto })).toMatchObject({ freight: 12000, rto: 6600, cod: 18000, total: 30000 })
    expect(refusalOf(parcel({ dead_weight: 2001 }), { rto })).toBe('no RTO price for this weight in zone_c')
    expect(offerOf(returned({ dead_weight: 2001 }), { rto }).rto).toBe(0)
  })

  test('the platform fee is beside the total, forward only', () => {
    expect(offerOf(parcel(), { platform_fee: 5.5 })).toMatchObject({ total: 5000, fee: 550 })
    expect(offerOf(returned(), { platform_fee: 5.5 })).toMatchObject({ total: 6000, fee: 0 })
  })
})

describe('serviceability', () => {
  // 400001 Mumbai, Maharashtra to 560001 Bengaluru, Karnataka, COD.
  // prettier-ignore
  test.each<[Service['serviceability'], string | undefined]>([
    [{},                                                          undefined],
    [{ pickup: { states: ['Maharashtra'] } },                     undefined],
    [{ pickup: { states: ['Karnataka'] } },                       'no pickup from 400001 (Maharashtra)'],
    [{ pickup: { not_states: ['Karnataka'] } },                   undefined],
    [{ pickup: { not_states: ['Goa', 'Maharashtra'] } },          'no pickup from 400001 (Maharashtra)'],
    [{ pickup: { pincodes: ['4000'] } },                          undefined],
    [{ pickup: { pincodes: ['4001', '400001'] } },                undefined],
    [{ pickup: { pincodes: ['4001'] } },                          'no pickup from 400001'],
    [{ pickup: { pincodes: [] } },                                'no pickup from 400001'],
    [{ pickup: { not_pincodes: ['5'] } },                         undefined],
    [{ pickup: { not_pincodes: ['400001'] } },                    'no pickup from 400001'],
    [{ pickup: { pincodes: ['4'], not_pincodes: ['400'] } },      'no pickup from 400001'],
    [{ pickup: { zones: ['zone_a', 'zone_c'] } },                 undefined],
    [{ pickup: { zones: ['zone_a', 'zone_b'] } },                 'no pickup from 400001 (zone_c)'],
    [{ delivery: { states: ['Karnataka'] } },                     undefined],
    [{ delivery: { states: ['Maharashtra'] } },                   'no delivery to 560001 (Karnataka)'],
    [{ delivery: { not_pincodes: ['56'] } },                      'no delivery to 560001'],
    [{ delivery: { zones: ['zone_d'] } },                         'no delivery to 560001 (zone_c)'],
    [{ cod: { states: ['Karnataka'], pincodes: ['560'] } },       undefined],
    [{ cod: { not_states: ['Karnataka'] } },                      'no COD to 560001 (Karnataka)'],
    [{ cod: { pincodes: ['561'] } },                              'no COD to 560001'],
    [{ cod: { zones: ['zone_a'] } },                              'no COD to 560001 (zone_c)'],
    [{ cod: { not_states: ['Maharashtra'] } },                    undefined],
  ])('%j: %s', (serviceability, reason) => {
    const cod = parcel({ payment_method: 'cod', shipment_value: 1000 })
    const { offers, refusals } = found(cod, { serviceability })
    expect(refusals.map((refusal) => refusal.reason)).toEqual(reason === undefined ? [] : [reason])
    expect(offers).toHaveLength(reason === undefined ? 1 : 0)
  })

  test('a place without COD takes prepaid parcels and returns', () => {
    const serviceability = { cod: { not_states: ['Karnataka', 'Maharashtra'] } }
    expect(offerOf(parcel(), { serviceability }).total).toBe(5000)
    expect(offerOf(returned({ payment_method: 'cod' }), { serviceability }).total).toBe(6000)
  })

  test('the zones of the card decide: its own matrix moves a lane', () => {
    const zonesOf = { matrix: [{ from: '400', to: '560', zone: 'zone_e' as const }] }
    const result = found(parcel(), {}, { zones: zonesOf })
    expect([result.zone.zone, result.zone.rule, result.offers[0]!.freight]).toEqual(['zone_e', 'matrix', 7000])
  })
})

describe('dates', () => {
  const weekdays = [1, 2, 3, 4, 5, 6]
  const everyDay = [0, 1, 2, 3, 4, 5, 6]

  // Dates worked out on a wall calendar; three days of transit unless the row says otherwise.
  // prettier-ignore
  test.each<[now: string, pickup: string, delivery: string, over?: { days?: number[]; transit?: number; cutoff?: string; holidays?: string[] }]>([
    ['2026-11-23T10:00:00+05:30',     '2026-11-23', '2026-11-26'],
    ['2026-11-23T13:59:59.999+05:30', '2026-11-23', '2026-11-26'],
    ['2026-11-23T14:00:00+05:30',     '2026-11-24', '2026-11-27'],
    ['2026-11-21T10:00:00+05:30',     '2026-11-21', '2026-11-25'],
    ['2026-11-21T15:00:00+05:30',     '2026-11-23', '2026-11-26'],
    ['2026-11-22T09:00:00+05:30',     '2026-11-23', '2026-11-26'],
    // Midnight in India: 18:30 UTC the day before.
    ['2026-11-20T18:29:59.999Z',      '2026-11-21', '2026-11-25'],
    ['2026-11-20T18:30:00Z',          '2026-11-21', '2026-11-25'],
    ['2026-11-20T18:29:59.999Z',      '2026-11-21', '2026-11-25', { cutoff: '23:59' }],
    ['2026-11-20T18:28:59.999Z',      '2026-11-20', '2026-11-24', { cutoff: '23:59' }],
    ['2026-11-21T18:29:00Z',          '2026-11-23', '2026-11-26'],
    ['2026-11-21T18:30:00Z',          '2026-11-23', '2026-11-26'],
    ['2026-11-21T19:00:00Z',          '2026-11-23', '2026-11-26', { cutoff: '23:59' }],
    ['2026-11-22T18:30:00Z',          '2026-11-23', '2026-11-26'],
    ['2026-11-22T18:30:00Z',          '2026-11-24', '2026-11-27', { cutoff: '00:00' }],
    // 26 January 2026 is a Monday, 15 August a Saturday, 2 October a Friday.
    ['2026-01-23T10:00:00+05:30',     '2026-01-23', '2026-01-28'],
    ['2026-01-26T10:00:00+05:30',     '2026-01-27', '2026-01-30'],
    ['2026-08-14T10:00:00+05:30',     '2026-08-14', '2026-08-19'],
    ['2026-08-14T14:00:00+05:30',     '2026-08-17', '2026-08-20'],
    ['2026-10-01T15:00:00+05:30',     '2026-10-03', '2026-10-07'],
    ['2026-12-31T16:00:00+05:30',     '2027-01-01', '2027-01-05'],
    ['2028-02-28T10:00:00+05:30',     '2028-02-28', '2028-03-02'],
    // Sundays and odd weeks.
    ['2026-11-21T15:00:00+05:30',     '2026-11-22', '2026-11-25', { days: everyDay }],
    ['2026-01-25T10:00:00+05:30',     '2026-01-25', '2026-01-27', { days: everyDay, transit: 1 }],
    ['2026-11-23T10:00:00+05:30',     '2026-11-25', '2026-12-09', { days: [3], transit: 2 }],
    ['2026-11-23T10:00:00+05:30',     '2026-11-23', '2026-11-23', { transit: 0 }],
    ['2026-11-23T10:00:00+05:30',     '2026-11-23', '2026-12-07', { transit: 12 }],
    // The card's own holidays, on the way, today and behind.
    ['2026-11-23T10:00:00+05:30',     '2026-11-23', '2026-11-27', { holidays: ['2026-11-24'] }],
    ['2026-11-23T10:00:00+05:30',     '2026-11-25', '2026-11-28', { holidays: ['2026-11-23', '2026-11-24'] }],
    ['2026-11-23T10:00:00+05:30',     '2026-11-23', '2026-11-26', { holidays: ['2026-11-27', '2025-11-24'] }],
  ])('asked at %s: picked up %s, delivered %s %j', (now, pickup, delivery, over = {}) => {
    const { days = weekdays, transit = 3, cutoff = '14:00', holidays = [] } = over
    const changes = {
      working_days: days,
      pickup_cutoff: cutoff,
      transit_days: { forward: perZone(() => transit), return: perZone(() => transit) },
    }
    for (const request of [parcel(), returned()]) {
      const offer = offerOf(request, changes, { holidays }, Date.parse(now))
      expect([offer.pickup, offer.delivery]).toEqual([pickup, delivery])
    }
  })

  // prettier-ignore
  test.each([
    ['2026-11-22T18:29:59.999Z', 'the card small is valid from 2026-11-23'],
    ['2026-11-22T18:30:00Z',     undefined],
    ['2026-11-30T18:29:59.999Z', undefined],
    ['2026-11-30T18:30:00Z',     'the card small was valid until 2026-11-30'],
  ])('a card valid from 23 to 30 November in India, asked at %s: %s', (now, reason) => {
    const dates = { valid_from: '2026-11-23', valid_to: '2026-11-30' }
    const { offers, refusals } = found(parcel(), {}, dates, Date.parse(now))
    expect(refusals.map((refusal) => refusal.reason)).toEqual(reason === undefined ? [] : [reason])
    expect(offers).toHaveLength(reason === undefined ? 1 : 0)
  })

  test('one service on two cards keeps the holidays of each', () => {
    const one = service()
    const [plain, feast] = [cardOf([one]), cardOf([one], { holidays: ['2026-11-24'] })]
    const delivery = (card: RateCard): string => quote(parcel(), card, monday).offers[0]!.delivery
    expect([plain, feast, plain, feast].map(delivery)).toEqual(['2026-11-26', '2026-11-27', '2026-11-26', '2026-11-27'])
  })
})

describe('the order of offers', () => {
  test('is what is paid, then delivery date, then carrier_id', () => {
    const make = (carrier_id: string, first: number, platform_fee: number, transit: number): Service =>
      service({
        carrier_id,
        platform_fee,
        forward: perZone(() => bands(first, 10)),
        transit_days: { forward: perZone(() => transit), return: perZone(() => transit) },
      })
    const card = cardOf([
      make('CAR-z', 55, 0, 2),
      make('CAR-B', 50, 5, 3),
      make('CAR-C', 54, 0, 9),
      make('CAR-A', 40, 15, 3),
      make('CAR-Z', 53.99, 1, 1),
      make('CAR-2', 49, 5, 8),
    ])
    const { offers } = quote(parcel(), card, monday)
    expect(offers.map((offer) => offer.service.carrier_id)).toEqual([
      'CAR-2',
      'CAR-C',
      'CAR-Z',
      'CAR-z',
      'CAR-A',
      'CAR-B',
    ])
  })
})

describe('the answer', () => {
  const offered = (result: Quote) => rateAnswer(result).result.serviceable_couriers[0]!

  test('has exactly the keys of a forward journey (spec 2.3)', () => {
    const result = found(parcel({ dead_weight: 500.5 }), { platform_fee: 2.5 })
    expect(rateAnswer(result)).toEqual({
      status: 'SUCCESS',
      result: {
        serviceable_couriers: [
          {
            carrier_id: 'CAR-1',
            carrier_name: 'One',
            carrier_code: 'one',
            service_level: 'standard',
            is_fast: false,
            is_prime: true,
            status: 'active',
            expected_delivery: { pickup: '2026-11-23', delivery: '2026-11-26' },
            charges: {
              forward_freight_charges: 85,
              cod_charges: 0,
              rto_charges: 85,
              total_forward_charges: 85,
            },
            platform_fee: 2.5,
          },
        ],
        shipment_details: {
          journey_type: 'forward',
          origin_pincode: '400001',
          destination_pincode: '560001',
          payment_method: 'prepaid',
          dead_weight: 500.5,
          volumetric_weight: 0.2,
          applicable_weight: 500.5,
          zone: 'zone_c',
        },
      },
    })
  })

  test('has exactly the keys of a return, those of the other journey absent and not null (spec 2.3, 4.7 rule 6)', () => {
    const request = returned({ payment_method: 'cod', shipment_value: 500, qc_applicable: true })
    const answer = rateAnswer(found(request, { platform_fee: 2.5 }))
    const details = answer.result.shipment_details
    const offer = answer.result.serviceable_couriers[0]!
    // prettier-ignore
    expect(Object.keys(offer).toSorted()).toEqual([
      'carrier_code', 'carrier_id', 'carrier_name', 'charges', 'expected_delivery', 'service_level', 'status',
    ])
    expect(Object.keys(offer.charges).toSorted()).toEqual([
      'qc_charges',
      'return_freight_charges',
      'total_return_charges',
    ])
    // prettier-ignore
    expect(Object.keys(details).toSorted()).toEqual([
      'applicable_weight', 'dead_weight', 'destination_pincode', 'journey_type', 'origin_pincode', 'volumetric_weight', 'zone',
    ])
    expect(details.journey_type).toBe('return')
  })

  test('with no courier is a success with an empty list', () => {
    const answer = rateAnswer(found(parcel({ dead_weight: 99_999 })))
    expect([answer.status, answer.result.serviceable_couriers]).toEqual(['SUCCESS', []])
    expect(answer.result.shipment_details.zone).toBe('zone_c')
  })

  test('gives the level as the card has it, and says that every offer is active', () => {
    expect(offered(found(parcel(), { service_level: 'express', is_fast: true, is_prime: false }))).toMatchObject({
      service_level: 'express',
      is_fast: true,
      is_prime: false,
      status: 'active',
    })
  })

  test('fits its own schema and survives JSON', () => {
    const answer = rateAnswer(quote(parcel(), sampleCard, monday))
    expect(RateAnswer.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer)
  })
})

describe('the request', () => {
  const [raw, back] = [rateRequest, returnRateRequest]

  function faultsOf(value: unknown): readonly (readonly [field: string | null, message: string])[] {
    try {
      parseInput('getRates', value)
    } catch (error) {
      if (!(error instanceof ShipxError)) throw error
      expect([error.code, error.status, error.exit]).toEqual(['invalid_input', 400, 2])
      return error.details.map(({ field, message }) => [field, message] as const)
    }
    return []
  }

  test('is taken as it is when nothing is wrong', () => {
    expect(parseInput('getRates', raw)).toEqual(raw)
    expect(parseInput('getRates', { ...back, qc_applicable: false })).toEqual({
      journey_type: 'return',
      origin_pincode: '400001',
      destination_pincode: '560001',
      dead_weight: 500,
      length: 20,
      width: 15,
      height: 10,
      qc_applicable: false,
    })
    expect(faultsOf({ ...raw, payment_method: 'cod', shipment_value: 0.01 })).toEqual([])
  })

  // prettier-ignore
  test.each<[Readonly<Record<string, unknown>>, field: string, message: string]>([
    [{ journey_type: undefined },          'journey_type', 'is required'],
    [{ journey_type: 'reverse' },          'journey_type', '"reverse" isn\'t a journey. One of: forward, return'],
    [{ journey_type: 'Forward' },          'journey_type', '"Forward" isn\'t a journey. Did you mean forward? One of: forward, return'],
    [{ journey_type: 1 },                  'journey_type', 'must be one of: forward, return'],
    [{ payment_method: undefined },        'payment_method', 'is required for a forward journey: cod or prepaid'],
    [{ payment_method: 'COD' },            'payment_method', '"COD" isn\'t a payment method. Did you mean cod? One of: cod, prepaid'],
    [{ payment_method: 'PREPAID' },        'payment_method', '"PREPAID" isn\'t a payment method. Did you mean prepaid? One of: cod, prepaid'],
    [{ payment_method: '' },               'payment_method', '"" isn\'t a payment method. One of: cod, prepaid'],
    [{ payment_method: null },             'payment_method', 'must be one of: cod, prepaid'],
    [{ payment_method: true },             'payment_method', 'must be one of: cod, prepaid'],
    [{ payment_method: 'cod' },            'shipment_value', 'is required when payment_method is cod'],
    [{ payment_method: 'cod', shipment_value: 0 },    'shipment_value', 'must be more than 0'],
    [{ payment_method: 'cod', shipment_value: -1 },   'shipment_value', 'must be more than 0'],
    [{ payment_method: 'cod', shipment_value: '0' },  'shipment_value', 'must be more than 0'],
    [{ payment_method: 'cod', shipment_value: '' },   'shipment_value', 'must be a number'],
    [{ payment_method: 'cod', shipment_value: null }, 'shipment_value', 'must be a number'],
    [{ payment_method: 'cod', shipment_value: 1e11 }, 'shipment_value', 'must be at most 10,00,00,00,000 rupees'],
    [{ dead_weight: 0 },                   'dead_weight', 'must be more than 0'],
    [{ dead_weight: -500 },                'dead_weight', 'must be more than 0'],
    [{ dead_weight: '-0' },                'dead_weight', 'must be more than 0'],
    [{ dead_weight: undefined },           'dead_weight', 'is required'],
    [{ dead_weight: null },                'dead_weight', 'must be a number'],
    [{ dead_weight: 1e8 },                 'dead_weight', 'must be at most 1,00,00,000 g'],
    [{ length: 0 },                        'length', 'must be more than 0'],
    [{ width: -1 },                        'width', 'must be more than 0'],
    [{ height: '0.0' },                    'height', 'must be more than 0'],
    [{ height: 10_000.01 },                'height', 'must be at most 10,000 cm'],
    [{ length: [20] },                     'length', 'must be a number'],
    [{ length: true },                     'length', 'must be a number'],
    [{ origin_pincode: undefined },        'origin_pincode', 'is required'],
    [{ origin_pincode: 400001 },           'origin_pincode', 'must be text of 6 digits'],
    [{ origin_pincode: '' },               'origin_pincode', 'the pincode is empty; a pincode is 6 digits'],
    [{ origin_pincode: '40001' },          'origin_pincode', '40001 has 5 digits; a pincode has 6'],
    [{ origin_pincode: '012345' },         'origin_pincode', '012345 starts with 0; a pincode starts with 1 to 9'],
    [{ destination_pincode: '56O001' },    'destination_pincode', '"56O001" is not a pincode; a pincode is 6 digits'],
    [{ destination_pincode: '123456' },    'destination_pincode', '123456 is not a pincode that exists; nearest: 123412, 123411, 123501'],
    [{ qc_applicable: 'true' },            'qc_applicable', 'must be true or false'],
    [{ qc_applicable: null },              'qc_applicable', 'must be true or false'],
    [{ carrier_id: 'CAR' },                'carrier_id', 'unknown parameter `carrier_id`'],
    [{ shipmnet_value: 5 },                'shipmnet_value', 'unknown parameter `shipmnet_value`; did you mean `shipment_value`?'],
    [{ weight: 5 },                        'weight', 'unknown parameter `weight`; did you mean `dead_weight`?'],
    [{ breadth: 5 },                       'breadth', 'unknown parameter `breadth`'],
  ])('%j: %s %s', (over, field, message) => {
    expect(faultsOf({ ...raw, ...over })).toEqual([[field, message]])
  })

  test.each([
    '',
    ' ',
    'abc',
    '0x1f',
    '1e3',
    '1E3',
    'NaN',
    'Infinity',
    '-Infinity',
    '+5',
    '5.',
    '.5',
    '1,000',
    '5 g',
    '٥',
  ])('the text %j is no number', (text) => {
    expect(faultsOf({ ...raw, dead_weight: text, width: text })).toEqual([
      ['dead_weight', 'must be a number'],
      ['width', 'must be a number'],
    ])
  })

  test.each([NaN, Infinity, -Infinity])('%d is no number', (value) => {
    expect(faultsOf({ ...raw, dead_weight: value, shipment_value: value })).toEqual([
      ['dead_weight', 'must be a number'],
      ['shipment_value', 'must be a number'],
    ])
  })

  test('plain decimal strings are numbers', () => {
    const text = { ...raw, dead_weight: '500', length: '20.5', width: '15.000', height: '0.5' }
    const cod = { payment_method: 'cod', shipment_value: '1499.50' }
    expect(parseInput('getRates', { ...text, ...cod })).toMatchObject({
      dead_weight: 500,
      length: 20.5,
      width: 15,
      height: 0.5,
      shipment_value: 1499.5,
    })
  })

  test('a pincode may have one space in its middle', () => {
    const { origin_pincode, destination_pincode } = parseInput('getRates', {
      ...raw,
      origin_pincode: '400 001',
      destination_pincode: ' 560001 ',
    })
    expect([origin_pincode, destination_pincode]).toEqual(['400001', '560001'])
    expect(faultsOf({ ...raw, origin_pincode: '4 00001' })).toHaveLength(1)
  })

  test('everything that is wrong is named at once, in the order of the form', () => {
    const wrong = {
      extra: 1,
      height: 'tall',
      journey_type: 'forward',
      dead_weight: 0,
      destination_pincode: '999999',
      payment_method: 'COD',
      qc_applicable: 1,
    }
    expect(faultsOf(wrong).map(([field]) => field)).toEqual([
      'origin_pincode',
      'destination_pincode',
      'dead_weight',
      'length',
      'width',
      'height',
      'payment_method',
      'qc_applicable',
      'extra',
    ])
    const cod = { ...raw, payment_method: 'cod', length: 0 }
    expect(faultsOf(cod)).toEqual([
      ['length', 'must be more than 0'],
      ['shipment_value', 'is required when payment_method is cod'],
    ])
  })

  test.each([null, [], 'text', 5, undefined])('%j is no request', (value) => {
    expect(faultsOf(value)).toEqual([[null, 'the request must be a JSON object']])
  })

  test('keys of the prototype are unknown parameters', () => {
    const sly: unknown = JSON.parse(JSON.stringify(raw).replace('{', '{"__proto__":1,"constructor":2,'))
    expect(faultsOf(sly)).toEqual([
      ['__proto__', 'unknown parameter `__proto__`'],
      ['constructor', 'unknown parameter `constructor`'],
    ])
  })

  describe('parameters of the other journey are checked for their type and otherwise ignored', () => {
    // prettier-ignore
    test.each<[Readonly<Record<string, unknown>>]>([
      [{ payment_method: 'cod' }],
      [{ payment_method: 'COD', shipment_value: 0 }],
      [{ payment_method: 'online', shipment_value: -5 }],
      [{ payment_method: 'prepaid', shipment_value: '0' }],
      [{ payment_method: '', shipment_value: 1e12 }],
    ])('a return with %j is a return', (over) => {
      expect(faultsOf({ ...back, ...over })).toEqual([])
      const answer = rateAnswer(quote(parseInput('getRates', { ...back, ...over }), sampleCard, monday))
      expect(answer).toEqual(rateAnswer(quote(parseInput('getRates', back), sampleCard, monday)))
    })

    test.each([0, -5, '0', 1e12])('a prepaid parcel with shipment_value %j is prepaid', (shipment_value) => {
      const answer = rateAnswer(quote(parseInput('getRates', { ...raw, shipment_value }), sampleCard, monday))
      expect(answer).toEqual(rateAnswer(quote(parseInput('getRates', raw), sampleCard, monday)))
    })

    test.each([true, false])('a forward parcel with qc_applicable %j is a forward parcel', (qc_applicable) => {
      const answer = rateAnswer(quote(parseInput('getRates', { ...raw, qc_applicable }), sampleCard, monday))
      expect(answer).toEqual(rateAnswer(quote(parseInput('getRates', raw), sampleCard, monday)))
    })

    test('their type is checked', () => {
      expect(faultsOf({ ...back, payment_method: 5, shipment_value: 'x', qc_applicable: 'false' })).toEqual([
        ['payment_method', 'must be one of: cod, prepaid'],
        ['shipment_value', 'must be a number'],
        ['qc_applicable', 'must be true or false'],
      ])
      expect(faultsOf({ ...raw, shipment_value: 'x' })).toEqual([['shipment_value', 'must be a number']])
    })
  })

  test('without a journey, only what is wrong in either is named beside it', () => {
    const faults = faultsOf({ ...raw, journey_type: undefined, payment_method: 'COD' })
    expect(faults.map(([field]) => field)).toEqual(['journey_type', 'payment_method'])
    expect(faultsOf({ ...raw, journey_type: 'x', payment_method: undefined }).map(([field]) => field)).toEqual([
      'journey_type',
    ])
  })
})

describe('for every parcel', () => {
  const pincodes = fc.constantFrom(...everyPincode())
  const grams = fc.oneof(
    fc.integer({ min: 1, max: 4_000_000 }).map((units) => units / 100),
    fc.integer({ min: 1, max: 80 }).map((slabs) => slabs * 500),
    fc.integer({ min: 1, max: 80 }).map((slabs) => slabs * 500 + 0.01),
  )
  const side = fc.oneof(
    fc.integer({ min: 1, max: 12_000 }).map((units) => units / 100),
    fc.integer({ min: 1, max: 100 }),
  )
  const anyMoment = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
  const anyRequest: fc.Arbitrary<RateRequest> = fc
    .record({
      from: pincodes,
      to: pincodes,
      dead_weight: grams,
      length: side,
      width: side,
      height: side,
      kind: fc.constantFrom('prepaid', 'cod', 'qc', 'no qc'),
      value: fc.integer({ min: 1, max: 12_000_000 }).map((paise) => paise / 100),
    })
    .map(({ from, to, kind, value, ...rest }) => ({
      ...rest,
      origin_pincode: from,
      destination_pincode: to,
      ...(kind === 'prepaid' || kind === 'cod'
        ? {
            journey_type: 'forward' as const,
            payment_method: kind,
            ...(kind === 'cod' ? { shipment_value: value } : {}),
          }
        : { journey_type: 'return' as const, qc_applicable: kind === 'qc' }),
    }))

  /** Rupees with at most two decimals, in paise. */
  function paise(rupees: number | undefined): bigint {
    const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(rupees))
    if (match === null) throw new Error(`${rupees} is no amount with at most two decimals`)
    return BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'))
  }

  test('totals are the sum of their parts to the paisa', () => {
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        for (const { charges, platform_fee } of rateAnswer(quote(request, sampleCard, now)).result
          .serviceable_couriers) {
          if (request.journey_type === 'forward') {
            const parts = paise(charges['forward_freight_charges']) + paise(charges['cod_charges'])
            expect(paise(charges['total_forward_charges'])).toBe(parts)
            expect(paise(charges['cod_charges']) === 0n).toBe(request.payment_method === 'prepaid')
            paise(charges['rto_charges'])
            paise(platform_fee)
          } else {
            const parts = paise(charges['return_freight_charges']) + paise(charges['qc_charges'])
            expect(paise(charges['total_return_charges'])).toBe(parts)
            expect(paise(charges['qc_charges']) === 0n).toBe(request.qc_applicable === false)
          }
        }
      }),
      { numRuns: runs(100, 800) },
    )
  })

  test('freight is what walking up the slabs of the card comes to', () => {
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        const { offers, zone } = quote(request, sampleCard, now)
        for (const { service: carrier, weight, freight } of offers) {
          const tariff = carrier[request.journey_type][zone.zone]!
          const units = Math.round(weight * 100)
          const band = tariff.find(({ up_to }) => up_to === null || units <= up_to * 100)!
          let [end, price] = [band.first_weight * 100, Math.round(band.first_price * 100)]
          for (; end < units; end += band.step_weight * 100) price += Math.round(band.step_price * 100)
          expect(freight).toBe(price)
        }
      }),
      { numRuns: runs(100, 800) },
    )
  })

  test('freight never falls, and no service comes back, when weight or a side grows', () => {
    const growth = fc.record({
      what: fc.constantFrom('dead_weight', 'length', 'width', 'height'),
      by: fc.oneof(
        fc.integer({ min: 1, max: 200 }).map((units) => units / 100),
        fc.integer({ min: 1, max: 10_000 }),
      ),
    })
    fc.assert(
      fc.property(anyRequest, growth, (request, { what, by }) => {
        const small = quote(request, sampleCard, monday)
        const large = quote({ ...request, [what]: request[what as 'length'] + by }, sampleCard, monday)
        for (const { service: carrier, freight } of large.offers) {
          const before = small.offers.find((offer) => offer.service === carrier)
          expect(before?.freight).toBeLessThanOrEqual(freight)
        }
      }),
      { numRuns: runs(150, 1500) },
    )
  })

  test('the zone is the same in both directions', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const turned = {
          ...request,
          origin_pincode: request.destination_pincode,
          destination_pincode: request.origin_pincode,
        }
        const [there, here] = [quote(request, sampleCard, monday), quote(turned, sampleCard, monday)]
        expect(here.zone.zone).toBe(there.zone.zone)
        expect(rateAnswer(there).result.shipment_details.zone).toMatch(/^zone_[a-e]$/)
      }),
      { numRuns: runs(100, 500) },
    )
  })

  test('offers are sorted by what is paid, delivery and carrier_id, and every service is offered or refused once', () => {
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        const result = quote(request, sampleCard, now)
        const offers = rateAnswer(result).result.serviceable_couriers
        const keys = offers.map((offer) => {
          const { total_forward_charges: there, total_return_charges: back } = offer.charges
          const paid = paise(there ?? back) + paise(offer.platform_fee ?? 0)
          return `${String(paid).padStart(12, '0')} ${offer.expected_delivery.delivery} ${offer.carrier_id}`
        })
        expect(keys).toEqual(keys.toSorted())
        const ids = [...offers.map((offer) => offer.carrier_id), ...result.refusals.map((no) => no.service.carrier_id)]
        expect(ids.toSorted()).toEqual(sampleCard.services.map((carrier) => carrier.carrier_id).toSorted())
        expect(result.refusals.every(({ reason }) => reason !== '' && !reason.includes('undefined'))).toBe(true)
      }),
      { numRuns: runs(100, 500) },
    )
  })

  test('pickup is not before today in India, delivery not before pickup, and neither on a national holiday', () => {
    const india = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' })
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        for (const { pickup, delivery, service: carrier } of quote(request, sampleCard, now).offers) {
          expect(pickup >= india.format(now) && delivery >= pickup).toBe(true)
          for (const day of [pickup, delivery]) {
            expect(day).not.toMatch(/-(01-26|08-15|10-02)$/)
            expect(carrier.working_days).toContain(new Date(`${day}T12:00:00Z`).getUTCDay())
          }
        }
      }),
      { numRuns: runs(100, 500) },
    )
  })

  test('the explanation agrees with the answer', () => {
    fc.assert(
      fc.property(anyRequest, anyMoment, (request, now) => {
        const result = quote(request, sampleCard, now)
        const { serviceable_couriers: offers, shipment_details: details } = rateAnswer(result).result
        const told = explanation(result)
        expect([told.zone.zone, told.weight.volumetric, told.weight.applicable, told.weight.dead]).toEqual([
          details.zone,
          details.volumetric_weight,
          details.applicable_weight,
          details.dead_weight,
        ])
        const forward = request.journey_type === 'forward'
        expect(
          told.offers.map(({ carrier_id, freight, cod, qc, rto, platform_fee, total }) =>
            forward ? [carrier_id, freight, cod, rto, platform_fee, total] : [carrier_id, freight, qc, total],
          ),
        ).toEqual(
          offers.map(({ carrier_id, charges, platform_fee }) =>
            forward
              ? [
                  carrier_id,
                  charges['forward_freight_charges'],
                  charges['cod_charges'],
                  charges['rto_charges'],
                  platform_fee,
                  charges['total_forward_charges'],
                ]
              : [carrier_id, charges['return_freight_charges'], charges['qc_charges'], charges['total_return_charges']],
          ),
        )
        expect(told.offers.length + told.refused.length).toBe(sampleCard.services.length)
        for (const offer of told.offers) {
          expect(offer.charged_weight).toBeGreaterThanOrEqual(offer.volumetric_weight)
          expect(offer.slab).toBeGreaterThanOrEqual(offer.charged_weight)
        }
      }),
      { numRuns: runs(100, 500) },
    )
  })

  test('the answer is the same bytes in every time zone of the machine', () => {
    const script = `
      const { quote, rateAnswer } = await import(${JSON.stringify(new URL('../../src/domain/rates/rates.ts', import.meta.url))})
      const { sampleCard } = await import(${JSON.stringify(new URL('../../src/domain/rates/samplecard.ts', import.meta.url))})
      const request = ${JSON.stringify(parcel({ payment_method: 'cod', shipment_value: 1499 }))}
      const lines = [new Date(0).getTimezoneOffset()]
      for (let hour = 0; hour < 400 * 24; hour += 5) {
        const now = Date.UTC(2026, 0, 1) + hour * 3_600_000 + 1_799_999
        lines.push(JSON.stringify(rateAnswer(quote(request, sampleCard, now)).result.serviceable_couriers))
      }
      process.stdout.write(lines.join('\\n'))`
    const answers = ['Asia/Kolkata', 'America/Los_Angeles', 'Pacific/Kiritimati'].map((zone) => {
      const output = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
        cwd: root,
        env: { ...process.env, TZ: zone },
        encoding: 'utf8',
        maxBuffer: 100_000_000,
      })
      const [offset, ...lines] = output.split('\n')
      return { offset, lines }
    })
    expect(new Set(answers.map(({ offset }) => offset)).size).toBe(3)
    expect(answers[0]!.lines).toHaveLength(1920)
    expect(answers[1]!.lines).toEqual(answers[0]!.lines)
    expect(answers[2]!.lines).toEqual(answers[0]!.lines)
  })
})

describe('the explanation', () => {
  test('says of each rupee where it is from', () => {
    const request = parcel({ dead_weight: 1200, payment_method: 'cod', shipment_value: 5000 })
    const told = explanation(found(request, { platform_fee: 5, rto: { percent: 90 } }, { holidays: ['2026-12-25'] }))
    expect(told.offers[0]!.lines).toEqual([
      'weight: charged on dead 1,200 g, volumetric is 0.2 g (divisor 5000); the slab ends at 1,500 g',
      'freight ₹120.00: ₹50.00 for the first 500 g in zone_c + 2 x ₹35.00 for each 500 g more',
      'COD ₹100.00: the greater of ₹30.00 and 2 % of the value',
      'if returned ₹108.00: 90 % of freight, no COD fee; in no total',
      'platform fee ₹5.00: not in the total',
      'dates: pickup 23 Nov (cut-off 14:00 IST), delivery 26 Nov, 3 working days, holidays of the card counted',
    ])
    expect(told).toMatchObject({ card: 'small', invented: false, zone: { zone: 'zone_c', rule: 'metro' }, refused: [] })
  })

  test('says of a return which weight and which check were charged', () => {
    const told = explanation(found(returned({ length: 20, width: 15, height: 10 })))
    expect(told.offers[0]!.lines.slice(0, 3)).toEqual([
      'weight: charged on volumetric 600 g (divisor 5000), more than dead 500 g; the slab ends at 1,000 g',
      'freight ₹85.00: ₹50.00 for the first 500 g in zone_c + 1 x ₹35.00 for each 500 g more',
      'QC ₹10.00: price of a quality check',
    ])
    expect(told.offers[0]!.lines.join()).not.toMatch(/COD|RTO|if returned|platform/)
  })

  test('names the sum rule, own RTO prices and the least weight', () => {
    const cod = { available: true, fixed: 10, percent: 1, rule: 'sum', max_value: null } as const
    const rto = { bands: perZone(() => bands(20, 10)) }
    const request = parcel({ payment_method: 'cod', shipment_value: 1000, dead_weight: 3 })
    const lines = explanation(found(request, { cod, rto, min_weight: 500 })).offers[0]!.lines
    expect(lines[0]).toBe('weight: charged on the least weight of this service, 500 g; the slab ends at 500 g')
    expect(lines[2]).toBe('COD ₹20.00: ₹10.00 and 1 % of the value')
    expect(lines[3]).toBe('if returned ₹20.00: its own RTO price, no COD fee; in no total')
  })

  test('a dead weight that is rounded up is not called the least weight of the service', () => {
    const lines = explanation(found(parcel({ dead_weight: 500.005 }))).offers[0]!.lines
    expect(lines[0]).toBe(
      'weight: charged on dead 500.01 g, volumetric is 0.2 g (divisor 5000); the slab ends at 1,000 g',
    )
  })

  test('says why the zone is what it is, why services are left out, and that the sample card is invented', () => {
    const told = explanation(quote(parcel({ payment_method: 'cod', shipment_value: 20_000 }), sampleCard, monday))
    expect(told).toMatchObject({ card: 'sample', invented: true })
    expect(told.zone.why).toBe('both ends in different metros: Mumbai and Bengaluru')
    expect(told.refused).toEqual([
      { carrier_id: 'CAR2MONSON6X3', carrier_name: 'Monsoon Express', reason: 'no COD' },
      { carrier_id: 'CAR4PEEPAL8T1', carrier_name: 'Peepal Post', reason: 'COD above ₹10000.00' },
      { carrier_id: 'CAR6KAVERI5L8', carrier_name: 'Kaveri Local', reason: 'does not serve zone_c' },
    ])
  })

  test('is the same for people, as text', () => {
    const plain = (text: string): string => text
    const result = quote(parcel({ payment_method: 'cod', shipment_value: 20_000 }), sampleCard, monday)
    const text = explanationText(result, { paint: { bold: plain, dim: plain } } as unknown as Screen)
    expect(text).toContain('Card sample (invented prices)\n')
    expect(text).toContain('Zone zone_c: both ends in different metros: Mumbai and Bengaluru\n')
    const told = explanation(result)
    for (const line of told.offers.flatMap((offer) => offer.lines)) expect(text).toContain(`  ${line}\n`)
    for (const { carrier_name, reason } of told.refused) expect(text).toContain(`  ${carrier_name}: ${reason}\n`)
  })
})

test('the small cards of this file are sound', () => {
  expect(cardFaults(cardOf([service()]))).toEqual([])
})
