// How many requests a client sends: evenly spaced, up to a limit in any window of time, and slower for a while after
// the service has refused one for too many (docs/guides/sheets.md).

/** Limits of a client's requests; without any it slows down only after a refusal. */
export interface BudgetPlan {
  /** Requests a second at most. */
  readonly per_second?: number
  /** At most `requests` in any `ms`. */
  readonly window?: { readonly requests: number; readonly ms: number }
  /** Ms of a clock that never goes back. */
  readonly ticks: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** When an earlier process sent requests, in the same ticks and in order. */
  readonly before?: readonly number[]
}

/** The turns of a client's requests. */
export interface Budget {
  /** Ends when the next request may be sent; rejects when the signal is aborted. */
  readonly turn: (signal?: AbortSignal) => Promise<void>
  /** Reports a request's outcome: whether the service refused it because there were too many. */
  readonly heard: (refused: boolean) => void
}

/** After a refusal the pace is half of what it was; each second without one makes it a tenth faster again. */
const [slower, faster] = [0.5, 1.1]

/** The slowest pace, requests a second: a service that needs a slower one says so (Retry-After). */
const slowest = 0.2

/** Refusals within this many ms are one: they were on their way together. */
const together = 1000

export function budgetOf({ per_second: most = Infinity, window, ticks, sleep, before = [] }: BudgetPlan): Budget {
  /** Requests a second now. */
  let pace = most
  /** When the next request may be sent, and when the pace was last changed. */
  let [next, changed] = [-Infinity, -Infinity]
  /** When the latest requests were sent: those of the window, and enough to know how fast they came. */
  const sent: number[] = [...before]
  const kept = Math.max(window?.requests ?? 0, 100)

  const quicken = (now: number): void => {
    if (pace >= most || now - changed < together) return
    const free = Math.floor((now - changed) / together)
    pace = Math.min(most, pace * faster ** free)
    // Where nothing else limits it, a pace that no client reaches is no longer a limit.
    if (pace > 10_000) pace = most
    changed = now
  }

  /** How many requests went out in the last second. */
  const recent = (now: number): number => sent.filter((at) => now - at < together).length

  return {
    turn: async (signal) => {
      const now = ticks()
      quicken(now)
      let at = Math.max(now, next)
      if (window !== undefined && sent.length >= window.requests)
        at = Math.max(at, sent[sent.length - window.requests]! + window.ms)
      next = at + (pace === Infinity ? 0 : 1000 / pace)
      sent.push(at)
      while (sent.length > kept) sent.shift()
      // A timer may fire a little early.
      for (let wait = at - now; wait > 0; wait = at - ticks()) await sleep(Math.ceil(wait), signal)
    },
    heard: (refused) => {
      const now = ticks()
      if (!refused || now - changed < together) return
      pace = Math.max(slowest, Math.min(pace, Math.max(1, recent(now))) * slower)
      changed = now
    },
  }
}
