// When a request is sent again: reads and repeatable writes, store creation, orders, each by its own rule
// (docs/decisions.md, The client). Knows no connection and no JSON.
import { ShipxError, type ErrorKind } from '../domain/errors.ts'
import { first, cap, early, spread } from './retry.ts'
import { failed, type Failed } from './networkerrors.ts'

/** A try that succeeded: its value, and whether the first answer to its key was given again. */
export interface Done<T> {
  readonly ok: true
  readonly value: T
  readonly replayed: boolean
}

/** What has happened so far in one call. */
export interface Past {
  /** Tries made, from 1. */
  readonly n: number
  /** Whether an earlier try, or this one, may have had an effect. */
  readonly uncertain: boolean
  /** Whether there is no further try. */
  readonly last: boolean
  /**
   * Begins the wait that the service asked for, so that whatever else is asked in the meantime waits as well; false when
   * that would take more patience than there is.
   */
  readonly hold: () => boolean
}

/** What follows a failed try: another one, a value found in another way, or the end of it. */
export type Verdict<T> = 'again' | { readonly value: T } | { readonly error: ShipxError }

/** What tries are made with. */
export interface Pace {
  readonly random: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** How long waits that the service asks for may take in all, ms. */
  readonly patience_ms: number
  /** Refusals for too many requests, of those that say when to come again, that do not count as tries. */
  readonly refusals: number
  /** The limit of one try; time limits that ran out may add up to it, ms. */
  readonly attempt_ms: number
}

/**
 * Sends until it succeeds, the rule ends it, four tries are made (refusals that do not count apart), time limits have added up to
 * one whole try's, or the service asks for more patience than there is. Waits that the service asked for hold back every call of
 * this client.
 */
export function tries(pace: Pace) {
  let quiet: Promise<unknown> = Promise.resolve()

  return async function call<T>(
    attempt: (n: number) => Promise<Done<T> | Failed>,
    rule: (failure: Failed, past: Past) => Verdict<T> | Promise<Verdict<T>>,
    signal?: AbortSignal,
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
      if (got.error.code === 'rate_limited' && asked !== undefined && refused < pace.refusals) refused++
      const last = n - refused >= mostTries || spent >= pace.attempt_ms || tooLong || got.error.code === 'interrupted'
      let resting: Promise<void> | undefined
      const rest = (): Promise<void> => {
        if (resting !== undefined) return resting
        const wait = waitFor(n, asked, pace.random)
        resting = pace.sleep(wait, signal)
        // Whoever waits for it hears of its failure.
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

/** The rule of what may be repeated without harm: reads, and writes of the same values. */
export function repeatable<T>({ passing, error }: Failed, { last }: Past): Verdict<T> {
  return passing && !last ? 'again' : { error }
}

/** What the rules of writes ask of the client. */
export interface Announced {
  /**
   * Whether the service honours idempotency keys; asks it with a read, after `hold`, when nothing has been heard of it yet.
   * Undefined when that read brought nothing either.
   */
  readonly idempotency: (hold: () => boolean) => Promise<boolean | undefined>
}

/**
 * The rule of orders, which are made at most once: sent again when nothing can have been sent, when the service refused
 * for too many requests, or when it honours the key that each try carries. `unknown` makes the error of an outcome that
 * nobody knows.
 */
export function once<T>({ idempotency }: Announced, unknown: (failure: Failed) => ShipxError) {
  return async (failure: Failed, { uncertain, last, hold }: Past): Promise<Verdict<T>> => {
    const { effect, passing, error } = failure
    if (effect === 'none') {
      if ((passing || error.code === 'idempotency_running') && !last) return 'again'
      return { error: uncertain && undecided(error.kind) ? unknown(failure) : error }
    }
    return !last && (await idempotency(hold)) === true ? 'again' : { error: unknown(failure) }
  }
}

/** Whether a refusal of this kind says nothing about what an earlier try has done. */
export const undecided = (kind: ErrorKind): boolean => silent.has(kind)

const silent: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'unavailable',
  'rate_limited',
  'interrupted',
])

/** What store creation needs besides. */
export interface ByName<T> extends Announced {
  /** The store with the name, if it is there; throws what a read throws. */
  readonly find: () => Promise<T | undefined>
  /** Makes the error of an outcome that nobody knows. */
  readonly unknown: (failure: Failed) => ShipxError
}

/**
 * The rule of store creation, which its unique name makes safe: after a lost answer the key is sent again where the
 * service honours it, else the stores are looked through for the name.
 */
export function named<T>({ idempotency, find, unknown }: ByName<T>) {
  return async (failure: Failed, { uncertain, last, hold }: Past): Promise<Verdict<T>> => {
    const { effect, passing, error } = failure
    if (effect === 'none') {
      if ((passing || error.code === 'idempotency_running') && !last) return 'again'
      if (!uncertain || !(error.code === 'store_name_taken' || undecided(error.kind))) return { error }
    } else if (!last) {
      const honoured = await idempotency(hold)
      if (honoured === true) return 'again'
      // Who cannot be asked what it does cannot be asked for its stores.
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

/** A value read from an answer, or the failure that reading it was; a write whose answer cannot be read may be done. */
export function reading<T>(read: () => T, replayed: boolean): Done<T> | Failed {
  try {
    return { ok: true, value: read(), replayed }
  } catch (error) {
    if (!(error instanceof ShipxError)) throw error
    return failed(error, { effect: error.code === 'bad_answer' ? 'unknown' : 'none' })
  }
}

/** Tries in all, the first one included. */
export const mostTries = 4

/** Refusals for too many requests that bulk work waits out for one request besides its tries: its own requests compete. */
export const bulkRefusals = 20

/** A lone read may wait this long for a rate limit in all, ms. */
export const usualPatience = 120_000

/** The wait before the try after the n-th (from 1), ms: full jitter under 0.5 s x 2^(n-1), at most 5 s. */
export function backoff(n: number, random: () => number): number {
  return random() * Math.min(cap, first * 2 ** (n - 1))
}

/** The wait before the next try, ms: never less than what the service asked for. */
export function waitFor(n: number, asked: number | undefined, random: () => number): number {
  const own = backoff(n, random)
  return asked === undefined ? own : Math.max(own, asked + early + random() * spread)
}
