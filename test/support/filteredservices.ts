// The services that filters are asked of, filled with equal records: SQLite, SQLite without hints, PostgreSQL.
import { afterAll, beforeAll } from 'vitest'
import type { Database, Dialect, Work } from '../../src/engine/database/port.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { embeddedService, type EmbeddedService } from '../../src/engine/service.ts'
import { openEngine, openPostgresEngine, type TestEngine } from './engine.ts'
import { mangled, plan, saved, changed } from './mangledrecords.ts'

/** Where a question is asked: SQLite, SQLite as a database that plans for itself, PostgreSQL; with equal records. */
export type On = 'hints' | 'no hints' | 'PostgreSQL'

/** The services that are asked, while the tests of a file run. */
export interface FilteredServices {
  readonly on: (where: On) => EmbeddedService
  /** The statements that SQLite was asked without hints so far. */
  readonly unhinted: readonly string[]
}

/** Saves the records in an engine, and others before, between and after them for its neighbours. */
export async function fill(engine: TestEngine): Promise<void> {
  const [before, after] = [await engine.as('before'), await engine.as('after')]
  const other = { ...plan, seed: 8, shipments: 200, returns: 100 }
  await before.save('shipment', seedShipments(other))
  await engine.save('shipment', saved.shipments)
  await engine.save('return', saved.returns)
  await after.save('return', seedReturns(other))
  // Neighbours hold the same records with other content as well.
  const near = {
    shipments: saved.shipments.slice(0, 300).map((record, i) => mangled('shipments', record, i, 9, true)),
    returns: saved.returns.slice(0, 150).map((record, i) => mangled('returns', record, i, 9, true)),
  }
  for (const neighbour of [before, after]) {
    await neighbour.save('shipment', near.shipments)
    await neighbour.save('return', near.returns)
  }
  await engine.save('shipment', changed.shipments)
  await engine.save('return', changed.returns)
}

/** Starts the services before the tests of a file, and stops them behind them. */
export function filteredServices(): FilteredServices {
  const unhinted: string[] = []
  let engines: readonly TestEngine[]
  let services: Readonly<Record<On, EmbeddedService>>

  function* overheard<T>(work: Work<T>): Work<T> {
    let step = work.next()
    while (step.done !== true) {
      unhinted.push(step.value.sql)
      step = work.next(yield step.value)
    }
    return step.value
  }

  beforeAll(async () => {
    const [engine, server] = [await openEngine(), await openPostgresEngine()]
    engines = [engine, server]
    const { database, account, host } = engine
    // Checked by its type, so that a member of another name does not leave the planning where it is.
    const dialect: Dialect = { ...database.dialect, planning: undefined }
    const read: Database['read'] = (work, kind) => database.read(() => overheard(work()), kind)
    services = {
      hints: engine.service,
      'no hints': embeddedService({ ...database, dialect, read }, account, host),
      PostgreSQL: server.service,
    }
    for (const one of engines) await fill(one)
  })
  afterAll(() => Promise.all(engines.map((engine) => engine.close())))

  return { on: (where) => services[where], unhinted }
}
