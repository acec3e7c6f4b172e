// The connections of the service: how many there may be, and which one ends when there are too many; knows no request's content.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps a server at `most` connections. When they are all taken, the one that has been without a request for longest ends, or
 * where there is none, the oldest whose request has shown no key: clients that say nothing, or do not read what anybody may
 * ask for, keep no client away that has a key. `known` takes a connection whose request has shown one.
 */
export function limitConnections(server: Server, most: number): { readonly known: (socket: Socket) => void } {
  // Node counts a connection until it has closed: a few may be closing.
  server.maxConnections = most
  const full = Math.max(1, Math.floor(most * 0.9))
  /** Every connection with its requests under way; those without one in the order in which they fell silent. */
  const busy = new Map<Socket, number>()
  const silent = new Set<Socket>()
  /** Connections with a request under way that has shown no key, in the order of their requests. */
  const strangers = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    // The newcomer is no candidate: it may be the one that has a key.
    if (silent.size + busy.size >= full) (silent.values().next().value ?? strangers.values().next().value)?.destroy()
    silent.add(socket)
    socket.once('close', () => {
      for (const one of [silent, strangers, busy]) one.delete(socket)
    })
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    silent.delete(socket)
    strangers.add(socket)
    busy.set(socket, (busy.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (busy.get(socket) ?? 0) - 1
      if (left > 0) {
        busy.set(socket, left)
        return
      }
      strangers.delete(socket)
      if (busy.delete(socket) && !socket.destroyed) silent.add(socket)
    })
  })
  return { known: (socket) => void strangers.delete(socket) }
}
