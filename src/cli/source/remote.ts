// The HTTP client of a command: settings from the environment, warnings on the screen, and with --debug and --curl
// every exchange, without the key.
import type { RemoteOptions } from '../../client/options.ts'
import type { RemoteService } from '../../client/service.ts'
import { remoteService } from '../../client/service.ts'
import type { Budget } from '../../client/budget.ts'
import { curlOf, exchangeText } from './httptrace.ts'
import type { Context } from '../command/context.ts'
import { remoteSettings } from '../config/target.ts'
import type { Target } from '../command/target.ts'
import { compileWasmOnce } from '../terminal/wasm.ts'

/**
 * How bulk work calls the service: it may wait out a rate limit for 10 minutes, and stays within a budget of requests.
 */
export interface BulkPace {
  readonly budget: Budget
  /** Total time of the waits that the service asks for, ms. */
  readonly patience_ms: number
  /** Waits between tries. A wait that ends early ends its call as interrupted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The client of a deployment. Throws `invalid_input` for invalid settings. */
export function remoteFor(
  context: Context,
  { base_url, key, scheme }: Extract<Target, { kind: 'remote' }>,
  bulk?: BulkPace,
): RemoteService {
  return remoteService({ ...clientSettings(context), base_url, key, scheme, ...bulk })
}

/** What every client of a command needs, other than the address and the key. Throws `invalid_input`. */
export function clientSettings(context: Context): Omit<RemoteOptions, 'base_url' | 'key' | 'scheme'> {
  const { io, flags } = context
  compileWasmOnce()
  const { timeout_ms, ca } = remoteSettings(io)
  const debugging = flags.has('debug') || (io.env['SHIPX_DEBUG'] ?? '') !== ''
  const show = (text: string): void => void io.stderr.write(text).catch(() => undefined)
  return {
    now: io.host.now,
    random: Math.random,
    uuid: io.host.uuid,
    env: io.env,
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
    ...(ca === undefined ? {} : { ca }),
    warn: (text) => void context.warn(text).catch(() => undefined),
    strict: flags.has('strict'),
    ...(debugging || flags.has('curl')
      ? {
          trace: (exchange) => {
            if (flags.has('curl')) show(`${curlOf(exchange)}\n`)
            if (debugging) show(exchangeText(exchange))
          },
        }
      : {}),
  }
}
