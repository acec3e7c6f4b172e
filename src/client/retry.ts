// How long to wait before a request is sent again: backoff with full jitter under what was asked for; decides nothing about
// what may be sent again.

export const [first, cap] = [500, 5_000]

/** Timers may fire a little early, and clients that were told the same moment should not come back in one. */
export const [early, spread] = [5, 250]
