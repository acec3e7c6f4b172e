// What a finance person found wrong with credits in the bill itself, each found wrong once.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimSum, claimsOf } from '../../../src/domain/money/claimed.ts'
import { seenAwbs } from '../../../src/domain/money/seenawbs.ts'
import type { Report } from '../../../src/cli/commands/report/figures.ts'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(
    box,
    Array.from({ length: 40 }, (_, n) => shipment(String(1001 + n))),
  ),
)

interface Dispute {
  readonly invoice: string
  readonly amount: number
  readonly credited: number
}

const run = async (...words: readonly string[]) => {
  const { stdout, stderr, exit } = await box.shipx(words)
  expect([words, exit, stderr]).toEqual([words, 0, expect.any(String)])
  return { stdout, stderr }
}
const head = 'awb,zone,freight'
let bills = 0

/** Keeps a bill, and returns what it claims: by its mails, and by its disputes. */
async function claimsOfBill(rows: readonly string[]) {
  const number = `BILL-${++bills}`
  const path = box.file(`${number}.csv`, [head, ...rows].join('\n'))
  const words = ['reconcile', 'invoice', path, '--number', number, '--courier', 'Delhivery', '--force']
  const dry = (await run(...words, '--dry-run', '--mail')).stdout
  const page = (await run(...words, '--yes')).stderr
  const mail = (await run('invoices', 'get', number, '--mail')).stdout
  expect(mail).toBe(dry)
  const created = await run('disputes', 'create', '--from', 'invoice', number)
  const all = (JSON.parse((await run('disputes', 'list', '--json')).stdout) as { data: readonly Dispute[] }).data
  const own = all.filter(({ invoice }) => invoice === number)
  return {
    mail,
    page,
    note: created.stderr,
    asked: /^Subject: .*: (₹[\d,.]+) above/.exec(mail)?.[1] ?? 'nothing',
    disputed: own.map(({ amount, credited }) => [amount, credited]),
  }
}

const orders = (rows: readonly string[]): readonly (readonly string[])[] =>
  rows.length < 2
    ? [rows]
    : rows.flatMap((row, n) => orders([...rows.slice(0, n), ...rows.slice(n + 1)]).map((rest) => [row, ...rest]))
const distinct = (all: readonly (readonly string[])[]): readonly (readonly string[])[] => [
  ...new Map(all.map((rows) => [rows.join('\n'), rows])).values(),
]
let parcels = 0
const nextAwb = (): string => String(1001 + parcels++)

test(
  'a duplicate that the same bill credits was claimed in the mail and disputed, by the order of the rows',
  { tags: ['full'] },
  async () => {
    for (const order of distinct(orders(['AWB,c,40', 'AWB,c,40', 'AWB,c,-40']))) {
      const awb = nextAwb()
      const { mail, asked, disputed } = await claimsOfBill(order.map((row) => row.replace('AWB', awb)))
      expect([order, asked, disputed]).toEqual([order, 'nothing', []])
      expect(mail).toContain('We found nothing above our contract')
    }
  },
)

test('a zone that the same bill credits was claimed again', { tags: ['full'] }, async () => {
  for (const order of orders(['AWB,d,45.40', 'AWB,d,-5.40'])) {
    const awb = nextAwb()
    const { mail, page, note, asked, disputed } = await claimsOfBill(order.map((row) => row.replace('AWB', awb)))
    expect([order, asked, disputed]).toEqual([order, 'nothing', []])
    expect(mail).toContain('We found nothing above our contract, with the ₹5.40 that it credits counted.')
    expect(page).toContain('It credits ₹5.40 of what is over: ₹0.00 is left to claim.')
    expect(page).not.toContain('shipx disputes create')
    expect(note).toContain('Left out: ₹5.40 that the same invoices credit for these parcels')
  }
})

test('a credit of a part of a duplicate lowered neither the mail nor the dispute', { tags: ['full'] }, async () => {
  for (const order of distinct(orders(['AWB,c,40', 'AWB,c,40', 'AWB,c,-15']))) {
    const awb = nextAwb()
    const { mail, asked, disputed } = await claimsOfBill(order.map((row) => row.replace('AWB', awb)))
    expect([order, asked, disputed]).toEqual([order, '₹25.00', [[25, 0]]])
    expect(mail).toContain('The same invoice credits ₹15.00 of it: ₹25.00 is left.')
    expect(mail).toContain('- billed twice here: 1 line, ₹40.00\n- credited in the same invoice: -₹15.00\n')
  }
})

test('a bill that is credited and billed again too dear is claimed once', { tags: ['full'] }, async () => {
  for (const order of orders(['AWB,c,40', 'AWB,d,45.40', 'AWB,c,-40'])) {
    const awb = nextAwb()
    const { asked, disputed } = await claimsOfBill(order.map((row) => row.replace('AWB', awb)))
    expect([order, asked, disputed]).toEqual([order, '₹5.40', [[5.4, 0]]])
  }
})

test(
  'a credit was counted twice: for its own bill, and for a dispute about an earlier one',
  { tags: ['full'] },
  async () => {
    const awb = nextAwb()
    const first = await claimsOfBill([`${awb},d,45.40`])
    expect(first.disputed).toEqual([[5.4, 0]])
    const again = await claimsOfBill([`${awb},d,45.40`, `${awb},d,-47.40`])
    expect([again.asked, again.disputed]).toEqual(['nothing', []])
    const { data } = JSON.parse((await run('disputes', 'list', '--json')).stdout) as { data: readonly Dispute[] }
    expect(data.filter(({ invoice }) => invoice === `BILL-${bills - 1}`)).toMatchObject([{ amount: 5.4, credited: 2 }])
  },
)

test('the report of the month hid that the invoices credit what they bill too much', { tags: ['full'] }, async () => {
  const { invoices } = (JSON.parse((await run('report', '--month', '2026-09', '--json')).stdout) as { data: Report })
    .data.money!
  const kept = JSON.parse((await run('disputes', 'list', '--json')).stdout) as { data: readonly Dispute[] }
  const claimed = kept.data.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  expect(invoices!.over_credited).toBeGreaterThan(0)
  expect(Math.round((invoices!.over - invoices!.over_credited) * 100)).toBe(claimed)
})

test('what is left of the lines is what is claimed as they come', () => {
  const line = fc.record({ billed: fc.integer({ min: -300, max: 300 }), part: fc.integer({ min: 0, max: 100 }) })
  fc.assert(
    fc.property(fc.nat(200), fc.array(line, { maxLength: 12 }), (before, all) => {
      const lines = all.map(({ billed, part }, n) => ({
        line: n + 1,
        billed,
        over: billed <= 0 ? 0 : Math.round((billed * part) / 100),
      }))
      const sum = claimSum(seenAwbs({ digest: () => [1, 1], keep: () => undefined, find: () => undefined }))
      let net = before
      for (const one of lines) sum.add('1001', one, (net += one.billed))
      const left = [...claimsOf(lines, before).values()].reduce((all, amount) => all + amount, 0)
      expect(lines.reduce((all, { over }) => all + over, 0) - left).toBe(sum.credited())
    }),
    { numRuns: 500 },
  )
})
