// Invoices as Excel workbooks: titles, several sheets, merged cells, formulas, days as numbers, and the last row of Excel.
// @module-tag full: a process for each workbook
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { styles, workbook, type Cell, type TestSheet } from '../../support/workbook.ts'
import { prepare, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(box, [
    ...['1001', '1002', '1003'].map((awb) => shipment(awb)),
    shipment('2001', { picked_up: '2026-02-01T06:30:00Z', zip: '400002' }),
    shipment('2001', { picked_up: '2026-09-10T06:30:00Z' }),
  ]),
)

const head = ['awb', 'zone', 'weight_g', 'freight', 'total']
const row = (awb: string): readonly Cell[] => [awb, 'c', 400, 40, 40]

async function read(content: Uint8Array, ...more: readonly string[]) {
  const file = box.file('bill.xlsx', content)
  const words = ['reconcile', 'invoice', file, '--dry-run', '--jsonl', '--courier', 'Delhivery', ...more]
  const { stdout, stderr, exit } = await box.shipx(words)
  const lines = stdout.split('\n').flatMap((text) => (text === '' ? [] : [JSON.parse(text) as Line]))
  return { found: lines.map(({ line, awb, verdict }) => [line, awb, verdict]), lines, stderr, exit }
}

test.each(styles)('%s: a header on line 4, merged titles, a total below, a hidden sheet', async (style) => {
  const rows = [
    ['Delhivery India'],
    ['Invoice INV/26-27/0917', null, null, 'September'],
    [],
    head,
    row('1001'),
    row('1002'),
    ['Grand Total', null, null, 80, { formula: 'SUM(E5:E6)', value: 80 }],
  ]
  const hidden: TestSheet = { name: 'Lists', state: 'hidden', rows: [head, row('9999')] }
  const { found, exit } = await read(workbook([hidden, { name: 'Bill', rows, merged: ['A1:E1', 'A2:C2'] }], style))
  expect([exit, found]).toEqual([
    0,
    [
      [5, '1001', 'ok'],
      [6, '1002', 'ok'],
    ],
  ])
})

test('the same header twice: the sheet is asked for; a summary beside the bill is none', async () => {
  const two = workbook([
    { name: 'Forward', rows: [head, row('1001')] },
    { name: 'RTO', rows: [['Delhivery'], head, row('1002')] },
    { name: 'Notes', rows: [['Terms'], ['awb is the waybill']] },
  ])
  const refused = await read(two)
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('1 Forward, 2 RTO') as string])
  expect((await read(two, '--sheet', 'RTO')).found).toEqual([[3, '1002', 'ok']])
  const summary = workbook([
    {
      name: 'Summary',
      rows: [
        ['City', 'Amount'],
        ['Pune', 40],
      ],
    },
    { name: 'Lines', rows: [head, row('1003')] },
  ])
  expect((await read(summary)).found).toEqual([[2, '1003', 'ok']])
})

test('formulas have their values, days are numbers, and a long AWB is a number or text', async () => {
  const day = (number: number): Cell => ({ number, format: 'dd-mm-yyyy' })
  const rows: readonly (readonly Cell[])[] = [
    ['awb', 'line_date', 'zone', 'weight_kg', 'freight', 'total'],
    // 1 March 2026: the first of two parcels with this AWB.
    [2001, day(46082), 'a', 0.4, 30, { formula: 'E2', value: 30 }],
    ['1002', day(46285.99), 'c', { number: 0.4, format: '0.00' }, 40, { formula: 'E3', value: 41.5 }],
    ['1001', day(46285), 'c', 0.4, 40, { formula: 'E4' }],
  ]
  const { lines, exit } = await read(workbook([{ name: 'Bill', rows }]), '--force')
  expect(lines.slice(0, 2).map(({ category, picked_up: picked, billed }) => [category, picked, billed])).toEqual([
    ['ok', '2026-02-01', 30],
    ['arithmetic', '2026-09-05', 41.5],
  ])
  // A formula that no program has worked out is no amount.
  expect([exit, lines[2]]).toMatchObject([7, { verdict: 'unknown', reasons: [{ code: 'unread_line' }] }])
})

test("an invoice that ends in Excel's last row is warned of", async () => {
  const rows = function* (last: number): Generator<readonly Cell[]> {
    yield head
    yield row('1001')
    for (let n = 3; n < last; n++) yield []
    yield row('1002')
  }
  const cut = await read(workbook([{ name: 'Bill', rows: rows(1_048_576) }]))
  expect(cut.found).toEqual([
    [2, '1001', 'ok'],
    [1_048_576, '1002', 'ok'],
  ])
  expect(cut.stderr).toContain('! The file ends at row 10,48,576, the last one that Excel has: lines may be cut off.')
  const whole = await read(workbook([{ name: 'Bill', rows: rows(1_048_575) }]))
  expect([whole.exit, whole.stderr]).toEqual([0, ''])
})
