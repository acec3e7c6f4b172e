// The readers of a side and of the three sides of a parcel.
import { excerpt, longestValue } from './excerpt.ts'
import { readDecimal } from './number.ts'

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
