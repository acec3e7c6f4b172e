// Defends that a courier's zone is the same by both ways to look it up: the first lanes read the table, later ones an
// index of it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawnZone, readyZones } from '../../src/domain/rates/zonetables.ts'
import type { ZoneTable } from '../../src/domain/rates/cardschema.ts'
import { runs } from '../support/size.ts'

const digit = fc.constantFrom('0', '1', '2')
const prefix = fc.array(digit, { maxLength: 5 }).map((digits) => `1${digits.join('')}`)
const range = fc
  .tuple(fc.integer({ min: 110_000, max: 112_300 }), fc.integer({ min: 0, max: 130 }))
  .map(([first, more]) => `${first}-${first + more}`)
const place = fc.oneof(prefix, range)
const origins = fc.array(
  fc.record({
    from: fc.oneof(fc.constant(''), place),
    to: fc.dictionary(fc.constantFrom('A', 'B', 'C'), fc.array(place, { minLength: 1, maxLength: 3 }), { minKeys: 1 }),
  }),
  { minLength: 1, maxLength: 4 },
)
const pincode = fc.array(digit, { minLength: 5, maxLength: 5 }).map((digits) => `1${digits.join('')}`)

test('a lane has one zone, whether it is one of the first that are looked up or not', () => {
  fc.assert(
    fc.property(origins, pincode, pincode, (rows, from, to) => {
      const table: ZoneTable = { name: 't', zones: { A: 'zone_a', B: 'zone_b', C: 'zone_c' }, origins: rows }
      const ready = readyZones(table)
      const first = drawnZone(ready, from, to)
      for (let lane = 0; lane < 5; lane++) drawnZone(ready, '999999', '999998')
      expect(drawnZone(ready, from, to)).toEqual(first)
    }),
    { numRuns: runs(500, 20_000) },
  )
})
