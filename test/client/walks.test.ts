// Defends walks over all records of a deployment: by page, by cursor, and when the deployment breaks off.
import { describe, expect, test, vi } from 'vitest'
import type { Query } from '../../src/domain/contract.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { now, serve, json, capable, client, failure, standIn, clientOf } from './loopback.ts'

describe('walks', () => {
  const read = async (walk: {
    readonly batches: AsyncIterable<{ readonly records: readonly string[]; readonly next: unknown }>
  }) => {
    const [ids, nexts]: [string[], unknown[]] = [[], []]
    for await (const { records, next } of walk.batches) {
      ids.push(...records.map((record) => (JSON.parse(record) as { id: string }).id))
      nexts.push(next)
    }
    return { ids, nexts }
  }

  test('by page: a fixed end, every record once, no cursor', async () => {
    const there = await standIn({ shipments: 257, returns: 120 })
    const { service, warned } = clientOf(there)
    const walk = await service.walkShipments({ page: 3 })
    expect(walk.total).toBe(257)
    const { ids, nexts } = await read(walk)
    expect(ids.toSorted()).toEqual(there.ids('shipments').toSorted())
    expect(nexts).toEqual([undefined, undefined, undefined])
    expect((await read(await service.walkReturns({}))).ids).toHaveLength(120)
    expect(warned).toEqual([])
    const bodies = there.requests.filter(({ path }) => path !== '/client-stores').map(({ body }) => body)
    expect(bodies.slice(0, 3)).toEqual([1, 2, 3].map((page) => ({ per_page: 100, page, end_time: now / 1000 })))
    expect(bodies[3]).toEqual({ per_page: 100, page: 1, created_at__lte: '2026-10-02T06:00:00.000Z' })
    there.forget()
    await read(await service.walkShipments(parseInput('listShipments', { end_time: 1_790_000_000 })))
    await read(await service.walkShipments(parseInput('listShipments', { date_field: 'delivered_at' })))
    expect(there.requests.map(({ body }) => (body as { end_time?: number }).end_time)).toContain(1_790_000_000)
    expect(there.requests.at(-1)!.body).not.toHaveProperty('end_time')
  })

  test('by page: what comes twice is dropped, and a total that moved is said', async () => {
    const there = await standIn({ shipments: 250, arriving: 2 })
    const { service, warned } = clientOf(there)
    const { ids } = await read(await service.walkShipments({}))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(250)
    expect(warned).toEqual([expect.stringMatching(/^the total changed from 250 to 25\d while pages were read; /)])
  })

  test('by page: a service that ignores the page ends in an error, not in a loop', async () => {
    const body = { data: [{ id: 'a' }, { id: 'b' }], meta: { current_page: 1, per_page: 2, total: 1000 } }
    const { url, seen } = await serve(({ method }, response) => json(response, method === 'GET' ? { data: [] } : body))
    const walk = await client(url).service.walkShipments({})
    expect((await failure(read(walk))).code).toBe('bad_answer')
    expect(seen.length).toBeLessThan(8)
  })

  test('by page: without a total it goes on until nothing new comes', async () => {
    const { url } = await serve(({ method, text }, response) => {
      if (method === 'GET') return json(response, { data: [] })
      const { page } = JSON.parse(text) as { page: number }
      return json(response, page > 3 ? [] : [{ id: `a${page}` }, { id: `b${page}` }])
    })
    expect((await read(await client(url).service.walkShipments({}))).ids).toHaveLength(6)
  })

  /** A service with cursors over so many records. */
  const withCursors = (count: number) =>
    serve(({ method, text }, response) => {
      if (method === 'GET') return json(response, { data: [] }, 200, capable)
      const { per_page = 20, search_after } = JSON.parse(text) as { per_page?: number; search_after?: string[] }
      const from = search_after === undefined ? 0 : Number(search_after[1]) + 1
      const data = Array.from({ length: Math.max(0, Math.min(per_page, count - from)) }, (_, n) => ({
        id: String(from + n),
      }))
      const last = data.at(-1)?.id
      return json(
        response,
        {
          data,
          meta: {
            current_page: 1,
            per_page,
            total: count,
            next_search_after: last === undefined ? [] : ['1790000000000', last],
          },
        },
        200,
        capable,
      )
    })

  test('by cursor: pairs as sent, no end in time, two pages on their way', async () => {
    const { url, seen } = await withCursors(250)
    const { service, warned } = client(url)
    const walk = await service.walkShipments({ status: 'delivered' })
    expect(walk.total).toBe(250)
    let batches = 0
    for await (const { records, next } of walk.batches) {
      batches++
      expect(next).toEqual(['1790000000000', String(Math.min(batches * 100, 250) - 1)])
      expect(records).toHaveLength(batches === 3 ? 50 : 100)
      if (batches === 1) {
        await vi.waitFor(() => expect(seen).toHaveLength(4))
      }
    }
    expect(batches).toBe(3)
    expect(warned).toEqual([])
    expect(seen.slice(1).map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      { per_page: 100, status: 'delivered' },
      { per_page: 100, status: 'delivered', search_after: ['1790000000000', '99'] },
      { per_page: 100, status: 'delivered', search_after: ['1790000000000', '199'] },
    ])
  })

  test('in lines: the next lines are asked for when their cursor is known, before those in hand have arrived', async () => {
    const told = { ...capable, 'shipx-capabilities': `${capable['shipx-capabilities']}, lines` }
    const held: (() => void)[] = []
    const { url, seen } = await serve(({ method, text }, response) => {
      if (method === 'GET') return json(response, { data: [] }, 200, told)
      const { search_after } = JSON.parse(text) as { search_after?: string[] }
      const n = search_after === undefined ? 0 : Number(search_after[1]) + 1
      response.writeHead(200, {
        ...told,
        'content-type': 'application/jsonl',
        'shipx-total': '6',
        'shipx-next': `1790000000000 ${n}${n === 5 ? ' end' : ''}`,
      })
      response.flushHeaders()
      // The first lines wait for two more requests.
      held.push(() => response.end(`{"id":"${n}"}\n`))
      if (held.length >= 3) for (const send of held) send()
      return undefined
    })
    const walk = await client(url).service.walkShipments({})
    let batches = 0
    for await (const { records, next } of walk.batches) {
      expect(records).toEqual([`{"id":"${batches}"}`])
      expect(next).toEqual(['1790000000000', String(batches)])
      batches++
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(seen.length).toBeLessThanOrEqual(1 + Math.min(6, batches + 2))
    }
    expect(batches).toBe(6)
    expect(seen).toHaveLength(7)
  })

  test('by cursor: it may begin at one, ends early without a fault, and a cursor that stands still is an error', async () => {
    const { url, seen } = await withCursors(1000)
    const { service } = client(url)
    const walk = await service.walkShipments({ search_after: ['1', '899'] } as Query)
    expect((await read(walk)).ids).toHaveLength(100)
    seen.splice(0)
    for await (const { records } of (await service.walkShipments({})).batches) if (records.length > 0) break
    expect(seen.length).toBeLessThanOrEqual(2)
    const still = { data: [{ id: 'a' }], meta: { per_page: 1, total: 9, next_search_after: ['1', 'a'] } }
    const bad = await serve(({ method }, response) =>
      json(response, method === 'GET' ? { data: [] } : still, 200, capable),
    )
    expect((await failure(read(await client(bad.url).service.walkReturns({})))).code).toBe('bad_answer')
  })

  test('a failure in the middle is thrown where it belongs', async () => {
    const { url } = await serve(({ method, text }, response) => {
      if (method === 'GET') return json(response, { data: [] }, 200, capable)
      if (text.includes('search_after')) return json(response, { message: 'no' }, 403)
      return json(response, { data: [{ id: 'a' }], meta: { per_page: 1, total: 2, next_search_after: ['1', 'a'] } })
    })
    const ids: string[] = []
    const walk = await client(url).service.walkShipments({})
    const all = (async () => {
      for await (const { records } of walk.batches) {
        ids.push(...records)
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
    })()
    expect((await failure(all)).code).toBe('forbidden')
    expect(ids).toHaveLength(1)
  })

  test('closing ends what is under way', async () => {
    const { url, seen } = await serve(() => undefined)
    const { service } = client(url, { timeouts: { headers: 20_000, attempt: 20_000 } })
    const call = failure(service.listStores({}))
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await service.close()
    expect((await call).code).toBe('interrupted')
  })
})
