// The definitions of the commands that work on the engine's own database: `shipx local`.
import { keysOf } from '../../../domain/keysof.ts'
import { qcStatuses, refundStatuses, returnBuckets } from '../../../domain/parcels/statuses.ts'
import type { Command, Flag } from '../../command/tree.ts'
import { forwardEvents, returnEvents } from '../../../domain/parcels/journeys.ts'
import { asking, fileFlags, dryRun, local, read, write } from '../rows/flags.ts'
import { shipmentQuestion } from '../shipments/rows.ts'

const fileArg = { name: 'file', help: 'A file, or - for standard input' }

const noMessages: Flag = {
  name: 'no-messages',
  kind: 'switch',
  help: 'Do not message customers (for old events)',
  group: 'Messages',
}

// prettier-ignore
export const locals: readonly Command[] = [
  {
    path: ['local', 'seed'], summary: 'Fill the database with sample data', args: [], ...local,
    flags: [
      { name: 'shipments', kind: 'number', value: '<n>', help: 'Shipments', group: 'How much', default: '500' },
      { name: 'returns', kind: 'number', value: '<n>', help: 'Returns', group: 'How much', default: '80' },
      { name: 'stores', kind: 'number', value: '<n>', help: 'Stores', group: 'How much', default: '6' },
      { name: 'days', kind: 'number', value: '<n>', help: 'Spread over this many days up to now', group: 'How much', default: '90' },
      { name: 'seed', kind: 'number', value: '<n>', help: 'Start of the random choices; the same seed and clock give the same data', group: 'How much', default: '42' },
      { name: 'invoices', kind: 'text', value: '<folder>', help: 'Also write invoices and COD remittances of couriers for the last two months and a bank statement into this folder, with faults that faults.csv and cod-faults.csv list', group: 'Files' },
      { name: 'force', kind: 'switch', help: 'Replace files that are there', group: 'Files' },
      dryRun,
    ],
    examples: [{ about: 'A first look', line: 'shipx local seed' }, { about: 'Invoices to try reconcile with', line: 'shipx local seed --invoices invoices' }, { about: 'A year of a larger brand', line: 'shipx local seed --shipments 100000 --returns 10000 --stores 50 --days 365' }],
    output: '{shipments, returns, stores, warehouses}', exits: `${write} · 8 the database has other records: add --yes · 130 cancelled`,
  },
  {
    path: ['local', 'import'], summary: 'Import records from a file', ...local,
    args: [{ name: 'kind', help: 'shipments, returns or stores' }, fileArg], flags: [dryRun],
    about: 'JSON Lines of records as listings print them, or a saved page {data: […]}. Inserts records, or updates them by id.',
    examples: [{ about: 'A saved listing', line: 'shipx local import shipments page.json' }, { about: 'From one database to another', line: 'shipx shipments list --all --jsonl | shipx local import shipments - --db copy.sqlite' }],
    output: '{created, updated, unchanged}', exits: '0 done · 2 a line is wrong: shipx names it and says what was applied',
  },
  {
    path: ['local', 'warehouse', 'set'], summary: 'Set where a warehouse is', args: [{ name: 'id', help: 'Warehouse id' }, { name: 'pincode', help: 'Its pincode' }],
    about: 'Labels and manifests show the name, the address, the phone and the GSTIN. Details that you do not give stay as they are; an empty text removes one.',
    flags: [
      { name: 'name', kind: 'text', value: '<name>', help: 'Name of the seller or the place, as a label shows it', group: 'Labels' },
      { name: 'address', kind: 'text', value: '<address>', help: 'Street, city and state, without the pincode', group: 'Labels' },
      { name: 'phone', kind: 'text', value: '<phone>', help: 'Mobile number of ten digits', group: 'Labels' },
      { name: 'gstin', kind: 'text', value: '<gstin>', help: 'GSTIN of the seller there', group: 'Labels' },
      dryRun,
    ],
    ...local,
    examples: [{ about: 'Its orders can then get a courier', line: 'shipx local warehouse set WH1 400001' }, { about: 'Labels then show where undelivered parcels go', line: 'shipx local warehouse set WH1 400001 --name "Acme Toys" --address "Plot 7, MIDC, Mumbai" --phone 9820012345' }], output: '{data: {id, pincode, …}}', exits: write,
  },
  {
    path: ['local', 'warehouse', 'list'], summary: 'List the warehouses', args: [], flags: [], ...local,
    examples: [{ about: 'Every warehouse', line: 'shipx local warehouse list' }], output: '{data: [{id, pincode, …}]}', exits: read,
  },
  {
    path: ['local', 'warehouse', 'remove'], summary: 'Remove a warehouse', args: [{ name: 'id', help: 'Warehouse id' }], flags: [dryRun], ...local,
    examples: [{ about: 'A warehouse that has closed', line: 'shipx local warehouse remove WH1 --yes' }], output: '{data: {id}}', exits: `${write} · ${asking}`,
  },
  {
    path: ['local', 'assign'], summary: 'Assign a courier to an order', args: [{ name: 'order', help: 'Order id' }], ...local,
    flags: [{ name: 'courier', kind: 'text', value: '<courier>', help: 'Use this courier instead of the cheapest: its id, its code or part of its name', group: 'Order' }, dryRun],
    examples: [{ about: 'The cheapest', line: 'shipx local assign ORDER-1' }], output: '{status, payload: {…}}', exits: write,
  },
  {
    path: ['local', 'cancel'], summary: 'Cancel an order before pickup', args: [{ name: 'order', help: 'Order id' }], flags: [dryRun], ...local,
    examples: [{ about: 'shipx asks before it cancels', line: 'shipx local cancel ORDER-1' }], output: '{data: {id, type, attributes}}', exits: `${write} · ${asking}`,
  },
  {
    path: ['local', 'return', 'create'], summary: 'Create a return of a delivered shipment', args: [{ name: 'shipment', help: 'Tracking number, id, or order id' }], ...local,
    flags: [
      { name: 'reason', kind: 'text', value: '<reason>', help: 'Reason for the return', group: 'Return', default: 'changed_mind' },
      { name: 'sku', kind: 'list', value: '<sku,…>', help: 'Only these items (default: all)', group: 'Return' },
      { name: 'exchange', kind: 'switch', help: 'An exchange: the customer gets another item', group: 'Return' },
      { name: 'dangerous-goods', kind: 'switch', help: 'It holds dangerous goods', group: 'Return' },
      { name: 'no-qc', kind: 'switch', help: 'Without a quality check', group: 'Return' },
      dryRun,
    ],
    examples: [{ about: 'Everything in it', line: 'shipx local return create 14344940012345 --reason wrong_size' }], output: '{data: {id, type, attributes}}', exits: write,
  },
  {
    path: ['local', 'return', 'update'], summary: 'Change the status, QC or refund of a return', args: [{ name: 'return', help: 'Display id or id' }], ...local,
    flags: [
      { name: 'status', kind: 'text', value: '<status>', choices: keysOf(returnBuckets), help: 'Detailed status', group: 'Return' },
      { name: 'qc', kind: 'text', value: '<status>', choices: qcStatuses, help: 'QC status', group: 'Return' },
      { name: 'refund', kind: 'text', value: '<status>', choices: refundStatuses, help: 'Refund status', group: 'Return' },
      dryRun,
    ],
    examples: [{ about: 'Received, checked and refunded', line: 'shipx local return update RT-5521 --status return_delivered --qc passed --refund processed' }], output: '{data: {id, type, attributes}}', exits: write,
  },
  {
    path: ['local', 'track'], summary: 'Record courier scans: one scan, or a file', ...local,
    about: "The events of a parcel, in the order of their times, decide its status. Late and repeated events are fine. If an event does not fit the parcel's status, shipx saves it, warns, and leaves the status as it is.",
    args: [{ name: 'tracking number', help: 'AWB of a shipment or a return' }, { name: 'event', help: `What happened. Shipment: ${forwardEvents.join(', ')}. Return: ${returnEvents.join(', ')}` }],
    flags: [
      { name: 'at', kind: 'text', value: '<time>', help: 'When: 2026-09-28 14:05 (IST), 2h, or ISO 8601', group: 'Scan', default: 'now' },
      { name: 'location', kind: 'text', value: '<place>', help: 'Place of the scan', group: 'Scan' },
      { name: 'reason', kind: 'text', value: '<words>', help: "Why, in the courier's words or ours: customer_not_available", group: 'Scan' },
      { name: 'description', kind: 'text', value: '<text>', help: 'What the timeline shows', group: 'Scan' },
      { name: 'event-id', kind: 'text', value: '<id>', help: 'The same id is the same event, however often it arrives', group: 'Scan' },
      { name: 'file', kind: 'text', value: '<file|->', help: 'Scans as CSV, Excel workbook or JSON Lines: tracking_number, event, at, location, reason, description, event_id', group: 'File' },
      { name: 'words', kind: 'text', value: '<file>', help: 'JSON file with the words that a courier uses for events and reasons: {"events": {"DLVD": "delivered"}, "reasons": {…}}', group: 'File' },
      ...fileFlags(['sheet', 'template', 'force']),
      noMessages,
      dryRun,
    ],
    examples: [
      { about: 'One scan', line: 'shipx local track 14344940012345 out_for_delivery --location Bengaluru' },
      { about: 'A failed attempt, in the words of the courier', line: 'shipx local track 14344940012345 "Undelivered" --reason "Door locked" --at 2h' },
      { about: "A courier's file of the day", line: 'shipx local track --file scans.csv --yes' },
    ],
    output: '{data: {id, outcome, record, status}}; of a file {created, unchanged, kept_without_effect, failed}',
    exits: '0 done · 2 the file or the command line is wrong, nothing was saved · 3 unknown tracking number · 6 database busy · 7 some rows of the file failed · 8 a file needs --yes · 130 interrupted, or you said no',
  },
  {
    path: ['local', 'simulate'], summary: 'Move open parcels as couriers move real ones', ...local,
    about: 'Adds the scans of the next --days days to each open parcel: pickup, hubs, delivery. Some attempts fail, and some parcels go back. Scans continue from the last one and are never in the future. If the last scan is more recent than --days ago, shipx compresses those days into the time since it. Parcels without a tracking number wait. The same database, clock and seed make the same events.',
    args: [{ name: 'tracking number', help: 'Only these parcels (default: all that are open)', many: true }],
    flags: [
      { name: 'days', kind: 'number', value: '<n>', help: 'How many days to move each parcel on, 1 to 90', group: 'How much', default: '7' },
      { name: 'seed', kind: 'number', value: '<n>', help: 'Another seed makes other events', group: 'How much', default: '42' },
      noMessages,
      dryRun,
    ],
    examples: [
      { about: 'A week of everything that is under way', line: 'shipx local simulate' },
      { about: 'One parcel to its end', line: 'shipx local simulate 14344940012345 --days 30' },
      { about: 'How many would move', line: 'shipx local simulate --dry-run' },
    ],
    output: '{data: {shipments, returns, events, delivered, rto, returned, not_returned, lost, waiting, shared, too_new, messages}}',
    exits: '0 done · 2 bad input, nothing was changed · 3 unknown tracking number, nothing was changed · 6 database busy · 130 interrupted, shipx says what moved',
  },
  {
    path: ['local', 'price'], summary: 'Price the parcels that have a courier and no price', args: [], ...local,
    about: 'Each parcel gets the price of its courier on your rate card, with the version of the day when it was picked up (else made ready, else created). The charged weight is that of the record. Where shipx does not know the warehouse, the zone of the record counts. Returns have no price.',
    flags: [
      { name: 'card', kind: 'text', value: '<name>', help: 'Price with this card (default: the card in use)', group: 'Prices' },
      { name: 'again', kind: 'switch', help: 'Also price again what has a price', group: 'Prices' },
      ...shipmentQuestion,
      dryRun,
    ],
    examples: [
      { about: 'Everything without a price', line: 'shipx local price' },
      { about: 'October once more, after a new version of the card', line: 'shipx local price --month 2026-10 --again' },
    ],
    output: '{data: {card, parcels, priced, total, already, without_courier, without_price: [{reason, parcels, example, why}]}}',
    exits: '0 done · 2 bad input · 3 no such card · 6 database busy · 7 some parcels have no price, shipx says why · 130 interrupted: run it again',
  },
  {
    path: ['local', 'init'], summary: 'Create the database, or update its schema', args: [], ...local,
    about: 'Any command that writes does this by itself. On PostgreSQL the tables can be split into partitions by account; this can only be chosen once.',
    flags: [{ name: 'partitions', kind: 'number', value: '<n>', help: 'Partitions by account, on PostgreSQL only; 0 for none', group: 'Database', default: '0' }, dryRun],
    examples: [{ about: 'On PostgreSQL, spread over sixteen', line: 'shipx local init --database postgres://shipx@db.internal/shipx --partitions 16' }], output: '{database, partitions}', exits: write,
  },
  {
    path: ['local', 'path'], summary: 'Show where the database is', args: [], flags: [], ...local,
    examples: [{ about: 'The path of the database file', line: 'shipx local path' }], output: '{path, exists, bytes}', exits: '0 done',
  },
  {
    path: ['local', 'check'], summary: 'Check the database for damage', args: [], flags: [{ name: 'quick', kind: 'switch', help: 'Skip comparing indexes with their tables', group: 'Database' }], ...local,
    examples: [{ about: 'After a power cut', line: 'shipx local check' }], output: '{path, faults: [], evidence}', exits: '0 sound · 1 damaged · 3 no database · 7 the database is sound, but evidence of disputes is missing or changed',
  },
  {
    path: ['local', 'backup'], summary: 'Copy the database while it is in use', about: 'The evidence of disputes goes along, into the folder <file>.evidence next to the copy. Keep both together.', args: [{ name: 'file', help: 'The copy to make' }], ...local,
    flags: [{ name: 'force', kind: 'switch', help: 'Replace an existing file', group: 'Safety' }],
    examples: [{ about: 'A copy of today', line: 'shipx local backup backup.sqlite' }], output: '{path, bytes, evidence, evidence_missing}', exits: '0 done · 2 the file is there already · 3 no database · 6 the file is a database in use',
  },
  {
    path: ['local', 'restore'], summary: 'Replace the database with a copy', args: [{ name: 'file', help: 'A copy that shipx local backup made' }], flags: [dryRun], ...local,
    about: 'Checks the copy first. Refuses if another process has the database open, so stop shipx serve first. Keeps the old database, and what a crash left next to it, as <database>.before-restore-<time>. If the copy is from an older shipx, the next command updates it. Brings the evidence of <file>.evidence back first.',
    examples: [{ about: 'Back to the copy of yesterday', line: 'shipx local restore yesterday.sqlite --yes' }], output: '{path, from, bytes, kept, evidence, evidence_missing}', exits: '0 done · 1 the copy is damaged · 2 bad input, or the copy is not a database of shipx · 6 the database is in use · 8 needs --yes · 130 you said no; only 0 changes the database',
  },
  {
    path: ['local', 'copy'], summary: 'Copy a database into another one', args: [], ...local,
    about: 'Copies all accounts, from a file to PostgreSQL or back, in chunks. Then compares counts and checksums. If it stops, run it again: it continues where it stopped. The target must be empty or hold a part of the same copy. Put a password in PGPASSWORD, not in the address.',
    flags: [
      { name: 'from', kind: 'text', value: '<database>', help: 'The source: a database file, or postgres://…', group: 'Copy' },
      { name: 'to', kind: 'text', value: '<database>', help: 'The target: a file, created when it does not exist, or postgres://…', group: 'Copy' },
      { name: 'force', kind: 'switch', help: 'Delete what differs from the source in the target, then copy', group: 'Safety' },
      dryRun,
    ],
    examples: [
      { about: 'To PostgreSQL', line: 'shipx local copy --from shipx.sqlite --to postgres://shipx@db.internal/shipx' },
      { about: 'And back', line: 'shipx local copy --from postgres://shipx@db.internal/shipx --to shipx.sqlite' },
    ],
    output: '{from, to, added, removed, tables: [{table, rows, checksum}]}',
    exits: '0 done, both are the same · 2 bad input · 3 no source · 5 the target has other data · 6 database busy · 7 they differ: run it again · 8 --force needs --yes · 130 interrupted: run it again; or you said no',
  },
  {
    path: ['local', 'reset'], summary: 'Delete the database and everything in it', args: [], flags: [dryRun], ...local,
    examples: [{ about: 'Start again', line: 'shipx local reset --yes' }], output: '{path, removed}', exits: `0 done · 6 the database is in use · ${asking}`,
  },
]
