// The commands of stores.
import type { Command, Flag } from '../../command/tree.ts'
import {
  api,
  bulkExits,
  bulkFlags,
  dryRun,
  fieldFlag,
  idempotencyKey,
  propertiesOf,
  read,
  write,
} from '../rows/flags.ts'

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
export const stores: readonly Command[] = [
  {
    path: ['stores', 'list'], summary: 'List the connected stores', args: [],
    flags: [
      { name: 'limit', kind: 'text', value: '<n|all>', help: 'Show at most this many', group: 'Show', default: 'all' },
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
    about: 'Messages to customers carry the brand and the logo of the store that their order is linked to. On a terminal, shipx asks for a missing name.',
    examples: [{ about: 'A brand of its own', line: 'shipx stores create --name acme-toys --brand "Acme Toys"' }],
    output: '{data: {id, store_name, …}}', exits: write, api: api('createStore'),
  },
  {
    path: ['stores', 'update'], summary: 'Rename a store, change its brand or logo', args: [storeArg],
    flags: [...storeFlags('updateStore'), { name: 'no-logo', kind: 'switch', help: 'Remove the logo', group: 'Store' }, dryRun],
    about: 'A new name changes every shipment and return of the store, so it needs --yes.',
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
  {
    path: ['stores', 'import'], summary: 'Create many stores from a file', args: [{ name: 'file', help: 'CSV or JSON Lines, or - for standard input' }], flags: bulkFlags,
    about: 'Columns: store_name, brand_name, logo (the path of an image, relative to the file). shipx checks every row before it sends anything. Bad rows do not stop good ones: they go to <file>.failed.csv with their reasons; fix that file and import it. Running the command again carries on and creates nothing twice.',
    examples: [
      { about: 'A file to start with', line: 'shipx stores import --template' },
      { about: 'What would happen', line: 'shipx stores import stores.csv --dry-run' },
      { about: 'From a spreadsheet with its own headers', line: 'shipx stores import stores.csv --map "Company=brand_name" --yes' },
    ],
    output: '{data: {rows, created, updated, unchanged, skipped, failed, reasons: [], failed_file}}', exits: bulkExits, api: api('createStore'),
  },
  {
    path: ['stores', 'export'], summary: 'Write all connected stores to a CSV file', args: [],
    about: 'The file imports again without a change. Only the embedded engine has the bytes of logos; elsewhere the column is empty.',
    flags: [
      { name: 'out', kind: 'text', value: '<file>', help: 'The file to write (default: standard output)', group: 'File' },
      { name: 'logos', kind: 'text', value: '<folder>', help: 'Write the logos into this folder', group: 'File' },
      { name: 'force', kind: 'switch', help: 'Replace an existing file', group: 'Safety' },
    ],
    examples: [{ about: 'A file of all stores', line: 'shipx stores export --out all-stores.csv' }, { about: 'With their logos', line: 'shipx stores export --out all-stores.csv --logos logos --force' }],
    output: 'store_name,brand_name,logo', exits: '0 done · 2 the file is there already · 6 the service is away', api: api('listStores'),
  },
]
