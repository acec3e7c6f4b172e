// The reader of zones.
import { zones, type Zone } from '../rates/zones.ts'

/** The zone that a person means by `a`, `A`, `z_a`, `zone_a` or `ZONE_A`, or undefined (docs/guides/rates.md). */
export function readZone(text: string): Zone | undefined {
  const letter = /^\s*(?:z(?:one)?[ _-]?)?([a-e])\s*$/i.exec(text)?.[1]?.toLowerCase()
  return zones.find((zone) => zone.endsWith(`_${letter}`))
}

/** How contracts describe the five zones, letters and digits alone. */
const described: Readonly<Record<Zone, readonly string[]>> = {
  zone_a: ['local', 'city', 'withincity', 'intracity', 'samecity'],
  zone_b: ['state', 'withinstate', 'intrastate', 'samestate', 'region', 'regional', 'withinregion', 'withinzone'],
  zone_c: ['metro', 'metros', 'metrotometro'],
  zone_d: ['rest', 'roi', 'restofindia', 'national'],
  zone_e: ['special', 'specialzone', 'ne', 'northeast', 'nejk', 'jkne', 'northeastjk', 'jknortheast'],
}

/** The zone that a person or a contract means: a letter, or words such as "Within City" and "Metro"; or undefined. */
export function readZoneWords(text: string): Zone | undefined {
  const plain = text.toLowerCase().replace(/[^a-z0-9]/g, '')
  return readZone(text) ?? zones.find((zone) => described[zone].includes(plain))
}

/** The one of the five that a courier's own zone most likely counts in: `C1` in zone_c; undefined for `F`. */
export function guessZone(text: string): Zone | undefined {
  const letter = /^\s*(?:z(?:one)?[ _-]?)?([a-e])[ _-]?\d{1,2}\s*$/i.exec(text)?.[1]
  return readZoneWords(text) ?? (letter === undefined ? undefined : readZone(letter))
}
