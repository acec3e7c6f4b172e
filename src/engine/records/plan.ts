// A listing's question prepared: its conditions, its order, and what is known about earlier questions.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import { listings } from '../../domain/parcels/listings.ts'
import { conditionsOf, wideIndex, type Condition } from './conditions.ts'
import type { Database, Dialect, RecordKind } from '../database/port.ts'
import { tablesOf } from './entry.ts'

const listingOf = { shipment: listings.listShipments, return: listings.listReturns } as const

/** A prepared question: what to count and what to fetch. */
export interface Plan {
  readonly dialect: Dialect
  readonly account: number
  readonly kind: RecordKind
  readonly conditions: readonly Condition[]
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly after: readonly [value: number, id: string] | undefined
  readonly known: QueryMemory | undefined
  readonly mostBytes: number | undefined
}

/**
 * What is known about earlier questions. Surveys only choose a way and are never an answer; each costs as much as a
 * small question. Totals are answers, and stay valid until the database changes. Each service has its own
 * (docs/inside/performance.md, P2 and P3).
 */
export interface QueryMemory {
  readonly now: () => number
  readonly changes: (() => number) | undefined
  readonly surveys: Map<string, { readonly survey: Survey; readonly until: number }>
  readonly totals: Map<string, { readonly total: number; readonly at: number }>
}

const mostKnown = 500

/** A question of hundreds of values is not remembered: memory stays small. */
const longestKey = 2000

/** Nothing is known yet. `now` returns ms UTC; `changes` is the database's. */
export const queryMemory = (now: () => number, changes: Database['changes']): QueryMemory => ({
  now,
  changes,
  surveys: new Map(),
  totals: new Map(),
})

/** Remembers an entry; the oldest one makes room. */
export function remember<T>(entries: Map<string, T>, key: string, value: T): void {
  if (key.length > longestKey) return
  entries.delete(key)
  if (entries.size >= mostKnown) entries.delete(entries.keys().next().value!)
  entries.set(key, value)
}

/** A question without its order and pages, as a key. */
export const questionOf = ({ kind, conditions }: Plan): string =>
  `${kind} ${conditions.map(({ select }) => `${select.sql} ${JSON.stringify(select.values)}`).join()}`

/** Whose records a listing reads, on which kind of database, and what is known about earlier questions. */
export interface Scope {
  readonly dialect: Dialect
  readonly account: number
  readonly known?: QueryMemory
  /** The most bytes that the records of a page may have; one record is always there. Absent: no limit. */
  readonly mostBytes?: number | undefined
}

/** A checked question as a plan. */
export function planOf({ dialect, account, known, mostBytes }: Scope, kind: RecordKind, input: Query): Plan {
  const cursor = input.search_after ?? input.next_search_after
  return {
    dialect,
    account,
    known,
    mostBytes,
    kind,
    conditions: conditionsOf(dialect, account, kind, listingOf[kind], input),
    sort: 'sort_by' in input && input.sort_by !== undefined ? input.sort_by : 'created_at',
    order: input.sort_order ?? 'desc',
    after: cursor === undefined ? undefined : [Number(cursor[0]), cursor[1]],
  }
}

/** What is known about the conditions before counting: roughly how many records each one leaves. */
export interface Survey {
  /** Roughly how many index entries a walk along the dates reads; 0 if that was not looked up. */
  readonly size: number
  /** The most selective condition that was found, and its number of records (undefined: many). */
  readonly best: Condition | undefined
  readonly reach: number | undefined
  /** The number of matches, where the survey has found it already. */
  readonly total?: number
}

/** A page that ends within this many records is always read along an index in date order. */
const nearPage = 200

/** The range of dates, if the question has one. */
export const dateOf = ({ conditions, kind }: Plan): Condition | undefined =>
  conditions.find((condition) => condition.index === wideIndex(kind))

/**
 * The condition whose own index answers the whole question without reading a record: that index continues with the
 * dates, and SKUs, tags and search are sets of `seq`.
 */
export function coveringOf(plan: Plan): Condition | undefined {
  const date = dateOf(plan)
  const others = plan.conditions.filter((condition) => condition !== date && condition.alone === undefined)
  return others.length === 0 ? date : others.length === 1 && others[0]!.dated ? others[0] : undefined
}

/** Whether a condition leads to its records by itself, without a walk along the dates. */
export const leads = ({ index, alone }: Condition): boolean => index !== undefined || alone !== undefined

/** The condition of a question that has just one. */
export const onlyCondition = ({ conditions }: Plan): Condition | undefined =>
  conditions.length === 1 ? conditions[0] : undefined

/** Whether the first `wanted` records are next to each other in an index. */
export const isNear = (plan: Plan, wanted: number): boolean =>
  wanted <= nearPage &&
  (plan.conditions.length === 0 || (onlyCondition(plan)?.inOrder === true && plan.sort === 'created_at'))

/** The `from` of the records as `r`, with the index to use where the database takes such a hint. */
export const fromRecords = ({ dialect, kind }: Plan, index: string | undefined): Sql =>
  sql`from ${raw(tablesOf[kind].records)} r${index === undefined ? empty : (dialect.planning?.hint(index) ?? empty)}`

/**
 * The account's rows, for a lookup by `seq`. The plus sign keeps a planner that takes hints from walking an index of
 * the whole account instead.
 */
export const ofAccount = ({ dialect, account }: Pick<Scope, 'dialect' | 'account'>): Sql =>
  dialect.planning !== undefined ? sql`+r.account_id = ${account}` : sql`r.account_id = ${account}`

/** How the other conditions, which do not drive, are written: as a test of each row, or as a set that is made once. */
type Asking = 'ask' | 'select'

/**
 * All conditions in SQL: the driving one selects, the others as `asking` says. SQLite tests a row in the order of the
 * text, so a list of values comes last: a fifth less for `--zone` with two of them and two other filters.
 */
export function whereClause(
  plan: Plan,
  driver: Condition | undefined,
  index: string | undefined,
  asking: Asking = 'ask',
): Sql {
  const parts = plan.conditions
    .toSorted((a, b) => Number(a.several) - Number(b.several))
    .map((condition) => (condition === driver ? condition.select : condition[asking]))
  return join([index === undefined ? ofAccount(plan) : sql`r.account_id = ${plan.account}`, ...parts], ' and ')
}

/** The narrowest index of each kind that holds every record: it counts them fastest. */
export const narrowestIndex: Readonly<Record<RecordKind, string>> = {
  shipment: 'shipments_status',
  return: 'returns_is_dangerous_goods',
}
