// Defends what the PostgreSQL driver does when things go wrong (docs/reliability.md): conflicts, connections that are cut
// at the commit, full pools, slow statements, a server that is away, crashes, a standby that is behind or gone.
// @module-tag full: a PostgreSQL that dies, hangs and comes back
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import sql, { raw } from 'sql-template-tag'
import { describe, expect, test as vitest } from 'vitest'
import { ShipxError } from '../../src/domain/errors.ts'
import type { Database, Work } from '../../src/engine/database/port.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import type { PostgresOpening } from '../../src/engine/database/pool.ts'
import { engineOn } from '../support/engine.ts'
import { startPgProxy, type Fate, type PgProxy } from '../support/pgproxy.ts'
import { startPostgres } from '../support/postgresserver.ts'
import { failure } from '../support/failure.ts'
import { testDatabase } from '../support/testdatabase.ts'
import type { PostgresServer } from '../support/postgres.ts'
import { json, send, startService } from '../support/service.ts'

// These tests wait more than they work, and so run at the same time; Vitest cannot tell then whose things are whose.
const endings = new AsyncLocalStorage<(() => unknown)[]>()
const onTestFinished = (end: () => unknown): void => void endings.getStore()!.push(end)

const test = (name: string, work: () => Promise<void>): void =>
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

const until = async (done: () => boolean): Promise<void> => {
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

const open = async (url: string, more: Partial<PostgresOpening> = {}): Promise<Database> => {
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
const withSettings = (url: string, settings: Readonly<Record<string, string>>): string => {
  const address = new URL(url)
  for (const [name, value] of Object.entries(settings)) address.searchParams.set(name, value)
  return address.href
}

async function bench(
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

const fresh = async (): Promise<string> => {
  const { url, drop } = await testDatabase()
  onTestFinished(drop)
  return url
}

const proxied = async (url: string): Promise<PgProxy> => {
  const proxy = await startPgProxy(url)
  onTestFinished(() => proxy.close())
  return proxy
}

const server = async (flags: readonly string[] = []): Promise<PostgresServer> => {
  const started = await startPostgres({ durable: true, flags })
  onTestFinished(() => started.close())
  return started
}

function* add(n: number): Work<void> {
  yield sql`update counts set times = times + 1 where n = ${n}`
}
function* pause(seconds: number): Work<void> {
  yield sql`select pg_sleep(${seconds})`
}
function* read(n: number): Work<number> {
  return (yield sql`select times from counts where n = ${n}`)[0]!['times'] as number
}

const clock = (): (() => number) => {
  const began = performance.now()
  return () => performance.now() - began
}

describe('conflicts', () => {
  test('two transactions that wait for each other are both done, once each', async () => {
    const { database, times } = await bench(await fresh())
    let tries = 0
    const both = (first: number, second: number): Promise<void> =>
      database.write(function* () {
        tries++
        yield* add(first)
        yield* pause(0.3)
        yield* add(second)
      })
    await Promise.all([both(1, 2), both(2, 1)])
    expect([await times(1), await times(2)]).toEqual([2, 2])
    expect(tries).toBe(3)
  })

  test('what was read and has changed since is read again', async () => {
    const { database, times } = await bench(await fresh())
    let tries = 0
    const more = (): Promise<void> =>
      database.write(function* () {
        tries++
        const seen = yield* read(1)
        yield* pause(0.2)
        yield sql`update counts set times = ${seen + 1} where n = 1`
      })
    await Promise.all([more(), more()])
    expect(await times(1)).toBe(2)
    expect(tries).toBe(3)
  })

  test('a lock that is held is waited for, over more than one try, and told as busy in the end', async () => {
    const url = await fresh()
    const { database, times } = await bench(withSettings(url, { lock_timeout: '200' }))
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    onTestFinished(() => holder.end())
    const held = async <T>(during: () => Promise<T>, ms: number): Promise<T> => {
      await holder.query('begin')
      await holder.query('select * from counts where n = 1 for update')
      const [found] = await Promise.all([during(), wait(ms).then(() => holder.query('rollback'))])
      return found
    }
    let tries = 0
    const one = (): Promise<void> =>
      database.write(function* () {
        tries++
        yield* add(1)
      })
    await held(one, 500)
    expect(await times(1)).toBe(1)
    expect(tries).toBeGreaterThan(1)
    tries = 0
    const error = await held(() => failure(one()), 4000)
    expect(error).toMatchObject({ code: 'unavailable', status: 503, retry_after_ms: 1000 })
    expect(tries).toBe(5)
    expect(await times(1)).toBe(1)
  })
})

describe('a connection that is cut', () => {
  const cut = async (fate: Fate) => {
    const url = await fresh()
    const proxy = await proxied(url)
    const found = await bench(withSettings(url, { idle_in_transaction_session_timeout: '1000' }), {
      through: proxy.through,
    })
    let tries = 0
    proxy.doom(fate)
    const value = await found.database.write(function* () {
      tries++
      yield* add(1)
      return `value ${tries}`
    })
    expect(proxy.commits().cut).toBe(1)
    expect(await found.times(1)).toBe(1)
    return { value, tries }
  }
  test('after the commit was passed on: done once, and its own value comes back', async () => {
    expect(await cut('unanswered')).toEqual({ value: 'value 1', tries: 1 })
  })
  test('before the commit was passed on: undone, and done once', async () => {
    expect(await cut('unsent')).toEqual({ value: 'value 2', tries: 2 })
  })
  test('before the commit, and the server does not notice: waited out, and done once', async () => {
    expect(await cut('withheld')).toEqual({ value: 'value 2', tries: 2 })
  })
  test('at five commits in a row', async () => {
    const url = await fresh()
    const proxy = await proxied(url)
    const { database, times } = await bench(url, { through: proxy.through })
    proxy.doom('unsent', 'unsent', 'unsent', 'unsent', 'unsent')
    const error = await failure(database.write(() => add(1)))
    expect(error).toMatchObject({ code: 'unavailable', retry_after_ms: 1000 })
    expect(await times(1)).toBe(0)
    await database.write(() => add(1))
    expect(await times(1)).toBe(1)
  })
  test('in the middle of the work, by the server', async () => {
    const { database, direct, times } = await bench(await fresh())
    let tries = 0
    const work = database.write(function* () {
      tries++
      yield* add(1)
      yield* pause(tries === 1 ? 20 : 0)
      yield* add(2)
      return tries
    })
    await wait(300)
    await direct(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`,
    )
    expect(await work).toBe(2)
    expect([await times(1), await times(2)]).toEqual([1, 1])
  })
  test('silently, as by a machine without power: given up after 20 s, and done once', async () => {
    const url = await fresh()
    const proxy = await proxied(url)
    const { database, times } = await bench(url, { through: proxy.through })
    await Promise.all([1, 2].map(() => database.write(() => add(2))))
    proxy.freeze(true)
    const passed = clock()
    const work = Promise.all([database.write(() => add(1)), database.read(() => read(2))])
    await wait(1000)
    proxy.freeze(false, 'new')
    expect(await work).toEqual([undefined, 2])
    expect(passed()).toBeLessThan(25_000)
    expect(await times(1)).toBe(1)
  })
  test('while nobody uses it: nobody notices', async () => {
    const { database, direct } = await bench(await fresh())
    await Promise.all(Array.from({ length: 20 }, () => database.read(() => pause(0.1))))
    await direct(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    const all = await Promise.all(Array.from({ length: 40 }, () => database.read(() => read(1))))
    expect(all).toEqual(all.map(() => 0))
  })
})

describe('a crash between a commit and its answer', () => {
  test('another transaction that was given the number of the lost one is not taken for it', async () => {
    // What is in the log is written when somebody commits, and not before.
    const own = await server(['-c', 'wal_writer_delay=10s'])
    const url = await own.createDatabase('shop')
    const proxy = await proxied(url)
    const { database, direct, times } = await bench(url, { through: proxy.through })
    let [tries, lost] = [0, 0]
    proxy.doom('withheld')
    const work = database.write(function* () {
      tries++
      yield* add(1)
      lost ||= Number((yield sql`select pg_current_xact_id()::text::bigint as n`)[0]!['n'])
      return tries
    })
    await until(() => proxy.commits().cut === 1)
    await Promise.all([proxy.shut(), own.kill()])
    await own.start()
    let given = 0
    for (let n = 0; n < 50 && given < lost; n++)
      given = Number(
        (await direct(`update counts set times = times + 1 where n = 2 returning pg_current_xact_id()::text as n`))[0]![
          'n'
        ],
      )
    expect(given).toBe(lost)
    await proxy.open()
    expect(await work).toBe(2)
    expect(await times(1)).toBe(1)
  })
  test('an order whose commit was lost in a crash is there once', async () => {
    const own = await server()
    const url = await own.createDatabase('shop')
    const proxy = await proxied(url)
    const { database, times } = await bench(url, { through: proxy.through })
    proxy.doom('unanswered')
    const key = 'only once'
    // As the engine does it: what was done is looked for first.
    const work = database.write(function* () {
      const known = yield sql`select ${key}::text as key from counts where n = 3`
      if (known.length > 0) return 'again'
      yield sql`insert into counts values (3, 1)`
      return 'first'
    })
    await until(() => proxy.commits().cut === 1)
    await own.kill()
    await own.start()
    expect(['first', 'again']).toContain(await work)
    expect(await times(3)).toBe(1)
  })
  test('work that is refused when it is run again after such a loss is told as unknown', async () => {
    const own = await server()
    const url = await own.createDatabase('shop')
    const proxy = await proxied(url)
    const { database } = await bench(url, { through: proxy.through })
    proxy.doom('unanswered')
    const work = failure(
      database.write(function* () {
        if ((yield sql`select n from counts where n = 3`).length > 0)
          throw new ShipxError('duplicate_order', 'it is there')
        yield sql`insert into counts values (3, 1)`
      }),
    )
    await until(() => proxy.commits().cut === 1)
    await Promise.all([proxy.shut(), own.kill()])
    await own.start()
    await proxy.open()
    expect(await work).toMatchObject({ code: 'unknown_outcome', status: 503 })
  })
})

describe('limits', () => {
  test('more work than connections waits for one', async () => {
    const { database } = await bench(await fresh(), { connections: 2 })
    const all = await Promise.all(
      Array.from({ length: 30 }, () =>
        database.read(function* () {
          yield* pause(0.02)
          return yield* read(1)
        }),
      ),
    )
    expect(all).toHaveLength(30)
  })
  test('who has waited 10 s for a connection is told to come again', async () => {
    const url = await fresh()
    const database = await open(url, { connections: 1 })
    const service = await startService({ open: (host) => engineOn(database, host) })
    onTestFinished(() => service.close().catch(() => undefined))
    const long = database.read(() => pause(12), 'single')
    const passed = clock()
    const { status, headers, text } = await send(`${service.api}/client-stores`, { key: service.key })
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
    expect(text).not.toMatch(/connection|pool|timeout/i)
    expect(passed()).toBeGreaterThan(9000)
    expect(passed()).toBeLessThan(12_000)
    await long
    expect((await send(`${service.api}/client-stores`, { key: service.key })).status).toBe(200)
  })
  test('a statement that takes too long is ended', async () => {
    const { database, direct } = await bench(withSettings(await fresh(), { statement_timeout: '300' }))
    const passed = clock()
    const asked = [
      database.read(() => pause(5)),
      database.read(() => pause(5), 'single'),
      database.write(() => pause(5)),
    ]
    for (const error of await Promise.all(asked.map(failure)))
      expect(error).toMatchObject({ code: 'unavailable', status: 503, retry_after_ms: 1000 })
    expect(passed()).toBeLessThan(3000)
    // The connections are as good as new.
    await Promise.all(Array.from({ length: 20 }, () => database.write(() => add(1))))
    expect(await direct('select times from counts where n = 1')).toEqual([{ times: 20 }])
  })
  test('every connection has the limits that are documented', async () => {
    const { database } = await bench(await fresh())
    const settings = await database.read(function* () {
      return (yield sql`select ${raw("current_setting('statement_timeout') as s, current_setting('lock_timeout') as l, current_setting('idle_in_transaction_session_timeout') as i, current_setting('transaction_read_only') as r")}`)[0]
    })
    expect(settings).toEqual({ s: '15s', l: '5s', i: '10s', r: 'on' })
  })
})

describe('a database that is away', () => {
  test('is waited for by all who ask, and found again soon after it is back', async () => {
    const url = await fresh()
    const proxy = await proxied(url)
    const { database } = await bench(url, { through: proxy.through })
    for (const away of [300, 2500, 6000]) {
      await proxy.shut()
      const before = proxy.connections()
      const passed = clock()
      const all = Promise.all(Array.from({ length: 60 }, () => database.read(() => read(1))))
      await wait(away)
      await proxy.open()
      expect(await all).toEqual(Array.from({ length: 60 }, () => 0))
      expect(passed() - away).toBeLessThan(5000)
      expect(proxy.connections() - before).toBeLessThanOrEqual(20)
    }
  })
  test('for longer than anybody waits: told as busy, and found again within 5 s', async () => {
    const url = await fresh()
    const proxy = await proxied(url)
    const { database } = await bench(url, { through: proxy.through })
    await proxy.shut()
    const passed = clock()
    expect(await failure(database.read(() => read(1)))).toMatchObject({ code: 'unavailable', retry_after_ms: 1000 })
    expect(passed()).toBeGreaterThan(9000)
    expect(passed()).toBeLessThan(11_500)
    const end = passed() + 3_000
    // Others go on asking meanwhile.
    const asking = Promise.allSettled(
      Array.from({ length: 10 }, async (_, n) => {
        await wait(n * 400)
        return database.read(() => read(1))
      }),
    )
    await wait(end - passed())
    await proxy.open()
    const back = clock()
    await database.read(() => read(1))
    expect(back()).toBeLessThan(5000)
    await asking
  })
  test('that hangs: every answer comes before a client gives up, keys and /ready within 10 s', async () => {
    const url = await fresh()
    const proxy = await proxied(url)
    const database = await open(proxy.through(url))
    const service = await startService({ open: (host) => engineOn(database, host) })
    onTestFinished(() => service.close().catch(() => undefined))
    const { key } = service
    const ask = (path: string, body?: object) => send(path, { ...(body === undefined ? {} : json(body)), key })
    const list = () => ask(`${service.api}/shipments`, {})
    expect((await list()).status).toBe(200)
    proxy.freeze(true)
    const passed = clock()
    const timed = async (answer: Promise<{ readonly status: number }>) =>
      [(await answer).status, Math.round(passed() / 1000)] as const
    const answers = await Promise.all([
      timed(ask(`${service.url}/ready`)),
      timed(list()),
      timed(ask(`${service.api}/client-stores`, { store_name: 'hung' })),
      ...Array.from({ length: 30 }, () => timed(list())),
    ])
    for (const [status, seconds] of answers) {
      expect(status).toBe(503)
      expect(seconds).toBeLessThanOrEqual(14)
    }
    proxy.freeze(false)
    for (let n = 0; n < 100 && (await list()).status !== 200; n++) await wait(100)
    expect((await list()).status).toBe(200)
  })
  test('/ready tells', async () => {
    const url = await fresh()
    const proxy = await proxied(url)
    const database = await open(proxy.through(url))
    const service = await startService({ open: (host) => engineOn(database, host) })
    onTestFinished(() => service.close().catch(() => undefined))
    const ready = async (): Promise<number> => (await send(`${service.url}/ready`)).status
    expect(await ready()).toBe(200)
    await proxy.shut()
    const passed = clock()
    const { status, headers } = await send(`${service.url}/ready`)
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(passed()).toBeLessThan(11_500)
    expect((await send(`${service.url}/live`)).status).toBe(200)
    await proxy.open()
    const back = clock()
    expect(await ready()).toBe(200)
    expect(back()).toBeLessThan(5000)
  })
})
