// What went wrong between us and a service, in a sentence for people: connections, certificates, time limits, and
// answers that are not the service's.
import { ShipxError, type ErrorParts } from '../domain/errors.ts'
import { tooManyFiles } from '../domain/filelimit.ts'

/** A try that brought no answer to read. */
export interface FailedTry {
  readonly ok: false
  readonly error: ShipxError
  /** Whether the service may have done the request: `none` when it certainly has not. */
  readonly effect: 'none' | 'unknown'
  /** Whether the same request may do better. */
  readonly passing: boolean
  /** A time limit that ran out during the try, ms. */
  readonly spent: number
}

/** A failure that had no effect and that repeating does not help, unless `over` says otherwise. */
export function failedTry(error: ShipxError, over: Partial<Omit<FailedTry, 'ok' | 'error'>> = {}): FailedTry {
  return { ok: false, error, effect: 'none', passing: false, spent: 0, ...over }
}

/** A try that this client gave up, and why. */
export class AbandonedTry extends Error {
  readonly reason: 'attempt' | 'too_large' | 'not_http' | 'broken' | 'not_text' | 'stopped'
  constructor(reason: AbandonedTry['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** What happened to a connection of ours, by a code of undici. */
export class ConnectionFault extends Error {
  readonly code: `UND_ERR_${string}`
  constructor(code: 'CONNECT_TIMEOUT' | 'HEADERS_TIMEOUT' | 'BODY_TIMEOUT' | 'SOCKET' | 'INVALID_ARG') {
    super(code.toLowerCase().replace('_', ' '))
    this.code = `UND_ERR_${code}`
  }
}

/** Limits of one try, ms: to connect, from request to headers, between two pieces of the body, and in all. */
export interface Timeouts {
  readonly connect: number
  readonly headers: number
  readonly body: number
  readonly attempt: number
}

/** The largest answer that is read, bytes, as sent and decoded. */
export const maxAnswerBytes = 20 * 1024 * 1024

const hint = 'shipx auth status'

const seconds = (ms: number): string => `${ms >= 1000 ? Math.round(ms / 100) / 10 : ms / 1000} s`

/** What happened to a connection, by the codes of Node and undici. */
const connections: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ETIMEDOUT: 'nothing answered in time',
  EHOSTUNREACH: 'this host cannot be reached',
  EHOSTDOWN: 'the host is down',
  ENETUNREACH: 'no network',
  ENETDOWN: 'no network',
  EADDRNOTAVAIL: 'no network',
  ECONNRESET: 'the connection was reset',
  ECONNABORTED: 'the connection was reset',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_DESTROYED: 'the connection was closed',
  UND_ERR_CLOSED: 'the connection was closed',
}

/** Why a certificate is not trusted. */
const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  HOSTNAME_MISMATCH: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  CERT_REVOKED: 'its certificate is revoked',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an unknown authority',
}

interface Raised {
  readonly code?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  readonly errors?: readonly Raised[]
}

function codeIn(error: unknown): string {
  const { code, errors, cause } = error as Raised
  if (code === 'UND_ERR_PRX_TLS' && cause !== undefined) return codeIn(cause)
  if (typeof code === 'string') return code
  return errors?.[0] === undefined ? '' : codeIn(errors[0])
}

/** Where a request went and how far it came. */
export interface RequestProgress {
  readonly origin: string
  /** The proxy's host, when there is one. */
  readonly proxy: string | undefined
  /** Whether anything of the request may have left this machine. */
  readonly sent: boolean
  /** Whether the headers of an answer had come. */
  readonly begun: boolean
  readonly timeouts: Timeouts
}

/** What an exception of a try means. `clean` takes secrets out of Node's message. */
export function failedTryOf(
  error: unknown,
  { origin, proxy, sent, begun, timeouts }: RequestProgress,
  clean: (text: string) => string,
): FailedTry {
  const code = codeIn(error)
  const said = clean(String((error as Raised).message ?? '')).slice(0, 300)
  const cause = new Error(`${code === '' ? '' : `${code}: `}${said}`)
  const effect = sent ? 'unknown' : 'none'
  const unavailable = (message: string, over: Partial<FailedTry>, parts: ErrorParts = {}): FailedTry =>
    failedTry(new ShipxError('unavailable', message, { hint, cause, ...parts }), { effect, passing: true, ...over })
  const bad = (message: string, over: Partial<FailedTry> = {}): FailedTry =>
    failedTry(badAnswer(origin, message, cause), { effect, ...over })
  if (['EMFILE', 'ENFILE'].includes(code))
    return failedTry(tooManyFiles(`a connection to ${origin}`, cause), { effect })
  const through = proxy === undefined ? '' : ` through the proxy ${proxy}`

  if (error instanceof AbandonedTry) {
    if (error.reason === 'too_large')
      return bad(`sent more than ${maxAnswerBytes / 1024 / 1024} MB, which is not an answer of this service`)
    if (error.reason === 'not_http') return bad('sent something that is not HTTP, probably a wrong address')
    if (error.reason === 'broken') return bad('broke off its answer', { passing: true })
    if (error.reason === 'not_text') return bad('sent something that is not UTF-8 text')
    if (error.reason === 'stopped') return failedTry(new ShipxError('interrupted', 'stopped'), { effect })
    const message = sent
      ? `${origin} did not finish its answer within ${seconds(timeouts.attempt)}`
      : `cannot reach ${origin}${through} (no connection within ${seconds(timeouts.attempt)})`
    return unavailable(message, { spent: timeouts.attempt })
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return unavailable(`cannot reach ${origin}${through} (no connection within ${seconds(timeouts.connect)})`, {
      effect: 'none',
      spent: timeouts.connect,
    })
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return unavailable(`no answer from ${origin} within ${seconds(timeouts.headers)}`, { spent: timeouts.headers })
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return unavailable(`${origin} stopped in the middle of its answer`, { spent: timeouts.body })
  const proxied = /^Proxy response \((\d{3})\)/.exec(said)?.[1]
  if (proxied !== undefined) {
    const why =
      proxied === '407'
        ? 'it needs a user name and password: https_proxy=http://user:password@host'
        : `it answered ${proxied}`
    return unavailable(
      `the proxy ${proxy ?? ''} did not connect to ${origin} (${why})`,
      { passing: Number(proxied) >= 500, effect: 'none' },
      { hint: 'check https_proxy and no_proxy' },
    )
  }
  if (code in certificates || /^(?:CERT_|UNABLE_TO|INVALID_CA|PATH_LENGTH|CRL_|ERR_TLS_CERT)/.test(code)) {
    const why = certificates[code] ?? `its certificate was refused: ${code}`
    return unavailable(
      `cannot trust ${origin} (${why}); set SHIPX_CA_FILE to a file with your company's own authority`,
      { passing: false, effect: 'none' },
      { hint: 'SHIPX_CA_FILE=/path/to/authority.pem' },
    )
  }
  if (!sent && (/^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code) || said.includes('before secure TLS')))
    return unavailable(
      `cannot speak TLS with ${origin}${through}; the address may be wrong, or a proxy in between needs SHIPX_CA_FILE`,
      { passing: false },
    )
  if (
    code.startsWith('HPE_') ||
    code === 'UND_ERR_HEADERS_OVERFLOW' ||
    said === 'bad upgrade' ||
    said === 'bad response'
  )
    return begun
      ? bad('broke off its answer', { passing: true })
      : bad('sent something that is not HTTP, probably a wrong address')
  if (code === 'Z_BUF_ERROR') return bad('broke off its answer', { passing: true })
  if (/^(?:Z_|ERR__?ERROR|ERR_BROTLI|ERR__)/.test(code)) return bad('sent a compressed answer that is damaged')
  const why = connections[code] ?? 'the connection failed'
  if (!sent)
    return unavailable(`cannot reach ${origin}${through} (${why})`, { passing: code !== 'UND_ERR_INVALID_ARG' })
  if (begun || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return unavailable(`the answer of ${origin} broke off (${why})`, {})
  return unavailable(`no answer from ${origin} (${why})`, {})
}

/** The error for an answer that is not the service's: `message` follows the origin. */
export function badAnswer(origin: string, message: string, cause?: unknown): ShipxError {
  return new ShipxError('bad_answer', `${origin} ${message}`, { hint, ...(cause === undefined ? {} : { cause }) })
}
