// P7, CSV: 100,000 stores from a file, durable, against sqlite-utils of the same file and an index on their names.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { say, type Figure } from './report.ts'
import { environment, installed, program, type Setup } from './setup.ts'
import { median, runProgram } from './timing.ts'

const rows = 100_000

export async function p7stores(setup: Setup): Promise<readonly Figure[]> {
  const common = {
    item: 'P7',
    work: `import of ${rows.toLocaleString('en-IN')} stores (CSV)`,
    against: 'sqlite-utils and an index',
    unit: 'x',
    goal: 0.9,
  } as const
  if (!installed('sqlite-utils'))
    return [
      { ...common, value: undefined, runs: 0, note: 'sqlite-utils is not installed (Debian package sqlite-utils)' },
    ]
  say(`P7: import of ${rows.toLocaleString('en-IN')} stores`)
  const { folder, runs } = setup
  const [file, own, other] = ['stores.csv', 'stores.sqlite', 'other-stores.sqlite'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const lines = Array.from({ length: rows }, (_, i) => `brand-${i},"Brand ${i}, Mumbai",\n`)
  writeFileSync(file, `store_name,brand_name,logo\n${lines.join('')}`)
  const remove = (path: string): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
  }
  const args = [program(setup), 'stores', 'import', file, '--db', own, '--yes', '--quiet']
  const [a, b]: [number[], number[]] = [[], []]
  let peak = 0
  for (let run = 0; run <= runs; run++) {
    remove(own)
    remove(other)
    const ended = await runProgram({ command: process.execPath, args, env: environment(setup), watch: true })
    const insert = await runProgram({
      command: 'sqlite-utils',
      args: ['insert', other, 'stores', file, '--csv', '--silent'],
    })
    const index = await runProgram({
      command: 'sqlite-utils',
      args: ['create-index', other, 'stores', 'store_name', '--unique'],
    })
    for (const path of [own, other]) {
      const db = new BetterSqlite(path, { readonly: true })
      const count = db.prepare('select count(*) from stores').pluck().get()
      db.close()
      if (count !== rows) throw new Error(`${path} holds ${String(count)} stores`)
    }
    if (run === 0) continue
    a.push(ended.ms)
    b.push(insert.ms + index.ms)
    peak = Math.max(peak, ended.peakMb ?? 0)
  }
  for (const path of [own, other]) remove(path)
  rmSync(file)
  return [
    { ...common, value: median(a) / median(b), ours: median(a), theirs: median(b), runs },
    { item: 'P7', work: 'its greatest memory (RSS)', against: 'itself', value: peak, unit: 'MB', goal: 150, runs },
  ]
}
