// One request over one connection: proxy, certificates, time limits and the bytes of the answer.
import { X509Certificate } from 'node:crypto'
import { createSecureContext, rootCertificates } from 'node:tls'
import type { Dispatcher } from 'undici'
import { ShipxError, invalid } from '../domain/errors.ts'
import { linesType } from '../domain/wire.ts'
import { collected, type AnswerMemory, type Collected } from './answermemory.ts'
import { AbandonedTry, maxAnswerBytes } from './networkerrors.ts'
import { LineSockets, type Receiver } from './linesockets.ts'
import type { Headers, TransportOptions, RawAnswer } from './exchange.ts'
import { provenMore, type ProvenLines } from './recordtext.ts'

/** The most interim answers (1xx) before an answer. */
const mostInterim = 20

/** What a request is sent with. */
interface Sending {
  /** The limit for all of it, ms. */
  readonly most: number
  readonly signals: readonly AbortSignal[]
  /** Called with the headers of a 200, before its body arrives. */
  readonly begun: ((headers: Headers) => void) | undefined
  readonly memory: AnswerMemory
  /** Whether records one on each line were asked for. */
  readonly lines: boolean
}

/** Sends one request and collects the answer; every way out is a value. */
export function send(
  dispatcher: Pick<Dispatcher, 'dispatch'> | LineSockets,
  request: Dispatcher.DispatchOptions,
  { most, signals, begun, memory, lines }: Sending,
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let [sent, over, interim, status] = [false, false, 0, 0]
    let headers: Headers = {}
    let controller: Dispatcher.DispatchController | undefined
    let reason: Error | undefined
    let come: Collected | undefined
    let proven: ProvenLines | undefined
    const settle = (error?: Error): void => {
      if (over) return
      over = true
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', stopped)
      const body =
        error === undefined && come !== undefined ? { ...come.all(), ascii: come.isAscii() } : { body: Buffer.alloc(0) }
      resolve({ sent, status, headers, ...body, proven, error })
    }
    const stop = (why: AbandonedTry['reason']): void => {
      reason = new AbandonedTry(why)
      settle(reason)
      controller?.abort(reason)
    }
    const stopped = (): void => stop('stopped')
    const timer = setTimeout(() => stop('attempt'), most)
    for (const signal of signals) signal.addEventListener('abort', stopped)
    if (signals.some((signal) => signal.aborted)) return stop('stopped')
    try {
      const handler: Receiver = {
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
          come = collected(memory, lengthIn(headers), maxAnswerBytes)
          if (lines && inLines(status, headers)) proven = { count: 0, end: 0 }
          if (code === 200 && !over) begun?.(headers)
        },
        room: (most) => (over ? undefined : come?.room(most)),
        onResponseData: (_, chunk) => {
          if (over || come === undefined) return
          if (come.size() + chunk.length > maxAnswerBytes) stop('too_large')
          else come.add(chunk)
          // The next answers are asked for meanwhile: proven at the end, all lines would hold their heads back.
          if (proven !== undefined && !over) proven = provenMore(come.bytes(), proven)
        },
        onResponseEnd: () => settle(),
        onResponseError: (_, error) => settle(error),
      }
      dispatcher.dispatch(request, handler)
    } catch (error) {
      settle(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** Whether a body is lines as they are: compressed ones are read when all of them are there. */
const inLines = (status: number, headers: Headers): boolean =>
  status === 200 && headers['content-type']?.startsWith(linesType) === true && headers['content-encoding'] === undefined

/** How many bytes a body says that it has. */
const lengthIn = ({ 'content-length': said = '' }: Headers): number | undefined =>
  /^\d{1,15}$/.test(said) ? Number(said) : undefined

/** Header names in lower case; of a repeated header the values, commas between. */
function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const said: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>
  for (const [name, value] of Object.entries(headers))
    said[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  return said
}

/** The proxy for the base URL, or undefined. Only https goes through one: plain http is for this machine itself. */
export function proxyFor({ baseUrl, env }: TransportOptions): URL | undefined {
  const named = env['https_proxy'] || env['HTTPS_PROXY'] || env['all_proxy'] || env['ALL_PROXY']
  if (named === undefined || named === '' || baseUrl.loopback || !baseUrl.secure) return undefined
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named : `http://${named}`
  if (!URL.canParse(text) || !/^(?:https?|socks5?):$/.test(new URL(text).protocol))
    throw invalid([{ field: 'https_proxy', message: 'must be a URL such as http://proxy.example.com:3128' }])
  return new URL(text)
}

/** undici, loaded when it is first needed. */
interface UsualDispatcher {
  readonly get: () => Promise<Dispatcher>
  readonly destroy: () => Promise<void>
}

function usually(make: (undici: typeof import('undici')) => Dispatcher): UsualDispatcher {
  let made: Promise<Dispatcher> | undefined
  return {
    get: () => (made ??= import('undici').then(make)),
    destroy: async () => (await made)?.destroy(),
  }
}

/** What sends requests. */
export interface Dispatchers {
  readonly usual: UsualDispatcher
  /** For walks that may come in lines. */
  readonly lines: LineSockets | undefined
}

export function dispatchersFor(options: TransportOptions, proxy: URL | undefined): Dispatchers {
  const { timeouts, env, baseUrl } = options
  const tls = {
    timeout: timeouts.connect,
    // Set here, so that no variable of the environment can switch it off.
    rejectUnauthorized: true,
    ...(options.ca === undefined ? {} : { secureContext: contextWith(options.ca) }),
  } as const
  if (proxy === undefined) {
    const usual = usually(({ Agent }) => new Agent({ connect: tls }))
    return { usual, lines: new LineSockets(baseUrl.origin, tls) }
  }
  const uri = proxy.href
  const through = {
    // Both, because undici would read the environment of the process for one that is missing.
    httpProxy: uri,
    httpsProxy: uri,
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
    connect: tls,
    requestTls: tls,
    proxyTls: tls,
  }
  return { usual: usually(({ EnvHttpProxyAgent }) => new EnvHttpProxyAgent(through)), lines: undefined }
}

/** A TLS context that trusts the built-in authorities and those of a PEM text. */
function contextWith(ca: string): ReturnType<typeof createSecureContext> {
  const blocks =
    ca.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED )?CERTIFICATE-----/g) ?? []
  const fault = (message: string): ShipxError => invalid([{ field: 'SHIPX_CA_FILE', message }])
  if (blocks.length === 0) throw fault('contains no certificate in PEM form (-----BEGIN CERTIFICATE-----)')
  for (const block of blocks) {
    try {
      void new X509Certificate(block)
    } catch {
      throw fault('contains a certificate that cannot be read')
    }
  }
  return createSecureContext({ ca: [...rootCertificates, ...blocks] })
}
