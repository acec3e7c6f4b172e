// What is owed of the parcels that were delivered on whole days, as it was added up before, on SQLite alone
// (docs/inside/architecture.md, Kept sums). A row is right or absent: whoever changes what is in it deletes it in the
// same transaction, for shipments by `forgetDays`, for remittances and statements by triggers. No answer needs a row.
import sql, { raw } from 'sql-template-tag'
import { dayMs, istOffset } from '../../domain/time.ts'
import { byIndex, row, rows, type Dialect, type Work } from '../database/port.ts'
import { dayIn, owedSums, type Delivered, type OwedSum, type Payments } from './codowed.ts'

/** The IST day of an instant; those before 1970 share day 0 with the first, and no row is kept of it. */
const dayOf = (ms: number): number => Math.trunc((ms + istOffset) / dayMs)
const startOf = (day: number): number => day * dayMs - istOffset
const endOf = (day: number): number => startOf(day + 1) - 1

/** The columns of a shipment that say on which day it counts. */
type DayColumns = Readonly<Partial<Record<'is_cod' | 'status' | 'delivered_at', unknown>>>

/** Deletes the rows of the days of shipments that are written: as they were, and as they are. */
export function* forgetDays({ planning }: Dialect, account: number, shipments: readonly DayColumns[]): Work<void> {
  if (planning === undefined) return
  const days = new Set<number>()
  for (const { is_cod: cod, status, delivered_at: at } of shipments)
    if (cod === 1 && status === 'delivered' && typeof at === 'number') days.add(dayOf(at))
  for (const day of days) yield* rows(sql`delete from cod_days where account_id = ${account} and day = ${day}`)
}

/** Deletes all rows of an account. */
export function* forgetAllDays({ planning }: Dialect, account: number): Work<void> {
  if (planning !== undefined) yield* rows(sql`delete from cod_days where account_id = ${account}`)
}

/** Days that were added up just now, and the state of the database that they belong to. */
export interface NewDays {
  readonly days: ReadonlyMap<number, readonly OwedSum[]>
  readonly state: string
}

/** What is owed by courier and day of delivery, and the days of it that are worth keeping. */
export interface OwedByDay {
  readonly sums: readonly OwedSum[]
  readonly news: NewDays | undefined
}

/** Days that lack a row are kept where so many parcels were looked at: a write takes as long as some thousands. */
const worthKeeping = 5000

/**
 * What is owed by courier and day of delivery: rows for the days that have one, and the others added up; no row is of
 * payments until a day. It is several statements, so the transaction must see one unchanging state.
 */
export function* owedByDay(
  dialect: Dialect,
  account: number,
  { since, until }: Delivered,
  payments: Payments,
  least = worthKeeping,
): Work<OwedByDay> {
  const first = Math.max(1, Math.ceil((since + istOffset) / dayMs))
  const last = Math.floor((until + 1 + istOffset) / dayMs) - 1
  const added = (from: number, to: number): Work<readonly OwedSum[]> =>
    owedSums(dialect, account, { since: from, until: to }, payments)
  if (dialect.planning === undefined || last < first || payments.until !== undefined)
    return { sums: inOrder(yield* added(since, until)), news: undefined }
  const sums = [...(yield* added(since, startOf(first) - 1)), ...(yield* added(startOf(last + 1), until))]
  const days = new Map<number, OwedSum[]>()
  for (const run of runsIn(yield* daysBetween(dialect, account, first, last)))
    if (typeof run === 'string') sums.push(...(JSON.parse(run) as readonly OwedSum[]))
    else {
      for (const day of run) days.set(day, [])
      for (const one of yield* added(startOf(run[0]!), endOf(run.at(-1)!))) days.get(one.day)!.push(one)
    }
  const own = [...days.values()].flat()
  const looked = own.reduce((all, { delivered }) => all + delivered, 0)
  const news = days.size === 0 || looked < least ? undefined : { days, state: yield* stateNow() }
  return { sums: inOrder([...sums, ...own]), news }
}

/**
 * Keeps what was added up before, in a transaction that writes, where nobody has changed the database meanwhile: rows
 * of another state would be wrong.
 */
export function* keepDays(account: number, { days, state }: NewDays): Work<void> {
  if ((yield* stateNow()) !== state) return
  for (const [day, sums] of days)
    yield* rows(sql`insert into cod_days (account_id, day, sums) values (${account}, ${day}, ${JSON.stringify(sums)})`)
}

/** Differs after each change by another connection, and by this one. */
function* stateNow(): Work<string> {
  const found = yield* row<{ others: number; own: number }>(
    sql`select data_version as others, total_changes() as own from pragma_data_version`,
  )
  return `${found!.others} ${found!.own}`
}

interface Day extends Record<string, unknown> {
  readonly day: number
  readonly sums: string | null
}

/** The days on which COD parcels were delivered, each found by a look into the index behind the one before. */
function* daysBetween(dialect: Dialect, account: number, first: number, last: number): Work<readonly Day[]> {
  const next = sql`select ${dayIn('min(r.delivered_at)')} from shipments r${byIndex(
    dialect,
    'shipments_cod_delivered',
  )} where r.account_id = ${account} and r.is_cod = 1 and r.status = 'delivered' and r.delivered_at is not null`
  const found = yield* rows<Day>(
    sql`with recursive found (day) as (select (${next} and r.delivered_at >= ${startOf(first)}) union all
        select (${next} and r.delivered_at >= ${raw(`(found.day + 1) * ${dayMs} - ${istOffset}`)}) from found
          where found.day < ${last})
      select found.day, k.sums from found left join cod_days k on k.account_id = ${account} and k.day = found.day
      where found.day <= ${last} order by found.day`,
  )
  return found
}

/** The kept sums of days, and runs of days without. */
function runsIn(days: readonly Day[]): readonly (string | number[])[] {
  const runs: (string | number[])[] = []
  for (const { day, sums } of days) {
    const before = runs.at(-1)
    if (sums !== null) runs.push(sums)
    else if (typeof before === 'object') before.push(Number(day))
    else runs.push([Number(day)])
  }
  return runs
}

const compare = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null || (b !== null && a < b) ? -1 : 1

/** The order of the answer, whatever was kept of it. */
const inOrder = (sums: readonly OwedSum[]): readonly OwedSum[] =>
  sums.toSorted(
    (a, b) => compare(a.carrier_id, b.carrier_id) || compare(a.carrier_name, b.carrier_name) || a.day - b.day,
  )
