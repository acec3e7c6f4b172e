// A journal of what an import sends, on disk before it is sent (docs/guides/sheets.md): which lines of one table went
// to one deployment, and which were answered.
import { openSync, closeSync, readSync, readdirSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { ShipxError, messageOf } from '../../domain/errors.ts'
import { dayMs } from '../../domain/time.ts'
import type { Context } from '../command/context.ts'
import { dataFolder } from '../files/folders.ts'
import { makeFolder } from '../files/folders.ts'
import type { Maps } from '../files/mapped.ts'
import type { Tab } from '../files/sheet.ts'
import { locked } from '../config/lock.ts'
import { safe } from '../terminal/safe.ts'
import type { Wanted } from './importer.ts'

/** An open journal; no other process has it at the same time. */
export interface Journal {
  /** The state of a line after earlier runs. */
  readonly before: (line: number) => Wanted<unknown>['before']
  /**
   * Resolves when the disk records that the line is about to be sent. Throws when another process took the journal
   * over.
   */
  readonly sending: (line: number) => Promise<void>
  /** Records the answer: `again` when the line was certainly not saved. */
  readonly heard: (line: number, outcome: 'saved' | 'again') => Promise<void>
}

/** What the lines of a journal belong to: the same number means another order in another sheet, or by other maps. */
export interface JournalTable {
  /** The SHA-256 of the file's bytes. */
  readonly digest: string
  /** The sheet, where the file is a workbook. */
  readonly tab: Tab | undefined
  /** The export that the table is read as, where it is one. */
  readonly form: string | undefined
  readonly maps: Maps
}

const signs = { sent: '?', saved: '+', again: '-' } as const
const [nothing, sent, saved] = [0, 1, 2]
const markOf: Readonly<Record<string, number>> = { '?': sent, '+': saved, '-': nothing }

/** How long a journal is kept after its last use, ms. */
const keptFor = 30 * dayMs

/** How often the lock is touched, so that no other process believes that it was left behind, ms. */
const touching = 15_000

/** What names the journal of a table. */
const tableName = ({ digest, tab, form, maps: { map, map_value, ignore } }: JournalTable): string =>
  JSON.stringify([digest, tab?.number, tab?.name, form, map, map_value, ignore])

/** Works with the journal of a table and a target. Throws `unavailable` and `output_failed`. */
export async function withJournal<T>(
  { io }: Pick<Context, 'io'>,
  table: JournalTable,
  identity: string,
  work: (journal: Journal) => Promise<T>,
): Promise<T> {
  const folder = join(dataFolder(io), 'imports')
  const path = join(folder, `${io.host.digest(`${tableName(table)}\n${identity}`).slice(0, 40)}.journal`)
  const failing = (error: unknown): ShipxError =>
    error instanceof ShipxError
      ? error
      : new ShipxError('output_failed', `${safe(path)} cannot be written: ${messageOf(error)}`, { cause: error })
  try {
    makeFolder(folder, 0o700)
    sweep(folder, Date.now() - keptFor)
  } catch (error) {
    throw failing(error)
  }
  const lock = `${path}.lock`
  return locked(lock, io.pid, async (stillOurs) => {
    const touched = setInterval(() => {
      try {
        utimesSync(lock, new Date(), new Date())
      } catch {
        // `stillOurs` reports this.
      }
    }, touching)
    const handle = await open(path, 'a', 0o600).catch((error: unknown) => {
      throw failing(error)
    })
    try {
      const marks = readJournal(path)
      let waiting = ''
      let flushing: Promise<void> | undefined
      // Lines that arrive while the disk is busy share the next write.
      const flush = async (): Promise<void> => {
        await Promise.resolve()
        const text = waiting
        waiting = ''
        flushing = undefined
        await handle.appendFile(text)
        await handle.datasync()
      }
      let last: Promise<void> = Promise.resolve()
      const add = (line: number, sign: string): Promise<void> => {
        waiting += `${line}${sign}\n`
        flushing ??= last = last.then(flush)
        return flushing.catch((error: unknown) => {
          throw failing(error)
        })
      }
      const value = await work({
        before: (line) => (['nothing', 'sent', 'saved'] as const)[marks.get(line)]!,
        sending: async (line) => {
          stillOurs()
          await add(line, signs.sent)
        },
        heard: (line, outcome) => add(line, signs[outcome]),
      })
      await last
      return value
    } finally {
      clearInterval(touched)
      await handle.close()
    }
  })
}

/** The content of a journal, without an unfinished last line. */
function readJournal(path: string): Marks {
  const marks = marksOf()
  const descriptor = openSync(path, 'r')
  let whole = 0
  try {
    const buffer = Buffer.alloc(1 << 16)
    let rest = ''
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
      const lines = (rest + buffer.toString('latin1', 0, read)).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        whole += line.length + 1
        const mark = markOf[line.slice(-1)]
        const number = Number(line.slice(0, -1))
        if (mark !== undefined && Number.isInteger(number) && number > 0 && number < 2 ** 31) marks.set(number, mark)
      }
    }
  } finally {
    closeSync(descriptor)
  }
  if (statSync(path).size > whole) truncateSync(path, whole)
  return marks
}

/** Removes journals that are older than `before`. */
function sweep(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    if (!/\.(?:journal|tmp)$/.test(name)) continue
    const path = join(folder, name)
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < before) rmSync(path, { force: true })
  }
}

/** Numbers from 0 to 255 by position; an unset one is 0. */
export interface Marks {
  readonly get: (place: number) => number
  readonly set: (place: number, mark: number) => void
}

export function marksOf(): Marks {
  let bytes = new Uint8Array(4096)
  return {
    get: (place) => bytes[place] ?? 0,
    set: (place, mark) => {
      if (place >= bytes.length) {
        const larger = new Uint8Array(Math.max(place + 1, bytes.length * 2))
        larger.set(bytes)
        bytes = larger
      }
      bytes[place] = mark
    },
  }
}
