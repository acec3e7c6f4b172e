// What a finance person stumbled over in how a file is written: days of two digits of the year, credits in Excel's and
// SAP's form, a workbook whose first sheet is a summary, a statement with two days.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paiseIn } from '../../../src/domain/money/amounts.ts'
import { sandbox } from '../../support/sandbox.ts'
import { workbook } from '../../support/workbook.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(
    box,
    ['1001', '1002', '1003', '1004'].map((awb) => shipment(awb)),
  ),
)

const text = (name: string, rows: readonly string[]): string => box.file(name, rows.join('\n'))
const invoice = (file: string, ...more: readonly string[]) =>
  box.shipx(['reconcile', 'invoice', file, '--courier', 'Delhivery', ...more])
const remittance = (file: string, ...more: readonly string[]) =>
  box.shipx(['reconcile', 'cod', file, '--courier', 'Delhivery', ...more])

test.each([
  ['₹ (73.49)', -7349],
  ['(₹ 73.49)', -7349],
  ['Rs. (1,234.50)', -123_450],
  ['73.49-', -7349],
  ['\u221273.49', -7349],
  ['- 73.49', -7349],
  ['12/-', 1200],
  ['-12-', NaN],
  ['(12', NaN],
])('a credit that Excel or SAP writes was no amount: %s', (written, paise) => {
  expect(paiseIn(written)).toBe(paise)
})

test.each([
  ['40,00', NaN],
  ['1,4990', NaN],
  ['40,000', 4_000_000],
  ['1,23,456.50', 12_345_650],
])('an invoice with decimal commas was a hundred times too dear: %s', (written, paise) => {
  expect(paiseIn(written)).toBe(paise)
})

test.each(['05-11-26', '05/11/26', '5.11.26'])('an invoice of %s counted as one of today', async (day) => {
  const rows = [`Bill No: DL/${day} dt. ${day},,,`, 'awb,zone,weight_g,freight', '1001,c,400,40']
  const titled = await invoice(text('titled.csv', rows), '--dry-run')
  expect(titled.stderr).toContain(`Read above the header: number DL/${day}, day 05 Nov 2026.`)
  const dated = ['awb,zone,weight_g,freight,Invoice Date', `1001,c,400,40,${day}`]
  const kept = await invoice(text('dated.csv', dated), '--number', `N${day}`, '--yes', '--json')
  expect([kept.exit, kept.stderr]).toEqual([0, expect.not.stringContaining('its day')])
  const { stdout } = await box.shipx(['invoices', 'get', `N${day}`, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ data: { day: '2026-11-05' } })
  await box.shipx(['invoices', 'remove', `N${day}`, '--yes'])
})

test('a day that could not be read was said nowhere', async () => {
  // The year first: as a day first it would be 26 November 2005.
  const file = text('odd.csv', ['awb,zone,weight_g,freight,Invoice Date', '1001,c,400,40,26-11-05'])
  const dry = await invoice(file, '--dry-run')
  expect(dry.stderr).toContain('The file has days that shipx cannot read, such as "26-11-05": write 05-11-2026.')
  const bank = text('odd-bank.csv', ['Date,Narration,Credit', '31-02-2026,NEFT HDFCR52026110512345678,500'])
  const paid = text('paid.csv', ['awb,remitted,utr', '1001,500,HDFCR52026110512345678'])
  const compared = await remittance(paid, '--bank', bank, '--dry-run')
  expect(compared.stderr).toContain('The statement has days that shipx cannot read, such as "31-02-2026".')
})

test('a remittance of 05-11-26 was refused whole', async () => {
  const file = text('paid.csv', ['AWB,Paid Amt,UTR / Ref,Pay Dt', '1001,500,HDFCR52026110512345678,05-11-26'])
  const { exit, stdout } = await remittance(file, '--dry-run', '--jsonl')
  expect([exit, JSON.parse(stdout.split('\n')[0]!)]).toMatchObject([
    0,
    { awb: '1001', remitted: 500, utr: 'HDFCR52026110512345678', remitted_on: '2026-11-05' },
  ])
})

test('a workbook whose first sheet is a summary did not say that it has another', async () => {
  const file = join(box.folder, 'two.xlsx')
  const lines = [
    ['Consg', 'zone', 'weight_g', 'freight'],
    ['1001', 'c', '400', '40'],
  ]
  const summary = [
    ['Particulars', 'Amount'],
    ['Freight', '40'],
  ]
  writeFileSync(
    file,
    workbook([
      { name: 'Summary', rows: summary },
      { name: 'AWB Details', rows: lines },
    ]),
  )
  const { exit, stderr } = await invoice(file, '--dry-run')
  expect([exit, stderr]).toEqual([2, expect.stringContaining('--sheet reads another sheet: 2 AWB Details')])
  const checked = await box.shipx([
    'reconcile',
    'formats',
    '--check',
    file,
    '--sheet',
    '2',
    '--map',
    'Consg=awb',
    '--csv',
  ])
  expect([checked.exit, checked.stdout]).toEqual([0, expect.stringContaining('Consg,awb')])
})

test('the hint for a statement with two days named a flag that reads the remittance', async () => {
  const bank = text('days.csv', ['Txn Date,Value Date,Narration,Credit', '05-11-2026,05-11-2026,NEFT X,500'])
  const paid = text('paid.csv', ['awb,remitted,utr', '1001,500,HDFCR52026110512345678'])
  const refused = await remittance(paid, '--bank', bank, '--dry-run')
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('--map-bank "Txn Date=date"')])
  const wrong = await remittance(paid, '--bank', bank, '--dry-run', '--map-bank', 'Day=date')
  expect(wrong.stderr).toContain('--map-bank')
  expect(wrong.stderr).not.toMatch(/--map(?!-bank)/)
})

test('reconcile formats --check said grams of weights for which reconcile invoice asks for --unit', async () => {
  const check = async (rows: readonly string[]) =>
    (await box.shipx(['reconcile', 'formats', '--check', text('unit.csv', rows)])).stderr
  for (const header of ['awb,weight,freight', 'AWB_NO,CHRG_WT,FREIGHT,AMOUNT'])
    for (const weights of [
      ['0.4', '0.5', '0.5'],
      ['400', '500', '0.5'],
    ]) {
      const rows = [header, ...weights.map((weight, n) => `100${n + 1},${weight},40,40`)]
      const asked = await invoice(text('unit.csv', rows), '--dry-run')
      const said = await check(rows)
      const doubtful = said.includes('weights in g or kg: shipx reconcile invoice asks for --unit')
      expect([rows, doubtful]).toEqual([rows, asked.stderr.includes('--unit')])
    }
  expect(await check(['awb,weight,freight', '1001,0.4,40', '1002,0.5,40'])).toContain('asks for --unit')
  expect(await check(['awb,weight_g,freight', '1001,400,40'])).toContain('weights in g.')
  expect(await check(['awb,zone,freight', '1001,c,40'])).toContain('no weights.')
})
