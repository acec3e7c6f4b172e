// How an account reaches its customers: its message gateway and its mail server. Their secrets are kept as plain text,
// since shipx must send them.
import sql from 'sql-template-tag'
import type { MessageChannel } from '../../domain/messages/messages.ts'
import { rows, type Work } from '../database/port.ts'
import { dropWaiting } from './queue.ts'

/** The ways to reach customers. */
export type GatewayName = 'gateway' | 'smtp'

/** One way to reach customers. */
export interface Gateway extends Record<string, unknown> {
  readonly name: GatewayName
  /** `https://…` or `smtp://user:password@host:port`. */
  readonly url: string | null
  /** The secret that signs messages to a gateway. */
  readonly secret: string | null
  /** The sender of e-mails. */
  readonly sender: string | null
}

/** The ways that an account has set up. */
export function* listGateways(account: number): Work<readonly Gateway[]> {
  return yield* rows<Gateway>(
    sql`select name, url, secret, sender from gateways where account_id = ${account} order by name`,
  )
}

/** Whether an account has a gateway, a mail server or a webhook, whatever becomes of them. */
export function* isSetUp(account: number): Work<boolean> {
  const ways = yield* rows(
    sql`select 1 as one from gateways where account_id = ${account} and url is not null
      union all select 1 as one from webhooks where account_id = ${account}`,
  )
  return ways.length > 0
}

/** Whether a way can reach customers: a mail server also needs a sender. */
const reaches = ({ name, url, sender }: Gateway): boolean => url !== null && (name === 'gateway' || sender !== null)

/** The channels that these ways carry: without a mail server, the gateway also takes e-mails. */
const carried = (ways: readonly Gateway[]): readonly MessageChannel[] => {
  const names = ways.filter(reaches).map(({ name }) => name)
  return [...(names.includes('gateway') ? ['text' as const] : []), ...(names.length > 0 ? ['email' as const] : [])]
}

/**
 * Changes the given fields of a way and keeps the others; null removes a field. When a channel gets its first way, its
 * waiting messages are dropped: they were made before delivery was set up, and may come from tests. Returns how many.
 */
export function* saveGateway(
  account: number,
  name: GatewayName,
  change: Partial<Pick<Gateway, 'url' | 'secret' | 'sender'>>,
  now: number,
): Work<number> {
  const all = yield* listGateways(account)
  const before = all.find((way) => way.name === name)
  const after: Gateway = { name, url: null, secret: null, sender: null, ...before, ...change }
  yield* rows(
    sql`insert into gateways (account_id, name, url, secret, sender, updated_at)
      values (${account}, ${name}, ${after.url}, ${after.secret}, ${after.sender}, ${now})
      on conflict (account_id, name) do update set
        url = excluded.url, secret = excluded.secret, sender = excluded.sender, updated_at = excluded.updated_at`,
  )
  const known = carried(all)
  const begun = carried([...all.filter((way) => way !== before), after]).filter((channel) => !known.includes(channel))
  return begun.length === 0
    ? 0
    : yield* dropWaiting(account, begun, 'not sent: delivery was not set up when it was made')
}
