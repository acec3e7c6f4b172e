// How bulk work asks a deployment: its flags, a budget of requests, patience with rate limits, and waits that end when it is
// told to stop; knows no request (docs/bulk.md).
import { budgetOf } from '../../client/budget.ts'
import { rest } from '../../client/service.ts'
import type { Fault } from '../../domain/errors.ts'
import { text, type FlagValues } from '../command/flags.ts'
import type { BulkPace } from './remote.ts'

/** How a deployment is asked. */
export interface Pace {
  /** Requests under way at once. */
  readonly concurrency: number
  /** Requests a second at most; undefined for no limit of our own. */
  readonly per_second: number | undefined
}

const mostAtOnce = 64

/** The number of requests a second in `--max-rps`, with its fault. */
export function rateFrom(flags: FlagValues): { readonly value: number | undefined; readonly faults: readonly Fault[] } {
  const given = text(flags, 'max-rps')
  if (given === undefined) return { value: undefined, faults: [] }
  if (/^\d{1,5}(\.\d{1,3})?$/.test(given) && Number(given) > 0) return { value: Number(given), faults: [] }
  const message = `"${given.slice(0, 20)}" is not a number of requests a second, such as 10 or 0.5`
  return { value: undefined, faults: [{ field: '--max-rps', message }] }
}

/** `--concurrency` and `--max-rps`, with their faults. */
export function paceFrom(flags: FlagValues): { readonly value: Pace; readonly faults: readonly Fault[] } {
  const rate = rateFrom(flags)
  const given = text(flags, 'concurrency') ?? '4'
  const fits = /^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= mostAtOnce
  const message = `"${given.slice(0, 20)}" is not a whole number from 1 to ${mostAtOnce}`
  return {
    value: { concurrency: fits ? Number(given) : 1, per_second: rate.value },
    faults: [...(fits ? [] : [{ field: '--concurrency', message }]), ...rate.faults],
  }
}

/** A rate limit may be waited out for so long in all, ms (docs/reliability.md). */
export const patience_ms = 600_000

/** The pace of bulk work. Its waits end when `stop` is aborted. */
export function bulkPace(per_second: number | undefined, stop?: AbortSignal): BulkPace {
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    rest(ms, signal === undefined || stop === undefined ? (signal ?? stop) : AbortSignal.any([signal, stop]))
  const budget = budgetOf({
    ticks: () => performance.now(),
    sleep,
    ...(per_second === undefined ? {} : { per_second }),
  })
  return { budget, patience_ms, sleep }
}
