// Defends the records of other deployments in the database: their columns are those of their text, whatever was there
// before, each is listed once, and a copy of them is whole.
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { readSent } from '../../src/domain/foreign/records.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { row, rows, type Row } from '../../src/engine/database/port.ts'
import { skusOfAwbs } from '../../src/engine/money/unbilled.ts'
import { childrenIn, entryOf, withDocs } from '../../src/engine/records/entry.ts'
import { changeRecords, oldColumns, type Old } from '../../src/engine/records/records.ts'
import { quietShipments, quietTexts } from '../../src/engine/records/stuck.ts'
import { recordKind, saveSent } from '../../src/engine/transfer/mirror.ts'
import { openEngine, temporaryPath, type TestEngine } from '../support/engine.ts'
import { hostileRecords } from '../support/hostilerecords.ts'
import { copied } from './copybench.ts'

const made = '2026-09-03T10:00:00.000Z'

/** A shipment's JSON text; `id` is JSON itself. */
const sentText = (id: string, attributes: object = {}): string =>
  `{"id":${id},"type":"shipment","attributes":${JSON.stringify({ created_at: made, ...attributes })}}`

async function opened(path = temporaryPath()): Promise<TestEngine> {
  const engine = await openEngine(path)
  onTestFinished(() => engine.close())
  return engine
}

/** Saves texts as a pull does; what became of each. */
async function saved({ database, account }: TestEngine, texts: readonly string[]): Promise<readonly string[]> {
  const records = texts.map((text) => readSent('shipments', text)!)
  const all = await database.write(() => saveSent(database.dialect, account, 'shipments', records))
  return all.map(({ outcome }) => outcome)
}

const rowOf = async ({ database }: TestEngine): Promise<Row | undefined> =>
  database.read(() => row(sql`select * from shipments`), 'single')

test('an amount that nobody could read was counted as 0 in sums for ever after the deployment sent one', async () => {
  const engine = await opened()
  await saved(engine, [sentText('"a"', { status: 'delivered', total_price: 'on request' })])
  expect(await rowOf(engine)).toMatchObject({ unread_amount: 1, total_price: null })
  expect(await saved(engine, [sentText('"a"', { status: 'delivered', total_price: 499 })])).toEqual(['updated'])
  expect(await rowOf(engine)).toMatchObject({ unread_amount: 0, total_price: 49_900 })
})

test('a status, a zone and a weight that 0.1 kept as they came stayed so, whatever was saved afterwards', async () => {
  const engine = await opened()
  const attributes = { status: 'DELIVERED', zone: 'C', applied_weight: { value: 0.5, metric_unit: 'kg' } }
  const text = sentText('"a"', attributes)
  await saved(engine, [text])
  const right = await rowOf(engine)
  expect(right).toMatchObject({ status: 'delivered', zone: 'zone_c', applied_weight: 500_000 })
  const spoil = sql`update shipments set status = 'DELIVERED', zone = 'C', applied_weight = 500`
  await engine.database.write(() => rows(spoil))
  // The text is the same, so that nothing has changed for who pulls it.
  expect(await saved(engine, [text])).toEqual(['unchanged'])
  expect(await rowOf(engine)).toEqual(right)
  await engine.database.write(() => rows(spoil))
  expect(await saved(engine, [sentText('"a"', { ...attributes, zone: 'D' })])).toEqual(['updated'])
  expect(await rowOf(engine)).toEqual({ ...right, zone: 'zone_d' })
  // Scans change a record that they have read themselves.
  await engine.database.write(() => rows(spoil))
  await engine.database.write(function* () {
    const old = (yield* row<Old>(sql`select ${oldColumns.shipment}, d.doc from ${withDocs('shipment')}`))!
    const before = JSON.parse(old.doc) as Shipment
    const record = { ...before, attributes: { ...before.attributes, zone: 'C' } }
    yield* changeRecords(engine.database.dialect, engine.account, 'shipment', [{ old, before, record }])
  })
  expect(await rowOf(engine)).toEqual(right)
})

test.each(['asc', 'desc'] as const)(
  'records with ids of nineteen digits were listed twice, or left out, where a walk goes on after them (%s)',
  async (sort_order) => {
    const engine = await opened()
    // A number of JavaScript rounds some of these up and others down, by up to 128.
    const ids = Array.from({ length: 2000 }, (_, n) => String(1_234_567_890_123_450_000n + BigInt(n * 7)))
    await saved(
      engine,
      ids.map((id) => sentText(id)),
    )
    const { batches, total } = await engine.service.walkShipments(parseInput('listShipments', { sort_order }))
    const found: string[] = []
    for await (const { records } of batches) {
      for (const record of records) found.push(/"id":(\d+)/.exec(record)![1]!)
      expect(found.length).toBeLessThanOrEqual(ids.length)
    }
    expect(found).toEqual(sort_order === 'asc' ? ids : ids.toReversed())
    expect(total).toBe(ids.length)
  },
)

test('a copy of records in other shapes ended with an internal error, or lacked an SKU that is a number', async () => {
  const [from, to] = [temporaryPath('from.sqlite'), temporaryPath('to.sqlite')]
  const engine = await opened(from)
  const texts = [
    '{"id":"e"}',
    sentText('"f"', { items: { sku: 'A' }, tags: [null, 'gift'] }),
    sentText('"g"', { items: [{ sku: 12, name: null }, 'x', null], tags: 'text', tracking_number: 'AWB1' }),
    sentText('"h"', { items: [{ sku: 'B' }] }),
  ]
  await saved(engine, texts)
  const { different, tables } = await copied(from, to)
  expect(different).toBe(0)
  expect(tables.find(({ table }) => table === 'shipments')!.rows).toBe(texts.length)
  const copy = await opened(to)
  for (const [sku, ids] of [
    ['12', ['g']],
    ['B', ['h']],
  ] as const) {
    const { records } = await copy.service.listShipments(parseInput('listShipments', { sku: [sku] }))
    expect(records.map((record) => (JSON.parse(record) as { id: string }).id)).toEqual(ids)
  }
  const skus = await copy.database.read(() => skusOfAwbs(copy.account, ['AWB1']), 'single')
  expect([...skus]).toEqual([['AWB1', ['12']]])
})

test('a parcel that moved while stuck ones were read was shown as stuck, with the status it had by then', async () => {
  const engine = await opened()
  const scope = { dialect: engine.database.dialect, account: engine.account }
  const before = Date.parse(made)
  const moving = { status: 'in_transit', tracking_number: 'AWB1' }
  await saved(engine, [sentText('"a"', moving), sentText('"b"', moving), sentText('"c"', moving)])
  const quiet = await engine.database.read(() => quietShipments(scope, {}, 'in_transit', before))
  expect(quiet).toHaveLength(3)
  const scan = { id: '1', status: 'in_transit', event_date_time: new Date(before + 60_000).toISOString() }
  await saved(engine, [
    sentText('"a"', { ...moving, status: 'delivered' }),
    sentText('"b"', { ...moving, tracking_details: [scan] }),
  ])
  const seqs = quiet.map(({ seq }) => seq)
  const found = await engine.database.read(() => quietTexts(scope, 'in_transit', before, seqs), 'single')
  expect(found.map(({ doc }) => (JSON.parse(doc) as { id: string }).id)).toEqual(['c'])
})

test.each(['shipments', 'returns'] as const)('the SKUs and tags of %s alone are read as with all else', (kind) => {
  const own = recordKind[kind]
  const all = hostileRecords(kind, 300)
  expect(all.some(({ text }) => Object.values(childrenIn(own, text)).flat().length > 0)).toBe(true)
  for (const { text, record } of all)
    expect([text, childrenIn(own, text)]).toEqual([text, entryOf(own, record).children])
})
