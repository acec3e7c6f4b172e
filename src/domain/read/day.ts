// The readers of days, times and lengths of time.
import { dayMs, istDate, istInstant, readDay, readInstant } from '../time.ts'
import { excerpt, longestValue, typed, type Outcome } from './typed.ts'

const clock = '(?:[ ,]+(\\d{1,2}):(\\d{2})(?::(\\d{2}))?)?$'
const dayFirst = new RegExp(`^(\\d{1,2})[-/.](\\d{1,2})[-/.](\\d{4})${clock}`)
const dayNamed = new RegExp(`^(\\d{1,2})[- ]([a-z]{3,9})\\.?[-, ]{1,2}(\\d{4}|\\d{2})${clock}`, 'i')
const yearFirst = new RegExp(`^(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})${clock.replace('[ ,]', '[ T]')}`)

const months = 'january february march april may june july august september october november december'.split(' ')

/** The number of a month, or of its English name (`Sep`, `Sept`, `September`); 0 for anything else. */
function monthOf(text: string): number {
  const word = text.toLowerCase()
  return Number(word) || months.findIndex((month) => [month, month.slice(0, 3), month.slice(0, 4)].includes(word)) + 1
}

/**
 * A date and time as people and spreadsheets in India write it, as ms UTC: the year first or the day first (28-09-2026
 * 14:05, 28/09/2026, 28 Sep 2026, 28-Sep-26) in IST, with or without its time, or ISO 8601 with an offset;
 * undefined for anything that is not a day of the calendar. `end` means the last ms of the day, minute or second.
 */
export function readTime(text: string, end = false): number | undefined {
  const byYear = yearFirst.exec(text)
  const [, a, b = '', c, hour, minute, second] = byYear ?? dayFirst.exec(text) ?? dayNamed.exec(text) ?? []
  // Programs put a space before the offset: 2026-11-21 18:05:11 +0530.
  if (a === undefined) return readInstant(text.replace(/ (?=[+-]\d{2}:?\d{2}$)/, ''))
  const [year, day] = byYear === null ? [c, a] : [a, c]
  const clockTime = [hour, minute, second].map((part) => Number(part ?? 0))
  // A month by its name leaves no doubt where the year is: 20-Nov-26.
  const start = istInstant(Number(year) + (year!.length === 2 ? 2000 : 0), monthOf(b), Number(day), ...clockTime)
  if (start === undefined || !end) return start
  return start + (hour === undefined ? dayMs : second === undefined ? 60_000 : 1000) - 1
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs }

/** What a day may be read by. */
export interface DayManner {
  /** ms UTC; without it, words that mean another day tomorrow (`yesterday`, `3d`) are refused. */
  readonly now?: number | undefined
  /** Whether the last ms of what is given is meant. */
  readonly end?: boolean
}

/**
 * A day or a time as people write it, as ms UTC, or why it is not one: what `readTime` reads, and with `now` also a
 * span before now (`30m`, `12h`, `7d`, `2w`), `now`, `today` and `yesterday`.
 */
export function readMoment(text: string, { now, end = false }: DayManner): Outcome<number> {
  const word = text.length > longestValue ? '' : typed(text)
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
  return `${excerpt(text)} is not a day of the calendar; write 2026-09-28, 28-09-2026, ${more}`
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: dayMs }

/** A span of time with its unit (`500ms`, `30s`, `10m`, `2h`, `1d`) in ms, or undefined. */
export function readSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,7})(ms|s|m|h|d)$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * unitMs[unit!]!
}
