// The behaviour of the service through its port, whatever is behind it: every column of the table runs every test. A new
// transport or database joins by one row in `columns`.
import sql, { join } from 'sql-template-tag'
import { afterAll, beforeEach, afterEach, describe, expect, test } from 'vitest'
import type { ShippingService } from '../../src/domain/contract.ts'
import type { OrderCreate } from '../../src/domain/orders.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { assignOrder } from '../../src/engine/orders/changes.ts'
import { setWarehouse } from '../../src/engine/accounts/settings.ts'
import { setStoreStatus } from '../../src/engine/accounts/stores.ts'
import { rows } from '../../src/engine/database/port.ts'
import { failure } from '../support/failure.ts'
import {
  engineOn,
  openEngine,
  openPostgresEngine,
  temporaryPath,
  testHost,
  testNow,
  type TestEngine,
} from '../support/engine.ts'
import { png, pngOfBytes } from '../support/pictures.ts'
import { clientOf, startService } from '../support/service.ts'
import { orderRequest, rateRequest, returnRateRequest } from '../support/requests.ts'
import { first } from '../support/size.ts'

/** A service under test, and the engine behind it to bring about what the specification has no endpoint for. */
interface Subject {
  readonly service: ShippingService
  readonly engine: TestEngine
  /** The same service as another account. */
  readonly other: () => Promise<ShippingService>
  /** Makes a warehouse of an account known. */
  readonly warehouse: (account: string, id: string, pincode: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** The first two are in every run: with them each layer and each database is there once. */
const columns: readonly (readonly [name: string, open: () => Promise<Subject>])[] = [
  ['embedded on SQLite', async () => onEngine(await openEngine(temporaryPath()))],
  ['over HTTP, on PostgreSQL', () => overHttp({ open: (host) => onPostgres(0, host) })],
  ['embedded on PostgreSQL', async () => onEngine(await onPostgres(0))],
  ['embedded on PostgreSQL in 16 partitions', async () => onEngine(await onPostgres(16))],
  ['over HTTP, on SQLite', () => overHttp({})],
]

/** The databases on PostgreSQL that all tests share, by their partitions: to make one takes up to seconds. */
const shared = new Map<number, ReturnType<typeof openPostgresEngine>>()
afterAll(async () => {
  for (const engine of shared.values()) await (await engine).close()
})

/** An engine on PostgreSQL with accounts of its own, beside those of the tests before. */
async function onPostgres(partitions: number, host = testHost()): Promise<TestEngine> {
  if (!shared.has(partitions)) shared.set(partitions, openPostgresEngine(testHost(), { partitions }))
  const { database } = await shared.get(partitions)!
  const text = "update accounts set name = 'before-' || id"
  await database.write(() => rows({ sql: text, text, values: [] }))
  return engineOn({ ...database, close: async () => undefined }, host)
}

const warehouseOn =
  (engine: TestEngine): Subject['warehouse'] =>
  async (name, id, pincode) => {
    const { database, account } = await engine.as(name)
    await database.write(() => setWarehouse(account, id, pincode))
  }

async function onEngine(engine: TestEngine): Promise<Subject> {
  const other = async (): Promise<ShippingService> => (await engine.as('other')).service
  return { service: engine.service, engine, other, warehouse: warehouseOn(engine), close: engine.close }
}

async function overHttp(options: Parameters<typeof startService>[0]): Promise<Subject> {
  const served = await startService(options)
  const clients = [clientOf(served, served.key)]
  const close = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.close()))
    await served.close()
  }
  const other = async (): Promise<ShippingService> => {
    const { key } = await served.keyFor('other')
    clients.push(clientOf(served, key))
    return clients.at(-1)!
  }
  return { service: clients[0]!, engine: served.engine, other, warehouse: warehouseOn(served.engine), close }
}

const order = (over: Readonly<Record<string, unknown>> = {}): OrderCreate =>
  parseInput(
    'orchestrateForwardOrder',
    orderRequest({
      billing_customer_name: 'Asha',
      billing_last_name: 'Rao',
      billing_pincode: '560 001',
      billing_phone: '+91 98765-43221',
      order_items: [
        { name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 499.5 },
        { name: 'Bib set', sku: 'BB-11', units: 1, selling_price: '250.50' },
      ],
      payment_method: 'cod',
      cod_collectible: 1249.5,
      sub_total: 1249.5,
      ...over,
    }),
  )

describe.each(first(2, columns))('%s', (name, open) => {
  /** What one database and one way are enough for in `npm test`. */
  const detail = { tags: name === columns[0]![0] ? [] : ['full'] }
  let subject: Subject
  let service: ShippingService
  beforeEach(async () => {
    subject = await open()
    service = subject.service
    await subject.engine.database.write(() => setWarehouse(subject.engine.account, 'WH1', '400001'))
  })
  afterEach(() => subject.close())

  const shipments = async (): Promise<readonly Shipment[]> =>
    (await service.listShipments({})).records.map((record) => JSON.parse(record) as Shipment)

  describe('stores', () => {
    test('a created store has a UUID, channel manual_order, status connected, and is found by its id', async () => {
      const { data } = await service.createStore(
        parseInput('createStore', { store_name: 'acme-kids', brand_name: ' Acme Kids ' }),
      )
      expect(data).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/) as string,
        store_name: 'acme-kids',
        brand_name: 'Acme Kids',
        channel: 'manual_order',
        status: 'connected',
        logo_url: null,
        created_at: new Date(testNow).toISOString(),
        updated_at: new Date(testNow).toISOString(),
      })
      expect(await service.getStore({ id: data.id })).toEqual({ data })
    })

    test('a store without a brand shows null, and the list is ordered by name', { tags: ['full'] }, async () => {
      for (const name of ['zeta', 'Alpha', 'beta', '9-lives'])
        await service.createStore(parseInput('createStore', { store_name: name }))
      const { data } = await service.listStores({})
      expect(data.map((store) => store.store_name)).toEqual(['9-lives', 'Alpha', 'beta', 'zeta'])
      expect(data.every((store) => store.brand_name === null)).toBe(true)
    })

    test(
      'a name that is taken is refused as the specification words it, and names differ by case',
      detail,
      async () => {
        await service.createStore(parseInput('createStore', { store_name: 'acme' }))
        const error = await failure(service.createStore(parseInput('createStore', { store_name: 'acme' })))
        expect([error.code, error.status, error.message]).toEqual([
          'store_name_taken',
          422,
          'Store name has already been taken',
        ])
        await service.createStore(parseInput('createStore', { store_name: 'ACME' }))
        expect((await service.listStores({})).data).toHaveLength(2)
      },
    )

    test('an update changes only what it carries; null and "" clear the brand', detail, async () => {
      const { data: made } = await service.createStore(
        parseInput('createStore', { store_name: 'acme', brand_name: 'Acme' }),
      )
      const same = await service.updateStore(parseInput('updateStore', { id: made.id }))
      expect(same.data).toEqual(made)
      for (const empty of [null, '']) {
        await service.updateStore(parseInput('updateStore', { id: made.id, brand_name: 'Acme' }))
        const cleared = await service.updateStore(parseInput('updateStore', { id: made.id, brand_name: empty }))
        expect(cleared.data).toMatchObject({ store_name: 'acme', brand_name: null })
      }
    })

    test('an unknown store is not found, to get and to update', detail, async () => {
      for (const call of [
        () => service.getStore({ id: 'nope' }),
        () => service.updateStore(parseInput('updateStore', { id: 'nope', brand_name: 'X' })),
      ]) {
        expect((await failure(call())).code).toBe('not_found')
      }
    })

    test('renaming to a taken name is refused and changes nothing', detail, async () => {
      await service.createStore(parseInput('createStore', { store_name: 'acme' }))
      const { data } = await service.createStore(parseInput('createStore', { store_name: 'beta' }))
      const error = await failure(service.updateStore(parseInput('updateStore', { id: data.id, store_name: 'acme' })))
      expect(error.code).toBe('store_name_taken')
      expect((await service.getStore({ id: data.id })).data).toEqual(data)
    })

    test('renaming a store renames it in every linked record and filter', async () => {
      const { data } = await service.createStore(parseInput('createStore', { store_name: 'acme' }))
      await service.createForwardOrder(order({ store_name: 'acme' }))
      await service.updateStore(parseInput('updateStore', { id: data.id, store_name: 'acme-home' }))
      expect((await shipments())[0]!.attributes.order!.store_name).toBe('acme-home')
      expect((await service.listShipments(parseInput('listShipments', { store_name: 'acme' }))).meta.total).toBe(0)
      expect((await service.listShipments(parseInput('listShipments', { store_name: 'acme-home' }))).meta.total).toBe(1)
    })

    test(
      'a disconnected store is out of the list, can be got, and takes no orders until it is connected again',
      detail,
      async () => {
        const { data } = await service.createStore(parseInput('createStore', { store_name: 'acme' }))
        const set = (status: 'connected' | 'disconnected') =>
          subject.engine.database.write(() => setStoreStatus(subject.engine.account, data.id, status, testNow))
        await set('disconnected')
        expect((await service.listStores({})).data).toEqual([])
        expect((await service.getStore({ id: data.id })).data.status).toBe('disconnected')
        expect((await failure(service.createForwardOrder(order({ store_name: 'acme' })))).code).toBe(
          'store_disconnected',
        )
        await set('connected')
        expect((await service.createForwardOrder(order({ store_name: 'acme' }))).status).toBe(1)
      },
    )

    test('a logo of exactly 2 MB is taken, one byte more is 413, and null removes it', detail, async () => {
      const create = (store_name: string, bytes: Uint8Array) =>
        service.createStore(parseInput('createStore', { store_name, logo: { bytes, name: 'logo.png' } }))
      const { data } = await create('fits', pngOfBytes(2_097_152))
      expect(data.logo_url).toBe(`/custom/api/v1/client-stores/${data.id}/logo`)
      const large = await failure(create('large', pngOfBytes(2_097_153)))
      expect([large.code, large.status]).toEqual(['logo_too_large', 413])
      const removed = await service.updateStore(parseInput('updateStore', { id: data.id, logo: null }))
      expect(removed.data.logo_url).toBeNull()
    })

    test.each(
      first(1, [
        ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
        ['a text file named .png', Buffer.from('hello, I am a logo')],
        ['a PNG of 4,097 pixels', png(4097, 10)],
        ['an empty file', Buffer.alloc(0)],
        ['a PNG with a script behind it', Buffer.concat([png(), Buffer.from('<script>')])],
      ]),
    )('%s is no logo (415), and no store is made', detail, async (__, bytes) => {
      const error = await failure(
        service.createStore(parseInput('createStore', { store_name: 'acme', logo: { bytes, name: 'logo.png' } })),
      )
      expect([error.code, error.status]).toEqual(['logo_type', 415])
      expect((await service.listStores({})).data).toEqual([])
    })
  })

  describe('orders', () => {
    test('forward-order records the order and a pending shipment without a courier', async () => {
      const { payload } = await service.createForwardOrder(order())
      expect(payload).toMatchObject({
        order_created: 1,
        awb_generated: 0,
        pickup_generated: 0,
        awb_code: null,
        courier_company_id: null,
        courier_name: null,
        cod: 1,
        charges: null,
      })
      expect(payload.order_id).toMatch(/^ORD[A-Z0-9]{10}$/)
      const [shipment] = await shipments()
      expect(shipment).toMatchObject({ id: payload.shipment_id, type: 'shipment' })
      expect(shipment!.attributes).toMatchObject({
        tracking_number: null,
        status: 'pending',
        sub_status: null,
        granular_status: 'pending',
        carrier: null,
        shipment_milestones: [],
        order: {
          id: payload.order_id,
          channel: 'manual_order',
          display_id: 'A-1',
          external_id: 'A-1',
          store_name: null,
          order_date: '2025-11-21T10:30:00.000Z',
        },
      })
    })

    test('orchestration assigns the first offer, a tracking number and ready_for_pickup', async () => {
      const { payload } = await service.orchestrateForwardOrder(order())
      const rates = await service.getRates(
        parseInput('getRates', { ...rateRequest, payment_method: 'cod', shipment_value: 1249.5 }),
      )
      const first = rates.result.serviceable_couriers[0]!
      expect(payload).toMatchObject({
        order_created: 1,
        awb_generated: 1,
        pickup_generated: 1,
        courier_company_id: first.carrier_id,
        courier_name: first.carrier_name,
        label_url: null,
        charges: {
          frwd_charges: {
            shipping_charges: first.charges['forward_freight_charges']!.toFixed(2),
            cod_charges: first.charges['cod_charges']!.toFixed(2),
          },
          rto_charges: { rto_charges: first.charges['rto_charges']!.toFixed(2) },
        },
      })
      expect(payload.awb_code).toMatch(/^\d{14}$/)
      const [shipment] = await shipments()
      expect(shipment!.attributes).toMatchObject({
        tracking_number: payload.awb_code,
        status: 'pending',
        sub_status: 'ready_for_pickup',
        granular_status: 'ready_for_pickup',
        zone: 'zone_c',
        is_cod: true,
        cod_amount: 1249.5,
        total_price: 1249.5,
        attempt_count: 0,
        shipping_address: {
          name: 'Asha Rao',
          phone: '9876543221',
          city: 'Bengaluru',
          state: 'Karnataka',
          zip: '560001',
        },
        shipment_milestones: [{ milestone: 'ready_for_pickup', milestone_at: new Date(testNow).toISOString() }],
        items: [
          { quantity: 2, price: 499.5, name: 'Cotton romper', sku: 'CR-02' },
          { quantity: 1, price: 250.5, name: 'Bib set', sku: 'BB-11' },
        ],
      })
      expect(payload.applied_weight! * 1000).toBeCloseTo(shipment!.attributes.applied_weight!.value!, 9)
    })

    test('a carrier that is named is taken, and one that does not take the parcel says why', detail, async () => {
      const { payload } = await service.orchestrateForwardOrder(order({ carrier_id: 'CAR8SWIFTA1R9' }))
      expect(payload.courier_name).toBe('SwiftAir')
      const refused = await failure(
        service.orchestrateForwardOrder(order({ order_id: 'A-2', carrier_id: 'CAR2MONSON6X3' })),
      )
      expect([refused.code, refused.status]).toEqual(['no_courier', 422])
      expect(refused.message).toContain('no COD')
      expect(
        (await failure(service.orchestrateForwardOrder(order({ order_id: 'A-2', carrier_id: 'CARNOBODY' })))).code,
      ).toBe('no_courier')
      expect((await service.listShipments({})).meta.total).toBe(1)
    })

    test('a second order with the id is 422 and names the tracking number of the first', async () => {
      const { payload } = await service.orchestrateForwardOrder(order())
      const error = await failure(service.createForwardOrder(order()))
      expect([error.code, error.status]).toEqual(['duplicate_order', 422])
      expect(error.message).toContain(payload.awb_code)
    })

    test('an unknown store, an unknown warehouse and a parcel that nobody takes are refused and leave nothing', async () => {
      expect((await failure(service.createForwardOrder(order({ store_name: 'nobody' })))).code).toBe('unknown_store')
      expect((await failure(service.orchestrateForwardOrder(order({ warehouse_id: 'WH9' })))).code).toBe(
        'unknown_warehouse',
      )
      const nobody = await failure(service.orchestrateForwardOrder(order({ weight: 5000 })))
      expect(nobody.code).toBe('no_courier')
      expect(nobody.message).toContain('over 100 kg')
      expect((await service.listShipments({})).meta.total).toBe(0)
    })

    test('an unknown warehouse is refused without a courier too', { tags: ['full'] }, async () => {
      const error = await failure(service.createForwardOrder(order({ warehouse_id: 'WH9' })))
      expect([error.code, error.status, error.details[0]!.field]).toEqual(['unknown_warehouse', 422, 'warehouse_id'])
      expect((await service.listShipments({})).meta.total).toBe(0)
    })

    test(
      'where it goes back to, its channel and its vendor come back in the answer and in the record',
      detail,
      async () => {
        const kept = {
          rto_warehouse_id: 'RTO9',
          channel_id: 'CH77',
          vendor_details: { name: 'V', rooms: [1, { b: null }] },
        }
        const bare = await service.createForwardOrder(order())
        const { payload } = await service.createForwardOrder(
          order({ order_id: 'A-2', ...kept, rto_warehouse_id: ' RTO9 ' }),
        )
        const assigned = await service.orchestrateForwardOrder(order({ order_id: 'A-3', channel_id: 'CH78' }))
        expect(payload).toMatchObject(kept)
        expect(assigned.payload).toMatchObject({ channel_id: 'CH78' })
        for (const field of Object.keys(kept)) expect(bare.payload).not.toHaveProperty(field)
        const all = Object.fromEntries(
          (await shipments()).map(({ attributes }) => [attributes.order!.display_id, attributes.order]),
        )
        expect(all['A-1']).not.toHaveProperty('channel_id')
        expect(all['A-2']).toMatchObject(kept)
        expect(all['A-3']).toMatchObject({ channel_id: 'CH78' })
      },
    )

    test('without a courier the answer has the weight of its record', { tags: ['full'] }, async () => {
      const { payload } = await service.createForwardOrder(order({ weight: 1.234 }))
      const [shipment] = await shipments()
      expect(shipment!.attributes.applied_weight).toEqual({ value: 1234, metric_unit: 'g' })
      expect(payload.applied_weight).toBe(1.234)
    })

    test(
      'a carrier that is wished for must be on the card, and is the one that the assignment takes',
      detail,
      async () => {
        const unknown = await failure(service.createForwardOrder(order({ carrier_id: 'CARNOBODY' })))
        expect([unknown.code, unknown.status, unknown.details[0]!.field]).toEqual(['no_courier', 422, 'carrier_id'])
        const { payload } = await service.createForwardOrder(order({ carrier_id: ' CAR8SWIFTA1R9 ' }))
        expect(payload).toMatchObject({ courier_company_id: null, courier_name: null, awb_code: null })
        const { database, account, host } = subject.engine
        const { answer } = await database.write(() => assignOrder(database.dialect, account, host, 'A-1', undefined))
        expect(answer.payload.courier_company_id).toBe('CAR8SWIFTA1R9')
      },
    )

    test.each(
      first(1, [
        [
          'more to collect than the order is worth',
          { cod_collectible: 1249.51 },
          'cod_collectible',
          '1249.51 to collect is above the sub_total of 1249.5',
        ],
        [
          'a date more than a day ahead',
          { order_date: '2025-11-22 16:34' },
          'order_date',
          '2025-11-22 16:34 is more than a day in the future',
        ],
        ['a date before 2000', { order_date: '1999-12-31 23:59' }, 'order_date', '1999-12-31 23:59 is before 2000'],
        [
          'another country',
          { billing_country: 'Nepal' },
          'billing_country',
          '"Nepal" is not India; write India, IN or IND',
        ],
        [
          'another country of the delivery',
          { shipping_country: 'US' },
          'shipping_country',
          '"US" is not India; write India, IN or IND',
        ],
        [
          'an e-mail without @',
          { billing_email: 'asha.example.com' },
          'billing_email',
          '"asha.example.com" is not an e-mail address',
        ],
      ]),
    )('%s is 422 on both endpoints and leaves nothing', detail, async (__, over, field, message) => {
      for (const create of [service.createForwardOrder, service.orchestrateForwardOrder]) {
        const error = await failure(create(order(over)))
        expect([error.code, error.status, error.message, error.details[0]!.field]).toEqual([
          'rejected',
          422,
          message,
          field,
        ])
      }
      expect((await service.listShipments({})).meta.total).toBe(0)
    })

    test('all that cannot be meant is named together, and the last that can is taken', detail, async () => {
      const error = await failure(
        service.createForwardOrder(
          order({ billing_country: 'Nepal', billing_email: 'x', order_date: '1999-01-01 10:00' }),
        ),
      )
      expect(error.details.map(({ field }) => field)).toEqual(['order_date', 'billing_country', 'billing_email'])
      const last = {
        cod_collectible: 1249.5,
        order_date: '2025-11-22 16:33',
        billing_country: ' ind ',
        billing_email: 'a@b',
      }
      expect((await service.createForwardOrder(order(last))).status).toBe(1)
    })

    test('its own delivery address decides the lane and the name', { tags: ['full'] }, async () => {
      await service.orchestrateForwardOrder(
        order({
          shipping_is_billing: false,
          shipping_customer_name: 'Ravi',
          shipping_address: '1 Fort',
          shipping_city: 'Mumbai',
          shipping_pincode: '400001',
          shipping_state: 'Maharashtra',
          shipping_country: 'India',
          shipping_phone: '09876543210',
        }),
      )
      const [shipment] = await shipments()
      expect(shipment!.attributes).toMatchObject({
        zone: 'zone_a',
        shipping_address: { name: 'Ravi', phone: '9876543210', zip: '400001' },
      })
    })
  })

  describe('idempotency keys', () => {
    test('the same key and request give the first answer again and make nothing', async () => {
      let replays = 0
      const call = { idempotency_key: 'k-1', onReplay: () => replays++ }
      const first = await service.orchestrateForwardOrder(order(), call)
      const second = await service.orchestrateForwardOrder(order(), call)
      expect(second).toEqual(first)
      expect(replays).toBe(1)
      expect((await service.listShipments({})).meta.total).toBe(1)
    })

    test('the same key with another request is 422, also on another endpoint', async () => {
      await service.createForwardOrder(order(), { idempotency_key: 'k-1' })
      for (const call of [
        () => service.createForwardOrder(order({ order_id: 'A-2' }), { idempotency_key: 'k-1' }),
        () => service.orchestrateForwardOrder(order(), { idempotency_key: 'k-1' }),
      ]) {
        const error = await failure(call())
        expect([error.code, error.status]).toEqual(['idempotency_mismatch', 422])
      }
    })

    test('a refusal is not kept: the key may be used again when the cause is gone', detail, async () => {
      const input = order({ store_name: 'acme' })
      expect((await failure(service.createForwardOrder(input, { idempotency_key: 'k-1' }))).code).toBe('unknown_store')
      await service.createStore(parseInput('createStore', { store_name: 'acme' }))
      expect((await service.createForwardOrder(input, { idempotency_key: 'k-1' })).status).toBe(1)
    })

    test('a key used again after two days ended with an internal error, where many older answers waited', async () => {
      const call = { idempotency_key: 'k-old' }
      await service.createForwardOrder(order({ order_id: 'A-old' }), call)
      const { database, account } = subject.engine
      const twoDays = 2 * 86_400_000
      const aged = sql`update idempotency set created_at = created_at - ${twoDays} where account_id = ${account}`
      const older = sql`insert into idempotency (account_id, key, operation, request, answer, created_at)
        values ${join(Array.from({ length: 30 }, (_, n) => sql`(${account}, ${`a-${n}`}, 'x', 'x', '{}', 0)`))}`
      await database.write(function* () {
        yield* rows(aged)
        yield* rows(older)
      })
      expect((await service.createForwardOrder(order({ order_id: 'A-new' }), call)).status).toBe(1)
      // The new answer is the one that is kept.
      expect((await service.createForwardOrder(order({ order_id: 'A-new' }), call)).status).toBe(1)
      expect((await service.listShipments({})).meta.total).toBe(2)
    })

    test('store creation honours it too, logo and all', async () => {
      const input = parseInput('createStore', { store_name: 'acme', logo: { bytes: png(), name: 'a.png' } })
      const first = await service.createStore(input, { idempotency_key: 'k-2' })
      expect(await service.createStore(input, { idempotency_key: 'k-2' })).toEqual(first)
      expect((await service.listStores({})).data).toHaveLength(1)
    })

    test.each(first(1, ['', 'a key', 'ü', 'x'.repeat(256)]))('%j is no key', detail, async (key) => {
      expect((await failure(service.createForwardOrder(order(), { idempotency_key: key }))).code).toBe('invalid_input')
    })
  })

  test('places are found in every spelling, and a word that is none is refused', async () => {
    const record = (id: string, shipping_address: object | null): Shipment =>
      ({ id, type: 'shipment', attributes: { created_at: '2025-11-01T00:00:00Z', shipping_address } }) as Shipment
    await subject.engine.save('shipment', [
      record('code', { city: 'New  Delhi', state: 'DL', zip: '110 001' }),
      record('name', { city: 'new delhi ', state: 'Delhi', zip: '110001' }),
      record('other', { city: 'Pune', state: 'Maharashtra', zip: '411001' }),
      record('empty', { city: null, state: '', zip: null }),
      record('none', null),
    ])
    const found = async (raw: object): Promise<readonly string[]> => {
      const { records } = await service.listShipments(parseInput('listShipments', raw))
      return records.map((text) => (JSON.parse(text) as Shipment).id).toSorted()
    }
    expect(await found({ state: 'NCT of Delhi' })).toEqual(['code', 'name'])
    expect(await found({ city: ['NEW DELHI'], pincode: '110001' })).toEqual(['code', 'name'])
    expect(await found({ state: ['mh', 'Goa'] })).toEqual(['other'])
    expect(await found({ pincode: ['560001', '400001'] })).toEqual([])
    await expect(async () => found({ state: 'Delhy' })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('another account sees nothing and collides with nothing', async () => {
    const { data } = await service.createStore(parseInput('createStore', { store_name: 'acme' }))
    await service.createForwardOrder(order({ store_name: 'acme' }), { idempotency_key: 'k-1' })
    const other = await subject.other()
    expect((await other.listStores({})).data).toEqual([])
    expect((await failure(other.getStore({ id: data.id }))).message).toBe(
      (await failure(other.getStore({ id: 'nope' }))).message,
    )
    expect((await other.listShipments({})).meta.total).toBe(0)
    expect((await failure(other.createForwardOrder(order({ store_name: 'acme' })))).code).toBe('unknown_store')
    await other.createStore(parseInput('createStore', { store_name: 'acme' }))
    expect((await failure(other.createForwardOrder(order()))).code).toBe('unknown_warehouse')
    await subject.warehouse('other', 'WH1', '400001')
    expect((await other.createForwardOrder(order(), { idempotency_key: 'k-1' })).status).toBe(1)
    expect((await service.listShipments({})).meta.total).toBe(1)
  })

  test('rates answer with the keys of the journey and no others (spec 2.3)', async () => {
    const forward = await service.getRates(parseInput('getRates', rateRequest))
    const back = await service.getRates(parseInput('getRates', returnRateRequest))
    const keys = (value: object) => Object.keys(value).sort()
    expect(keys(forward)).toEqual(['result', 'status'])
    // prettier-ignore
    expect(keys(forward.result.serviceable_couriers[0]!)).toEqual(
      ['carrier_code', 'carrier_id', 'carrier_name', 'charges', 'expected_delivery', 'is_fast', 'is_prime', 'platform_fee', 'service_level', 'status'],
    )
    // prettier-ignore
    expect(keys(back.result.serviceable_couriers[0]!)).toEqual(
      ['carrier_code', 'carrier_id', 'carrier_name', 'charges', 'expected_delivery', 'service_level', 'status'],
    )
    expect(keys(forward.result.shipment_details)).toContain('payment_method')
    expect(keys(back.result.shipment_details)).not.toContain('payment_method')
  })
})
