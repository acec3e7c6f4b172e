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

/** The API's own names of filters that have a shorter word. */
const wordy: ReadonlySet<string> = new Set([
  'statuses',
  'carrier_id',
  'carrier_ids',
  'warehouse_id',
  'warehouse_ids',
  'store_name',
  'order_display_id',
  'is_cod',
])

/** The flags of a filter where they are other than its name and its values say. */
const ownFlags: Readonly<Record<string, (flag: Flag, filters: Readonly<Record<string, Filter>>) => readonly Flag[]>> = {
  // Several statuses are another field: the listing reads this flag itself.
  status: (flag, { statuses }) => [{ ...flag, kind: 'list', value: '<status,…>', help: statuses!.help }],
  tracking_number: (flag) => [
    { ...flag, name: 'awb', value: '<awb,…>' },
    { ...flag, hidden: true },
  ],
  // There are too many states for a help page, and a shell would split their names at blanks.
  state: ({ choices = [], ...flag }) => [{ ...flag, offers: choices.map((name) => name.replaceAll(' ', '-')) }],
}

/** Every filter of a listing as a flag, in the order of its table. */
function filterFlags(
  name: 'listShipments' | 'listReturns',
  filters: Readonly<Record<string, Filter>>,
): readonly Flag[] {
  return Object.keys(filters).flatMap((key) => {
    const flag = fieldFlag(name, key, 'Filters', wordy.has(key) ? { hidden: true } : {})
    return ownFlags[key]?.(flag, filters) ?? [flag]
  })
}

/** The words for filters of both listings (docs/reference/words.md). */
const wordFlags = (noun: 'shipments' | 'returns'): readonly Flag[] => [
  { name: 'open', kind: 'switch', help: `Only ${noun} that have not ended`, group: 'Filters', excludes: ['status'] },
  {
    name: 'courier',
    kind: 'list',
    value: '<courier,…>',
    help: `Only ${noun} of these couriers, by id, code or part of the name`,
    group: 'Filters',
  },
  { name: 'store', kind: 'list', value: '<name,…>', help: `Only ${noun} of these stores`, group: 'Filters' },
  {
    name: 'warehouse',
    kind: 'list',
    value: '<id,…>',
    help: `Only ${noun} ${noun === 'returns' ? 'to' : 'from'} these warehouses, by id or by the name in your profile`,
    group: 'Filters',
  },
]

/** Filters that are short words already. */
const short: ReadonlySet<string | undefined> = new Set(['tracking_number', 'city', 'state', 'pincode'])

/** The filters of a listing as flags: search and status, then the short words, then the others in their order. */
export function questionFlags(
  noun: 'shipments' | 'returns',
  filters: Readonly<Record<string, Filter>>,
  words: readonly Flag[],
): readonly Flag[] {
  const [search, status, ...others] = filterFlags(noun === 'shipments' ? 'listShipments' : 'listReturns', filters)
  const [first, last] = [others.filter(({ key }) => short.has(key)), others.filter(({ key }) => !short.has(key))]
  return [search!, status!, ...wordFlags(noun), ...words, ...first, ...last]
}

/** Short forms that users expect (docs/reference/terminal.md). */
export const between: readonly Flag[] = [
  {
    name: 'since',
    kind: 'text',
    value: '<when>',
    help: 'Only from this time on: 7d, 12h, today, 2026-09-01, or an ISO 8601 time',
    group: 'Filters',
    excludes: ['month'],
  },
  {
    name: 'until',
    kind: 'text',
    value: '<when>',
    help: 'Only up to this time, for example 2026-09-30; a date includes the whole day in IST',
    group: 'Filters',
    excludes: ['month'],
  },
  {
    name: 'month',
    kind: 'text',
    value: '<month>',
    help: 'Only this month in IST: 2026-10, October, this-month or last-month',
    group: 'Filters',
  },
]

export const sorting = (name: 'listShipments' | 'listReturns'): readonly Flag[] => [
  fieldFlag(name, 'sort_order', 'Order and pages', {
    default: 'desc',
    help: 'Sort from low to high: asc; from high to low: desc',
  }),
]

export const paging: readonly Flag[] = [
  {
    name: 'limit',
    kind: 'text',
    value: '<n|all>',
    help: 'Show at most this many records, for example 50',
    group: 'Order and pages',
    default: '20',
    excludes: ['page', 'per-page', 'all'],
  },
  {
    name: 'all',
    kind: 'switch',
    help: 'Show all records, each page as it arrives',
    group: 'Order and pages',
    excludes: ['page', 'per-page'],
  },
  {
    name: 'page',
    kind: 'number',
    value: '<n>',
    help: 'Show only the page with this number, for example 2',
    group: 'Order and pages',
    key: 'page',
  },
  {
    name: 'per-page',
    kind: 'number',
    value: '<n>',
    help: 'Put this many records on a page, at most 100',
    group: 'Order and pages',
    key: 'per_page',
    default: '20',
  },
]

/** One sheet for each courier in place of one list. */
export const splitFlags: readonly Flag[] = [
  {
    name: 'split-by',
    kind: 'text',
    value: '<key>',
    choices: ['courier'],
    help: 'Write one sheet for each courier, named after it, as CSV, --tsv or --excel; with --xlsx, one workbook',
    group: 'Sheets',
  },
  {
    name: 'out',
    kind: 'text',
    value: '<folder>',
    help: 'Write the sheets to this folder; shipx makes it if it is missing',
    group: 'Sheets',
    offers: 'folders',
  },
  { name: 'force', kind: 'switch', help: 'Replace sheets that are there already', group: 'Sheets' },
]

export const dryRun: Flag = {
  name: 'dry-run',
  kind: 'switch',
  help: 'Check everything and show what would happen, but change nothing',
  group: 'Safety',
}

/** The flags that say how the headers and values of a file are to be read. */
export const mapFlags: readonly Flag[] = [
  {
    name: 'map',
    kind: 'repeated',
    value: '<header=column>',
    help: 'Read this header of the file as this column; repeat the flag for more',
    group: 'File',
  },
  {
    name: 'map-value',
    kind: 'repeated',
    value: '<header:value=ours>',
    help: 'Read a value under a header as ours: "Payment Method:Bank=PREPAID"; repeat for more',
    group: 'File',
  },
  {
    name: 'ignore',
    kind: 'repeated',
    value: '<header>',
    help: 'Do not read this header of the file; repeat the flag for more',
    group: 'File',
  },
  { name: 'use-map', kind: 'text', value: '<name>', help: 'Read the file with this saved map', group: 'File' },
  {
    name: 'save-map',
    kind: 'text',
    value: '<name>',
    help: 'Save the maps of this command under this name',
    group: 'File',
  },
]

/** The flags that a command with its own kind of file takes from an import. */
export const fileFlags = (names: readonly string[]): readonly Flag[] => [
  ...mapFlags,
  ...bulkFlags.filter(({ name }) => names.includes(name)),
]

/** The sheet of a workbook, wherever a table is read. */
export const sheetFlag: Flag = {
  name: 'sheet',
  kind: 'text',
  value: '<name|number>',
  help: 'Read this sheet of an Excel workbook: its name or its number (default: the first)',
  group: 'File',
}

/** The flags of every import from a file. */
export const bulkFlags: readonly Flag[] = [
  ...mapFlags,
  sheetFlag,
  { name: 'template', kind: 'switch', help: 'Print a sample file and import nothing', group: 'File' },
  {
    name: 'on-conflict',
    kind: 'text',
    value: '<rule>',
    choices: ['fail', 'skip', 'update'],
    help: 'Choose what happens to a record that exists with other values',
    group: 'File',
    default: 'fail',
  },
  {
    name: 'concurrency',
    kind: 'number',
    value: '<n>',
    help: 'Send at most this many requests at the same time, for example 8',
    group: 'Pace',
    default: '4',
  },
  {
    name: 'max-rps',
    kind: 'number',
    value: '<n>',
    help: 'Send at most this many requests a second, for example 5',
    group: 'Pace',
  },
  dryRun,
  { name: 'force', kind: 'switch', help: 'Replace the file of failed rows, if there is one', group: 'Safety' },
]

/** The exit codes of every import from a file. */
export const bulkExits =
  '0 done · 2 the file or the command line is wrong, shipx sent nothing · 4 not signed in, or refused · ' +
  '6 temporary: run it again · 7 some rows failed · 8 needs --yes · 130 interrupted, or you said no'

export const idempotencyKey: Flag = {
  name: 'idempotency-key',
  kind: 'text',
  value: '<key>',
  help: 'Create it only once for this key, however often you run the command',
  group: 'Safety',
}

export const api = (name: Name): string => `${contract[name].method} ${basePath}${contract[name].path}`

export const read = '0 done, also when nothing matches · 2 bad input'
/** The exit codes of reads that a deployment may answer. */
export const readAnywhere = `${read} · 4 not signed in, or refused · 6 temporary: run it again`
/** The same with the exit code of --strict. */
export const listAnywhere =
  `${read} · 4 not signed in, or refused · ` +
  '5 with --strict, the service ignores a filter · 6 temporary: run it again'
export const write = '0 done · 2 bad input, shipx changed nothing · 3 not found · 5 refused · 6 temporary: run it again'

/** The exit codes of writes that a deployment may do. */
export const writeAnywhere =
  '0 done · 2 bad input, shipx changed nothing · 3 not found · 4 not signed in, or refused · ' +
  '5 rejected · 6 temporary, or the outcome is unknown'

/** The exit codes of a command that asks before it changes something. */
export const asking = '8 needs --yes · 130 you said no'

/** For commands that work only on the engine's own database. */
export const local = { local: true as const }
