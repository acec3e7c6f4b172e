// What the data of a benchmark holds: common and rare values of each column, words of the search, and dates.
import type BetterSqlite from 'better-sqlite3'
import { account } from './data.ts'

/** The most frequent value and the least frequent one. */
export interface Ends {
  readonly common: string | number
  readonly rare: string | number
}

/** The most and the least frequent value of a column, or of a child table's `value`, in the account. */
export function endsOf(db: BetterSqlite.Database, table: string, column: string): Ends {
  const found = db
    .prepare(
      `select ${column} as value from ${table} where account_id = ? and ${column} is not null group by 1 order by count(*) desc, 1`,
    )
    .pluck()
    .all(account) as (string | number)[]
  return { common: found[0]!, rare: found.at(-1)! }
}

/** The value that so great a part of the column's values is below, in the account. */
export function quantile(db: BetterSqlite.Database, table: string, column: string, part: number): number {
  const where = `from ${table} where account_id = ? and ${column} is not null`
  const count = db.prepare(`select count(*) ${where}`).pluck().get(account) as number
  const at = Math.min(count - 1, Math.floor(count * part))
  return db.prepare(`select ${column} ${where} order by ${column} limit 1 offset ${at}`).pluck().get(account) as number
}

/** A word of the search and the number of records that hold it. */
export interface Word {
  readonly word: string
  readonly matches: number
}

/** Words by how many records hold them. */
export interface Words {
  /** One record, and several but at most 50. */
  readonly single: Word
  readonly rare: Word
  /** About 1 % of the records. */
  readonly medium: Word
  /** At least 5 % of the records, and the most frequent word of all. */
  readonly common: Word
  readonly commonest: Word
}

/** The runs of three characters of words, each quoted, as the search index takes them. */
export const runsOf = (words: readonly string[]): string =>
  words.flatMap((word) => [...word].slice(2).map((_, at) => `"${word.slice(at, at + 3)}"`)).join(' ')

/** So many records are read for words. */
const sampled = 80

/** Words of three characters and more out of records evenly spread over the account, and how often they occur. */
export function wordsOf(db: BetterSqlite.Database, kind: 'shipment' | 'return'): Words {
  const size = db.prepare(`select count(*) from ${kind}s where account_id = ?`).pluck().get(account) as number
  const texts = db.prepare(`select text from ${kind}_search where seq = ?`).pluck()
  const words = new Set<string>()
  for (let i = 0; i < sampled; i++) {
    const text = texts.get(Math.floor(((i + 0.5) * size) / sampled)) as string
    for (const word of text.split(/[^a-z0-9-]+/)) if (word.length >= 3) words.add(word)
  }
  // The ends of long numbers give words that a few records share.
  for (const word of words) if (/^\d{10}$/.test(word)) words.add(word.slice(-6)).add(word.slice(-5))
  const counting = db
    .prepare(
      `select count(*) from ${kind}_fts cross join ${kind}_search s on s.seq = ${kind}_fts.rowid
       where ${kind}_fts match ? and ${kind}_fts.rowid between 1 and ? and instr(s.text, ?) > 0`,
    )
    .pluck()
  const counted = [...words].map((word) => ({ word, matches: counting.get(runsOf([word]), size, word) as number }))
  const nearest = (goal: number, fits: (matches: number) => boolean): Word =>
    counted
      .filter(({ matches }) => fits(matches))
      .toSorted(
        (a, b) =>
          Math.abs(Math.log(a.matches / goal)) - Math.abs(Math.log(b.matches / goal)) || (a.word < b.word ? -1 : 1),
      )[0]!
  return {
    single: nearest(1, () => true),
    rare: nearest(30, (matches) => matches <= 50),
    medium: nearest(size / 100, () => true),
    common: nearest(size / 15, (matches) => matches >= size / 20),
    commonest: nearest(size, () => true),
  }
}
