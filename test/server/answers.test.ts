// What the service answers over HTTP: headers, error bodies, stores and their logos, the access log, stopping. What
// endpoints answer is in conformance.test.ts, through the client.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driver } from '../support/sqlite.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basePath } from '../../src/domain/contract.ts'
import { steps } from '../../src/engine/database/migrations.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { testNow } from '../support/engine.ts'
import { png, pngOfBytes } from '../support/pictures.ts'
import { errorBody, json, send, startService, type TestService } from '../support/service.ts'
import { rateRequest } from '../support/requests.ts'

const seeded = (shipments: number) =>
  seedShipments({ shipments, returns: 0, stores: 2, days: 30, seed: 1, now: testNow })

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.engine.save('shipment', seeded(60))
})
afterAll(() => service.close())

describe('answers', () => {
  test('every answer carries a request id and the capabilities, and is not kept by anybody', async () => {
    for (const [url, init] of [
      [`${service.api}/client-stores`, { key: service.key }],
      [`${service.url}/nowhere`, {}],
      [`${service.api}/rates`, json({})],
    ] as const) {
      const { headers } = await send(url, init)
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('shipx-capabilities')).toBe('idempotency, search_after, extra_filters, lines')
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual(['no-store', 'nosniff'])
    }
  })

  test.each([
    ['another version', '/custom/api/v2/client-stores', 404],
    ['a path that is none', '/custom/api/v1/nothing', 404],
    ['a broken escape', '/custom/api/v1/client-stores/%E0%A4%A', 400],
    ['dots', '/custom/api/v1/../../etc/passwd', 404],
  ])('%s is %s', async (_, path, status) => {
    const answer = await send(`${service.url}${path}`, { key: service.key })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ status: 'ERROR', errors: [expect.any(String)] })
  })

  test('Prefer: return=minimal asks for the headers of the stores, without the stores', async () => {
    const ask = (prefer: string, path = '/client-stores', key = service.key) =>
      send(`${service.api}${path}`, { headers: { prefer }, key })
    for (const prefer of ['return=minimal', 'respond-async, Return=Minimal']) {
      const { status, headers, text } = await ask(prefer)
      expect([status, text, headers.get('preference-applied')]).toEqual([204, '', 'return=minimal'])
      expect(headers.get('shipx-capabilities')).toBe('idempotency, search_after, extra_filters, lines')
      expect([headers.get('content-length'), headers.get('content-type')]).toEqual([null, null])
    }
    for (const prefer of ['return=representation', 'return=minimals', 'minimal'])
      expect(await ask(prefer)).toMatchObject({ status: 200, json: { data: [] } })
    expect((await ask('return=minimal', '/client-stores/x')).status).toBe(404)
    expect((await ask('return=minimal', '/client-stores?page=1')).status).toBe(400)
    expect((await ask('return=minimal', '/client-stores', `${service.key}x`)).status).toBe(401)
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

describe('running it', () => {
  test('/live and /ready need no key', async () => {
    expect([(await send(`${service.url}/live`)).status, (await send(`${service.url}/ready`)).status]).toEqual([
      200, 200,
    ])
  })

  test('/ready of a service whose file a newer program has changed is 503, also while the change goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shipx-newer-'))
    const path = join(folder, 'shipx.db')
    const old = await startService({ path })
    try {
      const at = async (version: number) => {
        const db = new driver(path)
        db.pragma(`user_version = ${version}`)
        db.close()
        const { status, json: said } = await send(`${old.url}/ready`)
        return [status, (said as { readonly message?: string }).message]
      }
      expect(await at(steps.length)).toEqual([200, undefined])
      const message = `the database has schema ${steps.length + 1}; this shipx knows up to ${steps.length}`
      expect(await at(steps.length + 1)).toEqual([503, message])
      expect((await send(`${old.url}/live`)).status).toBe(200)
      // A step that is begun and not finished.
      expect(await at(1000 + steps.length + 1)).toEqual([503, message])
      expect(await at(steps.length)).toEqual([200, undefined])
    } finally {
      await old.close()
      rmSync(folder, { recursive: true, force: true })
    }
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

  test(
    'a slow question does not stop the others: listings are answered by threads of their own',
    { tags: ['full'] },
    async () => {
      const own = await startService({ readers: 1 })
      try {
        await own.engine.save('shipment', seeded(3000))
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
    },
  )

  test('a stop lets the request that runs end, and takes no new ones', { tags: ['full'] }, async () => {
    const own = await startService({ readers: 1 })
    await own.engine.save('shipment', seeded(3000))
    const begun = new Promise((resolve) => own.app.server.once('request', resolve))
    const running = send(`${own.api}/shipments`, { ...json({ search: 'a', per_page: 100 }), key: own.key })
    await begun
    await own.close()
    expect((await running).status).toBe(200)
    await expect(fetch(`${own.url}/live`)).rejects.toThrow()
  })
})
