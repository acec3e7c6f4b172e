// Lists as sheets, one for each courier: their names, what is in them, and that all of them are written or none.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { fileNameOf } from '../../src/cli/files/filenames.ts'
import type { Context } from '../../src/cli/command/context.ts'
import { courierSheets } from '../../src/cli/listings/couriersheets.ts'
import { plainView } from '../../src/cli/output/views.ts'
import { isoOf } from '../../src/domain/time.ts'
import { openEngine, testNow } from '../support/engine.ts'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'

const plan = { shipments: 400, returns: 40, stores: 4, days: 40, seed: 3, now: testNow }

/** Couriers whose names are hard for a file system. */
const hard = ['BlueLine Surface', 'blueline/surface', 'CON', '../../etc/passwd', 'दक्कन पार्सल', '***', 'x'.repeat(300)]
const names = [
  'blueline-surface.csv',
  'blueline-surface-2.csv',
  'con-courier.csv',
  'etc-passwd.csv',
  'दक्कन-पार्सल.csv',
  'courier.csv',
  `${'x'.repeat(60)}.csv`,
]

let box: Sandbox
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  box = sandbox()
  const path = join(box.folder, 'sheets.sqlite')
  const engine = await openEngine(path)
  const all = [...seedShipments(plan)]
  await engine.save('shipment', all)
  await engine.save('return', [...seedReturns(plan)])
  const other = await engine.as('hard')
  const hardOnes = hard.map((name, i) => {
    const { attributes, ...record } = all[i]!
    return { ...record, attributes: { ...attributes, carrier: { id: `C${i}`, name } } }
  })
  await other.save('shipment', hardOnes)
  await engine.close()
  env = { SHIPX_NOW: isoOf(testNow), SHIPX_DB: path }
})
afterAll(() => box.remove())

const shipx = (...args: readonly string[]) => box.shipx([...args, '-q'], { env })
const text = (...path: readonly string[]): string => readFileSync(join(box.folder, ...path), 'utf8')
const rowsIn = (csv: string): readonly string[] => csv.trim().split('\n').slice(1)

test('stuck parcels have a sheet for each courier, with the rows of the one list', async () => {
  const one = await shipx('shipments', 'stuck', '--days', '1', '--csv')
  const { exit, stdout } = await shipx('shipments', 'stuck', '--days', '1', '--split-by', 'courier', '--out', 'stuck')
  expect(exit).toBe(0)
  const files = readdirSync(join(box.folder, 'stuck'))
  expect(files.length).toBeGreaterThan(3)
  const sheets = files.map((file) => [file, rowsIn(text('stuck', file))] as const)
  expect(sheets.flatMap(([, rows]) => rows).toSorted()).toEqual(rowsIn(one.stdout).toSorted())
  const lines = sheets.map(([file, { length }]) => `stuck/${file}, ${length} ${length === 1 ? 'parcel' : 'parcels'}\n`)
  expect(stdout).toBe(lines.toSorted().join(''))
})

test('sheets that are there already are refused, and --force replaces them', { tags: ['full'] }, async () => {
  const split = ['shipments', 'ndr', '--split-by', 'courier', '--out', 'ndr', '--fields', 'tracking_number']
  expect((await shipx(...split)).exit).toBe(0)
  const [one, other] = readdirSync(join(box.folder, 'ndr'))
  writeFileSync(join(box.folder, 'ndr', one!), 'mine')
  const before = readdirSync(join(box.folder, 'ndr')).map((file) => text('ndr', file))
  const again = await shipx(...split)
  expect([again.exit, again.stdout]).toEqual([2, ''])
  expect(again.stderr).toContain('is there already; --force replaces it')
  expect(readdirSync(join(box.folder, 'ndr')).map((file) => text('ndr', file))).toEqual(before)
  const forced = await shipx(...split, '--force', '--json')
  const { data } = JSON.parse(forced.stdout) as { data: readonly Readonly<Record<string, unknown>>[] }
  expect(data.map(({ file }) => file)).toEqual(readdirSync(join(box.folder, 'ndr')).map((file) => `ndr/${file}`))
  expect(text('ndr', one!)).toMatch(/^tracking_number\n/)
  expect(other).toBeDefined()
})

test('couriers with hard names have files that every system takes, no two of them the same', async () => {
  const split = ['--account', 'hard', '--split-by', 'courier', '--excel', '--out', join('hard', 'sheets')]
  const { exit, stderr } = await shipx('shipments', 'list', ...split)
  expect([exit, stderr]).toEqual([0, ''])
  expect(readdirSync(join(box.folder, 'hard', 'sheets')).toSorted()).toEqual(names.toSorted())
  expect(text('hard', 'sheets', 'con-courier.csv')).toMatch(/^\ufeffAWB,Status,/)
})

test('a list writes all that match, or as many as --limit says', { tags: ['full'] }, async () => {
  const { stdout } = await shipx('shipments', 'list', '--cod', '--split-by', 'courier', '--out', 'cod', '--jsonl')
  const total = stdout
    .trim()
    .split('\n')
    .reduce((sum, line) => sum + (JSON.parse(line) as { records: number }).records, 0)
  const all = (await shipx('shipments', 'list', '--cod', '--all', '--ids')).stdout.trim().split('\n')
  expect(total).toBe(all.length)
  const some = ['returns', 'list', '--limit', '7', '--split-by', 'courier', '--tsv', '--out', 'back']
  expect((await shipx(...some)).exit).toBe(0)
  const rows = readdirSync(join(box.folder, 'back')).flatMap((file) => rowsIn(text('back', file)))
  expect(rows).toHaveLength(7)
  expect(existsSync(join(box.folder, 'back', 'no-courier.tsv'))).toBe(true)
})

test.each(
  first(3, [
    [['stuck', '--split-by', 'courier'], '--split-by: needs a folder'],
    [['stuck', '--split-by', 'store', '--out', 'x'], '"store" isn\'t a key'],
    [['ndr', '--out', 'x'], '--out: goes with --split-by courier'],
    [['list', '--split-by', 'courier', '--out', 'x', '--ids'], '--ids: is not a sheet'],
    [['list', '--split-by', 'courier', '--out', 'x', '--page', '2'], '--split-by and --page exclude each other'],
    [['list', '--split-by', 'courier', '--out', 'sheets.sqlite'], 'is a file; name a folder'],
    [['list', '--split-by', 'courier', '--out', 'x', '--columns', 'awb'], '--columns: is for the table'],
  ]),
)('%j is refused, and no folder is made', async (args, why) => {
  const { exit, stdout, stderr } = await shipx('shipments', ...args)
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain(why)
  expect(existsSync(join(box.folder, 'x'))).toBe(false)
})

test('nothing matches: no sheet, exit 0', async () => {
  mkdirSync(join(box.folder, 'none'))
  const none = ['shipments', 'stuck', '--days', '900', '--split-by', 'courier', '--out', 'none']
  expect(await shipx(...none, '--json')).toMatchObject({ exit: 0, stdout: '{"data":[]}\n' })
  expect(readdirSync(join(box.folder, 'none'))).toEqual([])
})

test('the name of a file has no end that Windows drops, and no name of a device', () => {
  expect(['AUX', 'lpt1', 'A.', ' . ', 'São Paulo'].map((name) => fileNameOf(name, 'courier'))).toEqual([
    'aux-courier',
    'lpt1-courier',
    'a',
    'courier',
    'são-paulo',
  ])
})

test('Ctrl-C left sheets with whole phones beside the places of sheets', async () => {
  let stop = (): void => undefined
  let listening = 0
  const onInterrupt = (stopped: () => void): (() => void) => {
    stop = stopped
    listening++
    return () => listening--
  }
  const io = { onInterrupt, stdout: { tty: false } }
  const context = { format: 'csv', flags: new Map(), io, screen: {} } as unknown as Context
  const folder = join(box.folder, 'left')
  const sheets = courierSheets(
    context,
    plainView(['parcel', 'parcels'], () => '', ['phone']),
    { folder, force: false },
  )
  await sheets.add('BlueLine', ['{"phone":"+919876543210"}'])
  await sheets.add(null, ['{"phone":"+919876543211"}'])
  stop()
  await expect(sheets.finish()).rejects.toMatchObject({ code: 'interrupted', message: 'stopped; nothing was written' })
  sheets.close()
  expect([readdirSync(folder), listening]).toEqual([[], 0])
})
