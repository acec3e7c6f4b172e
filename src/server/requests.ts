// Requests as JSON Schema for the API description: what the contract's schemas show, decimal strings, lists and other
// spellings, and the rules between fields.
import * as z from 'zod/mini'
import type { Endpoint } from '../domain/contract.ts'
import { shippingFields } from '../domain/orders.ts'
import { pageAliases } from '../domain/page.ts'
import { maxListed } from '../domain/rawvalue.ts'
import type { JsonSchema as Schema } from '../domain/recordfields.ts'
import { maxLogoBytes, maxLogoSide } from '../domain/stores.ts'

type Properties = Readonly<Record<string, Schema>>

/** The body of an endpoint as JSON Schema: what the service really accepts. Path parameters are not in it. */
export function requestSchema({ input, path, body = '' }: Endpoint): Schema & { readonly properties: Properties } {
  const made = z.toJSONSchema(input(), { io: 'input', unrepresentable: 'any' })
  const inBody = (key: string): boolean => !path.split('/').includes(`:${key}`)
  const fields = Object.entries(made.properties as Properties).filter(([key]) => inBody(key))
  const required = (made.required ?? []).filter(inBody)
  return {
    type: 'object',
    properties: fieldsOf(fields),
    ...(required.length === 0 ? {} : { required }),
    ...otherNames(body, fields),
    additionalProperties: false,
    ...rulesOf[body],
  }
}

/** A store as a form: text fields with examples, and the logo as a file. */
export function formSchema(row: Endpoint): Schema {
  const { properties, required } = requestSchema(row)
  const { store_name, brand_name } = properties
  const logo = {
    type: 'string',
    format: 'binary',
    description:
      `PNG, JPEG or WebP, recognised by its bytes; at most 2 MB (${maxLogoBytes} bytes) ` +
      `and ${maxLogoSide} x ${maxLogoSide} pixels`,
  }
  return {
    type: 'object',
    properties: {
      store_name: { ...store_name, examples: ['acme-toys'] },
      brand_name: { ...brand_name, type: 'string', examples: ['Acme Toys'] },
      logo,
    },
    ...(required === undefined ? {} : { required }),
    additionalProperties: false,
  }
}

/* ---- Fields ---- */

const fieldsOf = (fields: Iterable<readonly [string, Schema]>): Properties =>
  Object.fromEntries([...fields].map(([key, field]) => [key, fieldOf(field)]))

/** A field as requests may have it, with its sentences in front (`documented`). */
function fieldOf({ description, note, ...schema }: Schema): Schema {
  const sentences = [description, note].filter((part) => part !== undefined).join('. ')
  return { ...(sentences === '' ? {} : { description: `${sentences}.` }), ...formOf(schema) }
}

function formOf({ form, several, ...schema }: Schema): Schema {
  const { type, items, properties } = schema
  if (form !== undefined) return form as Schema
  if (several === true) return severalOf(fieldOf(items as Schema))
  if (type === 'array') return { ...schema, items: formOf(items as Schema) }
  if (properties !== undefined) return { ...schema, properties: fieldsOf(Object.entries(properties as Properties)) }
  if (type === 'number' || type === 'integer') return numberOf(schema)
  const unchecked = type === 'string' && schema['enum'] === undefined && schema['pattern'] === undefined
  return unchecked ? { ...schema, pattern: '^\\P{Cc}*$' } : schema
}

/** A list, or one value that stands for a list of one. */
const severalOf = (item: Schema): Schema => ({ anyOf: [{ type: 'array', items: item, maxItems: maxListed }, item] })

/** A number, or the same as a plain decimal string: no exponent, nothing empty. */
const numberOf = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'string', pattern: decimalPattern(schema) }] })

/** The decimal strings that stand for a number between 0 or 1 and a power of ten; without such bounds, any of them. */
function decimalPattern(schema: Schema): string {
  const most = (schema['maximum'] ?? schema['exclusiveMaximum']) as number | undefined
  const least = (schema['exclusiveMinimum'] ?? schema['minimum']) as number | undefined
  const zeros = Math.round(Math.log10(most ?? 1))
  const fraction = schema['type'] === 'integer' ? '(?:\\.0{1,12})?' : '(?:\\.[0-9]{1,12})?'
  if (most === undefined || most > 1e15 || most !== 10 ** zeros) return `^-?[0-9]{1,15}${fraction}$`
  const some = schema['exclusiveMinimum'] === 0 || least === 1 ? '(?=.*[1-9])' : ''
  const top = schema['maximum'] === undefined ? '' : `|1${'0'.repeat(zeros)}(?:\\.0{1,12})?`
  return `^${some}(?:[0-9]{1,${zeros}}${fraction}${top})$`
}

/* ---- Between fields ---- */

/**
 * In a listing, names of array parameters may end in `[]`, and those of pages have others; then the first name must be
 * absent.
 */
function otherNames(body: string, fields: readonly (readonly [string, Schema])[]): Schema {
  const lists = fields.filter(([, { several }]) => several === true)
  if (lists.length === 0) return {}
  const others = [...lists.map(([key]) => [`${key}[]`, key] as const), ...Object.entries(pageAliases)]
  return {
    patternProperties: Object.fromEntries(
      others.map(([other, key]) => [
        `^${other.replaceAll(/[[\]]/g, '\\$&')}$`,
        { $ref: `#/components/schemas/${body}/properties/${key}` },
      ]),
    ),
    not: { anyOf: others.map(([other, key]) => ({ required: [key, other] })) },
    allOf: [
      ifThen(
        { anyOf: [{ required: ['search_after'] }, { required: ['next_search_after'] }] },
        { properties: { page: { enum: [1, '1'] }, 'page[number]': { enum: [1, '1'] } } },
      ),
    ],
  }
}

/** What must hold where a condition holds. */
const ifThen = (condition: Schema, consequence: Schema): Schema => ({ anyOf: [{ not: condition }, consequence] })

const is = (key: string, schema: Schema): Schema => ({ properties: { [key]: schema }, required: [key] })
const above0 = numberOf({ type: 'number', exclusiveMinimum: 0, maximum: 10_000_000_000 })
const zero: Schema = { anyOf: [{ const: 0 }, { type: 'string', pattern: '^0(?:\\.0+)?$' }] }
const cod = is('payment_method', { type: 'string', pattern: '^[Cc][Oo][Dd]$' })
const prepaid = is('payment_method', { type: 'string', pattern: '^[Pp][Rr][Ee][Pp][Aa][Ii][Dd]$' })
const forward = is('journey_type', { const: 'forward' })

/** The rules between fields, where JSON Schema can say them; in words they are in the descriptions of the endpoints. */
const rulesOf: Readonly<Record<string, Schema>> = {
  RateRequest: {
    allOf: [
      ifThen(forward, is('payment_method', { enum: ['cod', 'prepaid'] })),
      ifThen({ allOf: [forward, is('payment_method', { const: 'cod' })] }, is('shipment_value', above0)),
    ],
  },
  OrderCreate: {
    allOf: [
      ifThen(cod, is('cod_collectible', above0)),
      ifThen(prepaid, { properties: { cod_collectible: zero } }),
      ifThen(is('shipping_is_billing', { const: false }), { required: shippingFields }),
    ],
  },
}
