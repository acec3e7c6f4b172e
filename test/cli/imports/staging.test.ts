// Defends what an import puts aside between its two passes: everything comes back once, in the order that was asked for, and
// nothing stays on the disk.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { stageByPlace, stageInFileOrder, type Staging, type Kept } from '../../../src/cli/imports/staging.ts'
import type { Io } from '../../../src/cli/terminal/io.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipx-aside-'))
afterAll(() => rmSync(folder, { recursive: true }))

const io = {
  env: { SHIPX_DATA_DIR: folder },
  home: folder,
  platform: process.platform,
  pid: process.pid,
  host: { uuid: () => crypto.randomUUID() },
} as unknown as Io

const keptOf = (name: string, line: number, place = 0): Kept<string> => ({
  item: { rows: [{ line, cells: [name], fault: undefined }], name, value: `${name}@${line}`, failure: undefined },
  change: line % 2 === 0,
  place,
})

async function through(
  aside: Staging<string>,
  items: readonly Kept<string>[],
  batch: number,
): Promise<readonly Kept<string>[]> {
  const all: Kept<string>[] = []
  try {
    for (let at = 0; at < items.length; at += batch) aside.add(items.slice(at, at + batch))
    for await (const some of aside.read()) all.push(...some)
    // An import looks at them before it saves them.
    const again: Kept<string>[] = []
    for await (const some of aside.read()) again.push(...some)
    expect(again).toEqual(all)
  } finally {
    aside.close()
  }
  return all
}

/** The items as they come back where those of one name follow the first of them. */
const grouped = (items: readonly Kept<string>[]): readonly Kept<string>[] => {
  const groups = new Map<string, Kept<string>[]>()
  for (const kept of items) groups.set(kept.item.name, [...(groups.get(kept.item.name) ?? []), kept])
  return [...groups.values()].flat()
}

describe('items put aside', () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'ब', 'd\n', ''), { minLength: 1, maxLength: 200 })
  const batches = fc.integer({ min: 1, max: 60 })
  /** All on disk, some of them, and none. */
  const memories = fc.constantFrom(0, 3000, 1_000_000)
  test('come back as they were, in the order of the file', () =>
    fc.assert(
      fc.asyncProperty(names, batches, memories, async (given, batch, memory) => {
        const items = given.map((name, i) => keptOf(name, i + 2))
        expect(await through(stageInFileOrder({ io }, memory), items, batch)).toEqual(items)
      }),
      { numRuns: 50 },
    ))
  test('come back name by name, each name in the place of its first, if they are few', () =>
    fc.assert(
      fc.asyncProperty(names, batches, memories, async (given, batch, memory) => {
        const items = given.map((name, i) => keptOf(name, i + 2, name.length * 1000 + (name.codePointAt(0) ?? 0)))
        expect(await through(stageByPlace({ io }, [0, 3000], memory), items, batch)).toEqual(grouped(items))
      }),
      { numRuns: 50 },
    ))

  const many = 20_000
  const parcels = 6007
  /** Many items of parcels in no order, each of a parcel with its own place. */
  const scattered = (placeOf: (parcel: number) => number): readonly Kept<string>[] =>
    Array.from({ length: many }, (_, i) => keptOf(`AWB${(i * 7919) % parcels}`, i + 2, placeOf((i * 7919) % parcels)))

  /** Where each parcel lies: close to each other, in two heaps far apart, outside the span, and all in one place. */
  const layouts = [
    ['close together', (parcel: number) => parcel + 1],
    ['in two heaps far apart', (parcel: number) => (parcel % 2) * 2 ** 50 + parcel + 1],
    ['after the span', (parcel: number) => parcel + 90_000],
    ['before the span', (parcel: number) => -parcel - 1],
  ] as const
  test.each(layouts)('come back parcel by parcel, in the order of their places: %s', async (_, placeOf) => {
    const items = scattered(placeOf)
    for (const memory of [0, 500_000]) {
      const came = await through(stageByPlace({ io }, [1, parcels], memory), items, 250)
      expect(came.map(({ item }) => item.rows[0].line).toSorted((a, b) => a - b)).toEqual(items.map((_, i) => i + 2))
      const runs = came.filter(({ item }, i) => i === 0 || item.name !== came[i - 1]!.item.name)
      expect(runs).toHaveLength(parcels)
      for (const [i, { item }] of came.entries())
        if (i > 0 && item.name === came[i - 1]!.item.name)
          expect(item.rows[0].line).toBeGreaterThan(came[i - 1]!.item.rows[0].line)
      const places = runs.map(({ place }) => place)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    }
  })

  test('come back in the order of the file where all have one place', async () => {
    const items = scattered(() => 0)
    for (const memory of [0, 500_000])
      expect(await through(stageByPlace({ io }, [1, parcels], memory), items, 250)).toEqual(items)
  })
  test('leave nothing behind', () => {
    expect(readdirSync(join(folder, 'imports'))).toEqual([])
  })
})
