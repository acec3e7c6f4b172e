// The COD that couriers owe: parcels that were delivered and not paid in full, and what they add up to by courier and
// day of delivery (docs/guides/cod.md). An index holds the delivered COD parcels: no record is read for the sums.
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { dayMs, istOffset } from '../../domain/time.ts'
import { listOf } from '../database/inlist.ts'
import { byIndex, limitTo, row, rows, type Dialect, type Work } from '../database/port.ts'
import { counts, type AwbPayment, type Counted } from './remittances.ts'
import { shortParts, type ShortPart } from './shorttransfers.ts'
import { unseenParts, type UnseenPart } from './codmarks.ts'
import { transfersInBank } from './transfers.ts'

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
  /** The transfers that were looked for in a statement. */
  readonly compared: readonly string[]
  /** Of those, the ones that never reached the bank: what they pay counts as owed. */
  readonly missing: readonly string[]
  /** What came less than remittances say counts as owed, too. */
  readonly short: readonly ShortPart[]
  /** Of compared transfers, what remittances added to them that nobody compared. */
  readonly unseen: readonly UnseenPart[]
  /** Only what was paid until then counts; undefined for all of it. */
  readonly until: PaidUntil | undefined
}

/** The end of a day: that day in IST, and its last ms, UTC. */
export interface PaidUntil {
  readonly day: string
  readonly end: number
}

/** Payments of which only the remittances count, whatever the bank says. */
export const asRemitted = (paid: boolean, until?: PaidUntil): Payments => ({
  paid,
  compared: [],
  missing: [],
  short: [],
  unseen: [],
  until,
})

/** Whether a payment was made until the end of a day; one without a day, on that of its remittance. */
export const isPaidBy = (
  { day, end }: PaidUntil,
  { remitted_on: on, day: own, created_at: at }: Pick<AwbPayment, 'remitted_on' | 'day' | 'created_at'>,
): boolean => {
  const known = on ?? own
  return known === null ? Number(at) <= end : known <= day
}

/** The transfer of a line `l`, as statements name it. */
const transfer = raw(`coalesce(l.utr, l.batch, '')`)

/** The document of a line `l` by the id of the line (`remittances.ts`): the index of AWBs holds it. */
const documentOfLine = raw('substr(l.id, 1, length(l.id) - 10)')

/** What kept remittances paid of a shipment `r`, by lines that meet a condition. */
const paidOf = (
  dialect: Dialect,
  account: number,
  counted: Counted,
  which: Sql,
): Sql => sql`coalesce((select sum(l.remitted) from remittance_lines l${byIndex(dialect, 'remittance_lines_awb')}
    where l.account_id = ${account} and l.awb = r.tracking_number and ${documentOfLine} in (
      select d.id from documents d where d.account_id = ${account} and ${counts(counted)})${which}), 0)`

/** What remittances pay of a shipment: what came, as far as anybody knows, what did not, and what nobody looked for. */
function partsOf(
  dialect: Dialect,
  account: number,
  { paid, compared, missing, unseen, until }: Payments,
  counted: Counted,
): { came: Sql; away: Sql; unseen: Sql } {
  if (!paid) return { came: sql`0`, away: sql`0`, unseen: sql`0` }
  const inTime = until === undefined ? empty : paidBefore(account, until)
  const sum = (which: Sql): Sql => paidOf(dialect, account, counted, sql`${which}${inTime}`)
  const among = (which: 'in' | 'not in', list: readonly string[]): Sql =>
    sql` and ${transfer} ${raw(which)} (${listOf(list)})`
  return {
    came: sum(missing.length === 0 ? empty : among('not in', missing)),
    away: missing.length === 0 ? sql`0` : sum(among('in', missing)),
    // Null stands for all of it: nothing is looked up twice.
    unseen: compared.length === 0 ? sql`cast(null as bigint)` : sum(notSeen(compared, unseen)),
  }
}

/** Lines that nobody compared with the bank. */
function notSeen(compared: readonly string[], unseen: readonly UnseenPart[]): Sql {
  const never = sql`${transfer} not in (${listOf(compared)})`
  if (unseen.length === 0) return sql` and ${never}`
  const parts = unseen.map(({ document, transfer: one }) => `${document} ${one}`)
  return sql` and (${never} or ${documentOfLine} || ' ' || ${transfer} in (${listOf(parts)}))`
}

/** Lines that were paid until the end of a day; one without a day, on that of its remittance. */
const paidBefore = (account: number, { day, end }: PaidUntil): Sql =>
  sql` and (l.remitted_on <= ${day} or l.remitted_on is null and ${documentOfLine} in (select d.id from documents d
    where d.account_id = ${account} and (d.day <= ${day} or d.day is null and d.created_at <= ${end})))`

/** Shipments `r` by the index of delivered COD parcels: SQLite may take one of statuses for it. */
const byDelivery = (dialect: Dialect): Sql => byIndex(dialect, 'shipments_cod_delivered')

const between = (account: number, { since, until }: Delivered): Sql =>
  sql`r.account_id = ${account} and ${isDelivered} and r.delivered_at >= ${since} and r.delivered_at <= ${until}
    and r.tracking_number is not null`

/** Shipments `r` with what they lack of short transfers. */
function shipmentsOf(dialect: Dialect, { short }: Payments): { from: Sql; lacks: Sql } {
  const from = sql`shipments r${byDelivery(dialect)}`
  if (short.length === 0) return { from, lacks: sql`0` }
  const sums = new Map<string, number>()
  for (const { awb, amount } of short) sums.set(awb, (sums.get(awb) ?? 0) + amount)
  const pairs = dialect.pairs(JSON.stringify(Object.fromEntries(sums)))
  return { from: sql`${from} left join (${pairs}) s on s.name = r.tracking_number`, lacks: sql`coalesce(s.number, 0)` }
}

/** What a short transfer takes of what came, never more than that; without one, what came is looked at once. */
const takenBy = ({ short }: Payments): Sql =>
  short.length === 0 ? raw('0') : raw('case when o.lacks < o.came then o.lacks when o.came > 0 then o.came else 0 end')

/** Whether the account keeps a payment of any parcel. */
export function* keepsPayments(account: number): Work<boolean> {
  return (yield* row(sql`select id from remittance_lines where account_id = ${account} limit 1`)) !== undefined
}

/** What an account keeps of payments; with `until`, of those until the end of a day. */
export function* paymentsKept(dialect: Dialect, account: number, until?: PaidUntil): Work<Payments> {
  if (!(yield* keepsPayments(account))) return asRemitted(false, until)
  const inBank = yield* transfersInBank(account)
  const short = yield* shortParts(dialect, account, inBank.short)
  return {
    paid: true,
    compared: inBank.compared,
    missing: inBank.missing,
    short: until === undefined ? short : short.filter(({ day }) => day === null || day <= until.day),
    unseen: yield* unseenParts(account, inBank),
    until,
  }
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
  /** The part of it that was never compared with a statement. */
  readonly unseen: number
  /** All parcels of the day. */
  readonly delivered: number
}

/** What is owed by courier and day of delivery. What was paid of a parcel is looked up once: `materialized`. */
export function* owedSums(
  dialect: Dialect,
  account: number,
  delivered: Delivered,
  payments: Payments,
): Work<readonly OwedSum[]> {
  const { came, away, unseen } = partsOf(dialect, account, payments, {})
  const { from, lacks } = shipmentsOf(dialect, payments)
  const taken = takenBy(payments)
  const open = raw('p.due > p.came')
  const found = yield* rows<OwedSum>(
    sql`with o as materialized (select r.carrier_id, r.carrier_name, ${dayIn('r.delivered_at')} as day,
          ${collected} as due, ${came} as came, ${away} as away, ${unseen} as unseen, ${lacks} as lacks
        from ${from} where ${between(account, delivered)})
      select p.carrier_id, p.carrier_name, p.day, sum(case when ${open} then 1 else 0 end) as parcels,
        sum(case when ${open} then p.due - p.came else 0 end) as owed,
        sum(case when ${open} then p.away else 0 end) as away, sum(p.came + p.away) as paid, sum(p.unseen) as unseen,
        count(*) as delivered
      from (select o.carrier_id, o.carrier_name, o.day, o.due, o.came - ${taken} as came, o.away + ${taken} as away,
          coalesce(o.unseen, o.came) as unseen from o) p
      group by p.carrier_id, p.carrier_name, p.day`,
  )
  return found.map((one) => ({
    ...one,
    day: Number(one.day),
    parcels: Number(one.parcels),
    owed: Number(one.owed),
    away: Number(one.away),
    paid: Number(one.paid),
    unseen: Number(one.unseen),
    delivered: Number(one.delivered),
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
  /** What remittances pay and nobody compared with a statement. */
  readonly unseen: number
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
  const { came, away, unseen } = partsOf(dialect, account, payments, counted)
  const { from, lacks } = shipmentsOf(dialect, payments)
  const taken = takenBy(payments)
  const since = Math.max(delivered.since, after.delivered_at)
  const found = yield* rows<OwedParcel & { readonly unseen: number | null }>(
    sql`select o.awb, o.order_name, o.carrier_id, o.carrier_name, o.delivered_at, o.due, o.came - ${taken} as paid,
        o.away + ${taken} as away, o.unseen
      from (select r.tracking_number as awb, r.order_display_id as order_name, r.carrier_id, r.carrier_name,
          r.delivered_at, ${collected} as due, ${came} as came, ${away} as away, ${unseen} as unseen, ${lacks} as lacks
        from ${from} where ${between(account, { ...delivered, since })}
          and (r.delivered_at > ${after.delivered_at}
            or r.delivered_at = ${after.delivered_at} and r.tracking_number > ${after.awb})) o
      where o.due > o.came - ${taken}
      order by o.delivered_at, o.awb ${limitTo(most)}`,
  )
  return found.map((one) => ({
    ...one,
    delivered_at: Number(one.delivered_at),
    due: Number(one.due),
    paid: Number(one.paid),
    away: Number(one.away),
    unseen: Number(one.unseen ?? Number(one.paid) + Number(one.away)),
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

/** What kept remittances paid by courier and day of transfer, from an IST day on, as far as it reached the bank. */
export function* remittedByDay(
  account: number,
  since: string,
  { missing, short }: Pick<Payments, 'missing' | 'short'>,
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
  return found.map((one) => {
    const lacking = short.filter(({ courier: name, day }) => name === one.courier && day === one.day)
    return { ...one, amount: lacking.reduce((sum, { amount }) => sum - amount, Number(one.amount)) }
  })
}
