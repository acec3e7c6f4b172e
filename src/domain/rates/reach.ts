// Where a service works: an area of zones, states and pincode prefixes, ready for looking up.
import type { Locality } from '../pincodes.ts'
import { longestPrefix, type Prefixes } from './prefixes.ts'
import type { Area } from './ratecard.ts'
import type { Zone } from './zones.ts'

/** An area with its pincode prefixes ready for looking up. */
export interface Reach {
  readonly area: Area
  readonly pincodes: Prefixes<true> | undefined
  readonly notPincodes: Prefixes<true> | undefined
}

/** An area ready for looking up; undefined where nothing limits the service. */
export function reachOf(area: Area | undefined): Reach | undefined {
  if (area === undefined) return undefined
  const numbers = (prefixes: readonly string[] | undefined) =>
    prefixes && new Map(prefixes.map((prefix) => [Number(prefix), true] as const))
  return { area, pincodes: numbers(area.pincodes), notPincodes: numbers(area.not_pincodes) }
}

/** Why a place is outside an area; undefined when it is inside. */
export function reachFault(reach: Reach | undefined, place: Locality, zone: Zone, what: string): string | undefined {
  if (reach === undefined) return undefined
  const { area, pincodes, notPincodes } = reach
  const { pincode, state } = place
  if (notPincodes !== undefined && longestPrefix(notPincodes, pincode) === true) return `no ${what} ${pincode}`
  if (pincodes !== undefined && longestPrefix(pincodes, pincode) !== true) return `no ${what} ${pincode}`
  if (area.not_states?.includes(state)) return `no ${what} ${pincode} (${state})`
  if (area.states !== undefined && !area.states.includes(state)) return `no ${what} ${pincode} (${state})`
  if (area.zones !== undefined && !area.zones.includes(zone)) return `no ${what} ${pincode} (${zone})`
  return undefined
}
