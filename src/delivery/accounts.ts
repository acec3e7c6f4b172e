// Delivers the messages of every account of a database, as `shipx serve` does. An account has a worker from when shipx
// finds a channel that its settings allow.
import { accountsOf } from '../engine/transfer/tables.ts'
import { deliver, type Job } from './worker.ts'
import type { AccountChannels } from './channels.ts'

/** How long until shipx looks again for accounts that need a worker, ms. */
const checkIntervalMs = 5_000

/** The options that the workers of all accounts share. */
export interface SharedOptions extends Omit<Job, 'account' | 'ways' | 'limit' | 'watch'> {
  /**
   * Called when the worker of an account fails, with the account's name, and without a name when the accounts or their
   * settings cannot be read. In both cases shipx tries again at the next check.
   */
  readonly failed: (error: unknown, account?: string) => Promise<void>
}

/** Delivers for all accounts until `stop` aborts, then finishes the sends under way. */
export async function deliverAll(shared: SharedOptions, channelsOf: (id: number) => AccountChannels): Promise<void> {
  const working = new Map<number, Promise<void>>()
  // Channels without a worker stay too: they know which broken settings they have warned about.
  const known = new Map<number, AccountChannels>()
  const { stop, database } = shared
  const start = (id: number, name: string, channels: AccountChannels): Promise<void> =>
    deliver({ ...shared, account: id, ways: channels.now, limit: Infinity, watch: true })
      .then(
        () => undefined,
        async (error: unknown) => {
          await shared.failed(error, name)
          known.delete(id)
          working.delete(id)
        },
      )
      .finally(() => channels.close())
  while (!stop.aborted) {
    try {
      for await (const page of accountsOf(database))
        for (const { id, name } of page) {
          if (working.has(id) || stop.aborted) continue
          const channels = known.get(id) ?? channelsOf(id)
          known.set(id, channels)
          if ((await channels.now()).channels.length > 0) working.set(id, start(id, name, channels))
        }
    } catch (error) {
      await shared.failed(error)
    }
    await shared.sleep(checkIntervalMs)
  }
  await Promise.all(working.values())
}
