// Defends tracking: any order and repetition of a parcel's scans ends in the same record, on both databases; nothing that was
// told is lost, and only what cannot be understood is refused.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  forwardEvents,
  forwardJourney,
  returnJourney,
  type TrackingEvent,
  type Step,
  type Notice,
} from '../../src/domain/parcels/journeys.ts'
import type { Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { keysOf } from '../../src/domain/keysof.ts'
import { shipmentBuckets } from '../../src/domain/parcels/statuses.ts'
import { makeStepMessages, messageMaker } from '../../src/engine/messages/outbox.ts'
import { countMessages } from '../../src/engine/messages/queue.ts'
import { recordPlaces, recordSpan } from '../../src/engine/recordplaces.ts'
import { track, type Scan } from '../../src/engine/tracking.ts'
import type { Row, Work } from '../../src/engine/database/port.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { openEngine, openPostgresEngine, testNow, type TestEngine } from '../support/engine.ts'
import { runs } from '../support/size.ts'
import { noting, type Sent } from './routes.ts'

const hour = 3_600_000
const begun = testNow - 100 * hour

const shipment = (id: string, granular: keyof typeof shipmentBuckets = 'ready_for_pickup'): Shipment => ({
  id,
  type: 'shipment',
  attributes: {
    tracking_number: `AWB${id}`,
    status: shipmentBuckets[granular],
    sub_status: granular === shipmentBuckets[granular] ? null : granular,
    granular_status: granular,
    created_at: new Date(begun).toISOString(),
    attempt_count: 0,
    ndr_reason: null,
    rto_reason: null,
    shipment_milestones: [{ milestone: 'ready_for_pickup', milestone_at: new Date(begun).toISOString() }],
    tracking_details: [],
    order: { display_id: `ORDER-${id}` },
    shipping_address: { name: 'Asha' },
    items: [{ id: '1', quantity: 1, price: 1, name: 'Romper', sku: 'CR-1' }],
  },
})

const back = (id: string): Return => ({
  id,
  type: 'return',
  attributes: {
    display_id: `RT-${id}`,
    status: 'return_requested',
    granular_status: 'return_requested',
    qc_status: 'pending',
    created_at: new Date(begun).toISOString(),
    shipment: { id: 'x', tracking_number: `AWB${id}`, status: 'pending', shipment_milestones: [] },
  },
})

const scanOf = (
  tracking: string,
  id: string,
  event: Scan['event'],
  at: number,
  more: Partial<TrackingEvent> = {},
): Scan => ({ tracking, id, event, at, reason: null, location: null, description: null, ...more })

/** Gives scans to an engine, and what customers were told. */
async function give({ database, account, host }: TestEngine, scans: readonly Scan[]) {
  const told: Notice[] = []
  const tracked = await database.write(() => {
    const tell = messageMaker(account, host)
    return track(database.dialect, account, host, scans, function* (moved) {
      for (const { steps } of moved) told.push(...steps)
      yield* tell(moved)
    })
  })
  return { tracked, told: told.map(({ step }) => step) }
}

const messagesOf = async ({ database, account }: TestEngine, record: string): Promise<readonly string[]> => {
  const found = await database.read(function* (): Work<readonly Row[]> {
    return yield {
      sql: 'select step from messages where account_id = ? and record_id = ?',
      text: 'select step from messages where account_id = $1 and record_id = $2',
      values: [account, record],
    }
  })
  return found.map(({ step }) => String(step)).toSorted()
}

const recordOf = async ({ database, account }: TestEngine, table: 'shipments' | 'returns', id: string) => {
  const docs = `${table.slice(0, -1)}_docs`
  const of = `${table} r join ${docs} d on d.account_id = r.account_id and d.seq = r.seq`
  const found = await database.read(function* (): Work<readonly Row[]> {
    return yield {
      sql: `select r.*, d.doc from ${of} where r.account_id = ? and r.id = ?`,
      text: `select r.*, d.doc from ${of} where r.account_id = $1 and r.id = $2`,
      values: [account, id],
    }
  })
  const { seq: _, ...columns } = found[0] as Record<string, unknown>
  return columns
}

describe.each([
  ['SQLite', openEngine],
  ['PostgreSQL', openPostgresEngine],
] as const)('on %s', (name, open) => {
  const journey = (event: (typeof forwardEvents)[number], n: number) => scanOf('AWBs', `e${n}`, event, begun + n * hour)

  test('a parcel goes from the warehouse to the door', async () => {
    const engine = await open()
    await engine.save('shipment', [shipment('s')])
    const words = [
      'pickup_scheduled',
      'picked_up',
      'in_transit',
      'out_for_delivery',
      'attempt_failed',
      'reattempt',
      'out_for_delivery',
      'delivered',
    ] as const
    const { tracked, told } = await give(engine, words.map(journey))
    expect(tracked.map(({ outcome }) => outcome)).toEqual(words.map(() => 'applied'))
    expect(told).toEqual(['shipped', 'out_for_delivery', 'attempt_failed:1', 'out_for_delivery', 'delivered'])
    const { attributes } = JSON.parse((await recordOf(engine, 'shipments', 's'))['doc'] as string) as Shipment
    expect(attributes).toMatchObject({
      status: 'delivered',
      granular_status: 'delivered',
      sub_status: null,
      attempt_count: 2,
      ndr_reason: 'other',
      rto_reason: null,
    })
    expect(attributes.shipment_milestones?.map(({ milestone }) => milestone)).toEqual([
      'ready_for_pickup',
      'picked_up',
      'in_transit',
      'out_for_delivery',
      'delivered',
    ])
    expect(attributes.shipment_milestones?.[3]?.milestone_at).toBe(new Date(begun + 6 * hour).toISOString())
    expect(attributes.tracking_details?.map(({ status }) => status)).toEqual([
      'pickup_scheduled',
      'picked_up',
      'in_transit',
      'out_for_delivery',
      'ndr_raised',
      'reattempt_delivery',
      'out_for_delivery',
      'delivered',
    ])
    await engine.close()
  })

  test('any order and repetition of any scans ends in the record of the sorted list', async () => {
    const engine = await open()
    let n = 0
    const scans = fc.array(
      fc.record({
        event: fc.constantFrom(...forwardEvents, ...forwardEvents.slice(2, 8)),
        hours: fc.integer({ min: 0, max: 20 }),
        reason: fc.constantFrom(null, 'customer_refused', 'address_incomplete'),
      }),
      { minLength: 1, maxLength: 12 },
    )
    const granular = fc.constantFrom(...keysOf(shipmentBuckets))
    const mixed = scans.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(
          [...list.keys(), ...list.keys()].map((at, i) => [at, i] as const),
          { minLength: 2 * list.length },
        ),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 24, maxLength: 24 }),
      ),
    )
    await fc.assert(
      fc.asyncProperty(mixed, granular, async ([list, order, sizes], from) => {
        const [sorted, shuffled] = [`a${++n}`, `b${n}`]
        await engine.save('shipment', [shipment(sorted, from), shipment(shuffled, from)])
        const told = (id: string) =>
          list.map(({ event, hours, reason }, i) =>
            scanOf(`AWB${id}`, `${id}-${String(i).padStart(2, '0')}`, event, begun + hours * hour, { reason }),
          )
        const right = told(sorted).toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
        const first = await give(engine, right)
        const others = told(shuffled)
        const [tells, kept] = [new Set<string>(), new Set<string>()]
        for (let at = 0, part = 0; at < order.length; at += sizes[part++]!) {
          const some = order.slice(at, at + sizes[part]!).map(([i]) => others[i]!)
          const over = kept.has('delivered') || kept.has('coming_back')
          for (const step of (await give(engine, some)).told) {
            tells.add(step)
            if (!over || /^(?:delivered|coming_back)/.test(step)) kept.add(step)
          }
        }
        const bare = async (id: string) => JSON.stringify(await recordOf(engine, 'shipments', id)).replaceAll(id, 'id')
        expect(await bare(shuffled)).toBe(await bare(sorted))
        for (const step of first.told) expect(tells).toContain(step)
        // One message for each step, however often it was told; none on the way once the customer has the parcel.
        expect(await messagesOf(engine, shuffled)).toEqual([...kept].toSorted())
        // What came at once, in whatever order, counts as one list as well.
        const again = await give(engine, others)
        expect(again.tracked.every(({ outcome }) => outcome === 'known')).toBe(true)
        expect(again.told).toEqual([])
      }),
      { numRuns: name === 'SQLite' ? runs(40, 200) : runs(5, 30) },
    )
    await engine.close()
  })

  test('a late scan told a customer who had the parcel that it could not be delivered', async () => {
    const engine = await open()
    await engine.save('shipment', [shipment('l', 'ready_for_pickup')])
    const at = (event: Scan['event'], hours: number) => scanOf('AWBl', `l${hours}`, event, begun + hours * hour)
    await give(engine, [at('picked_up', 1), at('delivered', 12)])
    expect((await give(engine, [at('attempt_failed', 10), at('out_for_delivery', 11)])).tracked).toHaveLength(2)
    expect(await messagesOf(engine, 'l')).toEqual(['delivered', 'shipped'])
    await engine.close()
  })

  test('an order that was cancelled was confirmed to its customer afterwards', async () => {
    const engine = await open()
    await engine.save('shipment', [shipment('c', 'ready_for_pickup')])
    const { database, account, host } = engine
    const record = shipment('c', 'ready_for_pickup')
    await database.write(() => makeStepMessages(account, host, 'shipment', [record], 'order_confirmed'))
    const counts = () => database.read(() => countMessages(account), 'single')
    expect(await counts()).toEqual(new Map([['waiting', 1]]))
    await give(engine, [scanOf('AWBc', 'c1', 'cancelled', begun + hour)])
    expect(await counts()).toEqual(new Map([['cancelled', 1]]))
    await engine.close()
  })

  test('a return goes from the customer to the warehouse, also in the words of forward parcels', async () => {
    const engine = await open()
    await engine.save('return', [back('r')])
    const words = ['return_pickup_scheduled', 'not_picked', 'picked_up', 'out_for_delivery', 'delivered'] as const
    const { tracked, told } = await give(
      engine,
      words.map((event, n) => scanOf('AWBr', `r${n}`, event, begun + n * hour)),
    )
    expect(tracked.map(({ outcome }) => outcome)).toEqual(words.map(() => 'applied'))
    expect(told).toEqual(['return_pickup_scheduled', 'return_received'])
    const { doc, ...columns } = await recordOf(engine, 'returns', 'r')
    expect(columns).toMatchObject({
      status: 'return_received',
      granular_status: 'return_delivered',
      qc_status: 'passed',
      return_delivered_at: begun + 4 * hour,
    })
    expect((JSON.parse(doc as string) as Return).attributes.status).toBe('delivered')
    await engine.close()
  })

  test('what cannot follow is kept and says what could; what cannot be understood is refused', async () => {
    const engine = await open()
    await engine.save('shipment', [
      shipment('s'),
      { ...shipment('t'), attributes: { ...shipment('t').attributes, tracking_number: 'AWBu' } },
      shipment('u'),
    ])
    await engine.save('return', [back('r')])
    const { tracked } = await give(engine, [
      scanOf('AWBs', '1', 'reattempt', begun + hour),
      scanOf('AWBx', '2', 'picked_up', begun + hour),
      scanOf('AWBu', '3', 'picked_up', begun + hour),
      scanOf('AWBs', '4', 'return_delivered', begun + hour),
      scanOf('AWBr', '5', 'rto_initiated', begun + hour),
      scanOf('AWBs', '6', 'picked_up', begun - 1),
      scanOf('AWBs', '7', 'picked_up', testNow + hour),
      scanOf('AWBs', '8', 'picked_up', begun + 2 * hour),
      scanOf('AWBs', '8', 'delivered', begun + 3 * hour),
    ])
    expect(
      tracked.map((one) =>
        'message' in one
          ? `${one.field}: ${one.message}`
          : 'possible' in one
            ? `${one.outcome}: ${one.possible.join(' ')}`
            : one.outcome,
      ),
    ).toMatchInlineSnapshot(`
      [
        "ignored: pickup_scheduled not_picked picked_up in_transit out_for_delivery attempt_failed delivered rto_initiated rto_in_transit rto_delivered lost cancelled",
        "tracking_number: no parcel has the tracking number AWBx",
        "tracking_number: 2 parcels have the tracking number AWBu",
        "event: return_delivered is not an event of a shipment, and AWBs is a shipment",
        "event: rto_initiated is not an event of a return, and AWBr is a return",
        "at: 2025-11-17 12:33 IST is before the order of 2025-11-17 12:33",
        "at: 2025-11-21 17:33 IST is in the future",
        "applied",
        "known",
      ]
    `)
    await engine.close()
  })

  test('one failed attempt that two dumps tell is one, in whatever order they come', async () => {
    const engine = await open()
    await engine.save('shipment', [shipment('s')])
    const [one, two, three] = ['2', '1', '3'].map((id) =>
      scanOf('AWBs', id, 'attempt_failed', begun + hour, { location: id === '2' ? null : `Hub ${id}` }),
    )
    expect((await give(engine, [one!])).tracked).toMatchObject([{ outcome: 'applied' }])
    const again = await give(engine, [two!, three!])
    expect(again.tracked.map(({ outcome }) => outcome)).toEqual(['known', 'known'])
    expect((await give(engine, [one!, two!, three!])).tracked.map(({ outcome }) => outcome)).toEqual([
      'known',
      'known',
      'known',
    ])
    expect(await messagesOf(engine, 's')).toEqual(['attempt_failed:1', 'shipped'])
    expect(await recordOf(engine, 'shipments', 's')).toMatchObject({ attempt_count: 1 })
    await engine.close()
  })

  test('a list of 650 scans comes to the same as a few at a time', async () => {
    const engine = await open()
    const steps = ['picked_up', 'in_transit', 'out_for_delivery', 'attempt_failed', 'delivered'] as const
    const parcels = (side: string) => Array.from({ length: 130 }, (_, n) => `${side}${String(n).padStart(3, '0')}`)
    const scansOf = (side: string): readonly Scan[] =>
      steps.flatMap((event, hours) =>
        parcels(side).map((id, n) =>
          // One number is missing, one scan comes twice, and one cannot follow.
          n === 50
            ? scanOf('AWBnone', `${id}-${event}`, event, begun + hours * hour)
            : scanOf(
                `AWB${id}`,
                n === 60 && event === 'in_transit' ? `${id}-picked_up` : `${id}-${event}`,
                n === 70 && event === 'attempt_failed' ? 'not_picked' : event,
                begun + hours * hour,
              ),
        ),
      )
    const [whole, parts] = ['a', 'b'] as const
    await engine.save(
      'shipment',
      [whole, parts].flatMap((side) => parcels(side).map((id) => shipment(id))),
    )
    const { tracked } = await give(engine, scansOf(whole))
    const few = scansOf(parts)
    const byFew: unknown[] = []
    for (let at = 0; at < few.length; at += 90) byFew.push(...(await give(engine, few.slice(at, at + 90))).tracked)
    const outcomes = tracked.map(({ outcome }) => outcome)
    expect(outcomes).toEqual(byFew.map((one) => (one as { outcome: string }).outcome))
    const counts = Object.fromEntries(
      ['applied', 'known', 'ignored', 'refused'].map((name) => [name, outcomes.filter((one) => one === name).length]),
    )
    expect(counts).toEqual({ applied: 643, known: 1, ignored: 1, refused: 5 })
    for (const [n, id] of parcels(whole).entries()) {
      const other = parcels(parts)[n]!
      const bare = async (one: string) => JSON.stringify(await recordOf(engine, 'shipments', one)).replaceAll(one, 'id')
      expect(await bare(id)).toBe(await bare(other))
      expect(await messagesOf(engine, id)).toEqual(await messagesOf(engine, other))
    }
    await engine.close()
  })

  test('a long list saves a brand once, and writes each table in the order of its keys', async () => {
    const engine = await open()
    await engine.service.createStore(parseInput('createStore', { store_name: 'acme', brand_name: 'Acme' }))
    const ids = Array.from({ length: 400 }, (_, n) => `s${(n * 7919) % 400}`)
    await engine.save(
      'shipment',
      ids.map((id) => {
        const { attributes, ...rest } = shipment(id)
        return { ...rest, attributes: { ...attributes, order: { display_id: id, store_name: 'acme' } } }
      }),
    )
    const sent: Sent[] = []
    const noted = { ...engine, database: noting(engine.database, engine.account, sent) }
    const events = ['picked_up', 'cancelled', 'lost'] as const
    await give(
      noted,
      ids.toReversed().map((id, n) => scanOf(`AWB${id}`, id, events[n % 3]!, begun + hour)),
    )
    const asked = sent.map(({ statement }) => statement)
    expect(asked.filter(({ sql }) => sql.includes('insert into brands'))).toHaveLength(1)
    const keysOf = (start: string, key: (values: readonly unknown[]) => unknown): readonly unknown[] =>
      asked
        .filter(({ sql }) => sql.startsWith(start))
        .flatMap(({ values, more = [] }) => [values, ...more].map((line) => key(line)))
    for (const [start, key, many] of [
      ['insert into events', (values) => values[1], 400],
      ['insert into journeys', (values) => values[1], 400],
      ['insert into messages', (values) => values[2], 134],
      ['update shipments', (values) => values.at(-1), 400],
      ['update shipment_docs', (values) => values.at(-1), 400],
    ] satisfies [string, (values: readonly unknown[]) => unknown, number][]) {
      const keys = keysOf(start, key)
      expect([start, keys.length]).toEqual([start, many])
      expect(keys).toEqual(keys.toSorted((a, b) => (a! < b! ? -1 : 1)))
    }
    await engine.close()
  })

  test('parcels have places within their span: in the order in which they were saved, of both kinds', async () => {
    const engine = await open()
    const { database, account } = engine
    expect(await database.read(() => recordSpan(database.dialect, account))).toEqual([0, 0])
    for (const id of ['c', 'a', 'b']) await engine.save('shipment', [shipment(id)])
    await engine.save('return', [back('r')])
    const [first, last] = await database.read(() => recordSpan(database.dialect, account))
    const places = await database.read(() => recordPlaces(account, ['AWBa', 'AWBb', 'AWBc', 'AWBr', 'AWBnone', 'AWBa']))
    expect([...places.keys()].toSorted()).toEqual(['AWBa', 'AWBb', 'AWBc', 'AWBr'])
    const ofShipments = ['c', 'a', 'b'].map((id) => places.get(`AWB${id}`)!)
    expect(ofShipments).toEqual(ofShipments.toSorted((a, b) => a - b))
    expect([Math.min(...places.values()), Math.max(...places.values())]).toEqual([first, last])
    await engine.close()
  })

  test('one event id for two parcels far apart in a list is refused', async () => {
    const engine = await open()
    const ids = Array.from({ length: 400 }, (_, n) => `s${n}`)
    await engine.save(
      'shipment',
      ids.map((id) => shipment(id)),
    )
    const scans = ids.map((id, n) => ({
      ...scanOf(`AWB${id}`, n === 0 || n === 399 ? 'one' : id, 'picked_up', begun + hour),
      named: true,
    }))
    const { tracked } = await give(engine, scans)
    expect(tracked.slice(0, -1).every(({ outcome }) => outcome === 'applied')).toBe(true)
    expect(tracked.at(-1)).toMatchObject({ outcome: 'refused', field: 'event_id' })
    await engine.close()
  })

  test('an order that is cancelled by hand is where later scans go on from', async () => {
    const engine = await open()
    await engine.save('shipment', [shipment('s')])
    await give(engine, [scanOf('AWBs', '2', 'picked_up', begun + 2 * hour)])
    await engine.save('shipment', [shipment('s', 'cancelled')])
    const { tracked } = await give(engine, [
      scanOf('AWBs', '1', 'pickup_scheduled', begun + hour),
      scanOf('AWBs', '3', 'delivered', begun + 3 * hour),
    ])
    expect(tracked.map(({ outcome }) => outcome)).toEqual(['ignored', 'ignored'])
    expect(await recordOf(engine, 'shipments', 's')).toMatchObject({ granular_status: 'cancelled' })
    await engine.close()
  })
})

test('every event leads somewhere, and no status has two ways for one event', () => {
  // With two ways the order of the rows would decide.
  for (const journey of [forwardJourney, returnJourney] as const)
    for (const [event, rows] of Object.entries<readonly Step<string, string>[]>(journey)) {
      const froms = rows.flatMap(({ from }) => from)
      expect([event, froms.length > 0, new Set(froms).size]).toEqual([event, true, froms.length])
    }
})
