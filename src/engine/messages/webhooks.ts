// Webhooks: the merchant's own systems that receive status changes and what happens to disputes. Their secrets are kept
// as plain text, since they sign messages; they are shown only when made.
import sql from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { webhookEvents, type WebhookEvents } from '../../domain/messages/messages.ts'
import { row, rows, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'

/** A webhook; `created_at` is ms UTC. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly secret: string
  /** The value of the `X-API-Key` header. */
  readonly api_key: string | null
  /** What it receives. */
  readonly events: readonly WebhookEvents[]
  readonly created_at: number
}

interface WebhookRow extends Omit<Webhook, 'events'>, Record<string, unknown> {
  /** `status,disputes`; null of a webhook from before there were events of disputes. */
  readonly events: string | null
}

const columns = sql`id, url, secret, api_key, events, created_at`

/** What a webhook receives where nobody says it. */
const usual: readonly WebhookEvents[] = ['status']

function webhookFrom({ events, ...others }: WebhookRow): Webhook {
  const named = events?.split(',')
  return { ...others, events: named === undefined ? usual : webhookEvents.filter((one) => named.includes(one)) }
}

/** What is set of a webhook; what is left out stays as it is. */
export interface WebhookSettings extends Pick<Webhook, 'url' | 'secret' | 'api_key'> {
  readonly events?: readonly WebhookEvents[] | undefined
}

/**
 * Adds a webhook, or changes the API key and the events of the one with that address and keeps its secret. Returns
 * whether it was added.
 */
export function* setWebhook(
  account: number,
  { url, secret, api_key, events }: WebhookSettings,
  host: Host,
): Work<{ readonly webhook: Webhook; readonly made: boolean }> {
  const found = yield* row<WebhookRow>(
    sql`select ${columns} from webhooks where account_id = ${account} and url = ${url}`,
  )
  const known = found && webhookFrom(found)
  const id = `wh_${host.uuid().replaceAll('-', '').slice(0, 12)}`
  const webhook: Webhook =
    known === undefined
      ? { id, url, secret, api_key, events: events ?? usual, created_at: host.now() }
      : { ...known, api_key: api_key ?? known.api_key, events: events ?? known.events }
  yield* rows(
    sql`insert into webhooks (account_id, id, url, secret, api_key, events, created_at)
      values (${account}, ${webhook.id}, ${url}, ${webhook.secret}, ${webhook.api_key}, ${webhook.events.join(',')},
        ${webhook.created_at})
      on conflict (account_id, id) do update set api_key = excluded.api_key, events = excluded.events`,
  )
  return { webhook, made: known === undefined }
}

/** The webhooks of an account, oldest first. */
export function* listWebhooks(account: number): Work<readonly Webhook[]> {
  const found = yield* rows<WebhookRow>(
    sql`select ${columns} from webhooks where account_id = ${account} order by created_at, id`,
  )
  return found.map(webhookFrom)
}

/** The webhooks that receive such events, by their ids. */
export function* webhooksOf(account: number, events: WebhookEvents): Work<readonly Webhook[]> {
  const found = yield* rows<WebhookRow>(sql`select ${columns} from webhooks where account_id = ${account} order by id`)
  return found.map(webhookFrom).filter((one) => one.events.includes(events))
}

/** Removes a webhook and cancels its waiting messages; throws `not_found`. */
export function* removeWebhook(account: number, id: string): Work<Webhook> {
  const gone = yield* row<WebhookRow>(
    sql`delete from webhooks where account_id = ${account} and id = ${id} returning ${columns}`,
  )
  if (gone === undefined)
    throw new ShipxError('not_found', `there is no webhook ${id.slice(0, 60)}`, { hint: 'shipx webhooks list' })
  yield* rows(
    sql`update messages set status = ${'cancelled'}, claimed_until = null
      where account_id = ${account} and target = ${id} and status in (${'waiting'}, ${'parked'})`,
  )
  return webhookFrom(gone)
}
