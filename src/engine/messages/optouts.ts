// Phones that have opted out of messages, each kept in one form (`phoneOf`); the outbox checks them.
import sql from 'sql-template-tag'
import { row, rows, type Work } from '../database/port.ts'

/** A phone that gets no messages; `created_at` is ms UTC. */
export interface Optout extends Record<string, unknown> {
  readonly phone: string
  readonly created_at: number
}

/** Stops all messages to a phone, those waiting included. Returns how many were stopped. */
export function* addOptout(account: number, phone: string, now: number): Work<number> {
  yield* rows(
    sql`insert into optouts (account_id, phone, created_at) values (${account}, ${phone}, ${now})
      on conflict (account_id, phone) do nothing`,
  )
  const stopped = yield* rows(
    sql`update messages set status = ${'opted_out'}, claimed_until = null
      where account_id = ${account} and phone = ${phone} and status = ${'waiting'} returning id`,
  )
  return stopped.length
}

/** Lets a phone get messages again; returns whether it had opted out. */
export function* removeOptout(account: number, phone: string): Work<boolean> {
  return (
    (yield* row(sql`delete from optouts where account_id = ${account} and phone = ${phone} returning phone`)) !==
    undefined
  )
}

/** The phones that get no messages, sorted by number. */
export function* listOptouts(account: number): Work<readonly Optout[]> {
  return yield* rows<Optout>(sql`select phone, created_at from optouts where account_id = ${account} order by phone`)
}
