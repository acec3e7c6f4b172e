// The bench of PostgreSQL's faults: tests that run at the same time, their databases, servers, proxies and work.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { expect, test as vitest } from 'vitest'
import type { Database, Work } from '../../src/engine/database/port.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import type { PostgresOpening } from '../../src/engine/database/pool.ts'
import { startPgProxy, type PgProxy } from '../support/pgproxy.ts'
import { startPostgres } from '../support/postgresserver.ts'
import { testDatabase } from '../support/testdatabase.ts'
import type { PostgresServer } from '../support/postgres.ts'

// These tests wait more than they work, and so run at the same time; Vitest cannot tell then whose things are whose.
const endings = new AsyncLocalStorage<(() => unknown)[]>()

/** Vitest's function of that name, for the test that runs here. */
export const onTestFinished = (end: () => unknown): void => void endings.getStore()!.push(end)

/** A test beside the others. */
export const test = (name: string, work: () => Promise<void>): void =>
  vitest.concurrent(
    name,
    () =>
      endings.run([], async () => {
        try {
          await work()
        } finally {
          for (const end of endings.getStore()!.toReversed()) await end()
        }
      }),
    90_000,
  )

/** Waits until something holds; fails after 10 s. */
export const until = async (done: () => boolean): Promise<void> => {
  for (let n = 0; n < 1000 && !done(); n++) await wait(10)
  expect(done()).toBe(true)
}

/** A database with one small table of its own beside ours: `counts (n, times)`, rows 1 and 2 with 0. */
interface Bench {
  readonly database: Database
  readonly url: string
  /** Asks the server past the driver and past any proxy. */
  readonly direct: (text: string) => Promise<Record<string, unknown>[]>
  readonly times: (n: number) => Promise<number>
}

/** Opens a database for a test. */
export const open = async (url: string, more: Partial<PostgresOpening> = {}): Promise<Database> => {
  const database = await openPostgres(pg, {
    url,
    chance: Math.random,
    ticks: Date.now,
    sleep: (ms) => wait(ms),
    ...more,
  })
  onTestFinished(() => database.close().catch(() => undefined))
  return database
}

/** Settings of PostgreSQL in an address, for limits that are too long for a test. */
export const withSettings = (url: string, settings: Readonly<Record<string, string>>): string => {
  const address = new URL(url)
  for (const [name, value] of Object.entries(settings)) address.searchParams.set(name, value)
  return address.href
}

/** Opens a database with that table. */
export async function bench(
  url: string,
  { through = (to) => to, ...more }: Partial<PostgresOpening> & { through?: (url: string) => string } = {},
): Promise<Bench> {
  const direct = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }
  const database = await open(through(url), more)
  await direct('create table counts (n int primary key, times int not null)')
  await direct('insert into counts values (1, 0), (2, 0)')
  const times = async (n: number): Promise<number> =>
    (await direct(`select times from counts where n = ${n}`))[0]!['times'] as number
  return { database, url, direct, times }
}

/** The address of a database on the server of the run. */
export const fresh = async (): Promise<string> => {
  const { url, drop } = await testDatabase()
  onTestFinished(drop)
  return url
}

/** A proxy before the server of an address. */
export const proxied = async (url: string): Promise<PgProxy> => {
  const proxy = await startPgProxy(url)
  onTestFinished(() => proxy.close())
  return proxy
}

/** A server of a test's own. */
export const server = async (flags: readonly string[] = []): Promise<PostgresServer> => {
  const started = await startPostgres({ durable: true, flags })
  onTestFinished(() => started.close())
  return started
}

/** Counts once more in a row. */
export function* add(n: number): Work<void> {
  yield sql`update counts set times = times + 1 where n = ${n}`
}

/** Waits at the server. */
export function* pause(seconds: number): Work<void> {
  yield sql`select pg_sleep(${seconds})`
}

/** The count of a row. */
export function* read(n: number): Work<number> {
  return (yield sql`select times from counts where n = ${n}`)[0]!['times'] as number
}

/** A clock that starts now, ms. */
export const clock = (): (() => number) => {
  const began = performance.now()
  return () => performance.now() - began
}
