// A database file by a name that it can be read under: its own, or that of a copy for the moment, where it lies on a
// file system that nothing can be written to.
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

/**
 * A database that can be read; `close` takes the copy away, where it is one, and may be called as soon as it is open.
 */
export interface Readable {
  readonly path: string
  readonly close: () => void
}

/**
 * Where a database can be read. SQLite makes an index next to a database with a log even for reading it; where it
 * cannot, and no log is there, the file is read as a copy of its owner's alone. Throws `database_read_only` when there
 * is a log, and when no copy can be made; `database_locked` when the file changes meanwhile.
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

/** What changes when a file is written to. */
function stampOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true })
  return `${ino}:${size}:${mtimeNs}`
}

/** Where SQLite's header says how a database is written and read: 2 is with a log, 1 without. */
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
    // Whoever opens it says why it cannot be read.
    return false
  }
}

/** A copy that says of itself that it has no log, which is so. */
function copyOf(path: string, real: string): Readable {
  let folder: string | undefined
  const close = (): void => {
    try {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    } catch {
      // Windows removes nothing that is open.
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
      `${path} lies where nothing can be written, and no copy of it could be made in ${tmpdir()}: ${messageOf(error)}`,
      {
        hint: 'set TMPDIR to a folder that can be written and has room for it',
        cause: error,
      },
    )
  }
}
