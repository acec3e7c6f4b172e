// The command table: every command, argument, flag and example of shipx; its filters come from the contract. Read when
// the command tree is generated, not when a command runs.
import * as z from 'zod/mini'
import { codes, kinds } from '../domain/errors.ts'
import { contract, basePath, type Name } from '../domain/contract.ts'
import { returnFilters, returnSorts } from '../domain/returns.ts'
import { shipmentFilters } from '../domain/shipments.ts'
import {
  failureReasons,
  namesOf,
  qcStatuses,
  refundStatuses,
  returnBuckets,
  returnStatuses,
  shipmentBuckets,
} from '../domain/statuses.ts'
import type { Filter } from '../domain/filters.ts'
import type { Command, Flag, FlagKind, Group, Tree } from './tree.ts'

const flagName = (key: string): string => key.replace(/_+/g, '-')

interface Property {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: Property
  readonly description?: string
}

/** The properties of an endpoint's input as JSON Schema: the one projection that flags are derived from. */
function propertiesOf(name: Name): Readonly<Record<string, Property>> {
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
function fieldFlag(name: Name, key: string, group: string, over: Partial<Flag> = {}): Flag {
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
function filterFlags(
  name: 'listShipments' | 'listReturns',
  filters: Readonly<Record<string, Filter>>,
): readonly Flag[] {
  return Object.keys(filters).map((key) => fieldFlag(name, key, 'Filters'))
}

/** Short forms that people expect (docs/terminal.md). */
const between: readonly Flag[] = [
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

const sorting = (name: 'listShipments' | 'listReturns'): readonly Flag[] => [
  fieldFlag(name, 'sort_order', 'Order and pages', { default: 'desc' }),
]

const paging: readonly Flag[] = [
  {
    name: 'limit',
    kind: 'text',
    value: '<n|all>',
    help: 'How many records in all',
    group: 'Order and pages',
    default: '20',
  },
  { name: 'all', kind: 'switch', help: 'Everything, as it arrives', group: 'Order and pages' },
  {
    name: 'page',
    kind: 'number',
    value: '<n>',
    help: 'Exactly one page of the API, by its number',
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

/** Flags that every command has. */
// prettier-ignore
const globals: readonly Flag[] = [
  { name: 'json',     kind: 'switch', group: 'Output', help: 'The API answer as JSON' },
  { name: 'jsonl',    kind: 'switch', group: 'Output', help: 'One JSON record on each line' },
  { name: 'csv',      kind: 'switch', group: 'Output', help: 'CSV with a header' },
  { name: 'tsv',      kind: 'switch', group: 'Output', help: 'Tabs with a header' },
  { name: 'excel',    kind: 'switch', group: 'Output', help: 'CSV that Excel opens without spoiling long numbers' },
  { name: 'ids',      kind: 'switch', group: 'Output', help: 'Record ids, one on each line' },
  { name: 'fields',   kind: 'list',   group: 'Output', value: '<a,b.c>', help: 'Only these fields in JSON and CSV' },
  { name: 'columns',  kind: 'list',   group: 'Output', value: '<a,b>', help: 'Only these columns in the table' },
  { name: 'wide',     kind: 'switch', group: 'Output', help: 'Every column in the table' },
  { name: 'raw',      kind: 'switch', group: 'Output', help: 'CSV without the guard against formulas' },
  { name: 'tz',       kind: 'text',   group: 'Output', value: '<zone>', help: 'Time zone of times', default: 'Asia/Kolkata' },
  { name: 'show-pii', kind: 'switch', group: 'Output', help: 'Whole phone numbers in tables' },
  { name: 'color',    kind: 'text',   group: 'Output', value: '<when>', choices: ['auto', 'always', 'never'], help: 'Colour', default: 'auto' },
  { name: 'db',       kind: 'text',   group: 'Everywhere', value: '<file>', help: "The embedded engine's database" },
  { name: 'database', kind: 'text',   group: 'Everywhere', value: '<url>', help: "A PostgreSQL database for the engine: postgres://…" },
  { name: 'account',  kind: 'text',   group: 'Everywhere', value: '<name>', help: 'Account inside the database', default: 'default' },
  { name: 'local',    kind: 'switch', group: 'Everywhere', help: 'Answer from the embedded engine' },
  { name: 'profile',  kind: 'text',   group: 'Everywhere', value: '<name>', help: 'Use this profile instead of the current one' },
  { name: 'base-url', kind: 'text',   group: 'Everywhere', value: '<url>', help: 'Answer from the deployment at this address' },
  { name: 'curl',     kind: 'switch', group: 'Everywhere', help: 'Print the request as a curl command' },
  { name: 'quiet',    kind: 'switch', group: 'Everywhere', short: 'q', help: 'No notes, only data and errors' },
  { name: 'debug',    kind: 'switch', group: 'Everywhere', help: 'What happens inside, on stderr' },
  { name: 'no-input', kind: 'switch', group: 'Everywhere', help: 'Never ask' },
  { name: 'yes',      kind: 'switch', group: 'Everywhere', short: 'y', help: 'Yes to every confirmation' },
  { name: 'help',     kind: 'switch', group: 'Everywhere', short: 'h', help: 'This help' },
]

const dryRun: Flag = {
  name: 'dry-run',
  kind: 'switch',
  help: 'Check everything, change nothing, show what would be done',
  group: 'Safety',
}
const idempotencyKey: Flag = {
  name: 'idempotency-key',
  kind: 'text',
  value: '<key>',
  help: 'Do it once for this key, however often it is sent',
  group: 'Safety',
}

const api = (name: Name): string => `${contract[name].method} ${basePath}${contract[name].path}`

const read = '0 done, also when nothing matches · 2 bad input'
const write = '0 done · 2 bad input, nothing was changed · 3 not found · 5 refused · 6 database busy'

// prettier-ignore
const rates: Command = {
  path: ['rates'],
  summary: 'Compare courier prices for one parcel',
  about: 'Sends nothing to a courier; nothing is booked. Weights are charged on the greater of dead and volumetric weight.',
  args: [],
  flags: [
    { name: 'forward', kind: 'switch', help: 'Warehouse to customer (the default)', group: 'Journey' },
    { name: 'return', kind: 'switch', help: 'Customer to warehouse', group: 'Journey' },
    { name: 'from', kind: 'text', value: '<pincode>', help: 'Pickup pincode, 6 digits', group: 'Parcel', key: 'origin_pincode' },
    { name: 'to', kind: 'text', value: '<pincode>', help: 'Delivery pincode, 6 digits', group: 'Parcel', key: 'destination_pincode' },
    { name: 'weight', short: 'w', kind: 'text', value: '<grams>', help: 'Dead weight: 500, 500g or 0.5kg', group: 'Parcel', key: 'dead_weight' },
    { name: 'size', short: 's', kind: 'text', value: '<LxWxH>', help: 'Centimetres, for example 20x15x10', group: 'Parcel' },
    fieldFlag('getRates', 'length', 'Parcel', { value: '<cm>', help: 'Length, with --width and --height instead of --size' }),
    fieldFlag('getRates', 'width', 'Parcel', { value: '<cm>', help: 'Width' }),
    fieldFlag('getRates', 'height', 'Parcel', { value: '<cm>', help: 'Height' }),
    { name: 'prepaid', kind: 'switch', help: 'The customer has paid', group: 'Payment (forward)' },
    { name: 'cod', kind: 'text', value: '<rupees>', help: 'Cash on delivery; the amount is the value of the parcel', group: 'Payment (forward)', key: 'shipment_value' },
    { name: 'no-qc', kind: 'switch', help: 'Without a quality check (a return is checked by default)', group: 'Return' },
    { name: 'sort', kind: 'text', value: '<key>', choices: ['price', 'delivery', 'courier'], default: 'price', help: 'Order of the offers', group: 'Show' },
    { name: 'courier', kind: 'list', value: '<name,…>', help: 'Only these couriers, by id, code or part of the name', group: 'Show' },
    { name: 'limit', kind: 'text', value: '<n|all>', help: 'At most so many offers', group: 'Show', default: 'all' },
    { name: 'explain', kind: 'switch', help: 'How each rupee and each refusal came about', group: 'Show' },
    { name: 'gst', kind: 'switch', help: 'Add GST to what is paid (the table only)', group: 'Show' },
    fieldFlag('getRates', 'journey_type', 'API names', { hidden: true }),
    fieldFlag('getRates', 'origin_pincode', 'API names', { hidden: true }),
    fieldFlag('getRates', 'destination_pincode', 'API names', { hidden: true }),
    fieldFlag('getRates', 'dead_weight', 'API names', { hidden: true }),
    fieldFlag('getRates', 'payment_method', 'API names', { hidden: true }),
    fieldFlag('getRates', 'shipment_value', 'API names', { hidden: true }),
    fieldFlag('getRates', 'qc_applicable', 'API names', { hidden: true }),
  ],
  examples: [
    { about: 'Cash on delivery, cheapest first', line: 'shipx rates --from 400001 --to 560001 -w 500g -s 20x15x10 --cod 1499' },
    { about: 'A return with a quality check', line: 'shipx rates --return --from 560001 --to 400001 -w 500g -s 20x15x10' },
    { about: 'Why is this courier not there?', line: 'shipx rates --from 400001 --to 797112 -w 500g -s 20x15x10 --cod 1499 --explain' },
    { about: 'The cheapest price for a script', line: 'shipx rates --from 400001 --to 560001 -w 500 -s 20x15x10 --prepaid --csv --fields carrier_name,charges.total_forward_charges --limit 1' },
  ],
  output: '{status, result: {serviceable_couriers: […], shipment_details: {…}}}',
  exits: '0 done, also when no courier serves the lane · 2 bad input',
  api: api('getRates'),
}

const storeFlags = (verb: 'createStore' | 'updateStore'): readonly Flag[] => [
  {
    name: 'name',
    kind: 'text',
    value: '<name>',
    help: propertiesOf(verb)['store_name']!.description!,
    group: 'Store',
    key: 'store_name',
  },
  {
    name: 'brand',
    kind: 'text',
    value: '<brand>',
    help: propertiesOf(verb)['brand_name']!.description!,
    group: 'Store',
    key: 'brand_name',
  },
  { name: 'logo', kind: 'text', value: '<file>', help: 'PNG, JPEG or WebP, at most 2 MB', group: 'Store', key: 'logo' },
  fieldFlag(verb, 'store_name', 'API names', { hidden: true }),
  fieldFlag(verb, 'brand_name', 'API names', { hidden: true }),
]

const storeArg = { name: 'store', help: 'Name or id of the store' }

// prettier-ignore
const stores: readonly Command[] = [
  {
    path: ['stores', 'list'], summary: 'List the connected stores', args: [],
    flags: [
      { name: 'limit', kind: 'text', value: '<n|all>', help: 'At most so many', group: 'Show', default: 'all' },
      { name: 'all', kind: 'switch', help: 'Disconnected stores too', group: 'Show' },
    ],
    examples: [{ about: 'All connected stores', line: 'shipx stores list' }, { about: 'Only the names', line: 'shipx stores list --jsonl --fields store_name' }],
    output: '{data: [{id, store_name, brand_name, channel, status, logo_url, created_at, updated_at}]}', exits: read, api: api('listStores'),
  },
  {
    path: ['stores', 'get'], summary: 'Show one store', args: [storeArg], flags: [],
    examples: [{ about: 'By its name', line: 'shipx stores get acme-kids' }],
    output: '{data: {id, store_name, …}}', exits: '0 done · 3 no such store', api: api('getStore'),
  },
  {
    path: ['stores', 'create'], summary: 'Create a store', args: [], flags: [...storeFlags('createStore'), dryRun, idempotencyKey],
    about: 'Messages to customers carry the brand and the logo of the store that their order is linked to.',
    examples: [{ about: 'A brand of its own', line: 'shipx stores create --name acme-toys --brand "Acme Toys"' }],
    output: '{data: {id, store_name, …}}', exits: write, api: api('createStore'),
  },
  {
    path: ['stores', 'update'], summary: 'Rename a store, change its brand or logo', args: [storeArg],
    flags: [...storeFlags('updateStore'), { name: 'no-logo', kind: 'switch', help: 'Remove the logo', group: 'Store' }, dryRun],
    about: 'A new name is written into every shipment and return that is linked to the store, so it needs --yes.',
    examples: [{ about: 'Another brand', line: 'shipx stores update acme-kids --brand "Acme Kids & Co"' }, { about: 'Another name', line: 'shipx stores update acme-kids --name acme-juniors --yes' }],
    output: '{data: {id, store_name, …}}', exits: write, api: api('updateStore'),
  },
  {
    path: ['stores', 'disconnect'], summary: 'Stop linking orders to a store', args: [storeArg], flags: [dryRun], local: true,
    examples: [{ about: 'A brand that has closed', line: 'shipx stores disconnect acme-home --yes' }], output: '{data: {id, store_name, …}}', exits: write,
  },
  {
    path: ['stores', 'connect'], summary: 'Link orders to a store again', args: [storeArg], flags: [dryRun], local: true,
    examples: [{ about: 'Open again', line: 'shipx stores connect acme-home' }], output: '{data: {id, store_name, …}}', exits: write,
  },
]

// prettier-ignore
const shipments: readonly Command[] = [
  {
    path: ['shipments', 'list'], summary: 'List forward shipments', args: [],
    flags: [
      ...filterFlags('listShipments', shipmentFilters),
      { name: 'cod', kind: 'switch', help: 'Cash on delivery only; the same as --is-cod', group: 'Filters' },
      { name: 'prepaid', kind: 'switch', help: 'Prepaid only; the same as --is-cod false', group: 'Filters' },
      { name: 'store', kind: 'list', value: '<name,…>', help: 'The same as --store-name', group: 'Filters' },
      ...between,
      fieldFlag('listShipments', 'date_field', 'Filters', { default: 'created_at' }),
      ...sorting('listShipments'),
      ...paging,
    ],
    examples: [
      { about: 'On the way, of the last week', line: 'shipx shipments list --status in_transit --since 7d' },
      { about: 'COD parcels in two zones with two or more attempts', line: 'shipx shipments list --cod --zone d,e --attempts-count-gte 2' },
      { about: 'Delivered in September, as a spreadsheet', line: 'shipx shipments list --date-field delivered_at --since 2026-09-01 --until 2026-09-30 --all --excel' },
    ],
    output: '{data: [{id, type, attributes}], meta: {current_page, per_page, total, next_search_after}}', exits: read, api: api('listShipments'),
  },
  {
    path: ['shipments', 'get'], summary: 'Show one shipment with its journey',
    args: [{ name: 'shipment', help: 'Tracking number, id, or order id' }], flags: [],
    examples: [{ about: 'By its tracking number', line: 'shipx shipments get 14344940012345' }],
    output: '{data: {id, type, attributes}}', exits: '0 done · 3 no such shipment', api: api('listShipments'),
  },
]

// prettier-ignore
const returns: readonly Command[] = [
  {
    path: ['returns', 'list'], summary: 'List return orders', args: [],
    flags: [
      ...filterFlags('listReturns', returnFilters),
      { name: 'qc', kind: 'list', value: '<status,…>', choices: qcStatuses, help: 'The same as --qc-status', group: 'Filters' },
      { name: 'refund', kind: 'list', value: '<status,…>', choices: refundStatuses, help: 'The same as --refund-status', group: 'Filters' },
      { name: 'store', kind: 'list', value: '<name,…>', help: 'The same as --store-name', group: 'Filters' },
      ...between,
      fieldFlag('listReturns', 'sort_by', 'Order and pages', { choices: returnSorts, default: 'created_at' }),
      ...sorting('listReturns'),
      ...paging,
    ],
    examples: [
      { about: 'Waiting for a refund', line: 'shipx returns list --status return_received --refund pending' },
      { about: 'Failed the quality check this month', line: 'shipx returns list --qc failed --since 30d' },
    ],
    output: '{data: [{id, type, attributes}], meta: {current_page, per_page, total, next_search_after}}', exits: read, api: api('listReturns'),
  },
  {
    path: ['returns', 'get'], summary: 'Show one return', args: [{ name: 'return', help: 'Display id or id' }], flags: [],
    examples: [{ about: 'By its display id', line: 'shipx returns get RT-5521' }],
    output: '{data: {id, type, attributes}}', exits: '0 done · 3 no such return', api: api('listReturns'),
  },
]

const orderFields = Object.keys(propertiesOf('orchestrateForwardOrder')).filter(
  (key) => !['order_items', 'weight', 'vendor_details'].includes(key),
)

// prettier-ignore
const orders: readonly Command[] = [
  {
    path: ['orders', 'create'], summary: 'Create an order linked to a store', args: [],
    about: 'Weights are grams on the command line (500g, 0.5kg) and kilograms in a file, as the API has them.',
    flags: [
      { name: 'file', kind: 'text', value: '<order.json|->', help: 'The order as JSON; flags win over its fields', group: 'Order' },
      { name: 'store', kind: 'text', value: '<name>', help: 'Store that the order is linked to', group: 'Order', key: 'store_name' },
      { name: 'no-assign', kind: 'switch', help: 'Record the order, assign no courier yet', group: 'Order' },
      { name: 'courier', kind: 'text', value: '<carrier id>', help: 'This courier instead of the cheapest', group: 'Order', key: 'carrier_id' },
      { name: 'item', kind: 'repeated', value: '<sku:units:price:name>', help: 'An item; may be repeated', group: 'Order' },
      { name: 'weight', short: 'w', kind: 'text', value: '<grams>', help: 'Weight: 500, 500g or 0.5kg', group: 'Order', key: 'weight' },
      { name: 'size', short: 's', kind: 'text', value: '<LxBxH>', help: 'Centimetres, for example 20x15x10', group: 'Order' },
      { name: 'cod', kind: 'text', value: '<rupees>', help: 'Cash on delivery of this amount', group: 'Order', key: 'cod_collectible' },
      { name: 'prepaid', kind: 'switch', help: 'The customer has paid', group: 'Order' },
      ...orderFields.map((key) => fieldFlag('orchestrateForwardOrder', key, 'API names', key === 'store_name' || key === 'carrier_id' || key === 'cod_collectible' ? { hidden: true } : {})),
      dryRun,
      idempotencyKey,
    ],
    examples: [
      { about: 'From a file, in the brand of a store', line: 'shipx orders create --file order.json --store acme-kids' },
      { about: 'From a pipe, without a courier yet', line: 'jq .order export.json | shipx orders create --file - --no-assign' },
    ],
    output: '{status, payload: {order_id, shipment_id, awb_code, courier_name, …}}', exits: write,
    api: `${api('orchestrateForwardOrder')}, with --no-assign ${api('createForwardOrder')}`,
  },
]

const fileArg = { name: 'file', help: 'A file, or - for standard input' }
const local = { local: true as const }

// prettier-ignore
const locals: readonly Command[] = [
  {
    path: ['local', 'seed'], summary: 'Fill the database with sample data', args: [], ...local,
    flags: [
      { name: 'shipments', kind: 'number', value: '<n>', help: 'Shipments', group: 'How much', default: '500' },
      { name: 'returns', kind: 'number', value: '<n>', help: 'Returns', group: 'How much', default: '80' },
      { name: 'stores', kind: 'number', value: '<n>', help: 'Stores', group: 'How much', default: '6' },
      { name: 'days', kind: 'number', value: '<n>', help: 'Spread over so many days up to now', group: 'How much', default: '90' },
      { name: 'seed', kind: 'number', value: '<n>', help: 'The same seed and clock give the same data', group: 'How much', default: '42' },
      dryRun,
    ],
    examples: [{ about: 'A first look', line: 'shipx local seed' }, { about: 'A year of a larger brand', line: 'shipx local seed --shipments 100000 --returns 10000 --stores 50 --days 365' }],
    output: '{shipments, returns, stores, warehouses}', exits: write,
  },
  {
    path: ['local', 'import'], summary: 'Bring records in from a file', ...local,
    args: [{ name: 'kind', help: 'shipments, returns or stores' }, fileArg], flags: [dryRun],
    about: 'JSON Lines of records as the listings give them, or a saved page {data: […]}. Inserts, or updates by id.',
    examples: [{ about: 'A saved listing', line: 'shipx local import shipments page.json' }, { about: 'From one database to another', line: 'shipx shipments list --all --jsonl | shipx local import shipments - --db copy.sqlite' }],
    output: '{created, updated, unchanged}', exits: '0 done · 2 a line is wrong: it is named, and what was applied is said',
  },
  {
    path: ['local', 'warehouse', 'set'], summary: 'Say where a warehouse is', args: [{ name: 'id', help: 'Warehouse id' }, { name: 'pincode', help: 'Its pincode' }], flags: [dryRun], ...local,
    examples: [{ about: 'Orders from it can then be assigned', line: 'shipx local warehouse set WH1 400001' }], output: '{data: {id, pincode}}', exits: write,
  },
  {
    path: ['local', 'warehouse', 'list'], summary: 'List the warehouses', args: [], flags: [], ...local,
    examples: [{ about: 'All', line: 'shipx local warehouse list' }], output: '{data: [{id, pincode}]}', exits: read,
  },
  {
    path: ['local', 'warehouse', 'remove'], summary: 'Forget a warehouse', args: [{ name: 'id', help: 'Warehouse id' }], flags: [dryRun], ...local,
    examples: [{ about: 'One that has closed', line: 'shipx local warehouse remove WH1 --yes' }], output: '{data: {id}}', exits: write,
  },
  {
    path: ['local', 'assign'], summary: 'Give an unassigned order a courier', args: [{ name: 'order', help: 'Order id' }], ...local,
    flags: [{ name: 'courier', kind: 'text', value: '<carrier id>', help: 'This courier instead of the cheapest', group: 'Order' }, dryRun],
    examples: [{ about: 'The cheapest', line: 'shipx local assign ORDER-1' }], output: '{status, payload: {…}}', exits: write,
  },
  {
    path: ['local', 'cancel'], summary: 'Cancel an order that is not picked up', args: [{ name: 'order', help: 'Order id' }], flags: [dryRun], ...local,
    examples: [{ about: 'Ask first', line: 'shipx local cancel ORDER-1' }], output: '{data: {id, type, attributes}}', exits: write,
  },
  {
    path: ['local', 'return', 'create'], summary: 'Create a return of a delivered shipment', args: [{ name: 'shipment', help: 'Tracking number, id, or order id' }], ...local,
    flags: [
      { name: 'reason', kind: 'text', value: '<reason>', help: 'Why it comes back', group: 'Return', default: 'changed_mind' },
      { name: 'sku', kind: 'list', value: '<sku,…>', help: 'Only these items (default: all)', group: 'Return' },
      { name: 'exchange', kind: 'switch', help: 'Another item goes out instead', group: 'Return' },
      { name: 'dangerous-goods', kind: 'switch', help: 'It holds dangerous goods', group: 'Return' },
      { name: 'no-qc', kind: 'switch', help: 'Without a quality check', group: 'Return' },
      dryRun,
    ],
    examples: [{ about: 'Everything in it', line: 'shipx local return create 14344940012345 --reason wrong_size' }], output: '{data: {id, type, attributes}}', exits: write,
  },
  {
    path: ['local', 'return', 'update'], summary: 'Move a return on, note its QC or refund', args: [{ name: 'return', help: 'Display id or id' }], ...local,
    flags: [
      { name: 'status', kind: 'text', value: '<status>', choices: namesOf(returnBuckets), help: 'Detailed status', group: 'Return' },
      { name: 'qc', kind: 'text', value: '<status>', choices: qcStatuses, help: 'QC status', group: 'Return' },
      { name: 'refund', kind: 'text', value: '<status>', choices: refundStatuses, help: 'Refund status', group: 'Return' },
      dryRun,
    ],
    examples: [{ about: 'Received, checked and refunded', line: 'shipx local return update RT-5521 --status return_delivered --qc passed --refund processed' }], output: '{data: {id, type, attributes}}', exits: write,
  },
  {
    path: ['local', 'init'], summary: 'Make the database, or bring it up to date', args: [], ...local,
    about: 'Any command that writes does the same by itself. On PostgreSQL the tables can be spread over partitions by account, which is decided once.',
    flags: [{ name: 'partitions', kind: 'number', value: '<n>', help: 'Partitions by the account, on PostgreSQL only; 0 for none', group: 'Database', default: '0' }, dryRun],
    examples: [{ about: 'On PostgreSQL, spread over sixteen', line: 'shipx local init --database postgres://shipx@db.internal/shipx --partitions 16' }], output: '{database, partitions}', exits: write,
  },
  {
    path: ['local', 'path'], summary: 'Where the database is', args: [], flags: [], ...local,
    examples: [{ about: 'Its file', line: 'shipx local path' }], output: '{path, exists, bytes}', exits: '0 done',
  },
  {
    path: ['local', 'check'], summary: 'Check the database for damage', args: [], flags: [], ...local,
    examples: [{ about: 'After a power cut', line: 'shipx local check' }], output: '{path, faults: []}', exits: '0 sound · 1 damaged · 3 no database',
  },
  {
    path: ['local', 'backup'], summary: 'Copy the database while it is in use', args: [{ name: 'file', help: 'The copy to make' }], ...local,
    flags: [{ name: 'force', kind: 'switch', help: 'Replace the file when it is there', group: 'Safety' }],
    examples: [{ about: 'A copy of today', line: 'shipx local backup backup.sqlite' }], output: '{path, bytes}', exits: '0 done · 2 the file is there already · 3 no database',
  },
  {
    path: ['local', 'copy'], summary: 'Copy a database into another one', args: [], ...local,
    about: 'Everything of all accounts, from a file to PostgreSQL or back, in chunks, then compared by count and checksum. Run again, it goes on where it ended. The target is empty or holds a part of the same copy. A password is better given as PGPASSWORD than in the address.',
    flags: [
      { name: 'from', kind: 'text', value: '<database>', help: 'What is copied: a database file, or postgres://…', group: 'Copy' },
      { name: 'to', kind: 'text', value: '<database>', help: 'Where to: a file, made when it is not there, or postgres://…', group: 'Copy' },
      { name: 'force', kind: 'switch', help: 'Take out of the target what differs from the source, then copy', group: 'Safety' },
      dryRun,
    ],
    examples: [
      { about: 'To PostgreSQL', line: 'shipx local copy --from shipx.sqlite --to postgres://shipx@db.internal/shipx' },
      { about: 'And back', line: 'shipx local copy --from postgres://shipx@db.internal/shipx --to shipx.sqlite' },
    ],
    output: '{from, to, added, removed, tables: [{table, rows, checksum}]}',
    exits: '0 done, both are the same · 2 bad input · 5 the target holds something else · 7 they differ: run it again · 130 interrupted: run it again',
  },
  {
    path: ['local', 'reset'], summary: 'Delete the database and everything in it', args: [], flags: [dryRun], ...local,
    examples: [{ about: 'Start again', line: 'shipx local reset --yes' }], output: '{path, removed}', exits: '0 done · 8 it needs a yes',
  },
]

const cardArg = { name: 'card', help: 'Name of a card, or a file .json or .csv' }

// prettier-ignore
const cards: readonly Command[] = [
  { path: ['ratecard', 'list'], summary: 'List the rate cards', args: [], flags: [], ...local, examples: [{ about: 'All, with the one in use', line: 'shipx ratecard list' }], output: '{data: [{name, in_use, services, note}]}', exits: read },
  { path: ['ratecard', 'show'], summary: 'Show the prices of a card', args: [{ name: 'card', help: 'Name of a card (default: the one in use)' }], flags: [], ...local, examples: [{ about: 'What quotes are made with', line: 'shipx ratecard show' }], output: 'the card', exits: '0 done · 3 no such card' },
  { path: ['ratecard', 'check'], summary: 'Prove that a card is sound', args: [cardArg], flags: [], ...local, about: 'Names every fault: a wrong field, a carrier twice, freight that falls as weight grows, a zone without transit days.', examples: [{ about: 'Before importing it', line: 'shipx ratecard check contract.json' }], output: '{name, services, faults: []}', exits: '0 sound · 2 faults, each one named' },
  { path: ['ratecard', 'export'], summary: 'Write a card as JSON or CSV', args: [{ name: 'card', help: 'Name of a card (default: the one in use)' }], flags: [{ name: 'out', kind: 'text', value: '<file>', help: 'The file to write (default: standard output)', group: 'Output' }, { name: 'force', kind: 'switch', help: 'Replace the file when it is there', group: 'Safety' }], ...local, about: 'CSV has one line for each carrier, service, journey, zone and band, the form that people edit; JSON has everything.', examples: [{ about: 'To edit in a spreadsheet', line: 'shipx ratecard export sample --csv --out prices.csv' }], output: 'the card', exits: '0 done · 2 the file is there already · 3 no such card' },
  { path: ['ratecard', 'import'], summary: 'Bring a card in from a file', args: [{ name: 'file', help: 'A card as .json or .csv' }], flags: [{ name: 'name', kind: 'text', value: '<name>', help: 'Name of the card (default: its own, or the file name)', group: 'Card' }, { name: 'base', kind: 'text', value: '<card>', help: 'Card that a CSV takes everything else from', group: 'Card', default: 'the card of that name, else sample' }, { name: 'use', kind: 'switch', help: 'Quote with it from now on', group: 'Card' }, dryRun], ...local, examples: [{ about: 'And quote with it', line: 'shipx ratecard import contract.json --use' }], output: '{data: {name, services}}', exits: write },
  { path: ['ratecard', 'use'], summary: 'Quote with this card from now on', args: [{ name: 'card', help: 'Name of a card; sample is the built-in one' }], flags: [dryRun], ...local, examples: [{ about: 'Back to the invented prices', line: 'shipx ratecard use sample' }], output: '{data: {name, in_use}}', exits: write },
]

// prettier-ignore
const service: readonly Command[] = [
  {
    path: ['serve'], summary: 'Serve the engine over HTTP', args: [], ...local,
    about: 'The endpoints of the service under /custom/api/v1 on the embedded database, for whoever has a key (shipx keys create).\nGET /openapi.json and /docs describe them, /live and /ready are for supervisors. SIGTERM or Ctrl-C lets running requests end.\nThe access log is JSON lines on stderr; --quiet keeps only faults.',
    flags: [
      { name: 'host', kind: 'text', value: '<address>', help: 'Address to listen on', group: 'Service', default: '127.0.0.1' },
      { name: 'port', kind: 'number', value: '<n>', help: 'Port; 0 takes a free one', group: 'Service', default: '8787' },
      { name: 'rate-limit', kind: 'number', value: '<n>', help: 'Requests a second for one key, bursts of twice as many; 0 for no limit', group: 'Service', default: '100' },
      { name: 'readers', kind: 'number', value: '<n>', help: 'Threads that answer listings (default: one less than processors, at least 1; 0 answers in the main thread)', group: 'Service' },
    ],
    examples: [{ about: 'On this machine', line: 'shipx serve' }, { about: 'Where it listens, for a script', line: 'shipx serve --port 0 --json' }],
    output: '{url, database, pid, version}', exits: '0 stopped · 2 bad input, or the port is in use',
  },
  {
    path: ['keys', 'create'], summary: 'Make a key for an account of the service', args: [{ name: 'account', help: 'Account name; made when it is not there' }], ...local,
    about: 'The key is printed once, alone on standard output. Only its SHA-256 is kept.',
    flags: [
      { name: 'label', kind: 'text', value: '<text>', help: 'What it is for', group: 'Key' },
      { name: 'expires', kind: 'text', value: '<days>', help: 'When it ends: 90d', group: 'Key' },
      { name: 'read-only', kind: 'switch', help: 'It may list and quote, and change nothing', group: 'Key' },
      dryRun,
    ],
    examples: [{ about: "For the embedded engine's own data", line: 'shipx keys create default --label laptop' }, { about: 'For a dashboard', line: 'shipx keys create default --read-only --expires 90d' }],
    output: '{data: {id, account, label, ending, access, state, created_at, expires_at, key}}', exits: write,
  },
  {
    path: ['keys', 'list'], summary: 'List the keys', args: [], flags: [], ...local,
    examples: [{ about: 'All, revoked ones too', line: 'shipx keys list' }], output: '{data: [{id, account, label, ending, access, state, created_at, expires_at}]}', exits: read,
  },
  {
    path: ['keys', 'revoke'], summary: 'End a key at once', args: [{ name: 'key', help: 'Id of the key, as keys list shows it' }], flags: [dryRun], ...local,
    examples: [{ about: 'One that was lost', line: 'shipx keys revoke key_4fT9aLm2Qx --yes' }], output: '{data: {id, …}}', exits: write,
  },
]

const signIn =
  '0 done · 2 bad input, nothing was sent · 4 the key was refused · 6 the deployment cannot be reached · 8 nobody can be asked'
const profileArg = { name: 'name', help: 'Name of a profile' }
const profileShape =
  '{data: {name, current, base_url, auth_scheme, key_place, key_ending, origin, format, database, warehouse}}'

// prettier-ignore
const auths: readonly Command[] = [
  {
    path: ['auth', 'login'], summary: 'Sign in at a deployment of the service', args: [],
    about: 'Asks for the key, checks it there, and keeps it in a profile. It is sent to this address only, and is never a flag.',
    flags: [
      { name: 'with-token', kind: 'switch', help: 'Read the key from standard input', group: 'Key' },
      { name: 'keyring', kind: 'switch', help: 'Keep the key in the system keyring (needs the package @napi-rs/keyring)', group: 'Key' },
      { name: 'insecure-storage', kind: 'switch', help: 'Keep the key in the file of profiles, readable by you alone (the default)', group: 'Key' },
      dryRun,
    ],
    examples: [
      { about: 'The key is asked for', line: 'shipx auth login --base-url https://api.example.com' },
      { about: 'From a file, as a profile of its own', line: 'cat key.txt | shipx auth login --profile acme --base-url https://api.example.com --with-token' },
    ],
    output: profileShape, exits: signIn,
  },
  {
    path: ['auth', 'logout'], summary: 'Forget the key of a profile', args: [], flags: [dryRun],
    examples: [{ about: 'Of the current profile', line: 'shipx auth logout' }], output: profileShape, exits: '0 done · 3 no such profile',
  },
  {
    path: ['auth', 'status'], summary: 'Where answers come from and whether the key works', args: [],
    flags: [{ name: 'offline', kind: 'switch', help: 'Send nothing', group: 'Show' }],
    examples: [{ about: 'With the end of the key', line: 'shipx auth status' }],
    output: '{data: {deployment, profile, key_from, key_ending, auth_scheme, works, error, message, database}}',
    exits: '0 it works · 2 the key is not for this address · 4 not signed in, or refused · 6 cannot be reached',
  },
  {
    path: ['auth', 'token'], summary: 'Print the key', args: [], flags: [],
    examples: [{ about: 'For another program', line: 'curl -H "Authorization: Bearer $(shipx auth token)" https://api.example.com/custom/api/v1/client-stores' }, { about: 'The key alone', line: 'shipx auth token' }],
    output: 'the key alone, in every format', exits: '0 done · 4 not signed in',
  },
]

// prettier-ignore
const profileCommands: readonly Command[] = [
  {
    path: ['profile', 'list'], summary: 'List the profiles', args: [], flags: [],
    examples: [{ about: 'All, with the current one', line: 'shipx profile list' }], output: profileShape.replace('{data: {', '{data: [{').replace('}}', '}]}'), exits: '0 done, also when there is none',
  },
  {
    path: ['profile', 'show'], summary: 'Show a profile, without its key', args: [{ name: 'name', help: 'Name of a profile (default: the one in use)' }], flags: [],
    examples: [{ about: 'The one in use', line: 'shipx profile show' }], output: profileShape, exits: '0 done · 3 no such profile',
  },
  {
    path: ['profile', 'use'], summary: 'Use this profile from now on', args: [profileArg], flags: [dryRun],
    examples: [{ about: 'Another brand', line: 'shipx profile use acme' }], output: profileShape, exits: '0 done · 2 bad input · 3 no such profile',
  },
  {
    path: ['profile', 'set'], summary: 'Set a field of a profile',
    args: [{ name: 'field', help: 'base_url, origin, format, database, auth_scheme or warehouse.<name>, also with a profile in front' }, { name: 'value', help: 'Its value; an empty one ("") takes the field away' }],
    about: 'Sets it in the current profile, in --profile, or in the one named before the field; a profile that is not there is made.',
    flags: [dryRun],
    examples: [
      { about: 'Where parcels start when --from is not given', line: 'shipx profile set origin 400001' },
      { about: 'A name for a warehouse, for use wherever one is named', line: 'shipx profile set warehouse.mumbai WHYYB5' },
      { about: 'In another profile', line: 'shipx profile set acme.format json' },
    ],
    output: profileShape, exits: '0 done · 2 bad input, or the key of the profile is for another address',
  },
  {
    path: ['profile', 'remove'], summary: 'Remove a profile and its key', args: [profileArg], flags: [dryRun],
    examples: [{ about: 'In a script', line: 'shipx profile remove acme --yes' }], output: profileShape, exits: '0 done · 3 no such profile · 8 it needs a yes',
  },
]

// prettier-ignore
const others: readonly Command[] = [
  { path: ['pincode'], summary: 'What is known of a pincode', args: [{ name: 'pincode', help: 'Six digits' }], flags: [], examples: [{ about: 'City, district, state, zone cluster', line: 'shipx pincode 560001' }], output: '{data: {pincode, city, district, state, cluster, metro, special}}', exits: '0 done · 2 not a pincode' },
  { path: ['commands'], summary: 'The whole command tree, for programs', args: [], flags: [], examples: [{ about: 'Every command and flag', line: 'shipx commands --json' }], output: '{groups, globals, commands, topics}', exits: '0 done' },
  { path: ['help'], summary: 'Help on a command or a topic', args: [{ name: 'topic', help: 'A command or one of: environment, exit-codes, formatting, filters, errors' }], flags: [], examples: [{ about: 'What the exit codes mean', line: 'shipx help exit-codes' }], exits: '0 done · 2 no such topic' },
  { path: ['completion'], summary: 'A completion script for your shell', args: [{ name: 'shell', help: 'bash, zsh, fish or powershell' }], flags: [], examples: [{ about: 'For bash', line: 'source <(shipx completion bash)' }], exits: '0 done · 2 no such shell' },
]

// prettier-ignore
const groups: readonly Group[] = [
  { name: 'rates',      heading: 'Everyday', summary: 'Compare courier prices for one parcel' },
  { name: 'shipments',  heading: 'Everyday', summary: 'List and look up forward shipments' },
  { name: 'returns',    heading: 'Everyday', summary: 'List and look up return orders' },
  { name: 'stores',     heading: 'Everyday', summary: 'List, create and change stores (brands)' },
  { name: 'orders',     heading: 'Everyday', summary: 'Create an order linked to a store' },
  { name: 'pincode',    heading: 'Everyday', summary: 'What is known of a pincode' },
  { name: 'auth',       heading: 'Set up',   summary: 'Sign in at a deployment of the service' },
  { name: 'profile',    heading: 'Set up',   summary: 'Names for deployments, and defaults that go with them' },
  { name: 'ratecard',   heading: 'Set up',   summary: 'Your own contract prices instead of the sample' },
  { name: 'local',      heading: 'Set up',   summary: "The embedded engine's database: sample data, import, warehouses, backup" },
  { name: 'serve',      heading: 'Set up',   summary: 'Serve the engine over HTTP' },
  { name: 'keys',       heading: 'Set up',   summary: 'Keys of the accounts that the service serves' },
  { name: 'completion', heading: 'Set up',   summary: 'Tab completion for bash, zsh, fish and PowerShell' },
  { name: 'commands',   heading: 'Set up',   summary: 'The whole command tree, for programs' },
  { name: 'help',       heading: 'Set up',   summary: 'Help on a command or a topic' },
]

const exitMeanings: Readonly<Record<number, string>> = {
  0: 'done, also when a list is empty',
  1: 'failed in another way; often a bug',
  2: 'the command line or the input file is wrong; nothing was sent',
  3: 'not found',
  4: 'not signed in, or refused',
  5: 'the service rejected it',
  6: 'temporary: try again later, or the outcome is unknown',
  7: 'partly done',
  8: 'an answer was needed and nobody could be asked',
  130: 'interrupted',
}

const columnsOf = (rows: readonly (readonly string[])[]): string => {
  const width = Math.max(...rows.map((row) => row[0]!.length))
  return rows.map(([first, ...rest]) => `  ${first!.padEnd(width)}  ${rest.join('  ')}`.trimEnd()).join('\n')
}

const topics: Tree['topics'] = [
  {
    name: 'environment',
    summary: 'Environment variables',
    text: `Order: flag, then environment, then profile, then default.\n\n${columnsOf([
      ['SHIPX_PROFILE', 'The profile to use, as --profile'],
      ['SHIPX_BASE_URL', 'Address of the deployment, as --base-url'],
      ['SHIPX_API_KEY', 'The key for it; goes before the key of the profile'],
      ['SHIPX_CONFIG_DIR', 'The folder of the profiles (config.json), as a whole path'],
      ['SHIPX_TIMEOUT', 'How long one request may take: 30000 (ms), 30s or 2m'],
      ['SHIPX_CA_FILE', 'Certificates of more authorities to trust, as PEM'],
      ['https_proxy, http_proxy, no_proxy', 'The proxy, and what goes around it'],
      ['SHIPX_DB', "The embedded engine's database file"],
      ['SHIPX_DATABASE_URL', 'A PostgreSQL database for the engine, as --database'],
      ['SHIPX_DATABASE_READ_URL', 'A hot standby of it that may answer listings'],
      ['SHIPX_DATA_DIR', 'The folder for it when SHIPX_DB is not set'],
      ['SHIPX_FORMAT', 'Default format: json, jsonl, csv, tsv, excel or ids'],
      ['SHIPX_NOW', 'A fixed clock, an ISO 8601 time, for tests and sample data'],
      ['SHIPX_NO_INPUT', 'Never ask, as --no-input'],
      ['SHIPX_DEBUG', 'What happens inside, as --debug'],
      ['SHIPX_FORCE_TTY', 'Lay out for a terminal of so many columns, also in a pipe'],
      ['SHIPX_ASCII', 'No characters outside ASCII in tables'],
      ['NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb', 'Colour off, on, on, off'],
      ['COLUMNS', 'Width of the terminal when it does not say'],
    ])}`,
  },
  {
    name: 'exit-codes',
    summary: 'What the exit codes mean',
    text: columnsOf(Object.entries(exitMeanings).map(([code, meaning]) => [code, meaning])),
  },
  {
    name: 'formatting',
    summary: 'Output formats',
    text: `On a terminal: a table. In a pipe: the same columns with tabs, no header, exact values, ISO times.\n\n${columnsOf(
      [
        ['--json', "The API's answer as it is: {data, meta}; pretty on a terminal, compact in a pipe"],
        ['--jsonl', 'One record on each line, written as they arrive'],
        ['--csv', 'RFC 4180 with a header; names without "attributes.", nested ones with dots'],
        ['--tsv', 'The same with tabs'],
        ['--excel', 'CSV with a byte order mark; long numbers (AWBs, phones) stay text'],
        ['--ids', 'Record ids, one on each line, for xargs'],
        ['--fields a,b.c', 'Only these fields in JSON and CSV'],
        ['--columns a,b', 'Only these columns in the table; --wide shows all'],
      ],
    )}\n\nCSV text cells that a spreadsheet could take for a formula get a leading '. Our own import takes it off again;\n--raw leaves them as they are. Within a major version fields are only added to JSON.`,
  },
  {
    name: 'filters',
    summary: 'How filters work together',
    text: `Values of one filter are alternatives (--zone d,e or --zone d --zone e); different filters must all hold.
Ranges include both ends. --since and --until take 7d, 12h, 2w, today, yesterday, a date (its whole day in IST),
"2026-09-01 10:00" (IST) or an ISO 8601 time. On shipments they apply to --date-field (default created_at), on
returns to created_at. --search finds records in which every word occurs, ignoring case.

Detailed shipment statuses (--granular-status):
  ${namesOf(shipmentBuckets).join(', ')}
Detailed return statuses:
  ${namesOf(returnBuckets).join(', ')}
Return statuses (--status):
  ${returnStatuses.join(', ')}
Reasons (--ndr-reason, --rto-reason):
  ${failureReasons.join(', ')}`,
  },
  {
    name: 'errors',
    summary: 'Error codes of machine formats',
    text: `With a machine format an error is one line of JSON on stderr:\n{"error":{"code","message","status","details":[{"field","message","row"}],"hint","retryable","retry_after_ms","exit_code"}}\n\n${columnsOf(
      Object.entries(codes).map(([code, { kind, means }]) => [code, String(kinds[kind].exit).padEnd(3), means]),
    )}`,
  },
]

/** The command tree out of the table, as it is generated into `tree.json`. */
export const tree: Tree = {
  groups,
  globals,
  commands: [
    rates,
    ...shipments,
    ...returns,
    ...stores,
    ...orders,
    ...others.slice(0, 1),
    ...auths,
    ...profileCommands,
    ...cards,
    ...locals,
    ...service,
    ...others.slice(1),
  ],
  topics,
}
