// An answer in lines: its head goes out as soon as it is known which lines follow. A client that walks on asks for the
// next ones meanwhile (docs/inside/performance.md, P10).
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { headers, linesType, nextHeader } from '../domain/wire.ts'
import { stackOf, type Log } from './hooks.ts'
import type { ComingLines } from './readers.ts'

/**
 * The body of an answer in lines, and its headers. Lines that never come end the connection before the length that the
 * head says, and `log` gets the reason.
 */
export function linesBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { head, lines, release }: ComingLines,
  log: Log,
): Readable {
  const { bytes, total, ...onward } = head
  try {
    request.holding!.answer(bytes)
  } catch (error) {
    lines.then(release, () => undefined)
    throw error
  }
  reply.type(linesType).header('content-length', String(bytes))
  reply.header(headers.total, String(total)).header(headers.next, nextHeader(onward))
  let begun = false
  return new Readable({
    read() {
      if (begun) return
      begun = true
      reply.raw.flushHeaders()
      lines.then(
        (found) => {
          if (this.destroyed) return release?.(found)
          this.push(Buffer.from(found.buffer, found.byteOffset, found.byteLength))
          this.push(null)
          reply.raw.once('finish', () => release?.(found))
        },
        (error: Error) => {
          log({ level: 'error', id: request.id, message: stackOf(error) })
          this.destroy(error)
        },
      )
    },
  })
}
