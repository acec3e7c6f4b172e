// A new row in a table of endpoints reaches HTTP, the client, the mirror and the API description, and no file names it.
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { mirroredMethods } from '../../src/cli/source/mirror.ts'
import { Deployment } from '../../src/client/deployment.ts'
import { plainMethods } from '../../src/client/service.ts'
import { contract, type Call, type EndpointTable } from '../../src/domain/contract.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import { about } from '../../src/domain/values.ts'
import { limitConnections } from '../../src/server/connections.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { addHooks, faultAnswer } from '../../src/server/hooks.ts'
import { openApi } from '../../src/server/openapi.ts'
import { addEndpoints } from '../../src/server/routes.ts'
import { underway } from '../../src/server/underway.ts'

type Json = Readonly<Record<string, unknown>>

const oneOrder = z.looseObject({ data: z.looseObject({ id: z.string(), reason: z.string() }) })
const table = {
  cancelOrder: {
    method: 'POST',
    path: '/orders/:id/cancel',
    status: 201,
    body: 'OrderCancel',
    subject: 'order',
    reads: false,
    keyed: true,
    mirrored: false,
    summary: 'Cancel an order',
    input: () => z.strictObject({ id: z.string(), reason: about(z.string(), 'Why it is cancelled') }),
    output: oneOrder,
    rules: ({ reason }) => (reason === 'none' ? [{ field: 'reason', message: 'must be a reason' }] : []),
  },
  getOrder: {
    method: 'GET',
    path: '/orders/:id',
    status: 200,
    body: undefined,
    subject: 'order',
    reads: true,
    keyed: false,
    mirrored: true,
    summary: 'Show one order',
    input: () => z.strictObject({ id: z.string() }),
    output: oneOrder,
    rules: () => [],
  },
} as const satisfies EndpointTable

interface Orders {
  readonly cancelOrder: (input: Json, call?: Call) => Promise<unknown>
  readonly getOrder: (input: Json) => Promise<unknown>
}

/** What the service heard: each input with its idempotency key. */
const heard: (readonly [unknown, string | undefined])[] = []
const engine: Orders = {
  cancelOrder: async (input, call) => {
    heard.push([input, call?.idempotency_key])
    if (input['id'] === 'gone') throw new ShipxError('not_found', 'there is no such order')
    return { data: { id: input['id'], reason: input['reason'] } }
  },
  getOrder: async ({ id }) => (id === 'odd' ? { data: {} } : { data: { id, reason: 'lost' } }),
}

let app: FastifyInstance
let deployment: Deployment
let client: Orders

beforeAll(async () => {
  app = Fastify({ genReqId: () => 'a' })
  const log = (): void => undefined
  addHooks(app, limitConnections(app.server, 100), log, faultAnswer(log))

  const places = underway(10)
  await addEndpoints(app, {
    table,
    serviceOf: () => ({ cancelOrder: engine.cancelOrder, getOrder: engine.getOrder }),
    admit: () => async (request) => {
      request.key = { account_id: 1 } as NonNullable<typeof request.key>
      request.holding = places.begin(1)
    },
    countBytes: () => undefined,
    turns: undefined,
    log: () => undefined,
  })
  deployment = new Deployment({
    base_url: await app.listen({ host: '127.0.0.1', port: 0 }),
    key: 'sk_test_12345678',
    scheme: 'bearer',
    now: () => Date.now(),
    random: () => 0.5,
    uuid: () => 'made-by-the-client',
  })
  client = plainMethods<Orders>(table, deployment, {})
})

afterAll(async () => {
  await deployment.close()
  await app.close()
})

describe('a new endpoint', () => {
  test('has a route with its path, status, input rules and key', async () => {
    const url = '/custom/api/v1/orders/A%201/cancel'
    const headers = { 'idempotency-key': 'k-1' }
    const made = await app.inject({ method: 'POST', url, headers, payload: { reason: 'too late' } })
    expect([made.statusCode, made.json()]).toEqual([201, { data: { id: 'A 1', reason: 'too late' } }])
    expect(heard.at(-1)).toEqual([{ id: 'A 1', reason: 'too late' }, 'k-1'])
    for (const payload of [{}, { reason: 5 }, { reason: 'none' }, { reason: 'x', colour: 'red' }])
      expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(400)
    const form = { 'content-type': 'multipart/form-data; boundary=edge' }
    expect((await app.inject({ method: 'POST', url, headers: form, payload: '--edge--\r\n' })).statusCode).toBe(415)
  })

  test('has a method of the client, which sends its key and reads its answer and its refusal', async () => {
    expect(await client.cancelOrder({ id: 'A/1', reason: 'late' })).toEqual({ data: { id: 'A/1', reason: 'late' } })
    expect(heard.at(-1)).toEqual([{ id: 'A/1', reason: 'late' }, 'made-by-the-client'])
    expect(await client.getOrder({ id: 'A/1' })).toEqual({ data: { id: 'A/1', reason: 'lost' } })
    await expect(client.cancelOrder({ id: 'gone', reason: 'late' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.getOrder({ id: 'odd' })).rejects.toMatchObject({ code: 'bad_answer' })
    await expect(client.getOrder({ id: '..' })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('is answered by a mirror where the row says so, and refused elsewhere', async () => {
    const mirror = mirroredMethods(table, engine, () => new ShipxError('mirror_read_only', 'read-only'))
    expect(await mirror.getOrder({ id: 'A-1' })).toEqual({ data: { id: 'A-1', reason: 'lost' } })
    await expect(mirror.cancelOrder({ id: 'A-1' })).rejects.toMatchObject({ code: 'mirror_read_only' })
  })

  test('is in the API description with its body, parameters, status and refusals', () => {
    const description = { tag: 'orders', answer: 'Health', description: 'Cancels.', examples: {} } as const
    const described = { ...endpoints, cancelOrder: description, getOrder: description }
    const document = openApi({ version: '1.2.3', table: { ...contract, ...table }, described }) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
      readonly components: Readonly<Record<string, Json>>
    }
    const operation = document.paths['/custom/api/v1/orders/{id}/cancel']!['post']!
    expect(operation).toMatchObject({
      operationId: 'cancelOrder',
      summary: 'Cancel an order',
      parameters: [
        { name: 'id', description: 'Identifier of the order' },
        { $ref: '#/components/parameters/IdempotencyKey' },
      ],
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/OrderCancel' } } },
      },
    })
    const statuses = ['201', '400', '401', '403', '404', '409', '413', '415', '422', '429', '500', '503']
    expect(Object.keys(operation['responses'] as Json)).toEqual(statuses)
    expect(document.components['schemas']!['OrderCancel']).toMatchObject({
      properties: { reason: { type: 'string', description: 'Why it is cancelled.' } },
      required: ['reason'],
    })
    expect(document.paths['/custom/api/v1/orders/{id}']!['get']).toMatchObject({ operationId: 'getOrder' })
  })
})
