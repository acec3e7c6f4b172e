// P1: how long the built program takes from start to end for the smallest things, against a bare Node.
import { smallDatabase } from './data.ts'
import { say, type Figure } from './report.ts'
import { environment, program, type Setup } from './setup.ts'
import { median, runProgram } from './timing.ts'

const parcel = '--forward --from 400001 --to 560001 --weight 500g --size 20x15x10 --prepaid --json'

/** The command lines and their goals. */
const works: readonly (readonly [args: string, goal: number])[] = [
  ['--version', 1.2],
  ['--help', 1.4],
  ['complete -- ship', 1.5],
  [`rates ${parcel}`, 1.7],
  ['stores list --json', 1.7],
]

const leastRuns = 15

export async function p1(setup: Setup): Promise<readonly Figure[]> {
  const script = program(setup)
  const env = { ...environment(setup), SHIPX_DB: await smallDatabase(setup.folder) }
  const runs = Math.max(leastRuns, setup.runs)
  const command = process.execPath
  const starts = [['-e', '0'], ...works.map(([args]) => [script, ...args.split(' ')])]
  const times = starts.map((): number[] => [])
  say(`P1: ${starts.length} programs, ${runs} rounds`)
  for (let round = -1; round < runs; round++) {
    for (const [i, args] of starts.entries()) {
      const { ms } = await runProgram({ command, args, env })
      if (round >= 0) times[i]!.push(ms)
    }
  }
  const [bare, ...own] = times.map(median)
  return works.map(([args, goal], i) => ({
    item: 'P1',
    work: `shipx ${args.replace(parcel, '…')}`,
    against: 'node -e 0',
    value: own[i]! / bare!,
    unit: 'x',
    goal,
    ours: own[i]!,
    theirs: bare!,
    runs,
  }))
}
