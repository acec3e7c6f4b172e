// What couriers billed for the parcels of a month, and what became of the disputes about it (docs/guides/report.md, A
// month's money). Integer paise, ms UTC.
import sql from 'sql-template-tag'
import { statusAt, type DisputeStatus } from '../../domain/money/disputes.ts'
import { billerOf, courierKey } from '../../domain/money/policies.ts'
import { dayMs, istDate, istOffset } from '../../domain/time.ts'
import { listOf } from '../database/inlist.ts'
import { row, rows, type Work } from '../database/port.ts'
import { dayIn } from './codowed.ts'
import { wasRaised } from './disputes.ts'
import { listDocuments, type Document } from './documents.ts'

/** The month in IST, `2026-09`, in which most parcels of a document were picked up; undefined where none has a day. */
function* monthOfLines(account: number, document: string): Work<string | undefined> {
  const days = yield* rows<{ day: number; lines: number }>(
    sql`select ${dayIn('picked_up')} as day, count(*) as lines from document_lines
      where account_id = ${account} and id > ${`${document}:`} and id < ${`${document};`} and picked_up is not null
      group by 1 order by 1`,
  )
  const months = new Map<string, number>()
  for (const { day, lines } of days) {
    const month = istDate(Number(day) * dayMs - istOffset).slice(0, 7)
    months.set(month, (months.get(month) ?? 0) + Number(lines))
  }
  const most = Math.max(0, ...months.values())
  return [...months].find(([, lines]) => lines === most)?.[0]
}

/**
 * The invoices that count and that bill a month, `2026-09`: most of their parcels were picked up in it. An invoice
 * without such a parcel belongs to the month of its own day, else to the one in which it was read. The latest first.
 */
export function* invoicesOfMonth(account: number, month: string): Work<readonly Document[]> {
  const found: Document[] = []
  for (const one of yield* listDocuments(account)) {
    // A bill comes after the pickups that it is about.
    if (one.superseded_at !== null || (one.day !== null && one.day.slice(0, 7) < month)) continue
    const own = (yield* monthOfLines(account, one.id)) ?? one.day?.slice(0, 7) ?? istDate(one.created_at).slice(0, 7)
    if (own === month) found.push(one)
  }
  return found
}

/** The parcels of documents; `judged` are those with a line that could be judged, and what those lines bill. */
export interface BilledCounts {
  readonly parcels: number
  readonly judged: number
}

/** How many parcels documents bill, each AWB once. */
export function* parcelsBilled(account: number, documents: readonly string[]): Work<BilledCounts> {
  const found = yield* row<{ parcels: number; judged: number }>(
    sql`select count(distinct case when billed >= 0 then awb end) as parcels,
        count(distinct case when expected is not null and verdict <> 'credit' then awb end) as judged
      from document_lines where account_id = ${account} and document_id in (${listOf(documents)})`,
  )
  return { parcels: Number(found?.parcels ?? 0), judged: Number(found?.judged ?? 0) }
}

/** Disputes with one status: paise. */
export interface DisputeSums {
  readonly status: DisputeStatus
  readonly disputes: number
  readonly amount: number
  /** What couriers accepted. */
  readonly accepted: number
  readonly credited: number
  /** What those claim that nobody raised, and what was credited of it. */
  readonly unraised: number
  readonly unraised_credited: number
}

interface SumRow extends Record<string, unknown> {
  readonly status: DisputeStatus
  readonly taken: number
  /** 1 where the deadline is over. */
  readonly past: number
  readonly disputes: number
  readonly amount: number
  readonly accepted: number | null
  readonly credited: number
  readonly unraised: number | null
  readonly unraised_credited: number | null
}

/** A document by what its disputes have of it. */
type Billing = Pick<Document, 'id' | 'number' | 'courier' | 'form'>

interface DisputedRow extends Record<string, unknown> {
  readonly document_id: string
  readonly invoice: string
  readonly courier_key: string
}

/**
 * The documents that count no more, and whose disputes are about some that do: a dispute belongs to the courier and the
 * number of an invoice, also after another file took its place.
 */
function* documentsBefore(account: number, documents: readonly Billing[]): Work<readonly string[]> {
  const kept = (yield* listDocuments(account)).flatMap(({ id, superseded_at: gone }) => (gone === null ? [id] : []))
  const live = new Set(kept)
  const isAbout = ({ invoice, courier_key: key }: DisputedRow): boolean =>
    documents.some(
      ({ number, courier, form }) =>
        number === invoice && (courier === '' || key === '' || courierKey(billerOf(form, courier)) === key),
    )
  const found: string[] = []
  for (let after = ''; ;) {
    // The first dispute of the next document: the index goes by documents.
    const next = yield* row<DisputedRow>(
      sql`select document_id, invoice, courier_key from disputes
        where account_id = ${account} and document_id > ${after} order by document_id, line limit 1`,
    )
    if (next === undefined) return found
    after = next.document_id
    if (!live.has(after) && isAbout(next)) found.push(after)
  }
}

/**
 * The disputes about lines of documents by their status at an instant, in the order of the statuses' names. Of those
 * that were replaced, those that were withdrawn with them are left out.
 */
export function* disputesAbout(
  account: number,
  documents: readonly Billing[],
  now: number,
): Work<readonly DisputeSums[]> {
  const own = documents.map(({ id }) => id)
  const before = yield* documentsBefore(account, documents)
  const found = yield* rows<SumRow>(
    sql`select status, taken, case when due_at < ${now} then 1 else 0 end as past, count(*) as disputes,
        sum(amount) as amount, sum(settled) as accepted, sum(credited) as credited,
        sum(case when not ${wasRaised(account)} then amount end) as unraised,
        sum(case when not ${wasRaised(account)} then credited end) as unraised_credited
      from disputes where account_id = ${account} and document_id in (${listOf([...own, ...before])})
        and (status <> 'withdrawn' or document_id in (${listOf(own)}))
      group by 1, 2, 3`,
  )
  const sums = new Map<DisputeStatus, DisputeSums>()
  for (const { status: kept, taken, past, ...one } of found) {
    const status = statusAt(
      { status: kept, due_at: Number(past) === 1 ? now - 1 : null, taken: Number(taken) === 1 },
      now,
    )
    const sum = sums.get(status)
    sums.set(status, {
      status,
      disputes: (sum?.disputes ?? 0) + Number(one.disputes),
      amount: (sum?.amount ?? 0) + Number(one.amount),
      accepted: (sum?.accepted ?? 0) + Number(one.accepted ?? 0),
      credited: (sum?.credited ?? 0) + Number(one.credited),
      unraised: (sum?.unraised ?? 0) + Number(one.unraised ?? 0),
      unraised_credited: (sum?.unraised_credited ?? 0) + Number(one.unraised_credited ?? 0),
    })
  }
  return [...sums.values()].toSorted((a, b) => (a.status < b.status ? -1 : 1))
}
