// The IST calendar in whole days: minutes of a day, a carrier's working days, and timestamps as text.
import type { Dice } from '../../domain/random.ts'
import { dayMs, isoOf, istDayNumber, istOffset } from '../../domain/time.ts'

/** A minute and an hour, ms. */
export const minute = 60_000
export const hour = 3_600_000

/** The instant of a minute of a day, ms UTC; both may be fractions. */
export const atMinute = (day: number, minutes: number): number => day * dayMs - istOffset + minutes * minute

/** The whole minutes of an instant since midnight in IST. */
export const minuteOf = (ms: number): number => Math.floor((ms + istOffset - istDayNumber(ms) * dayMs) / minute)

const dates = new Map<number, string>()

const clock = Array.from({ length: 1440 }, (_, at) => isoOf(at * minute).slice(11, 17))

const secondsPart = Array.from({ length: 60 }, (_, at) => isoOf(at * 1000).slice(17))

/** The same text as `isoOf`, built from parts: making dates would take half of the work. */
export function stamp(ms: number): string {
  if (ms % 1000 !== 0) return isoOf(ms)
  const day = Math.floor(ms / dayMs)
  let date = dates.get(day)
  if (date === undefined) dates.set(day, (date = isoOf(ms).slice(0, 11)))
  const second = ms / 1000 - day * 86_400
  return date + clock[Math.floor(second / 60)]! + secondsPart[second % 60]!
}

/** The days, from `first` on, on which a carrier works. Days outside are working days. */
export interface Calendar {
  readonly first: number
  readonly open: Uint8Array
}

/** Whether a carrier works on a day. */
export const isOpen = (calendar: Calendar, day: number): boolean => calendar.open[day - calendar.first] !== 0

/** The working day that is this many working days after a day. */
export function workingDay(calendar: Calendar, from: number, days: number): number {
  let day = from
  for (let left = days; left > 0;) if (isOpen(calendar, ++day)) left--
  return day
}

/** The day itself if the carrier works on it, else the next working day. */
export function openFrom(calendar: Calendar, from: number): number {
  return isOpen(calendar, from) ? from : workingDay(calendar, from, 1)
}

/** An instant without its milliseconds. */
export const seconds = (ms: number): number => Math.floor(ms / 1000) * 1000

/** A random instant in whole seconds, between two distances (ms) after another. */
export const momentAfter = (dice: Dice, at: number, low: number, high: number): number =>
  seconds(at + dice.between(low, high))

/** A random instant in whole seconds, between two minutes of a day. */
export const momentDuring = (dice: Dice, day: number, low: number, high: number): number =>
  seconds(atMinute(day, dice.between(low, high)))
