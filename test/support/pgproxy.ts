// A TCP proxy before PostgreSQL that cuts connections at the one moment that matters, the commit; it knows of the protocol
// only how a client says that.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** What becomes of a commit. */
export type Fate =
  /** It does not reach the server, and the connection ends on both sides. */
  | 'unsent'
  /** It reaches the server, and of the answer not a byte comes back. */
  | 'unanswered'
  /** The same, counted when the server has answered; from then on the proxy refuses connections, until `open`. */
  | 'last'
  /** It does not reach the server, which keeps waiting for it; the client's side ends. */
  | 'withheld'

/** A proxy at work. */
export interface PgProxy {
  /** The address of a database, through the proxy. */
  readonly through: (url: string) => string
  /** The fate of the next commits, in their order; whatever comes after them goes through. */
  readonly doom: (...fates: readonly Fate[]) => void
  /** How many commits came through here, and how many of them were cut. */
  readonly commits: () => { readonly all: number; readonly cut: number }
  /** Connections that were made since the start. */
  readonly connections: () => number
  /** Stops answering, as a machine without power does; `new` lets new connections through and leaves the old ones silent. */
  readonly freeze: (frozen: boolean, which?: 'new') => void
  /** Refuses connections and ends the ones there are, until `open`. */
  readonly shut: () => Promise<void>
  readonly open: () => Promise<void>
  readonly close: () => Promise<void>
}

const commit = /^Q....commit\b/s

/** Starts a proxy before the server of an address. */
export async function startPgProxy(target: string): Promise<PgProxy> {
  const to = new URL(target)
  const sockets = new Set<Socket>()
  const fates: Fate[] = []
  let [all, cut, made, frozen] = [0, 0, 0, false]

  const pair = (client: Socket): void => {
    const upstream = connect(Number(to.port || 5432), to.hostname)
    made++
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay(true))
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
      if (frozen) socket.pause()
    }
    let [silent, withheld, last] = [false, false, false]
    client.on('data', (bytes) => {
      const isCommit = commit.test(bytes.toString('latin1'))
      const fate = isCommit ? fates.shift() : undefined
      if (isCommit) all++
      last = fate === 'last'
      if (fate !== undefined && !last) cut++
      silent = fate === 'unanswered' || last
      withheld = fate === 'withheld'
      if (fate === 'unsent') upstream.destroy()
      if (fate === 'unsent' || withheld) client.resetAndDestroy()
      else upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (!silent) return void client.write(bytes)
      if (last) {
        cut++
        server.close()
      }
      upstream.destroy()
      client.resetAndDestroy()
    })
    // A server whose client has lost its power hears nothing of it.
    client.on('close', () => {
      if (!withheld) upstream.destroy()
    })
    upstream.on('close', () => client.destroy())
  }

  let server: Server
  let port = 0
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      server = createServer(pair).listen(port, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port
        resolve()
      })
    })
  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  await open()
  return {
    through: (url) => {
      const address = new URL(url)
      address.host = `127.0.0.1:${port}`
      return address.href
    },
    doom: (...more) => void fates.push(...more),
    commits: () => ({ all, cut }),
    connections: () => made,
    freeze: (now, which) => {
      frozen = now
      for (const socket of sockets) {
        if (now) socket.pause()
        else if (which === undefined) socket.resume()
      }
    },
    shut,
    open,
    close: shut,
  }
}
