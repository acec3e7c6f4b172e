// Lists of values in a statement. They have few different lengths, so there are few statements to prepare and keep.
import { join, type RawValue, type Sql } from 'sql-template-tag'

/**
 * The values between commas, for `in (…)`, at least one. The first is repeated until the length is a power of two: a
 * prepared statement of 500 values takes about 100 KB, and bulk work has lists of every length.
 */
export function listOf(values: readonly RawValue[]): Sql {
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return join([...values, ...Array.from({ length: length - values.length }, () => values[0]!)])
}

/** Values in one statement at most. */
const mostListed = 512

/** The values as lists of at most 512, each for one statement. */
export const listsOf = (values: readonly string[]): readonly Sql[] =>
  Array.from({ length: Math.ceil(values.length / mostListed) }, (_, n) =>
    listOf(values.slice(n * mostListed, (n + 1) * mostListed)),
  )
