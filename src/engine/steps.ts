// The steps of a journey that customers are told of; knows no driver, no text of a message and no command.
import type { Dialect, Work } from './database.ts'
import type { Host } from './host.ts'
import { track, type Scan, type Tracked } from './tracking.ts'

/** Takes scans and, in the same transaction, makes the messages of their steps. */
export function* trackTelling(
  dialect: Dialect,
  account: number,
  host: Host,
  scans: readonly Scan[],
): Work<readonly Tracked[]> {
  return yield* track(dialect, account, host, scans, function* () {})
}
