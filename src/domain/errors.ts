// Error kinds, error codes and the one error class.

/** A kind of failure: the HTTP status it travels as and the exit code it becomes (docs/reference/errors.md). */
export const kinds = {
  usage: { status: 400, exit: 2, retryable: false },
  unauthorized: { status: 401, exit: 4, retryable: false },
  forbidden: { status: 403, exit: 4, retryable: false },
  not_found: { status: 404, exit: 3, retryable: false },
  method: { status: 405, exit: 5, retryable: false },
  conflict: { status: 409, exit: 5, retryable: true },
  too_large: { status: 413, exit: 5, retryable: false },
  media_type: { status: 415, exit: 5, retryable: false },
  rejected: { status: 422, exit: 5, retryable: false },
  rate_limited: { status: 429, exit: 6, retryable: true },
  failed: { status: 500, exit: 1, retryable: false },
  unavailable: { status: 503, exit: 6, retryable: true },
  partial: { status: 500, exit: 7, retryable: false },
  needs_answer: { status: 500, exit: 8, retryable: false },
  interrupted: { status: 500, exit: 130, retryable: false },
} as const

/** The name of an error kind. */
export type ErrorKind = keyof typeof kinds

/** The closed list of error codes, each of one kind, with what it means (`shipx help errors`). */
export const codes = {
  invalid_input: { kind: 'usage', means: 'a flag, argument, field or parameter breaks a rule' },
  unknown_command: { kind: 'usage', means: 'there is no such command' },
  unknown_flag: { kind: 'usage', means: 'the command has no such flag' },
  invalid_file: { kind: 'usage', means: 'shipx cannot read a file, or a line in it is wrong' },
  not_supported: { kind: 'usage', means: 'your account cannot do this online, or this kind of database cannot do it' },
  mirror_read_only: { kind: 'usage', means: 'only shipx pull and shipx listen write a mirror' },
  statement_refused: { kind: 'usage', means: 'the SQL is not a single query, or reads something other than the views' },
  statement_failed: { kind: 'usage', means: 'the SQL is wrong; the message is that of SQLite' },
  unknown_form: { kind: 'usage', means: 'the file is not in a form that shipx knows' },
  unit_doubtful: { kind: 'usage', means: 'the weights of a file look like another unit: say which it is' },
  unread_amounts: { kind: 'usage', means: 'shipx reads only some amounts of a file: say what the other columns are' },
  database_foreign: { kind: 'usage', means: 'the file is not a shipx database' },
  database_newer: { kind: 'usage', means: 'a newer shipx made the database' },
  unauthorized: { kind: 'unauthorized', means: 'the key is missing, unknown, expired or revoked' },
  forbidden: { kind: 'forbidden', means: 'the service does not allow this with this key' },
  read_only_key: { kind: 'forbidden', means: 'the key may only read' },
  not_found: { kind: 'not_found', means: 'no such record' },
  no_mirror: { kind: 'not_found', means: 'shipx pull has not copied anything yet' },
  method_not_allowed: { kind: 'method', means: 'the path exists, the method does not' },
  idempotency_running: { kind: 'conflict', means: 'the first request with this idempotency key is still running' },
  logo_too_large: { kind: 'too_large', means: 'the logo is larger than 2 MB' },
  body_too_large: { kind: 'too_large', means: 'the request body is too large' },
  logo_type: { kind: 'media_type', means: 'the logo is not a PNG, JPEG or WebP image' },
  media_type: { kind: 'media_type', means: 'the request body is not of a supported type' },
  rejected: { kind: 'rejected', means: 'the service refused the request, for a reason of its own' },
  store_name_taken: { kind: 'rejected', means: 'another store of the account has this name' },
  unknown_store: { kind: 'rejected', means: 'the order names a store that the account does not have' },
  store_disconnected: { kind: 'rejected', means: 'the order names a store that is disconnected' },
  duplicate_order: { kind: 'rejected', means: 'an order with this order_id exists' },
  unknown_warehouse: { kind: 'rejected', means: 'shipx does not know the pincode of the warehouse' },
  no_courier: { kind: 'rejected', means: 'no courier takes the parcel' },
  no_card_for_day: { kind: 'rejected', means: 'the rate card has no prices for that day' },
  document_exists: { kind: 'rejected', means: 'this file, or nearly all of its lines, is kept already' },
  document_differs: { kind: 'rejected', means: 'another file with this number is kept' },
  deadline_passed: { kind: 'rejected', means: 'the window for this dispute is over' },
  wrong_state: { kind: 'rejected', means: 'the record is not in a state that allows this' },
  idempotency_mismatch: { kind: 'rejected', means: 'an earlier request used the idempotency key with another body' },
  filter_ignored: {
    kind: 'rejected',
    means: 'the service does not know a filter and sent records that do not match (--strict)',
  },
  rate_limited: { kind: 'rate_limited', means: 'too many requests' },
  bad_answer: { kind: 'unavailable', means: 'the answer is not from the shipping service, or it is broken' },
  unknown_outcome: {
    kind: 'unavailable',
    means: 'shipx sent a write and got no answer: look whether it is done',
  },
  unavailable: { kind: 'unavailable', means: 'shipx cannot reach the service, or the service cannot answer now' },
  time_limit: { kind: 'unavailable', means: 'it took longer than --timeout' },
  database_locked: { kind: 'unavailable', means: 'another process is using the database' },
  database_corrupt: { kind: 'failed', means: 'the database file is damaged' },
  database_read_only: { kind: 'failed', means: 'shipx cannot write the database' },
  database_full: { kind: 'failed', means: 'the disk is full or failing' },
  too_many_files: { kind: 'failed', means: 'this process cannot open more files' },
  output_failed: { kind: 'failed', means: 'shipx cannot write the output' },
  native_module: { kind: 'failed', means: 'the SQLite module is not installed or does not work with this Node' },
  keyring: { kind: 'failed', means: 'the system keyring is missing or refuses access' },
  internal: { kind: 'failed', means: 'a fault inside shipx' },
  partial: { kind: 'partial', means: 'shipx handled some records, not all' },
  needs_answer: { kind: 'needs_answer', means: 'shipx needs an answer, for example --yes, and has no terminal to ask' },
  interrupted: { kind: 'interrupted', means: 'you stopped it' },
} as const satisfies Record<string, { readonly kind: ErrorKind; readonly means: string }>

/** An error code of the closed list. */
export type Code = keyof typeof codes

/** One fault inside an error: the field (API name), the message, and the line or row of a file where there is one. */
export interface Fault {
  readonly field: string | null
  readonly message: string
  readonly row?: number | null
  /** What `row` counts for people: lines of a text, if it does not say. */
  readonly counts?: 'line' | 'row'
}

/** A value that was read, and what is wrong with it. */
export interface Read<T> {
  readonly value: T
  readonly faults: readonly Fault[]
}

/** The most faults of one error: an answer need not repeat a whole bad request. */
export const mostFaults = 50

/** What else an error may carry. */
export interface ErrorParts {
  readonly details?: readonly Fault[]
  /** One command or action to try next, without an arrow in front. */
  readonly hint?: string
  readonly status?: number
  readonly retry_after_ms?: number
  /** Where its kind alone does not say it: what was done in part may end well later. */
  readonly retryable?: boolean
  readonly cause?: unknown
}

/** The one error of the project: a code of the closed list, a message for people, and its faults. */
export class ShipxError extends Error {
  readonly code: Code
  readonly kind: ErrorKind
  readonly details: readonly Fault[]
  readonly hint: string | undefined
  readonly status: number
  readonly exit: number
  readonly retryable: boolean
  readonly retry_after_ms: number | undefined

  constructor(code: Code, message: string, parts: ErrorParts = {}) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause })
    this.name = 'ShipxError'
    this.code = code
    this.kind = codes[code].kind
    this.details = parts.details ?? []
    this.hint = parts.hint
    this.status = parts.status ?? kinds[this.kind].status
    this.exit = kinds[this.kind].exit
    this.retryable = parts.retryable ?? kinds[this.kind].retryable
    this.retry_after_ms = parts.retry_after_ms
  }
}

/** An `invalid_input` error from its faults; the message is the first fault's. */
export function invalid(details: readonly Fault[], hint?: string): ShipxError {
  const first = details[0]
  const message = first === undefined ? 'invalid input' : first.message
  return new ShipxError('invalid_input', message, hint === undefined ? { details } : { details, hint })
}

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
