// Who is let in over HTTP: API keys that are good, gone or only read, and idempotency keys, which repeat an answer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basePath, contract, type Name } from '../../src/domain/contract.ts'
import { rows } from '../../src/engine/database/port.ts'
import { driver } from '../support/sqlite.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { saveCard, useCard } from '../../src/engine/accounts/ratecards.ts'
import { setWarehouse } from '../../src/engine/accounts/settings.ts'
import { revokeKey } from '../../src/engine/accounts/keys.ts'
import { testNow } from '../support/engine.ts'
import { errorBody, json, send, startService, type Answer, type TestService } from '../support/service.ts'
import { orderRequest, rateRequest } from '../support/requests.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.engine.database.write(() => setWarehouse(service.engine.account, 'WH1', '400001'))
})
afterAll(() => service.close())

const urlOf = (name: Name): string =>
  `${service.url}${basePath}${contract[name].path.replace(':id', '00000000-0000-4000-8000-000000000000')}`

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
