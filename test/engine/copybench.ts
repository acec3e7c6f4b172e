// The bench of copies: a file with three accounts and something of every kind, copies of it, and all that an engine
// answers.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { driver } from '../support/sqlite.ts'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { copyDatabase, type CopyResult, type CopyPlan } from '../../src/engine/transfer/copy.ts'
import { rows, type Database } from '../../src/engine/database/port.ts'
import { saveGateway } from '../../src/engine/messages/gateways.ts'
import { beginPull } from '../../src/engine/transfer/mirror.ts'
import { createKey, listKeys } from '../../src/engine/accounts/keys.ts'
import { addOptout } from '../../src/engine/messages/optouts.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { seedStores, seedWarehouses, type SeedPlan } from '../../src/engine/sample/plan.ts'
import { listCards, saveCard, useCard } from '../../src/engine/accounts/ratecards.ts'
import { saveSkus } from '../../src/engine/accounts/skus.ts'
import { priceSome, pricingBy } from '../../src/engine/orders/pricing.ts'
import { findAccount, listWarehouses, setWarehouse } from '../../src/engine/accounts/settings.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { logoOf, saveStore } from '../../src/engine/accounts/stores.ts'
import { keepAnswers } from '../../src/engine/records/ndranswers.ts'
import { setWebhook } from '../../src/engine/messages/webhooks.ts'
import { isoOf } from '../../src/domain/time.ts'
import { engineOn, openEngine, temporaryPath, testHost, testNow, type TestEngine } from '../support/engine.ts'
import { ndrAnswer } from '../support/requests.ts'
import { keepDispute, keepInvoice, keepRemittance } from '../support/keptinvoice.ts'
import { png, pngOfBytes } from '../support/pictures.ts'
import { happens, parcel } from '../support/deliveries.ts'
import { testDatabase, type TestDatabaseOptions } from '../support/testdatabase.ts'
import { program as shipx } from '../support/program.ts'
import { orderRequest } from '../support/requests.ts'

/** The merchant that the first account holds. */
export const plan: SeedPlan = { shipments: 700, returns: 250, stores: 6, days: 60, seed: 5, now: testNow }

/** The address of a fresh PostgreSQL database, gone after the test. */
export async function freshUrl(options: TestDatabaseOptions = {}): Promise<string> {
  const { url, drop } = await testDatabase(options)
  onTestFinished(drop)
  return url
}

const openUrl = (url: string): Promise<Database> =>
  openPostgres(pg, { url, chance: Math.random, ticks: Date.now, sleep: (ms) => wait(ms) })

const openAny = async (place: string): Promise<Database> =>
  place.startsWith('postgres') ? openUrl(place) : openSqlite(driver, { path: place })

/** Does something with a database by its path or address, and closes it. */
export async function using<T>(place: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openAny(place)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** An order in Devanagari and emoji. */
export const order = (id: string) =>
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
    yield* saveSkus(account, [{ sku: 'CR-धन', weight: 400, length: 20, width: 15, height: 10 }], testNow)
    yield* useCard(account, 'धन & co')
    yield* createKey(account, { label: 'क', expires_at: testNow + 1, read_only: true }, host)
    yield* createKey(account, {}, host)
    yield* beginPull(account, { kind: 'shipments', owner: 'one', state: '{}' }, testNow)
    yield* saveGateway(account, 'gateway', { url: 'https://example.com/ü', secret: 'x' }, testNow)
    yield* setWebhook(account, { url: 'https://example.com', secret: 'x', api_key: null }, host)
    yield* addOptout(account, '+919876543210', testNow)
    yield* keepAnswers(database.dialect, account, [ndrAnswer])
    yield* keepInvoice(account)
    yield* keepRemittance(account)
    yield* keepDispute(database.dialect, account)
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
  const pricing = await database.read(() => pricingBy(account, undefined, { again: false, dry: false, now: testNow }))
  const all = parseInput('listShipments', {})
  await database.write(() => priceSome({ dialect: database.dialect, account }, pricing, all, 300, 1000))
  const odd = [...seedShipments({ ...own, shipments: 1 })][0] as Shipment
  // Ids that a collation other than bytes would put elsewhere.
  await save(
    'shipment',
    ['a', 'B', 'é', 'z', '\u{1F600}', '\uFF5E', 'a b', "x'y", '00', '😀-2'].map((id) => ({ ...odd, id })),
  )
}

/** Files that are made already, by how many shipments they have: each test gets a copy of its own. */
const made = new Map<number | undefined, Promise<Uint8Array>>()

/** A file with three accounts, or with one and so many shipments. */
export async function sourceFile(shipments?: number): Promise<string> {
  if (!made.has(shipments)) made.set(shipments, makeSource(shipments))
  const path = temporaryPath('source.sqlite')
  writeFileSync(path, await made.get(shipments)!)
  return path
}

async function makeSource(shipments: number | undefined): Promise<Uint8Array> {
  const path = temporaryPath('first.sqlite')
  const engine = await openEngine(path)
  await fill(engine, 5, shipments)
  if (shipments === undefined) {
    await fill(await engine.as('zebra'), 6)
    await engine.as('Äcme')
  }
  await engine.close()
  return readFileSync(path)
}

/** Shipments of a source whose copy takes long enough to be stopped. */
export const halfway = 4000

/** Copies one open database to another. */
export const copyOf = (source: Database, target: Database, over: Partial<CopyPlan> = {}): Promise<CopyResult> =>
  copyDatabase({
    source,
    target,
    digest: testHost().digest,
    ticks: () => performance.now(),
    step: async () => undefined,
    ...over,
  })

/** Copies by paths or addresses. */
export const copied = (from: string, to: string, over: Partial<CopyPlan> = {}): Promise<CopyResult> =>
  using(from, (source) => using(to, (target) => copyOf(source, target, over)))

/** Everything that the engine answers about a database, as text. */
export function answers(place: string): Promise<string> {
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

interface Ended {
  readonly exit: number | string
  readonly stdout: string
  readonly stderr: string
}

/** Starts `shipx local copy`. */
export function begin(...args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
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

/** Runs it to its end. */
export const command = (...args: readonly string[]): Promise<Ended> => begin(...args).ended

/** The shipments that a target has by now. */
export async function shipmentsIn(place: string): Promise<number> {
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
  const db = new driver(place, { readonly: true })
  try {
    return db.prepare('select count(*) from shipments').pluck().get() as number
  } catch {
    return 0
  } finally {
    db.close()
  }
}

/** Waits until a copy has brought more shipments than so many. */
export async function beyond(child: ChildProcess, place: string, least: number): Promise<void> {
  while (child.exitCode === null && (await shipmentsIn(place)) <= least) await wait(10)
}

interface Report {
  readonly data: {
    readonly added: number
    readonly removed: number
    readonly tables: readonly { readonly table: string; readonly rows: number; readonly checksum: string }[]
  }
}

/** What it printed with --json, where it said nothing else. */
export const reportOf = ({ exit, stdout, stderr }: Ended): Report['data'] => {
  expect([exit, stderr.replace(/^Copying .*\n|^Comparing .*\n|^Looking .*\n|^Checking .*\n/gm, '')]).toEqual([0, ''])
  return (JSON.parse(stdout) as Report).data
}
