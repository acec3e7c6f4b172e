// Readers of single values as other deployments send them: text, amounts, truth, times, parts and lists. They invent
// nothing.
import { decimalText } from '../money.ts'
import { readDay, readInstant } from '../time.ts'

/** Called with the name of each value that cannot be read. */
export type OnUnreadable = (name: string) => void

/** Reads a value that is there; null for one that is empty or cannot be read. */
export type Reader<T> = (value: unknown, missed: OnUnreadable) => T | null

/** A reader of the value with a name. */
export type ReaderNamed<T> = (name: string) => Reader<T>

/** The members of a type that have a name of their own. */
type Known<T> = {
  readonly [K in keyof T as string extends K ? never : number extends K ? never : K]-?: NonNullable<T[K]>
}

/** A reader for each member of a type: one that is left out, or reads another kind of value, does not compile. */
export type Shape<T> = { readonly [K in keyof Known<T>]: ReaderNamed<Known<T>[K]> }

export type Fields = Record<string, unknown>

/** Whether a value is a JSON object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text as it is, a number as its digits; undefined for anything else. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' && Number.isFinite(value)
      ? decimalText(value)
      : undefined

const plainAmount = /^-?\d{1,13}(?:\.\d{1,12})?$/
/** Groups of three digits, or of two before the last three as in India. */
const groupedAmount = /^-?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d{1,12})?$/

/**
 * A number, or text that is one, with or without separators between its digits (`"1,299.50"`); undefined for anything
 * else.
 */
export function amountIn(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > 40) return undefined
  const text = value.trim()
  if (plainAmount.test(text)) return Number(text)
  return groupedAmount.test(text) ? Number(text.replaceAll(',', '')) : undefined
}

const truths: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  ['yes', true],
  ['y', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
  ['no', false],
  ['n', false],
])

/** true, 1, "1", "true", "yes", "Y" and their opposites; undefined for anything else. */
export const truthIn = (value: unknown): boolean | undefined =>
  truths.get(typeof value === 'string' ? value.trim().toLowerCase() : value)

/** A number is a time from the year 2000 to the end of 9999; another one is a mistake. */
const [firstMoment, lastMoment] = [946_684_800_000, 253_402_300_799_999]

/**
 * A time as ms UTC in the forms that services were seen to send: ISO 8601, without an offset (IST), a bare date, Unix
 * seconds or milliseconds, or an object that holds one of these; undefined for anything else.
 */
export function momentIn(value: unknown): number | undefined {
  if (typeof value === 'number') {
    const ms = value < 100_000_000_000 ? value * 1000 : value
    return ms >= firstMoment && ms <= lastMoment ? Math.trunc(ms) : undefined
  }
  if (isFields(value)) {
    const { datetime, date, timezone } = value
    const text = typeof datetime === 'string' ? datetime : date
    return typeof text === 'string'
      ? momentIn(timezone === 'UTC' && readInstant(text) === undefined ? `${text}Z` : text)
      : undefined
  }
  if (typeof value !== 'string' || value.length > 60) return undefined
  const text = value.trim()
  if (/^(?:\d{10}|\d{13})$/.test(text)) return momentIn(Number(text))
  return readInstant(text) ?? readInstant(`${text}+05:30`) ?? readDay(text)?.[0]
}

/** Whether a value is empty in one of the forms that deployments use. */
const empty = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0)

/** A reader from a function that returns undefined for what it cannot read. */
const scalar =
  <T>(read: (value: unknown) => T | undefined): ReaderNamed<T> =>
  (name) =>
  (value, missed) => {
    const found = read(value)
    if (found !== undefined) return found
    if (!empty(value)) missed(name)
    return null
  }

export const text = scalar(textIn)
export const amount = scalar(amountIn)
export const truth = scalar(truthIn)

/** A whole number that JavaScript holds exactly. */
export const count = scalar((value) => {
  const number = amountIn(value)
  return Number.isSafeInteger(number) ? number : undefined
})

/** A time as ISO 8601 text: as it came where it is that, else in UTC. */
export const time = scalar((value) => {
  if (typeof value === 'string' && readInstant(value) !== undefined) return value
  const ms = momentIn(value)
  return ms === undefined ? undefined : new Date(ms).toISOString()
})

/** An object whose known members are read, in place; the others stay. */
export const part =
  <T>(shape: Shape<T>): ReaderNamed<T> =>
  (name) => {
    const members = Object.entries<ReaderNamed<unknown>>(shape).map(
      ([key, reader]) => [key, reader(name === '' ? key : `${name}.${key}`)] as const,
    )
    return (value, missed) => {
      if (!isFields(value)) {
        if (!empty(value)) missed(name)
        return null
      }
      for (const [key, read] of members) {
        const given = value[key]
        if (given !== undefined && given !== null) value[key] = read(given, missed)
      }
      return value as T
    }
  }

/** A list whose elements are read; elements that are empty or cannot be read are left out. */
export const list =
  <T>(element: ReaderNamed<T>): ReaderNamed<T[]> =>
  (name) => {
    const read = element(name)
    return (value, missed) => {
      if (!Array.isArray(value)) {
        if (!empty(value)) missed(name)
        return null
      }
      const found: T[] = []
      for (const one of value as unknown[]) {
        const got = one === null ? null : read(one, missed)
        if (got !== null) found.push(got)
      }
      return found
    }
  }

/** A reader with a change of what it has read; null where the change returns undefined. */
export const mapped =
  <T>(reader: ReaderNamed<T>, next: (found: T) => T | undefined): ReaderNamed<T> =>
  (name) => {
    const read = reader(name)
    return (value, missed) => {
      const found = read(value, missed)
      if (found === null) return null
      const other = next(found)
      if (other === undefined) missed(name)
      return other ?? null
    }
  }
