// `shipx init`: the guided first run: sample data on this computer or a deployment, its defaults, and what to type
// next.
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { pincodeFault, readPincode } from '../../../domain/pincodes.ts'
import type { Asker } from '../../ask/asker.ts'
import { askerOf } from '../../ask/ask.ts'
import { pincodeHint } from '../../ask/fields.ts'
import { canAsk } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { databasePath } from '../../config/paths.ts'
import { text, type FlagValues } from '../../command/flags.ts'
import {
  chosenProfile,
  defaultOrigin,
  namedProfile,
  nameFault,
  profileName,
  readProfiles,
} from '../../config/profiles.ts'
import { quoted, safeText } from '../../terminal/safe.ts'
import { countsOf, countsText, seedInto, usualPlan, type Counts } from '../../imports/sample.ts'
import { deploymentOf, holdsKey, originOf, readBaseUrl } from '../../config/target.ts'
import { targeting } from '../../config/targeting.ts'
import { askAddress, login, profileFor } from './login.ts'
import { printOne } from '../../output/printer.ts'
import { set } from './profile.ts'

async function init(context: Context): Promise<number> {
  const { flags, io } = context
  refuse(context, faultsOf(context))
  const asker = canAsk(context) && context.attended ? await askerOf(context) : undefined
  const how = flags.has('sample') ? 'sample' : flags.has('base-url') ? 'deployment' : await chosenWay(asker)
  const begun = how === 'sample' ? context : await connected(context, asker)
  const sample = how === 'sample' ? await sampled(begun) : undefined
  if (flags.has('dry-run')) return 0
  await defaults(begun, asker, how === 'deployment')
  const elsewhere = how === 'sample' && deploymentOf(begun) !== undefined
  if (elsewhere)
    await context.note(`Answers come from ${deploymentOf(begun)!.base_url}; --db asks the sample data instead`)
  const origin = defaultOrigin(io, begun.flags)
  await next(begun, how, elsewhere ? ` --db ${quoted(databasePath(begun))}` : profileWords(begun), origin)
  const summary = {
    source: how,
    profile: namedProfile(io, begun.flags)?.name ?? null,
    base_url: how === 'deployment' ? (deploymentOf(begun)?.base_url ?? null) : null,
    ...(sample ?? { database: null, seeded: false, shipments: null, returns: null, stores: null }),
    origin: origin ?? null,
  }
  await printOne(context, summary, how)
  return 0
}

function faultsOf({ flags }: Context): readonly Fault[] {
  const faults: Fault[] = []
  const origin = text(flags, 'origin')
  const wrong = origin === undefined ? undefined : pincodeFault(readPincode(origin))
  if (wrong !== undefined) faults.push({ field: '--origin', message: wrong })
  const warehouse = text(flags, 'warehouse')
  if (warehouse !== undefined && !isWarehouse(warehouse)) faults.push({ field: '--warehouse', message: notAWarehouse })
  return faults
}

const isWarehouse = (id: string): boolean => /^[\x21-\x7e]{1,200}$/.test(id)
const notAWarehouse = 'is a warehouse id without spaces'

/** How to start. Throws `invalid_input` where no one can answer. */
async function chosenWay(asker: Asker | undefined): Promise<'sample' | 'deployment'> {
  if (asker === undefined)
    throw new ShipxError('invalid_input', 'there is no terminal to ask how to start', {
      details: [
        { field: '--sample', message: 'is required: sample data on this machine' },
        { field: '--base-url', message: 'or this, with --with-token: the address of a deployment' },
      ],
      hint: 'shipx init --sample',
    })
  const way = await asker.choice('How do you want to start?', [
    { value: 'sample', name: 'Try it here, with sample data (no account, no network)' },
    { value: 'deployment', name: 'Connect a deployment (an address and a key)' },
  ])
  return way === 'sample' ? 'sample' : 'deployment'
}

/** Creates sample data. When there is data already, says so and leaves it unchanged. */
async function sampled(
  context: Context,
): Promise<(Counts & { readonly database: string; readonly seeded: boolean }) | undefined> {
  const plan = usualPlan(context)
  if (context.flags.has('dry-run')) {
    const { shipments, returns, stores } = plan
    await wouldDo(context, { init: { sample: { shipments, returns, stores }, path: databasePath(context) } })
    return undefined
  }
  return withEngine(context, 'bulk', async (engine) => {
    const before = await countsOf(engine)
    const empty = before.shipments + before.returns + before.stores === 0
    if (empty) await seedInto(context, engine, plan)
    else await done(context, `${engine.path} holds ${countsText(before)} already; nothing was added`)
    return { database: engine.path, seeded: empty, ...(await countsOf(engine)) }
  })
}

/**
 * Signs in and returns the run on the deployment's profile. Neither asks for a key nor replaces one when there is one
 * already.
 */
async function connected(context: Context, asker: Asker | undefined): Promise<Context> {
  const { io, flags } = context
  const typed = text(flags, 'base-url') ?? (asker === undefined ? undefined : await askAddress(context))
  const read = readBaseUrl(typed ?? '')
  if ('fault' in read)
    throw new ShipxError('invalid_input', read.fault, { details: [{ field: '--base-url', message: read.fault }] })
  const there = withFlags(context, { 'base-url': read.value })
  const kept = flags.has('with-token') ? undefined : signedIn(there, read.value)
  if (kept !== undefined) {
    await done(context, `Signed in already to ${read.value} as profile ${kept}`)
    return onProfile(there, kept)
  }
  const name = text(flags, 'profile') ?? (await profileOf(there, asker, profileFor(there, read.value)))
  const named = withFlags(there, { profile: name })
  // The JSON of a sign-in is not the output of this command.
  await login({ ...named, format: 'plain' })
  if (!flags.has('dry-run') && readProfiles(io).current !== name) await context.note(`  shipx profile use ${name}`)
  return onProfile(named, name)
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
function signedIn({ io, flags }: Context, base_url: string): string | undefined {
  const all = readProfiles(io)
  const names = flags.has('profile')
    ? [text(flags, 'profile')!]
    : [...(all.current === undefined ? [] : [all.current]), ...Object.keys(all.profiles)]
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
async function defaults(context: Context, asker: Asker | undefined, remote: boolean): Promise<void> {
  const { io, flags } = context
  const skip = ' (Enter to skip)'
  const unless = (fault: (typed: string) => string | undefined) => async (typed: string) =>
    typed.trim() === '' ? undefined : fault(typed)
  const given = text(flags, 'origin')
  const origin =
    given ??
    (asker === undefined || defaultOrigin(io, flags) !== undefined
      ? ''
      : await asker.line({
          message: `Pincode that your parcels start from${skip}`,
          hint: pincodeHint,
          fault: unless((typed) => pincodeFault(readPincode(typed))),
        }))
  if (origin.trim() !== '') await set({ ...context, args: ['origin', origin], format: 'plain' })
  const named = chosenProfile(io, flags)?.profile.warehouse
  const warehouse =
    text(flags, 'warehouse') ??
    (asker === undefined || !remote || named !== undefined
      ? ''
      : await asker.line({
          message: `Id of your warehouse there${skip}`,
          fault: unless((typed) => (isWarehouse(typed.trim()) ? undefined : notAWarehouse)),
        }))
  if (warehouse.trim() !== '') await set({ ...context, args: ['warehouse.main', warehouse.trim()], format: 'plain' })
}

/** The flag that commands need for a profile that is not the current one. */
function profileWords({ io, flags }: Context): string {
  const named = text(flags, 'profile')
  return named === undefined || readProfiles(io).current === named ? '' : ` --profile ${named}`
}

/** Prints three commands to try next. */
async function next(
  context: Context,
  how: 'sample' | 'deployment',
  words: string,
  origin: string | undefined,
): Promise<void> {
  const from = origin === undefined ? ' --from 400001' : ''
  const parcel = `rates${from} --to 560001 --weight 500g --size 20x15x10 --prepaid`
  const commands =
    how === 'sample'
      ? [parcel, 'shipments list --status ndr_raised --since 30d', 'returns summary']
      : ['auth status', parcel, 'shipments list --since 7d']
  const lines = commands.map((command) => `  shipx ${command}${words}`).join('\n')
  await context.note(`\nTab completion: shipx completion install\n\nNext:\n${safeText(lines)}`)
}

export const verbs = { init }
