// The file of profiles: deployments, keys and defaults by name. Reads it without a library, since every command reads
// it; changes it under a lock.
import { chmodSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { ShipxError, invalid, type Fault, messageOf } from '../../domain/errors.ts'
import { nearest, guessText } from '../../domain/nearest.ts'
import { formatNames, text, type FlagValues } from '../command/flags.ts'
import { makeFolder } from '../files/folders.ts'
import type { Maps } from '../files/mapped.ts'
import { variable, type Io } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'
import type { Profile, Chosen } from '../command/target.ts'
import { profileName } from './names.ts'
import { findProject, projectSettings } from './project.ts'

export { isWarehouseId, profileName } from './names.ts'

/** All profiles, and the current one: it applies when a command names none. */
export interface Profiles {
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
  /** The user's own short forms of command lines, by name. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The user's own maps of files, by name. */
  readonly maps?: Readonly<Record<string, Maps>>
}

/** The path of the profiles' file. Throws `invalid_input` when `SHIPX_CONFIG_DIR` depends on the working directory. */
export function configPath(io: Io): string {
  const own = variable(io, 'SHIPX_CONFIG_DIR')
  if (own !== undefined && !isAbsolute(own))
    throw invalid([
      {
        field: 'SHIPX_CONFIG_DIR',
        message: `"${safe(own)}" depends on the folder that shipx runs in; write the whole path`,
      },
    ])
  return join(own ?? configFolder(io), 'config.json')
}

function configFolder(io: Io): string {
  const { platform, home } = io
  if (platform === 'win32') return join(variable(io, 'APPDATA') ?? join(home, 'AppData', 'Roaming'), 'shipx')
  if (platform === 'darwin') return join(home, 'Library', 'Preferences', 'shipx')
  const xdg = variable(io, 'XDG_CONFIG_HOME')
  // The XDG specification says to ignore relative paths.
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config'), 'shipx')
}

/** The profiles that a run has read: the file is read once. */
const known = new WeakMap<Io, Profiles>()

/** All profiles; none when there is no file. Throws `invalid_file` for a broken one. */
export function readProfiles(io: Io): Profiles {
  const before = known.get(io)
  if (before !== undefined) return before
  const found = load(io)
  known.set(io, found)
  return found
}

/** The same, but leaves the file's rights as they are, for a check that reports them. */
export function peekProfiles(io: Io): Profiles {
  const found = load(io, false)
  known.set(io, found)
  return found
}

/** A file of profiles is small; a larger file is something else. */
const largest = 1_000_000

function load(io: Io, tighter = true): Profiles {
  const path = configPath(io)
  let content: string
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return { profiles: {} }
    if (!found.isFile()) throw broken(path, 'it is not a regular file')
    if (found.size > largest) throw broken(path, 'it is too large for a file of profiles')
    if (tighter && io.platform !== 'win32') tighten(io, path, found.mode)
    content = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof ShipxError) throw error
    // When the home is not a folder (/dev/null, as services have it), there is no file.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return { profiles: {} }
    throw broken(
      path,
      `it cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'})`,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    // The parser's own message repeats what it stumbled over, which may be a key.
    const at = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const line = at === undefined ? undefined : content.slice(0, Number(at)).split('\n').length
    throw broken(path, `it is not valid JSON${line === undefined ? '' : ` (line ${line})`}`)
  }
  const fault = faultIn(value)
  if (fault !== undefined) throw broken(path, fault)
  return { profiles: {}, ...(value as Partial<Profiles>) }
}

const broken = (path: string, why: string): ShipxError =>
  new ShipxError('invalid_file', `the profiles in ${safe(path)} cannot be used: ${why}`, {
    hint: 'correct the file, or delete it and sign in again with shipx auth login',
  })

const object = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const closedLists: Readonly<Record<string, readonly string[]>> = {
  auth_scheme: ['bearer', 'bare'],
  key_place: ['file', 'keyring'],
  format: formatNames,
}

/** The fields of a profile that are text. */
const textFields = [
  'base_url',
  'auth_scheme',
  'origin',
  'format',
  'database',
  'key',
  'key_origin',
  'key_place',
  'webhook_secret',
] as const

const isMap = (map: unknown): boolean =>
  object(map) &&
  (map['courier'] === undefined || typeof map['courier'] === 'string') &&
  ['map', 'map_value', 'ignore'].every((part) => {
    const entries = map[part]
    return Array.isArray(entries) && entries.every((entry) => typeof entry === 'string')
  })

/** What is wrong with the content of the file, by names alone: a value may be a key in the wrong place. */
function faultIn(value: unknown): string | undefined {
  if (!object(value)) return 'it does not hold a JSON object'
  const { current, profiles = {}, aliases = {}, maps = {} } = value
  if (current !== undefined && typeof current !== 'string') return '"current" is not text'
  if (!object(profiles)) return '"profiles" is not an object'
  if (!object(aliases) || Object.values(aliases).some((line) => typeof line !== 'string'))
    return '"aliases" is not an object of texts'
  if (!object(maps) || !Object.values(maps).every(isMap)) return '"maps" does not hold maps of files'
  for (const [name, profile] of Object.entries(profiles)) {
    if (!profileName(name)) return 'a name of a profile has other characters than letters, digits, - and _'
    if (!object(profile)) return `profile ${name} is not an object`
    for (const field of textFields) {
      const given = profile[field]
      if (given === undefined) continue
      if (typeof given !== 'string') return `"${field}" of profile ${name} is not text`
      const list = closedLists[field]
      if (list !== undefined && !list.includes(given))
        return `"${field}" of profile ${name} is not one of ${list.join(', ')}`
    }
    const { warehouse = {} } = profile
    if (!object(warehouse) || Object.values(warehouse).some((id) => typeof id !== 'string'))
      return `"warehouse" of profile ${name} is not an object of texts`
  }
  return undefined
}

/** The fault of a name that no profile can have. */
export const nameFault = (field: string, name: string): Fault => ({
  field,
  message: `"${safe(name.slice(0, 60))}" is not a name of a profile: 1 to 50 letters, digits, - and _`,
})

/**
 * Whether shipx may close the folder of the profiles to others: not a folder that is shared on purpose (/tmp, the home
 * folder itself).
 */
export const ownFolder = (io: Io, folder: string): boolean =>
  (statSync(folder).mode & 0o1000) === 0 && folder !== io.home

/** The file holds a key: shipx closes it to other users and reports that once. */
function tighten(io: Io, path: string, mode: number): void {
  const folder = dirname(path)
  const loose = [
    ...((mode & 0o077) === 0 ? [] : [[path, 0o600] as const]),
    ...((statSync(folder).mode & 0o077) === 0 || !ownFolder(io, folder) ? [] : [[folder, 0o700] as const]),
  ]
  if (loose.length === 0) return
  const failed = loose.some(([name, right]) => {
    try {
      chmodSync(name, right)
      return false
    } catch {
      return true
    }
  })
  const names = loose.map(([name]) => safe(name)).join(' and ')
  const said = failed
    ? `! others can reach ${names}, which may hold a key, and shipx may not change that\n`
    : `! others could reach ${names}, which may hold a key; now only you can\n`
  // Not awaited, so that reading stays a plain function.
  io.stderr.write(said).catch(() => undefined)
}

/**
 * The name of the profile that applies, and its source: `--profile`, `SHIPX_PROFILE`, the project, or else the current
 * one. Throws as `findProject`.
 */
export function namedProfile(
  io: Io,
  flags: FlagValues,
): { readonly name: string; readonly by: '--profile' | 'SHIPX_PROFILE' | 'project' | 'current' } | undefined {
  const flag = text(flags, 'profile')
  if (flag !== undefined && flag !== '') return { name: flag, by: '--profile' }
  const environment = variable(io, 'SHIPX_PROFILE')
  if (environment !== undefined) return { name: environment, by: 'SHIPX_PROFILE' }
  const project = projectSettings(io).profile
  if (project !== undefined) return { name: project, by: 'project' }
  const { current } = readProfiles(io)
  return current === undefined ? undefined : { name: current, by: 'current' }
}

/**
 * The profile that applies, or undefined when none is named and none is current. Throws `not_found` for a name that
 * does not exist.
 */
export function chosenProfile(io: Io, flags: FlagValues): Chosen | undefined {
  const named = namedProfile(io, flags)
  if (named === undefined) return undefined
  const { profiles } = readProfiles(io)
  if (named.by === 'project' && !Object.hasOwn(profiles, named.name))
    throw new ShipxError('not_found', `there is no profile ${named.name}, which ${safe(findProject(io)!.path)} names`, {
      hint: `shipx auth login --profile ${named.name}`,
    })
  return { name: named.name, profile: profileOf({ profiles }, named.name) }
}

/** The profile with a name. Throws `not_found` with the nearest name. */
export function profileOf({ profiles }: Profiles, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile !== undefined) return profile
  const near = nearest(name, Object.keys(profiles))
  throw new ShipxError('not_found', `there is no profile ${safe(name.slice(0, 60), 'id')}${guessText(near)}`, {
    hint: near === undefined ? 'shipx profile list' : `shipx profile show ${near}`,
  })
}

/**
 * A setting of the profile, or undefined when the profile does not exist: commands that create profiles ask for formats
 * and aliases too.
 */
function quietly<T>(io: Io, flags: FlagValues, ask: (profile: Profile) => T | undefined): T | undefined {
  const named = namedProfile(io, flags)
  if (named === undefined) return undefined
  const { profiles } = readProfiles(io)
  return Object.hasOwn(profiles, named.name) ? ask(profiles[named.name]!) : undefined
}

/** The format of the project or of the profile, or undefined. */
export const profileFormat = (io: Io, flags: FlagValues): Profile['format'] =>
  projectSettings(io).format ?? quietly(io, flags, (profile) => profile.format)

/** The default pincode that parcels start from and returns go to, or undefined. */
export const defaultOrigin = (io: Io, flags: FlagValues): string | undefined =>
  projectSettings(io).origin ?? quietly(io, flags, (profile) => profile.origin)

/** The store that the project links new orders to, or undefined. */
export const defaultStore = (io: Io): string | undefined => projectSettings(io).store

/** The warehouse of new orders that name none: the project's, or else the profile's with the name `default`. */
export function defaultWarehouse(io: Io, flags: FlagValues): string | undefined {
  const project = projectSettings(io).warehouse
  if (project !== undefined) return warehouseAlias(io, flags, project)
  const usual = warehouseAlias(io, flags, 'default')
  return usual === 'default' ? undefined : usual
}

/** The fault of a text that is not the id of a warehouse. */
export const notAWarehouse = 'is a warehouse id without spaces'

/** The id of a warehouse's alias in the profile; any other text is an id already. */
export const warehouseAlias = (io: Io, flags: FlagValues, id: string): string =>
  quietly(io, flags, ({ warehouse = {} }) => (Object.hasOwn(warehouse, id) ? warehouse[id] : undefined)) ?? id

/**
 * Changes the profiles under the lock: reads them again, applies `change` and writes. When nothing needs writing,
 * `change` returns what it received. Throws `invalid_file` for a broken file, `unavailable` when another process holds
 * the lock for 10 s, `output_failed` when the write fails, and whatever `change` throws.
 */
export async function changeProfiles(io: Io, change: (profiles: Profiles) => Profiles): Promise<Profiles> {
  const path = configPath(io)
  const folder = dirname(path)
  const [{ locked }, { default: Conf }] = await Promise.all([import('./lock.ts'), import('conf')])
  try {
    makeFolder(folder, 0o700)
  } catch (error) {
    throw unwritten(path, error)
  }
  return locked(`${path}.lock`, io.pid, async (stillOurs) => {
    const before = load(io)
    const after = change(before)
    known.set(io, after)
    if (after === before) return after
    // conf writes a file next to it, syncs and renames. When SNAP is set (every terminal of an editor installed as a
    // snap), it writes in place, and a crash would lose all keys.
    const snap = process.env['SNAP']
    delete process.env['SNAP']
    try {
      stillOurs()
      sweep(folder, basename(path))
      const conf = new Conf<Record<string, unknown>>({
        cwd: folder,
        configName: 'config',
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
        // shipx has read and checked the file already.
        deserialize: () => ({}),
      })
      conf.store = { ...after }
    } catch (error) {
      known.delete(io)
      throw error instanceof ShipxError ? error : unwritten(path, error)
    } finally {
      if (snap !== undefined) process.env['SNAP'] = snap
    }
    return after
  })
}

/**
 * No other process works here while we hold the lock. Half-written files and unfinished locks come from processes that
 * died.
 */
function sweep(folder: string, name: string): void {
  for (const entry of readdirSync(folder))
    if (entry.startsWith(`${name}.tmp-`) || entry.startsWith(`${name}.lock.`))
      rmSync(join(folder, entry), { force: true })
}

const unwritten = (path: string, error: unknown): ShipxError =>
  new ShipxError('output_failed', `${safe(path)} could not be written: ${messageOf(error)}`, { cause: error })

/** The last characters of a key, to tell keys apart; undefined for a short key. */
export const endOf = (key: string | undefined): string | null =>
  key !== undefined && key.length >= 12 ? key.slice(-4) : null
