// Finds names in a query that nothing in the account has: stores, couriers, warehouses, channels, SKUs, tags, cities.
// Refuses them with the nearest name and a list (docs/reference/errors.md).
import type { Query } from '../../domain/contract.ts'
import { invalid, ShipxError, type Fault } from '../../domain/errors.ts'
import { nearest } from '../../domain/nearest.ts'
import { cityKey } from '../../domain/read/places.ts'
import { absentNames, courierNames, namesThere, type NameKind } from '../../engine/records/absentnames.ts'
import type { Work } from '../../engine/database/port.ts'
import { cardInUse } from '../../engine/accounts/settings.ts'
import type { Context } from '../command/context.ts'
import { flagIn, type Kind } from './listing.ts'
import { safe } from '../terminal/safe.ts'
import type { Source } from '../source/source.ts'

/** The names in the filters of both listings. */
const named: Readonly<Record<string, NameKind>> = {
  store_name: 'store',
  carrier_id: 'courier',
  carrier_ids: 'courier',
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

/** How many names are compared to find the nearest, and how many are listed. */
const [most, listed] = [2000, 40]

/** A name in the account, and its other name. */
type There = readonly [name: string, about?: string]

const shown = ([name, about]: There): string => safe(about === undefined ? name : `${name} (${about})`)

function faultOf(field: string, what: NameKind, name: string, there: readonly There[]): Fault {
  const word = nearest(
    name,
    there.flat().filter((one) => one !== undefined),
  )
  const near = there.find((one) => one.includes(word))
  const names = there.slice(0, listed).map(shown).join(', ')
  const list = there.length === 0 ? '' : `\nOne of: ${names}${there.length > listed ? ', …' : ''}`
  const none = there.length === 0 ? '; there is none yet' : '.'
  const guess = near === undefined ? '' : ` Did you mean ${shown(near)}?`
  const message = `"${safe(name.slice(0, 60))}" isn't ${nouns[what]} of this account${none}${guess}${list}`
  return { field, message }
}

/** Couriers on the card in use also belong to the account; a mirror's account has no card of its own. */
const quoted = (source: Source): boolean => source.mirror === undefined

function* therein(account: number, what: NameKind, source: Source): Work<readonly There[]> {
  const names = yield* namesThere(account, what, most)
  if (what !== 'courier') return names.map((name): There => [name])
  const known = new Map<string, string | undefined>(names.map((id) => [id, undefined]))
  for (const [id, name] of yield* courierNames(account, names)) known.set(id, name)
  if (quoted(source))
    for (const { carrier_id, carrier_name } of (yield* cardInUse(account)).services) known.set(carrier_id, carrier_name)
  return [...known].map(([id, name]): There => (name === undefined ? [id] : [id, name]))
}

/**
 * Throws `invalid_input` for names in a query that nothing in the engine's account has; the lookup uses existing
 * indexes. Throws `not_supported` for a mirror that cannot know. Does not ask a deployment: see `refuseAbsentStores`.
 */
export async function refuseAbsent<R>(context: Context, kind: Kind<R>, source: Source, input: Query): Promise<void> {
  const { engine } = source
  // A mirror refuses what it cannot know at all with another error.
  source.check?.(kind.endpoint === 'listShipments' ? 'shipments' : 'returns', input)
  // A warehouse with a name in the profile is known: the user entered it.
  const aliased = new Set(Object.values(context.profile()?.profile.warehouse ?? {}))
  const asked = Object.entries(input).flatMap(([field, value]) => {
    const what = named[field]
    const typed = [value].flat().filter((name): name is string => typeof name === 'string' && !aliased.has(name))
    const names = what === 'city' ? typed.map((name) => cityKey(name) ?? name) : typed
    return what === undefined || names.length === 0 ? [] : [{ field, what, names }]
  })
  if (engine === undefined || asked.length === 0) return
  const faults = await engine.database.read(function* () {
    const { account } = engine
    const found: Fault[] = []
    for (const { field, what, names } of asked) {
      const absent = yield* absentNames(account, what, names)
      if (absent.length === 0) continue
      const there = yield* therein(account, what, source)
      // A courier of the card may have no parcel yet.
      for (const name of absent)
        if (!there.some(([known]) => known === name))
          found.push(faultOf(flagIn(context, kind, field), what, name, there))
    }
    return found
  })
  if (faults.length > 0) throw invalid(faults)
}

/**
 * The same for the stores in a query that a deployment answered with no records. The deployment can list its connected
 * stores, and the records of any store. Throws `invalid_input`; a failed lookup there is not a fault.
 */
export async function refuseAbsentStores<R>(
  context: Context,
  kind: Kind<R>,
  source: Source,
  input: Query,
): Promise<void> {
  const { remote, service } = source
  const { store_name } = input
  if (remote === undefined || store_name === undefined) return
  const faults: Fault[] = []
  try {
    const there = (await service.listStores({})).data.map((store): There => [store.store_name ?? ''])
    const absent = store_name.filter((name) => !there.some(([known]) => known === name))
    for (const name of absent) {
      const { meta } = await service[kind.endpoint]({ store_name: [name], per_page: 1 } as never)
      if (meta.total === 0) faults.push(faultOf(flagIn(context, kind, 'store_name'), 'store', name, there))
    }
  } catch (error) {
    if (!(error instanceof ShipxError)) throw error
    await context.debug(`shipx could not list the stores: ${error.message}`)
    return
  }
  if (faults.length > 0) throw invalid(faults)
}
