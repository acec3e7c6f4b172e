// Every statement of a listing goes through an index of the account: no filter, page or search reads what it need not.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Query } from '../../src/domain/contract.ts'
import type { Filter } from '../../src/domain/filters.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { returnFilters, returnSorts, type Return } from '../../src/domain/parcels/returns.ts'
import { shipmentFilters, type Shipment } from '../../src/domain/parcels/shipments.ts'
import { shipmentDates } from '../../src/domain/parcels/statuses.ts'
import { columnsWhere, listings, type Listing } from '../../src/domain/parcels/listings.ts'
import { conditionsOf } from '../../src/engine/records/conditions.ts'
import {
  rows,
  type Database,
  type Dialect,
  type RecordKind,
  type Row,
  type Statement,
  type Work,
} from '../../src/engine/database/port.ts'
import { saveCard } from '../../src/engine/accounts/ratecards.ts'
import { priceSome, pricingBy } from '../../src/engine/orders/pricing.ts'
import { tablesOf } from '../../src/engine/records/entry.ts'
import { saveRecords } from '../../src/engine/records/records.ts'
import { sumReturns, sumShipments } from '../../src/engine/records/summary.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import { recordPlaces, recordSpan } from '../../src/engine/recordplaces.ts'
import { track } from '../../src/engine/tracking.ts'
import { full } from '../support/size.ts'
import { engineOn, openEngine, testNow, type TestEngine } from '../support/engine.ts'

type Json = Readonly<Record<string, unknown>>

const plan: SeedPlan = { shipments: 20_000, returns: 4_000, stores: 8, days: 60, seed: 5, now: testNow }

let engine: TestEngine
let watched: TestEngine
let seen: Statement[] = []
/** A record of each kind to take values from. */
let sent: Shipment
let back: Return

beforeAll(async () => {
  engine = await openEngine()
  const shipments = [...seedShipments(plan)]
  const returns = [...seedReturns(plan)]
  await engine.save('shipment', shipments)
  await engine.save('return', returns)
  const neighbour = await engine.as('neighbour')
  await neighbour.save('shipment', shipments.slice(0, 500))
  await neighbour.save('return', returns.slice(0, 100))
  sent = shipments.find(
    ({ attributes: a }) =>
      a.ndr_reason != null && a.rto_reason != null && a.order!.store_name != null && a.tags!.length > 0,
  )!
  back = returns.find(({ attributes: a }) => a.status === 'delivered' && a.order!.store_name != null)!
  watched = await engineOn(watching(engine.database))
})
afterAll(() => engine.close())

/** The database, and a note of every statement that work sends to it. */
function watching(database: Database): Database {
  function* noting<T>(work: Work<T>): Work<T> {
    let step = work.next()
    while (step.done !== true) {
      seen.push(step.value)
      step = work.next(yield step.value)
    }
    return step.value
  }
  return {
    ...database,
    read: (work) => database.read(() => noting(work())),
    write: (work) => database.write(() => noting(work())),
  }
}

const query = (sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
  engine.database.read(() => rows({ sql, text: sql, values }))

/** A statement that the engine sent, and each line of how SQLite runs it. */
interface Explained {
  readonly sql: string
  readonly steps: readonly { readonly outermost: boolean; readonly detail: string }[]
}

/** Sends a question as pages, cursors and a walk, and explains what came of it. */
async function explain(kind: RecordKind, raw: Json, deep = true): Promise<readonly Explained[]> {
  seen = []
  const page = async (more: Json) =>
    kind === 'shipment'
      ? watched.service.listShipments(parseInput('listShipments', { ...raw, ...more }))
      : watched.service.listReturns(parseInput('listReturns', { ...raw, ...more }))
  const first = await page({})
  if (deep) {
    const cursor = first.records.length > 0 ? first.meta.next_search_after : ['1762000000000', 'a']
    for (const sort_order of ['asc', 'desc']) {
      await page({ sort_order, page: 2, per_page: 100 })
      await page({ sort_order, search_after: cursor })
    }
    const walk =
      kind === 'shipment'
        ? await watched.service.walkShipments(parseInput('listShipments', raw))
        : await watched.service.walkReturns(parseInput('listReturns', raw))
    for await (const batch of walk.batches) if (batch.records.length > 0) break
  }
  return explainSeen()
}

/** Explains the statements that were sent since `seen` was emptied. */
function explainSeen(): Promise<readonly Explained[]> {
  const texts = new Map(seen.map((statement) => [statement.sql, statement]))
  return Promise.all(
    [...texts.values()].map(async ({ sql, values }) => ({
      sql,
      steps: (await query(`explain query plan ${sql}`, values)).map(({ parent, detail }) => ({
        outermost: parent === 0,
        detail: String(detail),
      })),
    })),
  )
}

// Words too short for the trigram index have to be looked for in the search text itself, which is the one scan there is.
const shortWords = /^SCAN s$/

/** Steps that read more than an index of the account leads to. */
function needless(steps: Explained['steps'], allowed = /^$/): readonly string[] {
  return steps
    .map(({ detail }) => detail)
    .filter(
      (detail) =>
        !(
          allowed.test(detail) ||
          /^SCAN [pq]$|^SCAN \w+_fts VIRTUAL TABLE INDEX \d+:M/.test(detail) ||
          /^SEARCH \w+ (EXISTS )?USING (COVERING )?INDEX \w+ \(account_id=\?/.test(detail) ||
          /^SEARCH \w+ (EXISTS )?USING PRIMARY KEY \(account_id=\? AND value=\?/.test(detail) ||
          /^SEARCH \w+ (EXISTS )?USING INTEGER PRIMARY KEY \(rowid/.test(detail) ||
          /^(CO-ROUTINE|LIST SUBQUERY|CORRELATED SCALAR SUBQUERY|CREATE BLOOM FILTER|USE TEMP B-TREE FOR|MATERIALIZE)\b/.test(
            detail,
          )
        ),
    )
}

/** Whether a statement reads the documents of a page. */
const isPage = (sql: string): boolean =>
  /^select (?:case when octet_length\(d\.doc\)|d\.doc|octet_length\(d\.doc\))/.test(sql)

/** What holds for every statement of a listing. */
async function expectIndexed(explained: readonly Explained[], allowed?: RegExp): Promise<void> {
  const names = new Set((await query(`select name from sqlite_schema where type = 'index'`)).map(({ name }) => name))
  expect(explained.length).toBeGreaterThan(0)
  for (const { sql, steps } of explained) {
    expect({ sql, needless: needless(steps, allowed) }).toEqual({ sql, needless: [] })
    expect(steps.length).toBeGreaterThan(0)
    // The account itself, or its range of `seq`.
    expect(sql).toMatch(/account_id = \?|(seq|rowid) between \? and \?/)
    for (const [, name] of sql.matchAll(/indexed by (\w+)/g)) expect(names).toContain(name)
    // The rows of a page are found in their order, and then the document of each is read by its number.
    if (isPage(sql)) {
      const outermost = steps.filter((step) => step.outermost).map(({ detail }) => detail)
      expect(outermost).toEqual(['CO-ROUTINE p', 'SCAN p', 'SEARCH d USING INTEGER PRIMARY KEY (rowid=?)'])
    }
  }
}

function placesOf({ shipping_address: to }: Shipment['attributes'] | Return['attributes']) {
  return {
    city: [[to!.city], [to!.city, 'x'], ['x']],
    state: [[to!.state], [to!.state, 'Sikkim'], ['Army Post']],
    pincode: [[to!.zip], [to!.zip, '110001'], ['744301']],
  }
}

/** Values for every filter: one, several, rare and common. */
function sentValues(): { readonly [K in keyof typeof shipmentFilters]: readonly unknown[] } {
  const { attributes: a } = sent
  const seconds = Math.floor(Date.parse(a.created_at) / 1000)
  return {
    search: [a.tracking_number!, 'kurta', 'kurta cotton', 'zzzqqq', 'कुर्ता'],
    status: ['delivered', 'others'],
    statuses: [['in_transit'], ['pending', 'delivered']],
    granular_status: [['delivered'], ['lost'], ['lost', 'rto_lost', 'delivered']],
    carrier_id: [[a.carrier!.id], [a.carrier!.id, 'x'], ['x']],
    warehouse_ids: [[a.warehouse_id], [a.warehouse_id, 'x']],
    channel: [[a.order!.channel], [a.order!.channel, 'x']],
    zone: [['zone_a'], ['zone_a', 'zone_e']],
    is_cod: [true, false],
    sku: [[a.items![0]!.sku], [a.items![0]!.sku, 'x'], ['x']],
    tags: [[a.tags![0]], [a.tags![0], 'x'], ['x']],
    ndr_reason: [[a.ndr_reason], [a.ndr_reason, 'other']],
    rto_reason: [[a.rto_reason], [a.rto_reason, 'other']],
    applied_weight_min: [0, 500, 49_000],
    applied_weight_max: [0, 500, 49_000],
    attempts_count__gte: [0, 2, 9],
    attempts_count__lte: [0, 2, 9],
    store_name: [[a.order!.store_name], [a.order!.store_name, 'x']],
    order_display_id: [[a.order!.display_id], [a.order!.display_id, 'x']],
    tracking_number: [[a.tracking_number], [a.tracking_number, 'x']],
    ...placesOf(a),
    start_time: [0, seconds, 9_999_999_999],
    end_time: [0, seconds, 9_999_999_999],
  }
}

function backValues(): { readonly [K in keyof typeof returnFilters]: readonly unknown[] } {
  const { attributes: a } = back
  const times = ['1970-01-02', a.created_at, '2030-01-01']
  return {
    search: [a.display_id!, 'kurta', 'kurta cotton', 'zzzqqq'],
    status: ['return_received', 'cancelled'],
    statuses: [['in_transit'], ['return_received', 'in_transit']],
    granular_status: [['return_delivered'], ['return_lost'], ['return_lost', 'return_delivered']],
    warehouse_id: [[a.warehouse_id], [a.warehouse_id, 'x']],
    channel: [[a.order!.channel], [a.order!.channel, 'x']],
    store_name: [[a.order!.store_name], [a.order!.store_name, 'x']],
    carrier_ids: [[a.shipment!.carrier!.id], [a.shipment!.carrier!.id, 'x']],
    zone: [['zone_a'], ['zone_a', 'zone_e']],
    refund_status: [['processed'], ['failed'], ['processed', 'failed']],
    qc_status: [['passed'], ['failed'], ['passed', 'failed']],
    display_id: [[a.display_id], [a.display_id, 'x']],
    tracking_number: [[a.shipment!.tracking_number], [a.shipment!.tracking_number, 'x']],
    ...placesOf(a),
    sku: [[a.return_items![0]!.sku], [a.return_items![0]!.sku, 'x'], ['x']],
    is_dangerous_goods: [true, false],
    created_at__gte: times,
    created_at__lte: times,
    return_pickup_scheduled_at__gte: times,
    return_pickup_scheduled_at__lte: times,
    return_delivered_at__gte: times,
    return_delivered_at__lte: times,
  }
}

const valuesOf = (kind: RecordKind, name: string): readonly unknown[] =>
  ((kind === 'shipment' ? sentValues() : backValues()) as Readonly<Record<string, readonly unknown[]>>)[name]!

const listingOf = { shipment: listings.listShipments, return: listings.listReturns } as const
const filtersOf = { shipment: shipmentFilters, return: returnFilters } as const
const everyFilter = (['shipment', 'return'] as const).flatMap((kind) =>
  Object.entries<Filter>(filtersOf[kind]).map(([name, filter]) => [kind, name, filter] as const),
)

/** The columns that a filter may read: a date range reads the one that `date_field` names. */
const columnsOf = ({ column }: Filter): readonly string[] =>
  typeof column === 'string' ? [column] : shipmentDates.map((date_field) => column({ date_field }))

/** The orders that a question can be asked in. */
const sorts = (kind: RecordKind): readonly Json[] =>
  kind === 'shipment' ? [{}] : returnSorts.map((sort_by) => ({ sort_by }))

/** The index that answers for a column: the wide one for dates and for what has few values. */
const indexOf = (kind: RecordKind, column: string): string =>
  `${tablesOf[kind].records}_${column === 'created_at' || isFew(kind, column) ? 'wide' : column}`

const isFew = (kind: RecordKind, column: string): boolean => (listingOf[kind] as Listing).columns[column]!.few === true

/** The same with the columns that a statement finds its rows by. */
const ownOf = (kind: RecordKind, column: string): string =>
  `${indexOf(kind, column)} (account_id=?${isFew(kind, column) ? ')' : ` AND ${column}`}`

/** In `npm test` every third filter, of both kinds of record. */
const third = everyFilter.filter((_, at) => full || at % 3 === 0)

describe('the statements of', () => {
  test.each(['shipment', 'return'] as const)('a %s listing without filters', async (kind) => {
    for (const sort of sorts(kind)) {
      const explained = await explain(kind, sort)
      await expectIndexed(explained)
      // The page is read off the index in its order, and a cursor begins where it says.
      const inner = explained
        .filter(({ sql }) => isPage(sql))
        .flatMap(({ steps }) => steps.filter((step) => !step.outermost))
        .map(({ detail }) => detail.replace('COVERING ', ''))
      const column = 'sort_by' in sort ? String(sort['sort_by']) : 'created_at'
      for (const sign of ['<', '>'])
        expect(inner).toContain(
          `SEARCH r USING INDEX ${indexOf(kind, column)} (account_id=? AND (${column},id)${sign}(?,?))`,
        )
      expect(inner.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
    }
  })

  test.each(third)('%s %s', async (kind, name, filter) => {
    for (const value of valuesOf(kind, name))
      for (const sort of sorts(kind)) await expectIndexed(await explain(kind, { ...sort, [name]: value }))
    if (typeof filter.column !== 'string')
      for (const date_field of shipmentDates)
        await expectIndexed(await explain(kind, { date_field, [name]: valuesOf(kind, name)[1] }))
  })

  test.each(everyFilter)('%s %s and another filter', { tags: ['full'] }, async (kind, name) => {
    // The upper end of a range is always the last of its values, so that no range is reversed.
    const upper = /_max$|__lte$|^end_time$/.test(name)
    for (const other of Object.keys(filtersOf[kind])) {
      if (other === name) continue
      const raw = { [name]: valuesOf(kind, name).at(upper ? -1 : 0), [other]: valuesOf(kind, other).at(-1) }
      await expectIndexed(await explain(kind, raw, false))
    }
  })

  test('several filters, which look for one of several values after the others', async () => {
    const filters = { zone: ['zone_a', 'zone_e'], is_cod: false, attempts_count__gte: 2 }
    const tests = (await explain('shipment', filters, false)).filter(({ sql }) => sql.includes('r.zone in (?,?)'))
    expect(tests.length).toBeGreaterThan(1)
    for (const { sql } of tests) expect(sql).toMatch(/r\.is_cod = \? and r\.attempt_count >= \? and r\.zone in/)
  })

  test.each(['shipment', 'return'] as const)('a %s search of short words, which scan the search text', async (kind) => {
    for (const search of ['an', 'a', 'क', 'a b', '%'])
      for (const more of [{}, { zone: 'a' }, { status: 'cancelled', sku: 'x' }])
        await expectIndexed(await explain(kind, { search, ...more }), shortWords)
  })

  test.each(['shipment', 'return'] as const)(
    'a %s search of short and long words, which scan nothing',
    async (kind) => {
      for (const search of ['kurta an', 'a kurta b', 'zzzqqq a'])
        for (const more of [{}, { zone: 'a' }, { status: 'cancelled', sku: 'x' }])
          await expectIndexed(await explain(kind, { search, ...more }))
    },
  )
})

describe('the total of one filter', () => {
  // A service remembers what it has counted.
  beforeEach(async () => {
    watched = await engineOn(watching(engine.database))
  })

  test.each(third)('%s %s is counted in an index', async (kind, name, { comparison, column }) => {
    for (const value of valuesOf(kind, name)) {
      const explained = await explain(kind, { [name]: value }, false)
      const counts = explained.filter(({ sql }) => sql.startsWith('select count(*)'))
      expect(counts).toHaveLength(1)
      const details = counts[0]!.steps.map(({ detail }) => detail)
      const own =
        comparison === 'search'
          ? `SCAN ${kind}_fts VIRTUAL TABLE INDEX 0:M`
          : comparison === 'holds_any'
            ? 'SEARCH k USING PRIMARY KEY (account_id=? AND value=?'
            : `SEARCH r USING COVERING INDEX ${ownOf(kind, typeof column === 'string' ? column : 'created_at')}`
      expect(details.filter((detail) => detail.startsWith(own))).toHaveLength(1)
    }
  })
})

describe('what went wrong once', () => {
  /** Steps that go through all records of the account. */
  const walks = (explained: readonly Explained[]): readonly string[] =>
    explained
      .flatMap(({ steps }) => steps.map(({ detail }) => detail))
      .filter((detail) => detail.endsWith('(account_id=?)'))

  test('one record asked for by name costs a walk through the account', async () => {
    const { attributes } = sent
    const { tracking_number, order } = attributes
    const named: readonly Json[] = [
      { order_display_id: order!.display_id },
      { order_display_id: [order!.display_id, 'x'] },
      { search: tracking_number },
      { order_display_id: order!.display_id, status: attributes.status },
      { search: tracking_number, status: attributes.status },
      { search: tracking_number, sku: attributes.items![0]!.sku, zone: [attributes.zone, 'zone_a'] },
    ]
    for (const raw of named) {
      const explained = await explain('shipment', raw)
      expect(explained.some(({ sql }) => isPage(sql))).toBe(true)
      expect({ raw, walks: walks(explained) }).toEqual({ raw, walks: [] })
    }
    const explained = await explain('return', { display_id: back.attributes.display_id, sort_by: 'total_price' })
    expect(walks(explained)).toEqual([])
  })

  test('a short word beside a rare long one costs a walk through the account', async () => {
    const explained = await explain('shipment', { search: `${sent.attributes.tracking_number} ${sent.id.slice(0, 2)}` })
    expect(explained.some(({ sql }) => isPage(sql))).toBe(true)
    expect(walks(explained)).toEqual([])
  })
})

describe('sums over everything', () => {
  type Asked = (scope: { readonly dialect: Dialect; readonly account: number }) => Work<unknown>

  /** How the outermost loops of the last statement of some work run. */
  async function loops(work: Asked): Promise<readonly string[]> {
    seen = []
    const { database, account } = watched
    await database.read(() => work({ dialect: database.dialect, account }))
    // The table of groups is gone by now: what matters is how its rows are read.
    seen = seen.flatMap((one) => {
      const [, into] = /^insert into temp\.sums (select .*) on conflict/s.exec(one.sql) ?? []
      return into !== undefined ? [{ ...one, sql: into }] : /\btemp\b/.test(one.sql) ? [] : [one]
    })
    const { steps } = (await explainSeen()).at(-1)!
    return steps
      .filter(({ outermost, detail }) => outermost && /^S(?:CAN|EARCH)/.test(detail))
      .map(({ detail }) => detail)
  }
  const some = { zone: ['zone_a'], status: 'cancelled' } satisfies Query
  const account = 'SEARCH g USING PRIMARY KEY (account_id=?)'
  const byNumber = 'SEARCH r USING INTEGER PRIMARY KEY (rowid=?)'

  test('a summary reads the columns of the account in their order, and no index', async () => {
    const whole = 'SEARCH r USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'
    expect(await loops((scope) => sumShipments(scope, {}, ['city']))).toEqual([whole])
    expect(await loops((scope) => sumReturns(scope, {}, ['reason', 'month']))).toEqual([whole])
  })

  test('a summary of few parcels goes along an index', async () => {
    expect(await loops((scope) => sumShipments(scope, { ...some, granular_status: ['lost'] }, ['city']))).toEqual([
      'SEARCH r USING INDEX shipments_granular_status (account_id=? AND granular_status=?)',
    ])
  })

  test('a period of most parcels was counted by its index first, and one of few still goes along it', async () => {
    const dayBefore = (days: number): number => Math.floor(testNow / 1000) - days * 86_400
    const counted = (): readonly string[] => seen.filter(({ sql }) => sql.includes('as n from (')).map(({ sql }) => sql)
    const whole = 'SEARCH r USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'
    expect(await loops((scope) => sumShipments(scope, { start_time: dayBefore(50) }, ['city']))).toEqual([whole])
    expect(counted()).toEqual([])
    expect(await loops((scope) => sumShipments(scope, { start_time: dayBefore(2) }, ['city']))).toEqual([
      'SEARCH r USING INDEX shipments_wide (account_id=? AND created_at>?)',
    ])
    expect(counted()).toHaveLength(1)
  })

  test.each<[Query]>([[{}], [{ ...some, granular_status: ['lost'] }], [{ sku: ['x'] }], [{ search: 'kurta' }]])(
    'a summary by SKU of %j reads the SKUs of the account once, not once for each parcel',
    async (raw) => {
      expect(await loops((scope) => sumShipments(scope, raw, ['sku', 'status']))).toEqual([account, byNumber])
      expect(await loops((scope) => sumShipments(scope, raw, ['tag'], { cost: true }))).toEqual([
        account,
        byNumber,
        'SEARCH c USING PRIMARY KEY (account_id=? AND shipment_id=?) LEFT-JOIN',
      ])
    },
  )

  test('a page of parcels that get their prices looks for each by its number, and sorts nothing again', async () => {
    await watched.database.write(() => saveCard(watched.account, sampleCard, testNow))
    const pricing = await watched.database.read(() =>
      pricingBy(watched.account, sampleCard.name, { again: false, dry: true, now: testNow }),
    )
    expect(await loops((scope) => priceSome(scope, pricing, some, 50, 100))).toEqual(['SCAN p', byNumber])
    expect(seen.at(-1)!.sql).not.toMatch(/order by p\.at/)
  })
})

describe('what is saved', () => {
  const tested = async (work: () => Work<unknown>): Promise<readonly string[]> => {
    seen = []
    await watched.database.write(work)
    return (await explainSeen()).flatMap(({ sql, steps }) =>
      /^select [^]*\bd\.doc\b/.test(sql) ? [steps.map(({ detail }) => detail).join(', ')] : [],
    )
  }
  const [byId, byTracking] = ['shipments_id (account_id=? AND id=?)', 'shipments_tracking_number (account_id=? AND']

  test('a batch of known records costs a walk through the account', async () => {
    const { dialect } = watched.database
    for (const size of [2, 20, 300]) {
      const batch = [...seedShipments({ ...plan, shipments: size })]
      const [found, ...more] = await tested(() => saveRecords(dialect, watched.account, 'shipment', batch))
      expect(found).toMatch(/^SEARCH r USING INDEX shipments_id \(account_id=\? AND id=\?\), SEARCH d USING INTEGER/)
      expect(more).toEqual([])
    }
  })

  test('the first and the last place of an account cost a walk through it', async () => {
    const { dialect } = watched.database
    seen = []
    const [first, last] = await watched.database.read(() => recordSpan(dialect, watched.account))
    expect(first).toBeLessThan(last)
    for (const { steps } of await explainSeen())
      expect(steps.map(({ detail }) => detail)).toEqual(['SEARCH r USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'])
    seen = []
    await watched.database.read(() => recordPlaces(watched.account, ['a', 'b']))
    for (const { steps } of await explainSeen())
      expect(steps.map(({ detail }) => detail)).toEqual([
        expect.stringMatching(/USING COVERING INDEX \w+_tracking_number \(account_id=\? AND tracking_number=\?\)/),
      ])
  })

  test('the scans of a parcel read its record twice', async () => {
    const { database, account, host } = watched
    const numbers = [...seedShipments({ ...plan, shipments: 40 })].map(({ attributes }) => attributes.tracking_number!)
    const facts = { event: 'in_transit', at: testNow, reason: null, location: 'Pune', description: null } as const
    const scans = numbers.map((tracking, n) => ({ ...facts, tracking, id: `scan-${n}` }))
    const reads = await tested(() => track(database.dialect, account, host, scans, function* () {}))
    expect(reads.filter((steps) => steps.includes(byId))).toEqual([])
    expect(reads.filter((steps) => steps.includes(byTracking))).toHaveLength(1)
  })
})

describe('the schema', () => {
  const columnsOfIndex = async (index: string): Promise<readonly string[]> =>
    (await query('select name from pragma_index_info(?) order by seqno', [index])).map(({ name }) => String(name))

  test.each(['shipment', 'return'] as const)(
    'holds for %s the wide index that conditions are told of',
    async (kind) => {
      const [account, ...columns] = await columnsOfIndex(`${tablesOf[kind].records}_wide`)
      expect(account).toBe('account_id')
      expect(columns.filter((column) => column !== 'id').toSorted()).toEqual(
        columnsWhere(listingOf[kind], ({ wide }) => wide === true).toSorted(),
      )
      expect(columns.slice(0, 2)).toEqual(['created_at', 'id'])
    },
  )

  test.each(everyFilter)('has an index for %s %s', async (kind, _, filter) => {
    const { search, children } = tablesOf[kind]
    for (const column of columnsOf(filter)) {
      if (filter.comparison === 'search') expect(column).toBe(search)
      else if (filter.comparison === 'holds_any') {
        expect(children).toContain(column)
        const primary = (await query(`select name from pragma_index_list(?) where origin = 'pk'`, [column]))[0]!['name']
        expect(await columnsOfIndex(String(primary))).toEqual(['account_id', 'value', 'created_at', 'seq'])
      } else if (isFew(kind, column)) expect(await columnsOfIndex(indexOf(kind, column))).toContain(column)
      else expect((await columnsOfIndex(indexOf(kind, column))).slice(0, 2)).toEqual(['account_id', column])
    }
  })

  // An id is what a record is saved and found by; queries in SQL join a return to its shipment; `shipx cod due` adds up
  // what couriers owe.
  const besideListings = ['shipments_id', 'returns_id', 'returns_shipment_id', 'shipments_cod_delivered']

  test.each(['shipment', 'return'] as const)('has no index of %ss that no question needs', async (kind) => {
    const indexes = await query("select name from pragma_index_list(?) where origin = 'c'", [tablesOf[kind].records])
    const used = new Set(besideListings)
    const ask = async (raw: Json): Promise<void> => {
      for (const { steps } of await explain(kind, raw, false))
        for (const { detail } of steps) used.add(/\bINDEX (\w+)/.exec(detail)?.[1] ?? '')
    }
    for (const sort of sorts(kind)) await ask(sort)
    for (const [name, { column }] of Object.entries<Filter>(filtersOf[kind])) {
      const [value] = valuesOf(kind, name)
      if (typeof column === 'string') await ask({ [name]: value })
      else for (const date_field of shipmentDates) await ask({ date_field, [name]: value })
    }
    expect(indexes.length).toBeGreaterThan(10)
    expect(indexes.map(({ name }) => String(name)).filter((name) => !used.has(name))).toEqual([])
  })

  test.each(everyFilter)('is as the condition of %s %s says', async (kind, name, filter) => {
    if (filter.comparison === 'search' || filter.comparison === 'holds_any')
      return expect(name).toMatch(/search|sku|tags/)
    const { records } = tablesOf[kind]
    for (const date_field of columnsOf(filter)) {
      const value = filter.comparison === 'any_of' ? ['zone_a'] : valuesOf(kind, name)[0]
      const input = { date_field, [name]: value }
      const [condition] = conditionsOf(engine.database.dialect, engine.account, kind, listingOf[kind], input)
      const column = condition!.column!
      if (isFew(kind, column)) {
        expect(condition).toMatchObject({ index: undefined, dated: false, inOrder: false, inWide: true })
        continue
      }
      const columns = await columnsOfIndex(condition!.index!)
      expect([condition!.index, columns[1]]).toEqual([indexOf(kind, column), column])
      const equality = filter.comparison === 'any_of' || filter.comparison === 'is'
      expect(condition!.inOrder).toBe(column === 'created_at' || (equality && columns[2] === 'created_at'))
      expect(condition!.inWide).toBe((await columnsOfIndex(`${records}_wide`)).includes(column))
    }
    return undefined
  })

  test('leads every index with the account', async () => {
    const indexes = await query(
      `select t.name as "table", i.name as name from pragma_table_list t join pragma_index_list(t.name) i
       where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%'`,
    )
    expect(indexes.length).toBeGreaterThan(50)
    const leads = await Promise.all(
      indexes.map(async ({ table, name }) => [table, name, (await columnsOfIndex(String(name)))[0]]),
    )
    // An account is found by its own name and by the hash of a key; everything else belongs to one.
    const others = leads.filter(([table, , lead]) => lead !== 'account_id' && table !== 'accounts')
    expect(others).toEqual([['keys', 'sqlite_autoindex_keys_1', 'hash']])
  })
})
