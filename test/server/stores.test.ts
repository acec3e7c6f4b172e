// Stores and their logos: what is taken, refused and answered over HTTP is what the API description says.
import { beforeAll, describe, expect, test } from 'vitest'
import { basePath } from '../../src/domain/contract.ts'
import { headers as wireHeaders } from '../../src/domain/wire.ts'
import { png, pngOfBytes } from '../support/pictures.ts'
import { escape, fault, bodyAt, documented } from './apidocument.ts'
import { long, type Field } from './fieldvalues.ts'
import { describedService, goodBody, type Asked } from './describedservice.ts'

const service = describedService()

/** The parts of a request with a form; bytes are its picture. */
function form(fields: Readonly<Record<string, string | Buffer>>): Pick<Asked, 'payload' | 'headers'> {
  const parts = Object.entries(fields).flatMap(([field, value]) => {
    const picture = typeof value === 'string' ? '' : '; filename="logo.png"\r\ncontent-type: image/png'
    const head = `--edge\r\ncontent-disposition: form-data; name="${field}"${picture}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]
  })
  return {
    payload: Buffer.concat([...parts, Buffer.from('--edge--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  }
}

describe('stores', () => {
  const create = async (): Promise<string> =>
    ((await service.taken('createStore', goodBody('createStore'))).json() as { readonly data: { readonly id: string } })
      .data.id
  let id: string
  beforeAll(async () => {
    id = await create()
  })

  test('are listed and shown as described, with a brand and without', async () => {
    await service.taken('createStore', { store_name: 'no-brand' })
    const { data } = (await service.ask('listStores')).json() as { readonly data: readonly { readonly id: string }[] }
    expect(data.length).toBeGreaterThan(4)
    for (const store of data) expect((await service.ask('getStore', { path: { id: store.id } })).statusCode).toBe(200)
  })

  test('take and refuse names, brands and logos as the document says', async () => {
    const names: Field = { good: [long(100), 'A-1'], bad: ['', 'a b', 'a_b', 'é', long(101), 5, null, {}] }
    const brands: Field = {
      good: ['', null, ' Acme & Söhne ', 'अ'.repeat(100)],
      bad: [long(101), 5, 'a\nb', '   ', '\u202eemcA', 'a\u2066b', {}],
    }
    for (const store_name of names.good) await service.taken('createStore', { store_name })
    for (const store_name of names.bad) {
      await service.refused('createStore', { store_name })
      await service.refused('updateStore', { store_name }, true, { id })
    }
    for (const brand_name of brands.good) {
      await service.taken('createStore', { ...goodBody('createStore'), brand_name })
      await service.taken('updateStore', { brand_name }, { id })
    }
    for (const brand_name of brands.bad) {
      await service.refused('createStore', { ...goodBody('createStore'), brand_name })
      await service.refused('updateStore', { brand_name }, true, { id })
    }
    await service.taken('updateStore', { logo: null }, { id })
    await service.taken('updateStore', {}, { id })
    for (const logo of ['', 'logo.png', {}, 5, []]) await service.refused('updateStore', { logo }, true, { id })
    for (const field of ['id', 'channel', 'status', 'Brand_name', '__proto__x'])
      await service.refused('updateStore', { [field]: 'x' }, true, { id })
    await service.refused('createStore', {})
    await service.refused('createStore', { ...goodBody('createStore'), status: 'connected' })
  })

  test('take a form with a logo, which can then be seen, and refuse what is none', async () => {
    const schema = bodyAt('createStore', 'multipart/form-data')
    expect(fault(schema, { store_name: 'with-logo', brand_name: 'Logo', logo: 'bytes' })).toBe(undefined)
    expect(fault(schema, { brand_name: 'Logo' })).not.toBe(undefined)
    const made = await service.ask('createStore', form({ store_name: 'with-logo', brand_name: 'Logo', logo: png() }))
    expect(made.statusCode).toBe(201)
    const { data } = made.json() as { readonly data: { readonly id: string; readonly logo_url: string } }
    expect((await service.ask('updateStore', { ...form({ logo: png(9, 9) }), path: { id: data.id } })).statusCode).toBe(
      200,
    )
    const logo = await service.app.inject({ url: data.logo_url, headers: { authorization: service.key } })
    expect([logo.statusCode, logo.rawPayload.equals(png(9, 9))]).toEqual([200, true])
    documented(`#/paths/${escape(`${basePath}/client-stores/{id}/logo`)}/get/responses/200`, logo)
    const none = await service.app.inject({
      url: `${basePath}/client-stores/${id}/logo`,
      headers: { authorization: service.key },
    })
    documented(`#/paths/${escape(`${basePath}/client-stores/{id}/logo`)}/get/responses/${none.statusCode}`, none)
    expect(none.statusCode).toBe(404)
    const statuses = [
      await service.ask('createStore', form({ store_name: 'large-logo', logo: pngOfBytes(2_097_153) })),
      await service.ask('createStore', form({ store_name: 'text-logo', logo: Buffer.from('hello') })),
      await service.ask('createStore', form({ store_name: 'a b' })),
      await service.ask('createStore', form({ store_name: 'a-b', colour: 'red' })),
      await service.ask('createStore', form({ logo: png() })),
    ].map((response) => response.statusCode)
    expect(statuses).toEqual([413, 415, 400, 400, 400])
  })

  test('refuse a name that is taken, unknown stores, and a key with another body', async () => {
    const body = goodBody('createStore')
    const headers = { 'idempotency-key': 'store-1' }
    const first = await service.ask('createStore', { body, headers })
    expect([
      first.statusCode,
      (await service.ask('createStore', { body, headers })).headers[wireHeaders.replayed],
    ]).toEqual([201, 'true'])
    expect((await service.ask('createStore', { body })).statusCode).toBe(422)
    expect((await service.ask('createStore', { body: goodBody('createStore'), headers })).statusCode).toBe(422)
    expect((await service.ask('updateStore', { body, path: { id } })).statusCode).toBe(422)
    for (const name of ['getStore', 'updateStore'] as const)
      expect(
        (await service.ask(name, { path: { id: 'nope' }, ...(name === 'getStore' ? {} : { body: {} }) })).statusCode,
      ).toBe(404)
  })
})
