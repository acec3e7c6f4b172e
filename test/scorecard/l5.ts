// L5: the signals that a server gets from its surroundings, under load: SIGUSR1 opens no debugger, SIGHUP lets what runs end.
import { setTimeout as wait } from 'node:timers/promises'
import { askerOf } from './asking.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { orderOf, startServing } from './serving.ts'

/** L5: so many of 20 services, each with signals while orders are made. */
export const l5 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const services = share(size, 20, 1)
    const faults: string[] = []
    let [signals, answered] = [0, 0]
    for (let n = 0; n < services; n++) {
      const serving = await startServing(['--quiet', '--rate-limit', '0'])
      const asker = askerOf(serving.url, 4)
      try {
        const { key } = await serving.keyOf('default')
        await serving.local('local', 'warehouse', 'set', 'WH1', '400001')
        const made: string[] = []
        let stopping = false
        const one = async (lane: number): Promise<void> => {
          for (let i = 0; ; i++) {
            const id = `L5-${lane}-${i}`
            try {
              const { status } = await asker.ask('POST', '/forward-order', key, orderOf(id))
              if (status === 200) made.push(id)
              else if (!stopping) faults.push(`an order was answered ${status}`)
            } catch {
              if (!stopping) faults.push('an order got no answer before the end')
              return
            }
          }
        }
        const load = Promise.all([0, 1, 2, 3].map(one))
        for (let i = 0; i < 5; i++, signals++) {
          process.kill(serving.pid, 'SIGUSR1')
          await wait(50)
        }
        if (/debugger|inspector/i.test(serving.log())) faults.push('SIGUSR1 has opened the debugger')
        stopping = true
        process.kill(serving.pid, 'SIGHUP')
        signals++
        const exit = await serving.ended
        await load
        if (exit !== 0) faults.push(`SIGHUP: exit ${exit}`)
        const listed = await serving.local('shipments', 'list', '--all', '--json')
        const lost = made.filter((id) => !listed.stdout.includes(`"${id}"`)).length
        if (lost > 0) faults.push(`${lost} acknowledged orders are not there`)
        answered += made.length
      } finally {
        asker.close()
        await serving.close()
      }
    }
    return {
      row: 'L5',
      what: 'SIGUSR1 and SIGHUP to a service at work',
      tried: signals,
      result: `${signals} signals, no debugger, exit 0; all ${answered} acknowledged orders are there`,
      target: 'no debugger, exit 0, nothing acknowledged is lost',
      faults: summed(faults),
    }
  })
