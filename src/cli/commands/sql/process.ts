// The process that runs a SQL query. SQLite cannot be stopped within its process, but the process can be ended. It
// reads its query from standard input and ends with it. A thread runs the query, so the process always listens.
import { fstatSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { ShipxError, type Code } from '../../../domain/errors.ts'
import { sqliteDriver } from '../../../engine/database/sqlitechoice.ts'
import { kindOf, runQuery, valueOf, type SqlQuery } from '../../../engine/sql/query.ts'
import { installed } from '../../source/packagefiles.ts'

/** The query, and how many rows are enough (undefined: all). */
export interface SqlTask {
  readonly query: SqlQuery
  readonly limit: number | undefined
  /** Whether a record is the kinds of its values and a list of them, in place of an object. */
  readonly typed: boolean
}

/** A line that is not a record starts with `!`. */
export type SqlNote =
  | { readonly columns: readonly string[] }
  | { readonly rows: number; /** Whether there are more rows than the limit. */ readonly more: boolean }
  | { readonly error: { readonly code: Code; readonly message: string; readonly hint: string | undefined } }

/** Writes after this many characters, or after this many ms. */
const portion = 65_536
const haste = 100

/** Waits until everything is written: unread output holds the query back. */
function write(text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

const note = (value: SqlNote): void => write(`!${JSON.stringify(value)}\n`)

function answer({ query, limit, typed }: SqlTask): void {
  const { columns, rows, close } = opened(query)
  try {
    note({ columns })
    const names = columns.map((name) => `${JSON.stringify(name)}:`)
    let [text, count, more, last] = ['', 0, false, performance.now()]
    for (const row of rows) {
      if (count === limit) {
        more = true
        break
      }
      const values = row.map(valueOf)
      text += typed
        ? `${row.map(kindOf).join('')}${JSON.stringify(values)}\n`
        : `{${values.map((value, i) => names[i]! + JSON.stringify(value)).join(',')}}\n`
      count++
      if (text.length < portion && performance.now() - last < haste) continue
      write(text)
      text = ''
      last = performance.now()
    }
    write(text)
    note({ rows: count, more })
  } finally {
    close()
  }
}

function opened(query: SqlQuery): ReturnType<typeof runQuery> {
  try {
    return runQuery(sqliteDriver(process), query)
  } finally {
    // The file is open, and the process that created it may be ended at any time.
    rmSync(dirname(query.empty), { recursive: true, force: true })
  }
}

function answered(task: SqlTask): void {
  try {
    answer(task)
  } catch (error) {
    const known = error instanceof ShipxError ? error : new ShipxError('internal', String(error))
    note({ error: { code: known.code, message: known.message, hint: known.hint } })
  }
}

/** The most that a query may write to temporary files, bytes, and how often shipx checks that, ms. */
const mostDisk = 1_000_000_000
const interval = 50

/** How many descriptors are checked: this process opens few files. */
const descriptors = 64

/** Bytes in open files without a name, such as those in which SQLite sorts. */
function temporaryBytes(): number {
  let sum = 0
  for (let descriptor = 3; descriptor < descriptors; descriptor++) {
    try {
      const found = fstatSync(descriptor)
      if (found.isFile() && found.nlink === 0) sum += found.size
    } catch {
      // The descriptor is not open.
    }
  }
  return sum
}

/**
 * Ends the process when its temporary files grow too large. Reports that apart from the answer, which may be in the
 * middle of a row.
 */
function watchDisk(): void {
  if (temporaryBytes() <= mostDisk) return
  const error = {
    code: 'statement_failed',
    message: 'the query needs more than 1 GB of temporary files',
    hint: 'ask for fewer rows or columns, or without an order',
  } as const
  writeSync(2, `\n!${JSON.stringify({ error } satisfies SqlNote)}\n`)
  process.kill(process.pid, 'SIGKILL')
}

function listen(): void {
  setInterval(watchDisk, interval).unref()
  // The parent ends this process: Ctrl-C on the terminal reaches both, as Ctrl-Break does on Windows.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) process.on(signal, () => undefined)
  let done = false
  const parts: string[] = []
  process.stdin.setEncoding('utf8').on('data', (part: string) => {
    parts.push(part)
    if (!part.endsWith('\n')) return
    const text = parts.join('')
    const { code, options } = installed().thread('sql')
    const asking = new Worker(code, { ...options, workerData: JSON.parse(text) as SqlTask })
    asking.on('exit', () => {
      done = true
      process.stdin.destroy()
    })
  })
  process.stdin.on('end', () => {
    if (!done) process.kill(process.pid, 'SIGKILL')
  })
}

if (isMainThread) listen()
else answered(workerData as SqlTask)
