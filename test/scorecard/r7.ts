// R7: orders through a proxy that cuts connections after the service has done its work: each order is there exactly once,
// on SQLite and on PostgreSQL.
import { parseInput } from '../../src/domain/parse.ts'
import { startCutter } from '../support/cuttingproxy.ts'
import { startPostgres } from '../support/postgresserver.ts'
import { askerOf } from './asking.ts'
import { clientOf, codeOf } from './clients.ts'
import { startCluster } from './replicas.ts'
import { atOnce, share, summed, timed, type Finding, type Size } from './row.ts'
import { orderOf, startServing } from './serving.ts'

/** A service that orders are sent to, on a database of its own. */
interface Subject {
  readonly url: string
  readonly key: string
  readonly close: () => Promise<void>
}

/** R7: so many of 10,000 orders, one connection in five cut. */
export const r7 = (size: Size): Promise<Finding> =>
  throughCuts('R7', 'shipx serve', size, async () => {
    const serving = await startServing(['--rate-limit', '0', '--quiet'], 1)
    const { key } = await serving.keyOf('r7')
    await serving.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', 'r7')
    return { url: serving.url, key, close: serving.close }
  })

/** The same on PostgreSQL. */
export const r7Postgres = (size: Size): Promise<Finding> =>
  throughCuts('R7P', 'shipx serve on PostgreSQL', size, async () => {
    const server = await startPostgres()
    try {
      const cluster = await startCluster({ database: await server.createDatabase('r7'), replicas: 1 })
      const close = async (): Promise<void> => {
        await cluster.close()
        await server.close()
      }
      const key = await cluster.keyOf('r7')
      await cluster.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', 'r7')
      // The service itself: what is cut shall be cut by the cutter alone.
      return { url: cluster.replicas[0]!.url()!, key, close }
    } catch (error) {
      await server.close()
      throw error
    }
  })

const throughCuts = (row: string, name: string, size: Size, begin: () => Promise<Subject>): Promise<Finding> =>
  timed(async () => {
    const orders = Array.from({ length: share(size, 10_000, 50) }, (_, n) => `R7-${String(n).padStart(6, '0')}`)
    const serving = await begin()
    const cutter = await startCutter(serving.url, { every: 5, seed: 7 })
    const faults: string[] = []
    let rounds = 0
    try {
      const { key } = serving
      const client = clientOf({ base_url: cutter.url, key })
      // Before its first answer a client cannot know that the service does each order once.
      await client.listStores({})
      let left: readonly string[] = orders
      for (; left.length > 0 && rounds < 6; rounds++) {
        const again: string[] = []
        await atOnce(24, left, async (order) => {
          const endpoint = Number(order.slice(3)) % 2 === 0 ? 'orchestrateForwardOrder' : 'createForwardOrder'
          // What a round could not bring to an end is sent again with its key, as the same command would.
          const code = await codeOf(client[endpoint](parseInput(endpoint, orderOf(order)), { idempotency_key: order }))
          if (code === undefined) return
          again.push(order)
          if (code !== 'unknown_outcome' && code !== 'unavailable' && code !== 'bad_answer')
            faults.push(`an order came to ${code}`)
        })
        left = again
        if (again.length > 0 && rounds > 4) faults.push(`${again.length} orders were not done after ${rounds} rounds`)
      }
      await client.close()
      const counts = await countsOf(serving.url, key)
      const twice = [...counts].filter(([, times]) => times > 1)
      const missing = orders.filter((order) => !counts.has(order))
      if (twice.length > 0) faults.push(`${twice.length} orders are there twice, ${twice[0]![0]} first`)
      if (missing.length > 0) faults.push(`${missing.length} orders are not there, ${missing[0]!} first`)
      const total = [...counts.values()].reduce((sum, times) => sum + times, 0)
      if (total !== orders.length) faults.push(`there are ${total} orders`)
      const cuts = cutter.cuts().answered + cutter.cuts().begun
      if (cuts < orders.length / 10) faults.push(`only ${cuts} connections were cut`)
      return {
        row,
        what: `${orders.length} orders to ${name}, one connection in five cut after commit`,
        tried: orders.length,
        result: `exactly ${total}; ${cuts} of ${cutter.exchanges()} exchanges cut, ${rounds} rounds`,
        target: `exactly ${orders.length}`,
        faults: summed(faults),
      }
    } finally {
      await cutter.close()
      await serving.close()
    }
  })

/** How often each order is there, asked of the service itself. */
async function countsOf(url: string, key: string): Promise<ReadonlyMap<string, number>> {
  const { ask, close } = askerOf(url)
  const counts = new Map<string, number>()
  let after: readonly string[] | undefined
  for (let n = 0; n < 1000; n++) {
    const { text } = await ask('POST', '/shipments', key, {
      per_page: 100,
      ...(after === undefined ? {} : { search_after: after }),
    })
    const { data, meta } = JSON.parse(text) as {
      readonly data: readonly { readonly attributes: { readonly order: { readonly external_id: string } } }[]
      readonly meta: { readonly next_search_after: readonly string[] }
    }
    for (const { attributes } of data)
      counts.set(attributes.order.external_id, (counts.get(attributes.order.external_id) ?? 0) + 1)
    if (data.length < 100) break
    after = meta.next_search_after
  }
  close()
  return counts
}
