// The flag --zone-map: which of the five zones each of the courier's own zones counts in.
import { readZoneWords } from '../../../domain/read/zone.ts'
import type { Fault } from '../../../domain/errors.ts'
import type { Zone } from '../../../domain/rates/zones.ts'
import type { OptionKind } from '../../args/options.ts'
import { list } from '../../command/flags.ts'
import { safe } from '../../terminal/safe.ts'

/** `F=zone_e,C1=zone_c` as a map by the names of the zones in small letters. */
export const zoneMap: OptionKind<ReadonlyMap<string, Zone>> = (flags, name) => {
  const faults: Fault[] = []
  const map = new Map<string, Zone>()
  for (const pair of list(flags, name) ?? []) {
    const at = pair.lastIndexOf('=')
    const zone = readZoneWords(pair.slice(at + 1))
    if (at < 1 || zone === undefined) {
      const message = `"${safe(pair.slice(0, 40))}" is not <zone>=<one of the five>, such as F=zone_e`
      faults.push({ field: `--${name}`, message })
    } else map.set(pair.slice(0, at).trim().toLowerCase(), zone)
  }
  return { value: map, faults }
}
