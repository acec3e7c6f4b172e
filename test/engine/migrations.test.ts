// A database of an older shipx is copied, then brought up to date in one step, whoever opens it first; one that may only be
// read is left as it is.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import driver from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { ShipxError } from '../../src/domain/errors.ts'
import { applicationId, sqliteStep, steps } from '../../src/engine/database/migrations.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { openEngine, temporaryPath } from '../support/engine.ts'
import { program as shipx } from '../support/program.ts'

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
