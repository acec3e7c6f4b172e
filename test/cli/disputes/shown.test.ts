// Defends what `shipx disputes` shows: missing evidence before a dispute is raised, what was accepted, the order of one
// deadline, who did what, and an export of nothing.
// @module-tag full: variations of what is printed
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox, type Outcome } from '../../support/sandbox.ts'
import { png } from '../../support/pictures.ts'
import { contract, prepare, shipment } from '../reconcile/invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
const wide = { SHIPX_FORCE_TTY: '200', NO_COLOR: '1' }
const run = (...words: readonly string[]): Promise<Outcome> =>
  box.shipx(['disputes', ...words], { env: { ...wide, SHIPX_NOW: '2026-10-03T06:30:00Z' } })

beforeAll(async () => {
  const awbs = ['1001', '1002', '1003', '1004']
  await prepare(
    box,
    awbs.map((awb) => shipment(awb)),
    contract(),
  )
  const rows = [
    'awb,order,zone,weight_g,freight,rto,gst,total',
    '1001,A-1001,c,900,70,0,12.60,82.60',
    '1002,A-1002,c,1400,100,0,18,118',
    '1003,A-1003,d,400,45.40,0,8.17,53.57',
    '1004,A-1004,d,400,46.40,0,8.35,54.75',
  ]
  const path = box.file('SEP.csv', rows.join('\n'))
  const words = ['--courier', 'Delhivery', '--number', 'SEP', '--date', '2026-10-03', '--yes', '-q']
  const { exit, stderr } = await box.shipx(['reconcile', 'invoice', path, ...words])
  expect([exit, stderr]).toEqual([0, stderr])
  await box.shipx(['courier', 'policy', 'set', 'Delhivery', 'weight_window=7wd', 'weight_proof=length,scale'])
})

test('create with a number alone says what is meant', async () => {
  const { exit, stderr } = await run('create', 'SEP')
  expect([exit, stderr]).toEqual([
    2,
    expect.stringContaining('to take invoice SEP alone: shipx disputes create --from invoice SEP'),
  ])
})

test('--due with nothing due says how many open ones have no deadline', async () => {
  expect((await run('create', '--from', 'invoice', 'SEP')).exit).toBe(0)
  const { stdout, stderr } = await run('list', '--due', '2d')
  expect([stdout, stderr]).toEqual([
    '',
    'No dispute is due within this time. 2 open disputes have no deadline: shipx disputes list\n',
  ])
})

test('disputes with one deadline come dearest first, before and after they are raised', async () => {
  const order = async (): Promise<readonly string[]> =>
    (JSON.parse((await run('list', '--json')).stdout) as { data: readonly { awb: string }[] }).data.map(
      ({ awb }) => awb,
    )
  expect(await order()).toEqual(['1002', '1001', '1004', '1003'])
  await run('evidence', '1002', box.file('length-scale.png', png()))
  const { stderr } = await run('export', '--courier', 'Delhivery', '--zip', 'd.zip', '--mark', 'raised')
  expect(stderr.split('\n')).toEqual([
    expect.stringContaining('Wrote 4 disputes'),
    expect.stringContaining(
      '1 dispute lacks evidence that the policy asks for: 1001 (length, scale). To add it: shipx',
    ),
    expect.stringContaining('Marked 4 disputes as raised'),
    '',
  ])
  expect(await order()).toEqual(['1002', '1001', '1004', '1003'])
  // Pages of one go on where the one before ended.
  expect((await run('list', '--limit', '3', '--ids')).stdout.split('\n')).toHaveLength(4)
})

test('an export of nothing says so, and prints no bare header', async () => {
  const { exit, stdout, stderr } = await run('export', '--courier', 'Delhivery', '--csv')
  expect([exit, stdout, stderr]).toEqual([0, '', expect.stringContaining('No dispute with Delhivery waits')])
  expect((await run('export', '--courier', 'Delhivery', '--jsonl')).stdout).toBe('')
})

test('accepted ones show what was accepted, with its sum', async () => {
  expect((await run('list')).stdout).not.toContain('ACCEPTED')
  await run('set', '1001', '--status', 'accepted')
  await run('set', '1002', '--status', 'partly', '--amount', '20.50')
  const amounts = (
    JSON.parse((await run('list', '--status', 'accepted,partly', '--json')).stdout) as {
      data: readonly { accepted: number }[]
    }
  ).data.map(({ accepted }) => accepted)
  const sum = amounts.reduce((all, one) => all + one, 0).toFixed(2)
  const { stdout, stderr } = await run('list', '--status', 'accepted,partly')
  expect([stdout, stderr]).toEqual([
    expect.stringContaining('ACCEPTED'),
    expect.stringContaining(`₹${sum} of it accepted`),
  ])
})

test('the sum of the list read as open money, and is what its disputes claim in full', async () => {
  const { stdout } = await run('list', '--limit', 'all', '--json')
  const { stderr } = await run('list')
  const { data } = JSON.parse(stdout) as { data: readonly { amount: number }[] }
  const sum = data.reduce((all, { amount }) => all + amount, 0).toFixed(2)
  expect(stderr).toContain(`${data.length} disputes, ₹${sum} claimed`)
})

test('get shows who did what with which amount, and --wide times of India', async () => {
  const { stdout, stderr } = await run('get', '1002')
  expect(stdout).toContain('CREDITED')
  const lines = stderr.trim().split('\n')
  expect(lines.at(-1)).toMatch(/^03 Oct 12:00 {2}Partly +₹20\.50 {2}by \S+ {2}disputes set$/)
  expect((await run('list', '--wide', '--limit', '1')).stdout).toContain('03 Oct 12:00')
})
