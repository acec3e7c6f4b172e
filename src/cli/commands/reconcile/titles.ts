// What the rows above the header of an invoice or a credit note say of it: its number and its day
// (docs/guides/money.md, Keep it).
import { folded } from '../../files/headers.ts'
import { daysReader } from './days.ts'

/** What the rows above the header say; undefined where they do not. */
export interface Titled {
  readonly number: string | undefined
  /** An IST day. */
  readonly day: string | undefined
}

const noteLabel = /^(?:credit|debit)note(?:no|nr|num|number)$/
const noteTitle = /^(?:credit|debit)note$/
const noteDayLabel = /^(?:(?:credit|debit)note(?:date|dt)|dateof(?:credit|debit)note)$/
const dayLabel = /^(?:dt|dated?|(?:tax)?(?:invoice|bill|inv)(?:date|dt)|dateof(?:invoice|bill))$/
const numberLabel = /^(?:tax)?(?:invoice|bill|inv)(?:no|nr|num|number)?$/
/** A label that another cell before it explains: `Tax Invoice`, `no`. */
const shortLabel = /^(?:no|nr|num|number)$/

const isNumber = (text: string): boolean => /\d/.test(text) && text.length <= 60 && daysReader().on(text) === undefined

/** The cells of a row, labels and values apart: `Invoice No: INV/1`, `Dt. 20-Nov-26`, `Bill No: A1 dt. 05-11-26`. */
const partsOf = (cells: readonly string[]): readonly string[] =>
  cells
    .flatMap((cell) => {
      const [, label, value] =
        /^([^:]{1,30}?)\s*:\s*(\S.*)$/.exec(cell) ?? /^(dt\.?|dated?)\s+(\S.*)$/i.exec(cell) ?? []
      if (label === undefined) return [cell]
      const [number = '', dated] = value!.split(/[\s,](?:dt|dated?)[.:\s]/i)
      return dated === undefined ? [label, value!] : [label, number, 'dated', dated]
    })
    .map((part) => part.trim())
    .filter((part) => part !== '')

/**
 * Reads rows above a header; the first number and the first day count. Those of a credit note go before those of the
 * invoice that it names.
 */
export function titledIn(rows: readonly (readonly string[])[]): Titled {
  let [number, day, note, noteDay]: (string | undefined)[] = []
  for (const cells of rows) {
    const parts = partsOf(cells)
    for (const [at, value] of parts.entries()) {
      if (at === 0) continue
      const [label, before] = [folded(parts[at - 1]!), at > 1 ? folded(parts[at - 2]!) : '']
      if (dayLabel.test(label)) day ??= daysReader().on(value)
      if (noteDayLabel.test(label)) noteDay ??= daysReader().on(value)
      const [short, found] = [shortLabel.test(label), isNumber(value) ? value : undefined]
      if (numberLabel.test(label) || (short && numberLabel.test(before))) number ??= found
      if (noteLabel.test(label) || (short && noteTitle.test(before))) note ??= found
    }
  }
  return { number: note ?? number, day: noteDay ?? day }
}
