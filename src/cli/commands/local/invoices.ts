// `shipx local seed --invoices`: invented invoices of couriers in a folder, and the list of the faults in them
// (docs/guides/money.md).
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '../../../domain/count.ts'
import type { Fault } from '../../../domain/errors.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { sampleInvoices } from '../../../engine/sample/invoices.ts'
import type { InvoiceLine, SampleInvoice } from '../../../engine/sample/invoicelines.ts'
import type { Context } from '../../command/context.ts'
import { csvWriter, type CsvCell } from '../../files/csv.ts'
import { makeFolder } from '../../files/folders.ts'
import { checkPlace, writeWhole } from '../../files/userfiles.ts'
import { done } from '../../output/outcome.ts'
import type { Engine } from '../../source/engine.ts'
import { safe } from '../../terminal/safe.ts'

/** The columns of an invoice. */
const columns: readonly (readonly [header: string, cell: (line: InvoiceLine, invoice: SampleInvoice) => CsvCell])[] = [
  ['Invoice No', (_, { number }) => number],
  ['Invoice Date', (_, { date }) => date],
  ['Courier Name', (_, { courier }) => courier],
  ['AWB', ({ awb }) => awb],
  ['Order No', ({ order }) => order],
  ['Pickup Date', ({ pickedUp }) => pickedUp],
  ['Zone', ({ zone }) => zone],
  ['Payment Mode', ({ cod }) => (cod ? 'COD' : 'Prepaid')],
  ['Status', ({ status }) => status],
  ['Charged Weight (g)', ({ weight }) => weight],
  ['Freight', ({ freight }) => rupeesOf(freight)],
  ['RTO Charges', ({ rto }) => rupeesOf(rto)],
  ['COD Charges', ({ codFee }) => rupeesOf(codFee)],
  ['Other Charges', ({ other }) => rupeesOf(other)],
  ['Gross Amount', ({ gross }) => rupeesOf(gross)],
  ['IGST', ({ tax }) => rupeesOf(tax)],
  ['Total Amount', ({ total }) => rupeesOf(total)],
]

/** The faults of a folder for invoices. */
export function invoiceFolderFaults(folder: string | undefined): readonly Fault[] {
  if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== false) return []
  return [{ field: '--invoices', message: `${safe(folder)} is a file; name a folder` }]
}

/** Writes the invoices of the two months before now, and `faults.csv`. Throws for files that are there already. */
export async function writeInvoices(
  context: Context,
  { database, account }: Engine,
  folder: string,
  force: boolean,
): Promise<void> {
  const { invoices, faults } = await database.read(() => sampleInvoices(account, context.io.host.now()))
  const { header, row } = csvWriter({ raw: false, excel: false, tsv: false })
  const fileOf = ({ code, month }: SampleInvoice): string => `${code.replaceAll('_', '-')}-${month}.csv`
  const sheets = invoices.map((invoice): readonly [name: string, text: string] => [
    fileOf(invoice),
    header(columns.map(([name]) => name)) +
      invoice.lines.map((line) => row(columns.map(([, cell]) => cell(line, invoice)))).join(''),
  ])
  const files = new Map(invoices.map((invoice) => [invoice.number, fileOf(invoice)]))
  const made = faults.map(({ number, line, awb, category, amount, what }) =>
    row([files.get(number), line, awb, category, rupeesOf(amount), what]),
  )
  sheets.push(['faults.csv', header(['file', 'line', 'awb', 'category', 'difference', 'what']) + made.join('')])
  makeFolder(folder)
  for (const [name] of sheets) checkPlace(join(folder, name), force, '--invoices')
  for (const [name, text] of sheets) writeWhole(join(folder, name), text, force, '--invoices')
  await done(
    context,
    `Wrote ${counted(invoices.length, ['invoice', 'invoices'])} of couriers to ${safe(folder)}; ` +
      `faults.csv lists the ${counted(faults.length, ['fault', 'faults'])} in them`,
  )
}
