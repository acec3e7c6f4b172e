// A filter row and its value as SQL: what selects records by an index, and the same asked of a record at hand; knows no
// driver and no endpoint.
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { searchWords, type Filter } from '../../domain/filters.ts'
import type { Dialect, RecordKind } from '../database/port.ts'
import { tablesOf } from './entry.ts'

/** One filter of a query. `r` stands for the record's row in every text. */
export interface Condition {
  readonly name: string
  /** Selects by the condition's own index. */
  readonly select: Sql
  /** Asks the same of each row of a walk along dates. */
  readonly ask: Sql
  /** The index that serves `select`, when it is one of the record's own. */
  readonly index: string | undefined
  /** Whether that index goes on with `created_at`, so that a range of dates narrows it further. */
  readonly dated: boolean
  /** Whether that index gives the rows in order of `created_at`: an equality with one value. */
  readonly inOrder: boolean
  /** Whether the walk needs nothing but the wide index to ask. */
  readonly inWide: boolean
  /** A count of this condition alone that need not touch the records, at most `limit` when given. */
  readonly alone: ((limit?: number) => Sql) | undefined
  /** The rows of this condition alone in order of `created_at` from a child table, as `k.seq` and `k.created_at`. */
  readonly child: { readonly table: string; readonly value: string } | undefined
}

/** Columns that the wide index of each kind holds; a test compares them with the schema. */
export const wideColumns: Readonly<Record<RecordKind, ReadonlySet<string>>> = {
  shipment: new Set([
    'created_at',
    'status',
    'granular_status',
    'carrier_id',
    'warehouse_id',
    'channel',
    'zone',
    'is_cod',
    'applied_weight',
    'attempt_count',
    'ndr_reason',
    'rto_reason',
    'store_name',
  ]),
  return: new Set([
    'created_at',
    'request_date',
    'total_price',
    'status',
    'granular_status',
    'warehouse_id',
    'channel',
    'store_name',
    'carrier_id',
    'zone',
    'refund_status',
    'qc_status',
    'is_dangerous_goods',
  ]),
}

/** Columns whose own index goes on with `created_at`, so that an equality is in date order. */
const datedIndex: ReadonlySet<string> = new Set([
  'status',
  'granular_status',
  'carrier_id',
  'warehouse_id',
  'channel',
  'zone',
  'is_cod',
  'attempt_count',
  'ndr_reason',
  'rto_reason',
  'store_name',
  'refund_status',
  'qc_status',
  'is_dangerous_goods',
])

/** The conditions of an input: one for each filter with a value; an empty list and a blank search are none. */
export function conditionsOf(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  filters: Readonly<Record<string, Filter>>,
  input: Readonly<Record<string, unknown>>,
): readonly Condition[] {
  const found: Condition[] = []
  for (const [name, filter] of Object.entries(filters)) {
    const value = input[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    const column = typeof filter.column === 'string' ? filter.column : filter.column(input)
    switch (filter.comparison) {
      case 'search': {
        const words = searchWords(String(value))
        if (words.length > 0) found.push(searching(dialect, account, kind, name, words))
        break
      }
      case 'holds_any':
        found.push(holding(account, name, column, value as readonly unknown[]))
        break
      case 'is':
        found.push(comparing(kind, name, column, sql`= ${filter.stored(value)}`, true))
        break
      case 'any_of': {
        const values = [...new Set((value as readonly unknown[]).map(filter.stored))]
        const text = values.length === 1 ? sql`= ${values[0]}` : sql`in (${join(values)})`
        found.push(comparing(kind, name, column, text, values.length === 1))
        break
      }
      case 'at_least':
        found.push(comparing(kind, name, column, sql`>= ${filter.stored(value)}`, false))
        break
      case 'at_most':
        found.push(comparing(kind, name, column, sql`<= ${filter.stored(value)}`, false))
    }
  }
  return joinRanges(found)
}

function comparing(kind: RecordKind, name: string, column: string, comparison: Sql, equality: boolean): Condition {
  const text = sql`r.${raw(column)} ${comparison}`
  const dated = column === 'created_at'
  return {
    name: `${column} ${name}`,
    select: text,
    ask: text,
    index: `${tablesOf[kind].records}_${column}`,
    dated: dated || datedIndex.has(column),
    inOrder: dated || (equality && datedIndex.has(column)),
    inWide: wideColumns[kind].has(column),
    alone: undefined,
    child: undefined,
  }
}

/** Two bounds of one column are one condition: together they are one range of the index. */
function joinRanges(conditions: readonly Condition[]): readonly Condition[] {
  const joined: Condition[] = []
  for (const condition of conditions) {
    const at = condition.index === undefined ? -1 : joined.findIndex((other) => other.index === condition.index)
    if (at === -1) joined.push(condition)
    else {
      const other = joined[at]!
      const text = sql`${other.select} and ${condition.select}`
      joined[at] = { ...other, select: text, ask: text, inOrder: other.inOrder || condition.inOrder }
    }
  }
  return joined
}

function holding(account: number, name: string, table: string, list: readonly unknown[]): Condition {
  const values = [...new Set(list.map(String))]
  const some = values.length === 1 ? sql`= ${values[0]}` : sql`in (${join(values)})`
  const from = sql`from ${raw(table)} k where k.account_id = ${account} and k.value ${some}`
  return {
    name,
    select: sql`r.seq in (select k.seq ${from})`,
    ask: sql`exists (select 1 ${from} and k.created_at = r.created_at and k.seq = r.seq)`,
    index: undefined,
    dated: false,
    inOrder: values.length === 1,
    inWide: true,
    alone: (limit) => {
      // A record holds a value once; only several values can name it twice.
      const some = values.length === 1 ? sql`select k.seq ${from}` : sql`select distinct k.seq ${from}`
      return limit === undefined
        ? sql`select count(*) as n from (${some}) q`
        : sql`select count(*) as n from (${some} limit ${limit}) q`
    },
    child: values.length === 1 ? { table, value: values[0]! } : undefined,
  }
}

/** Words this long are found by the search index, which knows runs of three characters. */
const indexedLength = 3

function searching(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  name: string,
  words: readonly string[],
): Condition {
  const indexed = words.filter((word) => [...word].length >= indexedLength)
  const short = words.filter((word) => !indexed.includes(word))
  const { search } = tablesOf[kind]
  const like = (list: readonly string[]): Sql =>
    join(
      list.map((word) => sql`s.text like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`),
      ' and ',
    )
  const ask = sql`exists (select 1 from ${raw(search)} s where s.seq = r.seq and s.account_id = ${account} and ${like(words)})`
  if (indexed.length === 0) {
    const scan = sql`select s.seq from ${raw(search)} s where s.account_id = ${account} and ${like(words)}`
    return {
      name,
      select: sql`r.seq in (${scan})`,
      ask,
      index: undefined,
      dated: false,
      inOrder: false,
      inWide: false,
      alone: (limit) =>
        limit === undefined
          ? sql`select count(*) as n from (${scan}) q`
          : sql`select count(*) as n from (${scan} limit ${limit}) q`,
      child: undefined,
    }
  }
  const matching = dialect.matching(kind, account, indexed)
  const found =
    short.length === 0
      ? matching
      : sql`select m.seq from (${matching}) m where exists (select 1 from ${raw(search)} s where s.seq = m.seq and s.account_id = ${account} and ${like(short)})`
  return {
    name,
    select: sql`r.seq in (${found})`,
    ask,
    index: undefined,
    dated: false,
    inOrder: false,
    inWide: false,
    alone: (limit) =>
      limit === undefined
        ? sql`select count(*) as n from (${found}) q`
        : sql`select count(*) as n from (${found} limit ${limit}) q`,
    child: undefined,
  }
}
