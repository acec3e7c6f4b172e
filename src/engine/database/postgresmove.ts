// Moves the records of a PostgreSQL database into tables that hold their columns and their texts apart, in the
// transaction that brings the schema up to date. New tables are narrow from the start: rows that are changed in place
// leave dead ones before them.
import type Pg from 'pg'
import { ShipxError } from '../../domain/errors.ts'
import { docsOf, filledColumns, filledTables, isRead, moveAt, movedIndexes, movedTable } from './migrations.ts'
import { steps, waitingOf, type Fill, type FilledTable, type Watch } from './migrations.ts'
import { longQuery } from './pool.ts'
import { postgresStatements, postgresStep } from './postgresstep.ts'

/** Records that are filled at once, fewer where their texts are large, bytes. */
const chunk = { rows: 1000, bytes: 8_000_000 }

/** Moves all records inside the running transaction. Throws what `watch` throws. */
export async function moveRecords(client: Pg.ClientBase, partitions: number, watch: Watch): Promise<void> {
  // Whoever writes meanwhile waits here, or is waited for: nothing that is copied may change until the end.
  await longQuery(client, `lock table ${filledTables.join(', ')} in access exclusive mode`)
  for (const table of filledTables) await putAside(client, table)
  await makeTables(client, partitions)
  const counts = await Promise.all(filledTables.map((table) => countIn(client, waitingOf(table))))
  const all = counts.reduce((sum, n) => sum + n, 0)
  if (all > 0) await moveAll(client, all, watch)
  for (const table of filledTables) {
    await refuseLoss(client, table)
    await longQuery(client, `drop table ${waitingOf(table)}`)
  }
  await makeIndexes(client, partitions, watch)
  // Without it the planner knows nothing of the new tables until the next automatic one.
  for (const table of filledTables) await longQuery(client, `analyze ${table}; analyze ${docsOf(table)}`)
}

/** Names a table, its partitions and their keys `…_whole` (`waitingOf`), also partitions that were split by hand. */
async function putAside(client: Pg.ClientBase, table: FilledTable): Promise<void> {
  const rename = (kind: string, name: string): string =>
    `format('alter ${kind} %I rename to %I', ${name}.relname, ${name}.relname || '_whole')`
  const { rows } = await longQuery<{ statements: string }>(
    client,
    `with recursive t (id) as (
       select $1::regclass::oid union all select inhrelid from pg_inherits join t on inhparent = id
     )
     select ${rename('table', 'c')} || '; ' || ${rename('index', 'k')} as statements from t
     join pg_class c on c.oid = t.id
     join pg_index i on i.indrelid = t.id and i.indisprimary join pg_class k on k.oid = i.indexrelid`,
    [table],
  )
  await longQuery(client, rows.map(({ statements }) => statements).join('; '))
}

/** Makes the tables of records in a new database, inside the running transaction. */
export async function makeRecords(client: Pg.ClientBase, partitions: number): Promise<void> {
  await makeTables(client, partitions)
  await makeIndexes(client, partitions, async () => {})
}

async function makeTables(client: Pg.ClientBase, partitions: number): Promise<void> {
  await longQuery(client, postgresStatements(filledTables.map(movedTable).join(''), partitions))
  await longQuery(client, postgresStep(steps[moveAt]!, partitions))
}

async function makeIndexes(client: Pg.ClientBase, partitions: number, watch: Watch): Promise<void> {
  const indexes = [...movedIndexes().values()]
  for (const [n, statement] of indexes.entries()) {
    await watch('indexes', n, indexes.length)
    await longQuery(client, postgresStatements(statement, partitions))
  }
}

async function moveAll(client: Pg.ClientBase, all: number, watch: Watch): Promise<void> {
  const { fillOf } = await import('../records/filled.ts')
  let moved = 0
  await watch('records', moved, all)
  for (const table of filledTables) {
    await longQuery(
      client,
      `insert into ${docsOf(table)} (seq, account_id, doc) select seq, account_id, doc from ${waitingOf(table)}`,
    )
    const mover = await moverOf(client, table, fillOf)
    for (let account = await nextAccount(client, table, -1); account !== null;) {
      for (let after: unknown = -1; ;) {
        const done = await mover(account, after)
        if (done === undefined) break
        after = done.last
        await watch('records', (moved += done.rows), all)
      }
      account = await nextAccount(client, table, account)
    }
  }
}

/** The next account with records that wait; null after the last. */
async function nextAccount(client: Pg.ClientBase, table: FilledTable, after: unknown): Promise<unknown> {
  const text = `select min(account_id) as id from ${waitingOf(table)} where account_id > $1`
  return (await longQuery<{ id: unknown }>(client, text, [after])).rows[0]!.id
}

type Mover = (
  account: unknown,
  after: unknown,
) => Promise<{ readonly rows: number; readonly last: unknown } | undefined>

/** A function that moves the next rows of an account after a `seq`; undefined at the end. */
async function moverOf(client: Pg.ClientBase, table: FilledTable, fill: Fill): Promise<Mover> {
  const waiting = waitingOf(table)
  const [names, old] = [await columnsOf(client, table), new Set((await columnsOf(client, waiting)).keys())]
  const filled = filledColumns[table]
  const from = [...names.keys()].map((name) => {
    if (!filled.includes(name)) return `w.${name}`
    return old.has(name) ? `case when v.is_read then v.${name} else w.${name} end` : `v.${name}`
  })
  const lists = filled.map((name, i) => `$${i + 4}::${names.get(name)}[]`)
  const add =
    `insert into ${table} (${[...names.keys()].join(', ')}) select ${from.join(', ')} from ${waiting} w ` +
    `join unnest($2::bigint[], $3::boolean[], ${lists.join(', ')}) v (seq, is_read, ${filled.join(', ')}) ` +
    'on w.seq = v.seq ' +
    'where w.account_id = $1'
  const next =
    `select seq, doc from (select seq, doc, sum(octet_length(doc)) over (order by seq) - octet_length(doc) as before ` +
    `from (select seq, doc from ${waiting} where account_id = $1 and seq > $2 order by seq limit ${chunk.rows}) w) w ` +
    `where before < ${chunk.bytes} order by seq`
  return async (account, after) => {
    const { rows } = await longQuery<{ seq: unknown; doc: string }>(client, next, [account, after])
    if (rows.length === 0) return undefined
    const values = rows.map(({ doc }) => fill(doc, table))
    const columns = filled.map((name) => values.map((value) => stored(value[name] ?? null)))
    const seqs = rows.map(({ seq }) => seq)
    const added = await longQuery(client, add, [account, seqs, values.map(isRead), ...columns])
    if (added.rowCount !== rows.length) throw new Error(`moved ${added.rowCount} of ${rows.length} records of ${table}`)
    return { rows: rows.length, last: rows.at(-1)!.seq }
  }
}

/** A value as PostgreSQL accepts it: its text cannot contain NUL. */
const stored = (value: string | number | null): string | number | null =>
  typeof value === 'string' ? value.replaceAll('\0', '\uffff') : value

/** The columns of a table by name, in order, with their types. */
async function columnsOf(client: Pg.ClientBase, table: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await longQuery<{ name: string; type: string }>(
    client,
    `select attname::text as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  )
  return new Map(rows.map(({ name, type }) => [name, type]))
}

const countIn = async (client: Pg.ClientBase, table: string): Promise<number> =>
  Number((await longQuery<{ n: string }>(client, `select count(*)::text as n from ${table}`)).rows[0]!.n)

/** Throws `database_corrupt` unless every old row has its record and its text: the transaction then takes all back. */
async function refuseLoss(client: Pg.ClientBase, table: FilledTable): Promise<void> {
  const [old, records, texts] = [
    await countIn(client, waitingOf(table)),
    await countIn(client, table),
    await countIn(client, docsOf(table)),
  ]
  if (old !== records || old !== texts)
    throw new ShipxError(
      'database_corrupt',
      `${table} had ${old} rows, and would have ${records} records and ${texts} texts; nothing was changed`,
    )
}
