// The module for SQLite that tests open files with: the one that the program under test chooses. `SHIPX_SQLITE=node` is Node's
// own (CONTRIBUTING.md, Tests).
import { createRequire } from 'node:module'
import { sqliteChoice } from '../../src/engine/database/sqlitechoice.ts'

export const { driver, name: driverName } = sqliteChoice(process)

/** Whether text is read only up to U+0000: so does the SQLite of Node 22 (docs/inside/drivers.md). */
export const cutsText = new driver(':memory:').prepare('select char(65, 0)').pluck().get() === 'A'

/** JavaScript for a program of its own, without single quotes: a function that opens a file, and gives what has `exec`. */
export const opener =
  driverName === 'better-sqlite3'
    ? `(path => new (require(${JSON.stringify(createRequire(import.meta.url).resolve(driverName))}))(path))`
    : `(path => { process.emitWarning = () => {}; return new (require("${driverName}").DatabaseSync)(path) })`
