// The headers of an invoice that nothing reads: what they look like, and whether the bill is wrong without them.
import { count } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { paiseIn } from '../../../domain/money/amounts.ts'
import type { Billed, Shape } from '../../../domain/money/billed.ts'
import type { MoneyField } from '../../../domain/money/forms.ts'
import { amountsMissing, hasTwoTotals, misfitOf, type UnreadLine } from '../../../domain/money/unreadamounts.ts'
import { fieldGuess, looksLikeCourier, looksLikeNumber, saidBy } from '../../../domain/money/unreadheaders.ts'
import { meaningOf } from '../../files/headers.ts'
import { shownHeader } from '../../files/shownheaders.ts'
import type { SheetRow } from '../../files/sheet.ts'
import { quoted } from '../../terminal/safe.ts'
import { looked } from './doubts.ts'
import { ownFields, type InvoiceFile } from './invoicefile.ts'
import type { Outcome } from './judging.ts'

/** A column that nothing reads, with its amounts in the first rows, paise by row. */
interface Column {
  readonly header: string
  readonly at: number
  /** Cells with something in them, those of them that are an amount, and those with decimals. */
  filled: number
  amounts: number
  decimals: number
  readonly paise: (number | undefined)[]
}

/** What the first rows have under headers that nothing reads. */
export interface Unread {
  readonly add: (row: SheetRow, line: Billed) => void
  /** Throws `unread_amounts` where amounts are missing without which most lines do not fit. */
  readonly refuse: (outcomes: () => readonly Outcome[], lines: readonly Billed[], shape: Shape) => void
  /** The headers as a warning has them: those that look like something to read come first. */
  readonly shown: () => readonly string[]
}

/** The unread columns of a file with no row looked at yet. */
export function unreadOf(file: InvoiceFile): Unread {
  const columns = file.unread.map((header): Column => {
    const at = file.sheet.headers.indexOf(header)
    return { header, at, filled: 0, amounts: 0, decimals: 0, paise: [] }
  })
  const rowOf = new Map<string, number[]>()
  let rows = 0
  const keyOf = ({ line, awb }: Billed): string => (file.ledger ? awb : String(line))
  return {
    add: ({ cells }, line) => {
      if (columns.length === 0 || rows >= looked) return
      const key = keyOf(line)
      rowOf.set(key, [...(rowOf.get(key) ?? []), rows++])
      for (const column of columns) addCell(column, cells[column.at] ?? '')
    },
    refuse: (outcomes, lines, shape) => {
      const wanted = columns.filter(isAmount)
      if (wanted.length === 0) return
      const judged = new Map(outcomes().map((one) => [one.line, one] as const))
      const known = lines.flatMap((line): UnreadLine[] => {
        const places = rowOf.get(keyOf(line))
        if (places === undefined || line.fault !== undefined) return []
        const amounts = wanted.map(({ header, paise }) => ({
          paise: places.reduce((sum, place) => sum + (paise[place] ?? 0), 0),
          certain: saidBy(header) === 'charge',
          total: sums.has(fieldGuess(header)),
          rival: isRival(file, header),
        }))
        return [{ line, amounts, difference: differenceOf(judged.get(line)) }]
      })
      if (amountsMissing(known, shape)) throw refusal(file, wanted, known, shape)
    },
    shown: () => columns.toSorted((a, b) => rank(a) - rank(b)).map(named),
  }
}

/** Whether a header is one of the total, which another header is read as and --map did not choose. */
const isRival = ({ places, sheet, totalMapped }: InvoiceFile, header: string): boolean =>
  !totalMapped && places.has('total') && sheet.apart !== true && meaningOf(ownFields, header) === 'total'

function addCell(column: Column, cell: string): void {
  const text = cell.trim()
  const paise = text === '' ? undefined : paiseIn(text)
  const amount = paise === undefined || Number.isNaN(paise) ? undefined : paise
  column.paise.push(amount)
  if (text === '') return
  column.filled++
  if (amount === undefined) return
  column.amounts++
  if (text.includes('.')) column.decimals++
}

/** Fields of amounts that add up others. */
const sums: ReadonlySet<MoneyField> = new Set<MoneyField>(['total', 'gross', 'gst', 'igst', 'cgst', 'sgst'])

/** Whether a column has amounts, and its header says nothing against it. */
function isAmount({ header, filled, amounts, decimals, paise }: Column): boolean {
  if (filled === 0 || amounts * 10 < filled * 9 || !paise.some((one) => one !== undefined && one !== 0)) return false
  const said = saidBy(header)
  return said === 'charge' || said === 'amount' || (said === 'open' && decimals * 2 > filled)
}

/** Reasons that are about the whole line and not about its amounts. */
const whole: ReadonlySet<string> = new Set([
  'unknown_awb',
  'other_courier',
  'not_shipped',
  'duplicate',
  'billed_before',
])

/** What a judged line was billed too much, before GST; undefined for one that is not judged by its amounts. */
function differenceOf(outcome: Outcome | undefined): number | undefined {
  const { verdict, category, reasons } = outcome?.judged ?? { verdict: 'unknown', category: 'ok', reasons: [] }
  if (verdict === 'unknown' || verdict === 'credit' || whole.has(category)) return undefined
  if (verdict === 'ok') return 0
  return reasons.reduce((sum, { code, amount }) => (code === 'gst_on_difference' ? sum : sum + (amount ?? 0)), 0)
}

const rank = (column: Column): number =>
  isAmount(column) ? 0 : looksLikeNumber(column.header) ? 1 : looksLikeCourier(column.header) ? 2 : 3

function named(column: Column): string {
  const what = ['an amount?', 'a number?', 'a courier?'][rank(column)]
  return `${shownHeader(column.header)}${what === undefined ? '' : ` (${what})`}`
}

/** The most headers that a message holds. */
const mostShown = 20

/** The first of some headers, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length - mostShown
  return `${names.slice(0, mostShown).join(', ')}${more > 0 ? ` … and ${count(more)} more` : ''}`
}

/** The flag that reads a header as a field. */
const mapFlag = (header: string, field: string): string => `--map ${quoted(`${header}=${field}`)}`

/** The flag that reads the number of the invoice, where an unread header looks like one. */
export function numberFlag({ unread }: InvoiceFile): string | undefined {
  const header = unread.find(looksLikeNumber)
  return header === undefined ? undefined : mapFlag(header, 'number')
}

/** Further columns of these fields are added up; of others, only one can be read. */
const adding: ReadonlySet<MoneyField> = new Set<MoneyField>([
  'freight',
  'rto',
  'reverse',
  'qc',
  'cod_fee',
  'fuel',
  'other',
])

/** The flags that read the unread amounts, as far as their names say what they are. */
function flagsFor(file: InvoiceFile, columns: readonly Column[]): readonly string[] {
  const { places, unread } = file
  const taken = new Set<MoneyField>(places.keys())
  const flags = columns.map(({ header }) => {
    const field = fieldGuess(header)
    const said = saidBy(header) === 'charge' || (field !== 'other' && saidBy(header) === 'amount')
    if (isRival(file, header)) return mapFlag(header, 'total')
    if (said && adding.has(field)) return mapFlag(header, field)
    // A second header of any other field would take the place of the first.
    if (!said || taken.has(field)) return `--ignore ${quoted(header)}`
    taken.add(field)
    return mapFlag(header, field)
  })
  const number = places.has('number') ? undefined : unread.find(looksLikeNumber)
  const courier = places.has('courier') ? undefined : unread.find(looksLikeCourier)
  return [
    ...flags,
    ...(number === undefined ? [] : [mapFlag(number, 'number')]),
    ...(courier === undefined ? [] : [mapFlag(courier, 'courier')]),
  ]
}

function refusal(
  file: InvoiceFile,
  columns: readonly Column[],
  lines: readonly UnreadLine[],
  shape: Shape,
): ShipxError {
  const names = columns.map(({ header }) => `"${shownHeader(header)}"`).join(', ')
  const misfits = lines.filter(({ line }) => misfitOf(line, shape) !== 0).length
  const differing = lines.filter(({ difference }) => difference !== undefined && difference !== 0).length
  const rivals = lines.filter(hasTwoTotals).length
  const many = (n: number): string => `${count(n)} of the first ${count(lines.length)} lines`
  const why =
    rivals * 2 > lines.length
      ? `${many(rivals)} have another total there`
      : misfits > 0
        ? `${many(misfits)} do not add up to their total without ${columns.length === 1 ? 'it' : 'them'}`
        : `${many(differing)} differ from what they should cost`
  const message = `shipx reads only some amounts of this bill, not ${names}: ${why}`
  return new ShipxError('unread_amounts', message, {
    hint: `--force reads the file as it is; or say what each column is: ${flagsFor(file, columns).join(' ')}`,
  })
}
