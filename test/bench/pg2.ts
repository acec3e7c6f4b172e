// P2, P4 and P5 on PostgreSQL: pages of 20 with their totals, searches, and pages far away, against SQL written by hand
// through node-postgres on the same tables.
import pg from 'pg'
import { asking } from './engine.ts'
import { casesOf } from './cases.ts'
import { account, open } from './data.ts'
import { pgHandOf } from './handpg.ts'
import { postgresData } from './pgdata.ts'
import { inMs, say, within, type Figure } from './report.ts'
import type { Setup } from './setup.ts'
import { median, sideBySide } from './timing.ts'

const goal = 1.2

export async function pg2(setup: Setup): Promise<readonly Figure[]> {
  const data = await postgresData(setup)
  const database = await data.open()
  const client = new pg.Client({ connectionString: data.url })
  await client.connect()
  const sqlite = open(data.file)
  const cases = casesOf(sqlite.connection)
  await sqlite.database.close()
  say(`P2 on PostgreSQL: ${cases.length} questions`)
  const figures: Figure[] = []
  try {
    for (const [i, { kind, name, input }] of cases.entries()) {
      const hand = await pgHandOf(client, kind, input)
      const ask = asking(database, kind, input)
      const [page, answer] = [await ask(), await hand.answer()]
      const ids = page.records.map((record) => (JSON.parse(record) as { id: string }).id).join()
      const same = page.meta.total === answer.total && ids === answer.ids
      const pair = await sideBySide(setup.runs, ask, hand.answer)
      const figure: Figure = {
        item: name.startsWith('search') ? 'P4' : 'P2',
        work: `PostgreSQL, ${kind}s ${name}`,
        against: 'SQL by hand',
        value: pair.ours / pair.theirs,
        unit: 'x',
        goal,
        ...pair,
        note: `${answer.total.toLocaleString('en-IN')} matches${same ? '' : ', THE ANSWERS DIFFER'}`,
      }
      figures.push(figure)
      if (within(figure) === false || !same)
        say(
          `  ${i + 1}/${cases.length} ${figure.work}: ${figure.value!.toFixed(2)} (${inMs(pair.ours)} / ${inMs(pair.theirs)}) ${figure.note}`,
        )
    }
    const values = figures.map(({ value }) => value!)
    const middle: Figure = {
      item: 'P2',
      work: 'PostgreSQL, the middle of all',
      against: 'SQL by hand',
      value: median(values),
      unit: 'x',
      goal,
      runs: setup.runs,
      note: `${values.filter((value) => value <= goal).length} of ${values.length} within`,
    }
    const late = `select d.doc from (select seq, created_at, id from shipments where account_id = $1 order by created_at desc, id desc limit 20 offset $2) p
      join shipment_docs d on d.account_id = $1 and d.seq = p.seq order by p.created_at desc, p.id desc`
    const page = Math.max(1, Math.floor((setup.rows * 0.9) / 20))
    const far = await sideBySide(setup.runs, asking(database, 'shipment', { page }), async () => {
      await client.query('select count(*) from shipments where account_id = $1', [account])
      return client.query(late, [account, (page - 1) * 20])
    })
    figures.push({
      item: 'P5',
      work: `PostgreSQL, page ${page.toLocaleString('en-IN')} by number`,
      against: 'late lookup by hand',
      value: far.ours / far.theirs,
      unit: 'x',
      goal,
      ...far,
    })
    return [...figures, middle]
  } finally {
    await client.end()
    await database.close()
    await data.server.close()
  }
}
