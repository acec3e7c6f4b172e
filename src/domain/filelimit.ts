// The limit of open files, which any layer may hit: how an error shows it, and our message about it.
import { ShipxError } from './errors.ts'

/** The error for a process that cannot open more files; `what` could not be opened. */
export function tooManyFiles(what: string | undefined, cause: unknown): ShipxError {
  const message = 'too many files are open'
  return new ShipxError('too_many_files', what === undefined ? message : `${what} cannot be opened: ${message}`, {
    hint: 'raise the limit of open files (ulimit -n)',
    cause,
  })
}

/** Whether an error or its cause means that no more files can be opened. */
export function saysTooManyFiles(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    if ('code' in current && (current.code === 'EMFILE' || current.code === 'ENFILE')) return true
    // The loader of native modules, and a dying process, pass on only the system's words.
    if (/too many open files|\bEMFILE\b/i.test(current.message)) return true
  }
  return false
}
