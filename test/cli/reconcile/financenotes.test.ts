// Credit notes, each found wrong once by a finance person: read twice or before their bill, above what was billed, of
// parcels that no bill has, and of disputes that nobody raised.
// @module-tag full: an import and a dozen invoices
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../../src/cli/commands/report/figures.ts'
import { sandbox } from '../../support/sandbox.ts'
import { keptBill, prepare, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(
    box,
    Array.from({ length: 40 }, (_, n) => shipment(String(6001 + n))),
  ),
)

const run = async (...words: readonly string[]) => {
  const { stdout, stderr, exit } = await box.shipx(words)
  expect([words, exit, stderr]).toEqual([words, 0, expect.any(String)])
  return { stdout, stderr }
}
const json = async <T>(...words: readonly string[]): Promise<T> =>
  (JSON.parse((await run(...words, '--json')).stdout) as { data: T }).data
const head = 'AWB,Zone,Weight (kg),Freight,Total'
const row = (awb: number, amount: number): string => `${awb},c,0.4,${amount},${amount}`
const keep = (number: string, rows: readonly string[], day: string, more: readonly string[] = []) =>
  keptBill(box, number, [head, ...rows], ['--date', day, ...more])
const page = async (number: string, rows: readonly string[], ...more: readonly string[]) => {
  const path = box.file(`${number}.csv`, [head, ...rows].join('\n'))
  return box.shipx(['reconcile', 'invoice', path, '--courier', 'Delhivery', '--number', number, ...more])
}
interface Dispute {
  readonly awb: string
  readonly status: string
  readonly amount: number
  readonly credited: number
}
const all = 'found,raised,in_review,rejected,credited,withdrawn'
const disputesOf = async (...awbs: readonly number[]) =>
  (await json<readonly Dispute[]>('disputes', 'list', '--status', all, '--limit', 'all'))
    .filter(({ awb }) => awbs.includes(Number(awb)))
    .toSorted((a, b) => (a.awb < b.awb ? -1 : 1))
    .map(({ awb, status, amount, credited }) => [awb, status, amount, credited])

test('a credit note that was read before its invoice never counted', async () => {
  const early = await page('EARLY-CN', [row(6001, -30)], '--date', '2026-10-20', '--yes')
  expect([early.exit, early.stdout]).toEqual([0, expect.stringContaining('cannot be judged 1')])
  const path = box.file('I.csv', [head, row(6001, 70), row(6002, 40)].join('\n'))
  const words = ['reconcile', 'invoice', path, '--courier', 'Delhivery', '--number', 'ITS-BILL', '--date', '2026-10-01']
  expect((await run(...words, '--yes')).stderr).toContain(
    'Invoice EARLY-CN: 1 line that came before its bill counts as credit.',
  )
  expect((await json<readonly Line[]>('invoices', 'get', 'EARLY-CN', '--lines')).map(({ verdict }) => verdict)).toEqual(
    ['credit'],
  )
  await run('disputes', 'create', '--from', 'invoice', 'ITS-BILL')
  expect(await disputesOf(6001)).toEqual([['6001', 'credited', 30, 30]])
})

test('the report said that a dispute was raised, and removing its invoice left it, which a credit alone had paid', async () => {
  const report = async () => (await json<Report>('report', '--month', '2026-09')).money!
  const first = await report()
  expect(first.disputes).toMatchObject({ raised: 0, credited: 30, credited_unraised: 30 })
  expect(first.findings.join(' ')).toContain(
    'You raised no dispute yet. Couriers credited ₹30 that you had not raised.',
  )
  const { stderr } = await run('invoices', 'remove', 'ITS-BILL', '--yes')
  expect(stderr).not.toContain('that you raised')
  expect(await disputesOf(6001)).toEqual([['6001', 'withdrawn', 30, 30]])
})

test('the same credit note under another number counted again', async () => {
  const bill = Array.from({ length: 6 }, (_, n) => row(6011 + n, 70))
  const credits = Array.from({ length: 6 }, (_, n) => row(6011 + n, -20))
  await keep('CRED', bill, '2026-10-01')
  await keep('C', credits, '2026-10-20')
  const { exit, stderr } = await page('C2', [...credits, ''], '--date', '2026-10-25', '--yes')
  expect([exit, stderr]).toEqual([5, expect.stringContaining('this is invoice C of Delhivery again: 6 of the first 6')])
  // A few lines are read, and warned of.
  const few = await page('C3', credits.slice(0, 2), '--date', '2026-10-26', '--dry-run')
  expect([few.exit, few.stderr]).toEqual([
    0,
    expect.stringContaining(
      '2 credits stand in an earlier document with the same amount, and count again (6011, 6012).',
    ),
  ])
})

test('a credit of more than was ever billed for a parcel was taken without a word', async () => {
  const { exit, stderr } = await page('BEYOND', [row(6011, -500), row(6012, -30)], '--date', '2026-10-26', '--dry-run')
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining('1 credit gives back more than was ever billed for the parcel (6011).'),
  ])
})

test('a parcel with nothing but a credit line was no longer to come', async () => {
  await keep('NO-BILL', [row(6021, -15)], '2026-10-20', ['--force'])
  const unbilled = await json<readonly { awb: string }[]>('invoices', 'unbilled', '--month', '2026-09')
  expect(unbilled.map(({ awb }) => awb)).toContain('6021')
  const [sums] = await json<readonly { billed_parcels: number; not_billed: number; billed: number }[]>(
    'shipments',
    'summary',
    '--by',
    'courier',
    '--billed',
  )
  // Six parcels of one bill; all others wait.
  expect(sums).toMatchObject({ billed_parcels: 6, not_billed: 34 })
})

test('a credit of a part made a rejected dispute credited', async () => {
  await keep('REJ', [row(6031, 70), row(6032, 70)], '2026-10-02')
  await run('disputes', 'create', '--from', 'invoice', 'REJ')
  for (const awb of ['6031', '6032'])
    for (const status of ['raised', 'rejected']) await run('disputes', 'set', awb, '--status', status)
  await keep('REJ-CN', [row(6031, -10), row(6032, -30)], '2026-10-21')
  expect(await disputesOf(6031, 6032)).toEqual([
    ['6031', 'rejected', 30, 10],
    ['6032', 'credited', 30, 30],
  ])
  const { stderr } = await run('invoices', 'remove', 'REJ', '--yes')
  expect(stderr).toContain('2 disputes that you raised from it remain.')
})

test('a rejected dispute that was opened again was paid by any credit', async () => {
  await keep('AGAIN', [row(6033, 70), row(6034, 70)], '2026-10-02')
  await run('disputes', 'create', '--from', 'invoice', 'AGAIN')
  for (const awb of ['6033', '6034'])
    for (const status of ['raised', 'rejected', 'in_review']) await run('disputes', 'set', awb, '--status', status)
  const accepted = await json<{ readonly accepted: number | null }>('disputes', 'get', '6033')
  expect(accepted.accepted).toBe(null)
  await keep('AGAIN-CN', [row(6033, -10), row(6034, -30)], '2026-10-21')
  expect(await disputesOf(6033, 6034)).toEqual([
    ['6033', 'in_review', 30, 10],
    ['6034', 'credited', 30, 30],
  ])
})

test('the expected amounts of lines did not add up to that of a page with a credit', async () => {
  const { stdout } = await page('TIE', [row(6035, 70), row(6035, -20)], '--dry-run')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Billed ₹50.00 before GST (₹70.00 less ₹20.00 of credits), expected ₹40.00 · over ₹30.00 (1 line) · ' +
      'under ₹0.00 (0) · credits ₹20.00 (1) · cannot be judged 0',
  )
})
