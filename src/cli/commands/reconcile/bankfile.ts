// A bank statement: opened by its form, its credits read, and the UTRs that they name.
import { invalid } from '../../../domain/errors.ts'
import { receivedPaise } from '../../../domain/money/amounts.ts'
import type { BankCredit } from '../../../domain/money/bankmatch.ts'
import {
  bankColumns,
  bankForms,
  codForms,
  type BankField,
  type BankForm,
  type BankFormName,
} from '../../../domain/money/codforms.ts'
import { isTotalLabel } from '../../../domain/money/footers.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import { anyUtrIn, knownUtrsIn, utrKey } from '../../../domain/money/utr.ts'
import type { Context } from '../../command/context.ts'
import { shownHeader, shownHeaders } from '../../files/shownheaders.ts'
import type { Maps } from '../../files/mapped.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'
import { isRemittance } from './codfile.ts'
import { daysReader } from './days.ts'
import { chosenForm, fieldsOf, formsAmong, namesOf, noSuchForm, openFormed, placesOf } from './formfile.ts'

/** What a statement is opened with. */
export interface BankOpening {
  readonly path: string
  readonly maps: Maps
  readonly sheet: string | undefined
  readonly format: BankFormName | undefined
}

/** A statement that is open. */
export interface BankFile {
  readonly sheet: Sheet
  readonly form: BankForm | undefined
  readonly name: BankFormName
  readonly places: ReadonlyMap<BankField, number>
}

const ownFields = namesOf(bankColumns)
const wayOut = 'shipx reconcile formats; name columns with --map-bank "<header>=<column>"'
const nothing = 'no bank statement'

/** Whether fields are those of a statement: a text that may hold a UTR, and money in. */
const isStatement = (has: (field: BankField) => boolean): boolean =>
  (has('narration') || has('utr') || has('reference')) && (has('credit') || has('amount'))

/** Opens a statement. Throws `unknown_form` for a file that is none, and `invalid_input` where two forms fit. */
export async function openBank({ io }: Context, { path, maps, sheet: named, format }: BankOpening): Promise<BankFile> {
  const own = format === 'bank'
  const noRemittance = { map: [], map_value: [], ignore: [] }
  const sheet = await openFormed(
    { io },
    {
      field: '--bank',
      path,
      sheet: named,
      maps,
      columns: bankColumns,
      nothing,
      wayOut,
      meant: (headers) => {
        const fields = fieldsOf(headers, maps, ownFields)
        return formsAmong(bankForms, headers).length > 0 || isStatement((field) => fields.includes(field))
      },
      formed: (headers) => !own && formsAmong(bankForms, headers).length > 0,
      refused: (headers) =>
        own || !(formsAmong(codForms, headers).length > 0 || isRemittance(headers, noRemittance))
          ? undefined
          : 'this sheet is a COD remittance: name it as <file>, and the statement with --bank',
    },
  )
  try {
    const form = own ? undefined : chosenForm(sheet, bankForms, format, { wayOut, flag: '--bank-format' })
    const places = placesOf(sheet, form?.columns)
    if (!isStatement((field) => places.has(field)))
      throw noSuchForm(
        { nothing, wayOut },
        `its header lacks a narration or an amount; it has: ${shownHeaders(sheet.headers)}`,
      )
    return { sheet, form, name: form?.name ?? 'bank', places }
  } catch (error) {
    sheet.close()
    throw error
  }
}

/** A row of a statement: paise. */
interface BankRow {
  readonly line: number
  readonly day: string | undefined
  readonly narration: string
  readonly reference: string
  readonly utr: string
  readonly credit: number
  readonly debit: number
  readonly balance: number | undefined
  /** Whether the one amount of the row says by itself if it is money in. */
  readonly signed: boolean
  /** Why its money in or out cannot be read. */
  readonly faults: Readonly<Partial<Record<'credit' | 'debit', string>>>
}

/** What is read of a statement. */
export interface Statement {
  readonly credits: readonly BankCredit[]
  readonly rows: number
  /** Credits that name any UTR. */
  readonly named: number
  /** The IST days of the first and the last row. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** Whether the columns of money in and out are the other way round than their headers say. */
  readonly turned: boolean
  /** The first day that cannot be read. */
  readonly oddDay: string | undefined
  /** Rows whose money in cannot be read. */
  readonly unread: readonly UnreadRow[]
}

/** A row that cannot be read. */
export interface UnreadRow {
  readonly line: number
  readonly fault: string
}

/** Rows that are looked at before it is known which column is money in. */
const lookedAt = 300

const cellOf = ({ places }: BankFile, cells: readonly string[], field: BankField): string => {
  const at = places.get(field)
  return at === undefined ? '' : cells[at]!.trim()
}

/** Reads a row; undefined for a total, a legend or an empty one. */
function rowOf(
  file: BankFile,
  { cells, line }: SheetRow,
  dayIn: (text: string) => string | undefined,
): BankRow | undefined {
  const cell = (field: BankField): string => cellOf(file, cells, field)
  const faults: { credit?: string; debit?: string } = {}
  const money = (field: 'credit' | 'debit' | 'amount'): number => {
    const text = cell(field).replace(/^\*+$/, '')
    const paise = receivedPaise(text)
    if (!Number.isNaN(paise)) return paise
    // Words under a header are a legend, or the header again.
    if (/\d/.test(text)) {
      const side = field === 'amount' ? 'credit' : field
      const header = shownHeader(file.sheet.headers[file.places.get(field)!]!)
      faults[side] = `${excerpt(text)} under "${header}" is not an amount`
    }
    return 0
  }
  const day = dayIn(cell('date'))
  if (day === undefined && (isTotalLabel(cell('date')) || isTotalLabel(cell('narration')))) return undefined
  const amount = money('amount')
  const out = /^(?:d|dr|debit|withdrawal)\.?$/i.test(cell('type'))
  const single = out ? -Math.abs(amount) : amount
  const balance = cell('balance') === '' ? NaN : receivedPaise(cell('balance'))
  const row: BankRow = {
    line,
    day,
    narration: cell('narration'),
    reference: cell('reference'),
    utr: cell('utr'),
    credit: Math.abs(money('credit')) + Math.max(0, single),
    debit: Math.abs(money('debit')) + Math.max(0, -single),
    balance: Number.isNaN(balance) ? undefined : balance,
    signed: amount < 0 || /\b[cd]r\.?$/i.test(cell('amount')),
    faults: day === undefined || out ? {} : faults,
  }
  const isEmpty = row.credit === 0 && row.debit === 0
  return isEmpty && row.faults.credit === undefined && row.faults.debit === undefined ? undefined : row
}

/** Whether the balances say that money in stands under the header of money out. */
export function isTurned(rows: readonly Pick<BankRow, 'credit' | 'debit' | 'balance'>[]): boolean {
  let [straight, turned] = [0, 0]
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1]
    if (before?.balance === undefined || row.balance === undefined) continue
    // Some banks print the latest row first.
    const moves = [
      [row.balance - before.balance, row.credit - row.debit],
      [before.balance - row.balance, before.credit - before.debit],
    ] as const
    if (moves.some(([moved, sum]) => moved === sum)) straight++
    else if (moves.some(([moved, sum]) => moved === -sum)) turned++
  }
  return turned > straight && turned > 1
}

/** What is looked for in a statement. UTRs are keys. */
export interface Wanted {
  /** The UTRs of this remittance. */
  readonly own: ReadonlySet<string>
  /** Those of all kept remittances. */
  readonly kept: ReadonlySet<string>
  /** Those that kept statements name. */
  readonly came: ReadonlySet<string>
  /** What transfers of this remittance pay: a credit of such an amount may be one of them. */
  readonly amounts: ReadonlySet<number>
}

/** Finds the UTRs that the texts of a row name. */
function namesReader({ own, kept, came }: Wanted) {
  const ofRemittances = new Set([...own, ...kept])
  const all = new Set([...ofRemittances, ...came])
  const readerOf = (known: ReadonlySet<string>) => {
    const sizes = new Set([...known].map(({ length }) => length))
    return (texts: readonly string[]) => [...new Set(texts.flatMap((text) => knownUtrsIn(text, known, sizes)))]
  }
  const [ours, any] = [readerOf(ofRemittances), readerOf(all)]
  const textsOf = ({ utr, reference, narration }: BankRow): readonly string[] =>
    [utr, reference, narration].filter((text) => text !== '')
  const other = (row: BankRow): readonly string[] => {
    const found = utrKeyIn(row.utr) ?? firstOf(textsOf(row), anyUtrIn)
    return found === undefined ? [] : [found]
  }
  return {
    /** Of money in: those of this remittance, else those of kept ones and the one that the bank itself names. */
    ofCredit: (row: BankRow): readonly string[] => {
      const found = ours(textsOf(row))
      const mine = found.filter((key) => own.has(key))
      return mine.length > 0 ? [...new Set([...mine, ...found])] : [...new Set([...found, ...other(row)])]
    },
    /** Of money out: what was credited before goes back. */
    ofDebit: (row: BankRow): readonly string[] => {
      const found = any(textsOf(row))
      return found.length > 0 ? found : other(row)
    },
  }
}

/**
 * Reads the credits of a statement: those that name a UTR, of our files or not, and those with one of the amounts that
 * a transfer has. Money out that names a UTR which a credit names is a credit below 0.
 */
export async function readStatement(file: BankFile, wanted: Wanted): Promise<Statement> {
  const days = daysReader()
  const names = namesReader(wanted)
  const [credits, debits]: BankCredit[][] = [[], []]
  const unread: UnreadRow[] = []
  let [rows, named] = [0, 0]
  let [from, to]: (string | undefined)[] = [undefined, undefined]
  let turned: boolean | undefined
  let held: BankRow[] = []
  const take = (row: BankRow): void => {
    rows++
    if (row.day !== undefined) {
      from = from === undefined || row.day < from ? row.day : from
      to = to === undefined || row.day > to ? row.day : to
    }
    const [side, out] = turned === true ? (['debit', 'credit'] as const) : (['credit', 'debit'] as const)
    const [amount, fault] = [row[side], row.faults[side]]
    if (fault !== undefined) unread.push({ line: row.line, fault })
    const { line, day, narration, reference } = row
    const one = { statement: '', line, day, narration, reference }
    if (amount === 0) {
      const utrs = names.ofDebit(row)
      if (utrs.length > 0 && row[out] > 0) debits!.push({ ...one, amount: -row[out], utrs })
      return
    }
    const utrs = names.ofCredit(row)
    if (utrs.length > 0) named++
    if (utrs.length > 0 || wanted.amounts.has(amount)) credits!.push({ ...one, amount, utrs })
  }
  const decide = (): void => {
    refuseUnsigned(file, held)
    turned ??= isTurned(held)
    for (const row of held) take(row)
    held = []
  }
  for await (const batch of file.sheet.rows) {
    for (const sheetRow of batch) {
      const row = rowOf(file, sheetRow, days.on)
      if (row === undefined) continue
      if (turned === undefined) held.push(row)
      else take(row)
    }
    if (held.length >= lookedAt) decide()
  }
  decide()
  const came = new Set([...wanted.own, ...wanted.kept, ...wanted.came, ...credits!.flatMap(({ utrs }) => utrs)])
  const back = debits!.filter(({ utrs }) => utrs.some((utr) => came.has(utr)))
  return {
    credits: [...credits!, ...back],
    rows,
    named,
    from,
    to,
    turned: turned === true,
    oddDay: days.unread(),
    unread,
  }
}

/** Throws `invalid_input` where one column has all amounts and nothing says which of them are money in. */
function refuseUnsigned({ places, sheet }: BankFile, rows: readonly BankRow[]): void {
  const single = places.has('amount') && !places.has('type') && !places.has('credit')
  if (!single || rows.length === 0 || rows.some(({ signed }) => signed)) return
  const header = shownHeader(sheet.headers[places.get('amount')!]!)
  const message = `nothing says which amounts under "${header}" are money in; if all are: --map-bank "${header}=credit"`
  throw invalid([{ field: '--map-bank', message }])
}

const utrKeyIn = (cell: string): string | undefined => (cell === '' ? undefined : utrKey(cell))

function firstOf<T>(texts: readonly string[], read: (text: string) => T | undefined): T | undefined {
  for (const text of texts) {
    const found = read(text)
    if (found !== undefined) return found
  }
  return undefined
}
