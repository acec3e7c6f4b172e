// The API description against the service: the document is valid, says what the contract says, and the real server takes,
// refuses and answers what it describes, judged by packages that are not ours.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import driver from 'better-sqlite3'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { basePath, contract, type Name } from '../../src/domain/contract.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import { OrderAnswer } from '../../src/domain/orders.ts'
import { RateAnswer } from '../../src/domain/rates/rates.ts'
import { Return, returnFilters } from '../../src/domain/parcels/returns.ts'
import { Shipment, shipmentFilters } from '../../src/domain/parcels/shipments.ts'
import { Store } from '../../src/domain/stores.ts'
import { headers as wireHeaders } from '../../src/domain/wire.ts'
import type { Database } from '../../src/engine/database/port.ts'
import { createKey } from '../../src/engine/accounts/keys.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { seedStores } from '../../src/engine/sample/plan.ts'
import { setWarehouse } from '../../src/engine/accounts/settings.ts'
import { saveStore } from '../../src/engine/accounts/stores.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { serviceApp } from '../../src/server/app.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { openApi } from '../../src/server/openapi.ts'
import { engineOn, testHost, testNow, type TestEngine } from '../support/engine.ts'
import { png, pngOfBytes } from '../support/pictures.ts'
import { root } from '../support/checkout.ts'

type Json = Readonly<Record<string, unknown>>

const assets = join(root, 'node_modules', 'swagger-ui-dist')
const document = openApi({ version: '1.2.3' }) as Json
const names = Object.keys(contract) as Name[]
const listings = { listShipments: shipmentFilters, listReturns: returnFilters } as const

/* ---- Reading the document ---- */

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
const unescape = (key: string): string => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')

/** What a pointer (`#/components/…`) leads to; throws when it leads nowhere. */
function at(pointer: string): unknown {
  let found: unknown = document
  for (const key of pointer.split('/').slice(1).map(unescape)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key))
      throw new Error(`${pointer} leads nowhere`)
    found = (found as Json)[key]
  }
  return found
}

/** The same, through a `$ref`; with the pointer that it ends at. */
function follow(pointer: string): readonly [pointer: string, found: Json] {
  const found = at(pointer) as Json
  const ref = found['$ref']
  return typeof ref === 'string' ? follow(ref) : [pointer, found]
}

const pathOf = (name: Name): string => basePath + contract[name].path.replace(':id', '{id}')
const operationAt = (name: Name): string => `#/paths/${escape(pathOf(name))}/${contract[name].method.toLowerCase()}`

function everyPart(value: unknown, visit: (part: Json) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Json)
  for (const inner of Object.values(value)) everyPart(inner, visit)
}

// Formats of ajv-formats; strict is off because the document as a whole is no schema.
const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormats as unknown as (to: Ajv2020) => void)(ajv)
ajv.addSchema(document, 'document')
const compiled = new Map<string, ValidateFunction>()

/** What is wrong with a value by the schema at a pointer; undefined when nothing is. */
function fault(pointer: string, value: unknown): string | undefined {
  let check = compiled.get(pointer)
  if (check === undefined) compiled.set(pointer, (check = ajv.compile({ $ref: `document${pointer}` })))
  return check(value) ? undefined : ajv.errorsText(check.errors, { separator: '\n' })
}

const bodyAt = (name: Name, type = 'application/json'): string =>
  `${operationAt(name)}/requestBody/content/${escape(type)}/schema`

/** What is wrong with a request body by the document. */
const requestFault = (name: Name, body: unknown): string | undefined => fault(bodyAt(name), body)

/* ---- The service ---- */

let engine: TestEngine
let app: FastifyInstance
let key: string
let readOnlyKey: string

async function serviceOn(database: Database, rateLimit = 0): Promise<FastifyInstance> {
  return serviceApp({ database, host: engine.host, version: '1.2.3', assets, rateLimit, log: () => undefined })
}

beforeAll(async () => {
  engine = await engineOn(openSqlite(driver, { path: ':memory:' }), testHost())
  const { database, account, host } = engine
  const plan = { shipments: 200, returns: 50, stores: 4, days: 60, seed: 7, now: testNow }
  for (const store of seedStores(plan)) {
    const created_at = new Date(store.created_at).toISOString()
    await database.write(() => saveStore(account, { ...store, created_at, updated_at: created_at }, testNow))
  }
  await engine.save('shipment', seedShipments(plan))
  await engine.save('return', seedReturns(plan))
  await database.write(() => setWarehouse(account, 'WHMUM1', '400001'))
  key = (await database.write(() => createKey(account, {}, host))).key
  readOnlyKey = (await database.write(() => createKey(account, { read_only: true }, host))).key
  app = await serviceOn(database)
})

afterAll(async () => {
  await app.close()
  await engine.close()
})

interface Asked {
  readonly body?: unknown
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
  readonly of?: FastifyInstance
}

/** Sends a request to an endpoint, and holds what comes back against the document. */
async function ask(name: Name, asked: Asked = {}): Promise<LightMyRequestResponse> {
  const { method, path } = contract[name]
  const url = basePath + path.replace(':id', encodeURIComponent(asked.path?.['id'] ?? '')) + (asked.query ?? '')
  const given = { authorization: `Bearer ${key}`, ...asked.headers }
  const response = await (asked.of ?? app).inject({
    method,
    url,
    headers: asked.body === undefined ? given : { 'content-type': 'application/json', ...given },
    ...(asked.payload !== undefined
      ? { payload: asked.payload }
      : asked.body === undefined
        ? {}
        : { payload: JSON.stringify(asked.body) }),
  })
  documented(`${operationAt(name)}/responses/${response.statusCode}`, response)
  return response
}

/** Holds an answer against the response that a pointer leads to: its body, its type, its headers. */
function documented(pointer: string, response: LightMyRequestResponse): void {
  const [place, described] = follow(pointer)
  const type = String(response.headers['content-type']).split(';')[0]!
  const content = described['content'] as Json
  expect(Object.keys(content), `content type of ${pointer}`).toContain(type)
  if (type === 'application/json') {
    const body: unknown = response.json()
    expect(fault(`${place}/content/${escape(type)}/schema`, body), `${pointer} ${response.body.slice(0, 400)}`).toBe(
      undefined,
    )
  }
  const said = Object.keys(described['headers'] as Json).map((header) => header.toLowerCase())
  const own: readonly string[] = [...Object.values(wireHeaders), 'retry-after', 'www-authenticate', 'allow']
  const sent = Object.keys(response.headers).filter((header) => own.includes(header))
  expect(
    sent.filter((header) => !said.includes(header)),
    `headers of ${pointer}`,
  ).toEqual([])
  for (const header of said) {
    const [where] = follow(
      `${place}/headers/${escape(Object.keys(described['headers'] as Json).find((one) => one.toLowerCase() === header)!)}`,
    )
    const value = response.headers[header]
    if (value !== undefined) expect(fault(`${where}/schema`, value), `${header} of ${pointer}`).toBe(undefined)
  }
  expect(sent).toEqual(expect.arrayContaining([wireHeaders.requestId, wireHeaders.capabilities]))
}

let orders = 0
/** A body that works, new each time where something must be unique. */
function goodBody(name: Name): Json {
  const { request = {} } = Object.values(endpoints[name].examples)[0]!
  if (name === 'createStore') return { ...request, store_name: `made-${++orders}` }
  return name.endsWith('Order') ? { ...request, order_id: `GOOD-${++orders}` } : request
}

/** A request that the document and the service both take. */
async function taken(name: Name, body: Json, path: Asked['path'] = {}): Promise<LightMyRequestResponse> {
  const said = JSON.stringify(body).slice(0, 300)
  expect(requestFault(name, body), `${name} ${said} by the document`).toBe(undefined)
  const response = await ask(name, { body, path })
  expect([response.statusCode, response.statusCode < 300 ? '' : response.body], `${name} ${said}`).toEqual([
    contract[name].status,
    '',
  ])
  return response
}

/** A request that the service refuses, and the document too where JSON Schema can say it. */
async function refused(name: Name, body: unknown, byDocument = true, path: Asked['path'] = {}): Promise<void> {
  const said = JSON.stringify(body).slice(0, 300)
  if (byDocument) expect(requestFault(name, body), `${name} ${said} by the document`).not.toBe(undefined)
  const response = await ask(name, { body, path })
  expect([response.statusCode, response.body], `${name} ${said}`).toEqual([400, expect.any(String)])
}

/* ---- What a field may hold ---- */

interface Field {
  readonly good: readonly unknown[]
  readonly bad: readonly unknown[]
  /** What is wrong and JSON Schema cannot say. */
  readonly beyond?: readonly unknown[]
}

const long = (length: number): string => 'x'.repeat(length)

interface Range extends Json {
  readonly type?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
}

function numberField(range: Range): Field {
  const whole = range.type === 'integer'
  const least = range.minimum ?? (range.exclusiveMinimum === undefined ? -5 : whole ? 1 : 0.01)
  const most = range.maximum ?? (range.exclusiveMaximum === undefined ? 1e12 : range.exclusiveMaximum - 1)
  const good = [least, Math.max(least, 3), most, ...(whole ? [] : [Math.max(least, 1) + 0.5])]
  const under =
    range.minimum === undefined ? (range.exclusiveMinimum === undefined ? [] : [0, -1]) : [range.minimum - 1]
  const over = range.maximum === undefined && range.exclusiveMaximum === undefined ? [] : [most + 1]
  const bad = [...under, ...over, ...(whole ? [least + 0.5] : [])]
  return {
    good: [...good, ...good.map(String), `${least}${String(least).includes('.') ? '' : '.0'}`],
    bad: [
      ...bad,
      ...bad.map(String),
      '',
      ' ',
      '1e2',
      '0x10',
      '1,5',
      ' 1',
      '+1',
      '.5',
      '5.',
      'NaN',
      null,
      true,
      {},
      [5],
    ],
  }
}

function valueField(schema: Json): Field {
  const words = schema['enum'] as readonly string[] | undefined
  if (words !== undefined) return { good: words, bad: ['nonsense', '', 5, null, {}] }
  if (schema['type'] === 'boolean') return { good: [true, false], bad: ['true', 'false', 0, 1, null, [], ''] }
  if (schema['type'] === 'number' || schema['type'] === 'integer') return numberField(schema)
  if (schema['type'] === 'null') return { good: [null], bad: ['', 'logo.png', {}, 5] }
  const most = schema['maxLength'] as number | undefined
  const texts = most === undefined ? [] : [long(most)]
  const tooLong = most === undefined ? [] : [long(most + 1)]
  return { good: ['Aé-1', ...texts], bad: [5, true, null, {}, ...tooLong] }
}

const zoneField: Field = {
  good: ['zone_a', 'a', 'B', 'z_c', 'Z_D', 'ZONE_E', 'zone-a', 'zone b'],
  bad: ['zone_f', 'zz', '', 'zone_', 'aa', 5, null, {}],
}
const dayField: Field = {
  good: [
    '2025-11-01',
    '2025-11-01T10:00:00Z',
    '2025-11-01T10:00:00.123+05:30',
    '2025-11-01 10:00+0530',
    '2025-11-01t10:00z',
  ],
  bad: [
    '',
    'yesterday',
    '1763700000',
    1_763_700_000,
    '2025-13-01',
    '2025-11-01T25:00:00Z',
    '2025-11-01T10:00:00',
    '01-11-2025',
    null,
    {},
  ],
  beyond: ['2025-02-30', '2025-02-29T10:00:00Z'],
}
const blankless = (field: Field): Field => ({
  ...field,
  bad: [...field.bad, '', '   ', 'a\nb', 'a\u0000b'],
  beyond: ['a\ud800'],
})
const idField = (most: number): Field => ({
  good: [long(most), ' AB-1 ', 'क्\u200dष'],
  bad: ['', ' ', '\t', 'a\u0000b', long(most + 1), 5, null],
  beyond: ['A\u200b1', '\ufeffA\u2060', '\u202eA'],
})

/** What a parameter of a listing may hold, by its row in the filter table. */
function filterField(filter: (typeof shipmentFilters)[keyof typeof shipmentFilters]): Field {
  const made = z.toJSONSchema(filter.schema(), { io: 'input', unrepresentable: 'any' }) as Json
  if (filter.comparison === 'search')
    return { good: ['', '  ', 'asha rao', '%_"\'*', '\u200b', long(200)], bad: [long(201), 'a\tb', 5, null, ['a']] }
  if (made['type'] === 'array') {
    const items = made['items'] as Json
    const one = (items['enum'] as readonly string[] | undefined)?.[0] === 'zone_a' ? zoneField : valueField(items)
    return {
      good: [...one.good, ...one.good.map((value) => [value]), one.good, [one.good[0], one.good[0]], []],
      bad: [
        ...one.bad,
        ...one.bad.map((value) => [value]),
        [one.good[0], ...one.bad],
        [one.good],
        Array.from({ length: 1001 }, () => one.good[0]),
      ],
    }
  }
  return made['type'] === 'string' && filter.comparison.startsWith('at_') ? dayField : valueField(made)
}

/* ---- The tests ---- */

describe('the document', () => {
  test('is valid OpenAPI 3.1 by a validator that is not ours', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(
      structuredClone(document) as Parameters<Validator['validate']>[0],
    )
    expect(errors).toBe(undefined)
    expect([valid, validator.version]).toEqual([true, '3.1'])
    expect(document['info']).toMatchObject({ version: '1.2.3' })
  })

  test('has references that lead somewhere, and uses what it defines', () => {
    const refs = new Set<string>()
    everyPart(document, (part) => {
      if (typeof part['$ref'] === 'string') refs.add(part['$ref'])
    })
    for (const ref of refs) expect(() => at(ref)).not.toThrow()
    const components = document['components'] as Readonly<Record<string, Json>>
    for (const kind of ['schemas', 'responses', 'headers', 'parameters', 'examples']) {
      for (const name of Object.keys(components[kind]!)) {
        // Another method is never an answer of an operation that is described.
        if (name !== 'MethodNotAllowed' || kind === 'examples') expect(refs).toContain(`#/components/${kind}/${name}`)
      }
    }
  })

  test('has schemas that a strict reader takes: no unknown keyword and no unknown format', () => {
    const strict = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true })
    ;(addFormats as unknown as (to: Ajv2020) => void)(strict)
    const components = document['components'] as Readonly<Record<string, Json>>
    const schemas = JSON.parse(
      JSON.stringify(components['schemas']).replaceAll('#/components/schemas/', '#/$defs/'),
    ) as Json
    strict.addSchema({ $id: 'all', $defs: schemas })
    for (const name of Object.keys(schemas)) expect(() => strict.compile({ $ref: `all#/$defs/${name}` })).not.toThrow()
  })

  test.each(names)('has the endpoint %s with its method, path, answers and examples', (name) => {
    const operation = at(operationAt(name)) as Json
    const { method, summary, reads } = contract[name]
    expect(operation).toMatchObject({ operationId: name, summary })
    const statuses = Object.keys(operation['responses'] as Json).map(Number)
    const expected = [
      400,
      401,
      429,
      500,
      503,
      ...(reads ? [] : [403, 422]),
      ...(method === 'GET' ? [] : [413, 415]),
      ...(contract[name].path.includes(':id') ? [404] : []),
    ]
    expect(statuses).toEqual(expect.arrayContaining([contract[name].status, ...expected]))
    if (method !== 'GET') {
      const { properties } = follow(bodyAt(name))[1] as { readonly properties: Json }
      const shape = Object.keys(contract[name].input().shape)
      expect(Object.keys(properties)).toEqual(shape.filter((field) => field !== 'id'))
      for (const [field, schema] of Object.entries(properties))
        expect((schema as Json)['description'], `description of ${field}`).toMatch(/^\S.*\.$/s)
    }
    const ok = follow(`${operationAt(name)}/responses/${contract[name].status}`)[1]
    const content = (ok['content'] as Readonly<Record<string, Json>>)['application/json']!
    expect(Object.keys(content['examples'] as Json).length).toBeGreaterThan(0)
  })

  test.each(Object.entries(listings))(
    'has every filter of %s with its sentence and both spellings',
    (name, filters) => {
      const [, schema] = follow(bodyAt(name as Name))
      const { properties, patternProperties, additionalProperties } = schema as Readonly<Record<string, Json>>
      expect(additionalProperties).toBe(false)
      for (const [field, filter] of Object.entries(filters)) {
        expect((properties![field] as Json)['description']).toContain(filter.help)
        const several = filter.comparison === 'any_of' || filter.comparison === 'holds_any'
        expect(Object.keys(patternProperties!).some((pattern) => new RegExp(pattern).test(`${field}[]`))).toBe(several)
      }
    },
  )

  test('has every status of the error list, with the error body', () => {
    const responses = (document['components'] as Readonly<Record<string, Json>>)['responses']!
    const all = JSON.stringify(document)
    expect(Object.keys(responses)).toHaveLength(12)
    for (const name of Object.keys(responses)) {
      expect(follow(`#/components/responses/${name}/content/application~1json/schema`)[0]).toBe(
        '#/components/schemas/Error',
      )
    }
    for (const header of Object.values(wireHeaders)) expect(all.toLowerCase()).toContain(`"${header}"`)
  })

  // The document is stricter than the contract's output schemas and must not know fewer fields than they do.
  const shapes: readonly (readonly [string, z.ZodMiniType])[] = [
    ['Store', Store],
    ['Shipment', Shipment],
    ['Return', Return],
    ['ForwardRates', RateAnswer],
    ['OrderAssigned', OrderAnswer],
  ]
  test.each(shapes)('knows every field of %s that the contract knows', (name, output) => {
    const made = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as Json
    const missing: string[] = []
    const walk = (ours: Json, pointer: string): void => {
      const [place, theirs] = follow(pointer)
      const inner = ours['anyOf'] === undefined ? ours : (ours['anyOf'] as readonly Json[])[0]!
      if (inner['items'] !== undefined && theirs['items'] !== undefined) walk(inner['items'] as Json, `${place}/items`)
      for (const [field, schema] of Object.entries((inner['properties'] ?? {}) as Readonly<Record<string, Json>>)) {
        if (Object.hasOwn((theirs['properties'] ?? {}) as Json, field))
          walk(schema, `${place}/properties/${escape(field)}`)
        else missing.push(`${pointer.replace('#/components/schemas/', '')}: ${field}`)
      }
    }
    const definitions =
      made['$ref'] === undefined
        ? made
        : ((made['$defs'] as Readonly<Record<string, Json>>)[String(made['$ref']).split('/').at(-1)!] as Json)
    walk(definitions, `#/components/schemas/${name}`)
    // Only other deployments send a return's external_id.
    expect(missing).toEqual(name === 'Return' ? ['Return/properties/attributes/properties/order: external_id'] : [])
  })
})

describe('the examples', () => {
  const all = names.flatMap((name) =>
    Object.entries(endpoints[name].examples).map(([key, example]) => ({ name, key, example })),
  )

  test.each(all)('$name $key fits the document and the contract', ({ name, example }) => {
    if (example.request !== undefined) expect(requestFault(name, example.request)).toBe(undefined)
    const status = contract[name].status
    expect(fault(`${operationAt(name)}/responses/${status}/content/application~1json/schema`, example.answer)).toBe(
      undefined,
    )
    const { output } = contract[name]
    if (output !== 'page') expect(output.safeParse(example.answer).success).toBe(true)
    else
      for (const record of example.answer['data'] as readonly unknown[])
        expect((name === 'listShipments' ? Shipment : Return).safeParse(record).success).toBe(true)
  })

  test.each(all.filter(({ example, name }) => example.request !== undefined && name !== 'updateStore'))(
    '$name $key is taken by the service, and answered like that',
    async ({ name, example }) => {
      const response = await taken(name, example.request!)
      const answer = response.json() as Json
      expect(Object.keys(answer)).toEqual(Object.keys(example.answer))
      if (name === 'getRates') {
        type Rates = {
          readonly result: { readonly serviceable_couriers: readonly unknown[]; readonly shipment_details: unknown }
        }
        const [real, shown] = [answer as unknown as Rates, example.answer as unknown as Rates]
        expect(real.result.shipment_details).toEqual(shown.result.shipment_details)
        expect(real.result.serviceable_couriers).toEqual(expect.arrayContaining([...shown.result.serviceable_couriers]))
      }
      if (name.endsWith('Order')) {
        const [real, shown] = [answer['payload'] as Json, example.answer['payload'] as Json]
        const chance = { order_id: '', shipment_id: '', awb_code: '' }
        expect({ ...real, ...chance }).toEqual({ ...shown, ...chance })
      }
    },
  )

  test('the refusals fit the error body and their statuses', () => {
    for (const [name, example] of Object.entries(
      (document['components'] as Readonly<Record<string, Json>>)['examples']!,
    ))
      // prettier-ignore
      expect(fault('#/components/schemas/Error', (example as Json)['value']), name).toBe(undefined)
  })
})

describe.each(Object.entries(listings) as [Name, typeof shipmentFilters][])('%s', (name, filters) => {
  test.each(Object.keys(filters))('takes and refuses %s as the document says', async (field) => {
    const filter = filters[field as keyof typeof filters]
    const { good, bad, beyond = [] } = filterField(filter)
    const several = filter.comparison === 'any_of' || filter.comparison === 'holds_any'
    for (const value of good) {
      await taken(name, { [field]: value, per_page: 1 })
      if (several) await taken(name, { [`${field}[]`]: value, per_page: 1 })
    }
    for (const value of bad) {
      await refused(name, { [field]: value })
      if (several) await refused(name, { [`${field}[]`]: value })
    }
    for (const value of beyond) await refused(name, { [field]: value }, false)
    await refused(name, { [`${field}x`]: good[0] })
    if (several) await refused(name, { [field]: good[0], [`${field}[]`]: good[0] })
  })

  const { properties } = z.toJSONSchema(contract[name].input(), { io: 'input', unrepresentable: 'any' }) as {
    readonly properties: Readonly<Record<string, Json>>
  }
  const others = Object.keys(properties).filter((field) => !(field in filters) && !field.endsWith('search_after'))
  test.each(others)('takes and refuses %s as the document says', async (field) => {
    const { good, bad } = valueField(properties[field]!)
    for (const value of good) await taken(name, { [field]: value })
    for (const value of bad) await refused(name, { [field]: value })
  })

  test('takes a cursor, alone or with page 1', async () => {
    const first = (await taken(name, { per_page: 7 })).json() as {
      readonly meta: { readonly next_search_after: unknown }
    }
    const cursor = first.meta.next_search_after
    for (const field of ['search_after', 'next_search_after']) {
      await taken(name, { [field]: cursor })
      await taken(name, { [field]: cursor, page: 1 })
      await taken(name, { [field]: cursor, page: '1' })
      await refused(name, { [field]: cursor, page: 2 })
      await taken(name, { search_after: cursor, next_search_after: cursor })
      await refused(
        name,
        { [field]: cursor, [field === 'search_after' ? 'next_search_after' : 'search_after']: ['1', 'a'] },
        false,
      )
      for (const value of ['', [], ['1'], ['1', ''], ['x', 'y'], [1, 'a'], ['1', 'a', 'b'], null, {}])
        await refused(name, { [field]: value })
    }
  })

  test('answers every record as described, page by page, and nothing behind the last one', async () => {
    let seen = 0
    for (let page = 1; ; page++) {
      const { data, meta } = (await taken(name, { page, per_page: 100 })).json() as {
        readonly data: readonly unknown[]
        readonly meta: { readonly total: number }
      }
      seen += data.length
      if (data.length > 0) continue
      expect(seen).toBe(meta.total)
      break
    }
    expect(seen).toBeGreaterThanOrEqual(50)
    await taken(name, {})
    expect((await ask(name)).statusCode).toBe(200)
  })

  test('refuses a range with its ends the wrong way round, and what is no object', async () => {
    const reversed: Readonly<Partial<Record<Name, Json>>> = {
      listShipments: { start_time: 2, end_time: 1 },
      listReturns: { created_at__gte: '2025-11-02', created_at__lte: '2025-11-01' },
    }
    await refused(name, reversed[name], false)
    for (const body of [[], 'x', 5, null]) await refused(name, body)
    expect((await ask(name, { payload: '{"page":', headers: { 'content-type': 'application/json' } })).statusCode).toBe(
      400,
    )
    expect((await ask(name, { query: '?page=2' })).statusCode).toBe(400)
  })
})

describe('getRates', () => {
  const forward = endpoints.getRates.examples['forward']!.request!
  const back = endpoints.getRates.examples['return']!.request!

  test.each(['dead_weight', 'length', 'width', 'height'])(
    'takes and refuses %s as the document says',
    async (field) => {
      const range: Range = {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: field === 'dead_weight' ? 10_000_000 : 10_000,
      }
      const { good, bad } = numberField(range)
      for (const value of good) await taken('getRates', { ...forward, [field]: value })
      for (const value of bad) await refused('getRates', { ...forward, [field]: value })
      await refused('getRates', { ...forward, [field]: undefined })
    },
  )

  test('takes and refuses values, pincodes, words and flags as the document says', async () => {
    const value = numberField({ type: 'number', exclusiveMinimum: 0, maximum: 10_000_000_000 })
    for (const shipment_value of value.good) await taken('getRates', { ...forward, shipment_value })
    for (const shipment_value of value.bad) await refused('getRates', { ...forward, shipment_value })
    for (const field of ['origin_pincode', 'destination_pincode']) {
      for (const pincode of ['560001', '560 001']) await taken('getRates', { ...forward, [field]: pincode })
      for (const pincode of ['56000', '5600011', '056001', '56 0001', '', 'abcdef', 560001, null])
        await refused('getRates', { ...forward, [field]: pincode })
      await refused('getRates', { ...forward, [field]: '999999' }, false)
    }
    for (const journey_type of ['Forward', '', 5, null, undefined])
      await refused('getRates', { ...forward, journey_type })
    for (const qc_applicable of [true, false]) await taken('getRates', { ...back, qc_applicable })
    for (const qc_applicable of ['true', 1, null]) await refused('getRates', { ...back, qc_applicable })
    await refused('getRates', { ...forward, dead_weigth: 5 })
  })

  test('holds the rules between fields, and lets the other journey be', async () => {
    await refused('getRates', { ...forward, payment_method: undefined })
    await refused('getRates', { ...forward, payment_method: 'COD' })
    await refused('getRates', { ...forward, shipment_value: undefined })
    await taken('getRates', { ...forward, payment_method: 'prepaid', shipment_value: undefined })
    await taken('getRates', { ...forward, payment_method: 'prepaid', shipment_value: -5 })
    await taken('getRates', { ...forward, qc_applicable: false })
    await taken('getRates', { ...back, payment_method: 'whatever', shipment_value: '0' })
    await refused('getRates', { ...back, shipment_value: 'x' })
    await refused('getRates', { ...back, payment_method: 5 })
  })

  test('answers an empty list where no courier serves the lane, and tells about the quote in a header', async () => {
    const none = await taken('getRates', { ...forward, dead_weight: 10_000_000 })
    expect((none.json() as { readonly result: Json }).result['serviceable_couriers']).toEqual([])
    expect(none.headers[wireHeaders.quote]).toMatch(/^card=/)
  })
})

describe.each(['createForwardOrder', 'orchestrateForwardOrder'] as const)('%s', (name) => {
  const [, schema] = follow(bodyAt(name))
  const { properties, required } = schema as unknown as {
    readonly properties: Readonly<Record<string, Json>>
    readonly required: readonly string[]
  }
  const { properties: made } = z.toJSONSchema(contract[name].input(), { io: 'input', unrepresentable: 'any' }) as {
    readonly properties: Readonly<Record<string, Json>>
  }
  const special: Readonly<Record<string, Field>> = {
    payment_method: { good: ['COD', 'cod', 'Cod'], bad: ['cash', '', 5, null, ' COD'] },
    cod_collectible: numberField({ type: 'number', exclusiveMinimum: 0, maximum: 10_000_000_000 }),
    shipping_is_billing: { good: [true], bad: ['false', 0, null] },
    billing_country: { ...blankless({ good: ['India', 'IN', ' ind '], bad: [5, null] }) },
    shipping_country: { ...blankless({ good: ['INDIA'], bad: [5, null] }) },
    billing_email: { ...blankless({ good: ['asha@example.com'], bad: [5, null] }) },
    shipping_email: { ...blankless({ good: ['asha@example.com'], bad: [5, null] }) },
    order_id: { ...idField(100), good: [long(100), ' AB-1 '] },
    rto_warehouse_id: idField(200),
    channel_id: idField(200),
    sub_total: {
      ...numberField({ type: 'number', minimum: 0, maximum: 10_000_000_000 }),
      good: [1499, '1499.00', 10_000_000_000],
    },
    order_date: {
      good: ['2025-11-21 16:30', '2024-02-29 00:00'],
      bad: ['2025-11-21', '2025-11-21T16:30', '21-11-2025 16:30', '2025-13-01 10:00', '2025-11-21 24:00', '', 5, null],
      beyond: ['2025-02-30 10:00'],
    },
    store_name: { ...idField(200), good: [] },
    carrier_id: { ...idField(200), good: ['CAR4PEEPAL8T1', ' CAR4PEEPAL8T1 '] },
    warehouse_id: { ...idField(200), good: ['WHMUM1', ' WHMUM1 '] },
    order_items: { good: [], bad: [[], {}, 'x', null, [{}], ['x']] },
    tags: {
      good: [[], ['gift', 'vip']],
      bad: ['gift', [''], [' '], ['\u0000'], [5], Array.from({ length: 101 }, () => 'x'), null],
    },
    vendor_details: {
      good: [{}, { any: [1, { thing: null }] }],
      bad: [[], 'x', 5, null],
      beyond: [{ a: 'x\u0007' }, { 'a\u0000': 1 }, { a: 'é'.repeat(4100) }],
    },
    weight: { good: [0.5, '0.5', 1], bad: [0, '0', 10_001, '', '1e1', null, {}] },
  }
  const sides = ['length', 'breadth', 'height']

  test.each(Object.keys(properties))('takes and refuses %s as the document says', async (field) => {
    const pincode = { good: ['560001', '560 001'], bad: ['56001', '', 560001, null], beyond: ['999999'] }
    const phone = {
      good: ['9876543221', '+91 98765-43221', '0091 98765 43221', '09876543221', '919876543221'],
      bad: ['12345', '5876543221', '98765432211', '', 9_876_543_221, null],
    }
    const texts = blankless(valueField(properties[field]!))
    const found: Field =
      special[field] ??
      (field.endsWith('_pincode')
        ? pincode
        : field.endsWith('_phone')
          ? phone
          : made[field]!['type'] === 'string'
            ? texts
            : valueField(made[field]!))
    // No courier takes what is as large as a house, or as dear.
    const limited = field === 'cod_collectible' || (name === 'orchestrateForwardOrder' && sides.includes(field))
    const good = limited ? [20, '15.5'] : found.good
    for (const value of good)
      await taken(name, {
        ...goodBody(name),
        [field]: field === 'order_id' ? `${String(value).slice(0, -6)}${100_000 + ++orders}` : value,
      })
    for (const value of found.bad) await refused(name, { ...goodBody(name), [field]: value })
    for (const value of found.beyond ?? []) await refused(name, { ...goodBody(name), [field]: value }, false)
    if (required.includes(field)) await refused(name, { ...goodBody(name), [field]: undefined })
    await refused(name, { ...goodBody(name), [`${field}_`]: 'x' })
  })

  test('takes and refuses items as the document says', async () => {
    const item = { name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 749.5 }
    const fields: Readonly<Record<string, Field>> = {
      name: { good: [long(500)], bad: ['', '  ', 5, long(501)] },
      sku: idField(200),
      units: numberField({ type: 'integer', minimum: 1, maximum: 100_000 }),
      selling_price: numberField({ type: 'number', minimum: 0, maximum: 10_000_000_000 }),
      discount: { good: [0, '1.5'], bad: [-1, '', null] },
      tax: { good: [0, '1.5'], bad: [-1, '', null] },
      hsn: { good: ['6111', long(20)], bad: ['', long(21), 6111] },
    }
    for (const [field, { good, bad, beyond = [] }] of Object.entries(fields)) {
      for (const value of good) await taken(name, { ...goodBody(name), order_items: [{ ...item, [field]: value }] })
      for (const value of bad)
        await refused(name, { ...goodBody(name), order_items: [item, { ...item, [field]: value }] })
      for (const value of beyond)
        await refused(name, { ...goodBody(name), order_items: [item, { ...item, [field]: value }] }, false)
    }
    await refused(name, { ...goodBody(name), order_items: [{ ...item, colour: 'red' }] })
    await refused(name, { ...goodBody(name), order_items: Array.from({ length: 101 }, () => item) })
  })

  test('holds the rules between fields', async () => {
    const good = (): Json => goodBody(name)
    const delivery = {
      shipping_is_billing: false,
      shipping_customer_name: 'Ravi',
      shipping_address: '1 Park Street',
      shipping_city: 'Kolkata',
      shipping_pincode: '700016',
      shipping_state: 'West Bengal',
      shipping_country: 'India',
      shipping_phone: '9876543221',
    }
    await refused(name, { ...good(), cod_collectible: undefined })
    await refused(name, { ...good(), cod_collectible: 0 })
    await refused(name, { ...good(), payment_method: 'prepaid' })
    for (const cod_collectible of [undefined, 0, '0', '0.00'])
      await taken(name, { ...good(), payment_method: 'prepaid', cod_collectible })
    await taken(name, { ...good(), ...delivery })
    for (const field of Object.keys(delivery).slice(1))
      await refused(name, { ...good(), ...delivery, [field]: undefined })
  })

  test('refuses with 422 what is sound and cannot be done', async () => {
    const body = goodBody(name)
    await taken(name, body)
    expect((await ask(name, { body })).statusCode).toBe(422)
    expect((await ask(name, { body: { ...goodBody(name), store_name: 'nobody' } })).statusCode).toBe(422)
    const warehouse = await ask(name, { body: { ...goodBody(name), warehouse_id: 'WHNONE' } })
    expect(warehouse.statusCode).toBe(422)
  })

  test('gives the first answer again for an idempotency key, and refuses the key with another body', async () => {
    const headers = { 'idempotency-key': `${name}-1` }
    const body = goodBody(name)
    const [first, again] = [await ask(name, { body, headers }), await ask(name, { body, headers })]
    expect([first.statusCode, again.statusCode, again.body]).toEqual([200, 200, first.body])
    expect([first.headers[wireHeaders.replayed], again.headers[wireHeaders.replayed]]).toEqual([undefined, 'true'])
    expect((await ask(name, { body: goodBody(name), headers })).statusCode).toBe(422)
    const pattern = '#/components/parameters/IdempotencyKey/schema'
    for (const [value, status] of [
      [name.padEnd(255, '.'), 200],
      [name.padEnd(256, '.'), 400],
      ['a b', 400],
    ] as const) {
      expect(fault(pattern, value) === undefined).toBe(status === 200)
      expect((await ask(name, { body: goodBody(name), headers: { 'idempotency-key': value } })).statusCode).toBe(status)
    }
  })
})

const form = (fields: Readonly<Record<string, string | Buffer>>): { readonly payload: Buffer; readonly headers: Readonly<Record<string, string>> } => {
  const parts = Object.entries(fields).flatMap(([field, value]) => [
    Buffer.from(`--edge\r\ncontent-disposition: form-data; name="${field}"${typeof value === 'string' ? '' : '; filename="logo.png"\r\ncontent-type: image/png'}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
  return {
    payload: Buffer.concat([...parts, Buffer.from('--edge--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  }
} // prettier-ignore

describe('stores', () => {
  const create = async (): Promise<string> =>
    ((await taken('createStore', goodBody('createStore'))).json() as { readonly data: { readonly id: string } }).data.id
  let id: string
  beforeAll(async () => {
    id = await create()
  })

  test('are listed and shown as described, with a brand and without', async () => {
    await taken('createStore', { store_name: 'no-brand' })
    const { data } = (await ask('listStores')).json() as { readonly data: readonly { readonly id: string }[] }
    expect(data.length).toBeGreaterThan(4)
    for (const store of data) expect((await ask('getStore', { path: { id: store.id } })).statusCode).toBe(200)
  })

  test('take and refuse names, brands and logos as the document says', async () => {
    const names: Field = { good: [long(100), 'A-1'], bad: ['', 'a b', 'a_b', 'é', long(101), 5, null, {}] }
    const brands: Field = {
      good: ['', null, ' Acme & Söhne ', 'अ'.repeat(100)],
      bad: [long(101), 5, 'a\nb', '   ', '\u202eemcA', 'a\u2066b', {}],
    }
    for (const store_name of names.good) await taken('createStore', { store_name })
    for (const store_name of names.bad) {
      await refused('createStore', { store_name })
      await refused('updateStore', { store_name }, true, { id })
    }
    for (const brand_name of brands.good) {
      await taken('createStore', { ...goodBody('createStore'), brand_name })
      await taken('updateStore', { brand_name }, { id })
    }
    for (const brand_name of brands.bad) {
      await refused('createStore', { ...goodBody('createStore'), brand_name })
      await refused('updateStore', { brand_name }, true, { id })
    }
    await taken('updateStore', { logo: null }, { id })
    await taken('updateStore', {}, { id })
    for (const logo of ['', 'logo.png', {}, 5, []]) await refused('updateStore', { logo }, true, { id })
    for (const field of ['id', 'channel', 'status', 'Brand_name', '__proto__x'])
      await refused('updateStore', { [field]: 'x' }, true, { id })
    await refused('createStore', {})
    await refused('createStore', { ...goodBody('createStore'), status: 'connected' })
  })

  test('take a form with a logo, which can then be seen, and refuse what is none', async () => {
    const schema = bodyAt('createStore', 'multipart/form-data')
    expect(fault(schema, { store_name: 'with-logo', brand_name: 'Logo', logo: 'bytes' })).toBe(undefined)
    expect(fault(schema, { brand_name: 'Logo' })).not.toBe(undefined)
    const made = await ask('createStore', form({ store_name: 'with-logo', brand_name: 'Logo', logo: png() }))
    expect(made.statusCode).toBe(201)
    const { data } = made.json() as { readonly data: { readonly id: string; readonly logo_url: string } }
    expect((await ask('updateStore', { ...form({ logo: png(9, 9) }), path: { id: data.id } })).statusCode).toBe(200)
    const logo = await app.inject({ url: data.logo_url, headers: { authorization: key } })
    expect([logo.statusCode, logo.rawPayload.equals(png(9, 9))]).toEqual([200, true])
    documented(`#/paths/${escape(`${basePath}/client-stores/{id}/logo`)}/get/responses/200`, logo)
    const none = await app.inject({ url: `${basePath}/client-stores/${id}/logo`, headers: { authorization: key } })
    documented(`#/paths/${escape(`${basePath}/client-stores/{id}/logo`)}/get/responses/${none.statusCode}`, none)
    expect(none.statusCode).toBe(404)
    const statuses = [
      await ask('createStore', form({ store_name: 'large-logo', logo: pngOfBytes(2_097_153) })),
      await ask('createStore', form({ store_name: 'text-logo', logo: Buffer.from('hello') })),
      await ask('createStore', form({ store_name: 'a b' })),
      await ask('createStore', form({ store_name: 'a-b', colour: 'red' })),
      await ask('createStore', form({ logo: png() })),
    ].map((response) => response.statusCode)
    expect(statuses).toEqual([413, 415, 400, 400, 400])
  })

  test('refuse a name that is taken, unknown stores, and a key with another body', async () => {
    const body = goodBody('createStore')
    const headers = { 'idempotency-key': 'store-1' }
    const first = await ask('createStore', { body, headers })
    expect([first.statusCode, (await ask('createStore', { body, headers })).headers[wireHeaders.replayed]]).toEqual([
      201,
      'true',
    ])
    expect((await ask('createStore', { body })).statusCode).toBe(422)
    expect((await ask('createStore', { body: goodBody('createStore'), headers })).statusCode).toBe(422)
    expect((await ask('updateStore', { body, path: { id } })).statusCode).toBe(422)
    for (const name of ['getStore', 'updateStore'] as const)
      expect((await ask(name, { path: { id: 'nope' }, ...(name === 'getStore' ? {} : { body: {} }) })).statusCode).toBe(
        404,
      )
  })
})

describe('refusals that every endpoint has', () => {
  const bodyFor = (name: Name): Asked => (contract[name].method === 'GET' ? {} : { body: goodBody(name) })
  const path = { id: 'x' }

  test.each(names)('%s without a good key is 401, and with a bare one it is not', async (name) => {
    for (const authorization of ['', 'Bearer', 'Bearer nonsense', key.slice(0, -1), `Basic ${key}`])
      expect((await ask(name, { ...bodyFor(name), path, headers: { authorization } })).statusCode).toBe(401)
    for (const authorization of [key, `bearer ${key}`])
      expect((await ask(name, { ...bodyFor(name), path, headers: { authorization } })).statusCode).not.toBe(401)
  })

  test.each(names.filter((name) => !contract[name].reads))('%s with a key that may only read is 403', async (name) => {
    expect((await ask(name, { ...bodyFor(name), path, headers: { authorization: readOnlyKey } })).statusCode).toBe(403)
  })

  test.each(names)('%s with a parameter in the query string is 400', async (name) => {
    expect((await ask(name, { ...bodyFor(name), path, query: '?colour=red' })).statusCode).toBe(400)
  })

  test.each(names.filter((name) => contract[name].method !== 'GET'))(
    '%s: other types are 415, large bodies 413, deep ones 400',
    async (name) => {
      const send = async (payload: string, type = 'application/json'): Promise<number> =>
        (await ask(name, { payload, path, headers: { 'content-type': type } })).statusCode
      expect(await send('a=b', 'application/x-www-form-urlencoded')).toBe(415)
      expect(await send('{}', 'text/plain')).toBe(415)
      expect(await send(JSON.stringify({ search: long(1_100_000) }))).toBe(413)
      expect(await send(`${'['.repeat(40)}${']'.repeat(40)}`)).toBe(400)
    },
  )

  test.each(names)('the path of %s with another method is 405, and it says which it takes', async (name) => {
    const url = basePath + contract[name].path.replace(':id', 'x')
    const response = await app.inject({ method: 'DELETE', url, headers: { authorization: key } })
    expect(response.statusCode).toBe(405)
    documented('#/components/responses/MethodNotAllowed', response)
    expect(response.headers['allow']).toContain(contract[name].method)
  })

  test('a path of another version is 404', async () => {
    const response = await app.inject({ url: '/custom/api/v2/client-stores', headers: { authorization: key } })
    expect(response.statusCode).toBe(404)
    documented('#/components/responses/NotFound', response)
  })

  test.each(names)('%s: too many requests are 429 with Retry-After', async (name) => {
    const slow = await serviceOn(engine.database, 1)
    const last = await ask(name, { ...bodyFor(name), path, of: slow }).then(async () => {
      await ask(name, { ...bodyFor(name), path, of: slow })
      return ask(name, { ...bodyFor(name), path, of: slow })
    })
    expect([last.statusCode, last.headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)])
    await slow.close()
  })

  test.each([
    [500, new Error('/secret/path')],
    [503, new ShipxError('database_locked', '/secret/path is held')],
  ])('a database that fails is %i, and tells nothing of itself', async (status, failure) => {
    const broken = await serviceOn({
      ...engine.database,
      read: () => Promise.reject(failure),
      write: () => Promise.reject(failure),
    })
    for (const name of names) {
      const response = await ask(name, { ...bodyFor(name), path, of: broken })
      expect([response.statusCode, response.body.includes('secret')]).toEqual([status, false])
    }
    const ready = await broken.inject({ url: '/ready' })
    documented(`#/paths/~1ready/get/responses/${status}`, ready)
    await broken.close()
  })

  test('the service lives and is ready without a key', async () => {
    for (const url of ['/live', '/ready']) {
      const response = await app.inject({ url })
      expect(response.statusCode).toBe(200)
      documented(`#/paths/${escape(url)}/get/responses/200`, response)
    }
  })
})

describe('the page', () => {
  const files = ['/docs', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/openapi.json']

  test.each(files)('%s needs no key, is not guessed at, and is asked for again each time', async (url) => {
    const response = await app.inject({ url })
    expect(response.statusCode).toBe(200)
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    expect(response.headers['cache-control']).toBe('no-cache')
    const again = await app.inject({ url, headers: { 'if-none-match': String(response.headers['etag']) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('has fixed types, and the document is the one that was checked here', async () => {
    const types = await Promise.all(files.map(async (url) => (await app.inject({ url })).headers['content-type']))
    expect(types).toEqual(
      ['text/html', 'text/javascript', 'text/css', 'text/javascript', 'application/json'].map(
        (type) => `${type}; charset=utf-8`,
      ),
    )
    expect((await app.inject({ url: '/openapi.json' })).json()).toEqual(JSON.parse(JSON.stringify(document)))
    const css = await app.inject({ url: '/docs/swagger-ui.css' })
    expect(css.rawPayload.equals(readFileSync(join(assets, 'swagger-ui.css')))).toBe(true)
  })

  test('asks nobody but this service, and runs no script that is not a file', async () => {
    const [page, start] = [await app.inject({ url: '/docs' }), await app.inject({ url: '/docs/start.js' })]
    for (const { body } of [page, start]) expect(body).not.toMatch(/\/\/[a-z0-9-]+\.|https?:/i)
    const wanted = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1])
    expect(wanted).toEqual([
      'data:,',
      '/docs/swagger-ui.css',
      '/openapi.json',
      '/docs/swagger-ui-bundle.js',
      '/docs/start.js',
    ])
    expect(page.body).not.toMatch(/<script>|<script(?![^>]*src=)|\son[a-z]+=|<style|style=/)
    expect(start.body).toContain('validatorUrl: null')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/)
    expect(JSON.stringify(document)).not.toMatch(/https?:\/\//)
  })

  test('says so when the build has no page', async () => {
    const bare = await serviceApp({
      database: engine.database,
      host: engine.host,
      version: '1',
      assets: join(assets, 'none'),
      rateLimit: 0,
      log: () => undefined,
    })
    const response = await bare.inject({ url: '/docs/swagger-ui.css' })
    expect([response.statusCode, response.json()]).toMatchObject([404, { status: 'ERROR' }])
    await bare.close()
  })
})
