// The listings of shipments and of returns: pages by number and by cursor with exact totals, and walks through all
// matches.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Query, WalkBatch } from '../../domain/contract.ts'
import { ShipxError } from '../../domain/errors.ts'
import { idIn } from '../../domain/foreign/records.ts'
import { lineTexts } from '../../domain/linetexts.ts'
import { defaultPerPage, type JoinedPage, type Meta, type Page } from '../../domain/page.ts'
import { row, rows, type RecordKind, type Work } from '../database/port.ts'
import { tablesOf, withDocs } from './entry.ts'
import type { Condition } from './conditions.ts'
import {
  remember,
  questionOf,
  planOf,
  dateOf,
  isNear,
  leads,
  fromRecords,
  whereClause,
  type Plan,
  type Scope,
  type Survey,
} from './plan.ts'
import {
  firstCountLimit,
  onlyWaySurvey,
  surveyOf,
  countOf,
  knownTotal,
  leavesMost,
  countStatement,
  reachUpTo,
} from './survey.ts'
import {
  fetchRecords,
  docSize,
  recordColumns,
  recordShare,
  joinedColumns,
  joinedLines,
  pageRows,
  pageStatement,
  anyPath,
  accessPathOf,
  type JoinedRow,
  type PageRow,
  type AccessPath,
} from './fetch.ts'

/** A page of a listing (spec 4.8, 4.9) with the exact total of all matches, also with a cursor. */
export function* listPage(scope: Scope, kind: RecordKind, input: Query): Work<Page> {
  const plan = planOf(scope, kind, input)
  const per_page = input.per_page ?? defaultPerPage
  const current_page = input.page ?? 1
  const skip = (current_page - 1) * per_page
  if (scope.dialect.planning === undefined) return yield* pageInOne(plan, current_page, per_page, skip)
  const survey = yield* surveyOf(plan, skip + per_page)
  const total = yield* countOf(plan, survey)
  return yield* pageBy(plan, survey, total, current_page, per_page)
}

/** The page of a question whose total is known. */
function* pageBy(plan: Plan, survey: Survey, total: number, current_page: number, per_page: number): Work<Page> {
  const skip = (current_page - 1) * per_page
  const found = total > skip ? yield* fetchRecords(plan, survey, total, skip, per_page) : []
  if (current_page === 2) yield* refuseGap(plan, accessPathOf(plan, survey, total, per_page), per_page)
  return yield* pageOf(plan, found, current_page, per_page, total)
}

/**
 * A page and its total by one statement, for a database that plans for itself: one trip over the network, and one view
 * of the data without a transaction. Only an empty page after the first needs a second statement to count.
 */
function* pageInOne(plan: Plan, current_page: number, per_page: number, skip: number): Work<Page> {
  const columns = sql`${recordColumns(plan)}, (${countStatement(plan, {})}) as total`
  const found = yield* rows<PageRow & { readonly total: number }>(pageStatement(plan, anyPath, skip, per_page, columns))
  const none = skip === 0 && plan.after === undefined ? 0 : undefined
  const total = found[0]?.total ?? none ?? (yield* row<{ n: number }>(countStatement(plan, {})))!.n
  if (current_page === 2) yield* refuseGap(plan, anyPath, per_page)
  return yield* pageOf(plan, found, current_page, per_page, total)
}

/**
 * The page of the records that were found. Where they have more bytes than a page may, the first page and a page after
 * a cursor end early: `meta.per_page` is then the number of their records, and the cursor goes on after the last one.
 * Another page by number is refused, since the next number would leave records out.
 */
function* pageOf(
  plan: Plan,
  found: readonly PageRow[],
  current_page: number,
  per_page: number,
  total: number,
): Work<Page> {
  const there = found.some(({ doc }) => doc === null) ? yield* fitting(plan, found, current_page) : found
  const records = there.map(({ doc }) => doc!)
  return { records, meta: metaOf(there, current_page, there.length < found.length ? there.length : per_page, total) }
}

/** The first records that fit a page, read one by one where they are large. */
function* fitting(plan: Plan, found: readonly PageRow[], current_page: number): Work<readonly PageRow[]> {
  const { account, kind } = plan
  const sizes = found.map(({ bytes }) => bytes)
  const fits = fittingCount(plan, sizes)
  if (fits < found.length && current_page > 1) throw tooManyBytes(plan)
  const there: PageRow[] = []
  for (const record of found.slice(0, fits)) {
    if (record.doc !== null) {
      there.push(record)
      continue
    }
    const large = yield* row<{ doc: string }>(
      sql`select d.doc from ${withDocs(kind)} where r.account_id = ${account} and r.id = ${record.id}`,
    )
    // Without one view of the data, the record may be gone by now.
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

/** Refuses the second page by its number when the first one ended early: the records between them would be left out. */
function* refuseGap(plan: Plan, way: AccessPath, per_page: number): Work<void> {
  if (plan.mostBytes === undefined) return
  const first = pageStatement(plan, way, 0, per_page, sql`${docSize} as bytes`)
  const sizes = (yield* rows<{ bytes: number }>(first)).map(({ bytes }) => bytes)
  if (fittingCount(plan, sizes) < sizes.length) throw tooManyBytes(plan)
}

function tooManyBytes({ mostBytes }: Plan): ShipxError {
  const size = `this page or the one before has more than ${Math.floor(mostBytes! / 1024 / 1024)} MB`
  const message = `${size}: request fewer records with per_page, or continue after next_search_after`
  return new ShipxError('rejected', message, { details: [{ field: 'page', message }] })
}

function metaOf(found: readonly PageRow[], current_page: number, per_page: number, total: number): Meta {
  const last = found.at(-1)
  return { current_page, per_page, total, next_search_after: last === undefined ? [] : [String(last.at), last.id] }
}

/**
 * A page that costs no more than reading its records: near the start or a cursor, along an index in its order, its
 * total known already. Undefined for any other question.
 */
export function* listNear(scope: Scope, kind: RecordKind, input: Query): Work<Page | JoinedPage | undefined> {
  const plan = planOf(scope, kind, input)
  const per_page = input.per_page ?? defaultPerPage
  const current_page = input.page ?? 1
  if (scope.dialect.planning === undefined || !isNear(plan, current_page * per_page)) return undefined
  const total = knownTotal(plan, scope.known?.changes?.())
  if (total === undefined) return undefined
  const survey = onlyWaySurvey(plan)
  const whole = yield* joinedPage(plan, survey, total, current_page, per_page)
  return whole ?? (yield* pageBy(plan, survey, total, current_page, per_page))
}

/**
 * The page of a question whose total is known, its records joined by the database: half the processor's time of a row
 * for each. Undefined for an empty page, and for one with a record that is too large to be read with the others.
 */
function* joinedPage(
  plan: Plan,
  survey: Survey,
  total: number,
  current_page: number,
  per_page: number,
): Work<JoinedPage | undefined> {
  const skip = (current_page - 1) * per_page
  const way = accessPathOf(plan, survey, total, skip + per_page)
  const found = (yield* row<JoinedRow>(pageStatement(plan, way, skip, per_page, joinedColumns(plan))))!
  const { joined, ids } = found
  // An id that holds a line break could not be told from two.
  if (joined === null || ids === null || found.most > recordShare(plan)) return undefined
  const each = ids.split('\n')
  if (each.length !== found.n) return undefined
  if (current_page === 2) yield* refuseGap(plan, way, per_page)
  return { joined, meta: { current_page, per_page, total, next_search_after: [String(found.at), each.at(-1)!] } }
}

/** Remembers a total for `listNear`; `at` is the change of the database that it was counted after. */
export function rememberTotal(scope: Scope, kind: RecordKind, input: Query, total: number, at: number): void {
  const plan = planOf(scope, kind, input)
  if (scope.known === undefined || !isNear(plan, input.per_page ?? defaultPerPage)) return
  remember(scope.known.totals, questionOf(plan), { total, at })
}

/** How many records match. */
export function* countMatches(scope: Scope, kind: RecordKind, input: Query): Work<number> {
  const plan = planOf(scope, kind, input)
  return yield* countOf(plan, yield* surveyOf(plan, 0))
}

/**
 * The next records of a walk through all matches, without a total: `limit` of them after the cursor in `input`. It is
 * for callers that read everything; a page of the service is `listPage`.
 */
export function* listNext(scope: Scope, kind: RecordKind, input: Query, limit: number, total: number): Work<WalkBatch> {
  const plan = planOf({ ...scope, mostBytes: undefined }, kind, input)
  const survey = yield* surveyOf(plan, limit)
  if (scope.dialect.planning !== undefined) return yield* nextInOne(plan, survey, limit, total)
  const found = yield* fetchRecords(plan, survey, total, 0, limit)
  const last = found.at(-1)
  return {
    records: found.map((record) => record.doc!),
    next: last === undefined ? undefined : [String(last.at), last.id],
  }
}

/** The ids of the next records as `listNext` has them, and its cursor; no record is read. */
export function* listIds(
  scope: Scope,
  kind: RecordKind,
  input: Query,
  limit: number,
  total: number,
): Work<Pick<WalkBatch, 'next'> & { readonly ids: readonly string[] }> {
  const plan = planOf({ ...scope, mostBytes: undefined }, kind, input)
  const survey = yield* surveyOf(plan, limit)
  const way = scope.dialect.planning === undefined ? anyPath : accessPathOf(plan, survey, total, limit)
  const found = yield* rows<{ at: number; id: string }>(pageRows(plan, way, 0, limit))
  const last = found.at(-1)
  return { ids: found.map(({ id }) => id), next: last === undefined ? undefined : [String(last.at), last.id] }
}

/** Records that a walk fetches at a time: 500 take as long, and 10 MB more for a CSV (docs/inside/performance.md). */
export const walkStep = 300

/** The largest record of a longer step, bytes: many are not read only to find that they are too much. */
const shareOfMany = 20_000

interface LinesRow extends Record<string, unknown> {
  readonly lines: Uint8Array | null
  readonly count: number
  readonly at: number
}

/**
 * The same, but the database joins the records; for a database inside this process. Reading a text for each row and
 * joining the texts takes four times the processor's time (docs/inside/performance.md, P6). A record holds no line
 * break.
 */
function* nextInOne(plan: Plan, survey: Survey, limit: number, total: number): Work<WalkBatch> {
  const way = accessPathOf(plan, survey, total, limit)
  const many = limit > walkStep
  const page = pageStatement(plan, way, 0, limit, joinedLines(plan))
  const { lines, count, at } = (yield* row<LinesRow>(many ? sql`${page} and ${docSize} <= ${shareOfMany}` : page))!
  // Here is the end, or a large record that is not in the text.
  if (many && count < limit) return yield* nextInOne(plan, survey, walkStep, total)
  if (lines === null) return { records: [], next: undefined }
  const last = new TextDecoder().decode(lines.subarray(lines.lastIndexOf(10) + 1))
  let cut: readonly string[] | undefined
  return {
    get records() {
      return (cut ??= lineTexts(lines))
    },
    lines,
    count,
    next: [String(at), idIn(last)],
  }
}

/**
 * The SQL after `select …` that reads every match as `r`, in no order: once, or once for each of its values `g.value`
 * in a child table.
 */
export interface Matches {
  readonly from: Sql
  readonly where: Sql
}

/**
 * All matches, for sums over everything: along the index of a condition that leaves few, else by reading the account's
 * columns in their order.
 */
export function* matches(scope: Scope, kind: RecordKind, input: Query, child?: string): Work<Matches> {
  const plan = planOf(scope, kind, input)
  const { account } = scope
  const { planning } = scope.dialect
  if (planning === undefined) {
    const values =
      child === undefined ? empty : sql` join ${valuesOf(child)} on g.account_id = ${account} and ${sameSeq}`
    const where = whereClause(plan, undefined, undefined, 'select')
    return { from: sql`${fromRecords(plan, undefined)}${values}`, where: sql`where ${where}` }
  }
  const driver = yield* sumDriver(plan)
  const few = driver === undefined ? undefined : drivenBy(plan, driver)
  if (child !== undefined) {
    // The values of the account are read in turn: their index does not begin with the number of a record.
    const from = sql`from ${valuesOf(child)} cross join ${raw(tablesOf[kind].records)} r on ${sameSeq}`
    const asked =
      few === undefined
        ? whereClause(plan, undefined, undefined, 'select')
        : sql`g.seq in (select r.seq ${few.from} ${few.where})`
    return { from, where: sql`where g.account_id = ${account} and ${asked}` }
  }
  if (few !== undefined) return few
  const where = sql`${planning.inAccount(account)} and ${whereClause(plan, undefined, undefined, 'select')}`
  return { from: sql`from ${raw(tablesOf[kind].records)} r not indexed`, where: sql`where ${where}` }
}

const valuesOf = (child: string): Sql => raw(`${child} g`)

const sameSeq = raw('r.seq = g.seq')

function drivenBy(plan: Plan, { best, reach }: Driver): Matches {
  const asking = reach < firstCountLimit ? 'ask' : 'select'
  return { from: fromRecords(plan, best.index), where: sql`where ${whereClause(plan, best, best.index, asking)}` }
}

/** A condition that leaves few records, and how many. */
interface Driver {
  readonly best: Condition
  readonly reach: number
}

/** A look at the columns of a record by an index, in records that are read in their order. */
const columnLookup = 4

/** The condition that leaves so few records that looking at each by its index is cheaper than reading all of them. */
function* sumDriver(plan: Plan): Work<Driver | undefined> {
  const { kind, account, dialect } = plan
  const survey = yield* surveyOf(plan, Infinity)
  const { best } = survey
  if (best === undefined || !leads(best)) return undefined
  const rough = yield* dialect.planning!.roughCount(kind, account)
  const limit = Math.ceil(rough / columnLookup)
  const many = survey.reach === undefined && limit > firstCountLimit
  if (many && best === dateOf(plan) && (yield* leavesMost(plan, best, rough))) return undefined
  const reach = survey.reach ?? (yield* reachUpTo(plan, best, limit))
  return reach < limit ? { best, reach } : undefined
}

/** The records with these numbers, as JSON text, in no order. */
export function* recordsAt(
  { account }: Scope,
  kind: RecordKind,
  seqs: readonly number[],
): Work<readonly { readonly seq: number; readonly doc: string }[]> {
  return yield* rows<{ seq: number; doc: string }>(
    sql`select d.seq, d.doc from ${raw(tablesOf[kind].docs)} d
      where d.account_id = ${account} and d.seq in (${join(seqs)})`,
  )
}
