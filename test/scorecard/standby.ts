// A hot standby that answers listings (SHIPX_DATABASE_READ_URL): whoever wrote sees what was written, also while the standby
// is held back; while it is away the primary answers, and when it is back it is used again.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startPostgres } from '../support/postgresserver.ts'
import { databaseUrl } from '../support/postgresclient.ts'
import type { PostgresStandby } from '../support/postgres.ts'
import { askerOf } from './asking.ts'
import { startCluster } from './replicas.ts'
import { percentile, share, summed, timed, type Finding, type Size } from './row.ts'
import { orderOf } from './serving.ts'

/** While the standby is away, a listing may take this much longer, ms; when it is back, this long until it is used, ms. */
const [slower, backWithin] = [1_500, 35_000]

/** The row of the standby: so many of 400 orders, each looked for at once. */
export const hotStandby = (size: Size): Promise<Finding> =>
  timed(async () => {
    const count = share(size, 100, 5)
    const faults: string[] = []
    const figures: string[] = []
    let n = 0
    const server = await startPostgres({ flags: ['-c', 'log_statement=all'] })
    try {
      const primary = await server.createDatabase('shop')
      const standby = await server.standby()
      await standby.caughtUp()
      const cluster = await startCluster({
        database: primary,
        replicas: 1,
        env: { SHIPX_DATABASE_READ_URL: databaseUrl(standby.url(), 'shop') },
      })
      const { ask, close } = askerOf(cluster.url, 4)
      try {
        const key = await cluster.keyOf('standby')
        await cluster.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', 'standby')
        const slowest: number[] = []
        const list = async (what: string, body: object): Promise<string> => {
          const { status, text, ms } = await ask('POST', '/shipments', key, body)
          if (status !== 200) faults.push(`${what}: a listing was answered ${status}: ${text.slice(0, 200)}`)
          slowest.push(ms)
          return text
        }
        /** Creates orders and looks for each one at once. */
        const written = async (what: string): Promise<void> => {
          for (let i = 0; i < count; i++) {
            const id = `S-${n++}`
            const { status } = await ask('POST', '/forward-order', key, orderOf(id))
            if (status !== 200) faults.push(`${what}: an order was answered ${status}`)
            if (!(await list(what, { per_page: 5 })).includes(`"${id}"`))
              faults.push(`${what}: an order was not seen by who made it`)
          }
        }
        /** Lists without writing; says how many of the listings the standby answered. */
        const asked = async (what: string): Promise<number> => {
          const before = listings(standby)
          for (let i = 0; i < 20; i++) await list(what, { per_page: 5, search: `S-${i}` })
          return listings(standby) - before
        }

        await written('all at work')
        await standby.caughtUp()
        const used = await asked('all at work')
        if (used < 20) faults.push(`the standby answered ${used} of 20 listings`)

        await standby.pause()
        const shown = listings(standby)
        await written('held back')
        if (listings(standby) > shown) faults.push('the standby answered listings while it was held back')
        // What the standby has cannot be shown, and so it is asked for nothing else than how far it is.
        const [seen] = await standby.query<{ n: number }>('select count(*)::int as n from orders', [], 'shop')
        if (seen!.n !== n - count) faults.push(`the standby was held back and has ${seen!.n} of ${n} orders`)
        await standby.resume()
        await standby.caughtUp()
        const again = await asked('no longer held back')
        if (again < 20) faults.push(`the standby answered ${again} of 20 listings after it had been held back`)

        slowest.length = 0
        await standby.stop('immediate')
        await written('away')
        const slow = Math.max(...slowest)
        if (slow > slower) faults.push(`while the standby was away a listing took ${Math.round(slow)} ms`)
        figures.push(`away: p99 of a listing ${Math.round(percentile(slowest, 99))} ms`)
        await standby.start()
        await standby.caughtUp()
        const began = performance.now()
        const before = listings(standby)
        while (listings(standby) === before && performance.now() - began < backWithin) {
          await list('back', { per_page: 1 })
          await wait(100)
        }
        if (listings(standby) === before) faults.push('the standby was not used again')
        figures.push(`used again ${Math.round((performance.now() - began) / 100) / 10} s after it was back`)
        if ((await asked('back')) < 20) faults.push('the standby was not used for all listings again')
        await written('back')
        if (cluster.replicas[0]!.log().includes('"level":"error"'))
          faults.push(`an error in the log: ${cluster.replicas[0]!.log().slice(-300)}`)
      } finally {
        close()
        await cluster.close()
        await standby.close()
      }
    } finally {
      await server.close()
    }
    return {
      row: 'STANDBY',
      what: `${n} orders on a primary, each listed at once with a hot standby for listings: at work, held back, away, back`,
      tried: n,
      result: `${faults.length === 0 ? 'each was seen' : 'see below'}; ${figures.join('; ')}`,
      target: 'own writes seen, the standby used when it can be, never missed',
      faults: summed(faults),
    }
  })

/** Listings that a standby has answered since it was started, by its log; a statement goes on in lines with a tab. */
const listings = ({ dataFolder }: PostgresStandby): number =>
  readFileSync(join(dirname(dataFolder), 'log'), 'utf8').match(/LOG: {2}execute (?:[^\n]|\n\t)*?\bshipments\b/g)
    ?.length ?? 0
