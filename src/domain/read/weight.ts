// The reader of weights.
import { scaled } from '../rates/measures.ts'
import { excerpt, longestValue, typed } from './typed.ts'
import { readDecimal } from './number.ts'

/** The units that weights are written in. */
export type WeightUnit = 'g' | 'kg'

const unitsByName: Readonly<Record<WeightUnit, readonly string[]>> = {
  g: ['g', 'gm', 'gms', 'gr', 'grm', 'grms', 'gram', 'grams'],
  kg: ['kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms'],
}
const unitOf = new Map((['g', 'kg'] as const).flatMap((unit) => unitsByName[unit].map((name) => [name, unit] as const)))

/** The unit that a word names (`gms`, `KG`), or undefined. */
export const readWeightUnit = (word: string): WeightUnit | undefined => unitOf.get(word.toLowerCase())

/** A weight as written: its number, also as text, and its unit where it has one. */
export interface WrittenWeight {
  readonly number: string
  readonly value: number
  readonly unit: WeightUnit | undefined
}

/** What most cells of a file have; a number that begins with 0 is judged by the other reader. */
const plainNumber = /^[1-9]\d{0,8}$/

/** A weight as people write it (`500`, `500 gms`, `0.5kg`); undefined when it is not one. */
export function readWeight(text: string): WrittenWeight | undefined {
  if (plainNumber.test(text)) return { number: text, value: Number(text), unit: undefined }
  if (text.length > longestValue) return undefined
  const [, number = '', word = ''] = /^([+.\d]*)\s*([a-z]*)\.?$/i.exec(typed(text)) ?? []
  const value = readDecimal(number)
  const unit = readWeightUnit(word)
  return value === undefined || (word !== '' && unit === undefined) ? undefined : { number, value, unit }
}

/** The unit of weights without one, and whether a header or the API says so. */
export interface BareWeight {
  readonly unit: WeightUnit
  readonly certain: boolean
}

/**
 * Whether a weight could be grams or kilograms: it has no unit, nothing else says which, and its number is unusual for
 * the usual unit: below 10 or with decimals for grams, above 50 for kilograms (docs/guides/sheets.md, Weights).
 */
export function couldBeEither({ number, value, unit }: WrittenWeight, bare: BareWeight): boolean {
  if (unit !== undefined || bare.certain || value === 0) return false
  return bare.unit === 'g' ? value < 10 || number.includes('.') : value > 50
}

/** Whether a fault asks what a bare number means: kilograms or grams, a percentage or a fraction. */
export const asksMeaning = (fault: string): boolean => fault.includes(' what? Write ')

/** Whether a fault asks which unit of weight is meant. */
export const asksUnit = (fault: string): boolean => asksMeaning(fault) && fault.endsWith('g')

/** A text as a weight in grams, or why it is not one. Flags, questions and cells all use this reader. */
export function readGrams(text: string, bare: BareWeight): { readonly grams: number } | { readonly fault: string } {
  const written = readWeight(text)
  if (written === undefined)
    return {
      fault: text.trim().startsWith('-')
        ? 'must be more than 0'
        : `${excerpt(text)} is not a weight; write 500g or 0.5kg`,
    }
  const { number, value, unit = bare.unit } = written
  if (couldBeEither(written, bare)) return { fault: `${number} what? Write ${number}kg or ${number}g` }
  if (!(value > 0)) return { fault: 'must be more than 0' }
  return { grams: unit === 'kg' ? scaled(value, 1000) : value }
}

/**
 * Whether a weight of a rate card in grams, as a bare number, could be kilograms (docs/guides/rates.md). A `min_weight`
 * of 0 or 1 limits nothing.
 */
export function doubtfulGrams(field: string, grams: number): boolean {
  if (field === 'min_weight' && (grams === 0 || grams === 1)) return false
  return grams > 0 && (grams < 10 || !Number.isInteger(grams))
}
