// Defends walks in lines: taken where the service announces them, checked line by line, and never ended by a guess.
import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { recordId } from '../../src/domain/parcels/shipments.ts'
import { linesType, nextHeader } from '../../src/domain/wire.ts'
import { capable, client, failure, json, serve } from './loopback.ts'

const inLines = { 'shipx-capabilities': 'idempotency, search_after, extra_filters, lines' }

const read = async (walk: Promise<{ readonly batches: AsyncIterable<{ readonly records: readonly string[] }> }>) => {
  const records: string[] = []
  for await (const batch of (await walk).batches) records.push(...batch.records)
  return records
}

const lines = (response: ServerResponse, body: string, headers: Readonly<Record<string, string>>) =>
  response.writeHead(200, { 'content-type': linesType, ...inLines, ...headers }).end(body)

/** A service that announces lines, and answers listings in its own way. */
const announcing = (reply: (response: ServerResponse, body: string, n: number) => unknown) => {
  let n = 0
  return serve(({ method, text }, response) =>
    method === 'GET' ? json(response, { data: [] }, 200, inLines) : reply(response, text, ++n),
  )
}

/** Answers every question with this. */
const answering = (body: string, headers: Readonly<Record<string, string>>) =>
  announcing((response) => lines(response, body, headers))

const two = '{"id":"a","n":1.10}\n{"id":"b","text":"a\\u2028b"}\n'

describe('a walk in lines', () => {
  test('keeps each record as it was sent, and goes on where the service says', async () => {
    const { url, seen } = await announcing((response, body) =>
      body.includes('search_after')
        ? lines(response, '{"id":"c d"}\n', { 'shipx-total': '3', 'shipx-next': '19 c%20d end' })
        : lines(response, `${two}{"id":"b \\u0905"}\n`, { 'shipx-total': '4', 'shipx-next': '17 b%20%E0%A4%85' }),
    )
    const { service } = client(url)
    const walk = await service.walkShipments({})
    expect(walk.total).toBe(4)
    const records = [...two.trim().split('\n'), '{"id":"b \\u0905"}', '{"id":"c d"}']
    expect(await read(Promise.resolve(walk))).toEqual(records)
    const asked = seen.filter(({ method }) => method === 'POST')
    expect(asked.map(({ headers }) => headers.accept)).toEqual(asked.map(() => `${linesType}, application/json`))
    expect(asked.map(({ text }) => JSON.parse(Buffer.from(text, 'latin1').toString()) as unknown)).toEqual([
      {},
      { search_after: ['17', 'b अ'] },
    ])
  })

  test('begins with a question for the headers of the stores, which a service need not understand', async () => {
    for (const [status, body] of [
      [204, ''],
      [200, { data: [] }],
    ] as const) {
      const { url, seen } = await serve(({ method }, response) =>
        method === 'GET'
          ? json(response, body, status, inLines)
          : lines(response, two, { 'shipx-total': '2', 'shipx-next': 'end' }),
      )
      expect(await read(client(url).service.walkShipments({}))).toHaveLength(2)
      expect(seen.map(({ method, headers: { prefer } }) => [method, prefer])).toEqual([
        ['GET', 'return=minimal'],
        ['POST', undefined],
      ])
    }
  })

  test('is not asked for where the service does not announce it, nor without its filters, nor for one page', async () => {
    const page = {
      data: [{ id: 'a' }],
      meta: { current_page: 1, per_page: 100, total: 1, next_search_after: ['1', 'a'] },
    }
    for (const announced of [capable, { 'shipx-capabilities': 'search_after, lines' }]) {
      const { url, seen } = await serve(({ method }, response) =>
        json(response, method === 'GET' ? { data: [] } : page, 200, announced),
      )
      expect(await read(client(url).service.walkShipments({}))).toEqual(['{"id":"a"}'])
      expect(seen.map(({ headers }) => headers.accept)).not.toContain(`${linesType}, application/json`)
    }
    const { url, seen } = await announcing((response) => json(response, page, 200, inLines))
    await client(url).service.listShipments({})
    expect(seen.at(-1)!.headers.accept).toBe('application/json')
  })

  test('goes on with pages where a service that announced lines answers with them', async () => {
    const page = {
      data: [{ id: 'a' }],
      meta: { current_page: 1, per_page: 20, total: 1, next_search_after: ['1', 'a'] },
    }
    const { url } = await announcing((response) => json(response, page, 200, inLines))
    expect(await read(client(url).service.walkShipments({}))).toEqual(['{"id":"a"}'])
  })

  test('a page in answer to a question for lines was not judged: records that a filter excludes came through', async () => {
    const data = ['a', 'b'].map((id) => ({ id, attributes: { status: id === 'a' ? 'delivered' : 'in_transit' } }))
    const page = { data, meta: { current_page: 1, per_page: 20, total: 2, next_search_after: [] } }
    // What announced lines has gone; what answers now knows nothing of shipx.
    const { url } = await announcing((response) => json(response, page))
    const { service, warned } = client(url)
    const found = await read(service.walkShipments({ status: 'delivered' }))
    expect(found.map((record) => (JSON.parse(record) as { id: string }).id)).toEqual(['a'])
    expect(warned).toEqual([expect.stringContaining('ignores the filter status and sent 1 record')])
  })

  test('a walk by page numbers asked its second page in lines, which our service refuses', async () => {
    const records = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ id: `R${from + n}` }))
    const { url, seen } = await serve(({ method, text, headers: { accept } }, response) => {
      if (method === 'GET') return json(response, { message: 'busy' }, 503)
      const asked = JSON.parse(text) as { page?: number; search_after?: string[] }
      if (accept?.includes(linesType) === true && asked.page !== undefined)
        return json(response, { message: 'page does not go with lines' }, 400, inLines)
      if (accept?.includes(linesType) === true) {
        expect(asked.search_after).toEqual(['1', 'R99'])
        const body = records(100, 50).map((one) => `${JSON.stringify(one)}\n`)
        return lines(response, body.join(''), { 'shipx-total': '150', 'shipx-next': '1 R149 end' })
      }
      const meta = { current_page: 1, per_page: 100, total: 150, next_search_after: ['1', 'R99'] }
      return json(response, { data: records(0, 100), meta }, 200, inLines)
    })
    const { service, warned } = client(url)
    expect(await read(service.walkShipments({}))).toHaveLength(150)
    expect(warned).toEqual([])
    expect(seen).toHaveLength(3)
  })

  test('a walk of a service that announces lines and no cursors goes by pages', async () => {
    const can = { 'shipx-capabilities': 'extra_filters, lines' }
    const { url, seen } = await serve(({ method, text }, response) => {
      if (method === 'GET') return json(response, { data: [] }, 200, can)
      const { page } = JSON.parse(text) as { page: number }
      const meta = { current_page: page, per_page: 100, total: 2, next_search_after: [] }
      return json(response, { data: [{ id: `R${page}` }], meta }, 200, can)
    })
    expect(await read(client(url).service.walkShipments({}))).toHaveLength(2)
    const asked = seen.filter(({ method }) => method === 'POST')
    expect(asked.map(({ headers }) => headers.accept)).toEqual(['application/json', 'application/json'])
    expect(asked.map(({ text }) => (JSON.parse(text) as { per_page: number }).per_page)).toEqual([100, 100])
  })

  test.each([
    ['of one script', 'अ'.repeat(200)],
    ['beyond the first plane', '𑀅'.repeat(100)],
  ])('a record with the longest id (%s) at the end of an answer ended the walk', async (_, id) => {
    expect(recordId.parse(id)).toBe(id)
    const { url } = await announcing((response, body) =>
      body.includes('search_after')
        ? lines(response, '{"id":"z"}\n', { 'shipx-total': '2', 'shipx-next': '19 z end' })
        : lines(response, `{"id":"${id}"}\n`, {
            'shipx-total': '2',
            'shipx-next': nextHeader({ next: ['17', id], ended: false }),
          }),
    )
    expect(await read(client(url).service.walkShipments({}))).toEqual([`{"id":"${id}"}`, '{"id":"z"}'])
  })

  test('an id that is a number of nineteen digits is the one that the header names', async () => {
    const id = '1234567890123456789'
    const { url } = await answering(`{"id":${id}}\n`, { 'shipx-total': '1', 'shipx-next': `17 ${id} end` })
    expect(await read(client(url).service.walkShipments({}))).toEqual([`{"id":${id}}`])
  })

  test('an end of records that were counted in between is the end: the service says so', async () => {
    const { url } = await answering(two, { 'shipx-total': '5', 'shipx-next': 'end' })
    expect(await read(client(url).service.walkShipments({}))).toHaveLength(2)
  })

  const total = { 'shipx-total': '2' }
  // prettier-ignore
  test.each<[what: string, body: string, headers: Readonly<Record<string, string>>, message: RegExp]>([
    ['without a word on where it goes on', two, total, /without saying how many there are and where they go on/],
    ['without a total', two, { 'shipx-next': 'end' }, /without saying how many/],
    ['with a cursor that is none', two, { ...total, 'shipx-next': '17' }, /where they go on/],
    ['with a line that is no JSON', '{"id":"a"}\n{"id":\n', { ...total, 'shipx-next': 'end' }, /sent a line that is not a record/],
    ['with a record over two lines', '{"id":\n"a"}\n', { ...total, 'shipx-next': 'end' }, /not a record/],
    ['with an empty line', '{"id":"a"}\n\n', { ...total, 'shipx-next': 'end' }, /not a record/],
    ['with a list', '[1]\n', { ...total, 'shipx-next': 'end' }, /not a record/],
    ['with two records on a line', '{"id":"a"}{"id":"b"}\n', { ...total, 'shipx-next': 'end' }, /not a record/],
    ['nested too deep', `{"id":"a","x":${'['.repeat(5000)}${']'.repeat(5000)}}\n`, { ...total, 'shipx-next': 'end' }, /nested too deep/],
    ['with too many values', `{"id":"a","x":[${'1,'.repeat(1_100_000)}1]}\n`, { ...total, 'shipx-next': 'end' }, /more values than any answer/],
    ['with more lines than any answer has', '{}\n'.repeat(300_000), { ...total, 'shipx-next': 'end' }, /more values than any answer/],
    ['that goes on and has no records', '', { ...total, 'shipx-next': '17 b' }, /broke off its answer/],
    ['without the last record that it names', two, { ...total, 'shipx-next': '17 c end' }, /broke off its answer/],
    ['without any record, though it names one', '', { ...total, 'shipx-next': '17 c end' }, /broke off its answer/],
    ['that goes on at the same place', two, { ...total, 'shipx-next': '17 b' }, /sends the same page again/],
    ['that is cut', '{"id":"a"}\n{"id":"b"', { ...total, 'shipx-next': 'end' }, /broke off its answer/],
  ])('%s ends in an error that says so, not in fewer records', async (_, body, headers, message) => {
    const { url, seen } = await answering(body, headers)
    const error = await failure(read(client(url).service.walkShipments({})))
    expect([error.code, error.message]).toEqual(['bad_answer', expect.stringMatching(message)])
    // Four tries each of the first question and of the next one, which is asked for ahead.
    expect(seen.length).toBeLessThan(10)
  })

  test('bytes that are not UTF-8, and an answer that breaks off, are read again and then named', async () => {
    const { url, seen } = await announcing((response, _, n) => {
      if (n > 1) return lines(response, two, { ...total, 'shipx-next': 'end' })
      response.writeHead(200, { 'content-type': linesType, ...inLines, ...total, 'content-length': '100' })
      return void response.write('{"id":"a"}\n', () => response.destroy())
    })
    expect(await read(client(url).service.walkShipments({}))).toHaveLength(2)
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(2)
    const bad = await announcing((response) =>
      response
        .writeHead(200, { 'content-type': linesType, ...inLines, ...total, 'shipx-next': 'end' })
        .end(Buffer.from([0x7b, 0xff, 0x7d, 0x0a])),
    )
    expect((await failure(read(client(bad.url).service.walkShipments({})))).code).toBe('bad_answer')
  })
})
