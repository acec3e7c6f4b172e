// Large files of records: read, checked and made ready by a thread beside the one that saves them. The same records by
// a pipe stay in one thread, and both ways end the same.
// @module-tag full: imports of many records
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { driver } from '../../support/sqlite.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  batchesOf,
  packedBatch,
  transactionsOf,
  type PackedBatch,
  type Saving,
} from '../../../src/cli/imports/recordbatches.ts'
import { isoOf } from '../../../src/domain/time.ts'
import { seedReturns, seedShipments } from '../../../src/engine/sample/seed.ts'
import type { Entry } from '../../../src/engine/records/entry.ts'
import { readyRecord } from '../../../src/engine/transfer/imports.ts'
import { testNow } from '../../support/engine.ts'
import { sandbox, type Outcome } from '../../support/sandbox.ts'
import { first } from '../../support/size.ts'

const box = sandbox()
afterAll(() => box.remove())

const plan = { shipments: 2600, returns: 2600, stores: 3, days: 30, seed: 11, now: testNow }
const lines = [...seedShipments(plan)].map((record, i) =>
  // Text beyond ASCII, also where one reading ends and the next begins.
  JSON.stringify({ ...record, note: i % 7 === 0 ? `नमस्ते ₹ ${i}` : 'as they are '.repeat(150) }),
)
const large = `${lines.join('\n')}\n`

const storeOf = (i: number) => ({
  id: `store-${i}`,
  store_name: `brand-${i}`,
  brand_name: `Brand ${i}`,
  channel: 'manual_order',
  status: 'connected',
  created_at: isoOf(testNow),
})

/** Every row of the tables of shipments. */
function rowsOf(db: string): unknown {
  const file = new driver(join(box.folder, db), { readonly: true })
  const tables = ['shipments', 'shipment_docs', 'shipment_search', 'shipment_skus', 'shipment_tags']
  const rows = tables.map((table) => file.prepare(`select * from ${table}`).raw().all())
  file.close()
  return rows
}

const importing = (file: string, db: string, kind = 'shipments', input = '') =>
  box.shipx(['local', 'import', kind, file, '--db', db], { input })

beforeAll(() => {
  box.file('large.jsonl', large)
  // Smaller files stay in one thread.
  expect(statSync(join(box.folder, 'large.jsonl')).size).toBeGreaterThan(8_000_000)
})

test('a large file becomes the same rows as the same records by a pipe, and nothing is said about threads', async () => {
  // A slow machine also says how far it is.
  const told = ({ stderr }: Outcome): string => stderr.replaceAll(/^Importing [\d,]+…\n/gm, '')
  const beside = await importing('large.jsonl', 'beside.sqlite')
  expect([beside.exit, told(beside)]).toEqual([
    0,
    '✓ 2,600 shipments read on this computer: 2,600 created, 0 updated, 0 unchanged\n',
  ])
  const one = await importing('-', 'one.sqlite', 'shipments', large)
  expect([one.exit, one.stdout, told(one)]).toEqual([beside.exit, beside.stdout, told(beside)])
  expect(rowsOf('beside.sqlite')).toEqual(rowsOf('one.sqlite'))
  const again = await importing('large.jsonl', 'beside.sqlite')
  expect(again.stderr).toContain('0 created, 0 updated, 2,600 unchanged')
})

test('batches share a transaction, and those before an error have theirs before it is thrown', async () => {
  const entries = [...seedShipments({ ...plan, shipments: 10 })].map((record) => readyRecord('shipments', record))
  const batch = (line: number): PackedBatch =>
    packedBatch({
      line,
      records: entries.slice(line - 2, line),
      strange: { status: new Map([['odd', line]]), detailed: new Map() },
    })
  async function* batches(count: number, error?: Error): AsyncGenerator<PackedBatch> {
    for (let n = 1; n <= count; n++) yield batch(2 * n)
    if (error !== undefined) throw error
  }
  const broken = new Error('line 11')
  for (const [count, error, lines] of [
    [0, undefined, []],
    [4, undefined, [8]],
    [5, undefined, [8, 10]],
    [5, broken, [8, 10]],
    [4, broken, [8]],
    [0, broken, []],
  ] as const) {
    const found: Saving[] = []
    const released: Uint8Array[] = []
    let thrown: unknown
    try {
      const savings = transactionsOf(batches(count, error), new AbortController().signal, (one) => released.push(one))
      for await (const one of savings) found.push(one)
    } catch (caught) {
      thrown = caught
    }
    expect(thrown).toBe(error)
    expect(found.map(({ line }) => line)).toEqual(lines)
    expect(found.flatMap(({ parts }) => parts.flatMap((part) => part()))).toEqual(entries.slice(0, 2 * count))
    expect(found.reduce((sum, one) => sum + one.count, 0)).toBe(2 * count)
    expect(released).toHaveLength(count)
    const strange = found.reduce((sum, one) => sum + one.strange.status.get('odd')!, 0)
    expect(strange).toBe(count * (count + 1))
  }
})

test('Ctrl-C waited for the rest of a transaction to be read, and large records filled the memory', async () => {
  const [shipment] = seedShipments({ ...plan, shipments: 1 })
  const record = readyRecord('shipments', shipment!) as Entry
  const stop = new AbortController()
  const linesOf = async (entry: Entry): Promise<readonly number[]> => {
    async function* batches(): AsyncGenerator<PackedBatch> {
      const strange = { status: new Map(), detailed: new Map() }
      for (let line = 1; line <= 6; line++) yield packedBatch({ line, records: [entry], strange })
    }
    const found: number[] = []
    for await (const { line } of transactionsOf(batches(), stop.signal, () => undefined)) found.push(line)
    return found
  }
  expect(await linesOf({ ...record, doc: 'x'.repeat(6_000_000) })).toEqual([2, 4, 6])
  expect(await linesOf(record)).toEqual([4, 6])
  stop.abort()
  expect(await linesOf(record)).toEqual([1, 2, 3, 4, 5, 6])
})

test.each([
  ['shipments', [...seedShipments({ ...plan, shipments: 1 })][0]!],
  ['stores', storeOf(1)],
] as const)('512 %s of 400 KB were read before the first was saved', async (kind, record) => {
  async function* records(): AsyncGenerator<{ line: number; value: unknown }> {
    for (let line = 1; line <= 25; line++) yield { line, value: { ...record, note: 'x'.repeat(400_000) } }
  }
  const found: number[] = []
  for await (const { line } of batchesOf(records(), kind)) found.push(line)
  expect(found).toEqual([10, 20, 25])
})

describe.each(
  first(1, [
    ['is no record', '{"id":1}', 'id must be text'],
    ['is not JSON', '{"id":', 'it is not JSON'],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'it is not UTF-8 text'],
  ]),
)('a line of a large file that %s', (_, line, says) => {
  test('ends the import with its number, after every whole batch before it', async () => {
    const head = `${lines.slice(0, 1100).join('\n')}\n`
    writeFileSync(
      join(box.folder, 'bad.jsonl'),
      Buffer.concat([Buffer.from(head), Buffer.from(line), Buffer.from(`\n${large}`)]),
    )
    const db = `bad-${says.length}.sqlite`
    const { exit, stderr } = await importing('bad.jsonl', db)
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`bad.jsonl, line 1101: ${says}`)])
    expect(stderr).toContain('lines up to 1,024 were applied (1,024 created, 0 updated, 0 unchanged)')
    const [shipments] = rowsOf(db) as readonly (readonly unknown[])[]
    expect(shipments).toHaveLength(1024)
  })
})

test('a CSV was refused as what is not JSON, with no way on', async () => {
  box.file('report.csv', 'Order Number,AWB No,Shipment Status\n#1,71516041338746,DELIVERED\n')
  const { exit, stderr } = await importing('report.csv', 'csv.sqlite')
  expect([exit, stderr]).toEqual([
    2,
    expect.stringContaining('report.csv: it is a CSV; this takes JSON Lines; nothing was applied'),
  ])
  expect(stderr).toContain('statuses: shipx local track --file <file>; orders: shipx orders import <file>')
})

test('a dry run of a large file with a fault in its last line names it', async () => {
  box.file('last.jsonl', `${large}{}\n`)
  const { exit, stderr } = await box.shipx(['local', 'import', 'shipments', 'last.jsonl', '--dry-run'])
  expect([exit, stderr]).toEqual([2, expect.stringContaining('last.jsonl, line 2601: ')])
  expect(stderr).toContain('nothing was changed')
})

test.each([
  ['shipments', 'S-9', { shipment_milestones: [] }, 'out_for_delivery'],
  ['returns', 'R-9', { shipment: { tracking_number: 'AWB99', shipment_milestones: [] } }, 'return_picked_up'],
])('an older export of %s took away later scans in silence', async (kind, id, more, event) => {
  const own = { tracking_number: 'AWB99', status: kind === 'shipments' ? 'in_transit' : 'return_pickup_scheduled' }
  const attributes = { ...own, created_at: '2026-01-01T10:00:00+05:30', ...more }
  const type = kind.slice(0, -1)
  box.file(`${kind}.jsonl`, `${JSON.stringify({ id, type, attributes })}\n`)
  const db = `rewound-${kind}.sqlite`
  const file = box.file(`${kind}-scans.csv`, `tracking_number,event,at\nAWB99,${event},2026-01-02 10:00\n`)
  expect((await importing(`${kind}.jsonl`, db, kind)).stderr).not.toContain('later news')
  const track = ['local', 'track', '--file', file, '--db', db, '--yes']
  const scanned = await box.shipx(track)
  expect([scanned.exit, scanned.stderr]).toEqual([0, expect.stringContaining('1 scan created')])
  const again = await importing(`${kind}.jsonl`, db, kind)
  expect(again.stderr).toContain(`! 1 ${type} had later news here than in the file, and is now as in the file`)
  expect((await importing(`${kind}.jsonl`, db, kind)).stderr).not.toContain('later news')
})

test('a number of twenty digits lost the last of them, on a line, in a page, and in a large file', async () => {
  const digits = '12345678901234567890'
  const withDigits = (line: string, n: number): string =>
    line.replace('"attributes":{', `"attributes":{"ref_${n}":${digits},"share":0.12345678901234567,`)
  const some = lines.slice(0, 3).map(withDigits)
  const expected = some.toSorted()
  const files = {
    'digits.jsonl': `${some.join('\n')}\n`,
    'page.json': `{"data":[${some.join(',')}]}`,
    'pages.json': `{\n"data":[${some.join(',\n')}]\n}\n`,
    'long.jsonl': `${[...some, ...lines.slice(3)].join('\n')}\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    box.file(name, text)
    expect((await importing(name, `${name}.sqlite`)).exit).toBe(0)
    const { stdout } = await box.shipx(['shipments', 'list', '--all', '--jsonl', '--db', `${name}.sqlite`])
    const found = stdout.split('\n').filter((line) => line.includes(digits))
    expect([name, found.toSorted()]).toEqual([name, expected])
  }
  expect((await importing('digits.jsonl', 'page.json.sqlite')).stderr).toContain('3 unchanged')
})

test('an id that comes twice in a batch is created once and then updated', async () => {
  const last = JSON.parse(lines[0]!) as { attributes: object }
  const changed = { ...last, attributes: { ...last.attributes, status: 'cancelled' } }
  box.file('twice.jsonl', `${large}${JSON.stringify(changed)}\n${lines[0]!}\n`)
  const { stderr } = await importing('twice.jsonl', 'twice.sqlite')
  expect(stderr).toContain('2,602 shipments read on this computer: 2,600 created, 2 updated, 0 unchanged')
})

test.each([
  ['returns', [...seedReturns({ ...plan, shipments: 12_000, returns: 12_000 })]],
  [
    'stores',
    Array.from({ length: 30_000 }, (_, i) => ({ ...storeOf(i), brand_name: `Brand ${i}, ${'Mumbai '.repeat(25)}` })),
  ],
] as const)('%s of a large file are saved too', async (kind, records) => {
  const text = `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
  expect(text.length).toBeGreaterThan(8_000_000)
  box.file(`${kind}.jsonl`, text)
  const { exit, stderr } = await importing(`${kind}.jsonl`, `${kind}.sqlite`, kind)
  expect([exit, stderr]).toEqual([0, expect.stringContaining(' created, 0 updated, 0 unchanged')])
  const { stdout } = await box.shipx([kind, 'list', '--all', '--ids', '--db', `${kind}.sqlite`])
  expect(stdout.trim().split('\n')).toHaveLength(records.length)
})
