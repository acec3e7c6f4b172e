// Weights in grams, sizes in centimetres and volumetric weight.
import { excerpt, fixedPoint, longestValue } from '../money.ts'

/** The heaviest parcel a quote takes, in grams (10 tonnes), and the longest side, in centimetres (100 metres). */
export const maxWeight = 10_000_000
export const maxSide = 10_000

/**
 * The divisor of `volumetric_weight` in a rate response: cubic centimetres per kilogram (docs/inside/decisions.md,
 * Rates).
 */
export const standardDivisor = 5000

const decimal = /^[+]?(\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})$/

/** A plain decimal number in text, or undefined; no exponent, no hex, no sign but `+`, nothing empty. */
export function readDecimal(text: string): number | undefined {
  if (text.length > longestValue) return undefined
  const match = decimal.exec(text.trim())
  return match === null ? undefined : Number(match[1])
}

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

/** A weight as people write it (`500`, `500 gms`, `0.5kg`); undefined when it is not one. */
export function readWeight(text: string): WrittenWeight | undefined {
  if (text.length > longestValue) return undefined
  const [, number = '', word = ''] = /^([+.\d]*)\s*([a-z]*)\.?$/i.exec(text.trim()) ?? []
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

/** Whether a fault of `weigh` asks which unit is meant. */
export const asksUnit = (fault: string): boolean => fault.includes(' what? Write ')

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

/** A side in centimetres as people write it (`20`, `20 cm`), or undefined. */
export function readSide(text: string): number | undefined {
  return text.length > longestValue ? undefined : readDecimal(text.trim().replace(/cms?\.?$/i, ''))
}

/** Why a text that `readSide` cannot read is not a side. */
export const sideFault = (text: string): string =>
  text.trim().startsWith('-') ? 'must be more than 0' : `${excerpt(text)} is not a length in cm; write for example 20`

/**
 * A size as people write it (`20x15x10`, `20 x 15 x 10`, `20*15*10`, an optional `cm`) as its numbers, however many.
 */
export function readSize(text: string): readonly (number | undefined)[] {
  return text.length > longestValue ? [] : text.split(/[x\u00d7X*,]/).map(readSide)
}

/** A decimal number times a power of ten without the dust of binary fractions (0.545 kg is 545 g, not 545.0000001). */
export function scaled(value: number, factor: number): number {
  return Number((value * factor).toPrecision(15))
}

/**
 * Volumetric weight in grams, `length x width x height / divisor` of centimetres, half-up to two decimals, exact for
 * any decimals: 13 x 13 x 13 by 5000 is 439.4 (docs/guides/rates.md).
 */
export function volumetricWeight(length: number, width: number, height: number, divisor: number): number {
  // Nearly all sides have at most two decimals: as integers they are exact, and so is the quotient of safe integers.
  const [long, wide, high] = [Math.round(length * 100), Math.round(width * 100), Math.round(height * 100)]
  const product = long * wide * high + 5 * divisor
  if (long / 100 === length && wide / 100 === width && high / 100 === height && product <= Number.MAX_SAFE_INTEGER)
    return Math.floor(product / (10 * divisor)) / 100
  const sides = [length, width, height].map(fixedPoint)
  const scale = sides.reduce((power, side) => power * side.scale, 1n) * BigInt(divisor)
  const volume = sides.reduce((value, side) => value * side.units, 200_000n)
  return Number((volume + scale) / (2n * scale)) / 100
}

/** A weight rounded half-up to two decimals of a gram, so that what is printed is what is charged. */
export function roundWeight(grams: number): number {
  return Number.isInteger(grams) ? grams : Math.round(scaled(grams, 100)) / 100
}
