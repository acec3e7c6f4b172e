// Defends what an import puts aside between its two passes: everything comes back once, in the order that was asked for, and
// nothing stays on the disk.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { stageByName, stageInFileOrder, type Staging, type Kept } from '../../../src/cli/imports/staging.ts'
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

const keptOf = (name: string, line: number): Kept<string> => ({
  item: { rows: [{ line, cells: [name], fault: undefined }], name, value: `${name}@${line}`, failure: undefined },
  change: line % 2 === 0,
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
  test('come back name by name, each name in the place of its first', () =>
    fc.assert(
      fc.asyncProperty(names, batches, memories, async (given, batch, memory) => {
        const items = given.map((name, i) => keptOf(name, i + 2))
        expect(await through(stageByName({ io }, given.length + 1, memory), items, batch)).toEqual(grouped(items))
      }),
      { numRuns: 50 },
    ))
  test('are the same where there are more names than memory should hold', async () => {
    const items = Array.from({ length: 20_000 }, (_, i) => keptOf(`AWB${(i * 7919) % 6007}`, i + 2))
    for (const memory of [0, 500_000])
      expect(await through(stageByName({ io }, items.length + 1, memory), items, 250)).toEqual(grouped(items))
  })
  test('leave nothing behind', () => {
    expect(readdirSync(join(folder, 'imports'))).toEqual([])
  })
})
