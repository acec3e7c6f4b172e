// The one listing query, of shipments and of returns: exact totals, pages by number and by cursor, and the choice of the
// way through the indexes; knows no driver and no command.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Input } from '../domain/contract.ts'
import { defaultPerPage, type Meta, type Page } from '../domain/page.ts'
import { returnFilters } from '../domain/returns.ts'
import { shipmentFilters } from '../domain/shipments.ts'
import { conditionsOf, type Condition } from './conditions.ts'
import { row, rows, type Dialect, type RecordKind, type Statement, type Work } from './database.ts'
import { tablesOf } from './records.ts'

/** A listing's question, checked: the endpoint's input. */
export type Query = Input<'listShipments'> | Input<'listReturns'>

const filtersOf = { shipment: shipmentFilters, return: returnFilters } as const

/** A question made ready: what to count and what to fetch. */
interface Plan {
  readonly dialect: Dialect
  readonly account: number
  readonly kind: RecordKind
  readonly conditions: readonly Condition[]
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly after: readonly [value: number, id: string] | undefined
}

function planOf(dialect: Dialect, account: number, kind: RecordKind, input: Query): Plan {
  const cursor = input.search_after ?? input.next_search_after
  return {
    dialect,
    account,
    kind,
    conditions: conditionsOf(dialect, account, kind, filtersOf[kind], input),
    sort: 'sort_by' in input && input.sort_by !== undefined ? input.sort_by : 'created_at',
    order: input.sort_order ?? 'desc',
    after: cursor === undefined ? undefined : [Number(cursor[0]), cursor[1]],
  }
}

/** A page of a listing (spec 4.8, 4.9) with the exact total of all matches, also with a cursor. */
export function* listPage(dialect: Dialect, account: number, kind: RecordKind, input: Query): Work<Page> {
  const plan = planOf(dialect, account, kind, input)
  const per_page = input.per_page ?? defaultPerPage
  const current_page = input.page ?? 1
  const survey = yield* surveyOf(plan)
  const total = yield* countOf(plan, survey)
  const skip = (current_page - 1) * per_page
  const found = total > skip ? yield* fetch(plan, survey, total, skip, per_page) : []
  return { records: found.map((record) => record.doc), meta: metaOf(found, current_page, per_page, total) }
}

function metaOf(found: readonly Found[], current_page: number, per_page: number, total: number): Meta {
  const last = found.at(-1)
  return { current_page, per_page, total, next_search_after: last === undefined ? [] : [String(last.at), last.id] }
}

/** How many records match. */
export function* countMatches(dialect: Dialect, account: number, kind: RecordKind, input: Query): Work<number> {
  const plan = planOf(dialect, account, kind, input)
  return yield* countOf(plan, yield* surveyOf(plan))
}

/**
 * The next records of a walk through all matches, without a total: `limit` of them after the cursor in `input`. For
 * those who print everything; a page of the service is `listPage`.
 */
export function* listNext(
  dialect: Dialect,
  account: number,
  kind: RecordKind,
  input: Query,
  limit: number,
  total: number,
): Work<{ readonly records: readonly string[]; readonly next: readonly [string, string] | undefined }> {
  const plan = planOf(dialect, account, kind, input)
  const found = yield* fetch(plan, yield* surveyOf(plan), total, 0, limit)
  const last = found.at(-1)
  return {
    records: found.map((record) => record.doc),
    next: last === undefined ? undefined : [String(last.at), last.id],
  }
}

interface Found extends Record<string, unknown> {
  readonly doc: string
  readonly at: number
  readonly id: string
}

/** What is known of the conditions before counting: about how many records each one leaves, where that was worth asking. */
interface Survey {
  readonly size: number
  /** The most selective condition that was found, and its number of records (undefined: many). */
  readonly best: Condition | undefined
  readonly reach: number | undefined
}

/** Records that one look along an index, and one look at a record itself, cost against each other (measured, docs/performance.md). */
const lookup = 8

/** How far a condition is counted before it counts as many: first a little, then a twentieth of the account. */
const firstReach = 1000

function* surveyOf(plan: Plan): Work<Survey> {
  const { dialect, account, kind, conditions } = plan
  if (!dialect.takesHints || conditions.length === 0) return { size: 0, best: undefined, reach: undefined }
  const size = yield* dialect.roughCount(kind, account)
  if (conditions.length === 1) return { size, best: conditions[0], reach: undefined }
  for (const limit of [firstReach, Math.ceil(size / 20)]) {
    let best: Condition | undefined
    let reach = limit
    for (const condition of conditions) {
      if (condition.alone === undefined && condition.index === undefined) continue
      const n = (yield* row<{ n: number }>(condition.alone?.(reach) ?? reachOf(plan, condition, reach)))!.n
      if (n < reach) [best, reach] = [condition, n]
    }
    if (best !== undefined) return { size, best, reach }
    if (limit >= size) break
  }
  return { size, best: undefined, reach: undefined }
}

const fromRecords = ({ dialect, kind }: Plan, index: string | undefined): Sql =>
  sql`from ${raw(tablesOf[kind].records)} r${index === undefined ? empty : dialect.using(index)}`

function reachOf(plan: Plan, condition: Condition, limit: number): Statement {
  return sql`select count(*) as n from (select 1 ${fromRecords(plan, condition.index)} where r.account_id = ${plan.account} and ${condition.select} limit ${limit})`
}

/** The index for a walk along the sort column: narrow when nothing else is asked, wide when it answers everything. */
function walkIndex({ kind, conditions, sort }: Plan): string {
  const { records } = tablesOf[kind]
  const byDate = `${records}_created_at`
  return sort === 'created_at' && conditions.some((condition) => condition.inWide && condition.index !== byDate)
    ? `${records}_wide`
    : `${records}_${sort}`
}

// Where rows are looked up by `seq`, a planner that takes hints must not walk an index of the whole account instead: the
// sign keeps it from using one for the account.
const looked = ({ dialect, account }: Plan): Sql =>
  dialect.takesHints ? sql`+r.account_id = ${account}` : sql`r.account_id = ${account}`

/** All conditions, the driving one in its selecting form and the others as questions to each row. */
function where(plan: Plan, driver: Condition | undefined, index: string | undefined): Sql {
  const parts = plan.conditions.map((condition) => (condition === driver ? condition.select : condition.ask))
  return join([index === undefined ? looked(plan) : sql`r.account_id = ${plan.account}`, ...parts], ' and ')
}

function* countOf(plan: Plan, { best, reach }: Survey): Work<number> {
  const { conditions, dialect, kind } = plan
  const only = conditions.length === 1 ? conditions[0] : undefined
  if (only?.alone !== undefined) return (yield* row<{ n: number }>(only.alone()))!.n
  const { records } = tablesOf[kind]
  const index = !dialect.takesHints
    ? undefined
    : conditions.length === 0
      ? `${records}_created_at`
      : (only?.index ?? (reach === undefined ? `${records}_wide` : best!.index))
  const driver = only ?? (reach === undefined && dialect.takesHints ? undefined : best)
  return (yield* row<{ n: number }>(
    sql`select count(*) as n ${fromRecords(plan, index)} where ${where(plan, driver, index)}`,
  ))!.n
}

/**
 * The records of a page. The inner query finds `seq` and touches records only where an index does not do; the outer one
 * fetches the page's own records. Three ways through: along an index that holds the condition in date order; along the
 * dates, asking each row; or collecting everything that the most selective condition leaves and sorting it.
 */
function* fetch(plan: Plan, survey: Survey, total: number, skip: number, limit: number): Work<readonly Found[]> {
  const { sort, order, after, conditions, dialect, kind } = plan
  const { records } = tablesOf[kind]
  const direction = raw(order)
  const column = raw(sort)
  const way = dialect.takesHints
    ? wayOf(plan, survey, total, skip + limit)
    : { index: undefined, driver: undefined, child: undefined }
  const comparison = raw(order === 'desc' ? '<' : '>')
  const beyond = after === undefined ? empty : sql` and (r.${column}, r.id) ${comparison} (${after[0]}, ${after[1]})`
  const childBeyond =
    after === undefined ? empty : sql` and k.created_at ${raw(order === 'desc' ? '<=' : '>=')} ${after[0]}`
  const inner =
    way.child === undefined
      ? sql`select r.seq ${fromRecords(plan, way.index)} where ${where(plan, way.driver, way.index)}${beyond} order by r.${column} ${direction}, r.id ${direction} limit ${limit} offset ${skip}`
      : sql`select k.seq from ${raw(way.child.table)} k cross join ${raw(records)} r on r.seq = k.seq where k.account_id = ${plan.account} and k.value = ${way.child.value}${childBeyond}${others(conditions, way.driver)}${beyond} order by k.created_at ${direction}, r.id ${direction} limit ${limit} offset ${skip}`
  return yield* rows<Found>(
    sql`select r.doc, r.${column} as at, r.id from ${raw(records)} r where ${looked(plan)} and r.seq in (${inner}) order by r.${column} ${direction}, r.id ${direction}`,
  )
}

function others(conditions: readonly Condition[], driver: Condition | undefined): Sql {
  const rest = conditions.filter((condition) => condition !== driver)
  return rest.length === 0
    ? empty
    : sql` and ${join(
        rest.map((condition) => condition.ask),
        ' and ',
      )}`
}

interface Way {
  readonly index: string | undefined
  readonly driver: Condition | undefined
  readonly child: Condition['child']
}

/** The cheapest way, by the number of index entries that each would read (a look at a record counts for several). */
function wayOf(plan: Plan, { size, best, reach }: Survey, total: number, wanted: number): Way {
  const { conditions, sort } = plan
  const walk: Way = { index: walkIndex(plan), driver: undefined, child: undefined }
  if (conditions.length === 0) return walk
  const covered = conditions.every((condition) => condition.inWide)
  const walked = Math.min(size, (Math.min(wanted, total) * size) / Math.max(1, total)) * (covered ? 1 : lookup)
  const only = conditions.length === 1 ? conditions[0]! : undefined
  const driver = only ?? (reach === undefined ? undefined : best)
  if (driver === undefined || (driver.index === undefined && driver.child === undefined && driver.alone === undefined))
    return walk
  const left = only === undefined ? reach! : total
  const inOrder = sort === 'created_at' && driver.inOrder
  const collected = inOrder
    ? Math.min(left, (Math.min(wanted, total) * left) / Math.max(1, total)) * lookup
    : left * lookup
  if (walked < collected) return walk
  return { index: driver.index, driver, child: inOrder ? driver.child : undefined }
}
