// Defends what is said of damage in a file that SQLite itself does not call damage.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { updateSqlite } from '../../src/engine/database/sqliteupdate.ts'
import { putOldFile } from '../support/oldfiles.ts'
import { openEngine, temporaryPath, testNow } from '../support/engine.ts'
import { driver } from '../support/sqlite.ts'

test('a listing of all that comes upon a record that is no JSON any more says that the file is damaged', async () => {
  const path = temporaryPath()
  const { save, service, close } = await openEngine(path)
  await save('shipment', seedShipments({ shipments: 3, returns: 0, stores: 1, days: 5, seed: 1, now: testNow }))
  const db = new driver(path)
  db.exec("pragma ignore_check_constraints = on; update shipment_docs set doc = '{' || doc")
  db.close()
  const { batches } = await service.walkShipments({})
  await expect(batches[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'database_corrupt' })
  await close()
})

/** Where the leaf of a table with most of its rows begins in a file, and how many it has. */
function pageOf(path: string, table: string): { readonly at: number; readonly rows: number } {
  const db = new driver(path)
  const leaf =
    "select pageno as page, ncell as rows from dbstat where name = ? and pagetype = 'leaf' order by rows desc"
  const { page, rows } = db.prepare(leaf).get(table) as Readonly<Record<'page' | 'rows', number>>
  const at = (page - 1) * (db.pragma('page_size', { simple: true }) as number)
  db.close()
  return { at, rows }
}

/** Has a leaf name its first row in the place of its last one as well. */
function repeatFirst(path: string, table: string): void {
  const { at, rows } = pageOf(path, table)
  const bytes = readFileSync(path)
  bytes.writeUInt16BE(bytes.readUInt16BE(at + 8), at + 8 + 2 * (rows - 1))
  writeFileSync(path, bytes)
}

test('a file whose head names a format of tables that there is not is said to be damaged', async () => {
  const path = temporaryPath()
  await (await openEngine(path)).close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.from([9]), 0, 1, 47)
  closeSync(file)
  expect(() => openSqlite(driver, { path })).toThrow(expect.objectContaining({ code: 'database_corrupt' }))
})

test.each([-5, 1005])(
  'a file whose head names schema %i is said to be damaged, and no step is taken',
  async (version) => {
    const path = temporaryPath()
    await (await openEngine(path)).close()
    const db = new driver(path)
    db.pragma(`user_version = ${version}`)
    db.close()
    const before = readFileSync(path)
    expect(() => openSqlite(driver, { path })).toThrow(expect.objectContaining({ code: 'database_corrupt' }))
    await expect(updateSqlite(driver, { path })).rejects.toMatchObject({ code: 'database_corrupt' })
    expect(readFileSync(path).equals(before)).toBe(true)
  },
)

test('a record that is twice in an older file ends its update, which says so and changes nothing', async () => {
  const path = temporaryPath()
  putOldFile(11, path)
  repeatFirst(path, 'returns')
  const before = readFileSync(path)
  await expect(updateSqlite(driver, { path })).rejects.toMatchObject({
    code: 'database_corrupt',
    message: expect.stringContaining('it cannot be brought up to date (UNIQUE constraint failed: returns.seq)'),
  })
  expect(readFileSync(path).equals(before)).toBe(true)
})

test('a search index that names a format that there is not is said to be damaged by what writes to it', async () => {
  const path = temporaryPath()
  await (await openEngine(path)).close()
  const bytes = readFileSync(path)
  // SQLite lets nobody write to the tables of an index.
  const value = bytes.indexOf('version\u0004', pageOf(path, 'shipment_fts_config').at) + 'version'.length
  bytes.writeUInt8(0, value)
  writeFileSync(path, bytes)
  const { save, close } = await openEngine(path)
  const [shipment] = seedShipments({ shipments: 1, returns: 0, stores: 1, days: 5, seed: 1, now: testNow })
  await expect(save('shipment', [shipment!])).rejects.toMatchObject({ code: 'database_corrupt' })
  await close()
})
