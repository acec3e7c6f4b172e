// What shipx wrote into a file of failed rows, as a hash in the data folder: so it knows whether a user has changed the
// file since (docs/guides/sheets.md).
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dayMs } from '../../domain/time.ts'
import type { Context } from '../command/context.ts'
import { dataFolder, makeFolder } from '../files/folders.ts'

/** How long shipx remembers what it wrote, ms; after that a file counts as changed. */
const keptFor = 90 * dayMs

/** The mark of one file of failed rows. */
export interface FailedMark {
  /** Remembers the file as it is now. */
  readonly set: () => void
  /** Whether the file is as it was then. */
  readonly holds: () => boolean
}

/** The mark of the file at a path. A folder that cannot be written has no marks: its files count as changed. */
export function failedMark({ io }: Pick<Context, 'io'>, path: string): FailedMark {
  const folder = join(dataFolder(io), 'failed')
  const mark = join(folder, `${io.host.digest(resolve(path)).slice(0, 40)}.mark`)
  return {
    set: () => {
      try {
        makeFolder(folder, 0o700)
        sweep(folder, Date.now() - keptFor)
        writeFileSync(mark, hashOf(path), { mode: 0o600 })
      } catch {
        // An older mark does not hold for the new file.
      }
    },
    holds: () => {
      try {
        return readFileSync(mark, 'latin1') === hashOf(path)
      } catch {
        return false
      }
    },
  }
}

/** The SHA-256 of a file. */
function hashOf(path: string): string {
  const hash = createHash('sha256')
  const descriptor = openSync(path, 'r')
  try {
    const chunk = Buffer.alloc(1 << 16)
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk))
      hash.update(chunk.subarray(0, read))
    return hash.digest('hex')
  } finally {
    closeSync(descriptor)
  }
}

/** Removes marks that are older than `before`. */
function sweep(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.endsWith('.mark') && statSync(path).mtimeMs < before) rmSync(path, { force: true })
  }
}
