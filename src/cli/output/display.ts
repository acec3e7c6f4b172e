// Amounts, times, phones, weights and words as people read them.

import { decimalText, groupedDigits, paiseOf } from '../../domain/money.ts'
import { dayMs, istOffset } from '../../domain/time.ts'
import type { Screen } from '../terminal/screen.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const two = (value: number): string => String(value).padStart(2, '0')

/** Rupees with two decimals, grouped the Indian way: `₹12,34,567.50`, `-₹1.00`; `Rs 1,234.00` on an ASCII screen. */
export function showMoney(rupees: number, screen?: Pick<Screen, 'ascii'>): string {
  const sign = screen?.ascii === true ? 'Rs ' : '₹'
  if (!Number.isFinite(rupees)) return `${sign}${rupees}`
  const paise = paiseOf(rupees)
  // Amounts larger than paise can count exactly have no decimals left.
  if (paise === undefined) return `${rupees < 0 ? '-' : ''}${sign}${groupedDigits(decimalText(Math.abs(rupees)))}.00`
  const whole = Math.trunc(Math.abs(paise) / 100)
  return `${paise < 0 ? '-' : ''}${sign}${groupedDigits(String(whole))}.${two(Math.abs(paise) % 100)}`
}

interface Clock {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

const formatters = new Map<string, Intl.DateTimeFormat | undefined>()

/** The formatter of a time zone, kept because creating one takes milliseconds; undefined for an unknown zone. */
function formatterOf(tz: string): Intl.DateTimeFormat | undefined {
  if (!formatters.has(tz)) {
    let formatter: Intl.DateTimeFormat | undefined
    try {
      const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
      formatter = new Intl.DateTimeFormat('en-GB', { ...parts, hourCycle: 'h23', timeZone: tz })
    } catch {
      formatter = undefined
    }
    formatters.set(tz, formatter)
  }
  return formatters.get(tz)
}

const fixedOffset = (tz: string): number | undefined =>
  tz === 'Asia/Kolkata' || tz === 'Asia/Calcutta' ? istOffset : tz === 'UTC' ? 0 : undefined

/** The date and the time of an instant in a time zone; undefined when either is invalid. */
function clockIn(ms: number, tz: string): Clock | undefined {
  if (!(Math.abs(ms) <= 8.64e15 - dayMs)) return undefined
  const offset = fixedOffset(tz)
  if (offset !== undefined) {
    const date = new Date(ms + offset)
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
    }
  }
  const parts = formatterOf(tz)?.formatToParts(ms)
  if (parts === undefined) return undefined
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((p) => p.type === type)?.value)
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') }
}

/** Whether a time zone of this name exists (`Asia/Kolkata`, `UTC`, `Europe/Paris`). */
export function timeZoneKnown(tz: string): boolean {
  return fixedOffset(tz) !== undefined || formatterOf(tz) !== undefined
}

/**
 * An instant in the screen's time zone: `28 Sep 14:05`, or `28 Sep 2025` in another year than now's; '' for no instant.
 */
export function showTime(ms: number, screen: Pick<Screen, 'tz' | 'now'>): string {
  const clock = clockIn(ms, screen.tz)
  if (clock === undefined) return ''
  const date = `${two(clock.day)} ${months[clock.month - 1]}`
  if (clock.year !== clockIn(screen.now, screen.tz)?.year) return `${date} ${clock.year}`
  return `${date} ${two(clock.hour)}:${two(clock.minute)}`
}

/** An instant in the screen's time zone, as Excel reads dates: `2026-11-22 18:05`; '' for no instant. */
export function sheetTime(ms: number, { tz }: Pick<Screen, 'tz'>): string {
  const clock = clockIn(ms, tz)
  if (clock === undefined) return ''
  return `${clock.year}-${two(clock.month)}-${two(clock.day)} ${two(clock.hour)}:${two(clock.minute)}`
}

/** The same with seconds, for programs: `2026-11-22 18:05:09`. */
export function sheetSecond(ms: number, screen: Pick<Screen, 'tz'>): string {
  const time = sheetTime(ms, screen)
  return time === '' ? '' : `${time}:${two(new Date(ms).getUTCSeconds())}`
}

/** The days from day 0 of Excel's calendar to 1 January 1970. */
const excelEpoch = 25_569

/** The first and the last day that a sheet shows as everyone counts them: 1 March 1900 and 31 December 9999. */
const [firstExcelDay, lastExcelDay] = [61, 2_958_465]

/** An instant in the screen's time zone as a day of Excel's calendar and a part of it; undefined outside of it. */
export function sheetSerial(ms: number, { tz }: Pick<Screen, 'tz'>): number | undefined {
  const clock = clockIn(ms, tz)
  if (clock === undefined) return undefined
  const minute = Date.UTC(clock.year, clock.month - 1, clock.day, clock.hour, clock.minute)
  const serial = (minute + new Date(ms).getUTCSeconds() * 1000) / dayMs + excelEpoch
  return serial >= firstExcelDay && serial < lastExcelDay + 1 ? serial : undefined
}

/** The time of an instant in the screen's time zone, with seconds: `14:05:09`. */
export function showClock(ms: number, screen: Pick<Screen, 'tz'>): string {
  const clock = clockIn(ms, screen.tz)
  return clock === undefined ? '' : `${two(clock.hour)}:${two(clock.minute)}:${two(new Date(ms).getUTCSeconds())}`
}

const spans = [
  ['y', 365 * dayMs],
  ['mo', 30 * dayMs],
  ['d', dayMs],
  ['h', 3_600_000],
  ['m', 60_000],
] as const

/** The distance of an instant from now in whole units: `2h ago`, `3d ago`, `in 2d`; `just now` within a minute. */
export function showAgo(ms: number, screen: Pick<Screen, 'now'>): string {
  const apart = Math.abs(screen.now - ms)
  if (!Number.isFinite(apart)) return ''
  for (const [unit, length] of spans) {
    if (apart < length) continue
    const span = `${Math.floor(apart / length)}${unit}`
    return ms < screen.now ? `${span} ago` : `in ${span}`
  }
  return 'just now'
}

/** A date `2026-09-29` as `29 Sep`; other text unchanged. */
export function showDay(date: string): string {
  const match = /^\d{4}-(\d{2})-(\d{2})$/.exec(date)
  const month = match === null ? undefined : months[Number(match[1]) - 1]
  return match === null || month === undefined ? date : `${match[2]} ${month}`
}

/**
 * A phone number with only its first and last two digits (`+91 98••••••21`, `*` on an ASCII screen). A screen that
 * shows customers' data shows it whole. A text with fewer than eight digits loses them all.
 */
export function maskPhone(phone: string, screen?: Partial<Pick<Screen, 'ascii' | 'pii'>>): string {
  if (screen?.pii === true) return phone
  const dot = screen?.ascii === true ? '*' : '•'
  const indian = /^(?:\+?91|0)?([6-9]\d)\d{6}(\d\d)$/.exec(phone.replace(/[\s().-]/g, ''))
  if (indian !== null) {
    return `+91 ${indian[1]}${dot.repeat(6)}${indian[2]}`
  }
  const digits = phone.match(/\p{Nd}/gu)?.length ?? 0
  let seen = 0
  return phone.replace(/\p{Nd}/gu, (digit) => {
    seen++
    return digits >= 8 && (seen <= 2 || seen > digits - 2) ? digit : dot
  })
}

/** A weight in grams, grouped the Indian way: `600 g`, `1,500 g`. */
export function showWeight(grams: number): string {
  if (!Number.isFinite(grams)) return `${grams} g`
  const [whole, decimals] = decimalText(Math.abs(grams)).split('.')
  return `${grams < 0 ? '-' : ''}${groupedDigits(whole!)}${decimals === undefined ? '' : `.${decimals}`} g`
}

/** How long it is until an instant: `2d 4h`, `5h 10m`, `12m`; `over` after it. */
export function untilText(at: number, now: number): string {
  if (now > at) return 'over'
  const minutes = Math.floor((at + 1 - now) / 60_000)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  if (days > 0) return hours === 0 ? `${days}d` : `${days}d ${hours}h`
  return hours === 0 ? `${rest}m` : `${hours}h ${rest}m`
}

const initials = /\b(?:awb|cod|ndr|rto|sku)\b/g

/** An API value inside a sentence: `in transit`, `RTO delivered`, `zone C`. */
export const phrase = (value: string): string =>
  value
    .replaceAll('_', ' ')
    .replace(initials, (word) => word.toUpperCase())
    .replace(/^zone [a-e]$/, (zone) => `zone ${zone.at(-1)!.toUpperCase()}`)

/** Text with zones as people write them: `does not serve zone_c` as `does not serve Zone C`. */
export const withZones = (text: string): string =>
  text.replace(/\bzone_([a-e])\b/g, (_, letter: string) => `Zone ${letter.toUpperCase()}`)

/** An API value as people write it: `in_transit` as `In transit`, `rto_delivered` as `RTO delivered`. */
export function words(value: string): string {
  const text = phrase(value)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
