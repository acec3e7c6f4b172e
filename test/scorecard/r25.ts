// R25: signals at any moment of an import, readers that go, full outputs and closed inputs: the right code, soon, nothing
// left behind, and never exit 0 for what is not whole.
import { readdirSync } from 'node:fs'
import { chanceOf } from '../support/chance.ts'
import { deskOf, storesCsv, type Desk } from '../support/imports.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'

const count = 20_000

/** A command line of bash, in which "$0" and "$1" run shipx. */
const shell = (desk: Desk, line: string): ReturnType<Desk['run']> =>
  desk.run([], { under: ['bash', '-c', `set -o pipefail; ${line}`] })

/** R25: so many of 200 signals, and of 200 readers that go. */
export const r25 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    const chance = chanceOf(25)
    const signals = share(size, 200, 8)
    const whole = await wholeImport()
    let [stopped, slowest] = [0, 0]
    for (let n = 0; n < signals; n++) {
      const desk = deskOf()
      try {
        desk.write('stores.csv', storesCsv(count))
        const signal = n % 2 === 0 ? 'SIGINT' : 'SIGTERM'
        const { exit, after } = await desk.run(['stores', 'import', 'stores.csv', '--yes', '--quiet'], {
          kill: { signal, after: 30 + chance() * whole },
        })
        const there = desk.there('data/shipx.sqlite') ? readable(desk) : 0
        // Before the command listens, a signal ends it as it ends any process.
        if (exit === 130) stopped++
        else if (exit !== signal && exit !== 0) faults.push(`${signal}: exit ${exit}`)
        if (exit === 0 && there !== count) faults.push(`exit 0 with ${there} of ${count} rows`)
        slowest = Math.max(slowest, after ?? 0)
        const left = [
          ...readdirSync(desk.folder),
          ...(desk.there('data/imports') ? readdirSync(desk.path('data/imports')) : []),
        ].filter((name) => name.includes('tmp'))
        if (left.length > 0) faults.push(`left behind: ${left.join(', ')}`)
      } finally {
        desk.clear()
      }
    }
    const desk = deskOf()
    const readers = share(size, 200, 8)
    try {
      desk.write('stores.csv', storesCsv(count))
      await desk.run(['stores', 'import', 'stores.csv', '--yes', '--quiet'])
      for (let n = 0; n < readers; n++) {
        const { exit, stdout, stderr } = await shell(desk, '"$0" "$1" stores export --quiet | head -1')
        if (exit !== 0 || stdout !== 'store_name,brand_name,logo\n' || stderr !== '')
          faults.push(`| head -1: ${exit} ${stderr.slice(0, 100)}`)
      }
      const full = await shell(desk, '"$0" "$1" stores export --quiet > /dev/full')
      if (full.exit !== 1) faults.push(`/dev/full: exit ${full.exit}`)
      const closed = await shell(desk, '"$0" "$1" stores import - --yes --quiet <&-')
      if (closed.exit !== 2) faults.push(`closed input: exit ${closed.exit} ${closed.stderr.slice(0, 100)}`)
    } finally {
      desk.clear()
    }
    if (slowest > Math.max(1000, whole))
      faults.push(
        `the slowest end came ${Math.round(slowest)} ms after its signal; a whole import takes ${Math.round(whole)} ms`,
      )
    if (stopped < signals / 4) faults.push(`only ${stopped} of ${signals} signals came while an import ran`)
    return {
      row: 'R25',
      what: `${signals} signals to an import, ${readers} readers that go, a full output, a closed input`,
      tried: signals + readers + 2,
      result: `${stopped} stopped, the slowest after ${Math.round(slowest)} ms`,
      target: 'right code within 1 s, no temp files, never truncated with exit 0',
      faults: summed(faults),
    }
  })

/**
 * How long (ms) an import takes here and now that no signal ends. Signals are spread over it, and where it takes longer
 * than the second in which a signal has to end it, other work has the cores, and the second is no measure.
 */
async function wholeImport(): Promise<number> {
  const desk = deskOf()
  try {
    desk.write('stores.csv', storesCsv(count))
    const began = performance.now()
    await desk.run(['stores', 'import', 'stores.csv', '--yes', '--quiet'])
    return performance.now() - began
  } finally {
    desk.clear()
  }
}

/** How many stores a database holds that may have no tables yet. */
function readable(desk: Desk): number {
  try {
    return desk.stores().length
  } catch {
    return 0
  }
}
