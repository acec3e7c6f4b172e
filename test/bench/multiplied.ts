// A database of several millions out of the one of a million: copies of its records with ids and numbers of their own.
// Ten million made one by one would take hours.
import { copyFileSync, rmSync } from 'node:fs'
import BetterSqlite from 'better-sqlite3'
import { say } from './report.ts'

/** The version of a UUID in the ids of each copy; those that are copied have a 4 there. */
const versions = '56789abcd'

/** Copies that there can be of a record beside itself. */
export const mostCopies = versions.length

/** The names that a copy of the record `r` has instead of its own, by column; `n` is SQL for which copy it is. */
const renamed = (n: string): Readonly<Record<string, string>> => {
  const id = (column: string): string =>
    `substr(r.${column}, 1, 14) || substr('${versions}', ${n}, 1) || substr(r.${column}, 16)`
  return {
    id: id('id'),
    shipment_id: id('shipment_id'),
    tracking_number: `${n} || r.tracking_number`,
    order_display_id: `r.order_display_id || '-' || ${n}`,
    display_id: `r.display_id || '-' || ${n}`,
  }
}

/** A text with the names of a copy in it: in JSON they stand in quotes, in what is searched they are small letters. */
const renaming = (text: string, columns: readonly string[], n: string, json: boolean): string =>
  columns.reduce((sql, column) => {
    const written = (name: string): string => (json ? `'"' || ${name} || '"'` : `lower(${name})`)
    return `iif(r.${column} is null, ${sql}, replace(${sql}, ${written(`r.${column}`)}, ${written(renamed(n)[column]!)}))`
  }, text)

interface Named {
  readonly name: string
}

/** Makes the database at `path` out of the one at `from`, whose records of an account are there `times` times then. */
export function multiply(from: string, path: string, account: number, times: number): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  copyFileSync(from, path)
  const db = new BetterSqlite(path)
  // Who is interrupted begins again: nothing of this has to be safe.
  for (const pragma of [
    'journal_mode = delete',
    'journal_mode = off',
    'synchronous = off',
    'locking_mode = exclusive',
    'cache_size = -4000000',
  ])
    db.pragma(pragma)
  const later = db
    .prepare(
      `select type, name, sql from sqlite_master where type = 'trigger' or (type = 'index' and sql is not null and tbl_name in ('shipments', 'returns'))`,
    )
    .all() as readonly { readonly type: string; readonly name: string; readonly sql: string }[]
  for (const { type, name } of later) db.exec(`drop ${type} ${name}`)
  db.exec('create temp table copies (n integer primary key)')
  for (let n = 1; n < times; n++) db.prepare('insert into copies values (?)').run(n)
  for (const kind of ['shipment', 'return'] as const) {
    const size = db.prepare(`select max(seq) from ${kind}s where account_id = ?`).pluck().get(account) as number
    const columns = (db.prepare('select name from pragma_table_info(?)').all(`${kind}s`) as readonly Named[]).map(
      ({ name }) => name,
    )
    const names = renamed('n')
    const own = columns.filter((name) => name in names)
    const source = `from copies, ${kind}s r where r.account_id = ${account} and r.seq <= ${size}`
    const values = columns.map((name) => (name === 'seq' ? `r.seq + n * ${size}` : (names[name] ?? `r.${name}`)))
    say(`  ${kind}s`)
    db.exec(`insert into ${kind}s (${columns.join(', ')}) select ${values.join(', ')} ${source} order by n, r.seq`)
    for (const beside of kind === 'shipment' ? ['skus', 'tags'] : ['skus'])
      db.exec(
        `insert into ${kind}_${beside} select account_id, value, created_at, seq + n * ${size} from copies, ${kind}_${beside} where account_id = ${account} and seq <= ${size} order by 1, 2, 3, 4`,
      )
    db.exec(
      `insert into ${kind}_search (seq, account_id, text) select r.seq + n * ${size}, r.account_id, ${renaming('s.text', own, 'n', false)} from copies, ${kind}s r join ${kind}_search s on s.seq = r.seq where r.account_id = ${account} and r.seq <= ${size} order by n, r.seq`,
    )
    for (const { sql, name } of later) {
      if (!name.startsWith(`${kind}s_`)) continue
      say(`  ${name}`)
      db.exec(sql)
    }
    say(`  search index of ${kind}s`)
    db.exec(`insert into ${kind}_fts (${kind}_fts) values ('rebuild')`)
    say(`  JSON of ${kind}s`)
    for (let n = 1; n < times; n++)
      db.exec(
        `insert into ${kind}_docs (seq, account_id, doc) select r.seq + ${n * size}, r.account_id, ${renaming('d.doc', own, String(n), true)} from ${kind}s r join ${kind}_docs d on d.seq = r.seq where r.account_id = ${account} and r.seq <= ${size} order by r.seq`,
      )
  }
  for (const { type, sql } of later) if (type === 'trigger') db.exec(sql)
  db.pragma('journal_mode = wal')
  db.close()
}
