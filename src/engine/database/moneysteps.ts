// Steps of the schema about a merchant's money and what is printed, in SQLite's dialect (migrations.ts has their
// order). A released step is never edited.

// What each shipment costs as quoted (domain/parcels/charges): paise before GST, milligrams, GST in hundredths of a
// percent. `valid_from` is the version of the card, `cod_kept` what stays of the COD fee when the parcel returns, and
// `parts` names the surcharges.
export const charges = `
create table charges (
  account_id integer not null references accounts (id),
  shipment_id text not null,
  carrier_id text not null,
  card text not null,
  valid_from text not null,
  day text not null,
  zone text not null,
  zone_by text not null,
  weight integer not null,
  slab integer not null,
  freight integer not null,
  surcharges integer not null,
  cod integer not null,
  cod_kept integer not null,
  rto integer not null,
  platform_fee integer not null,
  gst integer not null,
  parts text not null,
  quoted_by text not null,
  quoted_at integer not null,
  primary key (account_id, shipment_id)
) strict, without rowid;
`

// What couriers billed (domain/money): documents as they were read, and their lines with what was expected of them.
// Paise, milligrams, ms UTC. A document is there once `complete` is 1; `superseded_at` marks one that another with its
// number replaced. `reasons` of a document are its sums, of a line the parts of its difference, JSON in rupees.
export const invoices = `
create table documents (
  account_id integer not null references accounts (id),
  id text not null,
  kind text not null,
  courier text not null,
  number text not null,
  day text,
  form text not null,
  card text not null,
  gst text not null,
  sha256 text not null,
  complete integer not null check (complete in (0, 1)),
  lines integer not null,
  billed integer not null,
  expected integer not null,
  over_paise integer not null,
  over_lines integer not null,
  under_paise integer not null,
  under_lines integer not null,
  unknown_lines integer not null,
  credit_lines integer not null,
  reasons text not null,
  dispute_by text,
  created_at integer not null,
  superseded_at integer,
  primary key (account_id, id)
) strict;
create index documents_number on documents (account_id, number);
create index documents_sha256 on documents (account_id, sha256);
create table document_lines (
  account_id integer not null references accounts (id),
  id text not null,
  document_id text not null,
  line integer not null,
  awb text not null,
  order_name text,
  courier text,
  journey text not null,
  status text,
  picked_up integer,
  card text,
  zone text,
  zone_billed text,
  zone_by text,
  weight integer,
  weight_billed integer,
  weight_by text,
  slab integer,
  slab_billed integer,
  matched_by text,
  origin text,
  state text,
  billed integer not null,
  expected integer,
  gst_billed integer,
  gst_expected integer,
  freight integer not null,
  rto integer not null,
  cod_fee integer not null,
  fuel integer not null,
  other integer not null,
  verdict text not null,
  category text not null,
  reasons text,
  earlier text,
  primary key (account_id, id)
) strict, without rowid;
create index document_lines_awb on document_lines (account_id, awb);
create index document_lines_verdict on document_lines (account_id, document_id, verdict);
`

// What the account set of the policies of couriers (domain/money/policies.ts): windows to dispute, the COD cycle. Terms
// are JSON by their field: the value as text, and when it was set (ms UTC).
export const policies = `
create table policies (
  account_id integer not null references accounts (id),
  courier text not null,
  name text not null,
  terms text not null,
  changed_at integer not null,
  changed_by text not null,
  primary key (account_id, courier)
) strict, without rowid;
`

// Disputes of lines that cost too much (domain/money/disputes.ts): paise, ms UTC. `status` is as it was kept last, and
// `answered` the last that a person gave. `urgent_at` orders the list. Events are only added. The files of evidence lie
// in the data folder under their SHA-256.
export const disputes = `
create table disputes (
  account_id integer not null references accounts (id),
  id text not null,
  document_id text not null,
  line integer not null,
  invoice text not null,
  invoice_day text,
  courier text not null,
  courier_key text not null,
  awb text not null,
  order_name text,
  journey text not null,
  reason text not null,
  amount integer not null,
  settled integer,
  credited integer not null,
  status text not null,
  answered text not null,
  due_at integer,
  taken integer not null check (taken in (0, 1)),
  urgent_at integer not null,
  changed_at integer not null,
  created_at integer not null,
  primary key (account_id, id)
) strict;
create unique index disputes_line on disputes (account_id, document_id, line);
create index disputes_awb on disputes (account_id, awb);
create index disputes_urgent on disputes (account_id, status, urgent_at, id, amount);
create table dispute_events (
  account_id integer not null references accounts (id),
  id text not null,
  dispute_id text not null,
  status text not null,
  amount integer,
  at integer not null,
  by_whom text not null,
  source text not null,
  note text,
  primary key (account_id, id)
) strict, without rowid;
create table evidence (
  account_id integer not null references accounts (id),
  id text not null,
  awb text not null,
  sha256 text not null,
  name text not null,
  shows text not null,
  bytes integer not null,
  added_at integer not null,
  added_by text not null,
  primary key (account_id, id)
) strict, without rowid;
create index evidence_awb on evidence (account_id, awb);
`

// What couriers remitted of COD, and what reached the bank (domain/money): lines of documents of the kinds `remittance`
// and `bank`. A line without an AWB is a deduction of its transfer, one without `entry` an unexplained one. `due`,
// `paid`, `difference` and `verdict` are those of the AWB when the document was read. Paise, ms UTC, IST days. The
// index of shipments holds what couriers owe: sums by courier and day read no record.
export const remittances = `
create table remittance_lines (
  account_id integer not null references accounts (id),
  id text not null,
  document_id text not null,
  line integer not null,
  awb text not null,
  order_name text,
  courier text,
  utr text,
  batch text,
  remitted_on text,
  remitted integer not null,
  fee integer not null,
  adjusted integer not null,
  unexplained integer not null,
  entry text,
  delivered integer,
  due_date text,
  due integer not null,
  paid integer not null,
  difference integer not null,
  fee_due integer,
  verdict text,
  days_late integer,
  matched_by text,
  primary key (account_id, id)
) strict, without rowid;
create index remittance_lines_awb on remittance_lines (account_id, awb, remitted);
create index remittance_lines_utr on remittance_lines (account_id, utr);
create table bank_credits (
  account_id integer not null references accounts (id),
  id text not null,
  document_id text not null,
  line integer not null,
  day text,
  utr text not null,
  amount integer not null,
  narration text not null,
  reference text not null,
  primary key (account_id, id)
) strict, without rowid;
create index bank_credits_utr on bank_credits (account_id, utr);
create index shipments_cod_delivered on shipments (account_id, delivered_at, tracking_number, carrier_id, carrier_name,
  cod_amount, total_price) where is_cod = 1 and status = 'delivered' and delivered_at is not null;
`

// What was printed of which shipment (docs/guides/labels.md): each label, and each line of a manifest with its number
// and whether the parcel was handed over. A warehouse gets what a label says of it.
export const prints = `
create table prints (
  account_id integer not null references accounts (id),
  id text not null,
  shipment_id text not null,
  kind text not null,
  tracking_number text not null,
  manifest text,
  handed_over integer check (handed_over in (0, 1)),
  printed_by text not null,
  printed_at integer not null,
  primary key (account_id, id)
) strict, without rowid;
create index prints_shipment on prints (account_id, shipment_id, kind, printed_at);
create index prints_manifest on prints (account_id, manifest) where manifest is not null;
create index prints_tracking_number on prints (account_id, tracking_number);
alter table warehouses add column name text;
alter table warehouses add column address text;
alter table warehouses add column phone text;
alter table warehouses add column gstin text;
`

// What webhooks receive (null: status changes alone), and what they were told of the deadline of a dispute: 0 nothing,
// 1 that it is near, 2 that it is over. `announced` is the IST day on which the courier announced the weight, as
// somebody typed it.
export const disputeNews = `
alter table webhooks add column events text;
alter table disputes add column announced text;
alter table disputes add column told integer not null default 0;
create index disputes_told on disputes (account_id, told, due_at) where status = 'found' and due_at is not null;
drop index disputes_urgent;
create index disputes_urgent on disputes (account_id, status, urgent_at, amount desc, id);
create index dispute_events_dispute on dispute_events (account_id, dispute_id, at, id);
`

// What is owed of the COD of whole days, by courier: JSON (money/coddays.ts). A row is right or absent. A document of
// payments that comes to count, or no longer does, takes all rows of its account with it.
const forgets = (name: string, when: string, row: 'new' | 'old'): string => `
create trigger cod_days_${name} after ${when} on documents when ${row}.kind in ('remittance', 'bank') begin
  delete from cod_days where account_id = ${row}.account_id;
end;`
export const codDays = `
create table cod_days (
  account_id integer not null references accounts (id),
  day integer not null,
  sums text not null,
  primary key (account_id, day)
) strict, without rowid;
${forgets('changed', 'update', 'new')}${forgets('removed', 'delete', 'old')}
`
