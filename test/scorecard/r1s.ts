// R1S: an import of stores to a service, its client killed at random moments and run again: each store is there once at
// the end, and what was there stays.
import { chanceOf } from '../support/chance.ts'
import { deskOf, storesCsv, storesIn, storesOf, summaryOf } from '../support/imports.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { startServing } from './serving.ts'

const args = ['stores', 'import', 'stores.csv', '--yes', '--json']

/** R1S: so many of 100 kills of an import of 10,000 stores (of 1,000 in a small sample), each import in an account of its own. */
export const r1s = (size: Size): Promise<Finding> =>
  timed(async () => {
    const kills = share(size, 100, 4)
    const large = size >= 0.1
    const count = large ? 10_000 : 1_000
    const chance = chanceOf(101)
    const faults: string[] = []
    const wanted = new Map(storesOf(count))
    let [killed, whole, tries] = [0, 0, 0]
    const serving = await startServing(['--rate-limit', '0', '--quiet'], 1)
    try {
      while (killed < kills && tries < kills * 20) {
        const account = `r1s-${whole}`
        const { key } = await serving.keyOf(account)
        const desk = deskOf({ SHIPX_BASE_URL: serving.url, SHIPX_API_KEY: key })
        try {
          desk.write('stores.csv', storesCsv(count))
          let before = 0
          for (let ended = false; !ended && tries < kills * 20; tries++) {
            // Once enough are killed, the last import runs to its end.
            const kill = { signal: 'SIGKILL' as const, after: 60 + chance() * (large ? 4000 : 900) }
            const ran = await desk.run(args, killed < kills ? { kill } : {})
            if (ran.exit === 'SIGKILL') killed++
            else if (ran.exit !== 0) faults.push(`a run ended with ${ran.exit}: ${ran.stderr.slice(0, 200)}`)
            ended = ran.exit !== 'SIGKILL'
            const there = storesIn(serving.db, account)
            if (there.length < before) faults.push(`${before - there.length} stores are gone`)
            if (new Set(there.map(([name]) => name)).size < there.length) faults.push('stores are there twice')
            if (there.some(([name, brand]) => wanted.get(name) !== brand)) faults.push('stores are not as in the file')
            before = there.length
            if (!ended) continue
            if (before !== count) faults.push(`${before} stores of ${count} at the end`)
            const { created, unchanged, failed } = summaryOf(ran)
            if (created + unchanged !== count || failed > 0)
              faults.push(`the last run told ${created} created, ${unchanged} unchanged, ${failed} failed`)
          }
          whole++
        } finally {
          desk.clear()
        }
      }
    } finally {
      await serving.close()
    }
    if (killed < kills) faults.push(`only ${killed} of ${kills} runs were killed`)
    return {
      row: 'R1S',
      what: `an import of ${count} stores to shipx serve, the client killed with -9 at random moments and run again`,
      tried: killed,
      result: `${killed} kills in ${whole} imports, ${faults.length === 0 ? `exactly ${count} stores after each` : 'see below'}`,
      target: `exactly ${count} stores, none lost, none twice`,
      faults: summed(faults),
    }
  })
