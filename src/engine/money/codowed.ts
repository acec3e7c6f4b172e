// The COD that couriers owe: parcels that were delivered and not paid in full, and what they add up to by courier and
// day of delivery (docs/guides/cod.md). An index holds the delivered COD parcels: no record is read for the sums.
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { dayMs, istOffset } from '../../domain/time.ts'
import { listOf } from '../database/inlist.ts'
import { byIndex, limitTo, row, rows, type Dialect, type Work } from '../database/port.ts'
import type { Counted } from './remittances.ts'
import { transfersNotInBank } from './transfers.ts'

/** Which delivered parcels: instants in ms UTC. */
export interface Delivered {
  readonly since: number
  readonly until: number
}

/** The condition of the index: literal, as both databases compare it with that of the index. */
const isDelivered = raw(`r.is_cod = 1 and r.status = 'delivered' and r.delivered_at is not null`)

/** The IST day of an instant, whole days since 1970: literal numbers, since a bound one makes SQLite divide exactly. */
export const dayIn = (column: string): Sql => raw(`(${column} + ${istOffset}) / ${dayMs}`)

/** What a courier collected for a parcel, paise. */
const collected = raw('coalesce(r.cod_amount, r.total_price, 0)')

/** What an account keeps of payments. */
export interface Payments {
  /** Whether a payment of any parcel is kept. */
  readonly paid: boolean
  /** The transfers that never reached the bank: what they pay counts as owed. */
  readonly missing: readonly string[]
}

/** The transfer of a line `l`, as statements name it. */
const transfer = raw(`coalesce(l.utr, l.batch, '')`)

/** The document of a line `l` by the id of the line (`remittances.ts`): the index of AWBs holds it. */
const documentOfLine = raw('substr(l.id, 1, length(l.id) - 10)')

/** What kept remittances paid of a shipment `r`, by lines that meet a condition. */
const paidOf = (
  dialect: Dialect,
  account: number,
  { before, except }: Counted,
  which: Sql,
): Sql => sql`coalesce((select sum(l.remitted) from remittance_lines l${byIndex(dialect, 'remittance_lines_awb')}
    where l.account_id = ${account} and l.awb = r.tracking_number and ${documentOfLine} in (
      select d.id from documents d where d.account_id = ${account} and d.complete = 1 and d.superseded_at is null${
        before === undefined ? empty : sql` and d.created_at < ${before}`
      }${except === undefined ? empty : sql` and d.number <> ${except}`})${which}), 0)`

/** What reached the bank of a shipment, as far as anybody knows, and what did not. */
function partsOf(
  dialect: Dialect,
  account: number,
  { paid, missing }: Payments,
  counted: Counted,
): { came: Sql; away: Sql } {
  if (!paid) return { came: sql`0`, away: sql`0` }
  if (missing.length === 0) return { came: paidOf(dialect, account, counted, empty), away: sql`0` }
  const list = listOf(missing)
  return {
    came: paidOf(dialect, account, counted, sql` and ${transfer} not in (${list})`),
    away: paidOf(dialect, account, counted, sql` and ${transfer} in (${list})`),
  }
}

/** Shipments `r` by the index of delivered COD parcels: SQLite may take one of statuses for it. */
const byDelivery = (dialect: Dialect): Sql => byIndex(dialect, 'shipments_cod_delivered')

const between = (account: number, { since, until }: Delivered): Sql =>
  sql`r.account_id = ${account} and ${isDelivered} and r.delivered_at >= ${since} and r.delivered_at <= ${until}
    and r.tracking_number is not null`

/** Whether the account keeps a payment of any parcel. */
export function* keepsPayments(account: number): Work<boolean> {
  return (yield* row(sql`select id from remittance_lines where account_id = ${account} limit 1`)) !== undefined
}

/** What an account keeps of payments. */
export function* paymentsKept(account: number): Work<Payments> {
  const paid = yield* keepsPayments(account)
  return { paid, missing: paid ? yield* transfersNotInBank(account) : [] }
}

/** What is owed for the parcels of a courier that were delivered on a day: paise. */
export interface OwedSum extends Record<string, unknown> {
  readonly carrier_id: string | null
  readonly carrier_name: string | null
  /** Days since 1 January 1970 in IST. */
  readonly day: number
  /** Those that something is owed for; 0 for a day whose parcels are all paid. */
  readonly parcels: number
  readonly owed: number
  /** What remittances pay of these parcels and the bank never got. */
  readonly away: number
  /** What remittances pay of all parcels of the day. */
  readonly paid: number
}

/** What is owed by courier and day of delivery. What was paid of a parcel is looked up once: `materialized`. */
export function* owedSums(
  dialect: Dialect,
  account: number,
  delivered: Delivered,
  payments: Payments,
): Work<readonly OwedSum[]> {
  const { came, away } = partsOf(dialect, account, payments, {})
  const open = raw('o.due > o.came')
  const found = yield* rows<OwedSum>(
    sql`with o as materialized (select r.carrier_id, r.carrier_name, ${dayIn('r.delivered_at')} as day,
          ${collected} as due, ${came} as came, ${away} as away
        from shipments r${byDelivery(dialect)} where ${between(account, delivered)})
      select o.carrier_id, o.carrier_name, o.day, sum(case when ${open} then 1 else 0 end) as parcels,
        sum(case when ${open} then o.due - o.came else 0 end) as owed,
        sum(case when ${open} then o.away else 0 end) as away, sum(o.came + o.away) as paid
      from o group by o.carrier_id, o.carrier_name, o.day`,
  )
  return found.map((one) => ({
    ...one,
    day: Number(one.day),
    parcels: Number(one.parcels),
    owed: Number(one.owed),
    away: Number(one.away),
    paid: Number(one.paid),
  }))
}

/** A delivered COD parcel: paise, ms UTC. */
export interface OwedParcel extends Record<string, unknown> {
  readonly awb: string
  readonly order_name: string | null
  readonly carrier_id: string | null
  readonly carrier_name: string | null
  readonly delivered_at: number
  readonly due: number
  /** What remittances pay, without what never reached the bank. */
  readonly paid: number
  /** What remittances pay and the bank never got. */
  readonly away: number
}

/** A place in the list of parcels, behind which it goes on. */
export interface OwedPlace {
  readonly delivered_at: number
  readonly awb: string
}

/** The next delivered parcels that kept remittances have not paid in full, by delivery and AWB. */
export function* owedParcels(
  dialect: Dialect,
  account: number,
  delivered: Delivered,
  after: OwedPlace,
  most: number,
  payments: Payments,
  counted: Counted = {},
): Work<readonly OwedParcel[]> {
  const { came, away } = partsOf(dialect, account, payments, counted)
  const since = Math.max(delivered.since, after.delivered_at)
  const found = yield* rows<OwedParcel>(
    sql`select r.tracking_number as awb, r.order_display_id as order_name, r.carrier_id, r.carrier_name, r.delivered_at,
        ${collected} as due, ${came} as paid, ${away} as away
      from shipments r${byDelivery(dialect)} where ${between(account, { ...delivered, since })}
        and (r.delivered_at > ${after.delivered_at}
          or r.delivered_at = ${after.delivered_at} and r.tracking_number > ${after.awb})
        and ${collected} > ${came}
      order by r.delivered_at, r.tracking_number ${limitTo(most)}`,
  )
  return found.map((one) => ({
    ...one,
    delivered_at: Number(one.delivered_at),
    due: Number(one.due),
    paid: Number(one.paid),
    away: Number(one.away),
  }))
}

interface FlowRow extends Record<string, unknown> {
  readonly carrier_id: string | null
  readonly carrier_name: string | null
  readonly picked: number
  readonly delivered: number | null
  readonly back: number | null
  readonly gone: number
  readonly parcels: number
  readonly amount: number
}

/** COD parcels that were picked up from an instant on, by courier and the days of their milestones. */
export function* codFlows(account: number, since: number): Work<readonly FlowRow[]> {
  const found = yield* rows<FlowRow>(
    sql`select o.carrier_id, o.carrier_name, o.picked, o.delivered, o.back, o.gone, count(*) as parcels,
        sum(o.amount) as amount
      from (select r.carrier_id, r.carrier_name, ${dayIn('r.picked_up_at')} as picked,
          case when r.status = 'delivered' then ${dayIn('r.delivered_at')} end as delivered,
          ${dayIn('coalesce(r.rto_initiated_at, r.rto_delivered_at)')} as back,
          case when r.status in ('cancelled', 'others') then 1 else 0 end as gone, ${collected} as amount
        from shipments r
        where r.account_id = ${account} and r.picked_up_at >= ${since} and r.is_cod = 1) o
      group by o.carrier_id, o.carrier_name, o.picked, o.delivered, o.back, o.gone`,
  )
  const numberOf = (value: number | null): number | null => (value === null ? null : Number(value))
  return found.map((one) => ({
    ...one,
    picked: Number(one.picked),
    delivered: numberOf(one.delivered),
    back: numberOf(one.back),
    gone: Number(one.gone),
    parcels: Number(one.parcels),
    amount: Number(one.amount),
  }))
}

/** What came of a courier on a day: paise, an IST day. */
export interface CameOnDay extends Record<string, unknown> {
  /** As the remittance names it. */
  readonly courier: string | null
  readonly day: string
  readonly amount: number
}

/** What kept remittances paid by courier and day of their transfer, from an IST day on, if it reached the bank. */
export function* remittedByDay(
  account: number,
  since: string,
  { missing }: Pick<Payments, 'missing'>,
): Work<readonly CameOnDay[]> {
  const courier = raw(`coalesce(l.courier, nullif(d.courier, ''))`)
  const found = yield* rows<CameOnDay>(
    sql`select ${courier} as courier, l.remitted_on as day, sum(l.remitted) as amount
      from remittance_lines l join documents d on d.account_id = ${account} and d.id = l.document_id
      where l.account_id = ${account} and l.remitted_on >= ${since} and d.complete = 1 and d.superseded_at is null${
        missing.length === 0 ? empty : sql` and ${transfer} not in (${listOf(missing)})`
      }
      group by ${courier}, l.remitted_on`,
  )
  return found.map((one) => ({ ...one, amount: Number(one.amount) }))
}
