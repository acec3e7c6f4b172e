// Weights in grams, sizes in centimetres and volumetric weight; knows nothing of couriers or slabs.
import { fixedPoint } from './money.ts'

/** The heaviest parcel a quote takes, in grams (10 tonnes), and the longest side, in centimetres (100 metres). */
export const maxWeight = 10_000_000
export const maxSide = 10_000

/** The divisor of `volumetric_weight` in a rate response: cubic centimetres per kilogram (docs/decisions.md, Rates). */
export const standardDivisor = 5000

const decimal = /^[+]?(\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})$/

/** A plain decimal number in text, or undefined; no exponent, no hex, no sign but `+`, nothing empty. */
export function readDecimal(text: string): number | undefined {
  const match = decimal.exec(text.trim())
  return match === null ? undefined : Number(match[1])
}

/** A weight as people write it (`500`, `500g`, `0.5kg`) in grams; undefined when it is not one. A bare number is grams. */
export function readWeight(text: string): number | undefined {
  const match = /^(.*?)\s*(kgs?|kilograms?|g|gm|gms|grams?)?$/i.exec(text.trim())
  const value = match === null ? undefined : readDecimal(match[1]!)
  if (value === undefined) return undefined
  return match![2]?.toLowerCase().startsWith('k') ? scaled(value, 1000) : value
}

/** A size as people write it (`20x15x10`, `20 x 15 x 10`, `20*15*10`, an optional `cm`) as its numbers, however many. */
export function readSize(text: string): readonly (number | undefined)[] {
  return text
    .trim()
    .replace(/\s*cms?$/i, '')
    .split(/\s*[x×X*,]\s*/)
    .map(readDecimal)
}

/** A decimal number times a power of ten without the dust of binary fractions (0.545 kg is 545 g, not 545.0000001). */
export function scaled(value: number, factor: number): number {
  return Number((value * factor).toPrecision(15))
}

/**
 * Volumetric weight in grams, `length x width x height / divisor` of centimetres, half-up to two decimals, exact for any
 * decimals: 13 x 13 x 13 by 5000 is 439.4 (docs/rates.md).
 */
export function volumetricWeight(length: number, width: number, height: number, divisor: number): number {
  // Sides of at most two decimals as integers: nearly all are, and a quotient of safe integers is exact.
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
