// XLSX: the check of 100,000 orders from a workbook against the same rows as CSV, and its memory.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workbook } from '../support/workbook.ts'
import { say, type Figure } from './report.ts'
import { environment, program, type Setup } from './setup.ts'
import { median, runProgram } from './timing.ts'

const orders = 100_000

const header =
  'order_id,order_date,billing_customer_name,billing_phone,billing_address,billing_pincode,payment_method,item_name,item_sku,item_units,item_selling_price,length,breadth,height,weight,warehouse_id'.split(
    ',',
  )

const usual = 'COD,Cotton romper,CR-02,1'

/** The rows of a sheet of orders; each has texts of its own, as the shared texts of real sheets are. */
function* rows(count: number): Generator<readonly (string | number)[]> {
  yield header
  for (let i = 0; i < count; i++)
    yield `ORD-${i},2026-01-10 10:00,Asha Rao ${i},${9_800_000_000 + i},Flat ${i} 12 MG Road near the park,560038,${usual},${499 + (i % 100)},20,15,10,0.5,WH1`
      .split(',')
      .map((cell) => (Number.isNaN(Number(cell)) ? cell : Number(cell)))
}

export async function xlsx(setup: Setup): Promise<readonly Figure[]> {
  say(`XLSX: the check of ${orders.toLocaleString('en-IN')} orders of a workbook`)
  const { folder, runs } = setup
  const [csv, book, db] = ['book.csv', 'book.xlsx', 'book.sqlite'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(csv, `${[...rows(orders)].map((cells) => cells.join(',')).join('\n')}\n`)
  writeFileSync(book, workbook([{ name: 'Orders', rows: rows(orders) }]))
  const shipx = (args: readonly string[]) =>
    runProgram({
      command: process.execPath,
      args: [program(setup), ...args, '--db', db, '--quiet'],
      env: { ...environment(setup), SHIPX_NOW: '2026-01-10T06:00:00Z' },
      watch: true,
    })
  await shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
  const [a, b]: [number[], number[]] = [[], []]
  let peak = 0
  for (let run = 0; run <= runs; run++) {
    const ended = await shipx(['orders', 'import', book, '--dry-run'])
    const other = await shipx(['orders', 'import', csv, '--dry-run'])
    if (run === 0) continue
    a.push(ended.ms)
    b.push(other.ms)
    peak = Math.max(peak, ended.peakMb ?? 0)
  }
  for (const path of [csv, book, db, `${db}-wal`, `${db}-shm`]) rmSync(path, { force: true })
  const [mine, theirs] = [median(a), median(b)]
  // prettier-ignore
  return [
    { item: 'XLSX', work: 'orders import --dry-run of 1,00,000 orders (XLSX)', against: 'the same as CSV', value: mine / theirs, unit: 'x', goal: 3, runs, ours: mine, theirs },
    { item: 'XLSX', work: 'its memory', against: 'peak RSS', value: peak, unit: 'MB', goal: 150, runs },
  ]
}
