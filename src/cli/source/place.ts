// The words for the place that answers a command and saves its writes: this computer, a PostgreSQL database, or the
// user's account at a host.
import type { Context } from '../command/context.ts'
import type { Target } from '../command/target.ts'
import { databaseUrl, shownDatabase } from '../config/paths.ts'
import { text } from '../command/flags.ts'

type Asking = Pick<Context, 'io' | 'flags'>

/** Where the database of this computer is, with the account of `--account`: `on this computer`, `at postgres://…`. */
export function here(context: Asking): string {
  const url = databaseUrl(context)
  const account = text(context.flags, 'account')
  const place = url === undefined ? 'on this computer' : `at ${shownDatabase(url)}`
  return account === undefined ? place : `${place} (account ${account})`
}

/** The place of a target: `at api.example.com (profile acme)`. */
export function there({ base_url, profile }: Extract<Target, { kind: 'remote' }>): string {
  const { host } = new URL(base_url)
  return `at ${host}${profile === undefined ? '' : ` (profile ${profile})`}`
}

/** The place that answers a command, as every write names it. Throws as `targetOf`. */
export async function where(context: Pick<Context, 'io' | 'flags' | 'target'>): Promise<string> {
  const target = await context.target()
  return target.kind === 'remote' ? there(target) : here(context)
}

/** The words for an order with a courier on this computer; `awbs` is `AWB 7… is` or `the AWBs are`. */
export const testEngine = (awbs: string): string => `test engine: no courier was notified, ${awbs} not real`
