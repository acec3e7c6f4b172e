// Defends what the PostgreSQL driver does where it has to wait (docs/inside/reliability.md): full pools, slow
// statements, a server that is away or hangs.
// @module-tag full: a PostgreSQL that hangs and comes back
import { setTimeout as wait } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import { describe, expect } from 'vitest'
import { engineOn } from '../support/engine.ts'
import { failure } from '../support/failure.ts'
import { json, send, startService } from '../support/service.ts'
import {
  onTestFinished,
  test,
  open,
  withSettings,
  bench,
  fresh,
  proxied,
  add,
  pause,
  read,
  clock,
} from './faultbench.ts'

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
    // The connections are as good as new. Writers of one row would try again, and with such a limit not always often
    // enough: those at one time have a row each.
    for (let round = 0; round < 10; round++)
      await Promise.all([database.write(() => add(1)), database.write(() => add(2)), database.read(() => pause(0))])
    expect(await direct('select n, times from counts order by n')).toEqual([
      { n: 1, times: 10 },
      { n: 2, times: 10 },
    ])
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
