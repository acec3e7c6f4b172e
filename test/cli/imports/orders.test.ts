// Defends the import of orders: into the engine, to our own service and to a deployment that knows no idempotency, through
// kills, interrupts and lost answers, each order of the file is created exactly once, and what nobody knows is listed. Cut
// connections are R7I and R8I of the scorecard.
// @module-tag full: imports that are killed and run again
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setWarehouse } from '../../../src/engine/accounts/settings.ts'
import { chanceOf } from '../../support/chance.ts'
import { failedRows, orderFlags, ordersCsv, ordersIn, ordersOnce, summaryOf } from '../../support/imports.ts'
import { sandbox, type Outcome, type Sandbox } from '../../support/sandbox.ts'
import { startService } from '../../support/service.ts'
import { workbook } from '../../support/workbook.ts'
import { startStandIn, type StandIn } from '../../support/foreigndeployment.ts'

let box: Sandbox
const open: (() => Promise<void>)[] = []
beforeEach(() => {
  box = sandbox()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
  box.remove()
})

/** A file of so many orders; `over` changes a line. */
function fileOf(count: number, over?: (line: string, n: number) => string): string {
  box.file('orders.csv', ordersCsv(count, over))
  return 'orders.csv'
}

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
  box.shipx(args, { env })

const imported = (
  file: string,
  env: Readonly<Record<string, string>> = {},
  ...more: readonly string[]
): Promise<Outcome> => run(['orders', 'import', file, ...orderFlags, '--json', ...more], env)

const failed = (): ReturnType<typeof failedRows> => failedRows(join(box.folder, 'orders.failed.csv'))
const sorted = (map: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  new Map([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Starts an import and kills it after some ms, or once something has happened, unless it ends before. */
async function killed(
  file: string,
  when: number | (() => boolean),
  env: Readonly<Record<string, string>>,
  signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL',
): Promise<number | string> {
  const { child, ended } = box.begin(['orders', 'import', file, ...orderFlags, '--quiet'], { env })
  if (typeof when === 'number') await Promise.race([wait(when), ended])
  else while (child.exitCode === null && !when()) await wait(20)
  child.kill(signal)
  return (await ended).exit
}

describe('into the engine', () => {
  const db = (): string => join(box.folder, 'data', 'shipx.sqlite')

  test('one order that is refused does not undo the others, and the mended file of failed rows goes in', async () => {
    await run(['local', 'warehouse', 'set', 'WH1', '400001'])
    const bad = (n: number): boolean => n % 50 === 7
    const file = fileOf(
      600,
      (line, n) =>
        (bad(n) ? `${line},gone-store` : n % 50 === 8 ? line.replace('560038', '560999') : line) + (bad(n) ? '' : ','),
    )
    writeFileSync(
      join(box.folder, file),
      readFileSync(join(box.folder, file), 'utf8').replace('(in Kgs)', '(in Kgs),Store name'),
    )
    const first = await imported(file)
    expect([first.exit, summaryOf(first)]).toEqual([7, expect.objectContaining({ created: 576, failed: 24 })])
    expect(new Set(failed().map((row) => row['shipx_code']))).toEqual(new Set(['unknown_store', 'invalid_input']))
    expect(failed().length).toBeGreaterThan(24)
    expect(sorted(ordersIn(db())).size).toBe(576)
    writeFileSync(
      join(box.folder, 'orders.failed.csv'),
      readFileSync(join(box.folder, 'orders.failed.csv'), 'utf8')
        .replaceAll(',gone-store,', ',,')
        .replaceAll(',560999,', ',560038,'),
    )
    const second = await imported('orders.failed.csv')
    expect([second.exit, summaryOf(second)]).toEqual([0, expect.objectContaining({ created: 24, failed: 0 })])
    expect(sorted(ordersIn(db()))).toEqual(ordersOnce(600))
    const third = await imported(fileOf(600))
    expect([third.exit, summaryOf(third)]).toEqual([0, expect.objectContaining({ created: 0, unchanged: 600 })])
  })

  test('an order that is there with other content is a failed row that says what differs, and nothing is changed', async () => {
    await run(['local', 'warehouse', 'set', 'WH1', '400001'])
    await imported(fileOf(6), {}, '--no-assign')
    const again = await imported(
      fileOf(6, (line, n) => (n === 4 ? line.replace(',2,499,', ',3,499,').replace('560038', '560001') : line)),
      {},
      '--no-assign',
    )
    expect([again.exit, summaryOf(again)]).toEqual([7, expect.objectContaining({ unchanged: 5, failed: 1 })])
    expect(failed()).toEqual([
      expect.objectContaining({
        'Order Id': 'IMP-00004',
        shipx_row: '8',
        shipx_code: 'duplicate_order',
        shipx_error:
          'this order is there already (without a tracking number yet), with another sub_total, cod_collectible, Customer pincode, order_items',
      }),
    ])
    expect(sorted(ordersIn(db()))).toEqual(ordersOnce(6))
  })

  test('each order that differs was a reason of its own, because its AWB was part of it', async () => {
    await run(['local', 'warehouse', 'set', 'WH1', '400001'])
    await imported(fileOf(6))
    const again = await imported(fileOf(6, (line) => line.replace('560038', '560001')))
    const { reasons, failed: all } = summaryOf(again)
    expect(reasons).toEqual([expect.objectContaining({ code: 'duplicate_order', count: all })])
    expect(JSON.stringify(reasons)).toContain('"this order is there already, with another Customer pincode"')
    expect(failed()[0]!['shipx_error']).toMatch(/^this order is there already \(tracking number \d+\), with another/)
  })

  test('an order whose lines stand apart is not sent in parts', async () => {
    await run(['local', 'warehouse', 'set', 'WH1', '400001'])
    const file = fileOf(4)
    const text = readFileSync(join(box.folder, file), 'utf8')
    writeFileSync(join(box.folder, file), `${text}${text.split('\n')[1]!.replace('CR-02', 'ZZ-9')}\n`)
    const ran = await imported(file, {}, '--no-assign')
    expect([ran.exit, summaryOf(ran)]).toEqual([7, expect.objectContaining({ created: 3, failed: 2 })])
    expect(failed().map((row) => [row['Product SKU Id'], row['shipx_row']])).toEqual([
      ['ZZ-9', '8'],
      ['CR-02', '2'],
      ['MS-11', '3'],
    ])
    expect([...ordersIn(db()).keys()]).not.toContain('IMP-00000')
  })

  test('killed at any moment, the same command again gives exactly the orders of the file', async () => {
    await run(['local', 'warehouse', 'set', 'WH1', '400001'])
    const file = fileOf(3000)
    const chance = chanceOf(5)
    let kills = 0
    let part = 0
    for (let n = 0; n < 6; n++) {
      if ((await killed(file, 250 + chance() * 900, {})) === 'SIGKILL') kills++
      const there = ordersIn(db())
      expect([...there.values()].every((times) => times === 1)).toBe(true)
      expect(there.size).toBeGreaterThanOrEqual(part)
      part = there.size
    }
    const last = await imported(file)
    expect([last.exit, summaryOf(last)]).toEqual([
      0,
      expect.objectContaining({ created: 3000 - part, unchanged: part, failed: 0 }),
    ])
    expect(sorted(ordersIn(db()))).toEqual(ordersOnce(3000))
    expect(kills).toBeGreaterThan(0)
  })
})

describe('to our own service', () => {
  /** A service with the warehouse. */
  async function service() {
    const served = await startService()
    open.push(served.close)
    await served.engine.database.write(() => setWarehouse(served.engine.account, 'WH1', '400001'))
    return { served, env: { SHIPX_BASE_URL: served.url, SHIPX_API_KEY: served.key, SHIPX_NOW: '2025-11-21T11:03:07Z' } }
  }

  test('killed and run again without its journal: nothing twice, and a later run changes nothing', async () => {
    const { served, env } = await service()
    const file = fileOf(400)
    expect(await killed(file, () => ordersIn(served.path).size > 40, env)).toBe('SIGKILL')
    await wait(300)
    rmSync(join(box.folder, 'data'), { recursive: true, force: true })
    const second = await imported(file, env)
    expect([second.exit, summaryOf(second)]).toEqual([0, expect.objectContaining({ failed: 0 })])
    expect(sorted(ordersIn(served.path))).toEqual(ordersOnce(400))
    const later = await imported(
      fileOf(400, (line, n) => (n === 9 ? line.replace('98123', '98124') : line)),
      { ...env, SHIPX_NOW: '2025-12-01T00:00:00Z' },
    )
    expect([later.exit, summaryOf(later)]).toEqual([7, expect.objectContaining({ unchanged: 399, failed: 1 })])
    expect(failed()[0]).toMatchObject({
      'Order Id': 'IMP-00009',
      shipx_error: expect.stringMatching(/with another Customer mobile no$/) as string,
    })
  })

  test('a second sheet of the same workbook was unchanged and not sent, because the first had the same rows', async () => {
    const { served, env } = await service()
    const rowsOf = (first: number) =>
      ordersCsv(4, (line, n) => line.replaceAll(/IMP-\d+/g, `IMP-0000${first + n}`))
        .trim()
        .split('\n')
        .map((line) => line.split(','))
    const sheets = [
      { name: 'Mon', rows: rowsOf(0) },
      { name: 'Tue', rows: rowsOf(4) },
    ]
    box.file('nov.xlsx', workbook(sheets, 'excel'))
    for (const sheet of ['Mon', 'Tue']) {
      const sent = await imported('nov.xlsx', env, '--sheet', sheet)
      expect([sent.exit, summaryOf(sent)]).toEqual([0, expect.objectContaining({ created: 4, unchanged: 0 })])
    }
    expect(sorted(ordersIn(served.path))).toEqual(ordersOnce(8))
    const again = await imported('nov.xlsx', env, '--sheet', '2')
    expect(summaryOf(again)).toMatchObject({ created: 0, unchanged: 4 })
  })

  test('by another column for the order id nothing was sent, because the rows had been sent by the first one', async () => {
    const { served, env } = await service()
    const [head, ...lines] = ordersCsv(4).trim().split('\n')
    const text = lines.map((line) => `${line},${/IMP-\d+/.exec(line)![0].replace('IMP-0000', 'IMP-0001')}`)
    box.file('orders.csv', `${[`${head!.replace('Order Id', 'Web no')},Shop no`, ...text].join('\n')}\n`)
    for (const header of ['Web no', 'Shop no']) {
      const sent = await imported('orders.csv', env, '--map', `${header}=order_id`)
      expect([sent.exit, summaryOf(sent)]).toEqual([0, expect.objectContaining({ created: 4, unchanged: 0 })])
    }
    expect(ordersIn(served.path).size).toBe(8)
  })

  test('interrupted: what is under way is finished, and the same command goes on', async () => {
    const { served, env } = await service()
    const file = fileOf(1000)
    expect(await killed(file, () => ordersIn(served.path).size > 40, env, 'SIGINT')).toBe(130)
    const part = ordersIn(served.path).size
    expect([part > 40, part < 1000]).toEqual([true, true])
    const second = await imported(file, env, '--concurrency', '16')
    expect([second.exit, summaryOf(second)]).toEqual([
      0,
      expect.objectContaining({ created: 1000 - part, unchanged: part }),
    ])
    expect(sorted(ordersIn(served.path))).toEqual(ordersOnce(1000))
  })
})

describe('to a deployment without idempotency', () => {
  /** One that would create an order each time it is sent. */
  async function deployment(
    over: Parameters<typeof startStandIn>[0] = {},
  ): Promise<{ readonly remote: StandIn; readonly env: Readonly<Record<string, string>> }> {
    const remote = await startStandIn({ repeats: 'created', shipments: 3, returns: 2, ...over })
    open.push(remote.close)
    // By the real clock, as the deployment's own.
    return { remote, env: { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: remote.key, SHIPX_NOW: '' } }
  }

  test('an order in doubt stays in doubt when the next run cannot look for it', async () => {
    const { remote, env } = await deployment({
      trouble: ({ path }) => (path.startsWith('/forward') ? { kind: 'lost' } : undefined),
    })
    await imported(fileOf(2), env)
    remote.switches.trouble = ({ path }) => (path === '/shipments' ? { kind: 'html', status: 502 } : undefined)
    const second = await imported('orders.csv', env)
    expect([second.exit, failed().map((row) => row['shipx_code'])]).toEqual([
      7,
      Array.from({ length: 3 }, () => 'unknown_outcome'),
    ])
    expect(failed()[0]!['shipx_error']).toMatch(/^sent by an earlier run, and it may or may not be there: /)
    remote.switches.trouble = () => undefined
    const third = await imported('orders.csv', env)
    expect([third.exit, summaryOf(third)]).toEqual([0, expect.objectContaining({ created: 0, unchanged: 2 })])
    expect(sorted(remote.created)).toEqual(ordersOnce(2))
  })

  test('the file of failed rows, imported, sends nothing that is there; neither does the file with its journal gone', async () => {
    const { remote, env } = await deployment({
      trouble: ({ path }, nth) => (path.startsWith('/forward') && nth % 3 === 0 ? { kind: 'lost' } : undefined),
    })
    const first = await imported(fileOf(24), env)
    expect(first.exit).toBe(7)
    expect(sorted(remote.created)).toEqual(ordersOnce(24))
    remote.switches.trouble = () => undefined
    const second = await imported('orders.failed.csv', env)
    expect([second.exit, summaryOf(second)]).toEqual([0, expect.objectContaining({ created: 0, failed: 0 })])
    rmSync(join(box.folder, 'data'), { recursive: true, force: true })
    const third = await imported('orders.csv', env)
    expect([third.exit, summaryOf(third)]).toEqual([
      0,
      expect.objectContaining({ created: 0, unchanged: 24, failed: 0 }),
    ])
    expect(sorted(remote.created)).toEqual(ordersOnce(24))
  })

  test('what an earlier run of the file has saved is not asked for again', async () => {
    const { remote, env } = await deployment()
    await imported(fileOf(10), env)
    remote.forget()
    const again = await imported('orders.csv', env)
    expect(summaryOf(again)).toMatchObject({ created: 0, unchanged: 10 })
    expect(remote.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /client-stores'])
  })

  test('an order that was recorded and that no courier took is named with the reason: exit 7', async () => {
    const { env } = await deployment({ courier: 'none' })
    const ran = await imported(fileOf(2), env)
    expect([ran.exit, summaryOf(ran)]).toEqual([7, expect.objectContaining({ created: 2 })])
    expect(ran.stderr).toMatch(/! recorded, but no courier took them: IMP-0000[01], IMP-0000[01] \(.{5,}\)/)
  })
})
