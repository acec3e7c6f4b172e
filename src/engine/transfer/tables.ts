// The tables of a database as a copy reads them: in an order that both sides share, with each row's content as text.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { limitTo, rows, type Database, type RecordKind, type Row, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'
import { listOf } from '../database/inlist.ts'
import { tablesOf } from '../records/entry.ts'

/** A table of the accounts. Inside an account, `key` identifies a row; it is text that compares by bytes. */
export interface Table {
  readonly name: string
  readonly key: string
  /**
   * The columns that a copy walks the rows by; the key alone by default. Both databases have an index in this order.
   */
  readonly order?: readonly string[]
  /** The kind of record in it. Child tables hold its SKUs, tags and search text. */
  readonly kind?: RecordKind
  /** Rows read at once, for tables whose rows can be large. */
  readonly most?: number
}

export const tables: readonly Table[] = [
  { name: 'keys', key: 'id' },
  { name: 'stores', key: 'id', most: 4 },
  { name: 'warehouses', key: 'id' },
  { name: 'ratecards', key: 'name' },
  { name: 'card_versions', key: 'id', most: 50 },
  { name: 'orders', key: 'id' },
  { name: 'idempotency', key: 'key' },
  { name: 'pulls', key: 'kind' },
  { name: 'events', key: 'id' },
  { name: 'journeys', key: 'record_id' },
  { name: 'brands', key: 'id', most: 4 },
  { name: 'messages', key: 'id' },
  { name: 'optouts', key: 'phone' },
  { name: 'templates', key: 'name' },
  { name: 'gateways', key: 'name' },
  { name: 'webhooks', key: 'id' },
  { name: 'ndr_answers', key: 'id' },
  { name: 'skus', key: 'sku' },
  { name: 'charges', key: 'shipment_id' },
  { name: 'documents', key: 'id' },
  { name: 'document_lines', key: 'id' },
  { name: 'policies', key: 'courier' },
  { name: 'disputes', key: 'id' },
  { name: 'dispute_events', key: 'id' },
  { name: 'evidence', key: 'id' },
  { name: 'remittance_lines', key: 'id' },
  { name: 'bank_credits', key: 'id' },
  { name: 'prints', key: 'id' },
  // Walked by date, so that their many indexes grow at the end, as they did in the source.
  { name: 'shipments', key: 'id', order: ['created_at', 'id'], kind: 'shipment' },
  { name: 'returns', key: 'id', order: ['created_at', 'id'], kind: 'return' },
]

/** Rows that one query reads: whole rows, and keys alone. */
export const readAtOnce = 500
export const keysAtOnce = 5000

/** A row as both databases have it. `seq` stays apart, as each database has its own. */
export interface Item {
  readonly key: string
  readonly seq: number | undefined
  readonly values: Readonly<Record<string, unknown>>
  /** Of a record: its JSON and its search text, which lie in tables of their own. */
  readonly doc: string | undefined
  readonly search: string | undefined
}

export interface Account extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly created_at: number
}

export async function* accountsOf(database: Database): AsyncGenerator<readonly Account[]> {
  for (let after = 0; ;) {
    const page = await database.read(
      () =>
        rows<Account>(
          sql`select id, name, created_at from accounts where id > ${after} order by id ${limitTo(readAtOnce)}`,
        ),
      'single',
    )
    if (page.length === 0) return
    yield page
    after = page.at(-1)!.id
  }
}

/** How far a walk has come: the last row's values of the table's order; undefined at the start. */
export type Position = readonly (string | number)[] | undefined

export const orderOf = ({ key, order = [key] }: Table): readonly string[] => order

export const positionOf = (table: Table, values: Row): Position =>
  orderOf(table).map((name) => values[name] as string | number)

export function afterPosition(table: Table, after: Position): Sql {
  if (after === undefined) return empty
  const [first, ...more] = orderOf(table)
  return more.length === 0
    ? sql` and ${raw(first!)} > ${after[0]}`
    : sql` and (${raw(orderOf(table).join(', '))}) > (${join(after)})`
}

export function* itemsWhere(table: Table, account: number, where: Sql, limit: number): Work<readonly Item[]> {
  const { name, key, kind } = table
  const found = yield* rows<Row>(
    sql`select * from ${raw(name)} where account_id = ${account}${where}
      order by ${raw(orderOf(table).join(', '))} ${limitTo(limit)}`,
  )
  const seqs = found.map(({ seq }) => seq)
  const [docs, texts] =
    kind === undefined
      ? [new Map(), new Map()]
      : [
          yield* textsOf(tablesOf[kind].docs, 'doc', account, seqs),
          yield* textsOf(tablesOf[kind].search, 'text', account, seqs),
        ]
  return found.map(({ seq, ...values }) => ({
    key: String(values[key]),
    seq: seq as number | undefined,
    values,
    doc: docs.get(seq),
    search: texts.get(seq),
  }))
}

/** The texts of a table next to the records, by `seq`. */
function* textsOf(
  table: string,
  column: string,
  account: number,
  seqs: readonly unknown[],
): Work<ReadonlyMap<unknown, string>> {
  if (seqs.length === 0) return new Map()
  const found = yield* rows<{ seq: number; text: string }>(
    sql`select seq, ${raw(column)} as text from ${raw(table)}
      where account_id = ${account} and seq in (${listOf(seqs)})`,
  )
  return new Map(found.map(({ seq, text }) => [seq, text]))
}

/** The next rows of a walk. */
export const itemsAfter = (
  database: Database,
  table: Table,
  account: number,
  after: Position,
  limit: number,
): Promise<readonly Item[]> =>
  database.read(
    () => itemsWhere(table, account, afterPosition(table, after), limit),
    table.kind === undefined ? 'single' : undefined,
  )

/** The content of a row as one text, the same in every database. */
export function canonical({ values, doc, search }: Item, digest: Host['digest']): string {
  const content = Object.keys(values)
    .toSorted()
    .map((name) => {
      const value = values[name]
      return value instanceof Uint8Array ? digest(value) : value
    })
  return JSON.stringify([...content, doc, search])
}
