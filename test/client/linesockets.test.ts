// Defends the connections of walks in lines: they read every answer as undici does, bad ones too, in memory used again.
// @module-tag full: every bad answer, twice
import { createHash } from 'node:crypto'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerReader } from '../../src/client/answerreader.ts'
import { linesType } from '../../src/domain/wire.ts'
import { badAnswers, cutAt, framed, startBadServer, type BadAnswer } from '../support/badanswers.ts'
import { certificate, privateKey } from '../support/certificate.ts'
import { first, runs } from '../support/size.ts'
import { client, closers, failure, serve } from './loopback.ts'

const announced = { 'shipx-capabilities': 'search_after, extra_filters, lines' }

/** The answer by which a service announces what it can. */
const announcement = (can: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nshipx-capabilities: ${can}\r\ncontent-length: 11\r\n\r\n{"data":[]}`

/** A server that announces lines, and then plays this. */
async function announcing(play: BadAnswer['play'], can = announced['shipx-capabilities']) {
  let n = 0
  const bad = await startBadServer(async (line) => {
    if (n++ === 0) await line.send(announcement(can))
    else await play(line)
  })
  closers.push(() => bad.close())
  return bad
}

/** The headers of an answer that says nothing of its last record, before its type. */
const announcedEnd = 'shipx-total: 3\r\nshipx-next: end\r\ncontent-type'

const quick = { connect: 200, headers: 300, body: 300, attempt: 500 }

/** What a walk in lines comes to: its records, or its error. */
async function walked(url: string, timeouts?: typeof quick): Promise<readonly string[]> {
  const { service } = client(url, { sleep: async () => undefined, ...(timeouts === undefined ? {} : { timeouts }) })
  const records: string[] = []
  for await (const batch of (await service.walkShipments({})).batches) records.push(...batch.records)
  return records
}

const record = (n: number): string => JSON.stringify({ id: `R${n}`, text: 'ä'.repeat(n % 50) })
const lines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `${record(from + n)}\n`).join('')

describe('connections of walks in lines', () => {
  test('an answer is the same however its bytes arrive, in every framing', () => {
    const framings = ['length', 'chunked', 'until close'] as const
    const interim = fc.constantFrom('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')
    fc.assert(
      fc.property(
        fc.constantFrom(...framings),
        interim,
        fc.string({ minLength: 1, maxLength: 3000 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 }),
        (framing, before, body, sizes) => {
          const answer = Buffer.concat([Buffer.from(before), framed(framing, body)])
          const [statuses, got]: [number[], Buffer[]] = [[], []]
          const reader = answerReader({
            head: (status) => statuses.push(status),
            body: (bytes) => got.push(Buffer.from(bytes)),
          })
          // Every piece lies in the same memory, as it does in a connection.
          const memory = Buffer.alloc(400)
          for (let at = 0, n = 0; at < answer.length; n++) {
            const size = Math.min(sizes[n % sizes.length]!, answer.length - at)
            answer.copy(memory, 0, at, at + size)
            at += size
            const whole = reader.read(memory.subarray(0, size))
            expect(whole).toBe(framing !== 'until close' && at === answer.length)
            expect(reader.wholeAtEnd()).toBe(whole || (framing === 'until close' && statuses.includes(200)))
          }
          expect(Buffer.concat(got).toString()).toBe(Buffer.from(body).toString())
          expect(statuses).toEqual(before === '' ? [200] : [103, 200])
          expect(reader.stays()).toBe(framing !== 'until close')
        },
      ),
      { numRuns: runs(200, 3000) },
    )
  })

  test.each(badAnswers.filter(({ ends }) => ends).map((bad) => [bad.name, bad] as const))(
    '%s: the same as in a walk of pages, or a clearer error',
    async (_, { play }) => {
      const [pages, inLines] = [await announcing(play, 'search_after, extra_filters'), await announcing(play)]
      const codeOf = async (url: string): Promise<string> => {
        const outcome = await walked(url).catch((error: unknown) => error)
        return Array.isArray(outcome) ? 'records' : (await failure(Promise.reject(outcome))).code
      }
      const [wanted, found] = [await codeOf(pages.url), await codeOf(inLines.url)]
      expect([wanted, wanted === 'unavailable' ? 'bad_answer' : wanted]).toContain(found)
      expect(inLines.hits()).toBeLessThanOrEqual(pages.hits())
    },
  )

  test.each(badAnswers.filter(({ ends }) => !ends).map((bad) => [bad.name, bad] as const))(
    '%s ends by a time limit',
    async (_, { play }) => {
      const bad = await announcing(play)
      const began = performance.now()
      const error = await failure(walked(bad.url, quick))
      expect([error.code, error.hint]).toEqual(['unavailable', 'shipx auth status'])
      expect(performance.now() - began).toBeLessThan(2200)
    },
  )

  test('lines cut at any byte are never taken for whole ones', async () => {
    const extra = `shipx-total: 40\r\nshipx-next: 17 R39 end\r\n`
    for (const framing of ['length', 'chunked', 'until close'] as const) {
      const plain = framed(framing, lines(0, 40)).toString().replace('application/json', linesType)
      const answer = Buffer.from(plain.replace('content-type', `${extra}content-type`))
      const bad = await announcing(cutAt(answer, answer.length))
      expect(await walked(bad.url)).toHaveLength(40)
      const afterLine = answer.lastIndexOf('\n', answer.length - 60) + 1
      const places = [0, afterLine, answer.length - 7, answer.length - 2, 30, 115, 90, 700, answer.length - 30]
      for (const at of first(6, places)) {
        const cut = await announcing(cutAt(answer, at))
        const error = await failure(walked(cut.url))
        expect(['unavailable', 'bad_answer'], `${framing} at ${at}: ${error.message}`).toContain(error.code)
      }
    }
  })

  test('lines that the end of the connection ends, and that name no last record, are refused: some may be missing', async () => {
    const plain = framed('until close', lines(0, 3)).toString().replace('application/json', linesType)
    const bad = await announcing(cutAt(Buffer.from(plain.replace('content-type', announcedEnd)), plain.length + 100))
    const error = await failure(walked(bad.url))
    expect([error.code, error.message]).toEqual(['bad_answer', expect.stringMatching(/neither their length nor/)])
  })

  test.each(['', 'close'])(
    'pieces come whole in memory that is given back, over few connections (%s)',
    async (ends) => {
      const [pieces, each] = [12, 9000]
      const connections = new Set<unknown>()
      const { url } = await serve(({ method, text }, response) => {
        connections.add(response.socket)
        if (ends !== '') response.setHeader('connection', ends)
        if (method === 'GET')
          return response.writeHead(200, { 'content-type': 'application/json', ...announced }).end('{"data":[]}')
        const { search_after: [after] = ['0'] } = JSON.parse(text) as { search_after?: [string] }
        const n = Number(after)
        const body = lines(n * each, each)
        const next = `${n + 1} R${(n + 1) * each - 1}${n + 1 === pieces ? ' end' : ''}`
        const length = n % 3 === 0 ? {} : { 'content-length': String(Buffer.byteLength(body)) }
        const headers = { 'content-type': linesType, ...announced, ...length }
        return void response
          .writeHead(200, { ...headers, 'shipx-total': String(pieces * each), 'shipx-next': next })
          .end(body)
      })
      const [got, wanted] = [createHash('sha256'), createHash('sha256').update(lines(0, pieces * each))]
      const { service } = client(url)
      let released = 0
      for await (const batch of (await service.walkShipments({})).batches) {
        got.update(batch.lines!).update('\n')
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (batch.release !== undefined) released++
        batch.release?.()
      }
      expect(got.digest('hex')).toBe(wanted.digest('hex'))
      expect(released).toBe(pieces)
      if (ends === '') expect(connections.size).toBeLessThanOrEqual(4)
    },
  )

  test('a walk in lines goes over TLS, in many pieces that are read into their place', async () => {
    const server = createSecureServer({ key: privateKey, cert: certificate }, (request, response) =>
      request.method === 'GET'
        ? response.writeHead(200, { 'content-type': 'application/json', ...announced }).end('{"data":[]}')
        : response
            .writeHead(200, { 'content-type': linesType, ...announced, 'shipx-total': '20000', 'shipx-next': 'end' })
            .end(lines(0, 20_000)),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const { service } = client(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, { ca: certificate })
    const records: string[] = []
    for await (const batch of (await service.walkShipments({})).batches) records.push(...batch.records)
    expect(records).toEqual(lines(0, 20_000).trim().split('\n'))
  })
})
