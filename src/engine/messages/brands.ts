// The brand that a message carries: a store's current brand, saved with the first message that uses it, so that it can
// be found again unchanged.
import sql from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import type { Brand } from '../../domain/messages/messages.ts'
import { row, rows, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'

interface BrandRow extends Brand, Record<string, unknown> {}

interface StoreRow extends BrandRow {
  readonly id: string
  readonly status: string
}

/** A store and its brand, if it has one. */
export interface BrandedStore {
  readonly id: string
  readonly connected: boolean
  readonly brand: Brand | undefined
}

function* storeNamed(account: number, name: string): Work<BrandedStore | undefined> {
  const found = yield* row<StoreRow>(
    sql`select id, status, brand_name, logo_type, logo from stores
      where account_id = ${account} and store_name = ${name}`,
  )
  if (found === undefined) return undefined
  const { id, status, brand_name, logo_type, logo } = found
  const brand = brand_name === null && logo === null ? undefined : { brand_name, logo_type, logo }
  return { id, connected: status === 'connected', brand }
}

/** The store with a name. Throws `not_found`. */
export function* brandedStore(account: number, name: string): Work<BrandedStore> {
  const found = yield* storeNamed(account, name)
  if (found === undefined) throw new ShipxError('not_found', `there is no store ${name}`, { hint: 'shipx stores list' })
  return found
}

/** A saved brand and its store. */
export interface KeptBrand {
  readonly id: string
  readonly store_id: string
}

/**
 * The current brands of connected stores, each saved with the first message that uses it. A renamed store or a new logo
 * changes only later messages.
 */
export function brandsNow(account: number, host: Host): (store: string | null) => Work<KeptBrand | undefined> {
  const known = new Map<string, KeptBrand | undefined>()
  return function* (name) {
    if (name === null) return undefined
    if (known.has(name)) return known.get(name)
    const store = yield* storeNamed(account, name)
    const kept =
      store?.connected === true && store.brand !== undefined
        ? yield* keep(account, host, store.id, store.brand)
        : undefined
    known.set(name, kept)
    return kept
  }
}

function* keep(account: number, host: Host, store_id: string, { brand_name, logo_type, logo }: Brand): Work<KeptBrand> {
  const id = host.digest(JSON.stringify([store_id, brand_name, logo_type, logo === null ? null : host.digest(logo)]))
  yield* rows(
    sql`insert into brands (account_id, id, store_id, brand_name, logo_type, logo)
      values (${account}, ${id}, ${store_id}, ${brand_name}, ${logo_type}, ${logo})
      on conflict (account_id, id) do nothing`,
  )
  return { id, store_id }
}

/** The brand of a message, as it was when the message was made. */
export function* findBrand(account: number, id: string): Work<Brand | undefined> {
  return yield* row<BrandRow>(
    sql`select brand_name, logo_type, logo from brands where account_id = ${account} and id = ${id}`,
  )
}
