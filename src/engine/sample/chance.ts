// Randomness of invented data: one stream for each kind of record, and the ids drawn from it.
import { diceOf, type Dice } from '../../domain/random.ts'

/** The random streams, by what is drawn from them. */
export const streams = { plan: 1, store: 2, shipment: 3, return: 4, time: 5 } as const

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const hexOf = (word: number): string =>
  hexPairs[word >>> 24]! + hexPairs[(word >>> 16) & 255]! + hexPairs[(word >>> 8) & 255]! + hexPairs[word & 255]!

/** A random id in the form of UUID version 4. */
export function uuid(dice: Dice): string {
  const high = hexOf(dice.bits())
  const versioned = hexOf(((dice.bits() & 0xffff0fff) | 0x4000) >>> 0)
  const variant = hexOf(((dice.bits() & 0x3fffffff) | 0x80000000) >>> 0)
  const low = hexOf(dice.bits())
  return `${high}-${versioned.slice(0, 4)}-${versioned.slice(4)}-${variant.slice(0, 4)}-${variant.slice(4)}${low}`
}

/** The seed of the sample data when the user names none. */
export const usualSeed = 42

/** The id of the first shipment of a seed, which a database with that sample data holds. */
export function firstShipment(seed: number): string {
  const dice = diceOf(seed)
  dice.aim(streams.shipment, 0)
  return uuid(dice)
}

/** Ten digits that differ for every index below 10^10, because the factor shares no divisor with 10. */
export function tenDigits(index: number, seed: number): string {
  // Multiplied in two halves: a number cannot hold the whole product exactly.
  const product = ((index * 61_803) % 100_000) * 100_000 + index * 39_887
  return String((product + (seed >>> 0) * 2) % 10_000_000_000).padStart(10, '0')
}
