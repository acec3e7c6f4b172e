// The schema of an SQLite file: its step, the backup before a change, and the steps to the newest.
import type BetterSqlite from 'better-sqlite3'
import { ShipxError } from '../../domain/errors.ts'
import { applicationId, filledTables, sqliteStep, steps, type Fill } from './migrations.ts'
import { guarded } from './sqliteerrors.ts'
import type { Driver } from './native.ts'

/** The backups of older schemas. One process at a time makes one, since it holds the write lock meanwhile. */
export interface Backups {
  /** The path of a new, empty file. It may delete what earlier processes left unfinished. */
  readonly make: (path: string, schema: number) => string
  /** Called when the copy is complete and has that schema. */
  readonly keep: (copy: string, path: string, schema: number) => void
  /** Called when the copy was not finished. */
  readonly drop: (copy: string) => void
}

/** How long to wait for another process's lock, ms. */
export const busyTimeout = 5000

/** How long to wait for another process that copies the database and brings it up to date, ms. */
const migrationTimeout = 120_000

/** The schema step of the file; 0 for an empty file. Throws `database_foreign` and `database_newer`. */
export function inspect(db: BetterSqlite.Database, path: string): number {
  const id = db.pragma('application_id', { simple: true }) as number
  const version = db.pragma('user_version', { simple: true }) as number
  const objects = id === applicationId ? 1 : (db.prepare('select count(*) from sqlite_schema').pluck().get() as number)
  if (id !== applicationId && (objects > 0 || id !== 0 || version !== 0)) {
    throw new ShipxError('database_foreign', `${path} is a database of another program`, {
      hint: 'name another file with --db',
    })
  }
  if (version > steps.length) {
    throw new ShipxError('database_newer', `${path} has schema ${version}; this shipx knows up to ${steps.length}`, {
      hint: 'npm install -g shipx@latest',
    })
  }
  return version
}

export function migrate(db: BetterSqlite.Database, path: string, driver: Driver, copies: Backups | undefined): void {
  db.pragma(`busy_timeout = ${migrationTimeout}`)
  db.transaction(() => {
    // Another process may have done it while this one waited for the lock.
    const at = db.pragma('user_version', { simple: true }) as number
    if (at === steps.length) return
    if (at > 0) keepCopy(driver, path, at, copies)
    for (const step of steps.slice(at)) {
      db.exec(sqliteStep(step))
      if (step.fill !== undefined) fillColumns(db, step.fill)
    }
    db.pragma(`application_id = ${applicationId}`)
    db.pragma(`user_version = ${steps.length}`)
  }).immediate()
  db.pragma(`busy_timeout = ${busyTimeout}`)
}

/** Fills columns from the text of each record, with functions of this connection. */
function fillColumns(db: BetterSqlite.Database, fill: Fill): void {
  // Each column is a function of its own, and all of them are called for a row before the next one.
  let last: { readonly doc: unknown; readonly values: ReturnType<Fill> } | undefined
  const valuesOf = (doc: unknown): ReturnType<Fill> => {
    if (last === undefined || last.doc !== doc) last = { doc, values: fill(String(doc)) }
    return last.values
  }
  const names = Object.keys(fill(''))
  for (const name of names) db.function(`filled_${name}`, (doc: unknown) => valuesOf(doc)[name] ?? null)
  const filled = names.map((name) => `${name} = filled_${name}(doc)`).join(', ')
  db.exec(filledTables.map((table) => `update ${table} set ${filled};`).join('\n'))
}

/** Copies the database before a change, on a second connection: the one that holds the lock cannot. */
function keepCopy(driver: Driver, path: string, schema: number, copies: Backups | undefined): void {
  const copy = copies?.make(path, schema) ?? `${path}.schema-${schema}.bak`
  try {
    copySqlite(driver, path, copy)
    copies?.keep(copy, path, schema)
  } catch (error) {
    copies?.drop(copy)
    throw error
  }
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
      db.prepare('vacuum into ?').run(target)
    } finally {
      db.close()
    }
  })
}
