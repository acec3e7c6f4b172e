// The API description as tests read it: what a pointer leads to, and what is wrong with a body or an answer by its
// schemas.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { LightMyRequestResponse } from 'fastify'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { basePath, contract, type Name } from '../../src/domain/contract.ts'
import { headers as wireHeaders } from '../../src/domain/wire.ts'
import { openApi } from '../../src/server/openapi.ts'

export type Json = Readonly<Record<string, unknown>>

/** The document that `shipx serve` shows. */
export const document = openApi({ version: '1.2.3' }) as Json

/** Every endpoint. */
export const names = Object.keys(contract) as Name[]

/** A key as it stands in a pointer. */
export const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

const unescape = (key: string): string => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')

/** What a pointer (`#/components/…`) leads to; throws when it leads nowhere. */
export function at(pointer: string): unknown {
  let found: unknown = document
  for (const key of pointer.split('/').slice(1).map(unescape)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key))
      throw new Error(`${pointer} leads nowhere`)
    found = (found as Json)[key]
  }
  return found
}

/** The same, through a `$ref`; with the pointer that it ends at. */
export function follow(pointer: string): readonly [pointer: string, found: Json] {
  const found = at(pointer) as Json
  const ref = found['$ref']
  return typeof ref === 'string' ? follow(ref) : [pointer, found]
}

const pathOf = (name: Name): string => basePath + contract[name].path.replace(':id', '{id}')

/** The pointer of an endpoint. */
export const operationAt = (name: Name): string =>
  `#/paths/${escape(pathOf(name))}/${contract[name].method.toLowerCase()}`

/** Visits every object of a value, the outer one first. */
export function everyPart(value: unknown, visit: (part: Json) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Json)
  for (const inner of Object.values(value)) everyPart(inner, visit)
}

/** Teaches the formats of JSON Schema (`date-time`, `uri`); the package's types do not fit its export. */
export const withFormats = addFormats as unknown as (ajv: Ajv2020) => void

// Strict is off because the document as a whole is no schema.
const ajv = new Ajv2020({ strict: false, allErrors: true })
withFormats(ajv)
ajv.addSchema(document, 'document')

const compiled = new Map<string, ValidateFunction>()

/** What is wrong with a value by the schema at a pointer; undefined when nothing is. */
export function fault(pointer: string, value: unknown): string | undefined {
  let check = compiled.get(pointer)
  if (check === undefined) compiled.set(pointer, (check = ajv.compile({ $ref: `document${pointer}` })))
  return check(value) ? undefined : ajv.errorsText(check.errors, { separator: '\n' })
}

/** The pointer of the schema of an endpoint's request. */
export const bodyAt = (name: Name, type = 'application/json'): string =>
  `${operationAt(name)}/requestBody/content/${escape(type)}/schema`

/** What is wrong with a request body by the document. */
export const requestFault = (name: Name, body: unknown): string | undefined => fault(bodyAt(name), body)

/** Holds an answer against the response that a pointer leads to: its body, its type, its headers. */
export function documented(pointer: string, response: LightMyRequestResponse): void {
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
  const said = new Map(Object.keys(described['headers'] as Json).map((header) => [header.toLowerCase(), header]))
  const own: readonly string[] = [...Object.values(wireHeaders), 'retry-after', 'www-authenticate', 'allow']
  const sent = Object.keys(response.headers).filter((header) => own.includes(header))
  const unsaid = sent.filter((header) => !said.has(header))
  expect(unsaid, `headers of ${pointer}`).toEqual([])
  for (const [header, written] of said) {
    const [where] = follow(`${place}/headers/${escape(written)}`)
    const value = response.headers[header]
    if (value !== undefined) expect(fault(`${where}/schema`, value), `${header} of ${pointer}`).toBe(undefined)
  }
  expect(sent).toEqual(expect.arrayContaining([wireHeaders.requestId, wireHeaders.capabilities]))
}
