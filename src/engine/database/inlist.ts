// Lists of values inside a statement, of few lengths, so that there are few texts to prepare and to keep; knows no table.
import { join, type RawValue, type Sql } from 'sql-template-tag'

/**
 * The values between commas, for `in (…)`; the first one again and again up to a power of two: a prepared statement of 500
 * values takes some 100 KB, and bulk work asks with lists of every length. There is at least one value.
 */
export function listOf(values: readonly RawValue[]): Sql {
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return join([...values, ...Array.from({ length: length - values.length }, () => values[0]!)])
}

/** Values in one statement at most. */
const mostListed = 512

/** Values in lists of 512 at most, each for one statement. */
export function* listsOf(values: readonly string[]): Generator<ReturnType<typeof listOf>> {
  for (let at = 0; at < values.length; at += mostListed) yield listOf(values.slice(at, at + mostListed))
}
