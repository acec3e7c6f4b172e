// Messages about disputes: one for each change and webhook, in its transaction, and one for a deadline, however often
// and in however many processes it is looked at.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '../../src/engine/database/port.ts'
import { listMessages } from '../../src/engine/messages/queue.ts'
import { setWebhook } from '../../src/engine/messages/webhooks.ts'
import { answerDisputes } from '../../src/engine/money/disputeanswers.ts'
import { tellDeadlines, untoldDeadlines } from '../../src/engine/money/disputeclocks.ts'
import { makeDisputes, moveDeadlines } from '../../src/engine/money/newdisputes.ts'
import { dayMs } from '../../src/domain/time.ts'
import { openEngine, openPostgresEngine, testHost, type TestEngine } from '../support/engine.ts'

const start = Date.parse('2026-10-03T06:30:00Z')
const document = { id: 'DOC', number: 'SEP', day: '2026-10-03', courier: 'Delhivery', ledger: false }
const line = (n: number) => ({
  key: `DOC:${n}`,
  line: n,
  awb: `100${n}`,
  order_name: null,
  courier: null,
  journey: 'forward',
  reason: 'weight' as const,
  amount: 3540,
  due_at: start + 5 * dayMs,
  announced: null,
})

/** The dispute and the event of each message. */
const steps = async (database: Database, account: number): Promise<readonly string[]> =>
  (await database.read(() => listMessages(account, {}, 100), 'single'))
    .map(({ record_id: id, step }) => `${id.slice(-1)} ${step.split(':')[1]!}`)
    .toSorted()

async function tells({ database, account }: TestEngine): Promise<void> {
  const host = { ...testHost(), uuid: randomUUID }
  const { dialect, read, write } = database
  const change = (at: number) => ({ at, by: 'anita', source: 'a test', uuid: host.uuid })
  const set = (url: string, events: readonly ('status' | 'disputes')[], at: number) =>
    write(() => setWebhook(account, { url, secret: 'x', api_key: null, events }, { ...host, now: () => at }))
  await set('https://a.example', ['disputes'], start)
  await set('https://b.example', ['status'], start)
  await write(() => makeDisputes(dialect, account, document, [line(1), line(2)], change(start)))
  expect(await read(() => untoldDeadlines(account, start))).toEqual([])
  const answer = { id: 'D0000001', status: 'raised' as const, settled: null, note: null }
  for (let n = 0; n < 2; n++) await write(() => answerDisputes(dialect, account, [answer], change(start + 1)))
  expect(await steps(database, account)).toEqual(['1 raised'])

  // Two workers look at once, and again.
  const look = async (now: number): Promise<void> => {
    await Promise.all([0, 1].map(() => write(() => tellDeadlines(dialect, account, now, host))))
    await write(() => tellDeadlines(dialect, account, now + 1, host))
  }
  await look(start + 4 * dayMs)
  expect(await steps(database, account)).toEqual(['1 raised', '2 deadline_near'])
  // A webhook that is set now hears of what comes.
  await set('https://c.example', ['status', 'disputes'], start + 4 * dayMs)
  await look(start + 6 * dayMs)
  expect(await steps(database, account)).toEqual(['1 raised', '2 deadline_near', '2 lapsed', '2 lapsed'])

  // The deadline moves: it is over once more. One that nobody heard of is told of nothing but that.
  await write(() => moveDeadlines(account, 'DOC', [line(2)], () => start + 7 * dayMs, change(start + 6 * dayMs)))
  await look(start + 8 * dayMs)
  expect((await steps(database, account)).filter((step) => step === '2 found')).toHaveLength(2)
  expect((await steps(database, account)).filter((step) => step === '2 lapsed')).toHaveLength(4)
}

test('each change of a dispute and each deadline is told once, to webhooks that asked for it', async () => {
  const engine = await openEngine()
  await tells(engine)
  await engine.close()
})

test('the same on PostgreSQL, where two workers look at once', { tags: ['full'] }, async () => {
  const engine = await openPostgresEngine()
  await tells(engine)
  await engine.close()
})
