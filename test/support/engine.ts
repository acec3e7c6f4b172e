// The embedded engine as tests open it: a real SQLite database, a clock that stands still, and identifiers that count.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driver } from './sqlite.ts'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import type { Database, RecordKind } from '../../src/engine/database/port.ts'
import type { Host } from '../../src/engine/runtime.ts'
import { saveRecords } from '../../src/engine/records/records.ts'
import type { Outcome } from '../../src/engine/records/entry.ts'
import { embeddedService, type EmbeddedService } from '../../src/engine/service.ts'
import { accountNamed } from '../../src/engine/accounts/settings.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { testHost } from './host.ts'
import { testDatabase, type TestDatabaseOptions } from './testdatabase.ts'

export { testHost, testNow } from './host.ts'

/** An engine for one account of a database. */
export interface TestEngine {
  readonly database: Database
  /** The number of the account. */
  readonly account: number
  readonly service: EmbeddedService
  readonly host: Host
  /** Saves records of one kind for the account, a transaction for each thousand. */
  readonly save: (kind: RecordKind, records: Iterable<Shipment | Return>) => Promise<readonly Outcome[]>
  /** The same database for another account, made when it is not there. */
  readonly as: (account: string) => Promise<TestEngine>
  readonly close: () => Promise<void>
}

/** A path in a new folder that is gone after the running test. */
export function temporaryPath(name = 'shipx.db'): string {
  const folder = mkdtempSync(join(tmpdir(), 'shipx-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, name)
}

/** Opens (and makes) an engine for the account `default` in a file, or in memory. */
export async function openEngine(path = ':memory:', host: Host = testHost()): Promise<TestEngine> {
  return engineOn(openSqlite(driver, { path }), host)
}

/** An engine on a database that is open already, as one that watches what is asked of it. */
export async function engineOn(database: Database, host: Host = testHost(), name = 'default'): Promise<TestEngine> {
  const account = await database.write(() => accountNamed(name, host.now()))
  return {
    database,
    account,
    service: embeddedService(database, account, host),
    host,
    save: async (kind, records) => {
      const all = [...records]
      const outcomes: Outcome[] = []
      for (let at = 0; at < all.length; at += 1000) {
        const chunk = all.slice(at, at + 1000)
        outcomes.push(...(await database.write(() => saveRecords(database.dialect, account, kind, chunk))))
      }
      return outcomes
    },
    as: (other) => engineOn(database, host, other),
    close: () => database.close(),
  }
}

/** Opens an engine for the account `default` on a fresh PostgreSQL database of the run; closing it removes the database. */
export async function openPostgresEngine(
  host: Host = testHost(),
  options: TestDatabaseOptions = {},
): Promise<TestEngine & { readonly url: string }> {
  const { url, drop } = await testDatabase(options)
  const database = await openPostgres(pg, {
    url,
    chance: Math.random,
    ticks: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
  const close = async (): Promise<void> => {
    await database.close()
    await drop()
  }
  return { ...(await engineOn({ ...database, close }, host)), url }
}
