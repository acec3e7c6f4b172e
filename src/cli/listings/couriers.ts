// Couriers as people name them, by id, code or part of the name: the ids that a query means, and the one of an order.
import type { Query } from '../../domain/contract.ts'
import { invalid, ShipxError, type Fault } from '../../domain/errors.ts'
import { couriersMeant, type CourierNames } from '../../domain/rates/pick.ts'
import { cardInUse } from '../../engine/accounts/ratecards.ts'
import type { Work } from '../../engine/database/port.ts'
import { absentNames, courierNames, namesThere } from '../../engine/records/absentnames.ts'
import type { Context } from '../command/context.ts'
import { text } from '../command/flags.ts'
import { keepCouriers } from '../help/names.ts'
import { namesFor } from '../help/offered.ts'
import { withSource } from '../source/open.ts'
import type { Source } from '../source/source.ts'
import { istDate } from '../../domain/time.ts'
import { safe } from '../terminal/safe.ts'
import { databaseThere } from '../config/paths.ts'
import type { Outcome } from '../../domain/read/typed.ts'
import { absentFault, mostNames } from './absentnames.ts'
import { flagIn, type Kind } from './listing.ts'
import { recentNames, recordsNaming, type There } from './recentnames.ts'

/** The field of each listing that holds ids of couriers. */
const fields = { listShipments: 'carrier_id', listReturns: 'carrier_ids' } as const

const named = (id: string, name = ''): CourierNames => ({ carrier_id: id, carrier_code: '', carrier_name: name })

/** A courier as a list of names shows it: its name, then its id. */
const shown = ({ carrier_id: id, carrier_name: name }: CourierNames): There => (name === '' ? [id] : [name, id])

/** The couriers of an account's records, and on this computer those of its card in use; one may be there twice. */
function* couriersOf(account: number, { mirror }: Source, day: string): Work<readonly CourierNames[]> {
  const ids = yield* namesThere(account, 'courier', mostNames)
  const names = yield* courierNames(account, ids)
  const own = mirror === undefined ? (yield* cardInUse(account, day)).services : []
  return [...ids.map((id) => named(id, names.get(id))), ...own]
}

/** The couriers that shipx has seen at a deployment, in answers of earlier commands. */
const seenThere = async (context: Context): Promise<readonly CourierNames[]> =>
  (await namesFor('couriers', context)).map(([id, name]) => named(id, name))

/** The couriers of a deployment as far as shipx can know them: those that it has seen, and those of a recent page. */
async function couriersAt<R>(context: Context, kind: Kind<R>, source: Source): Promise<readonly CourierNames[]> {
  const recent = (await recentNames(kind, source)).courier.map(([id, name]) => named(id, name))
  keepCouriers(context, recent, 'some')
  return [...recent, ...(await seenThere(context))]
}

/** The ids that words mean, and the words that mean none. */
interface Meant {
  readonly ids: readonly string[]
  readonly absent: readonly string[]
  readonly there: readonly CourierNames[]
  /** The words that are only a part of names, each with the couriers that it was taken for. */
  readonly parts: readonly (readonly [word: string, couriers: readonly CourierNames[]])[]
}

function meantBy(words: readonly string[], there: readonly CourierNames[], known: ReadonlySet<string>): Meant {
  const found = words.map((word) => (known.has(word) ? [named(word)] : couriersMeant(word, there)))
  const parts = words.flatMap((word, i) => {
    const one = found[i]!
    const part = one.length > 0 && !one.some(({ carrier_id: id, carrier_name: name }) => same(word, id, name))
    return part ? [[word, one] as const] : []
  })
  const ids = new Set(found.flat().map(({ carrier_id }) => carrier_id))
  return { ids: [...ids], absent: words.filter((_, i) => found[i]!.length === 0), there, parts }
}

const same = (word: string, id: string, name: string): boolean =>
  id === word || name.toLowerCase() === word.toLowerCase()

/** How many couriers a note names. */
const noted = 10

/** Says which couriers words were taken for, where shipx cannot know them all. */
async function noteParts(context: Context, flag: string, { parts }: Meant): Promise<void> {
  for (const [word, couriers] of parts) {
    const names = [...new Map(couriers.map((one) => [one.carrier_id, one.carrier_name])).values()].toSorted()
    const more = names.length > noted ? ` and ${names.length - noted} more` : ''
    const list = names.slice(0, noted).map((name) => safe(name))
    await context.note(
      `${flag} ${safe(word)}: ${list.join(', ')}${more}, of the couriers that shipx has seen at the service`,
    )
  }
}

async function meantHere(source: Source, words: readonly string[], day: string): Promise<Meant> {
  const { database, account } = source.engine!
  return database.read(function* () {
    const absent = yield* absentNames(account, 'courier', words)
    const known = new Set(words.filter((word) => !absent.includes(word)))
    return meantBy(words, absent.length === 0 ? [] : yield* couriersOf(account, source, day), known)
  })
}

async function meantThere<R>(
  context: Context,
  kind: Kind<R>,
  source: Source,
  words: readonly string[],
): Promise<Meant> {
  const seen = new Set((await seenThere(context)).map(({ carrier_id }) => carrier_id))
  if (words.every((word) => seen.has(word))) return meantBy(words, [], seen)
  const there = await couriersAt(context, kind, source)
  const first = meantBy(words, there, seen)
  // An id that no recent record has: only the deployment knows.
  const ids: string[] = []
  for (const word of first.absent)
    if ((await recordsNaming(source, kind.endpoint, fields[kind.endpoint], word)) !== 0) ids.push(word)
  return { ...first, ids: [...first.ids, ...ids], absent: first.absent.filter((word) => !ids.includes(word)) }
}

/** A query with the ids of the couriers that it names, and a fault for each that nothing there has. */
export async function withCourierIds<R>(
  context: Context,
  kind: Kind<R>,
  source: Source,
  input: Query,
): Promise<{ readonly input: Query; readonly faults: readonly Fault[] }> {
  const field = fields[kind.endpoint]
  const words = (input as Readonly<Record<string, readonly string[] | undefined>>)[field] ?? []
  if (words.length === 0) return { input, faults: [] }
  const meant =
    source.engine === undefined
      ? await meantThere(context, kind, source, words)
      : await meantHere(source, words, istDate(context.io.host.now()))
  const { ids, absent, there } = meant
  const flag = flagIn(context, kind, field)
  if (source.engine === undefined && absent.length === 0) await noteParts(context, flag, meant)
  const list = [...new Map(there.map((courier) => [courier.carrier_id, shown(courier)])).values()]
  const codes = there.map(({ carrier_code: code }) => code).filter((code) => code !== '')
  return {
    input: { ...input, [field]: ids },
    faults: absent.map((word) => absentFault(flag, 'courier', word, list, source.remote !== undefined, codes)),
  }
}

/** The names of the couriers whose ids a query holds, as far as the source's records or earlier answers have them. */
export async function namesOfCouriers<R>(
  context: Context,
  kind: Kind<R>,
  { engine, mirror }: Source,
  input: Query,
): Promise<ReadonlyMap<string, string>> {
  const ids = (input as Readonly<Record<string, readonly string[] | undefined>>)[fields[kind.endpoint]] ?? []
  if (ids.length === 0) return new Map()
  if (engine === undefined) return new Map((await seenThere(context)).map((one) => [one.carrier_id, one.carrier_name]))
  const { database, account } = engine
  return database.read(function* () {
    const services = mirror === undefined ? (yield* cardInUse(account, istDate(context.io.host.now()))).services : []
    const own = services.map((one) => [one.carrier_id, one.carrier_name] as const)
    return new Map([...own, ...(yield* courierNames(account, ids))])
  })
}

/**
 * The id of the one courier that a word means for an order; the word itself where shipx knows none, since the service
 * refuses it then. Throws `invalid_input` for a word that means several.
 */
export async function courierFor(context: Context, word: string): Promise<string> {
  const read = meantOne(word, await couriersForOrders(context, word))
  if ('value' in read) return read.value
  const flag = text(context.flags, 'courier') === undefined ? '--carrier-id' : '--courier'
  throw invalid([{ field: flag, message: read.fault }])
}

/** The id of the one courier that a word means, the word itself where it means none; a fault where it means several. */
function meantOne(word: string, there: readonly CourierNames[]): Outcome<string> {
  const meant = new Map(couriersMeant(word, there).map((courier) => [courier.carrier_id, shown(courier)]))
  if (meant.size <= 1) return { value: [...meant.keys()][0] ?? word }
  const all = [...meant.values()].map(([name, id]) => safe(id === undefined ? name : `${name} (${id})`))
  return { fault: `"${safe(word)}" is part of several names: ${all.join(', ')}` }
}

/**
 * The reader of a sheet's couriers on this computer, which may be named as in --courier; undefined for an account at a
 * service, which judges the ids.
 */
export async function courierReader(context: Context): Promise<((word: string) => Outcome<string>) | undefined> {
  const own = (await context.target()).kind === 'embedded' && !context.flags.has('template')
  if (!own || !databaseThere(context)) return undefined
  const there = await couriersForOrders(context, '')
  return (word) => meantOne(word, there)
}

async function couriersForOrders(context: Context, word: string): Promise<readonly CourierNames[]> {
  const own = context.command.local === true || (await context.target()).kind === 'embedded'
  if (own) {
    const { withEngine } = await import('../source/engine.ts')
    return withEngine(
      context,
      'read',
      async ({ database, account }) =>
        (await database.read(() => cardInUse(account, istDate(context.io.host.now())), 'single')).services,
    )
  }
  const seen = await seenThere(context)
  if (seen.some(({ carrier_id }) => carrier_id === word)) return seen
  const { shipmentKind } = await import('./listing.ts')
  return withSource(context, 'read', (source) => couriersAt(context, shipmentKind, source)).catch((error: unknown) => {
    // The order itself shows whether the deployment can be reached.
    if (error instanceof ShipxError) return seen
    throw error
  })
}
