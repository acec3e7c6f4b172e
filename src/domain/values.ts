// The schemas of single values that several endpoints share.
import * as z from 'zod/mini'
import { count } from './count.ts'
import { pincodeFault, readPincode } from './read/pincode.ts'
import { mostFaults } from './errors.ts'
import { mostGuesses, nearest } from './nearest.ts'
import { invisibleIn, isBlank } from './messages/plaintext.ts'
import type { JsonSchema } from './recordfields.ts'

const plainNumber = /^-?\d{1,15}(\.\d{1,12})?$/

/** What the API description shows of a schema that checks by code, next to what zod can say of it. */
export interface Documented extends JsonSchema {
  /** A second sentence, which help does not show. */
  readonly note?: string
  /** The whole form that requests may have, where a reader accepts more than its schema shows. */
  readonly form?: JsonSchema
  /** A list, for which one value may stand. */
  readonly several?: boolean
}

/**
 * A schema with what the API description shows of it: keywords of JSON Schema, and the parts above. It is marked, not
 * copied, because copying schemas would slow start-up down.
 */
export function documented<S extends z.ZodMiniType>(schema: S, shown: Documented): S {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), ...shown })
  return schema
}

/** A schema with its own sentence for help and the API description; no other field may share the schema. */
export const about = <S extends z.ZodMiniType>(schema: S, description: string, shown: Documented = {}): S =>
  documented(schema, { description, ...shown })

/** A value that is made on first use: schemas cost start-up time, and a command needs few of them. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** A value read before its schema judges it. */
export const reading = <S extends z.ZodMiniType>(read: (value: unknown) => unknown, schema: S) =>
  z.pipe(z.transform(read), schema)

/** A JSON number or a plain decimal string (docs/inside/decisions.md, Errors); never an exponent, hex, "" or NaN. */
export const numeric = <S extends z.ZodMiniNumber>(schema: S) =>
  reading((value) => (typeof value === 'string' && plainNumber.test(value) ? Number(value) : value), schema)

/** The number of a raw value by the same rule; NaN for anything else. */
export const rawNumber = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' && plainNumber.test(value) ? Number(value) : NaN

/** A refinement whose sentence is made when it fails. */
export const rule = <T>(fault: (value: T) => string | undefined) =>
  z.superRefine<T>((value, context) => {
    const message = fault(value)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** A number above 0, at most `most` of `unit`. */
export const positive = (most: number, unit: string) =>
  numeric(
    z
      .number({ error: 'must be a number' })
      .check(z.gt(0, 'must be more than 0'), z.lte(most, { error: () => `must be at most ${count(most)} ${unit}` })),
  )

/** A number of at least 0, at most `most`. */
export const atLeastZero = (most: number) =>
  numeric(
    z
      .number({ error: 'must be a number' })
      .check(z.gte(0, 'must not be negative'), z.lte(most, { error: () => `must be at most ${count(most)}` })),
  )

/** The message for a value that is not a whole number, or too large to be exact. */
export const wholeError = (noun = 'number') => ({
  error: (issue: { readonly code?: string; readonly input?: unknown }): string =>
    issue.code === 'too_big' || issue.code === 'too_small'
      ? 'is out of range'
      : typeof issue.input === 'number'
        ? `must be a whole number${noun === 'number' ? '' : ` of ${noun}`}`
        : 'must be a number',
})

/** An integer from `least` to `most`. */
export const integer = (least: number, most: number) =>
  numeric(z.int(wholeError()).check(z.gte(least, `must be ${least} or more`), z.lte(most, `must be ${most} or less`)))

/** true or false, and nothing that merely looks like it. */
export const flag = z.boolean({ error: 'must be true or false' })

const ofAtMost = (most: number, fault: (value: string) => string | undefined) =>
  documented(
    z.string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be text') }).check(
      z.overwrite((value) => value.normalize('NFC').trim()),
      rule(fault),
    ),
    { minLength: 1, maxLength: most, pattern: '^(?=.*\\S)[^\\p{Cc}\\u2028\\u2029]*$' },
  )

/** Text of 1 to `most` characters after trimming, NFC, on one line. */
export const text = (most: number) => ofAtMost(most, (value) => textFault(value, most))

/** The longest id of anything but an order. */
export const maxId = 200

/** An id, compared exactly: text without invisible characters, so that two ids that look the same are the same. */
export const id = (most = maxId) =>
  ofAtMost(most, (value) => {
    const fault = textFault(value, most)
    const sign = fault === undefined ? invisibleIn(value) : undefined
    return sign === undefined ? fault : `must not contain invisible characters (${sign})`
  })

function textFault(value: string, most: number): string | undefined {
  if (value.length > most) return `has ${value.length} characters; the limit is ${most}`
  if (isBlank(value)) return 'must not be empty'
  return /[\u2028\u2029]/.test(value) ? 'must not contain line breaks' : undefined
}

/** One word of a closed list, with the nearest word when it is another. */
export const oneOf = <const T extends readonly [string, ...string[]]>(words: T, noun: string) =>
  z.enum(words, {
    error: ({ input, path }) => {
      if (input === undefined) return 'is required'
      if (typeof input !== 'string') return `must be one of: ${words.join(', ')}`
      const last = path?.at(-1)
      const place = typeof last === 'number' ? last : 0
      // Of a long list only the first faults get a full sentence.
      return place >= mostFaults ? `isn't ${withArticle(noun)}` : notOneOf(input, words, noun, place < mostGuesses)
    },
  })

const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/**
 * The sentence for a word outside a closed list: the nearest word, unless `guesses` is false, and the list. A word may
 * also be near to what `wordsFor` calls one of the list.
 */
export function notOneOf(
  word: string,
  words: readonly string[],
  noun: string,
  guesses = true,
  wordsFor: (one: string) => string = (one) => one,
): string {
  const family = words.filter((one) => one.startsWith(`${word.toLowerCase()}_`))
  const named = (): string | undefined => {
    const name = nearest(word, words.map(wordsFor))
    return words.find((one) => wordsFor(one) === name)
  }
  const near = family.length > 1 ? family.join(', ') : (nearest(word, words) ?? named())
  const guess = near === undefined || !guesses ? '' : ` Did you mean ${near}?`
  return `"${word.slice(0, 60)}" isn't ${withArticle(noun)}.${guess} One of: ${words.join(', ')}`
}

/** An Indian pincode that exists, with or without one space inside (spec 4.7 rule 5). */
export const pincode = () =>
  documented(
    z
      .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be text of 6 digits') })
      .check(z.overwrite(readPincode), rule(pincodeFault)),
    {
      note: '6 digits, with or without a space in the middle, of a pincode that exists',
      pattern: '^[1-9][0-9]{2} ?[0-9]{3}$',
    },
  )
