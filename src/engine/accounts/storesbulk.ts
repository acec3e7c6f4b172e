// Stores of a file: compares them with existing ones, saves many in one transaction, and reads all for an export
// (docs/guides/sheets.md).
import sql from 'sql-template-tag'
import { tidyBrand, type Logo } from '../../domain/stores.ts'
import { limitTo, rows, type Dialect, type Work } from '../database/port.ts'
import { growingId } from '../growingids.ts'
import type { Host } from '../runtime.ts'
import { listOf } from '../database/inlist.ts'
import { fixedStatement } from '../records/records.ts'
import { logoOf, logoType, updateStore } from './stores.ts'

/** A store that a file asks for, already checked. */
export interface WantedStore {
  readonly store_name: string
  /** Null means no brand; undefined keeps the existing one. */
  readonly brand_name: string | null | undefined
  /** Undefined keeps the existing one. */
  readonly logo: Logo | undefined
}

/**
 * How a wanted store compares with the existing store of its name: there is none, it is the same, its brand or logo
 * differs, or it is not connected.
 */
export type StoreMatch = 'absent' | 'same' | 'other' | 'disconnected'

/** What to do with an existing store that differs. */
export type OnConflict = 'fail' | 'skip' | 'update'

/** The outcome of a wanted store. `other` and `disconnected` are failures that left the store unchanged. */
export type StoreOutcome = 'created' | 'updated' | 'unchanged' | 'skipped' | 'other' | 'disconnected'

interface Known extends Record<string, unknown> {
  readonly id: string
  readonly store_name: string
  readonly brand_name: string | null
  readonly status: string
  readonly logo_type: string | null
}

/** Names in one query at most. */
const mostNames = 256

/** The account's stores with one of the names, disconnected ones included. */
function* knownOf(account: number, names: readonly string[]): Work<ReadonlyMap<string, Known>> {
  const found = new Map<string, Known>()
  // A new account has no stores: one query finds that out more cheaply than one for each name.
  if ((yield* rows(sql`select 1 as one from stores where account_id = ${account} limit 1`)).length === 0) return found
  for (let at = 0; at < names.length; at += mostNames) {
    const part = listOf(names.slice(at, at + mostNames))
    const known = yield* rows<Known>(
      sql`select id, store_name, brand_name, status, logo_type from stores
        where account_id = ${account} and store_name in (${part})`,
    )
    for (const store of known) found.set(store.store_name, store)
  }
  return found
}

function* matchOf(account: number, wanted: WantedStore, known: Known | undefined): Work<StoreMatch> {
  if (known === undefined) return 'absent'
  if (known.status !== 'connected') return 'disconnected'
  const { brand_name: brand, logo } = wanted
  if (brand !== undefined && (brand ?? '') !== tidyBrand(known.brand_name ?? '')) return 'other'
  if (logo === undefined) return 'same'
  if (known.logo_type === null) return 'other'
  const { bytes } = yield* logoOf(account, known.id)
  return Buffer.compare(bytes, logo.bytes) === 0 ? 'same' : 'other'
}

/** How each wanted store compares with the existing ones. */
export function* matchStores(account: number, wanted: readonly WantedStore[]): Work<readonly StoreMatch[]> {
  const known = yield* knownOf(
    account,
    wanted.map((store) => store.store_name),
  )
  const found: StoreMatch[] = []
  for (const store of wanted) found.push(yield* matchOf(account, store, known.get(store.store_name)))
  return found
}

const insert = fixedStatement(
  'insert into stores (account_id, id, store_name, brand_name, channel, status, logo_type, logo, created_at, ' +
    'updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
)

/**
 * Saves wanted stores in one transaction; returns their outcomes in the same order. The names must all be different.
 * Throws `logo_too_large` or `logo_type`.
 */
export function* saveWantedStores(
  dialect: Dialect,
  account: number,
  wanted: readonly WantedStore[],
  rule: OnConflict,
  { uuid, now: clock }: Pick<Host, 'uuid' | 'now'>,
): Work<readonly StoreOutcome[]> {
  const now = clock()
  const known = yield* knownOf(
    account,
    wanted.map((store) => store.store_name),
  )
  const saved: StoreOutcome[] = []
  const made: (readonly unknown[])[] = []
  for (const store of wanted) {
    const { store_name, brand_name: brand, logo } = store
    const there = known.get(store_name)
    const standing = yield* matchOf(account, store, there)
    if (standing === 'absent') {
      made.push([
        account,
        growingId(uuid(), now, made.length),
        store_name,
        brand === '' ? null : (brand ?? null),
        'manual_order',
        'connected',
        logo === undefined ? null : logoType(logo),
        logo?.bytes ?? null,
        now,
        now,
      ])
      saved.push('created')
    } else if (standing === 'same') saved.push('unchanged')
    else if (rule === 'skip') saved.push('skipped')
    else if (rule === 'fail') saved.push(standing)
    else {
      const changes = { ...(brand === undefined ? {} : { brand_name: brand }), ...(logo === undefined ? {} : { logo }) }
      yield* updateStore(dialect, account, { id: there!.id, ...changes }, now)
      saved.push('updated')
    }
  }
  const [first, ...more] = made
  if (first !== undefined) yield* rows({ ...insert(first), more })
  return saved
}

/** A store as an export writes it. */
export interface ExportedStore extends Record<string, unknown> {
  readonly id: string
  readonly store_name: string
  readonly brand_name: string | null
  readonly logo_type: string | null
}

/** The account's connected stores after a name, sorted by name. */
export function storesAfter(account: number, name: string, limit: number): Work<readonly ExportedStore[]> {
  return rows<ExportedStore>(
    sql`select id, store_name, brand_name, logo_type from stores
      where account_id = ${account} and store_name > ${name} and status = 'connected'
      order by store_name ${limitTo(limit)}`,
  )
}
