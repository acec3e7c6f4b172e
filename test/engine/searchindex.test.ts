// The search index of SQLite when many records are saved together.
import { driver } from '../support/sqlite.ts'
import { expect, test } from 'vitest'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { openEngine, temporaryPath, testNow } from '../support/engine.ts'

const plan = { returns: 0, stores: 3, days: 30, seed: 7, now: testNow }

test('records that are saved together become one part of the search index, not one part each', async () => {
  const path = temporaryPath()
  const engine = await openEngine(path)
  await engine.save('shipment', seedShipments({ ...plan, shipments: 512 }))
  await engine.close()
  const db = new driver(path)
  // SQLite merges parts later, which is most of the work of the index.
  const parts = db.prepare('select count(distinct segid) from shipment_fts_idx').pluck().get()
  db.prepare("insert into shipment_fts (shipment_fts, rank) values ('integrity-check', 1)").run()
  db.close()
  expect(parts).toBe(1)
})

test.each([1, 2, 3, 31, 700])('all of %i records saved together are found by their own numbers', async (count) => {
  const engine = await openEngine()
  const records = [...seedShipments({ ...plan, shipments: count })]
  await engine.save('shipment', records)
  for (const record of [records[0]!, records[count >> 1]!, records.at(-1)!]) {
    const { tracking_number: search } = record.attributes
    if (typeof search !== 'string') continue
    const { records: found } = await engine.service.listShipments({ search } as never)
    expect(found.map((text) => (JSON.parse(text) as { id: string }).id)).toContain(record.id)
  }
  await engine.close()
})
