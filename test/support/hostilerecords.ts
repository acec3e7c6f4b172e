// Records whose amounts, texts, times and parts are what no deployment should send, and some do.
import { readSent, type SentKind, type SentRecord } from '../../src/domain/foreign/records.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import { drawsOf } from './chance.ts'
import { testNow } from './engine.ts'
import type { Json } from './mangledrecords.ts'

// prettier-ignore
const amounts: readonly unknown[] = [
  99.999, 0.005, 1.005, -1.005, '1,299.50', ' 12 ', '12.345', 1e14, -1e14, 9_999_999_999.99, 1_234_567.891, 499, 499.5, 0, -0,
  1e-7, 1e300, '1e5', true, false, [1], [], {}, { x: 1 }, 'on request', '', '   ', null,
]

/** Texts of columns that no filter compares; a NUL is replaced there. */
// prettier-ignore
const shown: readonly unknown[] = [
  '', ' ', ' Pune ', 'PUNE', 'pune', 'Pu\0ne', 'मुंबई', `${'x'.repeat(300)}1`, `${'x'.repeat(300)}2`, 411_001, 1.5, null, "'411001",
  ' 411001', '411 001', 'e\u0301clair', '\\u0000',
]

/** Texts of columns that filters compare. */
const plain: readonly unknown[] = ['', 'X1', 'x1', 'in_the_clouds', 'कुर्ता', 7, null]

// prettier-ignore
const times: readonly unknown[] = [
  '2025-10-01T00:00:00Z', '2025-10-01', 1_760_000_000, 1_760_000_000_000, '1760000000', '2025-09-20 11:12:13', 'one day', true, {}, null,
]

/** What is changed in a record: a place in its attributes, and what comes there; undefined takes it away. */
type Change = readonly [path: string, values: readonly unknown[]]

// prettier-ignore
const common: readonly Change[] = [
  ['total_price', amounts], ['total_price', [undefined]], ['order', [null, {}, { id: '' }, [], 'text', { order_date: 'x' }, undefined]],
  ['order.id', shown], ['order.external_id', shown], ['order.store_name', plain], ['status', plain], ['granular_status', plain],
  ['shipping_address', [null, [], 'text', 5, undefined]], ['shipping_address.city', shown], ['shipping_address.state', shown],
  ['shipping_address.zip', shown], ['shipping_address.name', shown], ['zone', ['a', 'Zone B', 'zone_c', 5, null]], ['created_at', times],
]

// prettier-ignore
const changes: Readonly<Record<SentKind, readonly Change[]>> = {
  shipments: [
    ...common, ['cod_amount', amounts], ['cod_amount', [undefined]], ['is_cod', [true, 'yes', 1, 0, 'no', null, 'maybe']],
    ['carrier.name', shown], ['carrier.id', plain], ['carrier', [null, 'Delhivery', []]], ['order.order_date', times],
    ['order.display_id', plain], ['tags', [null, 'x', ['a', 'a', '']]], ['attempt_count', [1, '2', 2.5, 'x', null]],
    ['shipment_milestones', times.map((at) => [{ milestone: 'delivered', milestone_at: at }, { milestone: 'picked_up' }, 'x', null])],
    ['tracking_details', times.map((at) => [{ event_date_time: at }, 'x', null])],
  ],
  returns: [
    ...common, ['shipment.carrier.name', shown], ['shipment.carrier.id', plain], ['shipment', [null, []]], ['return_reason', shown],
    ['is_exchange', [true, 'Y', 0, 'x', null, 2]], ['refund_status', plain], ['request_date', times], ['order.display_id', shown],
    ['shipment.shipment_milestones', times.map((at) => [{ milestone: 'return_delivered', milestone_at: at }])],
  ],
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function put(attributes: Json, path: string, value: unknown): void {
  const names = path.split('.')
  let part = attributes
  for (const name of names.slice(0, -1)) part = (isJson(part[name]) ? part[name] : (part[name] = {})) as Json
  if (value === undefined) delete part[names.at(-1)!]
  else part[names.at(-1)!] = value
}

/** Seeded records, of which two in three have up to five such changes, as they are read when they come. */
export function hostileRecords(kind: SentKind, count: number, seed = 1): readonly SentRecord[] {
  const { unit, below, pick } = drawsOf(seed)
  const plan: SeedPlan = { shipments: count, returns: count, stores: 4, days: 60, seed, now: testNow }
  return [...(kind === 'shipments' ? seedShipments(plan) : seedReturns(plan))].map((record) => {
    const { attributes, ...others } = JSON.parse(JSON.stringify(record)) as Json & { readonly attributes: Json }
    for (let n = unit() < 2 / 3 ? 1 + below(5) : 0; n > 0; n--) {
      const [path, values] = pick(changes[kind])
      put(attributes, path, pick(values))
    }
    return readSent(kind, JSON.stringify({ ...others, attributes }))!
  })
}
