// The readers of a side and of the three sides of a parcel, in centimetres (docs/reference/values.md, Sides).
import { decimalText } from '../money.ts'
import { scaled } from '../rates/measures.ts'
import { readDecimal } from './number.ts'
import { excerpt, longestValue, typed, type Outcome } from './typed.ts'

/** The units that sides are written in. */
export type SideUnit = 'cm' | 'mm' | 'in'

const unitOf: ReadonlyMap<string, SideUnit> = new Map([
  ...['cm', 'cms', 'centimetre', 'centimetres', 'centimeter', 'centimeters'].map((name) => [name, 'cm'] as const),
  ...['mm', 'mms', 'millimetre', 'millimetres', 'millimeter', 'millimeters'].map((name) => [name, 'mm'] as const),
  ...['in', 'ins', 'inch', 'inches', '"', '\u2033', '\u201d', "''"].map((name) => [name, 'in'] as const),
])

const centimetresIn: Readonly<Record<SideUnit, number>> = { cm: 1, mm: 0.1, in: 2.54 }

/** The unit of length that a word names (`cms`, `Inches`), or undefined. */
export const readSideUnit = (word: string): SideUnit | undefined => unitOf.get(word.toLowerCase())

/** A side as written: its value, and its unit where it has one. */
interface Written {
  readonly value: number
  readonly unit: SideUnit | undefined
}

function written(text: string): Written | undefined {
  if (text.length > longestValue) return undefined
  const [, number = '', word = ''] = /^([+.\d]*)\s*([a-z'"\u2033\u201d]*)\.?$/i.exec(typed(text)) ?? []
  const value = readDecimal(number)
  const unit = readSideUnit(word)
  return value === undefined || (word !== '' && unit === undefined) ? undefined : { value, unit }
}

/** Centimetres of a length, unrounded: volumetric weight and its price are of the true sides. */
const centimetres = (value: number, unit: SideUnit): number => scaled(value, centimetresIn[unit])

/** A side as people write it (`20`, `20 cm`, `8in`, `200 mm`) in centimetres, or why it is not one. */
export function readSide(text: string): Outcome<number> {
  const side = written(text)
  if (side === undefined)
    return {
      fault: text.trim().startsWith('-')
        ? 'must be more than 0'
        : `${excerpt(text)} is not a length in cm; write for example 20, or 8in`,
    }
  const { value, unit = 'cm' } = side
  const cm = centimetres(value, unit)
  return unit === 'cm' ? { value } : { value: cm, said: `${decimalText(value)} ${unit} is ${cm} cm` }
}

/** The three sides of a parcel, cm. */
export type Size = readonly [length: number, width: number, height: number]

/**
 * A size as people write it (`20x15x10`, `20 x 15 x 10 cm`, `20*15*10`, `8x6x4in`, `8"x6"x4"`) in centimetres, or why
 * it is not one. A unit at the end is that of all sides; sides without one have the unit `bare`.
 */
export function readSize(text: string, bare: SideUnit = 'cm'): Outcome<Size> {
  const sides = text.length > longestValue ? [] : text.split(/[x\u00d7X*,]/).map(written)
  const known = sides.filter((side) => side !== undefined)
  const [long, wide, high] = known
  if (sides.length !== 3 || long === undefined || wide === undefined || high === undefined) return { fault: form(text) }
  if (high.unit === undefined && known.some(({ unit = bare }) => unit !== bare))
    return { fault: `${excerpt(text)} has a unit on some sides only; write for example 8x6x4in` }
  if (known.some(({ value }) => value === 0)) return { fault: 'must have three sides of more than 0 cm' }
  const cm = ({ value, unit = high.unit ?? bare }: Written): number => centimetres(value, unit)
  const value: Size = [cm(long), cm(wide), cm(high)]
  const units = new Set(known.map(({ unit = high.unit ?? bare }) => unit))
  const [unit] = units
  if (units.size === 1 && unit === 'cm') return { value }
  const as = units.size === 1 ? `${known.map((side) => decimalText(side.value)).join('x')} ${unit!}` : typed(text)
  return { value, said: `${as} is ${value.join('x')} cm` }
}

/** Sides of more than this are centimetres, as everybody measures a box of that size. */
const longestInches = 20

/**
 * Whether the numbers of a size without a unit could be inches: they are small, and in centimetres a parcel of that
 * weight (grams) would be heavier than water.
 */
export const couldBeInches = (text: string, [long, wide, high]: Size, grams: number): boolean =>
  !/[a-wyz"'\u2033\u201d]/i.test(text) && Math.max(long, wide, high) <= longestInches && grams > long * wide * high

const form = (text: string): string =>
  `${excerpt(text)} is not a size; write length x width x height in cm, for example 20x15x10`
