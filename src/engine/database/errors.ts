// Translates errors of PostgreSQL, and of the network to it, into errors of shipx.
import { ShipxError } from '../../domain/errors.ts'

/** Whether the connection was lost or never made. */
export const isLost = (error: unknown): boolean => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return (
    (typeof code === 'string' && lostCodes.test(code)) ||
    (typeof message === 'string' && lostMessages.some((part) => message.toLowerCase().includes(part)))
  )
}

/** How the codes of PostgreSQL and of the system for a lost connection start. */
const lostCodes =
  /^(?:08(?!P01)|25006|57P0[1235]|25P0[34]|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/

/** What the driver's errors without a code say, in small letters. */
const lostMessages = [
  'connection terminated',
  'connection timeout',
  'query read timeout',
  'not queryable',
  'connection error',
  'client was closed',
]

export const codeOf = (error: unknown): string => String((error as { readonly code?: unknown } | undefined)?.code ?? '')

export const unavailable = (cause: unknown): ShipxError =>
  new ShipxError('unavailable', 'the database cannot be reached or is too busy', { retry_after_ms: 1000, cause })

export const unknownOutcome = (cause: unknown): ShipxError =>
  new ShipxError('unknown_outcome', 'the database does not report whether the change was made', {
    retry_after_ms: 1000,
    cause,
  })

/** Why a database refuses a connection, by the code of PostgreSQL or of the network. */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'user or password',
  '28000': 'user or password',
  '3D000': 'there is no such database',
  ENOTFOUND: 'there is no such host',
}

/** A database error as one of ours; its tables and addresses stay in the cause. */
export function translated(error: unknown): unknown {
  const code = codeOf(error)
  const refusal = refusals[code]
  if (refusal !== undefined)
    return new ShipxError('database_foreign', `the database refuses the connection (${refusal})`, { cause: error })
  if (code === '57014')
    return new ShipxError('unavailable', 'the database took too long to answer', {
      retry_after_ms: 1000,
      cause: error,
    })
  if (code === '53200') return unavailable(error)
  if (code === '53100') return new ShipxError('database_full', 'the database has no space left', { cause: error })
  if (code === '25006') return new ShipxError('database_read_only', 'the database is read-only', { cause: error })
  if (code === '42501')
    return new ShipxError('database_read_only', 'the database does not allow this user to do that', {
      hint: 'make the user the owner of the database (docs/inside/scaling.md)',
      cause: error,
    })
  if (code === '54000')
    return new ShipxError('invalid_file', 'a value is too long for an index of the database', { cause: error })
  return error
}
