// The texts that a workbook's cells share by number, some in memory and the rest in a spool: a sheet uses them about in
// the order in which they stand.
import { damaged, type Refuse } from './refusal.ts'
import type { Spool } from './spool.ts'
import { readXml } from './xml.ts'

/** Texts by their number. */
export interface SharedStrings {
  /** Throws `invalid_file` for a number that no text has. */
  readonly at: (index: number) => string
}

/** Texts in a block, and bytes of decoded blocks that one of two generations holds. */
const [blockSize, mostCached] = [64, 1_048_576]

/** A cell with more characters is a fault, and the rest of them need not be kept. */
export const longestText = 10_001

/** Reads the part of shared strings into a spool. Throws `invalid_file`. */
export async function readSharedStrings(
  part: AsyncIterable<Buffer> | undefined,
  spool: Spool,
  refuse: Refuse,
): Promise<SharedStrings> {
  const starts: number[] = []
  let all = 0
  const add = (text: string): void => {
    if (all % blockSize === 0) starts.push(spool.size())
    const bytes = Buffer.from(text)
    const length = Buffer.allocUnsafe(4)
    length.writeUInt32LE(bytes.length)
    spool.append(length)
    spool.append(bytes)
    all++
  }
  if (part !== undefined) await readXml(part, textsInto(add), refuse)
  const load = (block: number): readonly string[] => {
    const start = starts[block]!
    const bytes = spool.read(start, (starts[block + 1] ?? spool.size()) - start)
    const texts: string[] = []
    for (let at = 0; at < bytes.length;) {
      const end = at + 4 + bytes.readUInt32LE(at)
      texts.push(bytes.toString('utf8', at + 4, end))
      at = end
    }
    return texts
  }
  const sizeOf = (block: number): number => (starts[block + 1] ?? spool.size()) - starts[block]!
  const blocks = cached(load, sizeOf)
  return {
    at: (index) => {
      if (!Number.isSafeInteger(index) || index < 0 || index >= all)
        throw damaged(refuse, `a cell names the shared text ${index} of ${all}`)
      return blocks(Math.floor(index / blockSize))[index % blockSize]!
    },
  }
}

/** Handlers that collect the text of each `si`: its runs joined, without what says how to pronounce it. */
function textsInto(add: (text: string) => void) {
  let [text, inText, phonetic] = ['', false, false]
  return {
    open: (name: string) => {
      if (name === 'si') text = ''
      else if (name === 't') inText = !phonetic
      else if (name === 'rPh') phonetic = true
    },
    close: (name: string) => {
      if (name === 't') inText = false
      else if (name === 'rPh') phonetic = false
      else if (name === 'si') add(text)
    },
    text: (piece: string) => {
      if (inText && text.length < longestText) text += piece.slice(0, longestText - text.length)
    },
  }
}

/** Remembers what was loaded in two generations: what is asked for stays, what is not goes. */
function cached<T>(load: (key: number) => T, sizeOf: (key: number) => number): (key: number) => T {
  let [young, old] = [new Map<number, T>(), new Map<number, T>()]
  let held = 0
  return (key) => {
    const known = young.get(key)
    if (known !== undefined) return known
    const value = old.get(key) ?? load(key)
    held += sizeOf(key)
    if (held > mostCached) [young, old, held] = [new Map(), young, sizeOf(key)]
    young.set(key, value)
    return value
  }
}
