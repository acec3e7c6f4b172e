// One try: a request over undici, its limits, redirects, decoding and JSON. Knows no endpoint and sends nothing twice,
// except where a read is redirected on its own origin.
import { setMaxListeners } from 'node:events'
import { ShipxError } from '../domain/errors.ts'
import { readRetryAfter } from '../domain/retryafter.ts'
import { errorFrom, isTransient } from '../domain/wire.ts'
import type { Address } from './address.ts'
import { cutPage, outline } from './recordtext.ts'
import { badAnswer, failed, failureOf, type Failed } from './networkerrors.ts'
import type { Outgoing, Answer, Headers, TransportOptions, Raw } from './exchange.ts'
import { send, proxyFor, dispatcherFor } from './connection.ts'
import { formOf, shownForm, bodyOf, nothing, contentOf, parsedJson, shownType, type Body } from './body.ts'

/** Sends requests, one try each. Neither function throws for what happens on the way. */
export interface Transport {
  readonly attempt: (request: Outgoing, n: number) => Promise<Answer | Failed>
  readonly close: () => Promise<void>
}

/** A redirect is followed so often. */
const mostRedirects = 3

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
      passing: isTransient(status),
    } as const
    const what = status >= 500 || status === 429 || status === 408 ? 'unavailable' : 'bad_answer'
    if (html && status !== 401 && status !== 403) {
      const message = `${origin} answered ${status} with an HTML page, probably a proxy or a wrong address`
      return failed(
        new ShipxError(status === 429 ? 'rate_limited' : what, message, {
          status,
          hint: 'shipx auth status',
          ...parts,
        }),
        flags,
      )
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
      return failed(
        badAnswer(origin, `sends on to ${target.elsewhere}, for which the key was not given; nothing was sent there`),
        flags,
      )
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
