// What goes wrong in a request as one of our errors: fastify's, the database's, and what is no HTTP at all. Nothing of the
// inside (paths, stacks, causes) gets out.
import type { Socket } from 'node:net'
import { ShipxError, invalid } from '../domain/errors.ts'
import { errorAnswer } from '../domain/wire.ts'
import { mediaType } from './bodies.ts'

/** Any error of a request as the error to answer with; what is not ours is `internal`. */
export function serviceError(error: unknown, id: string): ShipxError {
  if (error instanceof ShipxError) {
    if (error.code === 'database_locked' || error.code === 'unavailable')
      return new ShipxError('unavailable', 'the service is busy; try again', { retry_after_ms: error.retry_after_ms ?? 1000 }) // prettier-ignore
    // The database's own faults name files.
    return error.code.startsWith('database_') || error.status === 500 ? internal(id) : error
  }
  const { code, statusCode } = error as { readonly code?: unknown; readonly statusCode?: unknown }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return mediaType()
  if (statusCode === 413 || /^FST_(PARTS|FILES|FIELDS)_LIMIT|^FST_REQ_FILE_TOO_LARGE/.test(String(code)))
    return new ShipxError('body_too_large', 'the request body is too large')
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return invalid([{ field: null, message: 'the request cannot be read' }])
  // The form's own reader has no codes for a body that breaks off.
  if (
    error instanceof Error &&
    /multipart|Unexpected end of form|Part terminated early|Malformed part/i.test(error.message)
  )
    // prettier-ignore
    return invalid([{ field: null, message: 'the form cannot be read' }])
  return internal(id)
}

const internal = (id: string): ShipxError => new ShipxError('internal', `something went wrong inside the service (request ${id})`) // prettier-ignore

/** Answers what is not a request: bad framing, headers that are too large or take too long. */
export function faultAnswer(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const fault =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new ShipxError('body_too_large', 'the request headers are too large', { status: 431 })
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new ShipxError('unavailable', 'the request took too long to arrive', { status: 408 })
        : new ShipxError('invalid_input', 'this is not an HTTP request')
  const { status, body } = errorAnswer(fault)
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Error'}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}

const reasons: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' } // prettier-ignore
