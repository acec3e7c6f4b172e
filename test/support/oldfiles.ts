// Databases of earlier versions of shipx, as those wrote them: schema 5, 7, 11 and 13, with records of awkward shapes of two
// accounts and a damaged one. Each program filled one by its own functions; none of them is in this repository any more.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { driver } from './sqlite.ts'
import { filledTables } from '../../src/engine/database/migrations.ts'
import { root } from './checkout.ts'

/** Puts the file of a schema at a path. */
export function putOldFile(schema: 5 | 7 | 11 | 13, path: string): void {
  const packed = readFileSync(join(root, 'test/engine/oldfiles', `schema-${schema}.sqlite.br`))
  writeFileSync(path, brotliDecompressSync(packed), { mode: 0o600 })
}

const kinds = [
  ['shipments', 'shipment_docs'],
  ['returns', 'return_docs'],
] as const

type Db = InstanceType<typeof driver>

const columnsOf = (db: Db, table: string): readonly string[] =>
  db.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[]

/** Adds each record of the first account so many times to a file of an earlier version; each copy has its own id. */
export function multiply(path: string, times: number): void {
  const db = new driver(path)
  const last = (table: string): string => `(select max(seq) from ${table} where account_id = 1 and id <> 'damaged')`
  db.exec(`begin; update shipments set seq = ${last('shipments')} + 1 where id = 'damaged'`)
  for (const [table] of kinds) {
    const values = columnsOf(db, table).map((name) => {
      if (name === 'seq') return `${last(table)} + 1 + row_number() over ()`
      if (name === 'id') return "id || '-' || k"
      return name === 'doc' ? "json_set(doc, '$.id', id || '-' || k)" : name
    })
    db.prepare(
      `insert into ${table} select ${values.join(', ')}
       from (select * from ${table} where account_id = 1 and json_valid(doc)) r, (select value as k from json_each(?))`,
    ).run(JSON.stringify(Array.from({ length: times }, (_, i) => i)))
  }
  db.exec('commit')
  db.close()
}

/**
 * What a file holds, whatever its schema: how many records, and a digest of each table's texts and old columns by account
 * and id. A file in the middle of a move counts as a whole.
 */
export function contentsOf(path: string): Readonly<Record<string, readonly [number, string]>> {
  const db = new driver(path, { readonly: true })
  try {
    return Object.fromEntries(kinds.map(([table, docs]) => [table, contentOf(db, table, docs)]))
  } finally {
    db.close()
  }
}

function contentOf(db: Db, table: string, docs: string): readonly [number, string] {
  const has = (name: string): boolean => columnsOf(db, name).length > 0
  const waiting = has(`${table}_whole`) ? `${table}_whole` : has(docs) ? undefined : table
  const columns = oldColumns[table]!.join(', ')
  const parts = [
    ...(waiting === undefined ? [] : [`select ${columns}, doc from ${waiting}`]),
    ...(has(docs) ? [`select ${columns}, doc from ${table} join ${docs} using (seq, account_id)`] : []),
  ]
  const hash = createHash('sha256')
  let n = 0
  for (const row of db
    .prepare(`${parts.join(' union all ')} order by account_id, id`)
    .raw()
    .iterate()) {
    hash.update(JSON.stringify(row))
    n++
  }
  return [n, hash.digest('hex')]
}

/** Columns that schema 5 has already. */
const oldColumns: Readonly<Record<string, readonly string[]>> = {
  shipments: [
    'account_id',
    'seq',
    'id',
    'created_at',
    'status',
    'carrier_id',
    'zone',
    'applied_weight',
    'tracking_number',
    'delivered_at',
  ],
  returns: [
    'account_id',
    'seq',
    'id',
    'created_at',
    'request_date',
    'total_price',
    // A lost one had none before.
    "coalesce(status, case granular_status when 'return_lost' then 'lost' end)",
    'qc_status',
    'tracking_number',
  ],
}

/** A row by its columns. */
export type Values = Readonly<Record<string, unknown>>

/** Every record of a file with all of its columns and its text, by table, account and id; not the number of its row. */
export function recordsIn(path: string): ReadonlyMap<string, Values> {
  const db = new driver(path, { readonly: true })
  try {
    const found = filledTables.flatMap((table) => {
      const docs = `${table.slice(0, -1)}_docs`
      const text = `select r.*, d.doc from ${table} r join ${docs} d on d.seq = r.seq and d.account_id = r.account_id`
      return (db.prepare(text).all() as Values[]).map(
        (values) => [`${table} ${values['account_id']} ${values['id']}`, { ...values, seq: undefined }] as const,
      )
    })
    return new Map(found)
  } finally {
    db.close()
  }
}

/** A table of records with their texts, whatever the schema. */
function withDocs(db: Db, table: string): string {
  const docs = `${table.slice(0, -1)}_docs`
  return columnsOf(db, docs).length === 0 ? table : `${table} join ${docs} using (seq, account_id)`
}

/** The texts of an earlier version's file, by table, account and id. */
export function textsIn(path: string): ReadonlyMap<string, string> {
  const db = new driver(path, { readonly: true })
  try {
    const found = filledTables.flatMap((table) =>
      (db.prepare(`select account_id, id, doc from ${withDocs(db, table)}`).all() as Values[]).map(
        ({ account_id, id, doc }) => [`${table} ${account_id} ${id}`, doc as string] as const,
      ),
    )
    return new Map(found)
  } finally {
    db.close()
  }
}
