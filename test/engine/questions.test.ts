// A question to a listing: each fault is refused with its field, spellings of one meaning get one answer, and a date is
// a whole day in India.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Name } from '../../src/domain/contract.ts'
import type { ShipxError } from '../../src/domain/errors.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { shipmentDates, shipmentMilestones } from '../../src/domain/parcels/statuses.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { openEngine, type TestEngine } from '../support/engine.ts'
import { ask, idsOf, plan, holding, shipment, back, type Json, type Kind } from './listings.ts'

let engine: TestEngine
beforeAll(async () => {
  engine = await openEngine()
  await engine.save('shipment', seedShipments(plan))
  await engine.save('return', seedReturns(plan))
})
afterAll(() => engine.close())

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
    ['listShipments', { 'zone[]': ['a'], zone: ['b'] }, 'zone', 'is sent twice, as zone and zone[]'],
    ['listReturns', { page: 1, 'page[number]': 2 }, 'page', 'is sent twice, as page and page[number]'],
    ['listShipments', { page: 2 ** 53 }, 'page', 'must be 100000000 or less'],
    ['listShipments', { per_page: '100000000000000' }, 'per_page', 'must be 100 or less'],
    ['listShipments', { attempts_count__lte: -(2 ** 53) }, 'attempts_count__lte', 'must not be negative'],
    ['listShipments', { search_after: ['1', 'a'], next_search_after: ['2', 'a'] }, 'next_search_after', 'differs from search_after; send only one of them'],
    ['listReturns', { search_after: ['1795271392000', ''] }, 'search_after', 'must end with the id of a record, as in meta.next_search_after'],
    ['listShipments', { search: 'asha\trao' }, 'search', 'must not contain control characters'],
    ['listShipments', { search: 'a\u009bb' }, 'search', 'must not contain control characters'],
    ['listReturns', { search: 'a\ud800' }, 'search', 'is not well-formed Unicode text'],
    ['listShipments', { sku: ['a', 'b\u0000'] }, 'sku.1', 'must not contain control characters'],
    ['listReturns', { 'carrier_ids[]': 'a\u007f' }, 'carrier_ids', 'must not contain control characters'],
    ['listReturns', { search_after: ['1', 'a\nb'] }, 'search_after.1', 'must not contain control characters'],
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
