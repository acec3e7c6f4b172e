// Which requests get in: those with a valid key, at a moderate pace, and writes only with a key that may write.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ShipxError } from '../domain/errors.ts'
import { credentialIn } from '../domain/keys.ts'
import { findKey, keyHash, isUsable, type KeyEntry } from '../engine/accounts/keys.ts'
import { readCache } from '../engine/database/cache.ts'
import type { Database } from '../engine/database/port.ts'
import type { Host } from '../engine/runtime.ts'
import { bodyBytes } from './bodies.ts'
import type { Connections } from './connections.ts'
import { inTime, lookUpMs } from './deadline.ts'
import type { Buckets } from './ratelimit.ts'
import type { Underway } from './underway.ts'

/** Keys that are remembered until the database changes. */
const rememberedKeys = 10_000

/** A hook that lets a request in, or calls back with the error. */
export type Admit = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** What requests are admitted with. */
export interface AdmissionOptions {
  readonly database: Database
  readonly host: Host
  readonly connections: Connections
  readonly buckets: Buckets
  readonly underway: Underway
  /** Whether the database answers over a network, and may hang. */
  readonly remote: boolean
}

/**
 * Makes the hook of an endpoint, for one that only reads or for one that writes. The hook calls back with
 * `unauthorized`, `rate_limited`, `read_only_key`, and `unavailable` for a client that has left: at once where the key
 * is known.
 */
export function admission(options: AdmissionOptions): (reads: boolean) => Admit {
  const { database, host, connections, buckets, underway, remote } = options
  const remember = readCache(database, rememberedKeys)

  const lookUp = (hash: string): KeyEntry | undefined | Promise<KeyEntry | undefined> => {
    const found = remember(hash, () => database.read(() => findKey(hash), 'single'))
    return remote ? inTime(lookUpMs, Promise.resolve(found), true) : found
  }

  const letIn = (request: FastifyRequest, reply: FastifyReply, key: KeyEntry | undefined, reads: boolean): void => {
    if (key === undefined || !isUsable(key, host.now())) {
      reply.header('www-authenticate', 'Bearer')
      throw new ShipxError('unauthorized', 'the key is missing or not valid')
    }
    request.key = key
    connections.known(request.raw.socket)
    const wait = buckets.take(key.id)
    if (wait > 0)
      throw new ShipxError('rate_limited', 'too many requests with this key', { retry_after_ms: Math.max(1000, wait) })
    if (!reads && key.read_only === 1) throw new ShipxError('read_only_key', 'this key may only read')
    // A client that has left while its key was looked up holds nothing.
    if (reply.raw.destroyed) throw new ShipxError('unavailable', 'the client closed the connection')
    request.holding = underway.begin(key.account_id)
    request.holding.body(bodyBytes(request))
  }

  return (reads) => (request, reply, done) => {
    /** The error, if the key does not let the request in. */
    const judged = (key: KeyEntry | undefined): Error | undefined => {
      try {
        letIn(request, reply, key, reads)
        return undefined
      } catch (error) {
        return error as Error
      }
    }
    let found: ReturnType<typeof lookUp>
    try {
      const hash = keyHash(credentialIn(request.headers.authorization), host)
      found = hash === undefined ? undefined : lookUp(hash)
    } catch (error) {
      return done(error as Error)
    }
    if (found instanceof Promise) found.then((key) => done(judged(key)), done)
    else done(judged(found))
  }
}
