// The table of a rate card: it gives the same card and the same prices back, and a fault is named by line and column.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardColumns, type CardLine } from '../../src/domain/rates/cardcells.ts'
import { cardLines, cardOfLines, tableFault } from '../../src/domain/rates/cardtable.ts'
import { everyPincode } from '../../src/domain/pincodes.ts'
import { RateCard } from '../../src/domain/rates/cardschema.ts'
import { cardFaults } from '../../src/domain/rates/ratecard.ts'
import { quote, rateAnswer } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { monday } from './cards.ts'

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
    [{ first_price: '$32' },        'first_price',   '"$32" is not an amount in rupees; write for example 1499'],
    [{ step_price: '-1' },          'step_price',    'must not be negative'],
    [{ up_to: '5 stone' },          'up_to',         '"5 stone" is not a weight; write 500g or 0.5kg'],
    [{ up_to: '12.5' },             'up_to',         '12.5 what? Write 12.5kg or 12.5g'],
    [{ first_weight: '0.5' },       'first_weight',  '0.5 what? Write 0.5kg or 0.5g'],
    [{ step_weight: '1e3' },        'step_weight',   '"1e3" is not a weight; write 500g or 0.5kg'],
    [{ min_weight: '2' },           'min_weight',    '2 what? Write 2kg or 2g'],
    [{ rto_percent: 'half' },       'rto_percent',   '"half" is not a number'],
    [{ transit_days: '' },          'transit_days',  'is empty'],
    [{ divisor: 'five thousand' },  'divisor',       '"five thousand" is not a number'],
    [{ service_level: 'air' },      'service_level', '"air" is not standard or express'],
    [{ cod_available: 'maybe' },    'cod_available', '"maybe" is not yes or no'],
    [{ cod_rule: '' },              'cod_rule',      '"" is not max or sum'],
    [{ cod_percent: '' },           'cod_percent',   'is empty'],
    [{ qc_price: 'free' },          'qc_price',      '"free" is not an amount in rupees; write for example 1499'],
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
      [3, 'transit_days', '9 differs from another line of this carrier, journey and zone'],
      [5, 'divisor', '"4000" differs from line 2, which has the same carrier'],
      [5, 'cod_available', '"false" differs from line 2, which has the same carrier'],
      [7, 'platform_fee', '"7.5" differs from line 2, which has the same carrier'],
    ])
  })

  test('a later line may leave empty what the first line of its carrier said', () => {
    expect(cardOf(edited([5, { divisor: '', cod_rule: '', carrier_name: '' }]))).toEqual(cardOf(lines))
    expect(cardOf(edited([5, { divisor: '5000.0' }]))).toEqual(cardOf(lines))
  })
})

describe('what a table has no column for', () => {
  test('stays with its carrier: a surcharge does not vanish when prices are edited in a spreadsheet', () => {
    const [first, ...rest] = sampleCard.services
    const terms = { surcharges: [{ name: 'Fuel', percent: 12 }], minimum_charge: 45, tolerance: 50, whole_cm: true }
    const base = {
      ...sampleCard,
      services: [{ ...first!, ...terms, cod: { ...first!.cod, on_rto: 'charged' as const } }, ...rest],
    }
    const made = cardOfLines(cardLines(base), base, 'mine')
    expect('card' in made && made.card.services[0]).toMatchObject({ ...terms, cod: { on_rto: 'charged' } })
  })

  test('refuses the table where prices would be lost', () => {
    const [first, ...rest] = sampleCard.services
    const base = { ...sampleCard, services: [{ ...first!, rto: { per_slab: { zone_a: 20 } } }, ...rest] }
    const fault = `${first!.carrier_name} has an RTO price for each slab`
    expect(tableFault(base)).toBe(fault)
    expect(tableFault(sampleCard)).toBeUndefined()
    const made = cardOfLines(cardLines(sampleCard), base, 'mine')
    expect('faults' in made && made.faults[0]?.message).toContain(fault)
  })
})
