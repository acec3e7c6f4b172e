// `shipx auth …`: signing in at a deployment and out again; the only commands that take a key, and `token` the only one
// that shows it.
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { canAsk } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { databasePath } from '../../config/paths.ts'
import { readText } from '../../files/userfiles.ts'
import { text } from '../../command/flags.ts'
import { forgetKey, keyringEntry } from '../../config/keyring.ts'
import { forgetNames } from '../../help/names.ts'
import { checkShape } from '../../output/printer.ts'
import {
  changeProfiles,
  configPath,
  nameFault,
  namedProfile,
  profileName,
  readProfiles,
  endOf,
} from '../../config/profiles.ts'
import type { Profile, Scheme, Target } from '../../command/target.ts'
import { printLines, printProfile, profileView, shownProfile } from './profileview.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { deploymentOf, holdsKey, keyFault, originOf, readBaseUrl, remoteSettings } from '../../config/target.ts'
import { plainView } from '../../output/views.ts'

/** Asks the deployment whether it takes the key, and in which form. */
async function ask(context: Context, base_url: string, key: string): Promise<Scheme> {
  const [{ signIn }, { clientSettings }] = await Promise.all([
    import('../../../client/signin.ts'),
    import('../../source/remote.ts'),
  ])
  return (await signIn({ ...clientSettings(context), base_url, key })).scheme
}

/** Signs in: asks for what was not given, checks the key there, and keeps it in a profile. */
export async function login(context: Context): Promise<number> {
  const { io, flags } = context
  const faults: Fault[] = []
  for (const other of ['db', 'local'])
    if (flags.has(other)) faults.push({ field: `--${other}`, message: 'names the embedded engine, which has no key' })
  const named = namedProfile(io, flags)
  if (named !== undefined && !profileName(named.name)) faults.push(nameFault(named.by, named.name))
  const typed = addressGiven(context)
  const address = typed === undefined ? undefined : readBaseUrl(typed.text)
  if (address !== undefined && 'fault' in address) faults.push({ field: typed!.by, message: address.fault })
  refuse(context, faults)
  checkShape(context, profileView)
  remoteSettings(io)
  const withToken = flags.has('with-token')
  if (withToken ? io.stdin.tty : !canAsk(context))
    throw new ShipxError(
      'needs_answer',
      withToken
        ? 'the key has to come from a pipe or a file: typed here it would be seen'
        : 'the key has to be given, and nobody can be asked',
      { hint: withToken ? 'leave --with-token out to be asked for it' : 'shipx auth login --with-token < key.txt' },
    )
  if (address === undefined && withToken)
    refuse(context, [
      {
        field: '--base-url',
        message: 'is required: the address of the deployment, for example --base-url https://api.example.com',
      },
    ])
  const base_url = address !== undefined && 'value' in address ? address.value : await askAddress(context)
  const name = profileFor(context, base_url)
  const origin = originOf(base_url)
  // Before anything is asked or sent: whether the key can be kept where it shall be.
  const entry = flags.has('keyring') ? await keyringEntry(name, origin) : undefined
  const key = withToken ? await keyFromInput(context) : await askKey(context, base_url)
  const scheme = await ask(context, base_url, key)
  const place = entry === undefined ? ('file' as const) : ('keyring' as const)
  if (flags.has('dry-run'))
    return wouldDo(context, {
      sign_in: {
        profile: name,
        base_url,
        auth_scheme: scheme,
        key: '<redacted>',
        key_place: place,
        file: configPath(io),
      },
    })
  let before: Profile = {}
  entry?.save(key)
  const all = await changeProfiles(io, (profiles) => {
    before = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name]! : {}
    const { key: _, ...rest } = before
    const profile: Profile = {
      ...rest,
      base_url,
      auth_scheme: scheme,
      ...(place === 'file' ? { key } : {}),
      key_origin: origin,
      key_place: place,
    }
    return { ...profiles, current: profiles.current ?? name, profiles: { ...profiles.profiles, [name]: profile } }
  }).catch((error: unknown) => {
    entry?.remove()
    throw error
  })
  if (before.key_place === 'keyring' && (entry === undefined || before.key_origin !== origin))
    await forgetKey(name, before).catch(async (error: unknown) => {
      await context.warn(
        `the old key is still in the keyring: ${error instanceof Error ? error.message : String(error)}`,
      )
    })
  forgetNames({ io, flags: new Map([['profile', name]]) })
  await done(
    context,
    `Signed in to ${base_url} as profile ${name}; the key is in ${place === 'keyring' ? 'the keyring' : configPath(io)}`,
  )
  if (!withToken)
    await context.note(
      `  The same without questions: shipx auth login --profile ${name} --base-url ${quoted(base_url)} --with-token < key.txt`,
    )
  if (all.current !== name)
    await context.note(
      `  ${all.current!} stays the current profile: add --profile ${name}, or shipx profile use ${name}`,
    )
  if ((io.env['SHIPX_API_KEY'] ?? '') !== '')
    await context.warn('SHIPX_API_KEY is set and goes before the key of any profile')
  if (context.format !== 'plain') await printProfile(context, shownProfile(all, name, all.profiles[name]!))
  return 0
}

/** The address that was given, and where: the flag, the environment, or the profile when one is named. */
function addressGiven({
  io,
  flags,
}: Context): { readonly text: string; readonly by: '--base-url' | 'SHIPX_BASE_URL' | 'base_url' } | undefined {
  const flag = text(flags, 'base-url')
  if (flag !== undefined) return { text: flag, by: '--base-url' }
  const environment = io.env['SHIPX_BASE_URL'] ?? ''
  if (environment !== '') return { text: environment, by: 'SHIPX_BASE_URL' }
  const named = namedProfile(io, flags)
  const { profiles } = readProfiles(io)
  const profile = named !== undefined && Object.hasOwn(profiles, named.name) ? profiles[named.name] : undefined
  return profile?.base_url === undefined ? undefined : { text: profile.base_url, by: 'base_url' }
}

/** The profile that a sign-in is kept in: the one that was named; else one that is for this address, else a new one. */
export function profileFor({ io, flags }: Pick<Context, 'io' | 'flags'>, base_url: string): string {
  const named = namedProfile(io, flags)
  if (named !== undefined && named.by !== 'current') return named.name
  const { profiles } = readProfiles(io)
  const free = (name: string): boolean => !Object.hasOwn(profiles, name) || profiles[name]!.base_url === undefined
  const fits = (name: string): boolean =>
    profiles[name]!.base_url !== undefined && originOf(profiles[name]!.base_url) === originOf(base_url)
  const current = named?.name
  const same = [...(current === undefined ? [] : [current]), ...Object.keys(profiles)].filter((name) =>
    Object.hasOwn(profiles, name),
  )
  const found = same.find(fits) ?? [...(current === undefined ? [] : [current]), 'default'].find(free)
  if (found !== undefined) return found
  // The key of another deployment is not thrown away for this one.
  const { host } = new URL(base_url)
  const base = host
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 46)
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`
    if (free(name)) return name
  }
}

/** The address of a deployment, typed. */
export async function askAddress(context: Context): Promise<string> {
  const fault = async (typed: string): Promise<string | undefined> => {
    const read = readBaseUrl(typed)
    return 'fault' in read ? `The address ${read.fault}` : undefined
  }
  const { askerOf } = await import('../../ask/ask.ts')
  const typed = await (await askerOf(context)).line({ message: 'Address of the deployment', fault })
  const read = readBaseUrl(typed)
  if ('fault' in read) throw new Error(read.fault)
  return read.value
}

async function askKey(context: Context, base_url: string): Promise<string> {
  const fault = async (typed: string): Promise<string | undefined> => {
    const found = keyFault(typed.trim())
    return found === undefined ? undefined : `The key ${found}`
  }
  const { askerOf } = await import('../../ask/ask.ts')
  return (await (await askerOf(context)).secret({ message: `API key for ${base_url}`, fault })).trim()
}

async function keyFromInput(context: Context): Promise<string> {
  const key = (await readText(context.io, '-', 10_000, '--with-token')).replace(/^\uFEFF/, '').trim()
  const fault =
    key === ''
      ? 'found no key on standard input'
      : /[\r\n]/.test(key)
        ? 'found more than one line on standard input'
        : keyFault(key)
  refuse(
    context,
    fault === undefined ? [] : [{ field: '--with-token', message: fault.replace(/^must/, 'the key must') }],
  )
  return key
}

async function logout(context: Context): Promise<number> {
  const { io, flags } = context
  refuse(context, [])
  checkShape(context, profileView)
  const chosen = context.profile()
  if (chosen === undefined) {
    await done(context, 'Nobody is signed in: there is no profile')
    return 0
  }
  const { name, profile } = chosen
  if (flags.has('dry-run')) return wouldDo(context, { sign_out: shownProfile(readProfiles(io), name, profile) })
  const signedIn = holdsKey(profile)
  await forgetKey(name, profile)
  const all = await changeProfiles(io, (profiles) => {
    const before = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name] : undefined
    if (before === undefined) return profiles
    const { key: _, key_origin: _origin, key_place: _place, ...rest } = before
    return { ...profiles, profiles: { ...profiles.profiles, [name]: rest } }
  })
  await done(context, signedIn ? `The key of profile ${name} is removed` : `Profile ${name} has no key`)
  if ((io.env['SHIPX_API_KEY'] ?? '') !== '') await context.warn('SHIPX_API_KEY is still set')
  if (context.format !== 'plain') await printProfile(context, shownProfile(all, name, all.profiles[name] ?? {}))
  return 0
}

/** What `auth status` says. */
interface Status extends Record<string, unknown> {
  readonly deployment: string | null
  readonly profile: string | null
  /** `SHIPX_API_KEY`, `keyring`, or the file that it lies in. */
  readonly key_from: string | null
  readonly key_ending: string | null
  readonly auth_scheme: Scheme | null
  /** Whether the deployment took the key; null when it was not asked. */
  readonly works: boolean | null
  readonly error: string | null
  readonly message: string | null
  /** The embedded engine's database, when that answers. */
  readonly database: string | null
}

const statusView = plainView<Status>(['status', 'statuses'], (status) => status.deployment ?? status.database ?? '', [
  'deployment',
  'profile',
  'key_from',
  'key_ending',
  'auth_scheme',
  'works',
  'error',
  'message',
  'database',
])

async function status(context: Context): Promise<number> {
  refuse(context, [])
  checkShape(context, statusView)
  const deployment = deploymentOf(context)
  const nothing: Status = {
    deployment: deployment?.base_url ?? null,
    profile: context.profile()?.name ?? null,
    key_from: null,
    key_ending: null,
    auth_scheme: null,
    works: null,
    error: null,
    message: null,
    database: deployment === undefined ? databasePath(context) : null,
  }
  const { found, failure } = await tried(context, nothing)
  await printLines(context, statusView, found)
  if (failure === undefined) return 0
  await context.note(`${context.screen.ascii ? 'x' : '✗'} ${safe(failure.message)}`)
  if (failure.hint !== undefined) await context.note(`${context.screen.ascii ? '->' : '→'} ${safe(failure.hint)}`)
  return failure.exit
}

/** The status with everything that could be found out, and what is in the way of an answer. */
async function tried(
  context: Context,
  nothing: Status,
): Promise<{ readonly found: Status; readonly failure?: ShipxError }> {
  const failed = (status: Status, failure: unknown): { readonly found: Status; readonly failure: ShipxError } => {
    // What is wrong with the settings says nothing of the key.
    if (!(failure instanceof ShipxError) || failure.kind === 'usage') throw failure
    return { found: { ...status, error: failure.code, message: failure.message }, failure }
  }
  let target: Target
  try {
    target = await context.target()
  } catch (error) {
    if (error instanceof ShipxError && error.code === 'unauthorized') return failed({ ...nothing, works: false }, error)
    throw error
  }
  if (target.kind === 'embedded')
    return failed(
      nothing,
      new ShipxError('unauthorized', 'not signed in: answers come from the embedded engine', {
        hint: 'shipx auth login --base-url https://…',
      }),
    )
  const found: Status = {
    ...nothing,
    profile: target.profile ?? null,
    key_from: target.key_from,
    key_ending: endOf(target.key),
    auth_scheme: target.scheme,
  }
  if (context.flags.has('offline')) return { found }
  try {
    return { found: { ...found, auth_scheme: await ask(context, target.base_url, target.key), works: true } }
  } catch (error) {
    return failed({ ...found, works: false }, error)
  }
}

/** The key alone, whatever format is set: it is for `$(shipx auth token)`. */
async function token(context: Context): Promise<number> {
  refuse(context, [])
  const target = await context.target()
  if (target.kind === 'embedded')
    throw new ShipxError('unauthorized', 'not signed in: the embedded engine has no key', { hint: 'shipx auth login' })
  await context.io.stdout.write(`${target.key}\n`)
  return 0
}

export const verbs = { 'auth login': login, 'auth logout': logout, 'auth status': status, 'auth token': token }
