// Looks for damage in an SQLite file, and for records that cannot be read.
import type BetterSqlite from 'better-sqlite3'
import { guarded } from './sqliteerrors.ts'
import type { Driver } from './native.ts'
import { busyTimeout, inspect } from './sqliteschema.ts'

/**
 * The damage that a check finds in a file, one sentence each; empty for a sound file. `quick` does not compare indexes
 * with their tables, and does not check whether records are JSON.
 */
export function checkSqlite(driver: Driver, path: string, quick = false): readonly string[] {
  return guarded(path, () => {
    const db = new driver(path, { readonly: true, fileMustExist: true, timeout: busyTimeout })
    try {
      const at = inspect(db, path)
      const found = db.pragma(quick ? 'quick_check(20)' : 'integrity_check(20)') as readonly object[]
      const faults = found.map((row) => String(Object.values(row)[0]))
      if (faults.length !== 1 || faults[0] !== 'ok') return faults
      return quick || at === 0 ? [] : damagedRecords(db)
    } catch (error) {
      // Damage can also stop the check itself.
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT'))
        return [error.message]
      throw error
    } finally {
      db.close()
    }
  })
}

/** Records that are not JSON, counted by table; SQLite's own checks do not see them. */
function damagedRecords(db: BetterSqlite.Database): readonly string[] {
  const found = db.prepare(countDamaged).all() as readonly { readonly name: string; readonly bad: number }[]
  return found
    .filter(({ bad }) => bad > 0)
    .map(({ name, bad }) => `${bad} ${bad === 1 ? 'record' : 'records'} of ${name} cannot be read`)
}

const countDamaged = `
  select 'shipments' as name, count(*) as bad from shipments where not json_valid(doc)
  union all select 'returns', count(*) from returns where not json_valid(doc)`
