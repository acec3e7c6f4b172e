// The kinds of filter that a row of a listing's table can be.
import * as z from 'zod/mini'
import { maxListed, tooMany } from './rawvalue.ts'
import { dayPattern, readDay, readInstant } from './time.ts'
import { about, documented, flag, lazily, numeric, oneOf, reading, rule, wholeError } from './values.ts'
import { zones } from './rates/zones.ts'
import { readZone } from './read/zone.ts'

/** How a filter compares: the value, any of several, a bound, any of the values of a child table, or full search. */
export type Comparison = 'is' | 'any_of' | 'at_least' | 'at_most' | 'holds_any' | 'search'

/** A column by its name, or by the question that names it. */
type ColumnOf<C extends string> = C | ((input: Readonly<Record<string, unknown>>) => C)

/** One parameter of a listing (spec 4.8, 4.9): all that validation, SQL, flags, help and OpenAPI need. */
export interface Filter<S extends z.ZodMiniType = z.ZodMiniType, C extends string = string> {
  /** Made on first use: most commands need few of them. */
  readonly schema: () => S
  readonly comparison: Comparison
  /** The column that holds the value, or for `holds_any` the table. A date range reads its column from `date_field`. */
  readonly column: ColumnOf<C>
  /** The value as the column stores it. */
  readonly stored: (value: unknown) => unknown
  readonly help: string
  /** The specification does not have it: a deployment announces that it does (`extra_filters`). */
  readonly added?: true
}

const asIs = (value: unknown): unknown => value

const row = <S extends z.ZodMiniType, C extends string>(
  comparison: Comparison,
  schema: () => S,
  column: ColumnOf<C>,
  help: string,
  stored: Filter['stored'] = asIs,
): Filter<S, C> => ({ comparison, schema, column, help, stored })

/** The column equals the value. */
export const is = <S extends z.ZodMiniType, C extends string>(schema: () => S, column: C, help: string): Filter<S, C> =>
  row('is', schema, column, help)

/** The column is 1 for true and 0 for false. */
export const isTrue = <C extends string>(column: C, help: string) =>
  row(
    'is',
    () => flag,
    column,
    help,
    (value) => (value === true ? 1 : 0),
  )

const list =
  <S extends z.ZodMiniType>(schema: () => S) =>
  () =>
    documented(
      reading(
        (value) => (value === undefined || Array.isArray(value) ? value : [value]),
        z.array(schema()).check(z.maxLength(maxListed, { error: () => tooMany(maxListed, 'values') })),
      ),
      { note: 'One value or a list; any of them matches, and an empty list does not filter', several: true },
    )

/**
 * The column is one of the values; one value counts as a list of one, and an empty list as no filter. `stored` is a
 * value as the column has it, null for one that no column has.
 */
export const anyOf = <S extends z.ZodMiniType, C extends string>(
  schema: () => S,
  column: C,
  help: string,
  stored: (value: string) => string | null = String,
) => row('any_of', list(schema), column, help, (value) => stored(String(value)))

/** The child table holds one of the values for the record. */
export const holdsAny = <S extends z.ZodMiniType, C extends string>(schema: () => S, table: C, help: string) =>
  row('holds_any', list(schema), table, help)

/** The same filter, as one that the specification does not have. */
export const added = <F extends Filter>(filter: F): F & { readonly added: true } => ({ ...filter, added: true })

const wholeNumber = lazily(() =>
  numeric(z.int(wholeError()).check(z.gte(0, 'must not be negative'), z.lte(1_000_000, 'is too large'))),
)
const gramsNumber = lazily(() =>
  numeric(
    z
      .number({ error: 'must be a number' })
      .check(z.gte(0, 'must not be negative'), z.lte(1_000_000_000, 'is too large')),
  ),
)

/** The integer column is the value or more. */
export const atLeast = <C extends string>(column: C, help: string) => row('at_least', wholeNumber, column, help)
/** The integer column is the value or less. */
export const atMost = <C extends string>(column: C, help: string) => row('at_most', wholeNumber, column, help)

/** Weights are kept in whole milligrams. */
export const milligrams = (grams: number): number => Math.round(grams * 1000)

/** The weight column (milligrams) is the value (grams) or more. */
export const gramsAtLeast = <C extends string>(column: C, help: string) =>
  row('at_least', gramsNumber, column, help, (value) => milligrams(Number(value)))
/** The weight column (milligrams) is the value (grams) or less. */
export const gramsAtMost = <C extends string>(column: C, help: string) =>
  row('at_most', gramsNumber, column, help, (value) => milligrams(Number(value)))

const unixSeconds = lazily(() =>
  numeric(
    z
      .int(wholeError('seconds'))
      .check(
        z.gte(0, 'must not be negative'),
        z.lt(100_000_000_000, 'looks like milliseconds; it must be a Unix time in seconds'),
      ),
  ),
)

/** The date column that `date_field` names (ms) is at or after the start of the second. */
export const secondsFrom = <C extends string>(column: ColumnOf<C>, help: string) =>
  row('at_least', unixSeconds, column, help, (value) => Number(value) * 1000)
/** The date column that `date_field` names (ms) is at or before the end of the second. */
export const secondsUntil = <C extends string>(column: ColumnOf<C>, help: string) =>
  row('at_most', unixSeconds, column, help, (value) => Number(value) * 1000 + 999)

const isoInstant = lazily(() =>
  documented(
    z
      .string({ error: 'must be an ISO 8601 time' })
      .check(
        rule((value) =>
          readInstant(value) !== undefined || readDay(value) !== undefined
            ? undefined
            : `"${value.slice(0, 40)}" is not an ISO 8601 time with Z or an offset, ` +
              'nor a date YYYY-MM-DD of the calendar',
        ),
      ),
    {
      note: 'ISO 8601 with Z or an offset; a bare date is its whole day in IST',
      pattern:
        `^${dayPattern}(?:[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?` +
        '(?:[Zz]|[+-](?:0[0-9]|1[0-4]):?[0-5][0-9]))?$',
    },
  ),
)

/** The date column (ms) is at or after the ISO 8601 time; a bare date means its start in IST. */
export const isoFrom = <C extends string>(column: C, help: string) =>
  row('at_least', isoInstant, column, help, (value) => readDay(String(value))?.[0] ?? readInstant(String(value)))
/** The date column (ms) is at or before the ISO 8601 time; a bare date means its end in IST. */
export const isoUntil = <C extends string>(column: C, help: string) =>
  row('at_most', isoInstant, column, help, (value) => readDay(String(value))?.[1] ?? readInstant(String(value)))

/** Free text of at most 200 characters; every word of it must occur in the record. */
export const search = <C extends string>(table: C, help: string) =>
  row(
    'search',
    () => z.string({ error: 'must be text' }).check(z.maxLength(200, 'has more than 200 characters; the limit is 200')),
    table,
    help,
  )

/** A delivery zone in any of its spellings (`a`, `A`, `zone_a`, `z_a`). */
export const zone = lazily(() =>
  documented(
    reading((value) => (typeof value === 'string' ? (readZone(value) ?? value) : value), oneOf(zones, 'zone')),
    { form: { anyOf: [{ enum: zones }, { type: 'string', pattern: '^(?:[Zz](?:[Oo][Nn][Ee])?[ _-]?)?[A-Ea-e]$' }] } },
  ),
)

/** A short text value such as an id, a channel or a SKU, compared exactly as the records have it. */
export const word = lazily(() =>
  z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be text') })
    .check(z.minLength(1, 'must not be empty'), z.maxLength(200, 'has more than 200 characters; the limit is 200')),
)

/** The text that search works on, and each searched word: NFC, lower case (docs/inside/decisions.md, Listings). */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('\0', ' ').toWellFormed()
}

/** The words of a search, folded; none for a blank search. Characters without width count as white space. */
export function searchWords(text: string): readonly string[] {
  return foldText(text)
    .split(/[\s\u180e\u200b-\u200d\u2060\ufeff]+/u)
    .filter((part) => part !== '')
}

/** A table of filters as the shape of a zod object: every parameter is optional. */
export function shapeOf<F extends Readonly<Record<string, Filter>>>(
  filters: F,
): { readonly [K in keyof F]: z.ZodMiniOptional<ReturnType<F[K]['schema']>> } {
  const entries = Object.entries(filters).map(([name, filter]) => [
    name,
    about(z.optional(filter.schema()), filter.help),
  ])
  return Object.fromEntries(entries) as { readonly [K in keyof F]: z.ZodMiniOptional<ReturnType<F[K]['schema']>> }
}
