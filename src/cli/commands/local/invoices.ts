// `shipx local seed --invoices`: invented invoices and COD remittances of couriers and a bank statement in a folder,
// and the lists of the faults in them (docs/guides/money.md, docs/guides/cod.md).
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '../../../domain/count.ts'
import type { Fault } from '../../../domain/errors.ts'
import { rupeesOf, rupeesText } from '../../../domain/money.ts'
import { sampleInvoices } from '../../../engine/sample/invoices.ts'
import type { InvoiceLine, SampleInvoice } from '../../../engine/sample/invoicelines.ts'
import {
  sampleCod,
  type BankLine,
  type PaidLine,
  type SampleCod,
  type SampleRemittance,
} from '../../../engine/sample/remittances.ts'
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

/**
 * Writes the invoices and remittances of the two months before now, the statement of the last one, and the lists of
 * faults. Throws for files that are there already.
 */
export async function writeInvoices(
  context: Context,
  { database, account }: Engine,
  folder: string,
  force: boolean,
): Promise<void> {
  const now = context.io.host.now()
  const { invoices, faults } = await database.read(() => sampleInvoices(account, now))
  const cod = await database.read(() => sampleCod(account, now))
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
  const paid = codSheets(cod)
  sheets.push(...paid)
  makeFolder(folder)
  for (const [name] of sheets) checkPlace(join(folder, name), force, '--invoices')
  for (const [name, text] of sheets) writeWhole(join(folder, name), text, force, '--invoices')
  await done(
    context,
    `Wrote ${counted(invoices.length, ['invoice', 'invoices'])} of couriers to ${safe(folder)}; ` +
      `faults.csv lists the ${counted(faults.length, ['fault', 'faults'])} in them`,
  )
  await done(
    context,
    `Wrote ${counted(cod.remittances.length, ['COD remittance', 'COD remittances'])} and a bank statement; ` +
      `cod-faults.csv lists the ${counted(cod.faults.length, ['fault', 'faults'])} in them`,
  )
}

const payments: readonly (readonly [header: string, cell: (line: PaidLine, courier: string) => CsvCell])[] = [
  ['AWB', ({ awb }) => awb],
  ['Order No', ({ order }) => order],
  ['Courier Name', (_, courier) => courier],
  ['Remitted Amount', ({ remitted }) => rupeesOf(remitted)],
  ['Freight Adjusted', ({ adjusted }) => rupeesOf(adjusted)],
  ['Net Amount', ({ remitted, adjusted }) => rupeesOf(remitted - adjusted)],
  ['UTR', ({ utr }) => utr],
  ['Remittance Date', ({ on }) => on],
]

const credits: readonly (readonly [header: string, cell: (line: BankLine, balance: number) => CsvCell])[] = [
  ['Date', ({ on }) => bankDay(on)],
  ['Narration', ({ narration }) => narration],
  ['Chq./Ref.No.', ({ reference }) => reference],
  ['Value Dt', ({ on }) => bankDay(on)],
  ['Withdrawal Amt.', ({ debit }) => (debit === 0 ? '' : rupeesText(debit))],
  ['Deposit Amt.', ({ credit }) => (credit === 0 ? '' : rupeesText(credit))],
  ['Closing Balance', (_, balance) => rupeesText(balance)],
]

/** `01/09/26`, as HDFC Bank prints days. */
const bankDay = (day: string): string => `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(2, 4)}`

/** The remittances, the statement of the bank, and the list of their faults. */
function codSheets({ remittances, bank, faults }: SampleCod): readonly (readonly [name: string, text: string])[] {
  const { header, row } = csvWriter({ raw: false, excel: false, tsv: false })
  const fileOf = ({ code, month }: SampleRemittance): string => `${code.replaceAll('_', '-')}-cod-${month}.csv`
  const files = remittances.map((one): readonly [name: string, text: string] => [
    fileOf(one),
    header(payments.map(([name]) => name)) +
      one.lines.map((line) => row(payments.map(([, cell]) => cell(line, one.courier)))).join(''),
  ])
  const last = remittances.at(-1)!
  const statement = `bank-${last.month}.csv`
  let balance = 25_000_000
  const moves = bank.map((line) => {
    balance += line.credit - line.debit
    return row(credits.map(([, cell]) => cell(line, balance)))
  })
  const made = faults.map(({ of, key, verdict, difference, what }) =>
    row([of === 'bank' ? statement : fileOf(last), key, verdict, rupeesOf(difference), what]),
  )
  return [
    ...files,
    [statement, header(credits.map(([name]) => name)) + moves.join('')],
    ['cod-faults.csv', header(['file', 'awb_or_utr', 'verdict', 'difference', 'what']) + made.join('')],
  ]
}
