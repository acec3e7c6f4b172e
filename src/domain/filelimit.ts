// The limit of open files, which any layer may run into: how an error says so, and what shipx says of it.
import { ShipxError } from './errors.ts'

/** The error of a process that may open no more files; `what` could not be opened. */
export function tooManyFiles(what: string | undefined, cause: unknown): ShipxError {
  const message = 'too many files are open'
  return new ShipxError('too_many_files', what === undefined ? message : `${what} cannot be opened: ${message}`, {
    hint: 'raise the limit of open files (ulimit -n)',
    cause,
  })
}

/** Whether an error, or a cause of it, says that no more files may be opened. */
export function saysTooManyFiles(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    if ('code' in current && (current.code === 'EMFILE' || current.code === 'ENFILE')) return true
    // What loads a native module, or ends a process, keeps the system's words alone.
    if (/too many open files|\bEMFILE\b/i.test(current.message)) return true
  }
  return false
}
