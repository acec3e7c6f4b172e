// Faults of requests as our errors: fastify's, the database's, and bytes that are not HTTP at all. Nothing internal
// (paths, stacks, causes) gets out.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ShipxError, invalid } from '../domain/errors.ts'
import { capabilities, errorAnswer, headers } from '../domain/wire.ts'
import { mediaType } from './bodies.ts'
import { closeLater } from './linger.ts'
import type { LogEntry } from './log.ts'

/** Any error of a request as the error to answer with; one that is not ours is `internal`. */
export function serviceError(error: unknown, id: string): ShipxError {
  if (error instanceof ShipxError) {
    const { code, message, retry_after_ms = 1000 } = error
    if (code === 'database_locked' || code === 'unavailable')
      return new ShipxError('unavailable', code === 'unavailable' ? message : 'the service is busy; try again', {
        retry_after_ms,
      })
    // The database's own faults name files.
    return error.code.startsWith('database_') || error.status === 500 ? internal(id) : error
  }
  const { code, statusCode } = error as { readonly code?: unknown; readonly statusCode?: unknown }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return mediaType()
  if (statusCode === 413 || /^FST_(PARTS|FILES|FIELDS)_LIMIT|^FST_REQ_FILE_TOO_LARGE/.test(String(code)))
    return new ShipxError('body_too_large', 'the request body is too large')
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return invalid([{ field: null, message: 'the request cannot be read' }])
  return internal(id)
}

const internal = (id: string): ShipxError =>
  new ShipxError('internal', `something went wrong inside the service (request ${id})`)

/** Answers connections whose bytes are not a request: bad framing, headers that are too large or take too long. */
export function faultAnswers(
  newId: () => string,
  log: (entry: LogEntry) => void,
): (error: Error & { readonly code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const fault = framingFault(error.code)
    const id = newId()
    const { status, body, headers: said } = errorAnswer(fault)
    const text = JSON.stringify(body)
    const lines = Object.entries({
      ...everyAnswer(id),
      ...said,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('')}\r\n${text}`)
    closeLater(socket)
    log({ level: 'info', id, method: 'unknown', route: 'unknown', status, ms: 0, code: fault.code })
  }
}

function framingFault(code: string | undefined): ShipxError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ShipxError('body_too_large', 'the request headers are too large', { status: 431 })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ShipxError('unavailable', 'the request took too long to arrive', { status: 408 })
  return new ShipxError('invalid_input', 'this is not an HTTP request')
}

const announced = capabilities.join(', ')

/** The headers of every answer, also to bytes that are not a request. */
export const everyAnswer = (id: string): Readonly<Record<string, string>> => ({
  [headers.requestId]: id,
  [headers.capabilities]: announced,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})
