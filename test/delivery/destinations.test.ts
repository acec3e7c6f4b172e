// Where messages may go: to no place inside the network, by no odd notation of it; and how what goes is signed.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { readHook, readMailServer, readSender, shownUrl } from '../../src/delivery/destination.ts'
import { posterOf } from '../../src/delivery/post.ts'
import { isPublic, type Resolve } from '../../src/delivery/publicaddress.ts'
import { isSecret, newSecret, signatureHeaders } from '../../src/delivery/signature.ts'
import { openEngine } from '../support/engine.ts'
import { startReceiver } from '../support/receiver.ts'
import { messagesIn, shipped, work } from '../support/deliveries.ts'
import { Webhook } from 'standardwebhooks'

describe('private addresses', () => {
  // prettier-ignore
  const inside = ['127.0.0.1', '127.9.9.9', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '0.1.2.3', '255.255.255.255', '224.0.0.1', '192.0.2.1', '198.18.0.1', '::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::127.0.0.1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12:3456::1', 'fec0::1', 'ff02::1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', 'nobody', '']
  test.each(inside)('%s is none that is sent to', (address) => {
    expect(isPublic(address)).toBe(false)
  })
  test.each(['8.8.8.8', '1.1.1.1', '203.0.114.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a03:2880:f12f::1'])(
    '%s is public',
    (address) => {
      expect(isPublic(address)).toBe(true)
    },
  )

  /** Posts to a URL with a way to look names up, and what came of it. */
  async function posted(url: string, resolve: Resolve, allowPrivate = false): Promise<string> {
    const poster = posterOf({ resolve, allowPrivate, connections: 1, ca: undefined })
    try {
      const tried = await poster.post(new URL(url), '{}', {}, 2_000)
      return tried.ok ? 'ok' : tried.error
    } finally {
      await poster.close()
    }
  }

  test('no notation of an address leads inside', async () => {
    let reached = 0
    const server = createServer((_, answer) => {
      reached++
      answer.end()
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as AddressInfo
    const nowhere: Resolve = async () => []
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '0177.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '0',
      '①②⑦.0.0.1',
      '127.0.0.1.',
      '169.254.169.254',
      '[fd00::1]',
    ])
      for (const scheme of ['http', 'https'])
        expect(await posted(`${scheme}://${host}:${port}/`, nowhere), host).toMatch(/not a public address/)
    // Names are judged by all of their addresses.
    const names: Readonly<Record<string, readonly string[]>> = {
      'one.test': ['127.0.0.1'],
      'mixed.test': ['93.184.215.14', '127.0.0.1'],
      'six.test': ['::ffff:10.0.0.1'],
    }
    const asked: string[] = []
    const looked: Resolve = async (host) => {
      asked.push(host)
      return names[host]!.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
    for (const name of Object.keys(names))
      expect(await posted(`http://${name}:${port}/`, looked)).toMatch(/not a public address/)
    expect(asked).toEqual(Object.keys(names))
    expect(reached).toBe(0)
    // What was looked up is what is connected to, and it is looked up once for a connection.
    expect(await posted(`http://one.test:${port}/`, looked, true)).toBe('ok')
    expect([reached, asked.length]).toEqual([1, 4])
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  })

  test('a worker sends nothing inside unless it is told to', async () => {
    const engine = await openEngine()
    const gateway = await startReceiver()
    await shipped(engine, 1)
    const faults: string[] = []
    expect(await work(engine, { over: { gateway: gateway.url }, allowPrivate: false, faults })).toMatchObject({
      sent: 0,
      failed: 0,
    })
    expect(faults).toEqual(['the gateway is set, but it is http://, which needs --allow-private here'])
    expect(
      await work(engine, { over: { gateway: gateway.url.replace('http:', 'https:') }, allowPrivate: false }),
    ).toMatchObject({ sent: 0, failed: 1 })
    expect(gateway.posts).toEqual([])
    expect((await messagesIn(engine))[0]!.error).toMatch(/^127\.0\.0\.1 is not a public address/)
    await gateway.close()
    await engine.close()
  })

  test('what no destination may be', () => {
    for (const url of [
      '',
      'example.com',
      'ftp://example.com',
      'file:///etc/passwd',
      'https://user@example.com',
      'https://user:pass@example.com',
      'https://@example.com',
      'https://example.com/#x',
      'https://example.com/#',
      'http://example.com',
      'https://exa mple.com',
      'https://example.com\\@127.0.0.1',
      'https://',
    ])
      expect(readHook(url, false), url).toHaveProperty('fault')
    for (const url of ['https://example.com', 'https://example.com:8443/a?token=1', 'https://पुणे.example'])
      expect(readHook(url, false), url).toHaveProperty('value')
    expect(readHook('http://10.0.0.1', true)).toHaveProperty('value')
    expect(shownUrl('https://example.com/a?token=secret')).toBe('https://example.com/a?…')
    expect(readMailServer('smtp://u%40x:p%3Aw@mail.example')).toEqual({
      value: { host: 'mail.example', port: 587, secure: false, user: 'u@x', password: 'p:w' },
    })
    expect(readMailServer('smtps://0x7f.1')).toMatchObject({ value: { host: '127.0.0.1', port: 465, secure: true } })
    for (const url of ['mail.example', 'http://mail.example', 'smtp://', 'smtp://host/x', 'smtp://%zz@host'])
      expect(readMailServer(url), url).toHaveProperty('fault')
    expect(readSender('Acme Kids <orders@acme.example>')).toEqual({
      value: { name: 'Acme Kids', address: 'orders@acme.example' },
    })
    for (const from of ['', 'acme', 'a@b@c.d', 'Acme <a@b.cd>, x@y.zz', 'a@b.cd\r\nBcc: x@y.zz'])
      expect(readSender(from), from).toHaveProperty('fault')
  })
})

test('signatures are those of the standard, secrets have its form', () => {
  const mine = newSecret()
  expect(isSecret(mine)).toBe(true)
  for (const text of ['', 'whsec_', 'whsec_abc', mine.slice(6), `${mine} `, `whsec_${'A'.repeat(200)}`])
    expect(isSecret(text)).toBe(false)
  const body = '{"a":"\u{1f600} ü"}'
  const headers = signatureHeaders(mine, 'm1', Date.now(), body)
  expect(new Webhook(mine).verify(body, headers as Record<string, string>)).toEqual({ a: '\u{1f600} ü' })
  expect(headers['webhook-signature']).toBe(new Webhook(mine).sign('m1', new Date(), body))
})
