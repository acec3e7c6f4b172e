// The keys of the service's accounts: create, list, revoke, and find the key of a request. The database keeps only a
// key's SHA-256.
import sql, { type Sql } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { base62, isKey, keyLetters, keyOf } from '../../domain/keys.ts'
import { row, rows, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'

/** A key as a list shows it: never the key itself. Times are ms UTC. */
export interface KeyEntry extends Record<string, unknown> {
  readonly id: string
  readonly account_id: number
  readonly account: string
  readonly label: string | null
  /** The last four characters. */
  readonly ending: string
  readonly read_only: 0 | 1
  readonly created_at: number
  readonly expires_at: number | null
  readonly revoked_at: number | null
}

/** The options of a new key. `expires_at` is ms UTC. */
export interface KeyOptions {
  readonly label?: string
  readonly expires_at?: number
  readonly read_only?: boolean
}

const columns: Sql = sql`k.id, k.account_id, a.name as account, k.label, k.ending, k.read_only,
  k.created_at, k.expires_at, k.revoked_at`

const entries: Sql = sql`select ${columns} from keys k join accounts a on a.id = k.account_id`

/** Creates a key for an account. Only this answer contains the key itself. */
export function* createKey(
  account: number,
  options: KeyOptions,
  host: Host,
): Work<{ readonly key: string; readonly entry: KeyEntry }> {
  const key = keyOf(host.letters(keyLetters, base62))
  const id = `key_${host.letters(10, base62)}`
  const { label = null, expires_at = null, read_only = false } = options
  yield* rows(
    sql`insert into keys (hash, account_id, id, label, ending, read_only, created_at, expires_at)
      values (${host.digest(key)}, ${account}, ${id}, ${label}, ${key.slice(-4)}, ${read_only ? 1 : 0},
        ${host.now()}, ${expires_at})`,
  )
  return { key, entry: (yield* findEntry(account, id))! }
}

function* findEntry(account: number, id: string): Work<KeyEntry | undefined> {
  return yield* row<KeyEntry>(sql`${entries} where k.account_id = ${account} and k.id = ${id}`)
}

/** The keys of all accounts, or of one, sorted by account and age; includes revoked keys. */
export function* listKeys(account?: number): Work<readonly KeyEntry[]> {
  const which = account === undefined ? sql`` : sql` where k.account_id = ${account}`
  return yield* rows<KeyEntry>(sql`${entries}${which} order by a.name, k.created_at, k.id`)
}

/** Revokes the key with an id, at once; revoking it again is not an error. Throws `not_found`. */
export function* revokeKey(id: string, now: number): Work<KeyEntry> {
  const found = yield* row<KeyEntry>(sql`${entries} where k.id = ${id}`)
  if (found === undefined) throw new ShipxError('not_found', `there is no key ${id}`, { hint: 'shipx keys list' })
  yield* rows(
    sql`update keys set revoked_at = ${now}
      where account_id = ${found.account_id} and id = ${id} and revoked_at is null`,
  )
  return (yield* findEntry(found.account_id, id))!
}

/** The hash that a credential is looked up by; undefined for text that cannot be a key. */
export function keyHash(credential: string | undefined, { digest }: Pick<Host, 'digest'>): string | undefined {
  return credential === undefined || !isKey(credential) ? undefined : digest(credential)
}

/** The key with a hash. A lookup by hash never compares the key itself. */
export function* findKey(hash: string): Work<KeyEntry | undefined> {
  return yield* row<KeyEntry>(sql`${entries} where k.hash = ${hash}`)
}

/** Whether a key can be used now (ms UTC): neither revoked nor expired. A caller cannot tell which of the two it is. */
export function isUsable({ revoked_at, expires_at }: KeyEntry, now: number): boolean {
  return revoked_at === null && (expires_at ?? Infinity) > now
}
