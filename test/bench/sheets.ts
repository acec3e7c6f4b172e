// SHEETS: 100,000 shipments as CSV, as JSON and as ids to a file, against the sqlite3 shell that prints the same; memory.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { account, databaseOf } from './data.ts'
import { say, type Figure } from './report.ts'
import { environment, installed, program, type Setup } from './setup.ts'
import { median, runToFile, type Start } from './timing.ts'

const rows = 100_000

interface Sheet {
  readonly flag: string
  readonly goal: number
  /** Arguments of the shell before the file, and the query, whose columns have the names of our header. */
  readonly shell: readonly string[]
  readonly query: (header: readonly string[]) => string
}

/** Where the value of a column is in a record. */
const pathOf = (name: string): string => (['id', 'type'].includes(name) ? `$.${name}` : `$.attributes.${name}`)

const from = `from shipment_docs where account_id = ${account}`

const sheets: readonly Sheet[] = [
  {
    flag: '--csv',
    goal: 3,
    shell: ['-csv'],
    query: (header) => `select ${header.map((name) => `doc ->> '${pathOf(name)}'`).join(', ')} ${from}`,
  },
  { flag: '--json', goal: 3, shell: [], query: () => `select doc ${from}` },
  {
    flag: '--ids',
    goal: 6,
    shell: [],
    query: () => `select id from shipments where account_id = ${account} order by created_at desc, id desc`,
  },
]

export async function sheetFigures(setup: Setup): Promise<readonly Figure[]> {
  const { folder } = setup
  const runs = Math.min(setup.runs, 7)
  say('SHEETS: all shipments as CSV, JSON and ids')
  const path = await databaseOf(folder, rows)
  const file = join(folder, 'listed.out')
  const figures: Figure[] = []
  for (const { flag, goal, shell, query } of sheets) {
    const args = [program(setup), 'shipments', 'list', '--all', flag, '--db', path, '--quiet']
    const ours: Start = { command: process.execPath, args, env: environment(setup), watch: true }
    await runToFile(ours, file)
    const header = flag === '--csv' ? readFileSync(file, 'utf8').split('\n', 1)[0]!.split(',') : []
    const theirs: Start | undefined = installed('sqlite3')
      ? { command: 'sqlite3', args: [...shell, path, query(header)] }
      : undefined
    const [a, b]: [number[], number[]] = [[], []]
    let peak = 0
    for (let run = 0; run < runs; run++) {
      const { ms, peakMb = 0 } = await runToFile(ours, file)
      a.push(ms)
      peak = Math.max(peak, peakMb)
      if (theirs !== undefined) b.push((await runToFile(theirs, file)).ms)
    }
    const known = theirs === undefined ? { note: 'sqlite3 is not installed' } : { theirs: median(b) }
    figures.push(
      {
        item: 'SHEETS',
        work: `shipments list --all ${flag}, 1,00,000`,
        against: 'sqlite3 that prints the same',
        value: theirs === undefined ? undefined : median(a) / median(b),
        unit: 'x',
        goal,
        ours: median(a),
        runs,
        ...known,
      },
      {
        item: 'SHEETS',
        work: 'its greatest memory (RSS)',
        against: 'itself',
        value: peak,
        unit: 'MB',
        goal: 150,
        runs,
      },
    )
  }
  rmSync(file)
  return figures
}
