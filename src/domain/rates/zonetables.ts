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

/** A table in the form in which pincodes are looked up. */
export interface ReadyZones {
  readonly table: ZoneTable
  /** By the prefix of the merchant's end, then of the customer's. */
  readonly origins: Prefixes<Prefixes<DrawnZone>>
  /** For every origin. */
  readonly anywhere: Prefixes<DrawnZone>
}

const onePrefix = /^[1-9][0-9]{0,5}$/

const readyBefore = new WeakMap<ZoneTable, ReadyZones>()

/** A table ready for looking up, worked out once. Throws RangeError for what `zoneTableFaults` names. */
export function readyZones(table: ZoneTable): ReadyZones {
  const known = readyBefore.get(table)
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
        // A table may have 20,000 pincodes, and each run of the program reads it.
        if (onePrefix.test(text)) for (const map of ends) map.set(Number(text), zone)
        else for (const prefix of prefixesOf(text)) for (const map of ends) map.set(prefix, zone)
    }
  }
  const ready = { table, origins, anywhere }
  readyBefore.set(table, ready)
  return ready
}

function endsOf(origins: Map<number, Map<number, DrawnZone>>, prefix: number): Map<number, DrawnZone> {
  const known = origins.get(prefix)
  if (known !== undefined) return known
  const made = new Map<number, DrawnZone>()
  origins.set(prefix, made)
  return made
}

/**
 * The zone between the merchant's pincode and the customer's, or undefined where the table names none: the row of the
 * longest origin that has the other end, then the same with the ends exchanged, then the rows of every origin.
 */
export const drawnZone = (ready: ReadyZones, merchant: string, customer: string): DrawnZone | undefined =>
  between(ready, merchant, customer) ?? between(ready, customer, merchant) ?? longestPrefix(ready.anywhere, customer)

function between({ origins }: ReadyZones, from: string, to: string): DrawnZone | undefined {
  for (let prefix = Number(from); prefix >= 1; prefix = Math.trunc(prefix / 10)) {
    const ends = origins.get(prefix)
    const zone = ends && longestPrefix(ends, to)
    if (zone !== undefined) return zone
  }
  return undefined
}

/** Whether one of a card's zone tables names a pincode: it is then priced, also when India Post does not list it. */
export const namesPincode = (tables: readonly ZoneTable[], pincode: string): boolean =>
  tables.some((table) => {
    const { origins, anywhere } = readyZones(table)
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
      readyZones(table)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      faults.push({ field, message: error.message })
    }
    return faults
  })
}
