// The ids of messages as people give them: whole, or the end that a table shows.
import sql from 'sql-template-tag'
import { invalid } from '../../domain/errors.ts'
import { limitTo, rows, type Work } from '../database/port.ts'

/** How much of an id a table shows: its end, since ids of one minute begin alike. */
export const shownEnd = 8

const whole = 36
const partial = /^[0-9a-f-]{6,35}$/u

/**
 * The whole ids of what a user wrote, in their order; an end that no message has stays as it is. Throws `bad_input`
 * for an end that several messages have.
 */
export function* messageIds(account: number, written: readonly string[]): Work<readonly string[]> {
  const ids: string[] = []
  for (const one of written) ids.push(one.length < whole && partial.test(one) ? yield* idEndingIn(account, one) : one)
  return ids
}

function* idEndingIn(account: number, end: string): Work<string> {
  const found = yield* rows<{ id: string }>(
    sql`select id from messages where account_id = ${account} and id like ${`%${end}`} ${limitTo(2)}`,
  )
  if (found.length > 1)
    throw invalid([{ field: '<message>', message: `several messages end in ${end}; write more of the id` }])
  return found[0]?.id ?? end
}
