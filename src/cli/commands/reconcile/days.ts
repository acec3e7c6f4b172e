// Reads the days of money files, as people, banks and couriers write them (docs/guides/money.md, Days).
import { readTime } from '../../../domain/read/day.ts'
import { istDate } from '../../../domain/time.ts'

/** The reader of a file's days. */
export interface Days {
  /** The ms UTC of a day or a time in IST; undefined for an empty text and for one that is no day. */
  readonly at: (text: string) => number | undefined
  /** The same as an IST day. */
  readonly on: (text: string) => string | undefined
  /** The first text with a digit that was no day. */
  readonly unread: () => string | undefined
}

/** Reads days: `28-07-2025 07:48`, `07-Jul-25`, `05-11-26`. Most lines have the day of another one. */
export function daysReader(): Days {
  const days = new Map<string, number | undefined>()
  let unread: string | undefined
  const at: Days['at'] = (text) => {
    const word = text.trim()
    if (word === '') return undefined
    const date = /^\S+/.exec(word)![0]
    const key = date.length > 7 ? date : word
    if (!days.has(key)) {
      if (days.size > 10_000) days.clear()
      days.set(key, readTime(key.split('T', 1)[0]!) ?? readTime(word))
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
