// The cells of a rate card's table: what each column holds, how shipx reads it, and how it writes it
// (docs/guides/rates.md).
import { decimalText, paiseOf, rupeesOf } from '../money.ts'
import { scaled } from './measures.ts'
import { excerpt } from '../read/typed.ts'
import { readRupees } from '../read/money.ts'
import { doubtfulGrams, readGrams, type BareWeight } from '../read/weight.ts'
import { readDecimal } from '../read/number.ts'

/** The columns of the table, in order. */
export const cardColumns = [
  'carrier_id',
  'carrier_name',
  'carrier_code',
  'service_level',
  'journey',
  'zone',
  'up_to',
  'first_weight',
  'first_price',
  'step_weight',
  'step_price',
  'transit_days',
  'divisor',
  'min_weight',
  'max_weight',
  'cod_available',
  'cod_fixed',
  'cod_percent',
  'cod_rule',
  'rto_percent',
  'qc_available',
  'qc_price',
  'platform_fee',
] as const
export type CardColumn = (typeof cardColumns)[number]

/** One line of the table; an empty cell is "". */
export type CardLine = Readonly<Record<CardColumn, string>>

/** The columns of weights. */
export const weightColumns = ['up_to', 'first_weight', 'step_weight', 'min_weight', 'max_weight'] as const
/** The columns of amounts in rupees. */
const moneyColumns: readonly string[] = [
  'first_price',
  'step_price',
  'cod_fixed',
  'cod_max',
  'qc_price',
  'platform_fee',
  'awb_fee',
  'minimum_charge',
]

const isWeight = (column: string): boolean => (weightColumns as readonly string[]).includes(column)

/** The weights of a card that its table has no column for. */
const otherWeights: readonly string[] = ['above_weight', 'dead_only_to', 'tolerance']

/** How the cells of a table are to be read. */
export interface CardReading {
  /** A comma inside an amount groups its digits. */
  readonly grouped: boolean
  /** The unit of bare weights where the header of a column names it; grams elsewhere. */
  readonly weights: ReadonlyMap<string, BareWeight>
  /** The place of each line in its file; without it, line 2 follows the header. */
  readonly rows?: readonly number[]
  /** What that number counts: lines, if it does not say. */
  readonly counts?: 'line' | 'row'
}

/** Bare weights are grams, and refused where they could be kilograms. */
export const bareGrams: BareWeight = { unit: 'g', certain: false }

type CellNumber = { readonly value: number } | { readonly fault: string }

/** The number in a cell: grams, rupees, percent, days or a divisor, by its column; or why there is none. */
export function readCardCell(column: string, cell: string, { grouped, weights }: CardReading): CellNumber {
  if (isWeight(column)) return weightIn(column, cell, weights.get(column) ?? bareGrams)
  if (column === 'cod_fixed' && /\d\D{1,20}\d.{0,9}%/.test(cell.slice(0, 60)))
    return { fault: `${excerpt(cell)} is two fees: write the rupees in cod_fixed and the percentage in cod_percent` }
  if (moneyColumns.includes(column)) return rupeesIn(cell, grouped)
  if (isPercent(column)) return percentIn(column, cell.trim())
  const value = readDecimal(cell)
  return value === undefined ? { fault: `${excerpt(cell)} is not a number` } : { value }
}

const isPercent = (column: string): boolean => column.endsWith('_percent')

/** Whether a bare number below a percent column could be a fraction: 0.12 for 12 %, 1 for the whole freight. */
const doubtfulPercent = (column: string, value: number): boolean =>
  value > 0 && (column === 'rto_percent' ? value <= 1 : value < 0.5)

function percentIn(column: string, cell: string): CellNumber {
  const said = cell.endsWith('%')
  const value = readDecimal(said ? cell.slice(0, -1) : cell)
  if (value === undefined) return { fault: `${excerpt(cell)} is not a number` }
  if (said || !doubtfulPercent(column, value)) return { value }
  return { fault: `${cell} what? Write ${decimalText(scaled(value, 100))}% or ${decimalText(value)}%` }
}

function weightIn(column: string, cell: string, bare: BareWeight): CellNumber {
  const least = column === 'min_weight' ? readDecimal(cell) : undefined
  if (least === 0 || (least === 1 && !bare.certain)) return { value: least }
  const read = readGrams(cell, bare)
  return 'fault' in read ? read : { value: read.grams }
}

function rupeesIn(cell: string, grouped: boolean): CellNumber {
  const read = readRupees(cell, grouped)
  if ('fault' in read) return read
  return read.rupees.startsWith('-') ? { fault: 'must not be negative' } : { value: Number(read.rupees) }
}

/** A value of a card as a cell: amounts to the paisa, as they are charged, and weights so that they read back. */
export function cardCell(column: string, value: string | number | boolean | null | undefined): string {
  if (typeof value !== 'number') return String(value ?? '')
  const text = decimalText(moneyColumns.includes(column) ? rupeesOf(paiseOf(value) ?? 0) : value)
  if (isWeight(column) && doubtfulGrams(column, value)) return `${text}g`
  return isPercent(column) && doubtfulPercent(column, value) ? `${text}%` : text
}

/** For `JSON.stringify`: a card's weights so that they read back, with the unit where a bare number could be either. */
export const writtenWeight = (key: string, value: unknown): unknown =>
  (isWeight(key) || otherWeights.includes(key)) && typeof value === 'number' && doubtfulGrams(key, value)
    ? `${decimalText(value)}g`
    : value
