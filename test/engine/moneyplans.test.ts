// Defends how money's questions find their lines on SQLite, which takes an account to have ten rows: it must look up the
// AWBs and UTRs it is asked for, and not walk all lines of the account for each.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linesOfDisputes } from '../../src/engine/money/disputelines.ts'
import { disputesOfAwbs, eventsOf, sumDisputes, walkDisputes } from '../../src/engine/money/disputes.ts'
import { asRemitted, owedParcels, owedSums } from '../../src/engine/money/codowed.ts'
import { parcelCouriers } from '../../src/engine/money/couriers.ts'
import { linesOfAwbs } from '../../src/engine/money/lines.ts'
import { linesOfUtrs, paymentsOf, remittedUtrs } from '../../src/engine/money/remittances.ts'
import { skuSizesOf } from '../../src/engine/money/skusizes.ts'
import { unbilledBetween, unbilledOf } from '../../src/engine/money/unbilled.ts'
import { notTaken } from '../../src/engine/orders/handover.ts'
import { rows, type Statement, type Work } from '../../src/engine/database/port.ts'
import { openEngine, type TestEngine } from '../support/engine.ts'

let engine: TestEngine
beforeAll(async () => {
  engine = await openEngine()
})
afterAll(() => engine.close())

const awbs = ['A', 'B', 'C']
const part = { awb: '1', courier: null, day: null, amount: 5 }
const payments = {
  paid: true,
  compared: ['UTR-8', 'UTR-9'],
  missing: ['UTR-9'],
  short: [part],
  unseen: [{ document: 'X', transfer: 'UTR-8' }],
  until: { day: '2026-09-01', end: 2 },
}
const place = { delivered_at: 0, awb: '' }
const between = { since: 0, until: 9 }

/** How SQLite goes through the tables of a statement. */
async function planOf({ sql, values }: Statement): Promise<readonly string[]> {
  const plan = { sql: `explain query plan ${sql}`, text: '', values }
  const found = await engine.database.read(() => rows<{ readonly detail: string }>(plan), 'single')
  return found.map(({ detail }) => detail)
}

/** The plan of the first statement of some work. */
async function stepsOf(work: Work<unknown>): Promise<readonly string[]> {
  const asked = work.next()
  if (asked.done === true) throw new Error('it asks nothing')
  return planOf(asked.value)
}

/** The plans of all its statements, where none finds anything. */
async function allStepsOf(work: Work<unknown>): Promise<readonly string[]> {
  const steps: string[] = []
  for (let asked = work.next(); asked.done !== true; asked = work.next([])) steps.push(...(await planOf(asked.value)))
  return steps
}

test('cod due never ended where 30,000 payments were kept, for it read all of them for each parcel', async () => {
  const { account, database } = engine
  const { dialect } = database
  for (const work of [
    owedSums(dialect, account, between, payments),
    owedParcels(dialect, account, between, place, 10, payments),
    paymentsOf(dialect, account, awbs),
    linesOfUtrs(dialect, account, awbs),
    remittedUtrs(dialect, account, awbs),
    linesOfAwbs(dialect, account, awbs),
    linesOfDisputes(dialect, account, [{ document_id: 'D', line: 1, awb: 'A' }]),
    disputesOfAwbs(dialect, account, awbs),
    unbilledOf(dialect, account, 0, 9, '', 10),
    unbilledBetween(dialect, account, 0, 9, [], 10),
  ]) {
    const steps = await stepsOf(work)
    expect(steps.join('\n')).toMatch(/_(?:awb|utr) \(account_id=\? AND (?:awb|utr)=\?\)/)
    expect(steps.filter((step) => /PRIMARY KEY \(account_id=\?\)|autoindex_\w+ \(account_id=\?\)/.test(step))).toEqual(
      [],
    )
  }
})

test('what was paid of a parcel is looked up once, and not for each place where its sum stands', async () => {
  const steps = await stepsOf(owedSums(engine.database.dialect, engine.account, between, asRemitted(true)))
  expect(steps.filter((step) => step.includes('remittance_lines_awb'))).toHaveLength(1)
})

test('cod due read the row of a payment and its document for each of 457,000 parcels', async () => {
  const steps = await stepsOf(owedSums(engine.database.dialect, engine.account, between, asRemitted(true)))
  expect(steps.filter((step) => / l /.test(step))).toEqual([
    'SEARCH l USING COVERING INDEX remittance_lines_awb (account_id=? AND awb=?)',
  ])
})

test('disputes list read every dispute of an invoice, which all lapse at once, for its first page and its sum', async () => {
  for (const work of [
    walkDisputes(engine.account, ['found'], { until: 9 }, 0).next(20)(),
    sumDisputes(engine.account, ['found'], { until: 9 }, 0),
  ]) {
    const steps = await stepsOf(work)
    expect(steps.filter((step) => step.includes('disputes_urgent'))).toEqual([
      expect.stringContaining('USING COVERING INDEX disputes_urgent (account_id=? AND status=? AND urgent_at'),
    ])
    expect(steps.filter((step) => /_1 \(account_id=\?\)/.test(step))).toEqual([])
  }
})

test('each page of disputes that lapse at once sorted all of them, and read those before it', async () => {
  const walk = walkDisputes(engine.account, ['in_review'], {}, 0)
  const row = { id: 'D1', urgent_at: 5, amount: 100, taken: 0 }
  const first = walk.next(1)()
  first.next()
  expect(first.next([row]).done).toBe(true)
  const steps = await allStepsOf(walk.next(1)())
  expect(steps.filter((step) => step.includes('disputes_urgent'))).toEqual(
    ['urgent_at=? AND amount=? AND id>?', 'urgent_at=? AND amount<?', 'urgent_at>?'].map(
      (range) => `SEARCH disputes USING COVERING INDEX disputes_urgent (account_id=? AND status=? AND ${range})`,
    ),
  )
})

test('disputes get walked all events of the account', async () => {
  const steps = await stepsOf(eventsOf(engine.database.dialect, engine.account, 'D0000001'))
  expect(steps[0]).toMatch(/dispute_events_dispute \(account_id=\? AND dispute_id=\?\)$/)
})

test('the couriers of an account were read by an index that jumps through all of its shipments', async () => {
  const steps = await stepsOf(parcelCouriers(engine.database.dialect, engine.account))
  expect(steps[0]).toMatch(/USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)$/)
})

test('reconcile read all prints of an account for each 500 parcels, once it had printed a manifest', async () => {
  const steps = await stepsOf(notTaken(engine.database.dialect, engine.account, awbs))
  expect(steps[0]).toMatch(/prints_tracking_number \(account_id=\? AND tracking_number=\?\)$/)
})

test('the SKUs of 500 parcels walked all records of the account', async () => {
  for (const kind of ['shipment', 'return'] as const) {
    const steps = await stepsOf(skuSizesOf(engine.database.dialect, engine.account, kind, awbs))
    expect(steps[0]).toMatch(/_id \(account_id=\? AND id=\?\)$/)
  }
})
