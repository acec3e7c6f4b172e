// Defends the money of a month in its report: each figure is the one that its own command prints, in JSON and on the page.
// @module-tag full: 2,000 parcels, sixteen invoices, two remittances
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../src/cli/commands/report/figures.ts'
import { showMoney } from '../../src/cli/output/display.ts'
import { sandbox } from '../support/sandbox.ts'

const box = sandbox()
afterAll(() => box.remove())

const ok = async (...words: readonly string[]): Promise<string> => {
  const { exit, stdout, stderr } = await box.shipx([...words, '-q'])
  expect([words, exit, stderr]).toEqual([words, 0, expect.any(String)])
  return stdout
}
const data = async <T>(...words: readonly string[]): Promise<T> =>
  (JSON.parse(await ok(...words, '--json')) as { data: T }).data

beforeAll(async () => {
  await ok('local', 'seed', '--shipments', '2000', '--invoices', 'bills')
  const bills = readdirSync(join(box.folder, 'bills')).filter((name) => /^(?!bank).*-2026-0[78]\.csv$/.test(name))
  const [cod, invoices] = [bills.filter((one) => one.includes('-cod-')), bills.filter((one) => !one.includes('-cod-'))]
  // The earlier month first.
  for (const name of invoices.toSorted((a, b) => (a.slice(-11) < b.slice(-11) ? -1 : 1)))
    await ok('reconcile', 'invoice', `bills/${name}`, '--yes')
  for (const name of cod)
    await ok(
      'reconcile',
      'cod',
      `bills/${name}`,
      '--courier',
      'Deccan Parcel',
      '--as-of',
      `${name.slice(-11, -4)}-28`,
      '--yes',
      ...(name.includes('-08') ? ['--bank', 'bills/bank-2026-08.csv'] : []),
    )
  await ok('disputes', 'create', '--min', '5')
  await ok('disputes', 'export', '--courier', 'Deccan Parcel', '--zip', 'sheet.zip', '--mark', 'raised')
  const list = ['disputes', 'list', '--status', 'raised', '--limit', 'all']
  const raised = (await data<readonly { id: string; reason: string }[]>(...list)).filter((one) => one.reason === 'zone')
  await ok('disputes', 'set', raised[0]!.id, '--status', 'accepted')
  await ok('disputes', 'set', raised[1]!.id, '--status', 'partly', '--amount', '10')
  await ok('disputes', 'set', raised[2]!.id, '--status', 'rejected')
  // What is credited in a later bill: the first accepted dispute, in full.
  const [{ awb, amount }] = [await data<{ awb: string; amount: number }>('disputes', 'get', raised[0]!.id)]
  const credit = `awb,freight,total\n${awb},-${amount},-${amount}\n`
  const file = box.file('credit.csv', credit)
  await ok(
    'reconcile',
    'invoice',
    file,
    '--courier',
    'Deccan Parcel',
    '--number',
    'CN-1',
    '--date',
    '2026-09-20',
    '--gst',
    'none',
    '--yes',
    '--force',
  )
})

interface Invoice {
  readonly number: string
  readonly lines: number
  readonly billed: number
  readonly expected: number
  readonly over: number
  readonly over_lines: number
  readonly under: number
  readonly unknown_lines: number
  readonly reasons: readonly { readonly code: string; readonly lines: number; readonly amount: number }[]
}
interface Dispute {
  readonly invoice: string
  readonly status: string
  readonly amount: number
  readonly accepted: number | null
  readonly credited: number
}

const rounded = (sum: number): number => Math.round(sum * 100) / 100
const added = <T>(list: readonly T[], of: (one: T) => number): number =>
  rounded(list.reduce((sum, one) => sum + of(one), 0))

test('each figure is the one that its own command prints', async () => {
  const { money, rto } = await data<Report>('report', '--month', '2026-08')
  const invoices = (await data<readonly Invoice[]>('invoices', 'list')).filter(
    ({ number }) => number.endsWith('/2026-08') || number === 'CN-1',
  )
  expect(invoices).toHaveLength(9)
  const billed = money!.invoices!
  for (const name of ['lines', 'billed', 'expected', 'over', 'over_lines', 'under', 'unknown_lines'] as const)
    expect([name, billed[name]]).toEqual([name, added(invoices, (one) => one[name])])
  expect(billed.rows.map(({ number, billed: sum, over }) => [number, sum, over])).toEqual(
    invoices.map(({ number, billed: sum, over }) => [number, sum, over]),
  )
  expect(billed.by_reason.length).toBeGreaterThan(10)
  expect(added(billed.by_reason, ({ amount }) => amount)).toBe(rounded(billed.over - billed.under))
  const lines = await Promise.all(
    invoices.map(({ number }) => data<readonly { awb: string }[]>('invoices', 'get', number, '--lines')),
  )
  const parcels = new Set(lines.flat().map(({ awb }) => awb)).size
  expect([billed.parcels, billed.billed_per_parcel, billed.expected_per_parcel]).toEqual([
    parcels,
    rounded(billed.billed / parcels),
    rounded(billed.expected / parcels),
  ])

  const statuses = 'found,raised,in_review,accepted,partly,rejected,credited,closed,lapsed,auto_accepted,withdrawn'
  const numbers = new Set(invoices.map(({ number }) => number))
  const disputes = (await data<readonly Dispute[]>('disputes', 'list', '--status', statuses, '--limit', 'all')).filter(
    ({ invoice }) => numbers.has(invoice),
  )
  const { by_status: sums, ...all } = money!.disputes!
  const of = (...names: readonly string[]) => disputes.filter(({ status }) => names.includes(status))
  expect(all).toEqual({
    disputes: disputes.length,
    amount: added(disputes, ({ amount }) => amount),
    not_raised: added(of('found'), ({ amount }) => amount),
    raised: added(of('raised', 'accepted', 'partly', 'rejected', 'credited'), ({ amount }) => amount),
    accepted: added(disputes, ({ accepted }) => accepted ?? 0),
    credited: added(disputes, ({ credited }) => credited),
    credited_unraised: 0,
    lapsed: added(of('lapsed'), ({ amount }) => amount),
  })
  expect([all.not_raised > 0, all.accepted > 0, all.credited > 0, all.lapsed > 0]).toEqual([true, true, true, true])
  for (const { status, ...sum } of sums)
    expect([status, sum]).toEqual([
      status,
      {
        disputes: of(status).length,
        amount: added(of(status), ({ amount }) => amount),
        accepted: added(of(status), ({ accepted }) => accepted ?? 0),
        credited: added(of(status), ({ credited }) => credited),
      },
    ])

  const due = await data<readonly { owed: number; late: number; parcels: number; not_in_bank: number }[]>(
    'cod',
    'due',
    '--until',
    '2026-08-31',
  )
  const { by_courier: couriers, without_remittance: _, remitted, not_compared: unseen, ...cod } = money!.cod!
  expect(remitted > unseen && unseen > 0).toBe(true)
  expect([couriers, cod.not_in_bank > 0]).toEqual([due, true])
  expect(cod).toEqual({
    until: '2026-08-31',
    parcels: added(due, ({ parcels: n }) => n),
    owed: added(due, ({ owed }) => owed),
    late: added(due, ({ late }) => late),
    not_in_bank: added(due, ({ not_in_bank: away }) => away),
  })
  const alike = await data<unknown>('shipments', 'rto', '--month', '2026-08', '--like-for-like', 'courier')
  expect(rto!.like_for_like).toEqual(alike)
  const [whole] = await data<readonly Record<string, unknown>[]>(
    'shipments',
    'rto',
    '--month',
    '2026-08',
    '--by',
    'all',
  )
  expect(whole).toMatchObject(rto!.totals)
})

test('reasons mixed amounts with GST and without: each is before GST, as the pages of the invoices have it', async () => {
  const { money } = await data<Report>('report', '--month', '2026-08')
  const sums = new Map<string, number>()
  for (const { number } of money!.invoices!.rows) {
    const page = await ok('invoices', 'get', number)
    for (const [, code, amount] of page.matchAll(/ {2}([a-z_]+) {2,}\d+ {2,}(-?₹[\d,.]+)/g))
      sums.set(code!, (sums.get(code!) ?? 0) + Number(amount!.replace(/[₹,]/g, '')))
    const gst = /GST on these differences: (-?₹[\d,.]+)/.exec(page)?.[1]?.replace(/[₹,]/g, '') ?? '0'
    sums.set('gst_on_difference', (sums.get('gst_on_difference') ?? 0) + Number(gst))
  }
  const found = money!.invoices!.by_reason.map(({ reason, amount }) => [reason, amount] as const)
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries([...sums].map(([code, sum]) => [code, rounded(sum)])))
  expect(money!.findings.join('\n')).toContain('The largest reasons, before GST: ')
})

test('a month hid which couriers never remitted, and that parcels are not billed yet', async () => {
  const { money } = await data<Report>('report', '--month', '2026-09')
  const open = ['invoices', 'unbilled', '--since', '2026-09-01', '--until', '2026-09-29']
  const unbilled = await data<readonly { expected: number | null }[]>(...open)
  expect(unbilled.length).toBeGreaterThan(0)
  expect(money!.unbilled).toEqual({
    since: '2026-09-01',
    until: '2026-09-29',
    parcels: unbilled.length,
    expected: added(unbilled, ({ expected }) => expected ?? 0),
    unpriced: unbilled.filter(({ expected }) => expected === null).length,
  })
  const owing = ['cod', 'due', '--until', '2026-09-29']
  const due = await data<readonly { courier: string; parcels: number; owed: number; remitted: number }[]>(...owing)
  const none = due.filter(({ remitted }) => remitted === 0)
  expect(none.length).toBeGreaterThan(1)
  expect(money!.cod!.without_remittance).toEqual(none.map(({ courier, parcels, owed }) => ({ courier, parcels, owed })))
  const gaps = [
    `No invoice bills ${unbilled.length} parcels picked up in Sep 2026, `,
    'To list them: shipx invoices unbilled --since 2026-09-01 --until 2026-09-29',
    `No remittance read so far pays a parcel of ${none[0]!.courier}`,
    'To list them: shipx cod due --parcels --until 2026-09-29',
  ]
  const page = await box.shipx(['report', '--month', '2026-09', '--out', 'gaps.html'])
  for (const gap of gaps) {
    expect(money!.findings.join('\n')).toContain(gap)
    expect(page.stderr).toContain(gap)
    expect(readFileSync(join(box.folder, 'gaps.html'), 'utf8')).toContain(gap)
  }
})

test('the page begins with the same figures, says them in three to seven findings, and then has the tables', async () => {
  const { money } = await data<Report>('report', '--month', '2026-08')
  await ok('report', '--month', 'Aug 2026', '--out', 'august.html')
  const page = readFileSync(join(box.folder, 'august.html'), 'utf8')
  // Columns of nothing but 0 pushed the last ones of the COD table over the edge of the paper.
  expect([page.includes('>Due today<'), page.includes('>Over 15 days<')]).toEqual([false, true])
  const { invoices, disputes, cod, findings } = money!
  const figures = page.slice(page.indexOf('<main>'), page.indexOf('What Aug 2026 comes to'))
  for (const amount of [
    invoices!.billed,
    invoices!.billed_per_parcel!,
    invoices!.expected,
    invoices!.over,
    disputes!.raised,
    disputes!.lapsed,
    disputes!.accepted,
    disputes!.credited,
    cod!.owed,
    cod!.late,
    cod!.not_in_bank,
  ])
    expect(figures).toContain(showMoney(amount))
  expect(findings.length).toBeGreaterThanOrEqual(3)
  expect(findings.length).toBeLessThanOrEqual(7)
  for (const text of findings) expect(page).toContain(`<li>${text.replaceAll("'", '&#39;')}</li>`)
  const rows = [
    ...invoices!.by_reason.map(({ amount }) => amount),
    ...invoices!.rows.map(({ billed }) => billed),
    ...disputes!.by_status.map(({ amount }) => amount),
    ...cod!.by_courier.map(({ owed }) => owed),
  ]
  for (const amount of rows) expect(page).toContain(`<td >${showMoney(amount)}</td>`)
  expect(page.indexOf('Billed by couriers')).toBe(-1)
})

test('what a month does not have is said, and money is left out where it cannot be told', async () => {
  const month = async (...words: readonly string[]) => data<Report>('report', ...words)
  const early = (await month('--month', '2020-01')).money!
  expect([early.invoices, early.disputes, early.cod!.owed, early.findings[0]]).toEqual([
    null,
    null,
    0,
    'No invoice of Jan 2020 is kept yet. To keep one: shipx reconcile invoice <file>',
  ])
  expect(await ok('report', '--month', '2020-01', '--out', '-')).toContain('No shipments in this month')
  const left = async (...words: readonly string[]) => {
    const { money, money_left_out: why } = await month(...words)
    return [money, why]
  }
  expect(await left('--month', '2026-08', '--cod')).toEqual([undefined, 'Left out: --cod is only for shipments.'])
  const future = await box.shipx(['report', '--month', '2027-01', '--out', 'future.html'])
  expect([future.exit, future.stderr]).toEqual([
    0,
    expect.stringContaining('Jan 2027 has not begun: this report is empty.'),
  ])
  expect(await left('--month', '2027-01')).toEqual([undefined, 'Left out: the month has not begun.'])
  await ok('local', 'init', '--db', 'none.sqlite')
  expect(await left('--month', '2026-08', '--db', 'none.sqlite')).toEqual([
    undefined,
    expect.stringContaining('no invoice and no COD remittance is kept yet'),
  ])
  expect(await left('--since', '30d')).toEqual([undefined, undefined])
  const { exit, stderr } = await box.shipx(['report', '--month', '2026-13'])
  expect([exit, stderr]).toEqual([2, expect.stringContaining('write 2026-10')])
})
