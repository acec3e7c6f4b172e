// How an account reaches its customers: its gateway for messages, and its mail server; kept as they are, since they are used.
import sql from 'sql-template-tag'
import { row, rows, type Work } from './database.ts'

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
  return yield* rows<Gateway>(sql`select name, url, secret, sender from gateways where account_id = ${account} order by name`) // prettier-ignore
}

/** Keeps what is given of a way, beside what was kept before; null takes away. */
export function* saveGateway(
  account: number,
  name: GatewayName,
  change: Partial<Pick<Gateway, 'url' | 'secret' | 'sender'>>,
  now: number,
): Work<Gateway> {
  const before = yield* row<Gateway>(sql`select name, url, secret, sender from gateways where account_id = ${account} and name = ${name}`) // prettier-ignore
  const after: Gateway = { name, url: null, secret: null, sender: null, ...before, ...change }
  yield* rows(
    sql`insert into gateways (account_id, name, url, secret, sender, updated_at) values (${account}, ${name}, ${after.url}, ${after.secret}, ${after.sender}, ${now})
      on conflict (account_id, name) do update set url = excluded.url, secret = excluded.secret, sender = excluded.sender, updated_at = excluded.updated_at`,
  )
  return after
}
