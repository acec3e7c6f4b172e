// What a finance person found wrong in the sums of kept invoices, each found wrong once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../../src/cli/commands/report/figures.ts'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(
    box,
    ['1001', '1002', '1003', '1004'].map((awb) => shipment(awb)),
  ),
)

const data = async <T>(...words: readonly string[]): Promise<T> => {
  const { stdout, stderr, exit } = await box.shipx([...words, '--json'])
  expect([words, exit, stderr]).toEqual([words, 0, expect.any(String)])
  return (JSON.parse(stdout) as { data: T }).data
}
const keep = async (number: string, day: string, rows: readonly string[], ...more: readonly string[]) => {
  const words = ['reconcile', 'invoice', box.file(`${number}.csv`, rows.join('\n')), '--number', number, '--date', day]
  const { exit, stderr } = await box.shipx([...words, '--courier', 'Delhivery', '--yes', '-q', ...more])
  expect([number, exit, stderr]).toEqual([number, 0, expect.any(String)])
}
interface Sums {
  readonly number?: string
  readonly billed: number
  readonly expected: number
  readonly over: number
  readonly reasons: readonly { readonly code: string; readonly lines: number; readonly amount: number }[]
}
const summary = async () => (await data<readonly Sums[]>('shipments', 'summary', '--billed'))[0]
const report = async () => (await data<Report>('report', '--month', '2026-09')).money!.invoices!

test('a credit lowered what the rate card says, so that billed less expected stayed', async () => {
  await keep('SEP', '2026-10-01', ['awb,zone,freight', '1001,c,40', '1002,d,45.40'])
  const before = await report()
  expect([before.billed, before.expected]).toEqual([85.4, 80])
  await keep('CN', '2026-10-09', ['awb,freight', '1002,-5.40'])
  const after = await report()
  expect([after.billed, after.expected, after.expected_per_parcel]).toEqual([80, 80, 40])
  expect(await data<Sums[]>('invoices', 'list')).toMatchObject([
    { number: 'CN', billed: -5.4, expected: 0 },
    { number: 'SEP', billed: 85.4, expected: 80 },
  ])
  expect(await summary()).toMatchObject({ billed: 80, expected: 80, over: 5.4 })
})

test('summary --billed took a credit off with its GST, where GST is inside the amounts', async () => {
  await keep('IN', '2026-10-02', ['awb,zone,freight', '1003,d,53.57'], '--gst', 'included')
  await keep('IN-CN', '2026-10-12', ['awb,freight', '1003,-53.57'], '--gst', 'included')
  expect(await summary()).toMatchObject({ billed: 80, expected: 120 })
  const credits = await data<{ gst_billed: number }[]>('invoices', 'get', 'IN-CN', '--lines')
  expect(credits).toMatchObject([{ gst_billed: -8.17 }])
})

test('reasons of invoices list had GST in them and those of the report had not', async () => {
  await keep('TWICE', '2026-10-03', ['awb,zone,freight,gst,total', '1001,c,40,7.20,47.20'], '--force')
  const list = await data<Sums[]>('invoices', 'list')
  expect(list.find(({ number }) => number === 'TWICE')!.reasons).toEqual([
    { code: 'billed_before', lines: 1, amount: 40 },
    { code: 'gst_on_difference', lines: 1, amount: 7.2 },
  ])
  const sums = new Map<string, number>()
  for (const { code, amount } of list.flatMap(({ reasons }) => reasons)) sums.set(code, (sums.get(code) ?? 0) + amount)
  expect(new Map((await report()).by_reason.map(({ reason, amount }) => [reason, amount]))).toEqual(sums)
})

test('invoices unbilled did not take --month as report does', async () => {
  const month = await data<readonly { awb: string }[]>('invoices', 'unbilled', '--month', '2026-09')
  const days = ['--since', '2026-09-01', '--until', '2026-09-30']
  expect(month).toEqual(await data('invoices', 'unbilled', ...days))
  expect(await data('invoices', 'unbilled', '--month', 'August')).toEqual([])
  const both = await box.shipx(['invoices', 'unbilled', '--month', '2026-09', '--since', '2026-09-01'])
  expect([both.exit, both.stderr]).toEqual([2, expect.stringContaining('--since')])
})
