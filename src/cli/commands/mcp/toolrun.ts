// Runs the command of a tool in a process of its own: a fault, a large answer or a long query ends that process alone.
import { spawn } from 'node:child_process'
import { ShipxError, messageOf } from '../../../domain/errors.ts'
import type { CommandWords } from '../../source/packagefiles.ts'

/** How a command ended: its exit code, its standard output, and what it wrote to standard error. */
export interface Ended {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/** The most characters of an answer: more would fill the memory of an assistant. */
export const mostCharacters = 1_000_000

/** The most characters of standard error that are kept, those at its end. */
const mostSaid = 20_000

/** The time that a stopped command has to end by itself, ms. */
const grace = 2_000

/** What runs, and what ends it. */
export interface ToolRun {
  readonly command: CommandWords
  readonly words: readonly string[]
  /** Its standard input. */
  readonly input: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly limit_ms: number
  readonly signal: AbortSignal
}

/**
 * Runs a command line of shipx. Throws `time_limit`, `interrupted` when the caller no longer waits, `too_many_files`
 * or `internal` when it cannot start, and `invalid_input` for an answer that is too large.
 */
export function runTool({ command, words, input, env, limit_ms, signal }: ToolRun): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const [program, ...first] = command
    const child = spawn(program, [...first, ...words], {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    })
    // A command that ends before it reads its input says why itself.
    child.stdin.on('error', () => undefined).end(input)
    const out: Buffer[] = []
    let [length, said]: [number, string] = [0, '']
    let failure: ShipxError | undefined
    let last: NodeJS.Timeout | undefined
    const stop = (why: ShipxError): void => {
      if (failure !== undefined) return
      failure = why
      child.kill('SIGTERM')
      last = setTimeout(() => child.kill('SIGKILL'), grace)
    }
    const timer = setTimeout(() => stop(tooSlow(limit_ms)), limit_ms)
    const cancel = (): void => stop(new ShipxError('interrupted', 'the assistant cancelled the call'))
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel)
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > mostCharacters * 4) stop(tooLarge())
      if (failure === undefined) out.push(chunk)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-mostSaid)))
    const end = (): void => {
      clearTimeout(timer)
      clearTimeout(last)
      signal.removeEventListener('abort', cancel)
    }
    child.on('error', (error) => {
      end()
      reject(new ShipxError('internal', `the command cannot start: ${messageOf(error)}`, { cause: error }))
    })
    child.on('close', (code) => {
      end()
      const stdout = Buffer.concat(out).toString()
      if (failure !== undefined) reject(failure)
      else if (stdout.length > mostCharacters) reject(tooLarge())
      else resolve({ exit: code ?? 1, stdout, stderr: said })
    })
  })
}

const tooSlow = (limit: number): ShipxError =>
  new ShipxError('time_limit', `the tool took longer than ${limit / 1000} s`, {
    hint: 'ask for less: filters, a shorter period, a smaller limit',
  })

const tooLarge = (): ShipxError =>
  new ShipxError('invalid_input', 'the answer is too large for an assistant (1,000,000 characters)', {
    hint: 'ask for less: filters, fields, a smaller limit',
  })
