// The COD that couriers owe: parcels that were delivered and not paid in full, and what they add up to by courier and
// day of delivery (docs/guides/cod.md). An index holds the delivered COD parcels: no record is read for the sums.
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { dayMs, istOffset } from '../../domain/time.ts'
import { limitTo, row, rows, type Dialect, type Work } from '../database/port.ts'
import type { Counted } from './remittances.ts'

/** Which delivered parcels: instants in ms UTC. */
export interface Delivered {
  readonly since: number
  readonly until: number
}

/** The condition of the index: literal, as both databases compare it with that of the index. */
const isDelivered = raw(`r.is_cod = 1 and r.status = 'delivered' and r.delivered_at is not null`)

/** The IST day of an instant, whole days since 1970: literal numbers, since a bound one makes SQLite divide exactly. */
const dayIn = (column: string): Sql => raw(`(${column} + ${istOffset}) / ${dayMs}`)

/** What a courier collected for a parcel, paise. */
const collected = raw('coalesce(r.cod_amount, r.total_price, 0)')

/** What kept remittances paid of a shipment `r`. */
const paidOf = (account: number, { before, except }: Counted): Sql => sql`coalesce((select sum(l.remitted)
    from remittance_lines l join documents d on d.account_id = ${account} and d.id = l.document_id
    where l.account_id = ${account} and l.awb = r.tracking_number and d.complete = 1 and d.superseded_at is null${
      before === undefined ? empty : sql` and d.created_at < ${before}`
    }${except === undefined ? empty : sql` and d.number <> ${except}`}), 0)`

/** Shipments `r` by the index of delivered COD parcels: SQLite may take one of statuses for it. */
const byDelivery = ({ planning }: Dialect): Sql => planning?.hint('shipments_cod_delivered') ?? empty

const between = (account: number, { since, until }: Delivered): Sql =>
  sql`r.account_id = ${account} and ${isDelivered} and r.delivered_at >= ${since} and r.delivered_at <= ${until}
    and r.tracking_number is not null`

/** Whether the account keeps a payment of any parcel. */
export function* keepsPayments(account: number): Work<boolean> {
  return (yield* row(sql`select id from remittance_lines where account_id = ${account} limit 1`)) !== undefined
}

/** What is owed for the parcels of a courier that were delivered on a day: paise. */
export interface OwedSum extends Record<string, unknown> {
  readonly carrier_id: string | null
  readonly carrier_name: string | null
  /** Days since 1 January 1970 in IST. */
  readonly day: number
  readonly parcels: number
  readonly owed: number
}

/** What is owed by courier and day of delivery; `paid` says whether any payment is kept. */
export function* owedSums(
  dialect: Dialect,
  account: number,
  delivered: Delivered,
  paid: boolean,
): Work<readonly OwedSum[]> {
  const left = paid ? sql`${collected} - ${paidOf(account, {})}` : collected
  const found = yield* rows<OwedSum>(
    sql`select o.carrier_id, o.carrier_name, o.day, count(*) as parcels, sum(o.owed) as owed
      from (select r.carrier_id, r.carrier_name, ${dayIn('r.delivered_at')} as day, ${left} as owed
        from shipments r${byDelivery(dialect)} where ${between(account, delivered)}) o
      where o.owed > 0 group by o.carrier_id, o.carrier_name, o.day`,
  )
  return found.map((one) => ({ ...one, day: Number(one.day), parcels: Number(one.parcels), owed: Number(one.owed) }))
}

/** A delivered COD parcel: paise, ms UTC. */
export interface OwedParcel extends Record<string, unknown> {
  readonly awb: string
  readonly order_name: string | null
  readonly carrier_id: string | null
  readonly carrier_name: string | null
  readonly delivered_at: number
  readonly due: number
  readonly paid: number
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
  { paid, ...counted }: Counted & { readonly paid: boolean },
): Work<readonly OwedParcel[]> {
  const sum = paid ? paidOf(account, counted) : sql`0`
  const since = Math.max(delivered.since, after.delivered_at)
  const found = yield* rows<OwedParcel>(
    sql`select r.tracking_number as awb, r.order_display_id as order_name, r.carrier_id, r.carrier_name, r.delivered_at,
        ${collected} as due, ${sum} as paid
      from shipments r${byDelivery(dialect)} where ${between(account, { ...delivered, since })}
        and (r.delivered_at > ${after.delivered_at}
          or r.delivered_at = ${after.delivered_at} and r.tracking_number > ${after.awb})
        and ${collected} > ${sum}
      order by r.delivered_at, r.tracking_number ${limitTo(most)}`,
  )
  return found.map((one) => ({
    ...one,
    delivered_at: Number(one.delivered_at),
    due: Number(one.due),
    paid: Number(one.paid),
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

/** What kept remittances paid by the day of their transfer, from an IST day on: paise. */
export function* remittedByDay(
  account: number,
  since: string,
): Work<readonly { readonly day: string; readonly amount: number }[]> {
  const found = yield* rows<{ day: string; amount: number }>(
    sql`select l.remitted_on as day, sum(l.remitted) as amount
      from remittance_lines l join documents d on d.account_id = ${account} and d.id = l.document_id
      where l.account_id = ${account} and l.remitted_on >= ${since} and d.complete = 1 and d.superseded_at is null
      group by l.remitted_on`,
  )
  return found.map(({ day, amount }) => ({ day, amount: Number(amount) }))
}
