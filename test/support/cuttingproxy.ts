// A TCP proxy on loopback that cuts connections at the worst moment: the request is whole at the other side and has been
// done, and its answer is on the way. Knows no HTTP; one exchange is what a client sends and what comes back.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { chanceOf } from './chance.ts'

/** When an exchange that is to be cut is cut. */
export type Moment =
  /** Before anything of the request has been passed on. */
  | 'unsent'
  /** The request has been passed on; not a byte of the answer comes back. */
  | 'answered'
  /** The first bytes of the answer come back. */
  | 'begun'

export interface CutterOptions {
  /** One exchange in so many, on average. */
  readonly every: number
  readonly moment?: Moment | 'after commit'
  readonly seed?: number
}

export interface Cutter {
  readonly url: string
  readonly cuts: () => Readonly<Record<Moment, number>>
  readonly exchanges: () => number
  readonly close: () => Promise<void>
}

/** Starts a cutter before a server (`http://127.0.0.1:port`). `after commit` is `answered` and `begun` by turns. */
export async function startCutter(
  target: string,
  { every, moment = 'after commit', seed = 1 }: CutterOptions,
): Promise<Cutter> {
  const { hostname, port } = new URL(target)
  const chance = chanceOf(seed)
  const cuts: Record<Moment, number> = { unsent: 0, answered: 0, begun: 0 }
  const sockets = new Set<Socket>()
  let [exchanges, turns] = [0, 0]

  /** The moment at which the next exchange is cut, or undefined. */
  const next = (): Moment | undefined => {
    exchanges++
    if (chance() >= 1 / every) return undefined
    return moment === 'after commit' ? (turns++ % 2 === 0 ? 'answered' : 'begun') : moment
  }

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay(true))
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    }
    let asking = false
    let fate: Moment | undefined
    /** Ends the exchange: sometimes with a reset and mostly with an orderly end, which clients tell apart. */
    const cut = (at: Moment): void => {
      cuts[at]++
      upstream.destroy()
      if (chance() < 0.4) client.resetAndDestroy()
      else client.end(() => client.destroy())
    }
    client.on('data', (bytes) => {
      if (!asking) [asking, fate] = [true, next()]
      if (fate === 'unsent') cut(fate)
      else if (!upstream.destroyed && !upstream.write(bytes)) client.pause()
    })
    upstream.on('drain', () => client.resume())
    upstream.on('data', (bytes) => {
      asking = false
      if (fate !== undefined) {
        if (fate === 'begun') client.write(bytes.subarray(0, 1 + Math.floor(chance() * Math.min(40, bytes.length - 1))))
        const at = fate
        fate = undefined
        upstream.removeAllListeners('data')
        return cut(at)
      }
      if (!client.destroyed && !client.write(bytes)) upstream.pause()
    })
    client.on('drain', () => upstream.resume())
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    exchanges: () => exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
