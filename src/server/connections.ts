// The connections of the service: how many there may be, and which one ends when there are too many.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Follows the requests of connections. */
export interface Connections {
  readonly begin: (socket: Socket) => void
  /** The request under way has shown its key. */
  readonly known: (socket: Socket) => void
  readonly end: (socket: Socket) => void
}

/** What is known of a connection. */
interface Connection {
  /** Requests under way. */
  requests: number
  /** Its request has not shown a key. */
  stranger: boolean
  /** When it fell silent, or when its request started. */
  since: number
}

/**
 * Keeps a server at `most` connections. When they are all taken, the one that has been without a request for longest
 * ends, or where there is none, the oldest whose request has shown no key: clients that say nothing, or do not read
 * answers that need no key, keep no client away that has one.
 */
export function limitConnections(server: Server, most: number): Connections {
  // Node counts a connection until it has closed: a few may be closing.
  server.maxConnections = most
  const full = Math.max(1, Math.floor(most * 0.9))
  const connections = new Map<Socket, Connection>()
  /** Counts the starts and ends of requests: an earlier one has the lower number. */
  let moment = 0
  server.on('connection', (socket: Socket) => {
    // The newcomer is not a candidate: it may be the one that has a key.
    if (connections.size >= full) leastUseful(connections)?.destroy()
    connections.set(socket, { requests: 0, stranger: false, since: ++moment })
    socket.once('close', () => connections.delete(socket))
  })
  return {
    begin: (socket) => {
      const connection = connections.get(socket)
      if (connection === undefined) return
      connection.stranger = true
      if (connection.requests++ === 0) connection.since = ++moment
    },
    known: (socket) => {
      const connection = connections.get(socket)
      if (connection !== undefined) connection.stranger = false
    },
    end: (socket) => {
      const connection = connections.get(socket)
      if (connection === undefined || --connection.requests > 0) return
      connection.stranger = false
      connection.since = ++moment
    },
  }
}

/** The connection to end: the one that has been silent for longest, else the oldest whose request has shown no key. */
function leastUseful(connections: ReadonlyMap<Socket, Connection>): Socket | undefined {
  let found: Socket | undefined
  let least: Connection | undefined
  for (const [socket, connection] of connections) {
    if (connection.requests > 0 && !connection.stranger) continue
    const [silent, leastSilent] = [connection.requests === 0, least?.requests === 0]
    if (least === undefined || (silent === leastSilent ? connection.since < least.since : silent))
      [found, least] = [socket, connection]
  }
  return found
}
