// Translates SQLite's errors into errors of shipx.
import { ShipxError } from '../../domain/errors.ts'
import { saysTooManyFiles, tooManyFiles } from '../../domain/filelimit.ts'
import { shellWord } from '../../domain/shellword.ts'
import { outOfFiles } from './sqlitefile.ts'

/** Runs work on a file and translates SQLite's errors into ours. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translated(path, error)
  }
}

/** An error of SQLite as ours; any other error unchanged. */
export function translated(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (saysTooManyFiles(error)) return tooManyFiles(path, error)
  if (!code.startsWith('SQLITE_') && !(error instanceof SyntaxError)) return error
  const cause = { cause: error }
  if (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_LOCKED' || code === 'SQLITE_READONLY_DBMOVED') {
    return new ShipxError('database_locked', `${path} is in use by another process`, {
      ...cause,
      hint: 'try again when the other command has finished',
    })
  }
  if (code === 'SQLITE_NOTADB') {
    return new ShipxError('database_foreign', `${path} is not a database`, {
      ...cause,
      hint: 'name another file with --db',
    })
  }
  if (code.startsWith('SQLITE_CORRUPT') || unreadable(error as Error)) return damaged(path, undefined, error)
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_PERM')) {
    return new ShipxError('database_read_only', `${path} cannot be written`, {
      ...cause,
      hint: 'check the permissions of the file and its folder, or copy it and name the copy with --db',
    })
  }
  if (code.startsWith('SQLITE_CANTOPEN')) {
    if (outOfFiles()) return tooManyFiles(path, error)
    return new ShipxError('database_read_only', `${path} cannot be opened`, {
      ...cause,
      hint: 'check that the folder exists and that you can write to it',
    })
  }
  if (code.startsWith('SQLITE_FULL') || code.startsWith('SQLITE_IOERR')) {
    return new ShipxError(
      'database_full',
      `${path}: the disk is full or failing; the last change may or may not be saved`,
      {
        ...cause,
        hint: 'free some space, then check what was saved before you repeat the command',
      },
    )
  }
  return error
}

/** The error for a damaged file: what is wrong with it, if that is known; else that nothing was written. */
export const damaged = (path: string, what?: string, cause?: unknown): ShipxError =>
  new ShipxError(
    'database_corrupt',
    `${path} is damaged${what === undefined ? '; nothing was written' : `: ${what}`}`,
    {
      hint: `shipx local check --db ${shellWord(path)}`,
      cause,
    },
  )

/**
 * An error of a step of ours that brings a file up to date: what SQLite refuses there is damage, since our own
 * statements are right for what we have written. Any other error as `translated` gives it.
 */
export function translatedStep(path: string, error: unknown): unknown {
  const told = translated(path, error)
  if (told !== error || !(error instanceof Error) || !('code' in error)) return told
  return /^SQLITE_(?:ERROR|CONSTRAINT|MISMATCH)/.test(String(error.code))
    ? damaged(path, `it cannot be brought up to date (${error.message})`, error)
    : told
}

/**
 * Whether an error shows damage that SQLite itself does not notice: the head or the search index names a format that
 * there is not, or a text that was checked JSON when it was written is none any more (SQLite or JavaScript reads it).
 */
const unreadable = (error: Error): boolean =>
  error instanceof SyntaxError ||
  ['malformed JSON', 'unsupported file format'].includes(error.message) ||
  error.message.startsWith('invalid fts5 file format')
