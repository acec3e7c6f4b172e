// One try: a request over a connection, with its limits, redirects and decoding. It sends nothing twice, except where a
// read is redirected on its own origin.
import { setMaxListeners } from 'node:events'
import { answerMemory } from './answermemory.ts'
import { answerIn } from './answerkind.ts'
import { bodyOf, contentOf, formOf, noBytes, formForTrace, type Body } from './body.ts'
import { dispatchersFor, proxyFor, send, type Dispatchers } from './connection.ts'
import type { Answer, Exchange, OutgoingRequest, RawAnswer, TransportOptions } from './exchange.ts'
import { failedTryOf, type FailedTry } from './networkerrors.ts'
import { linesType } from '../domain/wire.ts'
import { mostRedirects, redirectIn, refusedRedirect } from './redirect.ts'

/** The first characters of a body that a trace holds. */
const tracedCharacters = 2_000

/** What is not known of bytes that were decoded. */
const noMore = { release: undefined, proven: undefined }

/** Sends requests, one try each. Neither method throws for what happens on the way. */
export class Transport {
  readonly #options: TransportOptions
  readonly #proxy: URL | undefined
  readonly #dispatchers: Dispatchers
  readonly #memory = answerMemory()
  readonly #closing = new AbortController()

  /** Throws `invalid_input` for a CA file that holds no certificate or a proxy that is not a URL. */
  constructor(options: TransportOptions) {
    this.#options = options
    this.#proxy = proxyFor(options)
    this.#dispatchers = dispatchersFor(options, this.#proxy)
    // Every call under way listens to it; Node would warn of the eleventh.
    setMaxListeners(0, this.#closing.signal)
  }

  /** Sends a request; `n` is the number of the try, from 1. */
  async attempt(request: OutgoingRequest, n: number): Promise<Answer | FailedTry> {
    const { baseUrl, clean, now, timeouts, seen, trace } = this.#options
    const { origin } = baseUrl
    let path = baseUrl.prefix + request.path
    for (let hops = 0; ; hops++) {
      const started = now()
      const got = await this.#exchange(path, request)
      const content = got.error === undefined ? await contentOf(got) : bodyOf(noBytes, got.error)
      trace?.(exchangeOf(this.#options, { path, request, got, content, ms: now() - started, attempt: n }))
      const { status, headers } = got
      if (content.error !== undefined) {
        const journey = { origin, proxy: this.#proxy?.host, timeouts, sent: got.sent, begun: status > 0 }
        return failedTryOf(content.error, journey, clean)
      }
      const redirect = redirectIn(status, headers['location'], baseUrl, path)
      if (redirect === undefined) {
        if (status === 200) request.early?.(headers, content.bytes)
        const { release, proven } = content.bytes === got.body ? got : noMore
        const lines = request.lines === true
        return answerIn({ origin, status, headers, content, release, proven, now: now(), lines }, seen)
      }
      if (typeof redirect !== 'string' || !request.reads || hops >= mostRedirects)
        return refusedRedirect(origin, status, redirect, request.reads && hops >= mostRedirects, clean)
      path = redirect
    }
  }

  async #exchange(path: string, request: OutgoingRequest): Promise<RawAnswer> {
    const { baseUrl, timeouts } = this.#options
    const { method, json, form, signal, early, lines, inWalk } = request
    const { usual, lines: sockets } = this.#dispatchers
    return send(
      (inWalk === true ? sockets : undefined) ?? (await usual.get()),
      {
        origin: baseUrl.origin,
        path,
        method,
        headers: headersOf(this.#options, request),
        body: form === undefined ? (json ?? null) : await formOf(form),
        headersTimeout: timeouts.headers,
        bodyTimeout: timeouts.body,
      },
      {
        most: timeouts.attempt,
        signals: signal === undefined ? [this.#closing.signal] : [this.#closing.signal, signal],
        begun: early && ((headers) => early(headers, undefined)),
        memory: this.#memory,
        lines: lines === true,
      },
    )
  }

  /** Ends everything that is under way. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([this.#dispatchers.usual.destroy(), this.#dispatchers.lines?.destroy()])
  }
}

const headersOf = (
  { authorization }: TransportOptions,
  { headers, json, lines }: OutgoingRequest,
): Record<string, string> => ({
  authorization,
  accept: lines === true ? `${linesType}, application/json` : 'application/json',
  'accept-encoding': 'gzip, br',
  'user-agent': 'shipx',
  ...(json === undefined ? {} : { 'content-type': 'application/json' }),
  ...headers,
})

interface Traced {
  readonly path: string
  readonly request: OutgoingRequest
  readonly got: RawAnswer
  readonly content: Body
  readonly ms: number
  readonly attempt: number
}

/** A request and its answer as a trace shows them, without the key. */
function exchangeOf(options: TransportOptions, { path, request, got, content, ms, attempt }: Traced): Exchange {
  const { baseUrl, authorization, clean } = options
  const cleaned = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, clean(value ?? '')]))
  return {
    method: request.method,
    url: clean(baseUrl.origin + path),
    request_headers: {
      ...cleaned(headersOf(options, request)),
      ...(request.form === undefined ? {} : { 'content-type': 'multipart/form-data' }),
      authorization: authorization.startsWith('Bearer ') ? 'Bearer <redacted>' : '<redacted>',
    },
    request_body: request.json === undefined ? undefined : clean(request.json),
    request_form: request.form === undefined ? undefined : formForTrace(request.form),
    status: got.status === 0 ? undefined : got.status,
    answer_headers: cleaned(got.headers),
    answer_text: clean(content.text().slice(0, tracedCharacters)),
    error: content.error === undefined ? undefined : clean(content.error.message),
    ms,
    attempt,
  }
}
