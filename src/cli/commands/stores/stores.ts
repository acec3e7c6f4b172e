// `shipx stores …`: lists, shows and changes stores through the service.
import { basename } from 'node:path'
import { contract, basePath } from '../../../domain/contract.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { nearest, guessText } from '../../../domain/nearest.ts'
import { parseInput } from '../../../domain/parse.ts'
import { maxLogoBytes, type Logo, type Store } from '../../../domain/stores.ts'
import { listStores, logoType, setStoreStatus } from '../../../engine/accounts/stores.ts'
import { confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import type { Context } from '../../command/context.ts'
import { text } from '../../command/flags.ts'
import { databaseThere } from '../../config/paths.ts'
import { collect, flagFor, refuse } from '../../command/faults.ts'
import { readBytes } from '../../files/userfiles.ts'
import { rawInput, type Raw } from '../../args/input.ts'
import { flag, limit, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { withoutName } from '../../source/mirrorstate.ts'
import { keepNames, keepStores } from '../../help/names.ts'
import { checkShape, printer, printRecord } from '../../output/printer.ts'
import { safe } from '../../terminal/safe.ts'
import { isRemote, withSource } from '../../source/open.ts'
import { engineOf, type Source } from '../../source/source.ts'
import { storeView } from '../../output/views.ts'
import { where } from '../../source/place.ts'

const list = verb({ limit: limit(Infinity), all: flag }, async (context, { limit, all }) => {
  refuse(context, [])
  checkShape(context, storeView)
  return withSource(context, 'read', async (source) => {
    if (all) engineOf(source, 'stores list --all')
    const out = printer(context, storeView)
    let [left, first] = [limit, true]
    for await (const stores of walk(source, all)) {
      // Completion offers the first of them.
      if (first) keepStores(context, stores)
      if (first && stores.length === 0)
        await context.note('No stores yet. Create one: shipx stores create --name acme-kids --brand "Acme Kids"')
      first = false
      const shown = stores.slice(0, left)
      if (shown.length > 0) await out.batch(shown.map((store) => JSON.stringify(store)))
      left -= shown.length
      if (left === 0) break
    }
    await out.end()
    const lost = source.remote?.storesLeftOut() ?? 0
    if (lost > 0) await context.warn(withoutName(lost, 'stores', 'name'))
    return 0
  })
})

/** How many stores are read from the database at a time. */
const storesAtOnce = 2000

/** Stores by name, some at a time; a deployment sends all in one answer. */
async function* walk({ engine, service }: Source, all: boolean): AsyncGenerator<readonly Store[]> {
  if (engine === undefined) {
    yield (await service.listStores({})).data
    return
  }
  const { database, account } = engine
  for (let after = ''; ;) {
    const found = await database.read(() => listStores(account, { all, after, limit: storesAtOnce }), 'single')
    yield found
    if (found.length < storesAtOnce) return
    after = found.at(-1)!.store_name!
  }
}

/** Every known store, also disconnected ones; a deployment lists only connected ones. */
const knownStores = async ({ engine, service }: Source): Promise<readonly Store[]> =>
  engine === undefined
    ? (await service.listStores({})).data
    : engine.database.read(() => listStores(engine.account, { all: true }))

/** The id that a text is, in lower case; undefined for a text that is not an id. */
const idIn = (text: string): string | undefined =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined

/** The store of a name or id, connected or not. Throws `not_found` with the nearest name. */
async function find(source: Source, reference: string): Promise<Store> {
  const stores = await knownStores(source)
  const id = idIn(reference)
  const found =
    stores.find((store) => store.store_name === reference) ??
    stores.find((store) => store.id === reference || (id !== undefined && store.id.toLowerCase() === id))
  if (found !== undefined) return found
  if (id !== undefined) {
    // A deployment returns a disconnected store by its id, although it does not list it.
    const got = source.engine === undefined ? await source.service.getStore({ id }).catch(unlessMissing) : undefined
    if (got !== undefined) return got.data
    throw new ShipxError('not_found', `there is no store with id ${id}`, { hint: 'shipx stores list' })
  }
  const near = nearest(
    reference,
    stores.map((store) => store.store_name),
  )
  throw new ShipxError('not_found', `there is no store ${safe(reference, 'id')}${guessText(near)}`, {
    hint: near === undefined ? 'shipx stores list' : `shipx stores get ${near}`,
  })
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof ShipxError && error.kind === 'not_found') return undefined
  throw error
}

function reference(context: Context): string {
  const given = context.args[0]
  refuse(
    context,
    given === undefined || given === ''
      ? [{ field: '<store>', message: 'is required: the name or id of a store' }]
      : [],
  )
  return given!
}

/** Prints a changed store for programs; on a terminal the note has shown it. */
async function showChanged(context: Context, store: Store): Promise<void> {
  if (context.format !== 'plain' || !context.screen.tty) await printRecord(context, storeView, store)
}

async function get(context: Context): Promise<number> {
  const given = reference(context)
  checkShape(context, storeView)
  return withSource(context, 'read', async (source) => {
    const { id } = await find(source, given)
    await printRecord(context, storeView, (await source.service.getStore({ id })).data)
    return 0
  })
}

/** The raw fields of a store from the flags, with the logo from the file at `path`. */
function fieldsOf(
  context: Context,
  path: string | undefined,
): { readonly raw: Raw; readonly faults: readonly Fault[] } {
  const { value: raw } = rawInput(context, ['logo'])
  if (path === undefined) return { raw, faults: [] }
  const read = collect(context, () => {
    // Reads up to 16 MB, so that logoType can name the size of a logo that is too large.
    const logo: Logo = {
      bytes: readBytes(path, maxLogoBytes * 8, '--logo', '; the limit of a logo is 2 MB'),
      name: basename(path),
    }
    return logo
  })
  if (read.value === undefined) return { raw, faults: read.faults }
  try {
    logoType(read.value)
    return { raw: { ...raw, logo: read.value }, faults: [] }
  } catch (error) {
    if (error instanceof ShipxError)
      return { raw, faults: [{ field: '--logo', message: `${safe(path)}: ${error.message}` }] }
    throw error
  }
}

/** The request as `--dry-run` shows it: the logo as its name and size. */
function shown(raw: Raw): Raw {
  const logo = raw['logo']
  return typeof logo === 'object' && logo !== null
    ? { ...raw, logo: `${(logo as Logo).name} (${(logo as Logo).bytes.byteLength} bytes)` }
    : raw
}

const described = (store: Store): string =>
  `${store.store_name}${store.brand_name == null ? '' : ` (${safe(store.brand_name)})`}`

/** The values of a new store from the flags, and their faults. */
function newStore(context: Context, logo: string | undefined) {
  const { raw, faults } = fieldsOf(context, logo)
  const parsed = collect(context, () => parseInput('createStore', raw))
  const named = parsed.faults.map((fault) =>
    fault.message === 'must be text' || fault.message === 'is required'
      ? { ...fault, message: 'is required: a name of letters, numbers and hyphens' }
      : fault,
  )
  return { raw, parsed, faults: [...faults, ...named] }
}

/** The run with the store's name; asks for a missing one where a person can answer. */
async function withName(context: Context, logo: string | undefined): Promise<Context> {
  if (newStore(context, logo).faults.length === 0) return context
  const [{ askMissing }, { storeQuestions }] = await Promise.all([
    import('../../ask/missing.ts'),
    import('../../ask/questions.ts'),
  ])
  return askMissing(context, storeQuestions, async (more) => [
    ...newStore(more, logo).faults,
    ...(await takenHere(more)),
  ])
}

/** The fault of a name that a store on this computer has. Asking a deployment would cost a request for each answer. */
async function takenHere(context: Context): Promise<readonly Fault[]> {
  const name = text(context.flags, 'name') ?? text(context.flags, 'store-name')
  if (name === undefined || (await isRemote(context)) || !databaseThere(context)) return []
  const stores = await withSource(context, 'read', knownStores)
  const field = flagFor(context.command, context.flags, 'store_name')
  return stores.some((store) => store.store_name === name) ? [{ field, message: takenText(name) }] : []
}

const createOptions = { logo: word, idempotency_key: word, dry_run: flag }

const create = verb(createOptions, async (typed, { logo, idempotency_key: key, dry_run: dry }) => {
  const context = await withName(typed, logo)
  const { raw, parsed, faults } = newStore(context, logo)
  refuse(context, faults)
  checkShape(context, storeView)
  return withSource(context, dry ? 'read' : 'write', async (source) => {
    const stores = await knownStores(source)
    const name = parsed.value!.store_name
    const alike = stores.find(
      (store) => store.store_name !== name && store.store_name.toLowerCase() === name.toLowerCase(),
    )
    if (alike !== undefined) await context.warn(`${name} differs from the store ${alike.store_name} only in case`)
    if (dry) {
      if (stores.some((store) => store.store_name === name)) throw taken(context, name)
      return wouldDo(context, `create store ${name} ${await where(context)}`, {
        method: contract.createStore.method,
        path: `${basePath}${contract.createStore.path}`,
        body: shown(raw),
      })
    }
    const { data } = await source.service
      .createStore(parsed.value!, key === undefined ? {} : { idempotency_key: key })
      .catch(namingFlag(context, name))
    keepNames(context, (before) => ({ stores: [data.store_name, ...before.stores] }))
    const status = data.status == null ? '' : `, ${data.status}`
    await done(
      context,
      `Created store ${described(data)} ${await where(context)}${status}. ` +
        `Link orders to it with --store ${data.store_name}`,
    )
    await showChanged(context, data)
    return 0
  })
})

const takenText = (name: string): string => `another store has the name ${name}`

/** The fault of a name that another store has, with its flag. */
function taken(context: Context, name: string, error?: ShipxError): ShipxError {
  const flag = flagFor(context.command, context.flags, 'store_name')
  const message = takenText(name)
  return new ShipxError('store_name_taken', `${flag}: ${message}`, {
    details: [{ field: flag, message }],
    hint: `shipx stores get ${name}`,
    cause: error,
  })
}

/** Throws the error of a write again; that of a name that another store has with its flag. */
const namingFlag =
  (context: Context, name: string | undefined) =>
  (error: unknown): never => {
    throw error instanceof ShipxError && error.code === 'store_name_taken' ? taken(context, name!, error) : error
  }

const update = verb({ logo: word, no_logo: flag, dry_run: flag }, async (context, options) => {
  const given = reference(context)
  const { raw, faults } = fieldsOf(context, options.logo)
  if (options.no_logo) raw['logo'] = null
  const nothing =
    Object.keys(raw).length === 0 && faults.length === 0
      ? [{ field: null, message: 'nothing to change: use --name, --brand, --logo or --no-logo' }]
      : []
  const parsed = collect(context, () => parseInput('updateStore', { ...raw, id: given }))
  refuse(context, [...faults, ...parsed.faults, ...nothing])
  checkShape(context, storeView)
  return withSource(context, options.dry_run ? 'read' : 'write', async (source) => {
    const before = await find(source, given)
    const name = parsed.value!.store_name
    if (options.dry_run) {
      const stores = await knownStores(source)
      if (stores.some((store) => store.store_name === name && store.id !== before.id)) throw taken(context, name!)
      return wouldDo(context, `change store ${before.store_name} ${await where(context)}`, {
        method: contract.updateStore.method,
        path: `${basePath}${contract.updateStore.path.replace(':id', before.id)}`,
        body: shown(raw),
      })
    }
    if (name !== undefined && name !== before.store_name)
      await confirm(context, `Rename ${before.store_name} to ${name} (in every linked shipment and return)`)
    const { data } = await source.service
      .updateStore({ ...parsed.value!, id: before.id })
      .catch(namingFlag(context, name))
    if (data.store_name !== before.store_name)
      keepNames(context, (seen) => ({
        stores: [data.store_name, ...seen.stores.filter((old) => old !== before.store_name)],
      }))
    await done(context, `Changed store ${described(data)} ${await where(context)}`)
    await showChanged(context, data)
    return 0
  })
})

const setStatus = (status: 'connected' | 'disconnected') =>
  verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
    const given = reference(context)
    checkShape(context, storeView)
    return withSource(context, dry ? 'read' : 'write', async (source) => {
      const engine = engineOf(source, context.command.path.join(' '))
      const before = await find(source, given)
      if (dry)
        return wouldDo(context, `make store ${before.store_name} ${status} ${await where(context)}`, {
          store: before.store_name,
          status,
        })
      if (status === 'disconnected' && before.status !== status)
        await confirm(context, `Disconnect ${before.store_name} (no new orders in its brand)`)
      const after = await engine.database.write(() =>
        setStoreStatus(engine.account, before.id, status, context.io.host.now()),
      )
      await done(context, `Store ${described(after)} is ${status} ${await where(context)}`)
      await showChanged(context, after)
      return 0
    })
  })

export const verbs = {
  'stores list': list,
  'stores get': get,
  'stores create': create,
  'stores update': update,
  'stores disconnect': setStatus('disconnected'),
  'stores connect': setStatus('connected'),
}
