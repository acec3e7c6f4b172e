// Bytes that are kept to be read at any place: few of them in memory, many in a temporary file.
import { readSync } from 'node:fs'

/** The temporary file. */
export interface Overflow {
  readonly descriptor: number
  /** Throws `output_failed`. */
  readonly append: (bytes: Uint8Array) => void
  readonly close: () => void
}

/** Kept bytes: all are appended before the first is read. */
export interface Spool {
  readonly append: (bytes: Uint8Array) => void
  readonly size: () => number
  /** The bytes from a place on, which are valid until the next reading. */
  readonly read: (at: number, length: number) => Buffer
  /** All of them: in memory, or the descriptor of their file. */
  readonly whole: () => Buffer | number
  readonly close: () => void
}

/** Bytes in memory at most, and bytes that are written to the file at once. */
const [inMemory, atOnce] = [1_048_576, 65_536]

/** An empty spool; `open` makes its temporary file when it needs one. */
export function spoolOf(open: () => Overflow): Spool {
  let memory = Buffer.allocUnsafe(atOnce)
  let held = 0
  let size = 0
  let file: Overflow | undefined
  const flush = (to: Overflow): void => {
    if (held > 0) to.append(memory.subarray(0, held))
    held = 0
  }
  /** Makes room for that many bytes, in memory or by writing what is there. */
  const makeRoom = (length: number): void => {
    if (file === undefined && held + length <= inMemory) {
      const larger = Buffer.allocUnsafe(Math.min(inMemory, Math.max(memory.length * 2, held + length)))
      memory.copy(larger, 0, 0, held)
      memory = larger
      return
    }
    const first = file === undefined
    file ??= open()
    flush(file)
    if (first) memory = Buffer.allocUnsafe(atOnce)
  }
  return {
    append: (bytes) => {
      size += bytes.length
      if (held + bytes.length > memory.length) makeRoom(bytes.length)
      if (bytes.length > memory.length) return file!.append(bytes)
      memory.set(bytes, held)
      held += bytes.length
    },
    size: () => size,
    read: (at, length) => {
      if (file === undefined) return memory.subarray(at, at + length)
      flush(file)
      const bytes = Buffer.allocUnsafe(length)
      let found = 0
      while (found < length) {
        const read = readSync(file.descriptor, bytes, found, length - found, at + found)
        if (read === 0) break
        found += read
      }
      return bytes.subarray(0, found)
    },
    whole: () => {
      if (file === undefined) return memory.subarray(0, held)
      flush(file)
      return file.descriptor
    },
    close: () => {
      file?.close()
      file = undefined
    },
  }
}
