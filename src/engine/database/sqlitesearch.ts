// Fills the search indexes of an SQLite file from the texts of its records, after a step has made them anew.
import type { Connection, SqliteStatement } from './sqlitedriver.ts'
import type { Watch } from './migrations.ts'

/** Texts that one statement adds, about 1 MB: as much as FTS5 holds in memory before it writes. */
const batch = 5000

const kinds = ['shipment', 'return'] as const

/**
 * Adds the texts of both kinds inside the running transaction: a program that has the file open never meets half an
 * index. Throws what `watch` throws.
 */
export async function fillSearch(db: Connection, watch: Watch): Promise<void> {
  const fillings = kinds.map((kind) => fillingOf(db, kind))
  const all = fillings.reduce((sum, { count }) => sum + count, 0)
  let done = 0
  for (const { next } of fillings)
    for (let added = next(); added > 0; added = next()) await watch('search', (done += added), all)
}

/** How many texts of a kind there are, and a function that adds the next of them and returns how many. */
function fillingOf(
  db: Connection,
  kind: (typeof kinds)[number],
): { readonly count: number; readonly next: () => number } {
  const texts = `from ${kind}_search where seq > ?`
  const [counting, last, adding] = [
    `select count(*) from ${kind}_search`,
    `select max(seq) from (select seq ${texts} order by seq limit cast(? as integer))`,
    `insert into ${kind}_fts (rowid, text) select seq, text ${texts} and seq <= ? order by seq`,
  ].map((text) => db.prepare(text)) as [SqliteStatement, SqliteStatement, SqliteStatement]
  let from = -1
  const next = (): number => {
    const to = last.pluck().get(from, batch) as number | null
    if (to === null) return 0
    const { changes } = adding.run(from, to)
    from = to
    return changes
  }
  return { count: counting.pluck().get() as number, next }
}
