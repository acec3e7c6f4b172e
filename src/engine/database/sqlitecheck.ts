// Looks for damage in an SQLite file, and for records that cannot be read.
import type { Connection, Driver } from './sqlitedriver.ts'
import { guarded } from './sqliteerrors.ts'
import { docsOf, filledTables, waitingOf } from './migrations.ts'
import { inspect } from './sqliteschema.ts'
import { busyTimeout } from './sqlitewait.ts'

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

/**
 * What SQLite's own checks do not see: texts that are not JSON, and records of which a half is missing. In an older
 * schema the text is in the record's own row.
 */
function damagedRecords(db: Connection): readonly string[] {
  const holdsText = db.prepare("select 1 from pragma_table_info(?) where name = 'doc'")
  return filledTables.flatMap((table) => {
    const docs = docsOf(table)
    const [apart, ...whole] = [docs, waitingOf(table), table].filter((name) => holdsText.get(name) !== undefined)
    const unreadable = [apart, ...whole].map((name) => `select 1 from ${name} where not json_valid(doc)`)
    const halves: readonly (readonly [string, string])[] = [
      [without(table, docs), `of ${table} cannot be shown: no row in ${docs}`],
      [without(docs, table), `in ${docs} cannot be found: no row in ${table}`],
    ]
    const faults: readonly (readonly [string, string])[] = [
      [`(${unreadable.join(' union all ')})`, `of ${table} cannot be read`],
      ...(apart === docs ? halves : []),
    ]
    return faults.flatMap(([from, what]) => {
      const count = `select count(*) from ${from}`
      const n = db.prepare(count).pluck().get() as number
      return n === 0 ? [] : `${n} ${n === 1 ? 'record' : 'records'} ${what}`
    })
  })
}

/** The rows of a table that have no row in the other one. */
const without = (a: string, b: string): string =>
  `${a} a where not exists (select 1 from ${b} b where b.seq = a.seq and b.account_id = a.account_id)`
