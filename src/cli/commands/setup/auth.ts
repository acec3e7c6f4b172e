// `shipx auth …`: signs in at a deployment and out again. Only these commands take a key, and only `token` shows one.
import { ShipxError } from '../../../domain/errors.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { databasePath } from '../../config/paths.ts'
import { forgetKey } from '../../config/keyring.ts'
import { checkShape } from '../../output/printer.ts'
import { changeProfiles, readProfiles, endOf } from '../../config/profiles.ts'
import type { Scheme, Target } from '../../command/target.ts'
import { printLines, printProfile, profileView, shownProfile } from './profileview.ts'
import { safe } from '../../terminal/safe.ts'
import { deploymentOf, holdsKey } from '../../config/target.ts'
import { plainView } from '../../output/views.ts'
import { ask, login } from './login.ts'

const logout = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const { io } = context
  refuse(context, [])
  checkShape(context, profileView)
  const chosen = context.profile()
  if (chosen === undefined) {
    await done(context, 'Not signed in: there is no profile')
    return 0
  }
  const { name, profile } = chosen
  if (dry) return wouldDo(context, { sign_out: shownProfile(readProfiles(io), name, profile) })
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
})

/** The answer of `auth status`. */
interface Status extends Record<string, unknown> {
  readonly deployment: string | null
  readonly profile: string | null
  /** `SHIPX_API_KEY`, `keyring`, or the file that holds the key. */
  readonly key_from: string | null
  readonly key_ending: string | null
  readonly auth_scheme: Scheme | null
  /** Whether the deployment accepted the key; null when it was not asked. */
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
  const { found, failure } = await tried(context, nothing, offline)
  await printLines(context, statusView, found)
  if (failure === undefined) return 0
  await context.note(`${context.screen.ascii ? 'x' : '✗'} ${safe(failure.message)}`)
  if (failure.hint !== undefined) await context.note(`${context.screen.ascii ? '->' : '→'} ${safe(failure.hint)}`)
  return failure.exit
})

/** The status with everything that is known, and the error that prevents more. */
async function tried(
  context: Context,
  nothing: Status,
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
  if (offline) return { found }
  try {
    return { found: { ...found, auth_scheme: await ask(context, target.base_url, target.key), works: true } }
  } catch (error) {
    return failed({ ...found, works: false }, error)
  }
}

/** Prints the key alone, whatever the format: it is for `$(shipx auth token)`. */
async function token(context: Context): Promise<number> {
  refuse(context, [])
  const target = await context.target()
  if (target.kind === 'embedded')
    throw new ShipxError('unauthorized', 'not signed in: the embedded engine has no key', { hint: 'shipx auth login' })
  await context.io.stdout.write(`${target.key}\n`)
  return 0
}

export const verbs = { 'auth login': login, 'auth logout': logout, 'auth status': status, 'auth token': token }
