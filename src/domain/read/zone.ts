// The reader of zones.
import { zones, type Zone } from '../rates/zones.ts'

/** The zone that a person means by `a`, `A`, `z_a`, `zone_a` or `ZONE_A`, or undefined (docs/guides/rates.md). */
export function readZone(text: string): Zone | undefined {
  const letter = /^\s*(?:z(?:one)?[ _-]?)?([a-e])\s*$/i.exec(text)?.[1]?.toLowerCase()
  return zones.find((zone) => zone.endsWith(`_${letter}`))
}
