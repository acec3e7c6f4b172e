// Runs a pager when the user asks for one: starts it with the first output, sends it everything, and waits for it. A
// user who leaves it early ends the output without an error.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { ShipxError } from '../../domain/errors.ts'
import { closed, variable, type Io, type Sink } from './io.ts'

/**
 * The command line of the pager, or undefined when paging makes no sense: no terminal, or one that cannot page. It is
 * `SHIPX_PAGER` if that is more than a yes, or else `PAGER`, or else less.
 */
export function pagerOf(io: Io): string | undefined {
  if (!io.stdout.tty || io.env['TERM'] === 'dumb') return undefined
  const own = variable(io, 'SHIPX_PAGER') ?? ''
  const usual = variable(io, 'PAGER') ?? (io.platform === 'win32' ? 'more' : 'less -FRX')
  const command = /^(1|yes|true|on|)$/i.test(own) ? usual : own
  return /^(0|no|false|off|cat)$/i.test(command) ? undefined : command
}

/** The exit codes of a shell for a command that it cannot run. */
const notRun: ReadonlySet<unknown> = new Set([126, 127])

/**
 * Runs the work with a pager behind standard output; less scrolls `sideways` where lines must stay lines. Throws what
 * the work throws, once the pager has ended.
 */
export async function paged(
  io: Io,
  command: string,
  work: (io: Io) => Promise<number>,
  sideways: boolean,
): Promise<number> {
  let child: ChildProcess | undefined
  let gone: Promise<unknown> | undefined
  const start = (): ChildProcess => {
    if (child !== undefined) return child
    child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      // The same as git: a short page ends by itself, colours are shown, and the page stays on the screen.
      env: { ...io.env, LESS: variable(io, 'LESS') ?? (sideways ? 'FRSX' : 'FRX') },
    })
    gone = Promise.race([once(child, 'exit').then(([code]) => code as unknown), once(child, 'error').then(() => 127)])
    child.stdin!.on('error', () => undefined)
    return child
  }
  const write: Sink['write'] = (text) =>
    new Promise((resolve, reject) => {
      start().stdin!.write(text, (error) => (error == null ? resolve() : reject(closed)))
    })
  const stdout = sinkFrom(io.stdout, write)
  // While the pager has the terminal, other output would be written over it.
  const stderr = io.stderr.tty
    ? sinkFrom(io.stderr, (text) => (child === undefined ? io.stderr.write(text) : write(text).catch(() => undefined)))
    : io.stderr
  // While the pager runs, it decides what Ctrl-C means.
  const quieten = io.onInterrupt(() => undefined)
  const ended = async (): Promise<void> => {
    child?.stdin?.end()
    const code = await gone
    quieten()
    if (notRun.has(code)) throw unusable(command)
  }
  let exit = 0
  try {
    exit = await work({ ...io, stdout, stderr })
  } catch (error) {
    await ended()
    if (error !== closed) throw error
    return 0
  }
  await ended()
  return exit
}

/** A sink with another function for writing. */
const sinkFrom = ({ tty, width, height, stream }: Sink, write: Sink['write']): Sink => ({
  tty,
  width,
  height,
  stream,
  write,
  paged: true,
})

const unusable = (command: string): ShipxError =>
  new ShipxError('output_failed', `the pager cannot be run: ${command}`, {
    hint: 'set PAGER or SHIPX_PAGER to one that exists, or leave --pager out',
  })
