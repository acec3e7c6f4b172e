// Creates the schema in PostgreSQL or brings it up to date, by one process at a time.
import type Pg from 'pg'
import { ShipxError } from '../../domain/errors.ts'
import { filledTables, steps, type Fill } from './migrations.ts'
import { postgresStep } from './postgresstep.ts'
import { answerTimeouts, type PostgresOpening } from './pool.ts'

/** The lock for changing the schema, one process at a time; the number is "shpx". */
const schemaLock = 0x73687078

/** Creates the schema or brings it up to date, if allowed. */
export async function prepare(client: Pg.PoolClient, opening: PostgresOpening): Promise<void> {
  const known = await schemaOf(client)
  if (known === steps.length) return
  if (known > steps.length) throw newer(known)
  if (opening.mayChange === false)
    throw new ShipxError('database_read_only', `the database has schema ${known}; this shipx needs ${steps.length}`, {
      hint: 'run a command that changes it, such as shipx local init',
    })
  await migratePostgres(client, opening.partitions ?? 0)
}

const newer = (known: number): ShipxError =>
  new ShipxError('database_newer', `the database has schema ${known}; this shipx knows up to ${steps.length}`, {
    hint: 'npm install -g shipx@latest',
  })

/** The step of the database; 0 without our tables. Throws `database_foreign` if another program has tables there. */
async function schemaOf(client: Pg.ClientBase): Promise<number> {
  const found = await client.query<{ ours: boolean; others: number }>(
    `select to_regclass('shipx_schema') is not null as ours,
       (select count(*) from pg_tables where schemaname = current_schema())::int as others`,
  )
  const { ours, others } = found.rows[0]!
  if (!ours && others > 0)
    throw new ShipxError('database_foreign', 'the database contains tables of another program', {
      hint: 'name an empty database',
    })
  if (!ours) return 0
  return (await client.query<{ version: number }>('select version from shipx_schema')).rows[0]!.version
}

/** Runs a statement that may take long. */
const long = <R extends Pg.QueryResultRow>(
  client: Pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<Pg.QueryResult<R>> =>
  client.query({ text, values: [...values], query_timeout: answerTimeouts.schema } as Pg.QueryConfig)

/** Records whose columns one statement fills. */
const filledAtOnce = 1000

/** Fills columns from the text of each record. */
async function fillColumns(client: Pg.ClientBase, fill: Fill): Promise<void> {
  const accounts = await client.query<{ id: number }>('select id from accounts order by id')
  for (const table of filledTables)
    for (const { id } of accounts.rows)
      for (let after: unknown = -1; after !== undefined;) after = await fillNext(client, fill, table, id, after)
}

/** Fills the next records of an account after a `seq`; returns the last `seq`, undefined at the end. */
async function fillNext(
  client: Pg.ClientBase,
  fill: Fill,
  table: string,
  account: number,
  after: unknown,
): Promise<unknown> {
  const { rows } = await long<{ seq: unknown; doc: string }>(
    client,
    `select seq, doc from ${table} where account_id = $1 and seq > $2 order by seq limit ${filledAtOnce}`,
    [account, after],
  )
  if (rows.length === 0) return undefined
  const names = Object.keys(fill(''))
  const filled = rows.map(({ doc }) => fill(doc))
  const lists = names.map((_, i) => `$${i + 3}::text[]`).join(', ')
  await long(
    client,
    `update ${table} r set ${names.map((name) => `${name} = v.${name}`).join(', ')}
     from unnest($2::bigint[], ${lists}) v (seq, ${names.join(', ')})
     where r.account_id = $1 and r.seq = v.seq`,
    [account, rows.map(({ seq }) => seq), ...names.map((name) => filled.map((values) => values[name]))],
  )
  return rows.at(-1)!.seq
}

/** Creates the schema or brings it up to date, in one transaction and under a lock that all replicas use. */
export async function migratePostgres(client: Pg.ClientBase, partitions: number): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '60s'; set local statement_timeout = '1h'`)
    await long(client, `select pg_advisory_xact_lock(${schemaLock})`)
    // Another process may have done it while this one waited.
    const known = await schemaOf(client)
    if (known > steps.length) throw newer(known)
    let spread = partitions
    if (known === 0) {
      await long(client, 'create extension if not exists pg_trgm; create extension if not exists btree_gin')
      // If the database knows only ASCII letters, the search index holds nothing of a name in Devanagari or Tamil.
      const letters = await client.query<{ known: boolean }>(`select cardinality(show_trgm('मोबाइल')) > 0 as known`)
      if (letters.rows[0]?.known !== true)
        throw new ShipxError(
          'database_foreign',
          'the database does not support letters beyond ASCII, so searches would miss them',
          {
            hint: "create database … template template0 encoding 'UTF8' lc_ctype 'C.UTF-8' lc_collate 'C.UTF-8'",
          },
        )
      await client.query(`create table shipx_schema (version bigint not null, partitions bigint not null)`)
      await client.query('insert into shipx_schema (version, partitions) values (0, $1)', [partitions])
    } else
      spread = (await client.query<{ partitions: number }>('select partitions from shipx_schema')).rows[0]!.partitions
    for (const step of steps.slice(known)) {
      await long(client, postgresStep(step, Number(spread)))
      if (step.fill !== undefined) await fillColumns(client, step.fill)
    }
    await client.query('update shipx_schema set version = $1', [steps.length])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
