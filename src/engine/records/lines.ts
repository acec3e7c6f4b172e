// The next records of a walk as lines of JSON, as many as a page may weigh: for a service that answers walks in large
// pieces (docs/reference/http.md, Lines).
import sql from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import { rows, type RecordKind, type Work } from '../database/port.ts'
import { accessPathOf, anyPath, docSize, pageStatement } from './fetch.ts'
import { countMatches, listNext } from './listing.ts'
import { planOf, type Scope } from './plan.ts'
import { surveyOf } from './survey.ts'

/** Some records of a walk, one JSON text on each line (UTF-8), each ended by a line break. */
export interface Lines {
  readonly lines: Uint8Array
  readonly count: number
  /** All matches. */
  readonly total: number
  /** The cursor after the last record; undefined without records. */
  readonly next: readonly [string, string] | undefined
  /** Whether no record follows. */
  readonly ended: boolean
}

/** Records that are found at a time, and the most in one answer. */
const [step, mostRecords] = [200, 5000]

/**
 * The records after the cursor in `input`, up to `per_page` if it is given: as many as have the bytes of a page
 * together, and one at least.
 */
export function* listLines(scope: Scope, kind: RecordKind, input: Query): Work<Lines> {
  const total = yield* countMatches(scope, kind, input)
  const most = Math.min(input.per_page ?? mostRecords, mostRecords)
  const pieces: Uint8Array[] = []
  let [bytes, count, ended] = [0, 0, false]
  let next: Lines['next']
  for (let query = input; count < most;) {
    const wanted = Math.min(step, most - count)
    const sizes = yield* sizesOf(scope, kind, query, wanted, total)
    const fits = fitting(sizes, (scope.mostBytes ?? Infinity) - bytes, count === 0 ? 1 : 0)
    if (fits > 0) {
      const found = yield* listNext(scope, kind, query, fits, total)
      const lines = found.lines ?? Buffer.from(found.records.join('\n'))
      pieces.push(lines)
      bytes += lines.length
      count += fits
      next = found.next
      query = { ...input, search_after: [...found.next!], next_search_after: undefined }
    }
    if (fits < sizes.length) break
    ended = sizes.length < wanted
    if (ended) break
  }
  return { lines: joined(pieces), count, total, next, ended }
}

/** How many bytes each of the next records has, which nobody needs to read a record for. */
function* sizesOf(scope: Scope, kind: RecordKind, input: Query, limit: number, total: number): Work<readonly number[]> {
  const plan = planOf({ ...scope, mostBytes: undefined }, kind, input)
  const way =
    scope.dialect.planning === undefined ? anyPath : accessPathOf(plan, yield* surveyOf(plan, limit), total, limit)
  const statement = pageStatement(plan, way, 0, limit, sql`${docSize} as bytes`)
  return (yield* rows<{ readonly bytes: number }>(statement)).map(({ bytes }) => bytes)
}

/** How many of the first records have `most` bytes together, and `least` of them at any rate. */
function fitting(sizes: readonly number[], most: number, least: number): number {
  let bytes = 0
  const beyond = sizes.findIndex((size) => (bytes += size) > most)
  return beyond === -1 ? sizes.length : Math.max(Math.min(least, sizes.length), beyond)
}

/** In memory of its own: a thread hands it over whole. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length + 1, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
    all[at++] = 10
  }
  return all
}
