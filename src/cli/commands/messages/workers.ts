// Delivery next to the service: a worker for each account that has set where its messages go.
import { deliverAll } from '../../../delivery/accounts.ts'
import type { Database } from '../../../engine/database/port.ts'
import { optionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { deliveringFrom, deliveryOptions, outside, posterFor, waysFor } from './options.ts'

/** Workers that run. */
export interface Running {
  /** Ends them: what is under way is finished. */
  readonly end: () => Promise<void>
}

/** Starts to deliver for all accounts of a database. Throws `invalid_input`. */
export async function delivering(context: Context, database: Database): Promise<Running> {
  const { value } = deliveringFrom(context, optionsOf(context, deliveryOptions).value)
  const stopping = new AbortController()
  const poster = posterFor(context, value)
  // What is in the environment is for one account's run; each account has its own settings here.
  const each = { ...value, over: {} }
  const work = deliverAll(
    {
      ...outside(context, stopping.signal),
      database,
      concurrency: value.concurrency,
      quiet: true,
      failed: (error) =>
        context.warn(`messages of an account: ${error instanceof Error ? error.message : String(error)}`),
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
