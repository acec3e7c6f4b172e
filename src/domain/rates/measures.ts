// Weights in grams, sizes in centimetres and volumetric weight.
import { fixedPoint } from '../money.ts'

/** The heaviest parcel a quote takes, in grams (10 tonnes), and the longest side, in centimetres (100 metres). */
export const maxWeight = 10_000_000
export const maxSide = 10_000

/**
 * The divisor of `volumetric_weight` in a rate response: cubic centimetres per kilogram (docs/inside/decisions.md,
 * Rates).
 */
export const standardDivisor = 5000

/** A decimal number times a power of ten without the dust of binary fractions (0.545 kg is 545 g, not 545.0000001). */
export function scaled(value: number, factor: number): number {
  return Number((value * factor).toPrecision(15))
}

/**
 * Volumetric weight in grams, `length x width x height / divisor` of centimetres, half-up to two decimals, exact for
 * any decimals: 13 x 13 x 13 by 5000 is 439.4 (docs/guides/rates.md). `times` multiplies it: kilograms for
 * each cubic foot.
 */
export function volumetricWeight(length: number, width: number, height: number, divisor: number, times = 1): number {
  // Nearly all sides have at most two decimals: as integers they are exact, and so is the quotient of safe integers.
  const long = Math.round(length * 100)
  const wide = Math.round(width * 100)
  const high = Math.round(height * 100)
  const product = long * wide * high * times + 5 * divisor
  const exact = Number.isInteger(times) && product <= Number.MAX_SAFE_INTEGER
  if (exact && long / 100 === length && wide / 100 === width && high / 100 === height)
    return Math.floor(product / (10 * divisor)) / 100
  const sides = [length, width, height, times].map(fixedPoint)
  const scale = sides.reduce((power, side) => power * side.scale, 1n) * BigInt(divisor)
  const volume = sides.reduce((value, side) => value * side.units, 200_000n)
  return Number((volume + scale) / (2n * scale)) / 100
}

/** A weight rounded half-up to two decimals of a gram, so that what is printed is what is charged. */
export function roundWeight(grams: number): number {
  // Nearly all weights have at most two decimals.
  return Math.round(grams * 100) / 100 === grams ? grams : Math.round(scaled(grams, 100)) / 100
}
