// `--jq`: sends the JSON that a command prints through a jq expression, which runs in a thread of its own.
import { Worker } from 'node:worker_threads'
import { ShipxError, invalid } from '../../domain/errors.ts'
import { mapJson } from '../../domain/exactjson.ts'
import type { Io, Sink } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'
import type { ThreadCode } from '../terminal/threadcode.ts'
import type { JqAnswer, JqStart, JqTask } from './jqworker.ts'

/** The files of jq: the code of its thread, and jq itself. */
export interface JqFiles extends ThreadCode {
  readonly wasm: Uint8Array
}

/** An expression, and how the output comes: in lines of one record, or as one JSON text at the end. */
export interface Selecting {
  readonly expression: string
  readonly lines: boolean
  /** The command prints while it runs: each part of its output is shown at once. */
  readonly live: boolean
}

/** How long an expression may take for one piece of output, ms. */
const patience = 30_000
/** The most memory that jq may take, bytes: about eight times the largest piece. */
const mostMemory = 536_870_912
/** The largest JSON text that jq reads at once, bytes. */
const mostJson = 64_000_000
/** JSON Lines go through jq in pieces of about this size, bytes: each start of jq takes some milliseconds. */
const pieceSize = 4_000_000

/** The fault of an expression, in jq's words. */
const refused = (message: string, hint?: string): Error => invalid([{ field: '--jq', message }], hint)

/**
 * What jq selected, from lines of JSON: text as it is, as `jq -r` prints it; on a terminal other values in several
 * lines.
 */
const selected = (stdout: string, tty: boolean): string =>
  stdout
    .split('\n')
    .map((line) => {
      const text = line.startsWith('"') ? (JSON.parse(line) as string) : tty ? mapJson(line, (value) => value, 2) : line
      return `${tty ? tidy(text) : text}\n`
    })
    .join('')

/**
 * Runs the work and prints what the expression selects from its JSON. Throws `invalid_input` for an expression that jq
 * does not read, before the work; for one that fails, or takes too long or too much memory, after it.
 */
export async function selecting(
  io: Io,
  files: JqFiles,
  { expression, lines, live }: Selecting,
  work: (io: Io) => Promise<number>,
): Promise<number> {
  const jq = thread(files)
  const run = async (input: string): Promise<void> => {
    const answer = await jq.ask({ input, expression: guarded(expression, lines) })
    if (answer.stdout !== '') await io.stdout.write(selected(answer.stdout, io.stdout.tty))
    if (answer.exitCode !== 0) throw refused(messageIn(answer))
    // What `debug` and `stderr` in the expression print.
    if (answer.stderr !== '') await io.stderr.write(`${tidy(answer.stderr)}\n`)
  }
  try {
    // Without input jq reads the expression and runs nothing.
    await run('')
    let waiting: Uint8Array[] = []
    let size = 0
    const take = async (text: string | Uint8Array): Promise<void> => {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      waiting.push(bytes)
      size += bytes.length
      if (!lines && size > mostJson)
        throw refused('reads at most 64 MB of JSON at once', 'with --jsonl it reads one record after another')
      if (lines && (live || size >= pieceSize)) await flush()
    }
    const flush = async (last = false): Promise<void> => {
      const all = Buffer.concat(waiting)
      const end = last ? all.length : all.lastIndexOf(10) + 1
      if (end === 0) return
      waiting = end === all.length ? [] : [all.subarray(end)]
      size = all.length - end
      await run(all.toString('utf8', 0, end))
    }
    const exit = await work({ ...io, stdout: sinkInto(io.stdout, take) })
    await flush(true).catch((error: unknown) => {
      if (!(error instanceof ShipxError)) throw error
      // A user who creates something must not create it again.
      throw invalid(error.details, 'the command itself ran; only its output is missing')
    })
    return exit
  } finally {
    await jq.end()
  }
}

/** A sink for JSON alone: not a terminal, so that the JSON comes in few bytes. */
const sinkInto = (stdout: Sink, take: Sink['write']): Sink => ({
  tty: false,
  width: undefined,
  height: undefined,
  write: take,
  get stream() {
    return stdout.stream
  },
})

/**
 * The expression as jq gets it. JSON Lines come in pieces, so that `input` and `inputs` would read up to the end of a
 * piece: there they are refused.
 */
function guarded(expression: string, lines: boolean): string {
  const message = 'input and inputs are not there: --jsonl reads one record at a time'
  const guard = `def inputs: error("${message}"); def input: inputs;\n`
  // A dash in front would be a flag to jq.
  return lines && /\binputs?\b/.test(expression) ? `${guard}${expression}` : ` ${expression}`
}

/** jq's message without what stands before it in each of its errors. */
function messageIn({ stderr, exitCode }: JqAnswer): string {
  if (stderr.startsWith('jq: parse error')) return 'reads JSON, and this command prints something else'
  const lines = stderr
    .split('\n')
    .filter((line) => !/^jq: \d+ compile errors?$/.test(line))
    .map((line) => line.replace(/^jq: error(?: \(at [^)]*\))?(?: \(not a string\))?: ?/, ''))
  // Each record may have the same fault.
  return [...new Set(lines)].join('\n').trim() || `jq ended with code ${exitCode}`
}

/** Text for a terminal: line breaks and tabs stay, every other control is visible. */
const tidy = (text: string): string => text.replace(/[^\n\t]+/g, (part) => safe(part))

/** A thread with jq in it. */
interface JqThread {
  readonly ask: (task: JqTask) => Promise<JqAnswer>
  readonly end: () => Promise<unknown>
}

function thread({ code, options, wasm }: JqFiles): JqThread {
  const worker = new Worker(code, {
    ...options,
    workerData: { wasm, memory: mostMemory } satisfies JqStart,
    // What jq prints is text in this thread.
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    // What ends jq itself would print its own words.
    stderr: true,
    stdout: true,
  })
  const ask = (task: JqTask): Promise<JqAnswer> =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        settled(() => reject(refused(`takes more than ${patience / 1000} s`)))
      }, patience)
      const settled = (then: () => void): void => {
        clearTimeout(late)
        // Not all of them: Node has listeners of its own there.
        worker.removeAllListeners('message')
        worker.removeAllListeners('error')
        then()
      }
      worker.once('message', (answer: JqAnswer) => settled(() => resolve(answer)))
      worker.once('error', (error: Error & { readonly code?: string }) =>
        settled(() =>
          // What ends jq itself is memory: its own, or that of what it prints.
          reject(
            /OUT_OF_MEMORY|^Aborted/.test(error.code ?? error.message)
              ? refused('takes more than 512 MB of memory')
              : error,
          ),
        ),
      )
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(task)
    })
  return { ask, end: () => worker.terminate() }
}
