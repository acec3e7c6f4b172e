// A merchant's records, and what other deployments or mishaps make of them: awkward text, equal times, missing values.
import type { Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { checkRecord } from '../../src/engine/transfer/imports.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import { testNow } from './engine.ts'
import { drawsOf } from './chance.ts'

/** Texts that are hard to search and to compare. */
// prettier-ignore
export const awkward = [
  'कपड़े की दुकान', 'தமிழ்நாடு துணி', '👗 कुर्ता 🧵', '👨‍👩‍👧', `O'Brien "Q" AND`, '100% cotton', 'a_b%c', 'back\\slash', 'nul\0byte',
  'NEAR(x y)', 'İstanbul', 'ΟΔΟΣ', 'e\u0301clair', 'É', 'ﬁx', 'tab\there', 'nb\u00a0sp', '* - ^ : ( )', 'text:foo*', '-- ; drop table',
  'x\u200dy', "''", '""', '%', '_', '\\', '\\%', 'STRASSE ß', 'K', '0', 'null', 'undefined', '__proto__', '𝒳𝒴𝒵', '\uffee', 'a'.repeat(150),
]

const ties = [
  '2025-10-01T00:00:00.000Z',
  '2025-10-01T05:30:00+05:30',
  '2025-09-30T18:30:00Z',
  '2025-11-11T11:11:11.111Z',
]

export type Json = Record<string, unknown>

/** The places of a record where people write text. */
function namesIn(attributes: Json): readonly (readonly [Json, string])[] {
  const part = (key: string): Json => (attributes[key] ?? {}) as Json
  const items = [attributes['items'], attributes['return_items']].flatMap((list) => (list ?? []) as Json[])
  return [
    ...['name', 'phone', 'city', 'state', 'zip'].map((key) => [part('shipping_address'), key] as const),
    ...['id', 'display_id', 'external_id', 'store_name', 'channel'].map((key) => [part('order'), key] as const),
    ...items.flatMap((item) => [[item, 'name'] as const, [item, 'sku'] as const]),
    [part('carrier'), 'id'],
    [attributes, 'warehouse_id'],
    [attributes, 'display_id'],
    [attributes, 'tracking_number'],
  ]
}

/** A record as some other deployment, or some mishap, would have it; valid, as everything that is imported is. */
export function mangled<R extends Shipment | Return>(
  kind: 'shipments' | 'returns',
  record: R,
  index: number,
  seed: number,
  sameId = false,
): R {
  const { unit, below, pick } = drawsOf(seed + index)
  const copy = JSON.parse(JSON.stringify(record)) as Json & { attributes: Json }
  const { attributes } = copy
  const changes: readonly (() => void)[] = [
    () => void (attributes[pick(Object.keys(attributes).filter((key) => key !== 'created_at'))] = null),
    () => void delete attributes[pick(Object.keys(attributes).filter((key) => key !== 'created_at'))],
    () => {
      const part = attributes[
        pick(['order', 'shipping_address', 'carrier', 'shipment', 'applied_weight'])
      ] as Json | null
      if (part != null) part[pick(Object.keys(part))] = null
    },
    () => {
      const [place, key] = pick(namesIn(attributes))
      place[key] = unit() < 0.5 ? pick(awkward) : `${String(place[key])} ${pick(awkward)}`
    },
    () => {
      const [place, key] = pick(namesIn(attributes))
      place[key] = ''
    },
    // A deployment that follows the specification and nothing more.
    () => {
      const detailed = attributes['granular_status']
      for (const key of ['granular_status', 'tags', 'ndr_reason', 'rto_reason', 'zone', 'is_dangerous_goods'])
        if (key !== 'zone' || kind === 'returns') delete attributes[key]
      attributes['sub_status'] = pick([detailed, attributes['status'], null, 'in_the_clouds'])
    },
    () =>
      void (attributes['status'] = pick([
        'in_the_clouds',
        'delivered',
        'lost',
        'pickup_scheduled',
        'ready_for_pickup',
      ])),
    () =>
      void (attributes['granular_status'] = pick([
        '',
        '',
        'in_the_clouds',
        'delivered',
        'return_delivered',
        'return_lost',
      ])),
    () => void Object.assign(attributes, { mystery: { deep: [1, null, 'x'] }, extra: pick(awkward) }),
    () => void (attributes['created_at'] = pick(ties)),
    () => void (attributes['request_date'] = pick([...ties, null])),
    () => void (attributes['total_price'] = pick([0, -5, 12.34, 12.34, 99_99_999.99, null])),
    () =>
      void (attributes['applied_weight'] = {
        value: pick([0, 0.1 + 0.2, 1 / 3, 499.9996, 500, -1, 1e300, null]),
        metric_unit: 'g',
      }),
    () => void (attributes['attempt_count'] = pick([0, 1, 7, -1, 900_000])),
    () => void (attributes['zone'] = pick(['zone_a', 'zone_z', 'C', ''])),
    () => void (attributes['refund_status'] = pick(['processed', 'half', ''])),
    () => void (attributes['qc_status'] = pick(['passed', 'unsure', ''])),
    () => void (attributes['tags'] = pick([[], ['gift', 'gift'], ['', 'sale'], awkward.slice(0, 5), null])),
    () => {
      const list = (attributes['items'] ?? attributes['return_items'] ?? []) as Json[]
      const again = pick([[], null, [...list, ...list], [{}], [{ sku: null, name: pick(awkward) }]])
      attributes[kind === 'shipments' ? 'items' : 'return_items'] = again
    },
    () => {
      const holder = kind === 'shipments' ? attributes : ((attributes['shipment'] ?? {}) as Json)
      const list = (holder['shipment_milestones'] ?? []) as Json[]
      const odd = {
        milestone: pick(['delivered', 'return_delivered', 'on_the_moon']),
        milestone_at: pick([...ties, null]),
      }
      holder['shipment_milestones'] = pick([
        null,
        [],
        [...list, odd],
        list.map((m) => ({ ...m, milestone_at: null })),
        [...list, ...list],
      ])
    },
    () =>
      void (
        sameId ||
        (copy['id'] = `${pick(awkward)}${pick(awkward)}${index}`.slice(-200).replaceAll('\0', '').toWellFormed())
      ),
  ]
  for (let n = 1 + below(5); n > 0; n--) pick(changes)()
  const checked = checkRecord(kind, copy)
  if ('fault' in checked) throw new Error(`${checked.fault}: ${JSON.stringify(copy)}`)
  return checked.record as R
}

/** The merchant that is seeded. */
export const plan: SeedPlan = { shipments: 1500, returns: 600, stores: 8, days: 60, seed: 7, now: testNow }

/** Seeded records, about every third one mangled. */
function dataOf<R extends Shipment | Return>(kind: 'shipments' | 'returns', seeded: Iterable<R>, seed: number): R[] {
  return [...seeded].map((record, i) => ((i * 7 + seed) % 3 === 0 ? mangled(kind, record, i, seed) : record))
}

/** The records of the merchant as they were saved first. */
export const saved = {
  shipments: dataOf('shipments', seedShipments(plan), 0),
  returns: dataOf('returns', seedReturns(plan), 1),
} as const

/** The records after a quarter of them was replaced. */
export const changed = {
  shipments: saved.shipments.map((record, i) => (i % 4 === 0 ? mangled('shipments', record, i, 11, true) : record)),
  returns: saved.returns.map((record, i) => (i % 4 === 0 ? mangled('returns', record, i, 11, true) : record)),
} as const
