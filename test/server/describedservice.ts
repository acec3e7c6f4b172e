// The service whose answers are held against the API description: it runs while a file is tested, on a merchant's data.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { driver } from '../support/sqlite.ts'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect } from 'vitest'
import { basePath, contract, type Name } from '../../src/domain/contract.ts'
import { createKey } from '../../src/engine/accounts/keys.ts'
import { setWarehouse } from '../../src/engine/accounts/settings.ts'
import { saveStore } from '../../src/engine/accounts/stores.ts'
import type { Database } from '../../src/engine/database/port.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import type { Host } from '../../src/engine/runtime.ts'
import { seedStores } from '../../src/engine/sample/plan.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { serviceApp, type ServiceOptions } from '../../src/server/app.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { root } from '../support/checkout.ts'
import { engineOn, testHost, testNow, type TestEngine } from '../support/engine.ts'
import { documented, operationAt, requestFault, type Json } from './apidocument.ts'

/** The folder of the package that draws the page. */
export const assets = join(root, 'node_modules', 'swagger-ui-dist')

const asset = (name: string): Buffer => readFileSync(join(assets, name))

/** What is sent to an endpoint; `of` is another service than the one that runs. */
export interface Asked {
  readonly body?: unknown
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
  readonly of?: FastifyInstance
}

type ServiceChanges = Partial<Pick<ServiceOptions, 'rateLimit' | 'asset'>>

interface Running {
  readonly app: FastifyInstance
  readonly engine: TestEngine
  /** A key that may do everything, and one that may only read. */
  readonly key: string
  readonly readOnlyKey: string
}

/** The service, while the tests of a file run. */
export interface DescribedService extends Running {
  /** A second service, on this database. */
  readonly on: (database: Database, options?: ServiceChanges) => Promise<FastifyInstance>
  /** Sends a request to an endpoint, and holds what comes back against the document. */
  readonly ask: (name: Name, asked?: Asked) => Promise<LightMyRequestResponse>
  /** A request that the document and the service both take. */
  readonly taken: (name: Name, body: Json, path?: Asked['path']) => Promise<LightMyRequestResponse>
  /** A request that the service refuses, and the document too where JSON Schema can say it. */
  readonly refused: (name: Name, body: unknown, byDocument?: boolean, path?: Asked['path']) => Promise<void>
}

async function fill({ database, account, save }: TestEngine): Promise<void> {
  const plan = { shipments: 200, returns: 50, stores: 4, days: 60, seed: 7, now: testNow }
  for (const store of seedStores(plan)) {
    const created_at = new Date(store.created_at).toISOString()
    await database.write(() => saveStore(account, { ...store, created_at, updated_at: created_at }, testNow))
  }
  await save('shipment', seedShipments(plan))
  await save('return', seedReturns(plan))
  await database.write(() => setWarehouse(account, 'WHMUM1', '400001'))
}

function serve(host: Host, database: Database, options: ServiceChanges = {}): Promise<FastifyInstance> {
  return serviceApp({ database, host, version: '1.2.3', asset, rateLimit: 0, log: () => undefined, ...options })
}

/** Starts the service before the tests of a file, and stops it behind them. */
export function describedService(): DescribedService {
  let running: Running

  beforeAll(async () => {
    const engine = await engineOn(openSqlite(driver, { path: ':memory:' }), testHost())
    await fill(engine)
    const { database, account, host } = engine
    const { key } = await database.write(() => createKey(account, {}, host))
    const { key: readOnlyKey } = await database.write(() => createKey(account, { read_only: true }, host))
    running = { app: await serve(host, database), engine, key, readOnlyKey }
  })
  afterAll(async () => {
    await running.app.close()
    await running.engine.close()
  })

  const ask: DescribedService['ask'] = async (name, asked = {}) => {
    const { method, path } = contract[name]
    const { app, key } = running
    const url = basePath + path.replace(':id', encodeURIComponent(asked.path?.['id'] ?? '')) + (asked.query ?? '')
    const given = { authorization: `Bearer ${key}`, ...asked.headers }
    const payload = asked.payload ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body))
    const response = await (asked.of ?? app).inject({
      method,
      url,
      headers: asked.body === undefined ? given : { 'content-type': 'application/json', ...given },
      ...(payload === undefined ? {} : { payload }),
    })
    documented(`${operationAt(name)}/responses/${response.statusCode}`, response)
    return response
  }

  return {
    get app() {
      return running.app
    },
    get engine() {
      return running.engine
    },
    get key() {
      return running.key
    },
    get readOnlyKey() {
      return running.readOnlyKey
    },
    on: (database, options) => serve(running.engine.host, database, options),
    ask,
    taken: async (name, body, path = {}) => {
      const said = JSON.stringify(body).slice(0, 300)
      expect(requestFault(name, body), `${name} ${said} by the document`).toBe(undefined)
      const response = await ask(name, { body, path })
      expect([response.statusCode, response.statusCode < 300 ? '' : response.body], `${name} ${said}`).toEqual([
        contract[name].status,
        '',
      ])
      return response
    },
    refused: async (name, body, byDocument = true, path = {}) => {
      const said = JSON.stringify(body).slice(0, 300)
      if (byDocument) expect(requestFault(name, body), `${name} ${said} by the document`).not.toBe(undefined)
      const response = await ask(name, { body, path })
      expect([response.statusCode, response.body], `${name} ${said}`).toEqual([400, expect.any(String)])
    },
  }
}

let made = 0

/** A number that no other test has. */
export const newNumber = (): number => ++made

/** A body that works, new each time where something must be unique. */
export function goodBody(name: Name): Json {
  const { request = {} } = Object.values(endpoints[name].examples)[0]!
  if (name === 'createStore') return { ...request, store_name: `made-${newNumber()}` }
  return name.endsWith('Order') ? { ...request, order_id: `GOOD-${newNumber()}` } : request
}
