// Receives posts over HTTP, within bounds of bytes, time and connections; what has come whole goes to `accept`.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A post that has come whole. */
export interface Post {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The answer to a post; `message` is for the people of the sender. */
export interface Reply {
  readonly status: number
  readonly message?: string
  /** Seconds. */
  readonly retry_after?: number
}

/** What a receiver allows (docs/guides/listen.md, Limits). */
export const bounds = { bytes: 65_536, headers_ms: 5_000, request_ms: 10_000, connections: 256, atOnce: 64 } as const

/** How long a sender may go on after a refusal, and posts after a stop, ms. */
const [afterRefusal, afterStop] = [1_000, 2_000]

/** A running receiver. */
export interface Receiver {
  /** The port that it listens on. */
  readonly port: number
  /** Takes no new posts, answers those under way, and ends. */
  readonly close: () => Promise<void>
}

/** Starts to listen. `accept` does not throw. Throws the system's error where the address cannot be used. */
export async function startReceiver(
  { host, port, path }: { readonly host: string; readonly port: number; readonly path: string },
  accept: (post: Post) => Promise<Reply>,
): Promise<Receiver> {
  let underWay = 0
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const { method, url = '' } = request
    const asked = url.split('?', 1)[0]
    if (asked === '/live') return method === 'GET' || method === 'HEAD' ? { status: 200 } : onlyBy('GET')
    if (asked !== path) return { status: 404, message: 'there is nothing here' }
    if (method !== 'POST') return onlyBy('POST')
    const body = Number(request.headers['content-length']) > bounds.bytes ? undefined : await bodyOf(request)
    if (body === undefined) return { status: 413, message: `the body has more than ${bounds.bytes} bytes` }
    if (underWay >= bounds.atOnce) return { status: 503, message: 'too many posts at once', retry_after: 1 }
    underWay++
    try {
      return await accept({ headers: request.headers, body })
    } finally {
      underWay--
    }
  }
  const server = createServer(
    {
      headersTimeout: bounds.headers_ms,
      requestTimeout: bounds.request_ms,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 15_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      response.on('error', () => undefined)
      answer(request).then(
        (reply) => send(request, response, reply),
        // The sender has gone.
        () => response.destroy(),
      )
    },
  )
  server.maxConnections = bounds.connections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // An accept that fails for want of files must not end the program.
  server.on('error', () => undefined)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), afterStop)
        server.close(() => {
          clearTimeout(late)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

const onlyBy = (method: string): Reply => ({ status: 405, message: `use ${method}` })

/** The body; undefined when it has too many bytes. Throws when the sender goes before its end. */
function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= bounds.bytes) return void parts.push(part)
      parts.length = 0
      resolve(undefined)
    })
    request.on('end', () => resolve(Buffer.concat(parts)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the sender has gone')))
  })
}

/** Sends an answer. A sender that is still sending gets it too, and then some time to read it. */
function send(request: IncomingMessage, response: ServerResponse, { status, message, retry_after }: Reply): void {
  const text = message === undefined ? '' : `${JSON.stringify({ message })}\n`
  const whole = request.complete
  response.writeHead(status, {
    'content-length': Buffer.byteLength(text),
    ...(text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    ...(status === 405 ? { allow: message!.slice('use '.length) } : {}),
    ...(retry_after === undefined ? {} : { 'retry-after': String(retry_after) }),
    ...(whole ? {} : { connection: 'close' }),
  })
  response.end(text)
  if (whole) return
  request.resume()
  setTimeout(() => request.socket.destroy(), afterRefusal).unref()
}
