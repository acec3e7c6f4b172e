// `shipx profile …`: names for deployments and their settings. Never shows a key and sends nothing.
import { isAbsolute, resolve } from 'node:path'
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { nearest, guessText } from '../../../domain/nearest.ts'
import { pincodeFault, readPincode } from '../../../domain/read/pincode.ts'
import { notOneOf } from '../../../domain/values.ts'
import { confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { flag, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { formatNames } from '../../command/flags.ts'
import { settingsInUse } from '../../config/inuse.ts'
import { forgetKey } from '../../config/keyring.ts'
import { checkShape, printList } from '../../output/printer.ts'
import {
  changeProfiles,
  nameFault,
  namedProfile,
  profileName,
  profileOf,
  readProfiles,
  type Profiles,
  isWarehouseId,
  notAWarehouse,
} from '../../config/profiles.ts'
import type { Profile } from '../../command/target.ts'
import { findProject } from '../../config/project.ts'
import { printProfile, profileView, shownProfile, type ShownProfile } from './profileview.ts'
import { safe } from '../../terminal/safe.ts'
import { holdsKey, originOf, readBaseUrl } from '../../config/target.ts'
import { secretLine } from '../../ask/secret.ts'
import { isSecret } from '../../../delivery/signature.ts'
import { secretFault } from '../listen/proofs.ts'

async function list(context: Context): Promise<number> {
  refuse(context, [])
  checkShape(context, profileView)
  const all = readProfiles(context.io)
  const entries = Object.entries(all.profiles).sort(([a], [b]) => (a < b ? -1 : 1))
  const records = entries.map(([name, profile]) => shownProfile(all, name, profile))
  const empty = 'No profiles yet: shipx works on this computer. Make one: shipx auth login'
  await printList(context, profileView, records, empty)
  return 0
}

async function show(context: Context): Promise<number> {
  const { io, args } = context
  refuse(context, [])
  checkShape(context, profileView)
  const all = readProfiles(io)
  const chosen = args[0] === undefined ? context.profile() : { name: args[0], profile: profileOf(all, args[0]) }
  if (chosen === undefined)
    throw new ShipxError('not_found', 'there is no current profile', {
      hint: Object.keys(all.profiles).length === 0 ? 'shipx auth login' : 'shipx profile list',
    })
  const shown = shownProfile(all, chosen.name, chosen.profile)
  const named = namedProfile(io, context.flags)?.name === chosen.name
  await printProfile(context, named ? withPlaces(context, shown) : shown)
  return 0
}

/** The profile in use with the settings that apply here, for people and as JSON; a sheet has the profile alone. */
function withPlaces({ io, flags, format, screen }: Context, shown: ShownProfile): ShownProfile {
  const used = settingsInUse(io, flags)
  if (format === 'plain' && screen.tty)
    return { ...shown, here: Object.fromEntries(used.map((one) => [one.setting, `${one.value}, from ${one.from}`])) }
  return format === 'json' || format === 'jsonl' ? { ...shown, in_use: used } : shown
}

/** Reports the result of a change. */
async function told(context: Context, sentence: string, shown: ShownProfile): Promise<number> {
  await done(context, sentence)
  if (context.format !== 'plain') await printProfile(context, shown)
  return 0
}

const use = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [name] = context.args
  refuse(context, name === undefined || name === '' ? [missingArgument(context, 'name')] : [])
  checkShape(context, profileView)
  const before = profileOf(readProfiles(context.io), name!)
  if (dry) return wouldDo(context, `use profile ${name!} from now on`, { current: name })
  const all = await changeProfiles(context.io, (profiles) => {
    profileOf(profiles, name!)
    return profiles.current === name ? profiles : { ...profiles, current: name! }
  })
  if ((context.io.env['SHIPX_PROFILE'] ?? '') !== '')
    await context.warn('SHIPX_PROFILE is set and overrides the current profile')
  else if (namedProfile(context.io, context.flags)?.by === 'project')
    await context.warn(`${findProject(context.io)!.path} names a profile, which overrides the current one here`)
  return told(context, `${name!} is the current profile: ${placeOf(before)}`, shownProfile(all, name!, before))
})

const placeOf = ({ base_url }: Profile): string => (base_url === undefined ? 'this computer' : safe(base_url))

/** The fields that a user can set, each with the check of its value. */
const settable: Readonly<
  Record<string, (value: string) => { readonly value: Partial<Profile> } | { readonly fault: string }>
> = {
  base_url: (typed) => {
    const read = readBaseUrl(typed)
    return 'fault' in read ? read : { value: { base_url: read.value } }
  },
  origin: (typed) => {
    const pincode = readPincode(typed)
    const fault = pincodeFault(pincode)
    return fault === undefined ? { value: { origin: pincode } } : { fault }
  },
  format: (typed) => {
    const format = formatNames.find((name) => name === typed)
    return format === undefined ? { fault: notOneOf(typed, formatNames, 'format') } : { value: { format } }
  },
  // A setting must not depend on the folder that shipx happens to run in.
  database: (typed) => ({ value: { database: isAbsolute(typed) ? typed : resolve(typed) } }),
  auth_scheme: (typed) =>
    typed === 'bearer' || typed === 'bare'
      ? { value: { auth_scheme: typed } }
      : { fault: notOneOf(typed, ['bearer', 'bare'], 'scheme') },
  // Several, while one takes the place of another.
  webhook_secret: (typed) =>
    typed.split(/\s+/).every(isSecret) ? { value: { webhook_secret: typed } } : { fault: secretFault },
}

/** The value of a field: a secret is read from standard input, since process lists and histories show the command. */
async function valueFor(context: Context, field: string | undefined, typed: string | undefined) {
  if (field !== 'webhook_secret' || typed === undefined || typed === '') return { value: typed }
  if (typed === '-') return { value: await secretLine(context, '<value>') }
  return { value: undefined, fault: { field: '<value>', message: 'is - for a secret, which comes on standard input' } }
}

const fieldNames = [...Object.keys(settable), 'warehouse.<name>']

/** The field that an argument names, with or without a profile in front: `acme.origin`, `warehouse.mumbai`. */
function readField(
  word: string,
): { readonly profile: string | undefined; readonly field: string; readonly alias: string | undefined } | string {
  const parts = word.split('.')
  const profile =
    parts[0] !== 'warehouse' && !Object.hasOwn(settable, parts[0]!) && parts.length > 1 ? parts.shift() : undefined
  const [field, alias, ...more] = parts
  if (/^(key|token|api_?key|key_\w+)$/i.test(field!)) return 'a key is not set here: shipx auth login'
  if (field === 'warehouse') {
    if (alias === undefined || more.length > 0 || !profileName(alias))
      return 'a warehouse needs a name of letters, digits, - and _: warehouse.mumbai'
    return { profile, field, alias }
  }
  if (!Object.hasOwn(settable, field!)) {
    const near = nearest(field!, [...Object.keys(settable), 'warehouse'])
    const guess = near === undefined ? `; one of: ${fieldNames.join(', ')}` : guessText(near)
    return `"${safe(field!.slice(0, 40))}" is not a field${guess}`
  }
  return alias === undefined ? { profile, field: field!, alias } : `${field!} has no parts`
}

/** Sets the field of the first argument to the second. */
export const set = verb({ dry_run: flag, profile: word }, async (context, options) => {
  const { io, flags } = context
  const [word, typed] = context.args
  const faults: Fault[] = []
  if (word === undefined || word === '')
    faults.push({ field: '<field>', message: `is required: ${fieldNames.join(', ')}` })
  if (typed === undefined)
    faults.push({ field: '<value>', message: 'is required; an empty one ("") removes the field' })
  const read = word === undefined || word === '' ? undefined : readField(word)
  if (typeof read === 'string') faults.push({ field: '<field>', message: read })
  const target = typeof read === 'object' ? read : undefined
  const { value, fault } = await valueFor(context, target?.field, typed)
  if (fault !== undefined) faults.push(fault)
  const flag = options.profile
  if (target?.profile !== undefined && flag !== undefined && flag !== target.profile)
    faults.push({ field: '--profile', message: `and ${safe(target.profile)} are two profiles; choose one` })
  const name = target?.profile ?? namedProfile(io, flags)?.name ?? 'default'
  if (!profileName(name)) faults.push(nameFault(target?.profile === undefined ? '--profile' : '<field>', name))
  const checked = target === undefined || value === undefined ? undefined : changeOf(target, value)
  if (checked !== undefined && 'fault' in checked)
    faults.push({ field: target!.alias === undefined ? target!.field : '<value>', message: checked.fault })
  refuse(context, faults)
  checkShape(context, profileView)
  const change = (profiles: Profiles): Profiles => {
    const before = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name]! : {}
    const after = (checked as { readonly apply: (profile: Profile) => Profile }).apply(before)
    refuseOtherOrigin(name, before, after)
    return { ...profiles, current: profiles.current ?? name, profiles: { ...profiles.profiles, [name]: after } }
  }
  if (options.dry_run) {
    const all = change(readProfiles(io))
    return wouldDo(context, `change profile ${name}`, { set: shownProfile(all, name, all.profiles[name]!) })
  }
  const all = await changeProfiles(io, change)
  const { field, alias } = target!
  const label = alias === undefined ? field : `${field}.${alias}`
  const shown = shownProfile(all, name, all.profiles[name]!)
  const now = alias === undefined ? shown[field] : all.profiles[name]!.warehouse?.[alias]
  return told(
    context,
    `${label} of profile ${name}${now == null ? ' is no longer set' : `: ${safe(String(now))}`}`,
    shown,
  )
})

/** The change that a field and a value mean, or the fault of the value. */
function changeOf(
  { field, alias }: { readonly field: string; readonly alias: string | undefined },
  value: string,
): { readonly apply: (profile: Profile) => Profile } | { readonly fault: string } {
  if (alias !== undefined) {
    if (value !== '' && !isWarehouseId(value)) return { fault: notAWarehouse }
    return {
      apply: ({ warehouse, ...rest }) => {
        const ids = Object.entries({ ...warehouse, [alias]: value }).filter(([, id]) => id !== '')
        return ids.length === 0 ? rest : { ...rest, warehouse: Object.fromEntries(ids) }
      },
    }
  }
  if (value === '')
    return { apply: (profile) => Object.fromEntries(Object.entries(profile).filter(([name]) => name !== field)) }
  const read = settable[field]!(value)
  return 'fault' in read ? read : { apply: (profile) => ({ ...profile, ...read.value }) }
}

/** A key belongs to its address: shipx neither moves it to another address nor deletes it unless the user asks. */
function refuseOtherOrigin(name: string, before: Profile, after: Profile): void {
  if (!holdsKey(before) || after.base_url === before.base_url) return
  if (after.base_url !== undefined && originOf(after.base_url) === before.key_origin) return
  const key = `a key for ${safe(before.key_origin ?? 'another address')}`
  throw invalid(
    [{ field: 'base_url', message: `profile ${name} holds ${key}, which is not sent anywhere else` }],
    after.base_url === undefined
      ? `shipx auth logout --profile ${name}`
      : `shipx auth login --profile ${name} --base-url ${after.base_url}, or shipx auth logout --profile ${name} first`,
  )
}

const remove = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const { io } = context
  const [name] = context.args
  refuse(context, name === undefined || name === '' ? [missingArgument(context, 'name')] : [])
  checkShape(context, profileView)
  const before = profileOf(readProfiles(io), name!)
  if (dry) return wouldDo(context, `remove profile ${name!}`, { remove: shownProfile(readProfiles(io), name!, before) })
  await confirm(context, `Remove profile ${name!}${holdsKey(before) ? ' and its key' : ''}`)
  await forgetKey(name!, before)
  const all = await changeProfiles(io, (profiles) => {
    profileOf(profiles, name!)
    const rest = Object.fromEntries(Object.entries(profiles.profiles).filter(([other]) => other !== name))
    const { current, ...others } = profiles
    // No other profile becomes current by itself: the next command would use another account.
    return { ...others, ...(current === undefined || current === name ? {} : { current }), profiles: rest }
  })
  const next = Object.keys(all.profiles).sort()[0]
  const other = next === undefined ? '' : `; another one: shipx profile use ${next}`
  const now =
    all.current !== undefined
      ? `${all.current} is current`
      : `no profile is current now, shipx works on this computer${other}`
  return told(context, `Removed profile ${name!}; ${now}`, shownProfile(all, name!, before))
})

export const verbs = {
  'profile list': list,
  'profile show': show,
  'profile use': use,
  'profile set': set,
  'profile remove': remove,
}
