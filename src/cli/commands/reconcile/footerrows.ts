// Rows of a bill that are no lines: totals, what is payable, amounts of no parcel, and notes.
import { count, counted } from '../../../domain/count.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { paiseIn } from '../../../domain/money/amounts.ts'
import { footerOf, isRecharge, type Footer } from '../../../domain/money/footers.ts'
import type { MoneyField } from '../../../domain/money/forms.ts'
import { showMoney } from '../../output/display.ts'
import { safe } from '../../terminal/safe.ts'
import type { Screen } from '../../terminal/screen.ts'
import type { SheetRow } from '../../files/sheet.ts'
import type { InvoiceFile } from './invoicefile.ts'

/** A row that is no line, by its words: its amounts by field, paise. */
export interface FooterRow {
  readonly line: number
  readonly kind: Footer | 'recharge'
  readonly words: string
  readonly amounts: ReadonlyMap<MoneyField, number>
}

/** A footer that was left out: its amount in paise, and whether the lines say the same. */
export interface LeftOut {
  readonly line: number
  readonly words: string
  readonly amount: number
  readonly fits: boolean
}

type Words = Pick<FooterRow, 'kind' | 'words'>

/** What the words in place of an AWB say that a row is; undefined for a line. */
function namedRow(words: string): Words | undefined {
  const kind = isRecharge(words) && !/\d{5}/.test(words) ? 'recharge' : footerOf(words)
  return kind && { kind, words }
}

/** What a row without an AWB is by its entry or its first words; undefined for a line. */
function namelessRow({ places, ledger }: InvoiceFile, cells: readonly string[]): Words | undefined {
  const entry = cells[places.get('entry')?.[0] ?? -1] ?? ''
  if (ledger && isRecharge(entry)) return { kind: 'recharge', words: entry.trim() }
  const first = cells.find((one) => one.trim() !== '' && Number.isNaN(paiseIn(one)))
  const kind = first === undefined ? 'total' : footerOf(first)
  // Most entries of a ledger are amounts of no parcel by their words.
  return kind === undefined || (ledger && kind === 'apart') ? undefined : { kind, words: first?.trim() ?? '' }
}

/** A row as one that is no line: by the words in place of its AWB, or else by its first ones. */
export function footerIn(file: InvoiceFile, { line, cells }: SheetRow): FooterRow | undefined {
  const { places } = file
  const name = cells[places.get('awb')![0]!]!.trim()
  // As nearly every AWB is.
  if (/^[\w-]+$/.test(name) && /\d/.test(name)) return undefined
  const found = name === '' ? namelessRow(file, cells) : namedRow(name)
  if (found === undefined) return undefined
  const amounts = new Map<MoneyField, number>()
  for (const field of ['total', 'gross', 'freight', 'debit', 'credit'] as const) {
    const own = places.get(field) ?? []
    const sum = own.reduce((value, place) => value + paiseIn(cells[place]!), 0)
    if (!Number.isNaN(sum) && own.some((place) => cells[place]!.trim() !== '')) amounts.set(field, sum)
  }
  return { line, ...found, amounts }
}

/** The amount of a row that is no line, paise; undefined for one without. */
export function footerAmount({ amounts }: FooterRow): number | undefined {
  const whole = amounts.get('total') ?? amounts.get('gross') ?? amounts.get('freight')
  if (whole !== undefined || (!amounts.has('debit') && !amounts.has('credit'))) return whole
  return (amounts.get('debit') ?? 0) - (amounts.get('credit') ?? 0)
}

/** A text without blanks and with a digit, such as an AWB is. */
const likeAwb = (text: string): boolean => /^[^\s]{4,40}$/.test(text) && /\d/.test(text)

/** Whether a row has one cell with something in it, and that is no line: below the totals, or a text that is no AWB. */
export function isFootnote({ cells }: SheetRow, below: boolean): boolean {
  const [only, ...more] = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  if (only === undefined || more.length > 0 || !Number.isNaN(paiseIn(only))) return false
  return below || !likeAwb(only)
}

/** Rows that a message names. */
const mostNamed = 5

/** Says that notes below the lines were left out. */
export function footnotesText(lines: readonly number[], counts: 'line' | 'row'): string {
  const more = lines.length - mostNamed
  const named = lines.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${count(more)} more` : '')
  const where = `${counts}${lines.length === 1 ? '' : 's'} ${named}`
  return `Left out ${counted(lines.length, ['note', 'notes'])} that bill nothing (${where}).`
}

/** Some footers with their amounts: `line 8 "Round off" -₹0.04`. */
function namedRows(rows: readonly LeftOut[], counts: 'line' | 'row', screen: Screen): string {
  const named = rows.slice(0, mostNamed).map(({ line, words, amount }) => {
    const money = showMoney(rupeesOf(amount), screen)
    return `${counts} ${line} "${safe(words.slice(0, 60))}" ${money}`
  })
  return named.join(', ') + (rows.length > mostNamed ? ` and ${count(rows.length - mostNamed)} more` : '')
}

/** What is said of footers that were left out: those that fit the lines, and amounts that no line has. */
export function leftOutTexts(
  rows: readonly LeftOut[],
  counts: 'line' | 'row',
  screen: Screen,
): { readonly note: string | undefined; readonly warning: string | undefined } {
  const [fit, others] = [rows.filter(({ fits }) => fits), rows.filter(({ fits }) => !fits)]
  const them = others.length === 1 ? 'it is' : 'they are'
  const bill = fit.length === 1 ? 'bills' : 'bill'
  return {
    note:
      fit.length === 0
        ? undefined
        : `Left out ${counted(fit.length, ['row', 'rows'])} that ${bill} no parcel: ${namedRows(fit, counts, screen)}.`,
    warning:
      others.length === 0
        ? undefined
        : `No line has these amounts, so ${them} not in what is billed: ${namedRows(others, counts, screen)}.`,
  }
}
