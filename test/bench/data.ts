// The data of the benchmark: equal every time, made once into a work folder and used again while it fits the code.
import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { isoOf } from '../../src/domain/time.ts'
import type { Database } from '../../src/engine/database/port.ts'
import type { Host } from '../../src/engine/runtime.ts'
import { sqliteStep, steps } from '../../src/engine/database/migrations.ts'
import { saveRecords } from '../../src/engine/records/records.ts'
import { entryOf } from '../../src/engine/records/entry.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { seedStores, seedWarehouses, type SeedPlan } from '../../src/engine/sample/plan.ts'
import { accountNamed, setWarehouse } from '../../src/engine/accounts/settings.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { pageSize } from '../../src/engine/database/sqliteschema.ts'
import type { Driver } from '../../src/engine/database/sqlitedriver.ts'
import { saveStore } from '../../src/engine/accounts/stores.ts'
import { mostCopies, multiply } from './multiplied.ts'
import { say } from './report.ts'

/** The time that the data is made at, and that everything measured believes in. */
const now = Date.UTC(2026, 0, 15, 6)

/** A host with a clock that stands still; nothing that is measured asks it for chance. */
export const host: Host = {
  digest: (data) => createHash('sha256').update(data).digest('hex'),
  now: () => now,
  uuid: () => '00000000-0000-4000-8000-000000000000',
  letters: (length, alphabet) => alphabet.slice(0, 1).repeat(length),
}

/** The account that everything is asked of. */
export const account = 1

const smallAccounts = 10

const planOf = (shipments: number): SeedPlan => ({
  shipments,
  returns: shipments / 10,
  stores: 1000,
  days: 365,
  seed: 42,
  now,
})

/** Changes whenever the schema or what is stored of the records changes, so that old files are not used again. */
function signature(): string {
  const hash = createHash('sha256').update(`${pageSize}${steps.map(sqliteStep).join()}`)
  const plan = { ...planOf(1_000_000), shipments: 200, returns: 20 }
  for (const record of seedShipments(plan)) hash.update(JSON.stringify(entryOf('shipment', record)))
  for (const record of seedReturns(plan)) hash.update(JSON.stringify(entryOf('return', record)))
  return hash.digest('hex').slice(0, 8)
}

/** The file of a name in the folder, made when it is not there; files of the same name by older code are removed. */
async function madeOnce(
  folder: string,
  name: string,
  ending: string,
  make: (path: string) => Promise<void> | void,
): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}-${signature()}.${ending}`)
  if (existsSync(path)) return path
  const stale = new RegExp(`^${name}-[0-9a-f]{8}\\.${ending}`)
  for (const file of readdirSync(folder)) if (stale.test(file)) rmSync(join(folder, file))
  const part = `${path}.part`
  say(`making ${path}`)
  const from = performance.now()
  await make(part)
  renameSync(part, path)
  say(`made in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  return path
}

/** A database file opened by the engine, and the driver's connection underneath, which has the engine's settings. */
export interface Opened {
  readonly database: Database
  readonly connection: BetterSqlite.Database
}

/** Opens a database as the engine does, with its driver's connection at hand; `log` is told every statement. */
export function open(path: string, options: { cacheKib?: number; log?: (text: unknown) => void } = {}): Opened {
  let connection: BetterSqlite.Database | undefined
  const driver = function (file: string, given: BetterSqlite.Options) {
    connection = new BetterSqlite(file, options.log === undefined ? given : { ...given, verbose: options.log })
    return connection
  } as unknown as Driver
  const cache = options.cacheKib === undefined ? {} : { cacheKib: options.cacheKib }
  const database = openSqlite(driver, { path, ...cache })
  return { database, connection: connection! }
}

const chunkSize = 2000

type Seeded = Parameters<typeof saveRecords>[3][number]

async function saveAll(
  database: Database,
  id: number,
  kind: 'shipment' | 'return',
  seeded: Iterable<Seeded>,
): Promise<void> {
  let chunk: Seeded[] = []
  let saved = 0
  const save = async (): Promise<void> => {
    const full = chunk
    chunk = []
    await database.write(() => saveRecords(database.dialect, id, kind, full))
    const before = saved
    saved += full.length
    if (Math.floor(saved / 100_000) > Math.floor(before / 100_000)) say(`  ${saved.toLocaleString('en-IN')} ${kind}s`)
  }
  for (const record of seeded) {
    chunk.push(record)
    if (chunk.length >= chunkSize) await save()
  }
  if (chunk.length > 0) await save()
}

async function fill(database: Database, name: string, plan: SeedPlan): Promise<void> {
  const id = await database.write(function* () {
    const made = yield* accountNamed(name, now)
    for (const store of seedStores(plan)) {
      const more = { channel: 'manual_order', status: 'connected', created_at: isoOf(store.created_at) }
      yield* saveStore(made, { ...store, ...more }, now)
    }
    for (const { id: warehouse, pincode } of seedWarehouses(plan)) yield* setWarehouse(made, warehouse, pincode)
    return made
  })
  await saveAll(database, id, 'shipment', seedShipments(plan))
  await saveAll(database, id, 'return', seedReturns(plan))
}

/**
 * Fills the tables of records first and makes their indexes after: thirty places for each of ten million rows would be out of
 * the cache. The ids are looked up meanwhile.
 */
async function indexedLater(connection: BetterSqlite.Database, filling: () => Promise<void>): Promise<void> {
  const later = connection
    .prepare(
      `select type, name, sql from sqlite_master where type = 'trigger' or (type = 'index' and sql is not null
        and tbl_name in ('shipments', 'returns') and name not in ('shipments_id', 'returns_id'))`,
    )
    .all() as readonly { readonly type: string; readonly name: string; readonly sql: string }[]
  for (const { type, name } of later) connection.exec(`drop ${type} ${name}`)
  await filling()
  say('  indexes')
  for (const { sql } of later) connection.exec(sql)
  for (const kind of ['shipment', 'return']) connection.exec(`insert into ${kind}_fts (${kind}_fts) values ('rebuild')`)
}

const million = 1_000_000

/** A database of so many shipments, a tenth as many returns and 1,000 stores, with ten small accounts beside them. */
export async function databaseOf(folder: string, rows: number): Promise<string> {
  if (rows > million && rows % million === 0 && rows <= (mostCopies + 1) * million) {
    const one = await databaseOf(folder, million)
    return madeOnce(folder, `rows-${rows}`, 'sqlite', (path) => multiply(one, path, account, rows / million))
  }
  return madeOnce(folder, `rows-${rows}`, 'sqlite', async (path) => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    const { database, connection } = open(path, { cacheKib: 1_000_000 })
    connection.pragma('synchronous = OFF')
    await indexedLater(connection, () => fill(database, 'default', planOf(rows)))
    for (let i = 1; i <= smallAccounts; i++)
      await fill(database, `account-${i}`, { ...planOf(1000), stores: 10, seed: 42 + i })
    await database.close()
  })
}

/** A small database: 20 stores, 500 shipments, 80 returns. */
export function smallDatabase(folder: string): Promise<string> {
  return madeOnce(folder, 'small', 'sqlite', async (path) => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    const { database } = open(path)
    await fill(database, 'default', { ...planOf(500), returns: 80, stores: 20, days: 90 })
    await database.close()
  })
}

/** The same shipments as JSON Lines. */
export function linesOf(folder: string, rows: number): Promise<string> {
  return madeOnce(folder, `shipments-${rows}`, 'jsonl', (path) => {
    const file = openSync(path, 'w')
    let text = ''
    const flush = (): void => {
      const bytes = Buffer.from(text)
      let written = 0
      while (written < bytes.length) written += writeSync(file, bytes, written)
      text = ''
    }
    for (const record of seedShipments(planOf(rows))) {
      text += `${JSON.stringify(record)}\n`
      if (text.length > 1_000_000) flush()
    }
    flush()
    closeSync(file)
  })
}
