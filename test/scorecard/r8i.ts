// R8I: `shipx orders import` through such a proxy to a deployment without idempotency that would create an order each time
// it is sent: however often it is run, also with its journal gone, none is created twice, and each one in doubt is listed.
import { rmSync } from 'node:fs'
import { startCutter } from '../support/cuttingproxy.ts'
import { deskOf, failedRows, orderFlags, orderIds, ordersCsv, summaryOf } from '../support/imports.ts'
import { startStandIn } from '../support/foreigndeployment.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** Runs after which an import must have ended with 0. */
const most = 12

/** R8I: so many of 10,000 orders, one exchange in five cut. */
export const r8i = (size: Size): Promise<Finding> =>
  timed(async () => {
    const ids = orderIds(share(size, 10_000, 50))
    const faults: string[] = []
    const remote = await startStandIn({ repeats: 'created', shipments: 3, returns: 2 })
    const cutter = await startCutter(remote.url, { every: 5, seed: 81 })
    const desk = deskOf({ SHIPX_BASE_URL: cutter.url, SHIPX_API_KEY: remote.key })
    let [runs, doubtful] = [0, 0]
    /** Orders of which no journal can know that they were sent. */
    let forgotten: ReadonlySet<string> = new Set()

    /** Runs the import and holds what it told against what was created. */
    const run = async (): Promise<number | string> => {
      const ran = await desk.run(['orders', 'import', 'orders.csv', ...orderFlags, '--json', '--concurrency', '8'])
      runs++
      if (ran.exit !== 0 && ran.exit !== 7) {
        // 6: not even a question that may be asked again came through.
        if (ran.exit !== 6) faults.push(`a run ended with ${ran.exit}: ${ran.stderr.slice(0, 200)}`)
        return ran.exit
      }
      const codes = new Map(
        failedRows(desk.path('orders.failed.csv')).map((row) => [row['Order Id']!, row['shipx_code']!]),
      )
      const { created, unchanged, failed } = summaryOf(ran)
      if (failed !== codes.size || created + unchanged + failed !== ids.length)
        faults.push(`told ${created} created, ${unchanged} unchanged and ${failed} failed, listed ${codes.size}`)
      for (const id of ids) {
        const [code, times] = [codes.get(id), remote.created.get(id) ?? 0]
        if (times > 1) faults.push(`${id} was created ${times} times`)
        if (code === undefined && times === 0) faults.push(`${id} was told as created and is not there`)
        if (code === 'unknown_outcome') doubtful++
        else if (code !== undefined && times > 0 && !forgotten.has(id))
          faults.push(`${id} was created and is listed as ${code}`)
      }
      return ran.exit
    }
    const untilWhole = async (): Promise<void> => {
      for (let n = 0; n < most; n++) if ((await run()) === 0) return
      faults.push(`${most} runs were not enough`)
    }

    try {
      desk.write('orders.csv', ordersCsv(ids.length))
      await untilWhole()
      const cuts = cutter.cuts().answered + cutter.cuts().begun
      rmSync(desk.path('data'), { recursive: true })
      forgotten = new Set(remote.created.keys())
      await untilWhole()
      if (cuts < ids.length / 10) faults.push(`only ${cuts} exchanges were cut`)
      if (doubtful === 0) faults.push('no order was in doubt')
      return {
        row: 'R8I',
        what: `shipx orders import of ${ids.length} orders to a remote without idempotency, one exchange in five cut after commit, run again until it ends with 0, then without its journal`,
        tried: ids.length,
        result: `${[...remote.created.values()].filter((times) => times > 1).length} created twice in ${runs} runs; ${cutter.cuts().answered + cutter.cuts().begun} of ${cutter.exchanges()} exchanges cut, ${doubtful} times an order was listed as doubtful`,
        target: '0 created twice, every ambiguous row listed',
        faults: summed(faults),
      }
    } finally {
      desk.clear()
      await cutter.close()
      await remote.close()
    }
  })
