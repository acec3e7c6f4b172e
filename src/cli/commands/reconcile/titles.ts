// What the rows above the header of an invoice say of it: its number and its day (docs/guides/money.md, Keep it).
import { folded } from '../../files/headers.ts'
import { daysReader } from './days.ts'

/** What the rows above the header say; undefined where they do not. */
export interface Titled {
  readonly number: string | undefined
  /** An IST day. */
  readonly day: string | undefined
}

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

/** Reads rows above a header; the first number and the first day count. */
export function titledIn(rows: readonly (readonly string[])[]): Titled {
  let [number, day]: (string | undefined)[] = []
  for (const cells of rows) {
    const parts = partsOf(cells)
    for (const [at, value] of parts.entries()) {
      if (at === 0) continue
      const [label, before] = [folded(parts[at - 1]!), at > 1 ? folded(parts[at - 2]!) : '']
      if (dayLabel.test(label)) day ??= daysReader().on(value)
      if (numberLabel.test(label) || (shortLabel.test(label) && numberLabel.test(before)))
        number ??= isNumber(value) ? value : undefined
    }
  }
  return { number, day }
}
