// The API description: an OpenAPI 3.1 document made from the contract table, so that it describes the service as it is.
import { basePath, contract, type Endpoint, type EndpointTable } from '../domain/contract.ts'
import type { JsonSchema as Schema } from '../domain/recordfields.ts'
import { capabilities, headers } from '../domain/wire.ts'
import { answerSchemas } from './answers.ts'
import { endpoints, type Described, type Example } from './endpoints.ts'
import { refusals } from './examples.ts'
import { formSchema, requestSchema } from './requests.ts'

/** What the document is made of. */
export interface OpenApiOptions {
  readonly version: string
  /** The contract, or another table of endpoints with its descriptions. */
  readonly table?: EndpointTable
  readonly described?: Readonly<Record<string, Described>>
}

/** The OpenAPI document of the service. */
export function openApi({ version, table = contract, described = endpoints }: OpenApiOptions): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipping service',
      version,
      summary: 'Stores, courier rates, orders, shipments and returns of a merchant',
      description: prose,
    },
    servers: [{ url: '/', description: 'This service' }],
    tags,
    security: [{ bearer: [] }, { key: [] }],
    paths: { ...paths(table, described), ...others },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: '`Authorization: Bearer <key>`, the scheme in any case',
        },
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Authorization: <key>`, the bare key',
        },
      },
      schemas: { ...requestSchemas(table), ...answerSchemas },
      responses: refused,
      headers: answerHeaders,
      parameters: { IdempotencyKey: idempotencyKey },
      examples: refusalExamples,
    },
  }
}

const prose = `The service keeps the stores, orders, shipments and returns of a merchant and quotes courier prices. All endpoints are under \`${basePath}\`; bodies are JSON in UTF-8, and stores also take \`multipart/form-data\` for a logo.

## Signing in
Every request carries a key of the account, as \`Authorization: Bearer <key>\` or as \`Authorization: <key>\`. A missing, malformed, unknown, expired or revoked key is 401, always with the same answer. A read-only key may do everything that changes nothing; anything else is 403. A key sees its own account only.

## Errors
Every error is \`{"status":"ERROR","message":"…","errors":["…"]}\`: \`errors\` has a sentence for each thing that is wrong and \`message\` is the first of them. The header \`Shipx-Error\` carries a code that does not change, and \`Shipx-Error-Fields\` the fields of the sentences in their order, each percent-encoded, with commas between.

| status | when |
| --- | --- |
| 400 | the request breaks a rule: a field is missing, of the wrong type, out of range or unknown |
| 401, 403 | the key is not valid, or may only read |
| 404, 405 | there is no such record or path, or the path does not take the method |
| 408, 431 | the request came too slowly, or its headers are larger than 8 KB |
| 409 | the first request with the idempotency key is still running |
| 413, 415 | the body is too large (1 MB; 3 MB with a logo), or of another type |
| 422 | the request is sound and cannot be done: the name is taken, the store or the warehouse unknown, the order a duplicate, no courier |
| 429 | too many requests with this key, or the account holds too much at a time; come again after \`Retry-After\` seconds |
| 500 | a fault inside the service; tell its \`X-Request-Id\` |
| 503 | the service is busy, stopping or unable to save; come again after \`Retry-After\` seconds |

Fields and parameters that do not exist are refused with the nearest known name, in the body and in the query string: a misspelt filter never answers with everything.

## Values
Weights of quotes, records and filters are **grams**; orders are in **kilograms**, with \`breadth\` where quotes have \`width\`. Sides are centimetres. Amounts are rupees before GST. A number may be sent as a JSON number or as a plain decimal string (\`"0.5"\`), without an exponent; booleans only as \`true\` and \`false\`. Times are ISO 8601 in UTC in answers; \`order_date\` is IST. Zones are \`zone_a\` to \`zone_e\`; requests also take \`a\`, \`A\` and \`z_a\`.

## Pages
Listings take \`page\` (from 1) and \`per_page\` (1 to 100, 20 unless told). \`meta.total\` counts all matches. To walk through everything, send the \`meta.next_search_after\` of each page as \`search_after\` of the next until the page is empty: new records then move nothing. A page ends early where its records come to 4 MB, and \`meta.per_page\` says how many there are; by number such a page, and the one after it, is 422. The values of one filter are alternatives, filters must all hold, ranges include both ends, and a range with its ends the wrong way round is 400. Names of array parameters may be written with \`[]\`, and one value stands for a list of one. \`page[number]\` and \`page[size]\` stand for \`page\` and \`per_page\`. A cursor belongs to the sort of its page: with another sort it continues somewhere else.

## Doing it once
\`Idempotency-Key\` (1 to 255 visible ASCII characters, one for each thing to be done) is honoured when stores and orders are created. The first answer is kept for at least 24 hours and given again with \`Idempotency-Replayed: true\`; the key with another request is 422. A refusal is not kept.

## Limits
By default 100 requests a second for one key, with bursts of 200; a body over 64 KB counts as one request for each 64 KB. A body nests at most 32 levels deep and has at most 10,000 values, an object has at most 200 fields and a list at most 1,000 values; headers have at most 8 KB. An order is at most 64 KB as JSON, with at most 100 items, and its \`vendor_details\` at most 8 KB. A name that stands twice in one object is 400. Control characters are 400 in every text; ids hold no invisible characters.

## Versions
The version is part of the path. Within v1, fields of answers and optional parameters are only added, so a client must ignore fields that it does not know. What this deployment has beyond the specification it says in the header \`Shipx-Capabilities\`.`

const tags = [
  { name: 'stores', description: 'Sales channels with a brand and a logo of their own.' },
  { name: 'rates', description: 'Prices of couriers for one parcel; nothing is booked.' },
  { name: 'orders', description: 'Orders, which become shipments.' },
  { name: 'listings', description: 'Shipments and returns by filters, page by page.' },
  { name: 'health', description: 'For those who run the service; without a key.' },
]

/* ---- Common to all endpoints ---- */

const componentRef = (kind: string, name: string): Schema => ({ $ref: `#/components/${kind}/${name}` })

/** A header's name as it is written in text: `X-Request-Id`. */
const title = (header: string): string => header.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())

const textHeader = (description: string, example: string, schema: Schema = {}): Schema => ({
  description,
  schema: { type: 'string', ...schema },
  example,
})

const answerHeaders: Readonly<Record<string, Schema>> = {
  [title(headers.requestId)]: textHeader(
    'Identifier of the request, also in the log',
    '0b6f1f5e-5a0c-4f0e-8d6b-4f6a3f1f7c55',
  ),
  [title(headers.capabilities)]: textHeader(
    'What this deployment can do beyond the specification',
    capabilities.join(', '),
  ),
  [title(headers.error)]: textHeader('Code of the error, out of a closed list (`shipx help errors`)', 'invalid_input', {
    pattern: '^[a-z_]+$',
  }),
  [title(headers.fields)]: textHeader(
    'The fields of `errors` in their order, each percent-encoded, commas between; empty for a sentence about no field',
    'page,carrier_ids',
  ),
  [title(headers.quote)]: textHeader(
    'What is known of the quote: the rate card, its GST, and how many couriers do not take the parcel',
    'card=sample; gst_percent=18; refused=2',
  ),
  [title(headers.replayed)]: textHeader(
    '`true` when this is the first answer to the idempotency key, given again',
    'true',
    { enum: ['true'] },
  ),
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'string', pattern: '^[1-9][0-9]*$' }, example: '1' },
}

const always = [headers.requestId, headers.capabilities]
const headersOf = (names: readonly string[]): Schema =>
  Object.fromEntries(names.map((name) => [title(name), componentRef('headers', title(name))]))

const idempotencyKey = {
  name: title(headers.idempotencyKey),
  in: 'header',
  // No example: a page would send it with every request.
  description:
    'Do it once for this key, however often it is sent: 1 to 255 visible ASCII characters, such as a new UUID',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
}

/** Every status of a refusal and when it comes. */
const statuses: Readonly<Record<string, readonly [name: string, when: string]>> = {
  400: ['BadRequest', 'The request breaks a rule'],
  401: ['Unauthorized', 'The key is missing or not valid'],
  403: ['Forbidden', 'The key may only read'],
  404: ['NotFound', 'There is no such record in the account'],
  405: ['MethodNotAllowed', 'The path does not take the method; the header Allow names those it takes'],
  409: ['Conflict', 'The first request with this idempotency key is still running'],
  413: ['TooLarge', 'The body or the logo is too large'],
  415: ['UnsupportedMediaType', 'The body or the logo is of another type'],
  422: ['Unprocessable', 'The request is sound and cannot be done'],
  429: ['TooManyRequests', 'Too many requests with this key'],
  500: ['Failed', 'A fault inside the service'],
  503: ['Unavailable', 'The service is busy or stopping'],
}

const refusalExamples = Object.fromEntries(
  Object.entries(statuses).map(([status, [name, when]]) => [name, { summary: when, value: refusals[status] }]),
)

const refused = Object.fromEntries(
  Object.entries(statuses).map(([status, [name, description]]) => [
    name,
    {
      description,
      headers: {
        ...headersOf([...always, headers.error]),
        ...(['400', '413', '415', '422'].includes(status) ? headersOf([headers.fields]) : {}),
        ...(status === '429' || status === '503' ? headersOf(['Retry-After']) : {}),
        ...(status === '401' ? { 'WWW-Authenticate': textHeader('The scheme to use', 'Bearer') } : {}),
        ...(status === '405' ? { Allow: textHeader('The methods that the path takes', 'GET, PUT, HEAD') } : {}),
      },
      content: {
        'application/json': {
          schema: componentRef('schemas', 'Error'),
          examples: { [name]: componentRef('examples', name) },
        },
      },
    },
  ]),
)

const refusedBy = (list: readonly number[]): Schema =>
  Object.fromEntries(list.map((status) => [status, componentRef('responses', statuses[status]![0])]))

/* ---- The endpoints ---- */

function requestSchemas(table: EndpointTable): Readonly<Record<string, Schema>> {
  const rows = Object.values(table).filter(({ body }) => body !== undefined)
  return Object.fromEntries(rows.map((row) => [row.body, requestSchema(row)]))
}

/** `/client-stores/:id` as OpenAPI writes it. */
const pathOf = (path: string): string => basePath + path.replace(/:(\w+)/g, '{$1}')

const storeIdParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Identifier of the store',
  schema: { type: 'string' },
  example: endpoints.getStore.examples['store']!.path!['id'],
}

function paths(table: EndpointTable, described: NonNullable<OpenApiOptions['described']>): Record<string, Schema> {
  const found: Record<string, Schema> = {}
  for (const [name, row] of Object.entries(table)) {
    const path = pathOf(row.path)
    found[path] = { ...found[path], [row.method.toLowerCase()]: operation(name, row, described[name]!) }
  }
  return found
}

function operation(name: string, row: Endpoint, { tag, description, answer, examples }: Described): Schema {
  const { method, status, keyed, summary } = row
  const parameters = [
    ...(row.path.includes(':id') ? [storeIdParameter] : []),
    ...(keyed ? [componentRef('parameters', 'IdempotencyKey')] : []),
  ]
  const own2xx = [...always, ...(keyed ? [headers.replayed] : []), ...(answer === 'Rates' ? [headers.quote] : [])]
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(method === 'GET' ? {} : { requestBody: requestBody(row, examples) }),
    responses: {
      [status]: {
        description: status === 201 ? 'Made' : 'Done',
        headers: headersOf(own2xx),
        content: {
          'application/json': { schema: componentRef('schemas', answer), examples: shown(examples, 'answer') },
        },
      },
      ...refusedBy(refusalsOf(row)),
    },
  }
}

/** The statuses of an endpoint's refusals, as its row implies them. */
function refusalsOf({ method, path, reads, keyed, output }: Endpoint): readonly number[] {
  return [
    400,
    401,
    429,
    500,
    503,
    ...(reads ? [] : [403]),
    ...(path.includes(':id') ? [404] : []),
    ...(keyed ? [409] : []),
    ...(method === 'GET' ? [] : [413, 415]),
    ...(reads && output !== 'page' ? [] : [422]),
  ].toSorted((a, b) => a - b)
}

const shown = (examples: Described['examples'], side: 'request' | 'answer'): Schema =>
  Object.fromEntries(
    Object.entries(examples).map(([key, example]: [string, Example]) => [
      key,
      { summary: example.summary, value: example[side] },
    ]),
  )

function requestBody(row: Endpoint, examples: Described['examples']): Schema {
  const takesForm = Object.hasOwn(row.input().shape, 'logo')
  const encoding = { logo: { contentType: 'image/png, image/jpeg, image/webp' } }
  return {
    required: row.output !== 'page',
    content: {
      'application/json': { schema: componentRef('schemas', row.body!), examples: shown(examples, 'request') },
      ...(takesForm ? { 'multipart/form-data': { schema: formSchema(row), encoding } } : {}),
    },
  }
}

/* ---- Outside the contract ---- */

const image: Schema = { schema: { type: 'string', format: 'binary' } }
const health = (operationId: string, summary: string, description: string, also: readonly number[]): Schema => ({
  get: {
    operationId,
    tags: ['health'],
    summary,
    description,
    security: [],
    responses: {
      200: {
        description: 'It does',
        headers: headersOf(always),
        content: { 'application/json': { schema: componentRef('schemas', 'Health'), example: { status: 'ok' } } },
      },
      ...refusedBy(also),
    },
  },
})

const others: Readonly<Record<string, Schema>> = {
  [pathOf('/client-stores/:id/logo')]: {
    get: {
      operationId: 'getStoreLogo',
      tags: ['stores'],
      summary: 'The logo of a store',
      description: 'The image as it was sent, with the type that its bytes have.',
      parameters: [storeIdParameter],
      responses: {
        200: {
          description: 'The image',
          headers: headersOf(always),
          content: { 'image/png': image, 'image/jpeg': image, 'image/webp': image },
        },
        ...refusedBy([401, 404, 429, 500, 503]),
      },
    },
  },
  '/live': health('live', 'Whether the process runs', 'Needs no key and asks no database.', []),
  '/ready': health('ready', 'Whether requests can be answered', 'Needs no key; asks the database.', [500, 503]),
}
