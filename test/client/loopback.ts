// Servers on loopback and clients that ask them; all of them are closed after each test.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect } from 'vitest'
import type { RemoteOptions } from '../../src/client/options.ts'
import { remoteService, type RemoteService } from '../../src/client/service.ts'
import type { Exchange } from '../../src/client/exchange.ts'
import type { Input } from '../../src/domain/contract.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { startStandIn, type StandIn, type StandInOptions } from '../support/foreigndeployment.ts'
import { orderRequest, returnRateRequest } from '../support/requests.ts'

export const key = 'sxk_client/test+key='
export const basePath = '/custom/api/v1'
export const now = Date.parse('2026-10-02T06:00:00Z')

/** What ends after the test. */
export const closers: (() => Promise<unknown> | void)[] = []
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

/** A server with the requests that came to it. */
interface Server {
  readonly url: string
  readonly seen: Seen[]
}

/** Answers the request that is the n-th of its server. */
export type Reply = (seen: Seen, response: ServerResponse, n: number) => unknown

/** A server that answers each request, whose body it has read, in its own way. */
export async function serve(reply: Reply): Promise<Server> {
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

/** Answers with JSON, or with a text that claims to be. */
export const json = (
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body))

/** The header in which a service announces what ours can do. */
export const capable = { 'shipx-capabilities': 'idempotency, search_after, extra_filters' }

/** A client, and what it did besides asking: its waits in ms, its warnings, its exchanges. */
interface Client {
  readonly service: RemoteService
  readonly slept: number[]
  readonly warned: string[]
  readonly traced: Exchange[]
}

/** A client whose waits take no time and are noted. */
export function client(base_url: string, over: Partial<RemoteOptions> = {}): Client {
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

/** The error of a call that must fail, whose text shows neither the key nor a stack. */
export async function failure(promise: Promise<unknown>): Promise<ShipxError> {
  const error: unknown = await promise.then(
    (value) => new Error(`succeeded with ${JSON.stringify(value)?.slice(0, 200)}`),
    (caught: unknown) => caught,
  )
  if (!(error instanceof ShipxError)) throw error
  expect(`${error.message} ${error.hint ?? ''} ${String(error.cause)}`).not.toContain(key)
  expect(error.message).not.toMatch(/\n\s*at |node:internal/)
  return error
}

export const order = parseInput('createForwardOrder', orderRequest())
export const parcel = parseInput('getRates', returnRateRequest)

/** A store as a deployment sends it. */
export const store = (store_name: string, over: object = {}) => ({
  id: '5b6cde10-0000-4000-8000-000000000001',
  store_name,
  brand_name: null,
  channel: 'manual_order',
  status: 'connected',
  ...over,
})
/** The answer to an order that was made and has no courier yet. */
export const orderMade = {
  status: 1,
  payload: { order_created: 1, awb_generated: 0, pickup_generated: 0, order_id: 'ORD1', shipment_id: 'SHI1' },
}
/** A page without records. */
export const emptyPage = { data: [], meta: { current_page: 1, per_page: 20, total: 0, next_search_after: [] } }

export const newStore = (store_name: string, more: object = {}): Input<'createStore'> =>
  parseInput('createStore', { store_name, ...more })

/** A deployment that is not ours. */

export async function standIn(options: StandInOptions = {}): Promise<StandIn> {
  const there = await startStandIn(options)
  closers.push(() => there.close())
  return there
}

/** A client of such a deployment. */
export const clientOf = (there: StandIn, over: Partial<RemoteOptions> = {}): Client =>
  client(there.url, { key: there.key, ...over })
