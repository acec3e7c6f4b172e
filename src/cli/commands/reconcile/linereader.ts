// Reads the rows of an invoice into lines of integers. An invoice has a million of them: each cell is read once, by
// the quickest reader that takes it.
import { paiseIn, unitsIn } from '../../../domain/money/amounts.ts'
import { awbFault, awbIn } from '../../../domain/money/awbs.ts'
import type { Billed } from '../../../domain/money/billed.ts'
import type { MoneyField } from '../../../domain/money/forms.ts'
import { readJourney } from '../../../domain/money/words.ts'
import { readPayment } from '../../../domain/read/payment.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import type { SheetRow } from '../../files/sheet.ts'
import { shownHeader } from '../../files/shownheaders.ts'
import { footerIn, type FooterRow } from './footerrows.ts'
import type { InvoiceFile } from './invoicefile.ts'

/** Reads the rows of a file. */
export interface LineReader {
  /** How many amounts a program has written as `%!f(string=40.00)` so far. */
  readonly misprints: () => number
  /** The lines so far whose total is blank and counts as the sum of their parts: how many, and the first ones. */
  readonly blankTotals: () => BlankTotals
  /** Words of the column of the journey so far that name none. */
  readonly strangers: () => readonly string[]
  readonly read: (row: SheetRow) => Billed
  /** The row as a total or another one that is no line; undefined for a line. */
  readonly footer: (row: SheetRow) => FooterRow | undefined
  /** The day of the document as a row writes it; '' where it does not. */
  readonly dated: (row: SheetRow) => string
  /** The entry of a row of a ledger, and what it adds, paise. */
  readonly entry: (row: SheetRow) => {
    readonly words: string
    readonly amount: number
    readonly fault: string | undefined
  }
}

/** Lines whose total is blank: the first ones, and how many there are. */
export interface BlankTotals {
  readonly lines: number
  readonly first: readonly number[]
}

/** Lines that a message names at most. */
const mostNamed = 5

function blankTotals(): { readonly add: (line: number) => void; readonly found: () => BlankTotals } {
  const first: number[] = []
  let lines = 0
  return {
    add: (line) => {
      if (lines++ < mostNamed) first.push(line)
    },
    found: () => ({ lines, first }),
  }
}

const isDigit = (text: string): boolean => text.charCodeAt(0) >= 48 && text.charCodeAt(0) <= 57

/** Whether nothing stands under some columns, or there are none. */
const isBlank = (cells: readonly string[], places: readonly number[]): boolean => {
  for (const place of places) {
    const text = cells[place]!
    // A digit in front, as nearly always, is quicker to find than what is left without blanks.
    if (text !== '' && (isDigit(text) || text.trim() !== '')) return false
  }
  return true
}

/** Words that are remembered at most. */
const mostStrangers = 50

/** Whether a word of a column of the journey ought to name one: `COD` and `Prepaid` say how a parcel is paid. */
const isStranger = (text: string): boolean => text.trim() !== '' && 'fault' in readPayment(text)

/** Reads the words of the column of the journey, and remembers those that name none. */
function journeyWords(): { readonly read: (text: string) => Billed['said']; readonly strangers: () => string[] } {
  const strangers = new Set<string>()
  const read = remembered((text) => {
    const known = readJourney(text)
    if (known === undefined && strangers.size < mostStrangers && isStranger(text)) strangers.add(text.trim())
    return known
  })
  return { read, strangers: () => [...strangers] }
}

/** The columns of all amounts but the total. */
const partPlaces = (columns: ReturnType<typeof amountPlaces>, others: InvoiceFile['others']): readonly number[] => [
  ...Object.entries(columns).flatMap(([field, own]) => (field === 'total' ? [] : own)),
  ...others.map(({ at }) => at),
]

/** The AWB of a box of a parcel; a cell that lists several is of the parcel's own line. */
function childIn(text: string, awb: string): string {
  const child = awbIn(text)
  return child === awb || /[,;|/]|\S\s+\S/.test(text.trim()) ? '' : child
}

const cell = (cells: readonly string[], place: number): string => (place === -1 ? '' : cells[place]!)

/**
 * The reader of an open file; `number` stands where a line names no invoice. `apart` reads also how lines were paid,
 * which only lines that are compared with each other need.
 */
export function lineReader(file: InvoiceFile, number: string, apart = false): LineReader {
  const { places, others, sheet } = file
  const at = (field: MoneyField): number => places.get(field)?.[0] ?? -1
  const all = (field: MoneyField): readonly number[] => places.get(field) ?? []
  const [awb, order, courier, zone, from] = [at('awb'), at('order'), at('courier'), at('zone'), at('number')]
  const child = at('child_awb')
  const [journey, status, entry] = [at('journey'), at('status'), at('entry')]
  const [picked, dated] = [at('picked_up'), at('line_date')]
  const [weight, applied] = [at('weight'), at('applied_weight')]
  const columns = amountPlaces(file)
  const tax = ['gst', 'igst', 'cgst', 'sgst'].flatMap((field) => all(field as MoneyField))
  const late = sheet.keys ?? Infinity
  const reversed = file.name === 'pickrr'
  const journeyIn = remembered(readJourney)
  const parts = partPlaces(columns, others)
  const words = journeyWords()
  const blank = blankTotals()
  const paid = apart ? paidReader(file) : undefined
  const read = cellReader(file)
  const { amount, weightIn } = read
  return {
    misprints: () => read.misprints,
    strangers: words.strangers,
    blankTotals: blank.found,
    read: ({ line, cells, fault: broken }) => {
      read.fault = broken
      const name = awbIn(cells[awb]!)
      read.fault ??= awbFault(cells[awb]!)
      if (late !== Infinity) read.fault ??= lateFault(sheet, cells, late)
      const named = others.length === 0 ? noOthers : namedOthers(cells, others)
      if (named.bad !== undefined) read.fault ??= named.bad
      const ownNumber = cell(cells, from)
      let total: number | undefined
      if (!isBlank(cells, columns.total)) total = amount(cells, columns.total)
      else if (columns.total.length > 0 && !file.ledger) {
        if (isBlank(cells, parts)) read.fault ??= 'it has no amount: its total is blank'
        else blank.add(line)
      }
      const ordered = cell(cells, order).trim()
      const said = words.read(cell(cells, journey)) ?? (reversed && ordered.endsWith('-RP') ? 'reverse' : undefined)
      return {
        line,
        number: ownNumber === '' ? number : ownNumber.trim(),
        awb: name,
        child: child === -1 ? '' : childIn(cells[child]!, name),
        order: ordered,
        courier: cell(cells, courier).trim(),
        said: said ?? journeyIn(cell(cells, status)),
        byStatus: said === undefined,
        pickedUp: cell(cells, picked),
        dated: cell(cells, dated),
        zone: cell(cells, zone),
        weight: weightIn(cells, weight) || weightIn(cells, applied),
        freight: amount(cells, columns.freight),
        rto: amount(cells, columns.rto),
        reverse: amount(cells, columns.reverse),
        qc: amount(cells, columns.qc),
        cod: amount(cells, columns.cod),
        fuel: amount(cells, columns.fuel),
        other: amount(cells, columns.other) + named.sum,
        others: named.names,
        gross: isBlank(cells, columns.gross) ? undefined : amount(cells, columns.gross),
        tax: tax.length === 0 ? undefined : amount(cells, tax),
        total,
        fault: read.fault,
        ...paid?.(cells),
      }
    },
    footer: (row) => footerIn(file, row),
    dated: ({ cells }) => cell(cells, at('date')),
    entry: ({ cells }) => {
      read.fault = undefined
      const sum = amount(cells, all('debit')) - amount(cells, all('credit'))
      return { words: cell(cells, entry), amount: sum, fault: read.fault }
    },
  }
}

/** Reads the amounts and weights of a line; `fault` is why the last one that cannot be read is none. */
interface CellReader {
  fault: string | undefined
  misprints: number
  /** The sum of some columns, paise. */
  readonly amount: (cells: readonly string[], list: readonly number[]) => number
  /** Hundredths of a gram; 0 without a column. */
  readonly weightIn: (cells: readonly string[], place: number) => number
}

function cellReader({ sheet, unit }: InvoiceFile): CellReader {
  const own: CellReader = {
    fault: undefined,
    misprints: 0,
    amount: (cells, list) => {
      let sum = 0
      for (const place of list) {
        const paise = paiseIn(cells[place]!)
        if (cells[place]!.startsWith('%!')) own.misprints++
        if (Number.isNaN(paise))
          own.fault = `${excerpt(cells[place]!)} under "${shownHeader(sheet.headers[place]!)}" is not an amount`
        else sum += paise
      }
      return sum
    },
    weightIn: (cells, place) => {
      if (place === -1) return 0
      const units = unitsIn(cells[place]!, unit)
      if (!Number.isNaN(units)) return units
      own.fault = `${excerpt(cells[place]!)} under "${shownHeader(sheet.headers[place]!)}" is not a weight`
      return 0
    },
  }
  return own
}

/** What a line of JSON has that the first one lacks. */
function lateFault({ headers }: InvoiceFile['sheet'], cells: readonly string[], late: number): string | undefined {
  const at = cells.findIndex((cell, place) => place >= late && cell !== '')
  return at === -1 ? undefined : `it has "${shownHeader(headers[at]!)}", which the first line lacks`
}

/** The columns of the amounts that a line has. */
function amountPlaces({ places }: InvoiceFile) {
  const all = (field: MoneyField): readonly number[] => places.get(field) ?? []
  return {
    freight: all('freight'),
    rto: all('rto'),
    reverse: all('reverse'),
    qc: all('qc'),
    cod: all('cod_fee'),
    fuel: all('fuel'),
    other: all('other'),
    gross: all('gross'),
    total: all('total'),
  }
}

/** Reads how lines were paid, and what was collected, paise. */
function paidReader({ places }: InvoiceFile): (cells: readonly string[]) => Pick<Billed, 'payment' | 'collected'> {
  const at = (field: MoneyField): number => places.get(field)?.[0] ?? -1
  const [paidBy, collected] = [at('payment'), at('cod_amount')]
  const paymentIn = remembered(payment)
  return (cells) => {
    const value = collected === -1 ? NaN : paiseIn(cells[collected]!)
    return { payment: paymentIn(cell(cells, paidBy)), collected: value > 0 ? value : undefined }
  }
}

/** How a line was paid by the word of its column; undefined for any other word. */
function payment(text: string): Billed['payment'] {
  const read = readPayment(text)
  return 'fault' in read ? undefined : read.value === 'COD' ? 'cod' : 'prepaid'
}

/** Reads the words of a column: few come again and again. */
function remembered<T>(read: (text: string) => T | undefined): (text: string) => T | undefined {
  const words = new Map<string, T | undefined>()
  return (text) => {
    if (text === '') return undefined
    if (!words.has(text) && words.size < 1000) words.set(text, read(text))
    return words.has(text) ? words.get(text) : read(text)
  }
}

const noOthers = { sum: 0, names: '', bad: undefined }

/** The components that a form has no field for, those of 0 left out. */
function namedOthers(
  cells: readonly string[],
  others: InvoiceFile['others'],
): { readonly sum: number; readonly names: string; readonly bad: string | undefined } {
  let [sum, names] = [0, '']
  let bad: string | undefined
  for (const { name, at } of others) {
    const text = cells[at]!
    if (text === '' || text === '0') continue
    const paise = paiseIn(text)
    if (Number.isNaN(paise)) bad = `${excerpt(text)} under "${name}" is not an amount`
    else if (paise !== 0) {
      sum += paise
      names += names === '' ? name : `, ${name}`
    }
  }
  return { sum, names, bad }
}
