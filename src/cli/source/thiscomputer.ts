// The words for what the embedded engine keeps.
import type { Context } from '../command/context.ts'
import { databaseUrl, shownDatabase } from '../config/paths.ts'
import { text } from '../command/flags.ts'

type Asking = Pick<Context, 'io' | 'flags'>

/** Where the embedded engine saves: `on this computer`, or `at postgres://…`. */
export function here(context: Asking): string {
  const url = databaseUrl(context)
  return url === undefined ? 'on this computer' : `at ${shownDatabase(url)}`
}

/** The embedded engine's account, as questions name it. */
export const accountHere = (context: Asking): string =>
  `account ${text(context.flags, 'account') ?? 'default'} ${here(context)}`

/** The words for an order with a courier in the embedded engine; `awbs` is `AWB 7… is` or `the AWBs are`. */
export const testEngine = (awbs: string): string => `test engine: no courier was notified, ${awbs} not real`
