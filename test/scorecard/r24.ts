// R24: walks by cursor while somebody writes: new records at every place, and changes of old ones that leave them in
// their place. Every record that is there throughout comes once; nothing comes twice. By the engine, and over HTTP.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import driver from 'better-sqlite3'
import { returnSorts, type Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { accountNamed } from '../../src/engine/accounts/settings.ts'
import type { RecordKind } from '../../src/engine/database/port.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { saveRecords } from '../../src/engine/records/records.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { embeddedService } from '../../src/engine/service.ts'
import { drawsOf, type Draws } from '../support/chance.ts'
import { testHost, testNow } from '../support/host.ts'
import { askerOf } from './asking.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { startServing } from './serving.ts'

const kinds: readonly RecordKind[] = ['shipment', 'return']
type Kept = Shipment | Return

/** Records of each kind at the beginning of a database, and walks of one. */
const [records, walksOfOne] = [300, 20]

/** Asks for a page, with a body as it is sent. */
type Ask = (kind: RecordKind, body: Readonly<Record<string, unknown>>) => Promise<Paged>

interface Paged {
  readonly ids: readonly string[]
  readonly next: readonly string[]
}

/** Somebody who writes into a database, and what is there by now. */
interface Writer {
  readonly there: Readonly<Record<RecordKind, Map<string, Kept>>>
  readonly write: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What walks came to. */
interface Walked {
  walks: number
  writes: number
  seen: number
  readonly faults: string[]
}

/** R24: so many of 1,000 walks; every tenth asks a service, with 100 writes a second beside it. */
export const r24 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const runs = share(size, 1000, 10)
    const walked: Walked = { walks: 0, writes: 0, seen: 0, faults: [] }
    const overHttp = Math.max(2, Math.round(runs / 10))
    const draws = drawsOf(24)
    for (let left = runs - overHttp; left > 0; left -= walksOfOne)
      await byEngine(Math.min(left, walksOfOne), draws, walked)
    await byService(overHttp, draws, walked)
    const { walks, writes, seen, faults } = walked
    if (writes < walks) faults.push(`only ${writes} writes beside ${walks} walks`)
    return {
      row: 'R24',
      what: `${walks} walks by cursor while records are written, ${overHttp} of them over HTTP`,
      tried: walks,
      result: `${seen} records that were there throughout, ${writes} writes beside them`,
      target: 'each record that is there throughout exactly once',
      faults: summed(faults),
    }
  })

/** Walks in this process: between two pages another connection writes up to three times. */
async function byEngine(walks: number, draws: Draws, walked: Walked): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shipx-walks-'))
  const path = join(folder, 'walks.sqlite')
  const writer = await writerOn(path, 'default', draws)
  const database = openSqlite(driver, { path })
  try {
    const account = await database.write(() => accountNamed('default', testNow))
    const service = embeddedService(database, account, testHost())
    const ask: Ask = async (kind, body) => {
      const { records: found, meta } =
        kind === 'shipment'
          ? await service.listShipments(parseInput('listShipments', body))
          : await service.listReturns(parseInput('listReturns', body))
      return { ids: found.map(idOf), next: meta.next_search_after }
    }
    for (let n = 0; n < walks; n++) {
      await walk(ask, writer, draws, walked, async () => {
        for (let times = draws.below(4); times > 0; times--) {
          await writer.write()
          walked.writes++
        }
      })
    }
  } finally {
    await database.close()
    await writer.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Walks of a service, into whose database another process writes 100 times a second. */
async function byService(walks: number, draws: Draws, walked: Walked): Promise<void> {
  const serving = await startServing(['--rate-limit', '0', '--quiet'], 1)
  const { key } = await serving.keyOf('walks')
  const writer = await writerOn(serving.db, 'walks', draws)
  const { ask: send, close } = askerOf(serving.url)
  const ask: Ask = async (kind, body) => {
    const { status, text } = await send('POST', `/${kind}s`, key, body)
    if (status !== 200) throw new Error(`answered ${status}: ${text.slice(0, 200)}`)
    const page = JSON.parse(text) as { data: { id: string }[]; meta: { next_search_after: string[] } }
    return { ids: page.data.map(({ id }) => id), next: page.meta.next_search_after }
  }
  let last: Promise<void> = Promise.resolve()
  const writing = setInterval(() => {
    walked.writes++
    last = last.then(writer.write)
    last.catch((error: unknown) => walked.faults.push(`a write failed: ${String(error)}`))
  }, 10)
  try {
    for (let n = 0; n < walks; n++) await walk(ask, writer, draws, walked, async () => undefined)
  } finally {
    clearInterval(writing)
    await last.catch(() => undefined)
    close()
    await writer.close()
    await serving.close()
  }
}

const idOf = (record: string): string => (JSON.parse(record) as { readonly id: string }).id

/** One walk to its end, by a random question. */
async function walk(
  ask: Ask,
  writer: Writer,
  draws: Draws,
  walked: Walked,
  between: () => Promise<void>,
): Promise<void> {
  const kind = draws.pick(kinds)
  const { body, holds } = questionOf(kind, draws)
  const throughout = [...writer.there[kind].values()].filter(holds).map(({ id }) => String(id))
  const seen = new Map<string, number>()
  let after: readonly string[] = []
  for (let pages = 0; ; pages++) {
    const page = await ask(kind, after.length === 0 ? body : { ...body, search_after: after })
    for (const id of page.ids) seen.set(id, (seen.get(id) ?? 0) + 1)
    if (page.ids.length === 0 || page.next.length === 0) break
    if (pages > 5000) throw new Error('a walk does not end')
    after = page.next
    await between()
  }
  const about = JSON.stringify(body)
  for (const id of throughout)
    if (!seen.has(id)) walked.faults.push(`${kind} ${about}: a record that was there throughout is missing`)
  for (const times of seen.values()) if (times > 1) walked.faults.push(`${kind} ${about}: a record came ${times} times`)
  walked.walks++
  walked.seen += throughout.length
}

interface Question {
  readonly body: Readonly<Record<string, unknown>>
  readonly holds: (record: Kept) => boolean
}

/** A question in a random order, half of them with a filter. */
function questionOf(kind: RecordKind, draws: Draws): Question {
  const body = {
    per_page: 5 + draws.below(60),
    sort_order: draws.pick(['asc', 'desc']),
    ...(kind === 'return' && draws.below(2) === 0 ? { sort_by: draws.pick(returnSorts) } : {}),
  }
  if (draws.below(2) === 0) return { body, holds: () => true }
  const warehouse = draws.pick(warehouses)
  return {
    body: kind === 'shipment' ? { ...body, warehouse_ids: [warehouse] } : { ...body, warehouse_id: [warehouse] },
    holds: ({ attributes }) => attributes?.warehouse_id === warehouse,
  }
}

const warehouses = ['WH1', 'WH2', 'WH3']

/** Opens (and makes) a database with records of an account, and writes more. */
async function writerOn(path: string, name: string, draws: Draws): Promise<Writer> {
  const plan = { shipments: records, returns: records, stores: 2, days: 20, seed: draws.below(1000), now: testNow }
  const seeds = { shipment: [...seedShipments(plan)], return: [...seedReturns(plan)] }
  const there = { shipment: new Map<string, Kept>(), return: new Map<string, Kept>() }
  const database = openSqlite(driver, { path })
  const account = await database.write(() => accountNamed(name, testNow))
  let made = 0
  // Few times and prices: many records share the one that they are sorted by.
  const instant = (): string => new Date(testNow - draws.below(60) * 1000).toISOString()
  const another = (kind: RecordKind): Kept => {
    const { attributes, ...record } = draws.pick<Kept>(seeds[kind])
    const own = { created_at: instant(), warehouse_id: draws.pick(warehouses) }
    const sorted = kind === 'return' ? { request_date: instant(), total_price: draws.below(20) } : {}
    const id = `${draws.below(10 ** 9).toString(36)}-${++made}`
    return { ...record, id, attributes: { ...attributes, ...own, ...sorted } } as Kept
  }
  const save = async (kind: RecordKind, all: readonly Kept[]): Promise<void> => {
    await database.write(() => saveRecords(database.dialect, account, kind, all))
    for (const record of all) there[kind].set(String(record.id), record)
  }
  for (const kind of kinds)
    await save(
      kind,
      Array.from({ length: records }, () => another(kind)),
    )
  return {
    there,
    write: async () => {
      const kind = draws.pick(kinds)
      if (draws.below(2) === 0) return save(kind, [another(kind)])
      const before = draws.pick([...there[kind].values()])
      const attributes = { ...before.attributes, status: draws.pick(['in_transit', 'delivered', 'lost']) }
      return save(kind, [{ ...before, attributes } as Kept])
    },
    close: () => database.close(),
  }
}
