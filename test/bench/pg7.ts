// PG7: the same import of shipments from JSON Lines into PostgreSQL and into SQLite, durable, one after the other.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../support/postgresserver.ts'
import { linesOf } from './data.ts'
import { say, type Figure } from './report.ts'
import { environment, program, type Setup } from './setup.ts'
import { median, runProgram } from './timing.ts'

const shipments = 100_000

export async function pg7(setup: Setup): Promise<readonly Figure[]> {
  const { folder } = setup
  say(`PG7: import of ${shipments.toLocaleString('en-IN')} shipments into PostgreSQL`)
  const runs = Math.min(setup.runs, 5)
  const lines = await linesOf(folder, shipments)
  const server = await startPostgres({ flags: ['-c', 'shared_buffers=1GB', '-c', 'max_wal_size=8GB'] })
  const file = join(folder, 'pg7.sqlite')
  const importInto = (...where: readonly string[]) =>
    runProgram({
      command: process.execPath,
      args: [program(setup), 'local', 'import', 'shipments', lines, ...where, '--quiet'],
      env: environment(setup),
      watch: true,
    })
  const [theirs, ours]: [number[], number[]] = [[], []]
  let peak = 0
  try {
    for (let run = 0; run < runs; run++) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
      theirs.push((await importInto('--db', file)).ms)
      const { ms, peakMb = 0 } = await importInto('--database', await server.createDatabase(`pg7_${run}`))
      ours.push(ms)
      peak = Math.max(peak, peakMb)
    }
  } finally {
    await server.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  }
  const [a, b] = [median(ours), median(theirs)]
  return [
    {
      item: 'PG7',
      work: `import of ${shipments.toLocaleString('en-IN')} shipments into PostgreSQL (JSON Lines)`,
      against: 'the same into SQLite',
      value: a / b,
      unit: 'x',
      goal: 1.5,
      ours: a,
      theirs: b,
      runs,
      note: `${Math.round(peak)} MB`,
    },
  ]
}
