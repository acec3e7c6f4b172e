// The settings that apply to a run, each with the place that it comes from. Sends nothing and looks for no key.
import { text, type FlagValues } from '../command/flags.ts'
import { variable, type Io } from '../terminal/io.ts'
import { namedProfile, readProfiles } from './profiles.ts'
import { findProject, projectSettings } from './project.ts'

/** A setting in use. */
export interface InUse {
  readonly setting: string
  readonly value: string
  /** A flag, a variable, a file, or a profile. */
  readonly from: string
}

/** The first place that sets something, in the order in which they apply. */
const firstOf = (setting: string, places: readonly (readonly [string | undefined, string])[]): readonly InUse[] => {
  const found = places.find(([value]) => value !== undefined && value !== '')
  return found === undefined ? [] : [{ setting, value: found[0]!, from: found[1] }]
}

/**
 * Every setting that something sets. Throws `invalid_file` for a broken file of profiles or of a project. A profile
 * that does not exist sets nothing.
 */
export function settingsInUse(io: Io, flags: FlagValues): readonly InUse[] {
  const named = namedProfile(io, flags)
  const { profiles } = readProfiles(io)
  const profile = named !== undefined && Object.hasOwn(profiles, named.name) ? profiles[named.name]! : {}
  const project = projectSettings(io)
  const file = findProject(io)?.path ?? ''
  const own = `profile ${named?.name ?? ''}`
  const places = { current: 'the current profile', project: file } as const
  const by = named === undefined ? '' : named.by === 'current' || named.by === 'project' ? places[named.by] : named.by
  return [
    ...firstOf('profile', [[named?.name, by]]),
    ...firstOf('address', [
      [text(flags, 'base-url'), '--base-url'],
      [variable(io, 'SHIPX_BASE_URL'), 'SHIPX_BASE_URL'],
      [profile.base_url, own],
    ]),
    ...firstOf('format', [
      [variable(io, 'SHIPX_FORMAT'), 'SHIPX_FORMAT'],
      [project.format, file],
      [profile.format, own],
    ]),
    ...firstOf('origin', [
      [project.origin, file],
      [profile.origin, own],
    ]),
    ...firstOf('store', [[project.store, file]]),
    ...firstOf('warehouse', [
      [project.warehouse, file],
      [profile.warehouse?.['default'], own],
    ]),
  ]
}
