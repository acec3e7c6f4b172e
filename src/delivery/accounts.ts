// Delivery for every account of a database, as the service runs it: a worker for each account that has a way to
// deliver, started when that is found.
import { accountsOf } from '../engine/transfer/tables.ts'
import { deliver, type Job } from './worker.ts'
import type { AccountChannels } from './channels.ts'

/** How long until the accounts are checked again, ms. */
const every = 5_000

/** The options that the workers of all accounts share. */
export interface SharedOptions extends Omit<Job, 'account' | 'ways' | 'limit' | 'watch'> {
  /** Called with a failure that does not pass by itself; the account's worker starts again later. */
  readonly failed: (error: unknown) => Promise<void>
}

/** Delivers for all accounts until it is stopped, then finishes what is under way. */
export async function deliverAll(shared: SharedOptions, waysOf: (account: number) => AccountChannels): Promise<void> {
  const working = new Map<number, Promise<void>>()
  const { stop, database } = shared
  while (!stop.aborted) {
    try {
      for await (const page of accountsOf(database))
        for (const { id } of page) {
          if (working.has(id) || stop.aborted) continue
          const ways = waysOf(id)
          if ((await ways.now()).channels.length === 0) continue
          const work = deliver({ ...shared, account: id, ways: ways.now, limit: Infinity, watch: true })
          working.set(
            id,
            work
              .then(
                () => undefined,
                async (error: unknown) => {
                  await shared.failed(error)
                  working.delete(id)
                },
              )
              .finally(() => ways.close()),
          )
        }
    } catch (error) {
      await shared.failed(error)
    }
    await shared.sleep(every)
  }
  await Promise.all(working.values())
}
