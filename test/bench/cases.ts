// The questions of P2: each filter of both listings alone, with a common and a rare value where there are such, and 20
// sets of several filters.
import type BetterSqlite from 'better-sqlite3'
import type { RecordKind } from '../../src/engine/database/port.ts'
import { endsOf, quantile, wordsOf, type Words } from './facts.ts'
import type { Raw } from './hand.ts'

/** A question to a listing, as it comes from outside. */
export interface Case {
  readonly kind: RecordKind
  readonly name: string
  readonly input: Raw
}

const searches = (words: Words, short: string): readonly (readonly [string, string])[] => [
  ['search, one match', words.single.word],
  ['search, rare', words.rare.word],
  ['search, medium', words.medium.word],
  ['search, common', words.common.word],
  ['search, two words', `${words.common.word} ${words.medium.word}`],
  ['search, two characters', short],
]

/** A filter by equality with a common and a rare value. */
function equalities(
  db: BetterSqlite.Database,
  kind: RecordKind,
  filters: Readonly<Record<string, readonly [table: string, column: string]>>,
): readonly Case[] {
  return Object.entries(filters).flatMap(([name, [table, column]]) => {
    const ends = endsOf(db, table, column)
    return (['common', 'rare'] as const).map((end) => ({
      kind,
      name: `${name}, ${end} (${ends[end]})`,
      input: { [name]: ends[end] },
    }))
  })
}

const day = 86_400_000
const seconds = (ms: number): number => Math.floor(ms / 1000)
const isoOf = (ms: number): string => new Date(ms).toISOString()

function shipmentCases(db: BetterSqlite.Database): readonly Case[] {
  const kind = 'shipment'
  const table = 'shipments'
  const words = wordsOf(db, kind)
  const one = (name: string, input: Raw): Case => ({ kind, name, input })
  const own = (column: string) => [table, column] as const
  const last = quantile(db, table, 'created_at', 1)
  const grams = (part: number): number => Math.ceil(quantile(db, table, 'applied_weight', part) / 1000)
  const displayId = db
    .prepare('select order_display_id from shipments where account_id = 1 and order_display_id is not null limit 1')
    .pluck()
    .get() as string
  const dates = ['order_date', 'delivered_at', 'rto_delivered_at']
  return [
    one('no filter', {}),
    ...searches(words, '78').map(([name, search]) => one(`${name} (${search})`, { search })),
    ...equalities(db, kind, {
      status: own('status'),
      granular_status: own('granular_status'),
      carrier_id: own('carrier_id'),
      warehouse_ids: own('warehouse_id'),
      channel: own('channel'),
      zone: own('zone'),
      sku: ['shipment_skus', 'value'],
      tags: ['shipment_tags', 'value'],
      ndr_reason: own('ndr_reason'),
      rto_reason: own('rto_reason'),
      store_name: own('store_name'),
    }),
    one('is_cod true', { is_cod: true }),
    one('is_cod false', { is_cod: false }),
    one('order_display_id', { order_display_id: displayId }),
    one('applied_weight_min, common', { applied_weight_min: grams(0.1) }),
    one('applied_weight_min, rare', { applied_weight_min: grams(0.999) }),
    one('applied_weight_max, common', { applied_weight_max: grams(0.9) }),
    one('applied_weight_max, rare', { applied_weight_max: grams(0.001) }),
    one('attempts_count__gte, common (1)', { attempts_count__gte: 1 }),
    one('attempts_count__gte, rare (3)', { attempts_count__gte: 3 }),
    one('attempts_count__lte, common (1)', { attempts_count__lte: 1 }),
    one('attempts_count__lte, rare (0)', { attempts_count__lte: 0 }),
    one('start_time, common (300 days)', { start_time: seconds(last - 300 * day) }),
    one('start_time, rare (6 hours)', { start_time: seconds(last - day / 4) }),
    one('end_time, common (a day ago)', { end_time: seconds(last - day) }),
    one('end_time, rare (the first day)', { end_time: seconds(last - 364 * day) }),
    ...dates.flatMap((date_field) => {
      const to = quantile(db, table, date_field, 1)
      return [
        one(`${date_field}, 300 days`, { date_field, start_time: seconds(to - 300 * day) }),
        one(`${date_field}, a day`, {
          date_field,
          start_time: seconds(to - 31 * day),
          end_time: seconds(to - 30 * day),
        }),
      ]
    }),
  ]
}

function returnCases(db: BetterSqlite.Database): readonly Case[] {
  const kind = 'return'
  const table = 'returns'
  const words = wordsOf(db, kind)
  const one = (name: string, input: Raw): Case => ({ kind, name, input })
  const own = (column: string) => [table, column] as const
  const displayId = db.prepare('select display_id from returns where account_id = 1 limit 1').pluck().get() as string
  const dates = ['created_at', 'return_pickup_scheduled_at', 'return_delivered_at']
  return [
    one('no filter', {}),
    ...searches(words, '78').map(([name, search]) => one(`${name} (${search})`, { search })),
    ...equalities(db, kind, {
      status: own('status'),
      granular_status: own('granular_status'),
      warehouse_id: own('warehouse_id'),
      channel: own('channel'),
      store_name: own('store_name'),
      carrier_ids: own('carrier_id'),
      zone: own('zone'),
      refund_status: own('refund_status'),
      qc_status: own('qc_status'),
      sku: ['return_skus', 'value'],
    }),
    one('display_id', { display_id: displayId }),
    one('is_dangerous_goods true', { is_dangerous_goods: true }),
    one('is_dangerous_goods false', { is_dangerous_goods: false }),
    ...dates.flatMap((date) => {
      const to = quantile(db, table, date, 1)
      return [
        one(`${date}__gte, 300 days`, { [`${date}__gte`]: isoOf(to - 300 * day) }),
        one(`${date}__gte, a day`, { [`${date}__gte`]: isoOf(to - day) }),
        one(`${date}__lte, 300 days`, { [`${date}__lte`]: isoOf(to - 65 * day) }),
        one(`${date}__lte, the first days`, { [`${date}__lte`]: isoOf(to - 360 * day) }),
      ]
    }),
  ]
}

/** Twenty questions with two to five filters: selective with selective, selective with common, common with common. */
function mixedCases(db: BetterSqlite.Database): readonly Case[] {
  const words = { shipment: wordsOf(db, 'shipment'), return: wordsOf(db, 'return') }
  const last = quantile(db, 'shipments', 'created_at', 1)
  const from = (days: number): number => seconds(last - days * day)
  const of = (column: string, table = 'shipments') => endsOf(db, table, column)
  // prettier-ignore
  const [carrier, warehouse, channel, zone, store] = [
    of('carrier_id'), of('warehouse_id'), of('channel'), of('zone'), of('store_name'),
  ]
  const [sku, tag, backSku] = [of('value', 'shipment_skus'), of('value', 'shipment_tags'), of('value', 'return_skus')]
  const shipments: readonly Raw[] = [
    { status: 'delivered', zone: zone.common },
    { status: 'delivered', is_cod: true, zone: zone.common, warehouse_ids: warehouse.common },
    { status: 'in_transit', carrier_id: carrier.common },
    { granular_status: ['ndr_raised', 'need_attention'], is_cod: true },
    { channel: channel.common, carrier_id: [carrier.common, carrier.rare], start_time: from(30) },
    { store_name: store.common, status: 'rto_delivered' },
    { store_name: store.common, start_time: from(7) },
    { is_cod: true, applied_weight_min: 500, applied_weight_max: 1000 },
    { attempts_count__gte: 2, zone: [zone.common, zone.rare], is_cod: false },
    { sku: sku.common, status: 'delivered' },
    { sku: [sku.common, sku.rare], zone: zone.rare },
    { tags: tag.common, is_cod: true, start_time: from(90) },
    { search: words.shipment.common.word, status: 'delivered' },
    { search: words.shipment.rare.word, is_cod: false },
    { date_field: 'delivered_at', start_time: from(14), end_time: from(7), zone: zone.common },
    { rto_reason: of('rto_reason').common, warehouse_ids: warehouse.rare },
  ]
  const returns: readonly Raw[] = [
    { status: 'return_received', refund_status: 'processed' },
    { qc_status: 'failed', channel: of('channel', 'returns').common },
    { sku: backSku.common, created_at__gte: isoOf(last - 90 * day) },
    { search: words.return.common.word, zone: of('zone', 'returns').common },
  ]
  const named = (kind: RecordKind, input: Raw): Case => ({ kind, name: `mixed ${JSON.stringify(input)}`, input })
  return [...shipments.map((input) => named('shipment', input)), ...returns.map((input) => named('return', input))]
}

/** All questions. */
export function casesOf(db: BetterSqlite.Database): readonly Case[] {
  return [...shipmentCases(db), ...returnCases(db), ...mixedCases(db)]
}
