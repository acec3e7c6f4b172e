// Where parcels lie in the tables of records. Work on many parcels that goes by their places reads and writes each page
// once (docs/inside/performance.md, Scans).
import sql, { raw } from 'sql-template-tag'
import { listsOf } from './database/inlist.ts'
import { row, rows, type Dialect, type Work } from './database/port.ts'

const tables = ['shipments', 'returns'].map((name) => raw(name))

/** The first and the last place of an account's parcels; 0 for an account without any. */
export function* recordSpan({ planning }: Dialect, account: number): Work<readonly [first: number, last: number]> {
  // SQLite would look for the account by another index, and sort what that has.
  const own = planning?.inAccount(account) ?? sql`r.account_id = ${account}`
  const ends: number[] = []
  for (const table of tables)
    for (const way of ['asc', 'desc']) {
      const found = yield* row<{ seq: number }>(
        sql`select r.seq from ${table} r where ${own} order by r.seq ${raw(way)} limit 1`,
      )
      if (found !== undefined) ends.push(found.seq)
    }
  return ends.length === 0 ? [0, 0] : [Math.min(...ends), Math.max(...ends)]
}

/** The places of parcels by their tracking numbers; those that no parcel has are missing. */
export function* recordPlaces(account: number, trackings: readonly string[]): Work<ReadonlyMap<string, number>> {
  const places = new Map<string, number>()
  for (const part of listsOf([...new Set(trackings)]))
    for (const table of tables)
      for (const { tracking_number, seq } of yield* rows<{ tracking_number: string; seq: number }>(
        sql`select tracking_number, seq from ${table} where account_id = ${account} and tracking_number in (${part})`,
      ))
        places.set(tracking_number, seq)
  return places
}
