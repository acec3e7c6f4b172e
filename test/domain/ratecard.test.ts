// What a rate card is held to: each fault is named by its field, and freight never falls.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../../src/domain/errors.ts'
import { faultsOf, forFaults } from '../../src/domain/parse.ts'
import { RateCard } from '../../src/domain/rates/cardschema.ts'
import { cardFaults, type Band } from '../../src/domain/rates/ratecard.ts'
import { quote } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { monday, parcel } from './cards.ts'

/** Sides whose volume weighs nothing. */
const smallest = { length: 0.1, width: 0.1, height: 0.1 }

/** A value of JSON at a dotted path, `undefined` to take it away. */
type Change = readonly [path: string, value: unknown]

function changed(changes: readonly Change[]): unknown {
  const card: unknown = JSON.parse(JSON.stringify(sampleCard))
  for (const [path, value] of changes) {
    const keys = path.split('.')
    const last = keys.pop()!
    const parent = keys.reduce((node, key) => (node as Record<string, unknown>)[key], card) as Record<string, unknown>
    if (value === undefined) delete parent[last]
    else parent[last] = value
  }
  return card
}

const pairsOf = (faults: readonly Fault[]) => faults.map(({ field, message }) => [field, message])

function schemaFaults(...changes: readonly Change[]) {
  const { error } = RateCard.safeParse(changed(changes), forFaults)
  return error === undefined ? [] : pairsOf(faultsOf(error))
}

function checkFaults(...changes: readonly Change[]) {
  return pairsOf(cardFaults(RateCard.parse(changed(changes))))
}

describe('the schema', () => {
  test('takes the sample card as it is', () => {
    expect(RateCard.parse(JSON.parse(JSON.stringify(sampleCard)))).toEqual(sampleCard)
  })

  // prettier-ignore
  test.each<[path: string, value: unknown, message: RegExp, field?: string]>([
    ['name',                                  'two words',       /^must be 1 to 64 letters/],
    ['currency',                              'USD',             /^must be INR$/],
    ['valid_from',                            '2026-02-30',      /^must be a date YYYY-MM-DD of the calendar$/],
    ['valid_to',                              '30-11-2026',      /^must be a date YYYY-MM-DD of the calendar$/],
    ['valid_to',                              undefined,         /^is required$/],
    ['gst_percent',                           101,               /^must be 100 or less$/],
    ['holidays.0',                            '2027-02-29',      /^must be a date YYYY-MM-DD of the calendar$/],
    ['colour',                                'red',             /^unknown field `colour`$/],
    ['services',                              [],                /^needs at least one service$/],
    ['services.0.divisor',                    undefined,         /^is required$/],
    ['services.0.divisor',                    500,               /^must be 1000 or more$/],
    ['services.0.divisor',                    4500.5,            /^must be a whole number$/],
    ['services.0.colour',                     1,                 /^unknown field `colour`$/],
    ['services.1.carrier_id',                 'has a space',     /^must be 1 to 40 letters/],
    ['services.1.carrier_name',               5,                 /^must be text$/],
    ['services.1.carrier_name',               ' ',               /^must not be empty$/],
    ['services.2.service_level',              'expres',          /Did you mean express\?/],
    ['services.2.min_weight',                 -1,                /^must be 0 or more$/],
    ['services.2.min_weight',                 0.5,               /^0.5 what\? Write 0.5kg or 0.5g$/],
    ['services.2.max_weight',                 true,              /^must be a number of grams$/],
    ['services.2.max_weight',                 '20 stone',        /^"20 stone" is not a weight; write 500g or 0.5kg$/],
    ['services.2.max_weight',                 '12.5',            /^12.5 what\? Write 12.5kg or 12.5g$/],
    ['services.2.forward.zone_a.0.first_weight', 0.5,            /^0.5 what\? Write 0.5kg or 0.5g$/],
    ['services.2.forward.zone_a.0.step_weight', 9,               /^9 what\? Write 9kg or 9g$/],
    ['services.2.forward.zone_a.0.up_to',     2.5,               /^2.5 what\? Write 2.5kg or 2.5g$/],
    ['services.2.forward.zone_f',             [],                /^needs at least one band$/],
    ['services.2.forward.zone_a',             [],                /^needs at least one band$/],
    ['services.2.forward.zone_a.0.first_price', -1,              /^must not be negative$/],
    ['services.2.forward.zone_a.1.up_to',     undefined,         /^is required$/],
    ['services.2.return.zone_b.1.step_price', '98',              /^must be a number of rupees$/],
    ['services.3.cod.rule',                   'both',            /isn't a COD rule/],
    ['services.3.cod.percent',                101,               /^must be 100 or less$/],
    ['services.3.qc.available',               'no',              /^must be true or false$/],
    ['services.4.transit_days.forward.zone_a', 1.5,              /^must be a whole number of days$/],
    ['services.4.pickup_cutoff',              '24:00',           /^must be a time HH:mm$/],
    ['services.4.working_days',               [],                /^needs at least one day/],
    ['services.4.working_days.0',             7,                 /^must be 6 or less$/],
    ['services.4.serviceability.pickup',      { pincodes: ['0'] }, /^must be the first 1 to 6 digits of a pincode$/, 'services.4.serviceability.pickup.pincodes.0'],
    ['services.4.serviceability.cod',         { zones: ['a'] },  /isn't a zone/, 'services.4.serviceability.cod.zones.0'],
    ['zones.matrix',                          [{ from: '110', to: '30', zone: 'zone_x' }], /isn't a zone/, 'zones.matrix.0.zone'],
    ['zones.metros',                          { x: ['11a'] },    /^must be a pincode prefix or a range/, 'zones.metros.x.0'],
  ])('%s = %j', (path, value, message, field = path) => {
    expect(schemaFaults([path, value])).toEqual([[field, expect.stringMatching(message)]])
  })

  test('names several faults at once', () => {
    const faults = schemaFaults(
      ['currency', 'USD'],
      ['services.0.divisor', undefined],
      ['services.7.rto', { percent: -1 }],
    )
    expect(faults.map(([field]) => field)).toEqual(['currency', 'services.0.divisor', 'services.7.rto.percent'])
  })

  test('a step of less than a hundredth of a gram is a fault, not an infinite price', () => {
    const path = 'services.0.forward.zone_c.0.step_weight'
    expect(schemaFaults([path, '0.004g'])).toEqual([[path, 'must be 0.01 or more']])
    expect(schemaFaults([path, 0])).toEqual([[path, 'must be 0.01 or more']])
    expect(schemaFaults([path, '0.01g'])).toEqual([])
  })
})

describe('cardFaults', () => {
  test('finds none in the sample card', () => {
    expect(cardFaults(sampleCard)).toEqual([])
  })

  test('finds the classic fault, a step at exactly 5,000 g that makes freight fall, and names the band', () => {
    const step: Band[] = [
      { up_to: 5000, first_weight: 500, first_price: 44, step_weight: 500, step_price: 38 },
      { up_to: null, first_weight: 5000, first_price: 300, step_weight: 1000, step_price: 45 },
    ]
    // 44 + 9 x 38 = 386 at 5,000 g and 300 + 45 = 345 just above.
    expect(checkFaults(['services.0.forward.zone_c', step])).toEqual([
      [
        'services.0.forward.zone_c.1',
        'Deccan Parcel, forward zone_c: freight falls from ₹386.00 at 5000 g to ₹345.00 just above it (band 2)',
      ],
    ])
  })

  test('looks at the paisa at both sides of a border, in every journey and at every border', () => {
    const three = (second: number, third: number): Band[] => [
      { up_to: 1000, first_weight: 500, first_price: 30, step_weight: 500, step_price: 20 },
      { up_to: 2000, first_weight: 1000, first_price: second, step_weight: 500, step_price: 0 },
      { up_to: null, first_weight: 3000, first_price: third, step_weight: 500, step_price: 1 },
    ]
    expect(checkFaults(['services.0.return.zone_b', three(50, 50)])).toEqual([])
    expect(checkFaults(['services.0.return.zone_b', three(49.99, 49.99)])).toEqual([
      ['services.0.return.zone_b.1', expect.stringMatching(/return zone_b: freight falls .*\(band 2\)$/)],
    ])
    expect(checkFaults(['services.0.return.zone_b', three(60, 59.99)])).toEqual([
      ['services.0.return.zone_b.2', expect.stringMatching(/₹60.00 at 2000 g to ₹59.99 .*\(band 3\)$/)],
    ])
    const rto = Object.fromEntries(
      ['zone_a', 'zone_b', 'zone_c', 'zone_d', 'zone_e'].map((zone) => [zone, three(9, 9)]),
    )
    expect(checkFaults(['services.4.rto', { bands: rto }]).map(([field]) => field)).toEqual([
      'services.4.rto.bands.zone_a.1',
      'services.4.rto.bands.zone_b.1',
      'services.4.rto.bands.zone_c.1',
      'services.4.rto.bands.zone_d.1',
      'services.4.rto.bands.zone_e.1',
    ])
  })

  test('agrees with prices: a tariff without a fault never falls, one with a fault does', () => {
    const band = fc.record({
      width: fc.integer({ min: 1, max: 40 }),
      first_weight: fc.integer({ min: 1, max: 80 }),
      first_price: fc.integer({ min: 0, max: 30 }),
      step_weight: fc.integer({ min: 1, max: 9 }),
      step_price: fc.integer({ min: 0, max: 5 }),
    })
    let [sound, faulty] = [0, 0]
    fc.assert(
      fc.property(fc.array(band, { minLength: 2, maxLength: 4 }), (drawn) => {
        let end = 0
        // In hundredths of a gram, so that every border can be walked over.
        const tariff = drawn.map(({ width, first_weight, first_price, step_weight, step_price }, i): Band => {
          end += width
          return {
            up_to: i === drawn.length - 1 ? null : end / 100,
            first_weight: first_weight / 100,
            first_price,
            step_weight: step_weight / 100,
            step_price,
          }
        })
        const card: RateCard = {
          ...sampleCard,
          services: [{ ...sampleCard.services[0]!, min_weight: 0.01, forward: { zone_c: tariff } }],
        }
        let falls = false
        let before = 0
        for (let units = 1; units <= end + 20; units++) {
          const { freight } = quote(parcel({ ...smallest, dead_weight: units / 100 }), card, monday).offers[0]!
          falls ||= freight < before
          before = freight
        }
        expect(cardFaults(card).length > 0).toBe(falls)
        if (falls) faulty++
        else sound++
      }),
      { numRuns: 300 },
    )
    expect(sound).toBeGreaterThan(10)
    expect(faulty).toBeGreaterThan(10)
  })

  test('finds bands out of order and bands that nothing reaches', () => {
    const band = (up_to: number | null): Band => ({
      up_to,
      first_weight: 500,
      first_price: 30,
      step_weight: 500,
      step_price: 0,
    })
    const message = (number: number): string =>
      `Deccan Parcel, forward zone_a: bands must grow; band ${number} can never be reached`
    const faults = (...ends: (number | null)[]) => checkFaults(['services.0.forward.zone_a', ends.map(band)])
    expect(faults(2000, 1000)).toEqual([['services.0.forward.zone_a.1.up_to', message(2)]])
    expect(faults(2000, 2000, 5000)).toEqual([['services.0.forward.zone_a.1.up_to', message(2)]])
    expect(faults(null, 1000)).toEqual([['services.0.forward.zone_a.1.up_to', message(2)]])
    expect(faults(null, null)).toEqual([['services.0.forward.zone_a.1.up_to', message(2)]])
    expect(faults(1000, 2000, 1500, null)).toEqual([['services.0.forward.zone_a.2.up_to', message(3)]])
    expect(faults(1000, 2000, null)).toEqual([])
  })

  test('finds a carrier that is there twice, and a min_weight above max_weight', () => {
    expect(
      checkFaults(
        ['services.3.carrier_id', 'CAR3DECCAN4P7'],
        ['services.5.min_weight', 20_001],
        ['services.6.min_weight', 10_000],
      ),
    ).toEqual([
      ['services.3.carrier_id', 'CAR3DECCAN4P7 appears twice'],
      ['services.5.min_weight', 'is above max_weight'],
    ])
  })

  test('finds prices without transit days or without an RTO price, and dates the wrong way round', () => {
    expect(
      checkFaults(
        ['services.1.transit_days.forward.zone_d', undefined],
        ['services.1.transit_days.return.zone_e', undefined],
        ['services.4.rto.bands.zone_b', undefined],
        ['valid_from', '2026-12-01'],
        ['valid_to', '2026-11-30'],
      ),
    ).toEqual([
      ['valid_to', '2026-11-30 is before valid_from 2026-12-01'],
      ['services.1.transit_days.forward.zone_d', 'BlueLine Surface, forward zone_d has a price and no transit days'],
      ['services.1.transit_days.return.zone_e', 'BlueLine Surface, return zone_e has a price and no transit days'],
      ['services.4.rto.bands.zone_b', 'Banyan Heavy has a forward price for zone_b and no RTO price'],
    ])
    expect(checkFaults(['valid_from', '2026-12-01'], ['valid_to', '2026-12-01'])).toEqual([])
  })

  // prettier-ignore
  test.each<[zones: unknown, message: string | undefined]>([
    [{ special_states: ['Himachal'] },                 '"Himachal" is not a state or union territory'],
    [{ special_states: ['Himachal Pradesh', 'kerala'] }, undefined],
    [{ regions: [['Punjab', 'Hariyana']] },            '"Hariyana" is not a state or union territory'],
    [{ metros: { x: ['121015-121001'] } },             'the pincode range 121015-121001 runs backwards'],
    [{ matrix: [{ from: '110', to: '30', zone: 'zone_b' }] }, undefined],
  ])('zone options that no quote could use are a fault of the card: %j', (zones, message) => {
    expect(checkFaults(['zones', zones])).toEqual(message === undefined ? [] : [['zones', message]])
  })

  test('a misspelt state in serviceability is a fault, not a rule that never applies', () => {
    expect(
      checkFaults(
        ['services.0.serviceability', { pickup: { states: ['Karnataka', 'Tamilnadu'] }, delivery: {} }],
        ['services.1.serviceability', { cod: { not_states: ['nagaland', 'Zzz'], states: ['Goa'] } }],
        ['services.2.serviceability', { delivery: { not_states: ['Army Post', 'Lakshadweep'] } }],
      ),
    ).toEqual([
      [
        'services.0.serviceability.pickup.states.1',
        '"Tamilnadu" is not a state or union territory; did you mean "Tamil Nadu"?',
      ],
      [
        'services.1.serviceability.cod.not_states.0',
        '"nagaland" is not a state or union territory; did you mean "Nagaland"?',
      ],
      ['services.1.serviceability.cod.not_states.1', '"Zzz" is not a state or union territory'],
    ])
  })
})
