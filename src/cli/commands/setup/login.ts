// `shipx auth login`: signs in at a deployment and saves its key in a profile.
import { ShipxError, type Fault, messageOf } from '../../../domain/errors.ts'
import { canAsk } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { readText } from '../../files/userfiles.ts'
import { flag, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
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
  type Profiles,
} from '../../config/profiles.ts'
import type { Profile, Scheme } from '../../command/target.ts'
import { printProfile, profileView, shownProfile } from './profileview.ts'
import { quoted } from '../../terminal/safe.ts'
import { keyFault, originOf, readBaseUrl, remoteSettings } from '../../config/target.ts'

/** The scheme in which the deployment accepts the key. Throws `unauthorized` or `forbidden` for a refused key. */
export async function schemeAccepted(context: Context, base_url: string, key: string): Promise<Scheme> {
  const [{ signIn }, { clientSettings }] = await Promise.all([
    import('../../../client/signin.ts'),
    import('../../source/remote.ts'),
  ])
  return (await signIn({ ...clientSettings(context), base_url, key })).scheme
}

const loginOptions = { with_token: flag, base_url: word, keyring: flag, dry_run: flag }

type LoginOptions = OptionsOf<typeof loginOptions>

/** Signs in: asks for what was not given, checks the key with the deployment, and saves it in a profile. */
export const login = verb(loginOptions, async (context, options) => {
  const { io } = context
  const base_url = await addressOf(context, options)
  const name = profileFor(context, base_url)
  const origin = originOf(base_url)
  // Checks first, before a question or a request, that the key can be saved where the user wants it.
  const entry = options.keyring ? await keyringEntry(name, origin) : undefined
  const key = options.with_token ? await keyFromInput(context) : await askKey(context, base_url)
  const scheme = await schemeAccepted(context, base_url, key)
  const place = entry === undefined ? ('file' as const) : ('keyring' as const)
  if (options.dry_run) {
    const kept = { key: '<redacted>', key_place: place, file: configPath(io) }
    return wouldDo(context, `sign in to ${base_url} as profile ${name}`, {
      sign_in: { profile: name, base_url, auth_scheme: scheme, ...kept },
    })
  }
  const signedIn = { base_url, auth_scheme: scheme, key_origin: origin, key_place: place }
  const all = await keepKey(context, name, signedIn, key, entry)
  forgetNames({ io, flags: new Map([['profile', name]]) })
  await sayWhere(context, { name, base_url, place, current: all.current!, asked: !options.with_token })
  if (context.format !== 'plain') await printProfile(context, shownProfile(all, name, all.profiles[name]!))
  return 0
})

/** The address to sign in at, from the command line or a question. Throws the faults of the command line. */
async function addressOf(context: Context, { with_token: withToken, base_url }: LoginOptions): Promise<string> {
  const { io, flags } = context
  const faults: Fault[] = []
  for (const other of ['db', 'local'])
    if (flags.has(other))
      faults.push({ field: `--${other}`, message: 'is for data on this computer, which needs no key' })
  const named = namedProfile(io, flags)
  if (named !== undefined && !profileName(named.name)) faults.push(nameFault(named.by, named.name))
  const typed = addressGiven(context, base_url)
  const address = typed === undefined ? undefined : readBaseUrl(typed.text)
  if (address !== undefined && 'fault' in address) faults.push({ field: typed!.by, message: address.fault })
  refuse(context, faults)
  checkShape(context, profileView)
  remoteSettings(io)
  if (withToken ? io.stdin.tty : !canAsk(context)) throw withoutAnswer(withToken)
  if (address !== undefined && 'value' in address) return address.value
  const message = 'is required: the address of the deployment, for example --base-url https://api.example.com'
  if (withToken) refuse(context, [{ field: '--base-url', message }])
  return askAddress(context)
}

const withoutAnswer = (withToken: boolean): ShipxError =>
  withToken
    ? new ShipxError('needs_answer', 'the key must come from a pipe or a file: others could see it typed here', {
        hint: 'without --with-token, shipx asks for it',
      })
    : new ShipxError('needs_answer', 'the key is missing, and there is no terminal to ask for it', {
        hint: 'shipx auth login --with-token < key.txt',
      })

/** Saves the profile with its key, in the file or in the keyring, and forgets its former key. */
async function keepKey(
  context: Context,
  name: string,
  signedIn: Required<Pick<Profile, 'base_url' | 'auth_scheme' | 'key_origin' | 'key_place'>>,
  key: string,
  entry: Awaited<ReturnType<typeof keyringEntry>> | undefined,
): Promise<Profiles> {
  let before: Profile = {}
  entry?.save(key)
  const all = await changeProfiles(context.io, (profiles) => {
    before = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name]! : {}
    const { key: _, ...rest } = before
    const profile: Profile = { ...rest, ...signedIn, ...(entry === undefined ? { key } : {}) }
    return { ...profiles, current: profiles.current ?? name, profiles: { ...profiles.profiles, [name]: profile } }
  }).catch((error: unknown) => {
    entry?.remove()
    throw error
  })
  if (before.key_place === 'keyring' && (entry === undefined || before.key_origin !== signedIn.key_origin))
    await forgetKey(name, before).catch(async (error: unknown) => {
      const why = messageOf(error)
      await context.warn(`the old key is still in the keyring: ${why}`)
    })
  return all
}

/** A key that was saved in a profile. */
interface Kept {
  readonly name: string
  readonly base_url: string
  readonly place: 'file' | 'keyring'
  /** The current profile. */
  readonly current: string
  /** Whether the user typed the key as an answer. */
  readonly asked: boolean
}

/** Says where the key is now, and which setting overrides it. */
async function sayWhere(context: Context, { name, base_url, place, current, asked }: Kept): Promise<void> {
  const { io } = context
  const where = place === 'keyring' ? 'the keyring' : configPath(io)
  await done(context, `Signed in to ${base_url} as profile ${name}; the key is in ${where}`)
  const again = `shipx auth login --profile ${name} --base-url ${quoted(base_url)} --with-token < key.txt`
  if (asked) await context.note(`  The same without questions: ${again}`)
  const choose = `add --profile ${name}, or shipx profile use ${name}`
  if (current !== name) await context.note(`  ${current} stays the current profile: ${choose}`)
  if ((io.env['SHIPX_API_KEY'] ?? '') !== '')
    await context.warn('SHIPX_API_KEY is set and overrides the key of every profile')
}

/** The given address and its source: the flag, the environment, or the profile when one is named. */
function addressGiven(
  { io, flags }: Context,
  flag: string | undefined,
): { readonly text: string; readonly by: '--base-url' | 'SHIPX_BASE_URL' | 'base_url' } | undefined {
  if (flag !== undefined) return { text: flag, by: '--base-url' }
  const environment = io.env['SHIPX_BASE_URL'] ?? ''
  if (environment !== '') return { text: environment, by: 'SHIPX_BASE_URL' }
  const named = namedProfile(io, flags)
  const { profiles } = readProfiles(io)
  const profile = named !== undefined && Object.hasOwn(profiles, named.name) ? profiles[named.name] : undefined
  return profile?.base_url === undefined ? undefined : { text: profile.base_url, by: 'base_url' }
}

/** The profile that a sign-in is saved in: the named one, or else one for this address, or else a new one. */
export function profileFor({ io, flags }: Pick<Context, 'io' | 'flags'>, base_url: string): string {
  const named = namedProfile(io, flags)
  // The flag and the variable are the user's own words; a project must not replace the address of a profile.
  if (named !== undefined && named.by !== 'current' && named.by !== 'project') return named.name
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
  // A sign-in here must not delete the key of another deployment.
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

/** Asks for the address of a deployment. */
export async function askAddress(context: Context): Promise<string> {
  const fault = async (typed: string): Promise<string | undefined> => {
    const read = readBaseUrl(typed)
    return 'fault' in read ? `The address ${read.fault}` : undefined
  }
  const { askerOf } = await import('../../ask/ask.ts')
  const typed = await (await askerOf(context)).line({ message: 'Address of your account (https://…)', fault })
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
