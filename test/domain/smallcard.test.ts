// A contract as a small sheet: one line for each courier, defaults that are said, and the prices of a sheet by hand.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writtenWeight } from '../../src/domain/rates/cardcells.ts'
import { RateCard } from '../../src/domain/rates/cardschema.ts'
import { cardFaults, type Service } from '../../src/domain/rates/ratecard.ts'
import { surchargesOf } from '../../src/domain/rates/pricing.ts'
import { quote, rateAnswer } from '../../src/domain/rates/rates.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { cardOfSmall } from '../../src/domain/rates/smallcard.ts'
import { isSmall, smallColumn } from '../../src/domain/rates/smallcolumns.ts'
import type { SmallSheet } from '../../src/domain/rates/smallform.ts'
import { smallFault, smallLines, smallTemplate, type Rows } from '../../src/domain/rates/smalllines.ts'
import { cardColumns } from '../../src/domain/rates/cardcells.ts'
import type { Zone } from '../../src/domain/rates/zones.ts'
import { runs } from '../support/size.ts'
import { bands, cardOf, monday, parcel, perZone, returned, service } from './cards.ts'

const sheetOf = ([headers, ...lines]: Rows): SmallSheet => ({
  headers: headers!,
  headLine: 1,
  counts: 'line',
  grouped: true,
  lines: lines.map((cells, i) => ({ at: i + 2, cells })),
})

const tableOf = (text: string): Rows => text.split('\n').map((line) => line.split(',').map((cell) => cell.trim()))

const read = (rows: Rows, base = sampleCard, zones: ReadonlyMap<string, Zone> = new Map()) =>
  cardOfSmall(sheetOf(rows), { base, name: 'contract', zones })

/** The card of a sheet that must be sound, as it is saved. */
function cardIn(rows: Rows, base?: RateCard, zones?: ReadonlyMap<string, Zone>) {
  const made = read(rows, base, zones)
  if ('faults' in made) throw new Error(JSON.stringify(made.faults))
  const card = RateCard.parse(JSON.parse(JSON.stringify(made.card, writtenWeight)))
  expect(cardFaults(card)).toEqual([])
  return { card, filled: made.filled, lost: made.lost }
}

const faultsIn = (rows: Rows) => {
  const made = read(rows)
  return 'faults' in made ? made.faults.map(({ row, field, message }) => [row, field, message]) : []
}

/** Five zones as a contract prints them, in rupees. */
const paper = `courier,first_weight,zone_a,zone_b,zone_c,zone_d,zone_e,step_weight,zone_a_step,zone_b_step,zone_c_step,zone_d_step,zone_e_step,cod_fixed,cod_percent,fuel_percent,gst_percent
Road Express,500g,32,38,48,54,68,500g,26,30,38,42,55,40,1.8,12,18`

describe('a contract of five zones, fuel 12 %, COD max(40, 1.8 %), GST 18 %', () => {
  const { card, filled } = cardIn(tableOf(paper))

  // By hand: freight first + n x step; fuel 12 % of it; COD the greater of 40 and 1.8 %; RTO the freight and its fuel.
  // prettier-ignore
  const byHand: readonly (readonly [zone: Zone, grams: number, value: number, freight: number, fuel: number, cod: number, rto: number, total: number])[] = [
    ['zone_a', 500,  0,       3200,  384,  0,     3584,  3584],
    ['zone_b', 501,  2222.22, 6800,  816,  4000,  7616,  11616],
    ['zone_c', 1200, 3000,    12400, 1488, 5400,  13888, 19288],
    ['zone_d', 5000, 2222.23, 43200, 5184, 4000,  48384, 52384],
    ['zone_e', 5001, 9999.99, 61800, 7416, 18000, 69216, 87216],
  ]
  test.each(byHand)('%s, %d g, value %d: to the paisa', (zone, dead_weight, value, freight, fuel, cod, rto, total) => {
    const paid = value === 0 ? {} : { payment_method: 'cod', shipment_value: value }
    const [offer] = quote(parcel({ dead_weight, ...paid }, zone), card, monday).offers
    const surcharges = [{ name: 'Fuel', amount: fuel }]
    expect({ ...offer, surcharges: surchargesOf(offer!) }).toMatchObject({ freight, cod, rto, total, surcharges })
  })

  test('says what it filled in, and nothing that the sheet says', () => {
    expect(filled.toSorted()).toEqual([
      'RTO 100 % of the freight',
      'any weight',
      'divisor 5000',
      'no returns',
      'pickup cut-off 14:00, Monday to Saturday',
      'the greater of both COD fees',
      'transit days 2 to 7',
    ])
    expect(card.services[0]).toMatchObject({ carrier_id: 'ROAD-EXPRESS', carrier_code: 'road_express', divisor: 5000 })
    expect(card.gst_percent).toBe(18)
  })

  test('needs the courier and its prices alone', () => {
    const { filled: said } = cardIn(tableOf('Courier,A,Zone A additional\nX,10,5'))
    expect(said).toEqual(expect.arrayContaining(['a first slab of 500 g', 'no COD', 'GST 18 %', 'no returns']))
  })
})

describe('the weight of a slab in the header of its price was not read: 2.1 kg cost 102 in place of 132', () => {
  const bandOf = (sheet: string): unknown => cardIn(tableOf(sheet)).card.services[0]!.forward['zone_a']
  test('it is the weight of the slab', () => {
    expect(bandOf('courier,First Weight,Zone A,Zone A additional 500g\nXB,1kg,42,30')).toMatchObject([
      { first_weight: 1000, step_weight: 500 },
    ])
    expect(bandOf('courier,Zone A first 500 g,Addl 1kg Zone A\nXB,42,30')).toMatchObject([
      { first_weight: 500, step_weight: 1000 },
    ])
    const { filled } = cardIn(tableOf('courier,Zone A first 250 g,Zone A addl\nXB,42,30'))
    expect(filled).not.toContain('a first slab of 500 g')
  })

  test('two weights are refused, in the headers and in a cell', () => {
    expect(faultsIn(tableOf('courier,A,A add 500g,B,B add 1kg\nX,1,2,3,4'))).toEqual([
      [1, 'B add 1kg', 'names 1000 g, and "A add 500g" 500 g; a line of a card has one weight for all zones'],
    ])
    expect(faultsIn(tableOf('courier,step_weight,A,A add 500g\nX,1kg,1,2'))).toEqual([
      [2, 'step_weight', 'is 1000 g, and the header "A add 500g" names 500 g'],
    ])
    expect(bandOf('courier,step_weight,A,A add 500g\nX,0.5kg,1,2')).toMatchObject([{ step_weight: 500 }])
  })
})

test('a COD fee as a contract writes it names the two columns that hold it', () => {
  const [fault] = faultsIn(tableOf('courier,A,A add,COD charges\nX,1,2,₹35 or 1.8% whichever higher'))
  expect(fault?.[2]).toContain('write the rupees in cod_fixed and the percentage in cod_percent')
})

test('the template is a card as it is, also with a courier’s own zones, and with couriers it waits for prices', () => {
  const { card } = cardIn(smallTemplate(undefined))
  expect(card.services.map(({ carrier_name: name }) => name)).toEqual(['Sample Surface', 'Sample Air'])
  const own = cardIn(smallTemplate(['A', 'B', 'C1', 'C2', 'D', 'E', 'F']), sampleCard, new Map([['f', 'zone_e']]))
  expect(own.card.zone_tables).toMatchObject([{ name: 'contract', zones: { A: 'zone_a', C2: 'zone_c', F: 'zone_e' } }])
  expect(own.card.services[0]).toMatchObject({ zone_table: 'contract' })
  expect(faultsIn(smallTemplate(undefined, ['Delhivery'])).at(-1)?.[2]).toContain('fill in the prices')
})

describe('a header', () => {
  test.each([
    ['zone_a', { kind: 'first', zone: 'a' }],
    ['Zone A (Rs)', { kind: 'first', zone: 'A' }],
    ['B', { kind: 'first', zone: 'B' }],
    ['First 500 gms Zone C1', { kind: 'first', zone: 'C1', grams: 500 }],
    ['Zone C1 additional 500g', { kind: 'step', zone: 'C1', grams: 500 }],
    ['Addl 0.5 kg Zone A', { kind: 'step', zone: 'A', grams: 500 }],
    ['Zone A 500g to 1kg', undefined],
    ['Slab', { kind: 'term', term: 'first_weight' }],
    ['zone_e_step', { kind: 'step', zone: 'e' }],
    ['Metro to Metro', { kind: 'first', zone: 'Metro to Metro' }],
    ['Zone B TAT', { kind: 'days', zone: 'B' }],
    ['Courier Name', { kind: 'term', term: 'courier' }],
    ['COD %', { kind: 'term', term: 'cod_percent' }],
    ['Fuel surcharge', { kind: 'term', term: 'fuel_percent' }],
    ['first_weight (kg)', { kind: 'term', term: 'first_weight', unit: { unit: 'kg', certain: true } }],
    ['surcharge: Handling', { kind: 'surcharge', name: 'Handling' }],
    ['Remarks', { kind: 'remark' }],
    ['Salesman', undefined],
    ['first_weight (lbs)', undefined],
  ])('%s', (header, column) => {
    expect(smallColumn(header)).toEqual(column)
  })

  test('of the long form is not taken for a small one', () => {
    expect(isSmall(cardColumns)).toBe(false)
    expect(isSmall(tableOf(paper)[0]!)).toBe(true)
  })
})

describe('a sheet that is wrong', () => {
  const head = 'courier,zone_a,zone_a_step,zone_b,zone_b_step'
  // prettier-ignore
  test.each<[string, ...unknown[]]>([
    [`courier,zone_a,fule\nX,1,2`,            [1, 'fule', 'is not a column of a card. Did you mean fuel_percent?'], [1, 'zone_a_step', 'this column is missing: the price of each further slab']],
    ['zone_a,zone_a_step\n1,2',               [1, 'courier', 'this column is missing']],
    ['courier,A,zone_a,zone_a_step\nX,1,1,2', [1, 'zone_a', 'means the same as "A"; rename one of them']],
    [`${head}\nX,32,,38,30`,                  [2, 'zone_a_step', 'is empty: the price of each further slab']],
    [`${head}\nX,,26,38,30`,                  [2, 'zone_a', 'is empty, and there is a price for each further slab']],
    [`${head}\n,32,26,38,30`,                 [2, 'courier', 'is empty']],
    [`${head}\nX,$3,26,38,30`,                [2, 'zone_a', '"$3" is not an amount in rupees; write for example 1499']],
    [`${head},first_weight\nX,3,2,3,2,0.5`,   [2, 'first_weight', '0.5 what? Write 0.5kg or 0.5g']],
    [`${head}\nX,3,2,3,2\nX,4,2,3,2`,         [3, 'up_to', 'line 2 has the prices of this courier and journey for every weight; give it an up_to']],
    [`${head},cod_fixed\nX,3,2,3,2,40\nX,3,2,3,2,41`, [3, 'up_to', expect.any(String)], [3, 'cod_fixed', '"41" differs from line 2, which has the same courier']],
    [`${head},service\nX,3,2,3,2,drone`,      [2, 'service', '"drone" is not standard (surface) or express (air)']],
    [`${head},gst_percent\nX,3,2,3,2,18\nY,3,2,3,2,12`, [3, 'gst_percent', '12 differs from line 2; a card has one GST']],
    [`${head},surcharge:ODA\nX,3,2,3,2,much`, [2, 'surcharge:ODA', '"much" is not a surcharge; write 30, 12%, 0.2% of value or 4/kg; a surcharge under conditions needs the card as JSON ("when")']],
    [`${head},zone_Q,zone_Q_step\nX,3,2,3,2,1,1`, [1, 'zone_Q', 'which of the five zones does Q count in? Say it with --zone-map "Q=zone_e"']],
  ])('%s', (text, ...faults) => {
    expect(faultsIn(tableOf(text))).toEqual(faults)
  })
})

describe('the lines of a courier', () => {
  const rows =
    tableOf(`courier,service,journey,up_to,first_weight,A,B,step_weight,A step,B step,rto_percent,awb_fee,surcharge:Handling,surcharge:FOV,surcharge:ODA,min_charge
X,surface,,5kg,500g,32,38,500g,26,30,,3,12%,0.2% of value,4/kg,45
X,,forward,,5kg,270,310,1kg,44,50,,,,,,
X,,return,,500g,40,-,500g,30,NA,,,,,,
X,,rto,,500g,30,35,500g,20,25,,,,,,
X,air,,,500g,60,70,500g,50,60,80,,,,,`)
  const { card } = cardIn(rows)

  test('are its bands, returns and RTO, and the same name by air is another service', () => {
    expect(card.services.map((one) => [one.carrier_id, one.service_level])).toEqual([
      ['X', 'standard'],
      ['X-EXPRESS', 'express'],
    ])
    const [surface, air] = card.services as [Service, Service]
    expect(surface.forward['zone_a']).toEqual([
      { up_to: 5000, first_weight: 500, first_price: 32, step_weight: 500, step_price: 26 },
      { up_to: null, first_weight: 5000, first_price: 270, step_weight: 1000, step_price: 44 },
    ])
    expect(Object.keys(surface.return)).toEqual(['zone_a'])
    expect(surface.rto).toMatchObject({ bands: { zone_b: [{ first_price: 35 }] } })
    expect(air.rto).toEqual({ percent: 80 })
    expect(air.surcharges).toBeUndefined()
  })

  test('have named surcharges', () => {
    expect(card.services[0]).toMatchObject({
      minimum_charge: 45,
      surcharges: [
        { name: 'Handling', percent: 12 },
        { name: 'FOV', percent_of_value: 0.2 },
        { name: 'ODA', per_kg: 4 },
        { name: 'AWB fee', amount: 3 },
      ],
    })
  })
})

describe('what the sheet does not say', () => {
  const drawn = {
    name: 'dl',
    zones: { A: 'zone_a', C1: 'zone_c', C2: 'zone_c' } as const,
    origins: [{ from: '', to: { A: ['4'] } }],
  }
  const oda = { name: 'ODA', per_kg: 4, when: { pincodes: ['797'] } }
  const own = service({
    carrier_name: 'Road Express',
    zone_table: 'dl',
    forward: { A: bands(1, 1), C1: bands(1, 1), C2: bands(1, 1) },
    return: {},
    surcharges: [oda, { name: 'Fuel', percent: 9 }],
    tolerance: 50,
  })
  const base = cardOf([own], { zone_tables: [drawn], holidays: ['2026-12-25'] })

  test('stays as the card before has it: zones, conditions, rules; prices by the five carry over to its zones', () => {
    const { card, filled } = cardIn(tableOf(paper), base)
    expect(filled).toEqual([])
    expect(card).toMatchObject({ holidays: ['2026-12-25'], zone_tables: [drawn] })
    expect(card.services[0]).toMatchObject({ zone_table: 'dl', tolerance: 50, carrier_id: 'CAR-1' })
    expect(card.services[0]!.surcharges).toEqual([oda, { name: 'Fuel', percent: 12 }])
    const first = Object.entries(card.services[0]!.forward).map(([zone, [band]]) => [zone, band!.first_price])
    expect(first).toEqual([
      ['A', 32],
      ['C1', 48],
      ['C2', 48],
    ])
  })

  test('never gives the price of a zone to another one that reads the same', () => {
    const zones = { C: 'zone_c', Metro: 'zone_c', Q1: 'zone_e' } as const
    const priced = service({ zone_table: 'dl', forward: { C: bands(1, 1), Metro: bands(2, 2) }, return: {} })
    const both = cardOf([priced], { zone_tables: [{ ...drawn, zones, origins: [{ from: '', to: { C: ['4'] } }] }] })
    const { card, lost } = cardIn(tableOf('courier,zone_c,zone_c_step,Q1,Q1 step\nOne,7,7,9,9'), both)
    expect(lost).toEqual(['no more prices in Metro of One'])
    expect(Object.entries(card.services[0]!.forward).map(([zone, [band]]) => [zone, band!.first_price])).toEqual([
      ['C', 7],
      ['Q1', 9],
    ])
    const made = read(tableOf('courier,metro cities,x\nOne,7,7'), both)
    expect('faults' in made).toBe(true)
    const vague = read(tableOf('courier,zone_Metro to Metro,zone_Metro to Metro step,Q1,Q1 step\nOne,7,7,9,9'), both)
    expect('faults' in vague && vague.faults[0]?.message).toBe('could be C or Metro of the card; write its name')
  })

  test('goes by the name alone where the sheet has no service: an express courier stays one', () => {
    const express = cardOf([service({ carrier_name: 'Fast', service_level: 'express', is_fast: true })])
    const { card } = cardIn(tableOf('courier,A,A step\nfast,1,1'), express)
    expect(card.services[0]).toMatchObject({ carrier_id: 'CAR-1', service_level: 'express', is_fast: true })
  })

  test('an empty cell of a surcharge takes it away, unless no cell could say it', () => {
    const { card } = cardIn(tableOf('courier,A,A step,fuel_percent,surcharge:ODA\nRoad Express,1,1,,'), base)
    expect(card.services[0]!.surcharges).toEqual([oda])
  })
})

describe('the small form of a card', () => {
  const same = (card: RateCard): void => {
    expect(smallFault(card)).toBeUndefined()
    expect(cardIn(smallLines(card), card).card).toEqual({
      ...JSON.parse(JSON.stringify(card)),
      name: 'contract',
      note: '',
    })
  }

  test('gives the sample card back', () => {
    same(sampleCard)
  })

  test('gives a card with own zones and RTO by slab back, which the long form cannot hold', () => {
    const zones = { A: 'zone_a', C1: 'zone_c', 'Metro 2': 'zone_c' } as const
    const tariff = { A: bands(10, 5), C1: bands(20, 5), 'Metro 2': bands(30, 5) }
    const days = { forward: { ...perZone(() => 3), C1: 4 }, return: perZone(() => 3) }
    const per = { per_slab: { A: 9, C1: 10.5, 'Metro 2': 11 } }
    same(
      cardOf(
        [service({ zone_table: 'dl', forward: tariff, return: { A: bands(9, 9) }, rto: per, transit_days: days })],
        {
          zone_tables: [{ name: 'dl', zones, origins: [{ from: '', to: { A: ['4'] } }] }],
        },
      ),
    )
  })

  test('says where two zones would have one header', () => {
    const forward = { C: bands(1, 1), Metro: bands(1, 1) }
    const zones = { C: 'zone_c', Metro: 'zone_c' } as const
    const card = cardOf([service({ zone_table: 'dl', forward, return: {} })], {
      zone_tables: [{ name: 'dl', zones, origins: [{ from: '', to: { C: ['4'] } }] }],
    })
    expect(smallFault(card)).toBe('a header cannot tell the zone Metro from another one of the card')
  })

  test('says where slabs differ by zone', () => {
    const forward = { zone_a: bands(1, 1), zone_b: bands(1, 1).slice(1) }
    expect(smallFault(cardOf([service({ forward })]))).toBe('One has other slabs in some zones than in others')
  })

  test('gives the same quotes, whatever terms of it a card has', () => {
    const amount = fc.integer({ min: 0, max: 9000 }).map((units) => units / 100)
    const weight = fc.constantFrom(250, 500, 1000, 2000)
    const tariff = fc
      .tuple(weight, weight, fc.array(fc.tuple(amount, amount), { minLength: 5, maxLength: 5 }))
      .map(([first_weight, step_weight, prices]) =>
        perZone((i) => [
          { up_to: null, first_weight, first_price: prices[i]![0], step_weight, step_price: prices[i]![1] },
        ]),
      )
    const surcharges = fc.tuple(amount, amount, amount, amount).map(([percent, each, fee, share]) =>
      [
        { name: 'Fuel', percent },
        { name: 'ODA', per_kg: each },
        { name: 'AWB fee', amount: fee },
        { name: 'FOV', percent_of_value: Math.round(share) / 100 },
        { name: 'Both', percent: share, of: 'freight_and_cod' as const },
      ].filter((one) => Object.values(one).every((value) => value !== 0)),
    )
    const cod = fc.record({
      available: fc.constant(true),
      fixed: amount,
      percent: amount.map((value) => Math.round(value) / 10),
      rule: fc.constantFrom('max' as const, 'sum' as const),
      max_value: fc.constantFrom(null, 5000),
    })
    const over = fc.record({
      forward: tariff,
      return: fc.oneof(tariff, fc.constant({})),
      rto: fc.oneof(
        fc.record({ percent: amount }),
        fc.record({ bands: tariff }),
        fc.record({ per_slab: fc.tuple(amount).map(([price]) => perZone(() => price)) }),
      ),
      surcharges,
      cod,
      minimum_charge: amount,
      platform_fee: amount,
      divisor: fc.constantFrom(4000, 5000, 6000),
      max_weight: fc.constantFrom(20_000, 10_000_000),
    })
    const grams = fc.integer({ min: 1, max: 3000 }).map((tens) => tens * 10)
    fc.assert(
      fc.property(over, grams, fc.integer({ min: 1, max: 900_000 }), (terms, dead_weight, paise) => {
        // Serviceability, sides and days without a column come from no other card here.
        const card = cardOf([service({ ...(terms as Partial<Service>), is_prime: false })])
        const again = cardIn(smallLines(card), { ...sampleCard, gst_percent: 5 }).card
        for (const request of [
          parcel({ dead_weight, payment_method: 'cod', shipment_value: paise / 100 }, 'zone_d'),
          parcel({ dead_weight }, 'zone_a'),
          returned({ dead_weight }),
        ])
          expect(rateAnswer(quote(request, again, monday))).toEqual(rateAnswer(quote(request, card, monday)))
        expect(again.gst_percent).toBe(18)
      }),
      { numRuns: runs(60, 1000) },
    )
  })
})
