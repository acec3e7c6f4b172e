// A record as the columns of the database.
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import {
  gramsIn,
  readLists,
  readSent,
  zoneIn,
  type RecordLists,
  type SentRecord,
} from '../../domain/foreign/records.ts'
import { amountIn } from '../../domain/foreign/values.ts'
import { foldText, milligrams } from '../../domain/filters.ts'
import { paiseOf } from '../../domain/money.ts'
import type { returnColumns, RowColumn, shipmentColumns, ValueTable } from '../../domain/parcels/columns.ts'
import { columnsWhere, listings, type Listing } from '../../domain/parcels/listings.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import {
  granularOf,
  returnBuckets,
  shipmentBuckets,
  shipmentMilestones,
  statusIn,
} from '../../domain/parcels/statuses.ts'
import { lastScanAt } from '../../domain/parcels/worklists.ts'
import { placeColumns } from '../../domain/read/places.ts'
import { readInstant } from '../../domain/time.ts'
import type { Dialect, RecordKind } from '../database/port.ts'

/** Where a kind of record lives. */
export interface Tables {
  /** The columns of the records; the record as JSON text lies in `docs`, under the same `seq`. */
  readonly records: string
  readonly docs: string
  readonly search: string
  /** Child tables by the name that filters use for them. */
  readonly children: readonly string[]
}

/** The tables of both kinds. */
export const tablesOf: Readonly<Record<RecordKind, Tables>> = {
  shipment: tablesIn('shipments', listings.listShipments),
  return: tablesIn('returns', listings.listReturns),
}

function tablesIn(records: string, listing: Listing): Tables {
  return {
    records,
    docs: `${records.slice(0, -1)}_docs`,
    search: columnsWhere(listing, ({ table }) => table === 'search')[0]!,
    children: columnsWhere(listing, ({ table }) => table === 'values'),
  }
}

/** The `from` of records as `r` and their JSON text as `d`. */
export const withDocs = (kind: RecordKind): Sql => {
  const { records, docs } = tablesOf[kind]
  return raw(`${records} r join ${docs} d on d.account_id = r.account_id and d.seq = r.seq`)
}

/**
 * The same for records that are looked up by a list of ids. SQLite takes an account to be small: for a list it would
 * walk the whole account.
 */
export const withDocsById = (kind: RecordKind, { planning }: Pick<Dialect, 'planning'>): Sql => {
  const { records, docs } = tablesOf[kind]
  const hint = planning?.hint(`${records}_id`) ?? empty
  return sql`${raw(records)} r${hint} join ${raw(docs)} d on d.account_id = r.account_id and d.seq = r.seq`
}

type Value = string | number | null
type Values<C> = Record<ValueTable<C>, readonly string[]>

/** A record ready to be written. */
export interface Entry {
  readonly id: string
  readonly created_at: number
  readonly columns: Readonly<Record<string, Value>>
  readonly children: Readonly<Record<string, readonly string[]>>
  readonly search: string
  readonly doc: string
  /** When it had its latest news, ms UTC: the last scan or milestone; 0 without any. */
  readonly news: number
}

/** What happened to a saved record: it is new, it changed, or it was there with the same content. */
export type Outcome = 'created' | 'updated' | 'unchanged'

const time = (text: string | null | undefined): number | null =>
  typeof text === 'string' ? (readInstant(text) ?? null) : null

const truth = (value: boolean | null | undefined): number | null => (typeof value === 'boolean' ? Number(value) : null)

const word = (text: string | null | undefined): string | null => (text === undefined || text === '' ? null : text)

// A weight too large for an integer column is beyond every bound of a filter, and must stay so.
const weightOf = (grams: number): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, milligrams(grams)))

/** A text as it came, in characters that every database holds: NUL and half a surrogate are replaced. */
const shownText = (text: string | null | undefined): string | null =>
  typeof text === 'string' ? text.replaceAll('\0', '\ufffd').toWellFormed() : null

/** An amount as integer paise, half-up; null where a record has none, and for one beyond all sense. */
const amountOf = (rupees: unknown): number | null => paiseOf(amountIn(rupees) ?? Number.NaN) ?? null

/** What a record says about its amounts: null without any, 1 where their paise are all that it says, else 0. */
function wholePaise(amounts: readonly unknown[]): number | null {
  const rupees = amounts.flatMap((amount) => amountIn(amount) ?? [])
  return rupees.length === 0 ? null : Number(rupees.every((one) => (paiseOf(one) ?? Number.NaN) / 100 === one))
}

/** Whether an amount is there that is none; text of blanks counts as nothing there. */
const unreadable = (amount: unknown): boolean =>
  amount !== null && amount !== undefined && String(amount).trim() !== '' && amountIn(amount) === undefined

const unique = (values: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(values.filter((value): value is string => typeof value === 'string' && value !== '')),
]

/** What a search finds a record by: its own numbers, and its order, customer, items and SKUs. */
function searchText(
  numbers: readonly (string | null | undefined)[],
  attributes: Shipment['attributes'] | Return['attributes'],
  items: readonly { readonly name?: string | null | undefined }[],
  skus: readonly string[],
): string {
  const { id, display_id, external_id } = attributes.order ?? {}
  const { name, phone, city, state, zip } = attributes.shipping_address ?? {}
  const order = [id, display_id, external_id]
  const customer = [name, phone, city, state, zip]
  return foldText(unique([...numbers, ...order, ...customer, ...items.map((item) => item.name), ...skus]).join('\n'))
}

/** The latest time of a milestone, ms UTC, or null. */
function milestoneAt(
  milestones: readonly { readonly milestone: string; readonly milestone_at?: string | null | undefined }[],
  name: string,
): number | null {
  let latest: number | null = null
  for (const { milestone, milestone_at } of milestones) {
    const at = milestone === name ? time(milestone_at) : null
    if (at !== null && (latest === null || at > latest)) latest = at
  }
  return latest
}

const shipmentTimes = (milestones: Parameters<typeof milestoneAt>[0]) =>
  Object.fromEntries(shipmentMilestones.map((name) => [`${name}_at`, milestoneAt(milestones, name)])) as Record<
    `${(typeof shipmentMilestones)[number]}_at`,
    number | null
  >

/** The columns of sums and views that both kinds have. */
const sharedColumns = (attributes: Shipment['attributes'] | Return['attributes'], amounts: readonly unknown[]) => {
  const { id, external_id } = attributes.order ?? {}
  const { city, state, zip } = attributes.shipping_address ?? {}
  return {
    order_id: shownText(id),
    order_external_id: shownText(external_id),
    city_name: shownText(city),
    state_name: shownText(state),
    zip: shownText(zip),
    has_order: Number(attributes.order !== undefined),
    whole_paise: wholePaise(amounts),
  }
}

const skusOf = (items: RecordLists['items']): readonly string[] => unique((items ?? []).map(({ sku }) => sku))

const shipmentChildren = ({ items, tags }: RecordLists): Values<typeof shipmentColumns> => ({
  shipment_skus: skusOf(items),
  shipment_tags: unique(tags ?? []),
})

const returnChildren = ({ return_items: items }: RecordLists): Values<typeof returnColumns> => ({
  return_skus: skusOf(items),
})

/** A shipment as columns (docs/inside/architecture.md, Storage). */
function shipmentEntry(record: Shipment, doc: string, unread: boolean): Entry {
  const { attributes } = record
  const order = attributes.order ?? {}
  const items = attributes.items ?? []
  const milestones = attributes.shipment_milestones ?? []
  const children = shipmentChildren(attributes)
  const weight = gramsIn(attributes.applied_weight ?? {})
  const { total_price, cod_amount } = attributes
  const scanned = lastScanAt(record)
  return {
    id: record.id,
    created_at: readInstant(attributes.created_at)!,
    columns: {
      status: word(statusIn('shipment', attributes.status)),
      granular_status: granularOf(attributes, shipmentBuckets),
      carrier_id: word(attributes.carrier?.id),
      warehouse_id: word(attributes.warehouse_id),
      channel: word(order.channel),
      zone: word(attributes.zone && zoneIn(attributes.zone)),
      is_cod: truth(attributes.is_cod),
      applied_weight: weight === undefined ? null : weightOf(weight),
      attempt_count: attributes.attempt_count ?? null,
      ndr_reason: word(attributes.ndr_reason),
      rto_reason: word(attributes.rto_reason),
      store_name: word(order.store_name),
      ...placeColumns(attributes.shipping_address),
      ...sharedColumns(attributes, [total_price, cod_amount]),
      tracking_number: word(attributes.tracking_number),
      order_display_id: word(order.display_id),
      total_price: amountOf(total_price),
      cod_amount: amountOf(cod_amount),
      carrier_name: shownText(attributes.carrier?.name),
      unread_amount: Number(
        unread || unreadable(total_price) || (attributes.is_cod === true && unreadable(cod_amount)),
      ),
      last_scan_at: scanned ?? null,
      order_date: time(order.order_date),
      ...shipmentTimes(milestones),
    } satisfies Record<RowColumn<typeof shipmentColumns>, Value>,
    children,
    search: searchText([record.id, attributes.tracking_number], attributes, items, children.shipment_skus),
    doc,
    news: scanned ?? 0,
  }
}

/** The times of a return's scans, ms UTC: its shape does not name them, so they may be anything. */
function scanTimes({ tracking_details: scans }: Readonly<Record<string, unknown>>): readonly number[] {
  if (!Array.isArray(scans)) return []
  return scans.map((scan: { readonly event_date_time?: unknown } | null) => {
    const at = scan?.event_date_time
    return typeof at === 'string' ? (readInstant(at) ?? 0) : 0
  })
}

/**
 * A return as columns. The status column holds the status that it is filtered by (docs/inside/decisions.md, Listings),
 * and `lost` for a lost one, which no filter takes.
 */
function returnEntry(record: Return, doc: string, unread: boolean): Entry {
  const { attributes } = record
  const order = attributes.order ?? {}
  const items = attributes.return_items ?? []
  const shipment = attributes.shipment ?? {}
  const milestones = shipment.shipment_milestones ?? []
  const created = readInstant(attributes.created_at)!
  const children = returnChildren(attributes)
  const granular = granularOf(attributes, returnBuckets)
  const status = statusIn('return', attributes.status)
  const known =
    granular !== null && Object.hasOwn(returnBuckets, granular)
      ? returnBuckets[granular as keyof typeof returnBuckets]
      : undefined
  return {
    id: record.id,
    created_at: created,
    columns: {
      request_date: time(attributes.request_date) ?? created,
      total_price: amountOf(attributes.total_price) ?? 0,
      status:
        known === undefined ? word(status === 'delivered' ? 'return_received' : status) : (known.filter ?? known.shown),
      granular_status: granular,
      warehouse_id: word(attributes.warehouse_id),
      channel: word(order.channel),
      store_name: word(order.store_name),
      carrier_id: word(shipment.carrier?.id),
      zone: word(attributes.zone && zoneIn(attributes.zone)),
      refund_status: word(attributes.refund_status),
      qc_status: word(attributes.qc_status),
      display_id: word(attributes.display_id),
      is_dangerous_goods: truth(attributes.is_dangerous_goods),
      shipment_id: word(shipment.id),
      ...placeColumns(attributes.shipping_address),
      ...sharedColumns(attributes, [attributes.total_price]),
      tracking_number: word(shipment.tracking_number),
      order_display_id: shownText(order.display_id),
      carrier_name: shownText(shipment.carrier?.name),
      return_reason: shownText(attributes.return_reason),
      is_exchange: truth(attributes.is_exchange),
      unread_amount: Number(unread || unreadable(attributes.total_price)),
      return_pickup_scheduled_at: milestoneAt(milestones, 'return_pickup_scheduled'),
      return_delivered_at: milestoneAt(milestones, 'return_delivered'),
    } satisfies Record<RowColumn<typeof returnColumns>, Value>,
    children,
    search: searchText(
      [record.id, attributes.display_id, shipment.tracking_number],
      attributes,
      items,
      children.return_skus,
    ),
    doc,
    news: Math.max(0, ...milestones.map((one) => time(one.milestone_at) ?? 0), ...scanTimes(shipment)),
  }
}

/**
 * A record of either kind as its entry; `doc` is its text if the text is kept as it came, and `unread` says that the
 * text has an amount that cannot be read.
 */
export function entryOf(
  kind: RecordKind,
  record: Shipment | Return,
  doc = JSON.stringify(record),
  unread = false,
): Entry {
  return kind === 'shipment'
    ? shipmentEntry(record as Shipment, doc, unread)
    : returnEntry(record as Return, doc, unread)
}

/**
 * The columns of a record from its text in any shape. A text that is no record has one column: sums lack it, and say
 * so.
 */
export function columnsIn(kind: RecordKind, doc: string): Entry['columns'] {
  const sent = sentIn(kind, doc)
  return sent === undefined ? { unread_amount: 1 } : entryOf(kind, sent.record, doc, sent.unread).columns
}

/** The values of a record's child tables from its text in any shape. A text that is no record has none. */
export function childrenIn(kind: RecordKind, doc: string): Entry['children'] {
  try {
    const lists = readLists(doc)
    return kind === 'shipment' ? shipmentChildren(lists) : returnChildren(lists)
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function sentIn(kind: RecordKind, doc: string): SentRecord | undefined {
  try {
    return readSent(kind === 'shipment' ? 'shipments' : 'returns', doc)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
