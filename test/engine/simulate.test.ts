// Defends the simulation: parcels move along the tables as couriers move real ones, the same for the same seed, never in the
// future, on both databases, and every event is told as a scan is.
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { diceOf } from '../../src/domain/random.ts'
import { applyEvent } from '../../src/domain/parcels/journeys.ts'
import type { ParcelState } from '../../src/domain/parcels/parcelstate.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { chances, simulate, type Trip } from '../../src/domain/parcels/simulation.ts'
import { keysOf } from '../../src/domain/keysof.ts'
import { returnBuckets, settledReturns, settledShipments, shipmentBuckets } from '../../src/domain/parcels/statuses.ts'
import type { Row, Work } from '../../src/engine/database/port.ts'
import {
  noMoveCounts,
  moveSome,
  planSome,
  sceneOf,
  type SimulationPlan,
  type Cursor,
  type MoveCounts,
} from '../../src/engine/sample/simulation.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { track } from '../../src/engine/tracking.ts'
import { openEngine, openPostgresEngine, testHost, testNow, type TestEngine } from '../support/engine.ts'
import { sandbox } from '../support/sandbox.ts'
import { first, runs } from '../support/size.ts'

const hour = 3_600_000
const day = 24 * hour

/** Moves everything that is open, and gives what became of it. */
async function move({ database, account, host }: TestEngine, over: Partial<SimulationPlan> = {}): Promise<MoveCounts> {
  const course = { seed: 42, days: 7, now: host.now(), ...over }
  const scene = await database.read(() => sceneOf(account, testNow))
  const moves: Record<keyof MoveCounts, number> = { ...noMoveCounts }
  for (const kind of ['shipment', 'return'] as const) {
    let after: Cursor | undefined
    do {
      const some = await database.write(() =>
        moveSome(database.dialect, account, host, course, scene, { kind, after }, 'waiting'),
      )
      for (const name of Object.keys(moves) as (keyof MoveCounts)[]) moves[name] += some.moves[name]
      after = some.next
    } while (after !== undefined)
  }
  return moves
}

const asked = async ({ database, account }: TestEngine, text: string): Promise<readonly Row[]> =>
  database.read(function* (): Work<readonly Row[]> {
    return yield { sql: text, text: text.replace('?', '$1'), values: [account] }
  })

const eventsIn = (engine: TestEngine): Promise<readonly Row[]> =>
  asked(
    engine,
    'select id, record_id, event, at, reason, location, ignored from events where account_id = ? order by record_id, at, id',
  )

/** A sample account's open parcels, as of some days ago. */
async function sampled(open: typeof openEngine, clock: { now: number }): Promise<TestEngine> {
  const engine = await open(':memory:', { ...testHost(), now: () => clock.now })
  await engine.save('shipment', seedShipments(plan))
  await engine.save('return', seedReturns(plan))
  return engine
}

const plan = { shipments: 700, returns: 120, stores: 3, days: 20, seed: 7, now: testNow }

const postgres: typeof openEngine = async (_, host) => openPostgresEngine(host)

const parcel = (id: string, more: Partial<Shipment['attributes']> = {}): Shipment => ({
  id,
  type: 'shipment',
  attributes: {
    tracking_number: `AWB${id}`,
    status: 'pending',
    granular_status: 'ready_for_pickup',
    created_at: new Date(testNow - 60_000).toISOString(),
    attempt_count: 0,
    shipment_milestones: [],
    tracking_details: [],
    zone: 'zone_c',
    order: { display_id: `ORDER-${id}`, order_date: new Date(testNow - 3 * day).toISOString() },
    shipping_address: { name: 'Asha', phone: '98765 43210', city: 'Pune', zip: '411001' },
    items: [],
    ...more,
  },
})

const databases = [
  ['SQLite', openEngine],
  ['PostgreSQL', postgres],
] as const

describe.each(first(1, databases))('on %s', (name, open) => {
  test('the same seed gives the same events, another one others; every one is applied, none is in the future', async () => {
    const told: string[] = []
    for (const seed of [42, 42, 43]) {
      const clock = { now: testNow + 5 * day }
      const engine = await sampled(open, clock)
      const moves = await move(engine, { seed })
      const events = await eventsIn(engine)
      expect(moves.shipments).toBeGreaterThan(20)
      expect(moves.returns).toBeGreaterThan(5)
      expect(moves.events).toBe(events.length)
      expect(events.filter(({ ignored, at }) => ignored !== 0 || Number(at) > clock.now)).toEqual([])
      told.push(JSON.stringify(events.map(({ at, ...event }) => ({ ...event, at: Number(at) }))))
      await engine.close()
    }
    expect(told[1]).toBe(told[0])
    expect(told[2]).not.toBe(told[0])
  })

  test(
    'every parcel comes to an end when it goes on for long enough, and is told each step once',
    { tags: ['full'] },
    async () => {
      const clock = { now: testNow }
      const engine = await sampled(open, clock)
      let last: MoveCounts = noMoveCounts
      for (let n = 0; n < 45; n++) {
        clock.now += day
        last = await move(engine, { days: 1 + (n % 3), seed: n })
      }
      expect(last).toMatchObject({ shipments: 0, returns: 0, events: 0 })
      // prettier-ignore
      const left = [
      ...(await asked(engine, `select granular_status as status, tracking_number as number from shipments where account_id = ?`)).filter(({ status }) => !(settledShipments.granular as readonly unknown[]).includes(status)),
      ...(await asked(engine, `select granular_status as status, tracking_number as number from returns where account_id = ?`)).filter(({ status }) => !(settledReturns.granular as readonly unknown[]).includes(status)),
    ]
      // What no courier has stays where it is, and what was taken back from its way home is no courier's any more.
      expect(left.filter(({ status, number }) => number !== null && status !== 'rto_cancelled')).toEqual([])
      expect(last.waiting).toBe(left.filter(({ number }) => number === null).length)
      expect((await eventsIn(engine)).filter(({ ignored }) => ignored !== 0)).toEqual([])
      const twice = await asked(
        engine,
        'select record_id, step, count(*) as n from messages where account_id = ? group by record_id, step having count(*) > 1',
      )
      expect(twice).toEqual([])
      await engine.close()
    },
  )

  test('an order of a minute ago goes to its end, strictly in order, after the order', async () => {
    const engine = await open(':memory:', testHost())
    await engine.save('shipment', [
      parcel('a'),
      parcel('b', { is_cod: true }),
      parcel('n', { tracking_number: null }),
      parcel('x', { tracking_number: 'AWBy' }),
      parcel('y'),
    ])
    const moves = await move(engine, { days: 30 })
    expect(moves).toMatchObject({ shipments: 2, waiting: 1, shared: 2, too_new: 0 })
    expect(moves.delivered + moves.rto).toBe(2)
    expect(moves.messages).toBeGreaterThan(4)
    const events = await eventsIn(engine)
    for (const id of ['a', 'b']) {
      const times = events.filter(({ record_id }) => record_id === id).map(({ at }) => Number(at))
      expect(times.length).toBeGreaterThan(4)
      expect(times[0]).toBeGreaterThan(testNow - 60_000)
      expect(times.at(-1)).toBeLessThanOrEqual(testNow)
      expect(new Set(times).size).toBe(times.length)
    }
    expect(events.filter(({ location }) => location === 'Pune').length).toBeGreaterThan(0)
    // Nothing is open any more, and an order of this very moment has no time yet.
    await engine.save('shipment', [parcel('c', { created_at: new Date(testNow).toISOString() })])
    expect(await move(engine, { days: 30 })).toMatchObject({ shipments: 0, events: 0, too_new: 1 })
    await engine.close()
  })

  test('an event that could not follow does not come between', async () => {
    const engine = await open(':memory:', testHost())
    await engine.save('shipment', [parcel('a', { created_at: new Date(testNow - day).toISOString() })])
    const scan = {
      tracking: 'AWBa',
      id: 'late',
      event: 'reattempt',
      at: testNow - hour,
      reason: null,
      location: null,
      description: null,
    } as const
    const [tracked] = await engine.database.write(() =>
      track(engine.database.dialect, engine.account, engine.host, [scan], function* () {}),
    )
    expect(tracked!.outcome).toBe('ignored')
    await move(engine)
    const events = await eventsIn(engine)
    expect(events.filter(({ ignored }) => ignored !== 0).map(({ id }) => id)).toEqual(['late'])
    expect(Math.min(...events.filter(({ id }) => id !== 'late').map(({ at }) => Number(at)))).toBeGreaterThan(
      testNow - hour,
    )
    await engine.close()
  })

  test('goes through all of many at one moment, each once', { tags: ['full'] }, async () => {
    const engine = await open(':memory:', testHost())
    await engine.save(
      'shipment',
      Array.from({ length: 450 }, (_, n) => parcel(`p${n}`)),
    )
    const { database, account, host } = engine
    const course = { seed: 42, days: 7, now: host.now() }
    const scene = await database.read(() => sceneOf(account, testNow))
    const first = await database.read(() =>
      planSome(database.dialect, account, host, course, scene, { kind: 'shipment', after: undefined }),
    )
    expect([first.seen, first.next]).toEqual([200, [testNow - 60_000, expect.any(String)]])
    expect(await move(engine)).toMatchObject({ shipments: 450, returns: 0 })
    await engine.close()
  })

  test(`says of a plan what the move does (${name})`, { tags: ['full'] }, async () => {
    const engine = await sampled(open, { now: testNow + day })
    const { database, account, host } = engine
    const course = { seed: 42, days: 7, now: host.now() }
    const scene = await database.read(() => sceneOf(account, testNow))
    const wanted = { kind: 'shipment', after: undefined } as const
    const planned = await database.read(() => planSome(database.dialect, account, host, course, scene, wanted))
    const moved = await database.write(() =>
      moveSome(database.dialect, account, host, course, scene, wanted, 'withheld'),
    )
    expect(moved.moves).toEqual({ ...planned.moves, messages: 0 })
    await engine.close()
  })
})

const standingOf = (granular: string): ParcelState => ({
  granular,
  attempts: 0,
  ndr_reason: null,
  rto_reason: null,
  qc: 'pending',
  milestones: [],
  scans: [],
})

const tripOf = (over: Partial<Trip>, seed: number): Trip => ({
  kind: 'shipment',
  standing: standingOf('ready_for_pickup'),
  cod: false,
  transit: 3,
  from: 'Mumbai',
  to: 'Pune',
  since: testNow - 40 * day,
  now: testNow,
  days: 40,
  dice: diceOf(seed),
  id: (event, at) => createHash('sha256').update(`${seed} ${event} ${at}`).digest('hex').slice(0, 32),
  ...over,
})

describe('a journey', () => {
  test('takes only steps that can follow, from any status, in any time', () => {
    const from = fc.oneof(
      fc.record({ kind: fc.constant('shipment' as const), granular: fc.constantFrom(...keysOf(shipmentBuckets)) }),
      fc.record({ kind: fc.constant('return' as const), granular: fc.constantFrom(...keysOf(returnBuckets)) }),
    )
    const more = {
      seed: fc.nat(),
      cod: fc.boolean(),
      transit: fc.integer({ min: 0, max: 12 }),
      attempts: fc.integer({ min: 0, max: 4 }),
      days: fc.integer({ min: 1, max: 90 }),
      ms: fc.oneof(fc.integer({ min: -5000, max: 20 }), fc.integer({ min: 0, max: 60 * day })),
    }
    fc.assert(
      fc.property(from, fc.record(more), ({ kind, granular }, { seed, cod, transit, attempts, days, ms }) => {
        const standing = { ...standingOf(granular), attempts }
        const { happenings, standing: end } = simulate(
          tripOf({ kind, standing, cod, transit, days, since: testNow - ms }, seed),
        )
        let now = standing
        let before = testNow - ms
        for (const happening of happenings) {
          const taken = applyEvent(now, happening)
          if ('possible' in taken) throw new Error(`${happening.event} cannot follow ${now.granular}`)
          now = taken.standing
          expect(happening.at).toBeGreaterThan(before)
          before = happening.at
        }
        expect(before).toBeLessThanOrEqual(Math.max(testNow, testNow - ms))
        expect(now).toEqual(end)
        expect(now.attempts).toBeLessThanOrEqual(Math.max(3, attempts + 1))
        // A day is enough for every step, and a millisecond for one.
        if (ms > 0 && happenings.length === 0)
          expect(
            simulate(tripOf({ kind, standing, cod, transit, days: 90, since: testNow - 90 * day }, seed)).happenings,
          ).toEqual([])
      }),
      { numRuns: runs(300, 3000) },
    )
  })

  test('goes back more often where it is to be paid, as parcels in India do', { tags: ['full'] }, () => {
    const share = (cod: boolean): number => {
      let back = 0
      for (let seed = 1; seed <= 4000; seed++)
        if (simulate(tripOf({ cod }, seed)).standing.granular === 'rto_delivered') back++
      return back / 4000
    }
    const [cod, prepaid] = [share(true), share(false)]
    expect(cod).toBeGreaterThan(0.2)
    expect(cod).toBeLessThan(0.3)
    expect(prepaid).toBeGreaterThan(0.02)
    expect(prepaid).toBeLessThan(0.08)
  })

  test('keeps the hours of couriers', () => {
    const all = Array.from({ length: 500 }, (_, seed) => simulate(tripOf({ cod: seed % 2 === 0 }, seed)).happenings)
    const minute = (at: number): number => Math.floor(((at + 5.5 * hour) % day) / 60_000)
    for (const happenings of all) {
      for (const { at } of happenings.filter(({ event }) => event === 'out_for_delivery')) {
        expect(minute(at)).toBeGreaterThanOrEqual(450)
        expect(minute(at)).toBeLessThanOrEqual(640)
      }
      const first = happenings.find(({ event }) => event === 'picked_up' || event === 'not_picked')!
      expect(first.at - (testNow - 40 * day)).toBeGreaterThanOrEqual(4 * hour)
      expect(first.at - (testNow - 40 * day)).toBeLessThanOrEqual(24 * hour)
    }
    expect(all.flat().some(({ event }) => event === 'not_picked')).toBe(true)
    expect(
      all
        .flat()
        .filter(({ event }) => event === 'attempt_failed')
        .every(({ reason }) => reason !== null),
    ).toBe(true)
    expect(chances.rto.cod).toBeGreaterThan(chances.rto.prepaid)
  })
})

describe('shipx local simulate', { tags: ['full'] }, () => {
  const box = sandbox()
  afterAll(box.remove)
  const later = { env: { SHIPX_NOW: '2026-10-01T08:30:00Z' } }

  test('moves what is open, tells it, and changes nothing in a dry run', async () => {
    expect((await box.shipx(['local', 'seed', '--quiet'])).exit).toBe(0)
    const dry = await box.shipx(['local', 'simulate', '--dry-run'], later)
    const wet = await box.shipx(['local', 'simulate'], later)
    expect([dry.exit, wet.exit]).toEqual([0, 0])
    const { seed, days, ...would } = (JSON.parse(dry.stdout) as { dry_run: { simulate: Record<string, number> } })
      .dry_run.simulate
    const { messages, ...did } = (JSON.parse(wet.stdout) as { data: Record<string, number> }).data
    expect([seed, days]).toEqual([42, 7])
    expect(did).toEqual(would)
    expect(did['shipments']).toBeGreaterThan(20)
    expect(wet.stderr).toContain(`${messages!} messages to customers`)
    const listed = await box.shipx(['messages', 'list', '--all', '--ids'], later)
    expect(listed.stdout.trim().split('\n')).toHaveLength(messages!)
  })

  test('moves the parcels that are named, and none where one is not known', async () => {
    await box.shipx(['local', 'seed', '--quiet', '--db', 'named.sqlite'])
    const open = await box.shipx([
      'shipments',
      'list',
      '--status',
      'in_transit',
      '--limit',
      '2',
      '--csv',
      '--fields',
      'tracking_number',
      '--db',
      'named.sqlite',
    ])
    const numbers = open.stdout.trim().split('\n').slice(1)
    const wrong = await box.shipx(['local', 'simulate', ...numbers, 'nobody', '--db', 'named.sqlite', '--json'], later)
    expect([wrong.exit, wrong.stdout]).toEqual([3, ''])
    expect(wrong.stderr).toContain('nobody')
    const moved = await box.shipx(
      ['local', 'simulate', ...numbers, ...numbers, '--db', 'named.sqlite', '--no-messages'],
      later,
    )
    expect(JSON.parse(moved.stdout)).toMatchObject({ data: { shipments: 2, returns: 0, messages: 0 } })
    const withheld = await box.shipx(['messages', 'list', '--db', 'named.sqlite', '--jsonl', '--all'])
    expect(withheld.stdout).not.toContain('"waiting"')
  })

  test.each([
    ['--days', '0'],
    ['--days', '91'],
    ['--days', 'week'],
    ['--days', '-1'],
    ['--seed', 'x'],
    ['--seed', '1.5'],
    ['', ''],
  ])('refuses %s %s', async (...words) => {
    const { exit, stdout } = await box.shipx([
      'local',
      'simulate',
      ...words.filter((word, i) => word !== '' || i === 0),
    ])
    expect([exit, stdout]).toEqual([2, ''])
  })

  test('Ctrl-C ends between two chunks and says what was done', async () => {
    await box.shipx([
      'local',
      'seed',
      '--quiet',
      '--db',
      'big.sqlite',
      '--shipments',
      '8000',
      '--returns',
      '0',
      '--days',
      '4',
    ])
    const running = box.begin(['local', 'simulate', '--db', 'big.sqlite'], later)
    // The first chunk is written once there is something in the log of the database.
    const log = join(box.folder, 'big.sqlite-wal')
    const timer = setInterval(() => {
      if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0) return
      clearInterval(timer)
      running.child.kill('SIGINT')
    }, 20)
    const { exit, stdout, stderr } = await running.ended
    clearInterval(timer)
    expect([exit, stdout]).toEqual([130, ''])
    expect(stderr).toMatch(/stopped after [\d,]+ shipments, [\d,]+ events/)
    expect((await box.shipx(['local', 'check', '--quick', '--db', 'big.sqlite'])).exit).toBe(0)
  })
})
