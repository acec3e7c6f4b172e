// What happens around every request, whatever its route: headers, the access log, faults as answers, the end of its
// connection.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ShipxError, invalid } from '../domain/errors.ts'
import { errorAnswer, headers } from '../domain/wire.ts'
import type { KeyEntry } from '../engine/accounts/keys.ts'
import type { Connections } from './connections.ts'
import { everyAnswer, serviceError } from './faults.ts'
import { isEnding, lingerAfterAnswer } from './linger.ts'
import type { LogEntry } from './log.ts'
import { endOfTurn } from './together.ts'
import type { Holding } from './underway.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of the request, once it has been checked. */
    key: KeyEntry | undefined
    /** What it holds in memory, once its key has been checked. */
    holding: Holding | undefined
  }
}

/** Takes each line of the access log. */
export type Log = (entry: LogEntry) => void

/** Answers a request with an error. */
export type AnswerFault = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Makes what answers with errors; faults inside the service are logged with their stack. */
export function faultAnswer(log: Log): AnswerFault {
  return (error, request, reply) => {
    const own = serviceError(error, request.id)
    if (own.code === 'internal') {
      log({ level: 'error', id: request.id, message: stackOf(error) })
    }
    const { status, body, headers: said } = errorAnswer(own)
    // What the router refuses has not met the hooks.
    if (!reply.hasHeader(headers.requestId)) reply.headers(everyAnswer(request.id))
    return reply.code(status).headers(said).type('application/json; charset=utf-8').send(JSON.stringify(body))
  }
}

/** Where an error was thrown, for the log. */
export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

/** Whether the service is closing. */
export interface Closing {
  now: boolean
}

/** Adds the hooks, which wait for nothing and call back: each promise here would cost every request. */
export function addHooks(app: FastifyInstance, connections: Connections, log: Log, answerFault: AnswerFault): Closing {
  const closing: Closing = { now: false }
  app.addHook('preClose', async () => {
    closing.now = true
  })
  const atEndOfTurn = endOfTurn()
  app.addHook('onSend', (request, reply, _, done) => {
    // A client that is still being answered must not keep its connection for more.
    if (closing.now) reply.header('connection', 'close')
    if (reply.getHeader('connection') === 'close' && !request.raw.complete) lingerAfterAnswer(request.raw.socket)
    atEndOfTurn(done, (error) => {
      log({ level: 'error', id: request.id, message: stackOf(error) })
      reply.raw.destroy()
    })
  })
  app.decorateRequest('key', undefined)
  app.decorateRequest('holding', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    if (isEnding(socket)) {
      socket.destroy()
      return
    }
    connections.begin(socket)
    // One listener for all that ends with a request: each costs as much as a look-up of the key.
    reply.raw.on('close', () => {
      connections.end(socket)
      request.holding?.end()
    })
    reply.headers(everyAnswer(request.id))
    const fault = headerFault(request.raw) ?? (request.is404 ? noPath() : undefined)
    // The body of a refused request is not read: one that never ends would hold its connection.
    if (fault !== undefined && hasBody(request.raw)) reply.header('connection', 'close')
    done(fault)
  })
  app.addHook('onResponse', (request, reply, done) => {
    log(logEntry(request, reply))
    done()
  })
  app.setErrorHandler(answerFault)
  app.setNotFoundHandler((request, reply) => answerFault(noPath(), request, reply))
  return closing
}

function logEntry(request: FastifyRequest, reply: FastifyReply): LogEntry {
  const { key } = request
  const code = reply.getHeader(headers.error)
  return {
    level: 'info',
    id: request.id,
    method: request.method,
    // The pattern and not the path: a path holds ids of the account's records.
    route: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(key === undefined ? {} : { account: key.account, key: key.id }),
    ...(typeof code === 'string' ? { code } : {}),
  }
}

/** What is wrong with the headers that may stand once only (RFC 9112): a proxy may have read the other one. */
function headerFault({ rawHeaders, httpVersion }: FastifyRequest['raw']): ShipxError | undefined {
  let [hosts, credentials] = [0, 0]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name.length === 13 && name.toLowerCase() === 'authorization') credentials++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return invalid([{ field: null, message: 'the request must have one Host header' }])
  if (credentials > 1) return invalid([{ field: null, message: 'the request has more than one Authorization header' }])
  return undefined
}

const noPath = (): ShipxError => new ShipxError('not_found', 'there is no such path')

const hasBody = ({ headers: sent }: FastifyRequest['raw']): boolean =>
  sent['transfer-encoding'] !== undefined || Number(sent['content-length'] ?? 0) > 0
