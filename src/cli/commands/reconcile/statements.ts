// Bank statements by their headers, where another file is wanted.
import { bankColumns, bankForms, codColumns } from '../../../domain/money/codforms.ts'
import { meaningOf } from '../../files/headers.ts'
import { formsAmong, namesOf } from './formfile.ts'

const fields = namesOf(bankColumns)
const ofParcels = namesOf(codColumns)

/** What a bank statement is called: one of a bank, or a sheet with a balance and no AWB; undefined for any other. */
export function statementIn(headers: readonly string[]): string | undefined {
  const [bank] = formsAmong(bankForms, headers)
  if (bank !== undefined) return bank.title
  const found = new Set(headers.map((header) => meaningOf(fields, header)))
  const moves = found.has('credit') || found.has('debit') || found.has('amount')
  const told = found.has('narration') || found.has('reference') || found.has('utr')
  const sent = headers.some((header) => meaningOf(ofParcels, header) === 'awb')
  return found.has('balance') && moves && told && !sent ? 'a bank statement' : undefined
}
