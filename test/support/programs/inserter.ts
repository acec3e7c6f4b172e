// A program: opens a database, and makes stores in it one after another, or reads until its input ends. Says at its
// end what it came to, as JSON: how long each call took, and the codes of those that failed.
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { messageOf, ShipxError } from '../../../src/domain/errors.ts'
import { accountNamed } from '../../../src/engine/accounts/settings.ts'
import { openSqlite } from '../../../src/engine/database/sqlite.ts'
import { sqliteDriver } from '../../../src/engine/database/sqlitechoice.ts'
import { embeddedService, type EmbeddedService } from '../../../src/engine/service.ts'

/** What an inserter or a reader came to. */
export interface Told {
  /** The ms of each call. */
  readonly times: number[]
  readonly failures: string[]
}

const [path = '', name = '', count = '0', at = '0'] = process.argv.slice(2)
const told: Told = { times: [], failures: [] }

async function called(work: () => Promise<void>): Promise<void> {
  const began = performance.now()
  try {
    await work()
  } catch (error) {
    told.failures.push(`${error instanceof ShipxError ? error.code : 'internal'}: ${messageOf(error)}`)
  }
  told.times.push(Math.round(performance.now() - began))
}

const inserts = async (service: EmbeddedService): Promise<void> => {
  for (let n = 0; n < Number(count); n++)
    await called(async () => void (await service.createStore({ store_name: `${name}-${n}`, brand_name: name })))
}

/** Reads again and again: what was there stays there. */
async function reads(service: EmbeddedService): Promise<void> {
  let seen = 0
  const ended = once(process.stdin.resume(), 'end').then(() => true)
  while (!(await Promise.race([ended, wait(10, false)]))) {
    await called(async () => {
      const { data } = await service.listStores({})
      if (data.length < seen) told.failures.push(`${data.length} stores after ${seen}`)
      seen = data.length
    })
  }
}

async function main(): Promise<void> {
  // All of them at the same moment, also the first of the file.
  await wait(Math.max(0, Number(at) - Date.now()))
  const database = openSqlite(sqliteDriver(process), { path })
  const account = await database.write(() => accountNamed('default', Date.now()))
  const service = embeddedService(database, account, {
    now: Date.now,
    uuid: randomUUID,
    letters: (length) => randomUUID().slice(0, length),
    digest: (data) => createHash('sha256').update(data).digest('hex'),
  })
  await (name === '' ? reads(service) : inserts(service))
  await database.close()
  process.stdout.write(JSON.stringify(told))
}

void main()
