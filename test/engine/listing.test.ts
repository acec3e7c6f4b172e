// A listing is one order seen in several ways: by page, by cursor, whole; and a question that breaks a rule is refused.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Name, Walk } from '../../src/domain/contract.ts'
import type { ShipxError } from '../../src/domain/errors.ts'
import type { Page } from '../../src/domain/page.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { returnSorts, type Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { returnBuckets, shipmentBuckets, shipmentDates, shipmentMilestones } from '../../src/domain/parcels/statuses.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import type { EmbeddedService } from '../../src/engine/service.ts'
import { openEngine, openPostgresEngine, testNow, type TestEngine } from '../support/engine.ts'
import { first, runs } from '../support/size.ts'

type Json = Record<string, unknown>
type Kind = 'shipment' | 'return'
type Questioned = Pick<EmbeddedService, 'listShipments' | 'listReturns' | 'walkShipments' | 'walkReturns'>

/** A page for a question as it arrives. */
function ask(service: Questioned, kind: Kind, raw: Json): Promise<Page> {
  return kind === 'shipment'
    ? service.listShipments(parseInput('listShipments', raw))
    : service.listReturns(parseInput('listReturns', raw))
}

function walk(service: Questioned, kind: Kind, raw: Json): Promise<Walk> {
  return kind === 'shipment'
    ? service.walkShipments(parseInput('listShipments', raw))
    : service.walkReturns(parseInput('listReturns', raw))
}

const idOf = (doc: string): string => (JSON.parse(doc) as { id: string }).id
const idsOf = (page: Page): readonly string[] => page.records.map(idOf)
const attributesOf = (doc: string): Json => (JSON.parse(doc) as { attributes: Json }).attributes

/** Every page by number, until one is empty. */
async function byPage(service: Questioned, kind: Kind, raw: Json): Promise<readonly string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const found = await ask(service, kind, { ...raw, page })
    ids.push(...idsOf(found))
    if (found.records.length === 0) return ids
  }
}

/** Every page by cursor, until one is empty; `between` happens after each page. */
async function byCursor(
  service: Questioned,
  kind: Kind,
  raw: Json,
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: readonly string[] | undefined
  for (let page = 1; ; page++) {
    const found = await ask(service, kind, cursor === undefined ? raw : { ...raw, search_after: cursor })
    ids.push(...idsOf(found))
    cursor = found.meta.next_search_after
    if (found.records.length === 0) return ids
    await between(page)
  }
}

/** The first records by cursor under its other name, as many pages as it takes. */
async function firstByCursor(service: Questioned, kind: Kind, raw: Json, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: readonly string[] | undefined
  while (ids.length < count) {
    const found = await ask(service, kind, cursor === undefined ? raw : { ...raw, next_search_after: cursor })
    if (found.records.length === 0) return ids
    ids.push(...idsOf(found))
    cursor = found.meta.next_search_after
  }
  return ids
}

async function wholeOf({ batches }: Walk, between: () => Promise<unknown> = async () => undefined) {
  const ids: string[] = []
  for await (const batch of batches) {
    ids.push(...batch.records.map(idOf))
    await between()
  }
  return ids
}

const plan: SeedPlan = { shipments: 2300, returns: 1150, stores: 6, days: 40, seed: 3, now: testNow }

/** Records of which many were created in the same ms, in groups larger than a page too. */
function tied<R extends Shipment | Return>(records: Iterable<R>): readonly R[] {
  return [...records].map((record, i) => {
    const at = i % 3 === 0 ? record.attributes.created_at : `2025-11-${i % 2 === 0 ? '01' : '02'}T00:00:00.000Z`
    const request = i % 5 === 0 ? { request_date: '2025-11-03T12:00:00Z' } : {}
    return { ...record, attributes: { ...record.attributes, created_at: at, ...request } }
  })
}

let engine: TestEngine
/** The same records in both databases. */
let engines: Readonly<Record<'SQLite' | 'PostgreSQL', TestEngine>>
let all: Readonly<Record<Kind, readonly (Shipment | Return)[]>>

beforeAll(async () => {
  engine = await openEngine()
  all = { shipment: tied(seedShipments(plan)), return: tied(seedReturns(plan)) }
  engines = { SQLite: engine, PostgreSQL: await openPostgresEngine() }
  for (const one of Object.values(engines)) {
    await one.save('shipment', all.shipment)
    await one.save('return', all.return)
  }
})
afterAll(() => Promise.all(Object.values(engines).map((one) => one.close())))

/** A fresh engine that holds these records. */
async function holding(records: Partial<Record<Kind, readonly (Shipment | Return)[]>>): Promise<TestEngine> {
  const fresh = await openEngine()
  onTestFinished(fresh.close)
  for (const kind of ['shipment', 'return'] as const) await fresh.save(kind, records[kind] ?? [])
  return fresh
}

/** What is wrong with a question, as field and first line. */
function faults(name: Name, raw: unknown): readonly (readonly [string | null, string])[] {
  try {
    parseInput(name, raw)
    return []
  } catch (error) {
    const { code, details } = error as ShipxError
    expect(code).toBe('invalid_input')
    return details.map(({ field, message }) => [field, message.split(' One of: ')[0]!])
  }
}

const ways: readonly (readonly [Kind, Json])[] = [
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
  ...returnSorts.flatMap((sort_by): (readonly [Kind, Json])[] => [
    ['return', { sort_by }],
    ['return', { sort_by, zone: 'd' }],
    ['return', { sort_by, search: 'an' }],
    ['return', { sort_by, status: 'return_received', qc_status: ['passed', 'failed'] }],
    ['return', { sort_by, created_at__gte: '2025-11-01', created_at__lte: '2025-11-02' }],
  ]),
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

describe('a question is refused', () => {
  // prettier-ignore
  const refused: readonly (readonly [Name, unknown, string | null, string])[] = [
    ['listShipments', { per_page: 0 }, 'per_page', 'must be 1 or more'],
    ['listShipments', { per_page: 101 }, 'per_page', 'must be 100 or less'],
    ['listReturns', { per_page: '101' }, 'per_page', 'must be 100 or less'],
    ['listReturns', { per_page: 2.5 }, 'per_page', 'must be a whole number'],
    ['listReturns', { per_page: '' }, 'per_page', 'must be a number'],
    ['listShipments', { per_page: '1e1' }, 'per_page', 'must be a number'],
    ['listShipments', { page: 0 }, 'page', 'must be 1 or more'],
    ['listShipments', { page: -1 }, 'page', 'must be 1 or more'],
    ['listReturns', { page: null }, 'page', 'must be a number'],
    ['listShipments', { page: 2, search_after: ['1', 'a'] }, 'page', 'must be absent or 1 with search_after'],
    ['listReturns', { page: '2', next_search_after: ['1', 'a'] }, 'page', 'must be absent or 1 with search_after'],
    ['listShipments', { search_after: ['1'] }, 'search_after', 'must be a pair of strings, as in meta.next_search_after'],
    ['listShipments', { search_after: ['x', 'a'] }, 'search_after', 'must start with a number in text, as in meta.next_search_after'],
    ['listShipments', { sort_order: 'down' }, 'sort_order', `"down" isn't a sort order.`],
    ['listReturns', { sort_by: 'price' }, 'sort_by', `"price" isn't a sort field. Did you mean total_price?`],
    ['listShipments', { start_time: 1_760_000_000_000 }, 'start_time', 'looks like milliseconds; it must be a Unix time in seconds'],
    ['listShipments', { end_time: '100000000000' }, 'end_time', 'looks like milliseconds; it must be a Unix time in seconds'],
    ['listShipments', { start_time: 2, end_time: 1 }, 'end_time', 'is below start_time; the range is reversed'],
    ['listShipments', { start_time: '10', end_time: 9 }, 'end_time', 'is below start_time; the range is reversed'],
    ['listShipments', { applied_weight_min: 1.5, applied_weight_max: 1.4 }, 'applied_weight_max', 'is below applied_weight_min; the range is reversed'],
    ['listShipments', { attempts_count__gte: 3, attempts_count__lte: 2 }, 'attempts_count__lte', 'is below attempts_count__gte; the range is reversed'],
    ['listReturns', { created_at__gte: '2025-11-02', created_at__lte: '2025-11-01' }, 'created_at__lte', 'is below created_at__gte; the range is reversed'],
    ['listReturns', { created_at__gte: '2025-11-02', created_at__lte: '2025-11-01T18:29:59Z' }, 'created_at__lte', 'is below created_at__gte; the range is reversed'],
    ['listReturns', { return_delivered_at__gte: '2025-11-02', return_delivered_at__lte: '2025-11-01' }, 'return_delivered_at__lte', 'is below return_delivered_at__gte; the range is reversed'],
    ['listReturns', { return_pickup_scheduled_at__gte: '2025-11-02', return_pickup_scheduled_at__lte: '2025-11-01' }, 'return_pickup_scheduled_at__lte', 'is below return_pickup_scheduled_at__gte; the range is reversed'],
    ['listReturns', { created_at__gte: '2025-02-30' }, 'created_at__gte', '"2025-02-30" is not an ISO 8601 time with Z or an offset, nor a date YYYY-MM-DD of the calendar'],
    ['listReturns', { created_at__gte: '2025-11-01T10:00:00' }, 'created_at__gte', '"2025-11-01T10:00:00" is not an ISO 8601 time with Z or an offset, nor a date YYYY-MM-DD of the calendar'],
    ['listShipments', { date_field: 'delivered' }, 'date_field', `"delivered" isn't a date field. Did you mean delivered_at?`],
    ['listShipments', { status: 'transit' }, 'status', `"transit" isn't a status. Did you mean in_transit?`],
    ['listReturns', { status: 'delivered' }, 'status', '"delivered" is what a received return shows, not a status to filter by. Use return_received.'],
    ['listReturns', { status: 'lost' }, 'status', '"lost" is what a lost return shows, not a status to filter by. Use granular_status return_lost.'],
    ['listShipments', { zone: ['zone_f'] }, 'zone.0', `"zone_f" isn't a zone. Did you mean zone_a?`],
    ['listReturns', { qc_status: 'pased' }, 'qc_status.0', `"pased" isn't a QC status. Did you mean passed?`],
    ['listReturns', { refund_status: ['done'] }, 'refund_status.0', `"done" isn't a refund status.`],
    ['listShipments', { ndr_reason: ['refused'] }, 'ndr_reason.0', `"refused" isn't a reason. Did you mean customer_refused?`],
    ['listShipments', { granular_status: ['return_lost'] }, 'granular_status.0', `"return_lost" isn't a granular status. Did you mean lost?`],
    ['listShipments', { is_cod: 'false' }, 'is_cod', 'must be true or false'],
    ['listShipments', { is_cod: 0 }, 'is_cod', 'must be true or false'],
    ['listShipments', { sku: [''] }, 'sku.0', 'must not be empty'],
    ['listShipments', { sku: [7] }, 'sku.0', 'must be text'],
    ['listShipments', { search: 'x'.repeat(201) }, 'search', 'has more than 200 characters; the limit is 200'],
    ['listShipments', { applied_weight_min: -1 }, 'applied_weight_min', 'must not be negative'],
    ['listShipments', { attempts_count__gte: 1.5 }, 'attempts_count__gte', 'must be a whole number'],
    ['listShipments', { carrier_ids: ['x'] }, 'carrier_ids', 'unknown parameter `carrier_ids`; did you mean `carrier_id`?'],
    ['listShipments', { 'warehouse_id[]': ['x'] }, 'warehouse_id[]', 'unknown parameter `warehouse_id[]`; did you mean `warehouse_ids`?'],
    ['listReturns', { carrier_id: ['x'] }, 'carrier_id', 'unknown parameter `carrier_id`; did you mean `carrier_ids`?'],
    ['listReturns', { warehouse_ids: ['x'] }, 'warehouse_ids', 'unknown parameter `warehouse_ids`; did you mean `warehouse_id`?'],
    ['listReturns', { date_field: 'created_at' }, 'date_field', 'unknown parameter `date_field`'],
    ['listShipments', { sort_by: 'created_at' }, 'sort_by', 'unknown parameter `sort_by`'],
    ['listShipments', { qwertyuiop: 1 }, 'qwertyuiop', 'unknown parameter `qwertyuiop`'],
    ['listShipments', { 'zone[]': ['a'], zone: ['b'] }, 'zone', 'is there twice, as zone and zone[]'],
    ['listReturns', { page: 1, 'page[number]': 2 }, 'page', 'is there twice, as page and page[number]'],
    ['listShipments', { page: 2 ** 53 }, 'page', 'must be 100000000 or less'],
    ['listShipments', { per_page: '100000000000000' }, 'per_page', 'must be 100 or less'],
    ['listShipments', { attempts_count__lte: -(2 ** 53) }, 'attempts_count__lte', 'must not be negative'],
    ['listShipments', { search_after: ['1', 'a'], next_search_after: ['2', 'a'] }, 'next_search_after', 'is another cursor than search_after; send one of them'],
    ['listReturns', { search_after: ['1795271392000', ''] }, 'search_after', 'must end with the id of a record, as in meta.next_search_after'],
    ['listShipments', { search: 'asha\trao' }, 'search', 'must not hold control characters'],
    ['listShipments', { search: 'a\u009bb' }, 'search', 'must not hold control characters'],
    ['listReturns', { search: 'a\ud800' }, 'search', 'is not well-formed Unicode text'],
    ['listShipments', { sku: ['a', 'b\u0000'] }, 'sku.1', 'must not hold control characters'],
    ['listReturns', { 'carrier_ids[]': 'a\u007f' }, 'carrier_ids', 'must not hold control characters'],
    ['listReturns', { search_after: ['1', 'a\nb'] }, 'search_after.1', 'must not hold control characters'],
    ['listShipments', [], null, 'the request must be a JSON object'],
    ['listReturns', 'page', null, 'the request must be a JSON object'],
  ]

  test.each(refused)('%s %j', (name, raw, field, message) => {
    expect(faults(name, raw)).toEqual([[field, message]])
  })

  test('with everything that is wrong at once, in the order of the parameters', () => {
    const raw = { per_page: 0, carrier_ids: [], start_time: 5, end_time: 4, status: 'gone', is_cod: 'yes' }
    expect(faults('listShipments', raw).map(([field]) => field)).toEqual([
      'status',
      'is_cod',
      'end_time',
      'per_page',
      'carrier_ids',
    ])
  })

  test('beyond a thousand values in one array, not at a thousand', async () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => `v${i}`)
    expect(faults('listShipments', { sku: many(1001) })).toEqual([['sku', 'has too many values; the limit is 1,000']])
    const full = Object.fromEntries(
      ['carrier_id', 'warehouse_ids', 'channel', 'sku', 'tags', 'store_name', 'order_display_id'].map((name) => [
        name,
        many(1000),
      ]),
    )
    expect((await ask(engine.service, 'shipment', full)).meta.total).toBe(0)
    const zones = { zone: Array.from({ length: 1000 }, (_, i) => 'abcde'[i % 5]) }
    expect((await ask(engine.service, 'shipment', zones)).meta.total).toBe(plan.shipments)
  })
})

describe('a parameter', () => {
  const spelled: readonly (readonly [Kind, Json, readonly Json[]])[] = [
    [
      'shipment',
      { zone: ['zone_b'] },
      [{ 'zone[]': ['zone_b'] }, { zone: 'b' }, { 'zone[]': 'B' }, { zone: ['z_b', 'b'] }],
    ],
    ['shipment', { warehouse_ids: ['nowhere'] }, [{ warehouse_ids: 'nowhere' }, { 'warehouse_ids[]': ['nowhere'] }]],
    ['shipment', { applied_weight_min: 500.5 }, [{ applied_weight_min: '500.5' }]],
    [
      'shipment',
      { per_page: 7, page: 2 },
      [
        { per_page: '7', page: '2' },
        { 'page[size]': 7, 'page[number]': '2' },
      ],
    ],
    ['shipment', { search: 'asha rao' }, [{ search: '\u200basha\ufeffrao\u2060' }, { search: 'asha\u200drao' }]],
    ['return', { refund_status: ['pending'] }, [{ refund_status: 'pending' }, { 'refund_status[]': 'pending' }]],
    ['return', { qc_status: ['passed', 'pending'] }, [{ 'qc_status[]': ['pending', 'passed', 'passed'] }]],
  ]
  test.each(spelled)('of %s may be spelled otherwise: %j', async (kind, plain, others) => {
    const wanted = await ask(engine.service, kind, plain)
    for (const other of others) expect(await ask(engine.service, kind, other)).toEqual(wanted)
  })

  const nothing: readonly (readonly [Kind, Json])[] = [
    ['shipment', { zone: [], sku: [], 'tags[]': [], order_display_id: [], carrier_id: [] }],
    ['shipment', { search: '' }],
    ['shipment', { search: ' \u00a0\u200b\u200d\u2060\ufeff\u180e ' }],
    ['shipment', { search: '  ', zone: [] }],
    ['return', { zone: [], sku: [], 'qc_status[]': [], search: ' ' }],
  ]
  test.each(nothing)('of %s without a value is no filter: %j', async (kind, raw) => {
    expect(await ask(engine.service, kind, raw)).toEqual(await ask(engine.service, kind, {}))
  })
})

const shipment = (id: string, attributes: Json = {}): Shipment =>
  ({ id, type: 'shipment', attributes: { created_at: '2025-11-01T00:00:00Z', ...attributes } }) as Shipment
const back = (id: string, attributes: Json = {}): Return =>
  ({ id, type: 'return', attributes: { created_at: '2025-11-01T00:00:00Z', ...attributes } }) as Return

describe('dates', () => {
  test('of returns without a time are whole days in India', async () => {
    const times = {
      before: '2025-10-31T18:29:59.999Z',
      first: '2025-10-31T18:30:00.000Z',
      last: '2025-11-01T23:59:59.999+05:30',
      after: '2025-11-02T00:00:00+05:30',
    }
    const milestones = (at: string) =>
      ['return_pickup_scheduled', 'return_delivered'].map((milestone) => ({ milestone, milestone_at: at }))
    const records = Object.entries(times).map(([id, at]) =>
      back(id, { created_at: at, shipment: { shipment_milestones: milestones(at) } }),
    )
    const { service } = await holding({ return: [...records, back('never', { created_at: '2024-01-01T00:00:00Z' })] })
    const ids = async (raw: Json) => idsOf(await ask(service, 'return', { ...raw, sort_order: 'asc' }))
    for (const field of ['created_at', 'return_pickup_scheduled_at', 'return_delivered_at']) {
      const day = { [`${field}__gte`]: '2025-11-01', [`${field}__lte`]: '2025-11-01' }
      expect((await ids(day)).toSorted()).toEqual(['first', 'last'])
      expect(await ids({ [`${field}__gte`]: '2025-11-02' })).toEqual(['after'])
      expect(await ids({ [`${field}__lte`]: '2025-10-31' })).toEqual(
        field === 'created_at' ? ['never', 'before'] : ['before'],
      )
      const exact = { [`${field}__gte`]: times.last, [`${field}__lte`]: '2025-11-01T18:29:59.999Z' }
      expect(await ids(exact)).toEqual(['last'])
    }
  })

  test('of shipments end with the whole last second', async () => {
    const second = 1_761_955_200
    const at = (ms: number) => new Date(second * 1000 + ms).toISOString()
    const { service } = await holding({
      shipment: [-1, 0, 999, 1000].map((ms) => shipment(String(ms), { created_at: at(ms) })),
    })
    const ids = async (raw: Json) => idsOf(await ask(service, 'shipment', { ...raw, sort_order: 'asc' }))
    expect(await ids({ start_time: second, end_time: second })).toEqual(['0', '999'])
    expect(await ids({ end_time: second })).toEqual(['-1', '0', '999'])
    expect(await ids({ start_time: second })).toEqual(['0', '999', '1000'])
  })

  test.each(shipmentDates)('in %s never match a record without one', async (date_field) => {
    const second = 1_750_000_000
    const at = new Date(second * 1000).toISOString()
    const name = date_field.replace(/_at$/, '')
    const others = shipmentMilestones.filter((milestone) => milestone !== name)
    const milestones = (names: readonly string[], when: string | null) =>
      names.map((milestone) => ({ milestone, milestone_at: when }))
    const has: Json =
      date_field === 'created_at'
        ? { created_at: at }
        : date_field === 'order_date'
          ? { order: { order_date: at } }
          : { shipment_milestones: milestones([name], at) }
    const lacks = [
      shipment('others', {
        shipment_milestones: milestones(others, at),
        order: date_field === 'order_date' ? {} : { order_date: at },
      }),
      shipment('nulls', { shipment_milestones: milestones(shipmentMilestones, null), order: { order_date: null } }),
      shipment('nothing', { shipment_milestones: null, order: null }),
      shipment('bare'),
    ]
    const { service } = await holding({ shipment: [shipment('has', has), ...lacks] })
    const ids = async (raw: Json) => idsOf(await ask(service, 'shipment', { date_field, ...raw }))
    expect(await ids({ start_time: second, end_time: second })).toEqual(['has'])
    // Everything has been created at some time.
    const everything = date_field === 'created_at' ? 5 : 1
    expect(await ids({ start_time: 0 })).toHaveLength(everything)
    expect(await ids({ end_time: 99_999_999_999 })).toHaveLength(everything)
    expect(await ids({})).toHaveLength(5)
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

  test('of a shipment counts each detailed status once, where the decisions put it', () => {
    const pairs = Object.entries(sentBuckets).flatMap(([bucket, list]) => list.map((name) => [name, bucket]))
    expect(Object.fromEntries(pairs)).toEqual(shipmentBuckets)
    expect(pairs).toHaveLength(Object.keys(shipmentBuckets).length)
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
