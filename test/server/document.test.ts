// The API description: valid OpenAPI that says what the contract says, with examples that the service takes, and its
// page. Packages that are not ours judge it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { contract, type Name } from '../../src/domain/contract.ts'
import { OrderAnswer } from '../../src/domain/orders.ts'
import { RateAnswer } from '../../src/domain/rates/rates.ts'
import { Return } from '../../src/domain/parcels/returns.ts'
import { Shipment } from '../../src/domain/parcels/shipments.ts'
import { Store } from '../../src/domain/stores.ts'
import { headers as wireHeaders } from '../../src/domain/wire.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { returned, shipment } from '../../src/server/examples.ts'
import { openEngine } from '../support/engine.ts'
import {
  document,
  names,
  escape,
  at,
  follow,
  operationAt,
  everyPart,
  fault,
  bodyAt,
  requestFault,
  withFormats,
  type Json,
} from './apidocument.ts'
import { listingFilters } from './fieldvalues.ts'
import { assets, describedService } from './describedservice.ts'

const service = describedService()

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
    withFormats(strict)
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

  test.each(Object.entries(listingFilters))(
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
      const response = await service.taken(name, example.request!)
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

  test('a service that holds the records of the listings answers exactly what their examples say', async () => {
    const engine = await openEngine()
    await engine.save('shipment', [shipment])
    await engine.save('return', [returned])
    for (const name of Object.keys(listingFilters) as (keyof typeof listingFilters)[])
      for (const { request, answer } of Object.values(endpoints[name].examples)) {
        const { records, meta } = await engine.service[name](parseInput(name, request) as never)
        expect({ data: records.map((text) => JSON.parse(text) as unknown), meta }).toEqual(answer)
      }
    await engine.close()
  })

  test('the refusals fit the error body and their statuses', () => {
    for (const [name, example] of Object.entries(
      (document['components'] as Readonly<Record<string, Json>>)['examples']!,
    ))
      // prettier-ignore
      expect(fault('#/components/schemas/Error', (example as Json)['value']), name).toBe(undefined)
  })
})

describe('the page', () => {
  const files = ['/docs', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/openapi.json']

  test.each(files)('%s needs no key, is not guessed at, and is asked for again each time', async (url) => {
    const response = await service.app.inject({ url })
    expect(response.statusCode).toBe(200)
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    expect(response.headers['cache-control']).toBe('no-cache')
    const again = await service.app.inject({ url, headers: { 'if-none-match': String(response.headers['etag']) } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('has fixed types, and the document is the one that was checked here', async () => {
    const types = await Promise.all(
      files.map(async (url) => (await service.app.inject({ url })).headers['content-type']),
    )
    expect(types).toEqual(
      ['text/html', 'text/javascript', 'text/css', 'text/javascript', 'application/json'].map(
        (type) => `${type}; charset=utf-8`,
      ),
    )
    expect((await service.app.inject({ url: '/openapi.json' })).json()).toEqual(JSON.parse(JSON.stringify(document)))
    const css = await service.app.inject({ url: '/docs/swagger-ui.css' })
    expect(css.rawPayload.equals(readFileSync(join(assets, 'swagger-ui.css')))).toBe(true)
  })

  test('asks nobody but this service, and runs no script that is not a file', async () => {
    const [page, start] = [
      await service.app.inject({ url: '/docs' }),
      await service.app.inject({ url: '/docs/start.js' }),
    ]
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
    const bare = await service.on(service.engine.database, {
      asset: (name) => readFileSync(join(assets, 'none', name)),
    })
    const response = await bare.inject({ url: '/docs/swagger-ui.css' })
    expect([response.statusCode, response.json()]).toMatchObject([404, { status: 'ERROR' }])
    await bare.close()
  })
})
