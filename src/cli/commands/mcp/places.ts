// How many tools run at once: the others wait for a place, and a flood of calls is refused.
import { ShipxError } from '../../../domain/errors.ts'

/** Tools that run at once: each is a process. */
const atOnce = 2

/** The most calls that wait. */
const mostWaiting = 32

/** Runs work when there is a place for it. Throws `rate_limited` when too many wait. */
export function placesOf(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting)
        throw new ShipxError('rate_limited', `${mostWaiting} calls wait already`, { retry_after_ms: 1000 })
      await new Promise<void>((go) => waiting.push(go))
    } else running++
    try {
      return await work()
    } finally {
      // The place goes to the next one that waits.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
