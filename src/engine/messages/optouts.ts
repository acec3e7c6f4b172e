// Phones whose owners want no messages: kept in one form (`phoneOf`), asked by the outbox.
import sql from 'sql-template-tag'
import { row, rows, type Work } from '../database/port.ts'

/** A phone that is told nothing; `created_at` is ms UTC. */
export interface Optout extends Record<string, unknown> {
  readonly phone: string
  readonly created_at: number
}

/** Tells a phone nothing from now on; what waits for it is not sent either. Gives how many messages that were. */
export function* addOptout(account: number, phone: string, now: number): Work<number> {
  yield* rows(
    sql`insert into optouts (account_id, phone, created_at) values (${account}, ${phone}, ${now}) on conflict (account_id, phone) do nothing`,
  )
  const stopped = yield* rows(
    sql`update messages set status = ${'opted_out'}, claimed_until = null where account_id = ${account} and phone = ${phone} and status = ${'waiting'} returning id`,
  )
  return stopped.length
}

/** Tells a phone again what happens from now on; says whether it was one that is told nothing. */
export function* removeOptout(account: number, phone: string): Work<boolean> {
  return (
    (yield* row(sql`delete from optouts where account_id = ${account} and phone = ${phone} returning phone`)) !==
    undefined
  )
}

/** The phones that are told nothing, by number. */
export function* listOptouts(account: number): Work<readonly Optout[]> {
  return yield* rows<Optout>(sql`select phone, created_at from optouts where account_id = ${account} order by phone`)
}
