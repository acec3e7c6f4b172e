// The order in which a piece of work writes its rows. Rows with random keys that are written as they come lie on ever
// other pages: a page leaves the cache before its next row, and is read and written again (docs/inside/performance.md,
// Scans).
import { rows, type Row, type Statement, type Work } from './port.ts'

/**
 * The same work with its statements that have a place at its end: table by table, in the order of the places. Whatever
 * it reads must not depend on them.
 */
export function* inPlaces<T>(work: Work<T>): Work<T> {
  const waiting = new Map<string, Waiting>()
  let found: readonly Row[] = []
  for (;;) {
    const { done, value } = work.next(found)
    if (done === true) {
      for (const one of waiting.values()) yield* writeInOrder(one)
      return value
    }
    found = value.place === undefined ? yield value : []
    if (value.place !== undefined) waitFor(waiting, value)
  }
}

/** Statements of one text: the first of them, and the values of all. */
interface Waiting {
  readonly first: Statement
  readonly lines: (readonly unknown[])[]
}

function waitFor(waiting: Map<string, Waiting>, statement: Statement): void {
  const { sql, values, more = [] } = statement
  const there = waiting.get(sql)
  if (there === undefined) waiting.set(sql, { first: statement, lines: [values, ...more] })
  else there.lines.push(values, ...more)
}

function* writeInOrder({ first, lines }: Waiting): Work<void> {
  const { sql, text, place } = first
  const placeOf = (line: readonly unknown[]): string | number => line[place!] as string | number
  lines.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0))
  // Only inserts may come with further rows.
  if (first.more === undefined) for (const values of lines) yield* rows({ sql, text, values })
  else yield* rows({ sql, text, values: lines[0]!, more: lines.slice(1) })
}
