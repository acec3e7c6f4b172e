// Defends delivery: every message goes at least once and under one id, once where nothing fails, and to nobody who should
// not be reached; on both databases, by several workers.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { newSecret } from '../../src/delivery/signature.ts'
import { dueAt, nextTry, phoneOf } from '../../src/domain/messages/messages.ts'
import { cancelMessages, countFailed, retryMessages } from '../../src/engine/messages/queue.ts'
import { rows } from '../../src/engine/database/port.ts'
import { addOptout, removeOptout } from '../../src/engine/messages/optouts.ts'
import { messageMaker } from '../../src/engine/messages/outbox.ts'
import { setWebhook } from '../../src/engine/messages/webhooks.ts'
import { track } from '../../src/engine/tracking.ts'
import type { ForwardEvent } from '../../src/domain/parcels/journeys.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { engineOn, openEngine, openPostgresEngine, temporaryPath, testNow, type TestEngine } from '../support/engine.ts'
import { png } from '../support/pictures.ts'
import { answering, startReceiver, type Receiver } from '../support/receiver.ts'
import { happens, messagesIn, movedHost, parcel, secret, shipped, work } from '../support/deliveries.ts'
import { first } from '../support/size.ts'

const minute = 60_000

const statuses = (messages: readonly { readonly status: string }[]): readonly string[] =>
  [...new Set(messages.map(({ status }) => status))].toSorted()

const databases = [
  ['SQLite', openEngine.bind(undefined, ':memory:')],
  ['PostgreSQL', openPostgresEngine],
] as const

describe.each(first(1, databases))('on %s', (_, open) => {
  let moved: ReturnType<typeof movedHost>
  let engine: TestEngine
  let gateway: Receiver
  beforeEach(async () => {
    moved = movedHost()
    engine = await open(moved.host)
    gateway = await startReceiver()
  })
  afterEach(async () => {
    await gateway.close()
    await engine.close()
  })
  const go = (job: object = {}) => work(engine, { over: { gateway: gateway.url }, job })

  test('every message comes once, signed, with everything there is to send', async () => {
    await engine.service.createStore(
      parseInput('createStore', {
        store_name: 'acme',
        brand_name: 'Acme <Kids>',
        logo: { bytes: png(), name: 'logo.png' },
      }),
    )
    await shipped(engine, 50)
    expect(await go()).toEqual({ sent: 50, failed: 0, parked: 0, expired: 0 })
    expect(gateway.posts).toHaveLength(50)
    expect(gateway.repeated()).toEqual([])
    const all = await messagesIn(engine)
    expect(gateway.posts.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted())
    for (const post of gateway.posts) gateway.verify(post, secret)
    expect(() => gateway.verify(gateway.posts[0]!, newSecret())).toThrow('No matching signature')
    expect(
      all.every(
        ({ status, attempts, sent_at, error }) =>
          status === 'sent' && attempts === 1 && sent_at === testNow && error === null,
      ),
    ).toBe(true)
    const { json } = gateway.posts.find(({ json: { data } }) => data['order_id'] === 'ORDER-p7')!
    expect(json).toMatchObject({
      type: 'message.shipped',
      timestamp: new Date(testNow).toISOString(),
      data: {
        step: 'shipped',
        channel: 'text',
        to: { phone: '+919876543210', email: null, name: 'Asha' },
        text: 'Acme <Kids>: ORDER-p7 shipped',
        store_name: 'acme',
        brand_name: 'Acme <Kids>',
        tracking_number: 'AWBp7',
        order_id: 'ORDER-p7',
      },
    })
    expect(await go()).toEqual({ sent: 0, failed: 0, parked: 0, expired: 0 })
    expect(gateway.posts).toHaveLength(50)
  })

  test('a gateway that answers otherwise is a failure that says how', { tags: ['full'] }, async () => {
    await shipped(engine, 1)
    const url = gateway.url
    const huge = 'x'.repeat(5_000_000)
    const said = async (): Promise<string | null> => {
      moved.now += 10 * minute
      await go()
      const [message] = await messagesIn(engine)
      return message!.error ?? message!.status
    }
    for (const [behaviour, error] of [
      [answering(500), 'answered 500'],
      [answering(410), 'answered 410'],
      [answering(302, { location: 'http://169.254.169.254/' }), 'answered 302: redirects are not followed'],
      [(_: unknown, answer: { destroy: () => void }) => answer.destroy(), 'the connection was closed'],
      [answering(404, {}, huge), 'answered 404'],
      [answering(200, { 'content-type': 'application/json' }, `{"\u0000${huge}`), 'sent'],
    ] as const) {
      gateway.behave(behaviour as Parameters<Receiver['behave']>[0])
      expect(await said()).toBe(error)
    }
    expect(gateway.posts).toHaveLength(6)
    expect(gateway.repeated()).toHaveLength(1)
    expect(gateway.posts.every(({ path }) => url.endsWith(path))).toBe(true)
  })

  test('a gateway that is slow is given up after its time, and holds up nobody else', { tags: ['full'] }, async () => {
    await shipped(engine, 20)
    gateway.behave(async (_post, answer, n) => {
      if (n === 1) return
      answer.end()
    })
    const begun = performance.now()
    expect(await go()).toMatchObject({ sent: 19, failed: 1 })
    expect(performance.now() - begun).toBeGreaterThan(9_900)
    expect((await messagesIn(engine)).find(({ status }) => status === 'waiting')).toMatchObject({
      error: 'no answer within 10 s',
      attempts: 1,
    })
  })

  test('failures are tried again after 0.5 s x 2^n, ten times in all, then parked; by hand it goes after all', async () => {
    await shipped(engine, 1)
    gateway.behave(answering(503))
    for (let failures = 1; failures <= 10; failures++) {
      await go()
      const [message] = await messagesIn(engine)
      expect(message).toMatchObject({
        attempts: failures,
        status: failures === 10 ? 'parked' : 'waiting',
        error: 'answered 503',
        claimed_until: null,
      })
      const wait = message!.next_at - moved.now
      if (failures < 10) expect(wait).toBe(500 * 2 ** (failures - 1) * 1.5)
      // Not a moment earlier.
      moved.now += failures < 10 ? wait - 1 : 10 * minute
      await go()
      expect(gateway.posts).toHaveLength(failures)
      moved.now += 1
    }
    gateway.behave(answering(204))
    const [message] = await messagesIn(engine)
    expect(await engine.database.write(() => retryMessages(engine.account, 'failed', moved.now))).toEqual([message!.id])
    expect(await go()).toMatchObject({ sent: 1 })
    expect(new Set(gateway.posts.map(({ id }) => id)).size).toBe(1)
    expect(await engine.database.write(() => retryMessages(engine.account, [message!.id], moved.now))).toEqual([])
  })

  test('Retry-After is never undercut, in seconds and as a date', async () => {
    await shipped(engine, 1)
    gateway.behave(answering(429, { 'retry-after': '120' }))
    await go()
    expect((await messagesIn(engine))[0]!.next_at).toBe(moved.now + 120_000)
    moved.now += 120_000
    const date = new Date(moved.now).toUTCString()
    gateway.behave(answering(429, { 'retry-after': new Date(moved.now + 300_000).toUTCString(), date }))
    await go()
    expect((await messagesIn(engine))[0]!.next_at).toBe(moved.now + 300_000)
    moved.now += 300_000
    gateway.behave(answering(429, { 'retry-after': '99999999' }))
    await go()
    expect((await messagesIn(engine))[0]!.status).toBe('parked')
  })

  test('a later step does not overtake an earlier one, but passes one that is parked', async () => {
    const ids = await shipped(engine, 30)
    await happens(engine, ids, 'out_for_delivery', 'attempt_failed', 'reattempt', 'out_for_delivery', 'delivered')
    gateway.behave(async ({ json: { data } }, answer) => {
      await new Promise((resolve) => setTimeout(resolve, 1 + (Number(String(data['order_id']).slice(7)) % 7)))
      answer.end()
    })
    expect(await go()).toMatchObject({ sent: 120, failed: 0 })
    for (const id of ids)
      expect(
        gateway.posts
          .filter(({ json: { data } }) => data['order_id'] === `ORDER-${id}`)
          .map(({ json: { data } }) => data['step']),
      ).toEqual(['shipped', 'out_for_delivery', 'attempt_failed', 'delivered'])

    await engine.save('shipment', [parcel('late')])
    await happens(engine, ['late'], 'picked_up', 'out_for_delivery')
    gateway.behave(({ json: { data } }, answer) => void answer.writeHead(data['step'] === 'shipped' ? 500 : 200).end())
    const before = gateway.posts.length
    for (let n = 0; n < 12; n++) {
      await go()
      moved.now += 10 * minute
    }
    expect(gateway.posts.slice(before).map(({ json: { data } }) => data['step'])).toEqual([
      ...Array.from({ length: 10 }, () => 'shipped'),
      'out_for_delivery',
    ])
  })

  test('what nobody sent within a day expires, unless somebody wants it', async () => {
    await shipped(engine, 3)
    moved.now += 24 * 60 * minute + 1
    expect(await go()).toEqual({ sent: 0, failed: 0, parked: 0, expired: 3 })
    expect(gateway.posts).toHaveLength(0)
    const all = await messagesIn(engine)
    expect(statuses(all)).toEqual(['expired'])
    await engine.database.write(() =>
      retryMessages(
        engine.account,
        all.slice(1).map(({ id }) => id),
        moved.now,
      ),
    )
    expect(await go()).toMatchObject({ sent: 2 })
  })

  test('quiet hours hold short texts back, but not the courier at the door, and not who insists', async () => {
    moved.now = Date.parse('2025-11-21T20:30:00+05:30')
    const ids = await shipped(engine, 1)
    // Due in the evening, and looked at in the night only.
    moved.now = Date.parse('2025-11-21T21:30:00+05:30')
    expect(await go()).toMatchObject({ sent: 0 })
    moved.now = Date.parse('2025-11-22T08:59:59+05:30')
    expect(await go()).toMatchObject({ sent: 0 })
    moved.now = Date.parse('2025-11-22T09:00:00+05:30')
    expect(await go()).toMatchObject({ sent: 1 })
    moved.now = Date.parse('2025-11-22T22:00:00+05:30')
    await happens(engine, ids, 'out_for_delivery')
    expect(await go()).toMatchObject({ sent: 1 })
    await happens(engine, ids, 'delivered')
    expect(await go()).toMatchObject({ sent: 0 })
    expect((await messagesIn(engine)).at(-1)!.due_at).toBe(Date.parse('2025-11-23T09:00:00+05:30'))
    expect(await go({ quiet: false })).toMatchObject({ sent: 1 })
  })

  test('who has opted out is told nothing, in whatever form the number is, also of what waited', async () => {
    const ids = await shipped(engine, 2)
    const { database, account } = engine
    expect(await database.write(() => addOptout(account, phoneOf('098765-43210'), moved.now))).toBe(2)
    await happens(engine, ids, 'out_for_delivery')
    expect(statuses(await messagesIn(engine))).toEqual(['opted_out'])
    expect(await go()).toMatchObject({ sent: 0 })
    expect(await database.write(() => removeOptout(account, phoneOf('+91 98765 43210')))).toBe(true)
    await happens(engine, ids, 'delivered')
    expect(await go()).toMatchObject({ sent: 2 })
  })

  test('messages retry sent what had failed to a customer who has opted out since', async () => {
    const ids = await shipped(engine, 1)
    moved.now += minute
    await engine.save('shipment', [
      parcel('other', { shipping_address: { name: 'Ravi', phone: '91234 56789', city: 'Pune', zip: '411001' } }),
    ])
    await happens(engine, ['other'], 'picked_up')
    moved.now += 25 * 60 * minute
    expect(await go()).toMatchObject({ expired: 2 })
    const { database, account } = engine
    await database.write(() => addOptout(account, phoneOf('9876543210'), moved.now))
    const [message, other] = await messagesIn(engine)
    expect(message!.record_id).toBe(ids[0])
    expect(await database.read(() => countFailed(account), 'single')).toBe(1)
    expect(await database.write(() => retryMessages(account, [message!.id], moved.now))).toEqual([])
    expect(await database.write(() => retryMessages(account, 'failed', moved.now))).toEqual([other!.id])
    expect(await go({ quiet: false })).toMatchObject({ sent: 1 })
    expect((await messagesIn(engine)).map(({ status }) => status)).toEqual(['expired', 'sent'])
  })

  test('a message that was made while its customer opted out was sent', async () => {
    await shipped(engine, 3)
    const [message] = await messagesIn(engine)
    const { database, account } = engine
    await database.write(() => addOptout(account, phoneOf('9876543210'), moved.now))
    moved.now += minute
    // As a transaction leaves it that did not see the other one.
    await database.write(() => rows(sql`update messages set status = ${'waiting'} where account_id = ${account}`))
    await engine.save('shipment', [
      parcel('last', { shipping_address: { name: 'Ravi', phone: '91234 56789', city: 'Pune', zip: '411001' } }),
    ])
    await happens(engine, ['last'], 'picked_up')
    expect(await go({ concurrency: 1 })).toMatchObject({ sent: 1 })
    expect((await messagesIn(engine)).map(({ status }) => status)).toEqual([
      'opted_out',
      'opted_out',
      'opted_out',
      'sent',
    ])
    expect(gateway.posts.map(({ id }) => id)).not.toContain(message!.id)
  })

  test('a late scan told a new webhook what had happened before it was set', async () => {
    const hour = 60 * minute
    const { database, account, host } = engine
    await engine.save('shipment', [parcel('p')])
    const scanned = (event: ForwardEvent, at: number) => {
      const more = { id: event, reason: null, location: null, description: null }
      return database.write(() =>
        track(database.dialect, account, host, [{ tracking: 'AWBp', event, at, ...more }], messageMaker(account, host)),
      )
    }
    const hook = (url: string) =>
      database.write(() => setWebhook(account, { url, secret: newSecret(), api_key: null }, host))
    const { webhook: first } = await hook('https://first.example')
    moved.now += 10 * hour
    await scanned('picked_up', moved.now - 9 * hour)
    // It counts once there is a failed attempt before it.
    await scanned('reattempt', moved.now)
    await scanned('out_for_delivery', moved.now + 1)
    moved.now += hour
    const { webhook: second } = await hook('https://second.example')
    await scanned('in_transit', moved.now - 5 * hour)
    const told = async (target: string): Promise<readonly string[]> =>
      (await messagesIn(engine, { channels: ['webhook'] }))
        .filter((one) => one.target === target)
        .map(({ step }) => step.split(':')[1]!)
        .toSorted()
    expect(await told(first.id)).toEqual(['in_transit', 'out_for_delivery', 'picked_up'])
    expect(await told(second.id)).toEqual(['in_transit'])
    await scanned('attempt_failed', moved.now - 2 * hour)
    expect(await told(second.id)).toEqual(['attempt_failed', 'in_transit', 'reattempt'])
  })

  test('cancelled ones are not sent, a limit is kept, and another account is left alone', async () => {
    await shipped(engine, 10)
    const all = await messagesIn(engine)
    await engine.database.write(() => cancelMessages(engine.account, [all[0]!.id, all[1]!.id, 'nobody']))
    const other = await engine.as('other')
    await shipped(other, 5)
    expect(await go({ limit: 3 })).toMatchObject({ sent: 3 })
    expect(await go()).toMatchObject({ sent: 5 })
    expect(statuses(await messagesIn(other))).toEqual(['waiting'])
  })

  test('a worker that is stopped finishes what is under way and gives the rest back', async () => {
    await shipped(engine, 100)
    const stopping = new AbortController()
    gateway.behave((_post, answer, n) => {
      if (n === 20) stopping.abort()
      setTimeout(() => answer.end(), 50)
    })
    const { sent } = await go({ stop: stopping.signal })
    expect(sent).toBe(gateway.posts.length)
    expect(sent).toBeLessThan(50)
    const left = await messagesIn(engine, { statuses: ['waiting'] })
    expect(left).toHaveLength(100 - sent)
    expect(left.every(({ claimed_until, attempts }) => claimed_until === null && attempts === 0)).toBe(true)
    expect(await go()).toMatchObject({ sent: 100 - sent })
    expect(gateway.repeated()).toEqual([])
  })

  test('a claim of somebody who is gone holds for a minute', async () => {
    await shipped(engine, 20)
    // A worker whose process dies: its answers never come back.
    const never = { ways: async () => ({ channels: ['text'], send: () => new Promise(() => undefined) }) }
    void go(never).catch(() => undefined)
    await expect
      .poll(async () => (await messagesIn(engine)).filter(({ claimed_until }) => claimed_until !== null).length)
      .toBe(20)
    expect(await go()).toMatchObject({ sent: 0 })
    moved.now += minute
    expect(await go()).toMatchObject({ sent: 20 })
  })
})

test('several workers on one file, and on one server, send each message once', { tags: ['full'] }, async () => {
  for (const kind of ['file', 'server'] as const) {
    const path = temporaryPath()
    const moved = movedHost()
    const first = kind === 'file' ? await openEngine(path, moved.host) : await openPostgresEngine(moved.host)
    const others = await Promise.all(
      [1, 2, 3].map(async () =>
        kind === 'file' ? openEngine(path, moved.host) : engineOn(first.database, moved.host),
      ),
    )
    const gateway = await startReceiver((_, answer) => void setTimeout(() => answer.end(), 5))
    await shipped(first, 300)
    const done = await Promise.all([first, ...others].map((engine) => work(engine, { over: { gateway: gateway.url } })))
    expect(done.reduce((sum, { sent }) => sum + sent, 0)).toBe(300)
    expect(done.every(({ failed, parked }) => failed + parked === 0)).toBe(true)
    expect(gateway.repeated()).toEqual([])
    expect(gateway.posts).toHaveLength(300)
    await gateway.close()
    if (kind === 'file') for (const engine of others) await engine.close()
    await first.close()
  }
})

describe('the rules of times', () => {
  test('a retry never falls into quiet hours, nor beyond a day', () => {
    const due = Date.parse('2025-11-21T20:59:59+05:30')
    const message = { channel: 'text', step: 'delivered', due_at: due } as const
    expect(nextTry(message, 1, due, 60_000, () => 0)).toBe(Date.parse('2025-11-22T09:00:00+05:30'))
    expect(nextTry({ ...message, step: 'out_for_delivery' }, 1, due, 60_000, () => 0)).toBe(due + 60_000)
    expect(nextTry(message, 10, due, undefined, () => 0)).toBeUndefined()
    expect(nextTry({ ...message, channel: 'email' }, 1, due + 24 * 60 * minute, undefined, () => 0)).toBeUndefined()
    expect(nextTry({ ...message, channel: 'webhook' }, 1, due + 240 * 60 * minute, undefined, () => 0)).toBe(
      due + 240 * 60 * minute + 500,
    )
    expect(dueAt(due + 1000, 'email', 'shipped')).toBe(due + 1000)
  })

  test('a phone has one form', () => {
    for (const text of ['9876543210', '+91 98765 43210', '09876543210', '(91) 98765-43210', '00919876543210'])
      expect(phoneOf(text)).toBe('+919876543210')
    expect(phoneOf('+1 (415) 555-0100')).toBe('+14155550100')
    expect(phoneOf('nobody')).toBe('nobody')
  })
})
