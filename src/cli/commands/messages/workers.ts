// Delivery next to the service: one worker for each account with delivery settings.
import { messageOf } from '../../../domain/errors.ts'
import { deliverAll } from '../../../delivery/accounts.ts'
import type { Database } from '../../../engine/database/port.ts'
import { optionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { safe } from '../../terminal/safe.ts'
import { deliveringFrom, deliveryOptions, outside, posterFor, waysFor } from './options.ts'

/** Running workers. */
export interface Running {
  /** Stops them, after the requests under way. */
  readonly end: () => Promise<void>
}

/** Starts delivery for all accounts of a database. Throws `invalid_input`. */
export async function delivering(context: Context, database: Database): Promise<Running> {
  const { value } = deliveringFrom(context, optionsOf(context, deliveryOptions).value)
  const stopping = new AbortController()
  const poster = posterFor(context, value)
  // The environment's settings are for a run for one account; here each account has its own.
  const each = { ...value, over: {} }
  const work = deliverAll(
    {
      ...outside(context, stopping.signal),
      database,
      concurrency: value.concurrency,
      quiet: true,
      failed: (error, account) =>
        context.warn(
          account === undefined
            ? `shipx cannot read the accounts or their delivery settings: ${messageOf(error)}`
            : `delivery for the account ${safe(account)} failed: ${messageOf(error)}`,
        ),
    },
    waysFor(context, database, poster, each),
  )
  let ended: Promise<void> | undefined
  return {
    end: () => {
      stopping.abort()
      return (ended ??= work.finally(() => poster.close()))
    },
  }
}
