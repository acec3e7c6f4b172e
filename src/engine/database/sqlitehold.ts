// Prepares a SQLite file to be moved, replaced or deleted: makes sure that no other process has it open, and writes its
// log into it.
import type { Connection, Driver } from './sqlitedriver.ts'
import { ShipxError } from '../../domain/errors.ts'
import { inspect } from './sqliteschema.ts'
import { guarded } from './sqliteerrors.ts'

/** How long to wait for the locks of other processes, ms. Another command may be about to end. */
const lockTimeoutMs = 2000

/** How often shipx tries to lock the file. Another process may open it between two of shipx's locks. */
const tries = 5

/** What the check found out about the file. */
export interface HeldFile {
  /** Whether the file now contains the whole database. If not, it is damaged, and the files next to it belong to it. */
  readonly whole: boolean
}

/**
 * Checks that no other process has the database open, then runs `work`. Keeps the lock during `work` only if `keep` is
 * true and the file is not damaged. Do not set `keep` on a system that cannot move open files. Throws
 * `database_locked` if another process has the database open, and `database_foreign` for another program's database.
 * Does not throw for a file that is not a database: it may be a damaged one. Also throws what `work` throws.
 */
export function holdSqlite<T>(driver: Driver, path: string, keep: boolean, work: (held: HeldFile) => T): T {
  return guarded(path, () => {
    const db = new driver(path, { fileMustExist: true, timeout: lockTimeoutMs })
    let open = true
    const close = (): void => {
      if (open) db.close()
      open = false
    }
    try {
      const whole = lockWhole(db, path)
      if (!keep || !whole) close()
      return work({ whole })
    } finally {
      close()
    }
  })
}

/** Writes the log into the file and locks it. Returns false if the file is too damaged. Throws `database_locked`. */
function lockWhole(db: Connection, path: string): boolean {
  try {
    for (let n = 1; n <= tries; n++) {
      // An idle connection to a database with a log holds a shared lock. Only this mode conflicts with that lock.
      db.pragma('locking_mode = EXCLUSIVE')
      db.exec('begin exclusive')
      db.exec('commit')
      refuseForeign(db, path)
      // This writes the log into the file and deletes the log. Otherwise the close of this connection would do so, when
      // another database may already have that name.
      db.pragma('journal_mode = DELETE')
      db.pragma('locking_mode = NORMAL')
      db.exec('begin exclusive')
      db.exec('commit')
      // The changes of mode release the file for a moment, so another process may have opened it and set its mode.
      db.exec('begin exclusive')
      if (db.pragma('journal_mode', { simple: true }) === 'delete') return true
      db.exec('rollback')
    }
  } catch (error) {
    if (damaged(error)) return false
    throw error
  }
  throw new ShipxError('database_locked', `${path} is in use by another process`)
}

/** Throws `database_foreign` for another program's database. */
function refuseForeign(db: Connection, path: string): void {
  try {
    inspect(db, path)
  } catch (error) {
    // A database of a newer shipx is fine: a user who undoes an update replaces it with an older copy.
    if (!(error instanceof ShipxError && error.code === 'database_newer')) throw error
  }
}

const damaged = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(error.code))
