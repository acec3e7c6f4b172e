// Defends which rows of a workbook are read: the sheet, the header below its titles, and everything above the totals; the
// same for every program that wrote it, and for CSV.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Context } from '../../../src/cli/command/context.ts'
import { openSheet } from '../../../src/cli/files/opensheet.ts'
import { openInputFile } from '../../../src/cli/imports/inputfile.ts'
import { openTable, type Opener } from '../../../src/cli/imports/validate.ts'
import { root } from '../../support/checkout.ts'
import { temporaryPath } from '../../support/engine.ts'
import { styles, workbook, type Cell, type TestSheet } from '../../support/workbook.ts'
import { columns, io, readTable, refusal } from './reading.ts'

const header = ['AWB', 'Event', 'At', 'Amount']
const scans: readonly (readonly Cell[])[] = [
  ['14344940012345', 'picked_up', { number: 46347.75, format: 'dd-mm-yyyy hh:mm' }, 1499],
  [14344940012346, 'delivered', '22/11/2026', 0.1 + 0.2],
  ['A&B "7"', { formula: 'LOWER("X")', value: 'x' }, null, true],
]
const csv = `AWB,Event,At,Amount
14344940012345,picked_up,2026-11-21 18:00,1499
14344940012346,delivered,22/11/2026,0.3
"A&B ""7""",x,,true
`

const cellsOf = async (bytes: Uint8Array, plan = {}): Promise<readonly (readonly string[])[]> =>
  (await readTable(bytes, plan)).rows.map(({ cells }) => cells)

const sheetOf = (rows: readonly (readonly Cell[])[], more: Partial<TestSheet> = {}): TestSheet => ({
  name: 'Sheet1',
  rows,
  ...more,
})

describe('the same table', () => {
  test.each(styles)('comes to the same rows as its CSV: %s', async (style) => {
    const text = await readTable(Buffer.from(csv))
    const book = await readTable(workbook([sheetOf([header, ...scans])], style))
    expect([book.headers, book.rows]).toEqual([text.headers, text.rows])
  })

  test('is read from a workbook that LibreOffice wrote', async () => {
    const book = readFileSync(join(root, 'test/cli/workbooks/libreoffice.xlsx'))
    // A date without a time is a number there.
    expect(await cellsOf(book)).toEqual(await cellsOf(Buffer.from(csv.replace('22/11/2026', '2026-11-22'))))
  })

  test('empty rows between are no rows, and numbers stay those of the sheet', async () => {
    const rows = [header, [], scans[0]!, [null, null, ' '], [], scans[1]!]
    for (const style of styles)
      expect((await readTable(workbook([sheetOf(rows)], style))).rows.map(({ line }) => line)).toEqual([3, 6])
  })

  test('cells beyond the header are left out', async () => {
    expect(
      await cellsOf(
        workbook([
          sheetOf([
            ['awb', 'event'],
            ['A', 'b', 'remark'],
          ]),
        ]),
      ),
    ).toEqual([['A', 'b']])
  })
})

describe('the sheet', () => {
  const book = workbook([
    sheetOf([['secret']], { name: 'Lists', state: 'hidden' }),
    sheetOf([header, scans[0]!], { name: 'Nov 2026' }),
    sheetOf([header, scans[1]!], { name: 'Returns' }),
    sheetOf([['x']], { name: 'More', state: 'veryHidden' }),
  ])
  const first = '14344940012345'
  test('is the first one that is not hidden; a note names the others', async () => {
    const { rows, notes } = await readTable(book)
    expect([rows[0]!.cells[0], notes]).toEqual([first, ['Read the sheet Nov 2026; --sheet reads another: Returns']])
  })
  test.each([
    ['Nov 2026', first],
    ['nov 2026', first],
    ['2', first],
    ['Returns', '14344940012346'],
    ['3', '14344940012346'],
  ])('is the one of --sheet %s', async (sheet, awb) => {
    const { rows, notes } = await readTable(book, { sheet })
    expect([rows[0]!.cells[0], notes]).toEqual([awb, []])
  })
  test.each(['Dec 2026', '5', '0', ''])('that is not there is refused with the list: %j', async (sheet) => {
    expect(await refusal(book, { sheet })).toBe(
      `row - --sheet: the workbook has no sheet "${sheet}"; it has: 1 Lists (hidden), 2 Nov 2026, 3 Returns, 4 More (hidden)`,
    )
  })
  test('of a CSV is refused', async () => {
    expect(await refusal(Buffer.from(csv), { sheet: 'Nov' })).toContain('is not a workbook; only a workbook has sheets')
  })
  test('that is empty is named', async () => {
    expect(await refusal(workbook([sheetOf([]), sheetOf([header], { name: 'Full' })]))).toContain(
      'its sheet Sheet1 is empty → name another one with --sheet: 1 Sheet1, 2 Full',
    )
  })
})

describe('the header', () => {
  const titled = (rows: readonly (readonly Cell[])[]): Buffer =>
    workbook([
      sheetOf([['ACME Logistics Pvt Ltd'], [], ['Scans of', { number: 46347, format: 'd-m-yy' }], ...rows], {
        merged: ['A1:D1'],
      }),
    ])
  test('is found below merged titles, and the note says so', async () => {
    const { headers, rows, notes } = await readTable(titled([header, ...scans]))
    expect([headers, rows.map(({ line }) => line), notes]).toEqual([
      header,
      [5, 6, 7],
      ['Skipped 2 rows above the header (row 4).'],
    ])
  })
  test('with a fault has its own row', async () => {
    expect(await refusal(titled([['AWB', 'At', 'Amount'], scans[0]!]))).toMatch(
      /^row 4 book\.xlsx: the header lacks event; it has: AWB, At, Amount\. /,
    )
  })
  test('is found below the titles of a CSV too', async () => {
    for (const text of [csv, csv.replaceAll(',', ';'), csv.replaceAll(',', '\t')]) {
      const { rows, notes } = await readTable(Buffer.from(`ACME Logistics\n\nNovember\n${text}`))
      expect([rows.map(({ line }) => line), notes]).toEqual([[5, 6, 7], ['Skipped 2 rows above the header (line 4).']])
    }
  })
  test('in the first row is never passed over for one below', async () => {
    const rows = [
      ['awb', 'event', 'remark'],
      ['awb', 'event', 'at'],
      ['1', '2', '3'],
    ]
    expect(await cellsOf(workbook([sheetOf(rows)]))).toEqual([
      ['awb', 'event', 'at'],
      ['1', '2', '3'],
    ])
  })
  test('of a list without columns of ours is the row with a known name', async () => {
    const rows = [['Pending AWBs'], ['Courier', 'AWB No'], ['BlueLine', 14344940012345]]
    const plan = { columns: [], known: ['awbno'] }
    const { headers, rows: found } = await readTable(workbook([sheetOf(rows)]), plan)
    expect([headers, found.map(({ cells }) => cells)]).toEqual([
      ['Courier', 'AWB No'],
      [['BlueLine', '14344940012345']],
    ])
  })
})

describe('totals below', () => {
  const withTotals = async (...totals: readonly (readonly Cell[])[]): Promise<readonly [number, readonly string[]]> => {
    const { rows, notes } = await readTable(workbook([sheetOf([header, ...scans, ...totals])]))
    return [rows.length, notes]
  }
  test.each<readonly [string, readonly Cell[]]>([
    ['with a label in another column', [null, 'Grand Total', null, 1499]],
    ['with a label in Hindi', [null, 'कुल', null, '1,499.00']],
    ['with a label in the column of the key', ['Total', null, null, 1499]],
    ['that are only numbers', [null, null, null, 1499]],
  ])('are left out, and the note names their row: %s', async (_, row) => {
    expect(await withTotals(row)).toEqual([3, ['Left out 1 row of totals (row 5).']])
  })
  test('of several rows, also after an empty one', async () => {
    expect(await withTotals([], [null, 'Sub-total:', null, 1], [null, 'Total', null, '₹ 2'])).toEqual([
      3,
      ['Left out 2 rows of totals (rows 6, 7).'],
    ])
  })
  test.each<readonly [string, readonly (readonly Cell[])[]]>([
    ['a key', [['A-9', 'Total', null, 1499]]],
    ['a key that is a word', [['Total', 'delivered', null, 1499]]],
    ['other text', [[null, 'Total', 'Asha Rao', 1]]],
    ['a name that begins like it', [[null, 'Totally', null, 1]]],
    [
      'a row below',
      [
        [null, 'Total', null, 1],
        ['A-9', 'x', null, null],
      ],
    ],
  ])('are not what has %s', async (_, rows) => {
    expect(await withTotals(...rows)).toEqual([3 + rows.length, []])
  })
  test('are left out of a CSV too', async () => {
    const { rows, notes } = await readTable(Buffer.from(`${csv}Total,,,"1,499.30"\n`))
    expect([rows.length, notes]).toEqual([3, ['Left out 1 row of totals (line 5).']])
  })
})

test('a workbook that is changed between two readings is refused, and nothing of it is sent', async () => {
  const path = temporaryPath('moving.xlsx')
  const book = (awb: string): Buffer => workbook([sheetOf([header, [awb, 'delivered']])], 'bare')
  writeFileSync(path, book('before'))
  const input = await openInputFile({ io } as Context, path, '<file>', async () => undefined)
  onTestFinished(input.close)
  const reading = input.read()
  for await (const _ of reading.bytes());
  const measured = { digest: reading.digest(), lines: 9 }
  const open: Opener = (bytes) => openSheet(io, { path, field: '<file>', columns, bytes })
  const table = async (): Promise<() => void> => {
    const { sheet, end } = await openTable(open, input, measured)
    for await (const _ of sheet.rows);
    return end
  }
  expect(await table()).not.toThrow()
  writeFileSync(path, book('after!'))
  expect(await table()).toThrow('moving.xlsx was changed while it was being checked; nothing was sent')
})
