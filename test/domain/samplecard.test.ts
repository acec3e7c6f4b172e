// The sample card gives the prices, dates and refusals that were worked out by hand from what is printed on it.
import { describe, expect, test } from 'vitest'
import { quote, type RateRequest } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { monday, parcel, returned, summary, reasons } from './cards.ts'

describe('the sample card', () => {
  const { services } = sampleCard
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

  test('has the services that people need to try shipx with', () => {
    expect(services.length).toBeGreaterThanOrEqual(6)
    const has = (what: (service: (typeof services)[number]) => boolean): number => services.filter(what).length
    expect(has((service) => service.service_level === 'standard')).toBeGreaterThan(0)
    expect(has((service) => service.service_level === 'express')).toBeGreaterThan(0)
    expect(has((service) => service.cod.available)).toBeGreaterThan(0)
    expect(has((service) => !service.cod.available)).toBe(1)
    expect(has((service) => Object.keys(service.return).length === 0)).toBe(1)
    expect(has((service) => service.forward.zone_e === undefined)).toBeGreaterThan(0)
    expect(has((service) => service.min_weight >= 5000 && service.max_weight >= 50_000)).toBe(1)
    expect(new Set(services.map((service) => service.divisor))).toEqual(new Set([4000, 4500, 4750, 5000, 6000]))
    for (const { carrier_id } of services) expect(carrier_id).toMatch(/^CAR[A-Z0-9]{10}$/)
  })

  test('has the prices that are usual in India', () => {
    const cheapest = (zone: 'zone_a' | 'zone_e'): number =>
      Math.min(...services.flatMap((service) => service.forward[zone]?.[0]?.first_price ?? []))
    expect(cheapest('zone_a')).toBe(30)
    expect(cheapest('zone_e')).toBeLessThanOrEqual(57)
    for (const { cod } of services.filter((service) => service.cod.available)) {
      expect(cod.fixed).toBeGreaterThanOrEqual(25)
      expect(cod.fixed).toBeLessThanOrEqual(45)
      expect(cod.percent).toBeGreaterThanOrEqual(1.25)
      expect(cod.percent).toBeLessThanOrEqual(1.8)
    }
  })

  test('costs more, and takes no less time, the farther the zone', () => {
    for (const { carrier_name, forward, transit_days } of services) {
      const firsts = Object.values(forward).map((tariff) => tariff[0]!.first_price)
      expect(firsts, carrier_name).toEqual(firsts.toSorted((a, b) => a - b))
      const days = Object.values(transit_days.forward)
      expect(days, carrier_name).toEqual(days.toSorted((a, b) => a - b))
    }
  })
})
