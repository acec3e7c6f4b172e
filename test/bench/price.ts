// PRICE: `local price` of all shipments against `rates --file` of as many lines, both on the sample card.
import { copyFileSync, createWriteStream, rmSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { databaseOf, open } from './data.ts'
import { say, type Figure } from './report.ts'
import { environment, program, type Setup } from './setup.ts'
import { median, runProgram } from './timing.ts'

const header = 'ref,from,to,weight,length,width,height,payment,value,date'

/** A parcel of the database as a line of a file, with the day of its pickup. */
const lineText = `select r.id || ',' || w.pincode || ',' || r.pincode || ',' || (r.applied_weight / 1000.0) || 'g,1,1,1,' ||
  case r.is_cod when 1 then 'cod,' || (r.cod_amount / 100.0) else 'prepaid,' end || ',' ||
  date((coalesce(r.picked_up_at, r.created_at) + 19800000) / 1000, 'unixepoch')
  from shipments r join warehouses w on w.account_id = r.account_id and w.id = r.warehouse_id where r.account_id = 1`

/** Writes the parcels of a database as a file for `rates --file`. */
export async function writeParcels(base: string, path: string): Promise<void> {
  const out = createWriteStream(path)
  out.write(`${header}\n`)
  const { database, connection } = open(base)
  for (const line of connection.prepare(lineText).pluck().iterate() as Iterable<string>)
    if (!out.write(`${line}\n`)) await once(out, 'drain')
  await database.close()
  await new Promise<void>((resolve) => out.end(resolve))
}

export async function price(setup: Setup): Promise<readonly Figure[]> {
  const { folder, rows } = setup
  const runs = rows >= 1_000_000 ? 1 : 3
  say(`PRICE: prices of ${rows.toLocaleString('en-IN')} shipments`)
  const base = await databaseOf(folder, rows)
  const [own, lines] = [join(folder, 'price.sqlite'), join(folder, 'price.csv')]
  await writeParcels(base, lines)
  const shipx = (args: readonly string[]) =>
    runProgram({
      command: process.execPath,
      args: [program(setup), ...args],
      env: { ...environment(setup), SHIPX_NOW: '2026-01-15T06:00:00Z' },
      watch: true,
    })
  const remove = (): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(own + suffix, { force: true })
  }
  const [a, b]: [number[], number[]] = [[], []]
  let peak = 0
  for (let run = 0; run < runs; run++) {
    remove()
    copyFileSync(base, own)
    const ended = await shipx(['local', 'price', '--db', own, '--quiet'])
    a.push(ended.ms)
    peak = Math.max(peak, ended.peakMb ?? 0)
    b.push((await shipx(['rates', '--file', lines, '--csv', '--quiet'])).ms)
  }
  remove()
  rmSync(lines)
  return [
    {
      item: 'PRICE',
      work: `local price of ${rows.toLocaleString('en-IN')} shipments`,
      against: 'rates --file of as many lines',
      value: median(a) / median(b),
      unit: 'x',
      goal: 2,
      ours: median(a),
      theirs: median(b),
      runs,
    },
    { item: 'PRICE', work: 'its greatest memory (RSS)', against: 'itself', value: peak, unit: 'MB', goal: 150, runs },
  ]
}
