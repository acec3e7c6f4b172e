// A path to read a database file from: its own, or that of a temporary copy when the file is on a read-only file
// system.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ShipxError, messageOf } from '../../domain/errors.ts'
import { logBeside } from '../../engine/database/sqlitefile.ts'

/** A readable database. `close` removes the copy, if there is one; it may be called as soon as the database is open. */
export interface Readable {
  readonly path: string
  readonly close: () => void
}

/**
 * A path to read a database from. Even to read a database with a log, SQLite creates an index next to it. Where it
 * cannot, and there is no log, shipx reads a private copy of the file. Throws `database_read_only` when there is a log
 * or the copy fails, and `database_locked` when the file changes meanwhile.
 */
export function readable(path: string): Readable {
  const own = { path, close: () => undefined }
  if (!existsSync(path)) return own
  const real = realpathSync(path)
  if (canWrite(dirname(real)) || !keepsLog(real) || (existsSync(`${real}-wal`) && existsSync(`${real}-shm`))) return own
  const log = logBeside(real)
  if (log !== undefined)
    throw new ShipxError(
      'database_read_only',
      `${path} cannot be read here: its latest changes are in ${log}, and its folder cannot be written`,
      {
        hint: 'copy both files to a folder that can be written, and name the copy with --db',
      },
    )
  const before = stampOf(real)
  const copy = copyOf(path, real)
  if (stampOf(real) === before && logBeside(real) === undefined) return copy
  copy.close()
  throw new ShipxError('database_locked', `${path} was changed while it was being read`, {
    hint: 'run the command again',
  })
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Values that change when a process writes to the file. */
function stampOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true })
  return `${ino}:${size}:${mtimeNs}`
}

/** Where SQLite's header says how to write and read the database: 2 is with a log, 1 without. */
const header = { at: 18, length: 2, log: 2, none: 1 }

function keepsLog(path: string): boolean {
  try {
    const descriptor = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(header.length)
      readSync(descriptor, bytes, 0, header.length, header.at)
      return bytes[1] === header.log
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // The code that opens the file reports why it cannot be read.
    return false
  }
}

/** A copy whose header says that it has no log, which is true. */
function copyOf(path: string, real: string): Readable {
  let folder: string | undefined
  const close = (): void => {
    try {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    } catch {
      // Windows cannot remove an open file.
    }
  }
  try {
    folder = mkdtempSync(join(tmpdir(), 'shipx-read-'))
    const copy = join(folder, 'shipx.sqlite')
    copyFileSync(real, copy)
    chmodSync(copy, 0o600)
    const descriptor = openSync(copy, 'r+')
    writeSync(descriptor, Buffer.alloc(header.length, header.none), 0, header.length, header.at)
    closeSync(descriptor)
    return { path: copy, close }
  } catch (error) {
    close()
    throw new ShipxError(
      'database_read_only',
      `${path} is where nothing can be written, and no copy of it could be made in ${tmpdir()}: ${messageOf(error)}`,
      {
        hint: 'set TMPDIR to a folder that can be written and has room for it',
        cause: error,
      },
    )
  }
}
