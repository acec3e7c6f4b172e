// The options of an import, from its flags.
import { flag, oneOf, word } from '../args/kinds.ts'
import { keepMaps, mapFaults, mapOptions, mapsOf } from '../args/maps.ts'
import { optionsOf } from '../args/options.ts'
import { paceOptions } from '../args/pace.ts'
import type { Context } from '../command/context.ts'
import { missingArgument, refuse } from '../command/faults.ts'
import type { Maps } from '../files/mapped.ts'
import type { Rule } from './importer.ts'

/** The options of one import. */
export interface ImportOptions {
  readonly path: string
  readonly maps: Maps
  /** Keeps maps under a name, or else under that of --save-map, if there is one. */
  readonly keep: (maps: Maps, name: string | undefined) => Promise<void>
  /** The sheet of a workbook: its name or number. */
  readonly sheet: string | undefined
  readonly rule: Rule
  readonly concurrency: number
  readonly max_rps: number | undefined
  readonly dry: boolean
  readonly force: boolean
}

const rules = ['fail', 'skip', 'update'] as const satisfies readonly Rule[]

const importFlags = {
  ...mapOptions,
  sheet: word,
  on_conflict: oneOf(rules, 'rule'),
  ...paceOptions,
  dry_run: flag,
  force: flag,
}

/** Reads them. Throws `invalid_input` with every fault. */
export function importOptions(context: Context): ImportOptions {
  const { value, faults } = optionsOf(context, importFlags)
  const { sheet, on_conflict: rule = 'fail', concurrency, max_rps, dry_run: dry, force } = value
  const [path = ''] = context.args
  refuse(context, [...(path === '' ? [missingArgument(context, 'file')] : []), ...faults, ...mapFaults(value)])
  const maps = mapsOf(context, value)
  const keep = (kept: Maps, name: string | undefined): Promise<void> => keepMaps(context, name ?? value.save_map, kept)
  return { path, maps, keep, sheet, rule, concurrency, max_rps, dry, force }
}
