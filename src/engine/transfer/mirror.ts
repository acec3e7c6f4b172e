// What a pull does in the database. It saves records as another deployment sent them and removes those deleted there.
// It also finds the records that can still change, and stores the pull's progress.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { readSent, type SentKind, type SentRecord } from '../../domain/foreign/records.ts'
import { keysOf } from '../../domain/keysof.ts'
import {
  returnBuckets,
  returnStatuses,
  settledReturns,
  settledShipments,
  shipmentBuckets,
  shipmentStatuses,
} from '../../domain/parcels/statuses.ts'
import type { Store } from '../../domain/stores.ts'
import { dayMs, readInstant } from '../../domain/time.ts'
import { row, rows, type Dialect, type RecordKind, type Work } from '../database/port.ts'
import { removeEntry, saveEntries, type SavedEntry } from '../records/records.ts'
import { entryOf, tablesOf, withDocs } from '../records/entry.ts'

/** The database's kind of record for each kind of listing. */
export const recordKind: Readonly<Record<SentKind, RecordKind>> = { shipments: 'shipment', returns: 'return' }

/* ---- How far a pull has come ---- */

/** The progress of a pull of one kind, as JSON text, and the mark of the run that pulled last. */
export interface PullRow extends Record<string, unknown> {
  readonly kind: string
  readonly owner: string
  readonly state: string
}

/** The progress of every kind that was ever pulled. */
export function* pullStates(account: number): Work<readonly PullRow[]> {
  return yield* rows<PullRow>(sql`select kind, owner, state from pulls where account_id = ${account} order by kind`)
}

/** Takes a kind over, with a starting state. The run that pulled it before notices this at its next page. */
export function* beginPull(account: number, { kind, owner, state }: PullRow, now: number): Work<void> {
  yield* rows(
    sql`insert into pulls (account_id, kind, owner, state, updated_at)
      values (${account}, ${kind}, ${owner}, ${state}, ${now})
      on conflict (account_id, kind) do update set
        owner = excluded.owner, state = excluded.state, updated_at = excluded.updated_at`,
  )
}

/** Saves the progress of a pull. Throws `unavailable` when another pull has taken over. */
export function* savePull(account: number, { kind, owner, state }: PullRow, now: number): Work<void> {
  const found = yield* row<{ kind: string }>(
    sql`update pulls set state = ${state}, updated_at = ${now}
      where account_id = ${account} and kind = ${kind} and owner = ${owner} returning kind`,
  )
  if (found === undefined)
    throw new ShipxError('unavailable', `another shipx pull has started and now pulls the ${kind}`, {
      hint: 'run one pull at a time',
    })
}

/* ---- Records ---- */

/** Saves records as they were sent; returns their outcomes in the same order. */
export function* saveSent(
  dialect: Dialect,
  account: number,
  kind: SentKind,
  records: readonly SentRecord[],
): Work<readonly SavedEntry[]> {
  const own = recordKind[kind]
  const entries = records.map(({ record, text, unread }) => entryOf(own, record, text, unread))
  return yield* saveEntries(dialect, account, own, entries, (doc) => readSent(kind, doc)!.record)
}

/** A part of a listing in its order: after the record of the first pair, up to and including that of the second. */
export interface ListingRange {
  readonly after: readonly [created_at: number, id: string] | undefined
  /** ms UTC, inclusive */
  readonly from: number
  readonly upTo: readonly [created_at: number, id: string] | undefined
  /** ms UTC, inclusive */
  readonly to: number
}

function within({ after, from, upTo, to }: ListingRange): Sql {
  const start = after === undefined ? empty : sql` and (created_at, id) > (${join(after)})`
  const end = upTo === undefined ? empty : sql` and (created_at, id) <= (${join(upTo)})`
  return sql`created_at >= ${from} and created_at <= ${to}${start}${end}`
}

/** Removes the records of a stretch that the other deployment did not list; returns how many. */
export function* removeUnseen(
  dialect: Dialect,
  account: number,
  kind: SentKind,
  stretch: ListingRange,
  seen: ReadonlySet<string>,
): Work<number> {
  const { records } = tablesOf[recordKind[kind]]
  const there = yield* rows<{ id: string }>(
    sql`select id from ${raw(records)} where account_id = ${account} and ${within(stretch)}`,
  )
  let removed = 0
  for (const { id } of there) {
    if (seen.has(id)) continue
    yield* removeRecord(dialect, account, kind, id)
    removed++
  }
  return removed
}

function* removeRecord(dialect: Dialect, account: number, kind: SentKind, id: string): Work<void> {
  const own = recordKind[kind]
  const old = yield* row<{ seq: number; created_at: number; doc: string }>(
    sql`select r.seq, r.created_at, d.doc from ${withDocs(own)} where r.account_id = ${account} and r.id = ${id}`,
  )
  if (old === undefined) return
  yield* removeEntry(dialect, account, own, { ...old, before: entryOf(own, readSent(kind, old.doc)!.record, old.doc) })
}

/** How many records were created from one ms to another, both inclusive. */
export function* countCreated(account: number, kind: SentKind, from: number, to: number): Work<number> {
  const found = yield* row<{ n: number }>(
    sql`select count(*) as n from ${raw(tablesOf[recordKind[kind]].records)}
      where account_id = ${account} and created_at >= ${from} and created_at <= ${to}`,
  )
  return found!.n
}

/** An unknown status may be a final one: it counts as open only this many ms after the record was created. */
const unknownLife = 90 * dayMs

/** When the records that can still change were created, ms UTC in order; only those created from `from` to `to`. */
export function* openMoments(
  dialect: Dialect,
  account: number,
  kind: SentKind,
  { from, to, now }: { readonly from: number; readonly to: number; readonly now: number },
): Work<readonly number[]> {
  const { records } = tablesOf[recordKind[kind]]
  const found = yield* rows<{ at: number }>(
    sql`select r.created_at as at from ${raw(records)} r${dialect.planning?.hint(`${records}_wide`) ?? empty}
      where r.account_id = ${account} and r.created_at >= ${from} and r.created_at <= ${to}
        and ${openness(kind, now - unknownLife)}
      order by r.created_at`,
  )
  return found.map(({ at }) => at)
}

/** Known statuses that are not final. */
const knownOpen = {
  shipments: {
    granular: keysOf(shipmentBuckets).filter((name) => !among(settledShipments.granular, name)),
    // What a service counts under `others` may be final: it is treated as an unknown status.
    status: shipmentStatuses.filter((name) => name !== 'others' && !among(settledShipments.status, name)),
  },
  returns: {
    granular: keysOf(returnBuckets).filter((name) => !among(settledReturns.granular, name)),
    status: returnStatuses.filter((name) => !among(settledReturns.status, name)),
  },
} as const

function among(list: readonly string[], name: string): boolean {
  return list.includes(name)
}

function openness(kind: SentKind, since: number): Sql {
  const { granular, status } = kind === 'shipments' ? settledShipments : settledReturns
  const open = knownOpen[kind]
  const known = sql`(
    r.granular_status in (${join(open.granular)})
    or (r.granular_status is null and r.status in (${join(open.status)}))
  )`
  const unknown = sql`(
    r.created_at >= ${since}
    and (
      (r.granular_status is null and r.status is null)
      or (r.granular_status is null and r.status not in (${join(status)}))
      or r.granular_status not in (${join(granular)})
    )
  )`
  if (kind === 'shipments') return sql`(${known} or ${unknown})`
  const { refund, qc } = settledReturns.waiting
  const received = sql`(
    r.status = ${'return_received'}
    and (r.refund_status in (${join(refund)}) or r.qc_status in (${join(qc)}))
  )`
  return sql`(${known} or ${unknown} or ${received})`
}

/* ---- Stores ---- */

/** How many stores were new, changed, unchanged or removed. */
export interface StoresReplaced {
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
}

/** A value that another deployment should have sent as text. */
const textOr = <T>(otherwise: T, value: unknown): string | T => (typeof value === 'string' ? value : otherwise)

/** Makes the stores equal to a deployment's list and removes all others. Stores are kept as they were sent. */
export function* replaceStores(account: number, stores: readonly Store[], now: number): Work<StoresReplaced> {
  const old = yield* rows<{ id: string; doc: string | null }>(
    sql`select id, doc from stores where account_id = ${account}`,
  )
  const before = new Map(old.map(({ id, doc }) => [id, doc]))
  const after = new Map(stores.map((store) => [store.id, JSON.stringify(store)]))
  const counts = { new: 0, changed: 0, unchanged: 0, removed: 0 }
  // Names are unique, and two stores may have swapped theirs: delete every store that differs before inserting.
  for (const [id, doc] of before) {
    if (after.get(id) === doc) continue
    if (!after.has(id)) counts.removed++
    yield* rows(sql`delete from stores where account_id = ${account} and id = ${id}`)
  }
  for (const store of new Map(stores.map((one) => [one.id, one])).values()) {
    const doc = after.get(store.id)!
    if (before.get(store.id) === doc) {
      counts.unchanged++
      continue
    }
    counts[before.has(store.id) ? 'changed' : 'new']++
    const { id, store_name, brand_name } = store
    const at = (text: unknown): number => (typeof text === 'string' ? (readInstant(text) ?? now) : now)
    const name = store_name.slice(0, 100) || id.slice(0, 100)
    const [brand, channel] = [textOr(null, brand_name), textOr('', store.channel)]
    // A listed store is connected, whatever that deployment calls its status.
    yield* rows(
      sql`insert into stores (account_id, id, store_name, brand_name, channel, status, created_at, updated_at, doc)
        values (${account}, ${id}, ${name}, ${brand}, ${channel}, ${'connected'},
          ${at(store.created_at)}, ${at(store.updated_at)}, ${doc})
        on conflict do nothing`,
    )
  }
  return counts
}
