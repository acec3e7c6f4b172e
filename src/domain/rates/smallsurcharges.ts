// The surcharges of a small card: what a cell such as `12%`, `30` or `4/kg` means, and how one is written.
import { rupeesOf, paiseOf, decimalText } from '../money.ts'
import { readDecimal } from '../read/number.ts'
import { readRupees } from '../read/money.ts'
import { excerpt } from '../read/typed.ts'
import { cardCell } from './cardcells.ts'
import type { Surcharge } from './cardschema.ts'

/** What cells of surcharges do not say. */
const noConditions = 'a surcharge under conditions needs the card as JSON ("when")'

/** The names of the surcharges that have a column of their own. */
export const [fuelName, awbName] = ['Fuel', 'AWB fee']

type Way = Omit<Surcharge, 'name'>

/**
 * A cell below `surcharge:<name>`: `30` rupees a parcel, `12%` of the freight, `12% of freight and cod`, `0.2% of
 * value` or `4/kg`.
 */
export function readSurchargeCell(cell: string, grouped: boolean): { readonly way: Way } | { readonly fault: string } {
  const text = cell.trim().toLowerCase()
  const at = text.indexOf('%')
  if (at !== -1) return share(text.slice(0, at), text.slice(at + 1).trim(), cell)
  const each = /^(.{1,40}?) ?(?:\/|per) ?kg$/.exec(text)?.[1]
  const read = readRupees(each ?? cell, grouped)
  if ('fault' in read)
    return { fault: `${excerpt(cell)} is not a surcharge; write 30, 12%, 0.2% of value or 4/kg; ${noConditions}` }
  if (read.rupees.startsWith('-')) return { fault: 'must not be negative' }
  return { way: each === undefined ? { amount: Number(read.rupees) } : { per_kg: Number(read.rupees) } }
}

function share(number: string, of: string, cell: string): { readonly way: Way } | { readonly fault: string } {
  const percent = readDecimal(number)
  if (percent !== undefined) {
    if (of === '' || of === 'of freight') return { way: { percent } }
    if (/^of freight (?:and|\+|&) cod$/.test(of)) return { way: { percent, of: 'freight_and_cod' } }
    if (of === 'of value' || of === 'of the value') return { way: { percent_of_value: percent } }
  }
  return {
    fault: `${excerpt(cell)} is not a surcharge; write 12%, 12% of freight and cod, or 0.2% of value; ${noConditions}`,
  }
}

/** The column and the cell of a surcharge, or undefined where a cell cannot say it all. */
export function surchargeCell(surcharge: Surcharge): readonly [column: string, cell: string] | undefined {
  const { name, percent, of, amount, per_kg: each, percent_of_value: value, ...rest } = surcharge
  if (Object.values(rest).some((one) => one !== undefined)) return undefined
  const money = (rupees: number): string => decimalText(rupeesOf(paiseOf(rupees) ?? 0))
  if (percent !== undefined) {
    if (of === 'freight_and_cod') return [`surcharge:${name}`, `${decimalText(percent)}% of freight and cod`]
    return name === fuelName
      ? ['fuel_percent', cardCell('fuel_percent', percent)]
      : [`surcharge:${name}`, `${decimalText(percent)}%`]
  }
  if (value !== undefined) return [`surcharge:${name}`, `${decimalText(value)}% of value`]
  if (each !== undefined) return [`surcharge:${name}`, `${money(each)}/kg`]
  return name === awbName ? ['awb_fee', money(amount ?? 0)] : [`surcharge:${name}`, money(amount ?? 0)]
}
