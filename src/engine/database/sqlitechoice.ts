// Which module for SQLite there is: better-sqlite3, or where that is missing, Node's own. A process chooses once.
import { createRequire, isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { ShipxError } from '../../domain/errors.ts'
import { saysTooManyFiles, tooManyFiles } from '../../domain/filelimit.ts'
import { nativeDriver } from './native.ts'
import { installation, moduleIsThere, rebuild } from './nativeplace.ts'
import { nodeDriver, type NodeSqlite } from './nodesqlite.ts'
import { outOfFiles } from './sqlitefile.ts'
import type { Driver } from './sqlitedriver.ts'
import { nodesWithSqlite, olderSqlite } from './sqliteversion.ts'

/** What the choice needs of the process. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly versions: Readonly<Record<string, string | undefined>>
  emitWarning: (...warning: never[]) => void
  readonly execPath: string
}

/** The module that is used, and what is the matter with the usual one. */
export interface Choice {
  readonly driver: Driver
  readonly name: 'better-sqlite3' | 'node:sqlite'
  readonly instead?: string
}

let chosen: Choice | undefined

/**
 * The module for SQLite. `SHIPX_SQLITE` is for tests: `node` or `better` allows that one alone. Throws `native_module`,
 * with the ways out, where there is none, and `too_many_files`.
 */
export const sqliteChoice = (around: Surroundings): Choice => (chosen ??= choiceIn(around))

/** The constructor of connections of that module. Throws as `sqliteChoice`. */
export const sqliteDriver = (around: Surroundings): Driver => sqliteChoice(around).driver

function choiceIn(around: Surroundings): Choice {
  const wish = around.env['SHIPX_SQLITE']
  const ofNode = (instead: string): Choice => ({ driver: nodeDriver(nodeSqlite(around)), name: 'node:sqlite', instead })
  // A native module cannot be inside a program (docs/inside/singlefile.md).
  if (fileURLToPath(import.meta.url) === around.execPath) return ofNode('shipx is one file')
  if (wish === 'node') return ofNode('SHIPX_SQLITE says so')
  try {
    return { driver: nativeDriver(), name: 'better-sqlite3' }
  } catch (error) {
    // Without free file descriptors, the search fails even if the module is there.
    if (saysTooManyFiles(error) || outOfFiles()) throw tooManyFiles('the SQLite module', error)
    const { what, why, command } = missing(error)
    if (wish !== 'better' && hasSqlite(around)) return ofNode(`better-sqlite3 ${what}`)
    const others = `or use ${nodesWithSqlite}; or PostgreSQL: SHIPX_DATABASE_URL`
    throw new ShipxError('native_module', `data on this computer needs better-sqlite3, which ${what}${why}`, {
      hint: `${command} (may need Python, make and a C++ compiler); ${others}`,
      cause: error,
    })
  }
}

/** Whether this Node has an SQLite of its own that keeps shared databases safe. */
const hasSqlite = ({ versions: { sqlite } }: Surroundings): boolean =>
  sqlite !== undefined && !olderSqlite(sqlite) && isBuiltin('node:sqlite')

/** What is the matter with better-sqlite3, why, and the command that helps. */
function missing(error: unknown): { readonly what: string; readonly why: string; readonly command: string } {
  if ((error as { readonly code?: unknown }).code === 'ERR_DLOPEN_FAILED')
    return { what: 'does not work with this version of Node', why: '', command: rebuild() }
  if (moduleIsThere()) return { what: 'has no built file', why: ': npm ran no install script', command: rebuild() }
  return {
    what: 'is not installed',
    why: ': npm leaves it out in silence when it cannot download or compile it',
    command: installation(),
  }
}

/** Node's module, without the warning of some releases that it is experimental: shipx's users did not choose it. */
function nodeSqlite(around: Surroundings): NodeSqlite {
  const { emitWarning } = around
  around.emitWarning = (...warning: never[]) => {
    const [what, kind] = warning as readonly unknown[]
    if (kind !== 'ExperimentalWarning' || !String(what).startsWith('SQLite ')) emitWarning.apply(around, warning)
  }
  try {
    return createRequire(import.meta.url)('node:sqlite') as NodeSqlite
  } finally {
    around.emitWarning = emitWarning
  }
}
