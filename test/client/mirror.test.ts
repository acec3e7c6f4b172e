// Defends the mirror: after the last pull it holds what the deployment holds, whatever changed, broke or was killed on the
// way; what it answers is what the deployment would answer; and what it cannot know it does not say.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { newState, type PullState, type Wish } from '../../src/cli/source/mirrorstate.ts'
import type { Pulled } from '../../src/cli/commands/pull/pullrun.ts'
import { pullRecords } from '../../src/cli/commands/pull/run.ts'
import type { RemoteService } from '../../src/client/service.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import type { Page } from '../../src/domain/page.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { returnFilters } from '../../src/domain/parcels/returns.ts'
import { readSent, type SentKind } from '../../src/domain/foreign/records.ts'
import type { shipmentFilters } from '../../src/domain/parcels/shipments.ts'
import { rows } from '../../src/engine/database/port.ts'
import { checkRecord } from '../../src/engine/transfer/imports.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { pullStates } from '../../src/engine/transfer/mirror.ts'
import { chanceOf } from '../support/chance.ts'
import { openEngine, testNow, type TestEngine } from '../support/engine.ts'
import { clientOf } from '../scorecard/clients.ts'
import { bareEnv, shipx, start, type Ran } from '../scorecard/serving.ts'
import { startService, type TestService } from '../support/service.ts'
import { key as shapesKey, startShapes, type Shapes } from '../support/recordshapes.ts'
import { sandbox } from '../support/sandbox.ts'
import { startStandIn, type Listed, type StandIn, type StandInOptions } from '../support/foreigndeployment.ts'

const clock = Date.parse('2026-10-01T06:00:00Z')
const hour = 3_600_000

async function standIn(options?: StandInOptions): Promise<StandIn> {
  const remote = await startStandIn(options)
  onTestFinished(() => remote.close())
  return remote
}

/* ---- A mirror in this process ---- */

interface Mirror {
  readonly engine: TestEngine
  /** Pulls one kind; `stopAt` ends it at the so-many-th page that is saved. */
  readonly pull: (kind: SentKind, wish?: Partial<Wish>, stopAt?: number) => Promise<Pulled>
  readonly docs: (kind: SentKind) => Promise<ReadonlyMap<string, string>>
  readonly state: (kind: SentKind) => Promise<PullState>
}

async function mirrorOf(remote: { readonly url: string; readonly key: string }, now = () => clock): Promise<Mirror> {
  const engine = await openEngine()
  const client: RemoteService = clientOf({ base_url: remote.url, key: remote.key, sleep: async () => undefined })
  onTestFinished(async () => {
    await client.close()
    await engine.close()
  })
  const { database, account } = engine
  const stateOf = async (kind: SentKind): Promise<PullState | undefined> => {
    const row = (await database.read(() => pullStates(account), 'single')).find((one) => one.kind === kind)
    return row === undefined ? undefined : (JSON.parse(row.state) as PullState)
  }
  let pulls = 0
  return {
    engine,
    state: async (kind) => (await stateOf(kind))!,
    docs: async (kind) => {
      const page = await engine.service[kind === 'shipments' ? 'walkShipments' : 'walkReturns']({})
      const found = new Map<string, string>()
      for await (const { records } of page.batches)
        for (const record of records) found.set(String((JSON.parse(record) as { id: unknown }).id), record)
      return found
    },
    pull: async (kind, wish = {}, stopAt = Infinity) => {
      const stop = new AbortController()
      await client.listStores({})
      let pages = 0
      return pullRecords(
        {
          kind, remote: client, database, account, now, ticks: () => performance.now(), owner: `pull ${++pulls}`, stop: stop.signal,
          advance: async () => {
            if (++pages >= stopAt) stop.abort()
          },
          warn: async () => undefined,
          *beside() {},
        },
        { ...((await stateOf(kind)) ?? newState('key')), capabilities: [...client.capabilities()!] },
        { since: 0, full: false, ...wish },
      ) // prettier-ignore
    },
  }
}

/** Whether both hold the same records, to the byte. */
async function same(mirror: Mirror, remote: StandIn, kind: Listed): Promise<void> {
  const [here, there] = [await mirror.docs(kind), remote.texts(kind)]
  expect([...here.keys()].toSorted()).toEqual([...there.keys()].toSorted())
  for (const [id, text] of there) expect([id, here.get(id)]).toEqual([id, text])
}

/** Pulls until nothing goes wrong any more. */
async function untilDone(mirror: Mirror, kind: SentKind): Promise<Pulled> {
  for (let tries = 0; ; tries++) {
    try {
      return await mirror.pull(kind)
    } catch (error) {
      if (!(error instanceof ShipxError) || !error.retryable || tries > 60) throw error
    }
  }
}

const open = ['pending', 'in_transit', 'out_for_delivery', 'ndr_raised', 'rto_in_transit', 'manifested']

/** A deployment whose records change, come, come late and go while it is read, and that fails now and then. */
function alive(remote: StandIn, seed: number, troubles: number): void {
  const chance = chanceOf(seed)
  let n = 0
  remote.switches.trouble = ({ path }) => {
    if (path !== '/shipments' && path !== '/returns') return undefined
    const kind = path.slice(1) as Listed
    const texts = [...remote.texts(kind).values()]
    const pick = () =>
      JSON.parse(texts[Math.floor(chance() * texts.length)]!) as { id: string; attributes: Record<string, unknown> }
    const createdOf = (record: { attributes: Record<string, unknown> }) =>
      Date.parse(String(record.attributes['created_at']))
    const dice = chance()
    if (dice < 0.2) {
      const moved = pick()
      if (open.includes(String(moved.attributes['status'])))
        remote.put(kind, moved.id, createdOf(moved), {
          ...moved.attributes,
          status: chance() < 0.5 ? 'delivered' : 'in_transit',
          moved: ++n,
        })
    } else if (dice < 0.3) remote.put(kind, `NEW${++n}`, clock - n * 1000, { ...pick().attributes, status: 'pending' })
    else if (dice < 0.35) {
      const near = pick()
      remote.put(kind, `LATE${++n}`, createdOf(near) + 1, near.attributes)
    }
    const luck = chance()
    if (luck < troubles) return { kind: 'html', status: 502 }
    if (luck < troubles * 1.5) return { kind: 'limited', retry_after: '0' }
    return luck < troubles * 2 ? { kind: 'reset' } : undefined
  }
}

const quiet = (remote: StandIn): void => void (remote.switches.trouble = () => undefined)

describe('a deployment that moves while it is read', { tags: ['full'] }, () => {
  test.each([1, 2, 3, 4])('is what the mirror holds after the last pull (%i)', async (seed) => {
    const chance = chanceOf(seed * 77)
    const remote = await standIn({ shipments: 700, returns: 260, depth: seed % 2 === 0 ? 200 : 5000 })
    const mirror = await mirrorOf(remote)
    alive(remote, seed, 0.05)
    for (const kind of ['shipments', 'returns'] as const) {
      for (let i = 0; i < 4; i++) await mirror.pull(kind, {}, 1 + Math.floor(chance() * 6)).catch(() => undefined)
      await untilDone(mirror, kind)
    }
    quiet(remote)
    for (const kind of ['shipments', 'returns'] as const) {
      await mirror.pull(kind)
      await same(mirror, remote, kind)
      const again = await mirror.pull(kind)
      expect(again).toMatchObject({ new: 0, changed: 0, removed: 0 })
    }
  })

  test('what was settled and then changed is found by --full, and so is what went', async () => {
    const remote = await standIn({ shipments: 400 })
    const mirror = await mirrorOf(remote)
    await mirror.pull('shipments')
    const settled = [...remote.texts('shipments').values()]
      .map((text) => JSON.parse(text) as { id: string; attributes: Record<string, unknown> })
      .find(({ attributes }) => attributes['status'] === 'delivered')!
    remote.put('shipments', settled.id, Date.parse(String(settled.attributes['created_at'])), {
      ...settled.attributes,
      note: 'x',
    })
    remote.drop(
      'shipments',
      remote.ids('shipments').find((id) => id !== settled.id)!,
    )
    const pulled = await mirror.pull('shipments', { full: true })
    expect(pulled).toEqual({ new: 0, changed: 1, unchanged: 398, removed: 1 })
    await same(mirror, remote, 'shipments')
  })

  test('a late record is found by its count, with few requests', async () => {
    const remote = await standIn({ shipments: 3000 })
    const mirror = await mirrorOf(remote)
    await mirror.pull('shipments')
    const old = JSON.parse([...remote.texts('shipments').values()][2900]!) as { attributes: Record<string, unknown> }
    remote.put('shipments', 'LATE', clock - 50 * 24 * hour, { ...old.attributes, status: 'delivered' })
    await mirror.pull('shipments')
    await same(mirror, remote, 'shipments')
  })
})

describe('a run', () => {
  test('counts each record once, over new, changed and unchanged', async () => {
    const remote = await standIn({ shipments: 730, depth: 200 })
    const mirror = await mirrorOf(remote)
    expect(await mirror.pull('shipments')).toEqual({ new: 730, changed: 0, unchanged: 0, removed: 0 })
    const { covered, run } = await mirror.state('shipments')
    expect([covered, run]).toEqual([{ from: 0, until: clock / 1000 }, undefined])
  })

  test('goes on after an interruption and reads no page twice that was saved', async () => {
    const remote = await standIn({ shipments: 1000, depth: 5000 })
    const mirror = await mirrorOf(remote)
    await expect(mirror.pull('shipments', {}, 4)).rejects.toMatchObject({ code: 'interrupted' })
    expect((await mirror.docs('shipments')).size).toBe(400)
    remote.forget()
    const pulled = await mirror.pull('shipments')
    expect(pulled.new).toBe(600)
    const whole = remote.requests.map(({ body }) => (body ?? {}) as { page?: number; start_time?: number })
    const pages = whole.flatMap(({ page, start_time }) => (start_time === undefined && page !== undefined ? page : []))
    expect([Math.min(...pages), pages.includes(5)]).toEqual([5, true])
    await same(mirror, remote, 'shipments')
  })

  test('ends at one moment: what is created meanwhile comes with the next one', async () => {
    const remote = await standIn({ shipments: 300 })
    let now = clock
    const mirror = await mirrorOf(remote, () => now)
    remote.switches.trouble = () => {
      now += 1000
      remote.put('shipments', `NOW${now}`, now, { status: 'pending' })
      return undefined
    }
    await mirror.pull('shipments')
    for (const { body, path } of remote.requests)
      if (path === '/shipments') expect((body as { end_time: number }).end_time).toBeLessThanOrEqual(clock / 1000 + 2)
    quiet(remote)
    now += 10_000
    await mirror.pull('shipments')
    await same(mirror, remote, 'shipments')
  })

  test('reads again only where something can still change', { tags: ['full'] }, async () => {
    const remote = await standIn({ shipments: 2000 })
    for (const text of remote.texts('shipments').values()) {
      const { id, attributes } = JSON.parse(text) as { id: string; attributes: Record<string, unknown> }
      const at = Date.parse(String(attributes['created_at']))
      remote.put('shipments', id, at, {
        ...attributes,
        status: at > clock - 8 * 24 * hour ? 'in_transit' : 'delivered',
        sub_status: null,
      })
    }
    const mirror = await mirrorOf(remote)
    await mirror.pull('shipments')
    remote.forget()
    const { unchanged } = await mirror.pull('shipments')
    expect(unchanged).toBeLessThan(500)
    expect(remote.requests.length).toBeLessThan(12)
  })

  test('--since limits how far back, and a later one without it fills the rest', async () => {
    const remote = await standIn({ shipments: 600 })
    const mirror = await mirrorOf(remote)
    const since = clock / 1000 - 20 * 86_400
    await mirror.pull('shipments', { since })
    const some = (await mirror.docs('shipments')).size
    const recent = [...remote.texts('shipments').values()].filter(
      (text) =>
        Date.parse((JSON.parse(text) as { attributes: { created_at: string } }).attributes.created_at) >= since * 1000,
    )
    expect(some).toBe(recent.length)
    expect((await mirror.state('shipments')).covered!.from).toBe(since)
    await mirror.pull('shipments')
    await same(mirror, remote, 'shipments')
  })

  test('is overtaken by one that begins after it', async () => {
    const remote = await standIn({ shipments: 500 })
    const mirror = await mirrorOf(remote)
    let begun: Promise<Pulled> | undefined
    remote.switches.trouble = ({ path }) => {
      if (path === '/shipments' && begun === undefined) begun = mirror.pull('shipments')
      return undefined
    }
    await expect(mirror.pull('shipments')).rejects.toThrow(/another shipx pull/)
    await begun
    await same(mirror, remote, 'shipments')
  })

  test('keeps under the depth that a deployment shows, and asks no deeper again', { tags: ['full'] }, async () => {
    const remote = await standIn({ shipments: 2000, depth: 400 })
    const mirror = await mirrorOf(remote)
    await mirror.pull('shipments')
    await same(mirror, remote, 'shipments')
    expect((await mirror.state('shipments')).most).toBe(400)
    remote.forget()
    await mirror.pull('shipments', { full: true })
    const pages = remote.requests.flatMap(({ body }) => (body as { page?: number } | undefined)?.page ?? 0)
    expect(Math.max(...pages)).toBeLessThanOrEqual(4)
  })

  test('says so where time does not tell records apart', async () => {
    const remote = await standIn({ shipments: 300, depth: 200 })
    const mirror = await mirrorOf(remote)
    // A deployment that ignores what it is asked for: every answer begins with the oldest of all.
    const text = [...remote.texts('shipments').values()].slice(0, 100).join(',')
    remote.switches.trouble = ({ path }) =>
      path === '/shipments'
        ? { kind: 'answer', status: 200, body: `{"data":[${text}],"meta":{"total":9000}}` }
        : undefined
    await expect(mirror.pull('shipments')).rejects.toMatchObject({ code: 'bad_answer' })
    expect(remote.requests.length).toBeLessThan(20)
  })
})

describe('what other deployments send', () => {
  test('is kept as it was sent, and found by what can be read in it', async () => {
    const remote = await standIn({ shipments: 0 })
    const mirror = await mirrorOf(remote)
    const odd = [
      { id: 7, attributes: { created_at: '2026-09-01 10:00:00', status: 'closed', zone: 'C', attempt_count: '3', applied_weight: { value: '0.5' } } },
      { id: 'b', attributes: { created_at: 1_788_000_000, items: { sku: 'A' }, tags: [null, 'gift'], is_cod: 'true', order: 'none' } },
      { id: 'c', type: 'parcel', attributes: { created_at: 'yesterday', shipment_milestones: [{ milestone: null }, 5], shipping_address: [] } },
      { id: 'd', attributes: { created_at: '2026-09-03T10:00:00Z', items: [{ sku: 12, name: null }, 'x'], order: { display_id: 99 } } },
      { id: 'e' },
      { attributes: { created_at: '2026-09-03T10:00:00Z' } },
    ] // prettier-ignore
    const text = (value: unknown): string => JSON.stringify(value).replace('"odd"', '1.50')
    const body = `{"data":[${odd.map(text).join(',')}],"meta":{"total":6}}`
    remote.switches.trouble = ({ path }) => (path === '/shipments' ? { kind: 'answer', status: 200, body } : undefined)
    await mirror.pull('shipments')
    expect([...(await mirror.docs('shipments')).values()].toSorted()).toEqual(odd.slice(0, 5).map(text).toSorted())
    const found = async (raw: object): Promise<readonly unknown[]> => {
      const { records } = await mirror.engine.service.listShipments(parseInput('listShipments', raw))
      return records.map((record) => (JSON.parse(record) as { id: unknown }).id)
    }
    expect(await found({ zone: ['c'] })).toEqual([7])
    expect(await found({ attempts_count__gte: 3 })).toEqual([7])
    expect(await found({ is_cod: true })).toEqual(['b'])
    expect(await found({ sku: ['12'] })).toEqual(['d'])
    expect(await found({ order_display_id: ['99'] })).toEqual(['d'])
    // A second time, and in another form: what lay beside the records before is taken away with it.
    remote.switches.trouble = ({ path }) =>
      path === '/shipments'
        ? {
            kind: 'answer',
            status: 200,
            body: `{"data":[{"id":"d","attributes":{"created_at":"2026-09-03T10:00:00Z","items":[]}}],"meta":{"total":1}}`,
          }
        : undefined
    await mirror.pull('shipments', { full: true })
    expect(await found({ sku: ['12'] })).toEqual([])
  })

  test('random JSON is read without a fault', () => {
    const chance = chanceOf(5)
    const junk = (depth: number): unknown => {
      const pick = Math.floor(chance() * (depth > 0 ? 9 : 6))
      if (pick === 6) return [junk(depth - 1), junk(depth - 1)]
      if (pick > 6)
        return { sku: junk(depth - 1), milestone: junk(depth - 1), value: junk(depth - 1), store_name: junk(depth - 1) }
      return [null, 5, '5.5', true, '2026-09-03T10:00:00Z', ''][pick]
    }
    const names = [
      'status',
      'items',
      'order',
      'tags',
      'shipment_milestones',
      'tracking_details',
      'applied_weight',
      'shipping_address',
      'zone',
      'is_cod',
      'created_at',
      'shipment',
      'return_items',
      'total_price',
    ]
    for (let n = 0; n < 1500; n++) {
      const attributes = Object.fromEntries(names.map((name) => [name, junk(3)]))
      for (const kind of ['shipments', 'returns'] as const) {
        const read = readSent(kind, JSON.stringify({ id: `r${n}`, attributes }))!
        expect(checkRecord(kind, read.record)).toEqual({ record: read.record })
      }
    }
  })
})

/* ---- The service of shipx serve: the mirror answers as it does ---- */

describe('a mirror of shipx serve', () => {
  const seeded = { shipments: 1500, returns: 500, stores: 5, days: 90, seed: 3, now: testNow }

  async function served(): Promise<{ readonly service: TestService; readonly mirror: Mirror }> {
    const service = await startService({ readers: 0 })
    onTestFinished(() => service.close())
    await service.engine.save('shipment', seedShipments(seeded))
    await service.engine.save('return', seedReturns(seeded))
    return { service, mirror: await mirrorOf(service, () => testNow) }
  }

  const valuesIn = (texts: Iterable<string>, home: string): readonly unknown[] => {
    const values = new Set<unknown>()
    const collect = (value: unknown, path: readonly string[]): void => {
      if (Array.isArray(value)) for (const one of value as unknown[]) collect(one, path)
      else if (path.length > 0)
        collect((value as Record<string, unknown> | null | undefined)?.[path[0]!], path.slice(1))
      else if (value !== null && value !== undefined) values.add(value)
    }
    for (const text of texts) collect(JSON.parse(text), ['attributes', ...home.split('.')])
    return [...values].toSorted()
  }

  const some = (values: readonly unknown[]): readonly unknown[] => [[values[0]], values.slice(0, 3), ['nothing']]

  test('every filter, order and page answers as the service does, to the byte', { tags: ['full'] }, async () => {
    const { service, mirror } = await served()
    for (const kind of ['shipments', 'returns'] as const) {
      await expect(mirror.pull(kind, {}, 1)).rejects.toMatchObject({ code: 'interrupted' })
      await mirror.pull(kind)
    }
    const remote = clientOf({ base_url: service.url, key: service.key })
    onTestFinished(() => remote.close())
    const [shipments, returns] = [
      (await mirror.docs('shipments')).values(),
      (await mirror.docs('returns')).values(),
    ].map((list) => [...list]) as [string[], string[]]
    const s = (home: string) => some(valuesIn(shipments, home))
    const r = (home: string) => some(valuesIn(returns, home))
    const day = '2025-10-20'
    const values = {
      listShipments: {
        search: ['kurta', 'a', 'cotton kurta', '%'], status: ['in_transit', 'delivered'], granular_status: [['delivered'], ['lost', 'ndr_raised']],
        carrier_id: s('carrier.id'), warehouse_ids: s('warehouse_id'), channel: s('order.channel'), zone: [['zone_a'], ['zone_d', 'zone_e']],
        is_cod: [true, false], sku: s('items.sku'), tags: s('tags'), ndr_reason: [['other'], ['customer_refused', 'premises_closed']],
        rto_reason: [['customer_refused']], applied_weight_min: [0, 800], applied_weight_max: [800], attempts_count__gte: [1, 2], attempts_count__lte: [0],
        store_name: s('order.store_name'), order_display_id: s('order.display_id'), start_time: [1_761_000_000], end_time: [1_761_000_000],
      } satisfies Record<keyof typeof shipmentFilters, readonly unknown[]>,
      listReturns: {
        search: ['kurta', 'a'], status: ['return_received', 'in_transit'], granular_status: [['return_delivered'], ['return_lost', 'return_in_transit']],
        warehouse_id: r('warehouse_id'), channel: r('order.channel'), store_name: r('order.store_name'), carrier_ids: r('shipment.carrier.id'),
        zone: [['zone_b']], refund_status: [['pending'], ['processed', 'failed']], qc_status: [['passed']], display_id: r('display_id'), sku: r('return_items.sku'),
        is_dangerous_goods: [true, false], created_at__gte: [day], created_at__lte: [day], return_pickup_scheduled_at__gte: [day],
        return_pickup_scheduled_at__lte: [day], return_delivered_at__gte: [day], return_delivered_at__lte: [day],
      } satisfies Record<keyof typeof returnFilters, readonly unknown[]>,
    } // prettier-ignore
    let kept = 0
    for (const endpoint of ['listShipments', 'listReturns'] as const)
      for (const [name, list] of Object.entries(values[endpoint]))
        for (const value of list)
          for (const rest of [{}, { sort_order: 'asc', per_page: 7, page: 2 }]) {
            const input = parseInput(endpoint, { [name]: value, ...rest })
            const ask = async (asked: Pick<RemoteService, typeof endpoint>): Promise<Page> =>
              asked[endpoint](input as never)
            const [here, there] = [await ask(mirror.engine.service), await ask(remote)]
            expect([name, value, here]).toEqual([name, value, there])
            if (there.meta.total > 0) kept++
          }
    expect(kept).toBeGreaterThan(80)
  })

  test('follows what changes, comes and goes there', async () => {
    const { service, mirror } = await served()
    await mirror.pull('shipments')
    const texts = [...(await mirror.docs('shipments')).values()]
    const record = (text: string) =>
      JSON.parse(text) as Parameters<TestEngine['save']>[1] extends Iterable<infer R> ? R : never
    const opened = texts.filter((text) => /"status":"(in_transit|pending)"/.test(text)).slice(0, 5)
    const moved = opened
      .map(record)
      .map((one) => ({ ...one, attributes: { ...one.attributes, status: 'delivered', granular_status: 'delivered' } }))
    await service.engine.save('shipment', moved as never)
    const late = { ...record(texts[900]!), id: 'LATE' }
    await service.engine.save('shipment', [late])
    const { database, account } = service.engine
    const text = 'delete from shipments where account_id = $1 and id = $2'
    const gone = record(texts[5]!).id
    await database.write(() => rows({ sql: text.replaceAll(/\$\d/g, '?'), text, values: [account, gone] }))
    const pulled = await mirror.pull('shipments')
    expect(pulled).toMatchObject({ new: 1, changed: 5, removed: 1 })
    const remote = clientOf({ base_url: service.url, key: service.key })
    onTestFinished(() => remote.close())
    const all = await remote.walkShipments({})
    const there = new Map<string, string>()
    for await (const { records } of all.batches) for (const one of records) there.set(record(one).id, one)
    expect(new Map([...(await mirror.docs('shipments'))].toSorted())).toEqual(new Map([...there].toSorted()))
  })
})

/* ---- The command ---- */

describe('records without an id', () => {
  const box = sandbox()
  afterAll(() => box.remove())
  const sentOf = (count: number, named: (n: number) => boolean): readonly string[] =>
    Array.from({ length: count }, (_, n) =>
      JSON.stringify({
        ...(named(n) ? { id: `S-${n}` } : {}),
        type: 'shipment',
        attributes: { status: 'delivered', tracking_number: `T-${n}`, created_at: '2026-09-20T00:00:00.000Z' },
      }),
    )
  const pullFrom = async (
    shapes: Shapes,
  ): Promise<{ readonly exit: unknown; readonly stdout: string; readonly stderr: string }> =>
    // prettier-ignore
    box.shipx(['pull', 'shipments', '--json'], { env: { SHIPX_BASE_URL: shapes.url, SHIPX_API_KEY: shapesKey } })

  test('are left out, counted once each, and told on stderr', async () => {
    // Three are alike.
    const shapes = await startShapes({ shipments: [...sentOf(30, (n) => n % 3 > 0), '{}', '{}', '{}'] })
    onTestFinished(() => shapes.close())
    for (const first of [true, false]) {
      const { exit, stdout, stderr } = await pullFrom(shapes)
      expect([exit, stderr.match(/^! .*$/gm)]).toEqual([
        0,
        ['! 13 shipments that the deployment sent had no id or no attributes; they were left out'],
      ])
      expect(JSON.parse(stdout)).toMatchObject({
        data: [{ new: first ? 20 : 0, unchanged: first ? 0 : 20, total: 20 }],
      })
    }
  })

  test('and nothing else are an error, each time', { tags: ['full'] }, async () => {
    const shapes = await startShapes({ shipments: sentOf(7, () => false) })
    onTestFinished(() => shapes.close())
    for (let run = 0; run < 5; run++) {
      const { exit, stdout, stderr } = await pullFrom(shapes)
      expect([exit, stdout, (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: object }).error]).toEqual([
        6,
        '',
        expect.objectContaining({
          code: 'bad_answer',
          message: expect.stringContaining('none of the 7 shipments') as unknown,
        }),
      ])
    }
  })
})

describe('shipx pull', () => {
  /** A folder of its own, and the built command against a stand-in in it. */
  async function placed(options?: StandInOptions) {
    const folder = mkdtempSync(join(tmpdir(), 'shipx-mirror-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const remote = await standIn(options)
    const env = {
      HOME: folder, SHIPX_DATA_DIR: join(folder, 'data'), SHIPX_CONFIG_DIR: join(folder, 'config'), SHIPX_BASE_URL: remote.url,
      SHIPX_API_KEY: remote.key, SHIPX_NOW: new Date(clock).toISOString(),
    } // prettier-ignore
    const run = (line: string, over: Readonly<Record<string, string>> = {}): Promise<Ran> =>
      shipx(line.split(' '), { cwd: folder, env: { ...env, ...over }, timeout: 100_000 })
    const mirrors = (): readonly string[] =>
      existsSync(join(folder, 'data', 'mirrors'))
        ? readdirSync(join(folder, 'data', 'mirrors')).filter((name) => name.endsWith('.sqlite'))
        : []
    return { folder, remote, env, run, mirrors }
  }

  test('copies all three kinds, and --local answers from the copy with its age', async () => {
    const { remote, run, mirrors, folder } = await placed({ shipments: 250, returns: 40 })
    const before = await run('shipments list --local')
    expect([before.exit, before.stderr]).toEqual([
      3,
      expect.stringMatching(/there is no mirror of 127\.0\.0\.1:\d+ yet\n.*shipx pull\n/),
    ])
    const pulled = await run('pull --json')
    expect([pulled.exit, pulled.stderr, JSON.parse(pulled.stdout)]).toEqual([
      0,
      '',
      {
        data: [
          { kind: 'shipments', new: 250, changed: 0, unchanged: 0, removed: 0, total: 250 },
          { kind: 'returns', new: 40, changed: 0, unchanged: 0, removed: 0, total: 40 },
          { kind: 'stores', new: 2, changed: 0, unchanged: 0, removed: 0, total: 2 },
        ],
      },
    ])
    expect(mirrors()).toEqual([expect.stringMatching(/^key-[0-9a-f]{16}\.sqlite$/)])
    const name = join(folder, 'data', 'mirrors', mirrors()[0]!)
    expect((statSync(name).mode & 0o777).toString(8)).toBe('600')
    expect(readFileSync(name).includes(remote.key)).toBe(false)
    remote.forget()
    const later = { SHIPX_NOW: new Date(clock + 12 * 60_000).toISOString() }
    const listed = await run('shipments list --local --all --jsonl', later)
    expect(listed.stdout.trimEnd().split('\n').toSorted()).toEqual([...remote.texts('shipments').values()].toSorted())
    const plain = await run('returns list --local --refund pending --limit 3', later)
    expect([plain.exit, plain.stderr]).toEqual([
      0,
      expect.stringMatching(/^mirror of 127\.0\.0\.1:\d+, 12 minutes old; shipx pull\n/),
    ])
    const id = remote.ids('shipments')[7]!
    expect((await run(`shipments get ${id} --local --json`)).stdout).toBe(
      `{"data":${remote.texts('shipments').get(id)!}}\n`,
    )
    const stores = [await run('stores list --local --json'), await run('stores list --json')]
    expect([JSON.parse(stores[0]!.stdout), stores[0]!.exit]).toEqual([
      {
        data: (JSON.parse(stores[1]!.stdout) as { data: { store_name: string }[] }).data.toSorted((a, b) =>
          a.store_name < b.store_name ? -1 : 1,
        ),
      },
      0,
    ])
    expect((await run('stores get kids-and-co --local --json')).stdout).toBe(
      (await run('stores get kids-and-co --json')).stdout,
    )
    expect(remote.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  test('a mirror refuses writes and what its deployment does not send', { tags: ['full'] }, async () => {
    const { remote, run } = await placed({ shipments: 60, returns: 20 })
    await run('pull -q')
    remote.forget()
    for (const line of [
      'stores create --name acme --local',
      'stores create --name acme --local --dry-run',
      'stores update kids-and-co --brand X --local',
      'stores disconnect kids-and-co --local --yes',
    ]) {
      const { exit, stderr } = await run(`${line} --json`)
      expect([line, exit, (JSON.parse(stderr) as { error: object }).error]).toEqual([
        line,
        2,
        expect.objectContaining({ code: 'mirror_read_only', hint: 'leave --local out to ask the deployment itself' }),
      ])
    }
    for (const [line, flag] of [
      ['shipments list --granular-status lost', '--granular-status'],
      ['shipments list --tags gift', '--tags'],
      ['shipments list --ndr-reason other --all', '--ndr-reason'],
      ['returns list --zone a', '--zone'],
      ['returns list --is-dangerous-goods true', '--is-dangerous-goods'],
    ]) {
      const { exit, stderr, stdout } = await run(`${line!} --local --json`)
      expect([
        line,
        exit,
        stdout,
        (JSON.parse(stderr) as { error: { details: { field: string }[] } }).error.details[0]!.field,
      ]).toEqual([line, 2, '', flag])
    }
    // Some of its records show a store: those are found, and one that none of them shows is refused.
    const nobody = await run('shipments list --store nobody --local --json')
    expect([nobody.exit, nobody.stderr]).toEqual([2, expect.stringContaining(`isn't a store of this account`)])
    // A status of its own is looked for, and so is none of ours.
    const odd = await run('shipments list --status shipment_booked --local --ids')
    expect([odd.exit, odd.stdout.split('\n').length > 3]).toEqual([0, true])
    expect(odd.stderr).toContain('looked for as written')
    // Prices are not mirrored: the embedded engine quotes.
    expect((await run('rates --from 400001 --to 560001 -w 500 -s 20x15x10 --prepaid --local --json')).exit).toBe(0)
    expect(remote.requests).toEqual([])
  })

  test('killed at any moment it goes on, and ends with everything', { tags: ['full'] }, async () => {
    const { remote, run, env, folder } = await placed({ shipments: 1200, returns: 300, depth: 500 })
    const chance = chanceOf(9)
    for (let i = 0; i < 6; i++) {
      const child = spawn(process.execPath, [start, 'pull', '-q'], {
        env: { ...bareEnv(), ...env },
        cwd: folder,
        stdio: 'ignore',
      })
      const wanted = remote.requests.length + 1 + Math.floor(chance() * 8)
      await new Promise<void>((resolve) => {
        child.on('exit', () => resolve())
        const timer = setInterval(() => {
          if (remote.requests.length >= wanted) child.kill('SIGKILL')
        }, 1)
        child.on('exit', () => clearInterval(timer))
      })
    }
    expect((await run('pull -q')).exit).toBe(0)
    for (const kind of ['shipments', 'returns'] as const) {
      const { stdout } = await run(`${kind} list --local --all --jsonl`)
      expect(stdout.trimEnd().split('\n').toSorted()).toEqual([...remote.texts(kind).values()].toSorted())
    }
  })

  test('Ctrl-C ends it at once, also while it waits, and says how to go on', { tags: ['full'] }, async () => {
    const { remote, env, folder, run } = await placed({ shipments: 900 })
    const pages = (): number => remote.requests.filter(({ path }) => path === '/shipments').length
    remote.switches.trouble = () => (pages() > 4 ? { kind: 'limited', retry_after: '60' } : undefined)
    const child = spawn(process.execPath, [start, 'pull'], { env: { ...bareEnv(), ...env }, cwd: folder })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
    while (pages() < 5) await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const asked = performance.now()
    child.kill('SIGINT')
    expect([await ended, said]).toEqual([
      130,
      expect.stringMatching(/✗ stopped; what was read is saved\n→ run the same command again to go on\n$/),
    ])
    expect(performance.now() - asked).toBeLessThan(10_000)
    const warned = await run('shipments list --local --ids')
    expect(warned.stderr).toContain('the first pull of its shipments has not ended')
    expect(warned.stdout.trimEnd().split('\n')).toHaveLength(20)
  })

  test('--watch pulls again and again, over failures, until Ctrl-C', { tags: ['full'] }, async () => {
    const { remote, env, folder } = await placed({ shipments: 30, returns: 5 })
    const child = spawn(process.execPath, [start, 'pull', 'shipments', '--watch', '1s', '--max-rps', '1000'], {
      env: { ...bareEnv(), ...env },
      cwd: folder,
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
    const lines = (): number => out.split('\n').length - 1
    const until = async (done: () => boolean): Promise<void> => {
      while (!done()) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await until(() => lines() >= 1)
    remote.put('shipments', 'NEW', clock - 1000, { status: 'pending' })
    remote.switches.trouble = () => ({ kind: 'html', status: 500 })
    await until(() => err.includes('next try in 1s'))
    quiet(remote)
    await until(() => lines() >= 3)
    child.kill('SIGINT')
    await ended
    expect(out.split('\n')[0]).toBe('2026-10-01 11:30  shipments: 30 new, 0 changed, 0 unchanged (30 in all)')
    expect(out).toMatch(/shipments: 1 new, .*\(31 in all\)/)
  })

  test('mirrors of two profiles, of two keys and of two addresses do not mix', { tags: ['full'] }, async () => {
    const { remote, run, folder, mirrors } = await placed({ shipments: 30 })
    const other = await standIn({ shipments: 12, key: 'another-key-of-another' })
    const profile = (at: StandIn) => ({
      base_url: at.url,
      auth_scheme: 'bearer',
      key: at.key,
      key_origin: at.url,
      key_place: 'file',
    })
    const store = (profiles: object): void => {
      mkdirSync(join(folder, 'config'), { recursive: true, mode: 0o700 })
      writeFileSync(join(folder, 'config', 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 })
    }
    store({ acme: profile(remote), beta: profile(other) })
    const bare = { SHIPX_BASE_URL: '', SHIPX_API_KEY: '' }
    const count = async (line: string, env: Readonly<Record<string, string>> = bare): Promise<number> => {
      const ran = await run(`shipments list --local --all --ids ${line}`.trim(), env)
      return ran.exit === 0 ? ran.stdout.trimEnd().split('\n').length : -ran.exit
    }
    await run('pull -q --profile acme', bare)
    expect(await count('--profile beta')).toBe(-3)
    await run('pull -q --profile beta', bare)
    await run('pull -q', { SHIPX_BASE_URL: other.url, SHIPX_API_KEY: other.key })
    expect([await count('--profile acme'), await count('--profile beta'), mirrors().length]).toEqual([30, 12, 3])
    expect(await count('', { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: other.key })).toBe(-3)
    // Another address under the same name is another mirror; another key there is read anew and takes away what was.
    store({ acme: profile(other), beta: profile(other) })
    expect(await count('--profile acme')).toBe(-3)
    store({ acme: profile(remote), beta: { ...profile(other), key: 'yet-another-key' } })
    const third = await run('pull -q --profile beta', bare)
    expect(third.exit).toBe(4)
    expect(await count('--profile beta')).toBe(12)
  })

  test('another key for the same profile reads everything anew', { tags: ['full'] }, async () => {
    const { folder, run, remote } = await placed({ shipments: 40, authorization: 'any' })
    const store = (key: string): void => {
      mkdirSync(join(folder, 'config'), { recursive: true, mode: 0o700 })
      writeFileSync(
        join(folder, 'config', 'config.json'),
        JSON.stringify({
          current: 'acme',
          profiles: { acme: { base_url: remote.url, key, key_origin: remote.url, key_place: 'file' } },
        }),
        { mode: 0o600 },
      )
    }
    const bare = { SHIPX_BASE_URL: '', SHIPX_API_KEY: '' }
    store('key-of-one-account')
    await run('pull -q', bare)
    for (const id of remote.ids('shipments').slice(0, 25)) remote.drop('shipments', id)
    remote.put('shipments', 'THEIRS', clock - hour, { status: 'delivered' })
    store('key-of-another-account')
    const { stderr, stdout } = await run('pull shipments --json', bare)
    expect(stderr).toContain('the key is another one than at the last pull')
    expect(JSON.parse(stdout)).toEqual({
      data: [{ kind: 'shipments', new: 1, changed: 0, unchanged: 15, removed: 25, total: 16 }],
    })
  })

  test.each([
    ['pull parcels', /isn't a kind of record/],
    ['pull --watch soon', /--watch/],
    ['pull --max-rps 0', /--max-rps/],
    ['pull --since whenever', /--since/],
    ['pull --db x.sqlite', /--db.*embedded engine/],
    ['pull --account other', /--account.*embedded engine/],
  ])('%s is refused before anything is sent', async (line, message) => {
    const { run, remote } = await placed({ shipments: 0 })
    const { exit, stderr } = await run(line)
    expect([exit, stderr, remote.requests]).toEqual([2, expect.stringMatching(message), []])
  })

  test('without a deployment it says how to name one', async () => {
    const { run } = await placed({ shipments: 0 })
    const { exit, stderr } = await run('pull', { SHIPX_BASE_URL: '', SHIPX_API_KEY: '' })
    expect([exit, stderr]).toEqual([2, expect.stringContaining('shipx auth login')])
  })
})
