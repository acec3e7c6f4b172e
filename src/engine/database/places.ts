// The order in which a piece of work writes its rows. Rows with random keys that are written as they come lie each on
// another page: a page leaves the cache before its next row, and is read and written again
// (docs/inside/performance.md, Scans).
import { rows, type Row, type Statement, type Work } from './port.ts'

/**
 * The same work with its statements that have a place at its end: table by table, in the order of the keys. Whatever it
 * reads must not depend on them.
 */
export function* inPlaces<T>(work: Work<T>): Work<T> {
  const waiting: Waiting = { changes: new Map(), inserts: new Map() }
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
    for (const statements of waiting.changes.values()) yield* changeInOrder(statements)
    for (const insert of waiting.inserts.values()) yield* insertInOrder(insert)
    return step.value
  } finally {
    // A driver that ends this work ends that one too.
    work.return(undefined as T)
  }
}

const nothing: readonly Row[] = []

/** What waits: changes by their table, and inserts by their text. */
interface Waiting {
  readonly changes: Map<string, Statement[]>
  readonly inserts: Map<string, Insert>
}

/** An insert, and the values of all of its rows. */
interface Insert {
  readonly first: Statement
  readonly lines: (readonly unknown[])[]
}

function wait({ changes, inserts }: Waiting, statement: Statement): void {
  const { place, sql, values, more } = statement
  if (more === undefined) {
    const own = changes.get(place![0])
    if (own === undefined) changes.set(place![0], [statement])
    else own.push(statement)
  } else {
    const own = inserts.get(sql)
    if (own === undefined) inserts.set(sql, { first: statement, lines: [values, ...more] })
    else own.lines.push(values, ...more)
  }
}

const keyIn = (values: readonly unknown[], { place }: Statement) => values[place![1]] as string | number

const byKey = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)

function* changeInOrder(statements: Statement[]): Work<void> {
  statements.sort((a, b) => byKey(keyIn(a.values, a), keyIn(b.values, b)))
  for (const { sql, text, values } of statements) yield* rows({ sql, text, values })
}

function* insertInOrder({ first, lines }: Insert): Work<void> {
  lines.sort((a, b) => byKey(keyIn(a, first), keyIn(b, first)))
  const { sql, text } = first
  yield* rows({ sql, text, values: lines[0]!, more: lines.slice(1) })
}
