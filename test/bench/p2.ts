// P2: a page of 20 with its total for every filter and for mixed sets, against the fastest hand-written SQL; from a million
// rows on not with every index, which would take hours.
import { casesOf } from './cases.ts'
import { databaseOf, open } from './data.ts'
import { asking } from './engine.ts'
import { handOf } from './hand.ts'
import { inMs, say, within, type Figure } from './report.ts'
import type { Setup } from './setup.ts'
import { alone, median, processor, sideBySide } from './timing.ts'

const goal = 1.2
/** What takes less than 1 ms may take this much more, ms. */
const smallMore = 0.05
const goalBeside = (theirs: number): number => (theirs < 1 ? Math.max(goal, 1 + smallMore / theirs) : goal)
const million = 1_000_000

export async function p2({ folder, rows, runs }: Setup): Promise<readonly Figure[]> {
  const path = await databaseOf(folder, rows)
  const [engine, hand] = [open(path), open(path)]
  const cases = casesOf(hand.connection)
  say(`P2: ${cases.length} questions`)
  const figures: Figure[] = []
  for (const [i, { kind, name, input }] of cases.entries()) {
    const best = handOf(hand.connection, kind, input, rows < million)
    const ask = asking(engine.database, kind, input)
    const [page, answer] = [await ask(), best.answer()]
    const same =
      page.meta.total === answer.total &&
      page.records.join() === answer.records.join() &&
      page.meta.next_search_after.join() === answer.cursor.join()
    const pair = await sideBySide(runs, ask, best.answer, processor)
    const cold = await alone(runs, asking(engine.database, kind, input, true), processor)
    const value = pair.ours / pair.theirs
    const figure: Figure = {
      item: 'P2',
      work: `${kind}s ${name}`,
      against: "best SQL by hand, processor's time",
      value,
      unit: 'x',
      goal: goalBeside(pair.theirs),
      ...pair,
      note: `${answer.total.toLocaleString('en-IN')} matches${same ? '' : ', THE ANSWERS DIFFER'}`,
      detail: { input, cold, tried: best.tried, count: best.count, page: best.page },
    }
    const over = within(figure) === false
    figures.push(
      over
        ? { ...figure, detail: { ...(figure.detail as object), engine: await statementsOf(path, figure, input) } }
        : figure,
    )
    if (over || !same) {
      say(
        `  ${i + 1}/${cases.length} ${figure.work}: ${value.toFixed(2)} (${inMs(pair.ours)} / ${inMs(pair.theirs)}) ${figure.note}`,
      )
    }
  }
  await engine.database.close()
  await hand.database.close()
  const worst = figures.toSorted((a, b) => b.value! - a.value!)[0]!
  const values = figures.map(({ value }) => value!)
  const middle: Figure = {
    item: 'P2',
    work: 'the middle of all',
    against: 'best SQL by hand',
    value: median(values),
    unit: 'x',
    goal,
    runs,
    note: `${figures.filter((figure) => within(figure)).length} of ${values.length} within; asked for the first time ${median(figures.map(({ detail, theirs }) => (detail as { cold: number }).cold / theirs!)).toFixed(2)}`,
  }
  return [...figures, { ...worst, work: `the worst: ${worst.work}` }, middle]
}

/** The statements that the engine runs for a question. */
async function statementsOf(
  path: string,
  { work }: Figure,
  input: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const log: string[] = []
  const { database } = open(path, { log: (text) => log.push(String(text)) })
  log.length = 0
  await asking(database, work.startsWith('shipments') ? 'shipment' : 'return', input)()
  await database.close()
  return log.filter((text) => !/^(begin|commit)/i.test(text))
}
