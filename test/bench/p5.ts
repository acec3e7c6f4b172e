// P5: the last page by its cursor and a page far away by its number, against the first page and SQL written by hand.
import { parseInput } from '../../src/domain/parse.ts'
import { listNext } from '../../src/engine/records/listing.ts'
import { account, databaseOf, open } from './data.ts'
import { asking } from './engine.ts'
import { say, type Figure } from './report.ts'
import type { Setup } from './setup.ts'
import { sideBySide } from './timing.ts'

const perPage = 20

export async function p5({ folder, rows, runs }: Setup): Promise<readonly Figure[]> {
  say('P5: pages far away')
  const path = await databaseOf(folder, rows)
  const [engine, hand] = [open(path), open(path)]
  const { database } = engine
  const db = hand.connection
  const figures: Figure[] = []
  for (const [name, filter] of [
    ['no filter', {}],
    ['status delivered', { status: 'delivered' }],
  ] as const) {
    const status = 'status' in filter ? ` and status = '${filter.status}'` : ''
    const total = db
      .prepare(`select count(*) from shipments where account_id = ?${status}`)
      .pluck()
      .get(account) as number
    const onLast = total % perPage === 0 ? perPage : total % perPage
    const before = db
      .prepare(
        `select created_at as at, id from shipments where account_id = ?${status} order by created_at, id limit 1 offset ${onLast}`,
      )
      .get(account) as { at: number; id: string }
    const input = { ...filter, search_after: [String(before.at), before.id] }
    const last = await asking(database, 'shipment', input)()
    if (last.records.length !== onLast)
      throw new Error(`the last page has ${last.records.length} records, not ${onLast}`)
    const [first, end] = [parseInput('listShipments', filter), parseInput('listShipments', input)]
    const step = (query: typeof first) => () =>
      database.read(() => listNext({ dialect: database.dialect, account }, 'shipment', query, perPage, total))
    const whole = await sideBySide(runs, asking(database, 'shipment', input), asking(database, 'shipment', filter))
    const alone = await sideBySide(runs, step(end), step(first))
    for (const [what, pair] of [
      ['page and total', whole],
      ['page alone', alone],
    ] as const) {
      figures.push({
        item: 'P5',
        work: `last page by cursor, ${name}, ${what}`,
        against: 'first page',
        value: pair.ours / pair.theirs,
        unit: 'x',
        goal: 1.5,
        ...pair,
      })
    }
  }
  const page = Math.max(1, Math.floor((rows * 0.9) / perPage))
  const count = db.prepare('select count(*) from shipments indexed by shipments_wide where account_id = ?').pluck()
  const late = db
    .prepare(
      `select d.doc from (
        select seq, created_at, id from shipments indexed by shipments_wide where account_id = ?
        order by created_at desc, id desc limit ${perPage} offset ?
      ) p cross join shipment_docs d on d.seq = p.seq order by p.created_at desc, p.id desc`,
    )
    .pluck()
  const pair = await sideBySide(runs, asking(database, 'shipment', { page }), () => [
    count.get(account),
    late.all(account, (page - 1) * perPage),
  ])
  figures.push({
    item: 'P5',
    work: `page ${page.toLocaleString('en-IN')} by number`,
    against: 'late lookup by hand',
    value: pair.ours / pair.theirs,
    unit: 'x',
    goal: 1.2,
    ...pair,
  })
  await engine.database.close()
  await hand.database.close()
  return figures
}
