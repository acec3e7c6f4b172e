// Defends what a cell of a workbook means: its text as Excel shows it, and a fault with the name of the cell where it shows
// none.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatOf } from '../../../src/cli/workbooks/styles.ts'
import { plainText } from '../../../src/cli/workbooks/cellvalue.ts'
import { readMoment } from '../../../src/domain/read/day.ts'
import { runs } from '../../support/size.ts'
import { styles, workbook, type Cell } from '../../support/workbook.ts'
import { readTable } from './reading.ts'

const inFormat = (number: number, format: string): Cell => ({ number, format })

/** The text of one cell, or its fault. */
async function textOf(cell: Cell, date1904 = false): Promise<string | undefined> {
  const rows = [
    ['awb', 'event'],
    ['A-1', cell],
  ]
  const { rows: found } = await readTable(workbook([{ name: 'S', rows }], 'excel', { date1904 }))
  const [{ fault, cells } = { fault: 'no row', cells: [] }] = found
  return fault ?? cells[1]
}

describe('a cell is read as Excel shows it', () => {
  test.each<readonly [string, Cell, string]>([
    ['a whole number', 400001, '400001'],
    ['an AWB that Excel shows as 7.42E+13', 74229551459223, '74229551459223'],
    ['15 digits', 999999999999999, '999999999999999'],
    ['a sum with its rounding error', 0.1 + 0.2, '0.3'],
    ['a small number', 1.5e-7, '0.00000015'],
    ['a negative amount', -499.5, '-499.5'],
    ['yes', true, 'true'],
    ['no', false, 'false'],
    ['text', '  Café & "Söhne" <1>\nनमस्ते ', '  Café & "Söhne" <1>\nनमस्ते '],
    ['a carriage return, which XML cannot hold', 'one\r\ntwo', 'one\r\ntwo'],
    ['a text that looks like such an escape', '_x000D_', '_x000D_'],
    [
      'runs of several fonts, without their pronunciation',
      { runs: ['東', '京 office'], phonetic: 'トウキョウ' },
      '東京 office',
    ],
    ['a formula by its value', { formula: 'A1&"x"', value: 'AWBx' }, 'AWBx'],
    ['a formula that comes to nothing', { formula: '""', value: '' }, ''],
    ['a formula of a number', { formula: 'SUM(A1:A9)', value: 1499.5 }, '1499.5'],
    ['a day', inFormat(46347, 'dd/mm/yyyy'), '2026-11-21'],
    ['a day and a time', inFormat(46347 + 18 / 24 + 5 / 1440, 'dd-mmm-yy h:mm AM/PM'), '2026-11-21 18:05'],
    ['seconds', inFormat(46347.753483796296, 'yyyy-mm-dd hh:mm:ss'), '2026-11-21 18:05:01'],
    ['a month', inFormat(46327, 'mmm-yy'), '2026-11-01'],
    ['a time alone', inFormat(0.75, 'h:mm'), '18:00'],
    ['hours beyond a day', inFormat(1.25, '[h]:mm'), '30:00'],
    ['the first of March 1900', inFormat(61, 'd/m/yyyy'), '1900-03-01'],
    ['the day before the one that was none', inFormat(59, 'd/m/yyyy'), '1900-02-28'],
    ['a day in ISO 8601', { iso: '2026-11-21T00:00:00.000' }, '2026-11-21'],
    ['a time in ISO 8601', { iso: '2026-11-21T18:05:11' }, '2026-11-21 18:05:11'],
    ['a percentage', inFormat(0.12, '0.00%'), '12%'],
    ['a percentage with a rounding error', inFormat(0.07, '0%'), '7%'],
    ['leading zeros', inFormat(60001, '000000'), '060001'],
    ['a price with a currency', inFormat(1499, '[$₹-4009] #,##0.00'), '1499'],
    ['a number with days in quotes', inFormat(3, '0 "days"'), '3'],
  ])('%s', async (_, cell, text) => expect(await textOf(cell)).toBe(text))

  test('a day of a workbook from an old Mac, whose calendar begins in 1904', async () => {
    expect(await textOf(inFormat(46347 - 1462, 'dd/mm/yyyy'), true)).toBe('2026-11-21')
  })

  test('a time of a sheet is a time in India', async () => {
    const text = await textOf(inFormat(46347 + 18 / 24 + 5 / 1440, 'dd-mm-yyyy hh:mm'))
    expect(readMoment(text!, {})).toEqual({ value: Date.parse('2026-11-21T18:05:00+05:30') })
  })

  test.each([
    ['m/d/yy', 'date'],
    ['d-mmm', 'date'],
    ['mm:ss', 'time'],
    ['[mm]:ss', 'time'],
    ['mmmm', 'date'],
    ['General', 'plain'],
    ['@', 'plain'],
    ['_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', 'plain'],
    ['[Red]0.00', 'plain'],
    ['\\d0', 'plain'],
    ['0', 'plain'],
    ['[$-en-IN]dd mmmm yyyy;@', 'date'],
    ['0.0%', 'percent'],
  ])('the format %s is one of kind %s', (code, kind) => expect(formatOf(code).kind).toBe(kind))

  test('no number is ever shown with an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e14, max: 1e14 }), (value) => {
        const text = plainText(value)
        expect(text).toMatch(/^-?\d+(\.\d+)?$/)
        expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(Math.max(Math.abs(value) * 1e-14, 1e-19))
      }),
      { numRuns: runs(200, 5000) },
    )
  })
})

describe('a cell that cannot be read is named', () => {
  test.each<readonly [string, Cell, string]>([
    ['an error', { error: '#N/A' }, 'B2: it holds the error #N/A'],
    [
      'a formula that was never worked out',
      { formula: 'A1' },
      'B2: it holds a formula without a value; open the workbook in Excel',
    ],
    ['a number of more than 15 digits', 1234567890123456, 'B2: 1.23E+15 lost its digits; format the column as text'],
  ])('%s', async (_, cell, fault) => expect(await textOf(cell)).toContain(fault))

  test('an error in a column that is not used is no fault', async () => {
    const rows = [
      ['awb', 'event', 'margin'],
      ['A-1', 'delivered', { error: '#DIV/0!' }],
    ]
    const { rows: found } = await readTable(workbook([{ name: 'S', rows }]))
    expect(found).toEqual([{ line: 2, cells: ['A-1', 'delivered', '#DIV/0!'], fault: undefined }])
  })

  test('a cell of a million characters is a fault, and costs no memory', async () => {
    const rows = [
      ['awb', 'event'],
      ['A-1', 'x'.repeat(1_000_000)],
    ]
    for (const style of ['excel', 'bare'] as const) {
      const [row] = (await readTable(workbook([{ name: 'S', rows }], style))).rows
      expect([row!.fault, row!.cells[1]!.length]).toEqual(['has a cell of more than 10,000 characters', 10_001])
    }
  })
})

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !/^['=]|[\0\ufffe\uffff]/.test(value))
const cell: fc.Arbitrary<string | number | boolean> = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constantFrom('', ' ', '0042', '१२', 'a\nb', '_x0041_', '𝒳'),
)

describe('a workbook of any program', () => {
  test.each(styles)('holds what was written: %s', async (style) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { minLength: 2, maxLength: 30 }), { maxLength: 20 }), async (cells) => {
        const header = ['awb', 'event', ...Array.from({ length: 28 }, (_, i) => `c${i}`)]
        // A key on each row: what looks like totals, or is empty, is left out.
        const rows = cells.map((row, i) => [`K${i}`, 'e', ...row.slice(0, 28)])
        const { rows: found } = await readTable(workbook([{ name: 'S', rows: [header, ...rows] }], style))
        const expected = rows.map((row) => header.map((_, at) => String(row[at] ?? '')))
        expect(found.map((row) => row.cells)).toEqual(expected)
        expect(found.map(({ line }) => line)).toEqual(rows.map((_, i) => i + 2))
      }),
      { numRuns: runs(15, 400) },
    )
  })
})
