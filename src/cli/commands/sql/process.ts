// The process that runs a SQL query. SQLite cannot be stopped within its process, but the process can be ended. It
// reads its query from standard input and ends with it. A second thread watches for that end, and temporary files.
import { fstatSync, read, readSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
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

/** How long a full pipe or an empty one holds a thread back, ms. */
const pause = 5

const wait = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)

/** Waits until everything is written: unread output holds the query back. */
function write(text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EAGAIN') throw error
      wait()
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
  end()
}

/** The process ends at once: what it has to say is written, and no thread of it waits for anything else. */
const end = (): void => void process.kill(process.pid, 'SIGKILL')

/** Ends the process with its standard input, which only the parent's end closes. Nothing more comes in. */
function watchParent(): void {
  read(0, Buffer.alloc(1), 0, 1, null, (error) => {
    if (error?.code === 'EAGAIN') setTimeout(watchParent, interval)
    else end()
  })
}

/** The first line of standard input; undefined when it ends before that. */
function firstLine(): string | undefined {
  const parts: Buffer[] = []
  const piece = Buffer.alloc(65_536)
  for (;;) {
    try {
      const count = readSync(0, piece)
      if (count === 0) return undefined
      parts.push(Buffer.from(piece.subarray(0, count)))
      if (piece[count - 1] === 0x0a) return Buffer.concat(parts).toString()
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EAGAIN') return undefined
      wait()
    }
  }
}

/** Answers one query. The thread that watches starts meanwhile. */
function serve(): void {
  // The parent ends this process: Ctrl-C on the terminal reaches both, as Ctrl-Break does on Windows.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) process.on(signal, () => undefined)
  const { code, options } = installed().thread('sql')
  const worker = new Worker(code, options)
  try {
    // Loads SQLite while the query is on its way. Its failure is the answer to the query, which loads it again.
    sqliteDriver(process)
  } catch {
    // Reported then.
  }
  const line = firstLine()
  if (line === undefined) return end()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage('the line has been read')
  answered(JSON.parse(line) as SqlTask)
  end()
}

if (isMainThread) serve()
else {
  setInterval(watchDisk, interval)
  parentPort!.once('message', watchParent)
}
