// Stores in the database: list, get, create, update, connect, logos (spec 4.1 to 4.4).
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { pictureOf } from '../../domain/images.ts'
import {
  maxLogoBytes,
  maxLogoSide,
  type Logo,
  type Store,
  type StoreCreate,
  type StoreUpdate,
} from '../../domain/stores.ts'
import { basePath } from '../../domain/contract.ts'
import { isoOf } from '../../domain/time.ts'
import type * as z from 'zod/mini'
import { limitTo, row, rows, type Dialect, type Work } from '../database/port.ts'
import { renameStoreInRecords } from '../records/records.ts'

interface StoreRow extends Record<string, unknown> {
  readonly id: string
  readonly store_name: string
  readonly brand_name: string | null
  readonly channel: string
  readonly status: string
  readonly logo_type: string | null
  readonly created_at: number
  readonly updated_at: number
  /** The store as another deployment sent it; null for our own. */
  readonly doc: string | null
}

const columns = sql`id, store_name, brand_name, channel, status, logo_type, created_at, updated_at, doc`

function storeOf(found: StoreRow): Store {
  if (found.doc !== null) return JSON.parse(found.doc) as Store
  return {
    id: found.id,
    store_name: found.store_name,
    brand_name: found.brand_name,
    channel: found.channel,
    status: found.status,
    logo_url: found.logo_type === null ? null : `${basePath}/client-stores/${found.id}/logo`,
    created_at: isoOf(found.created_at),
    updated_at: isoOf(found.updated_at),
  }
}

/** Stores sorted by name: the connected ones, or `all`. With `limit`, at most that many after the name `after`. */
export function* listStores(
  account: number,
  { all = false, after = '', limit }: { readonly all?: boolean; readonly after?: string; readonly limit?: number } = {},
): Work<readonly Store[]> {
  const connected = all ? empty : sql` and status = 'connected'`
  const part = limit === undefined ? empty : sql` ${limitTo(limit)}`
  const found = yield* rows<StoreRow>(
    sql`select ${columns} from stores where account_id = ${account} and store_name > ${after}${connected}
      order by store_name${part}`,
  )
  return found.map(storeOf)
}

/** The store with an id, connected or not; throws `not_found`. `locking` holds it unchanged for this transaction. */
export function* getStore(account: number, id: string, locking: Sql = empty): Work<Store> {
  const found = yield* row<StoreRow>(
    sql`select ${columns} from stores where account_id = ${account} and id = ${id}${locking}`,
  )
  if (found === undefined) throw noStore()
  return storeOf(found)
}

/** The logo of a store and its type, which was read from its bytes at upload; throws `not_found`. */
export function* logoOf(account: number, id: string): Work<{ readonly type: string; readonly bytes: Uint8Array }> {
  const found = yield* row<{ logo_type: string | null; logo: Uint8Array | null }>(
    sql`select logo_type, logo from stores where account_id = ${account} and id = ${id}`,
  )
  if (found === undefined || found.logo_type === null || found.logo === null)
    throw new ShipxError('not_found', 'there is no such logo')
  return { type: found.logo_type, bytes: found.logo }
}

const noStore = (): ShipxError => new ShipxError('not_found', 'there is no such store')

const taken = (): ShipxError =>
  new ShipxError('store_name_taken', 'Store name has already been taken', {
    details: [{ field: 'store_name', message: 'Store name has already been taken' }],
  })

/** The type of a logo; throws `logo_too_large` or `logo_type` (docs/inside/decisions.md, Stores). */
export function logoType(logo: Logo): string {
  const fault = (code: 'logo_too_large' | 'logo_type', message: string): ShipxError =>
    new ShipxError(code, message, { details: [{ field: 'logo', message }] })
  if (logo.bytes.byteLength > maxLogoBytes) {
    throw fault(
      'logo_too_large',
      `the logo has ${logo.bytes.byteLength.toLocaleString('en-IN')} bytes; the limit is 2 MB (20,97,152 bytes)`,
    )
  }
  const picture = pictureOf(logo.bytes)
  if (picture === undefined)
    throw fault('logo_type', 'the logo is not a PNG, JPEG or WebP image, whatever its name says')
  if (picture.width > maxLogoSide || picture.height > maxLogoSide) {
    throw fault(
      'logo_type',
      `the logo is ${picture.width} x ${picture.height} pixels; the limit is ${maxLogoSide} x ${maxLogoSide}`,
    )
  }
  return picture.type
}

/** What the caller supplies for a new record: its id and the time, ms UTC. */
export interface Creation {
  readonly id: string
  readonly now: number
}

/** Creates a store; throws `store_name_taken`, `logo_too_large` or `logo_type`. */
export function* createStore(
  account: number,
  input: z.output<ReturnType<typeof StoreCreate>>,
  { id, now }: Creation,
): Work<Store> {
  const logo = input.logo ?? null
  const [type, bytes] = logo === null ? [null, null] : [logoType(logo), logo.bytes]
  const brand = input.brand_name === '' ? null : (input.brand_name ?? null)
  const made = yield* row<StoreRow>(
    sql`insert into stores
        (account_id, id, store_name, brand_name, channel, status, logo_type, logo, created_at, updated_at)
      values (${account}, ${id}, ${input.store_name}, ${brand}, 'manual_order', 'connected',
        ${type}, ${bytes}, ${now}, ${now})
      on conflict do nothing returning ${columns}`,
  )
  if (made === undefined) throw taken()
  return storeOf(made)
}

/**
 * Changes the given fields, and a new name also in every linked record. Throws `not_found`, `store_name_taken`,
 * `logo_too_large` or `logo_type`.
 */
export function* updateStore(
  dialect: Dialect,
  account: number,
  input: z.output<ReturnType<typeof StoreUpdate>>,
  now: number,
): Work<Store> {
  // Lock the store first: an order that links to it now waits, and then finds the new name.
  const before = yield* getStore(account, input.id, dialect.locking('update'))
  const changes: Sql[] = [sql`updated_at = ${now}, doc = ${null}`]
  if (input.brand_name !== undefined)
    changes.push(sql`brand_name = ${input.brand_name === '' ? null : input.brand_name}`)
  if (input.logo === null) changes.push(sql`logo_type = ${null}, logo = ${null}`)
  else if (input.logo !== undefined) changes.push(sql`logo_type = ${logoType(input.logo)}, logo = ${input.logo.bytes}`)
  if (input.store_name !== undefined && input.store_name !== before.store_name) {
    const other = yield* row(
      sql`select id from stores where account_id = ${account} and store_name = ${input.store_name}`,
    )
    if (other !== undefined) throw taken()
    changes.push(sql`store_name = ${input.store_name}`)
    yield* renameStoreInRecords(dialect, account, before.store_name, input.store_name)
  }
  yield* rows(sql`update stores set ${join(changes)} where account_id = ${account} and id = ${input.id}`)
  return yield* getStore(account, input.id)
}

/**
 * Connects or disconnects a store, only in the engine's own database (docs/inside/decisions.md, Stores). Throws
 * `not_found`.
 */
export function* setStoreStatus(
  account: number,
  id: string,
  status: 'connected' | 'disconnected',
  now: number,
): Work<Store> {
  yield* getStore(account, id)
  yield* rows(
    sql`update stores set status = ${status}, updated_at = ${now}, doc = ${null}
      where account_id = ${account} and id = ${id} and status <> ${status}`,
  )
  return yield* getStore(account, id)
}

/** Saves a store from a file or another deployment; inserts or replaces it by id. Throws `store_name_taken`. */
export function* saveStore(account: number, store: Store, now: number): Work<'created' | 'updated'> {
  const at = (text: string | null | undefined): number => (typeof text === 'string' ? Date.parse(text) || now : now)
  const { id, store_name } = store
  const other = yield* row<{ id: string }>(
    sql`select id from stores where account_id = ${account} and store_name = ${store_name} and id <> ${id}`,
  )
  if (other !== undefined) throw taken()
  const old = yield* row(sql`select id from stores where account_id = ${account} and id = ${id}`)
  const [brand, channel, status] = [
    store.brand_name ?? null,
    store.channel ?? 'manual_order',
    store.status ?? 'connected',
  ]
  const [created, updated] = [at(store.created_at), at(store.updated_at)]
  yield* rows(
    old === undefined
      ? sql`insert into stores (account_id, id, store_name, brand_name, channel, status, created_at, updated_at)
          values (${account}, ${id}, ${store_name}, ${brand}, ${channel}, ${status}, ${created}, ${updated})`
      : sql`update stores set
            store_name = ${store_name}, brand_name = ${brand}, channel = ${channel}, status = ${status},
            created_at = ${created}, updated_at = ${updated}, doc = ${null}
          where account_id = ${account} and id = ${id}`,
  )
  return old === undefined ? 'created' : 'updated'
}
