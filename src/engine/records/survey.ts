// How many records each condition of a question leaves, found out before a way is chosen, and the exact total.
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { wideIndex, type Condition } from './conditions.ts'
import { limitTo, row, type Statement, type Work } from '../database/port.ts'
import { tablesOf } from './entry.ts'
import {
  remember,
  questionOf,
  dateOf,
  coveringOf,
  onlyCondition,
  leads,
  isNear,
  fromRecords,
  whereClause,
  narrowestIndex,
  type Plan,
  type Survey,
} from './plan.ts'

/** How long a survey is used, ms: the data may grow meanwhile. */
const surveyLife = 60_000

/**
 * The cost of a look at the row of a record, in entries of the wide index. With 8 the questions of P2 are answered the
 * same ways, with 4 two of them take twice as long (docs/inside/performance.md).
 */
export const lookupCost = 20

/** The first limit of counting a condition. The second is the number up to which reading single records is cheaper. */
export const firstCountLimit = 1000

/** The survey of a question with only one way to answer it. */
export const onlyWaySurvey = (plan: Plan): Survey => ({ size: 0, best: onlyCondition(plan), reach: undefined })

/** The survey of a question, remembered for a minute; `wanted` is how many records the page needs from the first on. */
export function* surveyOf(plan: Plan, wanted: number): Work<Survey> {
  const { dialect, conditions, sort, known } = plan
  const only = onlyCondition(plan)
  if (dialect.planning === undefined || conditions.length === 0 || isNear(plan, wanted)) return onlyWaySurvey(plan)
  if (known === undefined) return yield* newSurvey(plan, only)
  const key = `${sort} ${questionOf(plan)}`
  const old = known.surveys.get(key)
  if (old !== undefined && known.now() < old.until) {
    const best = conditions.find(({ name }) => name === old.survey.best?.name)
    return { size: old.survey.size, best, reach: old.survey.reach }
  }
  const survey = yield* newSurvey(plan, only)
  remember(known.surveys, key, { survey, until: known.now() + surveyLife })
  return survey
}

function* newSurvey(plan: Plan, only: Condition | undefined): Work<Survey> {
  const { dialect, account, kind, sort } = plan
  const date = dateOf(plan)
  const little = only === undefined ? yield* bestOf(plan, date, firstCountLimit) : undefined
  if (little !== undefined && little.best.inOrder && sort === 'created_at') return { size: 0, ...little }
  const size = dialect.planning === undefined ? 0 : yield* dialect.planning.roughCount(kind, account)
  if (little !== undefined) return { size, ...little }
  if (only !== undefined) return { size, best: only, reach: undefined }
  const limit = Math.ceil(size / lookupCost)
  const much = limit > firstCountLimit && coveringOf(plan) === undefined ? yield* bestOf(plan, date, limit) : undefined
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
    if (!leads(condition)) continue
    const n = (yield* row<{ n: number }>(condition.alone?.(reach) ?? reachOf(plan, condition, date, reach)))!.n
    if (n < reach) [best, reach] = [condition, n]
  }
  if (best === undefined) return undefined
  const whole = plan.conditions.length === 2 && date !== undefined && date !== best && best.dated
  return { best, reach, ...(whole ? { total: reach } : {}) }
}

/** How many records a condition leaves, counted up to `limit`. */
export function* reachUpTo(plan: Plan, condition: Condition, limit: number): Work<number> {
  const counted = condition.alone?.(limit) ?? reachOf(plan, condition, undefined, limit)
  return (yield* row<{ n: number }>(counted))!.n
}

/** Records that are looked at before many are counted, and how many of them there must be. */
const [sampled, leastSampled] = [100, 50]

/**
 * Whether a range of dates leaves most of `rough` records, by a look at some of them: to count a quarter of a million
 * by the index takes 0.18 s. What this says wrongly costs time, and changes no answer.
 */
export function* leavesMost({ dialect, account, kind }: Plan, date: Condition, rough: number): Work<boolean> {
  const spread = dialect.planning!.spread(account, rough, sampled)
  const { found, hits } = (yield* row<{ found: number; hits: number }>(
    sql`select count(*) as found, count(case when ${date.select} then 1 end) as hits
      from ${raw(tablesOf[kind].records)} r where ${spread}`,
  ))!
  return found >= leastSampled && hits * 2 > found
}

/** Counts the records of a condition up to `limit`, within the range of dates if its index continues with them. */
function reachOf(plan: Plan, condition: Condition, date: Condition | undefined, limit: number): Statement {
  const dated = date === undefined || condition === date || !condition.dated ? empty : sql` and ${date.select}`
  const found = sql`r.account_id = ${plan.account} and ${condition.select}${dated}`
  const some = sql`select 1 ${fromRecords(plan, condition.index)} where ${found} ${limitTo(limit)}`
  return sql`select count(*) as n from (${some}) q`
}

/** The number of matches, counted again only after the database has changed. */
export function* countOf(plan: Plan, survey: Survey): Work<number> {
  const { known } = plan
  // Read inside the transaction, so that the total and the page are of one view.
  const at = known?.changes?.()
  if (known === undefined || at === undefined) return yield* newCount(plan, survey)
  const old = knownTotal(plan, at)
  if (old !== undefined) return old
  const total = yield* newCount(plan, survey)
  remember(known.totals, questionOf(plan), { total, at })
  return total
}

/** The total that was counted after the change `at`. */
export function knownTotal(plan: Plan, at: number | undefined): number | undefined {
  const old = plan.known?.totals.get(questionOf(plan))
  return old !== undefined && old.at === at ? old.total : undefined
}

function* newCount(plan: Plan, survey: Survey): Work<number> {
  return survey.total ?? (yield* row<{ n: number }>(countStatement(plan, survey)))!.n
}

/** The statement that counts all matches. */
export function countStatement(plan: Plan, { best, reach }: Partial<Survey>): Sql {
  const { conditions, dialect, kind } = plan
  const only = onlyCondition(plan)
  if (only?.alone !== undefined) return only.alone()
  const few = only !== undefined && !leads(only)
  const driver = few ? undefined : (only ?? (reach === undefined ? coveringOf(plan) : best))
  // Sets of row numbers need no column of the record.
  const sets = conditions.every((condition) => condition.alone !== undefined)
  const undriven = sets ? narrowestIndex[kind] : wideIndex(kind)
  const index = dialect.planning === undefined ? undefined : driver === undefined ? undriven : driver.index
  // A set is worth making only when many rows are looked up in it.
  const asking = reach !== undefined && reach < firstCountLimit ? 'ask' : 'select'
  return sql`select count(*) as n ${fromRecords(plan, index)} where ${whereClause(plan, driver, index, asking)}`
}
