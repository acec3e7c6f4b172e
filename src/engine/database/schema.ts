// Creates the schema in PostgreSQL or brings it up to date, by one process at a time.
import type Pg from 'pg'
import { ShipxError } from '../../domain/errors.ts'
import { moveAt, newerMeanwhile, steps, withoutIndexes, withoutRecords, type Watch } from './migrations.ts'
import { makeRecords, moveRecords } from './postgresmove.ts'
import { postgresStep } from './postgresstep.ts'
import { longQuery, type PostgresOpening } from './pool.ts'

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
  await migratePostgres(client, opening.partitions ?? 0, opening.watch)
}

const newer = (known: number): ShipxError =>
  new ShipxError('database_newer', `the database has schema ${known}; this shipx knows up to ${steps.length}`, {
    hint: 'use the newer shipx that wrote it',
  })

/**
 * Throws `unavailable` when the database has a newer schema than this program: where several serve, another one can
 * answer.
 */
export async function replaced(client: Pg.ClientBase, cause?: unknown): Promise<void> {
  const known = await schemaOf(client)
  if (known > steps.length) throw newerMeanwhile(known, cause)
}

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

/** Creates the schema or brings it up to date, in one transaction and under a lock that all replicas use. */
export async function migratePostgres(
  client: Pg.ClientBase,
  partitions: number,
  watch: Watch = async () => {},
): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '60s'; set local statement_timeout = '1h'`)
    await longQuery(client, `select pg_advisory_xact_lock(${schemaLock})`)
    // Another process may have done it while this one waited.
    const known = await schemaOf(client)
    if (known > steps.length) throw newer(known)
    let spread = partitions
    if (known === 0) {
      await longQuery(client, 'create extension if not exists pg_trgm; create extension if not exists btree_gin')
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
    for (const [n, step] of [...steps.entries()].slice(known)) {
      const { tables, postgres = '' } = step
      const kept = known === 0 ? withoutRecords : withoutIndexes
      if (n < moveAt) await longQuery(client, postgresStep({ tables: kept(tables), postgres }, Number(spread)))
      else if (n > moveAt) await longQuery(client, postgresStep(step, Number(spread)))
      else if (known === 0) await makeRecords(client, Number(spread))
      else await moveRecords(client, Number(spread), watch)
    }
    await client.query('update shipx_schema set version = $1', [steps.length])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
