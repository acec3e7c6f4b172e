// P4: search by words of three characters and more, a page of 20 and the total, against a LIKE scan of the search column.
import { account, databaseOf, open } from './data.ts'
import { asking } from './engine.ts'
import { wordsOf, type Words } from './facts.ts'
import { say, type Figure } from './report.ts'
import type { Setup } from './setup.ts'
import { processor, sideBySide } from './timing.ts'

const goals: Readonly<Record<keyof Words, number | undefined>> = {
  single: 30,
  rare: 30,
  medium: undefined,
  common: 5,
  commonest: 5,
}

export async function p4({ folder, rows, runs }: Setup): Promise<readonly Figure[]> {
  say('P4: search')
  const path = await databaseOf(folder, rows)
  const [engine, hand] = [open(path), open(path)]
  const count = hand.connection
    .prepare('select count(*) from shipment_search where account_id = ? and text like ?')
    .pluck()
  const page = hand.connection
    .prepare(
      'select d.doc from shipment_search s join shipments r on r.seq = s.seq join shipment_docs d on d.seq = s.seq where s.account_id = ? and s.text like ? order by r.created_at desc, r.id desc limit 20',
    )
    .pluck()
  const words = wordsOf(hand.connection, 'shipment')
  const figures: Figure[] = []
  for (const [name, { word, matches }] of Object.entries(words) as [keyof Words, Words['rare']][]) {
    const pair = await sideBySide(
      runs,
      asking(engine.database, 'shipment', { search: word }),
      () => [count.get(account, `%${word}%`), page.all(account, `%${word}%`)],
      processor,
    )
    const goal = goals[name]
    figures.push({
      item: 'P4',
      work: `search "${word}", ${name}`,
      against: 'LIKE scan, times faster',
      value: pair.theirs / pair.ours,
      unit: 'x',
      ...(goal === undefined ? {} : { goal, side: 'at least' as const }),
      ...pair,
      note: `${matches.toLocaleString('en-IN')} matches, ${((matches / rows) * 100).toFixed(2)} %`,
    })
  }
  await engine.database.close()
  await hand.database.close()
  return figures
}
