// A courier's sheet of zones as a zone table: each pincode keeps its zone, whatever is put together.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawnZone, readyZones, zoneTableFaults } from '../../src/domain/rates/zonetables.ts'
import { withSheet, withTable } from '../../src/domain/rates/drawnprices.ts'
import { placesIn, zoneLines, zoneName, zoneSheet } from '../../src/domain/rates/zonesheet.ts'
import { guessZone } from '../../src/domain/read/zone.ts'
import type { ZoneTable } from '../../src/domain/rates/cardschema.ts'
import { runs } from '../support/size.ts'
import { bands, cardOf, perZone, service } from './cards.ts'

const tableOf = (
  lines: readonly (readonly [from: string, to: string, zone: string])[],
  known: readonly string[] = [],
) => {
  const sheet = zoneSheet('line', known)
  const faults = lines.flatMap(([from, to, zone], i) => sheet.add(from, to, zone, i + 2) ?? [])
  const names = [...sheet.zones().keys()]
  const zones = Object.fromEntries(names.map((name) => [name, guessZone(name) ?? 'zone_e'] as const))
  return { faults, table: { name: 'dl', zones, origins: sheet.origins() } satisfies ZoneTable }
}

describe('a cell of places', () => {
  test.each<[string, readonly string[] | string]>([
    ['560001', ['560001']],
    [" '560 001", ['560001']],
    ['560001.0', ['560001']],
    ['560', ['560']],
    ['560xxx', ['560']],
    ['5600**', ['5600']],
    ['560001-560099', ['560001-560099']],
    ['560001 to 560099', ['560001-560099']],
    ['560 – 562', ['560000-562999']],
    ['560001, 110', ['560001', '110']],
    ['060001', '"060001" is not a pincode'],
    ['Bengaluru', '"Bengaluru" is not a pincode'],
    ['560099-560001', '"560099-560001" is not a range'],
    ['560-560001', '"560-560001" is not a range'],
    ['', '"" is not a pincode'],
  ])('%s', (cell, places) => {
    if (typeof places === 'string') expect(placesIn(cell)).toContain(places)
    else expect(placesIn(cell)).toEqual(places)
  })
})

test.each([
  ['Zone C1', 'C1'],
  ['zone_a', 'a'],
  ['Special (NE, J&K)', 'Special NE J K'],
  ['Z-2', '2'],
  ['', undefined],
  ['a name that is too long for a zone', undefined],
])('the zone %s is named %s', (written, name) => {
  expect(zoneName(written)).toBe(name)
})

test('lines of one pair in two zones are named both, the same line twice is none', () => {
  const { faults } = tableOf([
    ['400001', '560001', 'A'],
    ['400001', '560001', 'zone a'],
    ['400001', '560000-560009', 'A'],
    ['400001', '56000', 'B'],
    ['110001', '560001', 'B'],
    ['400001', '560001', 'B'],
    ['', '560001', '?'],
  ])
  expect(faults).toEqual([
    '400001 to 56000 is in zone B here and in zone A in line 4',
    '400001 to 560001 is in zone B here and in zone A in line 2',
    '"?" is not the name of a zone: 1 to 20 letters, digits, spaces, - or _',
  ])
})

test('pincodes that follow each other are one range, and every other pincode stays outside', () => {
  const { table } = tableOf([
    ['400001', '560001', 'A'],
    ['400001', '560002', 'a'],
    ['400001', '560004', 'A'],
    ['400001', '560003', 'B'],
  ])
  expect(table.origins).toEqual([{ from: '400001', to: { A: ['560001-560002', '560004'], B: ['560003'] } }])
})

test('whatever a sheet has, each pincode keeps the zone of its longest line, and the sheet comes back', () => {
  const digits = fc.integer({ min: 0, max: 29 }).map((n) => String(560_000 + n))
  const place = fc.oneof(
    { weight: 5, arbitrary: digits },
    { weight: 1, arbitrary: fc.constantFrom('5600', '56000', '56002', '56') },
  )
  const line = fc.tuple(fc.constantFrom('400001', '4000', ''), place, fc.constantFrom('A', 'B', 'C1'))
  fc.assert(
    fc.property(fc.uniqueArray(line, { selector: ([from, to]) => `${from} ${to}`, maxLength: 60 }), (lines) => {
      const { table, faults } = tableOf(lines)
      expect(faults).toEqual([])
      if (lines.length === 0) return
      expect(zoneTableFaults([table])).toEqual([])
      const said = (from: string, to: string): string | undefined => {
        for (const origin of [...Array.from({ length: 6 }, (_, i) => from.slice(0, 6 - i)), ''])
          for (let end = to; end !== ''; end = end.slice(0, -1)) {
            const found = lines.find(([a, b]) => a === origin && b === end)
            if (found !== undefined) return found[2]
          }
        return undefined
      }
      const ready = readyZones(table)
      for (let to = 559_998; to < 560_032; to++) {
        const zone = said('400001', String(to))
        expect([to, drawnZone(ready, '400001', String(to))?.name]).toEqual([to, zone])
        // The first lanes of a table are found without its index.
        expect([to, drawnZone(readyZones({ ...table }), '400001', String(to))?.name]).toEqual([to, zone])
      }
      const [, ...again] = zoneLines(table)
      const sorted = (all: readonly (readonly string[])[]) => all.map((one) => one.join(' ')).toSorted()
      expect(sorted(again)).toEqual(sorted(lines.map(([from, to, zone]) => [from === '' ? 'any' : from, to, zone])))
    }),
    { numRuns: runs(100, 2000) },
  )
})

describe('a card that gets a table', () => {
  const { table } = tableOf([
    ['400001', '4', 'A'],
    ['400001', '560', 'C1'],
    ['400001', '110', 'C2'],
  ])
  const slabs = [{ up_to: null, fixed: 40, percent: 2, zones: ['zone_a', 'zone_c'] }]
  const five = service({
    cod: { ...service().cod, slabs },
    rto: { per_slab: perZone((i) => 20 + i) },
    surcharges: [{ name: 'ODA', amount: 9, when: { zones: ['zone_c'] } }],
  })

  test('carries prices, RTO, COD and conditions by the five over to the names of the sheet', () => {
    const { card, carried, unpriced } = withTable(cardOf([five]), table, new Set(['CAR-1']))
    expect([carried.length, unpriced]).toEqual([1, []])
    expect(card.services[0]).toMatchObject({
      zone_table: 'dl',
      rto: { per_slab: { A: 20, C1: 22, C2: 22 } },
      cod: { slabs: [{ zones: ['A', 'C1', 'C2'] }] },
      surcharges: [{ when: { zones: ['C1', 'C2'] } }],
    })
    expect(Object.keys(card.services[0]!.forward)).toEqual(['A', 'C1', 'C2'])
    expect(card.services[0]!.forward['C2']).toEqual(five.forward['zone_c'])
  })

  test('names the zones that a courier with own names has no prices for, and the other way round', () => {
    const own = service({ zone_table: 'old', forward: { A: bands(1, 1), B: bands(1, 1) } })
    const card = cardOf([own], {
      zone_tables: [{ ...table, name: 'old', zones: { A: 'zone_a', B: 'zone_b' } }],
    })
    const { unpriced } = withTable(card, table, new Set(['CAR-1']))
    expect(unpriced).toMatchObject([{ lacks: ['C1', 'C2'], extra: ['B'] }])
  })

  test('keeps the origins that the sheet does not have, unless all are replaced', () => {
    const other = { from: '110001', to: { A: ['110'] } }
    const card = cardOf([five], { zone_tables: [{ ...table, origins: [other, { from: '400001', to: { A: ['9'] } }] }] })
    expect(withSheet(card, table, false)).toMatchObject({ kept: 1, table: { origins: [other, table.origins[0]] } })
    expect(withSheet(card, table, true)).toMatchObject({ kept: 0, table: { origins: table.origins } })
  })
})
