// better-sqlite3, the usual module for SQLite. Finds its native file where the package manager put it: the module's own
// search takes longer than opening a database.
import { createRequire } from 'node:module'
import BetterSqlite from 'better-sqlite3'
import type { Driver, DriverOptions } from './sqlitedriver.ts'

/** better-sqlite3 with its native file. Throws where there is no such file, and where it is not for this Node. */
export function nativeDriver(): Driver {
  const require = createRequire(import.meta.url)
  const nativeBinding: unknown = require('better-sqlite3/build/Release/better_sqlite3.node')
  const open = (path: string, options?: DriverOptions): unknown =>
    new BetterSqlite(path, { ...options, nativeBinding } as BetterSqlite.Options)
  return function (path: string, options?: DriverOptions) {
    return open(path, options)
  } as unknown as Driver
}
