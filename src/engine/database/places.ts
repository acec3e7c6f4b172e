// The order in which a piece of work writes its rows. Rows with random keys that are written as they come lie on another
// page each: a page leaves the cache before its next row, and is read and written again (docs/inside/performance.md,
// Scans).
import { rows, type Row, type Statement, type Work } from './port.ts'

/**
 * The same work with its statements that have a place at its end: table by table, in the order of the keys. Whatever it
 * reads must not depend on them.
 */
export function* inPlaces<T>(work: Work<T>): Work<T> {
  const waiting = new Map<string, Statement[]>()
  try {
    let step = work.next([])
    while (step.done !== true) {
      const statement = step.value
      if (statement.place === undefined) step = work.next(yield statement)
      else {
        wait(waiting, statement)
        step = work.next(nothing)
      }
    }
    for (const statements of waiting.values()) yield* writeInOrder(statements)
    return step.value
  } finally {
    // A driver that ends this work ends that one too.
    work.return(undefined as T)
  }
}

const nothing: readonly Row[] = []
const none: readonly (readonly unknown[])[] = []

/** Adds a statement to those of its table, each line of an insert as one of its own. */
function wait(waiting: Map<string, Statement[]>, statement: Statement): void {
  const { place, sql, text, values, more } = statement
  const [table] = place!
  const own = waiting.get(table) ?? []
  waiting.set(table, own)
  if (more === undefined) own.push(statement)
  else for (const line of [values, ...more]) own.push({ place: place!, sql, text, values: line, more: none })
}

const keyOf = ({ place, values }: Statement): string | number => values[place![1]] as string | number

/** Writes the statements of one table; inserts of one text go together. */
function* writeInOrder(statements: Statement[]): Work<void> {
  statements.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
  for (let at = 0; at < statements.length;) {
    const { sql, text, values, more } = statements[at++]!
    if (more === undefined) yield* rows({ sql, text, values })
    else {
      const others: (readonly unknown[])[] = []
      while (statements[at]?.sql === sql) others.push(statements[at++]!.values)
      yield* rows({ sql, text, values, more: others })
    }
  }
}
