// A filter row and its value as SQL: the condition that selects records by an index, and the same as a test of one
// record.
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { searchWords } from '../../domain/filters.ts'
import type { Column } from '../../domain/parcels/columns.ts'
import { columnName, type Listing } from '../../domain/parcels/listings.ts'
import { limitTo, type Dialect, type RecordKind } from '../database/port.ts'
import { tablesOf } from './entry.ts'

/** One filter of a question as SQL; `r` is the record's row. */
export interface Condition {
  readonly name: string
  /** The column of the record that it compares. */
  readonly column: string | undefined
  /** Selects by the condition's own index. */
  readonly select: Sql
  /** Tests the same on each row of a walk along dates. */
  readonly ask: Sql
  /** Whether it looks for one of several values: on each row that costs more than a comparison with one. */
  readonly several: boolean
  /**
   * The index that serves `select`, when it is one of the record's own. The wide one serves dates; what has few values
   * has none.
   */
  readonly index: string | undefined
  /** Whether that index continues with `created_at`, so that a range of dates narrows it further. */
  readonly dated: boolean
  /** Whether that index returns the rows in order of `created_at`: an equality with one value. */
  readonly inOrder: boolean
  /** Whether the wide index alone can answer `ask`. */
  readonly inWide: boolean
  /** What finding one record by it costs, in looks at a record: a search also reads its text. */
  readonly cost: number
  /** Counts this condition alone, without reading the records; roughly, and at most `limit`, if that is given. */
  readonly alone: ((limit?: number) => Sql) | undefined
  /**
   * Where to read the rows of this condition alone, in order of `created_at`: a child table, as `k.seq` and
   * `k.created_at`.
   */
  readonly child: { readonly table: string; readonly value: string } | undefined
}

/** The conditions of a question: one for each filter with a value. An empty list and a blank search have none. */
export function conditionsOf(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  listing: Listing,
  input: Readonly<Record<string, unknown>>,
): readonly Condition[] {
  const found: Condition[] = []
  for (const [name, filter] of Object.entries(listing.filters)) {
    const value = input[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    const column = columnName(filter, input)
    const compared = (comparison: Sql, against: Against): Condition =>
      comparing(kind, name, column, listing.columns[column]!, comparison, against)
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
        found.push(compared(sql`= ${filter.stored(value)}`, 'one'))
        break
      case 'any_of': {
        const values = [...new Set((value as readonly unknown[]).map(filter.stored))]
        const text = values.length === 1 ? sql`= ${values[0]}` : sql`in (${join(values)})`
        found.push(compared(text, values.length === 1 ? 'one' : 'several'))
        break
      }
      case 'at_least':
        found.push(compared(sql`>= ${filter.stored(value)}`, 'bound'))
        break
      case 'at_most':
        found.push(compared(sql`<= ${filter.stored(value)}`, 'bound'))
    }
  }
  return joinRanges(found)
}

/** What a column is compared with: one value, one of several, or a bound of a range. */
type Against = 'one' | 'several' | 'bound'

function comparing(
  kind: RecordKind,
  name: string,
  column: string,
  { dated = false, wide = false, few = false }: Column,
  comparison: Sql,
  against: Against,
): Condition {
  const text = sql`r.${raw(column)} ${comparison}`
  const byDate = column === 'created_at'
  return {
    name: `${column} ${name}`,
    column,
    select: text,
    ask: text,
    several: against === 'several',
    index: few ? undefined : byDate ? wideIndex(kind) : `${tablesOf[kind].records}_${column}`,
    dated: byDate || dated,
    inOrder: byDate || (against === 'one' && dated),
    inWide: wide,
    cost: 1,
    alone: undefined,
    child: undefined,
  }
}

/** The index of the records by date that holds every column by which many of them are found. */
export const wideIndex = (kind: RecordKind): string => `${tablesOf[kind].records}_wide`

/** Two bounds of one column are one condition: together they are one range of the index. */
function joinRanges(conditions: readonly Condition[]): readonly Condition[] {
  const joined: Condition[] = []
  for (const condition of conditions) {
    const at = condition.column === undefined ? -1 : joined.findIndex((other) => other.column === condition.column)
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
    column: undefined,
    select: sql`r.seq in (select k.seq ${from})`,
    ask: sql`exists (select 1 ${from} and k.created_at = r.created_at and k.seq = r.seq)`,
    several: values.length > 1,
    index: undefined,
    dated: false,
    inOrder: values.length === 1,
    inWide: true,
    cost: 1,
    // A record holds a value once; only several values can name it twice.
    alone: (limit) =>
      countOf(values.length === 1 ? sql`select k.seq ${from}` : sql`select distinct k.seq ${from}`, limit),
    child: values.length === 1 ? { table, value: values[0]! } : undefined,
  }
}

/** The texts that a search finds lie apart, those of a walk along the dates next to each other. */
const searchCost = 3

/** The search index holds runs of three characters, so it finds words of this length or longer. */
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
  const inText = (row: 'r' | 'm', list: readonly string[]): Sql =>
    sql`select 1 from ${raw(search)} s where s.seq = ${raw(row)}.seq and s.account_id = ${account} and ${like(list)}`
  return {
    name,
    column: undefined,
    select: sql`r.seq in (${seqs()})`,
    ask: sql`exists (${inText('r', words)})`,
    several: false,
    index: undefined,
    dated: false,
    inOrder: false,
    inWide: false,
    cost: searchCost,
    alone: (limit) => countOf(seqs(limit !== undefined), limit),
    child: undefined,
  }

  /**
   * The numbers of the records that contain all words: by the index if a word is long enough, else by reading the
   * texts. `roughly` allows some more.
   */
  function seqs(roughly = false): Sql {
    if (indexed.length === 0)
      return sql`select s.seq from ${raw(search)} s where s.account_id = ${account} and ${like(words)}`
    const matching = dialect.matching(kind, account, indexed, roughly)
    if (short.length === 0) return matching
    return sql`select m.seq from (${matching}) m where exists (${inText('m', short)})`
  }
}

/** Counts the rows of a query, at most `limit` of them when given. */
const countOf = (query: Sql, limit?: number): Sql =>
  limit === undefined
    ? sql`select count(*) as n from (${query}) q`
    : sql`select count(*) as n from (${query} ${limitTo(limit)}) q`
