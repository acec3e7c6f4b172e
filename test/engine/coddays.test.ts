// Defends the kept sums of `cod due`: whatever is written between two questions, by whichever connection, an answer
// with kept days is the answer without, to the byte.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { readSent } from '../../src/domain/foreign/records.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { dayMs, isoOf, istDate, istOffset } from '../../src/domain/time.ts'
import { row, rows, type Database, type Dialect, type Work } from '../../src/engine/database/port.ts'
import { keepDays, owedByDay, type NewDays, type OwedByDay } from '../../src/engine/money/coddays.ts'
import { markSeen } from '../../src/engine/money/codmarks.ts'
import { paymentsKept, type PaidUntil } from '../../src/engine/money/codowed.ts'
import { beginDocument, completeDocument, removeDocument } from '../../src/engine/money/documents.ts'
import { addCredits } from '../../src/engine/money/bankcredits.ts'
import { addRemittanceLines } from '../../src/engine/money/remittances.ts'
import { keepSought, soughtText } from '../../src/engine/money/transfers.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { track } from '../../src/engine/tracking.ts'
import { removeUnseen, saveSent } from '../../src/engine/transfer/mirror.ts'
import { drawsOf, type Draws } from '../support/chance.ts'
import { openEngine, temporaryPath, testNow, type TestEngine } from '../support/engine.ts'
import { keptDocument, keptPayment, keptRemittance } from '../support/keptinvoice.ts'
import { first, runs } from '../support/size.ts'
import { copyOf } from './copybench.ts'

const whole = { since: 0, until: testNow + 900 * dayMs }
const day = Math.floor((testNow + istOffset) / dayMs) - 9
/** Instants around the ends of some IST days. */
const instant = (draws: Draws): number =>
  (day + draws.below(5)) * dayMs - istOffset + draws.pick([0, -1, 1, 3_600_000, dayMs / 2])

const [like] = [...seedShipments({ shipments: 1, returns: 0, stores: 1, days: 30, seed: 1, now: testNow })]
const couriers = [
  { id: 'ONE', name: 'Blue Line' },
  { id: 'TWO', name: 'नीली' },
  { id: 'TWO', name: null },
]

/** A parcel of a few, in any state. */
function parcel(draws: Draws): Shipment {
  const n = draws.below(9)
  const at = draws.pick([0, 1, 1, 1]) === 0 ? undefined : isoOf(instant(draws))
  const { attributes, ...record } = like!
  return {
    ...record,
    id: `parcel-${n}`,
    attributes: {
      ...attributes,
      tracking_number: draws.below(9) === 0 ? null : `AWB-${n}`,
      status: draws.pick(['delivered', 'delivered', 'delivered', 'out_for_delivery', 'rto_delivered']),
      is_cod: draws.below(6) > 0,
      cod_amount: draws.pick([500, 500, 120.5, null]),
      total_price: 700,
      carrier: draws.pick(couriers),
      shipment_milestones: [
        { milestone: 'picked_up', milestone_at: isoOf((day - 3) * dayMs) },
        ...(at === undefined ? [] : [{ milestone: 'delivered', milestone_at: at }]),
      ],
    },
  } as unknown as Shipment
}

const sums = { lines: 1, billed: 1, expected: 1, over_paise: 0, over_lines: 0, under_paise: 0, under_lines: 0 }
const rest = { unknown_lines: 0, credit_lines: 0 }

/** The next document of payments, begun, written and completed in transactions of their own, or left half. */
async function keepPayments({ database, account }: TestEngine, draws: Draws, n: number): Promise<void> {
  const kind = draws.pick(['remittance', 'remittance', 'bank'] as const)
  const number = `N-${draws.below(4)}`
  const document = { ...keptRemittance, id: `document-${n}`, kind, number, sha256: String(n).padStart(64, '0') }
  const utr = () => `UTR${draws.below(4)}`
  await database.write(() => beginDocument(account, { ...document, created_at: n }))
  const line = () => ({
    ...keptPayment,
    awb: `AWB-${draws.below(9)}`,
    utr: utr(),
    remitted: draws.pick([50_000, 7, -20]),
    remitted_on: draws.pick([null, istDate(instant(draws))]),
  })
  if (kind === 'remittance') await database.write(() => addRemittanceLines(account, document.id, [line(), line()], 0))
  const credit = {
    line: 2,
    day: '2025-11-14',
    utr: utr(),
    amount: draws.pick([50_000, 7]),
    narration: '',
    reference: '',
  }
  if (kind === 'bank') await database.write(() => addCredits(account, document.id, [credit], 0))
  if (draws.below(6) === 0) return
  const reasons = kind === 'bank' ? said(draws) : JSON.stringify({ unseen: draws.pick([[], [utr()]]) })
  const complete = { ...document, created_at: n }
  await database
    .write(() => completeDocument(account, complete, { ...sums, ...rest, reasons }, draws.below(2) === 0))
    .catch((error: unknown) => expect(error).toMatchObject({ code: 'document_differs' }))
}

/** What a statement says of some transfers. */
const said = (draws: Draws): string =>
  soughtText({
    arrived: [`UTR${draws.below(4)}`],
    missing: [`UTR${draws.below(4)}`],
    short: { UTR1: draws.below(90_000) },
  })!

const documentsOf = (account: number): Work<readonly { readonly id: string; readonly kind: string }[]> =>
  rows(sql`select id, kind from documents where account_id = ${account} order by id`)

/** Everything that writes what the sums are of. */
const writers: readonly ((engine: TestEngine, draws: Draws, n: number) => Promise<unknown>)[] = [
  (engine, draws) => engine.save('shipment', [parcel(draws), parcel(draws), parcel(draws)]),
  ({ database, account }, draws) => {
    const sent = readSent('shipments', JSON.stringify(parcel(draws)))!
    return database.write(() => saveSent(database.dialect, account, 'shipments', [sent]))
  },
  ({ database, account }, draws) => {
    const seen = new Set(Array.from({ length: 9 }, (_, n) => `parcel-${n}`).filter(() => draws.below(4) > 0))
    const stretch = { after: undefined, from: 0, upTo: undefined, to: whole.until }
    return database.write(() => removeUnseen(database.dialect, account, 'shipments', stretch, seen))
  },
  ({ database, account, host }, draws, n) => {
    const event = draws.pick(['delivered', 'out_for_delivery', 'rto_initiated'] as const)
    const more = { reason: null, location: null, description: null }
    const scan = { tracking: `AWB-${draws.below(9)}`, id: `scan-${n}`, event, at: instant(draws), ...more }
    return database.write(() => track(database.dialect, account, host, [scan], function* () {}))
  },
  keepPayments,
  keepPayments,
  ({ database, account }, draws) =>
    database.write(function* () {
      const documents = yield* documentsOf(account)
      if (documents.length > 0) yield* removeDocument(account, draws.pick(documents).id)
    }),
  ({ database, account }, draws) =>
    database.write(function* () {
      const statements = (yield* documentsOf(account)).filter(({ kind }) => kind === 'bank')
      if (statements.length > 0) yield* keepSought(account, draws.pick(statements).id, said(draws))
    }),
  ({ database, account }, draws) => database.write(() => markSeen(account, [`UTR${draws.below(4)}`])),
]

interface Asked {
  readonly answer: OwedByDay
  readonly bare: OwedByDay
  readonly kept: number
}

/** An answer with what is kept, and without, of one state; with `until`, as of a day. */
const ask = ({ database, account }: TestEngine, between = whole, until?: PaidUntil): Promise<Asked> =>
  database.read(function* () {
    const payments = yield* paymentsKept(database.dialect, account, until)
    const bare = { ...database.dialect, planning: undefined } satisfies Dialect
    const found = yield* row<{ n: number }>(sql`select count(*) as n from cod_days where account_id = ${account}`)
    return {
      answer: yield* owedByDay(database.dialect, account, between, payments, 0),
      bare: yield* owedByDay(bare, account, between, payments),
      kept: found!.n,
    }
  })

/** Two programs with one file, two accounts, and days that either of them has yet to keep. */
test.each(first(2, [1, 2, 3, 4, 5, 6]))(
  'cod due with kept days is cod due without, whatever is written between: %i',
  async (seed) => {
    const draws = drawsOf(seed)
    const path = temporaryPath()
    const [one, other] = [await openEngine(path), await openEngine(path)]
    const engines = [one, other, await one.as('second')]
    const waiting: (readonly [TestEngine, NewDays])[] = []
    let [used, owed] = [0, 0]
    for (let n = 0; n < runs(120, 400); n++) {
      const step = draws.below(writers.length + 6)
      if (step < writers.length) await writers[step]!(draws.pick(engines), draws, n)
      else if (waiting.length > 0) {
        const [{ database, account }, news] = waiting.splice(draws.below(waiting.length), 1)[0]!
        await database.write(() => keepDays(account, news))
      }
      const asked = draws.pick(engines)
      const between = draws.pick([whole, whole, { since: instant(draws), until: instant(draws) }])
      const end = instant(draws)
      const until = draws.below(4) === 0 ? { day: istDate(end), end } : undefined
      const { answer, bare, kept } = await ask(asked, between, until)
      expect(JSON.stringify(answer.sums)).toBe(JSON.stringify(bare.sums))
      if (answer.news !== undefined) waiting.push([asked, answer.news])
      if (waiting.length > 3) waiting.shift()
      used += Number(kept > 0)
      owed += bare.sums.length
    }
    // The sequences are of use: days were kept while there was something to add up.
    expect([used > 0, owed > 0]).toEqual([true, true])
    for (const { database } of [one, other]) await database.close()
  },
)

const keepAll = async (engine: TestEngine): Promise<void> => {
  const { answer } = await ask(engine)
  await engine.database.write(() => keepDays(engine.account, answer.news!))
}

test('a copy with --force onto a file that keeps days has none of the days before', async () => {
  const draws = drawsOf(8)
  const [source, target] = [await openEngine(), await openEngine()]
  const parcels = Array.from({ length: 30 }, () => parcel(draws))
  await source.save('shipment', parcels)
  await target.save('shipment', [...parcels.slice(0, 24), { ...parcel(draws), id: 'gone' }])
  for (let n = 0; n < 6; n++) await keepPayments(source, draws, n)
  await keepAll(target)
  expect((await ask(target)).kept).toBeGreaterThan(0)
  await copyOf(source.database, target.database, { force: true })
  const { answer, bare } = await ask(target)
  expect(answer.sums).toEqual(bare.sums)
  expect(bare.sums).toEqual((await ask(source)).bare.sums)
  await source.close()
  await target.close()
})

test('days are kept where many parcels were added up, and an invoice changes nothing about them', async () => {
  const engine = await openEngine()
  const { database, account } = engine
  const draws = drawsOf(3)
  await engine.save(
    'shipment',
    Array.from({ length: 30 }, () => parcel(draws)),
  )
  const asked = await database.read(function* () {
    const payments = yield* paymentsKept(database.dialect, account)
    return yield* owedByDay(database.dialect, account, whole, payments)
  })
  expect(asked.news).toBeUndefined()
  await keepAll(engine)
  await database.write(() => beginDocument(account, keptDocument))
  expect((await ask(engine)).kept).toBeGreaterThan(0)
  await engine.close()
})

test.each([0, 4])('cod due as of a day neither uses nor keeps days: %i documents are kept', async (documents) => {
  const engine = await openEngine()
  const draws = drawsOf(3)
  await engine.save(
    'shipment',
    Array.from({ length: 30 }, () => parcel(draws)),
  )
  for (let n = 0; n < documents; n++) await keepPayments(engine, draws, n)
  const until = { day: istDate(testNow), end: testNow }
  const before = await ask(engine, whole, until)
  expect(before.answer.news).toBeUndefined()
  expect(before.answer.sums.length).toBeGreaterThan(0)
  await keepAll(engine)
  await engine.database.write(() => rows(sql`update cod_days set sums = '[]'`))
  expect((await ask(engine)).answer.sums).toEqual([])
  expect((await ask(engine, whole, until)).answer).toEqual(before.answer)
  await engine.close()
})

test('cod due looked up the payments of every parcel that was ever delivered, each time', async () => {
  const engine = await openEngine()
  const { database, account } = engine
  await engine.save('shipment', [parcel(drawsOf(5)), parcel(drawsOf(6)), parcel(drawsOf(7))])
  await keepAll(engine)
  const asked = watched(database, [])
  const payments = await database.read(() => paymentsKept(database.dialect, account))
  await asked.read(() => owedByDay(database.dialect, account, whole, payments))
  const looked = asked.texts.filter((text) => text.includes('with o as materialized'))
  // The beginning of time and the day that is not over.
  expect(looked).toHaveLength(2)
  await engine.close()
})

/** A database that writes down what it is asked. */
function watched(database: Database, texts: string[]): Database & { readonly texts: readonly string[] } {
  const told = function* <T>(work: Work<T>): Work<T> {
    let step = work.next()
    while (step.done !== true) {
      texts.push(step.value.sql)
      step = work.next(yield step.value)
    }
    return step.value
  }
  return { ...database, texts, read: (work) => database.read(() => told(work())) }
}
