// Refusals in the API description: each status with when it comes, its headers and an example; and the headers of all
// answers.
import { ShipxError, invalid, type Code } from '../domain/errors.ts'
import type { JsonSchema as Schema } from '../domain/recordfields.ts'
import { capabilities, errorAnswer, headers, minimal } from '../domain/wire.ts'

export const componentRef = (kind: string, name: string): Schema => ({ $ref: `#/components/${kind}/${name}` })

/** A header's name as it is written in text: `X-Request-Id`. */
export const title = (header: string): string => header.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

type HeaderRow = readonly [description: string, example: string, schema?: Schema]

const requestId = '0b6f1f5e-5a0c-4f0e-8d6b-4f6a3f1f7c55'

// prettier-ignore
const headerRows: Readonly<Record<string, HeaderRow>> = {
  [headers.requestId]: ['Identifier of the request, also in the log', requestId],
  [headers.capabilities]: ['What this deployment can do beyond the specification', capabilities.join(', ')],
  [headers.error]: ['Code of the error, from a closed list (`shipx help errors`)', 'invalid_input', { pattern: '^[a-z_]+$' }],
  [headers.fields]: ['The fields of `errors` in their order, each percent-encoded, commas between; empty for a sentence about no field', 'page,carrier_ids'],
  [headers.quote]: ['Facts about the quote: the rate card, its GST, how many couriers do not take the parcel, and how many charge on another weight', 'card=sample; gst_percent=18; refused=2; others=4'],
  [headers.replayed]: ['`true` when this is the first answer to the idempotency key, sent again', 'true', { enum: ['true'] }],
  [headers.preferenceApplied]: ['The preference of the request that the answer follows', minimal, { enum: [minimal] }],
  [headers.total]: ['Of an answer in lines: all matches', '2332', { pattern: '^[0-9]+$' }],
  [headers.next]: ['Of an answer in lines: where it goes on. The value and the id (percent-encoded) to be sent as `search_after`, then `end` where no record follows', '1789653890000 38b1ba3f-5f2c-467b-930a-6ed6b57c0757'],
  'Retry-After': ['Seconds to wait', '1', { pattern: '^[1-9][0-9]*$' }],
  'WWW-Authenticate': ['The scheme to use', 'Bearer'],
  Allow: ['The methods that the path takes', 'GET, PUT, HEAD'],
}

/** The headers of answers by their names. */
export const answerHeaders = Object.fromEntries(
  Object.entries(headerRows).map(([name, [description, example, schema]]) => [
    title(name),
    { description, schema: { type: 'string', ...schema }, example },
  ]),
)

/** The headers that every answer has, and others. */
export const headersWith = (...more: readonly string[]): Schema =>
  Object.fromEntries(
    [headers.requestId, headers.capabilities, ...more].map((name) => [
      title(name),
      componentRef('headers', title(name)),
    ]),
  )

type StatusRow = readonly [name: string, when: string, code: Code, example: string, ...headers: readonly string[]]

// prettier-ignore
const statusRows: Readonly<Record<string, StatusRow>> = {
  400: ['BadRequest', 'The request breaks a rule: a field is missing, of the wrong type, out of range or unknown', 'invalid_input', '', headers.fields],
  401: ['Unauthorized', 'The key is missing or not valid', 'unauthorized', 'the key is missing or not valid', 'WWW-Authenticate'],
  403: ['Forbidden', 'The key may only read', 'read_only_key', 'this key may only read'],
  404: ['NotFound', 'There is no such record in the account, or no such path', 'not_found', 'there is no such store'],
  405: ['MethodNotAllowed', 'The path does not take the method; the header `Allow` names those it takes', 'method_not_allowed', 'this path does not take DELETE; it takes GET and PUT', 'Allow'],
  409: ['Conflict', 'The first request with this idempotency key is still running', 'idempotency_running', 'the first request with this idempotency key is still running'],
  413: ['TooLarge', 'The body is too large (1 MB; 3 MB with a logo), or the logo is', 'body_too_large', 'the request body is too large', headers.fields],
  415: ['UnsupportedMediaType', 'The body or the logo is of another type', 'media_type', 'the body must be application/json, or multipart/form-data for a store', headers.fields],
  422: ['Unprocessable', 'The request is sound and cannot be done: the name is taken, the store or the warehouse unknown, the order a duplicate, no courier', 'store_name_taken', 'Store name has already been taken', headers.fields],
  429: ['TooManyRequests', 'Too many requests with this key, or the account holds too much at a time; come again after `Retry-After` seconds', 'rate_limited', 'too many requests with this key', 'Retry-After'],
  500: ['Failed', 'A fault inside the service; report its `X-Request-Id`', 'internal', `something went wrong inside the service (request ${requestId})`],
  503: ['Unavailable', 'The service is busy, stopping or unable to save; come again after `Retry-After` seconds', 'unavailable', 'the service is busy; try again', 'Retry-After'],
}

const statuses = Object.entries(statusRows)

/** The statuses as a table in Markdown. */
export const statusTable = [
  '| status | when |',
  '| --- | --- |',
  ...statuses.map(([status, [, when]]) => `| ${status} | ${when} |`),
  '| 408, 431 | The request came too slowly, or its headers are larger than 8 KB |',
].join('\n')

const twoFaults = invalid([
  { field: 'page', message: 'must be 1 or more' },
  { field: 'carrier_ids', message: 'unknown parameter `carrier_ids`; did you mean `carrier_id`?' },
])

/** An example of each refusal, by its name. */
export const refusalExamples = Object.fromEntries(
  statuses.map(([status, [name, summary, code, message]]) => [
    name,
    { summary, value: errorAnswer(status === '400' ? twoFaults : new ShipxError(code, message)).body },
  ]),
)

/** Every refusal, by its name. */
export const refusals = Object.fromEntries(
  statuses.map(([, [name, description, , , ...more]]) => [
    name,
    {
      description,
      headers: headersWith(headers.error, ...more),
      content: {
        'application/json': {
          schema: componentRef('schemas', 'Error'),
          examples: { [name]: componentRef('examples', name) },
        },
      },
    },
  ]),
)

/** The refusals of an operation, by status. */
export const refusedBy = (list: readonly number[]): Schema =>
  Object.fromEntries(list.map((status) => [status, componentRef('responses', statusRows[status]![0])]))
