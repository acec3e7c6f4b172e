// A deployment as the client sees it: one request of the contract sent, tried again and read; and what it has
// announced.
import { contract, type Call, type Endpoint } from '../domain/contract.ts'
import { invalid, ShipxError } from '../domain/errors.ts'
import { capabilitiesFrom, headers as own, minimal, type Capability } from '../domain/wire.ts'
import { keyInBaseUrl, parseBaseUrl, checkIdempotencyKey, checkKey } from './baseurl.ts'
import { closerError, rewordedError, type AnswerSource } from './answers.ts'
import type { Answer, OutgoingRequest } from './exchange.ts'
import type { FailedTry, Timeouts } from './networkerrors.ts'
import type { RemoteOptions } from './options.ts'
import { redactor } from './redact.ts'
import {
  bulkRefusals,
  readResult,
  repeatable,
  retrying,
  defaultPatience,
  type KeySupport,
  type Retry,
  type RetryRule,
} from './retry.ts'
import { Transport } from './transport.ts'
import { pause } from './wait.ts'

/** A call of an endpoint. */
export interface EndpointCall<T> {
  readonly row: Endpoint
  readonly request: Omit<OutgoingRequest, 'method' | 'reads'>
  /** Reads the answer; throws the refusal that it is, or `bad_answer`. */
  readonly read: (reading: AnswerSource) => T
  /** When it is sent again; as a read, unless said otherwise. */
  readonly rule?: RetryRule<T>
  readonly onAnswer?: (answer: Answer) => void
  /** Whether others of the same work are under way, so that it waits out refusals; else only bulk work does. */
  readonly competes?: true | undefined
}

const usualTimeouts: Timeouts = { connect: 10_000, headers: 30_000, body: 30_000, attempt: 120_000 }

function timeoutsOf({ timeouts = {}, timeout_ms }: RemoteOptions): Timeouts {
  const chosen = { ...usualTimeouts, ...timeouts }
  return timeout_ms === undefined ? chosen : { ...chosen, headers: timeout_ms, attempt: timeout_ms }
}

/** A deployment of the service. Its methods throw `ShipxError`s that never show the key. */
export class Deployment {
  /** Scheme, host and port, for messages. */
  readonly origin: string
  /** Whether the service honours idempotency keys, for the rules of writes. */
  readonly keySupport: KeySupport
  readonly #options: RemoteOptions
  readonly #redact: (text: string) => string
  readonly #transport: Transport
  readonly #retry: Retry
  #capabilities: ReadonlySet<Capability> | undefined
  /** The read that finds out about capabilities, while it is under way. */
  #finding: Promise<unknown> | undefined
  #refused = false

  /** Sends nothing. Throws `invalid_input` for a base URL, a key, certificates or a proxy that must not be used. */
  constructor(options: RemoteOptions) {
    const baseUrl = parseBaseUrl(options.base_url)
    const key = checkKey(options.key)
    const redact = redactor([key])
    // Messages, --debug and the names of profiles show the base URL.
    if (redact(baseUrl.prefix) !== baseUrl.prefix) throw invalid([{ field: 'base_url', message: keyInBaseUrl }])
    const timeouts = timeoutsOf(options)
    this.origin = baseUrl.origin
    this.#options = options
    this.#redact = redact
    this.#transport = new Transport({
      baseUrl,
      authorization: options.scheme === 'bare' ? key : `Bearer ${key}`,
      now: options.now,
      timeouts,
      ca: options.ca,
      env: options.env ?? {},
      clean: redact,
      trace: options.trace,
      // An error page of something in between says nothing about the service.
      seen: (headers, success) => {
        const said = headers[own.capabilities]
        if (said !== undefined || success) this.#capabilities = capabilitiesFrom(said)
      },
    })
    this.#retry = retrying({
      random: options.random,
      sleep: options.sleep ?? pause,
      patience_ms: options.patience_ms ?? defaultPatience,
      attempt_ms: timeouts.attempt,
    })
    this.keySupport = { idempotency: (hold) => this.#honoursKeys(hold) }
  }

  /** What the service announced in its last answer; undefined before the first one. */
  get capabilities(): ReadonlySet<Capability> | undefined {
    return this.#capabilities
  }

  /** Shows a person a warning. */
  warn(text: string): void {
    this.#options.warn?.(text)
  }

  /** The headers of a call that is done once for its key. Throws `invalid_input` for a key that must not be sent. */
  keyHeaders(call: Call): { readonly 'idempotency-key': string } {
    return { [own.idempotencyKey]: checkIdempotencyKey(call.idempotency_key ?? this.#options.uuid()) }
  }

  /** Calls an endpoint, and says whether the answer is the first answer to its key, sent again. */
  async call<T>(call: EndpointCall<T>): Promise<{ readonly value: T; readonly replayed: boolean }> {
    const { rule = repeatable, competes = this.#options.budget !== undefined } = call
    const trying = { rule, signal: call.request.signal, refusals: competes ? bulkRefusals : 0 }
    try {
      return await this.#retry<T>((n) => this.#tryOnce(call, n), trying)
    } catch (error) {
      if (!(error instanceof ShipxError)) throw error
      throw rewordedError(error, { hint: hintFor(error) }, this.#redact)
    }
  }

  /** Calls an endpoint for its value. */
  async value<T>(call: EndpointCall<T>): Promise<T> {
    return (await this.call(call)).value
  }

  async #tryOnce<T>({ row, request, read, onAnswer }: EndpointCall<T>, n: number) {
    const { budget } = this.#options
    const { method, reads, subject } = row
    await budget?.turn(request.signal)
    const answer = await this.#transport.attempt({ ...request, method, reads }, n)
    budget?.heard(!answer.ok && answer.error.code === 'rate_limited')
    const got = answer.ok
      ? readResult(() => read({ origin: this.origin, answer }), answer.headers[own.replayed]?.toLowerCase() === 'true')
      : answer
    if (answer.ok && got.ok) onAnswer?.(answer)
    return got.ok ? got : { ...got, error: closerError(got.error, subject) }
  }

  /**
   * The capabilities, found out by a cheap read when the service has announced nothing yet; throws what a read throws.
   */
  async #findCapabilities(): Promise<ReadonlySet<Capability>> {
    if (this.#capabilities === undefined) {
      this.#finding ??= this.value(cheapRead).finally(() => (this.#finding = undefined))
      await this.#finding
    }
    return this.#capabilities ?? new Set()
  }

  async #honoursKeys(hold: () => boolean): Promise<boolean | undefined> {
    try {
      if (this.#capabilities === undefined && !hold()) return undefined
      return (await this.#findCapabilities()).has('idempotency')
    } catch {
      return undefined
    }
  }

  /**
   * The same for callers that can do without: not every key may list stores, and listings do not need them. The read is
   * sent once, and its refusal counts as nothing announced; only `unauthorized` and an interruption are thrown. A walk
   * uses its connection again.
   */
  async learn(inWalk = false): Promise<ReadonlySet<Capability>> {
    if (this.#capabilities !== undefined || this.#refused) return this.#capabilities ?? new Set()
    try {
      const request = { ...cheapRead.request, inWalk }
      await this.value({ ...cheapRead, request, rule: ({ error }) => ({ error }) })
    } catch (error) {
      if (!(error instanceof ShipxError) || error.kind === 'unauthorized' || error.kind === 'interrupted') throw error
      this.#refused = true
    }
    return this.#capabilities ?? new Set()
  }

  /** Ends everything that is under way. */
  close(): Promise<void> {
    return this.#transport.close()
  }
}

/** The read that every deployment answers; what it says is in its headers, and ours leaves the stores out. */
const cheapRead = {
  row: contract.listStores,
  request: { path: contract.listStores.path, headers: { [own.prefer]: minimal } },
  read: () => undefined,
} satisfies EndpointCall<unknown>

function hintFor({ code, hint, retry_after_ms }: ShipxError): string | undefined {
  if (hint !== undefined) return hint
  if (code === 'unauthorized') return 'shipx auth login'
  if (code === 'rate_limited' || code === 'unavailable')
    return retry_after_ms === undefined ? 'try again later' : `try again in ${Math.ceil(retry_after_ms / 1000)} s`
  return undefined
}

/** The error of a write whose outcome is unknown: `what` may or may not be so. */
export function unknownOutcome({ error }: FailedTry, what: string, hint: string): ShipxError {
  return new ShipxError('unknown_outcome', `${what}: ${error.message}`, {
    hint,
    cause: error.cause,
    ...(error.retry_after_ms === undefined ? {} : { retry_after_ms: error.retry_after_ms }),
  })
}
