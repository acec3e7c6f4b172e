// What commands that deliver messages share: the ways of sending, from flags and environment. Passes clock, randomness
// and names to the workers.
import { setTimeout as wait } from 'node:timers/promises'
import { readHook, readMailServer, readSender } from '../../../delivery/destination.ts'
import { posterOf, type Poster } from '../../../delivery/post.ts'
import { systemResolve } from '../../../delivery/publicaddress.ts'
import { isSecret } from '../../../delivery/signature.ts'
import { channelsOf, type AccountChannels, type SettingOverrides } from '../../../delivery/channels.ts'
import type { Fault, Read } from '../../../domain/errors.ts'
import type { Database } from '../../../engine/database/port.ts'
import type { Context } from '../../command/context.ts'
import { flag, number, word } from '../../args/kinds.ts'
import type { OptionsOf } from '../../args/options.ts'
import { variable } from '../../terminal/io.ts'
import { compileWasmOnce } from '../../terminal/wasm.ts'
import { renderFor } from '../../../delivery/rendering.ts'
import { remoteSettings } from '../../config/target.ts'

/** How a run delivers. */
export interface Delivering {
  readonly over: SettingOverrides
  readonly allowPrivate: boolean
  readonly concurrency: number
}

/** Requests at once: the default and the maximum. */
const [usual, most] = [16, 256]

/** The options of commands that deliver. */
export const deliveryOptions = {
  gateway: word,
  smtp: word,
  from: word,
  allow_private: flag,
  concurrency: number(usual, most, 1),
}

/** The options and the environment, with their faults. No fault repeats a secret. */
export function deliveringFrom(
  { io }: Pick<Context, 'io'>,
  options: OptionsOf<typeof deliveryOptions>,
): Read<Delivering> {
  const { gateway, from: sender, allow_private: allowPrivate, concurrency } = options
  const faults: Fault[] = []
  const smtp = options.smtp ?? variable(io, 'SHIPX_SMTP')
  const secret = variable(io, 'SHIPX_GATEWAY_SECRET')
  const check = (field: string, read: object): void => {
    if ('fault' in read) faults.push({ field, message: read.fault as string })
  }
  if (gateway !== undefined) check('--gateway', readHook(gateway, allowPrivate))
  if (smtp !== undefined) check(options.smtp === undefined ? 'SHIPX_SMTP' : '--smtp', readMailServer(smtp))
  if (sender !== undefined) check('--from', readSender(sender))
  if (secret !== undefined && !isSecret(secret)) faults.push({ field: 'SHIPX_GATEWAY_SECRET', message: secretFault })
  return { value: { over: { gateway, secret, smtp, sender }, allowPrivate, concurrency }, faults }
}

/** The fault of a text that is not a signing secret. */
export const secretFault = 'must be whsec_ and 24 to 64 bytes in base64, as shipx messages set prints them'

/** The poster of a run. Throws `invalid_input` for a file of certificates. */
export function posterFor(
  { io }: Context,
  { allowPrivate, concurrency }: Pick<Delivering, 'allowPrivate' | 'concurrency'>,
): Poster {
  const { ca } = remoteSettings(io)
  compileWasmOnce()
  return posterOf({ resolve: systemResolve, allowPrivate, connections: concurrency, ca })
}

/** The clock that signatures use: receivers refuse an old time, so nobody can send a signature again later. */
export const clock = (): number => Date.now()

/** The ways of sending for any account of a database. Throws `invalid_input` for a file of certificates. */
export function waysFor(
  context: Context,
  database: Database,
  poster: Poster,
  delivering: Delivering,
): (account: number) => AccountChannels {
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
  return (account) => channelsOf(options, account)
}

/** What workers get from outside: clock, randomness, sleep, and the output for warnings. */
export const outside = (context: Context, stop: AbortSignal) => ({
  host: context.io.host,
  ticks: () => performance.now(),
  random: Math.random,
  sleep: (ms: number): Promise<void> => wait(ms, undefined, { signal: stop }).catch(() => undefined),
  stop,
  warn: (error: Error) => context.warn(`${error.message}; the messages wait for the next try`),
})

/** The last four characters of a secret, to tell it from others. */
export const ending = (secret: string): string => `…${secret.slice(-4)}`
