// Runs a SQL query in a separate process and returns its rows as JSON text, no faster than the caller reads them. Ends
// that process at the time limit, at an interruption and when the caller stops reading.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ShipxError, messageOf } from '../../../domain/errors.ts'
import { saysTooManyFiles, tooManyFiles } from '../../../domain/filelimit.ts'
import type { CommandWords } from '../../source/packagefiles.ts'
import { sqlProcess } from './child.ts'
import type { SqlNote, SqlTask } from './process.ts'

/** The query, the process that runs it, and what may end it. */
export interface SqlAsking {
  readonly command: CommandWords
  readonly task: Omit<SqlTask, 'query'> & { readonly query: Omit<SqlTask['query'], 'empty'> }
  /** The longest time of the query without the time of its reader, ms. */
  readonly limit_ms: number
  /** Calls back when the user interrupts. */
  readonly onInterrupt: (stop: () => void) => () => void
}

/** A part of an answer: first the names of its columns, then records as JSON text, then whether there are more. */
export type SqlPart =
  { readonly columns: readonly string[] } | { readonly records: readonly string[] } | { readonly more: boolean }

/** The parts of an answer. Throws the error of the query, `time_limit` and `interrupted`. */
export async function* askInSql({ command, task, limit_ms, onInterrupt }: SqlAsking): AsyncGenerator<SqlPart, void> {
  const { folder, empty } = emptyFile()
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const child = await sqlProcess(command).catch((error: unknown) => {
    remove()
    throw error
  })
  let [said, stopped, left] = ['', false, limit_ms]
  /** The unfinished line, in the pieces that arrived. */
  let rest: string[] = []
  const end = (): void => void child.kill('SIGKILL')
  const quieten = onInterrupt(() => {
    stopped = true
    end()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)))
  child.stdin.on('error', () => undefined)
  const whole: SqlTask = { ...task, query: { ...task.query, empty } }
  child.stdin.write(`${JSON.stringify(whole)}\n`)
  child.on('error', (error) => child.stdout.destroy(error))
  const chunks = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>
  try {
    for (;;) {
      const began = performance.now()
      const step = await within(left, chunks.next())
      left -= performance.now() - began
      if (stopped) throw new ShipxError('interrupted', 'stopped; what was printed is not all of it')
      if (step.done === true) throw endedWith(said)
      const lines = step.value.split('\n')
      rest.push(lines.shift()!)
      if (lines.length === 0) continue
      lines.unshift(rest.join(''))
      rest = [lines.pop()!]
      for (const part of partsOf(lines)) {
        yield part
        if ('more' in part) return
      }
    }
  } finally {
    quieten()
    end()
    remove()
  }
}

/** An empty file in a folder of its own. Throws `output_failed`. */
function emptyFile(): { readonly folder: string; readonly empty: string } {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'shipx-sql-'))
    const empty = join(folder, 'empty.sqlite')
    writeFileSync(empty, '')
    return { folder, empty }
  } catch (error) {
    throw new ShipxError('output_failed', `nothing can be written in ${tmpdir()}: ${messageOf(error)}`, {
      hint: 'name a folder that can be written in TMPDIR',
      cause: error,
    })
  }
}

/** Why a process ended early, from its output next to the answer. */
function endedWith(said: string): ShipxError {
  const note = said.split('\n').find((line) => line.startsWith('!{'))
  if (note !== undefined) return refusal(JSON.parse(note.slice(1)) as Extract<SqlNote, { readonly error: object }>)
  const ended = new ShipxError('internal', `the process that runs the query ended: ${said.trim() || 'it said nothing'}`)
  return saysTooManyFiles(ended) ? tooManyFiles('the database', ended) : ended
}

const refusal = ({ error: { code, message, hint } }: Extract<SqlNote, { readonly error: object }>): ShipxError =>
  new ShipxError(code, message, hint === undefined ? {} : { hint })

/** The longest that a timer can wait, ms. */
const longest = 2 ** 31 - 1

/** The awaited value, or `time_limit` after this many ms. */
async function within<T>(ms: number, wait: Promise<T>): Promise<T> {
  if (ms > longest) return wait
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const tell = (): void =>
      reject(
        new ShipxError('time_limit', 'the query took too long and was stopped', {
          hint: 'use a longer --timeout, or --timeout 0 for no limit',
        }),
      )
    timer = setTimeout(tell, Math.max(0, ms))
  })
  try {
    return await Promise.race([wait, late])
  } finally {
    clearTimeout(timer)
  }
}

function* partsOf(lines: readonly string[]): Generator<SqlPart> {
  let records: string[] = []
  for (const line of lines) {
    if (!line.startsWith('!')) {
      records.push(line)
      continue
    }
    if (records.length > 0) yield { records }
    records = []
    const note = JSON.parse(line.slice(1)) as SqlNote
    if ('error' in note) throw refusal(note)
    yield 'columns' in note ? { columns: note.columns } : { more: note.more }
  }
  if (records.length > 0) yield { records }
}
