// R1: an import that is killed at random moments and run again keeps what it had saved, doubles nothing, and ends whole.
import { deskOf, storesCsv, storesOf, type Desk } from '../support/imports.ts'
import { chanceOf } from '../support/chance.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** R1: so many of 1,000 kills of an import of 50,000 rows (of 10,000 in a small sample). */
export const r1 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const kills = share(size, 1000, 8)
    const large = size >= 0.1
    const count = large ? 50_000 : 10_000
    const chance = chanceOf(1)
    const faults: string[] = []
    let [killed, whole, tries] = [0, 0, 0]
    const wanted = storesOf(count)
    while (killed < kills && tries < kills * 20) {
      const desk = deskOf()
      try {
        desk.write('stores.csv', storesCsv(count))
        let before = 0
        for (let ended = false; !ended && tries < kills * 20; tries++) {
          // Once enough are killed, the last import runs to its end.
          const kill = { signal: 'SIGKILL' as const, after: 60 + chance() * (large ? 2500 : 900) }
          const { exit, stderr } = await desk.run(
            ['stores', 'import', 'stores.csv', '--yes', '--quiet'],
            killed < kills ? { kill } : {},
          )
          if (exit === 'SIGKILL') killed++
          else if (exit !== 0) faults.push(`a run ended with ${exit}: ${stderr.slice(0, 200)}`)
          ended = exit !== 'SIGKILL'
          before = look(desk, wanted, before, faults)
        }
        if (before !== count) faults.push(`${before} rows of ${count} at the end`)
        if (desk.sound() !== 'ok') faults.push('the database is damaged')
        whole++
      } finally {
        desk.clear()
      }
    }
    return {
      row: 'R1',
      what: `an import of ${count} rows, killed with -9 at random moments and run again`,
      tried: killed,
      result: `${killed} kills in ${whole} imports, each whole at its end`,
      target: '0 acknowledged rows lost, 0 doubled, 0 torn',
      faults: summed(faults),
    }
  })

/** What is there must be a beginning of the file and no less than before; gives how much it is. */
function look(desk: Desk, wanted: ReturnType<typeof storesOf>, before: number, faults: string[]): number {
  if (!desk.there('data/shipx.sqlite')) return before
  let there: ReturnType<Desk['stores']>
  try {
    there = desk.stores()
  } catch (error) {
    // Killed before it had a schema.
    if (before === 0 && String(error).includes('no such table')) return 0
    throw error
  }
  if (there.length < before) faults.push(`${before - there.length} saved rows are gone`)
  if (there.some(([name, brand], i) => name !== wanted[i]![0] || brand !== wanted[i]![1]))
    faults.push('rows are torn or doubled')
  return there.length
}
