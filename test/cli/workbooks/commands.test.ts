// Defends that every command that takes a CSV takes the same table as a workbook, from a file and from a pipe, with the same
// result; only what counts lines counts rows.
// @module-tag full: a workbook for each command
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox, type Outcome } from '../../support/sandbox.ts'
import { workbook, type Cell } from '../../support/workbook.ts'

const box = sandbox()
const seeded = { SHIPX_DB: 'seeded.sqlite' }
let awbs: readonly string[]

/** The cells of a CSV as a spreadsheet makes them: what looks like a number is one. */
const cellsOf = (csv: string): readonly (readonly Cell[])[] =>
  (parse(csv, { relax_column_count: true }) as string[][]).map((row) =>
    row.map((cell) => (/^(?:0|[1-9]\d{0,14})(?:\.\d*[1-9])?$/.test(cell) ? Number(cell) : cell)),
  )

/** Writes a table as name.csv and, with titles above, as name.xlsx. */
function both(name: string, csv: string, titles: readonly (readonly Cell[])[] = []): void {
  box.file(`${name}.csv`, csv)
  box.file(
    `${name}.xlsx`,
    workbook([
      { name: 'Lists', rows: [['x']], state: 'hidden' },
      { name: 'Data', rows: [...titles, ...cellsOf(csv)] },
    ]),
  )
}

beforeAll(async () => {
  await box.shipx(['local', 'seed', '--shipments', '200', '--returns', '10'], { env: seeded })
  const listed = await box.shipx(['shipments', 'list', '--all', '--csv', '--fields', 'awb'], { env: seeded })
  awbs = listed.stdout.split('\n').filter((line) => /^\d+$/.test(line))
  both(
    'awbs',
    `Courier,AWB No\n${awbs
      .slice(0, 3)
      .map((awb) => `X,${awb}`)
      .join('\n')}\n`,
    [['Pending in November'], []],
  )
})
afterAll(box.remove)

const run = (line: string, env: Readonly<Record<string, string>> = seeded): Promise<Outcome> =>
  box.shipx(line.split(' '), { env })

test('shipments get --file names the parcels of a workbook, and is not told "search has more than 200 characters"', async () => {
  const [book, text] = [
    await run('shipments get --file awbs.xlsx --ids'),
    await run('shipments get --file awbs.csv --ids'),
  ]
  expect([book.exit, book.stdout]).toEqual([0, text.stdout])
  expect(book.stdout.split('\n')).toHaveLength(4)
})

describe('a workbook, from a file and from a pipe, does what its CSV does:', () => {
  const stores = 'store_name,brand_name\nacme-kids,Acme Kids\nacme-home,"Home, sweet"\n'
  const parcels =
    'ref,from,to,weight_g,length,width,height,payment,value\nA,400001,560001,500,20,15,10,cod,1499\nB,400001,797112,700,20,15,10,prepaid,\n'
  const tables: readonly (readonly [name: string, csv: () => string | Promise<string>, line: string])[] = [
    ['stores', () => stores, 'stores import FILE --yes --json'],
    ['orders', async () => (await run('orders template')).stdout, 'orders import FILE --dry-run --json'],
    ['parcels', () => parcels, 'rates --file FILE --csv -q'],
    ['pins', () => 'Pincode\n560001\n797112\n', 'serviceability --from 400001 --file FILE --csv -q'],
    [
      'scans',
      () => `awb,event,at\n${awbs[0]},out_for_delivery,2026-09-29 13:00\n`,
      'local track --file FILE --yes --json',
    ],
    ['answers', () => `awb,answer\n${awbs[0]},rto\n`, 'shipments ndr answer --file FILE --dry-run --json'],
    ['list', () => `AWB\n${awbs[5]}\n`, 'shipments get --file FILE --ids'],
    ['card', async () => (await run('ratecard export sample --csv')).stdout, 'ratecard check FILE --json'],
  ]
  test.each(tables)('%s', async (name, csv, line) => {
    both(name, await csv(), [['ACME Logistics'], []])
    // The same database for each: an import changes it.
    const env = (of: string): Readonly<Record<string, string>> => ({ SHIPX_DB: `${of}.sqlite` })
    for (const of of ['csv', 'xlsx', 'pipe']) await box.bash(`cp seeded.sqlite ${of}.sqlite`)
    const text = await run(line.replace('FILE', `${name}.csv`), env('csv'))
    const book = await run(line.replace('FILE', `${name}.xlsx`), env('xlsx'))
    expect([book.exit, book.stdout]).toEqual([text.exit, text.stdout])
    if (name === 'card') return
    const piped = await box.bash(`cat ${name}.xlsx | shipx ${line.replace('FILE', '-')}`, { env: env('pipe') })
    expect([piped.exit, piped.stdout]).toEqual([text.exit, text.stdout])
  })

  test('faults name rows, and cells that cannot be read', async () => {
    const rows: readonly (readonly Cell[])[] = [
      ['Stores of ACME'],
      ['store_name', 'brand_name'],
      ['good', 'Good'],
      ['not good', 'x'],
      ['third', { error: '#N/A' }],
      ['good', 'Again'],
      ['Total', 2],
    ]
    box.file('faulty.xlsx', workbook([{ name: 'S', rows }]))
    const { exit, stderr } = await run('stores import faulty.xlsx --yes')
    expect(exit).toBe(7)
    expect(stderr).toContain('Skipped 1 row above the header (row 2).')
    expect(stderr).toMatch(/ {2}row 4: /)
    expect(stderr).toContain('row 5: B5: it holds the error #N/A')
    expect(stderr).toContain('row 6: good is in row 3 already')
    expect(readFileSync(join(box.folder, 'faulty.failed.csv'), 'utf8')).toMatch(/^not good,x,4,/m)
  })

  test('faults of orders name rows, not lines', async () => {
    const [header, first, second] = cellsOf((await run('orders template')).stdout)
    const other = second!.map((cell, i) => (header![i] === 'billing_customer_name' ? 'Someone else' : cell))
    box.file('apart.xlsx', workbook([{ name: 'S', rows: [['Orders'], header!, first!, other] }]))
    expect((await run('orders import apart.xlsx --dry-run')).stderr).toMatch(
      /row 4: billing_customer_name "Someone else" differs from "Asha Rao" in row 3; /,
    )
  })

  test('an AWB that lost its digits is refused with its cell, in a workbook and in a CSV', async () => {
    box.file('lost.xlsx', workbook([{ name: 'S', rows: [['awb'], [1434494001234567], ['7.42E+13']] }]))
    expect((await run('shipments get --file lost.xlsx')).stderr).toContain(
      'row 2 lost.xlsx: A2: 1.43E+15 lost its digits',
    )
    box.file('lost.csv', 'awb,event,at\n7.42E+13,delivered,2026-09-28\n')
    expect((await run('local track --file lost.csv --yes')).stderr).toContain(
      'line 2: tracking_number: "7.42E+13" is a number that a spreadsheet has rounded',
    )
  })

  test('a workbook with a wrong header is refused before anything else of a pipe is done', async () => {
    box.file('wrong.xlsx', workbook([{ name: 'S', rows: [['shop'], ['x']] }]))
    const { exit, stderr } = await box.bash('cat wrong.xlsx | shipx stores import - --yes')
    expect([exit, stderr]).toEqual([2, expect.stringContaining('row 1 standard input: the header lacks store_name')])
  })

  test('--sheet goes with a file', async () => {
    for (const line of [
      'rates --from 400001 --to 560001 -w 500g -s 1x1x1 --prepaid --sheet 2',
      'shipments get 1 --sheet 2',
    ])
      expect((await run(line)).stderr).toContain('--sheet: ')
  })
})
