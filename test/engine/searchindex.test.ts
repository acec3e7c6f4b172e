// The search index of SQLite when many records are saved together.
import { driver } from '../support/sqlite.ts'
import { expect, test } from 'vitest'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { importReady, readyRecord } from '../../src/engine/transfer/imports.ts'
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

const rule = "select v from shipment_fts_config where k = 'automerge'"
const usual = 4

test('while many records are imported, parts of the search index are merged late, and afterwards as usual', async () => {
  const path = temporaryPath()
  const engine = await openEngine(path)
  const { database, account, host } = engine
  const records = [...seedShipments({ ...plan, shipments: 3000 })]
  const ready = records.map((record) => readyRecord('shipments', record))
  const told: string[] = []
  const { searchMerges } = database.dialect
  const dialect = {
    ...database.dialect,
    searchMerges: (...[kind, when]: Parameters<NonNullable<typeof searchMerges>>) => {
      told.push(`${kind} ${when}`)
      return searchMerges!(kind, when)
    },
  }
  const save = (parts: Parameters<typeof importReady>[3]) =>
    database.write(() => importReady(dialect, account, 'shipments', parts, host.now()))
  const found = () => new driver(path, { readonly: true }).prepare(rule).pluck().get()

  await save([() => ready.slice(0, 500)])
  expect([told, found()]).toEqual([[], undefined])
  for (let at = 500; at < 3000; at += 500)
    await save([() => ready.slice(at, at + 250), () => ready.slice(at + 250, at + 500)])
  expect(told).toEqual(Array.from({ length: 5 }, () => ['shipment late', 'shipment usual']).flat())
  expect(found()).toBe(usual)

  const broken = (): never => {
    throw new Error('no part')
  }
  await expect(save([() => ready.slice(0, 5), broken])).rejects.toThrow('no part')
  expect(found()).toBe(usual)

  const shipped = records.findLast(({ attributes }) => typeof attributes.tracking_number === 'string')!
  const { tracking_number: search } = shipped.attributes
  const { records: texts } = await engine.service.listShipments({ search } as never)
  expect(texts.map((text) => (JSON.parse(text) as { id: string }).id)).toContain(shipped.id)
  await engine.close()
  const db = new driver(path)
  db.prepare("insert into shipment_fts (shipment_fts, rank) values ('integrity-check', 1)").run()
  db.close()
})

test('a failed import leaves the rule of a search index that has none', async () => {
  const path = temporaryPath()
  const engine = await openEngine(path)
  const { database, account, host } = engine
  const ready = [...seedShipments({ ...plan, shipments: 20 })].map((record) => readyRecord('shipments', record))
  const broken = (): never => {
    throw new Error('no part')
  }
  const parts = [() => ready.slice(0, 10), () => ready.slice(10), broken]
  await expect(
    database.write(() => importReady(database.dialect, account, 'shipments', parts, host.now())),
  ).rejects.toThrow('no part')
  await engine.close()
  expect(new driver(path, { readonly: true }).prepare(rule).pluck().get()).toBeUndefined()
})

test('a transaction that failed has no say in how FTS5 merges after it', () => {
  const late = "insert into texts (texts, rank) values ('automerge', 16)"
  const partsAfter = (first: string): unknown => {
    const db = new driver(':memory:')
    db.exec("create virtual table texts using fts5 (text, content = '', columnsize = 0, detail = none)")
    const insert = db.prepare('insert into texts (rowid, text) values (?, ?)')
    db.exec(first)
    for (let n = 1; n <= 12; n++) {
      db.exec('begin')
      for (let i = 0; i < 700; i++)
        insert.run(
          n * 1000 + i,
          Array.from({ length: 40 }, (_, k) => `${(n * 7919 + i * 104_729 + k * 31) % 99_991}`).join(' '),
        )
      db.exec('commit')
    }
    const parts = db.prepare('select count(distinct segid) from texts_idx').pluck().get()
    db.close()
    return parts
  }
  const usually = partsAfter('select 1')
  expect(partsAfter(late)).toBeGreaterThan(usually as number)
  expect(partsAfter(`begin; ${late}; insert into texts (rowid, text) values (1, 'gone'); rollback`)).toBe(usually)
})
