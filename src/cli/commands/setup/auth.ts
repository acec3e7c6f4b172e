// `shipx auth …`: signs in to a deployment and out again. Of these commands, only `token` prints the key.
import { ShipxError } from '../../../domain/errors.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { databasePath } from '../../config/paths.ts'
import { forgetKey } from '../../config/keyring.ts'
import { checkShape } from '../../output/printer.ts'
import { changeProfiles, readProfiles, endOf, type Profiles } from '../../config/profiles.ts'
import { colourWish } from '../../command/flags.ts'
import type { Chosen, Scheme, Target } from '../../command/target.ts'
import { printLines, printProfile, profileView, shownProfile, type ShownProfile } from './profileview.ts'
import { paintFor } from '../../terminal/colour.ts'
import { variable } from '../../terminal/io.ts'
import { safe } from '../../terminal/safe.ts'
import { deploymentOf, holdsKey } from '../../config/target.ts'
import { plainView } from '../../output/views.ts'
import { login, schemeAccepted } from './login.ts'

const logout = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const { io } = context
  refuse(context, [])
  checkShape(context, profileView)
  const chosen = context.profile()
  if (dry)
    return chosen === undefined
      ? wouldDo(context, 'change nothing: there is no profile', { sign_out: null })
      : wouldDo(context, `remove the key of profile ${chosen.name}`, {
          sign_out: shownIn(readProfiles(io), chosen.name),
        })
  const after = chosen === undefined ? undefined : await removeKey(context, chosen)
  if (chosen === undefined) await done(context, 'There is no profile, so there is no key to remove')
  if (variable(io, 'SHIPX_API_KEY') !== undefined) await context.warn('SHIPX_API_KEY is still set')
  if (context.format !== 'plain') await printProfile(context, after)
  return 0
})

/** Removes the key of a profile, and returns the profile without it. */
async function removeKey(context: Context, { name, profile }: Chosen): Promise<ShownProfile> {
  const signedIn = holdsKey(profile)
  await forgetKey(name, profile)
  const all = await changeProfiles(context.io, (profiles) => {
    const before = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name] : undefined
    if (before === undefined) return profiles
    const { key: _, key_origin: _origin, key_place: _place, ...rest } = before
    return { ...profiles, profiles: { ...profiles.profiles, [name]: rest } }
  })
  await done(context, signedIn ? `Removed the key of profile ${name}` : `Profile ${name} has no key`)
  return shownIn(all, name)
}

const shownIn = (all: Profiles, name: string): ShownProfile =>
  shownProfile(all, name, Object.hasOwn(all.profiles, name) ? all.profiles[name]! : {})

/** The answer of `auth status`. */
interface Status extends Record<string, unknown> {
  readonly deployment: string | null
  readonly profile: string | null
  /** `SHIPX_API_KEY`, `keyring`, or the file that holds the key. */
  readonly key_from: string | null
  readonly key_ending: string | null
  readonly auth_scheme: Scheme | null
  /** Whether the deployment accepted the key; null when it gave no verdict. */
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

const status = verb({ offline: flag }, async (context, { offline }) => {
  const { io, flags, screen } = context
  refuse(context, [])
  checkShape(context, statusView)
  const deployment = deploymentOf(context)
  const settings: Status = {
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
  const { found, failure } = await checkKey(context, settings, offline)
  // To a person on this computer the sentence below says it all: there is nothing wrong.
  const said =
    context.format === 'plain' && context.screen.tty && deployment === undefined ? { error: null, message: null } : {}
  await printLines(context, statusView, { ...found, ...said })
  if (failure === undefined) return 0
  if (failure.code === 'unauthorized' && deployment === undefined) {
    await context.note(`${safe(failure.message)}\n${screen.ascii ? '->' : '→'} ${safe(failure.hint ?? '')}`)
    return failure.exit
  }
  const { failureText } = await import('../../output/failure.ts')
  const paint = await paintFor(io.stderr, io, colourWish(flags))
  await context.note(failureText(failure, paint, screen.ascii).trimEnd())
  return failure.exit
})

/** The status, as far as it is known, and the error that prevents more. Throws errors in the settings. */
async function checkKey(
  context: Context,
  settings: Status,
  offline: boolean,
): Promise<{ readonly found: Status; readonly failure?: ShipxError }> {
  const failed = (status: Status, failure: unknown): { readonly found: Status; readonly failure: ShipxError } => {
    // An error in the settings says nothing about the key.
    if (!(failure instanceof ShipxError) || failure.kind === 'usage') throw failure
    return { found: { ...status, error: failure.code, message: failure.message }, failure }
  }
  let target: Target
  try {
    target = await context.target()
  } catch (error) {
    if (error instanceof ShipxError && error.code === 'unauthorized') return failed(settings, error)
    throw error
  }
  if (target.kind === 'embedded')
    return failed(
      settings,
      new ShipxError('unauthorized', 'You are not signed in to an account; shipx works on this computer.', {
        hint: 'to connect an account: shipx auth login --base-url https://…',
      }),
    )
  const found: Status = {
    ...settings,
    profile: target.profile ?? null,
    key_from: target.key_from,
    key_ending: endOf(target.key),
    auth_scheme: target.scheme,
  }
  if (offline) return { found }
  try {
    return { found: { ...found, auth_scheme: await schemeAccepted(context, target.base_url, target.key), works: true } }
  } catch (error) {
    const refused = error instanceof ShipxError && (error.code === 'unauthorized' || error.code === 'forbidden')
    return failed({ ...found, works: refused ? false : null }, error)
  }
}

/** Prints the key alone, whatever the format: it is for `$(shipx auth token)`. */
async function token(context: Context): Promise<number> {
  refuse(context, [])
  const target = await context.target()
  if (target.kind === 'embedded')
    throw new ShipxError('unauthorized', 'not signed in: data on this computer needs no key', {
      hint: 'shipx auth login',
    })
  await context.io.stdout.write(`${target.key}\n`)
  return 0
}

export const verbs = { 'auth login': login, 'auth logout': logout, 'auth status': status, 'auth token': token }
