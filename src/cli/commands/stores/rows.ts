// The commands of stores.
import type { Command, Flag } from '../../command/tree.ts'
import {
  api,
  asking,
  bulkExits,
  bulkFlags,
  dryRun,
  fieldFlag,
  idempotencyKey,
  propertiesOf,
  readAnywhere,
  write,
  writeAnywhere,
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
  {
    name: 'logo',
    kind: 'text',
    value: '<file>',
    help: 'Logo: a PNG, JPEG or WebP file of at most 2 MB',
    group: 'Store',
    key: 'logo',
  },
  fieldFlag(verb, 'store_name', 'API names', { hidden: true }),
  fieldFlag(verb, 'brand_name', 'API names', { hidden: true }),
]

const storeArg = { name: 'store', help: 'Name or id of the store' }

// prettier-ignore
export const stores: readonly Command[] = [
  {
    path: ['stores', 'list'], summary: 'List the connected stores', args: [],
    flags: [
      { name: 'limit', kind: 'text', value: '<n|all>', help: 'Show at most this many stores, for example 10', group: 'Show', default: 'all' },
      { name: 'all', kind: 'switch', help: 'Also show disconnected stores', group: 'Show' },
    ],
    examples: [{ about: 'List all connected stores', line: 'shipx stores list' }, { about: 'Print only the names', line: 'shipx stores list --jsonl --fields store_name' }],
    output: '{data: [{id, store_name, brand_name, channel, status, logo_url, created_at, updated_at}]}', exits: readAnywhere, api: api('listStores'),
  },
  {
    path: ['stores', 'get'], summary: 'Show one store', args: [storeArg], flags: [],
    examples: [{ about: 'Find a store by its name', line: 'shipx stores get acme-kids' }],
    output: '{data: {id, store_name, …}}', exits: '0 done · 2 bad input · 3 no such store · 4 not signed in, or refused · 6 temporary: run it again', api: api('getStore'),
  },
  {
    path: ['stores', 'create'], summary: 'Create a store', args: [], flags: [...storeFlags('createStore'), dryRun, idempotencyKey],
    about: 'A message to a customer shows the brand and the logo of the store that the order is linked to. On a terminal, shipx asks for a missing name.',
    examples: [{ about: 'Create a store with its own brand', line: 'shipx stores create --name acme-toys --brand "Acme Toys"' }],
    output: '{data: {id, store_name, …}}', exits: `${writeAnywhere} · 130 cancelled`, api: api('createStore'),
  },
  {
    path: ['stores', 'update'], summary: 'Rename a store, or change its brand or logo', args: [storeArg],
    flags: [...storeFlags('updateStore'), { name: 'no-logo', kind: 'switch', help: 'Remove the logo', group: 'Store', excludes: ['logo'] }, dryRun],
    about: 'A new name also changes in every shipment and return of the store, so shipx asks first.',
    examples: [{ about: 'Change the brand', line: 'shipx stores update acme-kids --brand "Acme Kids & Co"' }, { about: 'Change the name', line: 'shipx stores update acme-kids --name acme-juniors --yes' }],
    output: '{data: {id, store_name, …}}', exits: `${writeAnywhere} · ${asking}`, api: api('updateStore'),
  },
  {
    path: ['stores', 'disconnect'], summary: 'Stop linking new orders to a store', args: [storeArg], flags: [dryRun], local: true,
    examples: [{ about: 'Disconnect a brand that closed', line: 'shipx stores disconnect acme-home --yes' }], output: '{data: {id, store_name, …}}', exits: `${write} · ${asking}`,
  },
  {
    path: ['stores', 'connect'], summary: 'Link new orders to a store again', args: [storeArg], flags: [dryRun], local: true,
    examples: [{ about: 'Connect a brand that opens again', line: 'shipx stores connect acme-home' }], output: '{data: {id, store_name, …}}', exits: write,
  },
  {
    path: ['stores', 'import'], summary: 'Create many stores from a file', args: [{ name: 'file', help: 'A CSV, an Excel workbook (.xlsx) or JSON Lines, or - for standard input' }], flags: bulkFlags,
    about: 'The columns are store_name (which every row needs), brand_name (which signs the messages to customers) and logo (the path of an image, relative to the file). shipx checks every row before it sends anything. It imports the good rows and writes the bad ones with their reasons to <file>.failed.csv. Fix that file and import it. If you run the command again, it continues and creates nothing twice.',
    examples: [
      { about: 'Print a file to start with', line: 'shipx stores import --template' },
      { about: 'See what would happen', line: 'shipx stores import stores.csv --dry-run' },
      { about: 'Import a spreadsheet with its own headers', line: 'shipx stores import stores.csv --map "Company=brand_name" --yes' },
    ],
    output: '{data: {rows, created, updated, unchanged, skipped, failed, reasons: [], failed_file}}', exits: bulkExits, api: api('createStore'),
  },
  {
    path: ['stores', 'export'], summary: 'Write all connected stores to a CSV file', args: [],
    about: 'You can import the file again without a change. Only this computer holds logo files; for an account at a host, the logo column is empty.',
    flags: [
      { name: 'out', kind: 'text', value: '<file>', help: 'Write to this file (default: standard output)', group: 'File' },
      { name: 'logos', kind: 'text', value: '<folder>', help: 'Write the logos into this folder', group: 'File' },
      { name: 'force', kind: 'switch', help: 'Replace an existing file', group: 'Safety' },
    ],
    examples: [{ about: 'Write a file of all stores', line: 'shipx stores export --out all-stores.csv' }, { about: 'Write the logos too', line: 'shipx stores export --out all-stores.csv --logos logos --force' }],
    output: 'store_name,brand_name,logo', exits: '0 done · 2 the file exists already · 4 not signed in, or refused · 6 temporary: run it again', api: api('listStores'),
  },
]
