// R11: replicas of this version come up on a database of an older schema, some are killed in the middle of bringing it up to
// date, and clients ask all the while: they see 503 at worst, and the schema is the old one or the new one.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { createKey } from '../../src/engine/accounts/keys.ts'
import { steps } from '../../src/engine/database/migrations.ts'
import { postgresStep } from '../../src/engine/database/postgresstep.ts'
import { chanceOf } from '../support/chance.ts'
import { testHost } from '../support/engine.ts'
import { startPostgres } from '../support/postgresserver.ts'
import type { PostgresServer } from '../support/postgres.ts'
import { askerOf } from './asking.ts'
import { held, keptOrders, kindOf, ordererOf } from './ordering.ts'
import { startCluster, type Cluster } from './replicas.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** The schema of the first step, with an account, and how long its migration may take on a slow machine. */
const old = 'older'
const patience = 30_000

/** What the second step makes. */
const made = ['keys', 'keys_id', 'ratecards_in_use']

/** R11: so many of 100 kills. */
export const r11 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const count = share(size, 100, 3)
    const server = await startPostgres()
    const faults: string[] = []
    const seen = new Map<string, number>()
    const states = { old: 0, new: 0 }
    const chance = chanceOf(11)
    let [orders, within] = [0, 0]
    try {
      await makeOld(server)
      for (let n = 0; n < count; n++) {
        const name = `r11_${n}`
        const database = await server.createDatabase(name, old)
        const cluster = await startCluster({ database, started: false })
        try {
          const found = await upgrade(server, name, database, cluster, n, chance, faults)
          for (const [kind, times] of found.seen) seen.set(kind, (seen.get(kind) ?? 0) + times)
          orders += found.orders
          if (found.held) within++
          states[found.state]++
          if (n === count - 1) faults.push(...(await refusal(server, name, cluster)))
        } finally {
          await cluster.close()
          await server.dropDatabase(name)
        }
      }
    } finally {
      await server.close()
    }
    return {
      row: 'R11',
      what: `three replicas at once on an older schema under load, ${count} kill -9 in the middle of the migration`,
      tried: count,
      result: `${within} killed between two statements, ${count - within} at a random moment; left behind: ${states.old} x old, ${states.new} x new; ${orders} orders, 0 lost; answers: ${[
        ...seen,
      ]
        .toSorted()
        .map(([kind, times]) => `${times} x ${kind}`)
        .join(', ')}; schema 99 refused`,
      target: 'only 503s, schema old or new, never between',
      faults: summed(faults),
    }
  })

/** A database as the first step left it. */
async function makeOld(server: PostgresServer): Promise<void> {
  await server.createDatabase(old)
  await server.query('create extension pg_trgm', [], old)
  await server.query('create extension btree_gin', [], old)
  await server.query('create table shipx_schema (version bigint not null, partitions bigint not null)', [], old)
  await server.query('insert into shipx_schema values (1, 0)', [], old)
  await server.query(postgresStep(steps[0]!, 0), [], old)
  await server.query(`insert into accounts (id, name, created_at) values (1, 'r11', 0)`, [], old)
  await server.query(`insert into warehouses (account_id, id, pincode) values (1, 'WH1', '400001')`, [], old)
}

/** The schema of a database; anything in between is a fault. */
async function stateOf(server: PostgresServer, name: string, faults: string[]): Promise<'old' | 'new'> {
  const [found] = await server.query<{ version: string; there: number }>(
    `select version::text, (select count(*)::int from pg_class where relname = any($1)) as there from shipx_schema`,
    [made],
    name,
  )
  const { version, there } = found!
  const state = version === '1' ? 'old' : 'new'
  if (version !== '1' && version !== String(steps.length)) faults.push(`the schema is ${version}`)
  if (there !== (state === 'old' ? 0 : made.length))
    faults.push(`schema ${version} has ${there} of ${made.length} things of the second step`)
  return state
}

interface Upgraded {
  readonly seen: ReadonlyMap<string, number>
  readonly orders: number
  /** What the killed one left behind, and whether it was held in the middle. */
  readonly state: 'old' | 'new'
  readonly held: boolean
}

/** One round: a replica (of one or three that started at once) is killed while it migrates, and then all come up. */
async function upgrade(
  server: PostgresServer,
  name: string,
  database: string,
  cluster: Cluster,
  n: number,
  chance: () => number,
  faults: string[],
): Promise<Upgraded> {
  const { replicas } = cluster
  const { key, hash } = keyFor()
  const asker = askerOf(cluster.url, 8)
  const orderer = ordererOf(asker, key)
  const over = new AbortController()
  let [keyed, count] = [false, 0]
  const asking = async (): Promise<void> => {
    for (; !over.signal.aborted; await wait(5)) {
      const answer = await asker.ask('GET', '!/ready', undefined).catch(() => undefined)
      orderer.note('/ready', answer)
      if (!['200', '503', 'away'].includes(kindOf(answer))) faults.push(`/ready: ${kindOf(answer)}`)
    }
  }
  const ordering = async (): Promise<void> => {
    for (; !over.signal.aborted; await wait(5)) {
      // There are no keys before there is a table of them.
      if (keyed && !(await orderer.order(`R11-${count++}`, performance.now() + patience)))
        faults.push('an order was never acknowledged')
    }
  }
  const load = Promise.all([asking(), asking(), ordering(), ordering(), ordering()])
  let state: 'old' | 'new'
  const isHeld = n % 2 === 0
  // By turns, one alone and three at once.
  const starting = n % 4 < 2 ? replicas.slice(0, 1) : replicas
  if (isHeld) {
    // The second step waits here for its index, with its table made already.
    const holder = new pg.Client({ connectionString: database })
    await holder.connect()
    try {
      await holder.query('begin; lock table ratecards in row exclusive mode')
      for (const replica of starting) replica.launch()
      await untilWaiting(server, name, starting.length, faults)
      // Whoever migrates is among them.
      await Promise.all(starting.map((replica) => replica.kill()))
      state = await stateOf(server, name, faults)
    } finally {
      await holder.end()
    }
  } else {
    const begun = performance.now()
    for (const replica of starting) replica.launch()
    await wait(150 + chance() * 600 * starting.length)
    // Nearer to the moment: as soon as it is connected.
    while (chance() < 0.8 && performance.now() - begun < patience && (await connections(server, name)) === 0)
      await wait(1)
    await starting[0]!.kill()
    state = await stateOf(server, name, faults)
    await Promise.all(starting.slice(1).map((replica) => replica.kill()))
    await stateOf(server, name, faults)
  }
  await Promise.all(replicas.map((replica) => replica.start()))
  if ((await stateOf(server, name, faults)) !== 'new') faults.push('the schema is old after replicas came up')
  await server.query(
    `insert into keys (hash, account_id, id, ending, read_only, created_at) values ($1, 1, 'key_r11', '', 0, 0)`,
    [hash],
    name,
  )
  keyed = true
  // One is replaced while the others go on.
  await wait(100)
  await replicas[1]!.stop()
  await replicas[1]!.start()
  await wait(100)
  over.abort()
  await load
  asker.close()
  const kept = await keptOrders((text) => server.query(text, [], name))
  faults.push(...orderer.faults, ...held(orderer, kept))
  if (kept.orders !== count || count === 0) faults.push(`${count} orders were sent and ${kept.orders} are there`)
  return { seen: orderer.seen, orders: count, state, held: isHeld }
}

/** A key, and the hash under which it is looked up. */
function keyFor(): { readonly key: string; readonly hash: string } {
  const host = testHost()
  const work = createKey(
    1,
    {},
    { ...host, letters: (length) => crypto.randomUUID().replaceAll('-', '').padEnd(length, 'x').slice(0, length) },
  )
  const inserted = work.next().value as { readonly values: readonly unknown[] }
  const hash = String(inserted.values[0])
  work.next([])
  const done = work.next([{}])
  return { key: (done.value as { readonly key: string }).key, hash }
}

const connections = async (server: PostgresServer, name: string): Promise<number> =>
  (
    await server.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = $1 and application_name = 'shipx'`,
      [name],
    )
  )[0]!.n

/** Waits until one replica waits for the table and the others for the one. */
async function untilWaiting(server: PostgresServer, name: string, count: number, faults: string[]): Promise<void> {
  for (const until = performance.now() + patience; performance.now() < until; await wait(5)) {
    const [found] = await server.query<{ tables: number; locks: number }>(
      `select count(*) filter (where wait_event = 'relation')::int as tables, count(*) filter (where wait_event = 'advisory')::int as locks
        from pg_stat_activity where datname = $1 and application_name = 'shipx' and wait_event_type = 'Lock'`,
      [name],
    )
    if (found!.tables === 1 && found!.locks === count - 1) return
  }
  faults.push('the replicas did not wait for each other')
}

/** A schema of the future is refused with what to install, and those that run already say that they are not ready. */
async function refusal(
  server: PostgresServer,
  name: string,
  { url, local, replicas }: Cluster,
): Promise<readonly string[]> {
  const faults: string[] = []
  await server.query('update shipx_schema set version = 99', [], name)
  for (const args of [
    ['serve', '--port', '0'],
    ['keys', 'list'],
    ['local', 'init'],
  ]) {
    const { exit, stderr } = await local(...args)
    if (exit !== 2 || !stderr.includes('99') || !stderr.includes('the newer shipx'))
      faults.push(`${args.join(' ')} on schema 99: exit ${exit}: ${stderr.slice(0, 300)}`)
  }
  const [found] = await server.query<{ version: string }>('select version::text from shipx_schema', [], name)
  if (found!.version !== '99') faults.push(`schema 99 became ${found!.version}`)
  const { ask, close } = askerOf(url, 1)
  for (let n = 0; n < replicas.length; n++) {
    const { status } = await ask('GET', '!/ready', undefined)
    if (status !== 503) faults.push(`a replica that runs answers ${status} although the schema is newer`)
  }
  close()
  return faults
}
