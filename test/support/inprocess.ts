// Command lines in this process: hundreds of them take the time in which Node starts a few.
import { join } from 'node:path'
import { run } from '../../src/cli/run.ts'
import type { Io, Sink } from '../../src/cli/terminal/io.ts'
import { testHost } from './host.ts'

/** What a command line came to. */
export interface Came {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

type Env = Readonly<Record<string, string>>

/** Runs a command line, with more in its environment. */
export type Here = (args: readonly string[], more?: Env) => Promise<Came>

async function* nothing(): AsyncGenerator<Uint8Array> {}

const sinkTo = (take: (text: string) => void): Sink => ({
  tty: false,
  width: undefined,
  height: undefined,
  write: async (text) => take(typeof text === 'string' ? text : Buffer.from(text).toString()),
  stream: process.stdout,
})

/** The command lines of a home: they run in it, and keep their data there. */
export function runnerIn(home: string, env: Env = {}): Here {
  return async (args, more = {}) => {
    let [stdout, stderr] = ['', '']
    const io: Io = {
      stdout: sinkTo((text) => (stdout += text)),
      stderr: sinkTo((text) => (stderr += text)),
      stdin: { tty: false, stream: process.stdin, bytes: () => nothing(), close: () => undefined },
      env: { SHIPX_DATA_DIR: join(home, 'data'), ...env, ...more },
      home,
      cwd: () => home,
      platform: process.platform,
      pid: process.pid,
      host: testHost(),
      onInterrupt: () => () => undefined,
      onHangup: () => () => undefined,
    }
    return { exit: await run(args, io), stdout, stderr }
  }
}
