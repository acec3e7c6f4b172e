// The connections of the service: how many there may be, and which one ends when there are too many; knows no request's content.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps a server at `most` connections. When they are all taken, the one that has been without a request for longest ends, so
 * that clients which connect and say nothing keep no client away that asks.
 */
export function limitConnections(server: Server, most: number): void {
  // Node counts a connection until it has closed: a few may be closing.
  server.maxConnections = most
  const full = Math.max(1, Math.floor(most * 0.9))
  /** Every connection with its requests under way; those without one in the order in which they fell silent. */
  const busy = new Map<Socket, number>()
  const silent = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => {
      silent.delete(socket)
      busy.delete(socket)
    })
    if (silent.size + busy.size > full) silent.values().next().value?.destroy()
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    silent.delete(socket)
    busy.set(socket, (busy.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (busy.get(socket) ?? 0) - 1
      if (left > 0) busy.set(socket, left)
      else if (busy.delete(socket) && !socket.destroyed) silent.add(socket)
    })
  })
}
