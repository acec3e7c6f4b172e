// A time limit for work of the database: a read may be sent again, a write that is late may still be done.
import { ShipxError } from '../domain/errors.ts'

/** How long a database that answers over a network may take to look up a key, ms. */
export const lookUpMs = 10_000

/** The result of work. Throws `unavailable` for a read that takes longer than `ms`, `unknown_outcome` for a write. */
export async function inTime<T>(ms: number, work: Promise<T>, reads: boolean): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const message = 'the database does not answer'
    const error = reads
      ? new ShipxError('unavailable', message, { retry_after_ms: 1000 })
      : new ShipxError('unknown_outcome', `${message}: the change may or may not have been made`, {
          retry_after_ms: 1000,
        })
    late = setTimeout(() => reject(error), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(late)
  }
}
