// Defends what a mirror answers: what the deployment would, to the byte, whatever form its records have.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RemoteService } from '../../src/client/service.ts'
import type { Page } from '../../src/domain/page.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { returnFilters } from '../../src/domain/parcels/returns.ts'
import { readSent } from '../../src/domain/foreign/records.ts'
import type { shipmentFilters } from '../../src/domain/parcels/shipments.ts'
import { rows } from '../../src/engine/database/port.ts'
import { checkRecord } from '../../src/engine/transfer/imports.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { chanceOf } from '../support/chance.ts'
import { testNow, type TestEngine } from '../support/engine.ts'
import { clientOf } from '../scorecard/clients.ts'
import { startService, type TestService } from '../support/service.ts'
import { standIn, mirrorOf, type Mirror } from '../support/mirrors.ts'

describe('what other deployments send', () => {
  test('is kept as it was sent, and found by what can be read in it', async () => {
    const remote = await standIn({ shipments: 0 })
    const mirror = await mirrorOf(remote)
    // prettier-ignore
    const odd = [
      { id: 7, attributes: { created_at: '2026-09-01 10:00:00', status: 'closed', zone: 'C', attempt_count: '3', applied_weight: { value: '0.5' } } },
      { id: 'b', attributes: { created_at: 1_788_000_000, items: { sku: 'A' }, tags: [null, 'gift'], is_cod: 'true', order: 'none' } },
      { id: 'c', type: 'parcel', attributes: { created_at: 'yesterday', shipment_milestones: [{ milestone: null }, 5], shipping_address: [] } },
      { id: 'd', attributes: { created_at: '2026-09-03T10:00:00Z', items: [{ sku: 12, name: null }, 'x'], order: { display_id: 99 } } },
      { id: 'e' },
      { attributes: { created_at: '2026-09-03T10:00:00Z' } },
    ]
    const text = (value: unknown): string => JSON.stringify(value).replace('"odd"', '1.50')
    const body = `{"data":[${odd.map(text).join(',')}],"meta":{"total":6}}`
    remote.switches.trouble = ({ path }) => (path === '/shipments' ? { kind: 'answer', status: 200, body } : undefined)
    await mirror.pull('shipments')
    expect([...(await mirror.docs('shipments')).values()].toSorted()).toEqual(odd.slice(0, 5).map(text).toSorted())
    const found = async (raw: object): Promise<readonly unknown[]> => {
      const { records } = await mirror.engine.service.listShipments(parseInput('listShipments', raw))
      return records.map((record) => (JSON.parse(record) as { id: unknown }).id)
    }
    expect(await found({ zone: ['c'] })).toEqual([7])
    expect(await found({ attempts_count__gte: 3 })).toEqual([7])
    expect(await found({ is_cod: true })).toEqual(['b'])
    expect(await found({ sku: ['12'] })).toEqual(['d'])
    expect(await found({ order_display_id: ['99'] })).toEqual(['d'])
    // A second time, and in another form: what lay beside the records before is taken away with it.
    remote.switches.trouble = ({ path }) =>
      path === '/shipments'
        ? {
            kind: 'answer',
            status: 200,
            body: `{"data":[{"id":"d","attributes":{"created_at":"2026-09-03T10:00:00Z","items":[]}}],"meta":{"total":1}}`,
          }
        : undefined
    await mirror.pull('shipments', { full: true })
    expect(await found({ sku: ['12'] })).toEqual([])
  })

  test('random JSON is read without a fault', () => {
    const chance = chanceOf(5)
    const junk = (depth: number): unknown => {
      const pick = Math.floor(chance() * (depth > 0 ? 9 : 6))
      if (pick === 6) return [junk(depth - 1), junk(depth - 1)]
      if (pick > 6)
        return { sku: junk(depth - 1), milestone: junk(depth - 1), value: junk(depth - 1), store_name: junk(depth - 1) }
      return [null, 5, '5.5', true, '2026-09-03T10:00:00Z', ''][pick]
    }
    const names = [
      'status',
      'items',
      'order',
      'tags',
      'shipment_milestones',
      'tracking_details',
      'applied_weight',
      'shipping_address',
      'zone',
      'is_cod',
      'created_at',
      'shipment',
      'return_items',
      'total_price',
    ]
    for (let n = 0; n < 1500; n++) {
      const attributes = Object.fromEntries(names.map((name) => [name, junk(3)]))
      for (const kind of ['shipments', 'returns'] as const) {
        const read = readSent(kind, JSON.stringify({ id: `r${n}`, attributes }))!
        expect(checkRecord(kind, read.record)).toEqual({ record: read.record })
      }
    }
  })
})

describe('a mirror of shipx serve', () => {
  const seeded = { shipments: 1500, returns: 500, stores: 5, days: 90, seed: 3, now: testNow }

  async function served(): Promise<{ readonly service: TestService; readonly mirror: Mirror }> {
    const service = await startService({ readers: 0 })
    onTestFinished(() => service.close())
    await service.engine.save('shipment', seedShipments(seeded))
    await service.engine.save('return', seedReturns(seeded))
    return { service, mirror: await mirrorOf(service, () => testNow) }
  }

  const valuesIn = (texts: Iterable<string>, home: string): readonly unknown[] => {
    const values = new Set<unknown>()
    const collect = (value: unknown, path: readonly string[]): void => {
      if (Array.isArray(value)) for (const one of value as unknown[]) collect(one, path)
      else if (path.length > 0)
        collect((value as Record<string, unknown> | null | undefined)?.[path[0]!], path.slice(1))
      else if (value !== null && value !== undefined) values.add(value)
    }
    for (const text of texts) collect(JSON.parse(text), ['attributes', ...home.split('.')])
    return [...values].toSorted()
  }

  const some = (values: readonly unknown[]): readonly unknown[] => [[values[0]], values.slice(0, 3), ['nothing']]

  test('every filter, order and page answers as the service does, to the byte', { tags: ['full'] }, async () => {
    const { service, mirror } = await served()
    for (const kind of ['shipments', 'returns'] as const) {
      await expect(mirror.pull(kind, {}, 1)).rejects.toMatchObject({ code: 'interrupted' })
      await mirror.pull(kind)
    }
    const remote = clientOf({ base_url: service.url, key: service.key })
    onTestFinished(() => remote.close())
    const [shipments, returns] = [
      (await mirror.docs('shipments')).values(),
      (await mirror.docs('returns')).values(),
    ].map((list) => [...list]) as [string[], string[]]
    const s = (home: string) => some(valuesIn(shipments, home))
    const r = (home: string) => some(valuesIn(returns, home))
    const day = '2025-10-20'
    // prettier-ignore
    const values = {
      listShipments: {
        search: ['kurta', 'a', 'cotton kurta', '%'], status: ['in_transit', 'delivered'], statuses: [['in_transit', 'pending']], granular_status: [['delivered'], ['lost', 'ndr_raised']],
        carrier_id: s('carrier.id'), warehouse_ids: s('warehouse_id'), channel: s('order.channel'), zone: [['zone_a'], ['zone_d', 'zone_e']],
        is_cod: [true, false], sku: s('items.sku'), tags: s('tags'), ndr_reason: [['other'], ['customer_refused', 'premises_closed']],
        rto_reason: [['customer_refused']], applied_weight_min: [0, 800], applied_weight_max: [800], attempts_count__gte: [1, 2], attempts_count__lte: [0],
        store_name: s('order.store_name'), order_display_id: s('order.display_id'), tracking_number: s('tracking_number'), city: s('shipping_address.city'),
        state: [['Maharashtra'], ['DL', 'karnataka']], pincode: s('shipping_address.zip').slice(0, 2), start_time: [1_761_000_000], end_time: [1_761_000_000],
      } satisfies Record<keyof typeof shipmentFilters, readonly unknown[]>,
      listReturns: {
        search: ['kurta', 'a'], status: ['return_received', 'in_transit'], statuses: [['return_received', 'in_transit']], granular_status: [['return_delivered'], ['return_lost', 'return_in_transit']],
        warehouse_id: r('warehouse_id'), channel: r('order.channel'), store_name: r('order.store_name'), carrier_ids: r('shipment.carrier.id'),
        zone: [['zone_b']], refund_status: [['pending'], ['processed', 'failed']], qc_status: [['passed']], display_id: r('display_id'), sku: r('return_items.sku'),
        tracking_number: r('shipment.tracking_number'), city: r('shipping_address.city'), state: [['Maharashtra'], ['DL', 'karnataka']],
        pincode: r('shipping_address.zip').slice(0, 2),
        is_dangerous_goods: [true, false], created_at__gte: [day], created_at__lte: [day], return_pickup_scheduled_at__gte: [day],
        return_pickup_scheduled_at__lte: [day], return_delivered_at__gte: [day], return_delivered_at__lte: [day],
      } satisfies Record<keyof typeof returnFilters, readonly unknown[]>,
    }
    let kept = 0
    for (const endpoint of ['listShipments', 'listReturns'] as const)
      for (const [name, list] of Object.entries(values[endpoint]))
        for (const value of list)
          for (const rest of [{}, { sort_order: 'asc', per_page: 7, page: 2 }]) {
            const input = parseInput(endpoint, { [name]: value, ...rest })
            const ask = async (asked: Pick<RemoteService, typeof endpoint>): Promise<Page> =>
              asked[endpoint](input as never)
            const [here, there] = [await ask(mirror.engine.service), await ask(remote)]
            expect([name, value, here]).toEqual([name, value, there])
            if (there.meta.total > 0) kept++
          }
    expect(kept).toBeGreaterThan(80)
  })

  test('follows what changes, comes and goes there', async () => {
    const { service, mirror } = await served()
    await mirror.pull('shipments')
    const texts = [...(await mirror.docs('shipments')).values()]
    const record = (text: string) =>
      JSON.parse(text) as Parameters<TestEngine['save']>[1] extends Iterable<infer R> ? R : never
    const opened = texts.filter((text) => /"status":"(in_transit|pending)"/.test(text)).slice(0, 5)
    const moved = opened
      .map(record)
      .map((one) => ({ ...one, attributes: { ...one.attributes, status: 'delivered', granular_status: 'delivered' } }))
    await service.engine.save('shipment', moved as never)
    const late = { ...record(texts[900]!), id: 'LATE' }
    await service.engine.save('shipment', [late])
    const { database, account } = service.engine
    const text = 'delete from shipments where account_id = $1 and id = $2'
    const gone = record(texts[5]!).id
    await database.write(() => rows({ sql: text.replaceAll(/\$\d/g, '?'), text, values: [account, gone] }))
    const pulled = await mirror.pull('shipments')
    expect(pulled).toMatchObject({ new: 1, changed: 5, removed: 1 })
    const remote = clientOf({ base_url: service.url, key: service.key })
    onTestFinished(() => remote.close())
    const all = await remote.walkShipments({})
    const there = new Map<string, string>()
    for await (const { records } of all.batches) for (const one of records) there.set(record(one).id, one)
    expect(new Map([...(await mirror.docs('shipments'))].toSorted())).toEqual(new Map([...there].toSorted()))
  })
})
