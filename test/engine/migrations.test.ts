// A database of an older shipx is copied, then brought up to date in one step, whoever opens it first; one that may only be
// read is left as it is.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import driver from 'better-sqlite3'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { ShipxError } from '../../src/domain/errors.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { readSent } from '../../src/domain/foreign/records.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { cardVersions, saveCard } from '../../src/engine/accounts/ratecards.ts'
import { applicationId, sqliteStep, steps } from '../../src/engine/database/migrations.ts'
import { rows, type Row } from '../../src/engine/database/port.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { saveSent } from '../../src/engine/transfer/mirror.ts'
import { openEngine, openPostgresEngine, temporaryPath, testHost, type TestEngine } from '../support/engine.ts'
import { changed } from '../support/mangledrecords.ts'
import { program as shipx } from '../support/program.ts'
import { first } from '../support/size.ts'

/** A database as the first release of its schema left it, with a store in it. */
function oldDatabase(): string {
  const path = temporaryPath('old.sqlite')
  const db = driver(path)
  db.pragma('journal_mode = WAL')
  db.exec(sqliteStep(steps[0]!))
  db.exec(
    "insert into accounts values (1, 'default', 1); insert into stores values (1, 's1', 'acme', null, 'manual_order', 'connected', null, null, 1, 1)",
  )
  db.pragma(`application_id = ${applicationId}`)
  db.pragma('user_version = 1')
  db.close()
  return path
}

const versionOf = (path: string): unknown => {
  const db = driver(path, { readonly: true })
  try {
    return [db.pragma('user_version', { simple: true }), db.prepare('select store_name from stores').pluck().all()]
  } finally {
    db.close()
  }
}

test('an older database keeps its data, gets what is new, and leaves a copy of itself', async () => {
  const path = oldDatabase()
  await openSqlite(driver, { path }).close()
  expect(versionOf(path)).toEqual([steps.length, ['acme']])
  expect(versionOf(`${path}.schema-1.bak`)).toEqual([1, ['acme']])
  const engine = await openEngine(path)
  expect((await engine.service.listStores({})).data.map((store) => store.store_name)).toEqual(['acme'])
  await engine.close()
})

const places = ['shipments', 'returns'].flatMap((table) =>
  ['city', 'state', 'pincode'].map((column) => [table, column] as const),
)

/** Takes the schema back to what it was before records had columns for their place, and cards had versions. */
const unplaced = [
  ...places.map(([table, column]) => `drop index ${table}_${column}`),
  ...places.map(([table, column]) => `alter table ${table} drop column ${column}`),
  'drop table charges',
  'drop table skus',
  'drop table ndr_answers',
  'alter table ratecards add column card text',
  'update ratecards set card = (select card from card_versions v where v.name = ratecards.name)',
  'drop table card_versions',
]

/** Two cards as they were saved before there were versions: one is always valid, the other from a day. */
const cards = [null, '2026-10-01'].map((valid_from, i) => ({ ...sampleCard, name: `card-${i}`, valid_from }))

/** The versions of these cards. */
const versionsIn = ({ database, account }: TestEngine) =>
  database.read(function* () {
    return [...(yield* cardVersions(account, 'card-0')), ...(yield* cardVersions(account, 'card-1'))]
  })

/** Records as they come: our own, what mishaps make of them, and those of another deployment. */
const foreign = [
  null,
  [],
  'Pune',
  { city: 7, state: true, zip: 560001 },
  { state: 'DL', zip: 1.5e5 },
  { city: 'é'.repeat(900) },
]
const sentTexts = foreign.map((shipping_address, n) =>
  JSON.stringify({ id: `foreign-${n}`, attributes: { created_at: '2026-09-01T00:00:00Z', shipping_address } }),
)

/** Fills an engine with them. */
async function fillPlaces({ database, account, save }: TestEngine): Promise<void> {
  await save('shipment', changed.shipments)
  await save('return', changed.returns)
  const sent = sentTexts.map((text) => readSent('shipments', text)!)
  await database.write(() => saveSent(database.dialect, account, 'shipments', sent))
  for (const card of cards) await database.write(() => saveCard(account, card, 1))
}

/** The places of each record as its row has them. */
const placesIn = ({ database }: TestEngine): Promise<readonly Row[]> => {
  const each = ['shipments', 'returns'].map((of) => `select '${of}' as kind, id, city, state, pincode from ${of}`)
  const text = `${each.join(' union all ')} order by kind, id`
  return database.read(() => rows({ sql: text, text, values: [] }))
}

test('records of a database without places get the same ones as records that are saved now, on SQLite', async () => {
  const path = temporaryPath()
  const before = await openEngine(path)
  await fillPlaces(before)
  const wanted = await placesIn(before)
  await before.close()
  const db = driver(path)
  // The wide indexes, which SQLite alone has, hold the state.
  for (const table of ['shipments', 'returns']) db.exec(`drop index ${table}_wide`)
  for (const statement of unplaced) db.exec(statement)
  for (const table of ['shipments', 'returns']) db.exec(`create index ${table}_wide on ${table} (account_id)`)
  // A damaged record does not keep its database from opening.
  db.exec("insert into shipments (seq, account_id, id, created_at, doc) values (900000, 1, 'damaged', 1, '{')")
  db.pragma('user_version = 5')
  db.close()
  const engine = await openEngine(path)
  const found = await placesIn(engine)
  expect(found.filter(({ id }) => id !== 'damaged')).toEqual(wanted)
  expect(await versionsIn(engine)).toEqual(cards)
  expect(found.find(({ id }) => id === 'damaged')).toMatchObject({ city: null, state: null, pincode: null })
  const inDelhi = wanted.filter(({ kind, state }) => kind === 'shipments' && state === 'Delhi')
  expect(inDelhi.length).toBeGreaterThan(3)
  const { meta } = await engine.service.listShipments(parseInput('listShipments', { state: 'dl' }))
  expect(meta.total).toBe(inDelhi.length)
  await engine.close()
})

test.each(first(1, [0, 4]))('and on PostgreSQL in %i partitions', async (partitions) => {
  const engine = await openPostgresEngine(testHost(), partitions === 0 ? {} : { partitions })
  onTestFinished(() => engine.close())
  await fillPlaces(engine)
  const wanted = await placesIn(engine)
  const client = new pg.Client({ connectionString: engine.url })
  await client.connect()
  await client.query([...unplaced, 'update shipx_schema set version = 5'].join(';\n'))
  await client.end()
  const host = { chance: Math.random, ticks: Date.now, sleep: () => Promise.resolve() }
  await (await openPostgres(pg, { url: engine.url, ...host })).close()
  expect(await placesIn(engine)).toEqual(wanted)
  expect(await versionsIn(engine)).toEqual(cards)
})

test('opened for reading only it is refused and not touched', () => {
  const path = oldDatabase()
  const before = readFileSync(path)
  let error: ShipxError | undefined
  try {
    openSqlite(driver, { path, readOnly: true })
  } catch (caught) {
    error = caught as ShipxError
  }
  expect(error?.code).toBe('database_read_only')
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('four commands that meet an older database at once all work, and it is brought up to date once', async () => {
  const path = oldDatabase()
  const ends = await Promise.all(
    [1, 2, 3, 4].map(
      (n) =>
        new Promise<readonly [number | null, string]>((resolve) => {
          let said = ''
          const child = spawn(
            process.execPath,
            [shipx, 'stores', 'create', '--name', `s-${n}`, '--db', path, '--ids'],
            { stdio: ['ignore', 'ignore', 'pipe'] },
          )
          child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
          child.on('close', (code) => resolve([code, said]))
        }),
    ),
  )
  expect(ends.map(([code, said]) => [code, said.replace(/^! .*\n/gm, '')])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
    [0, ''],
  ])
  expect(versionOf(path)).toEqual([steps.length, expect.arrayContaining(['acme', 's-1', 's-2', 's-3', 's-4'])])
  expect(existsSync(`${path}.schema-1.bak`)).toBe(true)
  // It holds what the database holds, and is as private.
  expect((statSync(`${path}.schema-1.bak`).mode & 0o777).toString(8)).toBe('600')
})
