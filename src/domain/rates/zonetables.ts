// The zones that a courier draws: names of its own, and the pincodes of each (docs/guides/contracts.md, Zones).
import type { Fault } from '../errors.ts'
import type { ZoneTable } from './cardschema.ts'
import { longestPrefix, prefixesOf, type Prefixes } from './prefixes.ts'
import type { Zone } from './zones.ts'

/** A zone under the courier's name, and the one of the five that summaries count it in. */
export interface DrawnZone {
  readonly name: string
  readonly as: Zone
}

/** A table as a service looks pincodes up in it. */
export interface ReadyZones {
  readonly table: ZoneTable
  /** How many lanes were looked up without the index. */
  scans: number
}

/** The pincodes of a table by their prefixes. */
interface Index {
  /** By the prefix of the merchant's end, then of the customer's. */
  readonly origins: Prefixes<Prefixes<DrawnZone>>
  /** For every origin. */
  readonly anywhere: Prefixes<DrawnZone>
}

const readyBefore = new WeakMap<ZoneTable, ReadyZones>()

/** A table ready for looking up: the same each time. */
export function readyZones(table: ZoneTable): ReadyZones {
  let ready = readyBefore.get(table)
  if (ready === undefined) {
    ready = { table, scans: 0 }
    readyBefore.set(table, ready)
  }
  return ready
}

const onePrefix = /^[1-9][0-9]{0,5}$/

const indexes = new WeakMap<ZoneTable, Index>()

/** The index of a table, worked out once. Throws RangeError for what `zoneTableFaults` names. */
function indexOf(table: ZoneTable): Index {
  const known = indexes.get(table)
  if (known !== undefined) return known
  const zones = new Map(Object.entries(table.zones).map(([name, as]) => [name, { name, as }]))
  const origins = new Map<number, Map<number, DrawnZone>>()
  const anywhere = new Map<number, DrawnZone>()
  for (const { from, to } of table.origins) {
    const ends = from === '' ? [anywhere] : prefixesOf(from).map((prefix) => endsOf(origins, prefix))
    for (const [name, list] of Object.entries(to)) {
      const zone = zones.get(name)
      if (zone === undefined) throw new RangeError(`zone ${name} has pincodes and is not in "zones"`)
      for (const text of list)
        if (onePrefix.test(text)) for (const map of ends) map.set(Number(text), zone)
        else for (const prefix of prefixesOf(text)) for (const map of ends) map.set(prefix, zone)
    }
  }
  const index = { origins, anywhere }
  indexes.set(table, index)
  return index
}

function endsOf(origins: Map<number, Map<number, DrawnZone>>, prefix: number): Map<number, DrawnZone> {
  const known = origins.get(prefix)
  if (known !== undefined) return known
  const made = new Map<number, DrawnZone>()
  origins.set(prefix, made)
  return made
}

/** So many lanes are looked up by reading the table: an index of 20,000 pincodes takes longer than that. */
const mostScans = 3

/**
 * The zone between the merchant's pincode and the customer's, or undefined where the table names none: the row of the
 * longest origin that has the other end, then the same with the ends exchanged, then the rows of every origin.
 */
export function drawnZone(ready: ReadyZones, merchant: string, customer: string): DrawnZone | undefined {
  const { table } = ready
  if (ready.scans < mostScans && !indexes.has(table)) {
    ready.scans++
    const name =
      scanned(table, merchant, customer) ?? scanned(table, customer, merchant) ?? scanned(table, '', customer)
    return name === undefined ? undefined : { name, as: table.zones[name]! }
  }
  const index = indexOf(table)
  return (
    between(index, merchant, customer) ?? between(index, customer, merchant) ?? longestPrefix(index.anywhere, customer)
  )
}

function between({ origins }: Index, from: string, to: string): DrawnZone | undefined {
  // Most tables hold for every origin.
  if (origins.size === 0) return undefined
  for (let prefix = Number(from); prefix >= 1; prefix = Math.trunc(prefix / 10)) {
    const ends = origins.get(prefix)
    const zone = ends && longestPrefix(ends, to)
    if (zone !== undefined) return zone
  }
  return undefined
}

/** The same by reading the table; '' as the origin means the rows of every origin. */
function scanned({ origins }: ZoneTable, from: string, to: string): string | undefined {
  let [best, longest]: [string | undefined, number] = [undefined, 0]
  for (const origin of origins) {
    const row = origin.from === '' ? Number(from === '') : from === '' ? 0 : covered(origin.from, from)
    if (row === 0) continue
    for (const [name, list] of Object.entries(origin.to))
      for (const text of list) {
        const end = covered(text, to)
        // The longest origin first, then the longest end; of two that are equal the later one.
        if (end > 0 && row * 10 + end >= longest) [best, longest] = [name, row * 10 + end]
      }
  }
  return best
}

/** How many digits of a pincode a prefix or range covers; 0 for none. */
function covered(text: string, pincode: string): number {
  if (text.length < 7) return pincode.startsWith(text) ? text.length : 0
  // Most ranges are of whole pincodes, and far away.
  if (text.length === 13 && pincode.length === 6 && (pincode < text.slice(0, 6) || pincode > text.slice(7))) return 0
  const piece = prefixesOf(text).find((prefix) => pincode.startsWith(String(prefix)))
  return piece === undefined ? 0 : String(piece).length
}

/** Whether one of a card's zone tables names a pincode: it is then priced, also when India Post does not list it. */
export const namesPincode = (tables: readonly ZoneTable[], pincode: string): boolean =>
  tables.some((table) => {
    const { origins, anywhere } = indexOf(table)
    return [anywhere, origins, ...origins.values()].some((map) => longestPrefix<unknown>(map, pincode) !== undefined)
  })

/** The most zones of one table. */
const mostZones = 40

/** What is wrong with the zone tables of a card beyond their schema. */
export function zoneTableFaults(tables: readonly ZoneTable[]): readonly Fault[] {
  return tables.flatMap((table, i) => {
    const field = `zone_tables.${i}`
    const count = Object.keys(table.zones).length
    const twice = tables.findIndex(({ name }) => name === table.name) !== i
    const faults: Fault[] = []
    if (twice) faults.push({ field: `${field}.name`, message: `"${table.name}" appears twice` })
    if (count === 0 || count > mostZones)
      faults.push({ field: `${field}.zones`, message: `has ${count} zones; a table has 1 to ${mostZones}` })
    try {
      indexOf(table)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      faults.push({ field, message: error.message })
    }
    return faults
  })
}
