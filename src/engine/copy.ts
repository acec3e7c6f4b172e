// Copies everything of a database into another through the port, a chunk at a time, and compares what both then hold; knows
// no driver, no file and no command.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { ShipxError } from '../domain/errors.ts'
import type { Return } from '../domain/returns.ts'
import type { Shipment } from '../domain/shipments.ts'
import { rows, type Database, type Dialect, type RecordKind, type Row, type Work } from './database.ts'
import type { Host } from './host.ts'
import { entryOf, tablesOf } from './records.ts'

/** A table of the accounts. Its rows are told apart by `key` inside an account, text that compares by bytes. */
interface Table {
  readonly name: string
  readonly key: string
  /** What its rows are walked by, the key alone unless it says otherwise; an index holds it on both sides. */
  readonly order?: readonly string[]
  /** The kind of record that it holds: its SKUs, tags and search text are in tables beside it. */
  readonly kind?: RecordKind
  /** Rows at once, where one may be large. */
  readonly most?: number
}

const tables: readonly Table[] = [
  { name: 'keys', key: 'id' },
  { name: 'stores', key: 'id', most: 4 },
  { name: 'warehouses', key: 'id' },
  { name: 'ratecards', key: 'name', most: 50 },
  { name: 'orders', key: 'id' },
  { name: 'idempotency', key: 'key' },
  // By date: their many indexes then grow at the end, as they did in the source.
  { name: 'shipments', key: 'id', order: ['created_at', 'id'], kind: 'shipment' },
  { name: 'returns', key: 'id', order: ['created_at', 'id'], kind: 'return' },
]

/** Rows that are read at once, and row keys alone. */
const readAtOnce = 500
const keysAtOnce = 5000

/** Writing is done in transactions of about so many ms, which is between so many rows. */
const goal = 75
const chunk = { least: 20, first: 100, most: 2000 }

/** Differences that are told one by one. */
const mostTold = 50

/** What a copy is made with. */
export interface CopyPlan {
  readonly source: Database
  readonly target: Database
  readonly digest: Host['digest']
  /** Ms of a clock that goes on. */
  readonly ticks: () => number
  /** Make the target's rows that differ, or that the source does not have, what the source has; else they are refused. */
  readonly force?: boolean
  /** Called after each chunk, between transactions; what it throws ends the copy, which a later one goes on with. */
  readonly step: (phase: Phase, rows: number) => Promise<void>
}

/** Looking at what the target holds, copying, comparing both. */
export type Phase = 'check' | 'copy' | 'compare'

/** What a table holds: rows, and a sum of the hashes of its rows that is the same in whatever order they come. */
export interface TableSum {
  readonly table: string
  readonly rows: number
  readonly checksum: string
}

/** A table, of one account or of all, that is not the same on both sides. */
export interface Difference {
  readonly table: string
  readonly account: string | null
  readonly source: Omit<TableSum, 'table'>
  readonly target: Omit<TableSum, 'table'>
}

/** What became of a copy. `tables` are the source's; without a difference they are the target's too. */
export interface Copied {
  readonly tables: readonly TableSum[]
  /** Rows that this run added, and that it took away before. */
  readonly added: number
  readonly removed: number
  /** How many differ, and the first of them. */
  readonly different: number
  readonly differences: readonly Difference[]
}

/** A row as both databases hold it: `seq` is each database's own. */
interface Item {
  readonly key: string
  readonly seq: number | undefined
  readonly values: Readonly<Record<string, unknown>>
  readonly search: string | undefined
}

interface Account extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly created_at: number
}

/**
 * Copies what is not there yet and compares. Goes on where an earlier copy ended. Throws `rejected` before anything is
 * written when the target holds what the source does not, and `partial` when rows change while they are copied.
 */
export async function copyDatabase(plan: CopyPlan): Promise<Copied> {
  const removed = await checkTarget(plan)
  let added = 0
  for await (const page of accountsOf(plan.source)) {
    added += await plan.target.write(() => addAccounts(page))
    for (const account of page) for (const table of tables) added += await copyTable(plan, table, account)
  }
  return { ...(await compare(plan)), added, removed }
}

/** Rows by table: in the source, and in the target where there is one. */
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

/* ---- Reading ---- */

async function* accountsOf(database: Database): AsyncGenerator<readonly Account[]> {
  for (let after = 0; ;) {
    const page = await database.read(
      () =>
        rows<Account>(
          sql`select id, name, created_at from accounts where id > ${after} order by id limit ${readAtOnce}`,
        ),
      'single',
    )
    if (page.length === 0) return
    yield page
    after = page.at(-1)!.id
  }
}

/** How far a walk has come: the last row's values of the table's order; undefined at the beginning. */
type Place = readonly (string | number)[] | undefined

const orderOf = ({ key, order = [key] }: Table): readonly string[] => order

const placeOf = (table: Table, values: Row): Place => orderOf(table).map((name) => values[name] as string | number)

function beyond(table: Table, after: Place): Sql {
  if (after === undefined) return empty
  const [first, ...more] = orderOf(table)
  return more.length === 0
    ? sql` and ${raw(first!)} > ${after[0]}`
    : sql` and (${raw(orderOf(table).join(', '))}) > (${join(after)})`
}

function* itemsWhere(table: Table, account: number, where: Sql, limit: number): Work<readonly Item[]> {
  const { name, key, kind } = table
  const found = yield* rows<Row>(
    sql`select * from ${raw(name)} where account_id = ${account}${where} order by ${raw(orderOf(table).join(', '))} limit ${limit}`,
  )
  const texts = new Map<unknown, string>()
  if (kind !== undefined && found.length > 0) {
    const beside = yield* rows<{ seq: number; text: string }>(
      sql`select seq, text from ${raw(tablesOf[kind].search)} where account_id = ${account} and seq in (${join(found.map(({ seq }) => seq))})`,
    )
    for (const { seq, text } of beside) texts.set(seq, text)
  }
  return found.map(({ seq, ...values }) => ({
    key: String(values[key]),
    seq: seq as number | undefined,
    values,
    search: texts.get(seq),
  }))
}

/** The next rows of a walk. */
const itemsAfter = (
  database: Database,
  table: Table,
  account: number,
  after: Place,
  limit: number,
): Promise<readonly Item[]> =>
  database.read(
    () => itemsWhere(table, account, beyond(table, after), limit),
    table.kind === undefined ? 'single' : undefined,
  )

/** The content of a row as one text, which is the same in every database. */
function canonical({ values, search }: Item, digest: Host['digest']): string {
  const content = Object.keys(values)
    .toSorted()
    .map((name) => {
      const value = values[name]
      return value instanceof Uint8Array ? digest(value) : value
    })
  return JSON.stringify([...content, search])
}

/* ---- What is there already ---- */

const refused = (what: string): ShipxError =>
  new ShipxError('rejected', `the target holds something else than an unfinished copy of the source: ${what}`, {
    hint: 'name an empty database; nothing was written',
  })

/** Everything in the target must be in the source too, the same; with `force` what is not is taken away. Gives how much was. */
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
      if (known !== name)
        throw refused(`its account ${id} is ${name}, ${known === undefined ? 'which the source does not have' : `the source's is ${known}`}`) // prettier-ignore
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
  for (let after: Place; ;) {
    const theirs = await itemsAfter(target, table, account.id, after, most)
    if (theirs.length === 0) return removed
    const same = sql` and ${raw(key)} in (${join(theirs.map((item) => item.key))})`
    const found = await source.read(() => itemsWhere(table, account.id, same, most))
    const ours = new Map(found.map((item) => [item.key, item]))
    const faulty = theirs.filter((item) => {
      const own = ours.get(item.key)
      return own === undefined || canonical(own, digest) !== canonical(item, digest)
    })
    if (faulty.length > 0 && !force) {
      const first = faulty[0]!.key
      throw new ShipxError(
        'rejected',
        `the target holds something else than the source: in ${name} of account ${account.name}, ${key} ${first} ${ours.has(first) ? 'differs' : 'is not in the source'}`,
        { hint: 'name an empty database; or, where the source was changed since an earlier copy, add --force' },
      )
    }
    if (faulty.length > 0) await target.write(() => remove(table, account.id, faulty))
    removed += faulty.length
    after = placeOf(table, theirs.at(-1)!.values)
    await step('check', theirs.length)
  }
}

function* remove({ name, key, kind }: Table, account: number, items: readonly Item[]): Work<void> {
  for (const { key: id, seq, values } of items) {
    if (kind !== undefined) {
      const { children } = entryOf(kind, JSON.parse(String(values['doc'])) as Shipment | Return)
      for (const [child, list] of Object.entries(children))
        for (const value of list)
          yield* rows(
            sql`delete from ${raw(child)} where account_id = ${account} and value = ${value} and created_at = ${values['created_at']} and seq = ${seq}`,
          )
      yield* rows(sql`delete from ${raw(tablesOf[kind].search)} where account_id = ${account} and seq = ${seq}`)
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
    after = placeOf(table, items.at(-1)!.values)
    limit = Math.min(table.most ?? chunk.most, limit * 2, Math.max(chunk.least, fitting))
  }
}

/** The place up to which both hold the same keys: where an earlier copy ended. */
async function alreadyThere({ source, target }: CopyPlan, table: Table, account: number): Promise<Place> {
  const order = orderOf(table).join(', ')
  let same: Place
  const placesAfter = async (database: Database, limit: number): Promise<readonly Place[]> => {
    const found = await database.read(
      () =>
        rows<Row>(
          sql`select ${raw(order)} from ${raw(table.name)} where account_id = ${account}${beyond(table, same)} order by ${raw(order)} limit ${limit}`,
        ),
      'single',
    )
    return found.map((values) => placeOf(table, values))
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
    // Made by whoever opened the target first; what it is told apart by is its number and its name.
    if (known !== undefined && known.created_at !== created_at)
      yield* rows(sql`update accounts set created_at = ${created_at} where id = ${id}`)
  }
  const missing = page.filter(({ id }) => !there.has(id))
  yield* insert('accounts', missing)
  return missing.length
}

/** Adds the rows of a chunk that are not there; the same again changes nothing. Gives how many were added. */
function* addMissing(dialect: Dialect, table: Table, account: number, items: readonly Item[]): Work<number> {
  const { name, key, kind } = table
  const found = yield* rows<Row>(
    sql`select ${raw(key)} from ${raw(name)} where account_id = ${account} and ${raw(key)} in (${join(items.map((item) => item.key))})`,
  )
  const there = new Set(found.map((row) => row[key]))
  const missing = items.filter((item) => !there.has(item.key))
  if (kind === undefined)
    yield* insert(name, missing.map(({ values }) => values)) // prettier-ignore
  else yield* insertRecords(dialect, kind, account, missing)
  return missing.length
}

/** Records as they are, under numbers of this database; only the SKUs and tags beside them come out of the record again. */
function* insertRecords(dialect: Dialect, kind: RecordKind, account: number, items: readonly Item[]): Work<void> {
  const { records, search } = tablesOf[kind]
  const next = yield* dialect.newSeqs(kind, account)
  const numbered = items.map((item) => ({ ...item, seq: next() }))
  yield* insert(records, numbered.map(({ seq, values }) => ({ seq, ...values }))) // prettier-ignore
  yield* insert(
    search,
    numbered
      .filter((item) => item.search !== undefined)
      .map(({ seq, search: text }) => ({ seq, account_id: account, text })),
  )
  const beside = new Map<string, Row[]>(tablesOf[kind].children.map((child) => [child, []]))
  for (const { seq, values } of numbered) {
    const { children } = entryOf(kind, JSON.parse(String(values['doc'])) as Shipment | Return)
    for (const [child, list] of Object.entries(children))
      for (const value of list)
        beside.get(child)!.push({ account_id: account, value, created_at: values['created_at'], seq })
  }
  for (const [child, list] of beside) yield* insert(child, list)
}

function* insert(table: string, list: readonly Row[]): Work<void> {
  const [first, ...others] = list
  if (first === undefined) return
  const names = Object.keys(first)
  const valuesOf = (row: Row): readonly unknown[] => names.map((name) => row[name])
  const statement = sql`insert into ${raw(table)} (${raw(names.join(', '))}) values (${join(valuesOf(first))})`
  yield* rows({ sql: statement.sql, text: statement.text, values: statement.values, more: others.map(valuesOf) })
}

/** An error of a chunk with where it was, and what to do. */
function explained(error: unknown, table: Table, account: Account, items: readonly Item[]): unknown {
  const where = `${table.name} of account ${account.name}, ${table.key} ${items[0]!.key} to ${items.at(-1)!.key}`
  const again = 'run the same command again: what is there stays as it is'
  const chain = [error, (error as { readonly cause?: unknown }).cause]
  const code = chain.map((link) => String((link as { readonly code?: unknown } | undefined)?.code ?? ''))
  if (code.some((text) => text === '23505' || text.startsWith('SQLITE_CONSTRAINT')))
    return new ShipxError('partial', `${where}: the source was changed while it was copied`, { hint: again, cause: error }) // prettier-ignore
  const zero = items.find(({ values, search }) => [...Object.values(values), search].some((value) => typeof value === 'string' && value.includes('\0'))) // prettier-ignore
  if (code.includes('22021') && zero !== undefined)
    return new ShipxError('rejected', `${table.name} of account ${account.name}, ${table.key} ${zero.key}: it holds the character U+0000, which the target cannot keep`, { cause: error }) // prettier-ignore
  if (!(error instanceof ShipxError)) return error
  return new ShipxError(error.code, `${where}: ${error.message}`, { hint: error.hint ?? again, cause: error })
}

/* ---- Comparing ---- */

/** A sum that is the same in whatever order it is made: of 128 bits of each row's hash. */
interface Sum {
  readonly table: string
  rows: number
  sum: bigint
}

const sumBits = 128n

const sumOf = (table: string): Sum => ({ table, rows: 0, sum: 0n })

function add(sum: Sum, content: string, digest: Host['digest']): void {
  sum.rows++
  sum.sum = BigInt.asUintN(Number(sumBits), sum.sum + BigInt(`0x${digest(content).slice(0, Number(sumBits / 4n))}`))
}

const shown = ({ rows: count, sum }: Sum): Omit<TableSum, 'table'> => ({
  rows: count,
  checksum: sum.toString(16).padStart(Number(sumBits / 4n), '0'),
})

/** Reads both databases through and compares each table of each account. */
async function compare({ source, target, digest, step }: CopyPlan): Promise<Omit<Copied, 'added' | 'removed'>> {
  const totals = new Map<string, Sum>()
  const differences: Difference[] = []
  let different = 0
  const judge = (account: string | null, ours: Sum, theirs: Sum): void => {
    const total = totals.get(ours.table) ?? sumOf(ours.table)
    total.rows += ours.rows
    total.sum = BigInt.asUintN(Number(sumBits), total.sum + ours.sum)
    totals.set(ours.table, total)
    if (ours.rows === theirs.rows && ours.sum === theirs.sum) return
    different++
    if (differences.length < mostTold)
      differences.push({ table: ours.table, account, source: shown(ours), target: shown(theirs) })
  }
  judge(null, await sumOfAccounts(source, digest), await sumOfAccounts(target, digest))
  const quiet = async (): Promise<void> => undefined
  for await (const page of accountsOf(source))
    for (const { id, name } of page)
      for (const table of tables) {
        // Nothing is written any more: both may be read at once.
        const [ours, theirs] = await Promise.all([
          sumsOfTable(source, table, id, digest, (n) => step('compare', n)),
          sumsOfTable(target, table, id, digest, quiet),
        ])
        ours.forEach((sum, i) => judge(name, sum, theirs[i]!))
      }
  return { tables: [...totals.values()].map((sum) => ({ table: sum.table, ...shown(sum) })), different, differences }
}

async function sumOfAccounts(database: Database, digest: Host['digest']): Promise<Sum> {
  const sum = sumOf('accounts')
  for await (const page of accountsOf(database))
    for (const { id, name, created_at } of page) add(sum, JSON.stringify([id, name, created_at]), digest)
  return sum
}

/** The sums of a table and of those beside it. */
async function sumsOfTable(
  database: Database,
  table: Table,
  account: number,
  digest: Host['digest'],
  step: (rows: number) => Promise<void>,
): Promise<readonly Sum[]> {
  const sum = sumOf(table.name)
  const limit = table.most ?? readAtOnce
  for (let after: Place; ;) {
    const items = await itemsAfter(database, table, account, after, limit)
    for (const item of items) add(sum, canonical(item, digest), digest)
    if (items.length > 0) await step(items.length)
    if (items.length < limit) break
    after = placeOf(table, items.at(-1)!.values)
  }
  const sums = [sum]
  if (table.kind !== undefined)
    for (const child of tablesOf[table.kind].children)
      sums.push(await sumOfChild(database, table.kind, child, account, digest))
  return sums
}

/** Of SKUs or tags: each with the id of its record, since `seq` is each database's own. */
async function sumOfChild(
  database: Database,
  kind: RecordKind,
  child: string,
  account: number,
  digest: Host['digest'],
): Promise<Sum> {
  const sum = sumOf(child)
  const { records } = tablesOf[kind]
  for (let after: Sql = empty; ;) {
    const found = await database.read(
      () =>
        rows<{ value: string; created_at: number; seq: number; id: string | null }>(
          sql`select c.value, c.created_at, c.seq, r.id from ${raw(child)} c left join ${raw(records)} r on r.account_id = ${account} and r.seq = c.seq
            where c.account_id = ${account}${after} order by c.value, c.created_at, c.seq limit ${keysAtOnce}`,
        ),
      'single',
    )
    for (const { value, created_at, id } of found) add(sum, JSON.stringify([account, value, created_at, id]), digest)
    if (found.length < keysAtOnce) return sum
    const last = found.at(-1)!
    after = sql` and (c.value, c.created_at, c.seq) > (${last.value}, ${last.created_at}, ${last.seq})`
  }
}
