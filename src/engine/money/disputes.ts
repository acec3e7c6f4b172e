// Disputes as rows: made of lines that cost too much, walked by urgency, changed with an event for each change
// (src/domain/money/disputes.ts). Integer paise, ms UTC.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Clocked, DisputeStatus } from '../../domain/money/disputes.ts'
import { courierKey } from '../../domain/money/policies.ts'
import type { ReasonCode } from '../../domain/money/billed.ts'
import { listOf, listsOf } from '../database/inlist.ts'
import { byIndex, limitTo, row, rows, type Dialect, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'

/** A dispute as it is kept. */
export interface Dispute extends Clocked {
  readonly id: string
  readonly document_id: string
  readonly line: number
  readonly invoice: string
  readonly invoice_day: string | null
  /** Who billed: the courier of the document, else of the line; '' where neither names one. */
  readonly courier: string
  readonly awb: string
  readonly order_name: string | null
  readonly journey: string
  readonly reason: ReasonCode
  /** What was billed too much. */
  readonly amount: number
  /** What the courier accepted; null before an answer. */
  readonly settled: number | null
  /** What later documents gave back. */
  readonly credited: number
  /** The last status that a person gave, or `found`. */
  readonly answered: DisputeStatus
  /** The IST day on which the courier announced the weight, as somebody typed it; null where nobody did. */
  readonly announced: string | null
  /** What webhooks were told of its deadline (disputeclocks.ts). */
  readonly told: number
  readonly urgent_at: number
  readonly changed_at: number
  readonly created_at: number
}

export interface DisputeRow extends Omit<Dispute, 'taken'>, Record<string, unknown> {
  readonly taken: number
}

const names = [
  'id',
  'document_id',
  'line',
  'invoice',
  'invoice_day',
  'courier',
  'awb',
  'order_name',
  'journey',
  'reason',
  'amount',
  'settled',
  'credited',
  'status',
  'answered',
  'due_at',
  'taken',
  'announced',
  'told',
  'urgent_at',
  'changed_at',
  'created_at',
] as const
export const disputeColumns = raw(names.join(', '))

export const disputeFrom = ({ taken, ...others }: DisputeRow): Dispute => ({ ...others, taken: taken === 1 })

/** Who changes disputes: when, who, and by which command, file or invoice; `uuid` names what webhooks are told. */
export interface Change extends Pick<Host, 'uuid'> {
  readonly at: number
  readonly by: string
  readonly source: string
}

/** One change of a dispute, as it is kept. */
export interface DisputeEvent {
  readonly dispute_id: string
  readonly status: DisputeStatus
  readonly amount: number | null
  readonly note: string | null
}

/** Two that change disputes at the same moment take turns: numbers of disputes and of events go on from the last. */
export function* takeTurn(dialect: Dialect, account: number): Work<void> {
  yield* rows(sql`select id from accounts where id = ${account}${dialect.locking('update')}`)
}

/** Whether somebody raised a dispute: a credit may pay one that nobody raised. */
export const wasRaised = (account: number): Sql => sql`exists (select 1 from dispute_events e
  where e.account_id = ${account} and e.dispute_id = disputes.id and e.status = 'raised')`

/** Adds events of changes, and returns their numbers; the caller has taken its turn. */
export function* addEvents(
  account: number,
  events: readonly DisputeEvent[],
  { at, by, source }: Omit<Change, 'uuid'>,
): Work<readonly string[]> {
  if (events.length === 0) return []
  const last = yield* row<{ id: string | null }>(
    sql`select max(id) as id from dispute_events where account_id = ${account}`,
  )
  const before = Number(last?.id ?? 0)
  const ids = events.map((_, n) => String(before + n + 1).padStart(12, '0'))
  for (const [n, { dispute_id: dispute, status, amount, note }] of events.entries())
    yield* rows(
      sql`insert into dispute_events (account_id, id, dispute_id, status, amount, at, by_whom, source, note)
        values (${account}, ${ids[n]!}, ${dispute}, ${status}, ${amount}, ${at}, ${by}, ${source}, ${note})`,
    )
  return ids
}

/** Which disputes are asked for. */
export interface DisputeFilter {
  /** The names of couriers, at least one; the case and the signs in them make no difference. */
  readonly couriers?: readonly string[] | undefined
  /** At least so much. */
  readonly min?: number | undefined
  /** Urgent until this instant. */
  readonly until?: number | undefined
  /** Only those without a deadline. */
  readonly undated?: boolean | undefined
}

/**
 * A stretch of the index of urgency; those of a status together are its disputes at an instant. `accepted` is what
 * couriers accepted of one; the index does not hold it, and only two statuses have it.
 */
type Stretch = Readonly<Record<'where' | 'accepted', Sql>>

function stretchesOf(status: DisputeStatus, now: number): readonly Stretch[] {
  const [none, all] = [raw('0'), raw('coalesce(settled, amount)')]
  const accepted = status === 'accepted' || status === 'partly' ? all : none
  const kept = { where: sql`status = ${status}`, accepted }
  if (status === 'found') return [{ where: sql`status = 'found' and urgent_at >= ${now}`, accepted: none }]
  if (status !== 'lapsed' && status !== 'auto_accepted') return [kept]
  // Nobody has written these since their deadline.
  const taken = status === 'lapsed' ? 0 : 1
  return [kept, { where: sql`status = 'found' and urgent_at < ${now} and taken = ${taken}`, accepted: none }]
}

const filtered = ({ couriers, min, until, undated }: DisputeFilter): Sql => {
  const all = [
    ...(couriers === undefined ? [] : [sql`courier_key in (${listOf(couriers.map(courierKey))})`]),
    ...(min === undefined ? [] : [sql`amount >= ${min}`]),
    ...(until === undefined ? [] : [sql`urgent_at <= ${until}`]),
    ...(undated === true ? [sql`due_at is null`] : []),
  ]
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`
}

/** How far a walk through one stretch has come. */
type Position = Pick<Dispute, 'urgent_at' | 'amount' | 'id'> | undefined

const byUrgency = raw('urgent_at, amount desc, id')

/** What comes after a position: three ranges of the index in turn. One condition would read all before it. */
const rangesAfter = (after: Position): readonly Sql[] => {
  if (after === undefined) return [empty]
  const { urgent_at: at, amount, id } = after
  return [
    sql` and urgent_at = ${at} and amount = ${amount} and id > ${id}`,
    sql` and urgent_at = ${at} and amount < ${amount}`,
    sql` and urgent_at > ${at}`,
  ]
}

/** A page of a stretch. All lines of an invoice lapse at once: the index puts them in order, so that few are read. */
function* stretchPage(
  account: number,
  { where }: Stretch,
  filter: DisputeFilter,
  after: Position,
  most: number,
): Work<readonly Dispute[]> {
  const found: Dispute[] = []
  for (const range of rangesAfter(after)) {
    if (found.length >= most) break
    const page = yield* rows<DisputeRow>(
      sql`select ${disputeColumns} from disputes where account_id = ${account} and id in (
          select id from disputes where account_id = ${account} and ${where}${range}${filtered(filter)}
          order by ${byUrgency} ${limitTo(most - found.length)})
        order by ${byUrgency}`,
    )
    found.push(...page.map(disputeFrom))
  }
  return found
}

/** The more urgent one is first, of two at one instant the dearer one. */
const isBefore = (a: Dispute, b: Dispute): boolean =>
  a.urgent_at !== b.urgent_at ? a.urgent_at < b.urgent_at : a.amount !== b.amount ? a.amount > b.amount : a.id < b.id

/** A walk through disputes: `next` takes so many, the most urgent first; an empty list ends it. */
export interface DisputeWalk {
  readonly next: (most: number) => () => Work<readonly Dispute[]>
}

/** Walks the disputes that have one of these statuses at `now`, the most urgent first. */
export function walkDisputes(
  account: number,
  statuses: readonly DisputeStatus[],
  filter: DisputeFilter,
  now: number,
): DisputeWalk {
  const all = statuses
    .flatMap((status) => stretchesOf(status, now))
    .map((stretch) => ({ stretch, held: [] as readonly Dispute[], after: undefined as Position, done: false }))
  return {
    next: (most) =>
      function* () {
        const found: Dispute[] = []
        for (const one of all)
          if (one.held.length < most && !one.done) {
            const page = yield* stretchPage(account, one.stretch, filter, one.held.at(-1) ?? one.after, most)
            one.held = [...one.held, ...page]
            one.done = page.length < most
          }
        while (found.length < most) {
          const open = all.filter(({ held }) => held.length > 0)
          if (open.length === 0) break
          const first = open.reduce((a, b) => (isBefore(b.held[0]!, a.held[0]!) ? b : a))
          found.push(first.held[0]!)
          first.after = first.held[0]!
          first.held = first.held.slice(1)
        }
        return found
      },
  }
}

/** How many disputes of some statuses there are at `now`, what they are worth, and what couriers accepted of it. */
export function* sumDisputes(
  account: number,
  statuses: readonly DisputeStatus[],
  filter: DisputeFilter,
  now: number,
): Work<{ readonly disputes: number; readonly amount: number; readonly accepted: number }> {
  const sums = { disputes: 0, amount: 0, accepted: 0 }
  for (const { where, accepted } of statuses.flatMap((status) => stretchesOf(status, now))) {
    const one = yield* row<{ n: number; amount: number | null; accepted: number | null }>(
      sql`select count(*) as n, sum(amount) as amount, sum(${accepted}) as accepted from disputes
        where account_id = ${account} and ${where}${filtered(filter)}`,
    )
    sums.disputes += Number(one?.n ?? 0)
    sums.amount += Number(one?.amount ?? 0)
    sums.accepted += Number(one?.accepted ?? 0)
  }
  return sums
}

/** The disputes of AWBs, in the order of their numbers. */
export function* disputesOfAwbs(dialect: Dialect, account: number, awbs: readonly string[]): Work<readonly Dispute[]> {
  const found: Dispute[] = []
  for (const list of listsOf(awbs))
    found.push(
      ...(yield* rows<DisputeRow>(
        sql`select ${disputeColumns} from disputes${byIndex(dialect, 'disputes_awb')}
          where account_id = ${account} and awb in (${list}) order by id`,
      )).map(disputeFrom),
    )
  return found
}

/** The disputes of numbers. */
export function* disputesNumbered(account: number, ids: readonly string[]): Work<readonly Dispute[]> {
  const found: Dispute[] = []
  for (const list of listsOf(ids))
    found.push(
      ...(yield* rows<DisputeRow>(
        sql`select ${disputeColumns} from disputes where account_id = ${account} and id in (${list}) order by id`,
      )).map(disputeFrom),
    )
  return found
}

/** What happened to a dispute, in its order. */
export interface KeptEvent extends DisputeEvent {
  readonly at: number
  readonly by_whom: string
  readonly source: string
}

interface EventRow extends KeptEvent, Record<string, unknown> {}

/** The events of a dispute, the first first. */
export function* eventsOf(dialect: Dialect, account: number, dispute: string): Work<readonly KeptEvent[]> {
  return yield* rows<EventRow>(
    sql`select dispute_id, status, amount, at, by_whom, source, note
      from dispute_events${byIndex(dialect, 'dispute_events_dispute')}
      where account_id = ${account} and dispute_id = ${dispute} order by at, id`,
  )
}
