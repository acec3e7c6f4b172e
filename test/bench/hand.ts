// The hand-written side of a listing: every statement that a careful person would try for a question, and the fastest
// of them; made from the schema and not from the engine's own conditions.
import type BetterSqlite from 'better-sqlite3'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { RecordKind } from '../../src/engine/database/port.ts'
import { account } from './data.ts'
import { runsOf } from './facts.ts'
import { inTurn, processor } from './timing.ts'

/** A listing's input as it comes from outside. */
export type Raw = Readonly<Record<string, unknown>>

/** A statement of the hand-written side that was the fastest. */
interface Chosen {
  readonly label: string
  readonly text: string
  readonly ms: number
}

/** The fastest hand-written answer to a question. */
export interface Hand {
  readonly count: Chosen
  readonly page: Chosen
  /** How many statements were timed. */
  readonly tried: number
  /** Runs both statements: the total, the records, and the cursor of the last one, which the answer must have too. */
  readonly answer: () => {
    readonly total: number
    readonly records: readonly string[]
    readonly cursor: readonly string[]
  }
}

/* ---- The question as SQL ---- */

const equals: Readonly<Record<string, string>> = {
  status: 'status',
  granular_status: 'granular_status',
  carrier_id: 'carrier_id',
  carrier_ids: 'carrier_id',
  warehouse_id: 'warehouse_id',
  warehouse_ids: 'warehouse_id',
  channel: 'channel',
  zone: 'zone',
  is_cod: 'is_cod',
  is_dangerous_goods: 'is_dangerous_goods',
  ndr_reason: 'ndr_reason',
  rto_reason: 'rto_reason',
  store_name: 'store_name',
  refund_status: 'refund_status',
  qc_status: 'qc_status',
  display_id: 'display_id',
  order_display_id: 'order_display_id',
}

const iso = (value: unknown): number => Date.parse(String(value))
const bounds: Readonly<Record<string, readonly [column: string, sign: string, stored: (value: unknown) => number]>> = {
  applied_weight_min: ['applied_weight', '>=', (grams) => Number(grams) * 1000],
  applied_weight_max: ['applied_weight', '<=', (grams) => Number(grams) * 1000],
  attempts_count__gte: ['attempt_count', '>=', Number],
  attempts_count__lte: ['attempt_count', '<=', Number],
  start_time: ['date_field', '>=', (seconds) => Number(seconds) * 1000],
  end_time: ['date_field', '<=', (seconds) => Number(seconds) * 1000 + 999],
  created_at__gte: ['created_at', '>=', iso],
  created_at__lte: ['created_at', '<=', iso],
  return_pickup_scheduled_at__gte: ['return_pickup_scheduled_at', '>=', iso],
  return_pickup_scheduled_at__lte: ['return_pickup_scheduled_at', '<=', iso],
  return_delivered_at__gte: ['return_delivered_at', '>=', iso],
  return_delivered_at__lte: ['return_delivered_at', '<=', iso],
}

/** A condition on a child table. */
export interface Held {
  readonly table: string
  readonly values: readonly string[]
}

/** A question taken apart. */
export interface Asked {
  readonly kind: RecordKind
  readonly records: string
  readonly columns: readonly Sql[]
  readonly held: readonly Held[]
  readonly words: readonly string[]
}

/** Takes a question apart. Throws for a filter that nobody has written by hand. */
export function askedOf(kind: RecordKind, input: Raw): Asked {
  const columns: Sql[] = []
  const held: Held[] = []
  let words: readonly string[] = []
  for (const [name, value] of Object.entries(input)) {
    if (name === 'date_field') continue
    const values = [value].flat().map((one) => (typeof one === 'boolean' ? Number(one) : one))
    const bound = bounds[name]
    if (name === 'search') words = String(value).toLowerCase().split(' ')
    else if (name === 'sku' || name === 'tags')
      held.push({ table: `${kind}_${name === 'sku' ? 'skus' : 'tags'}`, values: values.map(String) })
    else if (bound !== undefined) {
      const column = bound[0] === 'date_field' ? String(input['date_field'] ?? 'created_at') : bound[0]
      columns.push(sql`r.${raw(column)} ${raw(bound[1])} ${bound[2](value)}`)
    } else if (equals[name] !== undefined) columns.push(sql`r.${raw(equals[name])} ${oneOf(values)}`)
    else throw new Error(`no hand-written SQL for ${name}`)
  }
  return { kind, records: `${kind}s`, columns, held, words }
}

const oneOf = (values: readonly unknown[]): Sql =>
  values.length === 1 ? sql`= ${values[0]}` : sql`in (${join(values)})`

/* ---- The statements to try ---- */

const width = 2 ** 32
const [firstSeq, lastSeq] = [(account - 1) * width + 1, account * width]

/** A way to say something, and what to call it. */
export interface Spelling {
  readonly label: string
  readonly text: Sql
}

export const holdingOf = ({ table, values }: Held): Sql =>
  sql`from ${raw(table)} k where k.account_id = ${account} and k.value ${oneOf(values)}`

/** A child table's condition as a question to the record `r`. */
export const askHeld = (held: Held): readonly Spelling[] => [
  { label: `${held.table} in`, text: sql`r.seq in (select k.seq ${holdingOf(held)})` },
  {
    label: `${held.table} exists`,
    text: sql`exists (select 1 ${holdingOf(held)} and k.created_at = r.created_at and k.seq = r.seq)`,
  },
]

const holdsWords = (words: readonly string[], spelling: 'like' | 'instr'): Sql =>
  join(
    words.map((word) => (spelling === 'like' ? sql`s.text like ${`%${word}%`}` : sql`instr(s.text, ${word}) > 0`)),
    ' and ',
  )

const isLong = (word: string): boolean => word.length >= 3

/** The search as a question to the record `r`. */
function askSearch({ kind, words }: Asked): readonly Spelling[] {
  const [fts, search] = [raw(`${kind}_fts`), raw(`${kind}_search`)]
  const long = words.filter(isLong)
  const looks = (['like', 'instr'] as const).map((spelling) => ({
    label: `search exists ${spelling}`,
    text: sql`exists (select 1 from ${search} s where s.seq = r.seq and ${holdsWords(words, spelling)})`,
  }))
  if (long.length === 0) return looks
  const some = sql`r.seq in (select rowid from ${fts} where ${fts} match ${runsOf(long)} and rowid between ${firstSeq} and ${lastSeq})`
  const sure = sql`r.seq in (select s.seq from ${fts} cross join ${search} s on s.seq = ${fts}.rowid where ${fts} match ${runsOf(long)}
    and ${fts}.rowid between ${firstSeq} and ${lastSeq} and ${holdsWords(words, 'instr')})`
  const rest = sql`${some} and exists (select 1 from ${search} s where s.seq = r.seq and ${holdsWords(words, 'instr')})`
  return [...looks, { label: 'fts in, looked at', text: sure }, { label: 'fts in, looked at late', text: rest }]
}

/** Every choice of one spelling for each condition. */
export function choices(conditions: readonly (readonly Spelling[])[]): readonly Spelling[] {
  let found: readonly Spelling[] = [{ label: '', text: sql`true` }]
  for (const spellings of conditions)
    found = found.flatMap((before) =>
      spellings.map(({ label, text }) => ({
        label: `${before.label} ${label}`.trim(),
        text: sql`${before.text} and ${text}`,
      })),
    )
  return found
}

/** Where rows come from: a `from` and `where` with the record as `r` in it, and the column that has its date. */
interface Source {
  readonly label: string
  readonly text: Sql
  readonly at: Sql
}

function sourcesOf(asked: Asked, indexes: readonly string[]): readonly Source[] {
  const { kind, records, columns, held, words } = asked
  const table = raw(records)
  const own = sql`r.account_id = ${account}`
  const fixed = columns.length === 0 ? empty : sql` and ${join(columns, ' and ')}`
  const conditions = [...held.map(askHeld), ...(words.length === 0 ? [] : [askSearch(asked)])]
  const hints = ['', ' not indexed', ...indexes.map((name) => ` indexed by ${name}`)]
  const walks = choices(conditions).flatMap(({ label, text }) =>
    hints.map((hint) => ({
      label: `records${hint} ${label}`.trim(),
      text: sql`from ${table} r${raw(hint)} where ${own}${fixed} and ${text}`,
      at: sql`r.created_at`,
    })),
  )
  const children = held.flatMap((one) => {
    const others = [
      ...held.filter((other) => other !== one).map(askHeld),
      ...(words.length === 0 ? [] : [askSearch(asked)]),
    ]
    return choices(others).map(({ label, text }) => ({
      label: `${one.table} first ${label}`.trim(),
      text:
        one.values.length === 1
          ? sql`from ${raw(one.table)} k cross join ${table} r on r.seq = k.seq where k.account_id = ${account} and k.value ${oneOf(one.values)}${fixed} and ${text}`
          : sql`from (select distinct k.created_at, k.seq ${holdingOf(one)}) k cross join ${table} r on r.seq = k.seq where ${own}${fixed} and ${text}`,
      at: sql`k.created_at`,
    }))
  })
  if (words.length === 0) return [...walks, ...children]
  const [fts, search] = [raw(`${kind}_fts`), raw(`${kind}_search`)]
  const range = sql`between ${firstSeq} and ${lastSeq}`
  const found = words.every(isLong)
    ? {
        label: 'fts first',
        text: sql`from ${fts} cross join ${search} s on s.seq = ${fts}.rowid cross join ${table} r on r.seq = s.seq where ${fts} match ${runsOf(words)} and ${fts}.rowid ${range} and ${holdsWords(words, 'instr')}`,
      }
    : {
        label: 'search scan first',
        text: sql`from ${search} s cross join ${table} r on r.seq = s.seq where s.seq ${range} and ${holdsWords(words, 'instr')}`,
      }
  const searches = choices(held.map(askHeld)).map(({ label, text }) => ({
    label: `${found.label} ${label}`.trim(),
    text: sql`${found.text}${fixed} and ${text}`,
    at: sql`r.created_at`,
  }))
  return [...walks, ...children, ...searches]
}

/** Counts that need no record at all, when there is one condition. */
function shortCounts({ kind, columns, held, words }: Asked): readonly Spelling[] {
  const only = columns.length + held.length + Number(words.length > 0) === 1
  const one = held[0]
  if (only && one !== undefined) {
    return one.values.length === 1
      ? [{ label: `${one.table} alone`, text: sql`select count(*) as n ${holdingOf(one)}` }]
      : [
          { label: `${one.table} alone`, text: sql`select count(distinct k.seq) as n ${holdingOf(one)}` },
          {
            label: `${one.table} alone, inner`,
            text: sql`select count(*) as n from (select distinct k.seq ${holdingOf(one)})`,
          },
        ]
  }
  if (!only || words.length === 0) return []
  const [fts, search] = [raw(`${kind}_fts`), raw(`${kind}_search`)]
  const range = sql`between ${firstSeq} and ${lastSeq}`
  const scans = (['like', 'instr'] as const).map((spelling) => ({
    label: `search scan ${spelling}`,
    text: sql`select count(*) as n from ${search} s where s.seq ${range} and ${holdsWords(words, spelling)}`,
  }))
  return words.every(isLong)
    ? [
        ...scans,
        {
          label: 'fts alone',
          text: sql`select count(*) as n from ${fts} cross join ${search} s on s.seq = ${fts}.rowid where ${fts} match ${runsOf(words)} and ${fts}.rowid ${range} and ${holdsWords(words, 'instr')}`,
        },
      ]
    : scans
}

const perPage = 20

function pagesOf(records: string, source: Source): readonly Spelling[] {
  const order = sql`order by ${source.at} desc, r.id desc limit ${perPage}`
  const docs = raw(`${records.slice(0, -1)}_docs`)
  return [
    {
      label: `${source.label}, direct`,
      text: sql`select (select d.doc from ${docs} d where d.seq = r.seq) as doc, ${source.at} as at, r.id ${source.text} ${order}`,
    },
    {
      label: `${source.label}, late`,
      text: sql`select d.doc, p.at, p.id from (select r.seq as seq, ${source.at} as at, r.id as id ${source.text} ${order}) p cross join ${docs} d on d.seq = p.seq order by p.at desc, p.id desc`,
    },
  ]
}

/* ---- The choice ---- */

interface Candidate {
  readonly label: string
  readonly text: string
  readonly run: () => unknown[]
}

/**
 * A statement that goes through all records of the account by an index that answers nothing and look each one up: the
 * same by date reads the records in their order on disk and needs no sorting, and is among the candidates.
 */
function dominated(plan: string, partial: ReadonlySet<string>): boolean {
  const found = /SEARCH r USING (COVERING )?INDEX (\w+) \(account_id=\?\)/.exec(plan)
  return found !== null && found[1] === undefined && !found[2]!.endsWith('_wide') && !partial.has(found[2]!)
}

/** The statements that SQLite accepts, one of each plan. */
function candidatesOf(
  db: BetterSqlite.Database,
  spellings: readonly Spelling[],
  partial: ReadonlySet<string>,
): readonly Candidate[] {
  const known = new Set<string>()
  return spellings.flatMap(({ label, text }): readonly Candidate[] => {
    try {
      const steps = db.prepare(`explain query plan ${text.sql}`).all(...text.values) as { detail: string }[]
      const plan = steps.map(({ detail }) => detail).join('\n')
      const key = `${text.sql.replace(/ (not indexed|indexed by \w+)/g, '')}\n${plan}`
      if (known.has(key) || dominated(plan, partial)) return []
      known.add(key)
      const statement = db.prepare(text.sql)
      const { values } = text
      return [{ label, text: text.sql, run: () => statement.all(...values) }]
    } catch (error) {
      if (/no query solution/.test(String(error))) return []
      throw error
    }
  })
}

/** Statements within this of the fastest in their first run are timed properly. */
const inTheRace = 3
const rounds = 5

function fastest(candidates: readonly Candidate[]): { readonly best: Candidate; readonly ms: number } {
  candidates[0]!.run()
  const first = candidates.map(({ run }) => {
    const from = processor()
    run()
    return processor() - from
  })
  const least = Math.min(...first)
  const racing = candidates.filter((_, i) => first[i]! <= least * inTheRace + 0.3)
  const times = inTurn(
    rounds,
    racing.map(({ run }) => run),
  )
  const ms = Math.min(...times)
  return { best: racing[times.indexOf(ms)]!, ms }
}

/** Whether an index may help: the wide one, and those of the columns that the question compares. */
const near = ({ columns, records }: Asked, index: string): boolean =>
  index === `${records}_wide` || columns.some((text) => index === `${records}_${/^r\.(\w+)/.exec(text.sql)![1]!}`)

/**
 * The fastest hand-written count and the fastest hand-written page for a question, each statement prepared once. Tries
 * `every` index, or else those that the question calls for.
 */
export function handOf(db: BetterSqlite.Database, kind: RecordKind, input: Raw, every = true): Hand {
  const asked = askedOf(kind, input)
  const listed = db.pragma(`index_list(${asked.records})`) as { name: string; partial: number }[]
  const partial = new Set(listed.filter((index) => index.partial === 1).map(({ name }) => name))
  const sources = sourcesOf(
    asked,
    listed.map(({ name }) => name).filter((name) => every || near(asked, name)),
  )
  const counts = [
    ...shortCounts(asked),
    ...sources.map(({ label, text }) => ({ label, text: sql`select count(*) as n ${text}` })),
  ]
  const counting = candidatesOf(db, counts, partial)
  const paging = candidatesOf(
    db,
    sources.flatMap((source) => pagesOf(asked.records, source)),
    partial,
  )
  const [count, page] = [fastest(counting), fastest(paging)]
  return {
    count: { label: count.best.label, text: count.best.text, ms: count.ms },
    page: { label: page.best.label, text: page.best.text, ms: page.ms },
    tried: counting.length + paging.length,
    answer: () => {
      const total = (count.best.run() as { n: number }[])[0]!.n
      const found = page.best.run() as { doc: string; at: number; id: string }[]
      const last = found.at(-1)
      const cursor = last === undefined ? [] : [String(last.at), last.id]
      return { total, records: found.map(({ doc }) => doc), cursor }
    },
  }
}
