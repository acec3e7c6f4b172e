// The files that a SQLite database lies in, as the file system shows them: which file a path names now, and what lies beside
// it; opens none of them and knows nothing of what they hold.
import { closeSync, existsSync, lstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { saysTooManyFiles } from '../../domain/filelimit.ts'

/** What SQLite keeps next to a database file, by the end of its name: the log, its index, and the journal of a rollback. */
export const sideFiles = ['-wal', '-shm', '-journal'] as const

/** Which file a path names now: two answers differ when one file has taken the place of another. Undefined where none is. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

/** The log or journal with anything in it that lies beside a database: the file alone is then not the whole database. */
export function logBeside(path: string): string | undefined {
  const real = identityOf(path) === undefined ? path : realpathSync(path)
  return ['-wal', '-journal']
    .map((end) => `${real}${end}`)
    .find((log) => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0)
}

/** Where a link leads to that leads to no file; undefined for everything else. */
export function deadLink(path: string): string | undefined {
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return link && !existsSync(path) ? readlinkSync(path) : undefined
}

/** Files that a database and a copy of it have open at once: each itself, its log, the index of that, and one to spare. */
const filesAtOnce = 8

/** Whether this process may open no more files, which SQLite tells like a file that is not there. */
export function outOfFiles(): boolean {
  const opened: number[] = []
  try {
    while (opened.length < filesAtOnce) opened.push(openSync('.', 'r'))
    return false
  } catch (error) {
    return saysTooManyFiles(error)
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}
