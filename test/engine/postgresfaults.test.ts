// Defends what the PostgreSQL driver does when things go wrong (docs/inside/reliability.md): conflicts, connections
// that are cut at the commit, crashes.
// @module-tag full: a PostgreSQL that dies and comes back
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { describe, expect } from 'vitest'
import { ShipxError } from '../../src/domain/errors.ts'
import type { Fate } from '../support/pgproxy.ts'
import { failure } from '../support/failure.ts'
import {
  onTestFinished,
  test,
  until,
  withSettings,
  bench,
  fresh,
  proxied,
  server,
  add,
  pause,
  read,
  clock,
} from './faultbench.ts'

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
    proxy.doom('last')
    const work = failure(
      database.write(function* () {
        if ((yield sql`select n from counts where n = 3`).length > 0)
          throw new ShipxError('duplicate_order', 'it is there')
        yield sql`insert into counts values (3, 1)`
      }),
    )
    await until(() => proxy.commits().cut === 1)
    await own.kill()
    await own.start()
    await proxy.open()
    expect(await work).toMatchObject({ code: 'unknown_outcome', status: 503 })
  })
})
