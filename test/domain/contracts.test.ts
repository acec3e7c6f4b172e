// What contracts have beside freight: surcharges, zones that the courier draws, rules of weight, RTO by slab and COD by
// value, worked out by hand to the paisa.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ShipxError } from '../../src/domain/errors.ts'
import { cardFaults, type RateCard, type Service, type Surcharge } from '../../src/domain/rates/ratecard.ts'
import { rtoSurchargesOf, surchargesOf, type Offer } from '../../src/domain/rates/pricing.ts'
import { rateText } from '../../src/domain/rates/answertext.ts'
import { quote, rateAnswer } from '../../src/domain/rates/rates.ts'
import type { Component } from '../../src/domain/rates/surcharges.ts'
import { namesPincode } from '../../src/domain/rates/zonetables.ts'
import { runs } from '../support/size.ts'
import { bands, cardOf, found, offerOf, parcel, perZone, refusalOf, returned, service, monday } from './cards.ts'

const withSurcharges = (...surcharges: readonly Surcharge[]): Partial<Service> => ({ surcharges: [...surcharges] })
const named = (components: readonly Component[]) =>
  Object.fromEntries(components.map(({ name, amount }) => [name, amount]))
const amounts = (offer: Offer) => named(surchargesOf(offer))

describe('a contract with fuel 12 %, COD max(40, 1.8 %) and GST 18 %', () => {
  const contract: Partial<Service> = {
    surcharges: [{ name: 'Fuel', percent: 12 }],
    cod: { available: true, fixed: 40, percent: 1.8, rule: 'max', max_value: null },
  }

  test('costs what a sheet by hand says, each part and the sum', () => {
    const offer = offerOf(
      parcel({ dead_weight: 1200, payment_method: 'cod', shipment_value: 3000 }, 'zone_d'),
      contract,
    )
    // 60 + 2 x 40 = 140; fuel 16.80; COD 54.00; back 140 and fuel 16.80.
    expect([offer.freight, amounts(offer), offer.cod, offer.total]).toEqual([14000, { Fuel: 1680 }, 5400, 21080])
    expect([offer.rto, named(rtoSurchargesOf(offer))]).toEqual([15680, { Fuel: 1680 }])
  })

  test('names its surcharges in the answer, beside the fields of the specification', () => {
    const answer = rateAnswer(found(parcel({}, 'zone_c'), contract))
    const [offer] = answer.result.serviceable_couriers
    expect(offer).toMatchObject({
      charges: { forward_freight_charges: 50, cod_charges: 0, rto_charges: 56, total_forward_charges: 56 },
      surcharges: { Fuel: 6 },
    })
    const plain = rateAnswer(found(parcel({}, 'zone_c')))
    expect(Object.keys(plain.result.serviceable_couriers[0]!)).not.toContain('surcharges')
  })
})

describe('a surcharge', () => {
  // prettier-ignore
  const cases: readonly (readonly [what: string, surcharge: Omit<Surcharge, 'name'>, over: object, paise: number | undefined])[] = [
    ['by percent, half up',              { percent: 12.345 },                                     {},                        617],
    ['of freight and COD',               { percent: 10, of: 'freight_and_cod' },                  { payment_method: 'cod', shipment_value: 1000 }, 800],
    ['a fixed amount',                   { amount: 3.5 },                                         {},                        350],
    ['for each started kilogram',        { per_kg: 4 },                                           { dead_weight: 2001 },     1200],
    ['of the value',                     { percent_of_value: 0.2, least: 10 },                    { payment_method: 'cod', shipment_value: 9999 }, 2000],
    ['at least so much',                 { percent: 1, least: 10 },                               {},                        1000],
    ['at most so much',                  { percent: 50, most: 20 },                               {},                        2000],
    ['above a weight, at its end',       { amount: 30, when: { above_weight: 2000 } },            { dead_weight: 2000 },     undefined],
    ['above a weight, just above it',    { amount: 30, when: { above_weight: 2000 } },            { dead_weight: 2000.01 },  3000],
    ['above a side, at its end',         { amount: 30, when: { above_side: 60 } },                { length: 60 },            undefined],
    ['above a side, above it',           { amount: 30, when: { above_side: 60 } },                { length: 60.5 },          3000],
    ['at these pincodes',                { amount: 25, when: { pincodes: ['5600'] } },            {},                        2500],
    ['at other pincodes',                { amount: 25, when: { pincodes: ['797'] } },             {},                        undefined],
    ['in these zones',                   { amount: 25, when: { zones: ['zone_c'] } },             {},                        2500],
    ['in other zones',                   { amount: 25, when: { zones: ['zone_e'] } },             {},                        undefined],
    ['of prepaid parcels',               { amount: 25, when: { payment: 'prepaid' } },            {},                        2500],
    ['of COD parcels alone',             { amount: 25, when: { payment: 'cod' } },                {},                        undefined],
    ['on the way back alone',            { amount: 25, legs: ['rto'] },                           {},                        undefined],
  ]
  test.each(cases)('%s', (_, surcharge, over, paise) => {
    const offer = offerOf(parcel(over), withSurcharges({ name: 'It', ...surcharge }))
    expect(amounts(offer)).toEqual(paise === undefined ? {} : { It: paise })
    expect(offer.total).toBe(offer.freight + offer.cod + (paise ?? 0))
  })

  test('of fuel goes by the rate of the day, and has no price before the first', () => {
    const percents = [
      { from: '2026-11-01', percent: 10 },
      { from: '2026-11-23', percent: 20 },
    ]
    const on = (day: string) =>
      found(parcel(), withSurcharges({ name: 'Fuel', percents }), {}, Date.parse(`${day}T09:00+05:30`))
    expect(amounts(on('2026-11-20').offers[0]!)).toEqual({ Fuel: 500 })
    expect(amounts(on('2026-11-23').offers[0]!)).toEqual({ Fuel: 1000 })
    expect(on('2026-10-31').refusals[0]!.reason).toBe('Fuel has no rate for 2026-10-31')
  })

  test('fills up to the least charge, of freight and surcharges together', () => {
    const offer = offerOf(parcel(), { ...withSurcharges({ name: 'Fuel', percent: 10 }), minimum_charge: 80 })
    expect(amounts(offer)).toEqual({ Fuel: 500, 'Minimum charge': 2500 })
    expect(amounts(offerOf(parcel(), { minimum_charge: 50 }))).toEqual({})
  })

  test('is due on a return too, and named there', () => {
    const [offer] = rateAnswer(found(returned(), withSurcharges({ name: 'Docket', amount: 5 }))).result
      .serviceable_couriers
    expect(offer).toMatchObject({ charges: { total_return_charges: 65 }, surcharges: { Docket: 5 } })
  })

  test.each([
    [{ name: 'It' }, 'It has no amount; give one of percent, percents, amount, per_kg, percent_of_value'],
    [{ name: 'It', percent: 1, amount: 2 }, 'It has percent and amount; give one of percent, percents, amount'],
    [{ name: 'It', amount: 2, of: 'freight' as const }, 'goes with percent or percents'],
    [{ name: 'It', percent: 2, least: 3, most: 2 }, 'is above most'],
    [{ name: 'Minimum charge', percent: 2 }, '"Minimum charge" appears twice'],
    [{ name: 'It', percent: 2, when: { zones: ['C2'] } }, 'One: "C2" is not a zone of the card'],
  ])('of %j is not sound', (surcharge, message) => {
    const faults = cardFaults(cardOf([service(withSurcharges(surcharge))]))
    expect(faults.map((fault) => fault.message)).toEqual([expect.stringContaining(message)])
  })
})

describe('zones that the courier draws', () => {
  const drawn = {
    zone_tables: [
      {
        name: 'delhivery',
        zones: { A: 'zone_a', B: 'zone_b', C1: 'zone_c', C2: 'zone_c', F: 'zone_e' } as const,
        origins: [
          { from: '400001', to: { A: ['4000'], C1: ['560'], C2: ['560001-560004', '110'], B: ['382830'] } },
          { from: '', to: { F: ['744'] } },
        ],
      },
    ],
  }
  const own: Partial<Service> = {
    zone_table: 'delhivery',
    forward: { A: bands(10, 5), B: bands(20, 5), C1: bands(30, 5), C2: bands(40, 5), F: bands(90, 9) },
    return: { A: bands(11, 5), C2: bands(41, 5) },
    transit_days: { forward: { ...perZone(() => 3), C2: 5 }, return: perZone(() => 3) },
  }
  const between = (origin_pincode: string, destination_pincode: string) =>
    parcel({ origin_pincode, destination_pincode })

  test('price by the longest prefix, under the courier’s names', () => {
    expect(offerOf(between('400001', '560001'), own, drawn)).toMatchObject({ freight: 4000, zone: { name: 'C2' } })
    expect(offerOf(between('400001', '560034'), own, drawn)).toMatchObject({ freight: 3000, zone: { name: 'C1' } })
    expect(offerOf(between('110001', '744101'), own, drawn)).toMatchObject({ freight: 9000, zone: { as: 'zone_e' } })
  })

  test('have their own days where the card has them, else those of the zone that they count in', () => {
    const [one, other] = ['560001', '560034'].map((to) => offerOf(between('400001', to), own, drawn).delivery)
    expect([one, other]).toEqual(['2026-11-28', '2026-11-26'])
  })

  test('go by the merchant’s end of a return', () => {
    const back = { ...returned(), origin_pincode: '560001', destination_pincode: '400001' }
    expect(offerOf(back, own, drawn)).toMatchObject({ freight: 4100, zone: { name: 'C2', as: 'zone_c' } })
  })

  test('are named in the answer beside the zone of the five', () => {
    const { result } = rateAnswer(found(between('400001', '560001'), own, drawn))
    expect(result.serviceable_couriers[0]).toMatchObject({ courier_zone: 'C2' })
    expect(result.shipment_details.zone).toBe('zone_c')
  })

  test('and surcharges stand in the text of an answer as in its JSON', () => {
    const dear = withSurcharges({ name: 'Fuel "A"', percent: 12.5 }, { name: 'Docket', amount: 5 })
    for (const request of [between('400001', '560001'), returned()])
      for (const one of [found(request, { ...own, ...dear }, drawn), found(request, dear), found(request, own, drawn)])
        expect(rateText(one)).toBe(JSON.stringify(rateAnswer(one)))
  })

  test('refuse a lane that they lack', () => {
    expect(refusalOf(between('400001', '781001'), own, drawn)).toBe('the zones "delhivery" lack 400001 to 781001')
  })

  test('are enough for a pincode that India Post does not list, 382830', () => {
    const quoted = found(between('400001', '382830'), own, drawn)
    expect(quoted.offers[0]).toMatchObject({ freight: 2000, zone: { name: 'B', as: 'zone_b' } })
    expect(quoted.zone).toEqual({
      zone: 'zone_b',
      rule: 'table',
      why: 'India Post does not list 382830; the zones "delhivery" do',
    })
    expect(namesPincode(drawn.zone_tables, '382830')).toBe(true)
    expect(namesPincode(drawn.zone_tables, '382831')).toBe(false)
    const other = quote(
      between('400001', '382830'),
      cardOf([service(own), service({ carrier_id: 'TWO' })], drawn),
      monday,
    )
    expect(other.refusals.map(({ reason }) => reason)).toEqual(['no zone between 400001 and 382830'])
  })

  test('do not make up a pincode that neither knows: it is refused with the nearest', () => {
    const error = (() => {
      try {
        found(between('400001', '382831'), own, drawn)
      } catch (caught) {
        return caught as ShipxError
      }
      return undefined
    })()
    expect(error?.code).toBe('invalid_input')
    expect(error?.details[0]).toMatchObject({ field: 'destination_pincode' })
    expect(error?.details[0]!.message).toMatch(/^382831 is not a pincode that exists; nearest: /)
  })

  test('that a price names and the table lacks are a fault, and so is a table that is not there', () => {
    const faults = (over: Partial<Service>, card: Partial<RateCard> = drawn): readonly string[] =>
      cardFaults(cardOf([service({ ...own, ...over })], card)).map(({ message }) => message)
    expect(faults({ forward: { A: bands(1, 1), Z: bands(1, 1) } })[0]).toBe(
      'One: "Z" is not a zone of delhivery; zones: A, B, C1, C2, F',
    )
    expect(faults({}, {})).toContain('the card has no zone table "delhivery"; it has: none')
  })
})

describe('rules of weight', () => {
  const box = { length: 20.2, width: 15, height: 10 }
  // prettier-ignore
  const cases: readonly (readonly [what: string, rule: Partial<Service>, over: object, weight: number, slab: number])[] = [
    ['sides as they are',                     {},                      box,                              606,  1000],
    ['sides in whole centimetres',            { whole_cm: true },      box,                              630,  1000],
    ['10 kg for a cubic foot',                { kg_per_cft: 10 },      { ...box, length: 20 },           1111.11, 1500],
    ['7.5 kg for a cubic foot',               { kg_per_cft: 7.5 },     { ...box, length: 20 },           833.33, 1000],
    ['dead weight alone up to 1 kg',          { dead_only_to: 1000 },  { ...box, length: 90, dead_weight: 400 }, 400, 500],
    ['and volumetric above it',               { dead_only_to: 1000 },  { ...box, length: 90, dead_weight: 1001 }, 2700, 3000],
    ['540 g within a tolerance of 50 g',      { tolerance: 50 },       { dead_weight: 540 },             540,  500],
    ['551 g beyond it',                       { tolerance: 50 },       { dead_weight: 551 },             551,  1000],
  ]
  test.each(cases)('%s', (_, rule, over, weight, slab) => {
    expect(offerOf(parcel(over), rule)).toMatchObject({ weight, slab })
  })
})

test('RTO by slab is its price times the slabs of the way out', () => {
  const rto = { per_slab: perZone((i) => 20 + i) }
  expect(offerOf(parcel({ dead_weight: 1200 }), { rto })).toMatchObject({ freight: 12000, rto: 3 * 2200 })
  const faults = cardFaults(cardOf([service({ rto: { per_slab: { zone_a: 20 } } })]))
  expect(faults[0]?.message).toBe('One has a forward price for zone_b and no RTO price')
})

test('COD by value and zone takes the first slab that fits, and none refuses', () => {
  const cod: Service['cod'] = {
    available: true,
    fixed: 0,
    percent: 0,
    rule: 'max',
    max_value: null,
    slabs: [
      { up_to: 1000, fixed: 30, percent: 0 },
      { up_to: 5000, fixed: 40, percent: 2, zones: ['zone_a', 'zone_c'] },
    ],
  }
  const at = (shipment_value: number) => parcel({ payment_method: 'cod', shipment_value })
  expect([offerOf(at(1000), { cod }).cod, offerOf(at(1000.01), { cod }).cod, offerOf(at(5000), { cod }).cod]).toEqual([
    3000, 4000, 10000,
  ])
  expect(refusalOf(at(5000.01), { cod })).toBe('no COD price for this value in zone_c')
})

test('whatever a contract has, what is paid never falls with weight, and parts add up to the total', () => {
  const amount = fc.integer({ min: 0, max: 500 }).map((units) => units / 10)
  const when = fc.option(
    fc.record(
      { above_weight: fc.integer({ min: 0, max: 9000 }), above_side: fc.integer({ min: 1, max: 99 }) },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  )
  const bounds = fc.constantFrom({}, { least: 5 }, { most: 70 }, { least: 5, most: 70 })
  const way = fc.oneof(
    amount.map((percent) => ({ percent })),
    amount.map((rupees) => ({ amount: rupees })),
    amount.map((per_kg) => ({ per_kg })),
    amount.map((percent_of_value) => ({ percent_of_value })),
  )
  const surcharges = fc
    .array(fc.tuple(way, bounds, when), { maxLength: 4 })
    .map((list) => list.map(([one, bound, cond], i) => ({ name: `S${i}`, ...one, ...bound, when: cond })))
  const rules = fc.record({
    surcharges,
    minimum_charge: amount,
    whole_cm: fc.boolean(),
    dead_only_to: fc.constantFrom(0, 700, 2000),
    tolerance: fc.constantFrom(0, 10, 60),
    rto: fc.constantFrom({ percent: 80 }, { per_slab: perZone(() => 9) }),
  })
  const sides = fc.tuple(...[1, 2, 3].map(() => fc.integer({ min: 1, max: 120 })))
  fc.assert(
    fc.property(rules, sides, fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 2 }), (over, side, weights) => {
      const [length, width, height] = side as [number, number, number]
      const card = cardOf([service({ ...(over as Partial<Service>), max_weight: 1_000_000 })])
      let before = 0
      for (const dead_weight of weights.toSorted((a, b) => a - b)) {
        const request = parcel({ length, width, height, dead_weight, payment_method: 'cod', shipment_value: 800 })
        const [offer] = quote(request, card, monday).offers
        const parts = surchargesOf(offer!).reduce((all, one) => all + one.amount, 0)
        expect([offer!.surcharges, offer!.total]).toEqual([parts, offer!.freight + offer!.cod + parts])
        const back = rtoSurchargesOf(offer!).reduce((all, one) => all + one.amount, 0)
        expect(offer!.rtoSurcharges).toBe(back)
        expect(offer!.total + offer!.rto).toBeGreaterThanOrEqual(before)
        before = offer!.total + offer!.rto
      }
    }),
    { numRuns: runs(100, 2000) },
  )
})
