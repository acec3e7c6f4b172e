// P11: how pages and totals grow with the number of shipments, against the smallest database.
import { parseInput } from '../../src/domain/parse.ts'
import { countMatches, listNext } from '../../src/engine/records/listing.ts'
import { account, databaseOf, open } from './data.ts'
import { asking } from './engine.ts'
import { endsOf } from './facts.ts'
import type { Raw } from './hand.ts'
import { aligned, inMs, say, type Figure } from './report.ts'
import type { Setup } from './setup.ts'
import { alone } from './timing.ts'

interface Point {
  readonly rows: number
  readonly ms: number
  readonly matches: number
}

/** What is measured, and what should stay the same when the data grows: the time, or the time for each match. */
const works = [
  { name: 'first page', flat: 'time' },
  { name: 'cursor page', flat: 'time' },
  { name: 'first page with total', flat: 'matches' },
  { name: 'total, status rare', flat: 'matches' },
  { name: 'total, is_cod', flat: 'matches' },
] as const

async function measure(folder: string, rows: number, runs: number): Promise<readonly Point[]> {
  const { database, connection } = open(await databaseOf(folder, rows))
  const { dialect, read } = database
  const total = (input: Raw) => () =>
    read(() => countMatches({ dialect, account }, 'shipment', parseInput('listShipments', input)))
  const page = (input: Raw) => () =>
    read(() => listNext({ dialect, account }, 'shipment', parseInput('listShipments', input), 20, rows))
  const middle = connection
    .prepare(
      `select created_at as at, id from shipments where account_id = ? order by created_at desc, id desc limit 1 offset ${rows >> 1}`,
    )
    .get(account) as { at: number; id: string }
  const rare = { status: endsOf(connection, 'shipments', 'status').rare }
  const timed = [
    page({}),
    page({ search_after: [String(middle.at), middle.id] }),
    asking(database, 'shipment', {}),
    total(rare),
    total({ is_cod: true }),
  ]
  const matches = [20, 20, rows, await total(rare)(), await total({ is_cod: true })()]
  const points: Point[] = []
  for (const [i, work] of timed.entries()) points.push({ rows, ms: await alone(runs, work), matches: matches[i]! })
  await database.close()
  return points
}

export async function p11({ folder, rows, runs }: Setup): Promise<readonly Figure[]> {
  const sizes = [...new Set([10_000, 100_000, 1_000_000, rows].filter((size) => size <= rows))]
  say(`P11: ${sizes.map((size) => size.toLocaleString('en-IN')).join(', ')} shipments`)
  const measured: (readonly Point[])[] = []
  for (const size of sizes) measured.push(await measure(folder, size, runs))
  const figures = works.map(({ name, flat }, i): Figure => {
    const points = measured.map((size) => size[i]!)
    const cost = ({ ms, matches }: Point): number => (flat === 'time' ? ms : ms / matches)
    const [first, last] = [points[0]!, points.at(-1)!]
    return {
      item: 'P11',
      work: `${name}${flat === 'time' ? '' : ', for each match'}, ${last.rows.toLocaleString('en-IN')} rows`,
      against: `${first.rows.toLocaleString('en-IN')} rows`,
      value: cost(last) / cost(first),
      unit: 'x',
      ours: last.ms,
      theirs: first.ms,
      runs,
      note: flat === 'time' ? 'should be flat' : `should be flat; ${last.matches.toLocaleString('en-IN')} matches`,
      detail: points,
    }
  })
  say(
    aligned([
      ['growth', ...sizes.map((size) => `${size.toLocaleString('en-IN')} rows`)],
      ...works.map(({ name }, i) => [
        name,
        ...measured.map((size) => `${inMs(size[i]!.ms)} (${size[i]!.matches.toLocaleString('en-IN')})`),
      ]),
    ]),
  )
  return figures
}
