// M7: the label of one order as a PDF, from start to end, against a bare Node; `shipments get` is what every command with
// one record takes.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { smallDatabase } from './data.ts'
import { say, type Figure } from './report.ts'
import { environment, program, type Setup } from './setup.ts'
import { runProgram } from './timing.ts'

const leastRuns = 15

export async function label(setup: Setup): Promise<readonly Figure[]> {
  const script = program(setup)
  const command = process.execPath
  const env = { ...environment(setup), SHIPX_DB: await smallDatabase(setup.folder) }
  const chosen = 'shipments list --granular-status ready_for_pickup --fields tracking_number --csv'
  const awb = execFileSync(command, [script, ...chosen.split(' ')], { env, encoding: 'utf8' })
    .split('\n')[1]!
    .trim()
  const out = join(setup.folder, 'label.pdf')
  const works = [
    { work: 'shipx orders label, one', args: ['orders', 'label', awb, '--out', out, '--force'], goal: 2 },
    { work: 'shipx shipments get, one', args: ['shipments', 'get', awb] },
  ]
  const starts = [['-e', '0'], ...works.map(({ args }) => [script, ...args])]
  const spent = starts.map(() => 0)
  const runs = Math.max(leastRuns, setup.runs)
  say(`M7: ${starts.length} programs, ${runs} rounds`)
  for (let round = -2; round < runs; round++)
    for (const [i, args] of starts.entries()) {
      const { cpuMs } = await runProgram({ command, args, env })
      if (round >= 0) spent[i]! += cpuMs
    }
  // The system counts in ticks of 10 ms: only the sum of many runs is exact.
  const [bare, ...own] = spent.map((ms) => ms / runs)
  return works.map(({ work, goal }, i) => ({
    item: 'M7',
    work,
    against: "node -e 0, processor's time",
    value: own[i]! / bare!,
    unit: 'x',
    ...(goal === undefined ? {} : { goal }),
    ours: own[i]!,
    theirs: bare!,
    runs,
  }))
}
