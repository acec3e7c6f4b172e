// `shipx map …`: the user's saved maps of files, kept with the profiles.
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { removeMap, savedMap, savedMaps } from '../../config/maps.ts'
import type { Maps } from '../../files/mapped.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { checkShape, printList, printRecord } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'

/** A map as shipx shows it. */
interface ShownMap extends Record<string, unknown> {
  readonly map: string
  readonly headers: readonly string[]
  readonly values: readonly string[]
  readonly ignored: readonly string[]
  /** Whose files the map is for, where it says that. */
  readonly courier: string | null
}

const all = plainView<ShownMap>(['map', 'maps'], ({ map }) => map, ['map', 'headers', 'values', 'ignored', 'courier'])
const view = {
  ...all,
  columns: all.columns.map((column) => (column.key === 'courier' ? { ...column, sparse: true as const } : column)),
}

const shown = (name: string, { map, map_value, ignore, courier }: Maps): ShownMap => ({
  map: name,
  headers: map,
  values: map_value,
  ignored: ignore,
  courier: courier ?? null,
})

async function list(context: Context): Promise<number> {
  refuse(context, [])
  checkShape(context, view)
  const maps = Object.entries(savedMaps(context.io)).map(([name, map]) => shown(name, map))
  const empty = 'No maps yet. Add --save-map <name> to a command that reads a file with --map'
  await printList(
    context,
    view,
    maps.toSorted((a, b) => (a.map < b.map ? -1 : 1)),
    empty,
  )
  return 0
}

/** The name that the command is given, and its map. Throws `invalid_input`, and `not_found` with the nearest name. */
function named(context: Context): ShownMap {
  const [name] = context.args
  refuse(context, name === undefined ? [missingArgument(context, 'name')] : [])
  return shown(name!, savedMap(savedMaps(context.io), name!))
}

async function show(context: Context): Promise<number> {
  const map = named(context)
  checkShape(context, view)
  await printRecord(context, view, map)
  return 0
}

const remove = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const map = named(context)
  if (dry) return wouldDo(context, `remove map ${map.map}`, { remove: map })
  await removeMap(context.io, map.map)
  return answer(context, `Removed map ${map.map}`, map)
})

export const verbs = { 'map list': list, 'map show': show, 'map remove': remove }
