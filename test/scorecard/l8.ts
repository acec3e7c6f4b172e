// L8: a PostgreSQL that hangs, with connections that stay open and say nothing: each answer comes before clients give up.
import { setTimeout as wait } from 'node:timers/promises'
import { startPgProxy } from '../support/pgproxy.ts'
import { startPostgres } from '../support/postgresserver.ts'
import { askerOf } from './asking.ts'
import { startCluster } from './replicas.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** L8: so many of 5 times, with 40 questions that come one after the other while it hangs. */
export const l8 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const rounds = share(size, 5, 1)
    const faults: string[] = []
    const server = await startPostgres()
    const proxy = await startPgProxy(await server.createDatabase('hanging'))
    const cluster = await startCluster({ database: proxy.through(server.url('hanging')), replicas: 1 })
    const url = cluster.replicas[0]!.url()!
    const asker = askerOf(url, 100)
    let [tried, longest, longestReady] = [0, 0, 0]
    try {
      const key = await cluster.keyOf('default')
      const list = () => asker.ask('POST', '/shipments', key, {})
      for (let round = 0; round < rounds; round++) {
        for (let n = 0; n < 300 && (await list()).status !== 200; n++) await wait(100)
        await Promise.all(Array.from({ length: 20 }, list))
        const questions = Array.from({ length: 40 }, async (_, n) => {
          await wait(n * 25)
          const answer =
            n % 4 === 3
              ? asker.ask('GET', '!/ready', undefined)
              : n % 4 === 2
                ? asker.ask('POST', '/client-stores', key, { store_name: `l8-${round}-${n}` })
                : list()
          const { status, ms } = await answer
          // Those who came before it hung may have been served.
          if (status !== 503 && ms > 1000) faults.push(`answered ${status} by a database that hangs`)
          longest = Math.max(longest, ms)
          if (n % 4 === 3) longestReady = Math.max(longestReady, ms)
        })
        await wait(300)
        // In the middle of them: some have their key looked up and not their answer.
        proxy.freeze(true)
        tried += questions.length
        for (const { reason } of (await Promise.allSettled(questions)).filter(
          (one) => one.status === 'rejected',
        ) as PromiseRejectedResult[])
          faults.push(String(reason))
        if ((await asker.ask('GET', '!/live', undefined)).status !== 200) faults.push('/live is not 200')
        proxy.freeze(false)
      }
      if (longest > 28_000) faults.push(`an answer took ${Math.round(longest)} ms`)
      if (longestReady > 12_000) faults.push(`/ready took ${Math.round(longestReady)} ms`)
    } finally {
      asker.close()
      await cluster.close()
      await proxy.close()
      await server.close()
    }
    return {
      row: 'L8',
      what: `a PostgreSQL that hangs, ${rounds} times`,
      tried,
      result: `503 after ${(longest / 1000).toFixed(1)} s at most, /ready after ${(longestReady / 1000).toFixed(1)} s, /live 200`,
      target: 'each answer within 28 s, /ready within 12 s',
      faults: summed(faults),
    }
  })
