// `shipx ratecard versions|remove`: the versions of a rate card by day, and a card that is no longer needed.
import { invalid } from '../../../domain/errors.ts'
import { daysOf, firstDay, noFirstDay, versionOn } from '../../../domain/rates/cardversions.ts'
import type { RateCard } from '../../../domain/rates/ratecard.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import { addDays } from '../../../domain/time.ts'
import {
  cardVersions,
  listCards,
  removeCard,
  removeVersion,
  usedName,
  type RemovedVersion,
} from '../../../engine/accounts/ratecards.ts'
import type { Work } from '../../../engine/database/port.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { confirm } from '../../ask/confirm.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { printList, printOne } from '../../output/printer.ts'
import { plainView } from '../../output/views.ts'
import { rehearse, withEngine } from '../../source/engine.ts'
import { here } from '../../source/place.ts'
import { safe } from '../../terminal/safe.ts'
import { reading, today, versionNamed, versionsNamed } from './cards.ts'

/** A version as the list shows it; days in IST, null for no limit. */
interface VersionLine extends Record<string, unknown> {
  readonly name: string
  readonly valid_from: string | null
  readonly valid_to: string | null
  readonly today: boolean
  readonly services: number
  readonly note: string
}

const versionView = plainView<VersionLine>(['version', 'versions'], (line) => line.valid_from ?? '', [
  'name',
  'valid_from',
  'valid_to',
  'today',
  'services',
  'note',
])

async function versions(context: Context): Promise<number> {
  refuse(context, [])
  const all = await versionsNamed(context, context.args[0])
  const now = versionOn(all, today(context))
  const lines = all.map((card) => ({
    name: card.name,
    valid_from: card.valid_from,
    valid_to: card.valid_to,
    today: card === now,
    services: card.services.length,
    note: card.note ?? '',
  }))
  await printList(context, versionView, lines)
  return 0
}

/** The versions of a card on this computer; none for a new name. */
export const knownVersions = (context: Context, name: string): Promise<readonly RateCard[]> =>
  reading<readonly RateCard[]>(
    context,
    ({ database, account }) =>
      database.read(function* () {
        const there = (yield* listCards(account)).some((card) => card.name === name)
        return there ? yield* cardVersions(account, name) : []
      }),
    () => [],
  )

/** The name of the card that quotes on this computer use. */
export const nameInUse = (context: Context): Promise<string> =>
  reading(
    context,
    ({ database, account }) => database.read(() => usedName(account)),
    () => sampleCard.name,
  )

/** Refuses a card without a first day where another version would have to be meant. */
export function refuseUndated(card: RateCard, known: readonly RateCard[]): void {
  if (card.valid_from !== null || known.length === 0 || (known.length === 1 && firstDay(known[0]!) === '')) return
  const days = known.map(({ valid_from: from }) => from ?? `the ${noFirstDay}`).join(', ')
  const message = `is required: ${safe(card.name)} has versions from ${days}`
  throw invalid([{ field: '--valid-from', message }], 'for example --valid-from 2026-10-01')
}

/** The first day of a card that is imported, and what becomes of the versions that are there, in words. */
export function versionTexts(
  card: RateCard,
  known: readonly RateCard[],
): { readonly from: string; readonly after: string } {
  const from = firstDay(card)
  if (from === '') return { from: '', after: '' }
  const same = known.some((version) => firstDay(version) === from)
  const before = known.some((version) => firstDay(version) < from && (version.valid_to ?? from) >= from)
  const after = same ? '; it replaces that version' : before ? `; the version before ends on ${addDays(from, -1)}` : ''
  return { from: ` from ${from}`, after }
}

const remove = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [word] = context.args
  refuse(context, word === undefined ? [missingArgument(context, 'card')] : [])
  const version = versionNamed(word!, '<card>')
  if (version !== undefined) return removeOne(context, version, dry)
  await rehearse(context, ({ account }) => removeCard(account, word!))
  if (dry) return wouldDo(context, `remove rate card ${word!} ${here(context)}`, { remove: word })
  await confirm(context, `Remove rate card ${safe(word!)} with all its versions ${here(context)}`)
  return withEngine(context, 'write', async (engine) => {
    await engine.database.write(() => removeCard(engine.account, word!))
    await done(context, `Removed rate card ${safe(word!)} ${here(context)}`)
    await printOne(context, { name: word, removed: true }, word!)
    return 0
  })
})

/** Removes the version that begins on a day, after a question that names its days. */
async function removeOne(context: Context, version: { name: string; day: string }, dry: boolean): Promise<number> {
  const { name, day: from } = version
  const moment = { now: context.io.host.now(), day: today(context) }
  const work = (account: number): Work<RemovedVersion> => removeVersion(account, name, from, moment)
  const { gone, instead } = await rehearse(context, ({ account }) => work(account))
  const what = `the version of rate card ${safe(name)} ${daysOf(gone)} ${here(context)}`
  const next =
    instead === undefined
      ? 'no version is valid on these days then'
      : `the version ${instead.valid_from === null ? 'before' : daysOf({ ...instead, valid_to: null })} is valid then`
  if (dry) return wouldDo(context, `remove ${what}; ${next}`, { remove: name, valid_from: gone.valid_from })
  await confirm(context, `Remove ${what} (${next})`)
  return withEngine(context, 'write', async (engine) => {
    await engine.database.write(() => work(engine.account))
    await done(context, `Removed ${what}; ${next}`)
    await printOne(context, { name, removed: true, valid_from: gone.valid_from }, name)
    return 0
  })
}

export const verbs = { 'ratecard versions': versions, 'ratecard remove': remove }
