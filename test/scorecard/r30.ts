// R30: a service under mixed load for hours, and beside it copies that are made, put back and compared: no error,
// nothing lost or different, and neither descriptors nor memory grow.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import driver from 'better-sqlite3'
import { drawsOf, type Draws } from '../support/chance.ts'
import { rateRequest } from '../support/requests.ts'
import { askerOf, type Asker } from './asking.ts'
import { held, keptOrders, ordererOf, type Kept, type Orderer } from './ordering.ts'
import { percentile, share, summed, timed, type Finding, type Size } from './row.ts'
import { descriptorsOf, residentMb, shipx, startServing, type Serving } from './serving.ts'

/** Requests a second at full size and in a sample, and requests that are under way at most. */
const [whole, sampled, together] = [500, 60, 64]

/** Seconds between copies, and how far descriptors and memory (MB) may go up and down. */
const [copyEvery, mostDescriptors, mostMb] = [30, 12, 60]

const account = 'soak'

/** A client under way: its orders, and what else it did. */
interface Load {
  readonly orderer: Orderer
  readonly faults: string[]
  asked: number
}

/** R30: so much of two hours. */
export const r30 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const seconds = share(size, 7200, 10)
    const rate = size >= 0.05 ? whole : sampled
    const serving = await startServing(['--rate-limit', '0', '--quiet'])
    const asker = askerOf(serving.url, 16)
    try {
      const { key } = await serving.keyOf(account)
      await serving.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', account)
      const load: Load = { orderer: ordererOf(asker, key), faults: [], asked: 0 }
      const until = performance.now() + seconds * 1000
      const watched = watching(serving, until)
      const copied = copying(serving, load, until, Math.min(copyEvery, seconds / 2))
      await asking(asker, key, load, rate, until)
      const [grown, copies] = await Promise.all([watched, copied])
      load.faults.push(...load.orderer.faults, ...held(load.orderer, await keptIn(serving.db)), ...grown.faults)
      await total(asker, key, load)
      await compare(serving, load, 'at the end', true)
      if (!serving.alive()) load.faults.push('the service has ended')
      const perSecond = Math.round(load.asked / seconds)
      return {
        row: 'R30',
        what: `${seconds} s of mixed requests, ${perSecond} a second, and ${copies + 1} copies put back`,
        tried: load.asked,
        result: `${load.orderer.acknowledged.size} orders, ${grown.result}`,
        target: '0 errors, 0 drift, descriptors and memory flat',
        faults: summed(load.faults),
      }
    } finally {
      asker.close()
      await serving.close()
    }
  })

/** Sends so many requests a second, fewer where as many are under way as may be. */
async function asking(asker: Asker, key: string, load: Load, rate: number, until: number): Promise<void> {
  const draws = drawsOf(30)
  const under = new Set<Promise<void>>()
  const began = performance.now()
  let sent = 0
  while (performance.now() < until) {
    const due = Math.floor(((performance.now() - began) / 1000) * rate)
    for (; sent < due; sent++) {
      if (under.size >= together) continue
      load.asked++
      const one: Promise<void> = request(asker, key, load, draws).finally(() => under.delete(one))
      under.add(one)
    }
    await wait(10)
  }
  await Promise.all(under)
}

/** One request of a kind that chance picks; anything but success is a fault. */
async function request(asker: Asker, key: string, load: Load, draws: Draws): Promise<void> {
  const kind = draws.below(100)
  const n = load.asked
  if (kind < 4) {
    if (!(await load.orderer.order(`SOAK-${n}`, performance.now() + 30_000))) load.faults.push('an order was not made')
    return
  }
  const [method, path, body, wanted] = questionOf(kind, n, draws)
  try {
    const { status, text } = await asker.ask(method, path, key, body)
    if (status !== wanted) load.faults.push(`${path} answered ${status}: ${text.slice(0, 150)}`)
  } catch (error) {
    load.faults.push(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Sent = readonly [method: string, path: string, body: unknown, wanted: number]

function questionOf(kind: number, n: number, draws: Draws): Sent {
  if (kind < 5 && n < 50_000)
    return ['POST', '/client-stores', { store_name: `soak-${n}`, brand_name: `Soak ${n}` }, 201]
  if (kind < 20) return ['POST', '/rates', rateRequest, 200]
  if (kind < 30) return ['POST', '/returns', { per_page: 10 }, 200]
  const filter = draws.pick([{}, { search: 'romper' }, { statuses: ['pending'] }, { sort_order: 'asc' }, { page: 2 }])
  return ['POST', '/shipments', { per_page: 20, ...filter }, 200]
}

/** Looks at the service each second; says what has grown from the second fifth of the time to the last. */
async function watching(serving: Serving, until: number): Promise<{ result: string; faults: readonly string[] }> {
  const [descriptors, memory]: [number[], number[]] = [[], []]
  while (performance.now() < until) {
    descriptors.push(descriptorsOf(serving.pid))
    memory.push(residentMb(serving.pid))
    await wait(1000)
  }
  const fifth = Math.ceil(memory.length / 5)
  const grown = (list: readonly number[]): readonly [number, number] => [
    percentile(list.slice(fifth, 2 * fifth), 50),
    percentile(list.slice(-fifth), 50),
  ]
  const [files, mb] = [grown(descriptors), grown(memory)]
  const faults: string[] = []
  if (files[1] - files[0] > mostDescriptors) faults.push(`from ${files[0]} to ${files[1]} descriptors`)
  if (mb[1] - mb[0] > mostMb) faults.push(`from ${mb[0]} to ${mb[1]} MB`)
  return { result: `${files.join(' to ')} descriptors, ${mb.join(' to ')} MB`, faults }
}

/** Makes a copy every so many seconds, puts it back elsewhere and compares; says how many. */
async function copying(serving: Serving, load: Load, until: number, every: number): Promise<number> {
  let copies = 0
  for (let next = performance.now() + every * 1000; next < until - 1000; next += every * 1000) {
    await wait(Math.max(0, next - performance.now()))
    await compare(serving, load, `copy ${++copies}`, false)
  }
  return copies
}

/**
 * A copy that is put back has the rows of the copy, and what was acknowledged before it; where nobody writes (`still`),
 * also those of the database.
 */
async function compare(serving: Serving, { orderer, faults }: Load, what: string, still: boolean): Promise<void> {
  const [copy, back] = ['copy.sqlite', 'back.sqlite'].map((name) => join(serving.folder, name)) as [string, string]
  const acknowledged = new Map(orderer.acknowledged)
  try {
    const made = await serving.local('local', 'backup', copy)
    if (made.exit !== 0) return void faults.push(`${what}: backup ended with ${made.exit}: ${made.stderr}`)
    const put = await shipx(['local', 'restore', copy, '--yes', '--db', back], { env: { HOME: serving.folder } })
    if (put.exit !== 0) return void faults.push(`${what}: restore ended with ${put.exit}: ${put.stderr}`)
    const [one, other] = [await digestOf(copy, serving), await digestOf(back, serving)]
    if (one !== other) faults.push(`${what}: what was put back is not the copy`)
    if (still && (await digestOf(serving.db, serving)) !== other) faults.push(`${what}: the copy is not the database`)
    faults.push(...held({ acknowledged }, await keptIn(back)).map((fault) => `${what}: ${fault}`))
  } finally {
    for (const path of [copy, back]) for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  }
}

/**
 * A sum over all rows of all tables, in whatever order they come, and what `shipx local check` says. Whoever asks the
 * service lives in this process too: it lets them work between the rows, or they would miss answers that are there.
 */
async function digestOf(path: string, { folder }: Serving): Promise<string> {
  const db = new driver(path)
  try {
    let [sum, rows] = [0n, 0]
    const tables = "select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'"
    for (const name of db.prepare(tables).pluck().all() as string[]) {
      for (const row of db.prepare(`select * from "${name}"`).raw().safeIntegers().iterate()) {
        const cells = (row as unknown[]).map((cell) => (cell instanceof Uint8Array ? cell.toString() : String(cell)))
        const text = [name, ...cells].join('\t')
        sum = BigInt.asUintN(64, sum + createHash('sha256').update(text).digest().readBigUInt64LE())
        if (++rows % 200 === 0) await turn()
      }
    }
    const checked = await shipx(['local', 'check', '--db', path], { env: { HOME: folder } })
    return `${sum.toString(16)} ${checked.exit}`
  } finally {
    db.close()
  }
}

/** The account's orders in a file. */
async function keptIn(path: string): Promise<Kept> {
  const db = new driver(path)
  try {
    const id = db.prepare('select id from accounts where name = ?').pluck().get(account) as number
    const ours = `from (select * from shipments where account_id = ${id})`
    return await keptOrders(
      async (text) =>
        db.prepare(text.replaceAll('::int', '').replaceAll('from shipments', ours)).all() as Record<string, unknown>[],
    )
  } finally {
    db.close()
  }
}

/** The service counts what was acknowledged. */
async function total(asker: Asker, key: string, { orderer, faults }: Load): Promise<void> {
  const { text } = await asker.ask('POST', '/shipments', key, { per_page: 1 })
  const told = (JSON.parse(text) as { readonly meta: { readonly total: number } }).meta.total
  if (told !== orderer.acknowledged.size)
    faults.push(`the service counts ${told} shipments, and acknowledged ${orderer.acknowledged.size}`)
}
