// A database of an older shipx is copied, then brought up to date, whoever opens it first; one that may only be read is left
// as it is. Many records: move.test.ts.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { driver } from '../support/sqlite.ts'
import { describe, expect, test } from 'vitest'
import type { ShipxError } from '../../src/domain/errors.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { readSent } from '../../src/domain/foreign/records.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { cardVersions } from '../../src/engine/accounts/ratecards.ts'
import { applicationId, sqliteStep, steps } from '../../src/engine/database/migrations.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { createSchema, inspect, schemaOf } from '../../src/engine/database/sqliteschema.ts'
import { checkSqlite } from '../../src/engine/database/sqlitecheck.ts'
import { updateSqlite } from '../../src/engine/database/sqliteupdate.ts'
import { saveSent } from '../../src/engine/transfer/mirror.ts'
import { openEngine, temporaryPath, type TestEngine } from '../support/engine.ts'
import { putOldFile, recordsIn, textsIn } from '../support/oldfiles.ts'
import { program as shipx } from '../support/program.ts'
import { first } from '../support/size.ts'

/** A database as the first release of its schema left it, with a store in it. */
function oldDatabase(): string {
  const path = temporaryPath('old.sqlite')
  const db = new driver(path)
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
  const db = new driver(path, { readonly: true })
  try {
    return [db.pragma('user_version', { simple: true }), db.prepare('select store_name from stores').pluck().all()]
  } finally {
    db.close()
  }
}

test('an older database keeps its data, gets what is new, and leaves a copy of itself', async () => {
  const path = oldDatabase()
  await updateSqlite(driver, { path })
  expect(versionOf(path)).toEqual([steps.length, ['acme']])
  expect(versionOf(`${path}.schema-1.bak`)).toEqual([1, ['acme']])
  const engine = await openEngine(path)
  expect((await engine.service.listStores({})).data.map((store) => store.store_name)).toEqual(['acme'])
  await engine.close()
})

test('a new file was called a database of another program while another process made its schema', async () => {
  const path = temporaryPath('first.sqlite')
  const db = new driver(path)
  db.pragma('journal_mode = WAL')
  let made = false
  const watched = new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(value, target, args)
        if (name === 'pragma' && args[0] === 'application_id' && !made) {
          made = true
          const other = new driver(path)
          createSchema(other, path)
          other.close()
        }
        return answer
      }
    },
  })
  expect(inspect(watched, path)).toBe(0)
  expect(made).toBe(true)
  expect(inspect(db, path)).toBe(steps.length)
  db.close()
})

/** The schema of a file, as its statements. */
function statementsIn(path: string): readonly unknown[] {
  const db = new driver(path, { readonly: true })
  try {
    const all = "select type || ' ' || name || ' ' || coalesce(sql, '') from sqlite_schema order by 1"
    return (db.prepare(all).pluck().all() as string[]).map((text) => text.replaceAll(/\s+/g, ' '))
  } finally {
    db.close()
  }
}

/** Saves texts of records into an engine as they come from another deployment. */
async function saveTexts(engine: TestEngine, texts: ReadonlyMap<string, string>): Promise<void> {
  const others = { 1: engine, 2: await engine.as('second') } as Readonly<Record<string, TestEngine>>
  for (const [key, text] of texts) {
    const [table, account] = key.split(' ') as ['shipments' | 'returns', string]
    const { database, account: id } = others[account]!
    if (text !== '{') await database.write(() => saveSent(database.dialect, id, table, [readSent(table, text)!]))
  }
}

/** A row of an old file in today's columns: a lost return had no status there, which views and sums give it. */
const inToday = (values: Record<string, unknown>): Record<string, unknown> =>
  values['granular_status'] === 'return_lost' && values['status'] === null ? { ...values, status: 'lost' } : values

/** Two cards as they were saved before there were versions: one is always valid, the other from a day. */
const cards = [null, '2026-10-01'].map((valid_from, i) => ({ ...sampleCard, name: `card-${i}`, valid_from }))

describe.each(first(1, [5, 7, 11] as const))('a file whose texts lie in the records, of schema %i', (schema) => {
  test('kept statuses, zones and weights of an import in a form that no filter finds', async () => {
    const path = temporaryPath('old.sqlite')
    putOldFile(schema, path)
    const db = new driver(path)
    const [id, other] = db.prepare("select id from shipments where account_id = 1 and doc <> '{' limit 2").pluck().all()
    const sent = {
      status: 'DELIVERED',
      granular_status: 'DELIVERED',
      zone: 'C',
      applied_weight: { value: 0.5, metric_unit: 'kg' },
    }
    const changes = Object.entries(sent).map(
      ([name, value]) => `'$.attributes.${name}', json('${JSON.stringify(value)}')`,
    )
    db.exec(`update shipments set status = 'DELIVERED', granular_status = 'DELIVERED', zone = 'C', applied_weight = 500,
      doc = json_set(doc, ${changes.join(', ')}) where id = '${String(id)}' and account_id = 1`)
    db.exec(`update shipments set applied_weight = 2000, doc = json_set(doc, '$.attributes.applied_weight',
      json('{"value":2,"metric_unit":"lb"}')) where id = '${String(other)}' and account_id = 1`)
    db.close()
    await updateSqlite(driver, { path })
    expect(recordsIn(path).get(`shipments 1 ${String(other)}`)).toMatchObject({ applied_weight: null })
    expect(recordsIn(path).get(`shipments 1 ${String(id)}`)).toMatchObject({
      status: 'delivered',
      granular_status: 'delivered',
      zone: 'zone_c',
      applied_weight: 500_000,
    })
  })
})

describe.each(first(1, [5, 7, 11, 13] as const))('a file that shipx wrote with schema %i', (schema) => {
  test('has the same columns as records that are saved now, the same texts, and the same schema', async () => {
    const [path, fresh] = [temporaryPath('old.sqlite'), temporaryPath('fresh.sqlite')]
    putOldFile(schema, path)
    const texts = textsIn(path)
    expect(texts.size).toBeGreaterThan(40)
    await updateSqlite(driver, { path })
    const found = recordsIn(path)
    expect(new Map([...found].map(([key, { doc }]) => [key, doc]))).toEqual(texts)
    const engine = await openEngine(fresh)
    await saveTexts(engine, texts)
    await engine.close()
    const wanted = recordsIn(fresh)
    for (const [key, values] of found)
      if (key !== 'shipments 1 damaged') expect([key, inToday(values)]).toEqual([key, wanted.get(key)])
    expect(found.size).toBe(wanted.size + 1)
    expect(statementsIn(path)).toEqual(statementsIn(fresh))
    expect(checkSqlite(driver, path)).toEqual(['1 record of shipments cannot be read'])
  })

  test('answers filters on places, sums, and versions of cards; a damaged record is counted as unread', async () => {
    const path = temporaryPath('old.sqlite')
    putOldFile(schema, path)
    await updateSqlite(driver, { path })
    const found = recordsIn(path)
    expect(found.get('shipments 1 damaged')).toMatchObject({
      city: null,
      total_price: null,
      unread_amount: 1,
      doc: '{',
    })
    const engine = await openEngine(path)
    const inDelhi = [...found].filter(([key, { state }]) => key.startsWith('shipments 1 ') && state === 'Delhi')
    expect(inDelhi.length).toBeGreaterThan(0)
    const { meta } = await engine.service.listShipments(parseInput('listShipments', { state: 'dl' }))
    expect(meta.total).toBe(inDelhi.length)
    const versions = await engine.database.read(function* () {
      return [...(yield* cardVersions(1, 'card-0')), ...(yield* cardVersions(1, 'card-1'))]
    })
    expect(versions).toEqual(cards)
    await engine.close()
  })
})

describe('a file of schema 13, whose search index is made anew', () => {
  const search = async (path: string): Promise<readonly unknown[]> => {
    const engine = await openEngine(path)
    const asked = ['bhavana', 'bha', 'zzz', 'hava', 'bhavana zz'].map(async (word) => {
      const { meta } = await engine.service.listShipments(parseInput('listShipments', { search: word }))
      return [word, meta.total]
    })
    const found = await Promise.all(asked)
    await engine.close()
    return found
  }

  test('answers searches as records that are saved now; ended in the middle, nothing has changed', async () => {
    const [path, fresh] = [temporaryPath('old.sqlite'), temporaryPath('fresh.sqlite')]
    putOldFile(13, path)
    const before = statementsIn(path)
    let told = 0
    const ends = updateSqlite(driver, {
      path,
      watch: async (phase) => {
        if (phase === 'search' && ++told === 1) throw new Error('ends here')
      },
    })
    await expect(ends).rejects.toThrow('ends here')
    expect([schemaOf(driver, path).at, statementsIn(path)]).toEqual([13, before])
    rmSync(`${path}.schema-13.bak`)
    await updateSqlite(driver, { path })
    const engine = await openEngine(fresh)
    await saveTexts(engine, textsIn(path))
    await engine.close()
    const found = await search(path)
    expect(found).toEqual(await search(fresh))
    expect(found[0]).not.toEqual(['bhavana', 0])
    const db = new driver(path)
    for (const kind of ['shipment', 'return'])
      db.prepare(`insert into ${kind}_fts (${kind}_fts, rank) values ('integrity-check', 1)`).run()
    db.close()
  })
})

test('an update said "Updating its indexes 10,000 of 36"', async () => {
  const path = temporaryPath('told.sqlite')
  putOldFile(5, path)
  const told: [phase: string, done: number, all: number][] = []
  await updateSqlite(driver, { path, watch: async (...one) => void told.push(one) })
  for (const phase of ['records', 'indexes', 'search']) {
    const counts = told.filter(([name]) => name === phase)
    const [[, , all]] = counts as [[string, number, number]]
    expect([phase, all > 0, counts.every(([, done, of]) => done <= of && of === all)]).toEqual([phase, true, true])
  }
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
