// What every value from outside must be before a schema judges it: sound text, and not too large in any direction.
import { count } from './count.ts'
import type { Fault } from './errors.ts'

/**
 * The most fields of one object, the most values of one list, how deep a request nests, and the most values of all
 * (docs/reference/http.md, Answers): a parser takes longest for a megabyte of short ones.
 */
export const maxFields = 200
export const maxListed = 1000
export const maxDepth = 32
export const maxValues = 10_000

/** The sentence for more than `most` of something. */
export const tooMany = (most: number, nouns: string): string => `has too many ${nouns}; the limit is ${count(most)}`

/** Whether a value is larger than `bytes` as JSON in UTF-8. */
export function largerAsJson(value: unknown, bytes: number): boolean {
  const json = JSON.stringify(value)
  return json.length > bytes || (json.length * 3 > bytes && new TextEncoder().encode(json).length > bytes)
}

// Made once: the build writes it as a call, which would make it for every text.
const control = /\p{Cc}/u

/** What is wrong with the signs of a text in one sentence, or undefined. */
export function soundFault(text: string): string | undefined {
  if (control.test(text)) return 'must not contain control characters'
  return text.isWellFormed() ? undefined : 'is not well-formed Unicode text'
}

/** What is wrong with the values of a raw object. */
export interface RawFaults {
  /** A size beyond its limit, where the reading stopped. */
  readonly size: Fault | undefined
  /** Texts and names that are not sound, at most `mostTexts`. */
  readonly texts: readonly Fault[]
}

const noFaults: RawFaults = { size: undefined, texts: [] }

/** Whether a value is a number, true, false, or a sound text: most requests hold nothing else. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'string' ? soundFault(value) === undefined : typeof value === 'number' || typeof value === 'boolean'

/** Judges the fields of a raw object; a fault's field is a dotted path. Files (anything with bytes) are left alone. */
export function rawFaults(fields: Readonly<Record<string, unknown>>, mostTexts: number): RawFaults {
  const values = Object.values(fields)
  return values.length <= maxFields && values.every(isPlain) ? noFaults : faultsIn(fields, mostTexts)
}

function faultsIn(fields: Readonly<Record<string, unknown>>, mostTexts: number): RawFaults {
  const texts: Fault[] = []
  // One path for all values: a megabyte may hold half a million of them.
  const path: (string | number)[] = []
  const field = (): string => path.join('.')
  const hear = (text: string): void => {
    const message = texts.length < mostTexts ? soundFault(text) : undefined
    if (message !== undefined) texts.push({ field: field(), message })
  }
  const within = (key: string | number, value: unknown): Fault | undefined => {
    path.push(key)
    const size = judge(value)
    path.pop()
    return size
  }
  const judge = (value: unknown): Fault | undefined => {
    if (typeof value === 'string') hear(value)
    if (typeof value !== 'object' || value === null) return undefined
    if (path.length >= maxDepth) return { field: String(path[0]), message: `is nested deeper than ${maxDepth} levels` }
    if (Array.isArray(value)) {
      if (value.length > maxListed) return { field: field(), message: tooMany(maxListed, 'values') }
      for (let at = 0; at < value.length; at++) {
        const size = within(at, value[at])
        if (size !== undefined) return size
      }
      return undefined
    }
    if (ArrayBuffer.isView((value as { readonly bytes?: unknown }).bytes)) return undefined
    const keys = Object.keys(value)
    if (keys.length > maxFields) return { field: field(), message: tooMany(maxFields, 'fields') }
    for (const key of keys) {
      // The names at the top are judged by the schema.
      if (path.length > 0) hear(key)
      const one = (value as Readonly<Record<string, unknown>>)[key]
      if (typeof one === 'number' || typeof one === 'boolean') continue
      const size = within(key, one)
      if (size !== undefined) return size
    }
    return undefined
  }
  return { size: judge(fields), texts }
}
