// Flags from the contract's fields, and flags that several commands share.
import * as z from 'zod/mini'
import { contract, basePath, type Name } from '../../../domain/contract.ts'
import type { Filter } from '../../../domain/filters.ts'
import type { Flag, FlagKind } from '../../command/tree.ts'

const flagName = (key: string): string => key.replace(/_+/g, '-')

interface Property {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: Property
  readonly description?: string
}

/** The properties of an endpoint's input as JSON Schema: the only source of flags. */
export function propertiesOf(name: Name): Readonly<Record<string, Property>> {
  const schema = z.toJSONSchema(contract[name].input(), { io: 'input', unrepresentable: 'any' })
  return schema.properties as Readonly<Record<string, Property>>
}

const kindOf = (property: Property): FlagKind =>
  property.type === 'array'
    ? 'list'
    : property.type === 'boolean'
      ? 'boolean'
      : property.type === 'number' || property.type === 'integer'
        ? 'number'
        : 'text'

/** A flag for a field of an endpoint, under the API's own name with dashes. */
export function fieldFlag(name: Name, key: string, group: string, over: Partial<Flag> = {}): Flag {
  const property = propertiesOf(name)[key]
  if (property === undefined) throw new Error(`${name} has no field ${key}`)
  const choices = property.enum ?? property.items?.enum
  const kind = kindOf(property)
  return {
    name: flagName(key),
    kind,
    ...(kind === 'boolean' ? {} : { value: kind === 'list' ? `<${singular(key)},…>` : `<${valueName(key, kind)}>` }),
    help: property.description ?? key,
    group,
    key,
    ...(choices === undefined ? {} : { choices }),
    ...over,
  }
}

const singular = (key: string): string =>
  flagName(key)
    .split('-')
    .at(-1)!
    .replace(/(?<!u)s$/, '')
const valueName = (key: string, kind: FlagKind): string =>
  kind === 'number' ? 'n' : (flagName(key).split('-').at(-1) ?? key)

/** Every filter of a listing as a flag, in the order of its table. */
export function filterFlags(
  name: 'listShipments' | 'listReturns',
  filters: Readonly<Record<string, Filter>>,
): readonly Flag[] {
  return Object.keys(filters).map((key) => fieldFlag(name, key, 'Filters'))
}

/** Short forms that users expect (docs/terminal.md). */
export const between: readonly Flag[] = [
  {
    name: 'since',
    kind: 'text',
    value: '<when>',
    help: 'From: 7d, 12h, today, 2026-09-01, or an ISO 8601 time',
    group: 'Filters',
  },
  {
    name: 'until',
    kind: 'text',
    value: '<when>',
    help: 'Until, inclusive; a date means its whole day in IST',
    group: 'Filters',
  },
]

export const sorting = (name: 'listShipments' | 'listReturns'): readonly Flag[] => [
  fieldFlag(name, 'sort_order', 'Order and pages', { default: 'desc' }),
]

export const paging: readonly Flag[] = [
  {
    name: 'limit',
    kind: 'text',
    value: '<n|all>',
    help: 'Show at most this many records',
    group: 'Order and pages',
    default: '20',
    excludes: ['page', 'per-page', 'all'],
  },
  {
    name: 'all',
    kind: 'switch',
    help: 'Show everything, as it arrives',
    group: 'Order and pages',
    excludes: ['page', 'per-page'],
  },
  {
    name: 'page',
    kind: 'number',
    value: '<n>',
    help: 'Show one page of the API, by its number',
    group: 'Order and pages',
    key: 'page',
  },
  {
    name: 'per-page',
    kind: 'number',
    value: '<n>',
    help: 'Records on that page, at most 100',
    group: 'Order and pages',
    key: 'per_page',
    default: '20',
  },
]

export const dryRun: Flag = {
  name: 'dry-run',
  kind: 'switch',
  help: 'Check everything, change nothing, and show what would happen',
  group: 'Safety',
}

/** The flags of every import from a file. */
// prettier-ignore
export const bulkFlags: readonly Flag[] = [
  { name: 'map', kind: 'repeated', value: '<header=column>', help: 'A header of the file, and the column that it is; repeat the flag for more', group: 'File' },
  { name: 'template', kind: 'switch', help: 'Print a sample file instead', group: 'File' },
  { name: 'on-conflict', kind: 'text', value: '<rule>', choices: ['fail', 'skip', 'update'], help: 'What to do with a record that exists and differs', group: 'File', default: 'fail' },
  { name: 'concurrency', kind: 'number', value: '<n>', help: 'Requests to a deployment at the same time', group: 'Pace', default: '4' },
  { name: 'max-rps', kind: 'number', value: '<n>', help: 'At most this many requests a second to a deployment', group: 'Pace' },
  dryRun,
  { name: 'force', kind: 'switch', help: 'Replace an existing file of failed rows', group: 'Safety' },
]

/** The exit codes of every import from a file. */
export const bulkExits =
  '0 done · 2 the file or the command line is wrong, nothing was sent · 4 refused · ' +
  '6 the service is away · 7 some rows failed · 8 it needs a yes · 130 interrupted'

export const idempotencyKey: Flag = {
  name: 'idempotency-key',
  kind: 'text',
  value: '<key>',
  help: 'Do it once for this key, however often you send it',
  group: 'Safety',
}

export const api = (name: Name): string => `${contract[name].method} ${basePath}${contract[name].path}`

export const read = '0 done, also when nothing matches · 2 bad input'
export const write = '0 done · 2 bad input, nothing was changed · 3 not found · 5 refused · 6 database busy'

/** For commands that work only on the engine's own database. */
export const local = { local: true as const }
