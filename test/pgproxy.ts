// A TCP proxy before PostgreSQL that cuts connections at the one moment that matters, the commit; it knows of the protocol
// only how a client says that.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** What becomes of a commit. */
export type Fate =
  /** It does not reach the server, and the connection ends on both sides. */
  | 'unsent'
  /** It reaches the server, and of the answer not a byte comes back. */
  | 'unanswered'
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
  /** Stops answering, as a machine without power does, or goes on; connections stay. */
  readonly freeze: (frozen: boolean) => void
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
    let silent = false
    client.on('data', (bytes) => {
      const fate = commit.test(bytes.toString('latin1')) ? (all++, fates.shift()) : undefined
      if (fate !== undefined) cut++
      if (fate === 'unsent') return void (upstream.destroy(), client.resetAndDestroy())
      if (fate === 'withheld') return void client.resetAndDestroy()
      if (fate === 'unanswered') silent = true
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (silent) return void (upstream.destroy(), client.resetAndDestroy())
      client.write(bytes)
    })
    let withheld = false
    client.on('close', () => {
      // A server whose client has lost its power hears nothing of it.
      if (!withheld) upstream.destroy()
    })
    upstream.on('close', () => client.destroy())
    client.prependListener('data', (bytes: Buffer) => {
      withheld ||= commit.test(bytes.toString('latin1')) && fates[0] === 'withheld'
    })
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
    freeze: (now) => {
      frozen = now
      for (const socket of sockets) if (now) socket.pause()
        else socket.resume() // prettier-ignore
    },
    shut,
    open,
    close: shut,
  }
}
