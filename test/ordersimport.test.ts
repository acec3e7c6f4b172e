// Defends the import of orders: into the engine, to our own service and to a deployment that knows no idempotency, through
// cut connections, kills and interrupts, each order of the file is created exactly once, and what nobody knows is listed.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setWarehouse } from '../src/engine/settings.ts'
import { chanceOf, startCutter } from './cutter.ts'
import { bareEnv, shipx, start, type Ran } from './scorecard/serving.ts'
import { startService } from './serve.ts'
import { startStandIn, type StandIn } from './standin.ts'

let folder: string
const open: (() => Promise<void>)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipx-orders-'))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
  rmSync(folder, { recursive: true, force: true })
})

const header = 'Customer name,Customer mobile no,Order Id,Payment method,Address line 1,Customer pincode,Product name,Product SKU Id,Product quantity,Product price,Weight of the Package (in Kgs)' // prettier-ignore
const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `IMP-${String(n).padStart(5, '0')}`) // prettier-ignore

/** A file of so many orders, every third with two items; `over` changes a line. */
function fileOf(
  count: number,
  over: (line: string, n: number) => string = (line) => line,
  name = 'orders.csv',
): string {
  // prettier-ignore
  const lines = ids(count).flatMap((id, n) => {
    const line = (sku: string): string => `Asha Rao,98123${String(10_000 + n)},${id},${n % 2 === 0 ? 'COD' : 'Prepaid'},12 MG Road,560038,Romper,${sku},2,499,0.5` // prettier-ignore
    return n % 3 === 0 ? [over(line('CR-02'), n), over(line('MS-11'), n)] : [over(line('CR-02'), n)]
  })
  writeFileSync(join(folder, name), `${[header, ...lines].join('\n')}\n`)
  return name
}

const flags = ['--warehouse', 'WH1', '--size', '20x15x10', '--yes'] as const

const environment = (over: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  HOME: folder,
  SHIPX_DATA_DIR: join(folder, 'data'),
  SHIPX_CONFIG_DIR: join(folder, 'config'),
  ...over,
})

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  shipx(args, { env: environment(env), cwd: folder })

const imported = (file: string, env: Readonly<Record<string, string>> = {}, ...more: readonly string[]): Promise<Ran> =>
  // prettier-ignore
  run(['orders', 'import', file, ...flags, '--json', ...more], env)

/** What a run that came to an end says of itself. */
const summary = ({ stdout }: Ran): Readonly<Record<string, unknown>> =>
  (JSON.parse(stdout) as { readonly data: Readonly<Record<string, unknown>> }).data

const failedRows = (file = 'orders.failed.csv'): readonly Readonly<Record<string, string>>[] =>
  existsSync(join(folder, file)) ? parse(readFileSync(join(folder, file)), { columns: true }) : []

/** How often each order is in a database, as shipments and as orders. */
function inDatabase(path: string): ReadonlyMap<string, number> {
  const db = new Database(path, { readonly: true })
  try {
    const shipments = db.prepare('select order_display_id as id, count(*) as n from shipments group by 1').all() as { id: string; n: number }[] // prettier-ignore
    const orders = new Set(db.prepare('select order_id from orders').pluck().all() as string[])
    return new Map(shipments.filter(({ id }) => orders.has(id)).map(({ id, n }) => [id, n]))
  } finally {
    db.close()
  }
}

const once = (count: number): ReadonlyMap<string, number> => new Map(ids(count).map((id) => [id, 1]))
const sorted = (map: ReadonlyMap<string, number>): ReadonlyMap<string, number> => new Map([...map].toSorted(([a], [b]) => (a < b ? -1 : 1))) // prettier-ignore

/** Starts an import and kills it after some ms, or once something has happened, unless it ends before. */
async function killed(
  file: string,
  when: number | (() => boolean),
  env: Readonly<Record<string, string>>,
  signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL',
): Promise<number | string> {
  // prettier-ignore
  const child = spawn(process.execPath, [start, 'orders', 'import', file, ...flags, '--quiet'], { cwd: folder, env: { ...bareEnv(), ...environment(env) }, stdio: 'ignore' }) // prettier-ignore
  const gone = new Promise<number | string>((resolve) => child.once('exit', (code, by) => resolve(code ?? String(by))))
  if (typeof when === 'number') await Promise.race([wait(when), gone])
  else while (child.exitCode === null && !when()) await wait(20)
  child.kill(signal)
  return gone
}

describe('into the engine', () => {
  const db = (): string => join(folder, 'data', 'shipx.sqlite')

  test('one order that is refused does not undo the others, and the mended file of failed rows goes in', async () => {
    await run(['local', 'warehouse', 'set', 'WH1', '400001'])
    const bad = (n: number): boolean => n % 50 === 7
    const file = fileOf(600, (line, n) => (bad(n) ? `${line},gone-store` : n % 50 === 8 ? line.replace('560038', '560999') : line) + (bad(n) ? '' : ',')) // prettier-ignore
    writeFileSync(join(folder, file), readFileSync(join(folder, file), 'utf8').replace('(in Kgs)', '(in Kgs),Store name')) // prettier-ignore
    const first = await imported(file)
    expect([first.exit, summary(first)]).toEqual([7, expect.objectContaining({ created: 576, failed: 24 })])
    expect(new Set(failedRows().map((row) => row['shipx_code']))).toEqual(new Set(['unknown_store', 'invalid_input']))
    expect(failedRows().length).toBeGreaterThan(24)
    expect(sorted(inDatabase(db())).size).toBe(576)
    writeFileSync(join(folder, 'orders.failed.csv'), readFileSync(join(folder, 'orders.failed.csv'), 'utf8').replaceAll(',gone-store,', ',,').replaceAll(',560999,', ',560038,')) // prettier-ignore
    const second = await imported('orders.failed.csv')
    expect([second.exit, summary(second)]).toEqual([0, expect.objectContaining({ created: 24, failed: 0 })])
    expect(sorted(inDatabase(db()))).toEqual(once(600))
    const third = await imported(fileOf(600))
    expect([third.exit, summary(third)]).toEqual([0, expect.objectContaining({ created: 0, unchanged: 600 })])
  })

  test('an order that is there with other content is a failed row that says what differs, and nothing is changed', async () => {
    await imported(fileOf(6), {}, '--no-assign')
    const again = await imported(fileOf(6, (line, n) => (n === 4 ? line.replace(',2,499,', ',3,499,').replace('560038', '560001') : line)), {}, '--no-assign') // prettier-ignore
    expect([again.exit, summary(again)]).toEqual([7, expect.objectContaining({ unchanged: 5, failed: 1 })])
    expect(failedRows()).toEqual([
      expect.objectContaining({
        'Order Id': 'IMP-00004', shipx_row: '8', shipx_code: 'duplicate_order',
        shipx_error: 'this order is there already (without a tracking number yet), with another sub_total, cod_collectible, billing_pincode, order_items',
      }),
    ]) // prettier-ignore
    expect(sorted(inDatabase(db()))).toEqual(once(6))
  })

  test('an order whose lines stand apart is not sent in parts', async () => {
    const file = fileOf(4)
    const text = readFileSync(join(folder, file), 'utf8')
    writeFileSync(join(folder, file), `${text}${text.split('\n')[1]!.replace('CR-02', 'ZZ-9')}\n`)
    const ran = await imported(file, {}, '--no-assign')
    expect([ran.exit, summary(ran)]).toEqual([7, expect.objectContaining({ created: 3, failed: 2 })])
    expect(failedRows().map((row) => [row['Product SKU Id'], row['shipx_row']])).toEqual([['ZZ-9', '8'], ['CR-02', '2'], ['MS-11', '3']]) // prettier-ignore
    expect([...inDatabase(db()).keys()]).not.toContain('IMP-00000')
  })

  test(
    'killed at any moment, the same command again gives exactly the orders of the file',
    { timeout: 120_000 },
    async () => {
      // prettier-ignore
      await run(['local', 'warehouse', 'set', 'WH1', '400001'])
      const file = fileOf(3000)
      const chance = chanceOf(5)
      let kills = 0
      let part = 0
      for (let n = 0; n < 6; n++) {
        if ((await killed(file, 250 + chance() * 900, {})) === 'SIGKILL') kills++
        const there = inDatabase(db())
        expect([...there.values()].every((times) => times === 1)).toBe(true)
        expect(there.size).toBeGreaterThanOrEqual(part)
        part = there.size
      }
      const last = await imported(file)
      expect([last.exit, summary(last)]).toEqual([0, expect.objectContaining({ created: 3000 - part, unchanged: part, failed: 0 })]) // prettier-ignore
      expect(sorted(inDatabase(db()))).toEqual(once(3000))
      expect(kills).toBeGreaterThan(0)
    },
  )
})

describe('to our own service', () => {
  /** A service with the warehouse, behind a cutter. */
  async function service(every: number) {
    const served = await startService()
    open.push(served.close)
    await served.engine.database.write(() => setWarehouse(served.engine.account, 'WH1', '400001'))
    const cutter = await startCutter(served.url, { every, seed: 7 })
    open.push(cutter.close)
    return { served, cutter, env: { SHIPX_BASE_URL: cutter.url, SHIPX_API_KEY: served.key, SHIPX_NOW: '2025-11-21T11:03:07Z' } } // prettier-ignore
  }

  test(
    'one connection in five cut after commit: exactly the orders of the file (R7)',
    { timeout: 120_000 },
    async () => {
      // prettier-ignore
      const { served, cutter, env } = await service(5)
      const file = fileOf(150)
      let ran = await imported(file, env, '--concurrency', '8')
      for (let n = 0; n < 6 && ran.exit !== 0; n++) ran = await imported(file, env, '--concurrency', '8')
      expect(ran.exit).toBe(0)
      expect(sorted(inDatabase(served.path))).toEqual(once(150))
      const { answered, begun } = cutter.cuts()
      expect(answered + begun).toBeGreaterThan(15)
      expect(failedRows()).toEqual([])
    },
  )

  test(
    'killed and run again without its journal: nothing twice, and a later run changes nothing',
    { timeout: 120_000 },
    async () => {
      // prettier-ignore
      const { served, env } = await service(1e9)
      const file = fileOf(400)
      expect(await killed(file, () => inDatabase(served.path).size > 40, env)).toBe('SIGKILL')
      await wait(300)
      rmSync(join(folder, 'data'), { recursive: true, force: true })
      const second = await imported(file, env)
      expect([second.exit, summary(second)]).toEqual([0, expect.objectContaining({ failed: 0 })])
      expect(sorted(inDatabase(served.path))).toEqual(once(400))
      const later = await imported(fileOf(400, (line, n) => (n === 9 ? line.replace('98123', '98124') : line)), { ...env, SHIPX_NOW: '2025-12-01T00:00:00Z' }) // prettier-ignore
      expect([later.exit, summary(later)]).toEqual([7, expect.objectContaining({ unchanged: 399, failed: 1 })])
      expect(failedRows()[0]).toMatchObject({ 'Order Id': 'IMP-00009', shipx_error: expect.stringMatching(/with another billing_phone$/) as string }) // prettier-ignore
    },
  )

  test('interrupted: what is under way is finished, and the same command goes on', { timeout: 60_000 }, async () => {
    const { served, env } = await service(1e9)
    const file = fileOf(1000)
    expect(await killed(file, () => inDatabase(served.path).size > 40, env, 'SIGINT')).toBe(130)
    const part = inDatabase(served.path).size
    expect([part > 40, part < 1000]).toEqual([true, true])
    const second = await imported(file, env, '--concurrency', '16')
    expect([second.exit, summary(second)]).toEqual([0, expect.objectContaining({ created: 1000 - part, unchanged: part })]) // prettier-ignore
    expect(sorted(inDatabase(served.path))).toEqual(once(1000))
  })
})

describe('to a deployment without idempotency', () => {
  /** One that would create an order each time it is sent. */
  async function deployment(
    over: Parameters<typeof startStandIn>[0] = {},
  ): Promise<{ readonly remote: StandIn; readonly env: Readonly<Record<string, string>> }> {
    // prettier-ignore
    const remote = await startStandIn({ repeats: 'created', shipments: 3, returns: 2, ...over })
    open.push(remote.close)
    return { remote, env: { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: remote.key } }
  }

  test(
    'one connection in five cut: no order twice, every one in doubt is listed, and found on the next run (R8)',
    { timeout: 120_000 },
    async () => {
      // prettier-ignore
      const { remote, env } = await deployment()
      const cutter = await startCutter(remote.url, { every: 5, seed: 8 })
      open.push(cutter.close)
      const file = fileOf(120)
      const behind = { ...env, SHIPX_BASE_URL: cutter.url }
      const first = await imported(file, behind)
      expect(first.exit).toBe(7)
      const told = failedRows()
      const doubtful = new Set(told.filter((row) => row['shipx_code'] === 'unknown_outcome').map((row) => row['Order Id']!)) // prettier-ignore
      expect(doubtful.size).toBeGreaterThan(5)
      for (const id of ids(120)) {
        const [times, listed] = [remote.created.get(id) ?? 0, told.some((row) => row['Order Id'] === id)]
        expect([id, times <= 1, listed || times === 1]).toEqual([id, true, true])
        // Listed and there: only where it is said to be in doubt.
        if (listed && times === 1) expect([id, doubtful.has(id)]).toEqual([id, true])
      }
      let last = first
      for (let n = 0; n < 8 && last.exit !== 0; n++) last = await imported(file, behind)
      expect(last.exit).toBe(0)
      expect(sorted(remote.created)).toEqual(once(120))
    },
  )

  test('the file of failed rows, imported, sends nothing that is there; neither does the file with its journal gone', async () => {
    // prettier-ignore
    const { remote, env } = await deployment({ trouble: ({ path }, nth) => (path.startsWith('/forward') && nth % 3 === 0 ? { kind: 'lost' } : undefined) }) // prettier-ignore
    const first = await imported(fileOf(24), env)
    expect(first.exit).toBe(7)
    expect(sorted(remote.created)).toEqual(once(24))
    remote.switches.trouble = () => undefined
    const second = await imported('orders.failed.csv', env)
    expect([second.exit, summary(second)]).toEqual([0, expect.objectContaining({ created: 0, failed: 0 })])
    rmSync(join(folder, 'data'), { recursive: true, force: true })
    const third = await imported('orders.csv', env)
    expect([third.exit, summary(third)]).toEqual([0, expect.objectContaining({ created: 0, unchanged: 24, failed: 0 })])
    expect(sorted(remote.created)).toEqual(once(24))
  })

  test('what an earlier run of the file has saved is not asked for again', async () => {
    const { remote, env } = await deployment()
    await imported(fileOf(10), env)
    remote.forget()
    const again = await imported('orders.csv', env)
    expect(summary(again)).toMatchObject({ created: 0, unchanged: 10 })
    expect(remote.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /client-stores'])
  })

  test('an order that was recorded and that no courier took is said', async () => {
    const { env } = await deployment({ courier: 'none' })
    const ran = await imported(fileOf(2), env)
    expect([ran.exit, summary(ran)]).toEqual([0, expect.objectContaining({ created: 2 })])
    expect(ran.stderr).toContain('! recorded, but no courier took them: IMP-00000, IMP-00001')
  })
})
