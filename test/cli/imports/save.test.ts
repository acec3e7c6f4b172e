// Defends the size of transactions: an import begins with few rows, doubles them while they take less than the wanted time, and
// never writes more than it may.
import { describe, expect, test } from 'vitest'
import type { Batches } from '../../../src/cli/imports/importer.ts'
import { saveBatches } from '../../../src/cli/imports/save.ts'
import type { Staging } from '../../../src/cli/imports/staging.ts'

/** How many items each transaction has, where it takes no time. */
async function sizesOf(items: number, more: Pick<Batches<number>, 'transaction'> = {}): Promise<readonly number[]> {
  const sizes: number[] = []
  const kept = Array.from({ length: items }, (_, n) => ({
    item: { rows: [{ line: n + 2, cells: [], fault: undefined }], name: `${n}`, value: n, failure: undefined } as const,
    change: false,
    place: 0,
  }))
  const staging: Staging<number> = {
    add: () => undefined,
    read: async function* () {
      yield kept
    },
    close: () => undefined,
  }
  const saved: number[] = []
  await saveBatches(
    { step: async () => undefined, stopped: () => false, journal: undefined, rule: 'fail' },
    {},
    staging,
    {
      kind: 'batches',
      save: async (wanted) => {
        sizes.push(wanted.length)
        saved.push(...wanted.map(({ value }) => value))
        return wanted.map(() => 'created')
      },
      ...more,
    },
    { done: () => undefined, failed: () => undefined },
  )
  expect(saved).toEqual(Array.from({ length: items }, (_, n) => n))
  return sizes
}

describe('a transaction', () => {
  test('has up to 2,000 items, which begin as 500', async () => {
    expect(await sizesOf(7000)).toEqual([500, 1000, 2000, 2000, 1500])
  })

  test('has as many as its importer says', async () => {
    expect(await sizesOf(9000, { transaction: { ms: 400, most: 4000 } })).toEqual([500, 1000, 2000, 4000, 1500])
  })
})
