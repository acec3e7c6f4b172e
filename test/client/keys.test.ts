// Defends where the remote client sends a key, how it signs in, and that nothing that people read shows a secret.
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { maskBody, redactor } from '../../src/client/redact.ts'
import type { RemoteOptions } from '../../src/client/options.ts'
import { signIn } from '../../src/client/signin.ts'
import type { StandIn } from '../support/foreigndeployment.ts'
import {
  key,
  basePath,
  now,
  closers,
  serve,
  json,
  capable,
  client,
  failure,
  order,
  emptyPage,
  standIn,
} from './loopback.ts'

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
      path.startsWith('/new') ? json(response, emptyPage) : response.writeHead(308, { location: `/new${path}` }).end(),
    )
    expect(await client(url).service.listShipments({})).toMatchObject({ records: [] })
    expect(seen.map(({ method, path, text }) => [method, path, text])).toEqual([
      ['POST', `${basePath}/shipments`, '{}'],
      ['POST', `/new${basePath}/shipments`, '{}'],
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

  test.each([
    ['a password with an @', 'postgres://u:p@ss@h/db', 'postgres://<redacted>@h/db'],
    [
      'a Digest header',
      'Authorization: Digest username="bob", response="abc"\nnext',
      'Authorization: <redacted>\nnext',
    ],
    ['a scheme of its own', 'authorization: ApiKey abcdef', 'authorization: <redacted>'],
    ['a key in quotes', 'Authorization: Bearer "abc", x', 'Authorization: Bearer <redacted>, x'],
    [
      'two headers in a line',
      'authorization: Bearer a, authorization: Token b',
      'authorization: Bearer <redacted>, authorization: Token <redacted>',
    ],
    [
      'an object as Node prints it',
      "{ authorization: 'Bearer abc', b: 1 }",
      "{ authorization: 'Bearer <redacted>', b: 1 }",
    ],
    [
      'JSON with quotes in the value',
      '{"authorization":"Digest a=\\"b\\"","c":1}',
      '{"authorization":"<redacted>","c":1}',
    ],
    [
      'JSON in JSON',
      '"{\\"authorization\\":\\"Bearer abc\\",\\"c\\":1}"',
      '"{\\"authorization\\":\\"Bearer <redacted>\\",\\"c\\":1}"',
    ],
    ['a list in JSON', '{"authorization":["Bearer abc"]}', '{"authorization":["Bearer <redacted>"]}'],
    ['no value', '{"authorization":null,"c":1}', '{"authorization":null,"c":1}'],
    ['what is hidden already', 'authorization: <redacted>', 'authorization: <redacted>'],
  ])('a credential is hidden whole: %s', (_, text, hidden) => {
    expect(redact(text)).toBe(hidden)
  })

  test.each([
    [
      'a list of phones',
      '{"phone":["98","99"],"phones" : [98, 99],"x":1}',
      '{"phone":"<masked>","phones" : "<masked>","x":1}',
    ],
    [
      'keys that begin with whose they are',
      '{"customer_phone":"9","contact_name":"A","buyer_email":"a@b","recipient":"C"}',
      '{"customer_phone":"<masked>","contact_name":"<masked>","buyer_email":"<masked>","recipient":"<masked>"}',
    ],
    ['a list that is cut off', '"emails":["a@b","c@', '"emails":"<masked>"'],
  ])("people's data is masked: %s", (_, body, masked) => {
    expect(maskBody(body)).toBe(masked)
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

const settings = ({ url, key: its }: StandIn): Omit<RemoteOptions, 'scheme'> => ({
  base_url: url,
  key: its,
  now: () => now,
  random: () => 0,
  uuid: () => 'u',
  sleep: async () => undefined,
})
