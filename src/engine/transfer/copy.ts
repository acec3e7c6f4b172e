// Copies all rows of a database into another, a chunk at a time, then compares both.
import sql, { join, raw } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { compare, type CompareResult } from './compare.ts'
import {
  accountsOf,
  afterPosition,
  canonical,
  itemsAfter,
  itemsWhere,
  keysAtOnce,
  orderOf,
  positionOf,
  readAtOnce,
  tables,
  type Account,
  type Item,
  type Position,
  type Table,
} from './tables.ts'
import { limitTo, rows, type Database, type Dialect, type RecordKind, type Row, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'
import { listOf } from '../database/inlist.ts'
import { forgetAllDays } from '../money/coddays.ts'
import { childrenIn, tablesOf } from '../records/entry.ts'

/** The copy aims at transactions of 75 ms, each of 20 to 2,000 rows. */
const goal = 75
const chunk = { least: 20, first: 100, most: 2000 }

/** What a copy needs. */
export interface CopyPlan {
  readonly source: Database
  readonly target: Database
  readonly digest: Host['digest']
  /** A clock that never runs backwards, ms. */
  readonly ticks: () => number
  /** Replace or delete target rows that differ from the source; without it such rows are refused. */
  readonly force?: boolean
  /** Called after each chunk, between transactions. If it throws, the copy ends, and a later copy continues there. */
  readonly step: (phase: Phase, rows: number) => Promise<void>
}

/** Checking what the target has, copying, comparing both. */
export type Phase = 'check' | 'copy' | 'compare'

/** The result of a copy: the comparison, the rows that this run added, and those that it removed before. */
export interface CopyResult extends CompareResult {
  readonly added: number
  readonly removed: number
}

/**
 * Copies the rows that are missing, then compares. Continues where an earlier copy ended. Throws `rejected` before any
 * write when the target has rows that the source does not have. Throws `partial` when rows change during the copy.
 */
export async function copyDatabase(plan: CopyPlan): Promise<CopyResult> {
  const removed = await checkTarget(plan)
  let added = 0
  for await (const page of accountsOf(plan.source)) {
    added += await plan.target.write(() => addAccounts(page))
    for (const account of page) for (const table of tables) added += await copyTable(plan, table, account)
  }
  return { ...(await compare(plan.source, plan.target, plan.digest, (n) => plan.step('compare', n))), added, removed }
}

/** Counts the rows of each table in the source, and in the target if there is one. */
export async function countTables(
  source: Database,
  target: Database | undefined,
): Promise<readonly { readonly table: string; readonly rows: number; readonly there: number }[]> {
  const counts = async (database: Database | undefined): Promise<ReadonlyMap<string, number>> => {
    const found = new Map<string, number>()
    if (database === undefined) return found
    for await (const page of accountsOf(database)) {
      found.set('accounts', (found.get('accounts') ?? 0) + page.length)
      for (const { id } of page)
        for (const { name } of tables) {
          const [counted] = await database.read(
            () => rows<{ n: number }>(sql`select count(*) as n from ${raw(name)} where account_id = ${id}`),
            'single',
          )
          found.set(name, (found.get(name) ?? 0) + counted!.n)
        }
    }
    return found
  }
  const [ours, theirs] = [await counts(source), await counts(target)]
  return ['accounts', ...tables.map((table) => table.name)].map((table) => ({
    table,
    rows: ours.get(table) ?? 0,
    there: theirs.get(table) ?? 0,
  }))
}

/* ---- What is there already ---- */

const refused = (what: string): ShipxError =>
  new ShipxError('rejected', `the target is not an unfinished copy of the source: ${what}`, {
    hint: 'name an empty database; nothing was written',
  })

/**
 * Checks that the source has every row of the target, with the same content. With `force`, deletes the rows that
 * differ. Returns how many it deleted.
 */
async function checkTarget(plan: CopyPlan): Promise<number> {
  const { source, target } = plan
  let removed = 0
  for await (const page of accountsOf(target)) {
    const ids = page.map((account) => account.id)
    const ours = await source.read(
      () => rows<Account>(sql`select id, name, created_at from accounts where id in (${join(ids)})`),
      'single',
    )
    const names = new Map(ours.map(({ id, name }) => [id, name]))
    for (const { id, name } of page) {
      const known = names.get(id)
      if (known === name) continue
      const ours = known === undefined ? 'which the source does not have' : `the source's is ${known}`
      throw refused(`its account ${id} is ${name}, ${ours}`)
    }
    for (const account of page) for (const table of tables) removed += await checkTable(plan, table, account)
  }
  return removed
}

async function checkTable(
  { source, target, digest, force = false, step }: CopyPlan,
  table: Table,
  account: Account,
): Promise<number> {
  const { name, key, most = readAtOnce } = table
  let removed = 0
  for (let after: Position; ;) {
    const theirs = await itemsAfter(target, table, account.id, after, most)
    if (theirs.length === 0) return removed
    const same = sql` and ${raw(key)} in (${listOf(theirs.map((item) => item.key))})`
    const found = await source.read(() => itemsWhere(table, account.id, same, most))
    const ours = new Map(found.map((item) => [item.key, item]))
    const faulty = theirs.filter((item) => {
      const own = ours.get(item.key)
      return own === undefined || canonical(own, digest) !== canonical(item, digest)
    })
    if (faulty.length > 0 && !force) {
      const first = faulty[0]!.key
      const how = ours.has(first) ? 'differs' : 'is not in the source'
      throw new ShipxError(
        'rejected',
        `the target is not a copy of the source: in ${name} of account ${account.name}, ${key} ${first} ${how}`,
        { hint: 'name an empty database; or, where the source was changed since an earlier copy, add --force' },
      )
    }
    if (faulty.length > 0) await target.write(() => remove(target.dialect, table, account.id, faulty))
    removed += faulty.length
    after = positionOf(table, theirs.at(-1)!.values)
    await step('check', theirs.length)
  }
}

function* remove(dialect: Dialect, { name, key, kind }: Table, account: number, items: readonly Item[]): Work<void> {
  yield* forgetAllDays(dialect, account)
  for (const { key: id, seq, values, doc } of items) {
    if (kind !== undefined) {
      for (const [child, list] of Object.entries(childrenIn(kind, String(doc))))
        for (const value of list)
          yield* rows(
            sql`delete from ${raw(child)} where account_id = ${account} and value = ${value}
              and created_at = ${values['created_at']} and seq = ${seq}`,
          )
      for (const beside of [tablesOf[kind].search, tablesOf[kind].docs])
        yield* rows(sql`delete from ${raw(beside)} where account_id = ${account} and seq = ${seq}`)
    }
    yield* rows(sql`delete from ${raw(name)} where account_id = ${account} and ${raw(key)} = ${id}`)
  }
}

/* ---- Copying ---- */

async function copyTable(plan: CopyPlan, table: Table, account: Account): Promise<number> {
  const { source, target, ticks, step } = plan
  let added = 0
  let limit = Math.min(table.most ?? chunk.first, chunk.first)
  for (let after = await alreadyThere(plan, table, account.id); ;) {
    const items = await itemsAfter(source, table, account.id, after, limit)
    if (items.length === 0) return added
    const begun = ticks()
    added += await target
      .write(() => addMissing(target.dialect, table, account.id, items))
      .catch((error: unknown) => {
        throw explained(error, table, account, items)
      })
    const fitting = Math.round((limit * goal) / Math.max(1, ticks() - begun))
    await step('copy', items.length)
    if (items.length < limit) return added
    after = positionOf(table, items.at(-1)!.values)
    limit = Math.min(table.most ?? chunk.most, limit * 2, Math.max(chunk.least, fitting))
  }
}

/** The last place up to which both databases have the same keys: there an earlier copy ended. */
async function alreadyThere({ source, target }: CopyPlan, table: Table, account: number): Promise<Position> {
  const order = raw(orderOf(table).join(', '))
  let same: Position
  const placesAfter = async (database: Database, limit: number): Promise<readonly Position[]> => {
    const found = await database.read(
      () =>
        rows<Row>(
          sql`select ${order} from ${raw(table.name)}
            where account_id = ${account}${afterPosition(table, same)} order by ${order} ${limitTo(limit)}`,
        ),
      'single',
    )
    return found.map((values) => positionOf(table, values))
  }
  for (;;) {
    const theirs = await placesAfter(target, keysAtOnce)
    if (theirs.length === 0) return same
    const ours = await placesAfter(source, theirs.length)
    const apart = theirs.findIndex((place, i) => String(place) !== String(ours[i]))
    if (apart !== -1) return apart === 0 ? same : theirs[apart - 1]
    same = theirs.at(-1)
  }
}

function* addAccounts(page: readonly Account[]): Work<number> {
  const found = yield* rows<Account>(
    sql`select id, name, created_at from accounts where id in (${join(page.map(({ id }) => id))})`,
  )
  const there = new Map(found.map((account) => [account.id, account]))
  for (const { id, created_at } of page) {
    const known = there.get(id)
    // The command that first opened the target created this account. Its number and name identify it, so only its time
    // differs.
    if (known !== undefined && known.created_at !== created_at)
      yield* rows(sql`update accounts set created_at = ${created_at} where id = ${id}`)
  }
  const missing = page.filter(({ id }) => !there.has(id))
  yield* insert('accounts', missing)
  return missing.length
}

/** Adds the rows of a chunk that are missing; a second run changes nothing. Returns how many it added. */
function* addMissing(dialect: Dialect, table: Table, account: number, items: readonly Item[]): Work<number> {
  const { name, key, kind } = table
  yield* forgetAllDays(dialect, account)
  const keys = listOf(items.map((item) => item.key))
  const found = yield* rows<Row>(
    sql`select ${raw(key)} from ${raw(name)} where account_id = ${account} and ${raw(key)} in (${keys})`,
  )
  const there = new Set(found.map((row) => row[key]))
  const missing = items.filter((item) => !there.has(item.key))
  if (kind === undefined)
    yield* insert(
      name,
      missing.map(({ values }) => values),
    )
  else yield* insertRecords(dialect, kind, account, missing)
  return missing.length
}

/** Inserts records unchanged, numbered by this database. Only their SKUs and tags are read from the record again. */
function* insertRecords(dialect: Dialect, kind: RecordKind, account: number, items: readonly Item[]): Work<void> {
  const { records, docs, search } = tablesOf[kind]
  const next = yield* dialect.newSeqs(kind, account)
  const numbered = items.map((item) => ({ ...item, seq: next() }))
  yield* insert(
    records,
    numbered.map(({ seq, values }) => ({ seq, ...values })),
  )
  yield* insert(
    docs,
    numbered.map(({ seq, doc }) => ({ seq, account_id: account, doc })),
  )
  yield* insert(
    search,
    numbered
      .filter((item) => item.search !== undefined)
      .map(({ seq, search: text }) => ({ seq, account_id: account, text })),
    true,
  )
  const beside = new Map<string, Row[]>(tablesOf[kind].children.map((child) => [child, []]))
  for (const { seq, values, doc } of numbered) {
    for (const [child, list] of Object.entries(childrenIn(kind, String(doc))))
      for (const value of list)
        beside.get(child)!.push({ account_id: account, value, created_at: values['created_at'], seq })
  }
  for (const [child, list] of beside) yield* insert(child, list)
}

function* insert(table: string, list: readonly Row[], joined = false): Work<void> {
  const [first, ...others] = list
  if (first === undefined) return
  const names = Object.keys(first)
  const valuesOf = (row: Row): readonly unknown[] => names.map((name) => row[name])
  const statement = sql`insert into ${raw(table)} (${raw(names.join(', '))}) values (${join(valuesOf(first))})`
  const more = others.map(valuesOf)
  yield* rows({ sql: statement.sql, text: statement.text, values: statement.values, more, joined })
}

/** Adds to an error the place of the chunk and what the user can do. */
function explained(error: unknown, table: Table, account: Account, items: readonly Item[]): unknown {
  const place = (keys: string): string => `${table.name} of account ${account.name}, ${table.key} ${keys}`
  const where = place(`${items[0]!.key} to ${items.at(-1)!.key}`)
  const again = 'run the same command again: it keeps the rows that are copied'
  const chain = [error, (error as { readonly cause?: unknown }).cause]
  const code = chain.map((link) => String((link as { readonly code?: unknown } | undefined)?.code ?? ''))
  if (code.some((text) => text === '23505' || text.startsWith('SQLITE_CONSTRAINT')))
    return new ShipxError('partial', `${where}: the source was changed while it was copied`, {
      hint: again,
      cause: error,
    })
  const zero = items.find(({ values, doc, search }) =>
    [...Object.values(values), doc, search].some((value) => typeof value === 'string' && value.includes('\0')),
  )
  if (code.includes('22021') && zero !== undefined)
    return new ShipxError(
      'rejected',
      `${place(zero.key)}: it contains the character U+0000, which the target cannot store`,
      { cause: error },
    )
  if (!(error instanceof ShipxError)) return error
  return new ShipxError(error.code, `${where}: ${error.message}`, { hint: error.hint ?? again, cause: error })
}
