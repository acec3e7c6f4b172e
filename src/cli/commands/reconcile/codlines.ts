// Reads the rows of a COD remittance into payments and deductions of integers.
import { awbIn, isSpoilt, paiseIn, receivedPaise } from '../../../domain/money/amounts.ts'
import type { CodField } from '../../../domain/money/codforms.ts'
import { utrsIn } from '../../../domain/money/utr.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import { istDate } from '../../../domain/time.ts'
import { shownHeader } from '../../files/headers.ts'
import type { SheetRow } from '../../files/sheet.ts'
import { isTotalLabel } from '../../files/totals.ts'
import type { CodFile } from './codfile.ts'
import { dayReader } from './judging.ts'

/** A line of a remittance: paise, an IST day. */
export interface CodLine {
  readonly line: number
  /** '' for a deduction of the whole transfer. */
  readonly awb: string
  readonly order: string
  readonly courier: string
  readonly utrs: readonly string[]
  /** The number of the remittance, where lines name it; '' where they do not. */
  readonly batch: string
  readonly on: string | undefined
  /** What was collected and remitted before deductions; of a refund, below 0. */
  readonly remitted: number
  readonly fee: number
  /** Named deductions, the fee aside. */
  readonly adjusted: number
  /** What the line lacks between its parts and its net amount. */
  readonly unexplained: number
  /** The name of a deduction; undefined for one without. */
  readonly entry: string | undefined
  readonly fault: string | undefined
}

/** A printed total: paise; of the amounts before deductions, or of what is left. */
export interface CodTotal {
  readonly line: number
  readonly remitted: number | undefined
  readonly net: number | undefined
}

/** What a row is; undefined for one that says nothing. */
export type CodRow = { readonly line: CodLine } | { readonly total: CodTotal } | undefined

/** What a file says of lines that do not say it themselves. */
export interface CodDefaults {
  readonly utr: string | undefined
  readonly date: string | undefined
}

const netLabel = /^(?:net|amount)\s+(?:payable|paid|remit\w*|credited|transferred|amount)\b/i
const deductionWord = /\b(?:less|deduct\w*|adjust\w*|freight|tds|fees?|charges?|recover\w*|debits?|held|hold)\b/i
const paymentWord = /\b(?:cod|remit\w*|collect\w*|deliver\w*|refund\w*|reversal|paid|payment)\b/i

/** Day first with two digits of the year, as banks and some couriers write it. */
const shortYear = /^(\d{1,2})\/(\d{1,2})\/(\d{2})(?!\d)/

/** Reads the IST days of money files; undefined for a text that is no day. */
export function moneyDays(): (text: string) => string | undefined {
  const read = dayReader()
  return (text) => {
    const at = read(text.trim().replace(shortYear, '$1/$2/20$3'))
    return at === undefined ? undefined : istDate(at)
  }
}

/** Reads the cells of a file; `fault` is why the last row cannot be read. */
interface Cells {
  fault: string | undefined
  readonly text: (cells: readonly string[], field: CodField) => string
  /** Paise; 0 for an empty cell and for one that is no amount, which is a fault. */
  readonly money: (cells: readonly string[], field: CodField) => number
  /** Paise; undefined for an empty cell. */
  readonly amount: (cells: readonly string[], field: CodField) => number | undefined
  readonly day: (text: string) => string | undefined
  readonly header: (field: CodField) => string
}

function cellsOf({ places, sheet }: CodFile): Cells {
  const at = (field: CodField): number => places.get(field) ?? -1
  const text: Cells['text'] = (cells, field) => (at(field) === -1 ? '' : cells[at(field)]!.trim())
  const header = (field: CodField): string => shownHeader(sheet.headers[at(field)]!)
  const own: Cells = {
    fault: undefined,
    text,
    header,
    day: moneyDays(),
    money: (cells, field) => {
      const written = text(cells, field)
      const paise = receivedPaise(written)
      if (!Number.isNaN(paise)) return paise
      own.fault ??= `${excerpt(written)} under "${header(field)}" is not an amount`
      return 0
    },
    amount: (cells, field) => (text(cells, field) === '' ? undefined : own.money(cells, field)),
  }
  return own
}

/** The columns of deductions beside the fee. */
const deductionFields = ['freight', 'tds', 'adjusted'] as const

/** The reader of an open remittance. */
export function codReader(file: CodFile, defaults: CodDefaults): (row: SheetRow) => CodRow {
  const own = cellsOf(file)
  return (row) => {
    own.fault = row.fault
    const written = own.text(row.cells, 'awb')
    const awb = awbIn(written)
    // Every AWB has a digit: what stands in its place below the lines is the label of a total or a deduction.
    return own.fault === undefined && (!/\d/.test(awb) || isTotalLabel(written) || netLabel.test(written))
      ? rowWithoutAwb(row, own, file, defaults)
      : { line: paymentIn(row, awb, own, file, defaults) }
  }
}

/** The transfer that a row names, and its day. */
function transferIn(
  cells: readonly string[],
  own: Cells,
  defaults: CodDefaults,
): Pick<CodLine, 'utrs' | 'batch' | 'on'> {
  const written = own.text(cells, 'utr')
  const date = own.text(cells, 'date')
  const on = own.day(date)
  if (on === undefined && /\d/.test(date)) own.fault ??= `${excerpt(date)} under "${own.header('date')}" is not a day`
  if (isSpoilt(written)) own.fault ??= `a spreadsheet has rounded the UTR ${excerpt(written)}`
  return {
    utrs: written === '' && defaults.utr !== undefined ? [defaults.utr] : utrsIn(written),
    batch: own.text(cells, 'number'),
    on: on ?? defaults.date,
  }
}

/** A line that pays a parcel, or takes something from its payment. */
function paymentIn({ cells, line }: SheetRow, awb: string, own: Cells, file: CodFile, defaults: CodDefaults): CodLine {
  const entry = own.text(cells, 'entry')
  const fee = own.money(cells, 'fee')
  const adjusted = deductionFields.reduce((sum, field) => sum + own.money(cells, field), 0)
  const parts = splitOf(file, { fee, adjusted }, (field) => own.amount(cells, field))
  const transfer = transferIn(cells, own, defaults)
  if (awb === '') own.fault ??= 'it has no AWB'
  if (isSpoilt(awb)) own.fault ??= 'awb_spoilt: a spreadsheet has rounded the AWB, and its digits are gone'
  // A negative amount with other words than those of a payment is a deduction that names the parcel.
  const named = parts.remitted < 0 && entry !== '' && !paymentWord.test(entry)
  return {
    line,
    awb,
    order: own.text(cells, 'order'),
    courier: own.text(cells, 'courier'),
    ...transfer,
    ...parts,
    ...(named ? { remitted: 0, adjusted: parts.adjusted - parts.remitted } : {}),
    entry: named || parts.adjusted !== 0 ? nameOf(cells, entry, own) : undefined,
    fault: own.fault,
  }
}

/** What took a deduction: the words of the line, else the headers of its columns. */
function nameOf(cells: readonly string[], entry: string, own: Cells): string | undefined {
  if (entry !== '') return entry
  const fields = deductionFields.filter((field) => paiseIn(own.text(cells, field)) !== 0)
  return fields.length === 0 ? undefined : fields.map(own.header).join(', ')
}

/** Whether a cell is nothing but a UTR: letters of a bank, and mostly digits. */
const isUtr = (cell: string): boolean => utrsIn(cell).some((utr) => /^[A-Z0-9]{10,}$/.test(utr) && /\d{6}/.test(utr))

/** The words of a row: its first cell that is neither an amount, nor a day, nor a UTR. */
const wordsIn = (cells: readonly string[], own: Cells): string | undefined =>
  cells
    .map((cell) => cell.trim())
    .find((cell) => cell !== '' && Number.isNaN(receivedPaise(cell)) && own.day(cell) === undefined && !isUtr(cell))

/** A row of totals, or a deduction of the whole transfer. */
function rowWithoutAwb({ cells, line }: SheetRow, own: Cells, file: CodFile, defaults: CodDefaults): CodRow {
  if (cells.every((cell) => cell.trim() === '')) return undefined
  const words = wordsIn(cells, own)
  const remitted = own.amount(cells, 'remitted') ?? own.amount(cells, 'cod_amount')
  const net = own.amount(cells, 'net')
  if (words !== undefined && netLabel.test(words)) return { total: { line, remitted: undefined, net: net ?? remitted } }
  if (words !== undefined && isTotalLabel(words)) return { total: { line, remitted, net } }
  const column = own.money(cells, 'fee') + deductionFields.reduce((sum, field) => sum + own.money(cells, field), 0)
  const written = column !== 0 ? column : -(net ?? remitted ?? 0)
  const taken = words !== undefined && deductionWord.test(words) ? Math.abs(written) : written
  if (words === undefined && taken === 0) return undefined
  const transfer = transferIn(cells, own, defaults)
  if (taken < 0 && words === undefined) own.fault ??= 'it has an amount and no AWB'
  return {
    line: {
      line,
      awb: '',
      order: '',
      courier: file.places.has('courier') ? own.text(cells, 'courier') : '',
      ...transfer,
      remitted: 0,
      fee: 0,
      adjusted: words === undefined ? 0 : taken,
      unexplained: words === undefined ? taken : 0,
      entry: words,
      fault: own.fault,
    },
  }
}

/** Takes the amounts of a line apart: what was remitted, and what was taken off before it reached the bank. */
function splitOf(
  { places, amounts }: CodFile,
  { fee, adjusted }: Pick<CodLine, 'fee' | 'adjusted'>,
  amount: (field: CodField) => number | undefined,
): Pick<CodLine, 'remitted' | 'fee' | 'adjusted' | 'unexplained'> {
  const [collected, remitted, net] = [amount('cod_amount'), amount('remitted'), amount('net')]
  const taken = fee + adjusted
  const deducts = (['fee', 'freight', 'tds', 'adjusted'] as const).some((field) => places.has(field))
  if (net !== undefined) {
    const gross = (amounts === 'net' ? undefined : remitted) ?? collected ?? net + taken
    // Some files print deductions below 0.
    const sign = taken < 0 && gross + taken === net ? -1 : 1
    return {
      remitted: gross,
      fee: sign * fee,
      adjusted: sign * adjusted,
      unexplained: gross - sign * taken - net,
    }
  }
  if (remitted === undefined) return { remitted: collected ?? 0, fee, adjusted, unexplained: 0 }
  const gross = !deducts || amounts === 'gross' || (amounts === undefined && remitted === collected)
  return { remitted: gross ? remitted : remitted + taken, fee, adjusted, unexplained: 0 }
}
