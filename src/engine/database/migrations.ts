// The schema as an ordered list of steps, in SQLite's dialect (for PostgreSQL: postgresstep.ts). A released step is
// never edited.
import { ShipxError } from '../../domain/errors.ts'
import { charges, codDays, disputeNews, disputes, invoices, policies, prints, remittances } from './moneysteps.ts'
import { recastColumns } from './recast.ts'

/** Marks a file as ours in SQLite's header: the letters "shpx". */
export const applicationId = 0x73687078

/** An index of a column that most rows leave empty. */
const sparseIndex = (table: string, column: string): string =>
  `create index ${table}_${column} on ${table} (account_id, ${column}) where ${column} is not null;`

// Text keys compare by bytes, times are ms UTC, money is paise, weights are milligrams, booleans are 0 or 1. Every
// index starts with the account. `seq` is the record's number inside its account's range; the search index uses it.
// Checks cover types and ranges but not vocabularies: a mirror must store what other deployments send.
const first = `
create table accounts (
  id integer primary key,
  name text not null unique check (length(name) between 1 and 100),
  created_at integer not null
) strict;

create table stores (
  account_id integer not null references accounts (id),
  id text not null,
  store_name text not null check (length(store_name) between 1 and 100),
  brand_name text,
  channel text not null,
  status text not null,
  logo_type text,
  logo blob check (logo is null or length(logo) <= 2097152),
  created_at integer not null,
  updated_at integer not null,
  primary key (account_id, id)
) strict;
create unique index stores_name on stores (account_id, store_name);

create table warehouses (
  account_id integer not null references accounts (id),
  id text not null,
  pincode text not null check (length(pincode) = 6),
  primary key (account_id, id)
) strict;

create table ratecards (
  account_id integer not null references accounts (id),
  name text not null,
  card text not null,
  in_use integer not null check (in_use in (0, 1)),
  updated_at integer not null,
  primary key (account_id, name)
) strict;

create table orders (
  account_id integer not null references accounts (id),
  id text not null,
  order_id text not null,
  shipment_id text not null,
  doc text not null,
  created_at integer not null,
  primary key (account_id, id)
) strict;
create unique index orders_order_id on orders (account_id, order_id);
create index orders_shipment on orders (account_id, shipment_id);

create table idempotency (
  account_id integer not null references accounts (id),
  key text not null check (length(key) between 1 and 255),
  operation text not null,
  request text not null,
  answer text not null,
  created_at integer not null,
  primary key (account_id, key)
) strict;
create index idempotency_age on idempotency (account_id, created_at);

create table shipments (
  seq integer primary key,
  account_id integer not null references accounts (id),
  id text not null,
  created_at integer not null,
  status text,
  granular_status text,
  carrier_id text,
  warehouse_id text,
  channel text,
  zone text,
  is_cod integer check (is_cod in (0, 1)),
  applied_weight integer,
  attempt_count integer,
  ndr_reason text,
  rto_reason text,
  store_name text,
  tracking_number text,
  order_display_id text,
  order_date integer,
  ready_for_pickup_at integer,
  picked_up_at integer,
  in_transit_at integer,
  out_for_delivery_at integer,
  delivered_at integer,
  rto_initiated_at integer,
  rto_delivered_at integer,
  doc text not null
) strict;
create unique index shipments_id on shipments (account_id, id);
create index shipments_created_at on shipments (account_id, created_at, id);
create index shipments_wide on shipments (account_id, created_at, id, status, granular_status, carrier_id, warehouse_id,
  channel, zone, is_cod, applied_weight, attempt_count, ndr_reason, rto_reason, store_name);
create index shipments_status on shipments (account_id, status, created_at);
create index shipments_granular_status on shipments (account_id, granular_status, created_at);
create index shipments_carrier_id on shipments (account_id, carrier_id, created_at);
create index shipments_warehouse_id on shipments (account_id, warehouse_id, created_at);
create index shipments_channel on shipments (account_id, channel, created_at);
create index shipments_zone on shipments (account_id, zone, created_at);
create index shipments_is_cod on shipments (account_id, is_cod, created_at);
create index shipments_applied_weight on shipments (account_id, applied_weight);
create index shipments_attempt_count on shipments (account_id, attempt_count, created_at);
create index shipments_ndr_reason on shipments (account_id, ndr_reason, created_at) where ndr_reason is not null;
create index shipments_rto_reason on shipments (account_id, rto_reason, created_at) where rto_reason is not null;
create index shipments_store_name on shipments (account_id, store_name, created_at) where store_name is not null;
${sparseIndex('shipments', 'order_display_id')}
${sparseIndex('shipments', 'tracking_number')}
${sparseIndex('shipments', 'order_date')}
${sparseIndex('shipments', 'ready_for_pickup_at')}
${sparseIndex('shipments', 'picked_up_at')}
${sparseIndex('shipments', 'in_transit_at')}
${sparseIndex('shipments', 'out_for_delivery_at')}
${sparseIndex('shipments', 'delivered_at')}
${sparseIndex('shipments', 'rto_initiated_at')}
${sparseIndex('shipments', 'rto_delivered_at')}

create table shipment_skus (
  account_id integer not null,
  value text not null,
  created_at integer not null,
  seq integer not null,
  primary key (account_id, value, created_at, seq)
) strict, without rowid;
create table shipment_tags (
  account_id integer not null,
  value text not null,
  created_at integer not null,
  seq integer not null,
  primary key (account_id, value, created_at, seq)
) strict, without rowid;

create table returns (
  seq integer primary key,
  account_id integer not null references accounts (id),
  id text not null,
  created_at integer not null,
  request_date integer not null,
  total_price integer not null,
  status text,
  granular_status text,
  warehouse_id text,
  channel text,
  store_name text,
  carrier_id text,
  zone text,
  refund_status text,
  qc_status text,
  display_id text,
  is_dangerous_goods integer check (is_dangerous_goods in (0, 1)),
  shipment_id text,
  return_pickup_scheduled_at integer,
  return_delivered_at integer,
  doc text not null
) strict;
create unique index returns_id on returns (account_id, id);
create index returns_created_at on returns (account_id, created_at, id);
create index returns_request_date on returns (account_id, request_date, id);
create index returns_total_price on returns (account_id, total_price, id);
create index returns_wide on returns (account_id, created_at, id, request_date, total_price, status, granular_status,
  warehouse_id, channel, store_name, carrier_id, zone, refund_status, qc_status, is_dangerous_goods);
create index returns_status on returns (account_id, status, created_at);
create index returns_granular_status on returns (account_id, granular_status, created_at);
create index returns_warehouse_id on returns (account_id, warehouse_id, created_at);
create index returns_channel on returns (account_id, channel, created_at);
create index returns_store_name on returns (account_id, store_name, created_at) where store_name is not null;
create index returns_carrier_id on returns (account_id, carrier_id, created_at) where carrier_id is not null;
create index returns_zone on returns (account_id, zone, created_at);
create index returns_refund_status on returns (account_id, refund_status, created_at);
create index returns_qc_status on returns (account_id, qc_status, created_at);
${sparseIndex('returns', 'display_id')}
create index returns_is_dangerous_goods on returns (account_id, is_dangerous_goods, created_at);
${sparseIndex('returns', 'shipment_id')}
${sparseIndex('returns', 'return_pickup_scheduled_at')}
${sparseIndex('returns', 'return_delivered_at')}

create table return_skus (
  account_id integer not null,
  value text not null,
  created_at integer not null,
  seq integer not null,
  primary key (account_id, value, created_at, seq)
) strict, without rowid;

create table shipment_search (seq integer primary key, account_id integer not null, text text not null) strict;
create table return_search (seq integer primary key, account_id integer not null, text text not null) strict;
`

// Triggers keep the trigram index equal to its table, so that the statements that write a record are the same on every
// database.
const searchIndex = (kind: string): string => `
create virtual table ${kind}_fts using fts5 (
  text, content = '${kind}_search', content_rowid = 'seq', columnsize = 0, tokenize = 'trigram case_sensitive 1'
);
create trigger ${kind}_search_in after insert on ${kind}_search begin
  insert into ${kind}_fts (rowid, text) values (new.seq, new.text);
end;
create trigger ${kind}_search_out after delete on ${kind}_search begin
  insert into ${kind}_fts (${kind}_fts, rowid, text) values ('delete', old.seq, old.text);
end;
`

// PostgreSQL's trigrams of each account's text: an index that starts with the account.
const trigramIndex = (kind: string): string =>
  `create index ${kind}_search_trigram on ${kind}_search using gin (account_id, text gin_trgm_ops);\n`

// Like `accounts`, this table is read before the account is known.
const keys = `
create table keys (
  hash text not null primary key check (length(hash) = 64),
  account_id integer not null references accounts (id),
  id text not null,
  label text,
  ending text not null,
  read_only integer not null check (read_only in (0, 1)),
  created_at integer not null,
  expires_at integer,
  revoked_at integer
) strict, without rowid;
create unique index keys_id on keys (account_id, id);
create unique index ratecards_in_use on ratecards (account_id) where in_use = 1;
`

// `pulls`: how far shipx has pulled each kind from another deployment. `stores.doc`: a store as that deployment sent
// it.
const pulls = `
create table pulls (
  account_id integer not null references accounts (id),
  kind text not null,
  owner text not null,
  state text not null,
  updated_at integer not null,
  primary key (account_id, kind)
) strict, without rowid;
alter table stores add column doc text;
`

// The scans that couriers sent, each parcel's state before its first scan, and the number by which couriers know a
// return. `base` is that state (domain/journeys); `digest` identifies the state after the events. `generation` counts
// how often the record was changed in another way; each such change settles the events before it.
const tracking = `
create table events (
  account_id integer not null references accounts (id),
  id text not null check (length(id) between 1 and 200),
  record_id text not null,
  generation integer not null,
  event text not null,
  at integer not null,
  reason text,
  location text,
  description text,
  ignored integer not null check (ignored in (0, 1)),
  received_at integer not null,
  primary key (account_id, id)
) strict, without rowid;
create index events_record on events (account_id, record_id, at, id);
create table journeys (
  account_id integer not null references accounts (id),
  record_id text not null,
  generation integer not null,
  base text not null,
  digest text not null,
  last_at integer not null,
  last_id text not null,
  primary key (account_id, record_id)
) strict, without rowid;
alter table returns add column tracking_number text;
create index returns_tracking_number on returns (account_id, tracking_number) where tracking_number is not null;
`

// Messages to customers and to the merchant's own systems: made in the transaction of the step, sent later. `brand` is
// the store's brand at that time. A message may go at `due_at` and is tried again at `next_at`. `doc` contains its
// facts, `target` the webhook that gets it. `gateways` is how shipx reaches customers: one row for the gateway, one for
// e-mail.
const messages = `
create table brands (
  account_id integer not null references accounts (id),
  id text not null,
  store_id text not null,
  brand_name text,
  logo_type text,
  logo blob,
  primary key (account_id, id)
) strict;
create table messages (
  account_id integer not null references accounts (id),
  id text not null,
  record_id text not null,
  step text not null,
  channel text not null,
  target text,
  status text not null,
  tracking_number text,
  order_id text,
  store_id text,
  store_name text,
  brand text,
  phone text,
  email text,
  doc text not null,
  created_at integer not null,
  due_at integer not null,
  next_at integer not null,
  attempts integer not null,
  claimed_until integer,
  sent_at integer,
  error text,
  primary key (account_id, id)
) strict;
create unique index messages_step on messages (account_id, record_id, step);
create index messages_created_at on messages (account_id, created_at, id);
create index messages_status on messages (account_id, status, next_at, id);
create index messages_tracking_number on messages (account_id, tracking_number) where tracking_number is not null;
create table optouts (
  account_id integer not null references accounts (id),
  phone text not null,
  created_at integer not null,
  primary key (account_id, phone)
) strict, without rowid;
create table templates (
  account_id integer not null references accounts (id),
  name text not null,
  doc text not null,
  updated_at integer not null,
  primary key (account_id, name)
) strict, without rowid;
create table gateways (
  account_id integer not null references accounts (id),
  name text not null,
  url text,
  secret text,
  sender text,
  updated_at integer not null,
  primary key (account_id, name)
) strict, without rowid;
create table webhooks (
  account_id integer not null references accounts (id),
  id text not null,
  url text not null,
  secret text not null,
  api_key text,
  created_at integer not null,
  primary key (account_id, id)
) strict, without rowid;
`

/** The tables of records: their rows hold columns, and tables of their own the texts. */
export const filledTables = ['shipments', 'returns'] as const

export type FilledTable = (typeof filledTables)[number]

/** The columns of a record of a table, from its text. */
export type Fill = (doc: string, table: FilledTable) => Readonly<Record<string, string | number | null>>

/** Whether a text could be read: of one that cannot, `fillOf` makes one column. The row then keeps what it had. */
export const isRead = (columns: ReturnType<Fill>): boolean => Object.keys(columns).length > 1

/**
 * What is told of a change of the schema, about every 50 ms: a copy of so many bytes is made, another process changes
 * it, or this one moves records, makes indexes or fills the search, so many of all. It waits, so that signals arrive,
 * and may throw to end the work.
 */
export type Watch = (
  phase: 'copy' | 'wait' | 'records' | 'indexes' | 'search',
  done: number,
  all: number,
) => Promise<void>

/** The table, or a part of it, whose rows wait to be moved. */
export const waitingOf = (table: string): string => `${table}_whole`

/** Where the texts of the records of a table are. */
export const docsOf = (table: FilledTable): string => `${table.slice(0, -1)}_docs`

// Where the customer of each record is, as filters compare it. The indexes are a step of their own, made when the
// columns are full.
const placed = filledTables.flatMap((table) => ['city', 'state', 'pincode'].map((column) => [table, column] as const))
const placeTexts = placed.map(([table, column]) => `alter table ${table} add column ${column} text;\n`).join('')
const placeIndexes = placed
  .map(
    ([table, column]) =>
      `create index ${table}_${column} on ${table} (account_id, ${column}, created_at) where ${column} is not null;\n`,
  )
  .join('')

// What the merchant decided about failed deliveries. A decision never changes, and a later one about the same shipment
// has a higher number. `attempts` and `failed_at` say which failed attempt it is about. `sent_at` is when it last went
// into a sheet for the courier.
const ndrAnswers = `
create table ndr_answers (
  account_id integer not null references accounts (id),
  id text not null,
  shipment_id text not null,
  n integer not null,
  tracking_number text,
  order_name text,
  courier text,
  attempts integer not null,
  failed_at integer,
  answer text not null,
  reattempt_on text,
  phone text,
  address text,
  pincode text,
  note text,
  decided_by text not null,
  decided_at integer not null,
  sent_at integer,
  primary key (account_id, id)
) strict, without rowid;
create unique index ndr_answers_shipment on ndr_answers (account_id, shipment_id, n);
create index ndr_answers_decided_at on ndr_answers (account_id, decided_at);
`

// The weight of a piece in milligrams, and its sides in hundredths of a millimetre, where they are known.
const skus = `
create table skus (
  account_id integer not null references accounts (id),
  sku text not null,
  weight integer not null,
  length integer,
  width integer,
  height integer,
  updated_at integer not null,
  primary key (account_id, sku)
) strict, without rowid;
`

// Of the three, only a state is often too common to be looked for by itself.
const wideWithState = `
drop index shipments_wide;
create index shipments_wide on shipments (account_id, created_at, id, status, granular_status, carrier_id, warehouse_id,
  channel, zone, is_cod, applied_weight, attempt_count, ndr_reason, rto_reason, store_name, state);
drop index returns_wide;
create index returns_wide on returns (account_id, created_at, id, request_date, total_price, status, granular_status,
  warehouse_id, channel, store_name, carrier_id, zone, refund_status, qc_status, is_dangerous_goods, state);
`

// The prices of a card by the day from which they are valid ('' for always): a card that is there becomes its first
// version. `id` is its name and that day.
const cardVersions = `
create table card_versions (
  account_id integer not null references accounts (id),
  id text not null,
  name text not null,
  valid_from text not null,
  card text not null,
  updated_at integer not null,
  primary key (account_id, id)
) strict;
create index card_versions_name on card_versions (account_id, name, valid_from);
`
const firstVersions = (from: string): string => `
insert into card_versions (account_id, id, name, valid_from, card, updated_at)
  select account_id, name || ' ' || coalesce(${from}, ''), name, coalesce(${from}, ''), card, updated_at from ratecards;
alter table ratecards drop column card;
`

// Columns and documents apart: a look at columns reads 250 bytes of a record and not its whole text
// (docs/inside/architecture.md, Storage). The types of the columns that are new.
const sums = {
  shipments: {
    total_price: 'integer',
    cod_amount: 'integer',
    carrier_name: 'text',
    city_name: 'text',
    state_name: 'text',
    zip: 'text',
    order_id: 'text',
    order_external_id: 'text',
    last_scan_at: 'integer',
    unread_amount: 'integer',
    whole_paise: 'integer',
    has_order: 'integer',
  },
  returns: {
    carrier_name: 'text',
    city_name: 'text',
    state_name: 'text',
    zip: 'text',
    order_id: 'text',
    order_external_id: 'text',
    order_display_id: 'text',
    return_reason: 'text',
    is_exchange: 'integer',
    unread_amount: 'integer',
    whole_paise: 'integer',
    has_order: 'integer',
  },
} as const satisfies Readonly<Record<FilledTable, Readonly<Record<string, 'integer' | 'text'>>>>

/** The columns that are filled from the texts of old records, by the step that moves those: earlier steps made some. */
export const filledColumns: Readonly<Record<FilledTable, readonly string[]>> = {
  shipments: [...recastColumns.shipment, 'city', 'state', 'pincode', ...Object.keys(sums.shipments)],
  returns: [...recastColumns.return, 'city', 'state', 'pincode', 'tracking_number', ...Object.keys(sums.returns)],
}

const docTables = filledTables
  .map((table) => {
    const columns =
      'seq integer primary key,\n  account_id integer not null references accounts (id),\n  doc text not null'
    return `create table ${docsOf(table)} (\n  ${columns}\n) strict;\n`
  })
  .join('')

// Less room on SQLite. An index of few values saves less than it takes: the wide index answers for such a column, and
// for dates. A search index without the places of words takes a third: the texts say whether a word is there.
const narrow = ['created_at', 'warehouse_id', 'channel', 'carrier_id', 'zone']
const goneIndexes: ReadonlySet<string> = new Set([
  ...[...narrow, 'is_cod', 'applied_weight', 'attempt_count'].map((column) => `shipments_${column}`),
  ...[...narrow, 'refund_status', 'qc_status'].map((column) => `returns_${column}`),
])
const withoutPlaces = (kind: string): string => `
drop table ${kind}_fts;
create virtual table ${kind}_fts using fts5 (
  text, content = '${kind}_search', content_rowid = 'seq', columnsize = 0, detail = none,
  tokenize = 'trigram case_sensitive 1'
);
`
const lessRoom =
  [...goneIndexes].map((name) => `drop index if exists ${name};\n`).join('') +
  ['shipment', 'return'].map(withoutPlaces).join('')

// What PostgreSQL counts by several filters is in one index: it reads 185 pages of an account in place of 5,700. Each
// column holds short words.
const together = `
create index shipments_together on shipments (account_id, status, zone, is_cod, carrier_id, warehouse_id, channel,
  created_at);
`

/** One step: its tables and indexes in SQLite's dialect, and statements that only one database needs. */
export interface Step {
  readonly tables: string
  readonly sqlite?: string
  readonly postgres?: string
  /**
   * The step moves records: their rows into new tables with these columns more, their texts into tables of their own,
   * and what earlier steps left empty is filled (sqlitemove.ts, postgresmove.ts).
   */
  readonly apart?: Readonly<Record<FilledTable, Readonly<Record<string, 'integer' | 'text'>>>>
  /** The step makes the search indexes of SQLite anew, which are then filled from the texts (sqlitesearch.ts). */
  readonly searched?: true
}

/** The steps that bring a database to the schema of this version. The database stores how many of them it has taken. */
export const steps: readonly Step[] = [
  {
    tables: first,
    sqlite: searchIndex('shipment') + searchIndex('return'),
    postgres: trigramIndex('shipment') + trigramIndex('return'),
  },
  { tables: keys },
  { tables: pulls },
  { tables: tracking },
  { tables: messages },
  { tables: placeTexts },
  { tables: placeIndexes, sqlite: wideWithState },
  { tables: ndrAnswers },
  {
    tables: cardVersions,
    sqlite: firstVersions("card ->> '$.valid_from'"),
    postgres: firstVersions("card::json ->> 'valid_from'"),
  },
  { tables: skus },
  { tables: charges },
  { tables: docTables, apart: sums },
  { tables: invoices },
  { tables: policies },
  { tables: disputes },
  { tables: remittances },
  { tables: prints },
  { tables: '', sqlite: lessRoom, searched: true, postgres: together },
  { tables: disputeNews },
  { tables: '', sqlite: codDays },
]

/** The step that moves records. */
export const moveAt = steps.findIndex(({ apart }) => apart !== undefined)

/** The statements of a step for SQLite. */
export const sqliteStep = ({ tables, sqlite = '' }: Step): string => tables + sqlite

/** Statements without the indexes of the tables of records: the move makes these tables anew, and indexes last. */
export const withoutIndexes = (statements: string): string => statements.replaceAll(recordIndex, '')

/** Statements without the tables of records, for a new database: it gets these as the move makes them. */
export const withoutRecords = (statements: string): string => withoutIndexes(statements).replaceAll(recordTable, '')

const recordTable = /^(?:create|alter) table (?:shipments|returns) [^;]*;\n/gm

const recordIndex =
  /^(?:create (?:unique )?index \w+ on (?:shipments|returns) |drop index (?:shipments|returns)_)[^;]*;\n/gm

/** The tables of records as the move makes them, in SQLite's dialect. */
export function movedTable(table: FilledTable): string {
  const before = steps.slice(0, moveAt).map(({ tables }) => tables)
  const made = new RegExp(`create table ${table} \\(\n([^]*?)\n\\) strict;`).exec(first)![1]!
  const added = before.flatMap((text) =>
    [...text.matchAll(new RegExp(`^alter table ${table} add column (.*);$`, 'gm'))].map((found) => found[1]!),
  )
  const columns = Object.entries(sums[table]).map(([name, type]) => `${name} ${type}`)
  const kept = made.replace(/,\n  doc text not null$/, '')
  const body = [kept, ...[...added, ...columns].map((column) => `  ${column}`)].join(',\n')
  return `create table ${table} (\n${body}\n) strict;\n`
}

/** The same on SQLite, without those that a later step drops. */
export const movedSqliteIndexes = (): ReadonlyMap<string, string> =>
  new Map([...movedIndexes()].filter(([name]) => !goneIndexes.has(name)))

/** The statements of the indexes of the moved tables, as the steps up to the move left them, by name. */
export function movedIndexes(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const step of steps.slice(0, moveAt + 1))
    for (const [statement] of sqliteStep(step).matchAll(recordIndex)) {
      const [, change, name] = /^(create|drop)(?: unique)? index (\w+)/.exec(statement)!
      if (change === 'create') found.set(name!, statement)
      else found.delete(name!)
    }
  return found
}

/** The error of a running program whose database a newer one has changed. */
export const newerMeanwhile = (known: number, cause?: unknown): ShipxError =>
  new ShipxError('unavailable', `the database has schema ${known}; this shipx knows up to ${steps.length}`, {
    hint: 'use the newer shipx that wrote it',
    ...(cause === undefined ? {} : { cause }),
  })
