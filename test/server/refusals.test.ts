// The refusals that every endpoint has over HTTP, each as the API description says: keys, types, sizes, rates, a
// database that fails.
import { describe, expect, test } from 'vitest'
import { basePath, contract, type Name } from '../../src/domain/contract.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import { names, escape, documented } from './apidocument.ts'
import { long } from './fieldvalues.ts'
import { describedService, goodBody, type Asked } from './describedservice.ts'

const service = describedService()

describe('refusals that every endpoint has', () => {
  const bodyFor = (name: Name): Asked => (contract[name].method === 'GET' ? {} : { body: goodBody(name) })
  const path = { id: 'x' }

  test.each(names)('%s without a good key is 401, and with a bare one it is not', async (name) => {
    for (const authorization of ['', 'Bearer', 'Bearer nonsense', service.key.slice(0, -1), `Basic ${service.key}`])
      expect((await service.ask(name, { ...bodyFor(name), path, headers: { authorization } })).statusCode).toBe(401)
    for (const authorization of [service.key, `bearer ${service.key}`])
      expect((await service.ask(name, { ...bodyFor(name), path, headers: { authorization } })).statusCode).not.toBe(401)
  })

  test.each(names.filter((name) => !contract[name].reads))('%s with a key that may only read is 403', async (name) => {
    expect(
      (await service.ask(name, { ...bodyFor(name), path, headers: { authorization: service.readOnlyKey } })).statusCode,
    ).toBe(403)
  })

  test.each(names)('%s with a parameter in the query string is 400', async (name) => {
    expect((await service.ask(name, { ...bodyFor(name), path, query: '?colour=red' })).statusCode).toBe(400)
  })

  test.each(names.filter((name) => contract[name].method !== 'GET'))(
    '%s: other types are 415, large bodies 413, deep ones 400',
    async (name) => {
      const send = async (payload: string, type = 'application/json'): Promise<number> =>
        (await service.ask(name, { payload, path, headers: { 'content-type': type } })).statusCode
      expect(await send('a=b', 'application/x-www-form-urlencoded')).toBe(415)
      expect(await send('{}', 'text/plain')).toBe(415)
      expect(await send(JSON.stringify({ search: long(1_100_000) }))).toBe(413)
      expect(await send(`${'['.repeat(40)}${']'.repeat(40)}`)).toBe(400)
    },
  )

  test.each(names)('the path of %s with another method is 405, and it says which it takes', async (name) => {
    const url = basePath + contract[name].path.replace(':id', 'x')
    const response = await service.app.inject({ method: 'DELETE', url, headers: { authorization: service.key } })
    expect(response.statusCode).toBe(405)
    documented('#/components/responses/MethodNotAllowed', response)
    expect(response.headers['allow']).toContain(contract[name].method)
  })

  test('a path of another version is 404', async () => {
    const response = await service.app.inject({
      url: '/custom/api/v2/client-stores',
      headers: { authorization: service.key },
    })
    expect(response.statusCode).toBe(404)
    documented('#/components/responses/NotFound', response)
  })

  test.each(names)('%s: too many requests are 429 with Retry-After', async (name) => {
    const slow = await service.on(service.engine.database, { rateLimit: 1 })
    const last = await service.ask(name, { ...bodyFor(name), path, of: slow }).then(async () => {
      await service.ask(name, { ...bodyFor(name), path, of: slow })
      return service.ask(name, { ...bodyFor(name), path, of: slow })
    })
    expect([last.statusCode, last.headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)])
    await slow.close()
  })

  test.each([
    [500, new Error('/secret/path')],
    [503, new ShipxError('database_locked', '/secret/path is held')],
  ])('a database that fails is %i, and tells nothing of itself', async (status, failure) => {
    const broken = await service.on({
      ...service.engine.database,
      read: () => Promise.reject(failure),
      write: () => Promise.reject(failure),
    })
    for (const name of names) {
      const response = await service.ask(name, { ...bodyFor(name), path, of: broken })
      expect([response.statusCode, response.body.includes('secret')]).toEqual([status, false])
    }
    const ready = await broken.inject({ url: '/ready' })
    documented(`#/paths/~1ready/get/responses/${status}`, ready)
    await broken.close()
  })

  test('the service lives and is ready without a key', async () => {
    for (const url of ['/live', '/ready']) {
      const response = await service.app.inject({ url })
      expect(response.statusCode).toBe(200)
      documented(`#/paths/${escape(url)}/get/responses/200`, response)
    }
  })
})
