// Defends what the remote client sends, against real servers on loopback: ours, and deployments that are not ours.
import { describe, expect, test } from 'vitest'
import { readOffer, readQuoteZone } from '../../src/domain/foreign/offers.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { png } from '../support/pictures.ts'
import {
  key,
  basePath,
  serve,
  json,
  capable,
  client,
  failure,
  order,
  parcel,
  store,
  orderMade,
  emptyPage,
  newStore,
  standIn,
  clientOf,
} from './loopback.ts'

describe('what is sent', () => {
  test('every endpoint has its method, path, headers and JSON, and nothing else', async () => {
    const { url, seen } = await serve(({ path }, response) =>
      json(
        response,
        path.includes('order')
          ? orderMade
          : path.endsWith('rates')
            ? { status: 'SUCCESS', result: { serviceable_couriers: [] } }
            : /shipments|returns/.test(path)
              ? emptyPage
              : { data: path.endsWith('stores') ? [] : store('a') },
      ),
    )
    const { service } = client(`${url}/prefix/`)
    await service.listStores({})
    await service.getStore({ id: 'a/b ü' })
    await service.updateStore({ id: 'x', brand_name: null })
    await service.createForwardOrder(order)
    await service.orchestrateForwardOrder(order, { idempotency_key: 'mine' })
    await service.getRates(parcel)
    await service.listShipments({ status: 'delivered', zone: ['zone_a'], sku: [], search: '  ', page: 2, per_page: 50 })
    await service.listReturns(
      parseInput('listReturns', { created_at__gte: '2026-10-01', created_at__lte: '2026-10-01' }),
    )
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /prefix/custom/api/v1/client-stores',
      'GET /prefix/custom/api/v1/client-stores/a%2Fb%20%C3%BC',
      'PUT /prefix/custom/api/v1/client-stores/x',
      'POST /prefix/custom/api/v1/forward-order',
      'POST /prefix/custom/api/v1/forward-order-orchestration',
      'POST /prefix/custom/api/v1/rates',
      'POST /prefix/custom/api/v1/shipments',
      'POST /prefix/custom/api/v1/returns',
    ])
    expect(seen.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([
      undefined,
      undefined,
      undefined,
      'uuid-1',
      'mine',
      undefined,
      undefined,
      undefined,
    ])
    expect(seen.map(({ headers }) => headers['content-type'])).toEqual([
      undefined,
      undefined,
      ...Array.from({ length: 6 }, () => 'application/json'),
    ])
    expect(JSON.parse(seen[2]!.text)).toEqual({ brand_name: null })
    expect(JSON.parse(seen[6]!.text)).toEqual({ status: 'delivered', zone: ['zone_a'], page: 2, per_page: 50 })
    // Bare dates are days in IST, whatever another deployment would take them for.
    expect(JSON.parse(seen[7]!.text)).toEqual({
      created_at__gte: '2026-09-30T18:30:00.000Z',
      created_at__lte: '2026-10-01T18:29:59.999Z',
    })
  })

  test('a base URL that holds the base path already is not given it twice', async () => {
    const { url, seen } = await serve((_, response) => json(response, { data: [] }))
    await client(`${url}${basePath}/`).service.listStores({})
    expect(seen[0]!.path).toBe(`${basePath}/client-stores`)
  })

  test('a logo goes as a form, and null as JSON', async () => {
    const { url, seen } = await serve((_, response) => json(response, { data: store('acme') }, 201))
    const { service, traced } = client(url)
    await service.createStore(newStore('acme', { brand_name: 'Ämé', logo: { bytes: png(), name: 'lögo "1".png' } }))
    await service.updateStore(
      parseInput('updateStore', { id: 'x', brand_name: null, logo: { bytes: png(), name: 'l.png' } }),
    )
    await service.updateStore(parseInput('updateStore', { id: 'x', logo: null }))
    expect(seen[0]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(seen[0]!.headers['idempotency-key']).toBe('uuid-1')
    const text = Buffer.from(seen[0]!.text, 'latin1').toString()
    expect(text).toContain('name="store_name"\r\n\r\nacme\r\n')
    expect(text).toContain('name="brand_name"\r\n\r\nÄmé\r\n')
    expect(text).toMatch(/name="logo"; filename="lögo %221%22\.png"\r\nContent-Type: image\/png/i)
    expect(seen[0]!.text).toContain(Buffer.from(png()).toString('latin1'))
    expect(seen[1]!.text).toContain('name="brand_name"\r\n\r\n\r\n')
    expect(JSON.parse(seen[2]!.text)).toEqual({ logo: null })
    expect(traced[0]!.request_form).toMatchObject({
      store_name: 'acme',
      logo: expect.stringMatching(/^@lögo "1"\.png \(\d+ bytes\)$/) as string,
    })
  })

  test('the trace has the exchange and never the key', async () => {
    const { url } = await serve((_, response) =>
      json(response, { data: [], echo: `Bearer ${key}`, more: 'x'.repeat(3000) }, 200, { 'x-echo': key }),
    )
    const { service, traced } = client(url)
    await service.listStores({})
    const bare = client(url, { scheme: 'bare' })
    await bare.service.listStores({})
    expect(traced[0]).toMatchObject({
      method: 'GET',
      url: `${url}${basePath}/client-stores`,
      status: 200,
      attempt: 1,
      error: undefined,
    })
    expect(traced[0]!.request_headers['authorization']).toBe('Bearer <redacted>')
    expect(bare.traced[0]!.request_headers['authorization']).toBe('<redacted>')
    expect(traced[0]!.answer_text.length).toBeLessThanOrEqual(2000)
    expect(JSON.stringify([traced, bare.traced])).not.toContain(key)
  })

  test('replays and quote facts are told', async () => {
    const facts = { 'shipx-quote': 'card=sample%20card; gst_percent=18; refused=2; others=4' }
    const { url } = await serve(({ path }, response) =>
      path.endsWith('rates')
        ? json(response, { status: 'SUCCESS', result: { serviceable_couriers: [] } }, 200, facts)
        : json(response, orderMade, 200, { 'idempotency-replayed': 'true' }),
    )
    const { service } = client(url)
    const told: unknown[] = []
    await service.createForwardOrder(order, { idempotency_key: 'k', onReplay: () => told.push('replay') })
    await service.getRates(parcel, { onQuote: (quote) => told.push(quote) })
    expect(told).toEqual(['replay', { card: 'sample card', gst_percent: 18, refused: 2, others: 4 }])
  })
})

describe('a deployment that is not ours', () => {
  test('stores come in data or bare, and refusals with 200 are refusals', async () => {
    for (const stores of ['data', 'bare'] as const) {
      const there = await standIn({ stores })
      const { service } = clientOf(there)
      const { data } = await service.createStore(newStore('acme', { brand_name: 'Acme' }))
      expect(data).toMatchObject({ store_name: 'acme', brand_name: 'Acme', is_default: false })
      expect((await service.listStores({})).data.map(({ store_name }) => store_name)).toContain('acme')
      expect((await service.updateStore({ id: data.id, store_name: 'acme-2' })).data.store_name).toBe('acme-2')
      expect((await service.getStore({ id: data.id })).data.store_name).toBe('acme-2')
      for (const refusals of ['with 200', 'with status'] as const) {
        there.switches.refusals = refusals
        const error = await failure(service.getStore({ id: 'nope' }))
        expect([error.code, error.status, error.message]).toEqual(['not_found', 404, 'Store not found'])
      }
      expect((await failure(service.createStore(newStore('acme-2')))).code).toBe('store_name_taken')
    }
  })

  test('quotes are given as they were sent, and read as offers', async () => {
    const there = await standIn()
    const { service } = clientOf(there)
    const answer = await service.getRates(parcel)
    expect(answer).toEqual(JSON.parse(there.answers.at(-1)!))
    const offers = answer.result.serviceable_couriers.map(readOffer)
    expect(offers.filter(({ offered }) => !offered)).toEqual([expect.objectContaining({ carrier_id: 'CARZZNOTTODAY' })])
    const air = offers.find(({ service_level }) => service_level === 'air')!
    expect(air).toMatchObject({
      offered: true,
      carrier_code: undefined,
      pickup: '2026-10-02',
      delivery: '2026-10-05',
      is_fast: undefined,
    })
    expect(air.charges).toMatchObject({ qc_charges: 10, forward_freight_charges: undefined })
    expect(readQuoteZone(answer.result.shipment_details)).toBe('zone_c')
    there.switches.offers = 'none'
    expect((await service.getRates(parcel)).result.serviceable_couriers).toEqual([])
    const unknown = { ...parcel, origin_pincode: '400013' }
    for (const refusals of ['with 200', 'with status'] as const) {
      there.switches.refusals = refusals
      const error = await failure(service.getRates(unknown))
      expect([error.code, error.message]).toEqual(['rejected', 'Invalid pincode'])
    }
  })

  test.each([
    ['{"status":"ERROR","message":"Invalid pincode"}', 'rejected'],
    ['{"status":"PENDING","result":{"serviceable_couriers":[]},"message":"wait"}', 'rejected'],
    ['{"status":"SUCCESS","result":{}}', 'bad_answer'],
    ['{"status":"SUCCESS","result":null}', 'bad_answer'],
    ['{"status":"SUCCESS","result":{"serviceable_couriers":[1]}}', 'bad_answer'],
    ['{"result":{"shipment_details":{}}}', 'bad_answer'],
    ['[]', 'bad_answer'],
  ])('the quote %s is %s', async (body, code) => {
    const { url } = await serve((_, response) => json(response, body))
    expect((await failure(client(url).service.getRates(parcel))).code).toBe(code)
  })

  test('a quote that is nested too deep to be printed is no answer', async () => {
    const deep = `${'['.repeat(9999)}${']'.repeat(9999)}`
    const { url } = await serve((_, response) =>
      json(response, `{"status":"SUCCESS","result":{"serviceable_couriers":[{"x":${deep}}]}}`),
    )
    expect((await failure(client(url).service.getRates(parcel))).message).toContain('nested too deep')
  })

  test('no list of couriers beside the rest of a quote is no courier', async () => {
    const { url } = await serve((_, response) =>
      json(response, '{"status":"SUCCESS","result":{"shipment_details":{"zone":"C"}}}'),
    )
    expect((await client(url).service.getRates(parcel)).result.serviceable_couriers).toEqual([])
  })

  test('orders with and without a courier, and every refusal', async () => {
    const there = await standIn()
    const { service } = clientOf(there)
    expect((await service.createForwardOrder(order)).payload).toMatchObject({ order_created: 1, awb_generated: 0 })
    there.switches.courier = 'none'
    const unassigned = await service.orchestrateForwardOrder({ ...order, order_id: 'A-2' })
    expect(unassigned.payload).toMatchObject({
      order_created: 1,
      awb_generated: 0,
      error_message: 'No courier is serviceable for this shipment',
    })
    for (const refusals of ['with 200', 'with status'] as const) {
      there.switches.refusals = refusals
      expect((await failure(service.createForwardOrder(order))).code).toBe('duplicate_order')
    }
    expect((await failure(service.createForwardOrder({ ...order, order_id: 'A-3', store_name: 'nobody' }))).code).toBe(
      'unknown_store',
    )
    expect([...there.created.values()]).toEqual([1, 1])
  })

  test('meta is read from text, from nothing, and keeps what is not known', async () => {
    const there = await standIn({ shipments: 5 })
    const { records, meta } = await clientOf(there).service.listShipments({ per_page: 3, page: 1 })
    expect(records).toHaveLength(3)
    expect(records[0]).toContain('"partner_reference":90071992547409931234')
    expect(meta).toEqual({ current_page: 1, per_page: 3, total: 5, last_page: 2, next_search_after: [] })
    for (const body of [
      '{"data":[{"id":1}]}',
      '[{"id":1}]',
      '{"data":[{"id":1}],"meta":{"total":"x","per_page":null,"next_search_after":["1"]}}',
    ]) {
      const { url } = await serve((_, response) => json(response, body))
      expect(await client(url).service.listShipments({ page: 3, per_page: 10 })).toMatchObject({
        records: ['{"id":1}'],
        meta: { current_page: 3, per_page: 10, total: 21, next_search_after: [] },
      })
    }
  })

  test('a success that shows no store is looked up', async () => {
    const { url } = await serve(({ method, path }, response) =>
      method === 'GET'
        ? json(response, path.endsWith('stores') ? [store('acme')] : store('acme'))
        : method === 'PUT'
          ? response.writeHead(204).end()
          : json(response, { status: 'SUCCESS' }),
    )
    const { service } = client(url)
    expect((await service.updateStore({ id: 'x', brand_name: '' })).data.store_name).toBe('acme')
    expect((await service.createStore(newStore('acme'))).data.store_name).toBe('acme')
  })
})

describe('filters and cursors that a service does not know', () => {
  test('store_name is refused, after one cheap read', async () => {
    const there = await standIn()
    const { service } = clientOf(there)
    for (const call of [service.listShipments, service.walkShipments]) {
      const error = await failure(call(parseInput('listShipments', { store_name: 'x' })))
      expect([error.code, error.details[0]!.field, error.exit]).toEqual(['not_supported', 'store_name', 2])
    }
    expect(there.requests.map(({ path }) => path)).toEqual(['/client-stores'])
    await service.listShipments({ store_name: [] })
    await service.listReturns(parseInput('listReturns', { store_name: 'x' }))
  })

  test('a cursor is refused where the service would give the first page again', async () => {
    const there = await standIn()
    const error = await failure(clientOf(there).service.listShipments({ search_after: ['1', 'a'] }))
    expect([error.code, error.details[0]!.field]).toEqual(['not_supported', 'search_after'])
  })

  test('both go where they are announced', async () => {
    const { url, seen } = await serve(({ method }, response) =>
      json(response, method === 'GET' ? { data: [] } : emptyPage, 200, capable),
    )
    const { service } = client(url)
    await service.listShipments({ store_name: ['x'], next_search_after: ['1', 'a'] })
    expect(JSON.parse(seen[1]!.text)).toEqual({ store_name: ['x'], search_after: ['1', 'a'] })
  })
})
