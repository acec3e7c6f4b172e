// Defends the order in which a piece of work writes: what has a place waits for the end, table by table, in the order of its
// places; all else happens at once and gets its rows.
import { describe, expect, test } from 'vitest'
import { inPlaces } from '../../src/engine/database/places.ts'
import { rows, type Row, type Statement, type Work } from '../../src/engine/database/port.ts'

/** Runs work as a driver does: what it asked, and what came of it. `answer` has the rows of each statement. */
function drive<T>(work: Work<T>, answer: (statement: Statement) => readonly Row[] = () => []) {
  const asked: Statement[] = []
  let step = work.next([])
  while (step.done !== true) {
    asked.push(step.value)
    step = work.next(answer(step.value))
  }
  return { asked, result: step.value }
}

const add = (table: string, ...lines: readonly [readonly unknown[], ...(readonly unknown[])[]]): Statement => ({
  sql: `insert into ${table} values (?, ?)`,
  text: `insert into ${table} values ($1, $2)`,
  values: lines[0],
  more: lines.slice(1),
  place: [table, 0],
})

const linesOf = ({ values, more = [] }: Statement): string => [values, ...more].map((line) => line.join(' ')).join(', ')

const change = (n: number): Statement => ({
  sql: 'update a set b = ?',
  text: 'update a set b = $1',
  values: [n],
  place: ['a', 0],
})

const ask: Statement = { sql: 'select 1', text: 'select 1', values: [] }

describe('inPlaces', () => {
  test('reads at once, writes at the end in the order of the places, and returns what the work returns', () => {
    const { asked, result } = drive(
      inPlaces(
        (function* (): Work<string> {
          yield* rows(add('events', ['c', 1], ['a', 2]))
          const found = yield* rows<{ n: number }>(ask)
          yield* rows(add('events', ['b', 3]))
          return `found ${found[0]!.n}`
        })(),
      ),
      ({ sql }) => (sql === ask.sql ? [{ n: 7 }] : []),
    )
    expect(result).toBe('found 7')
    expect(asked.map(({ sql }) => sql)).toEqual([ask.sql, 'insert into events values (?, ?)'])
    expect(linesOf(asked[1]!)).toBe('a 2, b 3, c 1')
  })

  test('a change has no further rows, since a server would send them as one insert', () => {
    const { asked } = drive(
      inPlaces(
        (function* (): Work<void> {
          for (const n of [10, 9, 2]) yield* rows(change(n))
        })(),
      ),
    )
    expect(asked).toEqual(
      [2, 9, 10].map((n) => ({ sql: 'update a set b = ?', text: 'update a set b = $1', values: [n] })),
    )
  })

  test('keeps the order of what lies in one place', () => {
    const { asked } = drive(
      inPlaces(
        (function* (): Work<void> {
          yield* rows(add('events', ['b', 1], ['a', 2], ['b', 3]))
        })(),
      ),
    )
    expect(linesOf(asked[0]!)).toBe('a 2, b 1, b 3')
  })

  test('statements of one table go together, whatever they change, and tables apart', () => {
    const other = (n: number): Statement => ({ ...change(n), sql: 'update a set c = ?', text: 'update a set c = $1' })
    const { asked } = drive(
      inPlaces(
        (function* (): Work<void> {
          yield* rows(change(3))
          yield* rows(add('events', ['z', 1]))
          yield* rows(other(2))
          yield* rows(change(1))
        })(),
      ),
    )
    expect(asked.map(({ sql, values }) => [sql, values[0]])).toEqual([
      ['update a set b = ?', 1],
      ['update a set c = ?', 2],
      ['update a set b = ?', 3],
      ['insert into events values (?, ?)', 'z'],
    ])
  })

  test('ends the work inside when a driver ends it', () => {
    let ended = false
    const work = inPlaces(
      (function* (): Work<void> {
        try {
          yield* rows(ask)
        } finally {
          ended = true
        }
      })(),
    )
    work.next([])
    work.return(undefined)
    expect(ended).toBe(true)
  })

  test('a statement without a place is passed on as it is', () => {
    const joined = { ...ask, many: true } as const
    const { asked } = drive(inPlaces(rows(joined)))
    expect(asked).toEqual([joined])
  })
})
