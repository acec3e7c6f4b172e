// Error bodies and our own headers on the wire (docs/reference/http.md). Server and client both use this file, so that
// they cannot drift.
import { codes, mostFaults, ShipxError, type Code, type Fault } from './errors.ts'
import type { QuoteFacts } from './rates/rates.ts'

/** What a deployment may announce, in the header `Shipx-Capabilities` (docs/inside/decisions.md, Errors). */
export const capabilities = ['idempotency', 'search_after', 'extra_filters', 'lines'] as const
export type Capability = (typeof capabilities)[number]

/** Names of our own headers, in lower case. */
export const headers = {
  capabilities: 'shipx-capabilities',
  /** The error code of the closed list. */
  error: 'shipx-error',
  /** The fields of the faults in `errors`, in their order, each percent-encoded, commas between. */
  fields: 'shipx-error-fields',
  /** Facts about a quote: `card=…; gst_percent=…; refused=…; others=…`. */
  quote: 'shipx-quote',
  idempotencyKey: 'idempotency-key',
  /** `return=minimal`: only the head of a list is wanted (RFC 7240). */
  prefer: 'prefer',
  preferenceApplied: 'preference-applied',
  replayed: 'idempotency-replayed',
  /** Of an answer in lines: all matches. */
  total: 'shipx-total',
  /**
   * Of an answer in lines: the cursor after its last record, `value id`, the id percent-encoded; then `end` where no
   * record follows.
   */
  next: 'shipx-next',
  requestId: 'x-request-id',
} as const

/** What a client prefers that only wants to know what a deployment announces. */
export const minimal = 'return=minimal'

/** The body of every error (docs/inside/decisions.md, Errors; spec 7). */
export interface ErrorBody {
  readonly status: 'ERROR'
  readonly message: string
  readonly errors: readonly string[]
}

/** An error as it is sent: status, body, headers. Causes, hints and stacks are not. */
export function errorAnswer(error: ShipxError): {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Readonly<Record<string, string>>
} {
  const faults = error.details.slice(0, mostFaults)
  const errors = faults.length === 0 ? [error.message] : faults.map((fault) => sentence(error.code, fault))
  return {
    status: error.status,
    body: { status: 'ERROR', message: errors[0]!, errors },
    headers: {
      [headers.error]: error.code,
      ...(faults.length === 0 ? {} : { [headers.fields]: faults.map(({ field }) => encoded(field ?? '')).join(',') }),
      ...(error.retry_after_ms === undefined ? {} : { 'retry-after': String(Math.ceil(error.retry_after_ms / 1000)) }),
    },
  }
}

/** A field's name for a header. A client may have made it up, and all names together must fit into one header. */
function encoded(field: string): string {
  let text = ''
  for (const sign of field.slice(0, mostNamed).toWellFormed()) {
    const next = encodeURIComponent(sign)
    if (text.length + next.length > mostNamed) break
    text += next
  }
  return text
}

/** The longest name of a field that is sent back. */
const mostNamed = 100

/** A fault of the input starts with its field, unless it names the field itself; other errors are sentences already. */
function sentence(code: Code, { field, message }: Fault): string {
  const named =
    field === null || !['invalid_input', 'rejected'].includes(code) || message.startsWith('unknown parameter ')
  return named ? message : `${field.slice(0, mostNamed)}: ${message}`
}

/** A service's answer that is not a success. Header names are in lower case. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The parsed JSON body, or undefined when it was not JSON. */
  readonly body: unknown
  /** The start of the body as text. */
  readonly text: string
  /** How long the service asked to wait, ms. */
  readonly retry_after_ms?: number
}

/**
 * A refusal as our error. Our own service names the code in a header; for another deployment the status decides. The
 * sentences come from `errors` (strings, or objects with `message` or `detail`), `message`, `error`, or the text
 * itself.
 */
export function errorFrom(refusal: Refusal): ShipxError {
  const { status, headers: said, body } = refusal
  const own = said[headers.error]
  const code = own !== undefined && Object.hasOwn(codes, own) ? (own as Code) : codeOfStatus(status)
  const sentences = sentencesOf(body)
  const fields = own === undefined ? [] : (said[headers.fields] ?? '').split(',').map(decoded)
  const details: readonly Fault[] =
    fields.length === sentences.length && said[headers.fields] !== undefined
      ? sentences.map((message, i) => faultOf(fields[i]!, message))
      : own === undefined && sentences.length > 1
        ? sentences.map((message) => ({ field: null, message }))
        : []
  const first = details[0]?.message ?? sentences[0]
  const rest = refusal.text.trim() === '' ? '' : `: ${refusal.text.trim().slice(0, 300)}`
  return new ShipxError(code, first ?? `the service answered ${status}${rest}`, {
    details,
    // Some deployments refuse with 200: the error then has the status of its kind.
    ...(status < 400 ? {} : { status }),
    ...(refusal.retry_after_ms === undefined ? {} : { retry_after_ms: refusal.retry_after_ms }),
  })
}

const faultOf = (field: string, message: string): Fault =>
  field === ''
    ? { field: null, message }
    : { field, message: message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message }

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Statuses of deployments that send no code of ours. */
const byStatus: Readonly<Record<number, Code>> = {
  400: 'rejected',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'not_supported',
  408: 'unavailable',
  413: 'body_too_large',
  415: 'media_type',
  429: 'rate_limited',
}

/** The error code of a status. */
export function codeOfStatus(status: number): Code {
  return byStatus[status] ?? (status >= 500 ? 'unavailable' : 'rejected')
}

/** Whether the same read may succeed when it is sent again. */
export const isTransient = (status: number): boolean => [408, 429, 500, 502, 503, 504].includes(status)

function sentencesOf(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return typeof body === 'string' && body !== '' ? [body] : []
  const { errors, message, error } = body as Readonly<Record<string, unknown>>
  const several = (Array.isArray(errors) ? (errors as unknown[]) : Object.values(objectOf(errors)).flat())
    .map(sentenceIn)
    .filter((text) => text !== undefined)
  if (several.length > 0) return several
  const one = sentenceIn(message) ?? sentenceIn(error)
  return one === undefined ? [] : [one]
}

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

function sentenceIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.slice(0, 1000)
  const { message, detail } = objectOf(value) as { readonly message?: unknown; readonly detail?: unknown }
  return typeof message === 'string'
    ? message.slice(0, 1000)
    : typeof detail === 'string'
      ? detail.slice(0, 1000)
      : undefined
}

/** Facts about a quote as a header value. */
export function quoteHeader({ card, gst_percent, refused, others = 0 }: QuoteFacts): string {
  return `card=${encodeURIComponent(card)}; gst_percent=${gst_percent}; refused=${refused}; others=${others}`
}
/** The facts in a header value; undefined for anything else. */
export function quoteFactsFrom(text: string | undefined): QuoteFacts | undefined {
  const found =
    /^card=([^;]{1,600}); gst_percent=(\d{1,3}(?:\.\d{1,4})?); refused=(\d{1,6})(?:; others=(\d{1,6}))?$/.exec(
      text ?? '',
    )
  if (found === null) return undefined
  const [, card, gst, refused, others] = found
  return {
    card: decoded(card!),
    gst_percent: Number(gst),
    refused: Number(refused),
    ...(others === undefined ? {} : { others: Number(others) }),
  }
}

/** The media type of records one on each line. */
export const linesType = 'application/jsonl'

/** Where an answer in lines leads: the cursor after its last record, if it has one, and whether more follow. */
export interface Onward {
  readonly next: readonly [string, string] | undefined
  readonly ended: boolean
}

/** Where an answer in lines leads, as a header value. */
export const nextHeader = ({ next, ended }: Onward): string =>
  [...(next === undefined ? [] : [next[0], encodeURIComponent(next[1])]), ...(ended ? ['end'] : [])].join(' ')

/**
 * What such a header value says; undefined for anything else, and for none: the end is never guessed. An id has at most
 * 200 UTF-16 units (`recordId`), and percent-encoded each has 9 characters at most.
 */
export function nextFrom(text: string | undefined): Onward | undefined {
  if (text === 'end') return { next: undefined, ended: true }
  const [, value, id, end] = /^(-?\d{1,16}) (\S{1,1800})( end)?$/.exec(text ?? '') ?? []
  return value === undefined || id === undefined ? undefined : { next: [value, decoded(id)], ended: end !== undefined }
}

/** The capabilities in a header's value. */
export function capabilitiesFrom(text: string | undefined): ReadonlySet<Capability> {
  const said = new Set((text ?? '').split(',').map((word) => word.trim().toLowerCase()))
  return new Set(capabilities.filter((name) => said.has(name)))
}
