// Defends summaries: every key, alone and in pairs, under several filters, against sums made record by record in plain
// JavaScript; SQLite and PostgreSQL say the same.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Query } from '../../src/domain/contract.ts'
import { paiseOf } from '../../src/domain/money.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import {
  manyKeys,
  returnKeys,
  returnSums,
  shipmentKeys,
  shipmentSums,
  timeKeys,
  type Group,
  type ReturnKey,
  type ReturnSums,
  type ShipmentKey,
  type ShipmentSums,
  shareOf,
} from '../../src/domain/parcels/summary.ts'
import { istDate } from '../../src/domain/time.ts'
import { checkRecord } from '../../src/engine/transfer/imports.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import { groupsIn, outcomeGroupings } from '../../src/engine/records/outcomes.ts'
import { reportShipments } from '../../src/engine/records/report.ts'
import { sumReturns, sumShipments } from '../../src/engine/records/summary.ts'
import { openEngine, openPostgresEngine, testNow, type TestEngine } from '../support/engine.ts'
import { first } from '../support/size.ts'

type Json = Readonly<Record<string, unknown>>

const reportKeys = ['status', 'day', 'zone', 'carrier', 'city', 'payment'] as const
const plan: SeedPlan = { shipments: 900, returns: 300, stores: 6, days: 45, seed: 11, now: testNow }
const created_at = '2025-11-01T20:00:00Z'

/** Records as other deployments send them. */
const oddShipments: readonly Json[] = [
  {},
  { shipping_address: { city: ' mumbai ' }, total_price: 1.005, is_cod: true, cod_amount: 2.675 },
  { shipping_address: { city: 'MUMBAI', state: '' }, total_price: -1.005, status: 'strange' },
  { shipping_address: { city: '   ' }, total_price: 1e300, is_cod: false },
  { shipping_address: { city: 'मुंबई' }, carrier: { id: 'X1' }, total_price: 9_999_999.99 },
  {
    shipping_address: { city: 'Mumbai' },
    carrier: { id: 'X1', name: 'O\'Neil "Fast" \\u0000' },
    granular_status: 'rto_lost',
    status: 'others',
  },
  { status: 'delivered', granular_status: 'rto_lost', carrier: { id: 'X1' }, total_price: 12 },
  {
    status: 'in_transit',
    shipment_milestones: null,
    items: [{ sku: 'A' }, { sku: 'A' }, { sku: 'B' }],
    tags: ['x', 'y', 'x'],
  },
  {
    status: 'delivered',
    shipment_milestones: [
      { milestone: 'delivered', milestone_at: '2025-11-03T00:00:00+05:30' },
      { milestone: 'picked_up', milestone_at: '2025-11-04T00:00:00+05:30' },
    ],
  },
  { order: { order_date: '2025-10-31T18:29:59.999Z', store_name: 'acme', channel: 'custom' }, attempt_count: 12 },
]

const oddReturns: readonly Json[] = [
  {},
  { status: 'lost', total_price: 0.125, return_reason: '' },
  { return_reason: 'too small', shipping_address: { city: 'Delhi ' }, shipment: { carrier: { id: 'X1' } } },
]

const odd = (kind: 'shipment' | 'return', list: readonly Json[]): (Shipment | Return)[] =>
  list.map((attributes, i) => {
    const checked = checkRecord(`${kind}s`, { id: `odd-${i}`, attributes: { created_at, ...attributes } })
    if (!('record' in checked)) throw new Error(JSON.stringify(checked))
    return checked.record as Shipment | Return
  })

const shipments = [...seedShipments(plan), ...odd('shipment', oddShipments)] as readonly Shipment[]
const returns = [...seedReturns(plan), ...odd('return', oddReturns)] as readonly Return[]

let engines: readonly TestEngine[] = []

beforeAll(async () => {
  engines = [await openEngine(), await openPostgresEngine()]
  for (const engine of engines) {
    await engine.save('shipment', shipments)
    await engine.save('return', returns)
    const neighbour = await engine.as('neighbour')
    await neighbour.save('shipment', shipments.slice(0, 80))
    await neighbour.save('return', returns.slice(0, 30))
  }
})
afterAll(() => Promise.all(engines.map((engine) => engine.close())))

/* ---- The same, record by record ---- */

const word = (text: string | null | undefined): string | null => (text == null || text === '' ? null : text)
const at = (record: Shipment, name: string): number | null => {
  const times = (record.attributes.shipment_milestones ?? [])
    .filter(({ milestone }) => milestone === name)
    .map(({ milestone_at }) => Date.parse(milestone_at ?? ''))
    .filter(Number.isFinite)
  return times.length === 0 ? null : Math.max(...times)
}
const fold = (text: string | null | undefined): string | null => {
  const spaced = (text ?? '').trim().replace(/\s+/g, ' ')
  return spaced === '' ? null : spaced.toLowerCase()
}
const paise = (rupees: number | null | undefined): number => paiseOf(rupees ?? 0) ?? 0
const dayOf = (time: string | null | undefined): string | null => (time == null ? null : istDate(Date.parse(time)))
const granular = (a: {
  granular_status?: string | null | undefined
  sub_status?: unknown
  status?: string | null | undefined
}): string | null =>
  // prettier-ignore
  word(a.granular_status) ?? word(a.sub_status as string) ?? null

type Keyed<R> = (record: R, input: Json) => readonly (string | null)[]

const dateFor = (record: Shipment, field: unknown): string | null => {
  const name = String(field ?? 'created_at')
  if (name === 'created_at') return record.attributes.created_at
  if (name === 'order_date') return record.attributes.order?.order_date ?? null
  const ms = at(record, name.replace(/_at$/, ''))
  return ms === null ? null : new Date(ms).toISOString()
}

const shipmentKey: Readonly<Record<ShipmentKey, Keyed<Shipment>>> = {
  status: ({ attributes: a }) => [word(a.status)],
  granular_status: ({ attributes: a }) => [granular(a) ?? (a.status === 'strange' ? null : word(a.status))],
  zone: ({ attributes: a }) => [word(a.zone)],
  carrier: ({ attributes: a }) => [word(a.carrier?.id)],
  store: ({ attributes: a }) => [word(a.order?.store_name)],
  day: (record, input) => [dayOf(dateFor(record, input['date_field']))],
  month: (record, input) => [dayOf(dateFor(record, input['date_field']))?.slice(0, 7) ?? null],
  sku: ({ attributes: a }) => [...new Set((a.items ?? []).flatMap((item) => word(item.sku) ?? []))],
  tag: ({ attributes: a }) => [...new Set(a.tags ?? [])],
  city: ({ attributes: a }) => [fold(a.shipping_address?.city)],
  state: ({ attributes: a }) => [fold(a.shipping_address?.state)],
  ndr_reason: ({ attributes: a }) => [word(a.ndr_reason)],
  rto_reason: ({ attributes: a }) => [word(a.rto_reason)],
  attempts: ({ attributes: a }) => [a.attempt_count == null ? null : String(a.attempt_count)],
  warehouse: ({ attributes: a }) => [word(a.warehouse_id)],
  channel: ({ attributes: a }) => [word(a.order?.channel)],
  payment: ({ attributes: a }) => [a.is_cod == null ? null : a.is_cod ? 'cod' : 'prepaid'],
  pincode: ({ attributes: a }) => [word(a.shipping_address?.zip)],
  awb: ({ attributes: a }) => [word(a.tracking_number)],
  order: ({ attributes: a }) => [word(a.order?.display_id)],
}

const shownStatus = (status: string | null | undefined): string | null =>
  word(status === 'delivered' ? 'return_received' : status)

const returnKey: Readonly<Record<ReturnKey, Keyed<Return>>> = {
  status: ({ attributes: a }) => [a.granular_status === 'return_lost' ? 'lost' : shownStatus(a.status)],
  granular_status: ({ attributes: a }) => [granular(a)],
  zone: ({ attributes: a }) => [word(a.zone)],
  carrier: ({ attributes: a }) => [word(a.shipment?.carrier?.id)],
  store: ({ attributes: a }) => [word(a.order?.store_name)],
  day: ({ attributes: a }) => [dayOf(a.created_at)],
  month: ({ attributes: a }) => [dayOf(a.created_at)!.slice(0, 7)],
  sku: ({ attributes: a }) => [...new Set((a.return_items ?? []).flatMap((item) => word(item.sku) ?? []))],
  city: ({ attributes: a }) => [fold(a.shipping_address?.city)],
  state: ({ attributes: a }) => [fold(a.shipping_address?.state)],
  reason: ({ attributes: a }) => [word(a.return_reason)],
  qc_status: ({ attributes: a }) => [word(a.qc_status)],
  refund_status: ({ attributes: a }) => [word(a.refund_status)],
  warehouse: ({ attributes: a }) => [word(a.warehouse_id)],
  channel: ({ attributes: a }) => [word(a.order?.channel)],
  pincode: ({ attributes: a }) => [word(a.shipping_address?.zip)],
  awb: ({ attributes: a }) => [word(a.shipment?.tracking_number)],
  order: ({ attributes: a }) => [word(a.order?.display_id)],
}

function shipmentFacts(record: Shipment): ShipmentSums {
  const { attributes: a } = record
  const status = a.status ?? ''
  const rto = ['rto_initiated', 'rto_in_transit', 'rto_delivered'].includes(status) || a.granular_status === 'rto_lost'
  const reached = ['picked_up', 'in_transit', 'out_for_delivery', 'delivered', 'rto_initiated', 'rto_delivered'].some(
    (name) => at(record, name) !== null,
  )
  const moving = ['in_transit', 'out_for_delivery', 'ndr_raised', 'delivered'].includes(status)
  const [from, to] = [at(record, 'picked_up'), at(record, 'delivered')]
  const timed = from !== null && to !== null && to >= from
  return {
    count: 1,
    value: paise(a.total_price),
    cod: a.is_cod === true ? paise(a.cod_amount) : 0,
    picked_up: Number(reached || moving || rto),
    delivered: Number(status === 'delivered'),
    rto: Number(rto),
    timed: Number(timed),
    taken: timed ? to - from : 0,
  }
}

function returnFacts({ attributes: a }: Return): ReturnSums {
  const scans = (a.shipment?.shipment_milestones ?? []).filter(({ milestone }) => milestone === 'return_delivered')
  const to = scans.length === 0 ? undefined : Math.max(...scans.map(({ milestone_at }) => Date.parse(milestone_at!)))
  const from = Date.parse(a.request_date ?? a.created_at)
  const timed = to !== undefined && to >= from
  return {
    count: 1,
    value: paise(a.total_price),
    received: Number(shownStatus(a.status) === 'return_received'),
    cancelled: Number(a.status === 'cancelled'),
    refunded: Number(a.refund_status === 'processed'),
    timed: Number(timed),
    taken: timed ? to - from : 0,
  }
}

/** Groups by what their keys come to; sums of each. */
function oracle<R, S extends Readonly<Record<string, number>>>(
  records: readonly R[],
  keys: readonly Keyed<R>[],
  facts: (record: R) => S,
  input: Json,
): ReadonlyMap<string, S> {
  const groups = new Map<string, Record<string, number>>()
  for (const record of records) {
    const each = keys.map((key) => key(record, input))
    const combined = each.reduce<readonly (readonly (string | null)[])[]>(
      (all, values) => all.flatMap((part) => values.map((value) => [...part, value])),
      [[]],
    )
    const one = facts(record)
    for (const id of combined.map((parts) => JSON.stringify(parts))) {
      const sums = groups.get(id) ?? Object.fromEntries(Object.keys(one).map((name) => [name, 0]))
      for (const [name, value] of Object.entries(one)) sums[name]! += value
      groups.set(id, sums)
    }
  }
  return groups as unknown as ReadonlyMap<string, S>
}

/** The names that carriers go by, for groups that are told by name. */
const carriers = new Map<string, string>()
for (const { attributes: a } of shipments)
  if (a.carrier?.id != null) carriers.set(a.carrier.name ?? a.carrier.id, a.carrier.id)
for (const { attributes: a } of returns)
  if (a.shipment?.carrier?.id != null)
    carriers.set(a.shipment.carrier.name ?? a.shipment.carrier.id, a.shipment.carrier.id)

function comparable<S>(groups: readonly Group<S>[], by: readonly string[]): ReadonlyMap<string, S> {
  const part = (name: string, value: string | null): string | null =>
    value === null
      ? null
      : name === 'carrier'
        ? (carriers.get(value) ?? value)
        : name === 'city' || name === 'state'
          ? value.toLowerCase()
          : value
  return new Map(groups.map(({ keys, sums }) => [JSON.stringify(keys.map((value, i) => part(by[i]!, value))), sums]))
}

const ordered = <S>(groups: ReadonlyMap<string, S>) => [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))

/** Both databases against the oracle, and one against the other with names and order. */
async function check<S extends Readonly<Record<string, number>>>(
  by: readonly string[],
  sum: (engine: TestEngine) => Promise<readonly Group<S>[]>,
  expected: ReadonlyMap<string, S>,
): Promise<readonly Group<S>[]> {
  const [sqlite, postgres] = await Promise.all(engines.map(sum))
  expect(ordered(comparable(sqlite!, by))).toEqual(ordered(expected))
  expect(postgres).toEqual(sqlite)
  return sqlite!
}

const place = ({ database, account }: TestEngine) => ({ dialect: database.dialect, account })

const shipmentQuestions: readonly (readonly [raw: Json, keeps: (record: Shipment) => boolean])[] = [
  [{}, () => true],
  [{ status: 'delivered' }, ({ attributes: a }) => a.status === 'delivered'],
  [
    { zone: ['zone_d', 'zone_e'], is_cod: true },
    ({ attributes: a }) => ['zone_d', 'zone_e'].includes(a.zone ?? '') && a.is_cod === true,
  ],
  [{ sku: ['KUR-IND-M'] }, ({ attributes: a }) => (a.items ?? []).some((item) => item.sku === 'KUR-IND-M')],
  [
    { search: 'mumbai' },
    (record) =>
      JSON.stringify([
        record.id,
        record.attributes.tracking_number,
        record.attributes.order,
        record.attributes.shipping_address,
        record.attributes.items,
      ])
        .toLowerCase()
        .includes('mumbai'),
  ],
  [
    { date_field: 'delivered_at', start_time: Math.floor(testNow / 1000) - 20 * 86_400 },
    (record) => (at(record, 'delivered') ?? 0) >= (Math.floor(testNow / 1000) - 20 * 86_400) * 1000,
  ],
]

const returnQuestions: readonly (readonly [raw: Json, keeps: (record: Return) => boolean])[] = [
  [{}, () => true],
  [{ qc_status: ['failed', 'pending'] }, ({ attributes: a }) => ['failed', 'pending'].includes(a.qc_status ?? '')],
  [
    { status: 'return_received', created_at__gte: '2025-11-01' },
    ({ attributes: a }) =>
      shownStatus(a.status) === 'return_received' &&
      Date.parse(a.created_at) >= Date.parse('2025-11-01T00:00:00+05:30'),
  ],
]

describe('shipments', () => {
  const summed = (raw: Json, by: readonly ShipmentKey[]) => (engine: TestEngine) =>
    engine.database.read(() => sumShipments(place(engine), parseInput('listShipments', raw) as Query, by))

  test.each(first(10, shipmentKeys))('by %s are what their records add up to, under every filter', async (key) => {
    let groups = 0
    for (const [raw, keeps] of shipmentQuestions) {
      const expected = oracle(shipments.filter(keeps), [shipmentKey[key]], shipmentFacts, raw)
      groups += (await check([key], summed(raw, [key]), expected)).length
    }
    expect(groups).toBeGreaterThan(shipmentQuestions.length)
  })

  const pairs = shipmentKeys
    .flatMap((a, i) =>
      shipmentKeys.slice(i + 1).map((b) => (i % 2 === 0 ? [a, b] : [b, a]) as readonly [ShipmentKey, ShipmentKey]),
    )
    .filter((pair) => !pair.every((key) => manyKeys.has(key)))

  test.each(pairs)('by %s and %s', { tags: ['full'] }, async (a, b) => {
    const expected = oracle(shipments, [shipmentKey[a], shipmentKey[b]], shipmentFacts, {})
    await check([a, b], summed({}, [a, b]), expected)
  })

  test('the largest group comes first, days by date, and none of them last', async () => {
    const [engine] = engines
    const counts = (await summed({}, ['carrier'])(engine!)).map(({ sums }) => sums.count)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    const days = (await summed({ date_field: 'delivered_at' }, ['day'])(engine!)).map(({ keys }) => keys[0])
    expect(days.at(-1)).toBeNull()
    expect(days.slice(0, -1)).toEqual(days.slice(0, -1).toSorted())
    expect(timeKeys.has('day')).toBe(true)
  })

  test('a city goes by the spelling that most of its records have', async () => {
    const [engine] = engines
    const cities = await summed({}, ['city'])(engine!)
    const mumbai = cities.filter(({ keys }) => keys[0]?.toLowerCase() === 'mumbai')
    expect(mumbai.map(({ keys }) => keys[0])).toEqual(['Mumbai'])
    expect(cities.some(({ keys }) => keys[0] === 'मुंबई')).toBe(true)
  })

  test('halves of a paisa go up, and an amount beyond all counting is none', async () => {
    const [engine] = engines
    const [one] = await summed({ search: 'odd-1' }, ['status'])(engine!)
    expect(one!.sums).toMatchObject({ count: 1, value: 101, cod: 268 })
    const [huge] = await summed({ search: 'odd-3' }, ['status'])(engine!)
    expect(huge!.sums.value).toBe(0)
  })
})

test('text that no database can hold stops no summary', async () => {
  const cities = ['Pu\0ne', 'Pune\ud800', '\udfffPune', 'Pune \\u0000', 'Pune']
  for (const engine of engines) {
    const own = await engine.as('hostile')
    await own.save(
      'shipment',
      odd(
        'shipment',
        cities.map((city) => ({ shipping_address: { city }, total_price: 1 })),
      ),
    )
    const groups = await own.database.read(() => sumShipments(place(own), {} as Query, ['city']))
    expect(groups.reduce((sum, { sums }) => sum + sums.value, 0)).toBe(500)
    expect(groups.map(({ keys }) => keys[0])).toEqual(expect.arrayContaining(['Pune', 'Pune \\u0000']))
  }
})

test('a NUL or half a surrogate in any text of sums is replaced, and no database refuses the record', async () => {
  const text = 'a\0b\ud800'
  const held = 'a\ufffdb\ufffd'
  const to = { city: text, state: text, zip: text }
  const order = { id: text, external_id: text }
  for (const engine of engines) {
    const own = await engine.as('zeros')
    const carrier = { id: 'X', name: text }
    await own.save('shipment', odd('shipment', [{ shipping_address: to, order, carrier }]))
    const back = { shipping_address: to, order: { ...order, display_id: text }, shipment: { carrier } }
    await own.save('return', odd('return', [{ ...back, return_reason: text }]))
    const rows = await own.database.read(() => sumReturns(place(own), {} as Query, ['reason', 'order']))
    expect(rows.map(({ keys }) => keys)).toEqual([[held, held]])
    const couriers = await own.database.read(() => sumShipments(place(own), {} as Query, ['carrier', 'pincode']))
    // A pincode has no blanks, and a NUL is one.
    expect(couriers.map(({ keys }) => keys)).toEqual([[held, held.replace('\ufffd', '')]])
  }
})

test('groups of texts that differ only at their ends, or after 200 characters, stay apart', async () => {
  const long = 'x'.repeat(5000)
  for (const engine of engines) {
    const own = await engine.as('apart')
    const reasons = [`${long}1`, `${long}2`, ' torn', 'torn']
    await own.save(
      'return',
      odd(
        'return',
        reasons.map((return_reason) => ({ return_reason })),
      ),
    )
    const found = await own.database.read(() => sumReturns(place(own), {} as Query, ['reason']))
    expect(found.map(({ keys }) => keys[0])).toEqual(reasons.toSorted())
  }
})

test('a pincode with a blank was a group of its own, though --pincode finds both', async () => {
  for (const engine of engines) {
    const own = await engine.as('blanks')
    const zips = [' 411001', '411001', "'411 001"]
    await own.save(
      'shipment',
      odd(
        'shipment',
        zips.map((zip) => ({ shipping_address: { zip } })),
      ),
    )
    const pincodes = await own.database.read(() => sumShipments(place(own), {} as Query, ['pincode']))
    expect(pincodes.map(({ keys, sums }) => [keys[0], sums.count])).toEqual([['411001', 3]])
  }
})

test('what a report makes of fewer columns is what its summaries say, also of odd records', async () => {
  const question = {} as Query
  const lists = [['all'], ['week'], ['carrier', 'zone']] as const
  const both = await Promise.all(
    engines.map((engine) =>
      engine.database.read(function* () {
        const endings = outcomeGroupings(question, lists)
        const report = yield* reportShipments(place(engine), question, endings)
        const alone: Record<string, readonly Group<ShipmentSums>[]> = {}
        for (const key of reportKeys) alone[key] = yield* sumShipments(place(engine), question, [key])
        return [report, endings.map(groupsIn), alone] as const
      }),
    ),
  )
  const [[report, endings, alone]] = both as [(typeof both)[number]]
  expect(both[1]).toEqual(both[0])
  for (const key of reportKeys)
    expect(report[key].map(({ keys, sums }) => [keys, shipmentSums.map((name) => sums[name])])).toEqual(
      alone[key]!.map(({ keys, sums }) => [keys, shipmentSums.map((name) => sums[name])]),
    )
  const [all] = endings[0]!
  const ended = (keeps: (a: Shipment['attributes']) => boolean): number =>
    shipments.filter(({ attributes }) => keeps(attributes)).length
  const isBack = (a: Shipment['attributes']): boolean =>
    ['rto_initiated', 'rto_in_transit', 'rto_delivered'].includes(a.status!) || a.granular_status === 'rto_lost'
  expect(ended((a) => a.status === 'delivered' && isBack(a))).toBeGreaterThan(0)
  expect(all!.sums.delivered).toBe(ended((a) => a.status === 'delivered'))
  expect(all!.sums.rto).toBe(ended((a) => a.status !== 'delivered' && isBack(a)))
})

test('a report calls a courier as the summary does: by the name of most of its parcels', async () => {
  const named = (name: string, count: number, zones: readonly string[]): readonly Json[] =>
    Array.from({ length: count }, (_, n) => ({
      carrier: { id: 'C1', name },
      zone: zones[n % zones.length],
      is_cod: n % 2 === 0,
      status: ['in_transit', 'delivered', 'pending'][n % 3],
    }))
  const parcels = [
    ...named('Delhivery', 60, ['zone_a', 'zone_b', 'zone_c', 'zone_d', 'zone_e']),
    ...named('DELHIVERY', 10, ['zone_a']),
  ]
  for (const engine of engines) {
    const own = await engine.as('named')
    await own.save('shipment', odd('shipment', parcels))
    const [alone, { carrier }] = await own.database.read(function* () {
      const question = {} as Query
      return [
        yield* sumShipments(place(own), question, ['carrier']),
        yield* reportShipments(place(own), question),
      ] as const
    })
    expect(alone.map(({ keys, sums }) => [keys[0], sums.count])).toEqual([['Delhivery', 70]])
    expect(carrier.map(({ keys, sums }) => [keys[0], sums.count])).toEqual([['Delhivery', 70]])
  }
})

test('amounts whose sum is beyond 64 bits are added up and stop nothing', { tags: ['full'] }, async () => {
  for (const engine of engines) {
    const own = await engine.as('rich')
    const millions = Array.from({ length: 10_000 }, () => ({ total_price: 9_999_999_999_999 }))
    await own.save('shipment', odd('shipment', millions))
    const [group] = await own.database.read(() => sumShipments(place(own), {} as Query, ['status']))
    expect(group!.sums.value / 100).toBeCloseTo(10_000 * 9_999_999_999_999, -6)
  }
})

describe('returns', () => {
  const summed = (raw: Json, by: readonly ReturnKey[]) => (engine: TestEngine) =>
    engine.database.read(() => sumReturns(place(engine), parseInput('listReturns', raw) as Query, by))

  test.each(first(10, returnKeys))('by %s are what their records add up to, under every filter', async (key) => {
    for (const [raw, keeps] of returnQuestions) {
      const expected = oracle(returns.filter(keeps), [returnKey[key]], returnFacts, raw)
      expect(expected.size).toBeGreaterThan(0)
      await check([key], summed(raw, [key]), expected)
    }
  })

  test('by SKU and month', async () => {
    const expected = oracle(returns, [returnKey.sku, returnKey.month], returnFacts, {})
    await check(['sku', 'month'], summed({}, ['sku', 'month']), expected)
  })
})

test('a share was rounded twice: 28 of 33 was shown as 84.9%', () => {
  expect((shareOf(28, 33)! * 100).toFixed(1)).toBe('84.8')
  expect([shareOf(1, 3), shareOf(0, 7), shareOf(7, 7), shareOf(0, 0)]).toEqual([0.333333, 0, 1, null])
})

test('the sums are named in the order in which they are made', () => {
  expect(Object.keys(shipmentFacts(shipments[0]!))).toEqual([...shipmentSums])
  expect(Object.keys(returnFacts(returns[0]!))).toEqual([...returnSums])
})
