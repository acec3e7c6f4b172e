// AWBs of a document that are too many for memory, in a temporary file. Each time the table in memory is full, it is
// written as one run, sorted by hash into pieces of some kilobytes. A filter in memory tells which runs lack an AWB.
import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import type { OlderAwbs, SeenAwb } from '../../../domain/money/seenawbs.ts'
import type { TempFile } from '../../files/tempfile.ts'

/** Older AWBs, and the end of their file. */
export interface AwbRuns extends OlderAwbs {
  readonly close: () => void
}

/** Where a run is in the file, where its pieces begin in it, and which hashes it may have. */
interface Run {
  readonly at: number
  readonly starts: Uint32Array
  readonly filter: Uint32Array
}

/** Pieces of a run; the upper bits of a hash say which. */
const [pieces, pieceBits] = [4096, 12]

/** Key, second key and net paise; the line and the bits share one number. */
const [numbers, bytes] = [4, 32]

/** Bits of a filter, about fourteen for each AWB; an AWB sets four of them. */
const [filterBits, probes] = [2 ** 22, 4]

/** Walks the bits of a hash in a filter until one is not as wanted. */
function everyBit(hash: number, wanted: (word: number, bit: number) => boolean): boolean {
  const step = Math.imul(hash, 0x9e3779b1) | 1
  for (let [n, at] = [0, hash]; n < probes; n++, at = (at + step) | 0) {
    const place = at & (filterBits - 1)
    if (!wanted(place >>> 5, 1 << (place & 31))) return false
  }
  return true
}

const pieceOf = (hash: number): number => hash >>> (32 - pieceBits)

/** No AWBs yet; the file is made for the first ones. */
export function awbRuns(temporary: () => TempFile): AwbRuns {
  const runs: Run[] = []
  let file: TempFile | undefined
  let read = new Float64Array(numbers * 256)
  const found: SeenAwb = { key: 0, more: 0, hash: 0, bits: 0, net: 0, line: 0 }
  const seek = ({ at, starts, filter }: Run, key: number, more: number, hash: number): SeenAwb | undefined => {
    if (!everyBit(hash, (word, bit) => (filter[word]! & bit) !== 0)) return undefined
    const [from, to] = [starts[pieceOf(hash)]!, starts[pieceOf(hash) + 1]!]
    if (read.length < (to - from) * numbers) read = new Float64Array((to - from) * numbers)
    const length = (to - from) * bytes
    for (let done = 0; done < length;)
      done += readSync(file!.descriptor, new Uint8Array(read.buffer, done, length - done), {
        position: at + from * bytes + done,
      })
    for (let place = 0; place < (to - from) * numbers; place += numbers) {
      if (read[place] !== key || read[place + 1] !== more) continue
      found.net = read[place + 2]!
      found.line = Math.floor(read[place + 3]! / 256)
      found.bits = read[place + 3]! % 256
      return found
    }
    return undefined
  }
  return {
    digest: (text) => {
      const sum = createHash('sha256').update(text).digest()
      return [sum.readUIntBE(0, 6), sum.readUIntBE(6, 6)]
    },
    keep: (count, awbs) => {
      file ??= temporary()
      const starts = new Uint32Array(pieces + 1)
      const filter = new Uint32Array(filterBits / 32)
      for (const { hash } of awbs()) {
        starts[pieceOf(hash) + 1]!++
        everyBit(hash, (word, bit) => {
          filter[word]! |= bit
          return true
        })
      }
      for (let piece = 0; piece < pieces; piece++) starts[piece + 1]! += starts[piece]!
      const next = starts.slice()
      const run = new Float64Array(count * numbers)
      for (const { key, more, hash, net, line, bits } of awbs()) {
        const place = next[pieceOf(hash)]!++ * numbers
        run[place] = key
        run[place + 1] = more
        run[place + 2] = net
        run[place + 3] = line * 256 + bits
      }
      runs.unshift({ at: file.size(), starts, filter })
      file.append(new Uint8Array(run.buffer))
    },
    find: (key, more, hash) => {
      for (const run of runs) {
        const one = seek(run, key, more, hash)
        if (one !== undefined) return one
      }
      return undefined
    },
    close: () => file?.close(),
  }
}
