// One try: a request over undici, its limits, redirects, decoding and JSON. Knows no endpoint and sends nothing twice,
// except where a read is redirected on its own origin.
import { isUtf8 } from 'node:buffer'
import { X509Certificate } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { createSecureContext, rootCertificates } from 'node:tls'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { Agent, EnvHttpProxyAgent, FormData, type Dispatcher } from 'undici'
import { ShipxError, invalid } from '../domain/errors.ts'
import { parseExact } from '../domain/exactjson.ts'
import { readRetryAfter } from '../domain/retryafter.ts'
import { errorFrom, passing } from '../domain/wire.ts'
import type { Address } from './address.ts'
import { cutPage, outline } from './recordtext.ts'
import { badAnswer, failed, failureOf, GivenUp, maxAnswerBytes, type Failed, type Timeouts } from './networkerrors.ts'

/** One request and what came back, for `--debug` and `--curl`: the key is never in it. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** With `authorization` as `Bearer <redacted>` or `<redacted>`. */
  readonly request_headers: Readonly<Record<string, string>>
  /** JSON, or undefined. */
  readonly request_body: string | undefined
  /** The fields of a form; a file is `@name (1,234 bytes)`. */
  readonly request_form: Readonly<Record<string, string>> | undefined
  /** Undefined when no answer came. */
  readonly status: number | undefined
  readonly answer_headers: Readonly<Record<string, string>>
  /** The first 2,000 characters. */
  readonly answer_text: string
  /** What went wrong on the way, when something did. */
  readonly error: string | undefined
  readonly ms: number
  /** From 1. */
  readonly attempt: number
}

/** A file of a form. */
export interface File {
  readonly bytes: Uint8Array
  readonly name: string
  readonly type: string
}

/** A request to be sent. */
export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Below the address's prefix, encoded. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: string
  readonly form?: Readonly<Record<string, string | File>>
  /** Whether it changes nothing: only such a request follows redirects. */
  readonly reads: boolean
  readonly signal?: AbortSignal | undefined
  /** Told the bytes of a success as soon as they are there. */
  readonly early?: ((bytes: Buffer) => void) | undefined
}

/** An answer with a status of success. `json` is undefined for an empty body only. */
export interface Answer {
  readonly ok: true
  readonly status: number
  readonly headers: Headers
  readonly text: () => string
  /** Its value, in which whole numbers that a number cannot hold are text. */
  readonly json: unknown
  /** The elements of its `data` as they were sent, where they could be told apart while it was parsed. */
  readonly records?: readonly string[]
  /** The same, one on each line. */
  readonly lines?: Uint8Array
}

export type Headers = Readonly<Record<string, string | undefined>>

/** What one try is made with. */
export interface TransportOptions {
  readonly address: Address
  /** The value of the Authorization header. */
  readonly authorization: string
  /** ms UTC. */
  readonly now: () => number
  readonly timeouts: Timeouts
  readonly ca: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Takes the key out of a text. */
  readonly clean: (text: string) => string
  readonly trace: ((entry: Exchange) => void) | undefined
  /** Told the headers of every answer that speaks JSON. */
  readonly seen: (headers: Headers, success: boolean) => void
}

/** Sends requests, one try each. Neither function throws for what happens on the way. */
export interface Transport {
  readonly attempt: (request: Outgoing, n: number) => Promise<Answer | Failed>
  readonly close: () => Promise<void>
}

/** A redirect is followed so often. */
const mostRedirects = 3

/** Redirects and hints before an answer beyond this are no conversation. */
const mostInterim = 20

/** The first characters of a body that a trace carries. */
const traced = 2_000

/** Makes a transport; throws `invalid_input` for a CA file that holds no certificate or a proxy that is no URL. */
export function transport(options: TransportOptions): Transport {
  const { address, clean } = options
  const proxy = proxyFor(options)
  const dispatcher = dispatcherFor(options, proxy)
  const closing = new AbortController()
  // Every call under way listens to it; Node would warn of the eleventh.
  setMaxListeners(0, closing.signal)

  async function attempt(request: Outgoing, n: number): Promise<Answer | Failed> {
    let path = address.prefix + request.path
    for (let hops = 0; ; hops++) {
      const began = options.now()
      const got = await exchange(path, request)
      const content = got.error === undefined ? await contentOf(got) : bodyOf(nothing, got.error)
      trace(path, request, got, content, options.now() - began, n)
      const { error } = content
      const journey = { origin: address.origin, proxy: proxy?.host, timeouts: options.timeouts }
      if (error !== undefined) return failureOf(error, { ...journey, sent: got.sent, begun: got.status > 0 }, clean)
      const redirect = redirected(got.status, got.headers['location'], address, path)
      if (redirect === undefined) {
        if (got.status === 200) request.early?.(content.bytes)
        return judged(got.status, got.headers, content)
      }
      if (typeof redirect !== 'string' || !request.reads || hops >= mostRedirects)
        return refusedRedirect(got.status, redirect, request.reads && hops >= mostRedirects)
      path = redirect
    }
  }

  function exchange(path: string, { method, headers, json, form, signal }: Outgoing): Promise<Raw> {
    const { connect: _, headers: headersTimeout, body: bodyTimeout, attempt: most } = options.timeouts
    const body = form === undefined ? (json ?? null) : formOf(form)
    return send(
      dispatcher,
      {
        origin: address.origin,
        path,
        method,
        headers: headersOf(headers, json !== undefined),
        body,
        headersTimeout,
        bodyTimeout,
      },
      most,
      signal === undefined ? [closing.signal] : [closing.signal, signal],
    )
  }

  const headersOf = (more: Readonly<Record<string, string>> = {}, json: boolean): Record<string, string> => ({
    authorization: options.authorization,
    accept: 'application/json',
    'accept-encoding': 'gzip, br',
    'user-agent': 'shipx',
    ...(json ? { 'content-type': 'application/json' } : {}),
    ...more,
  })

  function trace(path: string, request: Outgoing, got: Raw, content: Body, ms: number, n: number): void {
    if (options.trace === undefined) return
    const { authorization } = options
    const request_headers = Object.fromEntries(
      Object.entries({
        ...headersOf(request.headers, request.json !== undefined),
        ...(request.form === undefined ? {} : { 'content-type': 'multipart/form-data' }),
      }).map(([name, value]) => [name, clean(value)]),
    )
    request_headers['authorization'] = authorization.startsWith('Bearer ') ? 'Bearer <redacted>' : '<redacted>'
    options.trace({
      method: request.method,
      url: clean(address.origin + path),
      request_headers,
      request_body: request.json === undefined ? undefined : clean(request.json),
      request_form: request.form === undefined ? undefined : shownForm(request.form),
      status: got.status === 0 ? undefined : got.status,
      answer_headers: Object.fromEntries(
        Object.entries(got.headers).map(([name, value]) => [name, clean(value ?? '')]),
      ),
      answer_text: clean(content.text().slice(0, traced)),
      error: content.error === undefined ? undefined : clean(content.error.message),
      ms,
      attempt: n,
    })
  }

  /** What an answer is, as far as that can be told without knowing what was asked. */
  function judged(status: number, said: Headers, { bytes, text: textOf }: Body): Answer | Failed {
    const { origin } = address
    const success = status >= 200 && status < 300
    const type = (said['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
    const isJson = type === '' || /[/+]json$/.test(type)
    const page = success && isJson ? cutPage(bytes) : undefined
    if (page !== undefined) {
      options.seen(said, success)
      return { ok: true, status, headers: said, text: textOf, ...page }
    }
    const text = textOf()
    const start = text.slice(0, 200).trimStart()
    const html =
      type === 'text/html' || type === 'application/xhtml+xml' || /^<(?:!doctype|html|head|body)\b/i.test(start)
    // Told before it is parsed: a value for each of a million levels is a lot of memory.
    const { cut, deep, crowded } = outline(text)
    const parsed = html || deep || crowded ? undefined : parsedJson(text)
    if (parsed !== undefined) options.seen(said, success)
    if (!success) return refusal(status, said, text, html, parsed?.value)
    if (text.trim() === '') return { ok: true, status, headers: said, text: textOf, json: undefined }
    const bad = (message: string, again = false): Failed =>
      failed(badAnswer(origin, message), { effect: 'unknown', passing: again })
    if (html) return bad('answered with an HTML page, probably a proxy, a sign-in page or a wrong address')
    if (!isJson) return bad(`answered with ${shownType(type)} instead of JSON`)
    if (deep) return bad('answered with JSON that is nested too deep')
    if (crowded) return bad('answered with more values than any answer of the service has')
    if (parsed === undefined) return cut ? bad('broke off its answer', true) : bad('answered with what is no JSON')
    return { ok: true, status, headers: said, text: textOf, json: parsed.value }
  }

  function refusal(status: number, said: Headers, text: string, html: boolean, body: unknown): Failed {
    const { origin } = address
    const asked = readRetryAfter(said['retry-after'], said['date'], options.now())
    const parts = asked === undefined ? {} : { retry_after_ms: asked }
    const flags = {
      effect: status >= 500 || status === 408 || status === 303 ? 'unknown' : 'none',
      passing: passing(status),
    } as const
    const what = status >= 500 || status === 429 || status === 408 ? 'unavailable' : 'bad_answer'
    if (html && status !== 401 && status !== 403) {
      const message = `${origin} answered ${status} with an HTML page, probably a proxy or a wrong address`
      return failed(new ShipxError(status === 429 ? 'rate_limited' : what, message, { status, hint: 'shipx auth status', ...parts }), flags) // prettier-ignore
    }
    if (status < 400) return failed(badAnswer(origin, `answered ${status}, which is no answer of the service`), flags)
    // Only the first line: the rest of a text is a page or a stack.
    const line = html
      ? ''
      : (text
          .slice(0, 2_000)
          .trim()
          .split(/[\r\n]/)[0] ?? '')
    return failed(errorFrom({ status, headers: said, body, text: line, ...parts }), flags)
  }

  function refusedRedirect(status: number, target: string | { readonly elsewhere: string }, tooOften: boolean): Failed {
    const flags = { effect: status === 303 ? 'unknown' : 'none' } as const
    const { origin } = address
    if (typeof target === 'object')
      return failed(badAnswer(origin, `sends on to ${target.elsewhere}, for which the key was not given; nothing was sent there`), flags) // prettier-ignore
    return tooOften
      ? failed(badAnswer(origin, `sent the request on more than ${mostRedirects} times`), flags)
      : failed(badAnswer(origin, `sends a write on to ${clean(target).slice(0, 200)}; it was not sent again`), flags)
  }

  return {
    attempt,
    close: async () => {
      closing.abort()
      await dispatcher.destroy()
    },
  }
}

/* ---- The connection ---- */

/** What came of one request: `status` is 0 while no answer had begun. */
interface Raw {
  readonly sent: boolean
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  readonly error: Error | undefined
}

/** Sends one request and collects the answer; every way out is a value. `most` is the limit for all of it, ms. */
function send(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  most: number,
  signals: readonly AbortSignal[],
): Promise<Raw> {
  return new Promise((resolve) => {
    let [sent, over, interim, status, size] = [false, false, 0, 0, 0]
    let headers: Headers = {}
    let controller: Dispatcher.DispatchController | undefined
    let reason: Error | undefined
    const chunks: Buffer[] = []
    const settle = (error?: Error): void => {
      if (over) return
      over = true
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', stopped)
      resolve({ sent, status, headers, body: error === undefined ? Buffer.concat(chunks) : Buffer.alloc(0), error })
    }
    const stop = (why: GivenUp['reason']): void => {
      reason = new GivenUp(why)
      settle(reason)
      controller?.abort(reason)
    }
    const stopped = (): void => stop('stopped')
    const timer = setTimeout(() => stop('attempt'), most)
    for (const signal of signals) signal.addEventListener('abort', stopped)
    if (signals.some((signal) => signal.aborted)) return stop('stopped')
    try {
      dispatcher.dispatch(request, {
        // Called when there is a connection, just before the first byte: until then nothing was sent.
        onRequestStart: (started) => {
          controller = started
          if (reason === undefined) sent = true
          else started.abort(reason)
        },
        onRequestUpgrade: (_, __, ___, socket) => {
          socket.destroy()
          stop('not_http')
        },
        onResponseStart: (_, code, said) => {
          if (code < 200) {
            if (++interim > mostInterim) stop('not_http')
            return
          }
          status = code
          headers = flat(said)
        },
        onResponseData: (_, chunk) => {
          if (over) return
          size += chunk.length
          if (size > maxAnswerBytes) stop('too_large')
          else chunks.push(chunk)
        },
        onResponseEnd: () => settle(),
        onResponseError: (_, error) => settle(error),
      })
    } catch (error) {
      settle(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** Header names in lower case; of a repeated header the values, commas between. */
function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const said: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>
  for (const [name, value] of Object.entries(headers))
    said[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  return said
}

/** The proxy for the address, or undefined. Only https goes through one: plain http is for this machine itself. */
function proxyFor({ address, env }: TransportOptions): URL | undefined {
  const named = env['https_proxy'] || env['HTTPS_PROXY'] || env['all_proxy'] || env['ALL_PROXY']
  if (named === undefined || named === '' || address.loopback || !address.secure) return undefined
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named : `http://${named}`
  if (!URL.canParse(text) || !/^(?:https?|socks5?):$/.test(new URL(text).protocol))
    throw invalid([{ field: 'https_proxy', message: 'must be a URL such as http://proxy.example.com:3128' }])
  return new URL(text)
}

function dispatcherFor(options: TransportOptions, proxy: URL | undefined): Dispatcher {
  const { timeouts, env } = options
  const tls = {
    timeout: timeouts.connect,
    // Said here, so that no variable of the environment can switch it off.
    rejectUnauthorized: true,
    ...(options.ca === undefined ? {} : { secureContext: contextWith(options.ca) }),
  }
  if (proxy === undefined) return new Agent({ connect: tls })
  const uri = proxy.href
  return new EnvHttpProxyAgent({
    // Both, because undici would look into the environment of the process for what is not said.
    httpProxy: uri,
    httpsProxy: uri,
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
  })
}

/** A TLS context that trusts the built-in authorities and the ones of a PEM text besides. */
function contextWith(ca: string): ReturnType<typeof createSecureContext> {
  const blocks =
    ca.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED )?CERTIFICATE-----/g) ?? []
  const fault = (message: string): ShipxError => invalid([{ field: 'SHIPX_CA_FILE', message }])
  if (blocks.length === 0) throw fault('holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)')
  for (const block of blocks) {
    try {
      void new X509Certificate(block)
    } catch {
      throw fault('holds a certificate that cannot be read')
    }
  }
  return createSecureContext({ ca: [...rootCertificates, ...blocks] })
}

/* ---- Bodies ---- */

function formOf(form: Readonly<Record<string, string | File>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, new Blob([value.bytes as Uint8Array<ArrayBuffer>], { type: value.type }), value.name)
  }
  return data
}

const shownForm = (form: Readonly<Record<string, string | File>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `@${value.name} (${value.bytes.byteLength.toLocaleString('en-IN')} bytes)`,
    ]),
  )

/** What an answer holds, decoded. */
interface Body {
  readonly bytes: Buffer
  /** Its text, made when it is asked for: of a page in our own service's form only the bytes are looked at. */
  readonly text: () => string
  readonly error: Error | undefined
}

const bodyOf = (bytes: Buffer, error?: Error): Body => {
  let text: string | undefined
  return {
    bytes,
    // Bytes that are no text are shown, but never read.
    text: () => (text ??= error === undefined ? new TextDecoder().decode(bytes) : bytes.toString('latin1')),
    error,
  }
}

const nothing = Buffer.alloc(0)

const [gunzipped, inflated, unbrotlied] = [promisify(gunzip), promisify(inflate), promisify(brotliDecompress)]

/**
 * What a body holds; at most so many bytes come out of a compressed one. Of an answer that is no success the status says
 * enough, whatever its body is.
 */
async function contentOf({ status, body, headers }: Raw): Promise<Body> {
  const got = await decoded(body, headers)
  return status >= 200 && status < 300 ? got : { ...got, error: undefined }
}

async function decoded(body: Buffer, headers: Headers): Promise<Body> {
  const limit = { maxOutputLength: maxAnswerBytes }
  let bytes = body
  try {
    const codings = (headers['content-encoding'] ?? '').toLowerCase().split(',').map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity') // prettier-ignore
    if (codings.length > 2) return bodyOf(nothing, new GivenUp('not_http'))
    for (const coding of codings.toReversed()) {
      if (bytes.length === 0) break
      if (coding === 'gzip' || coding === 'x-gzip') bytes = await gunzipped(bytes, limit)
      else if (coding === 'deflate') bytes = await inflated(bytes, limit)
      else if (coding === 'br') bytes = await unbrotlied(bytes, limit)
      else return bodyOf(nothing, new GivenUp('not_http'))
    }
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    return bodyOf(nothing, code === 'ERR_BUFFER_TOO_LARGE' ? new GivenUp('too_large') : (error as Error))
  }
  return isUtf8(bytes) ? bodyOf(bytes) : bodyOf(bytes, new GivenUp('not_text'))
}

function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseExact(text) }
  } catch {
    return undefined
  }
}

const shownType = (type: string): string => type.replace(/[^\x21-\x7e]/g, '').slice(0, 60) || 'something'

/* ---- Redirects ---- */

/** Where an answer sends on to: a path of the same origin, another origin, or undefined when it is no redirect. */
function redirected(
  status: number,
  location: string | undefined,
  address: Address,
  path: string,
): string | { readonly elsewhere: string } | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const base = `${address.origin}${path}`
  if (!URL.canParse(location, base)) return { elsewhere: 'what is no address' }
  const target = new URL(location, base)
  const plain = target.username === '' && target.password === ''
  if (target.origin === address.origin && plain) return target.pathname + target.search
  return { elsewhere: target.host === '' ? `a ${target.protocol} address` : `${target.protocol}//${target.host}` }
}
