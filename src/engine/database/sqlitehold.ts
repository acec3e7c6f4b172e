// Holds a SQLite file for one process alone, so that it can be moved, replaced or deleted. No other process has it
// open, and no log next to it contains any of its data.
import type BetterSqlite from 'better-sqlite3'
import { ShipxError } from '../../domain/errors.ts'
import { inspect } from './sqliteschema.ts'
import type { Driver } from './native.ts'
import { guarded } from './sqliteerrors.ts'

/** How long to wait for a command that is just ending, ms. */
const patience = 2000

/** How often another process may come in between two locks before it counts as having the file. */
const tries = 5

/** What is known about a file that is held. */
export interface HeldFile {
  /** Whether the file alone is the whole database now. If not, it is damaged, and the files next to it belong to it. */
  readonly whole: boolean
}

/**
 * Does work while no other process has a database open. `keep` keeps the lock during the work; do not set it on a
 * system that cannot move open files. Throws what `work` throws, and `database_locked` when another process has the
 * database open. Throws `database_foreign` for another program's database, but not for a file that is no database at
 * all: that may be damage.
 */
export function holdSqlite<T>(driver: Driver, path: string, keep: boolean, work: (held: HeldFile) => T): T {
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

/** Whether the file could be locked as the whole database; false if it is too damaged for that. */
function alone(db: BetterSqlite.Database, path: string): boolean {
  try {
    for (let n = 1; n <= tries; n++) {
      // An idle connection holds a lock on a database with a log. Only this mode asks for that lock too.
      db.pragma('locking_mode = EXCLUSIVE')
      db.exec('begin exclusive')
      db.exec('commit')
      refuseForeign(db, path)
      // Writes the log into the file. Otherwise closing this connection would write and delete files whose names belong
      // to another database by then.
      db.pragma('journal_mode = DELETE')
      db.pragma('locking_mode = NORMAL')
      db.exec('begin exclusive')
      db.exec('commit')
      // The change of mode released the file for a moment.
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

function refuseForeign(db: BetterSqlite.Database, path: string): void {
  try {
    inspect(db, path)
  } catch (error) {
    // An older database may replace a newer one: that is how an update is undone.
    if (!(error instanceof ShipxError && error.code === 'database_newer')) throw error
  }
}

const damaged = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(error.code))
