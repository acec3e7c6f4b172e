// How an account reaches its customers: its gateway for messages, and its mail server; kept as they are, since they are used.
import sql from 'sql-template-tag'
import type { MessageChannel } from '../../domain/messages/messages.ts'
import { rows, type Work } from '../database/port.ts'
import { dropWaiting } from './queue.ts'

/** The ways to customers. */
export type GatewayName = 'gateway' | 'smtp'

/** One way. */
export interface Gateway extends Record<string, unknown> {
  readonly name: GatewayName
  /** `https://…` or `smtp://user:password@host:port`. */
  readonly url: string | null
  /** What the messages to a gateway are signed with. */
  readonly secret: string | null
  /** Who e-mails are from. */
  readonly sender: string | null
}

/** The ways that an account has. */
export function* listGateways(account: number): Work<readonly Gateway[]> {
  return yield* rows<Gateway>(
    sql`select name, url, secret, sender from gateways where account_id = ${account} order by name`,
  )
}

/** Whether a way reaches customers: a mail server needs to know whom mails are from. */
const reaches = ({ name, url, sender }: Gateway): boolean => url !== null && (name === 'gateway' || sender !== null)

/** The channels that some ways carry: without a mail server, a gateway takes e-mails as well. */
const carried = (ways: readonly Gateway[]): readonly MessageChannel[] => {
  const names = ways.filter(reaches).map(({ name }) => name)
  return [...(names.includes('gateway') ? ['text' as const] : []), ...(names.length > 0 ? ['email' as const] : [])]
}

/**
 * Keeps what is given of a way, beside what was kept before; null takes away. A channel that gets its first way by that
 * drops what waits in it: those messages were made while delivery was not set up, and may be of tests. Returns how many.
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
    sql`insert into gateways (account_id, name, url, secret, sender, updated_at) values (${account}, ${name}, ${after.url}, ${after.secret}, ${after.sender}, ${now})
      on conflict (account_id, name) do update set url = excluded.url, secret = excluded.secret, sender = excluded.sender, updated_at = excluded.updated_at`,
  )
  const known = carried(all)
  const begun = carried([...all.filter((way) => way !== before), after]).filter((channel) => !known.includes(channel))
  return begun.length === 0
    ? 0
    : yield* dropWaiting(account, begun, 'not sent: delivery was not set up when it was made')
}
