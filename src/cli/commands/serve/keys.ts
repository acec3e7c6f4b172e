// `shipx keys create|list|revoke`: the keys of the service's accounts, in the engine's own database.
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { dayMs, isoOf } from '../../../domain/time.ts'
import { createKey, listKeys, revokeKey, type KeyEntry } from '../../../engine/accounts/keys.ts'
import { accountNamed, findAccount } from '../../../engine/accounts/settings.ts'
import { confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine } from '../../source/engine.ts'
import { flag, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { checkShape, printList, printRecord } from '../../output/printer.ts'
import { jsonText, safe } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'
import { here } from '../../source/place.ts'

interface Shown extends Record<string, unknown> {
  readonly id: string
}

const view = plainView<Shown>(['key', 'keys'], (key) => key.id, [
  'id',
  'account',
  'label',
  'ending',
  'access',
  'state',
  'created_at',
  'expires_at',
])

/** A key as shipx shows it: times as ISO 8601, its permissions, and whether it still works. */
const shown = (entry: KeyEntry, now: number): Shown => ({
  id: entry.id,
  account: entry.account,
  label: entry.label,
  ending: entry.ending,
  access: entry.read_only === 1 ? 'read-only' : 'full',
  state:
    entry.revoked_at !== null ? 'revoked' : entry.expires_at !== null && entry.expires_at <= now ? 'expired' : 'valid',
  created_at: isoOf(entry.created_at),
  expires_at: entry.expires_at === null ? null : isoOf(entry.expires_at),
})

/** The longest life of a key, days: more is a typing mistake. */
const mostDays = 3650

const createOptions = { read_only: flag, dry_run: flag, label: word, expires: word }

const create = verb(createOptions, async (context, options) => {
  const { io } = context
  const [account] = context.args
  const faults: Fault[] = []
  if (account === undefined || account === '') faults.push(missingArgument(context, 'account'))
  else if (!/^[A-Za-z0-9._@-]{1,100}$/.test(account))
    faults.push({
      field: '<account>',
      message: `"${safe(account.slice(0, 40))}" is not an account name; write letters, digits and . _ @ -`,
    })
  const label = options.label
  if (label !== undefined && !/^[^\p{Cc}]{1,100}$/u.test(label))
    faults.push({ field: '--label', message: 'is 1 to 100 characters of one line' })
  const expires = options.expires
  const days = /^([1-9]\d{0,3})d$/.exec(expires ?? '')?.[1]
  if (expires !== undefined && (days === undefined || Number(days) > mostDays))
    faults.push({
      field: '--expires',
      message: `"${expires.slice(0, 20)}" is not a number of days up to ${mostDays}d, for example 90d`,
    })
  if (context.format !== 'plain' && context.format !== 'json')
    faults.push({ field: `--${context.format}`, message: 'does not go with a new key; leave it out or use --json' })
  refuse(context, faults)
  const expires_at = days === undefined ? undefined : io.host.now() + Number(days) * dayMs
  const wish = {
    ...(label === undefined ? {} : { label }),
    ...(expires_at === undefined ? {} : { expires_at }),
    read_only: options.read_only,
  }
  if (options.dry_run)
    return wouldDo(context, `create a key of account ${account!} ${here(context)}`, { account, ...wish })
  return withEngine(context, 'write', async ({ database }) => {
    const { key, entry } = await database.write(function* () {
      return yield* createKey(yield* accountNamed(account!, io.host.now()), wish, io.host)
    })
    const may = entry.read_only === 1 ? 'read-only, ' : ''
    const end = expires_at === undefined ? 'without an end' : `until ${isoOf(expires_at)}`
    await done(
      context,
      `Created key ${entry.id} of account ${safe(account!)} ${here(context)}, ${may}${end}. It is shown this once:`,
    )
    await io.stdout.write(
      context.format === 'json' ? `${jsonText({ data: { ...shown(entry, io.host.now()), key } })}\n` : `${key}\n`,
    )
    return 0
  })
})

const list = verb({ account: word }, async (context, options) => {
  const name = options.account
  refuse(context, [])
  checkShape(context, view)
  return withEngine(context, 'read', async ({ database }) => {
    const found = await database.read(function* () {
      const account = name === undefined ? undefined : yield* findAccount(name)
      return yield* listKeys(account)
    })
    const records = found.map((entry) => shown(entry, context.io.host.now()))
    await printList(context, view, records, 'No keys yet. Make one: shipx keys create default')
    return 0
  })
})

const revoke = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [id] = context.args
  refuse(context, id === undefined || id === '' ? [missingArgument(context, 'key')] : [])
  if (id!.startsWith('sxk_'))
    throw new ShipxError('not_found', 'this is the key itself; name its id', { hint: 'shipx keys list' })
  checkShape(context, view)
  return withEngine(context, dry ? 'read' : 'write', async ({ database }) => {
    const known = (await database.read(() => listKeys())).find((entry) => entry.id === id)
    if (dry) {
      if (known === undefined)
        throw new ShipxError('not_found', `there is no key ${safe(id!)}`, { hint: 'shipx keys list' })
      return wouldDo(context, `revoke key ${id!} ${here(context)}`, { revoke: id })
    }
    if (known !== undefined && known.revoked_at === null)
      await confirm(
        context,
        `Revoke key ${known.id} of account ${safe(known.account)} (anyone using it loses access at once)`,
      )
    const entry = await database.write(() => revokeKey(id!, context.io.host.now()))
    await done(context, `Revoked key ${entry.id} of account ${safe(entry.account)} ${here(context)}`)
    if (context.format !== 'plain') {
      await printRecord(context, view, shown(entry, context.io.host.now()))
    }
    return 0
  })
})

export const verbs = { 'keys create': create, 'keys list': list, 'keys revoke': revoke }
