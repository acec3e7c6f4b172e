// Finds names in a query that nothing in the account has: stores, warehouses, channels, SKUs, tags, cities. Refuses
// them with the nearest name and a list (docs/reference/errors.md).
import type { Query } from '../../domain/contract.ts'
import { invalid, ShipxError, type Fault } from '../../domain/errors.ts'
import { nearest } from '../../domain/nearest.ts'
import { cityKey, formerCities } from '../../domain/read/places.ts'
import { absentNames, namesThere, type NameKind } from '../../engine/records/absentnames.ts'
import { maxPerPage } from '../../domain/page.ts'
import type { Context } from '../command/context.ts'
import { flagIn, type Kind } from './listing.ts'
import { safe } from '../terminal/safe.ts'
import type { Source } from '../source/source.ts'
import { recentNames, recordsNaming, type There } from './recentnames.ts'

/** The names in the filters of both listings, but those of couriers, which are words (couriers.ts). */
const named: Readonly<Record<string, NameKind>> = {
  store_name: 'store',
  warehouse_id: 'warehouse',
  warehouse_ids: 'warehouse',
  channel: 'channel',
  sku: 'sku',
  tags: 'tag',
  city: 'city',
}

const nouns: Readonly<Record<NameKind, string>> = {
  store: 'a store',
  courier: 'a courier',
  warehouse: 'a warehouse',
  channel: 'a channel',
  sku: 'an SKU',
  tag: 'a tag',
  city: 'a city',
}

/** How many names are compared to find the nearest. */
export const mostNames = 2000

/** How many names a fault lists. */
const listed = 40

const shown = ([name, about]: There): string => safe(about === undefined ? name : `${name} (${about})`)

/** The word that a name most likely meant: of a city also its name of today, and the nearest to a name that it had. */
function nearTo(what: NameKind, name: string, words: readonly string[]): string | undefined {
  if (what !== 'city') return nearest(name, words)
  const former = formerCities[name] ?? formerCities[nearest(name, Object.keys(formerCities)) ?? '']
  return former !== undefined && words.includes(former) ? former : nearest(name, words)
}

/** Where a deployment has no such name: shipx knows the name of a courier by what it saw. */
const inRecords = (what: NameKind): string =>
  what === 'courier'
    ? `in the newest ${maxPerPage} records of this account, nor the id of one: give its id`
    : 'in any record of this account'

/**
 * The fault of a name that nothing has, with the nearest of those there and a list. `recorded`: only records show what
 * is there. `more` are other words for those there.
 */
export function absentFault(
  field: string,
  what: NameKind,
  name: string,
  there: readonly There[],
  recorded: boolean,
  more: readonly string[] = [],
): Fault {
  const words = there.flat().filter((one) => one !== undefined)
  const near = nearTo(what, name, [...words, ...more])
  const known = there.find((one) => one.includes(near))
  const guessed = known === undefined ? near : shown(known)
  const names = there.slice(0, listed).map(shown).join(', ')
  const list = there.length === 0 ? '' : `\nOne of: ${names}${there.length > listed || recorded ? ', …' : ''}`
  const none = there.length === 0 && !recorded ? '; there is none yet' : '.'
  const guess = guessed === undefined ? '' : ` Did you mean ${guessed}?`
  const where = recorded && what !== 'store' ? inRecords(what) : 'of this account'
  const message = `"${safe(name.slice(0, 60))}" isn't ${nouns[what]} ${where}${none}${guess}${list}`
  return { field, message }
}

/** Each field of a query that holds names, with its names. */
function namesIn(context: Context, input: Query) {
  // A warehouse with a name in the profile is known: the user entered it.
  const aliased = new Set(Object.values(context.profile()?.profile.warehouse ?? {}))
  return Object.entries(input).flatMap(([field, value]) => {
    const what = named[field]
    const typed = [value].flat().filter((name): name is string => typeof name === 'string' && !aliased.has(name))
    const names = what === 'city' ? typed.map((name) => cityKey(name) ?? name) : typed
    return what === undefined || names.length === 0 ? [] : [{ field, what, names }]
  })
}

/** The faults of names in a query that nothing in the engine's account has; the lookup uses existing indexes. */
export async function absentHere<R>(
  context: Context,
  kind: Kind<R>,
  { engine }: Source,
  input: Query,
): Promise<readonly Fault[]> {
  const asked = namesIn(context, input)
  if (engine === undefined || asked.length === 0) return []
  const { account, database } = engine
  return database.read(function* () {
    const found: Fault[] = []
    for (const { field, what, names } of asked) {
      const absent = yield* absentNames(account, what, names)
      if (absent.length === 0) continue
      const there = (yield* namesThere(account, what, mostNames)).map((name): There => [name])
      found.push(...absent.map((name) => absentFault(flagIn(context, kind, field), what, name, there, false)))
    }
    return found
  })
}

/** The field of the other listing for the same names. */
const elsewhere: Readonly<Record<string, string>> = {
  store_name: 'store_name',
  warehouse_id: 'warehouse_ids',
  warehouse_ids: 'warehouse_id',
  channel: 'channel',
  sku: 'sku',
  city: 'city',
}

/**
 * Throws `invalid_input` for names in a query that a deployment answered with no records, and that it has nowhere: no
 * store, shipment or return there has them. A failed lookup there is not a fault.
 */
export async function refuseAbsentThere<R>(
  context: Context,
  kind: Kind<R>,
  source: Source,
  input: Query,
): Promise<void> {
  if (source.remote === undefined) return
  const other = kind.endpoint === 'listShipments' ? 'listReturns' : 'listShipments'
  const faults: Fault[] = []
  try {
    for (const { field, what, names } of namesIn(context, input)) {
      const stores = what === 'store' ? (await source.service.listStores({})).data : []
      for (const name of names) {
        if (stores.some((store) => store.store_name === name)) continue
        const counts = [await recordsNaming(source, kind.endpoint, field, name)]
        const twin = elsewhere[field]
        if (counts[0] === 0 && twin !== undefined) counts.push(await recordsNaming(source, other, twin, name))
        if (counts.some((count) => count !== 0)) continue
        const there = what === 'store' ? stores.map((store): There => [store.store_name]) : undefined
        const list = there ?? (await recentNames(kind, source))[what]
        faults.push(absentFault(flagIn(context, kind, field), what, name, list, there === undefined))
      }
    }
  } catch (error) {
    if (!(error instanceof ShipxError)) throw error
    await context.debug(`shipx could not look up the names: ${error.message}`)
    return
  }
  if (faults.length > 0) throw invalid(faults)
}
