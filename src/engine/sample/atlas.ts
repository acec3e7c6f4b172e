// Every place that parcels go to, grouped by how many parcels go there.
import { tableOf, type Table } from '../../domain/random.ts'
import { everyPincode, placeOf, type Locality } from '../../domain/pincodes.ts'
import { isSpecial, metroOf } from '../../domain/rates/zones.ts'
import { metroShares } from './vocabulary.ts'

/** Every place, and the indices of places in groups; each group gets a share of the parcels. */
interface Atlas {
  readonly places: readonly Locality[]
  readonly metros: Table<readonly number[]>
  readonly towns: readonly number[]
  readonly villages: readonly number[]
  readonly special: readonly number[]
}

let loaded: Atlas | undefined

/** The atlas, read once. */
export function atlas(): Atlas {
  return (loaded ??= loadAtlas())
}

function loadAtlas(): Atlas {
  const places: Locality[] = []
  const metros = new Map<string, number[]>(Object.keys(metroShares).map((metro) => [metro, []]))
  const [towns, villages, special]: [number[], number[], number[]] = [[], [], []]
  for (const pincode of everyPincode()) {
    const place = placeOf(pincode)!
    const at = places.push(place) - 1
    const metro = metros.get(metroOf(pincode) ?? '')
    if (metro !== undefined) metro.push(at)
    else if (isSpecial(place)) special.push(at)
    // Codes that end in 001 to 009 are mostly head offices, where most people live.
    else if (pincode.startsWith('00', 3)) towns.push(at)
    else villages.push(at)
  }
  return { places, metros: tableOf([...metros.values()], Object.values(metroShares)), towns, villages, special }
}

/** The indices of a state's places outside metros. */
export function placesIn(state: string): readonly number[] {
  const { places, towns, villages } = atlas()
  return [...towns, ...villages].filter((at) => places[at]!.state === state)
}
