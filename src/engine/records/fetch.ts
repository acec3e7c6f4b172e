// The records of a page, by the cheapest of three ways through the indexes.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { maxPerPage } from '../../domain/page.ts'
import { wideIndex, type Condition } from './conditions.ts'
import { limitTo, rows, type Work } from '../database/port.ts'
import { tablesOf } from './entry.ts'
import { fromRecords, leads, onlyCondition, whereClause, type Plan, type Survey } from './plan.ts'
import { lookupCost } from './survey.ts'

/** A record of a page, and the values of a cursor after it. */
export interface PageRow extends Record<string, unknown> {
  /** Null for a record that is too large to be read with the others. */
  readonly doc: string | null
  /** Its length, where pages have a limit. */
  readonly bytes: number
  readonly at: number
  readonly id: string
}

/** The index of a walk along the sort column. */
const walkIndex = ({ kind, sort }: Plan): string =>
  sort === 'created_at' ? wideIndex(kind) : `${tablesOf[kind].records}_${sort}`

/**
 * The records of a page. There are three ways: along an index that holds the condition in date order; along the dates,
 * testing each row; or collecting and sorting what the most selective condition leaves. Each finds the `seq`s of the
 * page, by which their documents are read.
 */
export function* fetchRecords(
  plan: Plan,
  survey: Survey,
  total: number,
  skip: number,
  limit: number,
): Work<readonly PageRow[]> {
  const way = plan.dialect.planning === undefined ? anyPath : accessPathOf(plan, survey, total, skip + limit)
  return yield* rows<PageRow>(pageStatement(plan, way, skip, limit))
}

/**
 * The columns of a record in a page. If pages have a limit, a record larger than its share is read later (`fitting`).
 * So no page is read whole only to find that it is too large.
 */
export const recordColumns = ({ mostBytes }: Plan): Sql =>
  mostBytes === undefined
    ? sql`d.doc, ${cursor}`
    : sql`case when ${docSize} <= ${recordShare({ mostBytes })} then d.doc end as doc, ${docSize} as bytes, ${cursor}`

/** What the cursor after a record is made of. */
const cursor = raw('p.at, p.id')

/** The most bytes of a record that is read with the others of its page. */
export const recordShare = ({ mostBytes = Infinity }: Pick<Plan, 'mostBytes'>): number =>
  Math.floor(mostBytes / maxPerPage)

/** A page that the database has joined: its records with commas between, their ids one on each line. */
export interface JoinedRow extends Record<string, unknown> {
  readonly joined: string | null
  readonly ids: string | null
  readonly n: number
  /** The value of a cursor after the last one. */
  readonly at: number
  /** The bytes of its largest record; one that is larger than a share is not in the text. */
  readonly most: number
}

/** The columns of such a page: text and no bytes, for which V8 would collect garbage all the time. */
export function joinedColumns({ mostBytes, order }: Plan): Sql {
  const doc = mostBytes === undefined ? sql`d.doc` : sql`iif(${docSize} <= ${recordShare({ mostBytes })}, d.doc, '')`
  return sql`string_agg(${doc}, ',') as joined, string_agg(p.id, char(10)) as ids, count(*) as n,
    ${lastAt(order)} as at, max(${docSize}) as most`
}

/** The value of a cursor after the last row. */
const lastAt = (order: Plan['order']): Sql => raw(`${order === 'desc' ? 'min' : 'max'}(p.at)`)

/** The records of a page as bytes, one on each line, how many, and the value of a cursor after the last one. */
export const joinedLines = ({ order }: Plan): Sql =>
  sql`cast(string_agg(d.doc, char(10)) as blob) as lines, count(*) as count, ${lastAt(order)} as at`

/** Records of a page by their numbers. Without records everything is null. */
export interface PlacesRow extends Record<string, unknown> {
  /** Their numbers in the order of the page, with commas between. */
  readonly seqs: string | null
  /** What they have together. */
  readonly bytes: number | null
  /** The value of a cursor after the last one. */
  readonly at: number | null
}

export const joinedPlaces = ({ order }: Plan): Sql =>
  sql`string_agg(p.seq, ',') as seqs, sum(${docSize}) as bytes, ${lastAt(order)} as at`

/** The bytes of a record; SQLite knows them without reading it. */
export const docSize = sql`octet_length(d.doc)`

/**
 * The statement of a page by one of the ways; its rows hold `columns` of the documents `d`, and what a cursor is made
 * of.
 */
export function pageStatement(
  plan: Plan,
  way: AccessPath,
  skip: number,
  limit: number,
  columns: Sql = recordColumns(plan),
): Sql {
  return sql`select ${columns} ${withEach(plan, pageRows(plan, way, skip, limit), 'docs', 'd')}`
}

/** What follows `select …` for the rows `p` of a page in their order, each with the row of a table of that number. */
export function withEach(
  { account, dialect, kind, order }: Plan,
  page: Sql,
  table: 'records' | 'docs',
  as: 'r' | 'd',
): Sql {
  const [beside, at] = [raw(`${tablesOf[kind][table]} ${as}`), raw(as)]
  if (dialect.planning === undefined)
    return sql`from (${page}) p join ${beside} on ${at}.account_id = ${account} and ${at}.seq = p.seq
      order by p.at ${raw(order)}, p.id ${raw(order)}`
  // SQLite reads the rows of the page in their order, and looks by number: the plus sign keeps it from other indexes.
  return sql`from (${page}) p cross join ${beside} on +${at}.account_id = ${account} and ${at}.seq = p.seq`
}

/** The rows of a page in their order: `seq`, `id`, and the value `at` that they are sorted by. */
export function pageRows(plan: Plan, way: AccessPath, skip: number, limit: number): Sql {
  const { sort, order, after } = plan
  const direction = raw(order)
  const comparison = raw(order === 'desc' ? '<' : '>')
  const beyond = after === undefined ? empty : sql` and (r.${raw(sort)}, r.id) ${comparison} (${after[0]}, ${after[1]})`
  const by = (at: string): Sql =>
    sql`order by ${raw(at)} ${direction}, r.id ${direction} ${limitTo(limit)} offset ${skip}`
  const { index, driver } = way
  const rest =
    way.child === undefined
      ? sql`${fromRecords(plan, index)} where ${whereClause(plan, driver, index)}${beyond} ${by(`r.${sort}`)}`
      : sql`${fromChild(plan, way.child, driver)}${beyond} ${by('k.created_at')}`
  return sql`select r.seq, r.${raw(sort)} as at, r.id ${rest}`
}

/** The records of one value of a child table in date order, with the other conditions asked of each. */
function fromChild(
  { order, after, account, conditions, kind }: Plan,
  { table, value }: NonNullable<AccessPath['child']>,
  driver: Condition | undefined,
): Sql {
  const [first] = after ?? []
  const beyond = first === undefined ? empty : sql` and k.created_at ${raw(order === 'desc' ? '<=' : '>=')} ${first}`
  const others = conditions.filter((condition) => condition !== driver).map(({ ask }) => sql` and ${ask}`)
  const joined = sql`${raw(table)} k cross join ${raw(tablesOf[kind].records)} r on r.seq = k.seq`
  const asked = others.length === 0 ? empty : join(others, '')
  return sql`from ${joined} where k.account_id = ${account} and k.value = ${value}${beyond}${asked}`
}

/** A way to the records of a page. */
export interface AccessPath {
  readonly index: string | undefined
  readonly driver: Condition | undefined
  readonly child: Condition['child']
  /** Whether the rows come in the requested order, so that nothing is sorted. */
  readonly inOrder: boolean
}

/** The way of a database that plans for itself. */
export const anyPath: AccessPath = { index: undefined, driver: undefined, child: undefined, inOrder: false }

/** The cheapest way by the index entries that each would read; a look at a record counts as several (`lookup`). */
export function accessPathOf(plan: Plan, { size, best, reach }: Survey, total: number, wanted: number): AccessPath {
  const { conditions, sort } = plan
  const walk: AccessPath = { index: walkIndex(plan), driver: undefined, child: undefined, inOrder: true }
  if (conditions.length === 0) return walk
  const only = onlyCondition(plan)
  const driver = only ?? (reach === undefined ? undefined : best)
  if (driver === undefined || !leads(driver)) return walk
  const inOrder = sort === 'created_at' && driver.inOrder
  const driven: AccessPath = { index: driver.index, driver, child: inOrder ? driver.child : undefined, inOrder }
  if (size === 0) return driven
  const covered = conditions.every((condition) => condition.inWide)
  const needed = Math.min(wanted, total) / Math.max(1, total)
  const walked = size * needed * (covered ? 1 : lookupCost)
  const left = only === undefined ? reach! : total
  const collected = (inOrder ? left * needed : left) * lookupCost * driver.cost
  return walked < collected ? walk : driven
}
