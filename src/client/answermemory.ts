// Memory for the bodies of answers, used again: the system clears fresh memory page by page, which takes longer than
// to receive what comes into it (docs/inside/performance.md, P10).

import { isAscii } from 'node:buffer'

/** Memory of at least as many bytes as an answer has. */
export interface AnswerMemory {
  readonly take: (least: number) => Buffer
  /** Takes memory back that nothing reads any more. */
  readonly giveBack: (memory: Buffer) => void
}

/** Memory below this is not worth keeping, and more than so many pieces of it neither. */
const [leastKept, mostKept] = [262_144, 6]

/** Sizes are multiples of this, so that answers of about one size fit into each other's memory. */
const step = 1_048_576

export function answerMemory(): AnswerMemory {
  const free: Buffer[] = []
  return {
    take: (least) => {
      if (least < leastKept) return Buffer.allocUnsafeSlow(least)
      const fitting = free.findIndex(({ length }) => length >= least)
      return fitting === -1
        ? Buffer.allocUnsafeSlow(Math.ceil(least / step) * step)
        : (free.splice(fitting, 1)[0] as Buffer)
    },
    giveBack: (memory) => {
      if (memory.length >= leastKept && free.length < mostKept) free.push(memory)
    },
  }
}

/** The bytes of a body as they come. */
export interface Collected {
  /** Bytes that lie in `room` already are not copied. */
  readonly add: (bytes: Buffer) => void
  /** Memory for the next bytes, `most` at most, which are then read straight into their place. It may be empty. */
  readonly room: (most: number) => Buffer
  readonly size: () => number
  /** Those that have come; they hold until more come. */
  readonly bytes: () => Buffer
  /** Whether all that have come are ASCII: each is looked at as it comes, while it is near. */
  readonly isAscii: () => boolean
  /** All of them, in memory that `release` gives back. */
  readonly all: () => { readonly body: Buffer; readonly release: () => void }
}

/** Copies a body together. `expected` is how long it says that it is, of which `most` are believed. */
export function collected(memory: AnswerMemory, expected: number | undefined, most: number): Collected {
  let piece = memory.take(Math.min(expected ?? 16_384, most))
  let size = 0
  let plain = true
  const inPlace = (bytes: Buffer): boolean =>
    bytes.buffer === piece.buffer && bytes.byteOffset === piece.byteOffset + size
  return {
    add: (bytes) => {
      plain &&= isAscii(bytes)
      if (size + bytes.length > piece.length) {
        const larger = memory.take(Math.max(size + bytes.length, 2 * piece.length))
        piece.copy(larger, 0, 0, size)
        memory.giveBack(piece)
        piece = larger
      }
      if (!inPlace(bytes)) bytes.copy(piece, size)
      size += bytes.length
    },
    room: (most) => piece.subarray(size, size + most),
    size: () => size,
    bytes: () => piece.subarray(0, size),
    isAscii: () => plain,
    all: () => ({ body: piece.subarray(0, size), release: () => memory.giveBack(piece) }),
  }
}
