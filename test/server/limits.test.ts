// The limits of the service over HTTP: bodies, headers, connections that say nothing, keys that ask too often.
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pngOfBytes } from '../support/pictures.ts'
import { runs } from '../support/size.ts'
import { send, startService, type Answer, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
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

  test('a client that was still sending 5 MB lost the answer that this is too large', async () => {
    const size = 5_000_000
    const head = `POST /custom/api/v1/rates HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.key}\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n`
    for (let n = 0; n < runs(3, 20); n++) {
      let [said, fault] = ['', '']
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
      socket.on('data', (bytes) => (said += bytes.toString())).on('error', ({ message }) => (fault = message))
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(head)
      for (let sent = 0; sent < size; sent += 50_000) {
        socket.write(Buffer.alloc(50_000, ' '))
        if (n % 2 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      await closed
      expect([said.slice(0, 12), fault]).toEqual(['HTTP/1.1 413', ''])
    }
  })

  test('a request behind one that was refused before its end is not carried out', async () => {
    const body = JSON.stringify({ store_name: 'behind' })
    const line = (path: string, length: number): string =>
      `POST /custom/api/v1/${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
    const before = await connectionsOf(service)
    const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true })
    let said = ''
    socket.on('error', () => undefined).on('data', (bytes) => (said += bytes.toString()))
    socket.write(line('rates', 2_000_000))
    await new Promise((resolve) => socket.once('end', resolve))
    socket.write(Buffer.concat([Buffer.alloc(2_000_000, ' '), Buffer.from(line('client-stores', body.length) + body)]))
    await until(async () => (await connectionsOf(service)) <= before)
    socket.destroy()
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413'])
    const { json } = await send(`${service.api}/client-stores`, { key: service.key })
    expect(JSON.stringify(json)).not.toContain('behind')
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
