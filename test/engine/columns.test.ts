// Defends the columns of records, from which sums and SQL views are made: they say what the texts of the records say,
// whatever a deployment sends.
import { cutsText, driver } from '../support/sqlite.ts'
import { writeFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import type { Query } from '../../src/domain/contract.ts'
import { returnKeys, shipmentKeys } from '../../src/domain/parcels/summary.ts'
import type { Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { rows } from '../../src/engine/database/port.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { addFunctions, amountSql } from '../../src/engine/database/sqlfunctions.ts'
import { columnsIn, entryOf } from '../../src/engine/records/entry.ts'
import { sumReturns, sumShipments } from '../../src/engine/records/summary.ts'
import { runQuery } from '../../src/engine/sql/query.ts'
import { sqlViews, viewText } from '../../src/engine/sql/views.ts'
import { saveSent } from '../../src/engine/transfer/mirror.ts'
import { engineOn, openPostgresEngine, temporaryPath, type TestEngine } from '../support/engine.ts'
import { hostileRecords } from '../support/hostilerecords.ts'
import { runs } from '../support/size.ts'

const sent = {
  shipments: hostileRecords('shipments', runs(600, 6000)),
  returns: hostileRecords('returns', runs(300, 3000)),
}

async function saveHostile({ database, account }: TestEngine): Promise<void> {
  for (const kind of ['shipments', 'returns'] as const)
    for (let at = 0; at < sent[kind].length; at += 500)
      await database.write(() => saveSent(database.dialect, account, kind, sent[kind].slice(at, at + 500)))
}

const inText = (path: string): string =>
  `nullif(trim(cast(d.doc ->> '$.attributes.${path}' as text), char(9, 10, 13, 32, 160)), '')`
const inRupees = (name: string): string => amountSql('d.doc', `'$.attributes.${name}'`)
const inPaise = (name: string): string =>
  `case when (${inRupees(name)}) between -1e13 and 1e13 then cast(round((${inRupees(name)}) * 100.000000000001) as integer) end`

/** Columns of views, and the same out of the text of a record. */
const addressed = { city: 'city', state: 'state' }
const inTexts = {
  ...Object.fromEntries(Object.entries(addressed).map(([name, at]) => [name, inText(`shipping_address.${at}`)])),
  order_id: inText('order.id'),
  order_external_id: inText('order.external_id'),
  total_price: inRupees('total_price'),
  total_price_paise: inPaise('total_price'),
}
const views = {
  shipments: {
    ...inTexts,
    carrier_name: inText('carrier.name'),
    cod_amount: inRupees('cod_amount'),
    cod_amount_paise: inPaise('cod_amount'),
  },
  returns: {
    ...inTexts,
    order_display_id: inText('order.display_id'),
    carrier_name: inText('shipment.carrier.name'),
    return_reason: inText('return_reason'),
    is_exchange: `sent_truth(d.doc ->> '$.attributes.is_exchange')`,
  },
}

test('views and sums say what the texts of hostile records say', async () => {
  const path = temporaryPath('hostile.sqlite')
  const engine = await engineOn(openSqlite(driver, { path }))
  await saveHostile(engine)
  const db = new driver(path, { readonly: true })
  try {
    addFunctions(db)
    for (const view of sqlViews) db.exec(viewText(view, 'main', engine.account, { undated: true }))
    for (const [kind, columns] of Object.entries(views)) {
      const names = Object.keys(columns)
      const own = db.prepare(`select id, ${names.join(', ')} from temp.${kind} order by id`).all()
      const said = Object.entries(columns).map(([name, text]) => `${text} as ${name}`)
      const texts = db
        .prepare(
          `select r.id, ${said.join(', ')} from main.${kind} r join ${kind.slice(0, -1)}_docs d on d.seq = r.seq order by r.id`,
        )
        .all() as readonly Readonly<Record<string, unknown>>[]
      const held = (value: unknown): unknown => {
        if (typeof value !== 'string') return value
        const text = value.replaceAll('\0', '\ufffd')
        return cutsText ? text.split('\ufffd')[0] : text
      }
      const heldIn = (rows: readonly object[]): readonly object[] =>
        rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, held(value)])))
      expect(cutsText ? heldIn(own as readonly object[]) : own).toEqual(heldIn(texts))
      expect(own).toHaveLength(sent[kind as keyof typeof views].length)
    }
    const orders = db.prepare('select shipment_id from temp.orders order by 1').pluck().all()
    expect(orders).toEqual(
      sent.shipments
        .filter(({ text }) => 'order' in (JSON.parse(text) as { readonly attributes: object }).attributes)
        .map(({ id }) => id)
        .toSorted(),
    )
    const value = (name: string): string => `coalesce(sum(${inPaise(name)}), 0) as ${name}`
    const unread = (name: string): string => {
      const there = `(d.doc ->> '$.attributes.${name}')`
      return `${there} is not null and trim(${there}) not in ('', '[]') and (${inRupees(name)}) is null`
    }
    const sums = db
      .prepare(
        `select ${value('total_price')}, coalesce(sum(case when r.is_cod = 1 then ${inPaise('cod_amount')} end), 0) as cod,
         sum((${unread('total_price')}) or r.is_cod = 1 and (${unread('cod_amount')})) as unread
         from main.shipments r join shipment_docs d on d.seq = r.seq where r.status = ?`,
      )
      .get('delivered')
    const scope = { dialect: engine.database.dialect, account: engine.account }
    const groups = await engine.database.read(() => sumShipments(scope, {} as Query, ['status'], { unread: true }))
    const { value: total_price, cod, unread: unreadable } = groups.find(({ keys }) => keys[0] === 'delivered')!.sums
    expect({ total_price, cod, unread: unreadable }).toEqual(sums)
    expect(unreadable).toBeGreaterThan(0)
  } finally {
    db.close()
    await engine.close()
  }
})

test('PostgreSQL takes hostile records, and adds them up as SQLite does', { tags: ['full'] }, async () => {
  const engines = [
    await engineOn(openSqlite(driver, { path: temporaryPath('sums.sqlite') })),
    await openPostgresEngine(),
  ]
  try {
    for (const engine of engines) await saveHostile(engine)
    const sums = async ({ database, account }: TestEngine) =>
      database.read(function* () {
        const scope = { dialect: database.dialect, account }
        const found: unknown[] = []
        // Two couriers of one name and as many parcels come in any order.
        const add = (groups: readonly unknown[]) => found.push(groups.map((one) => JSON.stringify(one)).toSorted())
        for (const key of shipmentKeys) add(yield* sumShipments(scope, {} as Query, [key], { unread: true }))
        for (const key of returnKeys) add(yield* sumReturns(scope, {} as Query, [key], { unread: true }))
        return found
      })
    expect(await sums(engines[1]!)).toEqual(await sums(engines[0]!))
  } finally {
    for (const engine of engines) await engine.close()
  }
})

test(
  'a parcel with more scans and milestones than a stack has room for is saved with the last of them',
  { tags: ['full'] },
  () => {
    const at = (n: number): string => new Date(Date.parse('2025-11-01T00:00:00Z') + n).toISOString()
    const many = Array.from({ length: 200_000 }, (_, n) => at(n))
    const record = {
      id: 's',
      type: 'shipment',
      attributes: {
        created_at: at(0),
        tracking_details: many.map((event_date_time) => ({ event_date_time })),
        shipment_milestones: many.map((milestone_at) => ({ milestone: 'in_transit', milestone_at })),
      },
    } as unknown as Shipment
    const { last_scan_at, in_transit_at } = entryOf('shipment', record, '').columns
    expect([last_scan_at, in_transit_at]).toEqual([Date.parse(many.at(-1)!), Date.parse(many.at(-1)!)])
  },
)

test('an imported weight in kilograms was grams: 0.5 kg was not at least 500 g; a zone C was no zone_c', () => {
  const columnsOf = (weight: unknown, zone: string | null = 'C'): Record<string, unknown> => {
    const attributes = { created_at: '2026-11-01T00:00:00Z', applied_weight: weight, zone }
    return entryOf('shipment', { id: 's', type: 'shipment', attributes } as unknown as Shipment, '').columns
  }
  expect(columnsOf({ value: 0.5, metric_unit: 'kg' })).toMatchObject({ applied_weight: 500_000, zone: 'zone_c' })
  expect(columnsOf({ value: 500, metric_unit: 'Gms.' }, 'zone_b')).toMatchObject({
    applied_weight: 500_000,
    zone: 'zone_b',
  })
  expect(columnsOf({ value: 500 }, null)).toMatchObject({ applied_weight: 500_000, zone: null })
  expect(columnsOf({ value: 1, metric_unit: 'lb' })).toMatchObject({ applied_weight: null })
})

test('an imported status in other capitals, with spaces or hyphens, was none that a filter finds', () => {
  const statuses = (kind: 'shipment' | 'return', attributes: object): readonly unknown[] => {
    const { status, granular_status: detailed } = entryOf(kind, attributed(kind, 's', attributes), '').columns
    return [status, detailed]
  }
  expect(statuses('shipment', { status: 'In Transit' })).toEqual(['in_transit', 'in_transit'])
  expect(statuses('shipment', { status: 'NDR-RAISED', granular_status: ' Need attention' })).toEqual([
    'ndr_raised',
    'need_attention',
  ])
  expect(statuses('shipment', { status: 'OTHERS', sub_status: 'RTO Lost' })).toEqual(['others', 'rto_lost'])
  expect(statuses('shipment', { status: 'Some new', granular_status: 'odd-one' })).toEqual(['Some new', 'odd-one'])
  expect(statuses('return', { status: 'Delivered' })).toEqual(['return_received', null])
  expect(statuses('return', { status: 'x', granular_status: 'Return QC-failed' })).toEqual([
    'cancelled',
    'return_qc_failed',
  ])
})

test('a damaged text has no columns but the one that sums report', () => {
  for (const kind of ['shipment', 'return'] as const)
    for (const damaged of ['{', '', '[]', '{"id":"a"']) expect(columnsIn(kind, damaged)).toEqual({ unread_amount: 1 })
})

const attributed = (type: 'shipment' | 'return', id: string, attributes: object) =>
  ({ id, type, attributes: { created_at: '2026-10-01T04:30:00.000Z', ...attributes } }) as unknown as Shipment & Return

async function viewed(
  kind: 'shipment' | 'return',
  records: readonly (Shipment & Return)[],
  statement: string,
): Promise<readonly unknown[]> {
  const path = temporaryPath(`viewed${Math.random()}.sqlite`)
  const engine = await engineOn(openSqlite(driver, { path }))
  await engine.save(kind, records)
  await engine.close()
  const db = new driver(path, { readonly: true })
  try {
    addFunctions(db)
    for (const view of sqlViews) db.exec(viewText(view, 'main', engine.account))
    return db.prepare(statement).all()
  } finally {
    db.close()
  }
}

test('SQL showed the time of creation as the request date of a return that has none', async () => {
  const asked = attributed('return', 'r2', { request_date: '2026-09-30T10:00:00.000Z' })
  const same = attributed('return', 'r3', { request_date: '2026-10-01T10:00:00+05:30' })
  expect(
    await viewed(
      'return',
      [attributed('return', 'r1', {}), asked, same],
      'select request_date from returns order by id',
    ),
  ).toEqual([
    { request_date: null },
    { request_date: '2026-09-30T10:00:00.000Z' },
    { request_date: '2026-10-01T04:30:00.000Z' },
  ])
})

test('a lost return had no status in SQL and in the summary, also one that an earlier version saved', async () => {
  const [path, empty] = [temporaryPath('lost.sqlite'), temporaryPath('nothing.sqlite')]
  writeFileSync(empty, '')
  const engine = await engineOn(openSqlite(driver, { path }))
  onTestFinished(() => engine.close())
  const statuses = async (): Promise<readonly unknown[]> => {
    const scope = { dialect: engine.database.dialect, account: engine.account }
    const groups = await engine.database.read(() => sumReturns(scope, {} as Query, ['status']))
    const query = { path, empty, account: engine.account, schema: 'abcdefghijklmnopqrstuvwxyz' }
    const { rows, close } = runQuery(driver, { ...query, text: 'select status from returns' })
    const found = [...rows].flat()
    close()
    return [...groups.map(({ keys }) => keys[0]), ...found]
  }
  await engine.save('return', [attributed('return', 'r', { status: 'lost', granular_status: 'return_lost' })])
  expect(await statuses()).toEqual(['lost', 'lost'])
  await engine.database.write(() => rows(sql`update returns set status = null`))
  expect(await statuses()).toEqual(['lost', 'lost'])
})

test('SQL had empty texts where its page says null, and pincodes with the blanks of a sheet', async () => {
  const empty = {
    shipping_address: { name: ' ', zip: '', city: '', state: ' ' },
    carrier: { id: '', name: '' },
    order: {},
  }
  const typed = { shipping_address: { zip: " '400 001", city: ' Mumbai\t', state: 'MH ' }, carrier: { name: ' Fast' } }
  const [one, other] = [attributed('shipment', 'a', empty), attributed('shipment', 'b', typed)]
  const columns = 'customer_name, pincode, city, state, carrier_name, courier'
  expect(await viewed('shipment', [one, other], `select ${columns} from shipments order by id`)).toEqual([
    { customer_name: null, pincode: null, city: null, state: null, carrier_name: null, courier: null },
    { customer_name: null, pincode: '400001', city: 'Mumbai', state: 'MH', carrier_name: 'Fast', courier: 'Fast' },
  ])
})
