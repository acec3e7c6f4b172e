// Webhooks: the merchant's own systems that receive every status change. Their secrets are kept as plain text, since
// they sign messages; they are shown only when made.
import sql from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { row, rows, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'

/** A webhook; `created_at` is ms UTC. */
export interface Webhook extends Record<string, unknown> {
  readonly id: string
  readonly url: string
  readonly secret: string
  /** The value of the `X-API-Key` header. */
  readonly api_key: string | null
  readonly created_at: number
}

/**
 * Adds a webhook, or changes the API key of the one with that address and keeps its secret. Returns whether it was
 * added.
 */
export function* setWebhook(
  account: number,
  { url, secret, api_key }: Pick<Webhook, 'url' | 'secret' | 'api_key'>,
  host: Host,
): Work<{ readonly webhook: Webhook; readonly made: boolean }> {
  const known = yield* row<Webhook>(
    sql`select id, url, secret, api_key, created_at from webhooks where account_id = ${account} and url = ${url}`,
  )
  const webhook: Webhook =
    known === undefined
      ? { id: `wh_${host.uuid().replaceAll('-', '').slice(0, 12)}`, url, secret, api_key, created_at: host.now() }
      : { ...known, api_key: api_key ?? known.api_key }
  yield* rows(
    sql`insert into webhooks (account_id, id, url, secret, api_key, created_at)
      values (${account}, ${webhook.id}, ${url}, ${webhook.secret}, ${webhook.api_key}, ${webhook.created_at})
      on conflict (account_id, id) do update set api_key = excluded.api_key`,
  )
  return { webhook, made: known === undefined }
}

/** The webhooks of an account, oldest first. */
export function* listWebhooks(account: number): Work<readonly Webhook[]> {
  return yield* rows<Webhook>(
    sql`select id, url, secret, api_key, created_at from webhooks
      where account_id = ${account} order by created_at, id`,
  )
}

/** Removes a webhook and cancels its waiting messages; throws `not_found`. */
export function* removeWebhook(account: number, id: string): Work<Webhook> {
  const gone = yield* row<Webhook>(
    sql`delete from webhooks where account_id = ${account} and id = ${id}
      returning id, url, secret, api_key, created_at`,
  )
  if (gone === undefined)
    throw new ShipxError('not_found', `there is no webhook ${id.slice(0, 60)}`, { hint: 'shipx webhooks list' })
  yield* rows(
    sql`update messages set status = ${'cancelled'}, claimed_until = null
      where account_id = ${account} and target = ${id} and status in (${'waiting'}, ${'parked'})`,
  )
  return gone
}
