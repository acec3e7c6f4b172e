// S1 to S4 and DISK: sums and work lists over every record, each with the start of the process, and the room of a record.
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
const cold: readonly Row[] = [
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
  before: () => unknown = () => {},
): Promise<{ readonly ms: number; readonly mb: number }> {
  const [times, peaks]: [number[], number[]] = [[], []]
  for (let run = runs > 1 ? 0 : 1; run <= runs; run++) {
    before()
    const { ms, peakMb = 0 } = await runProgram({ ...start, watch: true })
    if (run === 0) continue
    times.push(ms)
    peaks.push(peakMb)
  }
  return { ms: median(times), mb: Math.max(...peaks) }
}

export async function sums(setup: Setup): Promise<readonly Figure[]> {
  const { folder, rows, runs } = setup
  say('S1 to S4, DISK: sums and work lists')
  const path = await databaseOf(folder, rows)
  const page = join(folder, 'report.html')
  const shipx = (args: readonly string[]): Start => ({
    command: process.execPath,
    args: [program(setup), ...args, ...(args.at(-1) === '--out' ? [page] : []), '--db', path, '--quiet'],
    env: { ...environment(setup), SHIPX_NOW: '2026-01-15T06:00:00Z' },
  })
  const figures: Figure[] = []
  const share = rows / million
  for (const { item, work, args, seconds, mb } of warm) {
    const { ms, mb: peak } = await timesOf(Math.min(runs, 7), shipx(args))
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
  if (rows >= 10 * million)
    for (const { item, work, args, seconds } of cold) {
      if (!forget()) {
        figures.push({
          item,
          work,
          against: `${seconds} s`,
          value: undefined,
          unit: 'x',
          runs: 0,
          note: 'only root can have the system forget what it read',
        })
        continue
      }
      const { ms } = await timesOf(1, shipx(args), forget)
      const goal = (seconds * 1000 * rows) / (10 * million)
      figures.push({
        item,
        work: `${work}, nothing cached`,
        against: `${seconds} s for ten million`,
        value: ms / goal,
        unit: 'x',
        goal: 1,
        runs: 1,
        ours: ms,
        theirs: goal,
      })
    }
  rmSync(page, { force: true })
  return [...figures, diskOf(path)]
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
