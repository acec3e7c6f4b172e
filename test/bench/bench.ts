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
import { sums } from './sums.ts'
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
  SUMS: sums,
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

const usage = `npm run bench -- [--rows 1000000] [--only P2,P5] [--runs 7] [--folder <work folder>] [--json <file>]
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

async function main(): Promise<void> {
  const [rows, runs] = [Number(values.rows), Number(values.runs)]
  const names = values.only.toUpperCase().split(',')
  const unknown = names.find((name) => !Object.hasOwn(parts, name))
  if (unknown !== undefined) throw new Error(`${unknown} is not one of ${Object.keys(parts).join(', ')}`)
  if (!Number.isInteger(rows) || rows < 10_000) throw new Error('--rows is 10000 or more')
  if (!Number.isInteger(runs) || runs < 1)
    throw new Error('--runs is 1 or more; fewer than 7 are not medians to believe')
  const setup: Setup = { folder: resolve(values.folder), rows, runs }
  mkdirSync(setup.folder, { recursive: true })
  const figures: Figure[] = []
  for (const name of names) figures.push(...(await parts[name]!(setup)))
  process.stdout.write(tableOf(figures))
  const about = {
    at: new Date().toISOString(),
    node: process.version,
    cpus: cpus().length,
    cpu: cpus()[0]?.model,
    rows,
  }
  const file = values.json ?? join(setup.folder, 'bench.json')
  writeFileSync(file, jsonOf(about, figures))
  say(`written to ${file}`)
}

if (values.help) process.stdout.write(usage)
else await main()
