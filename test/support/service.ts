// The service over HTTP as tests start it: a real server on loopback over a real database, with keys for its accounts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remoteService, type RemoteService } from '../../src/client/service.ts'
import { createKey, type KeyOptions } from '../../src/engine/accounts/keys.ts'
import { accountNamed } from '../../src/engine/accounts/settings.ts'
import { serviceApp, type ServiceOptions } from '../../src/server/app.ts'
import type { Host } from '../../src/engine/runtime.ts'
import type { LogEntry } from '../../src/server/log.ts'
import { startReaders, type Readers } from '../../src/server/readers.ts'
import { turnsOf } from '../../src/server/turns.ts'
import { openEngine, testHost, type TestEngine } from './engine.ts'
import { root } from './checkout.ts'

/** A running service. */
export interface TestService {
  /** Its address, without a slash at the end. */
  readonly url: string
  /** Address and path prefix of the endpoints. */
  readonly api: string
  readonly engine: TestEngine
  /** The file of its database. */
  readonly path: string
  /** The full key of the account `default`. */
  readonly key: string
  readonly keyFor: (account: string, wish?: KeyOptions) => Promise<{ readonly key: string; readonly id: string }>
  /** Every line of the access log so far. */
  readonly log: readonly LogEntry[]
  readonly app: Awaited<ReturnType<typeof serviceApp>>
  readonly close: () => Promise<void>
}

const built = (file: string): string => join(root, 'dist', file)

/** Starts a service on a new database, or on an engine's. `readers` threads answer listings, as `shipx serve` has them, or readers of the test. */
export async function startService(
  options: Partial<Pick<ServiceOptions, 'rateLimit' | 'mostConnections'>> & {
    readonly readers?: number | Readers
    readonly path?: string
    readonly open?: (host: Host) => Promise<TestEngine>
  } = {},
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'shipx-serve-'))
  const path = options.path ?? join(folder, 'shipx.db')
  // Identifiers of a service are random as in life: a key must not be one that counts.
  const host = {
    ...testHost(),
    letters: (length: number, alphabet: string): string =>
      Array.from(crypto.getRandomValues(new Uint32Array(length)), (n) => alphabet[n % alphabet.length]).join(''),
  }
  const engine = await (options.open?.(host) ?? openEngine(path, host))
  const { database } = engine
  const log: LogEntry[] = []
  const { readers: wanted = 1 } = options
  const started = (count: number): Readers => startReaders({ code: built('reader.cjs'), options: {} }, { path }, count)
  const none = wanted === 0 || options.open !== undefined
  const readers = none ? undefined : typeof wanted === 'number' ? started(wanted) : wanted
  const app = await serviceApp({
    database,
    host,
    ...(readers === undefined ? {} : { readers }),
    ...(options.open === undefined ? {} : { turns: turnsOf({ places: 16, each: 8 }) }),
    version: '0.0.0',
    asset: (name) => readFileSync(built(`docs/${name}`)),
    rateLimit: options.rateLimit ?? 0,
    ...(options.mostConnections === undefined ? {} : { mostConnections: options.mostConnections }),
    log: (entry) => log.push(entry),
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const keyFor: TestService['keyFor'] = async (account, wish = {}) => {
    const { key, entry } = await database.write(function* () {
      return yield* createKey(yield* accountNamed(account, host.now()), wish, host)
    })
    return { key, id: entry.id }
  }
  return {
    url,
    api: `${url}/custom/api/v1`,
    engine,
    path,
    key: (await keyFor('default')).key,
    keyFor,
    log,
    app,
    close: async () => {
      await app.close()
      await readers?.close()
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The client of the command line for a service, as an account's key holder has it. */
export function clientOf(service: Pick<TestService, 'url'>, key: string): RemoteService {
  return remoteService({
    base_url: service.url,
    key,
    scheme: 'bearer',
    now: () => Date.now(),
    random: Math.random,
    uuid: () => crypto.randomUUID(),
    env: {},
  })
}

/** An answer read whole. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

/** Sends a request with Node's own client, which is not the one under test. */
export async function send(url: string, init: RequestInit & { readonly key?: string } = {}): Promise<Answer> {
  const { key, ...rest } = init
  const response = await fetch(url, {
    ...rest,
    redirect: 'manual',
    headers: { ...(key === undefined ? {} : { authorization: key }), ...(rest.headers as Record<string, string>) },
  })
  const text = await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  return { status: response.status, headers: response.headers, text, json }
}

/** The parts of a request with a JSON body. */
export const json = (body: unknown, method = 'POST'): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The body of an error with one fault. */
export const errorBody = (message: string) => ({ status: 'ERROR', message, errors: [message] })
