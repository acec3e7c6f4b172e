// The connections of walks whose answers are records one on each line, some megabytes each. undici and Node's own HTTP
// make new memory for every 64 KB that arrive, which takes five times as long as to receive them
// (docs/inside/performance.md, P10). A connection here reads into the same memory again and again.
import net from 'node:net'
import tls, { type ConnectionOptions } from 'node:tls'
import type { Dispatcher } from 'undici'
import { answerReader, type AnswerReader } from './answerreader.ts'
import { ConnectionFault } from './networkerrors.ts'
import { linesType } from '../domain/wire.ts'

/** A connection without a request for so long is closed, ms: sooner than servers do it. */
const idleMs = 4_000

/** Up to this many connections, shipx opens one ahead: the next question goes out as soon as an answer begins. */
const usualSockets = 3

/** Bytes that a connection reads at a time. */
const readAtOnce = 131_072

/** What a connection is made with. */
export interface LineSocketOptions {
  /** The limit for a connection, ms. */
  readonly timeout: number
  readonly rejectUnauthorized: true
  readonly secureContext?: ConnectionOptions['secureContext']
}

/** What takes an answer, as a handler of undici does. */
export interface Receiver extends Dispatcher.DispatchHandler {
  /** Memory for up to `most` bytes of the body, which come next. `onResponseData` gets them like any others. */
  readonly room?: (most: number) => Buffer | undefined
}

/** A request under way. */
interface Asked {
  readonly text: string
  /** Limits, ms: until the head of the answer, and between pieces of its body. */
  readonly limits: readonly [head: number, body: number]
  readonly handler: Receiver
  readonly reader: AnswerReader
  readonly controller: Dispatcher.DispatchController
}

/** One connection, with one request at a time. */
class LineSocket {
  readonly #socket: net.Socket
  /** Called when it can take the next request. */
  readonly #free: (self: LineSocket) => void
  readonly #memory = Buffer.allocUnsafeSlow(readAtOnce)
  #open = false
  #asked: Asked | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(origin: URL, options: LineSocketOptions, free: (self: LineSocket) => void) {
    this.#free = free
    const host = origin.hostname.replace(/^\[(.*)\]$/, '$1')
    const secure = origin.protocol === 'https:'
    const target = {
      host,
      port: Number(origin.port || (secure ? 443 : 80)),
      onread: {
        buffer: () => this.#room(),
        callback: (count: number, into: Uint8Array) => {
          this.#read((into as Buffer).subarray(0, count))
          return true
        },
      },
    }
    const { timeout, ...trust } = options
    const names = { servername: net.isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] }
    this.#socket = secure ? tls.connect({ ...target, ...trust, ...names }) : net.connect(target)
    this.#socket.setNoDelay(true)
    this.#limit(timeout, () => new ConnectionFault('CONNECT_TIMEOUT'))
    this.#socket
      .once(secure ? 'secureConnect' : 'connect', () => {
        this.#open = true
        clearTimeout(this.#timer)
        this.#send()
      })
      .on('timeout', () => this.destroy())
      .on('error', (error) => this.#fail(error))
      .on('close', () => this.#end())
  }

  get destroyed(): boolean {
    return this.#socket.destroyed
  }

  /** Throws for a request that must not be sent. */
  ask(request: Dispatcher.DispatchOptions, handler: Receiver): void {
    const [text, { headersTimeout, bodyTimeout }] = [textOf(request), request]
    const limits = [headersTimeout ?? 0, bodyTimeout ?? 0] as const
    let reason: Error | null = null
    const controller: Dispatcher.DispatchController = {
      get aborted() {
        return reason !== null
      },
      paused: false,
      get reason() {
        return reason
      },
      abort: (error) => {
        reason = error
        if (this.#asked?.controller === controller) this.#fail(error)
      },
      pause: () => undefined,
      resume: () => undefined,
    }
    const reader = answerReader({
      head: (status, headers) => {
        if (status >= 200) this.#limit(limits[1], () => new ConnectionFault('BODY_TIMEOUT'))
        handler.onResponseStart?.(controller, status, headers)
      },
      body: (bytes) => {
        if (this.#asked?.controller !== controller) return
        this.#timer?.refresh()
        handler.onResponseData?.(controller, bytes)
      },
    })
    this.#asked = { text, limits, handler, reader, controller }
    this.#timer?.ref()
    this.#socket.ref().setTimeout(0)
    if (this.#open) this.#send()
  }

  /** Idle connections keep no process alive. */
  rest(): void {
    this.#timer?.unref()
    this.#socket.unref().setTimeout(idleMs)
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #send(): void {
    const asked = this.#asked
    if (asked === undefined) return
    const { text, limits, handler, controller } = asked
    handler.onRequestStart?.(controller, undefined)
    if (this.#asked !== asked) return
    this.#limit(limits[0], () => new ConnectionFault('HEADERS_TIMEOUT'))
    this.#socket.write(text)
  }

  /** Memory for the next bytes: their place in a body, where only the body can come next. */
  #room(): Buffer {
    const asked = this.#asked
    const most = Math.min(readAtOnce, asked?.reader.bodyLeft() ?? 0)
    const room = most === 0 ? undefined : asked?.handler.room?.(most)
    return room === undefined || room.length === 0 ? this.#memory : room
  }

  #read(bytes: Buffer): void {
    const asked = this.#asked
    // Bytes that nobody asked for.
    if (asked === undefined) return this.destroy()
    try {
      if (!asked.reader.read(bytes) || this.#asked !== asked) return
    } catch (error) {
      return this.#fail(error as Error)
    }
    this.#settle()
    if (asked.reader.stays()) {
      this.rest()
      this.#free(this)
    } else this.destroy()
    asked.handler.onResponseEnd?.(asked.controller, {})
  }

  /** The connection has ended. */
  #end(): void {
    const asked = this.#asked
    if (asked?.reader.wholeAtEnd() !== true) return this.#fail(new ConnectionFault('SOCKET'))
    this.#settle()
    asked.handler.onResponseEnd?.(asked.controller, {})
  }

  #fail(error: Error): void {
    const asked = this.#settle()
    this.destroy()
    asked?.handler.onResponseError?.(asked.controller, error)
  }

  #settle(): Asked | undefined {
    const asked = this.#asked
    this.#asked = undefined
    clearTimeout(this.#timer)
    return asked
  }

  #limit(ms: number, error: () => Error): void {
    clearTimeout(this.#timer)
    if (ms > 0) this.#timer = setTimeout(() => this.#fail(error()), ms)
  }
}

/** The connections to one origin; it dispatches as a dispatcher of undici does. */
export class LineSockets {
  readonly #origin: URL
  readonly #options: LineSocketOptions
  readonly #all = new Set<LineSocket>()
  readonly #idle: LineSocket[] = []

  constructor(origin: string, options: LineSocketOptions) {
    this.#origin = new URL(origin)
    this.#options = options
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Receiver): boolean {
    for (const socket of this.#all) if (socket.destroyed) this.#all.delete(socket)
    let socket = this.#idle.pop()
    while (socket?.destroyed === true) socket = this.#idle.pop()
    socket ??= this.#opened()
    socket.ask(request, handler)
    if (asksForLines(request) && this.#idle.length === 0 && this.#all.size < usualSockets) {
      const spare = this.#opened()
      spare.rest()
      this.#idle.push(spare)
    }
    return true
  }

  #opened(): LineSocket {
    const socket = new LineSocket(this.#origin, this.#options, (free) => this.#idle.push(free))
    this.#all.add(socket)
    return socket
  }

  async destroy(): Promise<void> {
    for (const socket of this.#all) socket.destroy()
  }
}

const asksForLines = ({ headers }: Dispatcher.DispatchOptions): boolean =>
  (headers as Readonly<Record<string, string>>)['accept']?.startsWith(linesType) === true

/** A request as it is sent. Throws for a head that has something other than visible ASCII. */
function textOf({ origin, path, method, headers, body }: Dispatcher.DispatchOptions): string {
  const text = String(body ?? '')
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(String(origin)).host}`,
    'connection: keep-alive',
    ...Object.entries(headers as Readonly<Record<string, string>>).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
  ]
  if (head.some((line) => /[^\x20-\x7e]/.test(line))) throw new ConnectionFault('INVALID_ARG')
  return `${head.join('\r\n')}\r\n\r\n${text}`
}
