// Defends pieces of a walk in lines against the walk itself, on both databases and whatever a piece may weigh.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Query } from '../../src/domain/contract.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import type { Work } from '../../src/engine/database/port.ts'
import { listLines, type Lines, type LinesHead } from '../../src/engine/records/lines.ts'
import { embeddedService } from '../../src/engine/service.ts'
import { openEngine, openPostgresEngine, testNow, type TestEngine } from '../support/engine.ts'
import { first } from '../support/size.ts'

const count = 450

/** Sample shipments by the time of their creation. */
const oldestFirst = (shipments: number, seed: number) =>
  [...seedShipments({ shipments, returns: 0, stores: 2, days: 30, seed, now: testNow })].toSorted((a, b) =>
    a.attributes.created_at < b.attributes.created_at ? -1 : 1,
  )

describe.each(first(1, ['SQLite', 'PostgreSQL']))('lines on %s', (kind) => {
  let engine: TestEngine
  beforeAll(async () => {
    engine = kind === 'SQLite' ? await openEngine() : await openPostgresEngine()
    const plan = { shipments: count, returns: 0, stores: 2, days: 30, seed: 5, now: testNow }
    await engine.save('shipment', seedShipments(plan))
  })
  afterAll(() => engine.close())

  const walked = async (query: Query): Promise<readonly string[]> => {
    const records: string[] = []
    for await (const batch of (await engine.service.walkShipments(query)).batches) records.push(...batch.records)
    return records
  }

  // prettier-ignore
  test.each<[most: number | undefined, raw: object]>([
    [undefined, {}],
    [undefined, { sort_order: 'asc', is_cod: true }],
    [100_000, {}],
    // One step, and a second one for the rest.
    [500_000, {}],
    [600_000, { sort_order: 'asc', is_cod: true }],
    [5_000, { status: 'delivered', zone: ['zone_c', 'zone_d'] }],
    [1, { search: 'kurta' }],
    [undefined, { per_page: 7, status: 'pending' }],
  ])('pieces of at most %s bytes of %j are the walk', async (mostBytes, raw) => {
    const { database, account, host } = engine
    const service = embeddedService(database, account, host, mostBytes === undefined ? {} : { mostBytes })
    const { per_page = Infinity } = raw as { per_page?: number }
    const query = parseInput('listShipments', raw)
    const wanted = await walked(query)
    const found: string[] = []
    let after: readonly string[] | undefined
    for (let n = 0; n <= count; n++) {
      const asked = after === undefined ? query : { ...query, search_after: [...after] as [string, string] }
      const piece = await service.lines.listShipments(asked)
      const text = new TextDecoder().decode(piece.lines)
      const records = text === '' ? [] : text.slice(0, -1).split('\n')
      expect([records.length, piece.total]).toEqual([piece.count, wanted.length])
      expect(records.length).toBeLessThanOrEqual(per_page)
      if (records.length > 1) expect(piece.lines.length).toBeLessThanOrEqual((mostBytes ?? Infinity) + records.length)
      found.push(...records)
      after = piece.next
      if (piece.ended) break
    }
    expect(found).toEqual(wanted)
    expect(wanted.length).toBeGreaterThan(0)
  })

  test('a walk whose records are passed on has the same ones in the same order', async () => {
    const query = parseInput('listShipments', { sort_order: 'asc' })
    const { batches } = await engine.service.walkShipments(query, true)
    const found: string[] = []
    for await (const { records, lines, count: many } of batches) {
      found.push(...records)
      if (lines !== undefined)
        expect([many, new TextDecoder().decode(lines)]).toEqual([records.length, records.join('\n')])
    }
    expect(found).toEqual(await walked(query))
    expect(found).toHaveLength(count)
  })
})

test('large records after small ones were joined until SQLite had no longer text', async () => {
  const engine = await openEngine()
  const inOrder = oldestFirst(1500, 6)
  await engine.save(
    'shipment',
    inOrder.map((one, i) => (i === 1250 ? { ...one, note: 'x'.repeat(30_000) } : one)),
  )
  const { batches } = await engine.service.walkShipments(parseInput('listShipments', { sort_order: 'asc' }), true)
  const sizes: number[] = []
  const ids: string[] = []
  for await (const { count: many, records } of batches) {
    sizes.push(many!)
    ids.push(...records.map((record) => (JSON.parse(record) as { id: string }).id))
  }
  // The third piece would hold the large record: it is as long as any other walk's.
  expect(sizes).toEqual([300, 900, 300])
  expect(ids).toEqual(inOrder.map(({ id }) => id))
  await engine.close()
})

test('pieces that are passed on grow while records are small, and stay short once there was a large one', async () => {
  const engine = await openEngine()
  const inOrder = oldestFirst(2300, 6)
  const records = inOrder.map((one, i) => (i < 1300 ? one : { ...one, note: 'x'.repeat(40_000) }))
  await engine.save('shipment', records)
  const { batches } = await engine.service.walkShipments(parseInput('listShipments', { sort_order: 'asc' }), true)
  const sizes: number[] = []
  for await (const { count: many } of batches) sizes.push(many!)
  // The third piece meets large records. A long one after it would be read twice.
  expect(sizes).toEqual([300, 900, 300, 300, 300, 200])
  await engine.close()
})

test('lines that are not as long as their head says end with an error', async () => {
  const engine = await openEngine()
  const plan = { shipments: 20, returns: 0, stores: 2, days: 30, seed: 7, now: testNow }
  await engine.save('shipment', seedShipments(plan))
  const { database, account } = engine
  const heads: LinesHead[] = []
  const begun = (head: LinesHead): void => void heads.push(head)
  // A database that takes the records to have one byte more.
  function* longer<T>(work: Work<T>): Work<T> {
    for (let step = work.next(); ;) {
      if (step.done === true) return step.value
      const found = yield step.value
      const told = found.map((row) => (typeof row['bytes'] === 'number' ? { ...row, bytes: row['bytes'] + 1 } : row))
      step = work.next(told)
    }
  }
  const place = { dialect: database.dialect, account, mostBytes: undefined }
  const asked = (): Work<Lines> => listLines(place, 'shipment', parseInput('listShipments', {}), { begun })
  const { bytes } = await database.read(asked)
  await expect(database.read(() => longer(asked()))).rejects.toThrow(`lines have ${bytes} bytes and not ${bytes + 1}`)
  expect(heads.map((head) => head.bytes)).toEqual([bytes, bytes + 1])
  await engine.close()
})

test('pieces are nearly full where many records are larger than those before them', async () => {
  const engine = await openEngine()
  const inOrder = oldestFirst(900, 8)
  // The first 200 are looked at, and a thousand of their size would fit.
  const records = inOrder.map((one, i) => (i < 210 ? one : { ...one, note: 'x'.repeat(i < 600 ? 20_000 : 50_000) }))
  await engine.save('shipment', records)
  const { database, account, host } = engine
  const mostBytes = 4_000_000
  const service = embeddedService(database, account, host, { mostBytes })
  const ids: string[] = []
  const sizes: number[] = []
  let query = parseInput('listShipments', { sort_order: 'asc' })
  for (let n = 0; n < 100; n++) {
    const { lines, next, ended } = await service.lines.listShipments(query)
    sizes.push(lines.length)
    const texts = new TextDecoder().decode(lines).trimEnd().split('\n')
    ids.push(...texts.map((text) => (JSON.parse(text) as { id: string }).id))
    if (ended) break
    query = { ...query, search_after: [...next!] as [string, string] }
  }
  expect(ids).toEqual(inOrder.map(({ id }) => id))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(mostBytes + 5_000)
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(mostBytes * 0.7)
  await engine.close()
})
