// The flags that say how a file is to be read: maps given here, and maps kept under a name.
import type { Fault } from '../../domain/errors.ts'
import { mapNameFault, savedMap, savedMaps, saveMap } from '../config/maps.ts'
import type { Maps } from '../files/mapped.ts'
import type { Context } from '../command/context.ts'
import { list, word } from './kinds.ts'
import type { OptionsOf } from './options.ts'

export const mapOptions = { map: list, map_value: list, ignore: list, use_map: word, save_map: word }

type MapOptions = OptionsOf<typeof mapOptions>

/** The faults of a name to keep a map under. */
export function mapFaults({ save_map: name }: MapOptions): readonly Fault[] {
  const message = name === undefined ? undefined : mapNameFault(name)
  return message === undefined ? [] : [{ field: '--save-map', message }]
}

/** The maps that the flags give, after those of --use-map. Throws `not_found` for a map that is not kept. */
export function mapsOf({ io }: Pick<Context, 'io'>, options: MapOptions): Maps {
  const { map = [], map_value = [], ignore = [], use_map: name } = options
  if (name === undefined) return { map, map_value, ignore }
  const saved = savedMap(savedMaps(io), name)
  return {
    map: [...saved.map, ...map],
    map_value: [...saved.map_value, ...map_value],
    ignore: [...saved.ignore, ...ignore],
    ...(saved.courier === undefined ? {} : { courier: saved.courier }),
    saved: [...saved.map, ...saved.map_value, ...saved.ignore],
  }
}

/** Keeps the maps of a file whose header fits them, where there is a name for them; a dry run says that it does not. */
export async function keepMaps(context: Context, name: string | undefined, maps: Maps, dry = false): Promise<void> {
  if (name === undefined) return
  if (dry) return context.warn(`A dry run changes nothing: map ${name} is not saved. Leave --dry-run out to save it.`)
  const { map, map_value, ignore, courier } = maps
  await saveMap(context.io, name, { map, map_value, ignore, ...(courier === undefined ? {} : { courier }) })
  await context.note(`Saved map ${name}. Use it with --use-map ${name}`)
}
