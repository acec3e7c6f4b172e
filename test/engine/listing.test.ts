// A listing is one order seen in several ways: by page, by cursor, whole; also while records come in and change.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import { returnSorts, type Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { keysOf } from '../../src/domain/keysof.ts'
import { returnBuckets, shipmentBuckets } from '../../src/domain/parcels/statuses.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { openEngine, openPostgresEngine, type TestEngine } from '../support/engine.ts'
import { first, runs } from '../support/size.ts'
import {
  ask,
  walk,
  idsOf,
  attributesOf,
  byPage,
  byCursor,
  firstByCursor,
  wholeOf,
  plan,
  holding,
  shipment,
  back,
  type Json,
  type Kind,
} from './listings.ts'

/** Records of which many were created in the same ms, in groups larger than a page too. */
function tied<R extends Shipment | Return>(records: Iterable<R>): readonly R[] {
  return [...records].map((record, i) => {
    const at = i % 3 === 0 ? record.attributes.created_at : `2025-11-${i % 2 === 0 ? '01' : '02'}T00:00:00.000Z`
    const request = i % 5 === 0 ? { request_date: '2025-11-03T12:00:00Z' } : {}
    return { ...record, attributes: { ...record.attributes, created_at: at, ...request } }
  })
}

const all: Readonly<Record<Kind, readonly (Shipment | Return)[]>> = {
  shipment: tied(seedShipments(plan)),
  return: tied(seedReturns(plan)),
}

let engine: TestEngine
/** The same records in both databases. */
let engines: Readonly<Record<'SQLite' | 'PostgreSQL', TestEngine>>
beforeAll(async () => {
  engine = await openEngine()
  engines = { SQLite: engine, PostgreSQL: await openPostgresEngine() }
  for (const one of Object.values(engines)) {
    await one.save('shipment', all.shipment)
    await one.save('return', all.return)
  }
})
afterAll(() => Promise.all(Object.values(engines).map((one) => one.close())))

const ways: readonly (readonly [Kind, Json])[] = [
  ...first(4, [
    ['shipment', {}],
    ['shipment', { is_cod: true }],
    ['shipment', { status: 'delivered' }],
    ['shipment', { zone: ['b', 'd'] }],
    ['shipment', { status: 'delivered', is_cod: false }],
    ['shipment', { search: 'a' }],
    ['shipment', { search: 'an kurta' }],
    ['shipment', { search: 'kurta' }],
    ['shipment', { tags: ['gift'] }],
    ['shipment', { applied_weight_min: 400, start_time: 1_760_000_000 }],
  ] satisfies (readonly [Kind, Json])[]),
  ...returnSorts.flatMap((sort_by): readonly (readonly [Kind, Json])[] =>
    first(2, [
      ['return', { sort_by }],
      ['return', { sort_by, zone: 'd' }],
      ['return', { sort_by, search: 'an' }],
      ['return', { sort_by, status: 'return_received', qc_status: ['passed', 'failed'] }],
      ['return', { sort_by, created_at__gte: '2025-11-01', created_at__lte: '2025-11-02' }],
    ]),
  ),
]

describe.each(ways)('%s by %j', (kind, filters) => {
  const orders = [
    ['asc', 'SQLite'],
    ['desc', 'SQLite'],
    ['asc', 'PostgreSQL'],
    ['desc', 'PostgreSQL'],
  ] as const
  test.each(first(2, orders))('pages, cursors and the whole agree, %s on %s', async (sort_order, on) => {
    const engine = engines[on]
    const raw = { ...filters, sort_order }
    const whole = await walk(engine.service, kind, raw)
    const ids = await wholeOf(whole)
    expect(whole.total).toBe(ids.length)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await byPage(engine.service, kind, { ...raw, per_page: 100 })).toEqual(ids)
    expect(await byCursor(engine.service, kind, { ...raw, per_page: 100 })).toEqual(ids)
    expect(await byCursor(engine.service, kind, { ...raw, per_page: 97 })).toEqual(ids)
    const some = ids.slice(0, 45)
    expect(
      (await firstByCursor(engine.service, kind, { ...raw, per_page: 7 }, some.length)).slice(0, some.length),
    ).toEqual(some)
  })

  test('ascending is descending backwards, ties included', async () => {
    const up = await wholeOf(await walk(engine.service, kind, { ...filters, sort_order: 'asc' }))
    const down = await wholeOf(await walk(engine.service, kind, { ...filters, sort_order: 'desc' }))
    expect(up.toReversed()).toEqual(down)
    expect(await wholeOf(await walk(engine.service, kind, filters))).toEqual(down)
  })
})

test('the questions above find something', async () => {
  const totals = await Promise.all(
    ways.map(async ([kind, raw]) => [kind, JSON.stringify(raw), (await ask(engine.service, kind, raw)).meta.total]),
  )
  expect(totals.filter(([, , total]) => total === 0)).toEqual([])
})

describe('while records come in', () => {
  const orders = fc.record({
    sort_order: fc.constantFrom('asc', 'desc'),
    per_page: fc.integer({ min: 1, max: 40 }),
    filtered: fc.boolean(),
    batch: fc.integer({ min: 1, max: 8 }),
  })

  test.each(['shipment', 'return'] as const)(
    'a cursor walk gives every %s that was there exactly once',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(
          orders,
          fc.constantFrom(...returnSorts),
          async ({ sort_order, per_page, filtered, batch }, sort_by) => {
            const fresh = await openEngine()
            const records = all[kind].slice(0, 240)
            const there = records.filter((_, i) => i % 3 !== 0)
            const coming = records.filter((_, i) => i % 3 === 0)
            await fresh.save(kind, there)
            const raw: Json = {
              sort_order,
              per_page,
              ...(kind === 'return' ? { sort_by } : {}),
              ...(filtered ? { zone: ['d', 'e'] } : {}),
            }
            const kept = there.filter(({ attributes }) => !filtered || ['zone_d', 'zone_e'].includes(attributes.zone!))
            const ids = await byCursor(fresh.service, kind, raw, () => fresh.save(kind, coming.splice(0, batch)))
            await fresh.close()
            expect(new Set(ids).size).toBe(ids.length)
            const old = new Set(there.map(({ id }) => id))
            expect(new Set(ids.filter((id) => old.has(id)))).toEqual(new Set(kept.map(({ id }) => id)))
          },
        ),
        { numRuns: runs(3, 12) },
      )
    },
  )

  test.each(['shipment', 'return'] as const)(
    'a whole walk gives every %s that was there exactly once',
    async (kind) => {
      const there = Array.from({ length: 6 }, (_, copy) =>
        all[kind].slice(0, 400).map((record) => ({ ...record, id: `${record.id}-${copy}` })),
      ).flat()
      const fresh = await holding({ [kind]: there })
      const coming = all[kind].slice(400, 600)
      const ids = await wholeOf(await walk(fresh.service, kind, {}), () => fresh.save(kind, coming.splice(0, 90)))
      expect(new Set(ids).size).toBe(ids.length)
      const seen = new Set(ids)
      expect(there.filter(({ id }) => !seen.has(id))).toEqual([])
    },
  )
})

describe('meta', () => {
  test('counts all matches on every page and with a cursor', async () => {
    const first = await ask(engine.service, 'shipment', { per_page: 10 })
    expect(first.meta).toMatchObject({ current_page: 1, per_page: 10, total: plan.shipments })
    const third = await ask(engine.service, 'shipment', { per_page: 10, page: 3 })
    expect(third.meta).toMatchObject({ current_page: 3, per_page: 10, total: plan.shipments })
    const after = await ask(engine.service, 'shipment', { per_page: 10, search_after: third.meta.next_search_after })
    expect(after.meta).toMatchObject({ current_page: 1, per_page: 10, total: plan.shipments })
    const filtered = { status: 'delivered', zone: ['a', 'b', 'c'], per_page: 5 }
    const { meta } = await ask(engine.service, 'shipment', filtered)
    const next = await ask(engine.service, 'shipment', { ...filtered, search_after: meta.next_search_after })
    expect(next.meta.total).toBe(meta.total)
    expect(meta.total).toBeLessThan(plan.shipments)
  })

  test('has twenty records on a page when nothing is said', async () => {
    const { records, meta } = await ask(engine.service, 'return', {})
    expect([records.length, meta.per_page, meta.current_page]).toEqual([20, 20, 1])
  })

  test('names the last record: its sort value in text, and its id', async () => {
    const sent = await ask(engine.service, 'shipment', { per_page: 3 })
    const lastSent = JSON.parse(sent.records.at(-1)!) as Shipment
    expect(sent.meta.next_search_after).toEqual([String(Date.parse(lastSent.attributes.created_at)), lastSent.id])
    for (const sort_by of returnSorts) {
      const back = await ask(engine.service, 'return', { per_page: 3, sort_by })
      const { id, attributes } = JSON.parse(back.records.at(-1)!) as Return
      const value =
        sort_by === 'total_price' ? Math.round(attributes.total_price! * 100) : Date.parse(attributes[sort_by]!)
      expect(back.meta.next_search_after).toEqual([String(value), id])
    }
  })

  test('has no cursor on an empty page', async () => {
    const empty = { records: [], meta: { current_page: 1, per_page: 20, total: 0, next_search_after: [] } }
    expect(await ask(engine.service, 'shipment', { search: 'nobodyisthere' })).toEqual(empty)
    const beyond = await ask(engine.service, 'return', { page: 100_000_000, per_page: 100 })
    expect(beyond.records).toEqual([])
    expect(beyond.meta).toEqual({
      current_page: 100_000_000,
      per_page: 100,
      total: plan.returns,
      next_search_after: [],
    })
    const past = await ask(engine.service, 'shipment', { sort_order: 'asc', search_after: ['9999999999999', 'x'] })
    expect(past.meta).toEqual({ current_page: 1, per_page: 20, total: plan.shipments, next_search_after: [] })
  })

  test('of an empty database is a page of nothing', async () => {
    const fresh = await holding({})
    for (const kind of ['shipment', 'return'] as const) {
      expect((await ask(fresh.service, kind, {})).meta.total).toBe(0)
      expect(await wholeOf(await walk(fresh.service, kind, { search: 'ab' }))).toEqual([])
    }
  })

  test('takes a cursor of a record that is gone, and page 1 beside a cursor', async () => {
    const { records } = await ask(engine.service, 'shipment', { per_page: 30 })
    const { id, attributes } = JSON.parse(records[9]!) as Shipment
    const cursor = [String(Date.parse(attributes.created_at)), id.slice(0, -1)]
    const after = await ask(engine.service, 'shipment', { per_page: 20, search_after: cursor, page: 1 })
    expect(after.records.slice(0, 15)).toEqual(
      (await ask(engine.service, 'shipment', { per_page: 100 })).records
        .filter((doc) => {
          const record = JSON.parse(doc) as Shipment
          const at = Date.parse(record.attributes.created_at)
          return at < Number(cursor[0]) || (at === Number(cursor[0]) && record.id < cursor[1]!)
        })
        .slice(0, 15),
    )
  })
})

describe('status', () => {
  // prettier-ignore
  const sentBuckets = {
    pending: ['pending', 'processing', 'ready_for_pickup', 'pickup_scheduled', 'not_picked'],
    in_transit: ['in_transit'],
    out_for_delivery: ['out_for_delivery', 'reattempt_delivery'],
    delivered: ['delivered'],
    ndr_raised: ['ndr_raised', 'need_attention'],
    rto_initiated: ['rto_initiated'],
    rto_in_transit: ['rto_in_transit', 'rto_need_attention'],
    rto_delivered: ['rto_delivered'],
    cancelled: ['cancelled', 'rejected'],
    others: ['lost', 'rto_lost', 'rto_cancelled', 'externally_fulfilled'],
  }

  test('of a shipment counts each detailed status once, where the decisions put it', async () => {
    const total = async (raw: Json) => (await ask(engine.service, 'shipment', raw)).meta.total
    const totals: number[] = []
    for (const [status, granular_status] of Object.entries(sentBuckets)) {
      totals.push(await total({ status }))
      expect([status, await total({ granular_status })]).toEqual([status, totals.at(-1)])
    }
    expect(totals.reduce((sum, one) => sum + one)).toBe(plan.shipments)
    expect(totals).not.toContain(0)
    expect(Object.values(sentBuckets).flat().toSorted()).toEqual(keysOf(shipmentBuckets).toSorted())
  })

  test('of a return: received is delivered, and lost is in no bucket', async () => {
    const records = Object.entries(returnBuckets).map(([granular_status, { shown }]) =>
      back(granular_status, { granular_status, status: shown }),
    )
    const { service } = await holding({ return: records })
    const ids = async (raw: Json) => idsOf(await ask(service, 'return', raw)).toSorted()
    // prettier-ignore
    const buckets = {
      return_requested: ['return_requested'],
      pickup_scheduled: ['return_not_picked', 'return_pickup_scheduled'],
      in_transit: ['return_in_transit', 'return_ndr_raised', 'return_need_attention'],
      return_received: ['return_delivered'],
      cancelled: ['return_cancelled', 'return_qc_failed', 'return_rejected'],
    }
    for (const [status, list] of Object.entries(buckets)) expect(await ids({ status })).toEqual(list.toSorted())
    expect(Object.values(buckets).flat()).not.toContain('return_lost')
    expect(await ids({ granular_status: 'return_lost' })).toEqual(['return_lost'])
    const [received] = (await ask(service, 'return', { status: 'return_received' })).records
    expect(attributesOf(received!)['status']).toBe('delivered')
    const [lost] = (await ask(service, 'return', { granular_status: ['return_lost'] })).records
    expect(attributesOf(lost!)['status']).toBe('lost')
  })

  test('of a return from elsewhere that only shows delivered is received', async () => {
    const { service } = await holding({ return: [back('r', { status: 'delivered' }), back('l', { status: 'lost' })] })
    expect(idsOf(await ask(service, 'return', { status: 'return_received' }))).toEqual(['r'])
  })
})

describe('a renamed store', () => {
  test('is rewritten in its records, and they match the new name alone', async () => {
    const fresh = await openEngine()
    onTestFinished(fresh.close)
    const other = await fresh.as('other')
    const { data: store } = await fresh.service.createStore(parseInput('createStore', { store_name: 'old-name' }))
    const order = { id: 'o', store_name: 'old-name', display_id: 'd', odd: [1] }
    // More than one chunk of the rewriting.
    const linked = Array.from({ length: 1203 }, (_, i) => shipment(`s${i}`, { order, extra: i }))
    const sent = [...linked, shipment('x', { order: { store_name: 'old-name-2' } }), shipment('y', { order: null })]
    const returned = [back('r1', { order }), back('r2', { order: { store_name: 'OLD-NAME' } })]
    for (const one of [fresh, other]) {
      await one.save('shipment', sent)
      await one.save('return', returned)
    }
    const changed = async () => {
      const found = []
      for (const kind of ['shipment', 'return'] as const)
        for (const one of [fresh, other])
          for (const name of ['old-name', 'new-name'])
            found.push((await ask(one.service, kind, { store_name: name })).meta.total)
      return found
    }
    expect(await changed()).toEqual([1203, 0, 1203, 0, 1, 0, 1, 0])
    const before = await byCursor(fresh.service, 'shipment', { per_page: 100 })
    await fresh.service.updateStore(parseInput('updateStore', { id: store.id, store_name: 'new-name' }))
    expect(await changed()).toEqual([0, 1203, 1203, 0, 0, 1, 1, 0])

    const page = await ask(fresh.service, 'shipment', { store_name: ['new-name'], per_page: 100 })
    for (const doc of page.records) {
      const { id, attributes } = JSON.parse(doc) as Shipment
      expect({ id, attributes }).toEqual({
        id,
        attributes: {
          created_at: '2025-11-01T00:00:00Z',
          order: { ...order, store_name: 'new-name' },
          extra: Number(id.slice(1)),
        },
      })
    }
    expect(idsOf(await ask(fresh.service, 'return', { store_name: 'new-name' }))).toEqual(['r1'])
    expect(await byCursor(fresh.service, 'shipment', { per_page: 100 })).toEqual(before)
    expect((await ask(fresh.service, 'shipment', { store_name: 'old-name-2' })).meta.total).toBe(1)
    expect((await ask(fresh.service, 'return', { store_name: 'OLD-NAME' })).meta.total).toBe(1)
  })
})
