// Moves the records of an SQLite file into tables that hold their columns and their texts apart, a batch at a time. SQL
// moves what is there, so that every byte of it stays; code only adds what earlier steps left empty.
import type { Connection, SqliteStatement } from './sqlitedriver.ts'
import { docsOf, filledColumns, filledTables, isRead, moveAt, movedSqliteIndexes, movedTable } from './migrations.ts'
import { sqliteStep, steps, type Fill, waitingOf, type FilledTable, type Watch } from './migrations.ts'
import { damaged } from './sqliteerrors.ts'
import { accountOf, lastSeq } from './sqliteseq.ts'

/**
 * Records, or bytes of their texts, that are moved in one transaction: what it writes lies in the log until its end, so
 * that of a small file fewer are.
 */
const batch = { rows: 5000, bytes: 16_000_000, share: 0.1 }

/** Below this size a file is moved in one transaction, bytes. */
const least = 8_000_000

/** About the bytes of a record in an index. */
const entryBytes = 60

/** Whether a file is moved in several transactions. */
export const isLarge = (db: Connection): boolean => sizeOf(db) > least

/** The size of a database, bytes. */
export const sizeOf = (db: Connection): number =>
  ['page_count', 'page_size'].reduce((n, name) => n * (db.pragma(name, { simple: true }) as number), 1)

/** Records that are moved at once (about 50 ms), fewer where they are large, bytes. */
const chunk = { rows: 400, bytes: 4_000_000 }

/** What a move needs from around it. */
interface Move {
  readonly fill: Fill
  readonly watch: Watch
  /** Called between two batches; false when another process has finished the work meanwhile. */
  readonly pause: () => Promise<boolean>
}

/** Begins the move: makes the new tables, and puts the old ones aside. */
export function beginMove(db: Connection): void {
  const indexes = db
    .prepare("select name from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null")
    .pluck()
  for (const table of filledTables) {
    const drops = (indexes.all(table) as string[]).map((name) => `drop index "${name}";\n`).join('')
    const aside = `alter table ${table} rename to ${waitingOf(table)};\n`
    db.exec(drops + aside + movedTable(table))
  }
  db.exec(sqliteStep(steps[moveAt]!))
}

/** Moves the records that wait, then makes the indexes. Returns false when another process has finished it. */
export async function finishMove(db: Connection, path: string, move: Move): Promise<boolean> {
  let { moved, all } = leftIn(db)
  const large = isLarge(db)
  const most = Math.min(batch.bytes, sizeOf(db) * batch.share)
  await move.watch('records', moved, all)
  for (const table of filledTables) {
    const next = moverOf(db, path, table, move.fill)
    for (let [rows, bytes] = [0, 0]; ;) {
      const done = next()
      if (done.rows === 0) break
      rows += done.rows
      bytes += done.bytes
      await move.watch('records', (moved += done.rows), all)
      if (!large || (rows < batch.rows && bytes < most)) continue
      if (!(await move.pause())) return false
      // Another process may have moved some meanwhile.
      ;[rows, bytes, { moved, all }] = [0, 0, leftIn(db)]
    }
  }
  if (!(await makeIndexes(db, path, move, large ? most / (all * entryBytes) : Infinity))) return false
  refuseLoss(db, path)
  db.exec(filledTables.map((table) => `drop table ${waitingOf(table)};\n`).join(''))
  return true
}

/** Makes the indexes that are not there, so many of them at most in one transaction. */
async function makeIndexes(db: Connection, path: string, move: Move, atOnce: number): Promise<boolean> {
  let made = 0
  const known = db.prepare('select 1 from sqlite_schema where name = ?')
  const indexes = [...movedSqliteIndexes()]
  for (const [n, [name, statement]] of indexes.entries()) {
    await move.watch('indexes', n, indexes.length)
    if (known.get(name) !== undefined) continue
    try {
      db.exec(statement)
    } catch (error) {
      if (!String((error as { readonly code?: unknown }).code).startsWith('SQLITE_CONSTRAINT')) throw error
      throw damaged(path, 'two records have one id', error)
    }
    if (++made < atOnce) continue
    made = 0
    if (!(await move.pause())) return false
  }
  return true
}

/** About how many records are moved, and how many there are: their numbers are given in turn. */
export function leftIn(db: Connection): { readonly moved: number; readonly all: number } {
  const sum = (names: readonly string[]): number => names.reduce((n, name) => n + about(db, name), 0)
  const moved = sum(filledTables)
  return { moved, all: moved + sum(filledTables.map(waitingOf)) }
}

/** About how many rows a table has, from the ends of each account's numbers: counting reads all of them. */
function about(db: Connection, table: string): number {
  if (db.prepare('select 1 from sqlite_schema where name = ?').get(table) === undefined) return 0
  const [from, to] = [`select min(seq) from ${table} where seq > ?`, `select max(seq) from ${table} where seq <= ?`]
  const next = db.prepare(from).pluck()
  const last = db.prepare(to).pluck()
  let [n, end] = [0, -1]
  // In a damaged table the rows are not in order: the numbers must rise, or this would never end.
  for (let seq = next.get(end) as number | null; seq !== null && seq > end; seq = next.get(end) as number | null) {
    end = Math.max(seq, last.get(lastSeq(accountOf(seq))) as number)
    n += end - seq + 1
  }
  return n
}

/** A function that moves the next records of a table, and returns how many, and the bytes of their texts. */
function moverOf(
  db: Connection,
  path: string,
  table: FilledTable,
  fill: Fill,
): () => { readonly rows: number; readonly bytes: number } {
  const { filled, add } = adding(db, table)
  const from = `from ${waitingOf(table)}`
  const [sizes, texts, addRow, keepTexts, remove] = [
    `select seq, octet_length(doc) as bytes ${from} order by seq limit ${chunk.rows}`,
    `select seq, doc ${from} where seq <= ? order by seq`,
    add,
    `insert into ${docsOf(table)} (seq, account_id, doc)
      select seq, account_id, doc ${from} where seq <= ? order by seq`,
    `delete ${from} where seq <= ?`,
  ].map((text) => db.prepare(text)) as [
    SqliteStatement,
    SqliteStatement,
    SqliteStatement,
    SqliteStatement,
    SqliteStatement,
  ]
  return () => {
    const found = sizes.all() as readonly { readonly seq: number; readonly bytes: number }[]
    let [rows, bytes] = [0, 0]
    while (rows < found.length && (rows === 0 || bytes + found[rows]!.bytes <= chunk.bytes))
      bytes += found[rows++]!.bytes
    if (rows === 0) return { rows, bytes }
    const upTo = found[rows - 1]!.seq
    for (const { seq, doc } of texts.all(upTo) as readonly { readonly seq: number; readonly doc: string }[]) {
      const values = fill(doc, table)
      const read = Number(isRead(values))
      addRow.run(...filled.flatMap(({ name, was }) => [...(was ? [read] : []), values[name] ?? null]), seq)
    }
    const counts = [keepTexts.run(upTo).changes, remove.run(upTo).changes]
    if (counts.some((n) => n !== rows)) throw damaged(path, `the records of ${table} are not in order`)
    return { rows, bytes }
  }
}

/** A column that is filled from a text, and whether the old row has it too. */
interface Filled {
  readonly name: string
  readonly was: boolean
}

/**
 * The statement that moves the row of a `seq`, and the columns whose values it is given before that; of those that the
 * old row has, it is first told whether the text could be read.
 */
function adding(db: Connection, table: FilledTable): { readonly filled: readonly Filled[]; readonly add: string } {
  const columns = db.prepare('select name from pragma_table_info(?)').pluck()
  const [names, old] = [table, waitingOf(table)].map((of) => columns.all(of)) as [string[], string[]]
  const filled = names
    .filter((name) => filledColumns[table].includes(name))
    .map((name) => ({ name, was: old.includes(name) }))
  const values = names.map((name) => {
    const one = filled.find((column) => column.name === name)
    if (one === undefined) return name
    return one.was ? `case when ? then ? else ${name} end` : '?'
  })
  const found = `select ${values.join(', ')} from ${waitingOf(table)} where seq = ?`
  return { filled, add: `insert into ${table} (${names.join(', ')}) ${found}` }
}

/** Throws `database_corrupt` unless every record has its text, and every text its record: the old tables stay then. */
function refuseLoss(db: Connection, path: string): void {
  for (const table of filledTables) {
    const both = `
      select (select count(*) from ${table}) as records, count(*) as texts, count(r.seq) as pairs
      from ${docsOf(table)} d left join ${table} r on r.seq = d.seq and +r.account_id = d.account_id`
    const { records, texts, pairs } = db.prepare(both).get() as Readonly<Record<'records' | 'texts' | 'pairs', number>>
    if (texts !== pairs || records !== pairs)
      throw damaged(path, `${table} has ${records} records, ${texts} texts, and ${pairs} of both`)
  }
}
