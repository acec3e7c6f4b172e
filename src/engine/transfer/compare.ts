// Compares two databases: reads both completely and makes a checksum of each table of each account.
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import {
  accountsOf,
  canonical,
  itemsAfter,
  keysAtOnce,
  positionOf,
  readAtOnce,
  tables,
  type Position,
  type Table,
} from './tables.ts'
import { limitTo, rows, type Database, type RecordKind } from '../database/port.ts'
import type { Host } from '../runtime.ts'
import { tablesOf } from '../records/entry.ts'

/** The rows of a table, and the sum of their hashes. The order of the rows does not change the sum. */
export interface TableSum {
  readonly table: string
  readonly rows: number
  readonly checksum: string
}

/** A table that differs between source and target: in one account, or (`account` null) the table of accounts. */
export interface Difference {
  readonly table: string
  readonly account: string | null
  readonly source: Omit<TableSum, 'table'>
  readonly target: Omit<TableSum, 'table'>
}

/** The result: the source's tables. If there is no difference, the target has the same tables. */
export interface CompareResult {
  readonly tables: readonly TableSum[]
  /** How many tables differ, and the first of them. */
  readonly different: number
  readonly differences: readonly Difference[]
}

/** Differences that are listed one by one. */
const mostTold = 50

/** A sum of 128 bits of each row's hash. The order of the rows does not change it. */
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

/** Reads both databases completely and compares each table of each account. */
export async function compare(
  source: Database,
  target: Database,
  digest: Host['digest'],
  step: (rows: number) => Promise<void>,
): Promise<CompareResult> {
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
        // The copy is over and writes nothing more, so both can be read at once.
        const [ours, theirs] = await Promise.all([
          sumsOfTable(source, table, id, digest, (n) => step(n)),
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

/** The sums of a table and of its child tables. */
async function sumsOfTable(
  database: Database,
  table: Table,
  account: number,
  digest: Host['digest'],
  step: (rows: number) => Promise<void>,
): Promise<readonly Sum[]> {
  const sum = sumOf(table.name)
  const limit = table.most ?? readAtOnce
  for (let after: Position; ;) {
    const items = await itemsAfter(database, table, account, after, limit)
    for (const item of items) add(sum, canonical(item, digest), digest)
    if (items.length > 0) await step(items.length)
    if (items.length < limit) break
    after = positionOf(table, items.at(-1)!.values)
  }
  const sums = [sum]
  if (table.kind !== undefined)
    for (const child of tablesOf[table.kind].children)
      sums.push(await sumOfChild(database, table.kind, child, account, digest))
  return sums
}

/**
 * The sum of a table of SKUs or tags. Each row counts with the id of its record, as each database has its own `seq`.
 */
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
          sql`select c.value, c.created_at, c.seq, r.id from ${raw(child)} c
              left join ${raw(records)} r on r.account_id = ${account} and r.seq = c.seq
            where c.account_id = ${account}${after} order by c.value, c.created_at, c.seq ${limitTo(keysAtOnce)}`,
        ),
      'single',
    )
    for (const { value, created_at, id } of found) add(sum, JSON.stringify([account, value, created_at, id]), digest)
    if (found.length < keysAtOnce) return sum
    const last = found.at(-1)!
    after = sql` and (c.value, c.created_at, c.seq) > (${last.value}, ${last.created_at}, ${last.seq})`
  }
}
