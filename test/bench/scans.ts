// SCANS: 100,000 scans of 20,000 parcels from CSV in the order of their times, with the messages that come of them, durable,
// against hand-written code that makes the same rows (handscans.ts), and sqlite-utils inserting the lines and an index.
import { createHash } from 'node:crypto'
import { copyFileSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import BetterSqlite from 'better-sqlite3'
import { say, type Figure } from './report.ts'
import { environment, installed, program, type Setup } from './setup.ts'
import { median, runProgram } from './timing.ts'

const parcels = 20_000

const steps = [
  ['picked_up', '2026-01-11 18:00'],
  ['in_transit', '2026-01-12 02:00'],
  ['in_transit', '2026-01-13 03:00'],
  ['out_for_delivery', '2026-01-13 09:00'],
  ['delivered', '2026-01-13 13:00'],
] as const

const orderHeader =
  'order_id,order_date,billing_customer_name,billing_phone,billing_address,billing_city,billing_pincode,billing_state,payment_method,sub_total,item_name,item_sku,item_units,item_selling_price,length,breadth,height,weight,warehouse_id'

/** Orders as an import takes them, all of one lane. */
export const orderFile = (count: number): string =>
  `${orderHeader}\n${Array.from({ length: count }, (_, i) => `BENCH-${i},2026-01-10 10:00,Asha Rao,98${String(i).padStart(8, '0')},12 MG Road,Bengaluru,560038,Karnataka,COD,499,Romper,CR-02,1,499,20,15,10,0.5,WH1`).join('\n')}\n`

const handProgram = fileURLToPath(new URL('handscans.ts', import.meta.url))

/** Parcels in a transaction by hand: as many as ours has. */
const together = 800

/** Where a parcel stands among those of its event: the same in every run. */
const orderIn = (event: string, number: string): number =>
  createHash('sha256').update(`${event} ${number}`).digest().readUInt32BE()

/** What a side has made: how many events, delivered shipments and messages. */
function countsOf(path: string): string {
  const db = new BetterSqlite(path, { readonly: true })
  const counts = db
    .prepare(
      "select (select count(*) from events), (select count(*) from shipments where status = 'delivered'), (select count(*) from messages)",
    )
    .raw()
    .get()
  db.close()
  return JSON.stringify(counts)
}

/** A digest of every text that a side has made; the ids of scans and when it read them are its own affair. */
function textsOf(path: string): string {
  const db = new BetterSqlite(path, { readonly: true })
  const hash = createHash('sha256')
  const texts = db.prepare(`select d.doc from shipments r join shipment_docs d on d.seq = r.seq order by r.id`).pluck()
  for (const text of texts.iterate()) hash.update(String(text).replace(/"id":"[0-9a-f]{32}"/g, ''))
  const rows = db.prepare(`select record_id, event, at, location from events order by 1, 3, 2`).raw()
  for (const row of rows.iterate()) hash.update(JSON.stringify(row))
  const messages = db
    .prepare('select record_id, step, tracking_number, order_id, phone, doc from messages order by 1, 2')
    .raw()
  for (const row of messages.iterate()) hash.update(JSON.stringify(row))
  db.close()
  return hash.digest('hex')
}

export async function scans(setup: Setup): Promise<readonly Figure[]> {
  const common = {
    item: 'SCANS',
    work: `local track --file, ${(parcels * steps.length).toLocaleString('en-IN')} scans (CSV)`,
    against: 'sqlite-utils and an index',
    unit: 'x',
    goal: 3,
  } as const
  if (!installed('sqlite-utils'))
    return [
      { ...common, value: undefined, runs: 0, note: 'sqlite-utils is not installed (Debian package sqlite-utils)' },
    ]
  say('SCANS: scans of couriers')
  const { folder, runs } = setup
  const [orders, file, base, own, other, hand, out] = [
    'scans-orders.csv',
    'scans.csv',
    'scans-base.sqlite',
    'scans.sqlite',
    'scans-other.sqlite',
    'scans-hand.sqlite',
    'scans.out',
  ].map((name) => join(folder, name)) as [string, string, string, string, string, string, string]
  const remove = (path: string): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
  }
  // The clock runs, as for a user: ids then grow.
  const shipx = async (args: readonly string[], watch = false) => {
    const stdout = openSync(out, 'w')
    try {
      return await runProgram({
        command: process.execPath,
        args: [program(setup), ...args],
        env: environment(setup),
        stdout,
        watch,
      })
    } finally {
      closeSync(stdout)
    }
  }
  remove(base)
  writeFileSync(orders, orderFile(parcels))
  await shipx(['local', 'warehouse', 'set', 'WH1', '400001', '--db', base])
  await shipx(['orders', 'import', orders, '--db', base, '--yes', '--quiet'])
  await shipx(['shipments', 'list', '--all', '--csv', '--fields', 'tracking_number', '--db', base])
  const numbers = readFileSync(out, 'utf8').trim().split('\n').slice(1)
  // Couriers list the parcels of an hour in no order.
  const lines = steps.flatMap(([event, at]) =>
    numbers
      .toSorted((a, b) => orderIn(event, a) - orderIn(event, b))
      .map((number) => `${number},${event},${at},Mumbai Hub`),
  )
  writeFileSync(file, `tracking_number,event,at,location\n${lines.join('\n')}\n`)
  const [a, b, c]: [number[], number[], number[]] = [[], [], []]
  let peak = 0
  const times = Math.min(runs, 5)
  for (let run = 0; run <= times; run++) {
    for (const path of [own, other, hand]) remove(path)
    for (const path of [own, hand]) copyFileSync(base, path)
    const ended = await shipx(['local', 'track', '--file', file, '--db', own, '--yes', '--quiet'], true)
    const insert = await runProgram({
      command: 'sqlite-utils',
      args: ['insert', other, 'scans', file, '--csv', '--silent'],
    })
    const index = await runProgram({
      command: 'sqlite-utils',
      args: ['create-index', other, 'scans', 'tracking_number', 'event', 'at'],
    })
    const byHand = await runProgram({
      command: process.execPath,
      args: ['--import', 'tsx', handProgram, hand, file, String(together)],
      env: environment(setup),
    })
    // Confirmed, shipped, out for delivery, delivered.
    const wanted = JSON.stringify([lines.length, parcels, parcels * 4])
    for (const path of [own, hand])
      if (countsOf(path) !== wanted) throw new Error(`${path}: ${countsOf(path)} are not ${wanted}`)
    if (textsOf(own) !== textsOf(hand)) throw new Error('the texts of shipments, events and messages differ')
    if (run === 0) continue
    a.push(ended.ms)
    b.push(insert.ms + index.ms)
    c.push(byHand.ms)
    peak = Math.max(peak, ended.peakMb ?? 0)
  }
  for (const path of [base, own, other, hand]) remove(path)
  for (const path of [orders, file, out]) rmSync(path)
  return [
    { ...common, value: median(a) / median(b), ours: median(a), theirs: median(b), runs: times },
    {
      ...common,
      against: 'hand-written better-sqlite3, the same rows',
      goal: 1.3,
      value: median(a) / median(c),
      ours: median(a),
      theirs: median(c),
      runs: times,
    },
    {
      item: 'SCANS',
      work: 'its greatest memory (RSS)',
      against: 'itself',
      value: peak,
      unit: 'MB',
      goal: 150,
      runs: times,
    },
  ]
}
