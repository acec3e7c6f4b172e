// The readers of days, times and lengths of time.
import { dayMs, istDate, istInstant, readDay, readInstant } from '../time.ts'
import { excerpt, longestValue, typed, type Outcome } from './typed.ts'

const clock = '(?:[ ,]+(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?: ?([ap])m)?)?$'
const dayFirst = new RegExp(`^(\\d{1,2})[-/.](\\d{1,2})[-/.](\\d{4}|\\d{2})${clock}`, 'i')
const dayNamed = new RegExp(`^(\\d{1,2})[- ]([a-z]{3,9})\\.?[-, ]{1,2}(\\d{4}|\\d{2})${clock}`, 'i')
const yearFirst = new RegExp(`^(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})${clock.replace('[ ,]', '[ T]')}`, 'i')

const months = 'january february march april may june july august september october november december'.split(' ')

/** The number of a month, or of its English name (`Sep`, `Sept`, `September`); 0 for anything else. */
function monthOf(text: string): number {
  const word = text.toLowerCase()
  return Number(word) || months.findIndex((month) => [month, month.slice(0, 3), month.slice(0, 4)].includes(word)) + 1
}

/**
 * The first year that two digits after numbers may mean: GST began in 2017, and a smaller number at the end is a day,
 * with the year first (`26-11-05`).
 */
const firstShort = 17

/** A year as written; NaN for two digits that could be a day. A month by its name leaves no doubt: 20-Nov-05. */
function yearIn(text: string, named: boolean): number {
  if (text.length !== 2) return Number(text)
  return named || Number(text) >= firstShort ? 2000 + Number(text) : NaN
}

/** The hour of a clock of 24 hours; NaN for one that a clock of twelve does not have. */
function hourIn(text: string | undefined, half: string | undefined): number {
  const hour = Number(text ?? 0)
  if (half === undefined) return hour
  return hour < 1 || hour > 12 ? NaN : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

/** What is written, and the ms UTC of it; NaN where it has the form of a day that does not exist. */
function written(text: string, end: boolean): number | undefined {
  const byYear = yearFirst.exec(text)
  const byDay = byYear === null ? dayFirst.exec(text) : null
  const [, a, b = '', c, hour, minute, second, half] = byYear ?? byDay ?? dayNamed.exec(text) ?? []
  if (a === undefined) return undefined
  const [year, day] = byYear === null ? [c, a] : [a, c]
  const month = monthOf(b)
  const [full, hours] = [yearIn(year!, byDay === null), hourIn(hour, half)]
  if (month === 0 || Number.isNaN(full) || Number.isNaN(hours)) return undefined
  const start = istInstant(full, month, Number(day), hours, Number(minute ?? 0), Number(second ?? 0))
  if (start === undefined) return NaN
  return end ? start + (hour === undefined ? dayMs : second === undefined ? 60_000 : 1000) - 1 : start
}

/**
 * A date and time as people and spreadsheets in India write it, as ms UTC: the year first or the day first (28-09-2026
 * 14:05, 28/09/2026, 28/09/26, 28 Sep 2026, 28-Sep-26) in IST, with or without its time (04:40 PM too), or ISO 8601
 * with an offset; undefined for anything that is not a day of the calendar. `end` means the last ms of the day, minute
 * or second.
 */
export function readTime(text: string, end = false): number | undefined {
  const at = written(text, end)
  // Programs put a space before the offset: 2026-11-21 18:05:11 +0530.
  if (at === undefined) return readInstant(text.replace(/ (?=[+-]\d{2}:?\d{2}$)/, ''))
  return Number.isNaN(at) ? undefined : at
}

/** The day and the month of a day without its year: `24/11`, `24-11`, `24 Nov`. */
function withoutYear(word: string): readonly [day: number, month: number] | undefined {
  const [, day, month = ''] =
    /^(\d{1,2})[-/.](\d{1,2})$/.exec(word) ?? /^(\d{1,2})[- ]?([a-z]{3,9})\.?$/i.exec(word) ?? []
  return day === undefined || monthOf(month) === 0 ? undefined : [Number(day), monthOf(month)]
}

/** Leap days are at most eight years apart. */
const mostYears = 8

/** The start of a day without its year: the last one that has begun at `now`, or the next one that has not ended. */
function nearYear(word: string, now: number, which: 'last' | 'next'): number | undefined {
  const [day, month] = withoutYear(word) ?? []
  if (day === undefined || month === undefined) return undefined
  const [year, step] = [Number(istDate(now).slice(0, 4)), which === 'last' ? -1 : 1]
  for (let i = 0; i <= mostYears; i++) {
    const start = istInstant(year + i * step, month, day)
    if (start !== undefined && (which === 'last' ? start <= now : start + dayMs > now)) return start
  }
  return undefined
}

const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')

/** The days until the next such day of the week, from tomorrow on; undefined for another word. */
function daysUntil(word: string, now: number): number | undefined {
  const at = weekdays.findIndex((name) => word === name || word === name.slice(0, 3))
  const today = new Date(`${istDate(now)}T00:00:00Z`).getUTCDay()
  return at === -1 ? undefined : ((at - today + 6) % 7) + 1
}

/**
 * A day to come as ms UTC: `today`, `tomorrow`, `day after tomorrow`, `monday` (the next one after today), `28 Nov` and
 * `28/11` (the next one), and what `readTime` reads; undefined for anything else.
 */
export function readAhead(text: string, now: number): number | undefined {
  const word = text.length > longestValue ? '' : typed(text).toLowerCase().replace(/\s+/g, ' ')
  const days = ['today', 'tomorrow', 'day after tomorrow'].indexOf(word)
  const ahead = days === -1 ? daysUntil(word, now) : days
  return ahead === undefined ? (nearYear(word, now, 'next') ?? readTime(word)) : now + ahead * dayMs
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs }

/** What a day may be read by. */
export interface DayManner {
  /** ms UTC; without it, words that mean another day tomorrow (`yesterday`, `3d`) are refused. */
  readonly now?: number | undefined
  /** Whether the last ms of what is given is meant. */
  readonly end?: boolean
  /** Whether a day without its year is read, as the last one that has begun at `now`. */
  readonly yearless?: boolean
}

/**
 * A day or a time as people write it, as ms UTC, or why it is not one: what `readTime` reads, and with `now` also a
 * span before now (`30m`, `12h`, `7d`, `2w`), `now`, `today` and `yesterday`, and with `yearless` `24 Nov` and `24/11`.
 */
export function readMoment(text: string, { now, end = false, yearless = false }: DayManner): Outcome<number> {
  const word = text.length > longestValue ? '' : typed(text)
  const near = yearless && now !== undefined ? nearYear(word, now, 'last') : undefined
  if (near !== undefined) return { value: end ? near + dayMs - 1 : near }
  const value = (now === undefined ? undefined : relative(word.toLowerCase(), now, end)) ?? readTime(word, end)
  return value === undefined ? { fault: dayFault(text, now !== undefined) } : { value }
}

function relative(word: string, now: number, end: boolean): number | undefined {
  const span = /^(\d{1,5})([mhdw])$/.exec(word)
  if (span !== null) return now - Number(span[1]) * units[span[2]!]!
  if (word === 'now') return now
  if (word !== 'today' && word !== 'yesterday') return undefined
  const start = readDay(istDate(word === 'today' ? now : now - dayMs))![0]
  return end ? start + dayMs - 1 : start
}

/** The year and the number of a month as written; of a name without a year, the last such month that has begun. */
function writtenMonth(word: string, today: string): readonly [year: number, month: number] | undefined {
  const [year, month] = today.split('-').map(Number) as [number, number]
  if (word === 'this-month') return [year, month]
  if (word === 'last-month') return month === 1 ? [year - 1, 12] : [year, month - 1]
  const [, byYear, second] = /^(\d{4})[-/](\d{1,2})$/.exec(word) ?? []
  if (byYear !== undefined) return [Number(byYear), Number(second)]
  const [, first, ofYear] = /^(\d{1,2})[-/](\d{4})$/.exec(word) ?? []
  if (ofYear !== undefined) return [Number(ofYear), Number(first)]
  const [, name = '', named] = /^([a-z]{3,9})\.?(?:[-,]{1,2}(\d{4}))?$/.exec(word) ?? []
  const known = monthOf(name)
  return known === 0 ? undefined : [named === undefined ? year - Number(known > month) : Number(named), known]
}

/**
 * The first and last ms (UTC) of a month in IST: `2026-10`, `10/2026`, `Oct 2026`, `october` (the last one that has
 * begun at `now`), `this-month` and `last-month`; undefined for anything else.
 */
export function readMonth(text: string, now: number): readonly [start: number, end: number] | undefined {
  const word = text.length > longestValue ? '' : typed(text).toLowerCase().replace(/\s+/g, '-')
  const [year, month] = writtenMonth(word, istDate(now)) ?? []
  if (year === undefined || month === undefined) return undefined
  const start = istInstant(year, month, 1)
  const next = month === 12 ? istInstant(year + 1, 1, 1) : istInstant(year, month + 1, 1)
  return start === undefined || next === undefined ? undefined : [start, next - 1]
}

/** Why a text is not a day or a time. */
function dayFault(text: string, words: boolean): string {
  const [, month = '', sign, day = '', year] = /^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})(?!\d)/.exec(text.trim()) ?? []
  const turned = readDay([year, month.padStart(2, '0'), day.padStart(2, '0')].join('-')) !== undefined
  if (sign !== undefined && turned) {
    const right = `${[day, month, year].join(sign)} or ${[year, month.padStart(2, '0'), day].join('-')}`
    return `${excerpt(text)} has the month first; in India the day comes first: write ${right}`
  }
  const more = words ? '28 Sep 2026, "2026-09-28 14:05", yesterday or 3d' : '28 Sep 2026 or 2026-09-28 14:05 (IST)'
  const what = Number.isNaN(written(text.trim(), false)) ? 'is not a day of the calendar' : 'cannot be read as a day'
  return `${excerpt(text)} ${what}; write 2026-09-28, 28-09-2026, ${more}`
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: dayMs }

/** A span of time with its unit (`500ms`, `30s`, `10m`, `2h`, `1d`) in ms, or undefined. */
export function readSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,7})(ms|s|m|h|d)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * unitMs[unit!]!
}
