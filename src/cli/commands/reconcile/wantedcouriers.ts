// The couriers that --courier of a list about money means: by id, code or part of the name, as in lists of shipments.
import { invalid } from '../../../domain/errors.ts'
import { courierKey } from '../../../domain/money/policies.ts'
import { couriersMeant, type CourierNames } from '../../../domain/rates/pick.ts'
import { disputeCouriers, documentCouriers, parcelCouriers } from '../../../engine/money/couriers.ts'
import type { Context } from '../../command/context.ts'
import { absentFault } from '../../listings/absentnames.ts'
import type { There } from '../../listings/recentnames.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { safe } from '../../terminal/safe.ts'
import { versionsNamed } from '../ratecards/cards.ts'

/** A courier of which only the name is known. */
const named = (name: string): CourierNames => ({ carrier_id: '', carrier_code: '', carrier_name: name })

/** The names that a word means among couriers; `Blue-Dart` is the whole name of `Blue Dart`. */
function meantIn(word: string, couriers: readonly CourierNames[]): readonly string[] {
  const key = courierKey(word)
  const same = couriers.filter(
    (one) => one.carrier_name === word || (key !== '' && courierKey(one.carrier_name) === key),
  )
  const found = same.length > 0 || word === '' ? same : couriersMeant(word, couriers)
  return [...new Set(found.map(({ carrier_name: name }) => name))]
}

/** The names that a word of --courier means among these; '' is the name of no courier. */
export const namesMeant = (word: string, names: readonly string[]): readonly string[] =>
  meantIn(word.trim(), names.map(named))

/** The couriers of an account's kept documents, its parcels and its rate card. */
async function couriersHere(context: Context, place: BesidePlace | undefined): Promise<readonly CourierNames[]> {
  const card = (await versionsNamed(context, undefined)).flatMap(({ services }) => services)
  if (place === undefined) return card
  const { database, account } = place
  const [kept, parcels] = await database.read(function* () {
    return [yield* documentCouriers(account), yield* parcelCouriers(database.dialect, account)] as const
  })
  return [...kept.map(named), ...parcels.map(({ id, name }) => ({ ...named(name), carrier_id: id ?? '' })), ...card]
}

/**
 * The names of the couriers that a word of --courier means: those of what is listed (`listed`) first, else those of the
 * account, which may have nothing in the list. Throws `invalid_input` for a word that means no courier here.
 */
export async function couriersWanted(
  context: Context,
  place: BesidePlace | undefined,
  word: string,
  listed: readonly string[],
): Promise<readonly string[]> {
  const wanted = word.trim()
  const own = namesMeant(wanted, listed)
  if (own.length > 0 || wanted === '') return own.length > 0 ? own : ['']
  const all = await couriersHere(context, place)
  const found = meantIn(wanted, all)
  if (found.length > 0) {
    // A code or an id leads to a name, and what is listed may have more than that name.
    const more = found.flatMap((name) => namesMeant(name, listed))
    return [...new Set([...found, ...more])]
  }
  // Several with commas, unless a name has one itself.
  if (wanted.includes(',')) {
    const each: string[] = []
    for (const one of wanted.split(',')) each.push(...(await couriersWanted(context, place, one, listed)))
    return [...new Set(each)]
  }
  const there = [...new Set([...listed, ...all.map(({ carrier_name: name }) => name)])]
    .filter((name) => name !== '')
    .toSorted()
  const codes = all.map(({ carrier_code: code }) => code).filter((code) => code !== '')
  const names = there.map((name): There => [name])
  throw invalid([absentFault('--courier', 'courier', wanted, names, false, codes)])
}

/** The names of couriers in kept disputes. */
export const couriersOfDisputes = async (place: BesidePlace | undefined): Promise<readonly string[]> =>
  (await place?.database.read(() => disputeCouriers(place.account), 'single')) ?? []

/** The one courier that a word of --courier means. Throws `invalid_input` also for a word that means several. */
export async function courierWanted(
  context: Context,
  place: BesidePlace | undefined,
  word: string,
  listed: readonly string[],
): Promise<string> {
  const found = await couriersWanted(context, place, word, listed)
  if (new Set(found.map(courierKey)).size === 1) return found[0]!
  const all = found.map((name) => safe(name)).join(', ')
  throw invalid([{ field: '--courier', message: `"${safe(word)}" is part of several names: ${all}` }])
}
