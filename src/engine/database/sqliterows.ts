// Rows that SQLite hands over by calls of a function in its SQL. That takes half of the processor's time of objects
// that the module makes of them, and less where no objects are made (docs/inside/performance.md, Sums).
import type { EachRow, Row } from './port.ts'
import type { Connection, SqliteStatement } from './sqlitedriver.ts'

/** How rows are handed over by calls. */
export interface RowsByCalls {
  /** Runs a statement that calls `each_row(…)`. */
  readonly eachRow: (text: string, values: readonly unknown[], each: EachRow) => readonly Row[]
  /** The rows of a query. Their order is sure only where the query has a limit. */
  readonly manyRows: (text: string, values: readonly unknown[]) => readonly Row[]
}

/** The two on a connection, whose statements `prepared` keeps. */
export function rowsByCalls(db: Connection, prepared: (text: string) => SqliteStatement): RowsByCalls {
  let each: EachRow | undefined
  let added = false
  const eachRow = (text: string, values: readonly unknown[], work: EachRow): readonly Row[] => {
    if (!added)
      db.function('each_row', { deterministic: false, varargs: true }, (...row) => {
        each!(row)
        return null
      })
    added = true
    each = work
    prepared(text).get(...values)
    each = undefined
    return []
  }
  const manyRows = (text: string, values: readonly unknown[]): readonly Row[] => {
    const names = prepared(text)
      .columns()
      .map(({ name }) => name)
    const given = names.map((name) => `"${name}"`).join(', ')
    const found: Row[] = []
    eachRow(`select count(each_row(${given})) from (${text})`, values, (row) => {
      const made: Record<string, unknown> = {}
      for (let i = 0; i < row.length; i++) made[names[i]!] = row[i]
      found.push(made)
    })
    return found
  }
  return { eachRow, manyRows }
}
