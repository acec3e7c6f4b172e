// Parcels that are billed a second time under another AWB, and blank totals, each found wrong once by a finance person.
// @module-tag full: an import and a dozen invoices
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { keptBill, prepare, reconciled, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(box, [
    ...['3001', '3002', '3003', '3004', '3005', '3011', '3012', '3013', '3014'].map((awb) => shipment(awb)),
    shipment('3006', { is_cod: true, cod_amount: 900 }),
    shipment('3007', { status: 'rto_delivered' }),
  ]),
)

const head = 'AWB,Order No,Zone,Weight (kg),Freight,COD charges,Total'
const bill = async (rows: readonly string[]): Promise<readonly Line[]> =>
  (await reconciled(box, [head, ...rows].join('\n'), ['--courier', 'Delhivery', '--force'])).lines
const said = ({ awb, verdict, category, difference }: Line) => [awb, verdict, category, difference]
const keep = (name: string, rows: readonly string[], more: readonly string[] = []) =>
  keptBill(box, name, [head, ...rows], more)

test('a parcel that was billed again under another AWB with its order was ok', async () => {
  const lines = await bill(['3001,A-3001,c,0.4,40,0,40', '9999,A-3001,c,0.4,40,0,40'])
  expect(lines.map(said)).toEqual([
    ['3001', 'ok', 'ok', 0],
    ['9999', 'over', 'duplicate', 40],
  ])
  expect(lines[1]!['matched_by']).toBe('order')
  expect(lines[1]!.reasons[0]!.text).toBe('it is the parcel of AWB 3001: line 2 of this document bills it already')
  // The other way round too.
  expect((await bill(['9999,A-3001,c,0.4,40,0,40', '3001,A-3001,c,0.4,40,0,40'])).map(said)).toEqual([
    ['9999', 'ok', 'ok', 0],
    ['3001', 'over', 'duplicate', 40],
  ])
})

test('two bills of a parcel under two AWBs did not know of each other', async () => {
  expect((await keep('TWO-1', ['3002,A-3002,c,0.4,40,0,40', '9903,A-3003,c,0.4,40,0,40'])).map(said)).toEqual([
    ['3002', 'ok', 'ok', 0],
    ['9903', 'ok', 'ok', 0],
  ])
  const later = await keep('TWO-2', ['9902,A-3002,c,0.4,40,0,40', '3003,A-3003,c,0.4,40,0,40', '3004,,c,0.4,40,0,40'])
  expect(later.map(said)).toEqual([
    ['9902', 'over', 'billed_before', 40],
    ['3003', 'over', 'billed_before', 40],
    ['3004', 'ok', 'ok', 0],
  ])
  expect(later[0]!['before']).toEqual([{ invoice: 'TWO-1', amount: 40 }])
  // The same file again prints the same.
  const { stdout } = await box.shipx(['invoices', 'get', 'TWO-2', '--lines', '--jsonl'])
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => said(JSON.parse(line) as Line)),
  ).toEqual(later.map(said))
})

test('shipments cost showed one of the two bills of a parcel', async () => {
  const cost = async (awb: string) =>
    (await box.shipx(['shipments', 'cost', awb, '--csv', '--fields', 'invoice,billed,category'])).stdout
  const both = 'invoice,billed,category\nTWO-1,40,ok\nTWO-2,40,billed_before\n'
  expect(await cost('3002')).toBe(both)
  expect(await cost('9902')).toBe(both)
  const { stdout } = await box.shipx([
    'sql',
    'select awb, printed_awb, matched_by from invoice_lines order by invoice, line',
    '--csv',
  ])
  expect(stdout).toBe('awb,printed_awb,matched_by\n3002,,awb\n3003,9903,order\n3002,9902,order\n3003,,awb\n3004,,awb\n')
  const unbilled = await box.shipx(['invoices', 'unbilled', '--csv', '--fields', 'awb'])
  expect(unbilled.stdout).not.toMatch(/300[234]/)
})

test('an AWB with -R of a delivered parcel was ok with the full price of the way out', async () => {
  const rows = ['3006,,c,0.4,40,30,70', '3006-R,,c,0.4,40,30,70', '3005,,c,0.4,40,0,40', '3005-C,,c,0.4,40,0,40']
  expect((await bill(rows)).map(said)).toEqual([
    ['3006', 'ok', 'ok', 0],
    ['3006-R', 'over', 'rto_not_returned', 70],
    ['3005', 'ok', 'ok', 0],
    ['3005-C', 'over', 'duplicate', 40],
  ])
})

test('an AWB with -RTO in the bill of the next month is the way back, and billed before in the one after', async () => {
  expect((await keep('SFX-1', ['3007,,c,0.4,40,0,40'])).map(said)).toEqual([['3007', 'ok', 'ok', 0]])
  expect((await keep('SFX-2', ['3007-RTO,,c,0.4,40,0,40'])).map(said)).toEqual([['3007-RTO', 'ok', 'ok', 0]])
  const last = await keep('SFX-3', ['3007-RTO,,c,0.4,40,0,40', '3001,,c,0.4,40,0,40'])
  expect(last.map(said)).toEqual([
    ['3007-RTO', 'over', 'billed_before', 40],
    ['3001', 'ok', 'ok', 0],
  ])
  const explained = await box.shipx([
    'reconcile',
    'invoice',
    'SFX-3.csv',
    '--courier',
    'Delhivery',
    '--explain',
    '3007-RTO',
  ])
  expect(explained.stdout).toContain('found by suffix, as 3007')
})

test('a blank total was ₹0 billed, and under by the whole line', async () => {
  const content = [
    'AWB,Zone,Weight (g),Freight,Taxable,IGST,Total',
    '3011,c,400,40.00,40.00,7.20,47.20',
    '3012,c,400,40.00,40.00,7.20,',
    '3013,c,400,40.00, ,7.20, ',
    '3014,c,400,,,,',
  ].join('\n')
  const { lines, stderr, exit } = await reconciled(box, content, ['--courier', 'Delhivery', '--force'])
  expect(lines.map(({ awb, billed, verdict, reasons }) => [awb, billed, verdict, reasons[0]?.text])).toEqual([
    ['3011', 47.2, 'ok', undefined],
    ['3012', 47.2, 'ok', undefined],
    ['3013', 47.2, 'ok', undefined],
    ['3014', 0, 'unknown', 'it has no amount: its total is blank'],
  ])
  expect([exit, stderr]).toEqual([
    7,
    expect.stringContaining('The total is blank in lines 3, 4: the sum of the parts counts in its place.'),
  ])
  const bare = await reconciled(box, 'awb,zone,weight_g,total\n3011,c,400,40\n3012,c,400,\n', ['--force'])
  expect([bare.exit, bare.lines[1]]).toMatchObject([7, { verdict: 'unknown', billed: 0 }])
})

test("a courier's answer names the AWB that it printed, and no dispute was found", async () => {
  expect((await box.shipx(['disputes', 'create'])).exit).toBe(0)
  expect((await box.shipx(['disputes', 'set', '9902', '--status', 'raised'])).exit).toBe(0)
  const answers = box.file('answers.csv', 'AWB,Status,Amount\n9902,accepted,40\n')
  const { exit, stderr } = await box.shipx(['disputes', 'set', '--file', answers, '--yes'])
  expect([exit, stderr]).toMatchObject([0, expect.any(String)])
  const { stdout } = await box.shipx(['disputes', 'list', '--status', 'accepted', '--csv', '--fields', 'awb,status'])
  expect(stdout).toContain('3002,accepted')
  expect(await box.shipx(['disputes', 'set', '7777', '--status', 'raised'])).toMatchObject({ exit: 3 })
})

test('a bill that was replaced after the next month was kept lost its lines to it: both claimed the same money', async () => {
  expect((await keep('MON-1', ['3012,,c,0.4,40,0,40', '3013,,c,0.4,40,0,40'])).map(said)).toEqual([
    ['3012', 'ok', 'ok', 0],
    ['3013', 'ok', 'ok', 0],
  ])
  expect((await keep('MON-2', ['3012,,c,0.4,40,0,40', '3014,,c,0.4,40,0,40'])).map(said)).toEqual([
    ['3012', 'over', 'billed_before', 40],
    ['3014', 'ok', 'ok', 0],
  ])
  const rows = ['3013,,c,0.4,40,0,40', '3012,,c,0.4,40,0,40', '3014,,c,0.4,40,0,40']
  expect((await keep('MON-1', rows, ['--replace'])).map(said)).toEqual([
    ['3013', 'ok', 'ok', 0],
    ['3012', 'ok', 'ok', 0],
    // What only the later bill has is billed before there, as its line is.
    ['3014', 'over', 'billed_before', 40],
  ])
})
