// Defends listings in lines: the same records in the same order as pages, in large pieces with a limit, to their end.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { linesType, nextFrom } from '../../src/domain/wire.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { testNow } from '../support/engine.ts'
import type { ComingLines, Readers } from '../../src/server/readers.ts'
import { clientOf, json, send, startService, type TestService } from '../support/service.ts'

const count = 60

describe.each(['in the main thread', 'by readers'])('a listing in lines, %s', (where) => {
  let service: TestService
  let ids: readonly string[]
  beforeAll(async () => {
    service = await startService({ readers: where === 'by readers' ? 2 : 0 })
    const options = { shipments: count, returns: 0, stores: 2, days: 30, seed: 3, now: testNow }
    const shipments = [...seedShipments(options)].map((one, n) =>
      // Every tenth has 1 MB, so that an answer ends at 4 MB; one has what line breaks are written as.
      n % 10 === 0 ? { ...one, attributes: { ...one.attributes, tags: ['x'.repeat(1_000_000), 'a\nb\u2028'] } } : one,
    )
    await service.engine.save('shipment', shipments)
    const page = await send(`${service.api}/shipments`, { ...json({ per_page: 3 }), key: service.key })
    ids = []
    let after: unknown
    for (let n = 0; n < count; n++) {
      const body = { per_page: 3, ...(after === undefined ? {} : { search_after: after }) }
      const { json: found } = await send(`${service.api}/shipments`, { ...json(body), key: service.key })
      const { data, meta } = found as { data: { id: string }[]; meta: { next_search_after: string[] } }
      if (data.length === 0) break
      ids = [...ids, ...data.map(({ id }) => id)]
      after = meta.next_search_after
    }
    expect(page.status).toBe(200)
  })
  afterAll(() => service.close())

  const ask = async (body: object, accept = linesType) => {
    const request = json(body)
    const headers = { ...request.headers, accept }
    const {
      status,
      headers: said,
      text,
    } = await send(`${service.api}/shipments`, { ...request, headers, key: service.key })
    return {
      status,
      text,
      type: said.get('content-type'),
      total: said.get('shipx-total'),
      next: said.get('shipx-next'),
    }
  }

  test('gives each record once, in the order of pages, in pieces of 4 MB, and says where they end', async () => {
    const found: string[] = []
    const pieces: number[] = []
    let body: object = {}
    for (let n = 0; n < count; n++) {
      const { status, text, type, total, next } = await ask(body)
      expect([status, type, total]).toEqual([200, linesType, String(count)])
      expect(text.length).toBeLessThan(4_300_000)
      expect(text.endsWith('\n')).toBe(true)
      const records = text.slice(0, -1).split('\n')
      pieces.push(records.length)
      found.push(...records.map((line) => (JSON.parse(line) as { id: string }).id))
      const after = nextFrom(next ?? undefined)!
      if (after.ended) break
      body = { search_after: after.next }
    }
    expect(found).toEqual(ids)
    expect(pieces.length).toBeGreaterThan(1)
  })

  test('takes filters, the order and per_page; an answer without matches is empty and the end', async () => {
    const two = await ask({ per_page: 2, sort_order: 'asc' })
    const asked = two.text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id)
    expect(asked).toEqual(ids.toReversed().slice(0, 2))
    expect(nextFrom(two.next!)!.next![1]).toBe(asked[1])
    expect(await ask({ search: 'no such parcel' })).toMatchObject({ status: 200, text: '', total: '0', next: 'end' })
  })

  test('refuses what a page refuses, as JSON, and a page by its number', async () => {
    expect(await ask({ colour: 'red' })).toMatchObject({ status: 400, type: expect.stringContaining('json') as string })
    const { status, text } = await ask({ page: 2 })
    expect([status, text]).toEqual([400, expect.stringMatching(/page.*application\/jsonl.*search_after/)])
  })

  // prettier-ignore
  test.each(['application/json', '*/*', 'application/jsonlines', '', 'application/json, application/jsonl;q=0', 'application/jsonl; Q=0.000'])(
    '"%s" is answered with a page',
    async (accept) => {
      const { text, type } = await ask({ per_page: 1 }, accept)
      expect([type, Object.keys(JSON.parse(text) as object)]).toEqual([
        expect.stringContaining('application/json'),
        ['data', 'meta'],
      ])
    },
  )
})

test.each(['application/jsonl;q=0.5', 'application/json;q=0, application/jsonl; charset=utf-8; q=1'])(
  '"%s" is answered in lines',
  async (accept) => {
    const service = await startService({ readers: 0 })
    try {
      const { headers, ...request } = json({})
      const asked = { ...request, headers: { ...headers, accept }, key: service.key }
      const { headers: said } = await send(`${service.api}/shipments`, asked)
      expect(said.get('content-type')).toBe(linesType)
    } finally {
      await service.close()
    }
  },
)

test('returns are answered in lines as well', async () => {
  const service = await startService({ readers: 0 })
  try {
    const options = { shipments: 200, returns: 20, stores: 2, days: 30, seed: 3, now: testNow }
    await service.engine.save('return', [...seedReturns(options)])
    const request = json({})
    const headers = { ...request.headers, accept: `application/json, ${linesType}` }
    const { text } = await send(`${service.api}/returns`, { ...request, headers, key: service.key })
    expect(
      text
        .trim()
        .split('\n')
        .every((line) => (JSON.parse(line) as { type: string }).type === 'return'),
    ).toBe(true)
  } finally {
    await service.close()
  }
})

describe('the head of an answer in lines', () => {
  const line = '{"id":"1"}\n'
  const head = { bytes: line.length, count: 1, total: 1, next: ['1', '1'], ended: true } as const
  const never = (): Promise<never> => Promise.reject(new Error('a page was asked for'))
  const answering = (answer: () => ComingLines): Readers => {
    const lines = () => Promise.resolve(answer())
    const listings = { listShipments: never, listReturns: never, lines: { listShipments: lines, listReturns: lines } }
    return { listings: () => listings, close: () => Promise.resolve() }
  }
  const ask = ({ api, key }: TestService): Promise<Response> => {
    const { headers, ...request } = json({})
    return fetch(`${api}/shipments`, { ...request, headers: { ...headers, accept: linesType, authorization: key } })
  }

  test('comes before the lines are read; their memory is given back when all of them are sent, and not before', async () => {
    const back: Uint8Array[] = []
    const text = `${JSON.stringify({ id: '1', note: 'x'.repeat(40_000_000) })}\n`
    let read: (lines: Uint8Array) => void = () => undefined
    const lines = new Promise<Uint8Array>((resolve) => (read = resolve))
    const long = { ...head, bytes: text.length }
    const release = (all: Uint8Array): void => void back.push(all)
    const service = await startService({ readers: answering(() => ({ head: long, lines, release })) })
    try {
      const response = await ask(service)
      const next = nextFrom(response.headers.get('shipx-next')!)
      expect([response.status, next]).toEqual([200, { next: ['1', '1'], ended: true }])
      expect(response.headers.get('content-length')).toBe(String(text.length))
      const memory = Buffer.concat([Buffer.from(text), Buffer.from('of another account')])
      const own = memory.subarray(0, text.length)
      read(own)
      // The client reads nothing yet, and no system takes 40 MB meanwhile.
      await setTimeout(300)
      expect(back).toEqual([])
      expect((await response.text()) === text).toBe(true)
      await vi.waitFor(() => expect(back.length).toBe(1))
      expect(back[0] === own).toBe(true)
    } finally {
      await service.close()
    }
  })

  test('memory of an answer that is refused, or whose client has left, is given back', async () => {
    const back: string[] = []
    const large = (name: string): ComingLines => {
      const bytes = 15_000_000
      const lines = setTimeout(200).then(() => Buffer.alloc(bytes, ' '))
      return { head: { ...head, bytes }, lines, release: () => void back.push(name) }
    }
    let n = 0
    const service = await startService({ readers: answering(() => large(['waits', 'refused'][n++] ?? 'left')) })
    try {
      const waits = await ask(service)
      const refused = await ask(service)
      expect([waits.status, refused.status]).toEqual([200, 429])
      await vi.waitFor(() => expect(back).toEqual(['refused']))
      await waits.arrayBuffer()
      await vi.waitFor(() => expect(back).toEqual(['refused', 'waits']))
      const left = await ask(service)
      await left.body!.cancel()
      await vi.waitFor(() => expect(back).toEqual(['refused', 'waits', 'left']))
    } finally {
      await service.close()
    }
  })

  test('without lines after it is an answer that broke off, and the log says why', async () => {
    const failing = (): ComingLines => {
      const lines = setTimeout(10).then(() => Promise.reject(new Error('the thread has gone')))
      lines.catch(() => undefined)
      return { head, lines }
    }
    const service = await startService({ readers: answering(failing) })
    const client = clientOf(service, service.key)
    try {
      await expect(ask(service).then((response) => response.text())).rejects.toThrow()
      expect(service.log).toContainEqual(
        expect.objectContaining({ level: 'error', message: expect.stringContaining('the thread has gone') as string }),
      )
      await expect(client.walkShipments({})).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('broke off') as string,
      })
    } finally {
      await client.close()
      await service.close()
    }
  })
})

test('answers of accounts that walk at once hold nothing of each other, in memory that is used again', async () => {
  const service = await startService({ readers: 3 })
  try {
    const accounts = await Promise.all(
      ['default', 'other'].map(async (name, n) => {
        const { key } = await service.keyFor(name)
        const engine = await service.engine.as(name)
        const options = { shipments: 30, returns: 0, stores: 2, days: 30, seed: n, now: testNow }
        // Some answers fill the memory, and some do not.
        const records = [...seedShipments(options)].map((one, i) => ({
          ...one,
          note: name.repeat(i % 3 === 0 ? 100_000 : 10),
        }))
        await engine.save('shipment', records)
        return { name, key, ids: records.map(({ id }) => id).toSorted() }
      }),
    )
    const walk = async ({ name, key, ids }: (typeof accounts)[0]): Promise<void> => {
      const client = clientOf(service, key)
      const found: string[] = []
      const { batches } = await client.walkShipments({})
      for await (const { records } of batches) {
        for (const record of records) {
          const { id, note } = JSON.parse(record) as { readonly id: string; readonly note: string }
          found.push(id)
          expect(note.replaceAll(name, '')).toBe('')
        }
      }
      await client.close()
      expect(found.toSorted()).toEqual(ids)
    }
    await Promise.all(Array.from({ length: 6 }, (_, n) => walk(accounts[n % 2]!)))
    expect(accounts[0]!.ids).not.toEqual(accounts[1]!.ids)
  } finally {
    await service.close()
  }
})
