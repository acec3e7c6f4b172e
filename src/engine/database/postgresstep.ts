// Translates a step of the schema from SQLite's dialect to PostgreSQL.
import type { Step } from './migrations.ts'

/** Tables that are read before the account is known, so they have no partitions. */
const directory: ReadonlySet<string> = new Set(['accounts', 'keys'])

/**
 * A step for PostgreSQL. Text compares by bytes, integers have 64 bits, and every key starts with the account. With
 * `partitions`, each table has this many, chosen by the account's hash (docs/inside/scaling.md). The wide index is left
 * out: PostgreSQL's planner has statistics and combines the narrow ones, and an index row may not exceed a third of a
 * page.
 */
export const postgresStep = ({ tables, postgres = '' }: Step, partitions: number): string =>
  postgresStatements(tables, partitions) + postgres

/** Statements for PostgreSQL, as `postgresStep`. */
export function postgresStatements(sqlite: string, partitions: number): string {
  const statements = sqlite
    .split(/;\n/)
    .map((text) => text.trim())
    .filter((text) => text !== '' && !/^create index \w+_wide\b/.test(text))
    .map((text) => (text.startsWith('create table') ? tableOf(text, partitions) : text))
  return statements.map((text) => `${text};\n`).join('')
}

function tableOf(text: string, partitions: number): string {
  const name = /^create table (\w+)/.exec(text)![1]!
  const numbered = /\bseq integer primary key\b/.test(text)
  const body = text
    .replace(/\)\s*strict(, without rowid)?$/, numbered ? ', primary key (account_id, seq))' : ')')
    .replace('seq integer primary key', 'seq integer not null')
    .replaceAll(' references accounts (id)', '')
    .replace(/\binteger\b/g, 'bigint')
    .replace(/\bblob\b/g, 'bytea')
    .replace(/ text(?=,| not null| check|\n)/g, ' text collate "C"')
  if (partitions === 0 || directory.has(name)) return body
  const parts = Array.from(
    { length: partitions },
    (_, i) => `create table ${name}_p${i} partition of ${name} for values with (modulus ${partitions}, remainder ${i})`,
  )
  return [`${body} partition by hash (account_id)`, ...parts].join(';\n')
}
