// DRIVERS: Node's own SQLite against better-sqlite3, in one process, by the processor's time: an import of 20,000 parcels,
// and a page and a summary of those. Each module has files of its own: two copies of SQLite in a process cannot share one.
import { createRequire } from 'node:module'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Query } from '../../src/domain/contract.ts'
import { accountNamed } from '../../src/engine/accounts/settings.ts'
import { nativeDriver } from '../../src/engine/database/native.ts'
import { nodeDriver, type NodeSqlite } from '../../src/engine/database/nodesqlite.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import type { Driver } from '../../src/engine/database/sqlitedriver.ts'
import { saveRecords } from '../../src/engine/records/records.ts'
import { sumShipments } from '../../src/engine/records/summary.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { account, host } from './data.ts'
import { asking } from './engine.ts'
import { say, type Figure } from './report.ts'
import type { Setup } from './setup.ts'
import { processor, sideBySide, type Timed } from './timing.ts'

const count = 20_000
const parcels = [...seedShipments({ shipments: count, returns: 0, stores: 1000, days: 365, seed: 42, now: host.now() })]

/** The same work for both, with a module's own file. */
function worksOf(driver: Driver, path: string): { readonly works: Readonly<Record<string, Timed>>; close: Timed } {
  const fill = async (): Promise<void> => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    const database = openSqlite(driver, { path })
    await database.write(() => accountNamed('default', host.now()))
    for (let at = 0; at < count; at += 1000) {
      const chunk = parcels.slice(at, at + 1000)
      await database.write(() => saveRecords(database.dialect, account, 'shipment', chunk))
    }
    await database.close()
  }
  let opened: ReturnType<typeof openSqlite> | undefined
  const database = (): ReturnType<typeof openSqlite> => (opened ??= openSqlite(driver, { path }))
  let page: Timed | undefined
  return {
    works: {
      'an import of 20,000': fill,
      'a page of 20 with its total': () => (page ??= asking(database(), 'shipment', { status: 'delivered' }))(),
      'a summary by status': () =>
        database().read(() => sumShipments({ dialect: database().dialect, account }, {} as Query, ['status'], {})),
    },
    close: () => opened?.close(),
  }
}

export async function drivers({ folder, runs }: Setup): Promise<readonly Figure[]> {
  say("DRIVERS: Node's own SQLite and better-sqlite3")
  const node = nodeDriver(createRequire(import.meta.url)('node:sqlite') as NodeSqlite)
  const [ours, theirs] = [
    worksOf(node, join(folder, 'driver-node.sqlite')),
    worksOf(nativeDriver(), join(folder, 'driver-better.sqlite')),
  ]
  const figures: Figure[] = []
  for (const [work, run] of Object.entries(ours.works)) {
    const pair = await sideBySide(runs, run, theirs.works[work]!, processor)
    const against = "better-sqlite3, processor's time"
    figures.push({ item: 'DRIVERS', work, against, value: pair.ours / pair.theirs, unit: 'x', ...pair })
  }
  await ours.close()
  await theirs.close()
  return figures
}
