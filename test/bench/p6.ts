// P6: all shipments as JSON Lines to a file, against the same column printed by the sqlite3 shell; time and memory.
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { account, databaseOf } from './data.ts'
import { say, type Figure } from './report.ts'
import { environment, installed, program, type Setup } from './setup.ts'
import { median, runToFile, type Ended, type Start } from './timing.ts'

export async function p6(setup: Setup): Promise<readonly Figure[]> {
  const { folder, rows, runs } = setup
  say('P6: everything as JSON Lines')
  const path = await databaseOf(folder, rows)
  const script = program(setup)
  const file = join(folder, 'listed.jsonl')
  const toFile = async (start: Start): Promise<Ended & { readonly bytes: number }> => ({
    ...(await runToFile(start, file)),
    bytes: statSync(file).size,
  })
  const args = [script, 'shipments', 'list', '--all', '--jsonl', '--db', path]
  const ours: Start = { command: process.execPath, args, env: environment(setup), watch: true }
  const select = `select doc from shipment_docs where account_id = ${account}`
  const theirs: Start | undefined = installed('sqlite3') ? { command: 'sqlite3', args: [path, select] } : undefined
  const [a, b]: [number[], number[]] = [[], []]
  let peak: number | undefined
  let bytes = 0
  for (let run = -1; run < runs; run++) {
    const one = await toFile(ours)
    const other = theirs === undefined ? undefined : await toFile(theirs)
    if (other !== undefined && other.bytes !== one.bytes) throw new Error(`${one.bytes} bytes are not ${other.bytes}`)
    bytes = one.bytes
    if (run < 0) continue
    a.push(one.ms)
    if (other !== undefined) b.push(other.ms)
    if (one.peakMb !== undefined) peak = Math.max(peak ?? 0, one.peakMb)
  }
  rmSync(file)
  const skipped = theirs === undefined ? { note: 'sqlite3 is not installed' } : { theirs: median(b) }
  return [
    {
      item: 'P6',
      work: `shipments list --all --jsonl (${Math.round(bytes / 1e6)} MB)`,
      against: "sqlite3 'select doc …'",
      value: theirs === undefined ? undefined : median(a) / median(b),
      unit: 'x',
      goal: 1.3,
      ours: median(a),
      runs,
      ...skipped,
    },
    { item: 'P6', work: 'its greatest memory (RSS)', against: 'itself', value: peak, unit: 'MB', goal: 120, runs },
  ]
}
