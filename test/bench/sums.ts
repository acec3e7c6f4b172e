// S1 to S4 and DISK: sums and work lists over every record, each with the start of the process, and the room of a record.
// S4 is a part of its own: it is meant for ten million rows that nothing has read before.
import { rmSync, statSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { account, databaseOf } from './data.ts'
import { say, type Figure } from './report.ts'
import { environment, installed, program, type Setup } from './setup.ts'
import { median, runProgram, type Start } from './timing.ts'

const million = 1_000_000

/** What `shipments summary` adds up, as somebody would write it for the same table. */
const summaryByHand = `select status, count(*), sum(coalesce(total_price, 0)),
  sum(case when is_cod = 1 then coalesce(cod_amount, 0) else 0 end),
  sum(coalesce(picked_up_at, in_transit_at, out_for_delivery_at, delivered_at, rto_initiated_at, rto_delivered_at)
    is not null or granular_status = 'rto_lost' or status in ('in_transit', 'out_for_delivery', 'ndr_raised',
    'delivered', 'rto_initiated', 'rto_in_transit', 'rto_delivered')),
  sum(status = 'delivered'),
  sum(status in ('rto_initiated', 'rto_in_transit', 'rto_delivered') or granular_status = 'rto_lost'),
  sum(coalesce(delivered_at >= picked_up_at, 0)),
  sum(case when delivered_at >= picked_up_at then delivered_at - picked_up_at else 0 end)
  from shipments not indexed where account_id = ${account} group by status`

/** Three filters, each of which leaves many. */
const threeFilters = ['--status', 'delivered', '--payment', 'cod', '--zone', 'zone_d']

/** Runs of what reads a file that the system has forgotten. */
const coldRuns = 3

interface Row {
  readonly item: string
  readonly work: string
  readonly args: readonly string[]
  /** The most seconds that a million records may take. */
  readonly seconds: number
  readonly mb?: number
}

// prettier-ignore
const warm: readonly Row[] = [
  { item: 'S1', work: 'shipments summary', args: ['shipments', 'summary'], seconds: 1 },
  { item: 'S2', work: 'report --since 365d', args: ['report', '--since', '365d', '--force', '--out'], seconds: 3, mb: 150 },
  { item: 'S3', work: 'sql count by city', args: ['sql', "select count(*) from shipments where city = 'Pune'"], seconds: 0.4 },
  { item: 'S3', work: 'shipments stuck', args: ['shipments', 'stuck'], seconds: 0.4 },
  { item: 'S3', work: 'shipments ndr', args: ['shipments', 'ndr'], seconds: 0.4 },
]

// prettier-ignore
const unread: readonly Row[] = [
  { item: 'S4', work: 'three filters with their total', args: ['shipments', 'list', ...threeFilters], seconds: 10 },
  { item: 'S4', work: 'shipments summary', args: ['shipments', 'summary'], seconds: 15 },
]

/** Has the system forget what it has read of the files; false where it may not. */
function forget(): boolean {
  return spawnSync('sh', ['-c', 'sync && echo 3 > /proc/sys/vm/drop_caches'], { stdio: 'ignore' }).status === 0
}

async function timesOf(
  runs: number,
  start: Start,
  before?: () => unknown,
): Promise<{ readonly ms: number; readonly mb: number }> {
  const [times, peaks]: [number[], number[]] = [[], []]
  // Where something is done before each run, none is needed that does not count.
  for (let run = before === undefined ? 0 : 1; run <= runs; run++) {
    before?.()
    const { ms, peakMb = 0 } = await runProgram({ ...start, watch: true })
    if (run === 0) continue
    times.push(ms)
    peaks.push(peakMb)
  }
  return { ms: median(times), mb: Math.max(...peaks) }
}

/** A command of shipx on a database, at the time that its data was made. */
const shipx = (setup: Setup, path: string, args: readonly string[]): Start => ({
  command: process.execPath,
  args: [program(setup), ...args, '--db', path, '--quiet'],
  env: { ...environment(setup), SHIPX_NOW: '2026-01-15T06:00:00Z' },
})

export async function sums(setup: Setup): Promise<readonly Figure[]> {
  const { folder, rows, runs } = setup
  say('S1 to S3, DISK: sums and work lists')
  const path = await databaseOf(folder, rows)
  const page = join(folder, 'report.html')
  const figures: Figure[] = []
  const share = rows / million
  for (const { item, work, args, seconds, mb } of warm) {
    const { ms, mb: peak } = await timesOf(
      Math.min(runs, 7),
      shipx(setup, path, args.at(-1) === '--out' ? [...args, page] : args),
    )
    const goal = seconds * 1000 * share
    const note = `${Math.round(peak)} MB`
    figures.push({
      item,
      work,
      against: `${seconds} s a million`,
      value: ms / goal,
      unit: 'x',
      goal: 1,
      runs,
      ours: ms,
      theirs: goal,
      note,
    })
    if (mb !== undefined)
      figures.push({
        item,
        work: `its greatest memory (RSS)`,
        against: 'itself',
        value: peak,
        unit: 'MB',
        goal: mb,
        runs,
      })
  }
  if (installed('sqlite3')) {
    const hand = await timesOf(Math.min(runs, 7), { command: 'sqlite3', args: [path, summaryByHand] })
    const ours = figures[0]!.ours!
    figures.push({
      item: 'S1',
      work: 'shipments summary',
      against: 'the same sums by sqlite3',
      value: ours / hand.ms,
      unit: 'x',
      goal: 1.3,
      runs,
      ours,
      theirs: hand.ms,
    })
  }
  rmSync(page, { force: true })
  return [...figures, diskOf(path)]
}

/** S4: three runs of each, before which the system forgets what it has read. */
export async function cold(setup: Setup): Promise<readonly Figure[]> {
  const { folder, rows } = setup
  say('S4: nothing cached')
  const path = await databaseOf(folder, rows)
  const figures: Figure[] = []
  for (const { item, work, args, seconds } of unread) {
    const figure = {
      item,
      work: `${work}, nothing cached`,
      against: `${seconds} s for ten million`,
      unit: 'x',
    } as const
    if (!forget()) {
      const note = 'only root can have the system forget what it read'
      figures.push({ ...figure, value: undefined, runs: 0, note })
      continue
    }
    const { ms, mb } = await timesOf(coldRuns, shipx(setup, path, args), forget)
    const goal = (seconds * 1000 * rows) / (10 * million)
    const note = `${Math.round(mb)} MB`
    figures.push({ ...figure, value: ms / goal, goal: 1, runs: coldRuns, ours: ms, theirs: goal, note })
  }
  return figures
}

/** The bytes of the file for each shipment and return. */
function diskOf(path: string): Figure {
  const db = new BetterSqlite(path, { readonly: true })
  const records = db.prepare('select (select count(*) from shipments) + (select count(*) from returns)').pluck().get()
  db.close()
  const value = statSync(path).size / (records as number) / 1000
  return {
    item: 'DISK',
    work: 'KB of the database for each record',
    against: '3.2 KB',
    value: value / 3.2,
    unit: 'x',
    goal: 1,
    runs: 1,
    note: `${value.toFixed(2)} KB`,
  }
}
