// Many rows saved together keep every character: PostgreSQL takes them by COPY, as lines of text.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { rows } from '../../src/engine/database/port.ts'
import { logoOf } from '../../src/engine/accounts/stores.ts'
import { saveWantedStores } from '../../src/engine/accounts/storesbulk.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { openEngine, openPostgresEngine, testNow, type TestEngine } from '../support/engine.ts'
import { pngOfBytes } from '../support/pictures.ts'

const awkward = [
  'a\ttab',
  'two\nlines\r\n',
  '\\N',
  '\\.',
  '\\',
  'C:\\new\\table',
  '\\x41',
  '',
  ' ',
  'NULL',
  '"quoted", \'too\'',
  'नमस्ते ₹',
  '😀',
  '\u2028\u0085\u200e',
  '\b\f\v',
  '{}',
  '$1',
  '?',
]

const count = 3 * awkward.length

describe.each([
  ['SQLite', () => openEngine()],
  ['PostgreSQL', () => openPostgresEngine()],
])('%s', (_, open) => {
  let engine: TestEngine
  beforeAll(async () => {
    engine = await open()
  })
  afterAll(() => engine.close())

  test('records with awkward texts come back as they went, from their text and from their columns', async () => {
    const records = [...seedShipments({ shipments: count, returns: 0, stores: 2, days: 9, seed: 3, now: testNow })].map(
      (record, i): Shipment => {
        const text = awkward[i % awkward.length]!
        const attributes = { ...record.attributes, carrier: { id: `c${i}`, name: text }, tags: [`tag ${text}`] }
        return { ...record, attributes }
      },
    )
    expect(new Set(await engine.save('shipment', records))).toEqual(new Set(['created']))
    const found = await engine.database.read(() => {
      const text = `select r.id, r.carrier_name, d.doc, t.value from shipments r
        join shipment_docs d on d.account_id = r.account_id and d.seq = r.seq
        join shipment_tags t on t.account_id = r.account_id and t.seq = r.seq where r.account_id = `
      return rows({ sql: `${text}?`, text: `${text}$1`, values: [engine.account] })
    })
    expect(new Map(found.map(({ id, ...rest }) => [id, rest]))).toEqual(
      new Map(
        records.map((record) => [
          record.id,
          {
            carrier_name: record.attributes.carrier!.name,
            doc: JSON.stringify(record),
            value: record.attributes.tags![0],
          },
        ]),
      ),
    )
    // The same again is found to be the same.
    expect(new Set(await engine.save('shipment', records))).toEqual(new Set(['unchanged']))
  })

  test('logos of many stores come back byte by byte', async () => {
    const { database, account, host } = engine
    const logos = Array.from({ length: 60 }, (_, i) => ({ bytes: pngOfBytes(600 + i), name: 'logo.png' }))
    const wanted = logos.map((logo, i) => ({ store_name: `shop-${i}`, brand_name: awkward[i % awkward.length]!, logo }))
    await database.write(() => saveWantedStores(database.dialect, account, wanted, 'fail', host))
    const text = 'select id, store_name, brand_name from stores where account_id = '
    const stores = await database.read(() => rows({ sql: `${text}?`, text: `${text}$1`, values: [account] }))
    expect(stores).toHaveLength(60)
    for (const { id, store_name } of stores) {
      const { bytes } = await database.read(() => logoOf(account, id as string))
      expect(Buffer.compare(bytes, logos[Number(String(store_name).slice(5))]!.bytes)).toBe(0)
    }
  })
})

test('a value that a row of PostgreSQL cannot hold ends the whole transaction, and the connection works on', async () => {
  const engine = await openPostgresEngine()
  const text = 'insert into skus (account_id, sku, weight, updated_at) values ($1, $2, $3, $4)'
  const line = (i: number): readonly unknown[] => [engine.account, `sku-${i}`, i === 70 ? 'heavy' : i, 0]
  const lines = Array.from({ length: 100 }, (_, i) => line(i))
  const [values, ...more] = lines
  await expect(engine.database.write(() => rows({ sql: text, text, values: values!, more }))).rejects.toThrow(/heavy/)
  const counted = 'select count(*) as n from skus where account_id = $1'
  const left = await engine.database.read(() => rows({ sql: counted, text: counted, values: [engine.account] }))
  expect(left).toEqual([{ n: 0 }])
  await engine.close()
})
