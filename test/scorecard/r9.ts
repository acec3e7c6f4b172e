// R9: many requests with one idempotency key at the same time make one order: on SQLite in one process, and on PostgreSQL
// over three of them.
import { setTimeout as wait } from 'node:timers/promises'
import driver from 'better-sqlite3'
import { startPostgres } from '../support/postgresserver.ts'
import { askerOf } from './asking.ts'
import { held, keptOrders, type Kept } from './ordering.ts'
import { startCluster } from './replicas.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { orderOf, startServing } from './serving.ts'

/** Requests with one key at the same time. */
const together = 64

/** R9: so many of 500 rounds on each of the two. */
export const r9 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const count = share(size, 500, 4)
    const [one, three] = [await onSqlite(count), await onPostgres(count)]
    return {
      row: 'R9',
      what: `${together} concurrent requests with one idempotency key, ${count} rounds, on SQLite and over three replicas on PostgreSQL`,
      tried: one.asked + three.asked,
      result: `SQLite: ${one.result}; PostgreSQL: ${three.result}`,
      target: 'one order a round',
      faults: summed([
        ...one.faults.map((fault) => `SQLite: ${fault}`),
        ...three.faults.map((fault) => `PostgreSQL: ${fault}`),
      ]),
    }
  })

interface Half {
  readonly asked: number
  readonly result: string
  readonly faults: readonly string[]
}

async function onSqlite(count: number): Promise<Half> {
  const serving = await startServing(['--rate-limit', '0', '--quiet'], 1)
  try {
    const { key } = await serving.keyOf('r9')
    await serving.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', 'r9')
    return await rounds(count, serving.url, key, async () => {
      const db = new driver(serving.db, { readonly: true })
      try {
        // The seed's own records belong to another account.
        const account = (db.prepare(`select id from accounts where name = 'r9'`).get() as { id: number }).id
        return await keptOrders(
          async (text) =>
            db
              .prepare(
                text
                  .replaceAll('::int', '')
                  .replaceAll('from shipments', `from (select * from shipments where account_id = ${account})`),
              )
              .all() as Record<string, unknown>[],
        )
      } finally {
        db.close()
      }
    })
  } finally {
    await serving.close()
  }
}

async function onPostgres(count: number): Promise<Half> {
  const server = await startPostgres()
  try {
    const database = await server.createDatabase('r9')
    const cluster = await startCluster({ database })
    try {
      const key = await cluster.keyOf('r9')
      await cluster.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', 'r9')
      return await rounds(count, cluster.url, key, () => keptOrders((text) => server.query(text, [], 'r9')))
    } finally {
      await cluster.close()
    }
  } finally {
    await server.close()
  }
}

async function rounds(count: number, url: string, key: string, look: () => Promise<Kept>): Promise<Half> {
  const { ask, close } = askerOf(url, together)
  const faults: string[] = []
  const acknowledged = new Map<string, string>()
  let [asked, again, replayed] = [0, 0, 0]
  const answerTo = async (id: string): Promise<string | undefined> => {
    for (let n = 0; n < 20; n++) {
      asked++
      const { status, text, headers } = await ask('POST', '/forward-order-orchestration', key, orderOf(id), {
        'idempotency-key': id,
      })
      if (headers['idempotency-replayed'] === 'true') replayed++
      if (status === 200) return text
      if (status !== 409 && status !== 503) {
        faults.push(`answered ${status}: ${text.slice(0, 200)}`)
        return undefined
      }
      again++
      await wait(Number(headers['retry-after'] ?? 0.1) * 1000)
    }
    faults.push('20 times busy')
    return undefined
  }
  try {
    for (let n = 0; n < count; n++) {
      const id = `R9-${n}`
      const answers = await Promise.all(Array.from({ length: together }, () => answerTo(id)))
      const different = new Set(answers)
      if (different.size !== 1) faults.push(`${different.size} different answers in a round`)
      if (answers[0] !== undefined) acknowledged.set(id, answers[0])
    }
  } finally {
    close()
  }
  const kept = await look()
  faults.push(...held({ acknowledged }, kept))
  if (kept.orders !== count) faults.push(`${kept.orders} orders after ${count} rounds`)
  if (replayed < count * (together - 1)) faults.push(`only ${replayed} answers were told as given again`)
  return { asked, result: `${kept.orders} orders, ${asked} requests, ${again} of them told to come again`, faults }
}
