// The zone tables of a small card whose columns have the courier's own zones.
import { guessZone, readZone, readZoneWords } from '../read/zone.ts'
import type { ZoneTable } from './cardschema.ts'
import { zoneKey } from './smallform.ts'
import { cellFault, type Draft, type Reading } from './smallreading.ts'
import type { Zone } from './zones.ts'

/** The zone table of a service, and its names for a zone of the sheet. */
export interface OwnZones {
  readonly name: string
  readonly zonesOf: (name: string) => readonly string[]
}

/** What a fault says about a zone that counts in none of the five for certain. */
export const unmapped = (name: string): string =>
  `which of the five zones does ${name} count in? Say it with --zone-map "${name}=zone_e"`

/** The zones of a table that a name means: the one that is written so, else those that read the same. */
function named(zones: ZoneTable['zones'], name: string): readonly string[] {
  const names = Object.keys(zones)
  const exact = names.filter((one) => one.toLowerCase() === name.toLowerCase())
  return exact.length > 0 ? exact : names.filter((one) => zoneKey(one) === zoneKey(name))
}

/** A table under a name with no pincode yet. */
const emptyTable = (name: string): ZoneTable => ({ name, zones: {}, origins: [{ from: '', to: {} }] })

/** The zones of a table that no pincode leads to: no parcel gets their prices. */
export const withoutPlaces = ({ zones, origins }: ZoneTable): readonly string[] =>
  Object.keys(zones).filter((name) => origins.every(({ to }) => (to[name] ?? []).length === 0))

/**
 * Those of a table's zones that are most likely one of the five misspelt: the others are among the five, and this one
 * alone reads like one that is missing (`b1` next to `A`, `C`, `D`).
 */
export function likelyTypos({ zones }: ZoneTable): readonly { readonly name: string; readonly zone: Zone }[] {
  const names = Object.keys(zones)
  const exact = new Set(names.map(readZoneWords))
  const own = names.filter((name) => readZoneWords(name) === undefined)
  if (own.length === names.length) return []
  const guessed = own.flatMap((name) => {
    const zone = guessZone(name) ?? readZone(name.trim().slice(0, 1))
    return zone === undefined || exact.has(zone) ? [] : [{ name, zone }]
  })
  return guessed.filter(({ zone }) => guessed.filter((other) => other.zone === zone).length === 1)
}

/**
 * The zone tables of the card, and that of each draft: the one that its service goes by already, else one with the
 * card's name where a zone is not one of the five.
 */
export function drawnTables(
  reading: Reading,
  drafts: readonly Draft[],
): { readonly tables: readonly ZoneTable[]; readonly tableOf: (draft: Draft) => OwnZones | undefined } {
  const { base, name: card, zones: map } = reading.plan
  const tables = new Map((base.zone_tables ?? []).map((table) => [table.name, table]))
  const chosen = new Map<Draft, OwnZones>()
  for (const draft of drafts) {
    const used = [...new Set(Object.values(draft.bands).flatMap((bands) => [...bands.keys()]))]
    const before = draft.known?.zone_table
    if (before === undefined && used.every((name) => readZoneWords(name) !== undefined)) continue
    const table = tables.get(before ?? card) ?? emptyTable(before ?? card)
    const zones = { ...table.zones }
    const counting = (five: Zone): readonly string[] => Object.keys(zones).filter((name) => zones[name] === five)
    // Prices by the five carry over to the zones of a table that has other names.
    if (
      used.every((name) => readZoneWords(name) !== undefined) &&
      used.some((name) => named(zones, name).length === 0)
    ) {
      chosen.set(draft, { name: table.name, zonesOf: (name) => counting(readZoneWords(name)!) })
      continue
    }
    for (const name of used) {
      const [known, ...others] = named(zones, name)
      const as: Zone | undefined = map.get(name.toLowerCase()) ?? zones[known ?? ''] ?? guessZone(name)
      const shown = known ?? (name.length === 1 ? name.toUpperCase() : name)
      const fault = (message: string): void => cellFault(reading, reading.sheet.headLine, `zone_${name}`, message)
      if (others.length > 0) fault(`could be ${[known, ...others].join(' or ')} of the card; write its name`)
      else if (as === undefined) fault(unmapped(shown))
      else zones[shown] = as
    }
    tables.set(table.name, { ...table, zones })
    chosen.set(draft, { name: table.name, zonesOf: (name) => named(zones, name) })
  }
  return { tables: [...tables.values()], tableOf: (draft) => chosen.get(draft) }
}
