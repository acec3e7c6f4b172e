// The outside world of the commands: streams that know whether they are terminals, the environment, the clock and
// randomness. Other than bin/, only this file touches the process.
import { fstatSync, write, writeSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Host } from '../../engine/runtime.ts'
import { ShipxError, invalid } from '../../domain/errors.ts'
import { readInstant } from '../../domain/time.ts'
import type { FileWriter } from './filewriter.ts'
import { releaser } from './heap.ts'

/**
 * A stream to write to. `write` resolves when the text is on its way and throws `closed` when the reader has gone;
 * that of standard error never throws.
 */
export interface Sink {
  readonly tty: boolean
  /** Columns and lines of the terminal, when known. */
  readonly width: number | undefined
  readonly height: number | undefined
  readonly write: (text: string | Uint8Array) => Promise<void>
  /**
   * The same for bytes that nothing reads afterwards: once they are written it gives their memory back, to its owner
   * where `release` does that.
   */
  readonly handOn?: (bytes: Uint8Array, release?: () => void) => Promise<void>
  /** A pager shows the output; it accepts colours and no other control sequence. */
  readonly paged?: true
  /** The stream itself, for libraries that draw on it. */
  readonly stream: NodeJS.WriteStream
}

/** Everything that a run gets from outside. */
export interface Io {
  readonly stdout: Sink
  readonly stderr: Sink
  readonly stdin: {
    readonly tty: boolean
    /** The stream itself, for code that reads single keys. */
    readonly stream: NodeJS.ReadStream
    readonly bytes: () => AsyncIterable<Uint8Array>
    /** Stops reading: a reader that waits for bytes gets the end. */
    readonly close: () => void
  }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The working folder. Throws when it is gone. */
  readonly cwd: () => string
  readonly platform: string
  readonly pid: number
  readonly host: Host
  /** Calls back when the user interrupts; returns a function that stops listening. */
  readonly onInterrupt: (stop: (signal: 'SIGINT' | 'SIGTERM') => void) => () => void
  /**
   * For a server: calls back when its terminal or its manager hangs up (SIGHUP). Also disables SIGUSR1, which otherwise
   * opens Node's debugger. Returns a function that stops listening.
   */
  readonly onHangup: (stop: () => void) => () => void
}

/** An environment variable; an empty one counts as unset. */
export const variable = ({ env }: Pick<Io, 'env'>, name: string): string | undefined => {
  const value = env[name]
  return value === '' ? undefined : value
}

/** Thrown by `write` when the reader is gone (`| head -1`): a quiet end, not a failure. */
export const closed = Symbol('the reader of the output has gone')

/** The error of a failed write. */
const unwritten = (error: Error): unknown =>
  'code' in error && error.code === 'EPIPE'
    ? closed
    : new ShipxError('output_failed', `the output could not be written: ${error.message}`, { cause: error })

/** Whether a descriptor that does not block takes no more at present. */
const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN'

/** What takes bytes in sequence and is certainly no terminal: a file; a pipe, a socket or /dev/null. */
function plainly(descriptor: number): 'file' | 'stream' | 'unknown' {
  try {
    const found = fstatSync(descriptor)
    if (found.isFile()) return 'file'
    // Among character devices, only Linux's memory devices (major number 1) are certainly not terminals.
    const memory = found.isCharacterDevice() && found.rdev >> 8 === 1
    return found.isFIFO() || found.isSocket() || memory ? 'stream' : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** From so many bytes on, a thread of the system writes: this one can prepare what comes next meanwhile. */
const largeWrite = 65_536

/** Shorter texts become bytes of their own, longer ones too: those of this length have at most `largeWrite` bytes. */
const [shortText, longText] = [4_096, 21_845]

/** After this many bytes to a file, a thread of our own writes the rest. It starts in about 0.05 s. */
const longOutput = 16_000_000

/**
 * Returns what makes bytes of a text, which are there until the next text comes: new memory for each text takes time
 * (docs/inside/slowmemory.md, Lists, sheets and ids).
 */
function encoder(): (text: string) => Uint8Array {
  const utf8 = new TextEncoder()
  let room: Uint8Array | undefined
  return (text) => {
    if (text.length < shortText || text.length > longText) return Buffer.from(text)
    room ??= new Uint8Array(largeWrite)
    return room.subarray(0, utf8.encodeInto(text, room).written)
  }
}

/** Starts that thread. */
export type StartWriter = (descriptor: number) => Promise<FileWriter>

/** Writes the first of some bytes; resolves to how many. */
const writeLarge = (descriptor: number, bytes: Uint8Array): Promise<number> =>
  new Promise((resolve, reject) => {
    write(descriptor, bytes, (error, written) => (error === null ? resolve(written) : reject(error)))
  })

/**
 * A stream as a sink. It opens the stream when a terminal or a library needs it. Each standard stream costs a command
 * some milliseconds, and a file or a pipe takes bytes without one.
 */
function sinkOf(descriptor: number, open: () => NodeJS.WriteStream, startWriter?: StartWriter): Sink {
  let opened: NodeJS.WriteStream | undefined
  let failure: Error | undefined
  let plain: ReturnType<typeof plainly> | undefined
  const stream = (): NodeJS.WriteStream => {
    if (opened === undefined) {
      opened = open()
      opened.on('error', (error) => {
        failure = error
      })
    }
    return opened
  }
  /** The terminal, if it is one. */
  const terminal = (): NodeJS.WriteStream | undefined => {
    plain ??= process.platform === 'win32' ? 'unknown' : plainly(descriptor)
    return plain === 'unknown' && stream().isTTY === true ? stream() : undefined
  }
  const streamed = (text: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (error?: Error | null): void => (error == null ? resolve() : reject(unwritten(error)))
      const target = stream()
      if (failure !== undefined) end(failure)
      else target.write(text, end)
    })
  const bytesOf = encoder()
  const written = async (text: string | Uint8Array): Promise<void> => {
    if (terminal() !== undefined || opened !== undefined || plain === 'unknown') return streamed(text)
    let left = typeof text === 'string' ? bytesOf(text) : text
    try {
      while (left.length > largeWrite) left = left.subarray(await writeLarge(descriptor, left))
      while (left.length > 0) left = left.subarray(writeSync(descriptor, left))
    } catch (error) {
      // The descriptor is non-blocking and full: the stream waits for it.
      if (isFull(error)) return streamed(typeof text === 'string' ? Buffer.from(left) : left)
      throw unwritten(error as Error)
    }
  }
  let handed = 0
  let starting: Promise<unknown> | undefined
  let writer: FileWriter | undefined
  /** The thread that writes more bytes of a long output, once it has started. */
  const writerOf = ({ length }: Uint8Array): FileWriter | undefined => {
    handed += length
    if (startWriter === undefined || handed < longOutput || length < largeWrite) return undefined
    if (terminal() !== undefined || opened !== undefined || plain !== 'file') return undefined
    // Where the system has no thread left, this one goes on writing.
    starting ??= startWriter(descriptor).then(
      (started) => (writer = started),
      () => undefined,
    )
    return writer?.ready() === true ? writer : undefined
  }
  let release: ReturnType<typeof releaser> | undefined
  return {
    get stream() {
      return stream()
    },
    get tty() {
      return terminal() !== undefined
    },
    get width() {
      // A terminal that does not know its size reports 0.
      const columns = terminal()?.columns ?? 0
      return columns > 0 ? columns : undefined
    },
    get height() {
      const rows = terminal()?.rows ?? 0
      return rows > 0 ? rows : undefined
    },
    write: written,
    handOn: async (bytes, owner) => {
      const thread = owner === undefined ? writerOf(bytes) : undefined
      if (thread !== undefined) {
        return thread.write(bytes).catch((error: unknown) => {
          throw unwritten(error as Error)
        })
      }
      await written(bytes)
      if (owner !== undefined) return owner()
      release ??= releaser()
      release(bytes)
    },
  }
}

/**
 * Standard error: what it cannot take is dropped, and the work goes on. Only a reader of the output that leaves ends
 * the work.
 */
function notesOf(sink: Sink): Sink {
  return {
    get stream() {
      return sink.stream
    },
    get tty() {
      return sink.tty
    },
    get width() {
      return sink.width
    },
    get height() {
      return sink.height
    },
    write: (text) => sink.write(text).catch(() => undefined),
  }
}

/** Random letters, all equally likely: drops bytes at the end of the range, which would favour the first letters. */
function randomLetters(length: number, alphabet: string): string {
  const fair = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length))) {
      if (byte < fair) text += alphabet[byte % alphabet.length]!
    }
  }
  return text
}

/**
 * The real process as an Io. `startWriter` is for commands with a long output. Throws when `SHIPX_NOW` is not a time.
 */
export function systemIo(process: NodeJS.Process, startWriter?: StartWriter): Io {
  const fixed = process.env['SHIPX_NOW']
  const now = fixed === undefined || fixed === '' ? undefined : readInstant(fixed)
  if (fixed !== undefined && fixed !== '' && now === undefined) {
    throw invalid([{ field: null, message: 'SHIPX_NOW must be an ISO 8601 time with Z or an offset' }])
  }
  return {
    stdout: sinkOf(1, () => process.stdout, startWriter),
    stderr: notesOf(sinkOf(2, () => process.stderr)),
    stdin: {
      get tty() {
        return process.stdin.isTTY === true
      },
      get stream() {
        return process.stdin
      },
      bytes: () => process.stdin as AsyncIterable<Uint8Array>,
      close: () => void process.stdin.destroy(),
    },
    env: process.env,
    home: homedir(),
    cwd: () => process.cwd(),
    platform: process.platform,
    pid: process.pid,
    host: {
      now: () => now ?? Date.now(),
      // The global crypto is loaded already; loading node:crypto would cost every command some milliseconds.
      uuid: () => crypto.randomUUID(),
      letters: randomLetters,
      digest: (data) => process.getBuiltinModule('node:crypto').hash('sha256', data),
    },
    onInterrupt: (stop) => {
      // Ctrl-Break, which Windows alone has: the same to its user.
      const broken = (): void => stop('SIGINT')
      process.on('SIGINT', stop)
      process.on('SIGTERM', stop)
      process.on('SIGBREAK', broken)
      return () => {
        process.off('SIGINT', stop)
        process.off('SIGTERM', stop)
        process.off('SIGBREAK', broken)
      }
    },
    onHangup: (stop) => {
      const nothing = (): void => undefined
      process.on('SIGHUP', stop)
      process.on('SIGUSR1', nothing)
      return () => {
        process.off('SIGHUP', stop)
        process.off('SIGUSR1', nothing)
      }
    },
  }
}
