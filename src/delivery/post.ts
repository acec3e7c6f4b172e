// Sends one POST to a receiver: to a checked address, with a time limit, without redirects. It reads only the status of
// the answer and discards the rest.
import { rootCertificates } from 'node:tls'
import { Agent } from 'undici'
import { checkedAddresses, checkedLookup, refusedCode, type Resolve } from './publicaddress.ts'
import type { SendResult } from './attempt.ts'

/** What sending posts needs. */
export interface PostOptions {
  readonly resolve: Resolve
  readonly allowPrivate: boolean
  /** Posts to one receiver at the same time, at most. */
  readonly connections: number
  /** Additional certificate authorities, as PEM. */
  readonly ca: string | undefined
}

/** Sends posts. No function throws for failures on the way. */
export interface Poster {
  readonly post: (
    url: URL,
    body: string,
    headers: Readonly<Record<string, string>>,
    timeout: number,
  ) => Promise<SendResult>
  readonly close: () => Promise<void>
}

/** How much of an answer's body is read, bytes and ms, so that the connection can be used again. */
const most = { bytes: 65_536, ms: 1_000 }

/** Makes a poster. It ignores the environment: a proxy would connect to addresses that were not checked. */
export function posterOf({ resolve, allowPrivate, connections, ca }: PostOptions): Poster {
  const agent = new Agent({
    connections,
    keepAliveTimeout: 10_000,
    connect: {
      lookup: checkedLookup(resolve, allowPrivate),
      // Set here, so that no environment variable can switch it off.
      rejectUnauthorized: true,
      timeout: 10_000,
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    },
  })
  return {
    post: async (url, body, headers, timeout) => {
      const signal = AbortSignal.timeout(timeout)
      try {
        // A socket does not look up a host that is already an address, so check it here.
        if (/^[\d.]+$|^\[/.test(url.hostname)) await checkedAddresses(url.hostname, resolve, allowPrivate)
        const answer = await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'POST',
          headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'shipx', ...headers },
          body,
          signal,
          headersTimeout: timeout,
          bodyTimeout: most.ms,
        })
        await answer.body.dump({ limit: most.bytes, signal: AbortSignal.timeout(most.ms) }).catch(() => undefined)
        return judged(answer.statusCode, answer.headers)
      } catch (error) {
        return { ok: false, error: signal.aborted ? `no answer within ${timeout / 1000} s` : reasonOf(error) }
      }
    },
    close: () => agent.destroy(),
  }
}

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

function judged(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): SendResult {
  if (status >= 200 && status < 300) return { ok: true }
  const redirect = status >= 300 && status < 400 && headers['location'] !== undefined
  return {
    ok: false,
    error: redirect ? `answered ${status}: redirects are not followed` : `answered ${status}`,
    ...(status === 429 || status === 503
      ? { retry_after: one(headers['retry-after']), date: one(headers['date']) }
      : {}),
  }
}

/** Our words for connection errors of Node and undici. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  EHOSTUNREACH: 'this host cannot be reached',
  ENETUNREACH: 'no network',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too many headers',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
}

/** The reason in a few words; it repeats nothing from a receiver. */
export function reasonOf(error: unknown): string {
  const errors = error instanceof AggregateError ? error.errors : [error]
  const codes = errors.map((each) => (each instanceof Error && 'code' in each ? String(each.code) : ''))
  if (codes.includes(refusedCode)) return (errors[codes.indexOf(refusedCode)] as Error).message
  const code = codes.find((each) => reasons[each] !== undefined)
  if (code !== undefined) return reasons[code]!
  return (codes[0] ?? '').startsWith('HPE_')
    ? 'sent something that is not HTTP'
    : `failed${codes[0] === '' ? '' : ` (${codes[0]})`}`
}
