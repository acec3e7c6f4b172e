// Which service answers, the embedded engine or a deployment, from flags, environment and profile. Sends nothing.
import { parseBaseUrl, checkKey } from '../../client/baseurl.ts'
import { basePath } from '../../domain/contract.ts'
import { ShipxError, invalid, type Fault } from '../../domain/errors.ts'
import { readSpan } from '../../domain/read/day.ts'
import type { Context } from '../command/context.ts'
import { databasePath } from './paths.ts'
import { readBytes } from '../files/userfiles.ts'
import { text } from '../command/flags.ts'
import { variable, type Io } from '../terminal/io.ts'
import { chosenProfile, configPath, readProfiles } from './profiles.ts'
import type { Chosen, Profile, Target } from '../command/target.ts'
import { quoted, safe } from '../terminal/safe.ts'

/** A deployment, before shipx looks for its key. */
export interface Deployment {
  readonly base_url: string
  readonly origin: string
  /** Where its address comes from. */
  readonly by: '--base-url' | 'SHIPX_BASE_URL' | 'profile'
  /** The profile that applies, whatever its address. */
  readonly chosen: Chosen | undefined
}

type Asking = Pick<Context, 'io' | 'flags'>

/** The fault of text that cannot be a key; never repeats the text. */
export const keyFault = (key: string): string | undefined => faultOf(() => checkKey(key))

/** An address as shipx keeps it, without the path of the API; or the fault of text that is not an address. */
export function readBaseUrl(typed: string): { readonly value: string } | { readonly fault: string } {
  let value = ''
  const fault = faultOf(() => {
    const { origin, prefix } = parseBaseUrl(typed)
    value = `${origin}${prefix.slice(0, -basePath.length)}`
  })
  return fault === undefined ? { value } : { fault }
}

function faultOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof ShipxError) return error.message
    throw error
  }
}

/** Scheme, host and port: what a key is bound to. */
export const originOf = (base_url: string): string => new URL(base_url).origin

/**
 * The address of the deployment, or undefined for the embedded engine. Throws `invalid_input`, and `not_found` for a
 * profile.
 */
export function deploymentOf({ io, flags }: Asking): Deployment | undefined {
  // An empty flag is a fault already; the command reports it with the others.
  const flag = text(flags, 'base-url') || undefined
  const chosen = chosenProfile(io, flags)
  if (flags.has('db') || flags.has('database') || flags.has('local')) return undefined
  const environment = variable(io, 'SHIPX_BASE_URL')
  const profile = chosen?.profile.base_url
  const found =
    flag !== undefined
      ? ({ typed: flag, by: '--base-url' } as const)
      : environment !== undefined
        ? ({ typed: environment, by: 'SHIPX_BASE_URL' } as const)
        : profile !== undefined
          ? ({ typed: profile, by: 'profile' } as const)
          : undefined
  if (found === undefined) return undefined
  if (found.by === 'profile' && text(flags, 'profile') === undefined) refuseDatabase(io, chosen!.name, found.typed)
  const read = readBaseUrl(found.typed)
  if ('fault' in read)
    throw invalid([
      { field: found.by === 'profile' ? `base_url of profile ${chosen!.name}` : found.by, message: read.fault },
    ])
  const origin = originOf(read.value)
  // A flag beats the environment: an old export must not silently override what the user typed.
  if (
    found.by === 'SHIPX_BASE_URL' &&
    text(flags, 'profile') !== undefined &&
    profile !== undefined &&
    originIn(profile) !== origin
  )
    throw invalid([
      { field: '--profile', message: `${chosen!.name} is at ${safe(profile)}, and ${otherOrigin(origin)}` },
    ])
  return { base_url: read.value, origin, by: found.by, chosen }
}

/** Throws `invalid_input` where the environment names a database, and the profile in use an account at a host. */
function refuseDatabase(io: Io, profile: string, base_url: string): void {
  if (variable(io, 'SHIPX_DB') === undefined) return
  const account = `profile ${safe(profile)} an account at ${safe(base_url)}`
  throw invalid(
    [{ field: 'SHIPX_DB', message: `names a database, and ${account}: shipx cannot tell which you mean` }],
    'unset SHIPX_DB, or say which with --db or --profile',
  )
}

const otherOrigin = (origin: string): string => `SHIPX_BASE_URL names ${origin}; unset it, or add --base-url`

const originIn = (base_url: string): string | undefined => {
  const read = readBaseUrl(base_url)
  return 'fault' in read ? undefined : originOf(read.value)
}

/**
 * The service that answers: from the flag, the environment, the profile, or else the embedded engine. Throws
 * `invalid_input` (also for a stored key that belongs to another address), `not_found` for a profile, `unauthorized`
 * without a key, `keyring`.
 */
export async function targetOf(context: Asking): Promise<Target> {
  const { io, flags } = context
  const deployment = deploymentOf(context)
  if (deployment === undefined && flags.has('curl'))
    throw invalid([{ field: '--curl', message: 'is for an account at a host; on this computer shipx sends nothing' }])
  if (deployment === undefined)
    return { kind: 'embedded', path: databasePath(context), profile: chosenProfile(io, flags)?.name }
  const { base_url, origin, chosen } = deployment
  const here = chosen !== undefined && originIn(chosen.profile.base_url ?? '') === origin ? chosen : undefined
  const scheme = here?.profile.auth_scheme ?? 'bearer'
  const from = { kind: 'remote', base_url, scheme, profile: here?.name } as const
  const environment = variable(io, 'SHIPX_API_KEY')
  if (environment !== undefined)
    return { ...from, key: checked(environment, 'SHIPX_API_KEY'), key_from: 'SHIPX_API_KEY' }
  if (chosen === undefined || !holdsKey(chosen.profile)) throw withoutKey(io, deployment)
  const bound = chosen.profile.key_origin
  if (bound !== origin) throw elsewhere(io, deployment, bound)
  const key = await storedKey(chosen)
  if (key === undefined) throw withoutKey(io, deployment)
  return {
    ...from,
    scheme: chosen.profile.auth_scheme ?? 'bearer',
    profile: chosen.name,
    key: checked(key, `the key of profile ${chosen.name}`),
    key_from: chosen.profile.key_place === 'keyring' ? 'keyring' : configPath(io),
  }
}

function checked(key: string, field: string): string {
  const fault = keyFault(key)
  if (fault !== undefined) throw invalid([{ field, message: fault }])
  return key
}

/** Whether a profile has a key, in the file or in the keyring. */
export const holdsKey = (profile: Profile): boolean => profile.key_place === 'keyring' || profile.key !== undefined

/** Keys from the keyring, which may ask its owner at each read. */
const fetched = new WeakMap<Profile, string>()

async function storedKey({ name, profile }: Chosen): Promise<string | undefined> {
  if (profile.key_place !== 'keyring') return profile.key
  const before = fetched.get(profile)
  if (before !== undefined) return before
  const { keyringEntry } = await import('./keyring.ts')
  const key = (await keyringEntry(name, profile.key_origin ?? '')).read()
  if (key !== undefined) fetched.set(profile, key)
  return key
}

/** The command that signs in to a deployment. */
const login = ({ base_url, by, chosen }: Deployment): string =>
  by === 'profile' ? `shipx auth login --profile ${chosen!.name}` : `shipx auth login --base-url ${quoted(base_url)}`

/** The name of another profile whose key is for this address. */
const better = (io: Io, { origin }: Deployment): string | undefined =>
  Object.entries(readProfiles(io).profiles).find(([, other]) => holdsKey(other) && other.key_origin === origin)?.[0]

function withoutKey(io: Io, deployment: Deployment): ShipxError {
  const other = better(io, deployment)
  return new ShipxError('unauthorized', `there is no key for ${deployment.base_url}`, {
    hint:
      other === undefined || other === deployment.chosen?.name
        ? login(deployment)
        : `add --profile ${other}, whose key is for it`,
  })
}

function elsewhere(io: Io, deployment: Deployment, bound: string | undefined): ShipxError {
  const { by, chosen, origin } = deployment
  const other = better(io, deployment)
  const given = bound === undefined ? '' : ` (it was given for ${safe(bound)})`
  const message = `the key of profile ${chosen!.name} is not for ${origin}${given}; nothing was sent`
  const field = by === 'profile' ? `base_url of profile ${chosen!.name}` : by
  return invalid(
    [{ field, message }],
    other === undefined ? `set SHIPX_API_KEY, or ${login(deployment)}` : `add --profile ${other}, whose key is for it`,
  )
}

/** How long a request may take, and which certificate authorities it trusts in addition to the built-in ones. */
export interface RemoteSettings {
  readonly timeout_ms?: number
  /** Certificates as PEM text. */
  readonly ca?: string
}

/** The settings of requests, from `SHIPX_TIMEOUT` (ms, or 30s, 2m) and `SHIPX_CA_FILE`. Throws `invalid_input`. */
export function remoteSettings(io: Io): RemoteSettings {
  const typed = variable(io, 'SHIPX_TIMEOUT')
  const file = variable(io, 'SHIPX_CA_FILE')
  const faults: Fault[] = []
  const timeout = readSpan(/^\d+$/.test(typed ?? '') ? `${typed}ms` : (typed ?? '')) ?? NaN
  if (typed !== undefined && !(timeout >= 100 && timeout <= 3_600_000))
    faults.push({
      field: 'SHIPX_TIMEOUT',
      message: `"${safe(typed.slice(0, 20))}" is not a time from 100 ms to 60m; write for example 30000 or 30s`,
    })
  let ca: string | undefined
  if (file !== undefined) {
    try {
      ca = new TextDecoder().decode(readBytes(file, 4_000_000, 'SHIPX_CA_FILE'))
      if (!ca.includes('-----BEGIN CERTIFICATE-----'))
        faults.push({ field: 'SHIPX_CA_FILE', message: `${safe(file)}: it contains no certificate in PEM form` })
    } catch (error) {
      if (!(error instanceof ShipxError)) throw error
      faults.push(...error.details)
    }
  }
  if (faults.length > 0) throw invalid(faults)
  return {
    ...(typed === undefined ? {} : { timeout_ms: timeout }),
    ...(ca === undefined ? {} : { ca }),
  }
}
