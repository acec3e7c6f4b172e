// The IST calendar, and the forms in which programs write times; src/domain/read/day.ts reads those of people.

/** Minutes and hours of Indian Standard Time ahead of UTC, in ms; India has one zone and no summer time. */
export const istOffset = 330 * 60_000
/** A day, in ms. */
export const dayMs = 86_400_000

/** A date from 1970 on as a regular expression, which knows no calendar: for the API description. */
export const dayPattern = '(?:19[7-9]|[2-9][0-9]{2})[0-9]-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])'

const digits = (value: number, length = 2): string => String(value).padStart(length, '0')

/** The instant (ms UTC) of a calendar date and time in IST, or undefined when the calendar has no such day or time. */
export function istInstant(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
): number | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const ms = calendarDay(year, month, day)
  return ms === undefined ? undefined : ms + (hour * 3600 + minute * 60 + second) * 1000 - istOffset
}

/** The start of a calendar day as if it were UTC (ms), or undefined when there is no such day (30 February). */
function calendarDay(year: number, month: number, day: number): number | undefined {
  if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1) return undefined
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

/** The number of an instant's IST day: 0 is 1 January 1970. */
export const istDayNumber = (ms: number): number => Math.floor((ms + istOffset) / dayMs)

/** The IST calendar date of an instant (ms UTC), `YYYY-MM-DD`. */
export function istDate(ms: number): string {
  const day = istDayNumber(ms)
  if (lastDay.day !== day) {
    const date = new Date(ms + istOffset)
    const text = `${digits(date.getUTCFullYear(), 4)}-${digits(date.getUTCMonth() + 1)}-${digits(date.getUTCDate())}`
    lastDay = { day, text }
  }
  return lastDay.text
}

/** The day that was written last: many instants are of one day. */
let lastDay = { day: NaN, text: '' }

/** The IST date and time of an instant (ms UTC), `YYYY-MM-DD HH:mm`, the form of `order_date` (spec 4.6). */
export function istMinute(ms: number): string {
  const date = new Date(ms + istOffset)
  return `${istDate(ms)} ${digits(date.getUTCHours())}:${digits(date.getUTCMinutes())}`
}

/** The minute of the IST day of an instant (ms UTC), 0 to 1439. */
export function istMinuteOfDay(ms: number): number {
  const date = new Date(ms + istOffset)
  return date.getUTCHours() * 60 + date.getUTCMinutes()
}

/** ISO 8601 in UTC, the form of every timestamp our own service sends. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

/** `YYYY-MM-DD HH:mm` in IST as ms UTC; undefined for another form or a day that does not exist (spec 4.6). */
export function readOrderDate(text: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})$/.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute] = match.map(Number)
  return istInstant(year!, month!, day!, hour, minute)
}

const instant =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))$/

/** The number that the digits of a text make; NaN if one of them is another character. */
const digitsAt = (text: string, at: number, count: number): number => {
  let value = 0
  for (let n = at; n < at + count; n++) {
    const digit = text.charCodeAt(n) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/** The day of the instant that was read last: the times of a record are of few days. */
let readLast = { day: 0, text: '1970-01-01' }

/** The ms UTC of a text as `isoOf` writes it; undefined for any other text, and where a part is too large. */
function readOwnInstant(text: string): number | undefined {
  if (text.length !== 24 || text.charCodeAt(23) !== 0x5a || text.charCodeAt(10) !== 0x54) return undefined
  if (text.charCodeAt(13) !== 0x3a || text.charCodeAt(16) !== 0x3a || text.charCodeAt(19) !== 0x2e) return undefined
  if (!text.startsWith(readLast.text)) {
    if (text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d) return undefined
    const day = calendarDay(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2))
    if (day === undefined) return undefined
    readLast = { day, text: text.slice(0, 10) }
  }
  const [hour, minute, second] = [digitsAt(text, 11, 2), digitsAt(text, 14, 2), digitsAt(text, 17, 2)]
  const ms = readLast.day + (hour * 3600 + minute * 60 + second) * 1000 + digitsAt(text, 20, 3)
  return hour > 23 || minute > 59 || second > 59 || Number.isNaN(ms) ? undefined : ms
}

/**
 * An instant in ISO 8601 with `Z` or an offset as ms UTC; undefined for any other form or a day that does not exist.
 */
export function readInstant(text: string): number | undefined {
  const own = readOwnInstant(text)
  if (own !== undefined) return own
  const match = instant.exec(text)
  if (match === null) return undefined
  const day = calendarDay(Number(match[1]), Number(match[2]), Number(match[3]))
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6] ?? 0)]
  if (day === undefined || hour > 23 || minute > 59 || second > 59) return undefined
  const [offsetHours, offsetMinutes] = [Number(match[10] ?? 0), Number(match[11] ?? 0)]
  if (offsetHours > 14 || offsetMinutes > 59) return undefined
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[9] === '-' ? -1 : 1)
  const fraction = match[7] === undefined ? 0 : Math.trunc(Number(`0.${match[7]}`) * 1000)
  return day + (hour * 3600 + minute * 60 + second) * 1000 + fraction - offset
}

/** What is wrong with a text that `readInstant` does not read, in words that go on after the name of its field. */
export function instantFault(text: string): string {
  const year = instant.exec(text)?.[1]
  if (year === undefined) return 'must be an ISO 8601 time with Z or an offset'
  return Number(year) < 1970 ? 'must be a time from 1970 on' : 'must be a day and a time that exist'
}

/** The first and last ms (UTC) of a bare date `YYYY-MM-DD` taken in IST; undefined when there is no such day. */
export function readDay(text: string): readonly [start: number, end: number] | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return undefined
  const start = istInstant(Number(match[1]), Number(match[2]), Number(match[3]))
  return start === undefined ? undefined : [start, start + dayMs - 1]
}

/** Minutes of the day of a cut-off `HH:mm`, or undefined. */
export function readTimeOfDay(text: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match === null ? undefined : Number(match[1]) * 60 + Number(match[2])
}

/**
 * Days off that every carrier keeps, `MM-DD`: Republic Day, Independence Day, Gandhi Jayanti (docs/guides/rates.md).
 */
const nationalHolidays: ReadonlySet<string> = new Set(['01-26', '08-15', '10-02'])

/**
 * Which days a carrier works: its days of the week (0 Sunday to 6 Saturday) and the card's own holidays (`YYYY-MM-DD`).
 */
export interface WorkingDays {
  readonly days: ReadonlySet<number>
  readonly holidays: ReadonlySet<string>
}

/** Whether a carrier works on an IST date `YYYY-MM-DD`. */
export function isWorkingDay(date: string, working: WorkingDays): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return working.days.has(weekday) && !nationalHolidays.has(date.slice(5)) && !working.holidays.has(date)
}

/** The IST date a number of calendar days after another, `YYYY-MM-DD`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

/** The n-th working day after a date, counting working days only; 0 returns the date itself. */
export function addWorkingDays(date: string, days: number, working: WorkingDays): string {
  let current = date
  for (let left = days, guard = 0; left > 0 && guard < 3660; guard++) {
    current = addDays(current, 1)
    if (isWorkingDay(current, working)) left--
  }
  return current
}
