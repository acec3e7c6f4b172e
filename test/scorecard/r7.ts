// R7: orders through a proxy that cuts connections after the service has done its work: each order is there exactly once.
import { parseInput } from '../../src/domain/parse.ts'
import { startCutter } from '../cutter.ts'
import { askerOf } from './asking.ts'
import { clientOf, codeOf } from './clients.ts'
import { atOnce, share, summed, timed, type Finding, type Size } from './row.ts'
import { orderOf, startServing } from './serving.ts'

/** R7: so many of 10,000 orders, one connection in five cut. */
export const r7 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const orders = Array.from({ length: share(size, 10_000, 50) }, (_, n) => `R7-${String(n).padStart(6, '0')}`)
    const serving = await startServing(['--rate-limit', '0', '--quiet'], 1)
    const cutter = await startCutter(serving.url, { every: 5, seed: 7 })
    const faults: string[] = []
    let rounds = 0
    try {
      const { key } = await serving.keyOf('r7')
      await serving.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', 'r7')
      const client = clientOf({ base_url: cutter.url, key })
      // Before its first answer a client cannot know that the service does each order once.
      await client.listStores({})
      let left: readonly string[] = orders
      for (; left.length > 0 && rounds < 6; rounds++) {
        const again: string[] = []
        await atOnce(24, left, async (order) => {
          const name = Number(order.slice(3)) % 2 === 0 ? 'orchestrateForwardOrder' : 'createForwardOrder'
          // What a round could not bring to an end is sent again with its key, as the same command would.
          const code = await codeOf(client[name](parseInput(name, orderOf(order)), { idempotency_key: order }))
          if (code === undefined) return
          again.push(order)
          if (code !== 'unknown_outcome' && code !== 'unavailable' && code !== 'bad_answer') faults.push(`an order came to ${code}`) // prettier-ignore
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
        row: 'R7',
        what: `${orders.length} orders to shipx serve, one connection in five cut after commit`,
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
    const { text } = await ask('POST', '/shipments', key, { per_page: 100, ...(after === undefined ? {} : { search_after: after }) }) // prettier-ignore
    const { data, meta } = JSON.parse(text) as {
      readonly data: readonly { readonly attributes: { readonly order: { readonly external_id: string } } }[]
      readonly meta: { readonly next_search_after: readonly string[] }
    }
    for (const { attributes } of data) counts.set(attributes.order.external_id, (counts.get(attributes.order.external_id) ?? 0) + 1) // prettier-ignore
    if (data.length < 100) break
    after = meta.next_search_after
  }
  close()
  return counts
}
