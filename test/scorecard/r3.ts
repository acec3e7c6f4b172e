// R3: power loss. The writes and syncs of imports are logged, and played again up to any moment, with writes that
// were not synced dropped, torn or out of order: what was acknowledged is there, and what is there is whole.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import driver from 'better-sqlite3'
import { drawsOf, type Draws } from '../support/chance.ts'
import { deskOf, storesCsv, storesIn, storesOf, type Desk } from '../support/imports.ts'
import { diskOf, stepsOf, type Step } from './powerlog.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

/** Rows of one import: each is acknowledged at its end. */
const rows = 200

/** R3: so many of 20,000 states of the files. */
export const r3 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const states = share(size, 20_000, 40)
    const imports = size >= 0.1 ? 5 : 2
    const desk = deskOf()
    try {
      const steps = await logged(desk, imports)
      const [syncs, acks] = ['sync', 'ack'].map((what) => steps.filter((step) => step.do === what).length)
      const draws = drawsOf(3)
      const faults = played(desk, steps, states, imports * rows, draws, true)
      if (acks !== imports) faults.push(`${acks} acknowledgements in the log of ${imports} imports`)
      // The same on a disk that only says that it has synced: if nothing is lost there, this row shows nothing.
      const lies = played(desk, steps, 20, imports * rows, draws, false)
      if (lies.length === 0) faults.push('nothing is lost on a disk that does not sync')
      return {
        row: 'R3',
        what: `power loss at ${states} moments of ${imports} imports, un-synced writes dropped, torn or out of order`,
        tried: states,
        result: `${steps.length} steps with ${syncs} syncs; without them ${lies.length} of 20 states are not whole`,
        target: '0 acknowledged lost, 0 corrupt',
        faults: summed(faults),
      }
    } finally {
      desk.clear()
    }
  })

/** What imports one after another write and sync. */
async function logged(desk: Desk, imports: number): Promise<readonly Step[]> {
  const steps: Step[] = []
  for (let n = 0; n < imports; n++) {
    desk.write('stores.csv', storesCsv(rows, n * rows))
    const calls = 'trace=pwrite64,write,ftruncate,fsync,fdatasync,unlink'
    const under = ['strace', '-f', '-qq', '-y', '-xx', '-s', '200000', '-e', calls, '-o', desk.path('trace')]
    const args = ['stores', 'import', 'stores.csv', '--yes', '--quiet', '--json']
    const { exit, stderr } = await desk.run(args, { under })
    if (exit !== 0) throw new Error(`the import ended with ${exit}: ${stderr}`)
    steps.push(...stepsOf(desk.read('trace'), desk.database, '"created":'))
  }
  return steps
}

/** Plays the steps to so many moments, spread evenly; on a disk that lies, to their end each time. */
function played(
  desk: Desk,
  steps: readonly Step[],
  states: number,
  all: number,
  draws: Draws,
  honest: boolean,
): string[] {
  const disk = diskOf(honest)
  const faults: string[] = []
  let [at, acknowledged] = [0, 0]
  for (let n = 0; n < states; n++) {
    const moment = honest ? Math.floor(((n + 1) * steps.length) / states) : steps.length
    for (; at < moment; at++) {
      disk.take(steps[at]!)
      if (steps[at]!.do === 'ack') acknowledged += rows
    }
    const fault = found(desk, disk.after(draws), acknowledged, all)
    if (fault !== undefined) faults.push(`${fault} after step ${moment} of ${steps.length}`)
  }
  return faults
}

/** What is wrong with files that power loss left. */
function found(desk: Desk, files: ReadonlyMap<string, Buffer>, acknowledged: number, all: number): string | undefined {
  const folder = desk.path('left')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const path = join(folder, 'shipx.sqlite')
  writeFileSync(path, '')
  for (const [end, bytes] of files) writeFileSync(path + end, bytes)
  try {
    const db = new driver(path)
    const check = String(db.pragma('integrity_check', { simple: true }))
    db.close()
    if (check !== 'ok') return `damaged: ${check.slice(0, 80)}`
    const there = storesIn(path)
    if (there.length < acknowledged) return `${acknowledged - there.length} acknowledged rows are lost`
    const whole = JSON.stringify(there) === JSON.stringify(storesOf(all).slice(0, there.length))
    return whole ? undefined : 'rows that are not those of the file'
  } catch (error) {
    return `damaged: ${error instanceof Error ? error.message : String(error)}`
  }
}
