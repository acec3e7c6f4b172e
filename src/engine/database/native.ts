// The native SQLite module, found where the package manager put it: its own search costs more than opening a database.
import { createRequire } from 'node:module'
import BetterSqlite from 'better-sqlite3'
import { ShipxError } from '../../domain/errors.ts'
import { tooManyFiles } from '../../domain/filelimit.ts'
import { outOfFiles } from './sqlitefile.ts'

/** better-sqlite3 with its native file found; throws `native_module` with the way out when it is not there. */
export function nativeDriver(): Driver {
  try {
    const nativeBinding = createRequire(import.meta.url).resolve('better-sqlite3/build/Release/better_sqlite3.node')
    const open = (path: string, options: object): unknown => new BetterSqlite(path, { ...options, nativeBinding })
    return function (path: string, options: object) {
      return open(path, options)
    } as unknown as Driver
  } catch (error) {
    // A search that may open nothing finds nothing.
    if (outOfFiles()) throw tooManyFiles('the SQLite module', error)
    throw new ShipxError('native_module', 'the embedded engine needs better-sqlite3, which is not installed', {
      hint: 'npm install -g better-sqlite3@12.11.1, or npm rebuild better-sqlite3 where shipx is installed',
      cause: error,
    })
  }
}

/** The constructor of better-sqlite3, loaded only where a database is opened. */
export type Driver = typeof BetterSqlite
