// A PostgreSQL database of an older shipx is brought up to date beside programs that still use it: nothing of theirs is lost,
// and they fail with a clear error instead of wrong answers.
// @module-tag full: migrations that are killed
import { driver } from '../support/sqlite.ts'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import { filledTables, steps, type Watch } from '../../src/engine/database/migrations.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { postgresStep } from '../../src/engine/database/postgresstep.ts'
import { updateSqlite } from '../../src/engine/database/sqliteupdate.ts'
import { openPostgresEngine, temporaryPath, testHost } from '../support/engine.ts'
import { putOldFile, recordsIn, type Values } from '../support/oldfiles.ts'
import { ask, connected, createDatabase, databaseUrl, dropDatabase } from '../support/postgresclient.ts'
import { first } from '../support/size.ts'

/** Tables that the records of a file need, or that steps change. */
// prettier-ignore
const kept = ['accounts', 'ratecards', 'shipments', 'returns', 'shipment_skus', 'shipment_tags', 'shipment_search', 'return_skus', 'return_search']

/** PostgreSQL's text cannot contain NUL. */
const storable = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\uffff') : value)

/** A database of an earlier schema on the server of the run, with what that version's file has. */
async function oldServer(schema: 5 | 11, partitions = 0): Promise<{ readonly url: string; readonly file: string }> {
  const file = temporaryPath('old.sqlite')
  putOldFile(schema, file)
  const { url: server, prefix } = inject('postgres')
  const name = `${prefix}_old_${Math.random().toString(36).slice(2)}`
  await createDatabase(server, name, 'template0')
  onTestFinished(() => dropDatabase(server, name))
  const url = databaseUrl(server, name)
  const db = new driver(file, { readonly: true })
  await connected(url, async (client) => {
    await client.query('create extension pg_trgm; create extension btree_gin')
    await client.query('create table shipx_schema (version bigint not null, partitions bigint not null)')
    await client.query('insert into shipx_schema values ($1, $2)', [schema, partitions])
    for (const step of steps.slice(0, schema)) await client.query(postgresStep(step, partitions))
    // A partition that was split by hand has another name.
    if (partitions > 0) await client.query('alter table shipments_p1 rename to shipments_p1_rest')
    for (const table of kept)
      for (const row of db.prepare(`select * from ${table}`).all() as Values[]) {
        const names = Object.keys(row)
        const marks = names.map((_, i) => `$${i + 1}`)
        await client.query(
          `insert into ${table} (${names.join(', ')}) values (${marks.join(', ')})`,
          Object.values(row).map(storable),
        )
      }
  })
  db.close()
  return { url, file }
}

const opening = (url: string, watch: Watch = async () => undefined) => ({
  url,
  watch,
  chance: Math.random,
  ticks: Date.now,
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
})

const update = async (url: string, watch?: Watch): Promise<void> =>
  (await openPostgres(pg, opening(url, watch))).close()

/** The records of a server, as `recordsIn`. */
async function recordsAt(url: string): Promise<ReadonlyMap<string, Values>> {
  const found = filledTables.map(async (table) => {
    const docs = `${table.slice(0, -1)}_docs`
    const rows = await ask<{ values: Values; doc: string }>(
      url,
      `select to_jsonb(r) - 'seq' as values, d.doc from ${table} r join ${docs} d using (account_id, seq)`,
    )
    return rows.map(
      ({ values, doc }) => [`${table} ${values['account_id']} ${values['id']}`, { ...values, doc }] as const,
    )
  })
  return new Map((await Promise.all(found)).flat())
}

const indexesAt = async (url: string): Promise<readonly string[]> =>
  (
    await ask<{ name: string }>(
      url,
      `select tablename || ' ' || indexdef as name from pg_indexes where tablename ~ '^(shipment|return)' order by 1`,
    )
  ).map(({ name }) => name)

test.each(
  first(1, [
    [5, 4],
    [11, 0],
  ] as const),
)('schema %i in %i partitions gets the columns, texts and indexes that a file gets', async (schema, partitions) => {
  const { url, file } = await oldServer(schema, partitions)
  const told: string[] = []
  await update(url, async (phase) => void told.push(phase))
  expect(new Set(told)).toEqual(new Set(['records', 'indexes']))
  await updateSqlite(driver, { path: file })
  const [found, wanted] = [await recordsAt(url), recordsIn(file)]
  for (const [key, values] of wanted)
    expect([key, found.get(key)]).toEqual([
      key,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, storable(value)])),
    ])
  expect(found.size).toBe(wanted.size)
  const fresh = await openPostgresEngine(testHost(), partitions === 0 ? {} : { partitions })
  onTestFinished(() => fresh.close())
  expect(await indexesAt(url)).toEqual(await indexesAt(fresh.url))
})

const insert = (id: string): readonly [string, readonly unknown[]] => [
  `insert into shipments (seq, account_id, id, created_at, doc) values ($1, 1, $2, 1, $3)`,
  [
    5_000_000 + id.length,
    id,
    JSON.stringify({ id, type: 'shipment', attributes: { created_at: '2026-09-01T00:00:00Z' } }),
  ],
]

test('a record that an old program is writing when the update begins is moved with its text', async () => {
  const { url } = await oldServer(11)
  await connected(url, async (old) => {
    await old.query('begin')
    await old.query(...(insert('before') as [string, unknown[]]))
    const updated = update(url)
    for (let n = 0; (await waiting(url)) === 0; n++) if (n === 200) throw new Error('the update does not wait')
    await old.query('commit')
    await updated
  })
  expect((await recordsAt(url)).get('shipments 1 before')?.['doc']).toContain('"id":"before"')
})

/** How many sessions wait for a lock. */
const waiting = async (url: string): Promise<number> =>
  (
    await ask<{ n: number }>(
      url,
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  )[0]!.n

test('an old program that writes and reads during the update waits and then fails: nothing of it is there in part', async () => {
  const { url } = await oldServer(11)
  const codes: string[] = []
  const fail = (error: unknown): void => void codes.push((error as { code: string }).code)
  await connected(url, async (writer) => {
    await connected(url, async (reader) => {
      const asked: Promise<unknown>[] = []
      await update(url, async (phase) => {
        if (asked.length > 0 || phase !== 'records') return
        asked.push(writer.query(...(insert('between') as [string, unknown[]])).catch(fail))
        asked.push(reader.query('select doc from shipments').catch(fail))
        for (let n = 0; (await waiting(url)) < 2; n++) if (n === 200) throw new Error('they do not wait')
      })
      await Promise.all(asked)
    })
  })
  expect(codes).toEqual(['42703', '42703'])
  expect((await recordsAt(url)).has('shipments 1 between')).toBe(false)
})

test('an update that fails in the middle takes everything back, and the next one does it', async () => {
  const { url } = await oldServer(5)
  const before = await ask(url, 'select id, doc from shipments order by id')
  const failing: Watch = async (phase, done) => {
    if (phase === 'indexes' && done === 3) throw new Error('the process ends')
  }
  await expect(update(url, failing)).rejects.toThrow('the process ends')
  expect(await ask(url, 'select id, doc from shipments order by id')).toEqual(before)
  expect(await ask(url, 'select version::int from shipx_schema')).toEqual([{ version: 5 }])
  await Promise.all([update(url), update(url), update(url)])
  expect((await recordsAt(url)).size).toBeGreaterThan(40)
})

test('a running program whose database was changed by a newer one says so, instead of an inner fault', async () => {
  const engine = await openPostgresEngine()
  onTestFinished(() => engine.close())
  const listed = (): Promise<unknown> => engine.service.listShipments(parseInput('listShipments', {}))
  await engine.database.current()
  await ask(engine.url, 'alter table shipment_docs rename column doc to text')
  await expect(listed()).rejects.toMatchObject({ code: '42703' })
  await ask(engine.url, `update shipx_schema set version = ${steps.length + 1}`)
  const newer = {
    code: 'unavailable',
    message: `the database has schema ${steps.length + 1}; this shipx knows up to ${steps.length}`,
  }
  await expect(listed()).rejects.toMatchObject(newer)
  await expect(engine.database.current()).rejects.toMatchObject(newer)
})
