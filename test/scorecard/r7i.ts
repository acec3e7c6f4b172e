// R7I: `shipx orders import` through a proxy that cuts connections after the service has done its work, run again until it
// is whole: each order of the file is there exactly once.
import { startCutter } from '../support/cuttingproxy.ts'
import { deskOf, orderFlags, orderIds, ordersCsv, ordersIn } from '../support/imports.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { startServing } from './serving.ts'

/** Runs after which an import must have ended with 0. */
const most = 10

/** R7I: so many of 10,000 orders, one exchange in five cut. */
export const r7i = (size: Size): Promise<Finding> =>
  timed(async () => {
    const count = share(size, 10_000, 50)
    const faults: string[] = []
    const serving = await startServing(['--rate-limit', '0', '--quiet'], 1)
    const cutter = await startCutter(serving.url, { every: 5, seed: 71 })
    const desk = deskOf()
    let runs = 0
    try {
      const { key } = await serving.keyOf('r7i')
      await serving.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', 'r7i')
      desk.write('orders.csv', ordersCsv(count))
      const env = { SHIPX_BASE_URL: cutter.url, SHIPX_API_KEY: key }
      for (let exit: number | string = 7; exit !== 0 && runs < most; runs++) {
        const ran = await desk.run(['orders', 'import', 'orders.csv', ...orderFlags, '--json', '--concurrency', '8'], {
          env,
        })
        exit = ran.exit
        // 6: not even a question that may be asked again came through.
        if (![0, 6, 7].includes(Number(exit))) faults.push(`a run ended with ${exit}: ${ran.stderr.slice(0, 200)}`)
        if (exit !== 0 && runs === most - 1) faults.push(`${most} runs were not enough`)
      }
      if (desk.there('orders.failed.csv')) faults.push('there are failed rows after a run that ended with 0')
      const times = ordersIn(serving.db)
      const ids = orderIds(count)
      const total = [...times.values()].reduce((sum, n) => sum + n, 0)
      const twice = ids.filter((id) => (times.get(id) ?? 0) > 1)
      const missing = ids.filter((id) => !times.has(id))
      if (twice.length > 0) faults.push(`${twice.length} orders are there twice, ${twice[0]!} first`)
      if (missing.length > 0) faults.push(`${missing.length} orders are not there, ${missing[0]!} first`)
      if (total !== count) faults.push(`there are ${total} orders`)
      const cuts = cutter.cuts().answered + cutter.cuts().begun
      if (cuts < count / 10) faults.push(`only ${cuts} exchanges were cut`)
      return {
        row: 'R7I',
        what: `shipx orders import of ${count} orders to shipx serve, one exchange in five cut after commit, run until it ends with 0`,
        tried: count,
        result: `exactly ${total}; ${cuts} of ${cutter.exchanges()} exchanges cut, ${runs} ${runs === 1 ? 'run' : 'runs'}`,
        target: `exactly ${count}`,
        faults: summed(faults),
      }
    } finally {
      desk.clear()
      await cutter.close()
      await serving.close()
    }
  })
