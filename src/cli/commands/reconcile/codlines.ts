// Reads the rows of a COD remittance into payments and deductions of integers.
import { paiseIn, receivedPaise } from '../../../domain/money/amounts.ts'
import { awbFault, awbIn, isSpoilt } from '../../../domain/money/awbs.ts'
import type { CodField } from '../../../domain/money/codforms.ts'
import { saysWhy } from '../../../domain/money/deductions.ts'
import { footerOf } from '../../../domain/money/footers.ts'
import { utrsIn } from '../../../domain/money/utr.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import { shownHeader } from '../../files/shownheaders.ts'
import type { SheetRow } from '../../files/sheet.ts'
import type { CodFile } from './codfile.ts'
import { daysReader } from './days.ts'

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
  /** Deductions with a reason, the fee aside. */
  readonly adjusted: number
  /** Deductions without a reason, and what the line lacks between its parts and its net amount. */
  readonly unexplained: number
  /** The part of it that a column of the line says. */
  readonly bare: number
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
const deductionWord =
  /\b(?:less|ded(?:s|uct\w*)?|adj\w*|set[ -]?off|(?:penalt|recover)\w*|freight|tds|fees?|charges?|debits?|h[eo]ld)\b/i
const paymentWord = /\b(?:cod|remit\w*|collect\w*|deliver\w*|refund\w*|reversal|paid|payment)\b/i

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
    day: daysReader().on,
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

/** The columns of deductions beside the fee; the last of them may not say why. */
const deductionFields = ['freight', 'tds', 'adjusted'] as const

/** What the columns of a line take off beside the fee, paise: with a reason in the words or the header, and without. */
interface Taken {
  readonly adjusted: number
  readonly bare: number
}

function takenIn(cells: readonly string[], words: string, own: Cells): Taken {
  const [freight, tds, other] = deductionFields.map((field) => own.money(cells, field)) as [number, number, number]
  const why = other === 0 || saysWhy(words) || saysWhy(own.header('adjusted'))
  return why ? { adjusted: freight + tds + other, bare: 0 } : { adjusted: freight + tds, bare: other }
}

/**
 * Whether a cell in the place of an AWB is the label of a total or a deduction: it has no digit, or its words say so,
 * as in "Freight set-off of INV/9".
 */
const isLabel = (written: string, awb: string): boolean =>
  !/\d/.test(awb) ||
  footerOf(written) !== undefined ||
  netLabel.test(written) ||
  (/\p{L}\s/u.test(written) && deductionWord.test(written))

/** The reader of an open remittance. */
export function codReader(file: CodFile, defaults: CodDefaults): (row: SheetRow) => CodRow {
  const own = cellsOf(file)
  return (row) => {
    own.fault = row.fault
    const written = own.text(row.cells, 'awb')
    const awb = awbIn(written)
    return own.fault === undefined && isLabel(written, awb)
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
  const parts = splitOf(file, { fee, ...takenIn(cells, entry, own) }, (field) => own.amount(cells, field))
  const transfer = transferIn(cells, own, defaults)
  own.fault ??= awbFault(own.text(cells, 'awb'))
  if (isSpoilt(awb)) own.fault ??= 'awb_spoilt: a spreadsheet has rounded the AWB, and its digits are gone'
  // A negative amount with other words than those of a payment is a deduction that names the parcel.
  const deducts = parts.remitted < 0 && entry !== '' && !paymentWord.test(entry)
  const why = saysWhy(entry)
  return {
    line,
    awb,
    order: own.text(cells, 'order'),
    courier: own.text(cells, 'courier'),
    ...transfer,
    ...parts,
    ...(!deducts
      ? {}
      : why
        ? { remitted: 0, adjusted: parts.adjusted - parts.remitted }
        : { remitted: 0, unexplained: parts.unexplained - parts.remitted }),
    entry: (deducts && why) || parts.adjusted !== 0 ? nameOf(cells, entry, own) : undefined,
    fault: own.fault,
  }
}

/** The reason of a deduction: the words of the line, else the headers of its columns. */
function nameOf(cells: readonly string[], words: string, own: Cells): string | undefined {
  if (saysWhy(words)) return words
  const fields = deductionFields.filter(
    (field) => paiseIn(own.text(cells, field)) !== 0 && (field !== 'adjusted' || saysWhy(own.header(field))),
  )
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
  const footer = words === undefined ? undefined : footerOf(words)
  if (words !== undefined && (netLabel.test(words) || footer === 'payable'))
    return { total: { line, remitted: undefined, net: net ?? remitted } }
  if (footer === 'total') return { total: { line, remitted, net } }
  const said = takenIn(cells, words ?? '', own)
  const column = own.money(cells, 'fee') + said.adjusted + said.bare
  const written = column !== 0 ? column : -(net ?? remitted ?? 0)
  const taken = words !== undefined && deductionWord.test(words) ? Math.abs(written) : written
  // A column such as "Freight adjusted" says why where the words do not.
  const why = saysWhy(words ?? '') || (column !== 0 && said.bare === 0)
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
      adjusted: why ? taken : 0,
      unexplained: why ? 0 : taken,
      bare: why ? 0 : taken,
      entry: why ? nameOf(cells, words ?? '', own) : undefined,
      fault: own.fault,
    },
  }
}

/** Takes the amounts of a line apart: what was remitted, and what was taken off before it reached the bank. */
function splitOf(
  { places, amounts }: CodFile,
  { fee, adjusted, bare }: Taken & Pick<CodLine, 'fee'>,
  amount: (field: CodField) => number | undefined,
): Pick<CodLine, 'remitted' | 'fee' | 'adjusted' | 'unexplained' | 'bare'> {
  const [collected, remitted, net] = [amount('cod_amount'), amount('remitted'), amount('net')]
  const taken = fee + adjusted + bare
  const deducts = (['fee', 'freight', 'tds', 'adjusted'] as const).some((field) => places.has(field))
  if (net !== undefined) {
    const gross = (amounts === 'net' ? undefined : remitted) ?? collected ?? net + taken
    // Some files print deductions below 0.
    const sign = taken < 0 && gross + taken === net ? -1 : 1
    return {
      remitted: gross,
      fee: sign * fee,
      adjusted: sign * adjusted,
      unexplained: gross - sign * (fee + adjusted) - net,
      bare: sign * bare,
    }
  }
  if (remitted === undefined) return { remitted: collected ?? 0, fee, adjusted, unexplained: bare, bare }
  const gross = !deducts || amounts === 'gross' || (amounts === undefined && remitted === collected)
  return { remitted: gross ? remitted : remitted + taken, fee, adjusted, unexplained: bare, bare }
}
