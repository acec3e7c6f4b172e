// What a finance reader stumbled over on the page, in the lines and in the mail of an invoice, each found wrong once.
// @module-tag full: a month of bills for each test
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())

const bill = [
  'Invoice No,AWB,Zone,Weight (kg),Freight,Gross Amount,IGST,Total',
  'D-1,6001,C,0.4,40,40,7.20,47.20',
  'D-1,6001,c,0.4,40,40,7.20,47.20',
  'D-1,6002,d,0.4,45.40,45.40,8.17,53.57',
  'D-1,6003,zone_d,0.9,90.20,90.20,16.24,106.44',
  'D-1,9999,X1,0.4,40,40,7.20,47.20',
  'D-1,9998,x1,0.4,40,40,7.20,47.20',
].join('\n')
const terminal = (width: number) => ({ env: { SHIPX_FORCE_TTY: String(width), NO_COLOR: '1' } })
const words = ['reconcile', 'invoice', box.file('bill.csv', bill), '--courier', 'Delhivery']
const dry = (...more: readonly string[]) => box.shipx([...words, '--dry-run', ...more])
const awbsOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { awb: string }).awb)

beforeAll(async () => {
  await prepare(box, [shipment('6001'), shipment('6002'), shipment('6003'), shipment('6004')])
})

test('of several values of --only the last one won', async () => {
  const both = ['6001', '6002', '6003']
  expect(awbsOf((await dry('--only', 'zone,duplicate', '--jsonl')).stdout)).toEqual(both)
  expect(awbsOf((await dry('--only', 'zone', '--only', 'duplicate', '--jsonl')).stdout)).toEqual(both)
  expect(awbsOf((await dry('--only', 'ok', '--jsonl')).stdout)).toEqual(['6001'])
  expect(awbsOf((await dry('--explain', '6001,6002', '--jsonl')).stdout)).toEqual(['6001', '6001', '6002'])
  const wrong = await dry('--only', 'zone,wieght')
  expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean weight?')])
})

test('the table of reasons mixed amounts with GST and before it', async () => {
  const { stdout } = await box.shipx([...words, '--dry-run'], terminal(120))
  expect(stdout).toMatch(/^REASON +CODE +LINES +AMOUNT BEFORE GST/m)
  expect(stdout).toMatch(/^not ours +unknown_awb +2 +₹80\.00/m)
  expect(stdout).toMatch(/^billed twice here +duplicate +1 +₹40\.00/m)
  // 80 + 40 + 44.80 + 5.40 + 5.40, and their GST: what is over.
  expect(stdout).toContain('over ₹207.21 (5 lines)')
  expect(stdout).toContain('GST on these differences: ₹31.61')
})

test('--by had its GST twice, and a zone for each spelling', async () => {
  const { stdout } = await box.shipx([...words, '--dry-run', '--by', 'zone'], terminal(120))
  expect(stdout).toMatch(/^ZONE +LINES +AMOUNT WITH GST/m)
  expect(stdout).toMatch(/^no zone of ours, billed as X1 +2 +₹94\.40/m)
  expect(stdout).not.toContain('GST on these differences')
})

test('--by was silently ignored with --csv, --json, --jsonl, --mail, --explain and --only', async () => {
  const refused = (format: string) => [2, expect.stringContaining(`--by: adds up the page, and --${format} prints`)]
  for (const format of ['csv', 'json', 'jsonl']) {
    const read = await dry('--by', 'zone', `--${format}`)
    expect([read.exit, read.stderr]).toEqual(refused(format))
    const kept = await box.shipx(['invoices', 'get', 'D-1', '--by', 'zone', '--lines', `--${format}`])
    expect([kept.exit, kept.stderr]).toEqual(refused(format))
  }
  for (const [flag, ...value] of [['--mail'], ['--explain', '6001'], ['--only', 'zone']] as const) {
    const read = await dry('--by', 'zone', flag, ...value)
    expect([read.exit, read.stderr]).toEqual([2, expect.stringContaining(`--by: adds up the page, and ${flag} prints`)])
  }
  const lines = await box.shipx(['invoices', 'get', 'D-1', '--by', 'zone', '--lines'])
  expect([lines.exit, lines.stderr]).toEqual([2, expect.stringContaining('and --lines prints lines without it')])
  const page = await dry('--by', 'zone', '--csv', '--out', 'by.html')
  expect([page.exit, page.stdout]).toEqual([0, expect.stringContaining('6001')])
})

test('WHY was cut before its figure on a narrow terminal', async () => {
  const { stdout } = await box.shipx([...words, '--dry-run', '--only', 'zone', '--columns', 'awb,why'], terminal(40))
  expect(stdout).toMatch(/^why: \+5\.40 zone$/m)
  expect(stdout).toMatch(/^why: \+5\.40 zone, \+44\.80 weight slab$/m)
})

test('one reason had a name on the page and another among disputes', async () => {
  expect((await box.shipx([...words, '--yes'])).exit).toBe(0)
  await box.shipx(['disputes', 'create', '--from', 'invoice', 'D-1', '--yes'])
  const { stdout } = await box.shipx(['disputes', 'list'], terminal(160))
  expect(stdout).toContain('billed twice here')
  expect(stdout).not.toContain('Duplicate')
  const sheet = (await box.shipx(['invoices', 'get', 'D-1', '--lines', '--only', 'duplicate', '--excel'])).stdout
  expect(sheet).toContain('billed twice here')
  const record = (await box.shipx(['invoices', 'get', 'D-1', '--lines', '--only', 'duplicate', '--csv'])).stdout
  expect(record).toContain(',duplicate,')
})

test('a kept invoice had no mail', async () => {
  const { exit, stdout } = await box.shipx(['invoices', 'get', 'D-1', '--mail'])
  expect([exit, stdout]).toEqual([0, expect.stringMatching(/^Subject: Invoice D-1: ₹?.*207\.21 above our contract/)])
  expect(stdout).toBe((await dry('--mail')).stdout)
  expect((await box.shipx(['invoices', 'get', 'D-1', '--mail', '--csv'])).exit).toBe(2)
})

test('a removed invoice left raised disputes without a word', async () => {
  await box.shipx(['disputes', 'set', '6002', '--status', 'raised', '--yes'])
  const { exit, stderr } = await box.shipx(['invoices', 'remove', 'D-1', '--yes'])
  expect([exit, stderr]).toEqual([0, expect.stringContaining('1 dispute that you raised from it remains.')])
})

test('a dry run saved a map', async () => {
  const { stderr } = await dry('--map', 'Total=total', '--save-map', 'mine', '--jsonl')
  expect(stderr).toContain('A dry run changes nothing: map mine is not saved.')
  expect((await dry('--use-map', 'mine')).exit).toBe(3)
})

test('a courier with no parcel in these days was called unknown', async () => {
  const { exit, stderr } = await box.shipx(['invoices', 'unbilled', '--courier', 'delhivery', '--since', '2026-09-20'])
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining('Invoices bill all parcels of Delhivery that were picked up in this time.'),
  ])
})
