// Keeps items between the two passes of an import (docs/guides/sheets.md): the first ones in memory as JSON text, the
// others on disk. They stay in file order. When items of one name belong together, each follows the first of its name.
import type { Context } from '../command/context.ts'
import type { SheetRow } from '../files/sheet.ts'
import type { Item } from './importer.ts'
import { namesOf } from './uniquenames.ts'
import { openTempFile, type TempFile } from '../files/tempfile.ts'

/** An item to save, and whether it exists and differs. */
export interface Kept<V> {
  readonly item: Item<V>
  readonly change: boolean
}

/** Staged items. */
export interface Staging<V> {
  /** Throws `output_failed`. */
  readonly add: (items: readonly Kept<V>[]) => void
  /** All items, some at a time, as often as needed. */
  readonly read: () => AsyncGenerator<readonly Kept<V>[]>
  readonly close: () => void
}

/** When items are reordered: how many names have their items in memory at once, and how many files there may be. */
const [fewest, mostFiles] = [500, 200]

/** Items in a batch after reordering. */
const atOnce = 250

/** Bytes that stay in memory where an importer says nothing. */
const mostHeld = 8_000_000

/** Room in memory that the parts of an import share, bytes. */
interface Room {
  left: number
}

/** An item as lists: its rows, name and value, and whether it exists and differs. Field names were half the text. */
type Packed<V> = readonly [
  rows: readonly (readonly [line: number, cells: readonly string[]])[],
  name: string,
  value: V,
  change: 0 | 1,
]

/** An item that is staged has a value, and none of its rows a fault. */
const packed = <V>({ item: { rows, name, value }, change }: Kept<V>): Packed<V> => [
  rows.map(({ line, cells }) => [line, cells] as const),
  name,
  value!,
  change ? 1 : 0,
]

const unpacked = <V>([rows, name, value, change]: Packed<V>): Kept<V> => {
  const there = rows.map(([line, cells]): SheetRow => ({ line, cells, fault: undefined }))
  return { item: { rows: there as [SheetRow, ...SheetRow[]], name, value, failure: undefined }, change: change === 1 }
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

/** Stages items so that those of one name follow each other; the file has at most `lines` lines. */
export function stageByName<V>(context: Pick<Context, 'io'>, lines: number, memory = mostHeld): Staging<V> {
  const names = namesOf(lines)
  const size = Math.max(fewest, Math.ceil(lines / mostFiles))
  let count = 0
  /** The number of an item's name among those of the file, from 1. */
  const numberOf = ({ item }: Kept<V>): number => {
    const number = names.claim(item.name, count + 1)
    if (number > count) count = number
    return number
  }
  const spools: Staging<V>[] = []
  const room = { left: memory }
  return {
    add: (items) => {
      const parts = new Map<number, Kept<V>[]>()
      for (const kept of items) {
        const part = Math.floor((numberOf(kept) - 1) / size)
        const there = parts.get(part)
        if (there === undefined) parts.set(part, [kept])
        else there.push(kept)
      }
      for (const [part, its] of parts) {
        while (spools.length <= part) spools.push(spoolIn<V>(context, room))
        spools[part]!.add(its)
      }
    },
    read: async function* () {
      for (const spool of spools) {
        const all: Kept<V>[] = []
        for await (const some of spool.read()) all.push(...some)
        all.sort((a, b) => numberOf(a) - numberOf(b))
        for (let at = 0; at < all.length; at += atOnce) yield all.slice(at, at + atOnce)
      }
    },
    close: () => {
      for (const spool of spools) spool.close()
    },
  }
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
