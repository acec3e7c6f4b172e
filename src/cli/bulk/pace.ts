// How bulk work asks a deployment: within a budget of requests, patient with rate limits, and ending its waits when it is
// told to stop; knows no request.
import { budgetOf } from '../../client/budget.ts'
import { rest } from '../../client/service.ts'
import type { BulkPace } from '../remote.ts'

/** A rate limit may be waited out for so long in all, ms (docs/reliability.md). */
const patience_ms = 600_000

/** The pace of an import: at most `max_rps` requests a second, where that is given. Waits end when `stop` is aborted. */
export function bulkPace(stop: AbortSignal, max_rps: number | undefined): BulkPace {
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    rest(ms, signal === undefined ? stop : AbortSignal.any([signal, stop]))
  const budget = budgetOf({ ticks: () => performance.now(), sleep, ...(max_rps === undefined ? {} : { per_second: max_rps }) }) // prettier-ignore
  return { budget, patience_ms, sleep }
}
