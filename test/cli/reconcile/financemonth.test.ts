// What a finance person found wrong in the money of a month, each found wrong once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../../src/cli/commands/report/figures.ts'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(
    box,
    ['1001', '1002', '1003'].map((awb) => shipment(awb)),
  ),
)

const run = async (...words: readonly string[]): Promise<string> => {
  const { stdout, stderr, exit } = await box.shipx(words)
  expect([words, exit, stderr]).toEqual([words, 0, expect.any(String)])
  return stdout
}
const report = async () => (JSON.parse(await run('report', '--month', '2026-09', '--json')) as { data: Report }).data
const listed = async () =>
  (JSON.parse(await run('disputes', 'list', '--json')) as { data: readonly { readonly amount: number }[] }).data
const rows = ['awb,zone,freight', '1001,d,50.40', '1002,d,47.40']
const keep = (...more: readonly string[]) =>
  run(
    'reconcile',
    'invoice',
    box.file('inv.csv', rows.join('\n')),
    '--number',
    'INV',
    '--courier',
    'Delhivery',
    '--yes',
    '-q',
    ...more,
  )

test('--replace and remove cut the disputes off from the month of their invoice', { tags: ['full'] }, async () => {
  const figures = async () => {
    const { money } = await report()
    const { disputes, raised, amount } = money!.disputes!
    const list = await listed()
    const sum = list.reduce((paise, one) => paise + Math.round(one.amount * 100), 0) / 100
    expect([list.length, sum]).toEqual([disputes, amount])
    return { disputes, raised, amount }
  }
  await keep()
  await run('disputes', 'create', '-q')
  const [first] = (await run('disputes', 'list', '--ids')).trim().split('\n')
  await run('disputes', 'set', first!, '--status', 'raised', '-q')
  const before = await figures()
  expect(before).toMatchObject({ disputes: 2, raised: expect.any(Number) as number })
  expect(before.raised).toBeGreaterThan(0)
  // What nobody raised is withdrawn with the first file, and made anew.
  await keep('--date', '2026-10-05', '--replace')
  expect(await figures()).toEqual({ disputes: 1, raised: before.raised, amount: before.raised })
  await run('disputes', 'create', '-q')
  expect(await figures()).toEqual(before)
  await run('invoices', 'remove', 'INV', '--yes', '-q')
  await keep('--date', '2026-10-06')
  await run('disputes', 'create', '-q')
  expect(await figures()).toEqual(before)
})
