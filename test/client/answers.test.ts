// Defends the remote client against answers that are none: cut, endless, compressed, not trusted.
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net'
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ShipxError } from '../../src/domain/errors.ts'
import { badAnswers, cutAt, framed, startBadServer } from '../support/badanswers.ts'
import { certificate, privateKey } from '../support/certificate.ts'
import { key, closers, serve, json, client, failure, order } from './loopback.ts'
import { first } from '../support/size.ts'

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
        90,
        500,
        answer.length - 7,
        answer.length - 1,
        1,
        12,
        40,
        110,
        130,
        1500,
        2900,
        answer.length - 200,
        answer.length - 6,
      ]
      for (const at of first(5, places)) {
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
    expect(error.message).toMatch(/^(?:no answer from )?http:\/\/127\.0\.0\.1:\d+ (?:did not finish .*|)within 0\.2 s$/)
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
      /^cannot reach https:\/\/nowhere\.invalid \((?:there is no such host|the host name cannot be resolved now|no network)\)$/,
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
