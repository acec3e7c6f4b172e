// The settings of a project: shipx.config.json, or the key "shipx" of package.json, in the folder or in one above it.
// It names things that exist; it never holds a key or an address, so that a foreign repository cannot take a key away.
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Host } from '../../engine/runtime.ts'
import { ShipxError } from '../../domain/errors.ts'
import { didYouMean } from '../../domain/nearest.ts'
import { formatNames } from '../command/flags.ts'
import type { Profile } from '../command/target.ts'
import type { Io } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'
import { isWarehouseId, profileName } from './names.ts'

/** What a project may set. */
export interface ProjectSettings {
  /** The name of a profile that exists. */
  readonly profile?: string
  /** The pincode that parcels start from. */
  readonly origin?: string
  readonly format?: NonNullable<Profile['format']>
  /** The store of new orders. */
  readonly store?: string
  /** The warehouse of new orders: its id, or its name in the profile. */
  readonly warehouse?: string
}

/** A file with settings: what it sets, or why shipx ignores it. */
export type Project = { readonly path: string } & (
  { readonly settings: ProjectSettings; readonly ignored?: never } | { readonly ignored: string }
)

/** Each setting with its form, and what a fault says. */
const forms: Readonly<Record<keyof ProjectSettings, readonly [is: (text: string) => boolean, form: string]>> = {
  profile: [profileName, 'the name of a profile: letters, digits, - and _'],
  origin: [(text) => /^[1-9]\d{5}$/.test(text), 'a pincode of six digits, as text'],
  format: [(text) => (formatNames as readonly string[]).includes(text), formatNames.join(', ')],
  store: [(text) => /^[A-Za-z0-9-]{1,100}$/.test(text), 'the name of a store: letters, digits and -'],
  warehouse: [
    (text) => isWarehouseId(text) && !text.includes('://'),
    'the id of a warehouse, or its name in your profile',
  ],
}
const names = Object.keys(forms)

/** A name under which people keep secrets or addresses. */
const secretName = /key|token|secret|passw|credential|auth/i
const addressName = /url|host|address|endpoint|database|^db$/i

/** Text that is a key rather than a name: a known prefix, or long and mixed; the id of a warehouse may be a UUID. */
const keyLike = (text: string): boolean =>
  /^(?:sxk_|whsec_|[spr]k_|gh[a-z]_|bearer\s|basic\s)/i.test(text) ||
  (/^(?=.*\d)(?=.*[a-z])[\w+/=.-]{32,}$/i.test(text) && !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))

/** The fault of one setting; never repeats a value, which may be a key. */
function faultIn(name: string, value: unknown): string | undefined {
  if (secretName.test(name)) return `"${name}" does not belong into a project: shipx auth login keeps a key for you`
  if (addressName.test(name)) return `"${name}" does not belong into a project: name a profile, which has the address`
  const form = Object.hasOwn(forms, name) ? forms[name as keyof ProjectSettings] : undefined
  if (form === undefined) return `"${name}" is not a setting${didYouMean(name, names) || `: ${names.join(', ')}`}`
  if (typeof value !== 'string') return `"${name}" is not text`
  if (keyLike(value)) return `"${name}" looks like a key; take it out, and sign in with shipx auth login`
  return form[0](value) ? undefined : `"${name}" is not ${form[1]}`
}

/** The settings in a value of JSON. Throws `invalid_file` with every fault. */
function settingsIn(value: unknown, path: string): ProjectSettings {
  const object = typeof value === 'object' && value !== null && !Array.isArray(value)
  const faults = object
    ? // Editors put the address of a schema here.
      Object.entries(value).flatMap(([name, one]) =>
        name === '$schema' ? [] : (faultIn(safe(name.slice(0, 40)), one) ?? []),
      )
    : ['it does not hold a JSON object']
  if (faults.length === 0) return value as ProjectSettings
  const only = faults.length === 1 ? `: ${faults[0]!}` : ''
  throw new ShipxError('invalid_file', `the settings in ${safe(path)} cannot be used${only}`, {
    details: only === '' ? faults.map((message) => ({ field: null, message })) : [],
    hint: 'correct the file; shipx help settings says what it may hold',
  })
}

/** A file that sets something is small; a larger package.json is some other tool's. */
const largest = 1_000_000

/** The text of a file, and why its content cannot be trusted; undefined when there is no file that can be read. */
function readOwn(path: string): { readonly text: string; readonly foreign: string | undefined } | undefined {
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link === undefined || !(link.isFile() || link.isSymbolicLink())) return undefined
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile() || found.size > largest) return undefined
    const user = process.getuid?.()
    const foreign =
      user === undefined
        ? undefined
        : found.uid !== user || link.uid !== user
          ? 'another user owns it'
          : (found.mode & 0o002) !== 0
            ? 'every user can write it'
            : undefined
    return { text: readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, ''), foreign }
  } finally {
    closeSync(descriptor)
  }
}

/** The settings in one folder, or undefined. Throws `invalid_file`. */
function projectIn(folder: string): Project | undefined {
  for (const name of ['shipx.config.json', 'package.json']) {
    const path = join(folder, name)
    const own = name !== 'package.json'
    const read = quietly(() => readOwn(path))
    // Most packages have nothing to do with shipx, and parsing them takes time.
    if (read === undefined || !(own || read.text.includes('"shipx"'))) continue
    const parsed = quietly(() => JSON.parse(read.text) as unknown)
    if (parsed === undefined && own && read.foreign === undefined)
      throw new ShipxError('invalid_file', `the settings in ${safe(path)} cannot be used: it is not valid JSON`)
    const value = own ? parsed : (parsed as { readonly shipx?: unknown } | null | undefined)?.shipx
    if (value === undefined && !own) continue
    return read.foreign === undefined ? { path, settings: settingsIn(value, path) } : { path, ignored: read.foreign }
  }
  return undefined
}

/** The answer of a question about files; undefined where the system refuses it. */
function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}

/** No project is deeper. */
const mostFolders = 64

/** Projects by run; a pager and --jq have an Io of their own, with the same host. */
const known = new WeakMap<Host, { readonly project: Project | undefined }>()

/**
 * The nearest file with settings: from the working folder up to the root of its repository (the folder with .git), or
 * to the home folder. Throws `invalid_file` for one that holds anything else.
 */
export function findProject({ cwd, home, host }: Pick<Io, 'cwd' | 'home' | 'host'>): Project | undefined {
  const before = known.get(host)
  if (before !== undefined) return before.project
  let project: Project | undefined
  let folder = quietly(cwd)
  for (let depth = 0; folder !== undefined && project === undefined && depth < mostFolders; depth++) {
    project = projectIn(folder)
    const above = dirname(folder)
    folder = above === folder || folder === home || existsSync(join(folder, '.git')) ? undefined : above
  }
  known.set(host, { project })
  return project
}

const warned = new WeakSet<Host>()

/** What the project sets. Warns once about a file that shipx ignores. Throws as `findProject`. */
export function projectSettings(io: Io): ProjectSettings {
  const project = findProject(io)
  if (project === undefined) return {}
  if (project.ignored === undefined) return project.settings
  if (!warned.has(io.host)) {
    warned.add(io.host)
    // Not awaited, so that reading stays a plain function.
    io.stderr
      .write(`! ${safe(project.path)} is ignored: ${project.ignored}. Such a file could choose your account for you.\n`)
      .catch(() => undefined)
  }
  return {}
}
