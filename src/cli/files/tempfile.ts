// A temporary file in the data folder, which no other user can read. Where the system allows it, the file has no name.
import { closeSync, openSync, read, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ShipxError, messageOf } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import { dataFolder, makeFolder } from './folders.ts'
import { safe } from '../terminal/safe.ts'

/** A file to write to and read again. */
export interface TempFile {
  readonly descriptor: number
  readonly size: () => number
  /** Throws `output_failed`. */
  readonly append: (bytes: Uint8Array) => void
  readonly read: () => AsyncIterable<Uint8Array>
  readonly close: () => void
}

/** Opens an empty file. Throws `output_failed`. */
export function openTempFile({ io }: Pick<Context, 'io'>): TempFile {
  const folder = join(dataFolder(io), 'imports')
  const path = join(folder, `spool-${io.pid}-${io.host.uuid()}.tmp`)
  const failing = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw new ShipxError('output_failed', `${safe(folder)} cannot be written: ${messageOf(error)}`, { cause: error })
    }
  }
  const descriptor = failing(() => {
    makeFolder(folder, 0o700)
    return openSync(path, 'wx+', 0o600)
  })
  // A file without a name disappears with its process, however that ends.
  let named = true
  try {
    if (io.platform !== 'win32') {
      rmSync(path)
      named = false
    }
  } catch {
    // Then it is deleted at the end.
  }
  let size = 0
  return {
    descriptor,
    size: () => size,
    append: (bytes) =>
      failing(() => {
        for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, bytes.length - at, size + at)
        size += bytes.length
      }),
    read: () => bytesAt(descriptor),
    close: () => {
      closeSync(descriptor)
      if (named) rmSync(path, { force: true })
    },
  }
}

const readAt = promisify(read)

/** Bytes in one read: larger reads keep more rows in memory at the same time. */
const piece = 65_536

/**
 * The bytes of an open file from its start, as often as needed. The file stays open; a stream would close it when its
 * reader stops.
 */
export async function* bytesAt(descriptor: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; ;) {
    const { bytesRead, buffer } = await readAt(descriptor, Buffer.allocUnsafe(piece), 0, piece, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
