// Defends messages as a person finds and reads them: the text in `show`, rows that fit a terminal, the end of an id.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderRequest } from '../support/requests.ts'
import { sandbox, type Outcome, type Sandbox } from '../support/sandbox.ts'
import { driver } from '../support/sqlite.ts'

let box: Sandbox
const shipx = (args: readonly string[], width?: number): Promise<Outcome> =>
  box.shipx([...args, '--db', join(box.folder, 'here.sqlite')], {
    env: width === undefined ? {} : { SHIPX_FORCE_TTY: String(width) },
  })
interface Listed {
  readonly id: string
  readonly order_id: string
  readonly channel: string
}
const listed = async (...args: readonly string[]): Promise<readonly Listed[]> =>
  (JSON.parse((await shipx(['messages', 'list', '--json', ...args])).stdout) as { data: readonly Listed[] }).data

beforeAll(async () => {
  box = sandbox()
  await shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
  for (const order_id of ['#1500', 'JAI-100338']) {
    box.file('order.json', JSON.stringify(orderRequest({ order_id, warehouse_id: 'WH1' })))
    const { exit, stderr } = await shipx(['orders', 'create', '--file', 'order.json', '--yes'])
    expect([exit, stderr]).toMatchObject([0, expect.any(String)])
  }
})
afterAll(() => box.remove())

test('messages show printed no word of the message', async () => {
  const [message] = await listed('--order', '#1500')
  const shown = await shipx(['messages', 'show', message!.id], 80)
  expect(shown.stdout).toMatch(/^Thank you, .*! Your order #1500 is confirmed\./u)
  expect(shown.stdout).toContain(message!.id)
  expect(shown.stdout).not.toContain('9876543210')
  const { data } = JSON.parse((await shipx(['messages', 'show', message!.id, '--json'])).stdout) as { data: object }
  expect(data).toMatchObject({
    id: message!.id,
    text: expect.stringMatching(/Your order #1500 is confirmed/u),
    subject: 'Your order #1500 is confirmed',
    facts: { order: '#1500' },
  })
})

test('the long id left no room for the order and the phone in 80 columns', async () => {
  const { stdout } = await shipx(['messages', 'list'], 80)
  const [header, ...rows] = stdout.trimEnd().split('\n')
  for (const column of ['MESSAGE', 'STATUS', 'STEP', 'BY', 'ORDER', 'TO', 'MADE']) expect(header).toContain(column)
  const all = await listed()
  expect(rows.map((row) => row.slice(0, 8))).toEqual(all.map(({ id }) => id.slice(-8)))
})

test('an order is found without its #; the end of an id is enough, and none that several have', async () => {
  expect((await listed('--order', '1500')).map(({ order_id }) => order_id)).toEqual(['#1500'])
  const all = await listed()
  const [{ id }, other] = [all[0]!, all[1]!]
  expect((await shipx(['messages', 'show', id.slice(-8)], 80)).stdout).toContain(id)
  expect((await shipx(['messages', 'preview', id.slice(-8), '--text'])).exit).toBe(0)
  expect((await shipx(['messages', 'cancel', id.slice(-8)])).stdout).toContain(id)
  expect((await shipx(['messages', 'retry', id.slice(-6)])).stdout).toContain(id)
  expect(await shipx(['messages', 'show', id.slice(-5)])).toMatchObject({ exit: 3 })
  // Ids that end alike, as chance may make them.
  const end = id.slice(-6)
  const db = new driver(join(box.folder, 'here.sqlite'))
  db.prepare('update messages set id = ? where id = ?').run(other!.id.slice(0, -6) + end, other!.id)
  db.close()
  const twice = await shipx(['messages', 'cancel', end])
  expect([twice.exit, twice.stderr]).toMatchObject([2, expect.stringContaining(`several messages end in ${end}`)])
})

test('retry said that a message goes now where nothing is set up; its dry run counted nothing', async () => {
  const [message] = await listed()
  const due = await shipx(['messages', 'retry', message!.id], 120)
  expect(due.stderr).toContain('1 message is due')
  expect(due.stderr).toContain('nothing is set up to send messages: shipx messages set --gateway <url>')
  const dry = await shipx(['messages', 'retry', '--failed', '--dry-run', '--json'])
  expect(JSON.parse(dry.stdout)).toEqual({ dry_run: { retry: 'failed', messages: 0 } })
})

test('deliver said that there is no gateway where one is set, and had a tick for messages that failed', async () => {
  await shipx(['messages', 'set', '--gateway', 'http://127.0.0.1:9/x', '--allow-private'])
  const { exit, stderr } = await shipx(['messages', 'deliver'], 120)
  expect(exit).toBe(2)
  expect(stderr).toContain('the gateway is set, but it is http://, which needs --allow-private here')
  expect(stderr).not.toContain('there is no gateway')
  const [message] = await listed()
  expect((await shipx(['messages', 'retry', message!.id], 120)).exit).toBe(0)
  const failed = await shipx(['messages', 'deliver', '--allow-private', '--ignore-quiet-hours'], 120)
  expect([failed.exit, failed.stderr]).toEqual([
    7,
    expect.stringMatching(/^! 0 sent, .*1 failed and will be tried again/m),
  ])
})
