// L6: no cell of an export is a formula in a spreadsheet whose separator is another one than the file's.
import { parse } from 'csv-parse/sync'
import { unguard } from '../../src/cli/files/csv.ts'
import { chanceOf } from '../support/chance.ts'
import { cellsIn } from '../support/excelcells.ts'
import { deskOf } from '../support/imports.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

const parts = [
  '=',
  '+',
  '-',
  '@',
  ';',
  '\t',
  '\n',
  '\r\n',
  ';=',
  '\t@',
  '\n+',
  ';"=',
  "'",
  '"',
  ',',
  '1',
  '-5',
  'Asha',
  ' ',
  'क',
  '=1+1',
  "=cmd|'/c calc'!A1",
  '=HYPERLINK("http://x")',
]

/** Numbers in front of the rest of a line, and digits that Excel is to keep as text, are written by shipx itself. */
const own = /^-?\d+(\.\d+)?(,|$)|^="\+?[\d -]+"/

/** L6: so many of 10,000 shipments whose customers have formulas behind separators in their names. */
export const l6 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const count = share(size, 10_000, 300)
    const chance = chanceOf(6)
    const faults: string[] = []
    const name = (): string =>
      Array.from({ length: 1 + Math.floor(chance() * 6) }, () => parts[Math.floor(chance() * parts.length)]!).join('')
    const names = Array.from({ length: count }, (_, n) => (n === 0 ? 'Asha;=1+1' : name()))
    const record = (customer: string, n: number): string =>
      JSON.stringify({
        id: `S-${n}`,
        type: 'shipment',
        attributes: {
          tracking_number: `1434494${100_000 + n}`,
          status: 'in_transit',
          created_at: '2026-09-28T04:30:00Z',
          shipping_address: { name: customer, city: 'Pune' },
        },
      })
    const desk = deskOf()
    let [cells, formulas] = [0, 0]
    try {
      await desk.run(['local', 'import', 'shipments', '-'], { input: names.map(record).join('\n') })
      for (const format of ['--csv', '--excel', '--tsv']) {
        const { stdout, exit } = await desk.run(['shipments', 'list', '--all', format])
        if (exit !== 0) faults.push(`${format} ended with ${exit}`)
        for (const separator of format === '--tsv' ? [';', '\t'] : [';', '\t', ','])
          for (const cell of cellsIn(stdout.replace(/^\ufeff/, ''), separator)) {
            cells++
            if (/^[=+\-@]/.test(cell) && !own.test(cell)) formulas++
          }
        if (format === '--tsv') continue
        // The columns of a sheet for people have headers of their own, unless fields are named.
        const fields = ['--fields', 'id,shipping_address.name']
        const named = await desk.run(['shipments', 'list', '--all', format, ...fields])
        const rows: Record<string, string>[] = parse(named.stdout, { bom: true, columns: true })
        const read = new Map(rows.map((row) => [row['id'], unguard(row['shipping_address.name']!)]))
        const other = names.filter((customer, n) => read.get(`S-${n}`) !== customer).length
        if (other > 0) faults.push(`${other} names of ${format} are read back as others`)
      }
    } finally {
      desk.clear()
    }
    if (formulas > 0) faults.push(`${formulas} cells are formulas`)
    return {
      row: 'L6',
      what: `${count} customers with formulas behind ; tabs and line breaks, exported as CSV, for Excel and as TSV, split at ; tab and comma`,
      tried: cells,
      result: `${formulas} of ${cells.toLocaleString('en-IN')} cells are formulas; the names are read back as they were`,
      target: '0 formulas, identity',
      faults: summed(faults),
    }
  })
