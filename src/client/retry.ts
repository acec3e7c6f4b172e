// How long to wait before a request is sent again: backoff with full jitter under what was asked for; decides nothing about
// what may be sent again.

/** Tries in all, the first one included. */
export const mostTries = 4

/** Refusals for too many requests that bulk work waits out for one request besides its tries: its own requests compete. */
export const bulkRefusals = 20

/** A lone read may wait this long for a rate limit in all, ms. */
export const usualPatience = 120_000

const [first, cap] = [500, 5_000]

/** The wait before the try after the n-th (from 1), ms: full jitter under 0.5 s x 2^(n-1), at most 5 s. */
export function backoff(n: number, random: () => number): number {
  return random() * Math.min(cap, first * 2 ** (n - 1))
}

/** Timers may fire a little early, and clients that were told the same moment should not come back in one. */
const [early, spread] = [5, 250]

/** The wait before the next try, ms: never less than what the service asked for. */
export function waitFor(n: number, asked: number | undefined, random: () => number): number {
  const own = backoff(n, random)
  return asked === undefined ? own : Math.max(own, asked + early + random() * spread)
}
