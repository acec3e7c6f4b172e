// The routing code of a parcel: the courier's own where its record names one, else its zone and its destination.
import { placeOf } from '../pincodes.ts'

/** Letters of a city in a routing code. */
const cityLetters = 3

/** The first letters of a place's name, in capitals; undefined for a name without Latin letters. */
function codeOf(name: string | null | undefined): string | undefined {
  const letters = (name ?? '').normalize('NFD').replace(/[^A-Za-z]/g, '')
  return letters.length < cityLetters ? undefined : letters.slice(0, cityLetters).toUpperCase()
}

/**
 * The routing code for a parcel without one of its courier: `D-BEN` for zone_d and Bengaluru. The city is that of the
 * record, else the district of the pincode; null where neither is known.
 */
export function routingOf(zone: string | null, city: string | null, pincode: string | null): string | null {
  const letter = /^zone_(\w{1,2})$/.exec(zone ?? '')?.[1]?.toUpperCase()
  const place = codeOf(city) ?? codeOf(pincode === null ? undefined : placeOf(pincode)?.district)
  const parts = [letter, place].filter((part) => part !== undefined)
  return parts.length === 0 ? null : parts.join('-')
}
