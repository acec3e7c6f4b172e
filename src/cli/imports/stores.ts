// The importer of stores: the columns, the check of a row, and the two targets, the engine's database and a deployment
// (docs/guides/sheets.md).
import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import type { Input } from '../../domain/contract.ts'
import { ShipxError, type Fault } from '../../domain/errors.ts'
import { counted } from '../../domain/count.ts'
import { parseInput } from '../../domain/parse.ts'
import { brandFault, maxLogoBytes, storeNameFault, tidyBrand, type Logo, type Store } from '../../domain/stores.ts'
import type { RemoteService } from '../../client/service.ts'
import { logoType } from '../../engine/accounts/stores.ts'
import {
  saveWantedStores,
  matchStores,
  storesAfter,
  type StoreOutcome,
  type StoreMatch,
  type WantedStore,
} from '../../engine/accounts/storesbulk.ts'
import { readBytes } from '../files/userfiles.ts'
import { here, there } from '../source/place.ts'
import { keepStores, mostNames } from '../help/names.ts'
import { safe } from '../terminal/safe.ts'
import type { Sheet } from '../files/sheet.ts'
import { sourceOf } from '../source/open.ts'
import type { Source } from '../source/source.ts'
import type { Target as Place } from '../command/target.ts'
import type { Failure, Item, Importer, Label, Opening, Outcome, Target, Wanted } from './importer.ts'

/** A checked store from a file; its logo is still a path. */
export interface StoreRow {
  readonly store_name: string
  readonly brand_name: string | null | undefined
  readonly logo: string | undefined
}

/** The columns of a file of stores. */
export const storeColumns = [
  { name: 'store_name', aliases: ['store', 'name'], required: true },
  { name: 'brand_name', aliases: ['brand'] },
  { name: 'logo', aliases: ['logo_file', 'logo_path'] },
] as const

/** The importer of stores. */
export const storeImporter: Importer<StoreRow> = {
  noun: ['store', 'stores'],
  columns: storeColumns,
  command: 'stores import',
  everyday: true,
  // 100,000 stores: to write them to a file and to read them again took a tenth of the time of their import.
  held: 14_000_000,
  items: itemsOf,
  bare: {
    is: ({ brand_name }) => brand_name === undefined || brand_name === null,
    said: (n) =>
      `${counted(n, ['store has', 'stores have'])} no brand_name: customers' messages go out without a brand.`,
  },
  open,
  template: [
    ['store_name', 'brand_name', 'logo'],
    ['acme-kids', 'Acme Kids', ''],
    ['acme-home', 'Acme Home & Living', ''],
  ],
}

/* ---- Rows ---- */

async function* itemsOf(sheet: Sheet, folder: string): AsyncGenerator<readonly Item<StoreRow>[]> {
  const [name, brand, logo] = storeColumns.map((column) => sheet.places.get(column.name))
  const logoFault = logoFaults()
  for await (const batch of sheet.rows)
    yield batch.map((row): Item<StoreRow> => {
      const store_name = row.cells[name!]!.trim()
      const wrong = (failure: Failure): Item<StoreRow> => ({ rows: [row], name: store_name, value: undefined, failure })
      if (row.fault !== undefined) return wrong({ code: 'invalid_file', message: row.fault })
      const brand_name = brand === undefined ? undefined : tidyBrand(row.cells[brand]!) || null
      const file = logo === undefined ? '' : row.cells[logo]!.trim()
      const path = file === '' ? undefined : resolve(folder, file)
      const faults = [fieldFault(store_name, brand_name), path === undefined ? undefined : logoFault(path, file)]
      const [fault, ...more] = faults.filter((one) => one !== undefined)
      if (fault !== undefined)
        return wrong({ ...fault, message: [fault, ...more].map(({ message }) => message).join('; ') })
      return { rows: [row], name: store_name, value: { store_name, brand_name, logo: path }, failure: undefined }
    })
}

/** The fault of a row's fields. Nearly all rows are valid, and this finds that out without the schema. */
function fieldFault(store_name: string, brand_name: string | null | undefined): Failure | undefined {
  if (storeNameFault(store_name) === undefined && brandFault(brand_name ?? '') === undefined) return undefined
  try {
    parseInput('createStore', { store_name, brand_name })
    return undefined
  } catch (error) {
    if (!(error instanceof ShipxError)) throw error
    return {
      code: 'invalid_input',
      message: error.details.map(({ field, message }: Fault) => `${field ?? ''} ${message}`.trim()).join('; '),
    }
  }
}

/** Reads a logo file. Throws `invalid_input`, `logo_type` or `logo_too_large`. */
function readLogo(path: string, shown: string): Logo {
  // One byte more than the limit reveals a larger one.
  const logo = { bytes: readBytes(path, maxLogoBytes, shown, '; the limit of a logo is 2 MB'), name: basename(path) }
  logoType(logo)
  return logo
}

/** Checks logos and remembers the results, because stores often share one. */
function logoFaults(): (path: string, file: string) => Failure | undefined {
  const known = new Map<string, Failure | undefined>()
  return (path, file) => {
    if (known.has(path)) return known.get(path)
    let failure: Failure | undefined
    try {
      readLogo(path, 'logo')
    } catch (error) {
      if (!(error instanceof ShipxError)) throw error
      const message = error.message.startsWith(safe(path)) ? error.message.slice(safe(path).length + 2) : error.message
      failure = { code: error.code, message: `logo ${safe(file)}: ${message}` }
    }
    if (known.size < 1000) known.set(path, failure)
    return failure
  }
}

const wantedStore = ({ store_name, brand_name, logo }: StoreRow): WantedStore => ({
  store_name,
  brand_name,
  logo: logo === undefined ? undefined : readLogo(logo, 'logo'),
})

/** The failure of a store that exists and differs. */
const conflictOf = (name: string, standing: 'other' | 'disconnected'): Failure => ({
  code: 'store_name_taken',
  message:
    standing === 'other'
      ? 'a store with this name is there, with another brand or logo: --on-conflict update changes it'
      : `a disconnected store has this name: shipx stores connect ${name}`,
})

/* ---- Where they go ---- */

async function open(opening: Opening): Promise<Target<StoreRow>> {
  const { context, use, stop, max_rps } = opening
  const target = await context.target()
  if (target.kind === 'embedded') return embedded(opening, await sourceOf(context, use))
  const { bulkPace } = await import('../source/pace.ts')
  const source = await sourceOf(context, use, bulkPace(max_rps, stop))
  return remote(opening, source, target)
}

/** Bytes of logos in memory at once. */
const logosAtOnce = 8_388_608

/** A store to save with its logo, and its place in the request. */
interface Placed {
  readonly at: number
  readonly store: WantedStore
}

/** Stores to save, in portions that fit into memory; `lost` receives a store whose logo can no longer be read. */
function* portions(
  wanted: readonly Wanted<StoreRow>[],
  lost: (at: number, failure: Failure) => void,
): Generator<readonly Placed[]> {
  let portion: Placed[] = []
  let bytes = 0
  for (const [at, { value }] of wanted.entries()) {
    try {
      const store = wantedStore(value)
      portion.push({ at, store })
      bytes += store.logo?.bytes.byteLength ?? 0
    } catch (error) {
      if (!(error instanceof ShipxError)) throw error
      lost(at, { code: error.code, message: error.message })
    }
    if (bytes < logosAtOnce) continue
    yield portion
    portion = []
    bytes = 0
  }
  if (portion.length > 0) yield portion
}

const labelOf: Readonly<Record<StoreMatch, Label>> = {
  absent: 'create',
  same: 'unchanged',
  other: 'conflict',
  disconnected: 'conflict',
}

function embedded({ context, rule }: Opening, { engine, close }: Source): Target<StoreRow> {
  const { database, account } = engine!
  const { host } = context.io
  return {
    where: here(context),
    label: async (wanted) => {
      // A logo that has disappeared is reported when its turn comes.
      const found: Label[] = wanted.map(() => 'create')
      for (const portion of portions(wanted, () => undefined)) {
        const compared = await database.read(() =>
          matchStores(
            account,
            portion.map(({ store }) => store),
          ),
        )
        for (const [i, standing] of compared.entries()) found[portion[i]!.at] = labelOf[standing]
      }
      return found
    },
    way: {
      kind: 'batches',
      save: async (wanted) => {
        const found: (Outcome | Failure)[] = []
        const result = (name: string, saved: StoreOutcome): Outcome | Failure =>
          saved === 'other' || saved === 'disconnected' ? conflictOf(name, saved) : saved
        for (const portion of portions(wanted, (at, failure) => (found[at] = failure))) {
          const stores = portion.map(({ store }) => store)
          const saved = await database.write(() => saveWantedStores(database.dialect, account, stores, rule, host))
          for (const [i, one] of saved.entries()) found[portion[i]!.at] = result(stores[i]!.store_name, one)
        }
        return found
      },
    },
    close: async () => {
      try {
        keepStores(context, await database.read(() => storesAfter(account, '', mostNames), 'single'))
      } catch {
        // The names are only for completion; an earlier error matters more.
      } finally {
        await close()
      }
    },
  }
}

type Remote = Extract<Place, { kind: 'remote' }>

async function remote({ context, rule }: Opening, source: Source, remote: Remote): Promise<Target<StoreRow>> {
  const { digest, uuid } = context.io.host
  const client = source.remote!
  const identity = digest(`stores\n${remote.base_url}\n${remote.key}`)
  let asked: Promise<ReadonlyMap<string, Store>> | undefined
  const list = (): Promise<ReadonlyMap<string, Store>> =>
    (asked ??= client
      .listStores({})
      .then(({ data }) => new Map(data.map((store) => [store.store_name, store])))
      .finally(() => (asked = undefined)))
  let known = await list().catch(async (error: unknown) => {
    await source.close()
    throw error
  })
  const made: { readonly store_name: string }[] = []
  const label = ({ value, before }: Wanted<StoreRow>): Label =>
    labelOf[standingIn(known.get(value.store_name), value, before !== 'nothing')]
  return {
    where: there(remote),
    label: async (wanted) => wanted.map(label),
    way: {
      kind: 'singles',
      identity,
      conflict: ({ name }) => conflictOf(name, 'other'),
      abandon: source.close,
      send: async (wanted, change) => {
        const { brand_name: brand, logo, store_name } = wantedStore(wanted.value)
        const rest = { ...(brand === undefined ? {} : { brand_name: brand }), ...(logo === undefined ? {} : { logo }) }
        const update = async (): Promise<Outcome> => {
          await client.updateStore({ id: known.get(store_name)!.id, ...rest })
          return 'updated'
        }
        if (change) return update()
        try {
          const outcome = await created(client, { store_name, ...rest }, contentKey(identity, wanted.value, logo), uuid)
          if (made.length < mostNames) made.push({ store_name })
          return outcome
        } catch (error) {
          if (!(error instanceof ShipxError) || error.code !== 'store_name_taken') throw error
          // Another process created the store first, perhaps an earlier run of this import.
          known = await list()
          if (!known.has(store_name)) throw error
          const now = label(wanted)
          if (now === 'unchanged') return now
          return rule === 'skip' ? 'skipped' : rule === 'update' ? update() : conflictOf(store_name, 'other')
        }
      },
    },
    close: async () => {
      keepStores(context, [...made, ...known.values()])
      await source.close()
    },
  }
}

/** Compares a row with a deployment's store. The content of a logo cannot be compared, only whether there is one. */
function standingIn(known: Store | undefined, { brand_name: brand, logo }: StoreRow, sent: boolean): StoreMatch {
  if (known === undefined) return 'absent'
  if (brand !== undefined && (brand ?? '') !== tidyBrand(known.brand_name ?? '')) return 'other'
  return logo !== undefined && !sent && known.logo_url === null ? 'other' : 'same'
}

/**
 * A key that is the same for a row in every run. A request still under way from an earlier run is then not done twice.
 */
function contentKey(identity: string, { store_name, brand_name }: StoreRow, logo: Logo | undefined): string {
  const hash = createHash('sha256').update(`${identity}\n${JSON.stringify([store_name, brand_name ?? null])}\n`)
  return `shipx-import-${hash.update(logo?.bytes ?? '').digest('hex')}`
}

/** Creates a store. An old answer to the key counts only while the store is still as the answer shows it. */
async function created(
  client: RemoteService,
  input: Input<'createStore'>,
  key: string,
  uuid: () => string,
): Promise<Outcome> {
  let old = false
  const { data } = await client.createStore(input, { idempotency_key: key, onReplay: () => (old = true) })
  if (!old) return 'created'
  const there = await client.getStore({ id: data.id }).catch((error: unknown) => {
    if (error instanceof ShipxError && error.kind === 'not_found') return undefined
    throw error
  })
  if (there?.data.store_name === input.store_name) return 'unchanged'
  await client.createStore(input, { idempotency_key: uuid() })
  return 'created'
}
