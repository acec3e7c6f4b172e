// The service over HTTP as anybody reaches it: keys, error bodies, limits, forms, the access log, stopping. What endpoints
// answer is in conformance.test.ts, through the client.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basePath, contract, type Name } from '../../src/domain/contract.ts'
import { rows } from '../../src/engine/database/port.ts'
import driver from 'better-sqlite3'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { saveCard, setWarehouse, useCard } from '../../src/engine/accounts/settings.ts'
import { revokeKey } from '../../src/engine/accounts/keys.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { testNow } from '../support/engine.ts'
import { png, pngOfBytes } from '../support/pictures.ts'
import { json, send, startService, type Answer, type TestService } from '../support/service.ts'
import { orderRequest, rateRequest } from '../support/requests.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.engine.database.write(() => setWarehouse(service.engine.account, 'WH1', '400001'))
  await service.engine.save(
    'shipment',
    seedShipments({ shipments: 60, returns: 0, stores: 2, days: 30, seed: 1, now: testNow }),
  )
})
afterAll(() => service.close())

/** Raw bytes on a socket, and everything that comes back until it is closed (or `ms` are over). */
function raw(bytes: string | Buffer, ms = 3000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    let said = ''
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(said)
    }
    const timer = setTimeout(end, ms)
    socket.on('data', (chunk) => (said += chunk.toString('latin1')))
    socket.on('error', end).on('close', end)
    socket.write(bytes)
  })
}

const connectionsOf = ({ app }: TestService): Promise<number> =>
  new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )

/** Waits until something holds; fails after 10 s. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 200; n++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('it did not come true in 10 s')
}

const urlOf = (name: Name): string =>
  `${service.url}${basePath}${contract[name].path.replace(':id', '00000000-0000-4000-8000-000000000000')}`
const errorBody = (message: string) => ({ status: 'ERROR', message, errors: [message] })

describe('keys', () => {
  const names = Object.keys(contract) as Name[]
  const ask = (name: Name, key: string | undefined): Promise<Answer> => {
    const { method } = contract[name]
    return send(urlOf(name), { ...(method === 'GET' ? {} : json({}, method)), ...(key === undefined ? {} : { key }) })
  }

  test.each(names)(
    '%s answers 401 in the same bytes to no, a malformed, an unknown, a revoked and an expired key',
    async (name) => {
      const gone = await service.keyFor('default')
      await service.engine.database.write(() => revokeKey(gone.id, testNow))
      const old = await service.keyFor('default', { expires_at: testNow })
      const unknown = service.key.replace(/.{6}$/, 'AAAAAA')
      const answers = await Promise.all(
        [undefined, 'abc', 'x y', unknown, gone.key, old.key, `Basic ${service.key}`].map((key) => ask(name, key)),
      )
      for (const { status, text } of answers) expect([status, text]).toEqual([401, answers[0]!.text])
      expect(answers[0]!.json).toEqual(errorBody('the key is missing or not valid'))
    },
  )

  test.each(['KEY', 'Bearer KEY', 'bearer KEY', 'BEARER   KEY', 'Bearer\tKEY'])('"%s" is let in', async (form) => {
    const { status } = await send(`${service.api}/client-stores`, { key: form.replace('KEY', service.key) })
    expect(status).toBe(200)
  })

  test('a revoked key is out at once, between two requests of one connection', async () => {
    const { key, id } = await service.keyFor('default')
    const before = await send(`${service.api}/client-stores`, { key })
    await service.engine.database.write(() => revokeKey(id, testNow))
    expect([before.status, (await send(`${service.api}/client-stores`, { key })).status]).toEqual([200, 401])
  })

  test('a key revoked, and a card put to use, by another process count with the next request', async () => {
    const { key, id } = await service.keyFor('default')
    const total = async (): Promise<unknown> =>
      (
        (await send(`${service.api}/rates`, { ...json(rateRequest), key })).json as {
          result?: { serviceable_couriers: unknown[] }
        }
      ).result?.serviceable_couriers.length
    const before = await total()
    const other = openSqlite(driver, { path: service.path })
    const { account } = service.engine
    await other.write(function* () {
      yield* saveCard(account, { ...sampleCard, name: 'two', services: sampleCard.services.slice(0, 2) }, testNow)
      yield* useCard(account, 'two')
    })
    expect([before, await total()]).toEqual([7, 2])
    await other.write(() => useCard(account, 'sample')).catch(() => undefined)
    await other.write(() => revokeKey(id, testNow))
    await other.close()
    expect((await send(`${service.api}/client-stores`, { key })).status).toBe(401)
  })

  test('a read-only key reads, and is 403 for every endpoint that writes', async () => {
    const { key } = await service.keyFor('default', { read_only: true })
    for (const name of names) {
      const { status } = await ask(name, key)
      if (contract[name].reads) expect([name, status]).not.toEqual([name, 403])
      else expect([name, status]).toEqual([name, 403])
    }
  })

  test('only the hash of a key is in the database', async () => {
    const { key } = await service.keyFor('default')
    const found = await service.engine.database.read(() =>
      rows({ sql: 'select * from keys', text: 'select * from keys', values: [] }),
    )
    expect(JSON.stringify(found)).not.toContain(key.slice(4, 40))
  })
})

describe('answers', () => {
  test('every answer carries a request id and the capabilities, and is not kept by anybody', async () => {
    for (const [url, init] of [
      [`${service.api}/client-stores`, { key: service.key }],
      [`${service.url}/nowhere`, {}],
      [`${service.api}/rates`, json({})],
    ] as const) {
      // prettier-ignore
      const { headers } = await send(url, init)
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('shipx-capabilities')).toBe('idempotency, search_after, extra_filters')
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff'])
    }
  })

  test.each([
    ['another version', `${'/custom/api/v2'}/client-stores`, 404],
    ['a path that is none', '/custom/api/v1/nothing', 404],
    ['a broken escape', '/custom/api/v1/client-stores/%E0%A4%A', 400],
    ['dots', '/custom/api/v1/../../etc/passwd', 404],
  ])('%s is %s', async (_, path, status) => {
    const answer = await send(`${service.url}${path}`, { key: service.key })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ status: 'ERROR', errors: [expect.any(String)] })
  })

  test('another method is 405 and says which is possible', async () => {
    const { status, headers } = await send(`${service.api}/shipments`, { method: 'DELETE' })
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    expect((await send(`${service.api}/client-stores/x`, json({}, 'PATCH'))).headers.get('allow')).toBe(
      'GET, PUT, HEAD',
    )
  })

  test.each([
    ['an unknown parameter, with the nearest', { zon: 'a' }, /unknown parameter `zon`; did you mean `zone`\?/],
    ['the other listing’s name', { carrier_ids: ['x'] }, /did you mean `carrier_id`\?/],
    ['a page beyond the limit', { per_page: 101 }, /^per_page: must be 100 or less$/],
    ['an empty string for a number', { page: '' }, /^page: /],
    ['an exponent', { page: '1e1' }, /^page: /],
    ['text for true', { is_cod: 'true' }, /^is_cod: must be true or false$/],
    ['milliseconds', { start_time: 1767851915000 }, /looks like milliseconds/],
    ['a cursor with a page', { page: 2, search_after: ['1', 'x'] }, /^page: must be absent or 1/],
    ['a list', [], /must be a JSON object/],
    ['a prototype', JSON.parse('{"__proto__":{"page":1}}') as unknown, /not JSON|unknown/],
  ])('%s is 400 and named', async (_, body, message) => {
    const answer = await send(`${service.api}/shipments`, { ...json(body), key: service.key })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({
      status: 'ERROR',
      message: expect.stringMatching(message) as string,
      errors: expect.arrayContaining([expect.any(String)]) as string[],
    })
  })

  test('several faults come together, the first as the message', async () => {
    const { json: body } = await send(`${service.api}/rates`, {
      ...json({ ...rateRequest, dead_weight: 0, origin_pincode: '40001' }),
      key: service.key,
    })
    const { message, errors } = body as { message: string; errors: string[] }
    expect(errors).toEqual(['origin_pincode: 40001 has 5 digits; a pincode has 6', 'dead_weight: must be more than 0'])
    expect(message).toBe(errors[0])
  })

  test('brackets, single values, decimal strings and an empty body are understood', async () => {
    const total = async (body: unknown) =>
      (
        (await send(`${service.api}/shipments`, { ...json(body), key: service.key })).json as {
          meta: { total: number }
        }
      ).meta.total
    const all = (
      (await send(`${service.api}/shipments`, { method: 'POST', key: service.key })).json as { meta: { total: number } }
    ).meta.total
    expect(all).toBe(60)
    expect(await total({ 'zone[]': ['zone_c'] })).toBe(await total({ zone: 'C' }))
    expect(await total({ applied_weight_min: '0.5', page: '1' })).toBe(all)
  })

  test('a taken store name is the 422 of the specification', async () => {
    const make = () => send(`${service.api}/client-stores`, { ...json({ store_name: 'taken' }), key: service.key })
    expect((await make()).status).toBe(201)
    const { status, json: body } = await make()
    expect([status, body]).toEqual([422, errorBody('Store name has already been taken')])
  })

  test.each(['id', 'channel', 'status', 'created_at', '__proto__', 'constructor'])(
    'a client cannot set %s of a store',
    async (field) => {
      const made = await send(`${service.api}/client-stores`, {
        key: service.key,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"store_name":"sets-${field.replaceAll('_', '')}","${field}":"x"}`,
      })
      expect(made.status).toBe(400)
    },
  )
})

describe('idempotency', () => {
  const order = orderRequest({ order_id: 'H-1' })
  const create = (body: object, key: string): Promise<Answer> => {
    const request = json(body)
    return send(`${service.api}/forward-order-orchestration`, {
      ...request,
      key: service.key,
      headers: { ...(request.headers as object), 'idempotency-key': key },
    })
  }

  test('64 requests at once with one key make one order; all but the first are replays in the same bytes', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => create({ ...order, order_id: 'H-64' }, 'k-64')))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(63)
  })

  test('the same key with another body is 422; a key that is none is 400', async () => {
    expect((await create(order, 'k-1')).status).toBe(200)
    expect((await create({ ...order, order_id: 'H-2' }, 'k-1')).status).toBe(422)
    expect((await create({ ...order, order_id: 'H-3' }, 'a key')).status).toBe(400)
    expect((await create({ ...order, order_id: 'H-3' }, 'x'.repeat(256))).status).toBe(400)
  })
})

describe('logos', () => {
  const form = (parts: Readonly<Record<string, string | Uint8Array>>, method = 'POST') => {
    const body = new FormData()
    for (const [name, value] of Object.entries(parts))
      body.append(
        name,
        typeof value === 'string' ? value : new Blob([Uint8Array.from(value)]),
        ...(typeof value === 'string' ? [] : ['x.svg']),
      )
    return { method, body, key: service.key }
  }

  test('a logo is told by its bytes, served with its own type to the account and to nobody else', async () => {
    const made = await send(
      `${service.api}/client-stores`,
      form({ store_name: 'with-logo', brand_name: 'Ünï', logo: png() }),
    )
    expect(made.status).toBe(201)
    const { data } = made.json as { data: { logo_url: string; brand_name: string } }
    expect(data.brand_name).toBe('Ünï')
    const got = await fetch(`${service.url}${data.logo_url}`, { headers: { authorization: service.key } })
    expect(Buffer.from(await got.arrayBuffer())).toEqual(png())
    expect(
      ['content-type', 'x-content-type-options', 'content-security-policy'].map((name) => got.headers.get(name)),
    ).toEqual(['image/png', 'nosniff', "default-src 'none'; sandbox"])
    const stranger = await service.keyFor('stranger')
    expect((await send(`${service.url}${data.logo_url}`, stranger)).status).toBe(404)
    expect((await send(`${service.url}${data.logo_url}`)).status).toBe(401)
  })

  test('2,097,152 bytes fit, one more is 413, and the field must be the logo', async () => {
    const make = (name: string, bytes: Uint8Array) =>
      send(`${service.api}/client-stores`, form({ store_name: name, logo: bytes }))
    expect((await make('fits', pngOfBytes(2_097_152))).status).toBe(201)
    expect((await make('large', pngOfBytes(2_097_153))).status).toBe(413)
    expect((await send(`${service.api}/client-stores`, form({ store_name: 'other', picture: png() }))).status).toBe(400)
    expect(
      (await send(`${service.api}/client-stores`, form({ store_name: 'svg', logo: Buffer.from('<svg/>') }))).status,
    ).toBe(415)
  })

  test('a form may change a store too, and a form is for stores only', async () => {
    const { json: made } = await send(`${service.api}/client-stores`, form({ store_name: 'changing' }))
    const { id } = (made as { data: { id: string } }).data
    const changed = await send(`${service.api}/client-stores/${id}`, form({ logo: png() }, 'PUT'))
    expect([changed.status, (changed.json as { data: { logo_url: string } }).data.logo_url]).toEqual([
      200,
      `${basePath}/client-stores/${id}/logo`,
    ])
    expect((await send(`${service.api}/rates`, form({ journey_type: 'forward' }))).status).toBe(415)
  })

  test.each([
    ['a form that breaks off', '--x\r\ncontent-disposition: form-data; name="store_name"\r\n\r\nabc'],
    ['a form without parts', 'nothing'],
    ['a part without a name', '--x\r\ncontent-type: text/plain\r\n\r\nabc\r\n--x--\r\n'],
    ['a form with a boundary of 1 KB', 'nothing', 'x'.repeat(1024)],
    ['a form with an empty boundary', 'nothing', ''],
  ])('%s is 400', async (_, body, boundary = 'x') => {
    const { status, json: said } = await send(`${service.api}/client-stores`, {
      method: 'POST',
      key: service.key,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
    })
    expect([status, (said as { status: string }).status]).toEqual([400, 'ERROR'])
  })
})

describe('limits', () => {
  test('a body over 1 MB is 413, another type 415, text that is not UTF-8 or JSON 400, 33 levels 400', async () => {
    const post = (body: string | Uint8Array, type = 'application/json') =>
      send(`${service.api}/shipments`, {
        method: 'POST',
        key: service.key,
        headers: { 'content-type': type },
        body: body as string,
      })
    expect((await post(JSON.stringify({ search: 'x'.repeat(1_048_577) }))).status).toBe(413)
    expect((await post('{}', 'text/plain')).status).toBe(415)
    expect((await post('a=1', 'application/x-www-form-urlencoded')).status).toBe(415)
    expect((await post(Buffer.from([0x7b, 0xff, 0x7d]))).status).toBe(400)
    expect((await post('{"page":1,}')).status).toBe(400)
    expect((await post(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`)).json).toMatchObject({
      message: 'the body is nested deeper than 32 levels',
    })
    expect((await post(`{"search":"${'['.repeat(100)}"}`)).status).toBe(200)
  })

  test('headers over 8 KB are 431, garbage is 400, each with the error body', async () => {
    const large = await raw(`GET /live HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(9000)}\r\n\r\n`)
    expect(large).toMatch(/^HTTP\/1\.1 431 [\s\S]*\{"status":"ERROR"/)
    expect(await raw('GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"status":"ERROR"/)
    expect(
      await raw(
        'POST /custom/api/v1/rates HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('what is not a request gets an answer with a request id that the log has, and nosniff', async () => {
    for (const bytes of [
      'GARBAGE\r\n\r\n',
      'GET /live HTTP/1.1\r\n\r\n',
      `GET /live HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(9000)}\r\n\r\n`,
    ]) {
      const said = await raw(bytes.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
      expect(said).toMatch(/\r\nx-content-type-options: nosniff\r\n/)
      const id = /\r\nx-request-id: ([0-9a-f-]{36})\r\n/.exec(said)?.[1]
      expect(service.log.filter((entry) => entry.id === id)).toHaveLength(1)
    }
    const { status, headers } = await send(`${service.api}/client-stores/%E0%A4%A`)
    expect([status, headers.get('x-content-type-options')]).toEqual([400, 'nosniff'])
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    ['two Host lines', 400, 'host: a\r\nHost: b\r\nauthorization: KEY\r\n'],
    ['no Host line', 400, 'authorization: KEY\r\n'],
    ['two Authorization lines', 400, 'host: a\r\nauthorization: KEY\r\nAuthorization: KEY\r\n'],
    ['one of each', 200, 'host: a\r\nauthorization: KEY\r\n'],
  ])('%s: %i', async (_, status, lines) => {
    const said = await raw(
      `GET /custom/api/v1/client-stores HTTP/1.1\r\n${lines.replaceAll('KEY', service.key)}connection: close\r\n\r\n`,
    )
    expect(Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1])).toBe(status)
  })

  test('a client that got a fault and never closes does not keep its connection', async () => {
    const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => undefined).resume()
    const before = await connectionsOf(service)
    socket.write('GARBAGE\r\n\r\n')
    await new Promise((resolve) => socket.once('end', resolve))
    // The client holds its side open; the service does not wait for it.
    await until(async () => (await connectionsOf(service)) <= before)
    socket.destroy()
  })

  test('a path that is not there is answered before its body, and its connection ends', async () => {
    const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true })
    let said = ''
    socket.on('error', () => undefined).on('data', (bytes) => (said += bytes.toString()))
    socket.write('POST /nothing HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{')
    await new Promise((resolve) => socket.once('end', resolve))
    expect(said).toMatch(/^HTTP\/1\.1 404 [^]*there is no such path/)
    socket.destroy()
  })

  test('clients that connect and say nothing keep no other client away', { tags: ['full'] }, async () => {
    const own = await startService({ readers: 0, mostConnections: 20 })
    const port = Number(new URL(own.url).port)
    const sockets = Array.from({ length: 60 }, () =>
      connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined),
    )
    try {
      await Promise.all(
        sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))),
      )
      for (let n = 0; n < 20; n++) {
        const { status } = await send(`${own.api}/client-stores`, { key: own.key, headers: { connection: 'close' } })
        expect(status).toBe(200)
      }
      expect(await connectionsOf(own)).toBeLessThanOrEqual(20)
    } finally {
      for (const socket of sockets) socket.destroy()
      await own.close()
    }
  })

  test(
    'clients without a key whose requests never end keep no client with a key away',
    { tags: ['full'] },
    async () => {
      const own = await startService({ readers: 0, mostConnections: 20 })
      const port = Number(new URL(own.url).port)
      const begun =
        'PUT /custom/api/v1/shipments HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{'
      const sockets = Array.from({ length: 30 }, () =>
        connect({ port, host: '127.0.0.1' })
          .on('error', () => undefined)
          .pause(),
      )
      try {
        for (const socket of sockets) socket.write(begun)
        await new Promise((resolve) => setTimeout(resolve, 500))
        for (let n = 0; n < 20; n++) {
          const { status } = await send(`${own.api}/client-stores`, { key: own.key, headers: { connection: 'close' } })
          expect(status).toBe(200)
        }
      } finally {
        for (const socket of sockets) socket.destroy()
        await own.close()
      }
    },
  )

  test('one account whose bodies never end keeps no other account away', { tags: ['full'] }, async () => {
    const own = await startService({ readers: 0, mostConnections: 40 })
    const other = await own.keyFor('other')
    const port = Number(new URL(own.url).port)
    const begun = `POST /custom/api/v1/shipments HTTP/1.1\r\nhost: a\r\nauthorization: ${own.key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`
    const said: string[] = []
    const sockets: Socket[] = []
    try {
      // One after the other, so that each has shown its key before the next one comes.
      for (let n = 0; n < 80; n++) {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined)
        sockets.push(socket.on('data', (bytes) => said.push(bytes.toString('latin1'))))
        socket.write(begun)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      for (let n = 0; n < 20; n++) {
        const { status } = await send(`${own.api}/client-stores`, { key: other.key, headers: { connection: 'close' } })
        expect(status).toBe(200)
      }
      // What is more than its share is told so, and when to come again.
      expect(said[0]).toMatch(
        /^HTTP\/1\.1 429 [^]*retry-after: 1\r\n[^]*too many requests of this account are under way/,
      )
      const { status } = await send(`${own.api}/client-stores`, { key: own.key, headers: { connection: 'close' } })
      expect(status).toBe(429)
    } finally {
      for (const socket of sockets) socket.destroy()
      await own.close()
    }
  })

  describe('a large body counts as a request for each 64 KB', () => {
    let own: TestService
    beforeAll(async () => {
      // So slow that a slow machine gets no second token back: what a key has is its burst of two.
      own = await startService({ rateLimit: 1, readers: 0 })
    })
    afterAll(() => own.close())
    const long = (bytes: number): string => JSON.stringify({ search: 'x'.repeat(bytes) })
    const post = (key: string, body: string | ReadableStream) =>
      send(`${own.api}/shipments`, {
        method: 'POST',
        key,
        headers: { 'content-type': 'application/json' },
        body,
        duplex: 'half',
      } as RequestInit)
    const waitOf = ({ status, headers }: Answer): number => (status === 429 ? Number(headers.get('retry-after')) : 0)

    test('one of 64 KB is one request', async () => {
      const { key } = await own.keyFor('small')
      expect(waitOf(await post(key, long(65_000)))).toBe(0)
      expect(waitOf(await post(key, long(65_000)))).toBe(0)
    })

    test.each([
      ['of a known length', (body: string) => body],
      ['in pieces of an unknown length', (body: string) => new Blob([body]).stream()],
      ['that is not JSON', (body: string) => body.slice(1)],
    ])('one of a megabyte %s is taken, and the key waits for it', async (_, made) => {
      const { key } = await own.keyFor('large')
      expect((await post(key, made(long(1_000_000)))).status).toBe(400)
      const wait = waitOf(await post(key, '{}'))
      expect(wait).toBeGreaterThan(5)
      expect(wait).toBeLessThanOrEqual(15)
      expect((await post((await own.keyFor('large')).key, '{}')).status).toBe(200)
    })

    test('a store with a large logo is taken, and the key waits for it', async () => {
      const { key } = await own.keyFor('logos')
      const form = new FormData()
      form.set('store_name', 'large-logo')
      form.set('logo', new File([new Uint8Array(pngOfBytes(2_000_000))], 'a.png'))
      expect((await send(`${own.api}/client-stores`, { method: 'POST', key, body: form })).status).toBe(201)
      expect(waitOf(await send(`${own.api}/client-stores`, { key }))).toBeGreaterThan(10)
    })
  })

  test('a key that asks too often is 429 with Retry-After, another key is not', async () => {
    const own = await startService({ rateLimit: 5, readers: 0 })
    try {
      const answers = await Promise.all(
        Array.from({ length: 14 }, () => send(`${own.api}/client-stores`, { key: own.key })),
      )
      expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThanOrEqual(10)
      const refused = answers.filter((answer) => answer.status === 429)
      expect(refused.length).toBeGreaterThan(0)
      expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect((await send(`${own.api}/client-stores`, { key: (await own.keyFor('default')).key })).status).toBe(200)
    } finally {
      await own.close()
    }
  })
})

describe('running it', () => {
  test('/live and /ready need no key', async () => {
    expect([(await send(`${service.url}/live`)).status, (await send(`${service.url}/ready`)).status]).toEqual([
      200, 200,
    ])
  })

  test('the access log names the route and the key’s id, and holds neither keys nor what people sent', async () => {
    const from = service.log.length
    await send(`${service.api}/shipments`, { ...json({ search: 'Asha Rao 9876543221' }), key: service.key })
    await send(`${service.api}/client-stores/0f0f0f0f-1111-4222-8333-444444444444`, { key: service.key })
    await send(`${service.url}/secret-path-9876543221?token=abc`)
    const lines = service.log.slice(from)
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatchObject({
      level: 'info',
      method: 'GET',
      route: `${basePath}/client-stores/:id`,
      status: 404,
      account: 'default',
      code: 'not_found',
    })
    const text = JSON.stringify(lines)
    for (const hidden of [service.key, 'Asha', '9876543221', '0f0f0f0f', 'abc']) expect(text).not.toContain(hidden)
  })

  test('a slow question does not stop the others: listings are answered by threads of their own', async () => {
    const own = await startService({ readers: 1 })
    try {
      await own.engine.save(
        'shipment',
        seedShipments({ shipments: 3000, returns: 0, stores: 2, days: 30, seed: 2, now: testNow }),
      )
      let done = false
      const slow = Promise.all(
        Array.from({ length: 20 }, () =>
          send(`${own.api}/shipments`, { ...json({ search: 'a', per_page: 100 }), key: own.key }),
        ),
      ).then((answers) => {
        done = true
        return answers
      })
      const quick = await send(`${own.url}/live`)
      expect([quick.status, done]).toEqual([200, false])
      expect((await slow).every((answer) => answer.status === 200)).toBe(true)
    } finally {
      await own.close()
    }
  })

  test('a stop lets the request that runs end, and takes no new ones', async () => {
    const own = await startService({ readers: 1 })
    await own.engine.save(
      'shipment',
      seedShipments({ shipments: 3000, returns: 0, stores: 2, days: 30, seed: 2, now: testNow }),
    )
    const begun = new Promise((resolve) => own.app.server.once('request', resolve))
    const running = send(`${own.api}/shipments`, { ...json({ search: 'a', per_page: 100 }), key: own.key })
    await begun
    await own.close()
    expect((await running).status).toBe(200)
    await expect(fetch(`${own.url}/live`)).rejects.toThrow()
  })
})
