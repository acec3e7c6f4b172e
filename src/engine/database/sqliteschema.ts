// The schema of an SQLite file: its step, the newest schema in a new file, and copies of a file. An older schema is
// brought up to date by sqliteupdate.ts.
import { plainPath, type Connection, type Driver } from './sqlitedriver.ts'
import { ShipxError } from '../../domain/errors.ts'
import { applicationId, moveAt, movedSqliteIndexes, movedTable, filledTables } from './migrations.ts'
import { newerMeanwhile, sqliteStep, steps, withoutRecords } from './migrations.ts'
import { damaged, guarded } from './sqliteerrors.ts'
import { busyTimeout } from './sqlitewait.ts'

/**
 * The pages of a new file, bytes: documents of 1.8 KB leave an eighth of a page of 8 KB empty, and half as much of one
 * of 16. A file that is there keeps its own until it is copied (docs/inside/performance.md, Room).
 */
export const pageSize = 16384

/** How long to wait for another process that makes the schema of a new file, ms. */
const creationTimeout = 120_000

/** Thrown for a file with an older schema: `updateSqlite` brings it up to date. */
export class OlderSchema extends ShipxError {
  constructor(path: string) {
    super('database_read_only', `${path} has an older schema and was opened read-only`, {
      hint: 'run any command that writes to it once',
    })
  }
}

/**
 * The schema step of the file; 0 for an empty file. Looks at one moment of the file: another process may be making the
 * schema. Throws `database_foreign`, `database_newer`, and `database_corrupt` for a number that no schema has.
 */
export function inspect(db: Connection, path: string): number {
  if (db.inTransaction) return inspected(db, path)
  db.exec('begin')
  try {
    const found = inspected(db, path)
    db.exec('commit')
    return found
  } catch (error) {
    if (db.inTransaction) db.exec('rollback')
    throw error
  }
}

function inspected(db: Connection, path: string): number {
  const id = db.pragma('application_id', { simple: true }) as number
  const { done, begun } = standing(db)
  const version = begun ? done + 1 : done
  const objects = id === applicationId ? 1 : (db.prepare('select count(*) from sqlite_schema').pluck().get() as number)
  if (id !== applicationId && (objects > 0 || id !== 0 || version !== 0)) {
    throw new ShipxError('database_foreign', `${path} is a database of another program`, {
      hint: 'name another file with --db',
    })
  }
  if (version > steps.length) {
    throw new ShipxError('database_newer', `${path} has schema ${version}; this shipx knows up to ${steps.length}`, {
      hint: 'use the newer shipx that wrote it',
    })
  }
  if (done < 0 || (begun && done !== moveAt))
    throw damaged(
      path,
      `its head names schema ${db.pragma('user_version', { simple: true }) as number}, and there is none`,
    )
  return done
}

/** The schema of a file whose step `n` is begun and not finished is this much more than `n`. */
const unfinished = 1000

/** The steps that a file has taken, and whether it has begun the next. */
export function standing(db: Connection): { readonly done: number; readonly begun: boolean } {
  const version = db.pragma('user_version', { simple: true }) as number
  return version > unfinished ? { done: version - unfinished - 1, begun: true } : { done: version, begun: false }
}

/** Throws `unavailable` when the file has a newer schema than this program knows. */
export function refuseNewer(db: Connection): void {
  const { done, begun } = standing(db)
  if (done + Number(begun) > steps.length) throw newerMeanwhile(done + Number(begun))
}

/** Writes down in the file, inside the running transaction, which steps it has taken, and whether it has begun one. */
export function mark(db: Connection, done: number, begun = false): void {
  const version = begun ? unfinished + done + 1 : done
  if (db.pragma('user_version', { simple: true }) === version) return
  db.pragma(`application_id = ${applicationId}`)
  db.pragma(`user_version = ${version}`)
}

/**
 * Makes the newest schema in an empty file, in one transaction. Throws `OlderSchema` when another process has made an
 * older one meanwhile.
 */
export function createSchema(db: Connection, path: string): void {
  db.pragma(`busy_timeout = ${creationTimeout}`)
  db.exec('begin immediate')
  try {
    // Another process may have done it while this one waited for the lock.
    const known = inspect(db, path)
    if (known === 0) {
      for (const step of steps.slice(0, moveAt)) db.exec(withoutRecords(sqliteStep(step)))
      db.exec(filledTables.map(movedTable).join('') + sqliteStep(steps[moveAt]!))
      db.exec([...movedSqliteIndexes().values()].join(''))
      for (const step of steps.slice(moveAt + 1)) db.exec(sqliteStep(step))
      mark(db, steps.length)
    } else if (known < steps.length) throw new OlderSchema(path)
    db.exec('commit')
  } catch (error) {
    if (db.inTransaction) db.exec('rollback')
    throw error
  }
  db.pragma(`busy_timeout = ${busyTimeout}`)
}

/** The schema of a database file, and the newest one. Throws what `openSqlite` throws; changes nothing. */
export function schemaOf(driver: Driver, path: string): { readonly at: number; readonly newest: number } {
  return guarded(path, () => {
    const db = new driver(path, { readonly: true, fileMustExist: true, timeout: schemaTimeout })
    try {
      return { at: inspect(db, path), newest: steps.length }
    } finally {
      db.close()
    }
  })
}

/** Reading only the schema waits less for another process, ms. */
const schemaTimeout = 2000

/** Copies a database, even one in use, to a file, as one unchanging view. The target is empty or does not exist. */
export function copySqlite(driver: Driver, path: string, target: string): void {
  guarded(path, () => {
    const db = new driver(path, { readonly: true, fileMustExist: true, timeout: busyTimeout })
    try {
      inspect(db, path)
      db.pragma(`page_size = ${pageSize}`)
      db.prepare('vacuum into ?').run(plainPath(target))
    } finally {
      db.close()
    }
  })
}
