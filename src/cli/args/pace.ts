// The flags of a bulk run: how many requests at once, and how many a second.
import type { Fault } from '../../domain/errors.ts'
import { text, type FlagValues } from '../command/flags.ts'

/** The pace of requests to a deployment. */
export interface Pace {
  /** Requests under way at once. */
  readonly concurrency: number
  /** Requests a second at most; undefined when shipx sets no limit. */
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
