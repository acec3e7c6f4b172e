// PEAK: the greatest memory of every command that streams, each with files and listings of as many rows as the database has.
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { everyPincode } from '../../src/domain/pincodes.ts'
import { account, databaseOf, linesOf } from './data.ts'
import { parcelFile } from './p8.ts'
import { say, type Figure } from './report.ts'
import { orderFile } from './scans.ts'
import { environment, program, type Setup } from './setup.ts'
import { runProgram } from './timing.ts'

/** Orders and scans are written through indexes and an outbox; a tenth of the rows says as much of the memory. */
const share = 10

/** A file of so many lines under a header. */
const linesUnder = (header: string, count: number, line: (i: number) => string): string =>
  `${header}\n${Array.from({ length: count }, (_, i) => line(i)).join('\n')}\n`

/** The files that the commands read, by what is in them. */
function filesOf(
  { folder, rows }: Setup,
  database: string,
): Readonly<Record<'awbs' | 'pins' | 'parcels' | 'stores' | 'orders' | 'scans', string>> {
  const path = (name: string): string => join(folder, `peak-${name}`)
  const [awbs, pins, parcels, stores, orders, scans] = [
    'awbs.txt',
    'pins.txt',
    'parcels.csv',
    'stores.csv',
    'orders.csv',
    'scans.csv',
  ].map(path) as [string, string, string, string, string, string]
  const pincodes = [...everyPincode()]
  const db = new BetterSqlite(database, { readonly: true })
  const numbers = db
    .prepare('select distinct tracking_number from shipments where account_id = ? and tracking_number is not null')
    .pluck()
    .all(account) as readonly string[]
  const open = db
    .prepare(
      `select tracking_number from shipments where account_id = ? and tracking_number is not null and granular_status not in ('delivered', 'rto_delivered', 'lost', 'cancelled')`,
    )
    .pluck()
    .all(account) as readonly string[]
  db.close()
  writeFileSync(awbs, `${numbers.join('\n')}\n`)
  writeFileSync(
    pins,
    linesUnder('pincode', rows, (i) => pincodes[i % pincodes.length]!),
  )
  writeFileSync(parcels, parcelFile(rows))
  writeFileSync(
    stores,
    linesUnder('store_name,brand_name,logo', rows, (i) => `brand-${i},"Brand ${i}, Mumbai",`),
  )
  writeFileSync(orders, orderFile(rows / share))
  writeFileSync(
    scans,
    linesUnder(
      'tracking_number,event,at,location',
      rows / share,
      (i) =>
        `${open[i % open.length]!},in_transit,2026-01-15 ${String(12 + (Math.floor(i / open.length / 60) % 3)).padStart(2, '0')}:${String(Math.floor(i / open.length) % 60).padStart(2, '0')},Hub ${i}`,
    ),
  )
  return { awbs, pins, parcels, stores, orders, scans }
}

export async function peak(setup: Setup): Promise<readonly Figure[]> {
  const { folder, rows } = setup
  say(`PEAK: memory of what streams, ${rows.toLocaleString('en-IN')} rows`)
  const database = await databaseOf(folder, rows)
  const jsonl = await linesOf(folder, rows)
  const files = filesOf(setup, database)
  const [made, copied, page] = [
    join(folder, 'peak.sqlite'),
    join(folder, 'peak-copy.sqlite'),
    join(folder, 'peak.html'),
  ]
  const remove = (path: string): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
  }
  for (const path of [made, copied]) remove(path)
  const from = ['--db', database]
  const into = ['--db', made, '--yes', '--quiet']
  const works: readonly (readonly string[])[] = [
    ['shipments', 'list', '--all', '--jsonl', ...from],
    ['shipments', 'list', '--all', '--csv', ...from],
    ['shipments', 'get', '--file', files.awbs, '--jsonl', ...from],
    ['shipments', 'summary', '--by', 'carrier', '--json', ...from],
    ['shipments', 'stuck', '--jsonl', ...from],
    ['shipments', 'ndr', '--jsonl', ...from],
    ['report', '--since', '365d', '--out', page, ...from],
    ['sql', 'select * from shipments', '--csv', '--limit', 'all', '--timeout', '30m', ...from],
    ['rates', '--file', files.parcels, '--csv'],
    ['serviceability', '--from', '400001', '--file', files.pins, '--csv'],
    ['local', 'import', 'shipments', jsonl, ...into],
    ['stores', 'import', files.stores, ...into],
    ['stores', 'list', '--all', '--jsonl', '--db', made],
    ['local', 'warehouse', 'set', 'WH1', '400001', '--db', made, '--quiet'],
    ['orders', 'import', files.orders, ...into],
    ['local', 'track', '--file', files.scans, ...into],
    ['local', 'copy', '--from', database, '--to', copied, '--yes', '--quiet'],
  ]
  const figures: Figure[] = []
  const at = { SHIPX_NOW: '2026-01-15T12:00:00Z' }
  const out = join(folder, 'peak.out')
  for (const args of works) {
    const stdout = openSync(out, 'w')
    try {
      const ended = await runProgram({
        command: process.execPath,
        args: [program(setup), ...args],
        env: { ...environment(setup), ...at },
        stdout,
        watch: true,
      })
      say(`    ${ended.peakMb?.toFixed(0)} MB, ${(ended.ms / 1000).toFixed(1)} s`)
      const shown = args
        .filter((arg) => !/^--(db|quiet|yes)$/.test(arg) && arg !== database && arg !== made)
        .map((arg) => arg.slice(arg.lastIndexOf('/') + 1))
      say(`  ${args.slice(0, 2).join(' ')}`)
      const work = `${shown.join(' ')} (${(ended.ms / 1000).toFixed(1)} s)`
      figures.push({ item: 'PEAK', work, against: 'itself', value: ended.peakMb, unit: 'MB', goal: 150, runs: 1 })
    } finally {
      closeSync(stdout)
    }
  }
  for (const path of [made, copied]) remove(path)
  for (const path of [out, page, ...Object.values(files)]) if (existsSync(path)) rmSync(path)
  return figures
}
