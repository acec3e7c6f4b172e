// `Retry-After` and `Date` in every form that services send.

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * The wait that `Retry-After` asks for, ms from now: seconds (some services send a fraction) or an HTTP date in one of
 * its three forms. A date is compared with the answer's own `Date`, because clocks differ, else with `now` (ms UTC).
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
  const fixed = /^[A-Za-z]{3,9}, (\d{1,2})[ -]([A-Za-z]{3})[ -](\d{2}|\d{4}) (\d{2}):(\d{2}):(\d{2}) (?:GMT|UTC)$/.exec(
    text,
  )
  const asctime = /^[A-Za-z]{3} ([A-Za-z]{3}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/.exec(text)
  const parts =
    fixed?.slice(1) ?? (asctime === null ? undefined : [asctime[2]!, asctime[1]!, asctime[6]!, ...asctime.slice(3, 6)])
  if (parts === undefined) return undefined
  const [day, name, year, hour, minute, second] = parts as [string, string, string, string, string, string]
  const month = months.indexOf(name.toLowerCase())
  const [d, h, m, s] = [Number(day), Number(hour), Number(minute), Number(second)]
  if (month < 0 || d < 1 || d > 31 || h > 23 || m > 59 || s > 60) return undefined
  const full = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900)
  return Date.UTC(full, month, d, h, m, s)
}
