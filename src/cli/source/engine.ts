// Opens an engine from flags and environment: the only place that opens a database for a command.
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ShipxError, invalid, messageOf } from '../../domain/errors.ts'
import { saysTooManyFiles, tooManyFiles } from '../../domain/filelimit.ts'
import type { Database, Work } from '../../engine/database/port.ts'
import { sqliteDriver } from '../../engine/database/sqlitechoice.ts'
import { embeddedService, type EmbeddedService } from '../../engine/service.ts'
import { accountNamed, findAccount } from '../../engine/accounts/settings.ts'
import { openSqlite } from '../../engine/database/sqlite.ts'
import { readingCacheKib } from '../../engine/database/sqlitedriver.ts'
import { freeBytes } from '../../engine/database/sqlitefile.ts'
import { OlderSchema, pageSize } from '../../engine/database/sqliteschema.ts'
import type { Context } from '../command/context.ts'
import { databasePath, databaseUrl, readDatabaseUrl, refuseMissing, shownDatabase } from '../config/paths.ts'
import { text } from '../command/flags.ts'
import { makeFolder } from '../files/folders.ts'
import { safe } from '../terminal/safe.ts'

/** An engine that works for one account. */
export interface Engine {
  readonly database: Database
  readonly account: number
  readonly service: EmbeddedService
  readonly path: string
}

/**
 * Memory for the page cache, KiB. The system's cache serves writes: a larger one makes no import of sheets faster. The
 * indexes of a million records outgrow it: there, a larger one saves a tenth (docs/inside/performance.md, P7).
 */
export const cacheKib = { read: readingCacheKib, write: 8_000, bulk: 8_000, records: 44_000, serve: 48_000 }

/**
 * The log before it is written into the file, pages of 16 KB. Bulk work returns to the same pages, and writes them into
 * the file once for many transactions (docs/inside/performance.md, Scans); it takes about an eighth of the free disk at
 * most. A service keeps each such pause short.
 */
function logPagesOf(use: Use, path: string): number {
  if (use !== 'bulk' && use !== 'records') return use === 'serve' ? 2_000 : 4_000
  const free = freeBytes(path)
  return free === undefined ? 4_000 : Math.max(2_000, Math.min(16_000, Math.floor(free / 8 / pageSize)))
}

/**
 * Opens the embedded engine. A read of a missing database sees an empty one and creates no file. Throws the database
 * errors of `openSqlite`, and when reading `not_found` for a missing account, or a missing database that was named.
 */
export async function connect(context: Context, use: Use): Promise<Engine> {
  const url = databaseUrl(context)
  return url === undefined ? connectFile(context, use) : connectServer(context, use, url)
}

/** Opens the embedded engine, runs the work and closes the engine, also after an error. Throws as `connect`. */
export async function withEngine<T>(context: Context, use: Use, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await connect(context, use)
  try {
    return await work(engine)
  } finally {
    await engine.database.close()
  }
}

/** What a command opens a database for. */
type Use = keyof typeof cacheKib

async function connectServer(context: Context, use: Use, url: string): Promise<Engine> {
  const { openServer } = await import('./postgres.ts')
  const database = await openServer(context, { url, readUrl: readDatabaseUrl(context) })
  const path = shownDatabase(url)
  await context.debug(`database ${path}`)
  try {
    return await engineOn(context, database, path, use)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function connectFile(context: Context, use: Use): Promise<Engine> {
  const path = databasePath(context)
  refuseUnfit(path)
  const missing = use === 'read' && !existsSync(path)
  if (missing) refuseMissing(context)
  await context.debug(`database ${path}${missing ? ' (not there, empty)' : ''}`)
  const database = await openFile(context, missing ? undefined : path, use)
  const engine = await engineOn(context, database, path, use)
  if (missing) await noteEmpty(context)
  return engine
}

/**
 * Opens a database file, and creates it when it is missing; undefined opens an empty database in memory. Throws as
 * `openSqlite`.
 */
export async function openFile(context: Context, path: string | undefined, use: Use): Promise<Database> {
  const driver = sqliteDriver(process)
  if (path !== undefined && !existsSync(path)) makeFile(path)
  const open = async (readOnly: boolean, at = path ?? ':memory:'): Promise<Database> => {
    const opening = { path: at, readOnly, cacheKib: cacheKib[use], logPages: logPagesOf(use, at) }
    try {
      return openSqlite(driver, opening)
    } catch (error) {
      if (readOnly || !(error instanceof OlderSchema)) throw error
      const { updateFile } = await import('./update.ts')
      await updateFile(context, driver, at)
      return openSqlite(driver, opening)
    }
  }
  return use === 'read' ? openReading(open, path) : open(false)
}

async function engineOn(context: Context, database: Database, path: string, use: Use): Promise<Engine> {
  const { host } = context.io
  const name = text(context.flags, 'account') ?? 'default'
  const found = await database.read(() => findAccount(name), 'single')
  if (found === undefined && use === 'read' && name !== 'default') {
    throw new ShipxError('not_found', `there is no account ${name} in ${path}`)
  }
  // A read of a missing account finds nothing and creates nothing.
  const account = found ?? (use === 'read' ? emptyAccount : await database.write(() => accountNamed(name, host.now())))
  return { database, account, service: embeddedService(database, account, host), path }
}

/** Reports once in a run that there is no data yet. */
async function noteEmpty(context: Context): Promise<void> {
  if (noted.has(context.io)) return
  noted.add(context.io)
  await context.note('Nothing is saved on this computer yet; to look around: shipx local seed')
}

/** Runs that got the note. */
const noted = new WeakSet<Context['io']>()

/**
 * Throws `invalid_input` for a name that cannot be a database file: a folder, or text with a special meaning to the
 * driver.
 */
export function refuseUnfit(path: string): void {
  const fault = (message: string): ShipxError => invalid([{ field: '--db', message }])
  if (path === ':memory:') throw fault(':memory: keeps nothing after the command; name a file')
  // The address is not repeated: it may have a password.
  if (/^[a-z][a-z+]+:\/\//i.test(path))
    throw fault('takes a file; the address of a PostgreSQL database goes with --database')
  if (path !== path.trim()) throw fault(`"${safe(path)}" starts or ends with a blank; name the file without it`)
  if (!existsSync(path)) return
  const found = statSync(path)
  if (found.isDirectory()) throw fault(`${safe(path)} is a folder; name a file in it`)
  if (!found.isFile()) throw fault(`${safe(path)} is not a file`)
}

/** Thrown to roll a rehearsal back. */
class TakenBack<T> {
  constructor(readonly result: T) {}
}

/**
 * Does a write and rolls it back, so that a dry run finds every fault of the real write. Returns what the write
 * returned.
 */
export async function rehearse<T>(context: Context, work: (engine: Engine) => Work<T>): Promise<T> {
  return withEngine(context, 'read', async (engine) => {
    try {
      return await engine.database.write(function* (): Work<T> {
        throw new TakenBack(yield* work(engine))
      })
    } catch (error) {
      if (error instanceof TakenBack) return error.result as T
      throw error
    }
  })
}

/** A number that no account has. */
const emptyAccount = 0

/** A database that cannot be written can still be read, even where no file can be created next to it. */
async function openReading(
  open: (readOnly: boolean, at?: string) => Promise<Database>,
  path?: string,
): Promise<Database> {
  const unwritable = (error: unknown): boolean => error instanceof ShipxError && error.code === 'database_read_only'
  try {
    return await open(false)
  } catch (error) {
    if (path === undefined || !unwritable(error)) throw error
  }
  const { readable } = await import('./readablefile.ts')
  const { path: at, close } = readable(path)
  const database = await open(true, at)
  // Systems that can remove an open file delete the copy's name here.
  close()
  return { ...database, close: () => database.close().finally(close) }
}

/** Creates the file and its folder, readable by the user alone: they hold customers' names and phones. */
export function makeFile(path: string): void {
  const folder = dirname(path)
  try {
    if (!existsSync(folder)) {
      makeFolder(folder, 0o700)
      chmodSync(folder, 0o700)
    }
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const why = `${path} cannot be made: ${messageOf(error)}`
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new ShipxError('database_full', why, { hint: 'free some space', cause: error })
    if (saysTooManyFiles(error)) throw tooManyFiles(path, error)
    throw new ShipxError('database_read_only', why, { hint: 'name another file with --db', cause: error })
  }
}
