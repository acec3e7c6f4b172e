// Defends what the remote client sends again, after which wait, and that it makes an order or a store at most once.
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { waitFor } from '../../src/client/retry.ts'
import { readRetryAfter } from '../../src/domain/retryafter.ts'
import {
  now,
  closers,
  serve,
  json,
  capable,
  client,
  failure,
  order,
  store,
  orderMade,
  newStore,
  standIn,
  clientOf,
  type Reply,
} from './loopback.ts'

describe('what is repeated', () => {
  test.each([408, 429, 500, 502, 503, 504])('a read after %i, four tries in all', async (status) => {
    const { url, seen } = await serve((_, response) => json(response, { message: 'busy' }, status))
    const { service, slept } = client(url, { random: () => 0.999 })
    const error = await failure(service.listReturns({}))
    expect([error.status, error.message, seen.length]).toEqual([status, 'busy', 4])
    expect(slept.map(Math.round)).toEqual([500, 999, 1998])
  })

  test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 501])('nothing after %i', async (status) => {
    const { url, seen } = await serve((_, response) => json(response, { message: 'no' }, status))
    await failure(client(url).service.listShipments({}))
    expect(seen).toHaveLength(1)
  })

  test('a store update is repeated like a read', async () => {
    const { url, seen } = await serve((_, response, n) =>
      n === 1 ? response.destroy() : n === 2 ? json(response, {}, 503) : json(response, { data: store('a') }),
    )
    expect((await client(url).service.updateStore({ id: 'x', store_name: 'a' })).data.store_name).toBe('a')
    expect(seen.map(({ text }) => text)).toEqual(Array.from({ length: 3 }, () => '{"store_name":"a"}'))
  })

  const date = (ms: number): string => new Date(now + ms).toUTCString()

  test.each([
    ['2', 2000],
    ['0', 0],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['99999999999999999999', Number.MAX_SAFE_INTEGER],
    [date(4000), 4000],
    [date(-60_000), 0],
    ['Friday, 02-Oct-26 06:00:04 GMT', 4000],
    ['Fri Oct  2 06:00:04 2026', 4000],
    ['-5', undefined],
    ['soon', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['', undefined],
    ['Fri, 99 Oct 2026 06:00:04 GMT', undefined],
  ])('Retry-After %j asks for %j ms', (text, asked) => {
    expect(readRetryAfter(text, undefined, now)).toBe(asked)
    // The service's own clock is what its dates mean.
    if (/GMT|:/.test(text) && asked !== undefined)
      expect(readRetryAfter(text, date(-1000), now + 3_600_000)).toBe(text.includes('05:59') ? 0 : asked + 1000)
    for (const chance of [0, 0.5, 0.999])
      expect(waitFor(1, asked, () => chance)).toBeGreaterThanOrEqual(asked ?? chance * 500)
  })

  test('two walks of one account ended each other: a walk waits out refusals, and one page is tried four times', async () => {
    const page = { data: [{ id: 'a' }], meta: { current_page: 1, per_page: 100, total: 1, next_search_after: [] } }
    const { url, seen } = await serve(({ method }, response, n) => {
      if (method === 'GET') return json(response, { data: [] })
      return n <= 12 ? json(response, {}, 429, { 'retry-after': '1' }) : json(response, page)
    })
    const { service, slept } = client(url)
    const records: string[] = []
    for await (const batch of (await service.walkShipments({})).batches) records.push(...batch.records)
    expect([records.length, slept.length]).toEqual([1, 11])
    for (const ms of slept) expect(ms).toBeGreaterThanOrEqual(1000)
    const again = await serve((_, response) => json(response, {}, 429, { 'retry-after': '1' }))
    expect((await failure(client(again.url).service.listShipments({}))).code).toBe('rate_limited')
    expect([seen.length, again.seen.length]).toEqual([13, 4])
  })

  test('Retry-After is never undercut, and one beyond the patience ends it at once', async () => {
    let asked = '3'
    const { url, seen } = await serve((_, response) => json(response, {}, 429, { 'retry-after': asked }))
    const first = client(url, { random: () => 0 })
    const error = await failure(first.service.listStores({}))
    expect([error.code, error.retry_after_ms, seen.length]).toEqual(['rate_limited', 3000, 4])
    expect(first.slept.every((ms) => ms >= 3000)).toBe(true)
    for (const [text, patience_ms, tries] of [
      ['121', undefined, 1],
      ['121', 600_000, 4],
      ['601', 600_000, 1],
      ['50', undefined, 3],
    ] as const) {
      asked = text
      seen.splice(0)
      const { service } = client(url, patience_ms === undefined ? {} : { patience_ms })
      const given = await failure(service.listStores({}))
      expect([given.code, given.retry_after_ms, seen.length]).toEqual(['rate_limited', Number(text) * 1000, tries])
      expect(given.hint).toBe(`try again in ${text} s`)
    }
  })

  test('what one call was asked to wait holds back the others', async () => {
    const { url, seen } = await serve((_, response, n) =>
      n === 1 ? json(response, {}, 429, { 'retry-after': '1' }) : json(response, { data: [] }),
    )
    const { service } = client(url, { sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 5)) })
    const first = service.listStores({})
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, 30))
    const began = performance.now()
    await service.listStores({})
    expect(performance.now() - began).toBeGreaterThan(100)
    await first
  })
})

describe('orders are made at most once', () => {
  test('nothing sent: tried again', async () => {
    const there = await standIn()
    const port = Number(new URL(there.url).port)
    await there.close()
    const { service, slept } = client(there.url, {
      key: there.key,
      sleep: async (ms) => {
        slept.push(ms)
        if (slept.length === 2) await revived(port)
      },
    })
    const { payload } = await service.createForwardOrder(order)
    expect([payload.order_created, slept.length]).toEqual([1, 2])
  })

  test('429: tried again with the same key', async () => {
    const { url, seen } = await serve((_, response, n) => (n < 3 ? json(response, {}, 429) : json(response, orderMade)))
    await client(url).service.createForwardOrder(order)
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['uuid-1', 'uuid-1', 'uuid-1'])
  })

  test.each(['lost', 'silent', 'reset', 'html', 'answer'] as const)(
    'without idempotency, %s leaves it unknown and is not sent again',
    async (kind) => {
      const there = await standIn({
        trouble: ({ path }) =>
          !path.startsWith('/forward')
            ? undefined
            : kind === 'html'
              ? { kind, status: 502 }
              : kind === 'answer'
                ? { kind, status: 503, body: '{"message":"down for maintenance"}' }
                : { kind },
      })
      const { service } = clientOf(there, { timeouts: { connect: 300, headers: 300, body: 300, attempt: 500 } })
      const error = await failure(service.orchestrateForwardOrder({ ...order, order_id: "A'1 x" }))
      expect([error.code, error.exit]).toEqual(['unknown_outcome', 6])
      expect(error.message).toContain("order A'1 x may or may not exist")
      expect(error.hint).toBe("shipx shipments list --search 'A'\\''1 x'")
      expect(there.requests.filter(({ path }) => path.startsWith('/forward'))).toHaveLength(1)
      expect(there.created.size).toBe(kind === 'lost' ? 1 : 0)
    },
  )

  test.each([
    [
      'an HTML page',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ],
    ['no JSON', (response: ServerResponse) => json(response, 'oops')],
    ['JSON without an order', (response: ServerResponse) => json(response, {})],
    ['nothing', (response: ServerResponse) => response.writeHead(200).end()],
  ])('a success of %s leaves it unknown', async (_, reply) => {
    const { url, seen } = await serve(({ method }, response) =>
      method === 'GET' ? json(response, { data: [] }) : reply(response),
    )
    expect((await failure(client(url).service.createForwardOrder(order))).code).toBe('unknown_outcome')
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test.each([200, 400, 422])('a refusal with %i is a refusal', async (status) => {
    const { url, seen } = await serve((_, response) =>
      json(response, { status: 0, message: 'Pickup date is over' }, status),
    )
    const error = await failure(client(url).service.createForwardOrder(order))
    expect([error.code, error.message, seen.length]).toEqual(['rejected', 'Pickup date is over', 1])
  })

  test('with idempotency, learnt by one cheap read, it is sent again with its key, and no replay is told', async () => {
    const { url, seen } = await serve(({ method }, response, n) =>
      method === 'GET'
        ? json(response, { data: [] }, 200, capable)
        : n === 1
          ? response.destroy()
          : n === 3
            ? json(response, 'oops')
            : json(response, orderMade, 200, { ...capable, 'idempotency-replayed': 'true' }),
    )
    let replays = 0
    const answer = await client(url).service.createForwardOrder(order, { onReplay: () => replays++ })
    expect(answer).toEqual(orderMade)
    expect(replays).toBe(0)
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'POST'])
    expect(
      new Set(seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key'])),
    ).toEqual(new Set(['uuid-1']))
  })

  test('with idempotency, four lost tries leave it unknown, and so does a refusal that does not say', async () => {
    let reply: Reply = (_, response) => response.destroy()
    const { url, seen } = await serve((one, response, n) =>
      one.method === 'GET' ? json(response, { data: [] }, 200, capable) : reply(one, response, n),
    )
    const { service } = client(url)
    expect((await failure(service.createForwardOrder(order))).code).toBe('unknown_outcome')
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(4)
    const then =
      (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply =>
      (_, response, n) =>
        n === 1 ? response.destroy() : json(response, body, status, headers)
    for (const [status, code, body, headers] of [
      [401, 'unknown_outcome', { message: 'revoked' }, {}],
      [429, 'unknown_outcome', { message: 'slow' }, { 'retry-after': '999' }],
      [422, 'no_courier', { errors: ['no courier takes the parcel'] }, { 'shipx-error': 'no_courier' }],
    ] as const) {
      reply = then(status, body, headers)
      seen.splice(0)
      expect((await failure(service.createForwardOrder(order))).code).toBe(code)
    }
  })

  test('a key whose first request is still running is waited for', async () => {
    const { url } = await serve((_, response, n) =>
      n < 3
        ? json(response, { errors: ['running'] }, 409, { ...capable, 'shipx-error': 'idempotency_running' })
        : json(response, orderMade, 200, { 'idempotency-replayed': 'true' }),
    )
    let replays = 0
    await client(url).service.createForwardOrder(order, { idempotency_key: 'k', onReplay: () => replays++ })
    expect(replays).toBe(1)
  })

  test('an error page of something in between does not take the announcement back', async () => {
    const { url, seen } = await serve((_, response, n) =>
      n === 1
        ? json(response, { data: [] }, 200, capable)
        : n === 2
          ? json(response, { message: 'Bad gateway' }, 502)
          : json(response, orderMade),
    )
    const { service } = client(url)
    await service.listStores({})
    await service.createForwardOrder(order)
    expect(seen).toHaveLength(3)
  })
})

describe('a store is created once, by its name', () => {
  test('a lost answer is looked up and said', async () => {
    const there = await standIn({ trouble: ({ method }) => (method === 'POST' ? { kind: 'lost' } : undefined) })
    const { service, warned } = clientOf(there)
    expect((await service.createStore(newStore('acme', { brand_name: 'Acme' }))).data.store_name).toBe('acme')
    expect(there.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET'])
    expect(warned).toEqual([expect.stringContaining('a store with this name exists')])
  })

  test('a request that was lost on the way is sent again', async () => {
    const there = await standIn({
      trouble: ({ method }, n) => (method === 'POST' && n === 1 ? { kind: 'reset' } : undefined),
    })
    const { service } = clientOf(there)
    expect((await service.createStore(newStore('acme'))).data.store_name).toBe('acme')
    expect(there.requests.filter(({ method }) => method === 'POST')).toHaveLength(2)
    expect(there.stores().filter(({ store_name }) => store_name === 'acme')).toHaveLength(1)
  })

  test('a name that is taken on a second try is the first try, unless the brand is another', async () => {
    let brand: string | null = null
    let gets = 0
    const { url } = await serve(({ method }, response, n) =>
      method === 'GET'
        ? // The store shows up only after the second creation.
          json(response, { data: ++gets > 2 ? [store('acme', { brand_name: brand })] : [] })
        : n === 1
          ? response.destroy()
          : json(response, { errors: ['Store name has already been taken'] }, 422),
    )
    expect((await client(url).service.createStore(newStore('acme'))).data.store_name).toBe('acme')
    brand = 'Somebody else'
    const other = await serve(({ method }, response, n) =>
      method === 'GET'
        ? json(response, { data: [store('acme', { brand_name: brand })] })
        : n === 1
          ? response.destroy()
          : json(response, { errors: ['Store name has already been taken'] }, 422),
    )
    expect((await failure(client(other.url).service.createStore(newStore('acme')))).code).toBe('store_name_taken')
  })

  test('a name that is taken on the first try is taken', async () => {
    const there = await standIn()
    expect((await failure(clientOf(there).service.createStore(newStore('Bare-Soap')))).code).toBe('store_name_taken')
    expect(there.requests).toHaveLength(1)
  })

  test('with idempotency the key is sent again, and nothing is looked up', async () => {
    const { url, seen } = await serve(({ method }, response, n) =>
      method === 'GET'
        ? json(response, { data: [] }, 200, capable)
        : n === 1
          ? response.destroy()
          : json(response, { data: store('acme') }, 201, capable),
    )
    await client(url).service.createStore(newStore('acme'))
    expect(seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST'])
    expect(seen[0]!.headers['idempotency-key']).toBe(seen[2]!.headers['idempotency-key'])
  })

  test('when nothing answers any more the outcome is unknown', async () => {
    const { url } = await serve((_, response) => response.destroy())
    const error = await failure(client(url).service.createStore(newStore('acme')))
    expect([error.code, error.hint]).toEqual(['unknown_outcome', 'shipx stores list'])
    expect(error.message).toContain('store acme')
  })
})

/** A server on a port that was given up, which takes orders. */
async function revived(port: number): Promise<void> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    request.resume().on('end', () => void json(response, orderMade))
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
}
