// Defends the remote client against real servers on loopback: what it sends, what it reads, what it repeats, and what it
// never does with a key or an order.
import fc from 'fast-check'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { cutPage, cutRecords, outline } from '../../src/client/recordtext.ts'
import { maskBody, redactor } from '../../src/client/redact.ts'
import { readOffer, readQuoteZone } from '../../src/domain/foreign/offers.ts'
import { waitFor } from '../../src/client/retry.ts'
import { readRetryAfter } from '../../src/domain/retryafter.ts'
import type { RemoteOptions } from '../../src/client/options.ts'
import { remoteService, type RemoteService } from '../../src/client/service.ts'
import { signIn } from '../../src/client/signin.ts'
import type { Exchange } from '../../src/client/exchange.ts'
import type { Input, Query } from '../../src/domain/contract.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { badAnswers, cutAt, framed, startBadServer } from '../support/badanswers.ts'
import { certificate, privateKey } from '../support/certificate.ts'
import { png } from '../support/pictures.ts'
import { startStandIn, type StandIn, type StandInOptions } from '../support/foreigndeployment.ts'
import { orderRequest, returnRateRequest } from '../support/requests.ts'
import { runs } from '../support/size.ts'

const key = 'sxk_client/test+key='
const base = '/custom/api/v1'
const now = Date.parse('2026-10-02T06:00:00Z')

const closers: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A request as a server of a test saw it. */
interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

interface Server {
  readonly url: string
  readonly seen: Seen[]
}

type Reply = (seen: Seen, response: ServerResponse, n: number) => unknown

/** A server that answers each request, whose body it has read, in its own way. */
async function serve(reply: Reply): Promise<Server> {
  const seen: Seen[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        text: Buffer.concat(chunks).toString('latin1'),
      }
      seen.push(one)
      reply(one, response, seen.length)
    })
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const json = (response: ServerResponse, body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body))

const capable = { 'shipx-capabilities': 'idempotency, search_after, extra_filters' }

interface Client {
  readonly service: RemoteService
  readonly slept: number[]
  readonly warned: string[]
  readonly traced: Exchange[]
}

/** A client whose waits take no time and are noted. */
function client(base_url: string, over: Partial<RemoteOptions> = {}): Client {
  const [slept, warned, traced]: [number[], string[], Exchange[]] = [[], [], []]
  let nth = 0
  const service = remoteService({
    base_url,
    key,
    scheme: 'bearer',
    now: () => now,
    random: () => 0.5,
    uuid: () => `uuid-${++nth}`,
    sleep: async (ms) => void slept.push(ms),
    timeouts: { connect: 1000, headers: 1000, body: 1000, attempt: 2000 },
    trace: (entry) => traced.push(entry),
    warn: (text) => warned.push(text),
    ...over,
  })
  closers.push(() => service.close())
  return { service, slept, warned, traced }
}

async function failure(promise: Promise<unknown>): Promise<ShipxError> {
  const error: unknown = await promise.then(
    (value) => new Error(`succeeded with ${JSON.stringify(value)?.slice(0, 200)}`),
    (caught: unknown) => caught,
  )
  if (!(error instanceof ShipxError)) throw error
  expect(`${error.message} ${error.hint ?? ''} ${String(error.cause)}`).not.toContain(key)
  expect(error.message).not.toMatch(/\n\s*at |node:internal/)
  return error
}

const order = parseInput('createForwardOrder', orderRequest())
const parcel = parseInput('getRates', returnRateRequest)
const store = (store_name: string, over: object = {}) => ({
  id: '5b6cde10-0000-4000-8000-000000000001',
  store_name,
  brand_name: null,
  channel: 'manual_order',
  status: 'connected',
  ...over,
})
const made = {
  status: 1,
  payload: { order_created: 1, awb_generated: 0, pickup_generated: 0, order_id: 'ORD1', shipment_id: 'SHI1' },
}
const empty = { data: [], meta: { current_page: 1, per_page: 20, total: 0, next_search_after: [] } }
const newStore = (store_name: string, more: object = {}): Input<'createStore'> =>
  parseInput('createStore', { store_name, ...more })

describe('what is sent', () => {
  test('every endpoint has its method, path, headers and JSON, and nothing else', async () => {
    const { url, seen } = await serve(({ path }, response) =>
      json(response, path.includes('order') ? made : path.endsWith('rates') ? { status: 'SUCCESS', result: { serviceable_couriers: [] } } : /shipments|returns/.test(path) ? empty : { data: path.endsWith('stores') ? [] : store('a') }),
    ) // prettier-ignore
    const { service } = client(`${url}/prefix/`)
    await service.listStores({})
    await service.getStore({ id: 'a/b ü' })
    await service.updateStore({ id: 'x', brand_name: null })
    await service.createForwardOrder(order)
    await service.orchestrateForwardOrder(order, { idempotency_key: 'mine' })
    await service.getRates(parcel)
    await service.listShipments({ status: 'delivered', zone: ['zone_a'], sku: [], search: '  ', page: 2, per_page: 50 })
    await service.listReturns(
      parseInput('listReturns', { created_at__gte: '2026-10-01', created_at__lte: '2026-10-01' }),
    )
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /prefix/custom/api/v1/client-stores',
      'GET /prefix/custom/api/v1/client-stores/a%2Fb%20%C3%BC',
      'PUT /prefix/custom/api/v1/client-stores/x',
      'POST /prefix/custom/api/v1/forward-order',
      'POST /prefix/custom/api/v1/forward-order-orchestration',
      'POST /prefix/custom/api/v1/rates',
      'POST /prefix/custom/api/v1/shipments',
      'POST /prefix/custom/api/v1/returns',
    ])
    expect(seen.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([
      undefined,
      undefined,
      undefined,
      'uuid-1',
      'mine',
      undefined,
      undefined,
      undefined,
    ])
    expect(seen.map(({ headers }) => headers['content-type'])).toEqual([
      undefined,
      undefined,
      ...Array.from({ length: 6 }, () => 'application/json'),
    ])
    expect(JSON.parse(seen[2]!.text)).toEqual({ brand_name: null })
    expect(JSON.parse(seen[6]!.text)).toEqual({ status: 'delivered', zone: ['zone_a'], page: 2, per_page: 50 })
    // Bare dates are days in IST, whatever another deployment would take them for.
    expect(JSON.parse(seen[7]!.text)).toEqual({
      created_at__gte: '2026-09-30T18:30:00.000Z',
      created_at__lte: '2026-10-01T18:29:59.999Z',
    })
  })

  test('a base URL that holds the base path already is not given it twice', async () => {
    const { url, seen } = await serve((_, response) => json(response, { data: [] }))
    await client(`${url}${base}/`).service.listStores({})
    expect(seen[0]!.path).toBe(`${base}/client-stores`)
  })

  test('a logo goes as a form, and null as JSON', async () => {
    const { url, seen } = await serve((_, response) => json(response, { data: store('acme') }, 201))
    const { service, traced } = client(url)
    await service.createStore(newStore('acme', { brand_name: 'Ämé', logo: { bytes: png(), name: 'lögo "1".png' } }))
    await service.updateStore(
      parseInput('updateStore', { id: 'x', brand_name: null, logo: { bytes: png(), name: 'l.png' } }),
    )
    await service.updateStore(parseInput('updateStore', { id: 'x', logo: null }))
    expect(seen[0]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(seen[0]!.headers['idempotency-key']).toBe('uuid-1')
    const text = Buffer.from(seen[0]!.text, 'latin1').toString()
    expect(text).toContain('name="store_name"\r\n\r\nacme\r\n')
    expect(text).toContain('name="brand_name"\r\n\r\nÄmé\r\n')
    expect(text).toMatch(/name="logo"; filename="lögo %221%22\.png"\r\nContent-Type: image\/png/i)
    expect(seen[0]!.text).toContain(Buffer.from(png()).toString('latin1'))
    expect(seen[1]!.text).toContain('name="brand_name"\r\n\r\n\r\n')
    expect(JSON.parse(seen[2]!.text)).toEqual({ logo: null })
    expect(traced[0]!.request_form).toMatchObject({
      store_name: 'acme',
      logo: expect.stringMatching(/^@lögo "1"\.png \(\d+ bytes\)$/) as string,
    })
  })

  test('the trace has the exchange and never the key', async () => {
    const { url } = await serve((_, response) =>
      json(response, { data: [], echo: `Bearer ${key}`, more: 'x'.repeat(3000) }, 200, { 'x-echo': key }),
    )
    const { service, traced } = client(url)
    await service.listStores({})
    const bare = client(url, { scheme: 'bare' })
    await bare.service.listStores({})
    expect(traced[0]).toMatchObject({
      method: 'GET',
      url: `${url}${base}/client-stores`,
      status: 200,
      attempt: 1,
      error: undefined,
    })
    expect(traced[0]!.request_headers['authorization']).toBe('Bearer <redacted>')
    expect(bare.traced[0]!.request_headers['authorization']).toBe('<redacted>')
    expect(traced[0]!.answer_text.length).toBeLessThanOrEqual(2000)
    expect(JSON.stringify([traced, bare.traced])).not.toContain(key)
  })

  test('replays and quote facts are told', async () => {
    const facts = { 'shipx-quote': 'card=sample%20card; gst_percent=18; refused=2' }
    const { url } = await serve(({ path }, response) =>
      path.endsWith('rates')
        ? json(response, { status: 'SUCCESS', result: { serviceable_couriers: [] } }, 200, facts)
        : json(response, made, 200, { 'idempotency-replayed': 'true' }),
    )
    const { service } = client(url)
    const told: unknown[] = []
    await service.createForwardOrder(order, { idempotency_key: 'k', onReplay: () => told.push('replay') })
    await service.getRates(parcel, { onQuote: (quote) => told.push(quote) })
    expect(told).toEqual(['replay', { card: 'sample card', gst_percent: 18, refused: 2 }])
  })
})

describe('where a key may go', () => {
  test.each([
    ['http to another machine', 'http://api.example.com'],
    ['http to all addresses', 'http://0.0.0.0:1'],
    ['http to a name that begins like this machine', 'http://localhost.example.com'],
    ['http to an address that begins like this machine', 'http://127.0.0.1.example.com'],
    ['http to a mapped address', 'http://[::ffff:127.0.0.1]'],
    ['userinfo', 'https://user:secret@api.example.com'],
    ['an empty userinfo', 'https://@api.example.com'],
    ['a host behind userinfo', 'http://127.0.0.1@evil.example.com'],
    ['a query', 'https://api.example.com/?a=1'],
    ['a fragment', 'https://api.example.com/#a'],
    ['a backslash', 'https://api.example.com\\@evil.example.com'],
    ['a line break', 'https://api.example.com\n.evil.example.com'],
    ['another scheme', 'ftp://api.example.com'],
    ['no scheme', 'api.example.com'],
    ['nothing', ''],
  ])('%s is refused before anything is sent', (_, base_url) => {
    expect(() => client(base_url)).toThrow(expect.objectContaining({ code: 'invalid_input' }) as Error)
  })

  test.each(['https://api.example.com', 'http://localhost:1', 'http://127.9.9.9:1', 'http://[::1]:1/x//'])(
    '%s may be used',
    (base_url) => expect(() => client(base_url)).not.toThrow(),
  )

  test.each(['short', 'with a space in it', 'ümlaut-in-it', 'line\r\nbreak: x', 'x'.repeat(513), ''])(
    'the key %j is refused, and the error does not show it',
    (bad) => {
      let error: unknown
      try {
        client('https://api.example.com', { key: bad })
      } catch (caught) {
        error = caught
      }
      expect(error).toMatchObject({ code: 'invalid_input' })
      if (bad !== '') expect((error as Error).message).not.toContain(bad)
    },
  )

  test.each(['', '.', '..', '\ud800'])('the id %j is no path', async (id) => {
    expect((await failure(client('http://127.0.0.1:1').service.getStore({ id }))).code).toBe('invalid_input')
  })

  test.each(['ü', 'a b', '', 'x'.repeat(256)])('the idempotency key %j is refused', async (idempotency_key) => {
    const { service } = client('http://127.0.0.1:1')
    expect((await failure(service.createForwardOrder(order, { idempotency_key }))).code).toBe('invalid_input')
  })

  test.each([301, 302, 303, 307, 308])(
    'a %i to another origin is not followed, and its host is named',
    async (code) => {
      const other = await serve((_, response) => json(response, { data: [] }))
      const target = new URL(other.url)
      target.username = 'user'
      target.password = 'secret'
      const { url, seen } = await serve((_, response) =>
        response.writeHead(code, { location: `${target.href}x?y` }).end(),
      )
      const error = await failure(client(url).service.listStores({}))
      expect(error.code).toBe('bad_answer')
      expect(error.message).toContain(other.url)
      expect(error.message).not.toMatch(/secret|user/)
      expect([seen.length, other.seen.length]).toEqual([1, 0])
    },
  )

  test('a read follows a redirect on its origin, with its method and body, three times at most', async () => {
    const { url, seen } = await serve(({ path }, response) =>
      path.startsWith('/new') ? json(response, empty) : response.writeHead(308, { location: `/new${path}` }).end(),
    )
    expect(await client(url).service.listShipments({})).toMatchObject({ records: [] })
    expect(seen.map(({ method, path, text }) => [method, path, text])).toEqual([
      ['POST', `${base}/shipments`, '{}'],
      ['POST', `/new${base}/shipments`, '{}'],
    ])
    const loop = await serve((_, response) => response.writeHead(302, { location: '/round' }).end())
    expect((await failure(client(loop.url).service.listStores({}))).code).toBe('bad_answer')
    expect(loop.seen).toHaveLength(4)
  })

  test('a write follows none, and an order that was answered with See Other may exist', async () => {
    const { url, seen } = await serve(({ path }, response) =>
      path.endsWith('stores') ? json(response, { data: [] }) : response.writeHead(303, { location: '/done' }).end(),
    )
    expect((await failure(client(url).service.createForwardOrder(order))).code).toBe('unknown_outcome')
    expect((await failure(client(url).service.updateStore({ id: 'x' }))).code).toBe('unknown_outcome')
    expect(seen.some(({ path }) => path === '/done')).toBe(false)
    const moved = await serve((_, response) => response.writeHead(307, { location: '/done' }).end())
    expect((await failure(client(moved.url).service.createForwardOrder(order))).code).toBe('bad_answer')
    expect(moved.seen).toHaveLength(1)
  })

  test('no proxy is asked about this machine, and one that is asked sees no key', async () => {
    const heard: string[] = []
    const proxy = createTcpServer((socket) =>
      socket.on('data', (bytes) => {
        heard.push(bytes.toString())
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      }),
    )
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    closers.push(() => void proxy.close())
    const named = `http://user:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const env = { http_proxy: named, https_proxy: named, HTTPS_PROXY: named }
    const { url } = await serve((_, response) => json(response, { data: [] }))
    await client(url, { env }).service.listStores({})
    expect(heard).toEqual([])
    const error = await failure(client('https://api.example.com', { env }).service.listStores({}))
    expect(error).toMatchObject({ code: 'unavailable', hint: 'check https_proxy and no_proxy' })
    expect(error.message).toMatch(/proxy .* did not connect/)
    expect(error.message).not.toContain('secret')
    expect(heard.join()).toContain('CONNECT api.example.com:443')
    expect(heard.join()).not.toContain(key)
    heard.splice(0)
    await failure(
      client('https://api.invalid', { env: { ...env, no_proxy: '.example.com,api.invalid' } }).service.listStores({}),
    )
    expect(heard).toEqual([])
  })
})

describe('signing in', () => {
  test.each(['either', 'bare'] as const)('finds out which form a service takes: %s', async (authorization) => {
    const there = await standIn({ authorization })
    const { scheme, capabilities } = await signIn(settings(there))
    expect([scheme, capabilities.size]).toEqual([authorization === 'bare' ? 'bare' : 'bearer', 0])
  })

  test('a key that is not taken is unauthorized, and one without access is forbidden', async () => {
    const there = await standIn()
    const error = await failure(signIn({ ...settings(there), key: 'another-key' }))
    expect([error.code, error.hint]).toEqual(['unauthorized', 'shipx auth login'])
    there.switches.authorization = 'closed'
    const closed = await failure(signIn(settings(there)))
    expect([closed.code, closed.message]).toEqual(['forbidden', 'API access is not enabled for your account'])
  })

  test('what the service announces is given, and 401 later says how to go on', async () => {
    const { url } = await serve((_, response, n) =>
      n === 1 ? json(response, { data: [] }, 200, capable) : json(response, { status: 'ERROR', message: 'no' }, 401),
    )
    const { service } = client(url)
    expect(service.capabilities()).toBeUndefined()
    await service.listStores({})
    expect([...service.capabilities()!]).toEqual(['idempotency', 'search_after', 'extra_filters'])
    expect(await failure(service.listStores({}))).toMatchObject({ code: 'unauthorized', hint: 'shipx auth login' })
  })
})

describe('a deployment that is not ours', () => {
  test('stores come in data or bare, and refusals with 200 are refusals', async () => {
    for (const stores of ['data', 'bare'] as const) {
      const there = await standIn({ stores })
      const { service } = of(there)
      const { data } = await service.createStore(newStore('acme', { brand_name: 'Acme' }))
      expect(data).toMatchObject({ store_name: 'acme', brand_name: 'Acme', is_default: false })
      expect((await service.listStores({})).data.map(({ store_name }) => store_name)).toContain('acme')
      expect((await service.updateStore({ id: data.id, store_name: 'acme-2' })).data.store_name).toBe('acme-2')
      expect((await service.getStore({ id: data.id })).data.store_name).toBe('acme-2')
      for (const refusals of ['with 200', 'with status'] as const) {
        there.switches.refusals = refusals
        const error = await failure(service.getStore({ id: 'nope' }))
        expect([error.code, error.status, error.message]).toEqual(['not_found', 404, 'Store not found'])
      }
      expect((await failure(service.createStore(newStore('acme-2')))).code).toBe('store_name_taken')
    }
  })

  test('quotes are given as they were sent, and read as offers', async () => {
    const there = await standIn()
    const { service } = of(there)
    const answer = await service.getRates(parcel)
    expect(answer).toEqual(JSON.parse(there.answers.at(-1)!))
    const offers = answer.result.serviceable_couriers.map(readOffer)
    expect(offers.filter(({ offered }) => !offered)).toEqual([expect.objectContaining({ carrier_id: 'CARZZNOTTODAY' })])
    const air = offers.find(({ service_level }) => service_level === 'air')!
    expect(air).toMatchObject({
      offered: true,
      carrier_code: undefined,
      pickup: '2026-10-02',
      delivery: '2026-10-05',
      is_fast: undefined,
    })
    expect(air.charges).toMatchObject({ qc_charges: 10, forward_freight_charges: undefined })
    expect(readQuoteZone(answer.result.shipment_details)).toBe('zone_c')
    there.switches.offers = 'none'
    expect((await service.getRates(parcel)).result.serviceable_couriers).toEqual([])
    const unknown = { ...parcel, origin_pincode: '400013' }
    for (const refusals of ['with 200', 'with status'] as const) {
      there.switches.refusals = refusals
      const error = await failure(service.getRates(unknown))
      expect([error.code, error.message]).toEqual(['rejected', 'Invalid pincode'])
    }
  })

  test.each([
    ['{"status":"ERROR","message":"Invalid pincode"}', 'rejected'],
    ['{"status":"PENDING","result":{"serviceable_couriers":[]},"message":"wait"}', 'rejected'],
    ['{"status":"SUCCESS","result":{}}', 'bad_answer'],
    ['{"status":"SUCCESS","result":null}', 'bad_answer'],
    ['{"status":"SUCCESS","result":{"serviceable_couriers":[1]}}', 'bad_answer'],
    ['{"result":{"shipment_details":{}}}', 'bad_answer'],
    ['[]', 'bad_answer'],
  ])('the quote %s is %s', async (body, code) => {
    const { url } = await serve((_, response) => json(response, body))
    expect((await failure(client(url).service.getRates(parcel))).code).toBe(code)
  })

  test('a quote that is nested too deep to be printed is no answer', async () => {
    const deep = `${'['.repeat(9999)}${']'.repeat(9999)}`
    const { url } = await serve((_, response) =>
      json(response, `{"status":"SUCCESS","result":{"serviceable_couriers":[{"x":${deep}}]}}`),
    )
    expect((await failure(client(url).service.getRates(parcel))).message).toContain('nested too deep')
  })

  test('no list of couriers beside the rest of a quote is no courier', async () => {
    const { url } = await serve((_, response) =>
      json(response, '{"status":"SUCCESS","result":{"shipment_details":{"zone":"C"}}}'),
    )
    expect((await client(url).service.getRates(parcel)).result.serviceable_couriers).toEqual([])
  })

  test('orders with and without a courier, and every refusal', async () => {
    const there = await standIn()
    const { service } = of(there)
    expect((await service.createForwardOrder(order)).payload).toMatchObject({ order_created: 1, awb_generated: 0 })
    there.switches.courier = 'none'
    const unassigned = await service.orchestrateForwardOrder({ ...order, order_id: 'A-2' })
    expect(unassigned.payload).toMatchObject({
      order_created: 1,
      awb_generated: 0,
      error_message: 'No courier is serviceable for this shipment',
    })
    for (const refusals of ['with 200', 'with status'] as const) {
      there.switches.refusals = refusals
      expect((await failure(service.createForwardOrder(order))).code).toBe('duplicate_order')
    }
    expect((await failure(service.createForwardOrder({ ...order, order_id: 'A-3', store_name: 'nobody' }))).code).toBe(
      'unknown_store',
    )
    expect([...there.created.values()]).toEqual([1, 1])
  })

  test('meta is read from text, from nothing, and keeps what is not known', async () => {
    const there = await standIn({ shipments: 5 })
    const { records, meta } = await of(there).service.listShipments({ per_page: 3, page: 1 })
    expect(records).toHaveLength(3)
    expect(records[0]).toContain('"partner_reference":90071992547409931234')
    expect(meta).toEqual({ current_page: 1, per_page: 3, total: 5, last_page: 2, next_search_after: [] })
    for (const body of ['{"data":[{"id":1}]}', '[{"id":1}]', '{"data":[{"id":1}],"meta":{"total":"x","per_page":null,"next_search_after":["1"]}}']) {
      const { url } = await serve((_, response) => json(response, body))
      expect(await client(url).service.listShipments({ page: 3, per_page: 10 })).toMatchObject({
        records: ['{"id":1}'],
        meta: { current_page: 3, per_page: 10, total: 21, next_search_after: [] },
      })
    } // prettier-ignore
  })

  test('a success that shows no store is looked up', async () => {
    const { url } = await serve(({ method, path }, response) =>
      method === 'GET'
        ? json(response, path.endsWith('stores') ? [store('acme')] : store('acme'))
        : method === 'PUT' ? response.writeHead(204).end() : json(response, { status: 'SUCCESS' }),
    ) // prettier-ignore
    const { service } = client(url)
    expect((await service.updateStore({ id: 'x', brand_name: '' })).data.store_name).toBe('acme')
    expect((await service.createStore(newStore('acme'))).data.store_name).toBe('acme')
  })
})

describe('records', () => {
  test('are text as it was sent, on one line', async () => {
    const sent =
      '{ "data" :\r\n[ {"id": "a", "n": 12345678901234567890, "f": 1.0, "e": 1E5, "z": -0.0,\n\t"u": "\\u00e9 \\ud83d\\ude00 \\/ \\" \\\\", "s": "a  b\\n { [ ] } , " , "deep": [ 1 , { } , [ ] ] } , {"id":"b"}\n] , "meta": {"data": [9]} }'
    const { url } = await serve((_, response) => json(response, sent))
    const { records } = await client(url).service.listShipments({})
    expect(records).toEqual([
      '{"id":"a","n":12345678901234567890,"f":1.0,"e":1E5,"z":-0.0,"u":"\\u00e9 \\ud83d\\ude00 \\/ \\" \\\\","s":"a  b\\n { [ ] } , ","deep":[1,{},[]]}',
      '{"id":"b"}',
    ])
  })

  test.each([
    ['[]', []],
    ['[ ]', []],
    ['{"data":[]}', []],
    ['{"data":[1,"a]",null,true]}', ['1', '"a]"', 'null', 'true']],
    ['{"data":{"data":[1]}}', undefined],
    ['{"meta":{"data":[1]},"x":"\\"data\\":[2]"}', undefined],
    ['{"d\\u0061ta":[1]}', ['1']],
    ['{"data":[1],"data":[2]}', ['2']],
    ['{"data":[1],"data":null}', undefined],
    ['{"a":1.5,"b":"\\\\","data":[[1],{"a":[]}],"c":false}', ['[1]', '{"a":[]}']],
    ['"data"', undefined],
    ['7', undefined],
  ])('of %s are %j', (text, records) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow()
    expect(cutRecords(text)).toEqual(records)
  })

  test('are cut in linear time, and never deeper than an answer is', () => {
    const began = performance.now()
    const wide = `{"data":[${Array.from({ length: 100_000 }, (_, n) => `{"id":"${n}","s":"\\\\\\""}`).join(' , ')}]}`
    expect(cutRecords(wide)).toHaveLength(100_000)
    expect(cutRecords(`{"data":["${'\\\\'.repeat(500_000)}"]}`)![0]).toHaveLength(1_000_002)
    expect(performance.now() - began).toBeLessThan(2000)
    expect(() => cutRecords(`{"data":[${'['.repeat(1000)}${']'.repeat(1000)}]}`)).toThrow(RangeError)
  })

  test('of a page in the form of our own service are the same, however they were cut, and broken ones are none', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('},{"id":"', '],"meta":{', '"}', '\n'))
    const nested = fc.array(fc.record({ id: text, n: fc.double() }), { maxLength: 3 })
    const record = fc.record({ id: text, name: text, items: nested, more: fc.jsonValue() })
    const page = fc.record({
      data: fc.array(record, { minLength: 1, maxLength: 5 }),
      meta: fc.dictionary(text, fc.jsonValue()),
    })
    let [cut, broken] = [0, 0]
    fc.assert(
      fc.property(
        page,
        fc.nat(),
        fc.constantFrom('', '"', '}', ']', ',', '{', '],"meta":{', '},{"id":"'),
        (value, at, noise) => {
          const sent = JSON.stringify(value)
          const found = cutPage(Buffer.from(sent))
          if (found !== undefined) {
            cut++
            expect(found).toMatchObject({ records: cutRecords(sent), json: JSON.parse(sent) })
            expect(Buffer.from(found.lines).toString().split('\n')).toEqual(found.records)
          }
          const place = at % sent.length
          const wrong = sent.slice(0, place) + noise + sent.slice(place + (noise === '' ? 1 : 0))
          const other = cutPage(Buffer.from(wrong))
          if (other === undefined) return
          broken++
          expect(other).toMatchObject({ records: cutRecords(wrong), json: JSON.parse(wrong) })
        },
      ),
      { numRuns: runs(300, 3000) },
    )
    expect(cut).toBeGreaterThan(runs(20, 300))
    expect(broken).toBeGreaterThan(runs(0, 30))
    const deep = `{"data":[{"id":"1","d":${'['.repeat(5000)}${']'.repeat(5000)}}],"meta":{}}`
    expect(cutPage(Buffer.from(deep))).toBeUndefined()
  })

  test('a text that breaks off is told from one that is wrong', () => {
    for (const text of ['{"data":[', '{"a":"b', '{"a":"b\\"', '[1,{"a":']) expect(outline(text).cut).toBe(true)
    for (const text of ['{"a":NaN}', 'hello', '{}', '{"a":"]"}']) expect(outline(text).cut).toBe(false)
  })
})

describe('answers that are none', () => {
  const page = '{"data":[{"id":"a","attributes":{"name":"Zoë"}}],"meta":{"current_page":1,"per_page":20,"total":1}}'

  test('a page cut at any byte is never taken for a whole one, and whole it is', async () => {
    const bad = await startBadServer()
    closers.push(() => bad.close())
    const { service } = client(bad.url, { sleep: async () => undefined })
    for (const framing of ['length', 'chunked', 'until close'] as const) {
      const answer = framed(framing)
      const places = [
        0,
        1,
        12,
        40,
        90,
        110,
        130,
        500,
        1500,
        2900,
        answer.length - 200,
        answer.length - 7,
        answer.length - 6,
        answer.length - 1,
      ]
      for (const at of places) {
        bad.play = cutAt(answer, at)
        const error = await failure(service.listShipments({}))
        expect(['unavailable', 'bad_answer'], `${framing} at ${at}: ${error.message}`).toContain(error.code)
      }
      bad.play = cutAt(answer, answer.length)
      expect((await service.listShipments({})).records).toHaveLength(12)
    }
  })

  test('a cut read is sent again, four times in all', async () => {
    const { url, seen } = await serve((_, response, n) => {
      if (n === 4) return json(response, page)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(page.length + 1) })
      response.write(page.slice(0, 40))
      return setTimeout(() => response.destroy(), 5)
    })
    const { service, slept } = client(url)
    expect((await service.listShipments({})).records).toHaveLength(1)
    expect(seen).toHaveLength(4)
    expect(slept).toEqual([250, 500, 1000])
  })

  test.each(badAnswers.filter(({ ends }) => ends).map((bad) => [bad.name, bad] as const))(
    '%s',
    async (_, { play, reads }) => {
      const bad = await startBadServer(play)
      closers.push(() => bad.close())
      const { service } = client(bad.url, { sleep: async () => undefined })
      const outcome = await service.listShipments({}).catch((error: unknown) => error)
      if (reads === 'error') expect(outcome).toBeInstanceOf(ShipxError)
      if (outcome instanceof ShipxError) expect((await failure(Promise.reject(outcome))).exit).toBeOneOf([4, 5, 6])
      else expect(Array.isArray((outcome as { records: unknown }).records)).toBe(true)
      expect(bad.hits()).toBeLessThanOrEqual(4)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )

  test.each(badAnswers.filter(({ ends }) => !ends).map((bad) => [bad.name, bad] as const))(
    '%s ends by a time limit',
    async (_, { play }) => {
      const bad = await startBadServer(play)
      closers.push(() => bad.close())
      const { service } = client(bad.url, {
        timeouts: { connect: 200, headers: 300, body: 300, attempt: 500 },
        sleep: async () => undefined,
      })
      const began = performance.now()
      const error = await failure(service.listShipments({}))
      expect([error.code, error.hint]).toEqual(['unavailable', 'shipx auth status'])
      // Time limits that run out add up: no second try after a whole one.
      expect(performance.now() - began).toBeLessThan(2200)
    },
  )

  test('SHIPX_TIMEOUT stands for the limit of one try', async () => {
    const bad = await startBadServer(async ({ pause }) => void (await pause(3000)))
    closers.push(() => bad.close())
    const began = performance.now()
    const error = await failure(client(bad.url, { timeout_ms: 200 }).service.listStores({}))
    expect(error.message).toMatch(/^(?:no answer from )?http:\/\/127\.0\.0\.1:\d+ (?:was not done .*|)within 0\.2 s$/)
    expect(performance.now() - began).toBeLessThan(1000)
  })

  test.each([
    ['gzip', gzipSync(page)],
    ['x-gzip', gzipSync(page)],
    ['br', brotliCompressSync(page)],
    ['identity', Buffer.from(page)],
  ])('an answer in %s is read', async (coding, bytes) => {
    const { url } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding }).end(bytes),
    )
    expect((await client(url).service.listShipments({})).records[0]).toContain('Zoë')
  })

  test('a bomb is given up at 20 MB', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, ' '))
    const raw = deflateRawSync(Buffer.alloc(10))
    expect(raw.length).toBeLessThan(bomb.length)
    const { url, seen } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
    )
    const error = await failure(client(url).service.listShipments({}))
    expect([error.code, seen.length]).toEqual(['bad_answer', 1])
    expect(error.message).toContain('more than 20 MB')
  })

  test('messages say what to do', async () => {
    const html = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hotel</html>'),
    )
    expect(await failure(client(html.url).service.listStores({}))).toMatchObject({
      code: 'bad_answer',
      exit: 6,
      hint: 'shipx auth status',
      message: `${html.url} answered with an HTML page, probably a proxy, a sign-in page or a wrong address`,
    })
    const gone = await serve(() => undefined)
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    expect((await failure(client(`http://127.0.0.1:${port}`).service.listStores({}))).message).toBe(
      `cannot reach http://127.0.0.1:${port} (connection refused)`,
    )
    const name = await failure(client('https://nowhere.invalid').service.listStores({}))
    expect(name.message).toMatch(
      /^cannot reach https:\/\/nowhere\.invalid \((?:there is no such host|the name cannot be looked up now|no network)\)$/,
    )
    // A plain server under an https address.
    const tls = await failure(client(gone.url.replace('http:', 'https:')).service.listStores({}))
    expect(tls).toMatchObject({ code: 'unavailable' })
    expect(tls.message).toContain('cannot speak TLS')
    const stack = await serve((_, response) =>
      json(response, { message: `Boom ${key}\n    at Object.<anonymous> (/srv/x.js:1:1)` }, 400),
    )
    expect((await failure(client(stack.url).service.listStores({}))).message).toBe('Boom <redacted>')
  })

  test('a certificate that is not trusted names the way out, and SHIPX_CA_FILE adds to the built-in ones', async () => {
    const server = createSecureServer({ key: privateKey, cert: certificate }, (_, response) =>
      json(response, { data: [] }),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const url = `https://127.0.0.1:${port}`
    // Through a proxy, which is told a name and sees what is encrypted.
    const through: Buffer[] = []
    const proxy = createTcpServer((socket) =>
      socket.once('data', (bytes) => {
        through.push(bytes)
        const upstream = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
        socket.on('data', (more) => through.push(more) && upstream.write(more)).on('error', () => upstream.destroy())
        upstream.pipe(socket).on('error', () => undefined)
      }),
    )
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    closers.push(() => void proxy.close())
    const env = { https_proxy: `127.0.0.1:${(proxy.address() as AddressInfo).port}` }
    const behind = client('https://api.example.com', { ca: certificate, env })
    expect((await behind.service.listStores({})).data).toEqual([])
    expect(Buffer.concat(through).toString('latin1')).toMatch(/^CONNECT api\.example\.com:443 /)
    expect(Buffer.concat(through).toString('latin1')).not.toContain(key)
    await behind.service.close()
    const error = await failure(client(url).service.createForwardOrder(order))
    expect([error.code, error.hint]).toEqual(['unavailable', 'SHIPX_CA_FILE=/path/to/authority.pem'])
    expect(error.message).toMatch(/^cannot trust https:.* \(its certificate is signed by itself\); .*SHIPX_CA_FILE/)
    expect((await client(url, { ca: certificate }).service.listStores({})).data).toEqual([])
    // For another name it is not trusted even so.
    const other = await failure(client(`https://localhost:${port}`, { ca: certificate }).service.listStores({}))
    expect(other.message).toContain('its certificate is for another name')
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      expect((await failure(client(url).service.listStores({}))).message).toContain('cannot trust')
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    }
    expect(() => client('https://api.example.com', { ca: 'nothing' })).toThrow(/no certificate/)
    const broken = '-----BEGIN CERTIFICATE-----\nabcd\n-----END CERTIFICATE-----'
    expect(() => client('https://api.example.com', { ca: broken })).toThrow(/cannot be read/)
  })
})

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

  test('Retry-After is never undercut, and one beyond the patience ends it at once', async () => {
    let asked = '3'
    const { url, seen } = await serve((_, response) => json(response, {}, 429, { 'retry-after': asked }))
    const first = client(url, { random: () => 0 })
    const error = await failure(first.service.listStores({}))
    expect([error.code, error.retry_after_ms, seen.length]).toEqual(['rate_limited', 3000, 4])
    expect(first.slept.every((ms) => ms >= 3000)).toBe(true)
    for (const [text, patience_ms, tries] of [['121', undefined, 1], ['121', 600_000, 4], ['601', 600_000, 1], ['50', undefined, 3]] as const) {
      asked = text
      seen.splice(0)
      const { service } = client(url, patience_ms === undefined ? {} : { patience_ms })
      const given = await failure(service.listStores({}))
      expect([given.code, given.retry_after_ms, seen.length]).toEqual(['rate_limited', Number(text) * 1000, tries])
      expect(given.hint).toBe(`try again in ${text} s`)
    } // prettier-ignore
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
    const { url, seen } = await serve((_, response, n) => (n < 3 ? json(response, {}, 429) : json(response, made)))
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
      const { service } = of(there, { timeouts: { connect: 300, headers: 300, body: 300, attempt: 500 } })
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
        : n === 1 ? response.destroy() : n === 3 ? json(response, 'oops') : json(response, made, 200, { ...capable, 'idempotency-replayed': 'true' }),
    ) // prettier-ignore
    let replays = 0
    const answer = await client(url).service.createForwardOrder(order, { onReplay: () => replays++ })
    expect(answer).toEqual(made)
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
        : json(response, made, 200, { 'idempotency-replayed': 'true' }),
    )
    let replays = 0
    await client(url).service.createForwardOrder(order, { idempotency_key: 'k', onReplay: () => replays++ })
    expect(replays).toBe(1)
  })

  test('an error page of something in between does not take the announcement back', async () => {
    const { url, seen } = await serve((_, response, n) =>
      n === 1
        ? json(response, { data: [] }, 200, capable)
        : n === 2 ? json(response, { message: 'Bad gateway' }, 502) : json(response, made),
    ) // prettier-ignore
    const { service } = client(url)
    await service.listStores({})
    await service.createForwardOrder(order)
    expect(seen).toHaveLength(3)
  })
})

describe('a store is created once, by its name', () => {
  test('a lost answer is looked up and said', async () => {
    const there = await standIn({ trouble: ({ method }) => (method === 'POST' ? { kind: 'lost' } : undefined) })
    const { service, warned } = of(there)
    expect((await service.createStore(newStore('acme', { brand_name: 'Acme' }))).data.store_name).toBe('acme')
    expect(there.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET'])
    expect(warned).toEqual([expect.stringContaining('a store with this name is there')])
  })

  test('a request that was lost on the way is sent again', async () => {
    const there = await standIn({
      trouble: ({ method }, n) => (method === 'POST' && n === 1 ? { kind: 'reset' } : undefined),
    })
    const { service } = of(there)
    expect((await service.createStore(newStore('acme'))).data.store_name).toBe('acme')
    expect(there.requests.filter(({ method }) => method === 'POST')).toHaveLength(2)
    expect(there.stores().filter(({ store_name }) => store_name === 'acme')).toHaveLength(1)
  })

  test('a name that is taken on a second try is the first try, unless the brand is another', async () => {
    let brand: string | null = null
    let gets = 0
    const { url } = await serve(({ method }, response, n) =>
      method === 'GET'
        // The store shows up only after the second creation.
        ? json(response, { data: ++gets > 2 ? [store('acme', { brand_name: brand })] : [] })
        : n === 1 ? response.destroy() : json(response, { errors: ['Store name has already been taken'] }, 422),
    ) // prettier-ignore
    expect((await client(url).service.createStore(newStore('acme'))).data.store_name).toBe('acme')
    brand = 'Somebody else'
    const other = await serve(({ method }, response, n) =>
      method === 'GET'
        ? json(response, { data: [store('acme', { brand_name: brand })] })
        : n === 1 ? response.destroy() : json(response, { errors: ['Store name has already been taken'] }, 422),
    ) // prettier-ignore
    expect((await failure(client(other.url).service.createStore(newStore('acme')))).code).toBe('store_name_taken')
  })

  test('a name that is taken on the first try is taken', async () => {
    const there = await standIn()
    expect((await failure(of(there).service.createStore(newStore('Bare-Soap')))).code).toBe('store_name_taken')
    expect(there.requests).toHaveLength(1)
  })

  test('with idempotency the key is sent again, and nothing is looked up', async () => {
    const { url, seen } = await serve(({ method }, response, n) =>
      method === 'GET'
        ? json(response, { data: [] }, 200, capable)
        : n === 1 ? response.destroy() : json(response, { data: store('acme') }, 201, capable),
    ) // prettier-ignore
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

describe('filters and cursors that a service does not know', () => {
  test('store_name is refused, after one cheap read', async () => {
    const there = await standIn()
    const { service } = of(there)
    for (const call of [service.listShipments, service.walkShipments]) {
      const error = await failure(call(parseInput('listShipments', { store_name: 'x' })))
      expect([error.code, error.details[0]!.field, error.exit]).toEqual(['not_supported', 'store_name', 2])
    }
    expect(there.requests.map(({ path }) => path)).toEqual(['/client-stores'])
    await service.listShipments({ store_name: [] })
    await service.listReturns(parseInput('listReturns', { store_name: 'x' }))
  })

  test('a cursor is refused where the service would give the first page again', async () => {
    const there = await standIn()
    const error = await failure(of(there).service.listShipments({ search_after: ['1', 'a'] }))
    expect([error.code, error.details[0]!.field]).toEqual(['not_supported', 'search_after'])
  })

  test('both go where they are announced', async () => {
    const { url, seen } = await serve(({ method }, response) =>
      json(response, method === 'GET' ? { data: [] } : empty, 200, capable),
    )
    const { service } = client(url)
    await service.listShipments({ store_name: ['x'], next_search_after: ['1', 'a'] })
    expect(JSON.parse(seen[1]!.text)).toEqual({ store_name: ['x'], search_after: ['1', 'a'] })
  })
})

describe('walks', () => {
  const read = async (walk: { readonly batches: AsyncIterable<{ readonly records: readonly string[]; readonly next: unknown }> }) => {
    const [ids, nexts]: [string[], unknown[]] = [[], []]
    for await (const { records, next } of walk.batches) {
      ids.push(...records.map((record) => (JSON.parse(record) as { id: string }).id))
      nexts.push(next)
    }
    return { ids, nexts }
  } // prettier-ignore

  test('by page: a fixed end, every record once, no cursor', async () => {
    const there = await standIn({ shipments: 257, returns: 120 })
    const { service, warned } = of(there)
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
    const { service, warned } = of(there)
    const { ids } = await read(await service.walkShipments({}))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(250)
    expect(warned).toEqual([expect.stringMatching(/^the total moved from 250 to 25\d while pages were read; /)])
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

  test('by cursor: pairs as sent, no end in time, the next page on its way', async () => {
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
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect(seen).toHaveLength(3)
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

describe('offers', () => {
  test('of our own service', () => {
    expect(
      readOffer({
        carrier_id: 'C',
        carrier_name: 'N',
        carrier_code: 'c',
        service_level: 'express',
        is_fast: true,
        is_prime: false,
        status: 'active',
        expected_delivery: { pickup: '2026-10-02', delivery: '2026-10-03' },
        charges: { forward_freight_charges: 36, cod_charges: '0', rto_charges: '26.50', total_forward_charges: 36 },
        platform_fee: '5.00',
      }),
    ).toEqual({
      carrier_id: 'C',
      carrier_name: 'N',
      carrier_code: 'c',
      service_level: 'express',
      is_fast: true,
      is_prime: false,
      offered: true,
      pickup: '2026-10-02',
      delivery: '2026-10-03',
      charges: {
        forward_freight_charges: 36,
        cod_charges: 0,
        rto_charges: 26.5,
        total_forward_charges: 36,
        return_freight_charges: undefined,
        qc_charges: undefined,
        total_return_charges: undefined,
      },
      platform_fee: 5,
      price: { total: 3600, fee: 500 },
    })
  })

  test.each([
    ['2026-10-02', '2026-10-02'],
    [{ datetime: '2026-10-02T12:00:00.000+05:30', human_readable: '' }, '2026-10-02'],
    [{ datetime: '2026-10-02T19:00:00.000Z' }, '2026-10-03'],
    [{ date: '2026-10-02 12:00:00.000000' }, '2026-10-02'],
    ['2026-02-30', undefined],
    ['in 4 days', undefined],
    [null, undefined],
    [{}, undefined],
  ])('the date %j is %j', (raw, date) => expect(readOffer({ expected_delivery: { pickup: raw } }).pickup).toBe(date))

  test.each([
    [true, true],
    ['active', true],
    [undefined, true],
    [1, true],
    ['ACTIVE', true],
    [false, false],
    ['false', false],
    ['inactive', false],
    [0, false],
  ])('the status %j is offered: %j', (status, offered) => expect(readOffer({ status }).offered).toBe(offered))

  test.each([null, 7, 'x', [], { charges: 'x', expected_delivery: [] }])('%j is an offer of nothing', (raw) => {
    expect(readOffer(raw).charges.cod_charges).toBeUndefined()
    expect(readOffer({ charges: { cod_charges: 'NaN' } }).charges.cod_charges).toBeUndefined()
  })

  test.each([['C', 'zone_c'], ['zone_b', 'zone_b'], ['Zone A', 'zone_a'], ['metro', 'metro'], [null, undefined]])(
    'the zone %j is %j',
    (zone, read) => expect(readQuoteZone({ zone })).toBe(read),
  ) // prettier-ignore
})

describe('redaction', () => {
  const secret = 'p/q+r="x"\\y%z€-12345'
  const redact = redactor([key, secret])

  test.each([
    ['as it is', secret],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 behind something', Buffer.from(`user:${secret}`).toString('base64')],
    ['in base64 in the middle', Buffer.from(`{"a":"${secret}","b":1}`).toString('base64url')],
    ['encoded for a URL', encodeURIComponent(secret)],
    ['in lower-case percent codes', encodeURIComponent(secret).toLowerCase().replaceAll('€', '')],
    ['in JSON', JSON.stringify({ a: secret })],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ a: secret }))],
  ])('a secret %s is hidden', (_, text) => {
    const hidden = redact(`before ${text} after ${key}`)
    expect(hidden).toContain('<redacted>')
    expect(hidden).not.toContain(key)
    expect(hidden).toMatch(/^before .* after /)
    for (let at = 0; at + 12 <= text.length; at += 4) {
      const piece = text.slice(at, at + 12)
      const around = ['{"a', 'user:', 'dXNl'].some((edge) => piece.includes(edge))
      if (!around && text.includes(secret)) expect(hidden).not.toContain(piece)
    }
  })

  test('header values and userinfo are hidden whatever they are', () => {
    expect(redact('Authorization: Bearer abc.def')).toBe('Authorization: Bearer <redacted>')
    expect(redact('authorization: abcdef\nnext: 1')).toBe('authorization: <redacted>\nnext: 1')
    expect(redact('{"authorization":"Basic abc="}')).toBe('{"authorization":"Basic <redacted>"}')
    expect(redact('see https://u:p@host/x and http://host/a@b')).toBe(
      'see https://<redacted>@host/x and http://host/a@b',
    )
    expect(redactor([])('nothing to hide')).toBe('nothing to hide')
  })

  test("people's data is masked, also in half a body, and what is no person is not", () => {
    const body =
      '{"billing_customer_name":"Asha \\"A\\" Rao","billing_phone" : 9876543221,"shipping_email":"a@b","carrier_name":"SwiftAir","store_name":"acme","city":"Pune","address":"12 MG'
    expect(maskBody(body)).toBe(
      '{"billing_customer_name":"<masked>","billing_phone" : "<masked>","shipping_email":"<masked>","carrier_name":"SwiftAir","store_name":"acme","city":"Pune","address":"<masked>"',
    )
    const began = performance.now()
    maskBody('"name":"'.repeat(20_000))
    maskBody(`"name"${' '.repeat(100_000)}`)
    redact(`authorization${' '.repeat(100_000)}`)
    redact('a'.repeat(100_000))
    expect(performance.now() - began).toBeLessThan(1500)
  })
})

/* ---- The stand-in ---- */

async function standIn(options: StandInOptions = {}): Promise<StandIn> {
  const there = await startStandIn(options)
  closers.push(() => there.close())
  return there
}

const settings = ({ url, key: its }: StandIn): Omit<RemoteOptions, 'scheme'> => ({
  base_url: url,
  key: its,
  now: () => now,
  random: () => 0,
  uuid: () => 'u',
  sleep: async () => undefined,
})

const of = (there: StandIn, over: Partial<RemoteOptions> = {}): Client => client(there.url, { key: there.key, ...over })

/** A server on a port that was given up, which takes orders. */
async function revived(port: number): Promise<void> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    request.resume().on('end', () => void json(response, made))
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
}
