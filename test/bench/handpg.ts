// The hand-written side on PostgreSQL: the statements that a careful person would try for a question through node-postgres,
// and the fastest of them; PostgreSQL takes no hints, so that there is one of each form.
import type pg from 'pg'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { RecordKind } from '../../src/engine/database/port.ts'
import { account } from './data.ts'
import { askedOf, askHeld, choices, holdingOf, type Asked, type Raw, type Spelling } from './hand.ts'
import { alone } from './timing.ts'

/** The fastest hand-written answer to a question. */
export interface PgHand {
  readonly answer: () => Promise<{ readonly total: number; readonly ids: string }>
  readonly tried: number
}

const perPage = 20

function askSearch({ kind, words }: Asked): readonly Spelling[] {
  const table = raw(`${kind}_search`)
  const likes = join(
    words.map((word) => sql`s.text like ${`%${word}%`}`),
    ' and ',
  )
  const from = sql`from ${table} s where s.account_id = ${account} and ${likes}`
  return [
    { label: 'search in', text: sql`r.seq in (select s.seq ${from})` },
    { label: 'search exists', text: sql`exists (select 1 ${from} and s.seq = r.seq)` },
  ]
}

/** The fastest hand-written count and page for a question on a connection. */
export async function pgHandOf(client: pg.Client, kind: RecordKind, input: Raw): Promise<PgHand> {
  const asked = askedOf(kind, input)
  const { records, columns, held, words } = asked
  const fixed = columns.length === 0 ? empty : sql` and ${join(columns, ' and ')}`
  const conditions = [...held.map(askHeld), ...(words.length === 0 ? [] : [askSearch(asked)])]
  const wheres = choices(conditions).map(
    ({ text }) => sql`from ${raw(records)} r where r.account_id = ${account}${fixed} and ${text}`,
  )
  const only = columns.length + held.length + Number(words.length > 0) === 1
  const counts: Sql[] = wheres.map((where) => sql`select count(*) as n ${where}`)
  if (only && held[0] !== undefined) counts.push(sql`select count(distinct k.seq) as n ${holdingOf(held[0])}`)
  if (only && words.length > 0) {
    const likes = join(
      words.map((word) => sql`s.text like ${`%${word}%`}`),
      ' and ',
    )
    counts.push(sql`select count(*) as n from ${raw(`${kind}_search`)} s where s.account_id = ${account} and ${likes}`)
  }
  const docs = raw(`${kind}_docs`)
  const order = sql`order by r.created_at desc, r.id desc limit ${perPage}`
  const pages = wheres.flatMap((where) => [
    sql`select (select d.doc from ${docs} d where d.account_id = ${account} and d.seq = r.seq) as doc, r.created_at as at, r.id ${where} ${order}`,
    sql`select d.doc, p.at, p.id from (select r.seq as seq, r.created_at as at, r.id as id ${where} ${order}) p join ${docs} d on d.account_id = ${account} and d.seq = p.seq order by p.at desc, p.id desc`,
  ])
  const run = ({ text, values }: Sql): Promise<pg.QueryResult<Record<string, unknown>>> => client.query(text, values)
  const fastest = async (statements: readonly Sql[]): Promise<Sql> => {
    let best: readonly [Sql, number] | undefined
    for (const statement of statements) {
      const ms = await alone(3, () => run(statement))
      if (best === undefined || ms < best[1]) best = [statement, ms]
    }
    return best![0]
  }
  const [count, page] = [await fastest(counts), await fastest(pages)]
  return {
    tried: counts.length + pages.length,
    answer: async () => {
      const total = Number((await run(count)).rows[0]!['n'])
      const found = (await run(page)).rows
      return { total, ids: found.map(({ id }) => id).join() }
    },
  }
}
