// The API description: an OpenAPI 3.1 document made from the contract table, so that it cannot say what the service does
// not do; knows no HTTP library and no file.
import { basePath, contract, type Name } from '../domain/contract.ts'
import { capabilities, headers } from '../domain/wire.ts'
import { answerSchemas } from './answers.ts'
import { examples, refusals } from './examples.ts'
import { filtersOf, formSchema, requestSchema, schemaNames, type Schema } from './requests.ts'

type AnswerName = keyof typeof answerSchemas

/** The OpenAPI document of the service. */
export function openApi(about: { readonly version: string }): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipping service',
      version: about.version,
      summary: 'Stores, courier rates, orders, shipments and returns of a merchant',
      description: prose,
    },
    servers: [{ url: '/', description: 'This service' }],
    tags,
    security: [{ bearer: [] }, { key: [] }],
    paths: paths(),
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
      schemas: { ...requestSchemas(), ...answerSchemas },
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

/* ---- What is the same for every endpoint ---- */

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

/** What an endpoint has besides its row in the contract. */
interface Detail {
  readonly tag: string
  readonly description: string
  readonly answer: AnswerName
  readonly status?: number
  /** Refusals besides 400, 401, 429, 500 and 503, and 413 and 415 where there is a body. */
  readonly refusals?: readonly number[]
  readonly idempotent?: boolean
  readonly form?: 'createStore' | 'updateStore'
}

const orderProse =
  'Weights are **kilograms**, sides centimetres, amounts rupees. `order_id` is unique in the account: a second one is 422, and the sentence has the tracking number of the first. With `COD`, `cod_collectible` is required and above 0; with `PREPAID` it is absent or 0. `cod_collectible` above `sub_total`, an `order_date` before 2000 or more than a day ahead, a country that is not India, and an e-mail address without `@` are 422. `shipping_is_billing: false` requires the `shipping_…` fields of the delivery address. `store_name` must be a connected store of the account and `warehouse_id` a warehouse whose pincode is known, else 422. `rto_warehouse_id`, `channel_id` and `vendor_details` come back in the answer and in the record, under `attributes.order`.'

const listingProse =
  'Every parameter is optional. Values of one filter are alternatives, filters must all hold, ranges include both ends. A range with its ends the wrong way round is 400, and so is a `page` other than 1 together with `search_after`.'

const details: { readonly [N in Name]: Detail } = {
  listStores: { tag: 'stores', answer: 'StoreList', description: 'The connected stores of the account by name.' },
  getStore: { tag: 'stores', answer: 'StoreAnswer', refusals: [404], description: 'One store, connected or not.' },
  createStore: {
    tag: 'stores',
    answer: 'StoreAnswer',
    status: 201,
    refusals: [403, 409, 422],
    idempotent: true,
    form: 'createStore',
    description:
      'Makes a connected store with the channel `manual_order`. A name that the account has already is 422. JSON, or `multipart/form-data` with a logo.',
  },
  updateStore: {
    tag: 'stores',
    answer: 'StoreAnswer',
    refusals: [403, 404, 422],
    form: 'updateStore',
    description:
      'Changes the fields that are sent. A new name is written into every linked shipment and return. `brand_name: ""` or null clears the brand, JSON `logo: null` removes the logo, `multipart/form-data` brings a new one.',
  },
  createForwardOrder: {
    tag: 'orders',
    answer: 'OrderRecorded',
    refusals: [403, 409, 422],
    idempotent: true,
    description: `Records the order and a \`pending\` shipment without a tracking number. A \`carrier_id\` must be on the rate card and is kept for the assignment. ${orderProse}`,
  },
  orchestrateForwardOrder: {
    tag: 'orders',
    answer: 'OrderAssigned',
    refusals: [403, 409, 422],
    idempotent: true,
    description: `Records the order and assigns the courier that \`carrier_id\` names, or the first offer of a quote, with a tracking number. The lane begins at the pincode of the warehouse; no courier is 422. ${orderProse}`,
  },
  getRates: {
    tag: 'rates',
    answer: 'Rates',
    description:
      'Quotes every courier that takes the parcel. Weights are **grams**, sides centimetres, amounts rupees. A forward journey requires `payment_method`, and with `cod` also a `shipment_value` above 0. Parameters of the other journey (and `shipment_value` with `prepaid`) are checked for their type and otherwise ignored, so that one body serves both; their keys are absent from the answer. No courier is a success with an empty list.',
  },
  listShipments: {
    tag: 'listings',
    answer: 'ShipmentPage',
    refusals: [422],
    description: `${listingProse} \`start_time\` and \`end_time\` apply to the date that \`date_field\` names (\`created_at\` unless told); a record without that date never matches. Ordered by \`created_at\`, then \`id\`.`,
  },
  listReturns: {
    tag: 'listings',
    answer: 'ReturnPage',
    refusals: [422],
    description: `${listingProse} Ordered by \`sort_by\` (\`created_at\` unless told), then \`id\`. A received return shows \`delivered\` and is filtered as \`return_received\`.`,
  },
}

const names = Object.keys(contract) as Name[]

function requestSchemas(): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    names.flatMap((name) => (schemaNames[name] === undefined ? [] : [[schemaNames[name], requestSchema(name)]])),
  )
}

/** `/client-stores/:id` as OpenAPI writes it. */
const pathOf = (path: string): string => basePath + path.replace(/:(\w+)/g, '{$1}')

const storeIdParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Identifier of the store',
  schema: { type: 'string' },
  example: examples.getStore['store']!.path!['id'],
}

function paths(): Readonly<Record<string, Schema>> {
  const found: Record<string, Schema> = {}
  for (const name of names) {
    const path = pathOf(contract[name].path)
    found[path] = { ...found[path], [contract[name].method.toLowerCase()]: operation(name) }
  }
  return { ...found, ...others }
}

function operation(name: Name): Schema {
  const { method, path, summary } = contract[name]
  const { tag, description, answer, status = 200, refusals: own = [], idempotent = false } = details[name]
  const parameters = [
    ...(path.includes(':id') ? [storeIdParameter] : []),
    ...(idempotent ? [componentRef('parameters', 'IdempotencyKey')] : []),
  ]
  const body = method === 'GET' ? [] : [413, 415]
  const own2xx = [...always, ...(idempotent ? [headers.replayed] : []), ...(name === 'getRates' ? [headers.quote] : [])]
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(method === 'GET' ? {} : { requestBody: requestBody(name) }),
    responses: {
      [status]: {
        description: status === 201 ? 'Made' : 'Done',
        headers: headersOf(own2xx),
        content: { 'application/json': { schema: componentRef('schemas', answer), examples: shown(name, 'answer') } },
      },
      ...refusedBy([400, 401, 429, 500, 503, ...own, ...body].toSorted((a, b) => a - b)),
    },
  }
}

const shown = (name: Name, side: 'request' | 'answer'): Schema =>
  Object.fromEntries(
    Object.entries(examples[name]).map(([key, example]) => [key, { summary: example.summary, value: example[side] }]),
  )

function requestBody(name: Name): Schema {
  const { form } = details[name]
  return {
    required: filtersOf[name] === undefined,
    content: {
      'application/json': { schema: componentRef('schemas', schemaNames[name]!), examples: shown(name, 'request') },
      ...(form === undefined
        ? {}
        : {
            'multipart/form-data': {
              schema: formSchema(form),
              encoding: { logo: { contentType: 'image/png, image/jpeg, image/webp' } },
            },
          }),
    },
  }
}

/* ---- What is beside the contract ---- */

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
