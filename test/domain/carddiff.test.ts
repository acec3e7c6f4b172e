// What differs between two cards: each price, each term, and the pincodes that change their zone.
import { expect, test } from 'vitest'
import { cardDifferences, type TermTexts } from '../../src/domain/rates/carddiff.ts'
import type { RateCard, Service } from '../../src/domain/rates/ratecard.ts'
import { bands, cardOf, perZone, service } from './cards.ts'

const texts: TermTexts = {
  weight: ({ divisor }) => String(divisor),
  cod: ({ cod }) => String(cod.fixed),
  rto: ({ rto }) => JSON.stringify(rto),
  surcharge: ({ percent }) => `${percent} %`,
  area: ({ serviceability }) => JSON.stringify(serviceability),
}

const between = (a: Partial<Service>, b: Partial<Service>, of: Partial<RateCard> = {}, other = of) =>
  cardDifferences(cardOf([service(a)], of), cardOf([service(b)], other), texts).map(
    ({ journey, zone, what, before, after, change }) => [journey, zone, what, before, after, change],
  )

test('two cards that are the same have no difference, whatever their names and days', () => {
  expect(between({}, {}, {}, { name: 'other', valid_from: '2026-01-01', note: 'x' })).toEqual([])
})

test('a price is named by its slab, with its change in percent', () => {
  const forward = { ...perZone((i) => bands(30 + i, 20)), zone_c: bands(40, 25) }
  expect(between({ forward: perZone((i) => bands(30 + i, 20)), return: {} }, { forward, return: {} })).toEqual([
    ['forward', 'zone_c', 'first 500 g', 32, 40, 25],
    ['forward', 'zone_c', 'each 500 g more', 20, 25, 25],
    ['forward', 'zone_c', 'first 5000 g, above 5000 g', 212, 265, 25],
    ['forward', 'zone_c', 'each 1000 g more, above 5000 g', 40, 50, 25],
  ])
})

test('other slabs, and a zone that only one of them serves, are shown whole', () => {
  const one = { zone_a: bands(30, 20).slice(1) }
  const other = { zone_a: [{ ...bands(30, 20)[1]!, step_weight: 500 }], zone_b: bands(1, 1).slice(1) }
  const rto = { percent: 100 }
  expect(between({ forward: one, return: {}, rto }, { forward: other, return: {}, rto })).toEqual([
    ['forward', 'zone_a', 'prices', '210 for 5000 g + 40 for each 1000 g', '210 for 5000 g + 40 for each 500 g', null],
    ['forward', 'zone_b', 'prices', null, '10 for 5000 g + 2 for each 1000 g', null],
  ])
})

test('terms, surcharges and the card itself', () => {
  const found = between(
    {
      surcharges: [
        { name: 'Fuel', percent: 12 },
        { name: 'ODA', percent: 1 },
      ],
    },
    {
      surcharges: [{ name: 'Fuel', percent: 15 }],
      divisor: 4000,
      cod: { ...service().cod, fixed: 40 },
      rto: { percent: 80 },
      minimum_charge: 45,
      pickup_cutoff: '12:00',
    },
    {},
    { gst_percent: 12 },
  )
  expect(found).toEqual([
    ['', '', 'GST %', 18, 12, -33.3],
    ['', '', 'weight', '5000', '4000', null],
    ['', '', 'COD', '30', '40', null],
    ['', '', 'RTO', '{"percent":100}', '{"percent":80}', null],
    ['', '', 'Fuel', '12 %', '15 %', null],
    ['', '', 'ODA', '1 %', null, null],
    ['', '', 'least charge', null, 45, null],
    ['', '', 'cut-off', '14:00', '12:00', null],
  ])
})

test('couriers are found by id or by name, and one that is new or gone is said', () => {
  const [a, b] = [service(), service({ carrier_id: 'TWO', carrier_name: 'Two' })]
  const found = cardDifferences(cardOf([a, b]), cardOf([{ ...a, carrier_id: 'other' }]), texts)
  expect(found.map(({ courier, what, before, after }) => [courier, what, before, after])).toEqual([
    ['One', 'id', 'CAR-1', 'other'],
    ['Two', 'courier', 'in the card', null],
  ])
})

test('pincodes that change their zone are counted by the move, however the tables put them together', () => {
  const own: Partial<Service> = {
    zone_table: 'dl',
    forward: { A: bands(1, 1), B: bands(1, 1) },
    return: {},
  }
  const table = (to: Record<string, string[]>): Partial<RateCard> => ({
    zone_tables: [{ name: 'dl', zones: { A: 'zone_a', B: 'zone_b' }, origins: [{ from: '400001', to }] }],
  })
  expect(
    between(
      own,
      own,
      table({ A: ['560001-560005'] }),
      table({ A: ['560001', '560002', '560003', '560004', '560005'] }),
    ),
  ).toEqual([])
  expect(
    between(own, own, table({ A: ['560001-560005'], B: ['382830'] }), table({ B: ['560001-560004'], A: ['560005'] })),
  ).toEqual([
    ['', '', 'from 400001 to 560001, 560002, 560003 and 1 more', 'A', 'B', null],
    ['', '', 'from 400001 to 382830', 'B', null, null],
  ])
})

test('a courier that goes from the five to its own zones is compared by what these count in', () => {
  const five = { forward: perZone(() => bands(1, 1)), return: {} }
  const own = { zone_table: 'dl', forward: { A: bands(1, 1), C1: bands(2, 1) }, return: {} }
  const tables = {
    zone_tables: [
      { name: 'dl', zones: { A: 'zone_a' as const, C1: 'zone_c' as const }, origins: [{ from: '', to: { A: ['4'] } }] },
    ],
  }
  const found = between(five, own, {}, tables)
  expect(found.slice(0, 3).map(([, zone, what, before, after]) => [zone, what, before, after])).toEqual([
    ['zone_b', 'prices', '1 for 500 g + 1 for each 500 g to 5000 g; 10 for 5000 g + 2 for each 1000 g', null],
    ['zone_c → C1', 'first 500 g', 1, 2],
    ['zone_c → C1', 'first 5000 g, above 5000 g', 10, 11],
  ])
  expect(found).toContainEqual(['', '', 'zones', 'the five', 'dl', null])
})
