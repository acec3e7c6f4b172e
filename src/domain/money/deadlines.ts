// Deadlines by a courier's policy: windows of hours, days and working days, and the instant at which one ends
// (docs/guides/disputes.md, Deadlines).
import { excerpt, longestValue, type Outcome } from '../read/typed.ts'
import { addDays, addWorkingDays, isWorkingDay, istDate, readDay, type WorkingDays } from '../time.ts'

export const windowUnits = ['hours', 'days', 'working_days'] as const
export type WindowUnit = (typeof windowUnits)[number]

/** A length of time by a policy: `7 working_days`. */
export interface Window {
  readonly count: number
  readonly unit: WindowUnit
}

/** Monday to Saturday: couriers and banks rest on Sundays. */
const everyWorkday: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6])
const noHolidays: ReadonlySet<string> = new Set()

/** The days that count as working days; `holidays` are those of the rate card, `YYYY-MM-DD`. */
export const workingDays = (holidays: ReadonlySet<string> = noHolidays): WorkingDays => ({
  days: everyWorkday,
  holidays,
})

const unitWords: Readonly<Record<string, WindowUnit>> = {
  h: 'hours',
  hr: 'hours',
  hrs: 'hours',
  hour: 'hours',
  hours: 'hours',
  d: 'days',
  day: 'days',
  days: 'days',
  calendardays: 'days',
  wd: 'working_days',
  workingday: 'working_days',
  workingdays: 'working_days',
  businessdays: 'working_days',
}

/** The longest window of each unit: a year. */
const most: Readonly<Record<WindowUnit, number>> = { hours: 8784, days: 366, working_days: 366 }

/** A window as people write it: `7wd`, `7 working days`, `7 working_days`, `48h`, `2d`. */
export function readWindow(text: string): Outcome<Window> {
  const wanted = 'write for example 7wd (working days), 4d or 48h'
  const given = text.length > longestValue ? '' : text.trim().toLowerCase()
  const [, digits, words = ''] = /^(\d{1,6})([a-z\s_-]+)$/.exec(given) ?? []
  const word = words.replace(/[^a-z]+/g, '')
  const unit = Object.hasOwn(unitWords, word) ? unitWords[word] : undefined
  if (unit === undefined) return { fault: `${excerpt(text)} is not a window; ${wanted}` }
  const count = Number(digits)
  if (count < 1 || count > most[unit])
    return { fault: `${excerpt(text)} is not between 1 and ${most[unit]} ${spoken(unit)}` }
  return { value: { count, unit } }
}

const spoken = (unit: WindowUnit): string => unit.replace('_', ' ')

/** A window as it is kept: `7 working_days`. */
export const windowText = ({ count, unit }: Window): string => `${count} ${unit}`

/** A window in words: `7 working days`, `1 day`. */
export const windowWords = ({ count, unit }: Window): string =>
  `${count} ${count === 1 ? spoken(unit).replace(/s$/, '') : spoken(unit)}`

/** The last ms of an IST day. */
const endOf = (day: string): number => readDay(day)![1]

/**
 * The last instant of a window, ms UTC: what comes later is late. Hours run from the minute at which they begin. The
 * day at which a window begins does not count, and its last day counts to its end in IST.
 */
export function deadlineOf(from: number, { count, unit }: Window, working: WorkingDays = workingDays()): number {
  if (unit === 'hours') return Math.floor(from / 60_000) * 60_000 + count * 3_600_000
  return endOf(dayAfter(istDate(from), { count, unit }, working))
}

/**
 * The last IST day of a window that begins on one, `YYYY-MM-DD`. Hours run from the start of that day, since nothing
 * says when it began: a window of 48 hours from the 3rd has the 4th as its last whole day.
 */
export function dayAfter(day: string, { count, unit }: Window, working: WorkingDays = workingDays()): string {
  if (unit === 'hours') return istDate(readDay(day)![0] + count * 3_600_000 - 1)
  return unit === 'days' ? addDays(day, count) : addWorkingDays(day, count, working)
}

/** Whether a deadline is over at an instant. */
export const isOver = (deadline: number, now: number): boolean => now > deadline

/** The days of the week of `cod_days`, by their number. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/**
 * The day on which a courier credits what is due on an IST day: that day or the next of its days of the week that is
 * no holiday. Without such days, the day itself.
 */
export function creditDay(
  due: string,
  days: ReadonlySet<number> | null,
  holidays: ReadonlySet<string> = noHolidays,
): string {
  if (days === null || days.size === 0) return due
  let day = due
  // The days of the week come again within a week, and no holidays fill a year.
  for (let tried = 0; tried < 400 && !isWorkingDay(day, { days, holidays }); tried++) day = addDays(day, 1)
  return day
}
