// When a request is sent again, and after how long: reads and repeatable writes, store creation, orders, each by its
// own rule (docs/reference/http.md, The client).
import { ShipxError, type ErrorKind } from '../domain/errors.ts'
import { failedTry, type FailedTry } from './networkerrors.ts'

/** A try that succeeded: its value, and whether it is the first answer to its key, sent again. */
export interface SucceededTry<T> {
  readonly ok: true
  readonly value: T
  readonly replayed: boolean
}

/** What has happened so far in one call. */
export interface RetryState {
  /** Tries made, from 1. */
  readonly n: number
  /** Whether an earlier try, or this one, may have had an effect. */
  readonly uncertain: boolean
  /** Whether there is no further try. */
  readonly last: boolean
  /**
   * Starts the wait that the service asked for, which holds back every other request as well; false when that would
   * take more patience than there is.
   */
  readonly hold: () => boolean
}

/** What follows a failed try: another one, a value found in another way, or the end of it. */
export type RetryDecision<T> = 'again' | { readonly value: T } | { readonly error: ShipxError }

/** What a client tries with. */
export interface RetryOptions {
  readonly random: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** How long waits that the service asks for may take in all, ms. */
  readonly patience_ms: number
  /** The limit of one try; time limits that ran out may add up to it, ms. */
  readonly attempt_ms: number
}

/** Decides what follows a failed try. */
export type RetryRule<T> = (failure: FailedTry, past: RetryState) => RetryDecision<T> | Promise<RetryDecision<T>>

/** How one request is tried. */
export interface Trying<T> {
  readonly rule: RetryRule<T>
  readonly signal?: AbortSignal | undefined
  /** Refusals for too many requests, of those that say when to come again, that do not count as tries. */
  readonly refusals: number
}

/** Tries a request until its rule is satisfied. */
export type Retry = <T>(
  attempt: (n: number) => Promise<SucceededTry<T> | FailedTry>,
  trying: Trying<T>,
) => Promise<{ readonly value: T; readonly replayed: boolean }>

/**
 * Sends until it succeeds, the rule ends it, four tries are made (without refusals that do not count), time limits have
 * added up to that of one try, or the service asks for more patience than there is. Waits that the service asked for
 * hold back every call of this client.
 */
export function retrying(pace: RetryOptions): Retry {
  let quiet: Promise<unknown> = Promise.resolve()

  return async function call<T>(
    attempt: (n: number) => Promise<SucceededTry<T> | FailedTry>,
    { rule, signal, refusals }: Trying<T>,
  ): Promise<{ readonly value: T; readonly replayed: boolean }> {
    let [spent, waited, refused, uncertain] = [0, 0, 0, false]
    for (let n = 1; ; n++) {
      await quiet
      if (signal?.aborted === true) throw new ShipxError('interrupted', 'stopped')
      const got = await attempt(n)
      if (got.ok) return { value: got.value, replayed: got.replayed && !uncertain }
      spent += got.spent
      uncertain ||= got.effect === 'unknown'
      const asked = got.error.retry_after_ms
      const tooLong = asked !== undefined && waited + asked > pace.patience_ms
      if (got.error.code === 'rate_limited' && asked !== undefined && refused < refusals) refused++
      const last = n - refused >= mostTries || spent >= pace.attempt_ms || tooLong || got.error.code === 'interrupted'
      let resting: Promise<void> | undefined
      const rest = (): Promise<void> => {
        if (resting !== undefined) return resting
        const wait = waitFor(n, asked, pace.random)
        resting = pace.sleep(wait, signal)
        // Its failure reaches those that wait for it.
        resting.catch(() => undefined)
        if (asked !== undefined) {
          waited += wait
          quiet = Promise.all([quiet, resting.catch(() => undefined)])
        }
        return resting
      }
      const hold = (): boolean => {
        if (asked !== undefined && !tooLong) void rest()
        return !tooLong
      }
      const verdict = await rule(got, { n, uncertain, last, hold })
      if (verdict !== 'again') {
        if ('value' in verdict) return { value: verdict.value, replayed: false }
        throw verdict.error
      }
      await rest()
    }
  }
}

/** The rule of requests that may be repeated without harm: reads, and writes of the same values. */
export function repeatable<T>({ passing, error }: FailedTry, { last }: RetryState): RetryDecision<T> {
  return passing && !last ? 'again' : { error }
}

/** What the rules of writes need of the client. */
export interface KeySupport {
  /**
   * Whether the service honours idempotency keys; finds out by a read, after `hold`, when it has not announced anything
   * yet. Undefined when that read failed as well.
   */
  readonly idempotency: (hold: () => boolean) => Promise<boolean | undefined>
}

/**
 * The rule of writes that must happen at most once, such as orders: sent again when nothing can have been sent, when
 * the service refused for too many requests, or when it honours the key that each try carries. `unknown` makes the
 * error of an unknown outcome.
 */
export function atMostOnce<T>({ idempotency }: KeySupport, unknown: (failure: FailedTry) => ShipxError) {
  return async (failure: FailedTry, { uncertain, last, hold }: RetryState): Promise<RetryDecision<T>> => {
    const { effect, passing, error } = failure
    if (effect === 'none') {
      if ((passing || error.code === 'idempotency_running') && !last) return 'again'
      return { error: uncertain && isInconclusive(error.kind) ? unknown(failure) : error }
    }
    return !last && (await idempotency(hold)) === true ? 'again' : { error: unknown(failure) }
  }
}

/** Whether a refusal of this kind says nothing about what an earlier try has done. */
export const isInconclusive = (kind: ErrorKind): boolean => silent.has(kind)

const silent: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'unavailable',
  'rate_limited',
  'interrupted',
])

/** What the rule of store creation needs. */
export interface StoreLookup<T> extends KeySupport {
  /** The store with the name, if it is there; throws what a read throws. */
  readonly find: () => Promise<T | undefined>
  /** Makes the error of an unknown outcome. */
  readonly unknown: (failure: FailedTry) => ShipxError
}

/**
 * The rule of store creation, which its unique name makes safe: after a lost answer the key is sent again where the
 * service honours it, else the name is looked up among the stores.
 */
export function uniqueByName<T>({ idempotency, find, unknown }: StoreLookup<T>) {
  return async (failure: FailedTry, { uncertain, last, hold }: RetryState): Promise<RetryDecision<T>> => {
    const { effect, passing, error } = failure
    if (effect === 'none') {
      if ((passing || error.code === 'idempotency_running') && !last) return 'again'
      if (!uncertain || !(error.code === 'store_name_taken' || isInconclusive(error.kind))) return { error }
    } else if (!last) {
      const honoured = await idempotency(hold)
      if (honoured === true) return 'again'
      // A service that does not answer this read would not list its stores either.
      if (honoured === undefined) return { error: unknown(failure) }
    }
    if (!hold()) return { error: effect === 'none' ? error : unknown(failure) }
    try {
      const found = await find()
      if (found !== undefined) return { value: found }
    } catch {
      return { error: unknown(failure) }
    }
    if (effect === 'none') return { error }
    return last ? { error: unknown(failure) } : 'again'
  }
}

/** A value read from an answer, or the failure to read it: a write with an unreadable answer may have been done. */
export function readResult<T>(read: () => T, replayed: boolean): SucceededTry<T> | FailedTry {
  try {
    return { ok: true, value: read(), replayed }
  } catch (error) {
    if (!(error instanceof ShipxError)) throw error
    return failedTry(error, { effect: error.code === 'bad_answer' ? 'unknown' : 'none' })
  }
}

/** Tries in all, the first one included. */
export const mostTries = 4

/**
 * Refusals for too many requests that bulk work and walks wait out for one request, not counted as tries: their own
 * requests compete.
 */
export const bulkRefusals = 20

/** A lone read may wait this long for a rate limit in all, ms. */
export const defaultPatience = 120_000

/** The first wait, before its jitter, and the longest, ms. */
const [first, cap] = [500, 5_000]

/**
 * Timers may fire a little early, and clients that got the same moment from the service should not come back together;
 * ms.
 */
const [early, spread] = [5, 250]

/** The wait before the try after the n-th (from 1), ms: full jitter under 0.5 s x 2^(n-1), at most 5 s. */
export function backoff(n: number, random: () => number): number {
  return random() * Math.min(cap, first * 2 ** (n - 1))
}

/** The wait before the next try, ms: never less than what the service asked for. */
export function waitFor(n: number, asked: number | undefined, random: () => number): number {
  const own = backoff(n, random)
  return asked === undefined ? own : Math.max(own, asked + early + random() * spread)
}
