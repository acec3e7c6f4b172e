// Everything of a database goes to another one and back and is the same to the byte, whatever stops the copy on its way;
// what is not the same is told and never overwritten unasked.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import driver from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { copyDatabase, type Copied, type CopyPlan } from '../../src/engine/transfer/copy.ts'
import { rows, type Database } from '../../src/engine/database/port.ts'
import { saveGateway } from '../../src/engine/messages/gateways.ts'
import { beginPull } from '../../src/engine/transfer/mirror.ts'
import { createKey, listKeys } from '../../src/engine/accounts/keys.ts'
import { addOptout } from '../../src/engine/messages/optouts.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { seedStores, seedWarehouses, type SeedPlan } from '../../src/engine/sample/plan.ts'
import {
  findAccount,
  listCards,
  listWarehouses,
  saveCard,
  setWarehouse,
  useCard,
} from '../../src/engine/accounts/settings.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { logoOf, saveStore } from '../../src/engine/accounts/stores.ts'
import { setWebhook } from '../../src/engine/messages/webhooks.ts'
import { isoOf } from '../../src/domain/time.ts'
import { engineOn, openEngine, temporaryPath, testHost, testNow, type TestEngine } from '../support/engine.ts'
import { png, pngOfBytes } from '../support/pictures.ts'
import { happens, parcel } from '../support/deliveries.ts'
import { testDatabase, type TestDatabaseOptions } from '../support/testdatabase.ts'
import { program as shipx } from '../support/program.ts'
import { orderRequest } from '../support/requests.ts'

const plan: SeedPlan = { shipments: 700, returns: 250, stores: 6, days: 60, seed: 5, now: testNow }

/* ---- Databases ---- */

/** The address of a fresh PostgreSQL database, gone after the test. */
async function freshUrl(options: TestDatabaseOptions = {}): Promise<string> {
  const { url, drop } = await testDatabase(options)
  onTestFinished(drop)
  return url
}

const openUrl = (url: string): Promise<Database> =>
  openPostgres(pg, { url, chance: Math.random, ticks: Date.now, sleep: (ms) => wait(ms) })

const openAny = async (place: string): Promise<Database> =>
  place.startsWith('postgres') ? openUrl(place) : openSqlite(driver, { path: place })

async function using<T>(place: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openAny(place)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const order = (id: string) =>
  parseInput(
    'createForwardOrder',
    orderRequest({
      order_id: id,
      order_date: '2025-11-20 10:30',
      billing_customer_name: 'आशा Ünïcødé 👩‍👩‍👧',
      order_items: [
        { name: 'कुर्ता', sku: 'CR-02', units: 1, selling_price: 499 },
        { name: 'b', sku: 'सूट-9', units: 1, selling_price: 1 },
      ],
      sub_total: 500,
    }),
  )

/** Fills an account with something of every kind. */
async function fill(engine: TestEngine, seed: number, shipments = plan.shipments): Promise<void> {
  const { database, account, host, service, save } = engine
  const own = { ...plan, seed, shipments }
  let n = 0
  await database.write(function* () {
    for (const store of seedStores(own))
      yield* saveStore(
        account,
        { ...store, channel: 'manual_order', status: 'connected', created_at: isoOf(store.created_at) },
        testNow,
      )
    for (const { id, pincode } of seedWarehouses(own)) yield* setWarehouse(account, id, pincode)
    yield* setWarehouse(account, 'WH1', '400001')
    yield* saveCard(account, { ...sampleCard, name: 'धन & co' }, testNow)
    yield* saveCard(account, { ...sampleCard, name: 'other' }, testNow)
    yield* useCard(account, 'धन & co')
    yield* createKey(account, { label: 'क', expires_at: testNow + 1, read_only: true }, host)
    yield* createKey(account, {}, host)
    yield* beginPull(account, { kind: 'shipments', owner: 'one', state: '{}' }, testNow)
    yield* saveGateway(account, 'gateway', { url: 'https://example.com/ü', secret: 'x' }, testNow)
    yield* setWebhook(account, { url: 'https://example.com', secret: 'x', api_key: null }, host)
    yield* addOptout(account, '+919876543210', testNow)
    const template = 'insert into templates (account_id, name, doc, updated_at) values (?, ?, ?, ?)'
    yield* rows({
      sql: template,
      text: template.replace(/\?/g, () => `$${++n}`),
      values: [account, 'default', '{}', testNow],
    })
  })
  for (const [name, logo] of [
    ['with-logo', png()],
    ['large-logo', pngOfBytes(2_000_000)],
  ] as const)
    await service.createStore({
      store_name: name,
      brand_name: 'Ünï & क',
      logo: { bytes: logo, name: 'x.png' },
    } as never)
  for (const n of [1, 2, 3])
    await service.createForwardOrder(order(`ORDER-${seed}-${n}`), { idempotency_key: `once-${seed}-${n}` })
  // A step that is told, in the brand of the store.
  await save('shipment', [parcel(`told-${seed}`, { order: { display_id: 'TOLD', store_name: 'with-logo' } })])
  await happens(engine, [`told-${seed}`], 'picked_up')
  await save('shipment', seedShipments(own))
  await save('return', seedReturns(own))
  const odd = [...seedShipments({ ...own, shipments: 1 })][0] as Shipment
  // Ids that a collation other than bytes would put elsewhere.
  await save(
    'shipment',
    ['a', 'B', 'é', 'z', '\u{1F600}', '\uFF5E', 'a b', "x'y", '00', '😀-2'].map((id) => ({ ...odd, id })),
  )
}

/** A file with three accounts. */
async function sourceFile(shipments?: number): Promise<string> {
  const path = temporaryPath('source.sqlite')
  const engine = await openEngine(path)
  await fill(engine, 5, shipments)
  if (shipments === undefined) {
    await fill(await engine.as('zebra'), 6)
    await engine.as('Äcme')
  }
  await engine.close()
  return path
}

/** Shipments of a source whose copy takes long enough to be stopped. */
const halfway = 4000

/* ---- Copying ---- */

const copyOf = (source: Database, target: Database, over: Partial<CopyPlan> = {}): Promise<Copied> =>
  copyDatabase({
    source,
    target,
    digest: testHost().digest,
    ticks: () => performance.now(),
    step: async () => undefined,
    ...over,
  })

const copied = (from: string, to: string, over: Partial<CopyPlan> = {}): Promise<Copied> =>
  using(from, (source) => using(to, (target) => copyOf(source, target, over)))

/** Everything that the engine answers about a database, as text. */
function answers(place: string): Promise<string> {
  return using(place, async (database) => {
    const all: unknown[] = [await database.read(() => listKeys())]
    for (const name of ['default', 'zebra', 'Äcme']) {
      if ((await database.read(() => findAccount(name))) === undefined) continue
      const { service, account } = await engineOn(database, testHost(), name)
      const stores = (await service.listStores({})).data
      all.push(name, account, stores)
      for (const { id, logo_url } of stores) {
        if (logo_url == null) continue
        const logo = await database.read(() => logoOf(account, id))
        all.push(id, logo.type, Buffer.from(logo.bytes).toString('base64'))
      }
      all.push(await database.read(() => listWarehouses(account)), await database.read(() => listCards(account)))
      for (let page = 1; page <= 9; page++)
        all.push(await service.listShipments(parseInput('listShipments', { page, per_page: 100 })))
      for (let page = 1; page <= 3; page++)
        all.push(await service.listReturns(parseInput('listReturns', { page, per_page: 100, sort_by: 'total_price' })))
      for (const search of ['कुर्ता', 'kurta', 'आशा', 'an'])
        all.push(await service.listShipments(parseInput('listShipments', { search })))
      for (const filter of [{ sku: 'CR-02' }, { tags: 'gift' }, { status: 'delivered', is_cod: true }])
        all.push(await service.listShipments(parseInput('listShipments', filter)))
      all.push(await service.listReturns(parseInput('listReturns', { search: 'kurta' })))
    }
    return JSON.stringify(all)
  })
}

/* ---- The command ---- */

interface Ended {
  readonly exit: number | string
  readonly stdout: string
  readonly stderr: string
}

function begin(...args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [shipx, 'local', 'copy', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C.UTF-8', NO_COLOR: '1' },
  })
  const ended = new Promise<Ended>((resolve) => {
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()))
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
    child.on('close', (code, signal) => resolve({ exit: code ?? String(signal), stdout, stderr }))
  })
  return { child, ended }
}

const command = (...args: readonly string[]): Promise<Ended> => begin(...args).ended

/** The shipments that a target has by now. */
async function shipmentsIn(place: string): Promise<number> {
  if (place.startsWith('postgres')) {
    const client = new pg.Client(place)
    await client.connect()
    try {
      return Number(
        (await client.query<{ n: string }>('select count(*) as n from shipments where account_id = 1')).rows[0]!.n,
      )
    } finally {
      await client.end()
    }
  }
  if (!existsSync(place) || statSync(place).size === 0) return 0
  const db = driver(place, { readonly: true })
  try {
    return db.prepare('select count(*) from shipments').pluck().get() as number
  } catch {
    return 0
  } finally {
    db.close()
  }
}

/** Waits until a copy has brought more shipments than so many. */
async function beyond(child: ChildProcess, place: string, least: number): Promise<void> {
  while (child.exitCode === null && (await shipmentsIn(place)) <= least) await wait(10)
}

interface Report {
  readonly data: {
    readonly added: number
    readonly removed: number
    readonly tables: readonly { readonly table: string; readonly rows: number; readonly checksum: string }[]
  }
}

const reportOf = ({ exit, stdout, stderr }: Ended): Report['data'] => {
  expect([exit, stderr.replace(/^Copying .*\n|^Comparing .*\n|^Looking .*\n/gm, '')]).toEqual([0, ''])
  return (JSON.parse(stdout) as Report).data
}

describe.each([0, 16])('there and back through PostgreSQL in %i partitions', { tags: ['full'] }, (partitions) => {
  test('is the same to the byte: every answer, count and checksum', async () => {
    const file = await sourceFile()
    const url = await freshUrl({ partitions })
    const back = temporaryPath('back.sqlite')
    const there = await copied(file, url)
    expect([there.different, there.removed]).toEqual([0, 0])
    const counts = Object.fromEntries(there.tables.map(({ table, rows }) => [table, rows]))
    expect(counts).toMatchObject({
      accounts: 3,
      keys: 4,
      stores: 16,
      ratecards: 4,
      orders: 6,
      idempotency: 6,
      shipments: 1428,
      returns: 500,
    })
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
    const before = await answers(file)
    expect(await answers(url)).toBe(before)
    const again = await copied(url, back)
    expect(again).toEqual(there)
    expect(await answers(back)).toBe(before)
    // New records come after those that were copied, on both.
    for (const place of [url, back])
      await using(place, async (database) => {
        const { service } = await engineOn(database)
        await service.createForwardOrder(order(`NEW-${place.length}`))
        const found = await service.listShipments(parseInput('listShipments', { search: `NEW-${place.length}` }))
        expect(found.meta.total).toBe(1)
        // An idempotency key is kept too.
        let replayed = 0
        await service.createForwardOrder(order('ORDER-5-1'), {
          idempotency_key: 'once-5-1',
          onReplay: () => void replayed++,
        })
        expect(replayed).toBe(1)
      })
  })
})

test('every table of a database is copied', async () => {
  const path = await sourceFile(1)
  const db = driver(path, { readonly: true })
  const names = db
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like '%_fts%'`,
    )
    .pluck()
    .all() as string[]
  db.close()
  const { tables } = await copied(path, temporaryPath('all.sqlite'))
  // What records are searched by is a part of their rows.
  const beside = ['shipment_search', 'return_search']
  expect([...tables.map(({ table }) => table), ...beside].toSorted()).toEqual(names.toSorted())
})

describe.each(['to PostgreSQL', 'from PostgreSQL'])(
  'a copy %s that is stopped in the middle',
  { tags: ['full'] },
  (way) => {
    const places = async (): Promise<readonly [string, string]> => {
      const file = await sourceFile(halfway)
      if (way === 'to PostgreSQL') return [file, await freshUrl()]
      const url = await freshUrl()
      await copied(file, url)
      return [url, temporaryPath('target.sqlite')]
    }

    test('by kill -9, then by Ctrl-C, goes on where it was', async () => {
      const [from, to] = await places()
      let half = 0
      for (const signal of ['SIGKILL', 'SIGINT'] as const) {
        const { child, ended } = begin('--from', from, '--to', to)
        await beyond(child, to, half)
        child.kill(signal)
        const { exit, stderr } = await ended
        const now = await shipmentsIn(to)
        expect([now > half, now < halfway]).toEqual([true, true])
        half = now
        expect(exit).toBe(signal === 'SIGINT' ? 130 : signal)
        if (signal === 'SIGINT')
          expect(stderr).toMatch(/stopped after [\d,]+ rows, which are saved\n→ run the same command again to go on/)
      }
      const report = reportOf(await command('--from', from, '--to', to, '--json'))
      const total = report.tables
        .filter(({ table }) => !/_(?:skus|tags)$/.test(table))
        .reduce((sum, { rows }) => sum + rows, 0)
      expect(report.removed).toBe(0)
      expect(report.added).toBeLessThanOrEqual(total - half)
      expect(await answers(to)).toBe(await answers(from))
      // Once more, and there is nothing to do.
      expect(reportOf(await command('--from', from, '--to', to, '--json'))).toEqual({ ...report, added: 0 })
    })
  },
)

describe('a target that holds something else', { tags: ['full'] }, () => {
  test('is refused before anything is written: another account, another name, a row that differs, a row too many', async () => {
    const source = await sourceFile(20)
    const targetWith = async (change: (engine: TestEngine) => Promise<unknown>): Promise<string> => {
      const path = temporaryPath('target.sqlite')
      const engine = await openEngine(path)
      await change(engine)
      await engine.close()
      return path
    }
    const cases = [
      [
        await targetWith((engine) => engine.as('stranger')),
        /its account 2 is stranger, which the source does not have/,
      ],
      [
        await targetWith(({ database }) =>
          database.write(function* () {
            yield { sql: "update accounts set name = 'other'", text: "update accounts set name = 'other'", values: [] }
          }),
        ),
        /its account 1 is other, the source's is default/,
      ],
      [
        await targetWith(({ database, account }) => database.write(() => setWarehouse(account, 'WH1', '560001'))),
        /in warehouses of account default, id WH1 differs/,
      ],
      [
        await targetWith(({ database, account }) => database.write(() => setWarehouse(account, 'WH99', '560001'))),
        /in warehouses of account default, id WH99 is not in the source/,
      ],
    ] as const
    for (const [target, message] of cases) {
      const { exit, stdout, stderr } = await command('--from', source, '--to', target)
      expect([exit, stdout, stderr]).toEqual([5, '', expect.stringMatching(message)])
      expect(await shipmentsIn(target)).toBe(0)
    }
  })

  test('gives up what differs with --force and a yes, records with all that lies beside them', async () => {
    const source = await sourceFile(300)
    for (const target of [temporaryPath('target.sqlite'), await freshUrl()]) {
      await copied(source, target)
      await using(target, async (database) => {
        const engine = await engineOn(database)
        const [one, two] = seedShipments({ ...plan, shipments: 2 }) as Iterable<Shipment> as [Shipment, Shipment]
        await engine.save('shipment', [
          { ...one, attributes: { ...one.attributes, status: 'lost', tags: ['other'] } },
          { ...two, id: 'stranger', attributes: { ...two.attributes, tags: ['gift', 'x'] } },
        ])
      })
      expect((await command('--from', source, '--to', target)).exit).toBe(5)
      expect((await command('--from', source, '--to', target, '--force')).exit).toBe(8)
      const report = reportOf(await command('--from', source, '--to', target, '--force', '--yes', '--json'))
      expect([report.removed, report.added]).toEqual([2, 1])
      expect(await answers(target)).toBe(await answers(source))
    }
  })
})

test(
  'a source that is changed while it is copied is noticed, and the way on leads on',
  { tags: ['full'] },
  async () => {
    const source = await sourceFile(halfway)
    const target = await freshUrl()
    const { child, ended } = begin('--from', source, '--to', target)
    await beyond(child, target, 0)
    await using(source, async (database) => {
      const engine = await engineOn(database)
      await database.write(() => setWarehouse(engine.account, 'WH1', '560001'))
      const [one] = seedShipments({ ...plan, shipments: 1 }) as Iterable<Shipment> as [Shipment]
      await engine.save('shipment', [
        { ...one, id: 'late', attributes: { ...one.attributes, created_at: '2001-01-01T00:00:00Z' } },
      ])
    })
    const { exit, stdout, stderr } = await ended
    expect([exit, stdout]).toEqual([7, ''])
    expect(stderr).toContain('warehouses: account default: 6 rows on both sides, of different content')
    expect(stderr).toContain('shipments: account default: 4,015 rows in the source, 4,014 in the target')
    expect(stderr).toContain('run the same command again while nothing writes to the source')
    expect((await command('--from', source, '--to', target)).stderr).toContain('id WH1 differs')
    expect(reportOf(await command('--from', source, '--to', target, '--force', '--yes', '--json'))).toMatchObject({
      removed: 1,
      added: 2,
    })
    expect(await answers(target)).toBe(await answers(source))
  },
)

test('rows that a copy missed are copied by the next one without force', { tags: ['full'] }, async () => {
  const source = await openEngine(await sourceFile(50))
  const target = openSqlite(driver, { path: temporaryPath('target.sqlite') })
  let late = 0
  const first = await copyOf(source.database, target, {
    step: async (phase) => {
      if (phase === 'compare' && late++ === 0)
        await source.database.write(() => setWarehouse(source.account, 'A0', '400001'))
    },
  })
  expect(first.different).toBe(1)
  expect(first.differences).toMatchObject([
    { table: 'warehouses', account: 'default', source: { rows: 7 }, target: { rows: 6 } },
  ])
  expect(await copyOf(source.database, target)).toMatchObject({ different: 0, added: 1, removed: 0 })
  await Promise.all([source.close(), target.close()])
})

test('a dry run tells what there is, and makes and changes nothing', async () => {
  const source = await sourceFile(20)
  const missing = temporaryPath('none.sqlite')
  const url = await freshUrl()
  for (const target of [missing, url]) {
    const { exit, stdout } = await command('--from', source, '--to', target, '--dry-run')
    const { tables } = (JSON.parse(stdout) as { dry_run: { copy: { tables: object[] } } }).dry_run.copy
    expect([exit, tables]).toEqual([0, expect.arrayContaining([{ table: 'shipments', rows: 34, there: 0 }])])
  }
  expect([existsSync(missing), await shipmentsIn(url)]).toEqual([false, 0])
})

describe('how databases are named', () => {
  test('faults are told together, and no password is repeated', async () => {
    const secret = 'hunter2'
    const refused = new URL(await freshUrl())
    Object.assign(refused, { username: 'nobody', password: secret })
    const cases = [
      [[], 2, '2 things to fix'],
      [['--from', `mysql://me:${secret}@host/x`, '--to', `postgres://me:${secret}@/`], 2, '2 things to fix'],
      [['--from', 'nowhere.sqlite', '--to', 'x.sqlite'], 3, 'there is no database at nowhere.sqlite'],
      [['--from', shipx, '--to', shipx], 2, 'is the same database as --from'],
      [['--from', shipx, '--to', 'x.sqlite'], 2, 'is not a database'],
      [['--from', 'a', '--to', 'b', '--db', 'c', '--account', 'd'], 2, 'all accounts are copied'],
      [['--from', refused.href, '--to', 'b', '--debug'], 2, 'refuses the connection'],
    ] as const
    const ends = await Promise.all(cases.map(([args]) => command(...args)))
    ends.forEach(({ exit, stdout, stderr }, i) => {
      const [args, code, said] = cases[i]!
      expect([args, exit, stderr.includes(said), `${stdout}${stderr}`.includes(secret)]).toEqual([
        args,
        code,
        true,
        false,
      ])
    })
  })
})
