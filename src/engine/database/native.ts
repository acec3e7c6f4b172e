// Finds the native SQLite module where the package manager put it: the module's own search takes longer than opening a
// database.
import { createRequire } from 'node:module'
import BetterSqlite from 'better-sqlite3'
import { ShipxError } from '../../domain/errors.ts'
import { tooManyFiles } from '../../domain/filelimit.ts'
import { installation, moduleIsThere, rebuild } from './nativeplace.ts'
import { outOfFiles } from './sqlitefile.ts'

/** better-sqlite3 with its native file. Throws `native_module`, with the command that installs it here. */
export function nativeDriver(): Driver {
  try {
    const nativeBinding = createRequire(import.meta.url).resolve('better-sqlite3/build/Release/better_sqlite3.node')
    const open = (path: string, options: object): unknown => new BetterSqlite(path, { ...options, nativeBinding })
    return function (path: string, options: object) {
      return open(path, options)
    } as unknown as Driver
  } catch (error) {
    // Without free file descriptors, the search fails even if the module is there.
    if (outOfFiles()) throw tooManyFiles('the SQLite module', error)
    const there = moduleIsThere()
    const why = there
      ? 'whose built file is missing: npm ran no install script'
      : 'which is not installed: npm leaves it out in silence when it cannot download or compile it'
    throw new ShipxError('native_module', `data on this computer needs better-sqlite3, ${why}`, {
      hint: there ? rebuild() : installation(),
      cause: error,
    })
  }
}

/** The constructor of better-sqlite3, loaded only to open a database. */
export type Driver = typeof BetterSqlite
