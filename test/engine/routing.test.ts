// Every statement of the engine names one account for every table that it touches, so that a database that is spread by
// account (partitions, Citus) answers it in one place (docs/scaling.md).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Filter } from '../../src/domain/filters.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { returnFilters, returnSorts } from '../../src/domain/parcels/returns.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { shipmentFilters, type Shipment } from '../../src/domain/parcels/shipments.ts'
import { shipmentDates } from '../../src/domain/parcels/statuses.ts'
import { manyKeys, returnKeys, shipmentKeys } from '../../src/domain/parcels/summary.ts'
import { openStatuses } from '../../src/domain/parcels/worklists.ts'
import {
  rows,
  type Database,
  type RecordKind,
  type Row,
  type Statement,
  type Work,
} from '../../src/engine/database/port.ts'
import { brandedStore, findBrand } from '../../src/engine/messages/brands.ts'
import { copyDatabase, countTables } from '../../src/engine/transfer/copy.ts'
import { importRecords } from '../../src/engine/transfer/imports.ts'
import { matches, recordsAt } from '../../src/engine/records/listing.ts'
import { createKey, findKey, listKeys, revokeKey } from '../../src/engine/accounts/keys.ts'
import {
  beginPull,
  countCreated,
  openMoments,
  pullStates,
  removeUnseen,
  replaceStores,
  savePull,
  saveSent,
} from '../../src/engine/transfer/mirror.ts'
import { readSent } from '../../src/domain/foreign/records.ts'
import { listGateways, saveGateway } from '../../src/engine/messages/gateways.ts'
import {
  cancelMessages,
  claimMessages,
  countMessages,
  getMessage,
  listMessages,
  retryMessages,
  settleMessages,
} from '../../src/engine/messages/queue.ts'
import { tellInto } from '../../src/engine/messages/outbox.ts'
import { track } from '../../src/engine/tracking.ts'
import { addOptout, listOptouts, removeOptout } from '../../src/engine/messages/optouts.ts'
import { listWebhooks, removeWebhook, setWebhook } from '../../src/engine/messages/webhooks.ts'
import { absentNames, courierNames, namesThere } from '../../src/engine/records/absentnames.ts'
import { createOrders, foreseeOrders, ordersThere } from '../../src/engine/orders/orders.ts'
import { assignOrder, cancelOrder } from '../../src/engine/orders/changes.ts'
import { offersOf } from '../../src/engine/orders/booking.ts'
import { shipmentsNamed } from '../../src/engine/records/references.ts'
import { createReturn, updateReturn } from '../../src/engine/orders/returns.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import {
  findAccount,
  findCard,
  listCards,
  listWarehouses,
  removeWarehouse,
  saveCard,
  setWarehouse,
  useCard,
} from '../../src/engine/accounts/settings.ts'
import { listStores, logoOf, saveStore, setStoreStatus } from '../../src/engine/accounts/stores.ts'
import { moveSome, parcelsWith, planSome, sceneOf } from '../../src/engine/sample/simulation.ts'
import { quietShipments } from '../../src/engine/records/stuck.ts'
import { reportReturns, reportShipments } from '../../src/engine/records/report.ts'
import { sumReturns, sumShipments } from '../../src/engine/records/summary.ts'
import {
  listTemplates,
  removeTemplate,
  saveTemplate,
  templateFor,
  useLanguage,
} from '../../src/engine/messages/templates.ts'
import { saveWanted, standings, storesAfter } from '../../src/engine/accounts/storesbulk.ts'
import type { Host } from '../../src/engine/runtime.ts'
import { engineOn, openPostgresEngine, testHost, testNow, type TestEngine } from '../support/engine.ts'
import { png } from '../support/pictures.ts'
import { touches } from '../support/sqlstatements.ts'
import { orderRequest, rateRequest } from '../support/requests.ts'
import { first } from '../support/size.ts'
import { root, trackedFiles } from '../support/checkout.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Tables that lie in one piece, or whole in every place: an account is found by its name and a key by its hash, both
 * before the account is known. They are small, read by key and hardly ever written.
 */
const directory: ReadonlySet<string> = new Set(['accounts', 'keys'])

/** No other bound value is equal to these by chance. */
const accountNumbers = { routed: 700_001, neighbour: 800_003 } as const

const plan: SeedPlan = { shipments: 400, returns: 150, stores: 6, days: 60, seed: 5, now: testNow }

/** A statement as the engine sent it, and for which account; undefined where one piece of work goes through all. */
interface Sent {
  readonly statement: Statement
  readonly account: number | undefined
}

/** The database, and a note of every statement that work for an account sends to it. */
function noting(database: Database, account: number | undefined, sent: Sent[]): Database {
  function* watched<T>(work: Work<T>): Work<T> {
    let step = work.next()
    while (step.done !== true) {
      sent.push({ statement: step.value, account })
      step = work.next(yield step.value)
    }
    return step.value
  }
  return {
    ...database,
    read: (work, single) => database.read(() => watched(work()), single),
    write: (work) => database.write(() => watched(work())),
  }
}

/** Values that each filter is asked with; the first one is asked in pairs too. */
const values = {
  shipment: {
    search: ['kurta cotton', 'kurta', 'an', 'kurta an', 'कुर्ता', '%_\\'],
    status: ['delivered'],
    granular_status: [['delivered'], ['delivered', 'lost']],
    carrier_id: [['x'], ['x', 'y']],
    warehouse_ids: [['x'], ['x', 'y']],
    channel: [['x'], ['x', 'y']],
    zone: [['zone_a'], ['zone_a', 'zone_e']],
    is_cod: [true],
    sku: [['x'], ['x', 'y']],
    tags: [['gift'], ['gift', 'y']],
    ndr_reason: [['other'], ['other', 'premises_closed']],
    rto_reason: [['other'], ['other', 'premises_closed']],
    applied_weight_min: [0],
    applied_weight_max: [50_000],
    attempts_count__gte: [0],
    attempts_count__lte: [9],
    store_name: [['x'], ['x', 'y']],
    order_display_id: [['x'], ['x', 'y']],
    start_time: [0],
    end_time: [9_999_999_999],
  } satisfies Record<keyof typeof shipmentFilters, readonly unknown[]>,
  return: {
    search: ['kurta cotton', 'kurta', 'an', 'kurta an'],
    status: ['return_received'],
    granular_status: [['return_delivered'], ['return_delivered', 'return_lost']],
    warehouse_id: [['x'], ['x', 'y']],
    channel: [['x'], ['x', 'y']],
    store_name: [['x'], ['x', 'y']],
    carrier_ids: [['x'], ['x', 'y']],
    zone: [['zone_a'], ['zone_a', 'zone_e']],
    refund_status: [['processed'], ['processed', 'failed']],
    qc_status: [['passed'], ['passed', 'failed']],
    display_id: [['x'], ['x', 'y']],
    sku: [['x'], ['x', 'y']],
    is_dangerous_goods: [false],
    created_at__gte: ['1970-01-02'],
    created_at__lte: ['2030-01-01'],
    return_pickup_scheduled_at__gte: ['1970-01-02'],
    return_pickup_scheduled_at__lte: ['2030-01-01'],
    return_delivered_at__gte: ['1970-01-02'],
    return_delivered_at__lte: ['2030-01-01'],
  } satisfies Record<keyof typeof returnFilters, readonly unknown[]>,
} as const

const filtersOf: Readonly<Record<RecordKind, Readonly<Record<string, Filter>>>> = {
  shipment: shipmentFilters,
  return: returnFilters,
}

/** Asks every listing question: each filter alone and with every other one, in each order, by page, cursor and walk. */
async function askListings({ service }: TestEngine): Promise<void> {
  for (const kind of ['shipment', 'return'] as const) {
    const page = (raw: Json) =>
      kind === 'shipment'
        ? service.listShipments(parseInput('listShipments', raw))
        : service.listReturns(parseInput('listReturns', raw))
    const sorts: readonly Json[] = kind === 'shipment' ? [{}] : returnSorts.map((sort_by) => ({ sort_by }))
    const everyWay = async (raw: Json): Promise<void> => {
      for (const sort of sorts) {
        const asked = { ...raw, ...sort }
        const { meta } = await page({ ...asked, per_page: 3 })
        const search_after = meta.next_search_after.length > 0 ? meta.next_search_after : ['1762000000000', 'a']
        await page({ ...asked, per_page: 100 })
        for (const sort_order of ['asc', 'desc']) {
          await page({ ...asked, sort_order, page: 2, per_page: 3 })
          await page({ ...asked, sort_order, search_after, per_page: 3 })
        }
      }
      const walk =
        kind === 'shipment'
          ? await service.walkShipments(parseInput('listShipments', raw))
          : await service.walkReturns(parseInput('listReturns', raw))
      for await (const batch of walk.batches) if (batch.records.length === 0) break
    }
    const asked: Readonly<Record<string, readonly unknown[]>> = values[kind]
    const names = Object.keys(filtersOf[kind])
    await everyWay({})
    for (const name of names) {
      for (const value of asked[name]!) await everyWay({ [name]: value })
      if (typeof filtersOf[kind][name]!.column !== 'string')
        for (const date_field of shipmentDates) await everyWay({ date_field, [name]: asked[name]![0] })
      for (const other of names) {
        if (other <= name) continue
        await page({ [name]: asked[name]![0], [other]: asked[other]![0], per_page: 1 })
        await page({ [name]: asked[name]![0], [other]: asked[other]!.at(-1), per_page: 100 })
      }
    }
  }
}

/** Sums up by every key, alone and with another, and asks what work lists ask. */
async function askLists({ database, account }: TestEngine): Promise<void> {
  const { dialect, read } = database
  const place = { dialect, account }
  const all = parseInput('listShipments', {})
  const some = parseInput('listShipments', { sku: ['x', 'y'], search: 'kurta an', zone: ['zone_a'] })
  for (const [i, key] of shipmentKeys.entries()) {
    await read(() => sumShipments(place, all, [key]))
    const other = shipmentKeys[(i + 3) % shipmentKeys.length]!
    if (!manyKeys.has(key) || !manyKeys.has(other)) await read(() => sumShipments(place, some, [key, other]))
  }
  for (const key of returnKeys) await read(() => sumReturns(place, parseInput('listReturns', {}), [key]))
  await read(() => reportShipments(place, some))
  await read(() => reportReturns(place, parseInput('listReturns', {})))
  for (const status of openStatuses) {
    const seqs = await read(() => quietShipments(place, some, status, testNow))
    await read(() => quietShipments(place, all, status, testNow))
    await read(() => recordsAt(place, 'shipment', [...seqs, 1]), 'single')
  }
  await read(() => matches(place, 'return', parseInput('listReturns', {})))
  await read(() => shipmentsNamed(account, ['a', 'b']), 'single')
  for (const named of ['store', 'courier', 'warehouse', 'channel', 'sku', 'tag'] as const) {
    expect(await read(() => absentNames(account, named, ['nobody']))).toEqual(['nobody'])
    await read(() => namesThere(account, named, 3))
  }
  await read(() => courierNames(account, ['nobody']), 'single')
}

const orderOf = (order_id: string, over: Json = {}) =>
  parseInput(
    'orchestrateForwardOrder',
    orderRequest({ order_id, payment_method: 'COD', cod_collectible: 999, tags: ['gift'], ...over }),
  )

/** Does whatever else the engine can do. */
async function doEverything({ service, database, account, host, save }: TestEngine): Promise<void> {
  const { dialect, read, write } = database
  const now = host.now()
  const shipments = [...seedShipments(plan)]
  await save('shipment', shipments)
  await save('return', seedReturns(plan))
  await write(() => setWarehouse(account, 'WH1', '400001'))
  await write(() => setWarehouse(account, 'WH2', '400001'))
  await write(() => removeWarehouse(account, 'WH2'))
  await read(() => listWarehouses(account), 'single')
  await write(() => saveCard(account, { ...sampleCard, name: 'own' }, now))
  await write(() => useCard(account, 'own'))
  await read(() => listCards(account), 'single')
  await read(() => findCard(account, 'own'), 'single')
  await read(() => findAccount('routed'), 'single')

  const { entry } = await write(() => createKey(account, { label: 'till' }, host))
  await read(() => listKeys(), 'single')
  await read(() => listKeys(account), 'single')
  await read(() => findKey('0'.repeat(64)), 'single')
  await write(() => revokeKey(entry.id, now))

  const call = { idempotency_key: 'store-1' }
  const wish = parseInput('createStore', { store_name: 'acme', logo: { bytes: png(), name: 'logo.png' } })
  const { data: store } = await service.createStore(wish, call)
  expect(await service.createStore(wish, call)).toEqual({ data: store })
  await service.listStores({})
  await service.getStore({ id: store.id })
  await read(() => listStores(account, { all: true, after: 'a', limit: 5 }), 'single')
  await read(() => logoOf(account, store.id), 'single')
  await write(() => saveTemplate(account, store.id, { language: 'hi', steps: {} }, now))
  await write(() => useLanguage(account, null, 'hi', now))
  expect((await read(() => templateFor(account, store.id))).documents).toHaveLength(1)
  expect(await read(() => listTemplates(account))).toHaveLength(2)
  await write(() => removeTemplate(account, store.id, 'hi'))
  expect((await read(() => brandedStore(account, 'acme'), 'single')).id).toBe(store.id)
  await expect(read(() => getMessage(account, 'none'), 'single')).rejects.toMatchObject({ code: 'not_found' })

  const linked = await service.orchestrateForwardOrder(orderOf('A-1', { store_name: 'acme' }), {
    idempotency_key: 'o-1',
  })
  expect(linked.payload.awb_generated).toBe(1)
  await service.orchestrateForwardOrder(orderOf('A-1', { store_name: 'acme' }), { idempotency_key: 'o-1' })
  await expect(service.orchestrateForwardOrder(orderOf('A-1'))).rejects.toMatchObject({ code: 'duplicate_order' })
  await service.createForwardOrder(orderOf('A-2'))
  await read(() => foreseeOrders(dialect, account, host, [orderOf('A-1')], true))
  await read(() => offersOf(account, orderOf('A-1'), now))
  const placed = await write(() =>
    createOrders(
      dialect,
      account,
      host,
      ['A-1', 'A-3', 'A-4'].map((id) => orderOf(id)),
      true,
    ),
  )
  expect(placed.map((one) => Object.keys(one))).toEqual([['there'], ['answer'], ['answer']])
  expect([...(await read(() => ordersThere(account, ['A-1', 'A-4', 'A-9']))).keys()].toSorted()).toEqual(['A-1', 'A-4'])
  await write(() => assignOrder(dialect, account, host, 'A-2', undefined))
  await write(() => cancelOrder(dialect, account, host, 'A-2'))
  await service.updateStore(parseInput('updateStore', { id: store.id, store_name: 'acme-kids', brand_name: 'Acme' }))
  await service.updateStore(parseInput('updateStore', { id: store.id, logo: null }))
  await write(() => setStoreStatus(account, store.id, 'disconnected', now))
  await write(() => saveStore(account, { ...store, store_name: 'acme-2', logo_url: null }, now))
  const other = { id: host.uuid(), store_name: 'other' }
  expect(await write(() => importRecords(dialect, account, 'stores', [other as never], now))).toEqual(['created'])
  const logo = { bytes: png(), name: 'logo.png' }
  const wanted = [
    { store_name: 'other', brand_name: 'Other', logo: undefined },
    { store_name: 'wanted', brand_name: null, logo },
  ]
  expect(await write(() => saveWanted(dialect, account, wanted, 'update', host))).toEqual(['updated', 'created'])
  expect(await read(() => standings(account, wanted))).toEqual(['same', 'same'])
  expect(await read(() => storesAfter(account, 'other', 10), 'single')).toHaveLength(1)

  const { attributes, id } = shipments[0]!
  const changed = { id, type: 'shipment', attributes: { ...attributes, tags: ['new'], items: [] } } as Shipment
  const outcomes = await write(() => importRecords(dialect, account, 'shipments', [changed, shipments[1]!], now))
  expect(outcomes).toEqual(['updated', 'unchanged'])

  const delivered = shipments.find((one) => one.attributes.status === 'delivered' && one.id !== id)!
  const draft = { reason: 'too small', skus: [], exchange: false, qc: true, dangerous: false }
  const made = await write(() => createReturn(dialect, account, host, { ...draft, shipment: delivered.id }))
  const display = made.attributes.display_id!
  await write(() => updateReturn(dialect, account, host, display, { status: 'return_pickup_scheduled', qc: 'passed' }))
  await write(() => updateReturn(dialect, account, host, made.id, { refund: 'processed' }))

  await tellEverything(database, account, host)

  const row = { kind: 'shipments', owner: 'one', state: '{}' }
  await write(() => beginPull(account, row, now))
  await write(() => savePull(account, row, now))
  await read(() => pullStates(account), 'single')
  for (const kind of ['shipments', 'returns'] as const) {
    await read(() => openMoments(dialect, account, kind, { from: 0, to: now, now }), 'single')
    await read(() => countCreated(account, kind, 0, now), 'single')
    const sent = readSent(
      kind,
      JSON.stringify({ id: 'sent', attributes: { created_at: '2020-01-02T00:00:00Z', tags: ['x'] } }),
    )
    await write(() => saveSent(dialect, account, kind, [sent!]))
    const at = Date.parse('2020-01-02T00:00:00Z')
    const stretch = { after: [at - 1, 'x'], upTo: [at, 'z'], from: at - 1, to: at } as const
    expect(await write(() => removeUnseen(account, kind, stretch, new Set()))).toBe(1)
  }
  const mirrored = { id: 'm', store_name: 'mirrored' } as const
  await write(() => replaceStores(account, [mirrored], now))

  await service.getRates(parseInput('getRates', rateRequest))
}

/** Does whatever there is to do with messages. */
async function tellEverything({ dialect, read, write }: Database, account: number, host: Host): Promise<void> {
  const now = host.now()
  const parcel = (await read(() => listMessages(account, {}, 1), 'single'))[0]!.tracking_number!
  const scans = ['one', 'two'].map(
    (id, n) =>
      ({
        tracking: parcel,
        id,
        event: 'in_transit',
        at: now - 1 - n,
        reason: null,
        location: null,
        description: null,
      }) as const,
  )
  for (const scan of scans) await write(() => track(dialect, account, host, [scan], tellInto(account, host)))
  const course = { seed: 42, days: 7, now }
  const scene = await read(() => sceneOf(account))
  await read(() => parcelsWith(account, [parcel]), 'single')
  for (const wanted of [{ numbers: [parcel] }, { kind: 'return', after: [0, 'x'] }] as const) {
    await read(() => planSome(dialect, account, host, course, scene, wanted))
    await write(() => moveSome(dialect, account, host, course, scene, wanted, 'waiting'))
  }
  await write(() => saveGateway(account, 'gateway', { url: 'https://example.com', secret: 'x' }, now))
  await read(() => listGateways(account), 'single')
  const { webhook } = await write(() =>
    setWebhook(account, { url: 'https://example.com', secret: 'x', api_key: null }, host),
  )
  await read(() => listWebhooks(account), 'single')
  const filter = {
    statuses: ['waiting'],
    channels: ['text'],
    steps: ['order_confirmed'],
    stores: ['acme'],
    tracking: ['x'],
    since: 1,
  } as const
  await read(() => listMessages(account, filter, 10, { created_at: now, id: 'x' }), 'single')
  const [message] = await read(() => listMessages(account, {}, 10), 'single')
  await read(() => getMessage(account, message!.id), 'single')
  await read(() => countMessages(account), 'single')
  await read(() => findBrand(account, 'x'), 'single')
  const ids = [message!.id]
  await write(() => retryMessages(account, 'failed', now))
  await write(() => retryMessages(account, ids, now))
  for (const quiet of [true, false]) {
    const claim = { now, until: now, channels: ['text', 'email', 'webhook'], limit: 10, quiet } as const
    const { claimed } = await write(() => claimMessages(dialect, account, claim))
    const [first, ...others] = claimed
    if (first === undefined) continue
    await write(() =>
      settleMessages(account, [
        { message: first, outcome: 'sent', at: now },
        ...others.map((one) => ({ message: one, outcome: 'failed', error: 'x', at: now }) as const),
      ]),
    )
    await write(() => settleMessages(account, [{ message: first, outcome: 'released' }]))
  }
  await write(() => cancelMessages(account, ids))
  await write(() => addOptout(account, '+919876543210', now))
  await read(() => listOptouts(account), 'single')
  await write(() => removeOptout(account, '+919876543210'))
  await write(() => removeWebhook(account, webhook.id))
}

/** Copies the database to a fresh one, and once more after somebody has changed that. */
async function copyEverything(from: Database, partitions: number, sent: Sent[]): Promise<void> {
  const fresh = await openPostgresEngine(testHost(), { partitions })
  try {
    const [source, target] = [from, fresh.database].map((database) => noting(database, undefined, sent))
    const copy = {
      source: source!,
      target: target!,
      digest: fresh.host.digest,
      ticks: Date.now,
      step: async () => undefined,
    }
    // The engine of tests has made an account of its own.
    await copyDatabase({ ...copy, force: true })
    const text = `update shipments set doc = doc || ' ' where account_id = $1 and status = $2`
    await fresh.database.write(() => rows({ sql: text, text, values: [accountNumbers.routed, 'delivered'] }))
    expect(await copyDatabase({ ...copy, force: true })).toMatchObject({ different: 0 })
    await countTables(source!, target!)
  } finally {
    await fresh.close()
  }
}

/** What is wrong with a statement that must be answered in one place: nothing, or a sentence. */
function fault({ statement: { text, values: bound, more = [] }, account }: Sent): string | undefined {
  const named = new Set<unknown>()
  for (const { table, accounts } of touches(text)) {
    if (directory.has(table)) continue
    if (accounts.length === 0) return `${table} without an account`
    for (const line of [bound, ...more]) for (const n of accounts) named.add(line[n - 1])
  }
  if (named.size > 1) return 'several accounts'
  return [...named].some((found) => (account === undefined ? typeof found !== 'number' : found !== account))
    ? 'another account'
    : undefined
}

/** A node of a plan as PostgreSQL explains it. */
interface Node {
  readonly 'Relation Name'?: string
  readonly 'Node Type': string
  readonly 'Subplans Removed'?: number
  readonly Plans?: readonly Node[]
}

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

describe.each(first(1, [16, 0]))('on PostgreSQL in %i partitions', (partitions) => {
  const sent: Sent[] = []
  /** One statement of each text. */
  let texts: readonly Sent[] = []
  let engine: TestEngine

  const query = (text: string, bound: readonly unknown[] = []): Promise<readonly Row[]> =>
    engine.database.read(() => rows({ sql: text, text, values: bound }))

  /** The tables that a statement would read or change, as PostgreSQL plans it with its values. */
  async function planned({ text, values: bound }: Statement): Promise<readonly string[]> {
    const [row] = await query(`explain (format json) ${text}`, bound)
    const [{ Plan }] = row!['QUERY PLAN'] as [{ Plan: Node }]
    const nodes = nodesOf(Plan)
    // Partitions that are left out at the last moment would be counted as left out by the planner.
    expect(nodes.every((node) => (node['Subplans Removed'] ?? 0) === 0)).toBe(true)
    // An insert and an update name the whole table as well.
    const whole = (node: Node): boolean => partitions > 0 && node['Node Type'] === 'ModifyTable'
    return nodes.flatMap((node) => (whole(node) ? [] : (node['Relation Name'] ?? [])))
  }

  beforeAll(async () => {
    const opened = await openPostgresEngine(testHost(), { partitions })
    const { database } = opened
    for (const [name, id] of Object.entries(accountNumbers)) {
      const text = 'insert into accounts (id, name, created_at) values ($1, $2, $3)'
      await database.write(() => rows({ sql: text, text, values: [id, name, testNow] }))
    }
    engine = { ...opened, ...(await engineOn(noting(database, accountNumbers.routed, sent), opened.host, 'routed')) }
    expect(engine.account).toBe(accountNumbers.routed)
    const neighbour = await engineOn(noting(database, accountNumbers.neighbour, sent), opened.host, 'neighbour')
    await doEverything(engine)
    await doEverything(neighbour)
    await askListings(engine)
    await askLists(engine)
    await copyEverything(database, partitions, sent)
    const seen = new Map<string, Sent>()
    for (const one of sent) seen.set(`${one.account} ${one.statement.text}`, one)
    texts = [...seen.values()]
    engine = opened
  })
  afterAll(() => engine.close())

  test('every statement names its account for every table', () => {
    const faults = new Map<string, string>()
    for (const one of sent) {
      const found = fault(one)
      if (found !== undefined) faults.set(one.statement.text, found)
    }
    expect([...faults]).toEqual([])
    expect(texts.length).toBeGreaterThan(500)
  })

  test('every table of the schema was touched by each verb that the engine has for it', async () => {
    const verbs = new Set(
      texts.flatMap(({ statement: { text } }) => touches(text).map(({ table }) => `${text.split(' ')[0]!} ${table}`)),
    )
    const tables = await query(
      `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`,
    )
    for (const { name } of tables) if (name !== 'shipx_schema') expect([...verbs]).toContain(`select ${String(name)}`)
    for (const name of ['shipments', 'returns', 'stores', 'ratecards', 'keys'])
      expect(verbs).toContain(`update ${name}`)
    for (const name of ['shipment_search', 'shipment_skus', 'shipment_tags', 'warehouses', 'idempotency'])
      expect(verbs).toContain(`delete ${name}`)
  })

  test('PostgreSQL plans every statement as it was understood, and for one partition', async () => {
    const wrong: unknown[] = []
    for (const { statement } of texts) {
      const relations = await planned(statement)
      const known = new Set(touches(statement.text).map(({ table }) => table))
      const strange = relations.filter((name) => !known.has(name.replace(/_p\d+$/, '')))
      const parts = new Set(relations.flatMap((name) => /_p(\d+)$/.exec(name)?.[1] ?? []))
      const whole = partitions === 0 ? [] : relations.filter((name) => !/_p\d+$/.test(name) && !directory.has(name))
      if (strange.length > 0 || parts.size > 1 || (whole.length > 0 && !statement.text.startsWith('insert')))
        wrong.push({ text: statement.text, relations })
    }
    expect(wrong).toEqual([])
  })

  test('a statement without its account is planned for all partitions', async () => {
    const text = 'select doc from shipments where id = $1'
    const relations = await planned({ sql: text, text, values: ['x'] })
    expect(new Set(relations).size).toBe(Math.max(1, partitions))
  })

  test('every primary key and every index leads with the account', async () => {
    const indexes = await query(
      `select t.relname as "table", c.relname as name, i.indisunique as "unique", a.attname as lead
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
         left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
       where t.relnamespace = current_schema()::regnamespace`,
    )
    expect(indexes.length).toBeGreaterThan(60 * Math.max(1, partitions))
    const others = indexes
      .filter(({ lead }) => lead !== 'account_id')
      .map(({ table, name }) => `${String(table)} ${String(name)}`)
    expect(others.toSorted()).toEqual(['accounts accounts_name_key', 'accounts accounts_pkey', 'keys keys_pkey'])
  })

  test('nothing is numbered by the database, and no trigger runs', async () => {
    const found = await query(
      `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
       union all select t.tgname from pg_trigger t where not t.tgisinternal
       union all select f.conname from pg_constraint f where f.contype = 'f'`,
    )
    expect(found).toEqual([])
  })
})

describe('what is found at fault', () => {
  const account = accountNumbers.routed
  const found = (text: string, bound: readonly unknown[]) =>
    fault({ statement: { sql: text, text, values: bound }, account })

  test.each([
    ['select doc from shipments where id = $1', ['x']],
    ['select doc from shipments where account_id = $1 or id = $2', [account, 'x']],
    ['select doc from shipments where not account_id = $1', [account]],
    ['select doc from shipments where account_id > $1', [account]],
    [
      'select doc from shipments r where r.account_id = $1 and r.seq in (select k.seq from shipment_skus k where k.value = $2)',
      [account, 'x'],
    ],
    [
      'select 1 from shipments r where exists (select 1 from shipment_skus k where k.account_id = $1 and r.account_id = $1)',
      [account],
    ],
    ['select k.seq from shipment_skus k join shipments r on r.seq = k.seq where k.account_id = $1', [account]],
    ['select (select count(*) from returns) as n from shipments where account_id = $1', [account]],
    [
      'select doc from shipments where account_id = $1 union all select doc from shipments where id = $2',
      [account, 'x'],
    ],
    ['select count(*) as n from (select 1 from returns r where r.status = $1) q', ['x']],
    ['insert into orders (id, account_id) values ($1, 1)', ['x']],
    ['insert into orders (id) values ($1)', ['x']],
    ['select c.value from shipment_tags c left join shipments r on c.account_id = $1 and r.account_id = $1', [account]],
    ['update stores set status = $1 where id = $2', ['x', 'y']],
    ['delete from idempotency where created_at < $1', [1]],
  ])('%s', (text, bound) => {
    expect(found(text, bound)).toMatch(/^\w+ without an account$/)
  })

  test('an account that is not the one who asks', () => {
    expect(found('select doc from shipments where account_id = $1', [800_003])).toBe('another account')
    expect(found('insert into orders (account_id, id) values ($1, $2)', ['x', account])).toBe('another account')
    const text = 'insert into orders (account_id, id) values ($1, $2)'
    const statement = {
      sql: text,
      text,
      values: [account, 'x'],
      more: [
        [account, 'y'],
        [800_003, 'z'],
      ],
    }
    expect(fault({ statement, account })).toBe('several accounts')
  })

  test('a row that moves to another account', () => {
    expect(() => found('update stores set account_id = $1 where account_id = $2', [1, account])).toThrow(
      /changes the account/,
    )
  })

  test('a query under a name that names no account', () => {
    expect(found('with m as materialized (select 1 from shipments r) select 1 from m', [])).toBeDefined()
    expect(
      found('with m as materialized (select 1 from shipments r where r.account_id = $1) select 1 from m', [account]),
    ).toBeUndefined()
  })

  test('a form that is not understood', () => {
    expect(() => found('with x as (select 1) select * from x', [])).toThrow(/not understood/)
    expect(() => found('truncate shipments', [])).toThrow(/not understood/)
  })

  test('what hands the account on is no fault', () => {
    const bound = [account]
    expect(
      found(
        'select 1 from shipments r join shipment_skus k on k.account_id = r.account_id where r.account_id = $1',
        bound,
      ),
    ).toBeUndefined()
    expect(
      found(
        'select 1 from shipments r where r.account_id = $1 and exists (select 1 from shipment_search s where s.account_id = r.account_id)',
        bound,
      ),
    ).toBeUndefined()
  })
})

test('every piece of work that the engine offers is done here', () => {
  const offered = trackedFiles('src/engine')
    // Tokens of SQL are not work, and what is about a file alone asks no server.
    .filter((name) => name.endsWith('.ts') && !/^src\/engine\/(?:database\/sqlite|sample\/|sql\/tokens)/.test(name))
    .flatMap((name) => [...readFileSync(join(root, name), 'utf8').matchAll(/^export function\* (\w+)/gm)])
    .map(([, name]) => name!)
  const here = readFileSync(new URL(import.meta.url), 'utf8')
  // Through the service, the engine of tests, or other work.
  const through = [
    'dropWaiting',
    'listNear',
    'writeNothing',
    'tellStep',
    'happen',
    'bookable',
    'moveParcels',
    'eventsThere',
    'row',
    'sumByEach',
    'once',
    'listPage',
    'fetchRecords',
    'surveyOf',
    'countOf',
    'countMatches',
    'listNext',
    'createOrder',
    'newTracking',
    'saveRecords',
    'saveEntries',
    'dropBeside',
    'itemsWhere',
    'findRecord',
    'renameStoreInRecords',
    'accountNamed',
    'warehousePincode',
    'cardInUse',
    'getStore',
    'createStore',
    'updateStore',
  ]
  expect(offered.filter((name) => !through.includes(name) && !here.includes(`${name}(`))).toEqual([])
})
