// Defends what is said of damage in a file that SQLite itself does not call damage.
import { closeSync, openSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
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

test('a file whose head names a format of tables that there is not is said to be damaged', async () => {
  const path = temporaryPath()
  await (await openEngine(path)).close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.from([9]), 0, 1, 47)
  closeSync(file)
  expect(() => openSqlite(driver, { path })).toThrow(expect.objectContaining({ code: 'database_corrupt' }))
})
