// The process that is asked in SQL: SQLite cannot be stopped in the process that it runs in, this one can be ended whole. It
// takes its question from standard input, and ends when that ends; a thread asks, so that it is always listening.
import { fstatSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { ShipxError, type Code } from '../../../domain/errors.ts'
import { nativeDriver } from '../../../engine/database/native.ts'
import { askSqlite, type SqlQuestion } from '../../../engine/sql/question.ts'

/** What is asked: the question, and after how many rows it is enough (undefined: never). */
export interface SqlTask {
  readonly question: SqlQuestion
  readonly limit: number | undefined
}

/** A line that is no record begins with `!`. */
export type SqlNote =
  | { readonly columns: readonly string[] }
  | { readonly rows: number; /** There are more than the limit. */ readonly more: boolean }
  | { readonly error: { readonly code: Code; readonly message: string; readonly hint: string | undefined } }

/** Written at a time, characters, or after so many ms. */
const portion = 65_536
const haste = 100

/** Waits until everything is on its way: what is not read yet holds the question up. */
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

function answer({ question, limit }: SqlTask): void {
  const { columns, rows, close } = asked(question)
  try {
    note({ columns })
    const names = columns.map((name) => `${JSON.stringify(name)}:`)
    let [text, count, more, last] = ['', 0, false, performance.now()]
    for (const row of rows) {
      if (count === limit) {
        more = true
        break
      }
      text += `{${row.map((value, i) => names[i]! + JSON.stringify(value)).join(',')}}\n`
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

function asked(question: SqlQuestion): ReturnType<typeof askSqlite> {
  try {
    return askSqlite(nativeDriver(), question)
  } finally {
    // It is open, and whoever made it may be ended at any time.
    rmSync(dirname(question.empty), { recursive: true, force: true })
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

/** What a question may put into temporary files, bytes, and how often that is looked at, ms. */
const mostDisk = 1_000_000_000
const interval = 50

/** Descriptors that are looked at: this process opens few files. */
const descriptors = 64

/** Bytes in files that are open and have no name any more, as those are in which SQLite sorts. */
function temporaryBytes(): number {
  let sum = 0
  for (let descriptor = 3; descriptor < descriptors; descriptor++) {
    try {
      const found = fstatSync(descriptor)
      if (found.isFile() && found.nlink === 0) sum += found.size
    } catch {
      // It is not open.
    }
  }
  return sum
}

/** Ends the process when its temporary files grow too large; says so apart from the answer, which may be in the middle of a row. */
function watchDisk(): void {
  if (temporaryBytes() <= mostDisk) return
  const error = {
    code: 'statement_failed',
    message: 'the question needs more than 1 GB of temporary files',
    hint: 'ask for fewer rows or columns, or without an order',
  } as const
  writeSync(2, `\n!${JSON.stringify({ error } satisfies SqlNote)}\n`)
  process.kill(process.pid, 'SIGKILL')
}

function listen(): void {
  setInterval(watchDisk, interval).unref()
  // Whoever is asked ends this process; a key pressed on the terminal reaches both.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  let done = false
  const parts: string[] = []
  process.stdin.setEncoding('utf8').on('data', (part: string) => {
    parts.push(part)
    if (!part.endsWith('\n')) return
    const text = parts.join('')
    const asking = new Worker(new URL(import.meta.url), { workerData: JSON.parse(text) as SqlTask })
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
