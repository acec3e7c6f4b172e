// The text of a cell as Excel shows it, and what keeps a cell from being read.
import { decimalText } from '../../domain/money.ts'
import { safe } from '../terminal/safe.ts'
import type { SharedStrings } from './sharedstrings.ts'
import type { NumberFormat } from './styles.ts'

/** A cell as its XML has it. */
export interface RawCell {
  /** The attribute t; n without one. */
  readonly type: string
  readonly style: number
  /** The text of v or, for an inline text, of its runs; undefined where there is neither. */
  readonly value: string | undefined
  readonly formula: boolean
}

/** What cells are read by. */
export interface CellReading {
  readonly strings: SharedStrings
  readonly formats: readonly NumberFormat[]
  /** Day 0 is 1 January 1904, as on old Macs. */
  readonly date1904: boolean
}

/** A cell's text; with a fault, what the cell shows. */
export interface CellText {
  readonly text: string
  readonly fault?: string
}

const wholeNumber = /^-?\d{1,15}$/

/** The text of a cell. Throws `invalid_file` for a shared text that is not there. */
export function cellText({ type, style, value, formula }: RawCell, reading: CellReading): CellText {
  if (value === undefined)
    return formula
      ? { text: '', fault: 'it holds a formula without a value; open the workbook in Excel and save it' }
      : { text: '' }
  switch (type) {
    case 's':
      return { text: unescaped(reading.strings.at(value === '' ? -1 : Number(value))) }
    case 'inlineStr':
    case 'str':
      return { text: unescaped(value) }
    case 'b':
      return { text: value.trim() === '1' || value.trim() === 'true' ? 'true' : 'false' }
    case 'e':
      return { text: value, fault: `it holds the error ${safe(value.slice(0, 40))}; correct it and save the workbook` }
    case 'd':
      return { text: isoDate(value.trim()) }
    default:
      return numberText(value.trim(), reading.formats[style], reading.date1904)
  }
}

/** Excel writes characters that XML cannot hold as _x000D_, and such a text itself with _x005F_ in front. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text

/** A date in ISO 8601 as our readers take it. */
const isoDate = (text: string): string =>
  text
    .replace(/Z$/, '')
    .replace(/T00:00(?::00(?:\.0+)?)?$/, '')
    .replace('T', ' ')

function numberText(text: string, format: NumberFormat | undefined, date1904: boolean): CellText {
  const kind = format?.kind ?? 'plain'
  if (text === '' || (kind === 'plain' && wholeNumber.test(text))) return { text }
  const value = Number(text)
  if (!Number.isFinite(value)) return { text, fault: `"${safe(text.slice(0, 40))}" is not a number` }
  if (Math.abs(value) >= 1e15)
    return {
      text,
      fault: `${shortForm(value)} lost its digits; format the column as text and enter it again`,
    }
  if (kind === 'date' || kind === 'time') return { text: dateText(value, kind, date1904) ?? plainText(value) }
  if (kind === 'percent') return { text: `${plainText(value * 100)}%` }
  if (format?.kind === 'zeros' && Number.isInteger(value) && value >= 0)
    return { text: plainText(value).padStart(format.digits, '0') }
  return { text: plainText(value) }
}

/** A number as Excel shows one that is too wide: 7.42E+16. */
const shortForm = (value: number): string => value.toExponential(2).replace('e', 'E')

/** A number with the 15 digits that Excel has, never with an exponent. */
export function plainText(value: number): string {
  const text = String(Number(value.toPrecision(15)))
  return text.includes('e') ? decimalText(Number(text)) : text
}

/** The days from 1 January 1970 back to day 0, and the last day that Excel has (31 December 9999). */
const [dayZero1900, dayZero1904, lastDay] = [25_569, 24_107, 2_958_465]
const secondsADay = 86_400

/** A number as a day, a time of day or both; undefined where Excel shows no date. */
function dateText(value: number, kind: 'date' | 'time', date1904: boolean): string | undefined {
  if (value < 0 || value > lastDay) return undefined
  const seconds = Math.round(value * secondsADay)
  const [day, rest] = [Math.floor(seconds / secondsADay), seconds % secondsADay]
  const two = (number: number): string => String(number).padStart(2, '0')
  const [hours, minutes, last] = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60]
  const timeAt = (hour: number): string => `${two(hour)}:${two(minutes)}${last === 0 ? '' : `:${two(last)}`}`
  // Times without a day, and sums of hours: nothing was sent in the first weeks of the calendar.
  if (kind === 'time' && day < 60) return timeAt(day * 24 + hours)
  return `${dayText(day, date1904)}${rest === 0 ? '' : ` ${timeAt(hours)}`}`
}

/** A day of Excel's; its calendar has a 29 February 1900, which was none. */
function dayText(day: number, date1904: boolean): string {
  if (!date1904 && day === 60) return '1900-02-29'
  const zero = date1904 ? dayZero1904 : day < 60 ? dayZero1900 - 1 : dayZero1900
  return new Date((day - zero) * secondsADay * 1000).toISOString().slice(0, 10)
}
