// How long to wait before a request is sent again: backoff with full jitter, and every form of Retry-After; decides
// nothing about what may be sent again.

/** Tries in all, the first one included. */
export const mostTries = 4

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

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * What `Retry-After` asks for, ms from now: seconds (also with a fraction, as some services send) or an HTTP date in one
 * of its three forms. A date is compared with the answer's own `Date`, because clocks differ, else with `now` (ms UTC).
 * Undefined for anything else: signs, exponents, words.
 */
export function readRetryAfter(text: string | undefined, date: string | undefined, now: number): number | undefined {
  const said = (text ?? '').trim()
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(said)) return Math.ceil(Number(said) * 1000)
  if (/^\d{16,}$/.test(said)) return Number.MAX_SAFE_INTEGER
  const at = readHttpDate(said)
  return at === undefined ? undefined : Math.max(0, at - (readHttpDate((date ?? '').trim()) ?? now))
}

/** An HTTP date (RFC 9110, all three forms) as ms UTC, or undefined. */
export function readHttpDate(text: string): number | undefined {
  const fixed = /^[A-Za-z]{3,9}, (\d{1,2})[ -]([A-Za-z]{3})[ -](\d{2}|\d{4}) (\d{2}):(\d{2}):(\d{2}) (?:GMT|UTC)$/.exec(text) // prettier-ignore
  const asctime = /^[A-Za-z]{3} ([A-Za-z]{3}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/.exec(text)
  const parts = fixed?.slice(1) ?? (asctime === null ? undefined : [asctime[2]!, asctime[1]!, asctime[6]!, ...asctime.slice(3, 6)]) // prettier-ignore
  if (parts === undefined) return undefined
  const [day, name, year, hour, minute, second] = parts as [string, string, string, string, string, string]
  const month = months.indexOf(name.toLowerCase())
  const [d, h, m, s] = [Number(day), Number(hour), Number(minute), Number(second)]
  if (month < 0 || d < 1 || d > 31 || h > 23 || m > 59 || s > 60) return undefined
  const full = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900)
  return Date.UTC(full, month, d, h, m, s)
}
