// `npm run bench`: measures shipx against bare programs and hand-written SQL, prints a table and writes JSON.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { money } from './money.ts'
import { drivers } from './drivers.ts'
import { label } from './label.ts'
import { p1 } from './p1.ts'
import { p2 } from './p2.ts'
import { p4 } from './p4.ts'
import { p5 } from './p5.ts'
import { p6 } from './p6.ts'
import { p7 } from './p7.ts'
import { p7stores } from './p7stores.ts'
import { p8 } from './p8.ts'
import { p8contract } from './p8contract.ts'
import { p9 } from './p9.ts'
import { p10 } from './p10.ts'
import { p11 } from './p11.ts'
import { p13 } from './p13.ts'
import { p14 } from './p14.ts'
import { peak } from './peak.ts'
import { price } from './price.ts'
import { scans } from './scans.ts'
import { sheetFigures } from './sheets.ts'
import { cold, sums } from './sums.ts'
import { whatif } from './whatif.ts'
import { pg2 } from './pg2.ts'
import { pg7 } from './pg7.ts'
import { pg9 } from './pg9.ts'
import { pggrow } from './pggrow.ts'
import { jsonOf, say, tableOf, type Figure } from './report.ts'
import type { Setup } from './setup.ts'
import { xlsx } from './xlsx.ts'
import { zones } from './zones.ts'

const parts: Readonly<Record<string, (setup: Setup) => Promise<readonly Figure[]>>> = {
  P1: p1,
  P2: p2,
  P4: p4,
  P5: p5,
  P6: p6,
  P7: p7,
  P7CSV: p7stores,
  P8: p8,
  P8CONTRACT: p8contract,
  P9: p9,
  P10: p10,
  P11: p11,
  P13: p13,
  P14: p14,
  SCANS: scans,
  SHEETS: sheetFigures,
  SUMS: sums,
  S4: cold,
  PRICE: price,
  M: money,
  M7: label,
  WHATIF: whatif,
  XLSX: xlsx,
  ZONES: zones,
  PEAK: peak,
  DRIVERS: drivers,
  PG2: pg2,
  PG7: pg7,
  PG9: pg9,
  PGGROW: pggrow,
}

/** Every row of the goals for storage and speed, each at its size. */
const storage = 'SUMS,SCANS,P6,P10,P9,P7,P7CSV,P1,P8,P5,P4,P2@100000,P2,PG2,PG7,P11@10000000,S4@10000000,PGGROW'.split(
  ',',
)

const usage = `npm run bench -- [--rows 1000000] [--only P2@100000,P5] [--runs 7] [--folder <work folder>] [--json <file>]

A part with @ has rows of its own. --only STORAGE is ${storage.join(',')}:
it needs 80 GB of disk and 75 minutes, and 20 more to make the data.
`

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string', default: Object.keys(parts).join(',') },
    runs: { type: 'string', default: '7' },
    folder: { type: 'string', default: join(tmpdir(), 'shipx-bench') },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** The number of rows that a text names. Throws for fewer than 10,000. */
function rowsOf(text: string): number {
  const rows = Number(text)
  if (!Number.isInteger(rows) || rows < 10_000) throw new Error(`${text} rows: 10000 or more are possible`)
  return rows
}

async function main(): Promise<void> {
  const [rows, runs] = [rowsOf(values.rows), Number(values.runs)]
  if (!Number.isInteger(runs) || runs < 1)
    throw new Error('--runs is 1 or more; fewer than 7 are not medians to believe')
  const asked = values.only.toUpperCase().split(',')
  const chosen = asked
    .flatMap((name) => (name === 'STORAGE' ? storage : [name]))
    .map((name) => {
      const [part = '', own] = name.split('@')
      const work = Object.hasOwn(parts, part) ? parts[part] : undefined
      if (work === undefined) throw new Error(`${part} is not one of STORAGE, ${Object.keys(parts).join(', ')}`)
      return { work, rows: own === undefined ? rows : rowsOf(own) }
    })
  const folder = resolve(values.folder)
  mkdirSync(folder, { recursive: true })
  const file = values.json ?? join(folder, 'bench.json')
  const about = {
    at: new Date().toISOString(),
    node: process.version,
    cpus: cpus().length,
    cpu: cpus()[0]?.model,
    rows,
  }
  const figures: Figure[] = []
  for (const { work, rows: own } of chosen) {
    const found = await work({ folder, rows: own, runs })
    figures.push(...(own === rows ? found : found.map((figure) => ({ ...figure, rows: own }))))
    // After each part: what a long run has found is not lost where a later part fails.
    writeFileSync(file, jsonOf(about, figures))
  }
  process.stdout.write(tableOf(figures))
  say(`written to ${file}`)
}

if (values.help) process.stdout.write(usage)
else await main()
