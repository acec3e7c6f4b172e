// Translates errors of PostgreSQL, and of the network to it, into errors of shipx.
import { ShipxError } from '../../domain/errors.ts'

/** Whether the connection was lost or never made. */
export const isLost = (error: unknown): boolean => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return (
    (typeof code === 'string' &&
      /^(?:08(?!P01)|25006|57P0[1235]|25P0[34]|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(
        code,
      )) ||
    (typeof message === 'string' &&
      /Connection terminated|connection timeout|Query read timeout|not queryable|connection error|Client was closed/i.test(
        message,
      ))
  )
}

export const codeOf = (error: unknown): string => String((error as { readonly code?: unknown } | undefined)?.code ?? '')

export const unavailable = (cause: unknown): ShipxError =>
  new ShipxError('unavailable', 'the database cannot be reached or is too busy', { retry_after_ms: 1000, cause })

export const unknownOutcome = (cause: unknown): ShipxError =>
  new ShipxError('unknown_outcome', 'the database does not tell whether the change was made', {
    retry_after_ms: 1000,
    cause,
  })

/** A database error as one of ours; its tables and addresses stay in the cause. */
export function translated(error: unknown): unknown {
  const code = codeOf(error)
  if (code === '28P01' || code === '28000' || code === '3D000' || code === 'ENOTFOUND')
    return new ShipxError(
      'database_foreign',
      `the database refuses the connection (${code === '3D000' ? 'there is no such database' : code === 'ENOTFOUND' ? 'there is no such host' : 'user or password'})`,
      { cause: error },
    )
  if (code === '57014')
    return new ShipxError('unavailable', 'the question took the database too long', {
      retry_after_ms: 1000,
      cause: error,
    })
  if (code === '53200') return unavailable(error)
  if (code === '53100') return new ShipxError('database_full', 'the database has no room left', { cause: error })
  if (code === '25006') return new ShipxError('database_read_only', 'the database can only be read', { cause: error })
  if (code === '42501')
    return new ShipxError('database_read_only', 'the database does not let this user do that', {
      hint: 'make the user the owner of the database (docs/scaling.md)',
      cause: error,
    })
  if (code === '54000') return new ShipxError('invalid_file', 'a value is too long to be found by', { cause: error })
  return error
}
