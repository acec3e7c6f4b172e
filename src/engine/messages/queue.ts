// Messages in the database: lists them, lets delivery workers claim them, and saves the results
// (docs/guides/delivery.md). It sends nothing.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { newsFor, quietNow, type MessageChannel, type MessageStatus } from '../../domain/messages/messages.ts'
import { ShipxError } from '../../domain/errors.ts'
import { limitTo, row, rows, type Dialect, type Work } from '../database/port.ts'

/** A message; times are ms UTC. `doc` is JSON: `Facts` for a customer, the body for a webhook. */
export interface Message extends Record<string, unknown> {
  readonly id: string
  readonly record_id: string
  /** Such as `attempt_failed:2`; for a webhook `status:<event>:<webhook>`. */
  readonly step: string
  readonly channel: MessageChannel
  /** The webhook that gets it. */
  readonly target: string | null
  readonly status: MessageStatus
  readonly tracking_number: string | null
  readonly order_id: string | null
  readonly store_id: string | null
  readonly store_name: string | null
  /** The brand when the message was made (`findBrand`). */
  readonly brand: string | null
  readonly phone: string | null
  readonly email: string | null
  readonly doc: string
  readonly created_at: number
  readonly due_at: number
  readonly next_at: number
  /** Tries so far, failed or successful. */
  readonly attempts: number
  readonly claimed_until: number | null
  readonly sent_at: number | null
  readonly error: string | null
}

/** Which messages to select; an absent field selects all. */
export interface MessageFilter {
  readonly statuses?: readonly MessageStatus[]
  readonly channels?: readonly MessageChannel[]
  /** Steps without the attempt's number. */
  readonly steps?: readonly string[]
  readonly stores?: readonly string[]
  readonly tracking?: readonly string[]
  /** Orders as their customers know them. */
  readonly orders?: readonly string[]
  /** Made at this time or later, ms UTC. */
  readonly since?: number
}

/** A message as lists show it, with the name of its brand at that time. */
export interface ShownMessage extends Message {
  readonly brand_name: string | null
}

const columns = sql`id, record_id, step, channel, target, status, tracking_number, order_id, store_id, store_name,
  brand, phone, email, doc, created_at, due_at, next_at, attempts, claimed_until, sent_at, error`

/** A condition that a column has one of the values; none if there are no values to select by. */
const among = (column: Sql, values: readonly string[] | undefined): Sql | undefined =>
  values === undefined ? undefined : sql`${column} in (${join(values)})`

/** The steps by their names; the step of an attempt ends in its number. */
const amongSteps = (steps: readonly string[]): Sql => {
  const each = steps.map((step) => sql`step = ${step} or step like ${`${step}:%`}`)
  return sql`(${join(each, ' or ')})`
}

function conditions(account: number, filter: MessageFilter): Sql {
  const { statuses, channels, steps, stores, tracking, orders, since } = filter
  const all = [
    sql`account_id = ${account}`,
    among(sql`status`, statuses),
    among(sql`channel`, channels),
    among(sql`store_name`, stores),
    among(sql`tracking_number`, tracking),
    among(sql`order_id`, orders),
    steps && amongSteps(steps),
    since === undefined ? undefined : sql`created_at >= ${since}`,
  ]
  return join(
    all.filter((one) => one !== undefined),
    ' and ',
  )
}

/** What a list shows of the messages, up to the condition. */
const shownFrom = (account: number): Sql =>
  sql`select ${columns},
      (select b.brand_name from brands b where b.account_id = ${account} and b.id = m.brand) as brand_name
    from messages m`

/** The newest messages first; `after` is the last message of the previous page. */
export function* listMessages(
  account: number,
  filter: MessageFilter,
  limit: number,
  after?: Pick<Message, 'created_at' | 'id'>,
): Work<readonly ShownMessage[]> {
  const beyond = after === undefined ? empty : sql` and (created_at, id) < (${after.created_at}, ${after.id})`
  return yield* rows<ShownMessage>(
    sql`${shownFrom(account)} where ${conditions(account, filter)}${beyond}
      order by created_at desc, id desc ${limitTo(limit)}`,
  )
}

/** How many messages have each status. */
export function* countMessages(account: number): Work<ReadonlyMap<MessageStatus, number>> {
  const found = yield* rows<{ status: MessageStatus; n: number }>(
    sql`select status, count(*) as n from messages where account_id = ${account} group by status`,
  )
  return new Map(found.map(({ status, n }) => [status, Number(n)]))
}

/** The message with an id; throws `not_found`. */
export function* getMessage(account: number, id: string): Work<ShownMessage> {
  const found = yield* row<ShownMessage>(sql`${shownFrom(account)} where account_id = ${account} and id = ${id}`)
  if (found === undefined)
    throw new ShipxError('not_found', `there is no message ${id.slice(0, 60)}`, { hint: 'shipx messages list' })
  return found
}

/** Whether the customer of a message has opted out; a webhook has no phone. */
const silent = (account: number): Sql =>
  sql`exists (select 1 from optouts o where o.account_id = ${account} and o.phone = messages.phone)`

/* ---- Delivery ---- */

/** How long a claim holds, ms. A worker that reports no result by then counts as gone. */
export const lease = 60_000

/** What a worker claims. */
export interface Claim {
  /** Now, ms UTC. */
  readonly now: number
  /**
   * Messages due by this time, ms UTC. Without `quiet`, messages that were never tried are claimed whenever they are
   * due.
   */
  readonly until: number
  readonly channels: readonly MessageChannel[]
  readonly limit: number
  readonly quiet: boolean
}

/**
 * Claims due messages for a worker, for `lease` ms; until then no other worker gets them. A later message of a parcel
 * waits while an earlier one of the same channel is due. With `quiet`, short texts respect quiet hours; otherwise they
 * go at any time. Returns the messages in order, and how many were too old to send.
 */
export function* claimMessages(
  dialect: Dialect,
  account: number,
  { now, until, channels, limit, quiet }: Claim,
): Work<{ readonly claimed: readonly Message[]; readonly expired: number; readonly parked: number }> {
  const free = sql`(claimed_until is null or claimed_until <= ${now})`
  const news = channels.filter((channel) => channel !== 'webhook')
  let [expired, parked] = [0, 0]
  if (news.length > 0) {
    const old = sql`account_id = ${account} and status = ${'waiting'} and next_at <= ${now}
      and due_at < ${now - newsFor} and channel in (${join(news)}) and ${free}`
    const never = yield* rows(
      sql`update messages set status = ${'expired'}, claimed_until = null, error = ${'not sent within 24 hours'}
        where ${old} and attempts = 0 returning id`,
    )
    const tried = yield* rows(
      sql`update messages set status = ${'parked'}, claimed_until = null where ${old} and attempts > 0 returning id`,
    )
    expired = never.length
    parked = tried.length
  }
  // Another worker may hold a message, work on it, or have just finished it. This query skips all three and waits for
  // none.
  const allowedNow =
    quiet && quietNow(now) ? sql` and (m.channel <> ${'text'} or m.step = ${'out_for_delivery'})` : empty
  const due = quiet ? sql`m.next_at <= ${until}${allowedNow}` : sql`(m.next_at <= ${until} or m.attempts = 0)`
  const next = sql`select m.id from messages m
    where m.account_id = ${account} and m.status = ${'waiting'} and ${due} and m.channel in (${join(channels)})
      and (m.claimed_until is null or m.claimed_until <= ${now})
      and not exists (
        select 1 from messages e
        where e.account_id = ${account} and e.record_id = m.record_id and e.status = ${'waiting'} and e.id < m.id
          and e.channel = m.channel and coalesce(e.target, '') = coalesce(m.target, '') and e.due_at <= ${now}
      )
    order by m.next_at, m.id ${limitTo(limit)}${dialect.locking('skip')}`
  for (;;) {
    const ids = (yield* rows<{ id: string }>(next)).map(({ id }) => id)
    if (ids.length === 0) return { claimed: [], expired, parked }
    const those = sql`account_id = ${account} and id in (${join(ids)})`
    // A customer may opt out while another transaction makes a message, which neither of the two sees of the other.
    const stopped = yield* rows(
      sql`update messages set status = ${'opted_out'}, claimed_until = null
        where ${those} and ${silent(account)} returning id`,
    )
    // Nothing left of many is not the end of all.
    if (stopped.length === ids.length) continue
    const claimed = yield* rows<Message>(
      sql`update messages set claimed_until = ${now + lease}
        where ${those} and status = ${'waiting'} returning ${columns}`,
    )
    return { claimed: claimed.toSorted((a, b) => a.next_at - b.next_at || (a.id < b.id ? -1 : 1)), expired, parked }
  }
}

/**
 * The result of a claimed message. `at` is the time of the send or of the next try, ms UTC. A failure without it needs
 * a person.
 */
export type SendOutcome =
  | { readonly message: Message; readonly outcome: 'sent'; readonly at: number }
  | { readonly message: Message; readonly outcome: 'failed'; readonly error: string; readonly at: number | undefined }
  /** It was not tried. */
  | { readonly message: Message; readonly outcome: 'released' }

/** Saves the results of claimed messages. A worker that lost its claim may only save that a message was sent. */
export function* settleMessages(account: number, settled: readonly SendOutcome[]): Work<void> {
  for (const one of settled) {
    const { id, claimed_until: claim } = one.message
    if (one.outcome === 'sent')
      yield* rows(
        sql`update messages set
            status = ${'sent'}, sent_at = ${one.at}, attempts = attempts + 1, claimed_until = null, error = null
          where account_id = ${account} and id = ${id}`,
      )
    else if (one.outcome === 'released')
      yield* rows(
        sql`update messages set claimed_until = null
          where account_id = ${account} and id = ${id} and claimed_until = ${claim}`,
      )
    else {
      const status: MessageStatus = one.at === undefined ? 'parked' : 'waiting'
      yield* rows(
        sql`update messages set status = ${status}, next_at = ${one.at ?? one.message.next_at},
            attempts = attempts + 1, claimed_until = null, error = ${one.error}
          where account_id = ${account} and id = ${id} and status = ${'waiting'} and claimed_until = ${claim}`,
      )
    }
  }
}

/** Lets waiting messages of some channels expire if no run has tried them; returns how many. */
export function* dropWaiting(account: number, channels: readonly MessageChannel[], error: string): Work<number> {
  const dropped = yield* rows(
    sql`update messages set status = ${'expired'}, claimed_until = null, error = ${error}
      where account_id = ${account} and status = ${'waiting'} and attempts = 0 and channel in (${join(channels)})
      returning id`,
  )
  return dropped.length
}

/* ---- By hand ---- */

/** Messages that a person can still send. */
const retried = ['parked', 'expired', 'cancelled', 'waiting'] as const
const failed = ['parked', 'expired'] as const

/** How many messages `retryMessages` would make due of those that failed. */
export function* countFailed(account: number): Work<number> {
  const found = yield* row<{ n: number }>(
    sql`select count(*) as n from messages
      where account_id = ${account} and status in (${join(failed)}) and not ${silent(account)}`,
  )
  return Number(found!.n)
}

/**
 * Makes messages due now and returns their ids. Sent messages, and those of customers who opted out, stay as they are.
 */
export function* retryMessages(
  account: number,
  which: readonly string[] | 'failed',
  now: number,
): Work<readonly string[]> {
  const where =
    which === 'failed' ? sql`status in (${join(failed)})` : sql`id in (${join(which)}) and status in (${join(retried)})`
  const found = yield* rows<{ id: string }>(
    sql`update messages set status = ${'waiting'}, due_at = ${now}, next_at = ${now},
        attempts = 0, claimed_until = null, error = null
      where account_id = ${account} and ${where} and not ${silent(account)} returning id`,
  )
  return found.map(({ id }) => id)
}

/** Cancels waiting or parked messages; returns the ids of those that it cancelled. */
export function* cancelMessages(account: number, ids: readonly string[]): Work<readonly string[]> {
  const found = yield* rows<{ id: string }>(
    sql`update messages set status = ${'cancelled'}, claimed_until = null
      where account_id = ${account} and id in (${join(ids)}) and status in (${'waiting'}, ${'parked'}) returning id`,
  )
  return found.map(({ id }) => id)
}
