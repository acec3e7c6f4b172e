// Lists of values inside a statement, of few lengths, so that there are few texts to prepare and to keep.
import { join, type RawValue, type Sql } from 'sql-template-tag'

/**
 * The values between commas, for `in (…)`; the first one is repeated up to a power of two: a prepared statement of 500 values
 * takes some 100 KB, and bulk work has lists of every length. There must be one value at least.
 */
export function listOf(values: readonly RawValue[]): Sql {
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return join([...values, ...Array.from({ length: length - values.length }, () => values[0]!)])
}

/** Values in one statement at most. */
const mostListed = 512

/** Values in lists of 512 at most, each for one statement. */
export const listsOf = (values: readonly string[]): readonly Sql[] =>
  Array.from({ length: Math.ceil(values.length / mostListed) }, (_, n) =>
    listOf(values.slice(n * mostListed, (n + 1) * mostListed)),
  )
