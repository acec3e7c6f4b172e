// The kinds of option values: how each is read from a flag, and the fault of an unreadable one.
import { readPincode, pincodeFault } from '../../domain/read/pincode.ts'
import { count } from '../../domain/count.ts'
import type { Read } from '../../domain/errors.ts'
import { readRupees } from '../../domain/read/money.ts'
import { readPayment } from '../../domain/read/payment.ts'
import { readSize, type Size } from '../../domain/read/sides.ts'
import { readWeight, readGrams, type BareWeight } from '../../domain/read/weight.ts'
import { excerpt } from '../../domain/read/typed.ts'
import { istDate, istMinute } from '../../domain/time.ts'
import { readMoment, readMonth, readSpan } from '../../domain/read/day.ts'
import { notOneOf } from '../../domain/values.ts'
import { list as listOf, text } from '../command/flags.ts'
import type { OptionKind } from './options.ts'

/** A value without a fault. */
export const sound = <T>(value: T): Read<T> => ({ value, faults: [] })

/** The fault of a flag, and the value to go on with. */
export const faulty = <T>(value: T, name: string, message: string): Read<T> => ({
  value,
  faults: [{ field: `--${name}`, message }],
})

/** A kind of value: `usual` without the flag, or else the result of `read`. */
export const optionKind =
  <T, U>(usual: U, read: (given: string, name: string, now: number) => Read<T | U>): OptionKind<T | U> =>
  (flags, name, now) => {
    const given = text(flags, name)
    return given === undefined ? sound<T | U>(usual) : read(given, name, now)
  }

/** Whether the flag is given. */
export const flag: OptionKind<boolean> = (flags, name) => sound(flags.has(name))

/** The text as typed. */
export const word: OptionKind<string | undefined> = (flags, name) => sound(text(flags, name))

/** The values of a list, or of a repeated flag. */
export const list: OptionKind<readonly string[] | undefined> = (flags, name) => sound(listOf(flags, name))

/** One of the known values. */
export const oneOf = <T extends string>(known: readonly T[], noun: string): OptionKind<T | undefined> =>
  optionKind(undefined, (given, name) => {
    const value = known.find((one) => one === given)
    return value === undefined ? faulty(undefined, name, notOneOf(given, known, noun)) : sound(value)
  })

/** A value or its words as people type them: case and punctuation aside. */
const foldedWord = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * A list of known values, also in the words that pages show for them: `not due` is `not_due`, and what `wordsFor` calls
 * a value. Case and punctuation do not count.
 */
export const someOf =
  <T extends string>(
    known: readonly T[],
    noun: string,
    wordsFor: (value: T) => string = (value) => value,
  ): OptionKind<readonly T[] | undefined> =>
  (flags, name) => {
    const given = listOf(flags, name)
    if (given === undefined) return sound(undefined)
    // The code of one value may be the words of another.
    const meant = new Map(known.map((one) => [foldedWord(wordsFor(one)), one] as const))
    for (const one of known) meant.set(foldedWord(one), one)
    const read = given.map((value) => (known.includes(value as T) ? (value as T) : meant.get(foldedWord(value))))
    return {
      value: read.filter((one) => one !== undefined),
      faults: given.flatMap((value, i) =>
        read[i] === undefined
          ? [{ field: `--${name}`, message: notOneOf(value, known, noun, true, (one) => wordsFor(one as T)) }]
          : [],
      ),
    }
  }

/** A whole number from `least` to `most`; `usual` without the flag. */
export const number = <U extends number | undefined>(usual: U, most: number, least = 0): OptionKind<number | U> =>
  optionKind<number, U>(usual, (given, name) => {
    if (/^\d{1,9}$/.test(given) && Number(given) <= most && Number(given) >= least) return sound(Number(given))
    const range = `${least} to ${count(most)}`
    return faulty(usual, name, `"${given.slice(0, 20)}" is not a whole number from ${range}`)
  })

/** How many records: a number from 1, or Infinity for `all`; `usual` without the flag. */
export const limit = (usual: number): OptionKind<number> =>
  optionKind(usual, (given, name) => {
    if (given === 'all') return sound(Infinity)
    if (/^\d{1,9}$/.test(given) && Number(given) > 0) return sound(Number(given))
    return faulty(usual, name, `"${given.slice(0, 20)}" is neither a number from 1 nor all`)
  })

/** How many requests a second at most. */
export const perSecond: OptionKind<number | undefined> = optionKind(undefined, (given, name) =>
  /^\d{1,5}(\.\d{1,3})?$/.test(given) && Number(given) > 0
    ? sound(Number(given))
    : faulty(undefined, name, `"${given.slice(0, 20)}" is not a number of requests a second, such as 10 or 0.5`),
)

/** A pincode of six digits. */
export const pincode: OptionKind<string | undefined> = optionKind(undefined, (given, name) => {
  const code = readPincode(given)
  const fault = pincodeFault(code)
  return fault === undefined ? sound(code) : faulty(code, name, fault)
})

/** The fault of a month in the place of a day. */
function monthFault(given: string, name: string, now: number): string | undefined {
  const span = readMonth(given, now)
  if (span === undefined) return undefined
  const [first, last] = span.map(istDate) as [string, string]
  const day = name === 'until' ? last : first
  return `${excerpt(given)} is a month: write --month ${first.slice(0, 7)} for all of it, or a day, for example ${day}`
}

/** An instant, ms UTC; `until` means the end of its day. */
export const moment: OptionKind<number | undefined> = optionKind(undefined, (given, name, now) => {
  const read = readMoment(given, { now, end: name === 'until', yearless: true })
  if ('fault' in read) return faulty(undefined, name, monthFault(given, name, now) ?? read.fault)
  return read.value >= 0 ? sound(read.value) : faulty(undefined, name, `${excerpt(given)} is before 1970`)
})

/** A month in IST as its first and last ms, UTC. */
export const month: OptionKind<readonly [start: number, end: number] | undefined> = optionKind(
  undefined,
  (given, name, now) => {
    const value = readMonth(given, now)
    if (value !== undefined && value[0] >= 0) return sound(value)
    const wanted = 'write 2026-10, October, "Oct 2026", this-month or last-month'
    return faulty(undefined, name, `"${given.slice(0, 40)}" is not a month; ${wanted}`)
  },
)

/** The date of an order in the API's form, in IST; accepts every time that `moment` accepts. */
export const orderDate: OptionKind<string | undefined> = optionKind(undefined, (given, name, now) => {
  const read = readMoment(given, { now })
  return 'fault' in read ? faulty(undefined, name, read.fault) : sound(istMinute(read.value))
})

/** A day of the calendar in IST, `YYYY-MM-DD`. */
export const day: OptionKind<string | undefined> = optionKind(undefined, (given, name, now) => {
  const read = readMoment(given, { now })
  return 'fault' in read ? faulty(undefined, name, read.fault) : sound(istDate(read.value))
})

/** Rupees as plain decimal text; an unreadable amount as typed, so that the payment counts as given. */
export const rupees: OptionKind<string | undefined> = optionKind(undefined, (given, name) => {
  const read = readRupees(given)
  return 'fault' in read ? faulty(given, name, read.fault) : sound(read.rupees)
})

/** A span of time, in ms and as typed. */
export interface Span {
  readonly ms: number
  readonly typed: string
}

/** A span of time of at least `least` ms (`30s`, `5m`); `usual` without the flag. */
export const span =
  (usual: string, least: number): OptionKind<Span> =>
  (flags, name) => {
    const typed = text(flags, name) ?? usual
    const ms = readSpan(typed) ?? 0
    if (ms >= least) return sound({ ms, typed })
    const wanted = `a time such as ${usual} (at least ${least / 1000}s)`
    return faulty({ ms: least, typed }, name, `"${typed.slice(0, 20)}" is not ${wanted}`)
  }

/** A weight without a unit on the command line and at a prompt: grams, unless it could be kilograms. */
export const bareWeight: BareWeight = { unit: 'g', certain: false }

/** A weight in grams. */
export const grams: OptionKind<number | undefined> = optionKind(undefined, (given, name) => {
  const weight = readGrams(given, bareWeight)
  return 'fault' in weight ? faulty(undefined, name, weight.fault) : sound(weight.grams)
})

/** A weight with its unit: sheets of orders mean kilograms by a bare number, and rates mean grams. */
export const namedGrams: OptionKind<number | undefined> = optionKind(undefined, (given, name) => {
  const { number, unit } = readWeight(given) ?? { number: '', unit: undefined }
  if (number !== '' && unit === undefined)
    return faulty(undefined, name, `${number} what? Write ${number}kg or ${number}g`)
  const weight = readGrams(given, bareWeight)
  return 'fault' in weight ? faulty(undefined, name, weight.fault) : sound(weight.grams)
})

/** The three sides of a parcel in centimetres, and what shipx converted. */
export interface GivenSize {
  readonly sides: Size
  readonly said: readonly string[]
}

/** COD or prepaid, in any usual spelling. */
export const payment: OptionKind<'cod' | 'prepaid' | undefined> = optionKind(undefined, (given, name) => {
  const read = readPayment(given)
  if ('fault' in read) return faulty(undefined, name, read.fault)
  return sound(read.value === 'COD' ? 'cod' : 'prepaid')
})

/** The three sides of a parcel. */
export const size: OptionKind<GivenSize | undefined> = optionKind(undefined, (given, name) => {
  const read = readSize(given)
  if ('fault' in read) return faulty(undefined, name, read.fault)
  return sound({ sides: read.value, said: read.said === undefined ? [] : [read.said] })
})
