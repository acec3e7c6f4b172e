// `shipx init`: the guided first run: sample data on this computer or a deployment, its defaults, and what to type
// next.
import { ShipxError } from '../../../domain/errors.ts'
import { pincodeFault, readPincode } from '../../../domain/read/pincode.ts'
import type { Asker } from '../../ask/asker.ts'
import { askerOf } from '../../ask/ask.ts'
import { pincodeHint } from '../../ask/fields.ts'
import { canAsk } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { databasePath } from '../../config/paths.ts'
import { type FlagValues } from '../../command/flags.ts'
import { flag, pincode, word, optionKind, sound, faulty } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Io } from '../../terminal/io.ts'
import {
  chosenProfile,
  defaultOrigin,
  namedProfile,
  nameFault,
  profileName,
  readProfiles,
  isWarehouseId,
  notAWarehouse,
} from '../../config/profiles.ts'
import { quoted, safeText } from '../../terminal/safe.ts'
import { countsOf, countsText, seedInto, usualPlan, type Counts } from '../../imports/sample.ts'
import { deploymentOf, holdsKey, originOf, readBaseUrl } from '../../config/target.ts'
import { targeting } from '../../config/targeting.ts'
import { askAddress, login, profileFor } from './login.ts'
import { printOne } from '../../output/printer.ts'
import { set } from './profile.ts'
import { here } from '../../source/place.ts'

/** The id of a warehouse. */
const warehouse = optionKind<string, undefined>(undefined, (given, name) =>
  isWarehouseId(given) ? sound(given) : faulty(undefined, name, notAWarehouse),
)

const initOptions = {
  sample: flag,
  base_url: word,
  with_token: flag,
  profile: word,
  origin: pincode,
  warehouse,
  dry_run: flag,
}

type InitOptions = OptionsOf<typeof initOptions>

const init = verb(initOptions, async (context, options) => {
  const { io } = context
  refuse(context, [])
  const asker = canAsk(context) && context.attended ? await askerOf(context) : undefined
  const how = options.sample ? 'sample' : options.base_url !== undefined ? 'deployment' : await chosenWay(asker)
  const signedIn = how === 'sample' ? undefined : await connected(context, options, asker)
  const begun = signedIn?.context ?? context
  const elsewhere = how === 'sample' ? deploymentOf(begun) : undefined
  const sample = how === 'sample' ? await sampled(begun, options.dry_run) : undefined
  if (options.dry_run) return 0
  await defaults(begun, options, asker, how === 'deployment')
  if (elsewhere !== undefined)
    await context.note(`Answers come from ${elsewhere.base_url}; with --db they come from the sample data`)
  const origin = defaultOrigin(io, begun.flags)
  const more =
    elsewhere === undefined
      ? profileFlag(io, signedIn?.profile ?? options.profile)
      : ` --db ${quoted(databasePath(begun))}`
  await next(begun, how, more, origin)
  const summary = {
    source: how,
    profile: namedProfile(io, begun.flags)?.name ?? null,
    base_url: how === 'deployment' ? (deploymentOf(begun)?.base_url ?? null) : null,
    ...(sample ?? { database: null, seeded: false, shipments: null, returns: null, stores: null }),
    origin: origin ?? null,
  }
  await printOne(context, summary, how)
  return 0
})

/** How to start. Throws `invalid_input` where no one can answer. */
async function chosenWay(asker: Asker | undefined): Promise<'sample' | 'deployment'> {
  if (asker === undefined)
    throw new ShipxError('invalid_input', 'there is no terminal to ask how to start', {
      details: [
        { field: '--sample', message: 'is required: sample data on this machine' },
        { field: '--base-url', message: 'or this, with --with-token: the address of your account' },
      ],
      hint: 'shipx init --sample',
    })
  const way = await asker.choice('How do you want to start?', [
    { value: 'sample', name: 'Try it here, with sample data (no account, no network)' },
    { value: 'deployment', name: 'Connect your account (an address and a key)' },
  ])
  return way === 'sample' ? 'sample' : 'deployment'
}

/** Creates sample data. When there is data already, says so and leaves it unchanged. */
async function sampled(
  context: Context,
  dry: boolean,
): Promise<(Counts & { readonly database: string; readonly seeded: boolean }) | undefined> {
  const plan = usualPlan(context)
  if (dry) {
    const { shipments, returns, stores } = plan
    const what = countsText({ shipments, returns, stores })
    await wouldDo(context, `add ${what} of sample data ${here(context)}`, {
      init: { sample: { shipments, returns, stores }, path: databasePath(context) },
    })
    return undefined
  }
  return withEngine(context, 'bulk', async (engine) => {
    const before = await countsOf(engine)
    const empty = before.shipments + before.returns + before.stores === 0
    if (empty) await seedInto(context, engine, plan)
    else await done(context, `Nothing was added: there are ${countsText(before)} ${here(context)} already`)
    return { database: engine.path, seeded: empty, ...(await countsOf(engine)) }
  })
}

/** A run on the profile of a deployment. */
interface SignedIn {
  readonly context: Context
  readonly profile: string
}

/**
 * Signs in and returns the run on the deployment's profile. Neither asks for a key nor replaces one when there is one
 * already.
 */
async function connected(context: Context, options: InitOptions, asker: Asker | undefined): Promise<SignedIn> {
  const { io } = context
  const typed = options.base_url ?? (asker === undefined ? undefined : await askAddress(context))
  const read = readBaseUrl(typed ?? '')
  if ('fault' in read)
    throw new ShipxError('invalid_input', read.fault, { details: [{ field: '--base-url', message: read.fault }] })
  const there = withFlags(context, { 'base-url': read.value })
  const kept = options.with_token ? undefined : profileWithKey(io, options.profile, read.value)
  if (kept !== undefined) {
    await done(context, `Signed in already to ${read.value} as profile ${kept}`)
    return { context: onProfile(there, kept), profile: kept }
  }
  const name = options.profile ?? (await profileOf(there, asker, profileFor(there, read.value)))
  const named = withFlags(there, { profile: name })
  // The JSON of a sign-in is not the output of this command.
  await login({ ...named, format: 'plain' })
  if (!options.dry_run && readProfiles(io).current !== name) await context.note(`  shipx profile use ${name}`)
  return { context: onProfile(named, name), profile: name }
}

/** The context with an answered flag; from here on the address is the profile's. */
const withFlags = (context: Context, more: Readonly<Record<string, string>>): Context => {
  const flags: FlagValues = new Map([...context.flags, ...Object.entries(more)])
  return { ...context, flags, ...targeting(context.io, flags) }
}

function onProfile(context: Context, name: string): Context {
  const flags = new Map([...context.flags, ['profile', name] as const])
  flags.delete('base-url')
  return { ...context, flags, ...targeting(context.io, flags) }
}

/** The profile that holds a key for an address: the named one, or else the current one, or else any. */
function profileWithKey(io: Io, named: string | undefined, base_url: string): string | undefined {
  const all = readProfiles(io)
  const names =
    named !== undefined ? [named] : [...(all.current === undefined ? [] : [all.current]), ...Object.keys(all.profiles)]
  return names.find((name) => {
    const profile = Object.hasOwn(all.profiles, name) ? all.profiles[name]! : {}
    return holdsKey(profile) && profile.key_origin === originOf(base_url) && profile.base_url === base_url
  })
}

const profileOf = (context: Context, asker: Asker | undefined, usual: string): Promise<string> | string =>
  asker === undefined || namedProfile(context.io, context.flags)?.by === 'SHIPX_PROFILE'
    ? usual
    : asker.line({
        message: 'Name of its profile',
        suggestion: usual,
        fault: async (name) => (profileName(name) ? undefined : nameFault('', name).message),
      })

/** The profile's pincode and warehouse, from flags or from one question each. */
async function defaults(
  context: Context,
  options: InitOptions,
  asker: Asker | undefined,
  remote: boolean,
): Promise<void> {
  const { io, flags } = context
  const skip = ' (Enter to skip)'
  const unless = (fault: (typed: string) => string | undefined) => async (typed: string) =>
    typed.trim() === '' ? undefined : fault(typed)
  const origin =
    options.origin ??
    (asker === undefined || defaultOrigin(io, flags) !== undefined
      ? ''
      : await asker.line({
          message: `Your pickup pincode, for prices without --from${skip}`,
          hint: pincodeHint,
          fault: unless((typed) => pincodeFault(readPincode(typed))),
        }))
  if (origin.trim() !== '') await set({ ...context, args: ['origin', origin], format: 'plain' })
  const named = chosenProfile(io, flags)?.profile.warehouse
  const warehouse =
    options.warehouse ??
    (asker === undefined || !remote || named !== undefined
      ? ''
      : await asker.line({
          message: `Id of your warehouse there${skip}`,
          fault: unless((typed) => (isWarehouseId(typed.trim()) ? undefined : notAWarehouse)),
        }))
  if (warehouse.trim() !== '') await set({ ...context, args: ['warehouse.main', warehouse.trim()], format: 'plain' })
}

/** The flag that commands need for a profile that is not the current one. */
function profileFlag(io: Io, named: string | undefined): string {
  return named === undefined || readProfiles(io).current === named ? '' : ` --profile ${named}`
}

/** Prints three commands to try next. */
async function next(
  context: Context,
  how: 'sample' | 'deployment',
  more: string,
  origin: string | undefined,
): Promise<void> {
  const from = origin === undefined ? ' --from 400001' : ''
  const parcel = `rates${from} --to 560001 --weight 500g --size 20x15x10 --prepaid`
  const commands =
    how === 'sample'
      ? [parcel, 'shipments list --status ndr_raised --since 30d', 'returns summary']
      : ['auth status', parcel, 'shipments list --since 7d']
  const lines = commands.map((command) => `  shipx ${command}${more}`).join('\n')
  await context.note(`\nTab completion: shipx completion install\n\nNext:\n${safeText(lines)}`)
}

export const verbs = { init }
