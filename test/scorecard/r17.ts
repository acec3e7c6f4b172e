// R17: what is exported as CSV runs nothing as a formula and imports again as it was.
import { parse } from 'csv-parse/sync'
import { csvWriter } from '../../src/cli/files/csv.ts'
import { chanceOf } from '../support/chance.ts'
import { deskOf } from '../support/imports.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

const parts = [
  '=',
  '+',
  '-',
  '@',
  "'",
  '"',
  ',',
  ';',
  '1',
  '0',
  '.',
  'a',
  ' ',
  'क',
  '😀',
  'HYPERLINK("http://x")',
  '=cmd|',
  'é',
]

/** R17: so many of 10,000 stores with awkward names and brands. */
export const r17 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const count = share(size, 10_000, 500)
    const chance = chanceOf(17)
    const faults: string[] = []
    const brand = (): string =>
      Array.from({ length: Math.floor(chance() * 8) }, () => parts[Math.floor(chance() * parts.length)]!)
        .join('')
        .normalize('NFC')
        .trim()
    const name = (n: number): string => `${['', '-', '--', '-0'][n % 4]!}${n}`
    const stores = Array.from({ length: count }, (_, n) => [name(n), brand() || null] as const)
    const desk = deskOf()
    let unguarded = 0
    try {
      const { header, row } = csvWriter({ raw: false, excel: false, tsv: false })
      desk.write('stores.csv', header(['store_name', 'brand_name']) + stores.map(row).join(''))
      const first = await desk.run(['stores', 'import', 'stores.csv', '--yes', '--json'])
      if (first.exit !== 0) faults.push(`the import ended with ${first.exit}: ${first.stdout} ${first.stderr}`)
      const wanted = JSON.stringify(stores.toSorted(([a], [b]) => (a < b ? -1 : 1)))
      if (JSON.stringify(desk.stores()) !== wanted) faults.push('what came in is not what was written')
      const out = await desk.run(['stores', 'export'])
      for (const cell of (parse(out.stdout) as string[][]).flat())
        if (/^[=+\-@\t\r\n]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell)) unguarded++
      desk.write('again.csv', out.stdout)
      const again = await desk.run(['stores', 'import', 'again.csv', '--yes', '--json'])
      if (!again.stdout.includes(`"unchanged":${count}`)) faults.push(`imported again: ${again.stdout}`)
      await desk.run(['stores', 'import', 'again.csv', '--yes', '--json', '--db', 'other.sqlite'])
      const other = await desk.run(['stores', 'export', '--db', 'other.sqlite'])
      if (other.stdout !== out.stdout) faults.push('a second export differs from the first')
    } finally {
      desk.clear()
    }
    if (unguarded > 0) faults.push(`${unguarded} cells are not guarded`)
    return {
      row: 'R17',
      what: `${count} stores with awkward brands, exported, checked and imported`,
      tried: count,
      result: `${unguarded} unguarded cells; identity ${faults.length === 0 ? 'holds' : 'does not hold'}`,
      target: 'identity, 0 unguarded cells',
      faults: summed(faults),
    }
  })
