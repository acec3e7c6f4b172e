// Records as another deployment sends them: what filters need is read out of them however they are shaped, and the text
// itself stays as it came; knows nothing of where records are kept.
import type { Query } from './contract.ts'
import { Return } from './returns.ts'
import { Shipment } from './shipments.ts'
import { isoOf, readInstant } from './time.ts'
import { readZone } from './zones.ts'

/** The two kinds of record that are listed. */
export type SentKind = 'shipments' | 'returns'

/** A record as it came, and as filters see it. */
export interface SentRecord {
  readonly id: string
  readonly text: string
  /** What columns are made of: attributes of another shape are read, or left out. */
  readonly record: Shipment | Return
  /** ms UTC; undefined where the record does not say it, which then counts as created at 0. */
  readonly created_at: number | undefined
  /** The attributes that it has and filters ask for, whatever they hold. */
  readonly carried: readonly string[]
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const schemas = { shipments: Shipment, returns: Return } as const

/** Values of another shape are read this often before a record's other attributes are given up. */
const mostRounds = 8

/** A record out of its JSON text; undefined for one without an id, which nothing could be told by. */
export function readSent(kind: SentKind, text: string): SentRecord | undefined {
  const value = JSON.parse(text) as unknown
  if (!isFields(value)) return undefined
  const id = typeof value['id'] === 'number' ? String(value['id']) : value['id']
  if (typeof id !== 'string' || id === '') return undefined
  const attributes: Fields = isFields(value['attributes']) ? value['attributes'] : {}
  const carried = carriedBy(kind, attributes)
  const created = momentOf(attributes['created_at'])
  const at = isoOf(created ?? 0)
  if (typeof attributes['created_at'] !== 'string' || readInstant(attributes['created_at']) === undefined)
    attributes['created_at'] = at
  const zone = attributes['zone']
  if (typeof zone === 'string') attributes['zone'] = readZone(zone) ?? zone
  const tried = new Map<string, number>()
  const found = { id, text, created_at: created, carried }
  for (let round = 0; round < mostRounds; round++) {
    const parsed = schemas[kind].safeParse({ id: 'one', attributes })
    if (parsed.success) return { ...found, record: { id, attributes } as Shipment | Return }
    for (const { path } of parsed.error.issues) mend(attributes, path.slice(1), tried)
  }
  return { ...found, record: { id, attributes: { created_at: at } } }
}

/** A time in the forms that services were seen to write: ISO 8601, without an offset (IST), or Unix seconds or milliseconds. */
function momentOf(value: unknown): number | undefined {
  if (typeof value === 'number' && value > 0) return value < 100_000_000_000 ? value * 1000 : value
  if (typeof value !== 'string') return undefined
  return readInstant(value) ?? readInstant(`${value}+05:30`)
}

/** Reads a value that is not of its schema's shape; takes it away when that was of no use, then what it is a part of. */
function mend(attributes: Fields, path: readonly PropertyKey[], tried: Map<string, number>): void {
  const where = path.join('.')
  const times = (tried.get(where) ?? 0) + 1
  tried.set(where, times)
  const place = path.slice(0, Math.max(1, path.length - Math.max(0, times - 2)))
  const last = place.at(-1)
  let holder: unknown = attributes
  for (const key of place.slice(0, -1)) holder = (holder as Fields | null)?.[String(key)]
  if (last === undefined || typeof holder !== 'object' || holder === null) return
  const fields = holder as Fields
  // `null` and not nothing: an array must stay one without holes.
  fields[String(last)] = (times === 1 ? reread(fields[String(last)]) : undefined) ?? (Array.isArray(holder) ? {} : null)
}

/** A number for its digits, text for a number, truth for its words; undefined for what is nothing else either. */
function reread(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  if (/^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  if (/^-?\d{1,15}(?:\.\d{1,12})?$/.test(value)) return Number(value)
  const at = momentOf(value)
  return at === undefined ? undefined : isoOf(at)
}

/* ---- Which filters the records of a deployment can answer ---- */

/** Where a record has what a filter asks for: the attribute, or a part of one. */
const homes: Readonly<Record<SentKind, Readonly<Record<string, string>>>> = {
  shipments: {
    status: 'status', granular_status: 'granular_status', carrier_id: 'carrier', warehouse_ids: 'warehouse_id', channel: 'order.channel',
    zone: 'zone', is_cod: 'is_cod', sku: 'items', tags: 'tags', ndr_reason: 'ndr_reason', rto_reason: 'rto_reason',
    applied_weight_min: 'applied_weight', applied_weight_max: 'applied_weight', attempts_count__gte: 'attempt_count',
    attempts_count__lte: 'attempt_count', store_name: 'order.store_name', order_display_id: 'order.display_id',
  },
  returns: {
    status: 'status', granular_status: 'granular_status', warehouse_id: 'warehouse_id', channel: 'order.channel', store_name: 'order.store_name',
    carrier_ids: 'shipment', zone: 'zone', refund_status: 'refund_status', qc_status: 'qc_status', display_id: 'display_id', sku: 'return_items',
    is_dangerous_goods: 'is_dangerous_goods', return_pickup_scheduled_at__gte: 'shipment', return_pickup_scheduled_at__lte: 'shipment',
    return_delivered_at__gte: 'shipment', return_delivered_at__lte: 'shipment',
  },
} // prettier-ignore

const carriedBy = (kind: SentKind, attributes: Fields): readonly string[] =>
  everyHome[kind].filter((home) => {
    const [first, second] = home.split('.') as [string, string?]
    const value = attributes[first]
    return second === undefined ? first in attributes : isFields(value) && second in value
  })

const everyHome: Readonly<Record<SentKind, readonly string[]>> = {
  shipments: [...new Set([...Object.values(homes.shipments), 'order.order_date', 'shipment_milestones'])],
  returns: [...new Set([...Object.values(homes.returns), 'request_date', 'total_price'])],
}

/** The parameters of a question that records with only these attributes cannot answer. */
export function unanswerable(kind: SentKind, input: Query, carried: ReadonlySet<string>): readonly string[] {
  const asked = Object.entries(input).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)) // prettier-ignore
  return asked.flatMap(([name, value]) => {
    const home = homeOf(kind, name, value)
    return home === undefined || carried.has(home) ? [] : [name]
  })
}

function homeOf(kind: SentKind, name: string, value: unknown): string | undefined {
  if (name === 'date_field') return value === 'created_at' ? undefined : value === 'order_date' ? 'order.order_date' : 'shipment_milestones' // prettier-ignore
  if (name === 'sort_by') return value === 'created_at' ? undefined : String(value)
  return homes[kind][name]
}
