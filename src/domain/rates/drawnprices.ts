// A card whose services go by a new zone table: their prices under the names of its zones.
import type { RateCard, Service } from './ratecard.ts'
import type { ZoneTable } from './cardschema.ts'
import { pincodeKnown } from '../pincodes.ts'
import { longestPrefix, prefixesOf, type Prefixes } from './prefixes.ts'
import { zones, type Zone } from './zones.ts'

/** A service that cannot go by a table, and the zones that it has no prices for or too many of. */
export interface Unpriced {
  readonly service: Service
  /** Zones of the table without a price. */
  readonly lacks: readonly string[]
  /** Zones with a price that the table lacks. */
  readonly extra: readonly string[]
}

/** What became of a card with a new table. */
export interface Drawn {
  readonly card: RateCard
  readonly unpriced: readonly Unpriced[]
  /** The services whose prices by the five zones are now under the courier's names. */
  readonly carried: readonly Service[]
}

/** A table after a sheet, how many of its origins the sheet does not have, and what the others lost. */
interface Refilled {
  readonly table: ZoneTable
  readonly kept: number
  readonly lost: readonly LostPlaces[]
}

/** The pincodes of an origin that its new sheet does not have. */
export interface LostPlaces {
  readonly from: string
  readonly pincodes: readonly string[]
}

/** The table of a card after a sheet: origins of the sheet in the place of the same ones, or of all of them. */
export function withSheet(card: RateCard, sheet: ZoneTable, replace: boolean): Refilled {
  const before = card.zone_tables?.find(({ name }) => name === sheet.name)
  const given = new Set(sheet.origins.map(({ from }) => from))
  const kept = (before?.origins ?? []).filter(
    ({ from, to }) => !replace && !given.has(from) && Object.values(to).some((list) => list.length > 0),
  )
  const origins = [...kept, ...sheet.origins]
  const priced = card.services
    .filter(({ zone_table: named }) => named === sheet.name)
    .flatMap(({ forward, return: back }) => [...Object.keys(forward), ...Object.keys(back)])
  const used = new Set([...origins.flatMap(({ to }) => Object.keys(to)), ...priced])
  const names = Object.entries({ ...before?.zones, ...sheet.zones }).filter(([name]) => used.has(name))
  const lost = sheet.origins.flatMap((origin) => {
    const old = before?.origins.find(({ from }) => from === origin.from)
    const pincodes = old === undefined ? [] : lostPincodes(placesOf(old), placesOf(origin))
    return pincodes.length === 0 ? [] : [{ from: origin.from, pincodes }]
  })
  return { table: { name: sheet.name, zones: Object.fromEntries(names), origins }, kept: kept.length, lost }
}

const placesOf = ({ to }: ZoneTable['origins'][number]): readonly string[] => Object.values(to).flat()

/**
 * The pincodes of the first list that the second one does not cover: those that the list has as such, and of a prefix
 * those that India Post lists.
 */
function lostPincodes(before: readonly string[], after: readonly string[]): readonly string[] {
  const same = new Set(after)
  const covered: Prefixes<true> = new Map(after.flatMap(prefixesOf).map((prefix) => [prefix, true]))
  return before
    .filter((place) => !same.has(place))
    .flatMap(prefixesOf)
    .flatMap((prefix) => {
      if (longestPrefix(covered, String(prefix)) !== undefined) return []
      const size = 10 ** (6 - String(prefix).length)
      const pincodes = Array.from({ length: size }, (_, i) => String(prefix * size + i))
      return size === 1
        ? pincodes
        : pincodes.filter((one) => pincodeKnown(one) && longestPrefix(covered, one) === undefined)
    })
}

/** The card with a table, and these services going by it. */
export function withTable(card: RateCard, table: ZoneTable, ids: ReadonlySet<string>): Drawn {
  const tables = card.zone_tables ?? []
  const before = tables.find(({ name }) => name === table.name)
  const [unpriced, carried]: [Unpriced[], Service[]] = [[], []]
  const services = card.services.map((service) => {
    if (!ids.has(service.carrier_id)) return service
    const priced = Object.keys(service.forward)
    const own = Object.keys(table.zones)
    if (service.zone_table === undefined && priced.every((zone) => (zones as readonly string[]).includes(zone))) {
      carried.push(service)
      return byNames(service, table)
    }
    // A zone that the table had before without a price is one that the courier does not serve.
    const lacks = own.filter((zone) => !priced.includes(zone) && before?.zones[zone] === undefined)
    const extra = priced.filter((zone) => !own.includes(zone))
    if (lacks.length > 0 || extra.length > 0) unpriced.push({ service, lacks, extra })
    return { ...service, zone_table: table.name }
  })
  const others = tables.filter(({ name }) => name !== table.name)
  return { card: { ...card, zone_tables: [...others, table], services }, unpriced, carried }
}

/** A service with prices by the five zones, whose prices go by the names of a table. */
function byNames(service: Service, { name, zones: as }: ZoneTable): Service {
  const named = <T>(byZone: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(as).flatMap(([zone, five]) => (byZone[five] === undefined ? [] : [[zone, byZone[five]]])),
    )
  const all = (list: readonly string[] | undefined): string[] | undefined =>
    list && Object.entries(as).flatMap(([zone, five]) => (list.includes(five) ? [zone] : []))
  const { rto, cod, surcharges } = service
  return {
    ...service,
    zone_table: name,
    forward: named(service.forward),
    return: named(service.return),
    rto: 'bands' in rto ? { bands: named(rto.bands) } : 'per_slab' in rto ? { per_slab: named(rto.per_slab) } : rto,
    cod: { ...cod, slabs: cod.slabs?.map((slab) => ({ ...slab, zones: all(slab.zones) })) },
    surcharges: surcharges?.map((surcharge) => ({
      ...surcharge,
      when: surcharge.when && { ...surcharge.when, zones: all(surcharge.when.zones) },
    })),
  }
}

/** The zones of a table by the one of the five that they count in: `zone_c: C1, C2`. */
export const byFive = (table: ZoneTable): readonly string[] =>
  zones.flatMap((zone: Zone) => {
    const names = Object.entries(table.zones).flatMap(([name, as]) => (as === zone ? [name] : []))
    return names.length === 0 ? [] : [`${zone}: ${names.join(', ')}`]
  })
