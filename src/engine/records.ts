// Shipment and return records in the database: the JSON that is sent, the columns that filters read, the SKUs, tags and
// search text beside it, all written by one function; knows no driver, no endpoint and no command.
import sql, { raw } from 'sql-template-tag'
import { foldText, milligrams } from '../domain/filters.ts'
import { paiseOf } from '../domain/money.ts'
import type { Return } from '../domain/returns.ts'
import type { Shipment } from '../domain/shipments.ts'
import { returnBuckets, shipmentBuckets, shipmentMilestones } from '../domain/statuses.ts'
import { readInstant } from '../domain/time.ts'
import { row, rows, type Dialect, type RecordKind, type Statement, type Work } from './database.ts'

/** Where a kind of record lives. */
export interface Tables {
  readonly records: string
  readonly search: string
  /** Child tables by the name that filters use for them. */
  readonly children: readonly string[]
}

/** The tables of both kinds. */
export const tablesOf: Readonly<Record<RecordKind, Tables>> = {
  shipment: { records: 'shipments', search: 'shipment_search', children: ['shipment_skus', 'shipment_tags'] },
  return: { records: 'returns', search: 'return_search', children: ['return_skus'] },
}

/** A record ready to be written. */
interface Entry {
  readonly id: string
  readonly created_at: number
  readonly columns: Readonly<Record<string, string | number | null>>
  readonly children: Readonly<Record<string, readonly string[]>>
  readonly search: string
  readonly doc: string
}

/** What became of a record: new, changed, or there already with the same content. */
export type Outcome = 'created' | 'updated' | 'unchanged'

const time = (text: string | null | undefined): number | null =>
  typeof text === 'string' ? (readInstant(text) ?? null) : null
const truth = (value: boolean | null | undefined): number | null => (typeof value === 'boolean' ? Number(value) : null)
const word = (text: string | null | undefined): string | null => (text === undefined || text === '' ? null : text)
// A weight that no integer column can hold is beyond every bound that a filter may have, and must stay so.
const weightOf = (grams: number): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, milligrams(grams)))
const unique = (values: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(values.filter((value): value is string => typeof value === 'string' && value !== '')),
]
const searchText = (parts: readonly (string | null | undefined)[]): string => foldText(unique(parts).join('\n'))

/** The latest time of a milestone, ms UTC, or null. */
function milestoneAt(
  milestones: readonly { readonly milestone: string; readonly milestone_at?: string | null | undefined }[],
  name: string,
): number | null {
  const times = milestones
    .filter((milestone) => milestone.milestone === name)
    .map((milestone) => time(milestone.milestone_at) ?? -1)
  const latest = Math.max(-1, ...times)
  return latest === -1 ? null : latest
}

/**
 * The detailed status of a record: its own attribute, else its sub-status or status where that is a known detailed one
 * (deployments without the extra attribute send it there).
 */
export function granularOf(
  attributes: {
    readonly granular_status?: string | null | undefined
    readonly sub_status?: unknown
    readonly status?: string | null | undefined
  },
  known: Readonly<Record<string, unknown>>,
): string | null {
  const own = word(attributes.granular_status)
  if (own !== null) return own
  for (const value of [attributes.sub_status, attributes.status])
    if (typeof value === 'string' && Object.hasOwn(known, value)) return value
  return null
}

/** A shipment as columns (docs/architecture.md, One record, one row). */
export function shipmentEntry(record: Shipment): Entry {
  const { attributes } = record
  const order = attributes.order ?? {}
  const address = attributes.shipping_address ?? {}
  const items = attributes.items ?? []
  const milestones = attributes.shipment_milestones ?? []
  const skus = unique(items.map((item) => item.sku))
  const weight = attributes.applied_weight?.value
  return {
    id: record.id,
    created_at: readInstant(attributes.created_at)!,
    columns: {
      status: word(attributes.status),
      granular_status: granularOf(attributes, shipmentBuckets),
      carrier_id: word(attributes.carrier?.id),
      warehouse_id: word(attributes.warehouse_id),
      channel: word(order.channel),
      zone: word(attributes.zone),
      is_cod: truth(attributes.is_cod),
      applied_weight: typeof weight === 'number' ? weightOf(weight) : null,
      attempt_count: attributes.attempt_count ?? null,
      ndr_reason: word(attributes.ndr_reason),
      rto_reason: word(attributes.rto_reason),
      store_name: word(order.store_name),
      tracking_number: word(attributes.tracking_number),
      order_display_id: word(order.display_id),
      order_date: time(order.order_date),
      ...Object.fromEntries(shipmentMilestones.map((name) => [`${name}_at`, milestoneAt(milestones, name)])),
    },
    children: { shipment_skus: skus, shipment_tags: unique(attributes.tags ?? []) },
    search: searchText([
      record.id, attributes.tracking_number, order.id, order.display_id, order.external_id,
      address.name, address.phone, address.city, address.state, address.zip,
      ...items.map((item) => item.name), ...skus,
    ]), // prettier-ignore
    doc: JSON.stringify(record),
  }
}

/** A return as columns. The status column holds the status that it is filtered by (docs/decisions.md, Listings). */
export function returnEntry(record: Return): Entry {
  const { attributes } = record
  const order = attributes.order ?? {}
  const address = attributes.shipping_address ?? {}
  const items = attributes.return_items ?? []
  const shipment = attributes.shipment ?? {}
  const milestones = shipment.shipment_milestones ?? []
  const created = readInstant(attributes.created_at)!
  const skus = unique(items.map((item) => item.sku))
  const granular = granularOf(attributes, returnBuckets)
  const known =
    granular !== null && Object.hasOwn(returnBuckets, granular)
      ? returnBuckets[granular as keyof typeof returnBuckets]
      : undefined
  return {
    id: record.id,
    created_at: created,
    columns: {
      request_date: time(attributes.request_date) ?? created,
      total_price: paiseOf(attributes.total_price ?? 0) ?? 0,
      status:
        known === undefined
          ? word(attributes.status === 'delivered' ? 'return_received' : attributes.status)
          : known.filter,
      granular_status: granular,
      warehouse_id: word(attributes.warehouse_id),
      channel: word(order.channel),
      store_name: word(order.store_name),
      carrier_id: word(shipment.carrier?.id),
      zone: word(attributes.zone),
      refund_status: word(attributes.refund_status),
      qc_status: word(attributes.qc_status),
      display_id: word(attributes.display_id),
      is_dangerous_goods: truth(attributes.is_dangerous_goods),
      shipment_id: word(shipment.id),
      return_pickup_scheduled_at: milestoneAt(milestones, 'return_pickup_scheduled'),
      return_delivered_at: milestoneAt(milestones, 'return_delivered'),
    },
    children: { return_skus: skus },
    search: searchText([
      record.id, attributes.display_id, shipment.tracking_number, order.id, order.display_id, order.external_id,
      address.name, address.phone, address.city, address.state, address.zip,
      ...items.map((item) => item.name), ...skus,
    ]), // prettier-ignore
    doc: JSON.stringify(record),
  }
}

/** A statement whose text is made once and whose values change: bulk writing makes no text for each row. */
function fixed(text: string): (values: readonly unknown[]) => Statement {
  let n = 0
  const numbered = text.replace(/\?/g, () => `$${++n}`)
  return (values) => ({ sql: text, text: numbered, values })
}

const writers = new Map<string, ReturnType<typeof writersOf>>()

function writersOf(kind: RecordKind, names: readonly string[], locking: string) {
  const { records, search, children } = tablesOf[kind]
  const marks = (count: number): string => Array.from({ length: count }, () => '?').join(', ')
  return {
    find: fixed(`select seq, created_at, doc from ${records} where account_id = ? and id = ?${locking}`),
    insert: fixed(
      `insert into ${records} (seq, account_id, id, created_at, doc, ${names.join(', ')}) values (${marks(names.length + 5)})`,
    ),
    update: fixed(
      `update ${records} set created_at = ?, doc = ?, ${names.map((name) => `${name} = ?`).join(', ')} where account_id = ? and seq = ?`,
    ),
    addSearch: fixed(`insert into ${search} (seq, account_id, text) values (?, ?, ?)`),
    dropSearch: fixed(`delete from ${search} where account_id = ? and seq = ?`),
    addChild: Object.fromEntries(
      children.map((child) => [
        child,
        fixed(`insert into ${child} (account_id, value, created_at, seq) values (?, ?, ?, ?)`),
      ]),
    ),
    dropChild: Object.fromEntries(
      children.map((child) => [
        child,
        fixed(`delete from ${child} where account_id = ? and value = ? and created_at = ? and seq = ?`),
      ]),
    ),
  }
}

function writersFor(dialect: Dialect, kind: RecordKind, entry: Entry) {
  const locking = dialect.locking('update').sql
  const key = kind + locking
  let found = writers.get(key)
  if (found === undefined) writers.set(key, (found = writersOf(kind, Object.keys(entry.columns), locking)))
  return found
}

/** A record of either kind as its entry. */
export function entryOf(kind: RecordKind, record: Shipment | Return): Entry {
  return kind === 'shipment' ? shipmentEntry(record as Shipment) : returnEntry(record as Return)
}

/** Saves records of one kind, inserting or replacing by `id`; gives what became of each, in their order. */
export function* saveRecords(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  records: readonly (Shipment | Return)[],
): Work<readonly Outcome[]> {
  const nextSeq = yield* dialect.newSeqs(kind, account)
  const outcomes: Outcome[] = []
  for (const record of records) {
    const entry = entryOf(kind, record)
    const write = writersFor(dialect, kind, entry)
    const old = yield* row<{ seq: number; created_at: number; doc: string }>(write.find([account, entry.id]))
    if (old?.doc === entry.doc) {
      outcomes.push('unchanged')
      continue
    }
    const values = Object.values(entry.columns)
    const seq = old?.seq ?? nextSeq()
    if (old === undefined) {
      yield* rows(write.insert([seq, account, entry.id, entry.created_at, entry.doc, ...values]))
    } else {
      const before = entryOf(kind, JSON.parse(old.doc) as Shipment | Return)
      for (const [child, list] of Object.entries(before.children)) {
        for (const value of list) yield* rows(write.dropChild[child]!([account, value, old.created_at, seq]))
      }
      yield* rows(write.dropSearch([account, seq]))
      yield* rows(write.update([entry.created_at, entry.doc, ...values, account, seq]))
    }
    for (const [child, list] of Object.entries(entry.children)) {
      for (const value of list) yield* rows(write.addChild[child]!([account, value, entry.created_at, seq]))
    }
    yield* rows(write.addSearch([seq, account, entry.search]))
    outcomes.push(old === undefined ? 'created' : 'updated')
  }
  return outcomes
}

/** The record with an id as JSON text, to be changed by this transaction, or undefined. */
export function* findRecord(dialect: Dialect, account: number, kind: RecordKind, id: string): Work<string | undefined> {
  const { records } = tablesOf[kind]
  return (yield* row<{ doc: string }>(
    sql`select doc from ${raw(records)} where account_id = ${account} and id = ${id}${dialect.locking('update')}`,
  ))?.doc
}

/** How many linked records are rewritten between two looks at the database. */
const renameChunk = 500

/** Gives every record that is linked to a store the store's new name, in the record and in the column. */
export function* renameStoreInRecords(dialect: Dialect, account: number, from: string, to: string): Work<number> {
  let changed = 0
  for (const kind of ['shipment', 'return'] as const) {
    for (;;) {
      const { records } = tablesOf[kind]
      const linked = yield* rows<{ doc: string }>(
        sql`select doc from ${raw(records)} where account_id = ${account} and store_name = ${from} limit ${renameChunk}`,
      )
      if (linked.length === 0) break
      const renamed = linked.map(({ doc }) => {
        const record = JSON.parse(doc) as Shipment | Return
        return {
          ...record,
          attributes: { ...record.attributes, order: { ...record.attributes.order, store_name: to } },
        } as Shipment | Return
      })
      yield* saveRecords(dialect, account, kind, renamed)
      changed += renamed.length
    }
  }
  return changed
}
