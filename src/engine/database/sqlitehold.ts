// A SQLite file held by one process alone, so that it can be moved, replaced or deleted: no other process has it open, and nothing
// of it lies in a log beside it. Knows nothing of what is in the tables.
import type BetterSqlite from 'better-sqlite3'
import { ShipxError } from '../../domain/errors.ts'
import { inspect } from './sqliteschema.ts'
import type { Driver } from './native.ts'
import { guarded } from './sqliteerrors.ts'

/** How long to wait for a command that is just ending, ms. */
const patience = 2000

/** Another process may slip in between two locks that often before it counts as having the file. */
const tries = 5

/** A file that is held, and what it turned out to be. */
export interface Held {
  /** Whether the file alone is the whole database now; when not, it is damaged and what lies beside it belongs to it. */
  readonly whole: boolean
}

/**
 * Does work while no other process has a database open. `keep` says that the lock stays during the work, which a system
 * that moves no open file does not allow. Throws `database_locked` when another process has it open, `database_foreign`
 * for another program's database (not for a file that is no database at all: that may be damage), and what `work` throws.
 */
export function holdSqlite<T>(driver: Driver, path: string, keep: boolean, work: (held: Held) => T): T {
  return guarded(path, () => {
    const db = new driver(path, { fileMustExist: true, timeout: patience })
    let open = true
    const close = (): void => {
      if (open) db.close()
      open = false
    }
    try {
      const whole = alone(db, path)
      if (!keep || !whole) close()
      return work({ whole })
    } finally {
      close()
    }
  })
}

/** Whether the file could be locked as the whole database; false when it is damaged too much for that. */
function alone(db: BetterSqlite.Database, path: string): boolean {
  try {
    for (let n = 1; n <= tries; n++) {
      // An idle connection keeps a lock on a database with a log; only this mode asks for that one too.
      db.pragma('locking_mode = EXCLUSIVE')
      db.exec('begin exclusive')
      db.exec('commit')
      refuseForeign(db, path)
      // The log goes into the file. Else closing this connection would write and delete by names that are another file's then.
      db.pragma('journal_mode = DELETE')
      db.pragma('locking_mode = NORMAL')
      db.exec('begin exclusive')
      db.exec('commit')
      // That let go of it for a moment.
      db.exec('begin exclusive')
      if (db.pragma('journal_mode', { simple: true }) === 'delete') return true
      db.exec('rollback')
    }
  } catch (error) {
    if (damaged(error)) return false
    throw error
  }
  throw new ShipxError('database_locked', `${path} is held by another process`)
}

function refuseForeign(db: BetterSqlite.Database, path: string): void {
  try {
    inspect(db, path)
  } catch (error) {
    // A newer database may give way to an older one: that is how an update is taken back.
    if (!(error instanceof ShipxError && error.code === 'database_newer')) throw error
  }
}

const damaged = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(error.code))
