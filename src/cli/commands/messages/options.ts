// What commands that deliver messages share: flags and environment to ways of sending; the place that wires clock, chance and
// names to the workers.
import { setTimeout as wait } from 'node:timers/promises'
import { readHook, readMailServer, readSender } from '../../../delivery/destination.ts'
import { posterOf, type Poster } from '../../../delivery/post.ts'
import { systemResolve } from '../../../delivery/publicaddress.ts'
import { isSecret } from '../../../delivery/signature.ts'
import { waysOf, type AccountWays, type Over } from '../../../delivery/channels.ts'
import type { Fault } from '../../../domain/errors.ts'
import type { Database } from '../../../engine/database/port.ts'
import type { Context } from '../../command/context.ts'
import { text } from '../../command/flags.ts'
import { variable } from '../../terminal/io.ts'
import { renderFor } from '../../../delivery/rendering.ts'
import { remoteSettings } from '../../config/target.ts'

/** What a run says of how it delivers. */
export interface Delivering {
  readonly over: Over
  readonly allowPrivate: boolean
  readonly concurrency: number
}

/** Requests under way at once when nothing is said, and at most. */
const [usual, most] = [16, 256]

/** Flags and environment, with their faults. None of these repeats a secret. */
export function deliveringFrom({ flags, io }: Context): {
  readonly value: Delivering
  readonly faults: readonly Fault[]
} {
  const faults: Fault[] = []
  const allowPrivate = flags.has('allow-private')
  const gateway = text(flags, 'gateway')
  const smtpFlag = text(flags, 'smtp')
  const smtp = smtpFlag ?? variable(io, 'SHIPX_SMTP')
  const secret = variable(io, 'SHIPX_GATEWAY_SECRET')
  const sender = text(flags, 'from')
  const check = (field: string, read: object): void => {
    if ('fault' in read) faults.push({ field, message: read.fault as string })
  }
  if (gateway !== undefined) check('--gateway', readHook(gateway, allowPrivate))
  if (smtp !== undefined) check(smtpFlag === undefined ? 'SHIPX_SMTP' : '--smtp', readMailServer(smtp))
  if (sender !== undefined) check('--from', readSender(sender))
  if (secret !== undefined && !isSecret(secret)) faults.push({ field: 'SHIPX_GATEWAY_SECRET', message: secretFault })
  const given = text(flags, 'concurrency')
  const concurrency = given === undefined ? usual : Number(given)
  if (given !== undefined && !(/^\d{1,3}$/.test(given) && concurrency >= 1 && concurrency <= most))
    faults.push({ field: '--concurrency', message: `"${given.slice(0, 20)}" is not a whole number from 1 to ${most}` })
  return { value: { over: { gateway, secret, smtp, sender }, allowPrivate, concurrency }, faults }
}

/** What is wrong with what is no signing secret. */
export const secretFault = 'must be whsec_ and 24 to 64 bytes in base64, as shipx messages set prints them'

/** Sends posts as a run wants them. Throws `invalid_input` for a file of certificates. */
export function posterFor(
  { io }: Context,
  { allowPrivate, concurrency }: Pick<Delivering, 'allowPrivate' | 'concurrency'>,
): Poster {
  // prettier-ignore
  return posterOf({ resolve: systemResolve, allowPrivate, connections: concurrency, ca: remoteSettings(io).ca })
}

/** The clock of receivers: a signature of another time is refused, so that none can be sent again later. */
export const clock = (): number => Date.now()

/** The ways of any account of a database. Throws `invalid_input` for a file of certificates. */
export function waysFor(
  context: Context,
  database: Database,
  poster: Poster,
  delivering: Delivering,
): (account: number) => AccountWays {
  // prettier-ignore
  const { over, allowPrivate, concurrency } = delivering
  const options = {
    database,
    poster,
    resolve: systemResolve,
    allowPrivate,
    connections: concurrency,
    ca: remoteSettings(context.io).ca,
    clock,
    ticks: () => performance.now(),
    render: renderFor(database),
    over,
    fault: (message: string) => void context.warn(message).catch(() => undefined),
  }
  return (account) => waysOf(options, account)
}

/** What workers are given of the outside. */
export const outside = (context: Context, stop: AbortSignal) => ({
  host: context.io.host,
  ticks: () => performance.now(),
  random: Math.random,
  sleep: (ms: number): Promise<void> => wait(ms, undefined, { signal: stop }).catch(() => undefined),
  stop,
  warn: (error: Error) => context.warn(`${error.message}; the messages wait for the next try`),
})

/** The last four characters of a secret, which tell it from others. */
export const ending = (secret: string): string => `…${secret.slice(-4)}`
