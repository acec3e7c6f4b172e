// Growth on PostgreSQL: accounts of equal size beside each other in the same tables, from 1 to 64. An account's questions
// should cost what they cost when it was alone.
import pg from 'pg'
import { account, host } from './data.ts'
import { postgresData } from './pgdata.ts'
import { aligned, inMs, say, type Figure } from './report.ts'
import type { Setup } from './setup.ts'
import { alone } from './timing.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { Database } from '../../src/engine/database/port.ts'
import { embeddedService } from '../../src/engine/service.ts'
import type { Raw } from './hand.ts'

const sizes = [1, 4, 16, 64] as const

/** Shipments of each account at most: 64 times that many are written. */
const mostRows = 100_000

const questions: readonly (readonly [name: string, input: Raw])[] = [
  ['first page with total', {}],
  ['a rare status', { status: 'rto_initiated' }],
  ['three filters', { status: 'delivered', zone: 'zone_d', is_cod: true }],
  ['a search', { search: 'kumar' }],
  ['page 4,000 by number', { page: 4000 }],
]

/** Copies everything of the first account for others, inside the database. */
async function addAccounts(client: pg.Client, from: number, to: number): Promise<void> {
  const { rows: found } = await client.query<{ name: string; columns: string }>(
    `select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
     from information_schema.columns where table_schema = 'public' and column_name <> 'account_id' and is_generated = 'NEVER'
       and table_name in (select table_name from information_schema.columns where column_name = 'account_id' and table_schema = 'public')
       and table_name <> 'keys'
     group by table_name`,
  )
  for (let id = from; id <= to; id++) {
    await client.query(
      'insert into accounts (id, name, created_at) select $1, $2, created_at from accounts where id = $3',
      [id, `grown-${id}`, account],
    )
    for (const { name, columns } of found)
      await client.query(
        `insert into ${name} (account_id, ${columns}) select ${id}, ${columns} from ${name} where account_id = ${account}`,
      )
  }
  await client.query('vacuum analyze')
}

/** Asks each question of every account in turn, so that what one account keeps warm does not count alone. */
async function measure(database: Database, accounts: number, runs: number): Promise<readonly number[]> {
  const services = Array.from({ length: accounts }, (_, i) => embeddedService(database, i + 1, host))
  const times: number[] = []
  for (const [, input] of questions) {
    const checked = parseInput('listShipments', input)
    let turn = 0
    for (const service of services) await service.listShipments(checked)
    times.push(await alone(runs, () => services[turn++ % accounts]!.listShipments(checked)))
  }
  return times
}

export async function pggrow(setup: Setup): Promise<readonly Figure[]> {
  const rows = Math.min(setup.rows, mostRows)
  say(`growth on PostgreSQL: ${sizes.join(', ')} accounts of ${rows.toLocaleString('en-IN')} shipments`)
  const data = await postgresData({ ...setup, rows })
  const database = await data.open()
  const client = new pg.Client({ connectionString: data.url })
  await client.connect()
  try {
    // The small accounts beside the measured one would stand in the way of those that are made now.
    const tables = await client.query<{ name: string }>(
      "select table_name as name from information_schema.columns where column_name = 'account_id' and table_schema = 'public'",
    )
    for (const { name } of tables.rows) await client.query(`delete from ${name} where account_id <> ${account}`)
    await client.query(`delete from accounts where id <> ${account}`)
    const measured: (readonly number[])[] = []
    for (const [i, size] of sizes.entries()) {
      if (i > 0) await addAccounts(client, sizes[i - 1]! + 1, size)
      measured.push(await measure(database, size, Math.max(setup.runs, 9)))
      say(`  ${size} accounts: ${measured.at(-1)!.map(inMs).join(', ')}`)
    }
    const size = await client.query<{ bytes: string }>('select pg_database_size(current_database())::text as bytes')
    say(`${(Number(size.rows[0]!.bytes) / 1e9).toFixed(1)} GB`)
    say(
      aligned([
        ['growth', ...sizes.map((size) => `${size} accounts`)],
        ...questions.map(([name], i) => [name, ...measured.map((times) => inMs(times[i]!))]),
      ]),
    )
    const [first, last] = [measured[0]!, measured.at(-1)!]
    return questions.map(([name], i) => ({
      item: 'PGGROW',
      work: `PostgreSQL, ${name}, ${sizes.at(-1)} accounts of ${rows.toLocaleString('en-IN')} shipments`,
      against: 'one account',
      value: last[i]! / first[i]!,
      unit: 'x',
      ours: last[i]!,
      theirs: first[i]!,
      runs: Math.max(setup.runs, 9),
      note: 'should be flat',
      detail: measured.map((times, n) => ({ accounts: sizes[n], ms: times[i] })),
    }))
  } finally {
    await client.end()
    await database.close()
    await data.server.close()
  }
}
