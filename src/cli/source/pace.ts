// How bulk work calls a deployment: its flags, a budget of requests, patience with rate limits, and waits that end at a
// stop (docs/guides/sheets.md).
import { budgetOf } from '../../client/budget.ts'
import { pause } from '../../client/wait.ts'
import type { BulkPace } from './remote.ts'

/** Total wait for rate limits, ms (docs/inside/reliability.md). */
export const patience_ms = 600_000

/** The pace of bulk work. Its waits end when `stop` is aborted. */
export function bulkPace(per_second: number | undefined, stop?: AbortSignal): BulkPace {
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    pause(ms, signal === undefined || stop === undefined ? (signal ?? stop) : AbortSignal.any([signal, stop]))
  const budget = budgetOf({
    ticks: () => performance.now(),
    sleep,
    ...(per_second === undefined ? {} : { per_second }),
  })
  return { budget, patience_ms, sleep }
}
