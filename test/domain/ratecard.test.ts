// What a rate card is held to: faults named by field or line, freight that never falls, a sample card that is sound, and a
// table of it that gives the same prices back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardColumns, cardLines, cardOfLines, type CardLine } from '../../src/domain/rates/cardtable.ts'
import type { Fault } from '../../src/domain/errors.ts'
import { faultsOf, parseInput } from '../../src/domain/parse.ts'
import { everyPincode } from '../../src/domain/pincodes.ts'
import { RateCard } from '../../src/domain/rates/cardschema.ts'
import { cardFaults, type Band } from '../../src/domain/rates/ratecard.ts'
import { quote, rateAnswer, type RateRequest } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { monday } from './cards.ts'

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
  const { error } = RateCard.safeParse(changed(changes), { reportInput: true })
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
    ['services',                              [],                /^needs one service at least$/],
    ['services.0.divisor',                    undefined,         /^is required$/],
    ['services.0.divisor',                    500,               /^must be 1000 or more$/],
    ['services.0.divisor',                    4500.5,            /^must be a whole number$/],
    ['services.0.colour',                     1,                 /^unknown field `colour`$/],
    ['services.1.carrier_id',                 'has a space',     /^must be 1 to 40 letters/],
    ['services.1.carrier_name',               5,                 /^must be text$/],
    ['services.1.carrier_name',               ' ',               /^must not be empty$/],
    ['services.2.service_level',              'expres',          /Did you mean express\?/],
    ['services.2.min_weight',                 0,                 /^must be 0.01 or more$/],
    ['services.2.max_weight',                 '20000',           /^must be a number of grams$/],
    ['services.2.forward.zone_f',             [],                /^unknown field `zone_f`$/],
    ['services.2.forward.zone_a',             [],                /^needs one band at least$/],
    ['services.2.forward.zone_a.0.first_price', -1,              /^must not be negative$/],
    ['services.2.forward.zone_a.1.up_to',     undefined,         /^is required$/],
    ['services.2.return.zone_b.1.step_price', '98',              /^must be a number of rupees$/],
    ['services.3.cod.rule',                   'both',            /isn't a COD rule/],
    ['services.3.cod.percent',                101,               /^must be 100 or less$/],
    ['services.3.qc.available',               'no',              /^must be true or false$/],
    ['services.4.transit_days.forward.zone_a', 1.5,              /^must be a whole number of days$/],
    ['services.4.pickup_cutoff',              '24:00',           /^must be a time HH:mm$/],
    ['services.4.working_days',               [],                /^needs one day at least/],
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
    expect(schemaFaults([path, 0.004])).toEqual([[path, 'must be 0.01 or more']])
    expect(schemaFaults([path, 0])).toEqual([[path, 'must be 0.01 or more']])
    expect(schemaFaults([path, 0.01])).toEqual([])
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
          const { freight } = quote(parcel({ dead_weight: units / 100 }), card, monday).offers[0]!
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
      ['services.3.carrier_id', 'CAR3DECCAN4P7 is there twice'],
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

function parcel(over: Partial<RateRequest> = {}): RateRequest {
  return {
    journey_type: 'forward',
    origin_pincode: '400001',
    destination_pincode: '560001',
    dead_weight: 500,
    length: 0.1,
    width: 0.1,
    height: 0.1,
    payment_method: 'prepaid',
    ...over,
  }
}

describe('the sample card', () => {
  const { services } = sampleCard

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

  test('says that it is invented', () => {
    expect(sampleCard.name).toBe('sample')
    expect(sampleCard.note).toMatch(/^Invented/)
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

  test('gives at least five offers for 500 g of 20x15x10, prepaid, from 400001 to 560001', () => {
    const request = parseInput('getRates', parcel({ length: 20, width: 15, height: 10 }))
    expect(quote(request, sampleCard, monday).offers.length).toBeGreaterThanOrEqual(5)
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

describe('the table of a card', () => {
  const lines = cardLines(sampleCard)

  function cardOf(table: readonly CardLine[], base = sampleCard): RateCard {
    const made = cardOfLines(table, base, 'mine')
    if ('faults' in made) throw new Error(JSON.stringify(made.faults))
    return made.card
  }

  function lineFaults(table: readonly CardLine[]) {
    const made = cardOfLines(table, sampleCard, 'mine')
    return 'faults' in made ? made.faults.map(({ row, field, message }) => [row, field, message]) : []
  }

  const edited = (...edits: readonly (readonly [line: number, change: Partial<CardLine>])[]): CardLine[] =>
    lines.map((line, i) => Object.assign({}, line, ...edits.filter(([at]) => at === i + 2).map(([, change]) => change)))

  test('has one line for each carrier, journey, zone and band', () => {
    // Deccan, BlueLine, SwiftAir: 2 x 5 x 2; Monsoon: 2 x 4 x 2; Banyan: 3 x 5; Peepal: 5 x 2; Kaveri: 2 x 2; Indus: 2 x 5.
    expect(lines).toHaveLength(60 + 16 + 15 + 10 + 4 + 10)
    expect(lines[0]).toEqual({
      carrier_id: 'CAR3DECCAN4P7',
      carrier_name: 'Deccan Parcel',
      carrier_code: 'deccan_parcel',
      service_level: 'standard',
      journey: 'forward',
      zone: 'zone_a',
      up_to: '5000',
      first_weight: '500',
      first_price: '32',
      step_weight: '500',
      step_price: '26',
      transit_days: '1',
      divisor: '5000',
      min_weight: '1',
      max_weight: '30000',
      cod_available: 'true',
      cod_fixed: '28',
      cod_percent: '1.5',
      cod_rule: 'max',
      rto_percent: '100',
      qc_available: 'true',
      qc_price: '12',
      platform_fee: '5',
    })
    for (const line of lines) expect(Object.keys(line)).toEqual([...cardColumns])
    expect(lines.filter((line) => line.journey === 'rto').map((line) => line.transit_days)).toEqual([
      '',
      '',
      '',
      '',
      '',
    ])
  })

  test('gives the card back', () => {
    expect(cardOf(lines)).toEqual({ ...sampleCard, name: 'mine', note: '' })
    expect(cardFaults(RateCard.parse(cardOf(lines)))).toEqual([])
  })

  test('gives the same prices for every parcel', () => {
    const again = RateCard.parse(JSON.parse(JSON.stringify(cardOf(lines))))
    const pincodes = fc.constantFrom(...everyPincode())
    const side = fc.integer({ min: 1, max: 900 }).map((units) => units / 10)
    const request = fc.record({
      journey_type: fc.constantFrom('forward' as const, 'return' as const),
      payment_method: fc.constantFrom('cod', 'prepaid'),
      shipment_value: fc.integer({ min: 1, max: 6_000_000 }).map((paise) => paise / 100),
      qc_applicable: fc.boolean(),
      origin_pincode: pincodes,
      destination_pincode: pincodes,
      dead_weight: fc.integer({ min: 1, max: 4_000_000 }).map((units) => units / 100),
      length: side,
      width: side,
      height: side,
    })
    fc.assert(
      fc.property(request, fc.integer({ min: 0, max: 600 }), (parcelOf, days) => {
        const now = monday + days * 86_400_000
        expect(rateAnswer(quote(parcelOf, again, now))).toEqual(rateAnswer(quote(parcelOf, sampleCard, now)))
      }),
      { numRuns: 1000 },
    )
  })

  test('keeps what a line cannot say from the card it was made of', () => {
    const base: RateCard = {
      ...sampleCard,
      holidays: ['2026-12-25'],
      valid_to: '2027-03-31',
      zones: { ncr_one_city: false },
      services: sampleCard.services.map((service) => ({ ...service, max_side: 77, pickup_cutoff: '09:30' })),
    }
    expect(cardOf(cardLines(base), base)).toEqual({ ...base, name: 'mine', note: '' })
  })

  test('takes a carrier that the card does not have', () => {
    const own = lines.slice(0, 1).map((line) => ({ ...line, carrier_id: 'NEW-1', service_level: 'express', zone: 'b' }))
    const { services } = RateCard.parse(cardOf(own))
    expect(services).toHaveLength(1)
    expect(services[0]).toMatchObject({
      carrier_id: 'NEW-1',
      service_level: 'express',
      is_fast: true,
      is_prime: false,
      max_side: null,
      serviceability: {},
      return: {},
      rto: { percent: 100 },
      transit_days: { forward: { zone_b: 1 }, return: {} },
    })
    expect(Object.keys(services[0]!.forward)).toEqual(['zone_b'])
  })

  test('reads what a spreadsheet does to cells', () => {
    const retyped = lines.map((line) => ({
      ...line,
      carrier_name: ` ${line.carrier_name} `,
      first_price: Number(line.first_price).toFixed(2),
      cod_available: line.cod_available.toUpperCase(),
      qc_available: line.qc_available === 'true' ? 'yes' : '0',
      zone: line.zone.slice(-1).toUpperCase(),
    }))
    expect(cardOf(retyped)).toEqual({ ...sampleCard, name: 'mine', note: '' })
  })

  // prettier-ignore
  test.each<[Partial<CardLine>, field: string, message: string]>([
    [{ carrier_id: ' ' },           'carrier_id',    'is empty'],
    [{ zone: 'zone_f' },            'zone',          '"zone_f" is not a zone'],
    [{ journey: 'backward' },       'journey',       '"backward" is not forward, return or rto'],
    [{ first_price: '' },           'first_price',   'is empty'],
    [{ first_price: '₹32' },        'first_price',   '"₹32" is not a number'],
    [{ step_price: '-1' },          'step_price',    '"-1" is not a number'],
    [{ up_to: '5 kg' },             'up_to',         '"5 kg" is not a number'],
    [{ step_weight: '1e3' },        'step_weight',   '"1e3" is not a number'],
    [{ transit_days: '' },          'transit_days',  'is empty'],
    [{ divisor: 'five thousand' },  'divisor',       '"five thousand" is not a number'],
    [{ service_level: 'air' },      'service_level', '"air" is not standard or express'],
    [{ cod_available: 'maybe' },    'cod_available', '"maybe" is not true or false'],
    [{ cod_rule: '' },              'cod_rule',      '"" is not max or sum'],
    [{ cod_percent: '' },           'cod_percent',   'is empty'],
    [{ qc_price: 'free' },          'qc_price',      '"free" is not a number'],
  ])('a line with %j is a fault of that line', (change, field, message) => {
    // Line 62 is the first of Monsoon Express: 3 x 20 lines and the header come before it.
    expect(lines[60]!.carrier_name).toBe('Monsoon Express')
    const table = edited([62, change]).filter((line, i) => i === 60 || line.carrier_name !== 'Monsoon Express')
    expect(lineFaults(table)).toEqual([[62, field, message]])
  })

  test('names every line that is wrong', () => {
    const table = edited([3, { first_price: 'x' }], [50, { zone: '' }], [50, { journey: '' }], [90, { carrier_id: '' }])
    expect(lineFaults(table).map(([row, field]) => [row, field])).toEqual([
      [3, 'first_price'],
      [50, 'zone'],
      [50, 'journey'],
      [90, 'carrier_id'],
    ])
    expect(lineFaults([])).toEqual([[1, null, 'there is no line below the header']])
  })

  test('a later line that says something else of its carrier is a fault, not a change without effect', () => {
    const table = edited(
      [5, { divisor: '4000', cod_available: 'false' }],
      [7, { platform_fee: '7.5' }],
      [3, { transit_days: '9' }],
    )
    expect(lineFaults(table)).toEqual([
      [3, 'transit_days', '9 is not what another line says of this carrier, journey and zone'],
      [5, 'divisor', '"4000" is not what line 2 says of this carrier'],
      [5, 'cod_available', '"false" is not what line 2 says of this carrier'],
      [7, 'platform_fee', '"7.5" is not what line 2 says of this carrier'],
    ])
  })

  test('a later line may leave empty what the first line of its carrier said', () => {
    expect(cardOf(edited([5, { divisor: '', cod_rule: '', carrier_name: '' }]))).toEqual(cardOf(lines))
    expect(cardOf(edited([5, { divisor: '5000.0' }]))).toEqual(cardOf(lines))
  })
})
