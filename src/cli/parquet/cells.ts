// Values as the columns of a Parquet file hold them.
import { paiseOf } from '../../domain/money.ts'
import { readInstant } from '../../domain/time.ts'
import type { ColumnType, TableValue } from '../command/tablefile.ts'

/** A value as the library writes it: paise and counts as whole numbers of 64 bits, instants in ms, days since 1970. */
export type Cell = string | number | bigint | boolean | null

/** What becomes of values that do not fit. */
export interface Misfits {
  /** A value that is not of the type: its cell is null. */
  readonly missed: () => void
  /** An amount with a part of a paisa: its cell is rounded. */
  readonly rounded: () => void
}

const dayMs = 86_400_000

/** The paise that 18 digits of a decimal hold and a JavaScript number has exactly. */
const mostPaise = Number.MAX_SAFE_INTEGER

/** The whole numbers of 64 bits. */
const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n]

const makers: Readonly<Record<ColumnType, (value: TableValue, misfits: Misfits) => Cell | undefined>> = {
  text: (value) => (typeof value === 'string' ? value : String(value)),
  truth: (value) => (typeof value === 'boolean' ? value : undefined),
  count: (value) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
    if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return undefined
    const whole = BigInt(value)
    return whole < least || whole > most ? undefined : whole
  },
  number: (value) => (typeof value === 'number' ? value : undefined),
  money: (value, { rounded }) => {
    const paise = typeof value === 'number' ? paiseOf(value) : undefined
    if (paise === undefined || Math.abs(paise) > mostPaise) return undefined
    if (paise / 100 !== value) rounded()
    return BigInt(paise)
  },
  instant: (value) => (typeof value === 'string' ? readInstant(value) : undefined),
  day: (value) => {
    const ms = typeof value === 'string' ? Date.parse(`${value}T00:00Z`) : Number.NaN
    return Number.isNaN(ms) ? undefined : ms / dayMs
  },
}

/** What makes cells of a column. An empty text is null unless the column has texts: a record may have no time. */
export function cellMaker(type: ColumnType, misfits: Misfits): (value: TableValue) => Cell {
  const make = makers[type]
  return (value) => {
    if (value === null || (value === '' && type !== 'text')) return null
    const cell = make(value, misfits)
    if (cell !== undefined) return cell
    misfits.missed()
    return null
  }
}
