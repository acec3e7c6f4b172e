// R8: the same against a deployment without idempotency that would create an order each time it is sent: none is created
// twice, and each one in doubt is named.
import { parseInput } from '../../src/domain/parse.ts'
import { startCutter } from '../support/cuttingproxy.ts'
import { startStandIn } from '../support/foreigndeployment.ts'
import { clientOf, codeOf } from './clients.ts'
import { atOnce, share, summed, timed, type Finding, type Size } from './row.ts'
import { orderOf } from './serving.ts'

/** R8: so many of 10,000 orders, one connection in five cut. */
export const r8 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const orders = Array.from({ length: share(size, 10_000, 200) }, (_, n) => `R8-${String(n).padStart(6, '0')}`)
    const remote = await startStandIn({ repeats: 'created', shipments: 3, returns: 2 })
    const cutter = await startCutter(remote.url, { every: 5, seed: 8 })
    const faults: string[] = []
    const codes = new Map<string, string | undefined>()
    try {
      const client = clientOf({ base_url: cutter.url, key: remote.key })
      await client.listStores({})
      const before = cutter.cuts().answered + cutter.cuts().begun
      await atOnce(24, orders, async (order, n) => {
        const name = n % 2 === 0 ? 'orchestrateForwardOrder' : 'createForwardOrder'
        codes.set(order, await codeOf(client[name](parseInput(name, orderOf(order)))))
      })
      await client.close()
      const cuts = cutter.cuts().answered + cutter.cuts().begun - before
      const doubtful = orders.filter((order) => codes.get(order) === 'unknown_outcome')
      for (const order of orders) {
        const [code, times] = [codes.get(order), remote.created.get(order) ?? 0]
        if (times > 1) faults.push(`${order} was created ${times} times`)
        if (code === undefined && times !== 1) faults.push(`${order} was told as created and is not there`)
        if (code !== undefined && code !== 'unknown_outcome' && times > 0)
          faults.push(`${order} was created and told as ${code}`)
        if (code !== undefined && code !== 'unknown_outcome') faults.push(`an order came to ${code}`)
      }
      if (cuts < orders.length / 10) faults.push(`only ${cuts} connections were cut`)
      if (doubtful.length < cuts) faults.push(`${cuts} were cut and only ${doubtful.length} are told as doubtful`)
      return {
        row: 'R8',
        what: `${orders.length} orders to a remote without idempotency, one connection in five cut after commit`,
        tried: orders.length,
        result: `${[...remote.created.values()].filter((times) => times > 1).length} created twice; ${cuts} cut, ${doubtful.length} named as doubtful`,
        target: '0 created twice, every ambiguous row listed',
        faults: summed(faults),
      }
    } finally {
      await cutter.close()
      await remote.close()
    }
  })
