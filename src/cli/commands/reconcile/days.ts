// Reads the days of money files, as people, banks and couriers write them (docs/guides/money.md, Days).
import { readTime } from '../../../domain/read/day.ts'
import { istDate, readDay } from '../../../domain/time.ts'

/** The reader of a file's days. */
export interface Days {
  /**
   * The ms UTC of a day or a time, in IST where it has no offset; undefined for an empty text and for other words.
   */
  readonly at: (text: string) => number | undefined
  /** The same as an IST day. */
  readonly on: (text: string) => string | undefined
  /** The first text with a digit that was no day. */
  readonly unread: () => string | undefined
}

/** Whether a text ends as a time with `Z` or an offset does; no such time is longer. */
const isZoned = (text: string): boolean =>
  text.length <= 40 && /:\d{2}(?:[.,]\d{1,9})?(?:[Zz]| ?[+-]\d{2}:?\d{2})$/.test(text)

/** The start of the IST day of a time with `Z` or an offset, ms UTC; undefined for another text. */
function dayOfInstant(text: string): number | undefined {
  const ms = readTime(text)
  return ms === undefined ? undefined : readDay(istDate(ms))?.[0]
}

/** Reads days: `28-07-2025 07:48`, `07-Jul-25`, `05-11-26`. Most lines have the day of another one. */
export function daysReader(): Days {
  const days = new Map<string, number | undefined>()
  let unread: string | undefined
  const at: Days['at'] = (text) => {
    const word = text.trim()
    if (word === '') return undefined
    const date = /^\S+/.exec(word)![0]
    const written = date.length > 7 ? date : word
    // The day in India of a time with an offset hangs on the whole text.
    const key = isZoned(date) ? date : isZoned(word) ? word : written
    if (!days.has(key)) {
      if (days.size > 10_000) days.clear()
      const day = isZoned(key) ? dayOfInstant(key) : undefined
      days.set(key, day ?? readTime(written.split('T', 1)[0]!) ?? readTime(word))
    }
    const read = days.get(key)
    if (read === undefined && unread === undefined && /\d/.test(word)) unread = word
    return read
  }
  const on: Days['on'] = (text) => {
    const ms = at(text)
    return ms === undefined ? undefined : istDate(ms)
  }
  return { at, on, unread: () => unread }
}
