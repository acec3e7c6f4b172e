// The API description: an OpenAPI 3.1 document made from the contract table, so that it describes the service as it is.
import { basePath, contract, type Endpoint, type EndpointTable } from '../domain/contract.ts'
import type { JsonSchema as Schema } from '../domain/recordfields.ts'
import { headers, linesType } from '../domain/wire.ts'
import { answerSchemas } from './answers.ts'
import { endpoints, type Described } from './endpoints.ts'
import { storeId, type Example } from './examples.ts'
import { introduction } from './prose.ts'
import { answerHeaders, componentRef, headersWith, refusalExamples, refusals, refusedBy, title } from './refusals.ts'
import { givesMinimal, minimalResponse, preferParameter } from './minimal.ts'
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
      description: introduction,
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
      responses: refusals,
      headers: answerHeaders,
      parameters: { IdempotencyKey: idempotencyKey },
      examples: refusalExamples,
    },
  }
}

const tags = [
  { name: 'stores', description: 'Sales channels with a brand and a logo of their own.' },
  { name: 'rates', description: 'Courier prices for one parcel. The service books nothing.' },
  { name: 'orders', description: 'Orders, which become shipments.' },
  { name: 'listings', description: 'Shipments and returns by filters, page by page.' },
  { name: 'health', description: 'For people who run the service. They need no key.' },
]

const idempotencyKey = {
  name: title(headers.idempotencyKey),
  in: 'header',
  // No example: a page would send it with every request.
  description:
    'Do it once for this key, however often it is sent: 1 to 255 visible ASCII characters, such as a new UUID',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
}

/* ---- The endpoints ---- */

function requestSchemas(table: EndpointTable): Readonly<Record<string, Schema>> {
  const rows = Object.values(table).filter(({ body }) => body !== undefined)
  return Object.fromEntries(rows.map((row) => [row.body, requestSchema(row)]))
}

/** `/client-stores/:id` as OpenAPI writes it. */
const pathOf = (path: string): string => basePath + path.replace(/:(\w+)/g, '{$1}')

/** The parameters in a path: `:id` is the identifier of the row's subject. */
const pathParameters = ({ path, subject }: Pick<Endpoint, 'path' | 'subject'>): readonly Schema[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'id' ? `Identifier of the ${subject ?? 'record'}` : title(name!),
    schema: { type: 'string' },
    ...(name === 'id' && subject === 'store' ? { example: storeId } : {}),
  }))

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
  const brief = givesMinimal(row)
  const parameters = [
    ...pathParameters(row),
    ...(keyed ? [componentRef('parameters', 'IdempotencyKey')] : []),
    ...(brief ? [preferParameter] : []),
  ]
  const inLines = row.output === 'page'
  const more = [
    ...(keyed ? [headers.replayed] : []),
    ...(answer === 'Rates' ? [headers.quote] : []),
    ...(inLines ? [headers.total, headers.next] : []),
  ]
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
        headers: headersWith(...more),
        content: {
          'application/json': { schema: componentRef('schemas', answer), examples: shown(examples, 'answer') },
          ...(inLines ? { [linesType]: { schema: { type: 'string', description: recordLines } } } : {}),
        },
      },
      ...(brief ? { 204: minimalResponse } : {}),
      ...refusedBy(refusalsOf(row)),
    },
  }
}

const recordLines = 'One record on each line, as many as have 4 MB together, for a client that accepts this type'

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
        headers: headersWith(),
        content: { 'application/json': { schema: componentRef('schemas', 'Health'), example: { status: 'ok' } } },
      },
      ...refusedBy(also),
    },
  },
})

const logo = { path: '/client-stores/:id/logo', subject: 'store' } as const

const others: Readonly<Record<string, Schema>> = {
  [pathOf(logo.path)]: {
    get: {
      operationId: 'getStoreLogo',
      tags: ['stores'],
      summary: 'The logo of a store',
      description: 'The image as it was sent, with the type that its bytes have.',
      parameters: pathParameters(logo),
      responses: {
        200: {
          description: 'The image',
          headers: headersWith(),
          content: { 'image/png': image, 'image/jpeg': image, 'image/webp': image },
        },
        ...refusedBy([401, 404, 429, 500, 503]),
      },
    },
  },
  '/live': health('live', 'Whether the process runs', 'Needs no key and asks no database.', []),
  '/ready': health('ready', 'Whether requests can be answered', 'Needs no key; asks the database.', [500, 503]),
}
