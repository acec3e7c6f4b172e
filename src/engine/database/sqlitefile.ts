// The files of a SQLite database in the file system: which file a path names now, and the files next to it. It opens
// none of them.
import { closeSync, existsSync, lstatSync, openSync, readlinkSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { saysTooManyFiles } from '../../domain/filelimit.ts'

/**
 * The files that SQLite keeps next to a database, by the end of their names: the log, its index, and the rollback
 * journal.
 */
export const sideFiles = ['-wal', '-shm', '-journal'] as const

/** Which file a path names now; undefined if there is none. Two answers differ when one file has replaced the other. */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}

/** A log or journal next to a database that is not empty: the file alone is then not the whole database. */
export function logBeside(path: string): string | undefined {
  const real = identityOf(path) === undefined ? path : realpathSync(path)
  return ['-wal', '-journal']
    .map((end) => `${real}${end}`)
    .find((log) => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0)
}

/** The free bytes of the disk that a file lies on; undefined where the system does not say. */
export function freeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize, blocks } = statfsSync(path)
    return blocks === 0 ? undefined : bavail * bsize
  } catch {
    return undefined
  }
}

/** Whether two files lie on one disk; also true where one of them is not there. */
export function sameDisk(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false })?.dev)
  return one === undefined || other === undefined || one === other
}

/** The target of a link that leads to no file; undefined for anything else. */
export function deadLink(path: string): string | undefined {
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return link && !existsSync(path) ? readlinkSync(path) : undefined
}

/**
 * Files that a database and a copy of it have open at once: each has itself, its log, the log's index, and one to
 * spare.
 */
const filesAtOnce = 8

/** Whether this process can open no more files. SQLite reports that like a missing file. */
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
