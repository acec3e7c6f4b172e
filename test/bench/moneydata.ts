// What M is measured on: a database whose parcels all went with one courier, that courier's invoice of them, the same
// parcels as lines of `rates --file`, and what each of them should have cost.
import { closeSync, copyFileSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { listWarehouses } from '../../src/engine/accounts/settings.ts'
import { limitTo, rows } from '../../src/engine/database/port.ts'
import { recordPricer } from '../../src/engine/orders/recordprice.ts'
import { honestLine, summed, type BilledParcel, type InvoiceLine } from '../../src/engine/sample/invoicelines.ts'
import { workbook } from '../support/workbook.ts'
import { account, databaseOf, open } from './data.ts'
import { say } from './report.ts'

/** The files of M, and how many lines each of them has. */
export interface MoneyFiles {
  readonly database: string
  readonly card: string
  readonly invoice: string
  readonly parcels: string
  readonly expected: string
  readonly lines: number
}

const [service] = sampleCard.services
const card = { ...sampleCard, name: 'contract', services: [service!] }

const header = 'awb,order,picked_up,zone,status,payment,weight_g,freight,rto,cod_fee,gst,total'
const parcelHeader = 'ref,from,to,weight,length,width,height,payment,value,date'

const rupees = (paise: number): string => (paise / 100).toFixed(2)

const invoiceText = (line: InvoiceLine): string =>
  [
    line.awb,
    line.order,
    line.pickedUp,
    line.zone,
    line.status,
    line.cod ? 'COD' : 'Prepaid',
    line.weight,
    ...[line.freight, line.rto, line.codFee, line.tax, line.total].map(rupees),
  ].join(',')

/** One line of twenty costs ten rupees more than it should, and one of fifty is billed half a kilogram more. */
const spoilt = (line: InvoiceLine, n: number): InvoiceLine =>
  summed({
    ...line,
    freight: line.freight + (n % 20 === 0 ? 1000 : 0),
    weight: line.weight + (n % 50 === 0 ? 500 : 0),
  })

/** The next parcels of the account by their number, picked up or not. */
const parcelsAfter = (seq: number, most: number) =>
  rows<BilledParcel & { readonly seq: number }>(sql`
    select seq, tracking_number as awb, order_display_id as order_name, status, granular_status, state, picked_up_at,
      carrier_id, carrier_name, warehouse_id, zone, is_cod, applied_weight, pincode, null as order_doc,
      total_price / 100.0 as worth, cod_amount / 100.0 as collected, picked_up_at as day_at
    from shipments where account_id = ${account} and seq > ${seq} order by seq ${limitTo(most)}`)

/** Makes them for a database of so many shipments; a few of these were never picked up, and no line bills them. */
export async function moneyFiles(folder: string, shipments: number): Promise<MoneyFiles> {
  const base = await databaseOf(folder, shipments)
  const at = (name: string): string => join(folder, `money.${name}`)
  const [own, contract] = [at('sqlite'), at('card.json')]
  for (const suffix of ['-wal', '-shm']) rmSync(own + suffix, { force: true })
  say('  one courier for all parcels')
  copyFileSync(base, own)
  writeFileSync(contract, JSON.stringify(card))
  const { database, connection } = open(own, { cacheKib: 500_000 })
  connection.pragma('synchronous = OFF')
  connection
    .prepare('update shipments set carrier_id = ?, carrier_name = ? where account_id = ? and carrier_id is not null')
    .run(service!.carrier_id, service!.carrier_name, account)
  const warehouses = new Map(
    (await database.read(() => listWarehouses(account))).map(({ id, pincode }) => [id, pincode]),
  )
  const priceOf = recordPricer([card], warehouses)
  const names = ['invoice.csv', 'parcels.csv', 'expected.csv'] as const
  const [invoice, parcels, expected] = names.map(at) as [string, string, string]
  const files = [invoice, parcels, expected].map((path) => openSync(path, 'w'))
  for (const [n, text] of [header, parcelHeader, 'awb,expected'].entries()) writeSync(files[n]!, `${text}\n`)
  let [seq, lines] = [0, 0]
  for (;;) {
    const found = await database.read(() => parcelsAfter(seq, 5000))
    if (found.length === 0) break
    seq = found.at(-1)!.seq
    const texts = ['', '', '']
    for (const parcel of found) {
      const line = parcel.awb === null ? undefined : honestLine(parcel, priceOf)
      if (line === undefined) continue
      lines++
      texts[0] += `${invoiceText(spoilt(line, lines))}\n`
      const grams = parcel.applied_weight! / 1000
      const paid = line.cod ? `cod,${parcel.collected ?? parcel.worth ?? ''}` : 'prepaid,'
      const ends = `${warehouses.get(parcel.warehouse_id!)!},${parcel.pincode!}`
      texts[1] += `${line.awb},${ends},${grams}g,1,1,1,${paid},${line.pickedUp}\n`
      texts[2] += `${line.awb},${rupees(line.total)}\n`
    }
    for (const [n, text] of texts.entries()) writeSync(files[n]!, text)
  }
  for (const file of files) closeSync(file)
  connection.pragma('wal_checkpoint(TRUNCATE)')
  await database.close()
  say(`  ${lines.toLocaleString('en-IN')} lines`)
  return { database: own, card: contract, invoice, parcels, expected, lines }
}

/** The first lines of an invoice as a workbook, and as CSV. */
export function moneyBook(
  folder: string,
  invoice: string,
  most: number,
): { readonly csv: string; readonly book: string } {
  const [csv, book] = ['part.csv', 'part.xlsx'].map((name) => join(folder, `money.${name}`)) as [string, string]
  const lines = readFileSync(invoice, 'utf8')
    .split('\n')
    .slice(0, most + 1)
  writeFileSync(csv, `${lines.join('\n')}\n`)
  const cells = lines.map((line, n) =>
    line.split(',').map((cell, column) => (n === 0 || column < 6 || cell === '' ? cell : Number(cell))),
  )
  writeFileSync(book, workbook([{ name: 'Invoice', rows: cells }]))
  return { csv, book }
}
