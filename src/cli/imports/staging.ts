// Keeps items between the two passes of an import (docs/guides/sheets.md): the first ones in memory as JSON text, the
// others on disk. They stay in file order, or come back in the order in which their records lie in the database.
import type { Context } from '../command/context.ts'
import type { SheetRow } from '../files/sheet.ts'
import type { Item } from './importer.ts'
import { groupedBy } from '../../domain/groupedby.ts'
import { openTempFile, type TempFile } from '../files/tempfile.ts'

/** An item to save, whether it exists and differs, and the place of its record, 0 where nothing tells it. */
export interface Kept<V> {
  readonly item: Item<V>
  readonly change: boolean
  readonly place: number
}

/** Staged items. */
export interface Staging<V> {
  /** Throws `output_failed`. */
  readonly add: (items: readonly Kept<V>[]) => void
  /** All items, some at a time, as often as needed. */
  readonly read: () => AsyncGenerator<readonly Kept<V>[]>
  readonly close: () => void
}

/** When items are reordered: how many are in memory at once, and how many parts, each with a file, there may be. */
const [mostAtOnce, mostParts] = [4000, 64]

/** Items in a batch after reordering. */
const batchSize = 250

/** Bytes that stay in memory where an importer says nothing. */
const mostHeld = 8_000_000

/** Room in memory that the parts of an import share, bytes. */
interface Room {
  left: number
}

/** An item as lists: rows, name and value, whether it exists and differs, its place. Field names were half the text. */
type Packed<V> = readonly [
  rows: readonly (readonly [line: number, cells: readonly string[]])[],
  name: string,
  value: V,
  change: 0 | 1,
  place: number,
]

/** An item that is staged has a value, and none of its rows a fault. */
const packed = <V>({ item: { rows, name, value }, change, place }: Kept<V>): Packed<V> => [
  rows.map(({ line, cells }) => [line, cells] as const),
  name,
  value!,
  change ? 1 : 0,
  place,
]

const unpacked = <V>([rows, name, value, change, place]: Packed<V>): Kept<V> => {
  const there = rows.map(([line, cells]): SheetRow => ({ line, cells, fault: undefined }))
  const item = { rows: there as [SheetRow, ...SheetRow[]], name, value, failure: undefined }
  return { item, change: change === 1, place }
}

const fromText = <V>(text: string): readonly Kept<V>[] => (JSON.parse(text) as readonly Packed<V>[]).map(unpacked)

/** The memory that a text takes: V8 keeps a character in two bytes where any of the text needs them. */
const bytesOf = (text: string): number => (Buffer.byteLength(text) === text.length ? text.length : 2 * text.length)

/** Stages items, each batch as JSON text, in the order in which they come. */
function spoolIn<V>(context: Pick<Context, 'io'>, room: Room): Staging<V> {
  const held: string[] = []
  let file: TempFile | undefined
  return {
    add: (items) => {
      const text = JSON.stringify(items.map(packed))
      const bytes = file === undefined ? bytesOf(text) : Infinity
      if (bytes <= room.left) {
        room.left -= bytes
        held.push(text)
      } else (file ??= openTempFile(context)).append(Buffer.from(`${text}\n`))
    },
    read: async function* () {
      for (const text of held) yield fromText<V>(text)
      if (file !== undefined) yield* keptIn<V>(file)
    },
    close: () => file?.close(),
  }
}

/** Stages items in file order; `memory` is how many bytes of them may stay there. */
export const stageInFileOrder = <V>(context: Pick<Context, 'io'>, memory = mostHeld): Staging<V> =>
  spoolIn<V>(context, { left: memory })

/** A stretch of places: the items there, how many they are, and their least and greatest place. */
interface Part<V> {
  readonly items: Staging<V>
  count: number
  least: number
  most: number
}

/**
 * Stages items that come back in the order of their places. These are whole numbers, for the most part from `first` to
 * `last`. Up to 4,000 items come back as in the file, each after the first of its name: one transaction saves them.
 */
export const stageByPlace = <V>(
  context: Pick<Context, 'io'>,
  span: readonly [first: number, last: number],
  memory = mostHeld,
): Staging<V> => placedIn<V>(context, span, { left: memory })

function placedIn<V>(context: Pick<Context, 'io'>, [first, last]: readonly [number, number], room: Room): Staging<V> {
  const width = Math.max(1, Math.ceil((last - first + 1) / mostParts))
  const parts: Part<V>[] = []
  const partOf = (place: number): Part<V> => {
    const n = Math.min(mostParts - 1, Math.max(0, Math.floor((place - first) / width)))
    return (parts[n] ??= { items: spoolIn<V>(context, room), count: 0, least: Infinity, most: -Infinity })
  }
  const used = (): readonly Part<V>[] => parts.filter((part) => part !== undefined)
  return {
    add: (items) => {
      for (const [part, its] of groupedBy(items, ({ place }) => partOf(place))) {
        part.items.add(its)
        part.count += its.length
        for (const { place } of its) {
          part.least = Math.min(part.least, place)
          part.most = Math.max(part.most, place)
        }
      }
    },
    read: async function* () {
      const all = used()
      if (all.reduce((sum, { count }) => sum + count, 0) <= mostAtOnce) yield* inBatches(asInFile(await itemsOf(all)))
      else
        for (const part of all)
          if (part.least === part.most) yield* part.items.read()
          else if (part.count <= mostAtOnce) yield* inBatches(byPlace(await itemsOf([part])))
          else yield* finer(context, part, room)
    },
    close: () => {
      for (const { items } of used()) items.close()
    },
  }
}

/** The items of a part with too many of them. */
async function* finer<V>(
  context: Pick<Context, 'io'>,
  { items, least, most }: Part<V>,
  room: Room,
): AsyncGenerator<readonly Kept<V>[]> {
  const staging = placedIn<V>(context, [least, most], room)
  try {
    for await (const some of items.read()) {
      staging.add(some)
      // Who reads can stop in between.
      yield []
    }
    yield* staging.read()
  } finally {
    staging.close()
  }
}

async function itemsOf<V>(parts: readonly Part<V>[]): Promise<readonly Kept<V>[]> {
  const all: Kept<V>[] = []
  for (const { items } of parts) for await (const some of items.read()) all.push(...some)
  return all
}

/** The items in the order of the file; each follows the first of its name. */
function asInFile<V>(items: readonly Kept<V>[]): readonly Kept<V>[] {
  const sorted = items.toSorted((a, b) => a.item.rows[0].line - b.item.rows[0].line)
  return [...groupedBy(sorted, ({ item }) => item.name).values()].flat()
}

/** The items of a part by their places; those of one place stay in the order of the file. */
const byPlace = <V>(items: readonly Kept<V>[]): readonly Kept<V>[] => items.toSorted((a, b) => a.place - b.place)

function* inBatches<V>(items: readonly Kept<V>[]): Generator<readonly Kept<V>[]> {
  for (let at = 0; at < items.length; at += batchSize) yield items.slice(at, at + batchSize)
}

async function* keptIn<V>(temporary: TempFile): AsyncGenerator<readonly Kept<V>[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of temporary.read()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield fromText<V>(line)
  }
}
