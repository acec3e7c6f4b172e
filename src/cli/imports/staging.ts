// Keeps items on disk between the two passes of an import (docs/guides/sheets.md). They stay in file order. When items
// of one name belong together, each follows the first of its name.
import type { Context } from '../command/context.ts'
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
  /** All items, some at a time. */
  readonly read: () => AsyncGenerator<readonly Kept<V>[]>
  readonly close: () => void
}

/** When items are reordered: how many names have their items in memory at once, and how many files there may be. */
const [fewest, mostFiles] = [2000, 200]

/** Items in a batch after reordering. */
const atOnce = 250

/** Stages items in file order. Throws `output_failed`. */
export function stageInFileOrder<V>(context: Pick<Context, 'io'>): Staging<V> {
  const temporary = openTempFile(context)
  return { add: (items) => write(temporary, items), read: () => keptIn(temporary), close: temporary.close }
}

/** Stages items so that those of one name follow each other; the file has at most `lines` lines. */
export function stageByName<V>(context: Pick<Context, 'io'>, lines: number): Staging<V> {
  const names = namesOf(lines)
  const size = Math.max(fewest, Math.ceil(lines / mostFiles))
  let count = 0
  /** The number of an item's name among those of the file, from 1. */
  const numberOf = ({ item }: Kept<V>): number => {
    const number = names.claim(item.name, count + 1)
    if (number > count) count = number
    return number
  }
  const spools: TempFile[] = []
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
        while (spools.length <= part) spools.push(openTempFile(context))
        write(spools[part]!, its)
      }
    },
    read: async function* () {
      for (const temporary of spools) {
        const all: Kept<V>[] = []
        for await (const some of keptIn<V>(temporary)) all.push(...some)
        all.sort((a, b) => numberOf(a) - numberOf(b))
        for (let at = 0; at < all.length; at += atOnce) yield all.slice(at, at + atOnce)
      }
    },
    close: () => {
      for (const temporary of spools) temporary.close()
    },
  }
}

const write = <V>(temporary: TempFile, items: readonly Kept<V>[]): void =>
  temporary.append(Buffer.from(`${JSON.stringify(items)}\n`))

async function* keptIn<V>(temporary: TempFile): AsyncGenerator<readonly Kept<V>[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of temporary.read()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line) as readonly Kept<V>[]
  }
}
