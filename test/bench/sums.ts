// S1 to S4 and DISK: sums and work lists over every record, each with the start of the process, and the room of a record.
// S4 is a part of its own: it is meant for ten million rows that nothing has read before.
import { rmSync, statSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { dayMs, istOffset } from '../../src/domain/time.ts'
import { account, databaseOf } from './data.ts'
import { say, type Figure } from './report.ts'
import { environment, installed, program, type Setup } from './setup.ts'
import { median, runProgram, type Start } from './timing.ts'

const million = 1_000_000

/** The sums of a group of shipments, as people write them by hand. */
const measuresByHand = `count(*), sum(coalesce(total_price, 0)),
  sum(case when is_cod = 1 then coalesce(cod_amount, 0) else 0 end),
  sum(coalesce(picked_up_at, in_transit_at, out_for_delivery_at, delivered_at, rto_initiated_at, rto_delivered_at)
    is not null or granular_status = 'rto_lost' or status in ('in_transit', 'out_for_delivery', 'ndr_raised',
    'delivered', 'rto_initiated', 'rto_in_transit', 'rto_delivered')),
  sum(status = 'delivered'),
  sum(status in ('rto_initiated', 'rto_in_transit', 'rto_delivered') or granular_status = 'rto_lost'),
  sum(coalesce(delivered_at >= picked_up_at, 0)),
  sum(case when delivered_at >= picked_up_at then delivered_at - picked_up_at else 0 end)`

const groupsByHand = (key: string, condition = ''): string =>
  `select ${key}, ${measuresByHand} from shipments not indexed where account_id = ${account} ${condition} group by 1`

/** The time of these runs: that of their data. */
const now = '2026-01-15T06:00:00Z'
const daysAgo = (days: number): number => Date.parse(now) - days * dayMs

/** The seven groupings of shipments in a report of a year, without its returns and without its page. */
const reportByHand = [
  'status',
  `(created_at + ${istOffset}) / ${dayMs}`,
  'zone',
  'carrier_id',
  'city_name',
  'is_cod',
  `case when delivered_at >= picked_up_at then (delivered_at - picked_up_at) / ${dayMs} end`,
]
  .map((key) => groupsByHand(key, `and created_at >= ${daysAgo(365)}`))
  .join(';')

const inText = (path: string): string => `d.doc ->> '$.attributes.${path}'`

/** Parcels with what a work list says of each. */
const parcelsByHand = (more: string): string => `select r.id, r.tracking_number, r.order_display_id, r.carrier_name,
  r.granular_status, r.store_name, r.city_name, ${inText('shipping_address.name')},
  ${inText('shipping_address.phone')}, ${more}
  from shipments r join shipment_docs d on d.seq = r.seq where r.account_id = ${account}`

const stuckByHand = `${parcelsByHand('r.last_scan_at')} and r.status in ('pending', 'in_transit', 'out_for_delivery',
  'ndr_raised', 'rto_initiated', 'rto_in_transit') and (r.status <> 'pending' or r.tracking_number is not null)
  and coalesce(r.last_scan_at, r.created_at) <= ${daysAgo(3)} order by r.carrier_name, r.last_scan_at`

const ndrByHand = `${parcelsByHand('r.ndr_reason, r.attempt_count, r.cod_amount, r.last_scan_at')}
  and r.status = 'ndr_raised' order by r.last_scan_at`

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
  /** The same for the `sqlite3` shell, what it is called, and the most that ours may take of its time. */
  readonly hand: { readonly sql: string; readonly name: string; readonly goal?: number }
}

type ColdRow = Omit<Row, 'mb' | 'hand'>

const countArgs = ['sql', "select count(*) from shipments where city = 'Pune'"]
const countByHand = `select count(*) from shipments not indexed where account_id = ${account} and city_name = 'Pune'`

// prettier-ignore
const warm: readonly Row[] = [
  { item: 'S1', work: 'shipments summary', args: ['shipments', 'summary'], seconds: 1, hand: { sql: groupsByHand('status'), name: 'the same sums', goal: 1.3 } },
  { item: 'S2', work: 'report --since 365d', args: ['report', '--since', '365d', '--force', '--out'], seconds: 3, mb: 150, hand: { sql: reportByHand, name: 'its seven groupings of shipments' } },
  { item: 'S3', work: 'sql count by city', args: countArgs, seconds: 0.4, hand: { sql: countByHand, name: 'the same count' } },
  { item: 'S3', work: 'shipments stuck', args: ['shipments', 'stuck'], seconds: 0.4, hand: { sql: stuckByHand, name: 'the same parcels' } },
  { item: 'S3', work: 'shipments ndr', args: ['shipments', 'ndr'], seconds: 0.4, hand: { sql: ndrByHand, name: 'the same parcels' } },
]

// prettier-ignore
const unread: readonly ColdRow[] = [
  { item: 'S4', work: 'three filters with their total', args: ['shipments', 'list', ...threeFilters], seconds: 10 },
  { item: 'S4', work: 'shipments summary', args: ['shipments', 'summary'], seconds: 15 },
]

/** Has the system forget what it has read of the files; false where it may not. */
function forget(): boolean {
  return spawnSync('sh', ['-c', 'sync && echo 3 > /proc/sys/vm/drop_caches'], { stdio: 'ignore' }).status === 0
}

interface Times {
  readonly ms: number
  /** The most memory of any run. */
  readonly mb: number
}

/** The median of each of some programs, run in turn. */
async function timesOf(runs: number, starts: readonly Start[], before?: () => unknown): Promise<readonly Times[]> {
  const all = starts.map(() => ({ times: [] as number[], peaks: [] as number[] }))
  // Where something is done before each run, none is needed that does not count.
  for (let run = before === undefined ? 0 : 1; run <= runs; run++)
    for (const [i, start] of starts.entries()) {
      before?.()
      const { ms, peakMb = 0 } = await runProgram({ ...start, watch: true })
      if (run === 0) continue
      all[i]!.times.push(ms)
      all[i]!.peaks.push(peakMb)
    }
  return all.map(({ times, peaks }) => ({ ms: median(times), mb: Math.max(...peaks) }))
}

/** A command of shipx on a database, at the time that its data was made. */
const shipx = (setup: Setup, path: string, args: readonly string[]): Start => ({
  command: process.execPath,
  args: [program(setup), ...args, '--db', path, '--quiet'],
  env: { ...environment(setup), SHIPX_NOW: now },
})

const goalOf = ({ goal }: Row['hand']): Pick<Figure, 'goal'> => (goal === undefined ? {} : { goal })

export async function sums(setup: Setup): Promise<readonly Figure[]> {
  const { folder, rows } = setup
  const runs = Math.min(setup.runs, 7)
  say('S1 to S3, DISK: sums and work lists')
  const path = await databaseOf(folder, rows)
  const page = join(folder, 'report.html')
  const figures: Figure[] = []
  const share = rows / million
  for (const { item, work, args, seconds, mb, hand } of warm) {
    const given = args.at(-1) === '--out' ? [...args, page] : args
    const shell = installed('sqlite3') ? [{ command: 'sqlite3', args: [path, hand.sql] }] : []
    const [mine, byHand] = await timesOf(runs, [shipx(setup, path, given), ...shell])
    const { ms, mb: peak } = mine!
    const goal = seconds * 1000 * share
    const note = `${Math.round(peak)} MB`
    const ours = { item, work, unit: 'x', runs, ours: ms } as const
    figures.push({ ...ours, against: `${seconds} s a million`, value: ms / goal, goal: 1, theirs: goal, note })
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
    if (byHand === undefined) continue
    const theirs = byHand.ms
    figures.push({ ...ours, against: `${hand.name} by sqlite3`, value: ms / theirs, theirs, ...goalOf(hand) })
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
    const [times] = await timesOf(coldRuns, [shipx(setup, path, args)], forget)
    const { ms, mb } = times!
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
