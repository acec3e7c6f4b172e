// The one listing query, of shipments and of returns: exact totals, pages by number and by cursor, and the choice of the
// way through the indexes; knows no driver and no command.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Query, WalkBatch } from '../../domain/contract.ts'
import { ShipxError } from '../../domain/errors.ts'
import { defaultPerPage, maxPerPage, type Meta, type Page } from '../../domain/page.ts'
import { listings } from '../../domain/parcels/listings.ts'
import { conditionsOf, type Condition } from './conditions.ts'
import { row, rows, type Database, type Dialect, type RecordKind, type Statement, type Work } from '../database/port.ts'
import { tablesOf } from './entry.ts'

const listingOf = { shipment: listings.listShipments, return: listings.listReturns } as const

/** A question made ready: what to count and what to fetch. */
interface Plan {
  readonly dialect: Dialect
  readonly account: number
  readonly kind: RecordKind
  readonly conditions: readonly Condition[]
  readonly sort: string
  readonly order: 'asc' | 'desc'
  readonly after: readonly [value: number, id: string] | undefined
  readonly known: Known | undefined
  readonly mostBytes: number | undefined
}

/**
 * What is known of questions asked before. Surveys are for choosing a way and never for an answer, and cost as much as a
 * small question themselves; totals are answers, and good for as long as nobody has changed the database. One for each
 * service (docs/performance.md, P2 and P3).
 */
export interface Known {
  readonly now: () => number
  readonly changes: (() => number) | undefined
  readonly surveys: Map<string, { readonly survey: Survey; readonly until: number }>
  readonly totals: Map<string, { readonly total: number; readonly at: number }>
}

/** A survey is made again after this, ms: data may have grown. */
const surveyLife = 60_000
const mostKnown = 500
/** A question of hundreds of values is not kept: memory stays small. */
const longestKey = 2000

/** Nothing is known yet. `now` gives ms UTC, `changes` is the database's. */
export const knowing = (now: () => number, changes: Database['changes']): Known => ({
  now,
  changes,
  surveys: new Map(),
  totals: new Map(),
})

/** Keeps an entry; the least recently made goes first. */
function keep<T>(entries: Map<string, T>, key: string, value: T): void {
  if (key.length > longestKey) return
  entries.delete(key)
  if (entries.size >= mostKnown) entries.delete(entries.keys().next().value!)
  entries.set(key, value)
}

/** What is asked, without order and pages. */
const questionOf = ({ kind, conditions }: Plan): string =>
  `${kind} ${conditions.map(({ select }) => `${select.sql} ${JSON.stringify(select.values)}`).join()}`

/** Where a listing is asked: the database's dialect, the account, and what is known of questions before, if anything. */
export interface Place {
  readonly dialect: Dialect
  readonly account: number
  readonly known?: Known
  /** What the records of a page may have together, bytes; one record is always there. Absent: no limit. */
  readonly mostBytes?: number | undefined
}

function planOf({ dialect, account, known, mostBytes }: Place, kind: RecordKind, input: Query): Plan {
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

/** A page of a listing (spec 4.8, 4.9) with the exact total of all matches, also with a cursor. */
export function* listPage(place: Place, kind: RecordKind, input: Query): Work<Page> {
  const plan = planOf(place, kind, input)
  const per_page = input.per_page ?? defaultPerPage
  const current_page = input.page ?? 1
  const skip = (current_page - 1) * per_page
  if (place.dialect.planning === undefined) return yield* pageInOne(plan, current_page, per_page, skip)
  const survey = yield* surveyOf(plan, skip + per_page)
  const total = yield* countOf(plan, survey)
  return yield* pageBy(plan, survey, total, current_page, per_page)
}

/** The page of a question whose total is known. */
function* pageBy(plan: Plan, survey: Survey, total: number, current_page: number, per_page: number): Work<Page> {
  const skip = (current_page - 1) * per_page
  const found = total > skip ? yield* fetch(plan, survey, total, skip, per_page) : []
  if (current_page === 2) yield* refuseGap(plan, wayOf(plan, survey, total, per_page), total, per_page)
  return yield* pageOf(plan, found, current_page, per_page, total)
}

/**
 * A page and its total by one statement, for a database that plans for itself: one way over the network, and one view of
 * the data without a transaction. Only an empty page that is not the first needs to be told its total.
 */
function* pageInOne(plan: Plan, current_page: number, per_page: number, skip: number): Work<Page> {
  const found = yield* rows<Found & { readonly total: number }>(
    pageStatement(
      plan,
      anyWay,
      Infinity,
      skip,
      per_page,
      sql`${recordColumns(plan)}, (${countStatement(plan, {})}) as total`,
    ),
  )
  const none = skip === 0 && plan.after === undefined ? 0 : undefined
  const total = found[0]?.total ?? none ?? (yield* row<{ n: number }>(countStatement(plan, {})))!.n
  if (current_page === 2) yield* refuseGap(plan, anyWay, Infinity, per_page)
  return yield* pageOf(plan, found, current_page, per_page, total)
}

/**
 * The page of the records that were found. When they have more bytes than a page may, the first page and a page after a cursor end
 * early: `meta.per_page` is then the number of records that are there, and the cursor goes on behind the last of them. A page by
 * its number is refused, since the next number would leave records out.
 */
function* pageOf(
  plan: Plan,
  found: readonly Found[],
  current_page: number,
  per_page: number,
  total: number,
): Work<Page> {
  const there = found.some(({ doc }) => doc === null) ? yield* fitting(plan, found, current_page) : found
  const records = there.map(({ doc }) => doc!)
  return { records, meta: metaOf(there, current_page, there.length < found.length ? there.length : per_page, total) }
}

/** The first records that fit a page, read one by one where they are large. */
function* fitting(plan: Plan, found: readonly Found[], current_page: number): Work<readonly Found[]> {
  const { account, kind } = plan
  const sizes = found.map(({ bytes }) => bytes)
  const fits = fittingCount(plan, sizes)
  if (fits < found.length && current_page > 1) throw tooManyBytes(plan)
  const there: Found[] = []
  for (const record of found.slice(0, fits)) {
    if (record.doc !== null) {
      there.push(record)
      continue
    }
    const large = yield* row<{ doc: string }>(
      sql`select r.doc from ${raw(tablesOf[kind].records)} r where r.account_id = ${account} and r.id = ${record.id}`,
    )
    // Where the page is not one view of the data, it may be gone.
    if (large !== undefined) there.push({ ...record, doc: large.doc })
  }
  return there
}

/** How many of the first records fit a page; one always does. */
function fittingCount({ mostBytes = Infinity }: Plan, sizes: readonly number[]): number {
  let bytes = 0
  const beyond = sizes.findIndex((size) => (bytes += size) > mostBytes)
  return beyond === -1 ? sizes.length : Math.max(1, beyond)
}

/** Refuses the second page by its number when the first one has ended early: what lay between them would be left out. */
function* refuseGap(plan: Plan, way: Way, total: number, per_page: number): Work<void> {
  if (plan.mostBytes === undefined) return
  const first = pageStatement(plan, way, total, 0, per_page, sql`octet_length(r.doc) as bytes`)
  const sizes = (yield* rows<{ bytes: number }>(first)).map(({ bytes }) => bytes)
  if (fittingCount(plan, sizes) < sizes.length) throw tooManyBytes(plan)
}

function tooManyBytes({ mostBytes }: Plan): ShipxError {
  const message = `this page or the one before has more than ${Math.floor(mostBytes! / 1024 / 1024)} MB: ask for fewer records with per_page, or go on after next_search_after`
  return new ShipxError('rejected', message, { details: [{ field: 'page', message }] })
}

function metaOf(found: readonly Found[], current_page: number, per_page: number, total: number): Meta {
  const last = found.at(-1)
  return { current_page, per_page, total, next_search_after: last === undefined ? [] : [String(last.at), last.id] }
}

/**
 * A page that takes no longer than its records do: near the beginning or a cursor, along an index in its order, and with a total
 * that is known. Undefined for any other question.
 */
export function* listNear(place: Place, kind: RecordKind, input: Query): Work<Page | undefined> {
  const plan = planOf(place, kind, input)
  const per_page = input.per_page ?? defaultPerPage
  const current_page = input.page ?? 1
  if (place.dialect.planning === undefined || !isNear(plan, current_page * per_page)) return undefined
  const total = knownTotal(plan, place.known?.changes?.())
  if (total === undefined) return undefined
  return yield* pageBy(plan, surely(plan), total, current_page, per_page)
}

/** Keeps the total of a question that `listNear` can use; `at` is the change of the database that it was counted after. */
export function rememberTotal(place: Place, kind: RecordKind, input: Query, total: number, at: number): void {
  const plan = planOf(place, kind, input)
  if (place.known === undefined || !isNear(plan, input.per_page ?? defaultPerPage)) return
  keep(place.known.totals, questionOf(plan), { total, at })
}

/** How many records match. */
export function* countMatches(place: Place, kind: RecordKind, input: Query): Work<number> {
  const plan = planOf(place, kind, input)
  return yield* countOf(plan, yield* surveyOf(plan, 0))
}

/**
 * The next records of a walk through all matches, without a total: `limit` of them after the cursor in `input`. For
 * those who print everything; a page of the service is `listPage`.
 */
export function* listNext(place: Place, kind: RecordKind, input: Query, limit: number, total: number): Work<WalkBatch> {
  const plan = planOf({ ...place, mostBytes: undefined }, kind, input)
  const survey = yield* surveyOf(plan, limit)
  if (place.dialect.planning !== undefined) return yield* nextInOne(plan, survey, limit, total)
  const found = yield* fetch(plan, survey, total, 0, limit)
  const last = found.at(-1)
  return {
    records: found.map((record) => record.doc!),
    next: last === undefined ? undefined : [String(last.at), last.id],
  }
}

/**
 * Records joined by the database, where it is in this process: reading a text for each row and joining the texts again takes
 * four times the processor's time (docs/performance.md, P6). A record holds no line break.
 */
function* nextInOne(plan: Plan, survey: Survey, limit: number, total: number): Work<WalkBatch> {
  const page = pageStatement(plan, wayOf(plan, survey, total, limit), total, 0, limit)
  const furthest = raw(plan.order === 'desc' ? 'min' : 'max')
  const found = (yield* row<{ readonly lines: Uint8Array | null; readonly at: number }>(
    sql`select cast(string_agg(q.doc, char(10)) as blob) as lines, ${furthest}(q.at) as at from (${page}) q`,
  ))!
  const { lines, at } = found
  if (lines === null) return { records: [], next: undefined }
  const last = new TextDecoder().decode(lines.subarray(lines.lastIndexOf(10) + 1))
  let cut: readonly string[] | undefined
  return {
    get records() {
      return (cut ??= new TextDecoder().decode(lines).split('\n'))
    },
    lines,
    next: [String(at), String((JSON.parse(last) as { readonly id: string | number }).id)],
  }
}

/** What follows `select …` to read every match once as `r`, in no order: for sums over everything. */
export function* matches(place: Place, kind: RecordKind, input: Query): Work<Sql> {
  const plan = planOf(place, kind, input)
  const { best, reach } = yield* surveyOf(plan, Infinity)
  const driver = plan.conditions.length === 1 ? plan.conditions[0] : reach === undefined ? undefined : best
  const few = reach !== undefined && reach < firstReach
  const index = place.dialect.planning === undefined ? undefined : driver === undefined ? narrow[kind] : driver.index
  return sql`${fromRecords(plan, index)} where ${where(plan, driver, index, few ? 'ask' : 'select')}`
}

/** The records with these numbers as JSON text, in no order. */
export function* recordsAt(place: Place, kind: RecordKind, seqs: readonly number[]): Work<readonly string[]> {
  const found = yield* rows<{ doc: string }>(
    sql`select r.doc from ${raw(tablesOf[kind].records)} r where ${looked(place)} and r.seq in (${join(seqs)})`,
  )
  return found.map(({ doc }) => doc)
}

interface Found extends Record<string, unknown> {
  /** Null for a record that is too large to be read with the others. */
  readonly doc: string | null
  /** Its length, where pages have a limit. */
  readonly bytes: number
  readonly at: number
  readonly id: string
}

/** What is known of the conditions before counting: about how many records each one leaves, where that was worth asking. */
interface Survey {
  /** About how many index entries a walk along the dates would have before it; 0 where it was not asked. */
  readonly size: number
  /** The most selective condition that was found, and its number of records (undefined: many). */
  readonly best: Condition | undefined
  readonly reach: number | undefined
  /** The number of matches, where finding out about the conditions has already told it. */
  readonly total?: number
}

/** What one look at a record costs against one look along the wide index: a page of the file is read (docs/performance.md). */
const lookup = 20

/** How far conditions are counted before they count as many: first a little, then as far as looking at records pays. */
const firstReach = 1000

/** A page so near the beginning is found along an index in date order whatever else there is. */
const nearPage = 200

/** The condition on the sort column that a walk along the dates is bounded by. */
const dateOf = ({ conditions, kind }: Plan): Condition | undefined =>
  conditions.find((condition) => condition.index === `${tablesOf[kind].records}_created_at`)

/**
 * The condition whose own index answers the whole question together with the dates it goes on with and with sets of `seq`
 * (SKUs, tags, search), so that no record is looked at.
 */
function coveringOf(plan: Plan): Condition | undefined {
  const date = dateOf(plan)
  const others = plan.conditions.filter((condition) => condition !== date && condition.alone === undefined)
  return others.length === 0 ? date : others.length === 1 && others[0]!.dated ? others[0] : undefined
}

const onlyOf = ({ conditions }: Plan): Condition | undefined => (conditions.length === 1 ? conditions[0] : undefined)

/** Whether the first `wanted` records lie one after the other along an index. */
const isNear = (plan: Plan, wanted: number): boolean =>
  wanted <= nearPage && (plan.conditions.length === 0 || (onlyOf(plan)?.inOrder === true && plan.sort === 'created_at'))

/** The survey of a question with one way through. */
const surely = (plan: Plan): Survey => ({ size: 0, best: onlyOf(plan), reach: undefined })

function* surveyOf(plan: Plan, wanted: number): Work<Survey> {
  const { dialect, conditions, sort, known } = plan
  const only = onlyOf(plan)
  if (dialect.planning === undefined || conditions.length === 0 || isNear(plan, wanted)) return surely(plan)
  if (known === undefined) return yield* newSurvey(plan, only)
  const key = `${sort} ${questionOf(plan)}`
  const old = known.surveys.get(key)
  if (old !== undefined && known.now() < old.until) {
    const best = conditions.find(({ name }) => name === old.survey.best?.name)
    return { size: old.survey.size, best, reach: old.survey.reach }
  }
  const survey = yield* newSurvey(plan, only)
  keep(known.surveys, key, { survey, until: known.now() + surveyLife })
  return survey
}

function* newSurvey(plan: Plan, only: Condition | undefined): Work<Survey> {
  const { dialect, account, kind, sort } = plan
  const date = dateOf(plan)
  const little = only === undefined ? yield* bestOf(plan, date, firstReach) : undefined
  if (little !== undefined && little.best.inOrder && sort === 'created_at') return { size: 0, ...little }
  const size = dialect.planning === undefined ? 0 : yield* dialect.planning.roughCount(kind, account)
  if (little !== undefined) return { size, ...little }
  if (only !== undefined) return { size, best: only, reach: undefined }
  const limit = Math.ceil(size / lookup)
  const much = limit > firstReach && coveringOf(plan) === undefined ? yield* bestOf(plan, date, limit) : undefined
  return { size, best: undefined, reach: undefined, ...much }
}

/** The condition that leaves the fewest records, when there is one that leaves fewer than `limit`. */
function* bestOf(
  plan: Plan,
  date: Condition | undefined,
  limit: number,
): Work<{ readonly best: Condition; readonly reach: number; readonly total?: number } | undefined> {
  let best: Condition | undefined
  let reach = limit
  for (const condition of plan.conditions) {
    if (condition.alone === undefined && condition.index === undefined) continue
    const n = (yield* row<{ n: number }>(condition.alone?.(reach) ?? reachOf(plan, condition, date, reach)))!.n
    if (n < reach) [best, reach] = [condition, n]
  }
  if (best === undefined) return undefined
  const whole = plan.conditions.length === 2 && date !== undefined && date !== best && best.dated
  return { best, reach, ...(whole ? { total: reach } : {}) }
}

const fromRecords = ({ dialect, kind }: Plan, index: string | undefined): Sql =>
  sql`from ${raw(tablesOf[kind].records)} r${index === undefined ? empty : (dialect.planning?.hint(index) ?? empty)}`

/** How many records a condition leaves, up to `limit`; together with the dates where its index goes on with them. */
function reachOf(plan: Plan, condition: Condition, date: Condition | undefined, limit: number): Statement {
  const dated = date === undefined || condition === date || !condition.dated ? empty : sql` and ${date.select}`
  return sql`select count(*) as n from (select 1 ${fromRecords(plan, condition.index)} where r.account_id = ${plan.account} and ${condition.select}${dated} limit ${limit}) q`
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
const looked = ({ dialect, account }: Pick<Place, 'dialect' | 'account'>): Sql =>
  dialect.planning !== undefined ? sql`+r.account_id = ${account}` : sql`r.account_id = ${account}`

/** How the conditions that do not drive are put: to each row at hand, or as a set that is made once. */
type Asking = 'ask' | 'select'

/** All conditions, the driving one in its selecting form and the others as they are to be asked. */
function where(plan: Plan, driver: Condition | undefined, index: string | undefined, asking: Asking = 'ask'): Sql {
  const parts = plan.conditions.map((condition) => (condition === driver ? condition.select : condition[asking]))
  return join([index === undefined ? looked(plan) : sql`r.account_id = ${plan.account}`, ...parts], ' and ')
}

/** The narrowest index of each kind that holds every record: what counts them all fastest. */
const narrow: Readonly<Record<RecordKind, string>> = {
  shipment: 'shipments_is_cod',
  return: 'returns_is_dangerous_goods',
}

/** The number of matches; not counted again while nobody has changed the database. */
function* countOf(plan: Plan, survey: Survey): Work<number> {
  const { known } = plan
  // Asked inside the transaction, so that the total and the page are of one view.
  const at = known?.changes?.()
  if (known === undefined || at === undefined) return yield* newCount(plan, survey)
  const old = knownTotal(plan, at)
  if (old !== undefined) return old
  const total = yield* newCount(plan, survey)
  keep(known.totals, questionOf(plan), { total, at })
  return total
}

/** The total that was counted after the change `at`. */
function knownTotal(plan: Plan, at: number | undefined): number | undefined {
  const old = plan.known?.totals.get(questionOf(plan))
  return old !== undefined && old.at === at ? old.total : undefined
}

function* newCount(plan: Plan, survey: Survey): Work<number> {
  return survey.total ?? (yield* row<{ n: number }>(countStatement(plan, survey)))!.n
}

/** The statement that counts all matches. */
function countStatement(plan: Plan, { best, reach }: Partial<Survey>): Sql {
  const { conditions, dialect, kind } = plan
  const only = conditions.length === 1 ? conditions[0] : undefined
  if (only?.alone !== undefined) return only.alone()
  const driver = only ?? (reach === undefined ? coveringOf(plan) : best)
  const index =
    dialect.planning === undefined
      ? undefined
      : conditions.length === 0
        ? narrow[kind]
        : driver !== undefined
          ? driver.index
          : conditions.every((condition) => condition.alone !== undefined)
            ? narrow[kind]
            : `${tablesOf[kind].records}_wide`
  // A set is worth making only for many rows that are looked up in it.
  const asking = reach !== undefined && reach < firstReach ? 'ask' : 'select'
  return sql`select count(*) as n ${fromRecords(plan, index)} where ${where(plan, driver, index, asking)}`
}

/**
 * The records of a page. Three ways through: along an index that holds the condition in date order; along the dates,
 * asking each row; or collecting everything that the most selective condition leaves and sorting it. Unless few rows lie
 * on the way, an inner query finds only `seq`s and the outer one fetches the page's own records.
 */
function* fetch(plan: Plan, survey: Survey, total: number, skip: number, limit: number): Work<readonly Found[]> {
  const way = plan.dialect.planning === undefined ? anyWay : wayOf(plan, survey, total, skip + limit)
  return yield* rows<Found>(pageStatement(plan, way, total, skip, limit))
}

/**
 * A record in a row of a page. Where pages have a limit, one that has more than its share of it is left for later (`fitting`), so that
 * no page is ever read whole to find out that it is too large.
 */
const recordColumns = ({ mostBytes }: Plan): Sql =>
  mostBytes === undefined
    ? sql`r.doc`
    : sql`case when octet_length(r.doc) <= ${Math.floor(mostBytes / maxPerPage)} then r.doc end as doc, octet_length(r.doc) as bytes`

/** The statement of a page by a way through; its rows hold these columns, and what the cursor is made of. */
function pageStatement(
  plan: Plan,
  way: Way,
  total: number,
  skip: number,
  limit: number,
  columns: Sql = recordColumns(plan),
): Sql {
  const { sort, order, after, conditions, dialect, kind } = plan
  const { records } = tablesOf[kind]
  const direction = raw(order)
  const column = raw(sort)
  const comparison = raw(order === 'desc' ? '<' : '>')
  const beyond = after === undefined ? empty : sql` and (r.${column}, r.id) ${comparison} (${after[0]}, ${after[1]})`
  const childBeyond =
    after === undefined ? empty : sql` and k.created_at ${raw(order === 'desc' ? '<=' : '>=')} ${after[0]}`
  const rest =
    way.child === undefined
      ? sql`${fromRecords(plan, way.index)} where ${where(plan, way.driver, way.index)}${beyond} order by r.${column} ${direction}, r.id ${direction} limit ${limit} offset ${skip}`
      : sql`from ${raw(way.child.table)} k cross join ${raw(records)} r on r.seq = k.seq where k.account_id = ${plan.account} and k.value = ${way.child.value}${childBeyond}${others(conditions, way.driver)}${beyond} order by k.created_at ${direction}, r.id ${direction} limit ${limit} offset ${skip}`
  const found = sql`${columns}, r.${column} as at, r.id`
  // Where a record lies in one piece with its columns, sorting it costs no more than its number.
  const whole = way.inOrder || total <= limit || dialect.planning === undefined
  if (skip === 0 && whole) return sql`select ${found} ${rest}`
  return sql`select ${found} from ${raw(records)} r where ${looked(plan)} and r.seq in (select r.seq ${rest}) order by r.${column} ${direction}, r.id ${direction} limit ${limit}`
}

function others(conditions: readonly Condition[], driver: Condition | undefined): Sql {
  const rest = conditions.filter((condition) => condition !== driver)
  const asked = rest.map((condition) => condition.ask)
  return rest.length === 0 ? empty : sql` and ${join(asked, ' and ')}`
}

interface Way {
  readonly index: string | undefined
  readonly driver: Condition | undefined
  readonly child: Condition['child']
  /** Whether the rows come in the order that is asked for, so that nothing is sorted. */
  readonly inOrder: boolean
}

/** For a database that plans for itself. */
const anyWay: Way = { index: undefined, driver: undefined, child: undefined, inOrder: false }

/** The cheapest way, by the number of index entries that each would read (a look at a record counts for several). */
function wayOf(plan: Plan, { size, best, reach }: Survey, total: number, wanted: number): Way {
  const { conditions, sort } = plan
  const walk: Way = { index: walkIndex(plan), driver: undefined, child: undefined, inOrder: true }
  if (conditions.length === 0) return walk
  const only = conditions.length === 1 ? conditions[0]! : undefined
  const driver = only ?? (reach === undefined ? undefined : best)
  if (driver === undefined || (driver.index === undefined && driver.child === undefined && driver.alone === undefined))
    return walk
  const inOrder = sort === 'created_at' && driver.inOrder
  const driven: Way = { index: driver.index, driver, child: inOrder ? driver.child : undefined, inOrder }
  if (size === 0) return driven
  const covered = conditions.every((condition) => condition.inWide)
  const needed = Math.min(wanted, total) / Math.max(1, total)
  const walked = size * needed * (covered ? 1 : lookup)
  const left = only === undefined ? reach! : total
  const collected = (inOrder ? left * needed : left) * lookup
  return walked < collected ? walk : driven
}
