// The user's own maps of files, kept with the profiles under their names.
import { ShipxError, invalid } from '../../domain/errors.ts'
import { guessText, nearestName } from '../../domain/nearest.ts'
import type { Maps } from '../files/mapped.ts'
import type { Io } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'
import { changeProfiles, readProfiles } from './profiles.ts'

/** The most maps that are kept, and the most entries of one. */
const [mostMaps, mostEntries] = [200, 500]

/** The maps of this user, by name. Throws `invalid_file` for a broken file of profiles. */
export const savedMaps = (io: Io): Readonly<Record<string, Maps>> => readProfiles(io).maps ?? {}

/** Why a map cannot have a name; undefined when it can. */
export const mapNameFault = (name: string): string | undefined =>
  /^[A-Za-z][\w-]{0,29}$/.test(name)
    ? undefined
    : `"${safe(name.slice(0, 40))}" is not a name: a letter first, then letters, digits, - and _, at most 30`

/** The map of a name. Throws `not_found` with the nearest name. */
export function savedMap(maps: Readonly<Record<string, Maps>>, name: string): Maps {
  const found = Object.hasOwn(maps, name) ? maps[name] : undefined
  if (found !== undefined) return found
  const near = nearestName(name, Object.keys(maps))
  throw new ShipxError('not_found', `there is no map ${safe(name.slice(0, 60), 'id')}${guessText(near)}`, {
    hint: 'shipx map list',
  })
}

/** Keeps a map under a name. Throws `invalid_input` when there are too many, and what `changeProfiles` throws. */
export async function saveMap(io: Io, name: string, map: Maps): Promise<void> {
  const entries = map.map.length + map.map_value.length + map.ignore.length
  if (entries > mostEntries)
    throw invalid([{ field: '--save-map', message: `the map has more than ${mostEntries} entries` }])
  await changeProfiles(io, (profiles) => {
    const maps = { ...profiles.maps, [name]: map }
    if (Object.keys(maps).length > mostMaps)
      throw invalid([{ field: '--save-map', message: `there are ${mostMaps} maps already` }], 'shipx map list')
    return { ...profiles, maps }
  })
}

/** Removes a map. Throws `not_found`, and what `changeProfiles` throws. */
export async function removeMap(io: Io, name: string): Promise<void> {
  await changeProfiles(io, ({ maps = {}, ...profiles }) => {
    savedMap(maps, name)
    const left = Object.entries(maps).filter(([other]) => other !== name)
    return left.length === 0 ? profiles : { ...profiles, maps: Object.fromEntries(left) }
  })
}
