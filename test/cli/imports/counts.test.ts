// The reasons of an import's failures, counted in groups.
import { expect, test } from 'vitest'
import { newTally, type Tally } from '../../../src/cli/imports/counts.ts'
import type { Item } from '../../../src/cli/imports/importer.ts'

const item = (name: string, line: number): Item<unknown> => ({
  rows: [{ cells: [], line, fault: undefined }],
  name,
  value: undefined,
  failure: undefined,
})
const groups = (tally: Tally) => tally.reasons().map(({ message, count }) => [message, count])

test('beyond 20 reasons a row was counted under the reason of others', () => {
  const tally = newTally()
  for (let i = 0; i < 23; i++) {
    tally.fail(item(`G-${i}`, i + 2), { code: 'duplicate_order', message: `with another field ${'x'.repeat(i)}` })
  }
  tally.fail(item('G-30', 40), { code: 'duplicate_order', message: 'with another field ' })
  tally.fail(item('G-31', 41), { code: 'no_courier', message: 'no courier' })
  tally.fail(item('G-32', 42), { code: 'invalid_input', message: 'wrong', early: true })
  const found = groups(tally)
  expect(found).toContainEqual(['other reasons', 3])
  expect(found).toContainEqual(['other reasons', 1])
  expect(found).toContainEqual(['with another field ', 2])
  expect(found).toContainEqual(['wrong values or lines (found before sending)', 1])
  expect(found.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(26)
})
