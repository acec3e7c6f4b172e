// P7, JSON Lines: import of all shipments, durable, against sqlite-utils and the same tables and indexes made by SQL.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { databaseOf, linesOf, open } from './data.ts'
import { say, type Figure } from './report.ts'
import { environment, installed, program, type Setup } from './setup.ts'
import { median, runProgram, type Ended } from './timing.ts'

/*
 * What the other side does: `sqlite-utils insert raw` of the file (a column for each key, `attributes` as JSON), then one
 * transaction of the sqlite3 shell that takes the columns out of the JSON into the engine's own tables (without any
 * index, sorted as the file is), fills the child tables in the order of their keys, the search text and its trigram
 * index (by `rebuild`, the fast way), and last makes the engine's own indexes, which is faster than keeping them up to
 * date. It checks no record, looks for no record that is there already, folds only ASCII letters for the search, and
 * keeps the raw table, all of which is to its advantage. Its page cache has 64 MB, that of our import 8.
 */

const attribute = (path: string): string => `json_extract(attributes, '$.${path}')`
const timeOf = (text: string): string => `unixepoch(${text}) * 1000`
// prettier-ignore
const milestones = [
  'ready_for_pickup', 'picked_up', 'in_transit', 'out_for_delivery', 'delivered', 'rto_initiated', 'rto_delivered',
]

/** The columns of a shipment and what they are in the raw table. */
const columns: Readonly<Record<string, string>> = {
  seq: 'raw.rowid',
  account_id: '1',
  id: 'raw.id',
  created_at: timeOf(attribute('created_at')),
  status: attribute('status'),
  granular_status: attribute('granular_status'),
  carrier_id: attribute('carrier.id'),
  warehouse_id: attribute('warehouse_id'),
  channel: attribute('order.channel'),
  zone: attribute('zone'),
  is_cod: attribute('is_cod'),
  applied_weight: `cast(round(${attribute('applied_weight.value')} * 1000) as integer)`,
  attempt_count: attribute('attempt_count'),
  ndr_reason: attribute('ndr_reason'),
  rto_reason: attribute('rto_reason'),
  store_name: attribute('order.store_name'),
  tracking_number: attribute('tracking_number'),
  order_display_id: attribute('order.display_id'),
  order_date: timeOf(attribute('order.order_date')),
  city: `lower(${attribute('shipping_address.city')})`,
  state: attribute('shipping_address.state'),
  pincode: attribute('shipping_address.zip'),
  city_name: attribute('shipping_address.city'),
  state_name: attribute('shipping_address.state'),
  zip: attribute('shipping_address.zip'),
  order_id: attribute('order.id'),
  order_external_id: attribute('order.external_id'),
  carrier_name: attribute('carrier.name'),
  total_price: `cast(round(${attribute('total_price')} * 100) as integer)`,
  cod_amount: `cast(round(${attribute('cod_amount')} * 100) as integer)`,
  unread_amount: '0',
  whole_paise: '1',
  has_order: '1',
  last_scan_at: `max(${milestones.map((name) => `ifnull(${name}_at, 0)`).join(', ')})`,
  ...Object.fromEntries(milestones.map((name) => [`${name}_at`, `${name}_at`])),
}

// prettier-ignore
const searched = [
  'id', attribute('tracking_number'), attribute('order.id'), attribute('order.display_id'), attribute('order.external_id'),
  attribute('shipping_address.name'), attribute('shipping_address.phone'), attribute('shipping_address.city'),
  attribute('shipping_address.state'), attribute('shipping_address.zip'),
  "(select group_concat(value ->> '$.name', char(10)) from json_each(attributes, '$.items'))",
  "(select group_concat(value ->> '$.sku', char(10)) from json_each(attributes, '$.items'))",
]

/** The statements of the engine's own schema that make something of the shipments. */
function schemaOf(path: string): Readonly<Record<'tables' | 'indexes', readonly string[]>> {
  const { database, connection } = open(path)
  const found = connection
    .prepare(
      `select type, sql from sqlite_schema where sql is not null and type in ('table', 'index')
       and tbl_name in ('accounts', 'shipments', 'shipment_docs', 'shipment_skus', 'shipment_tags', 'shipment_search', 'shipment_fts')`,
    )
    .all() as { type: string; sql: string }[]
  void database.close()
  const of = (type: string): readonly string[] => found.filter((made) => made.type === type).map(({ sql }) => sql)
  return { tables: of('table'), indexes: of('index') }
}

function scriptOf(path: string): string {
  const { tables, indexes } = schemaOf(path)
  const child = (table: string, list: string, value: string): string =>
    `insert into ${table} (account_id, value, created_at, seq)
     select distinct 1, ${value}, ${timeOf(attribute('created_at'))}, raw.rowid from raw, json_each(attributes, '$.${list}')
     where ${value} <> '' order by 1, 2, 3, 4`
  const latest = milestones.map(
    (name) =>
      `max(iif(value ->> '$.milestone' = '${name}', ${timeOf("value ->> '$.milestone_at'")}, null)) as ${name}_at`,
  )
  const statements = [
    'pragma cache_size = -64000',
    'pragma synchronous = full',
    'begin',
    ...tables,
    "insert into accounts values (1, 'default', 0)",
    `create temp table steps as select raw.rowid as seq, ${latest.join(', ')} from raw, json_each(attributes, '$.shipment_milestones') group by raw.rowid`,
    'create unique index temp.steps_seq on steps (seq)',
    `insert into shipments (${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')} from raw left join steps on steps.seq = raw.rowid order by raw.rowid`,
    "insert into shipment_docs (seq, account_id, doc) select rowid, 1, json_object('id', id, 'type', type, 'attributes', json(attributes)) from raw order by rowid",
    child('shipment_skus', 'items', "value ->> '$.sku'"),
    child('shipment_tags', 'tags', 'value'),
    `insert into shipment_search (seq, account_id, text) select rowid, 1, lower(${searched.map((part) => `ifnull(${part}, '')`).join(' || char(10) || ')}) from raw order by rowid`,
    "insert into shipment_fts (shipment_fts) values ('rebuild')",
    ...indexes,
    'commit',
  ]
  return `.bail on\n${statements.join(';\n')};\n`
}

const tables = ['shipments', 'shipment_docs', 'shipment_skus', 'shipment_tags', 'shipment_search']

function countsOf(path: string): string {
  const db = new BetterSqlite(path, { readonly: true })
  const counts = tables.map((table) => db.prepare(`select count(*) from ${table}`).pluck().get() as number)
  db.close()
  return counts.join(' ')
}

export async function p7(setup: Setup): Promise<readonly Figure[]> {
  const { folder, rows } = setup
  const runs = rows >= 1_000_000 ? 1 : 3
  say(`P7: import of ${rows.toLocaleString('en-IN')} shipments`)
  const script = program(setup)
  const lines = await linesOf(folder, rows)
  const reference = await databaseOf(folder, Math.min(rows, 10_000))
  const [own, other, statements] = ['import.sqlite', 'other.sqlite', 'other.sql'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const remove = (path: string): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
  }
  const args = [script, 'local', 'import', 'shipments', lines, '--db', own, '--quiet']
  const missing = !installed('sqlite-utils')
    ? 'sqlite-utils is not installed (Debian package sqlite-utils)'
    : !installed('sqlite3')
      ? 'sqlite3 is not installed (Debian package sqlite3)'
      : undefined
  if (missing !== undefined) say(`  ${missing}`)
  writeFileSync(statements, scriptOf(reference))
  const [a, b, inserts]: [number[], number[], number[]] = [[], [], []]
  let peak: number | undefined
  let note = missing
  for (let run = 0; run < runs; run++) {
    remove(own)
    const ended: Ended = await runProgram({ command: process.execPath, args, env: environment(setup), watch: true })
    a.push(ended.ms)
    if (ended.peakMb !== undefined) peak = Math.max(peak ?? 0, ended.peakMb)
    if (missing !== undefined) continue
    remove(other)
    const insert = await runProgram({
      command: 'sqlite-utils',
      args: ['insert', other, 'raw', lines, '--nl', '--pk', 'id', '--batch-size', '500', '--silent'],
    })
    const rest = await runProgram({ command: 'sqlite3', args: [other, `.read ${statements}`] })
    inserts.push(insert.ms)
    b.push(insert.ms + rest.ms)
    const [mine, theirs] = [countsOf(own), countsOf(other)]
    if (mine !== theirs) note = `rows differ: ${mine} and ${theirs}`
  }
  for (const path of [own, other]) remove(path)
  rmSync(statements)
  const theirs = missing === undefined ? { theirs: median(b) } : {}
  return [
    {
      item: 'P7',
      work: `import of ${rows.toLocaleString('en-IN')} shipments (JSON Lines)`,
      against: 'sqlite-utils, then SQL',
      value: missing === undefined ? median(a) / median(b) : undefined,
      unit: 'x',
      goal: 0.8,
      ours: median(a),
      ...theirs,
      runs,
      note: note ?? `of theirs ${(median(inserts) / 1000).toFixed(1)} s sqlite-utils`,
      detail: { per_second: Math.round(rows / (median(a) / 1000)), insert_ms: inserts },
    },
    { item: 'P7', work: 'its greatest memory (RSS)', against: 'itself', value: peak, unit: 'MB', goal: 200, runs },
  ]
}
