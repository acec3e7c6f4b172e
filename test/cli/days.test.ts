// Defends days against two readings: what one door reads as a day, every other reads as the same one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'

const box = sandbox()
beforeAll(() => box.shipx(['local', 'seed', '--yes']), 60_000)
afterAll(() => box.remove())

const listed = async (...range: readonly string[]): Promise<string> =>
  (await box.shipx(['shipments', 'list', ...range, '--all', '--ids', '-q'])).stdout

const head =
  'order_id,order_date,billing_customer_name,billing_phone,billing_address,billing_pincode,payment_method,item_sku,' +
  'item_units,item_selling_price,weight,length,breadth,height'
const checked = (date: string) =>
  box.shipx(['orders', 'import', '-', '--warehouse', 'WH1', '--dry-run', '--yes'], {
    input: `${head}\nD-1,"${date}",Asha Rao,9812345678,12 MG Road,560038,prepaid,CR-02,1,499,0.5,20,15,10\n`,
  })

describe('a day as people in India write it', () => {
  test.each(first(1, ['20/09/2026', '20 Sep 2026', '20-09-2026', '20.9.2026', '20-Sep-2026', '20 September 2026']))(
    '%s is 2026-09-20 for --since, --until, --order-date and in a cell',
    { tags: ['full'], timeout: 20_000 },
    async (typed) => {
      expect(await listed('--since', typed, '--until', typed)).toBe(
        await listed('--since', '2026-09-20', '--until', '2026-09-20'),
      )
      expect(await listed('--since', typed)).not.toBe('')
      const { stderr } = await box.shipx(['orders', 'create', '--order-date', typed])
      expect(stderr).not.toContain('--order-date')
      expect((await checked(typed)).stderr).not.toContain('order_date')
    },
  )

  test('2026-09-20 18:05:11 +0530 is read where a time is read', { tags: ['full'] }, async () => {
    const typed = '2026-09-20 18:05:11 +0530'
    expect(await listed('--since', typed)).toBe(await listed('--since', '2026-09-20T12:35:11Z'))
    expect(await listed('--since', typed)).not.toBe('')
    expect((await checked(typed)).stderr).not.toContain('order_date')
  })
})

test(
  'the flags of the API take days too, next to their own Unix seconds and ISO 8601',
  { tags: ['full'] },
  async () => {
    const days = await listed('--since', '2026-09-20', '--until', '2026-09-20')
    expect(await listed('--start-time', '20/09/2026', '--end-time', '20 Sep 2026')).toBe(days)
    const from = String(Date.parse('2026-09-19T18:30:00Z') / 1000)
    expect(await listed('--start-time', from, '--end-time', '20.9.2026')).toBe(days)
    const returns = async (...range: readonly string[]): Promise<string> =>
      (await box.shipx(['returns', 'list', ...range, '--all', '--ids', '-q'])).stdout
    const iso = await returns('--created-at-gte', '2026-09-01', '--created-at-lte', '2026-09-28')
    expect(await returns('--created-at-gte', '01/09/2026', '--created-at-lte', 'yesterday')).toBe(iso)
    expect(iso).not.toBe('')
  },
)

test('a month before its day is refused with the right form', async () => {
  const { stdout, stderr, exit } = await box.shipx(['shipments', 'list', '--since', '09/28/2026'])
  expect([stdout, exit]).toEqual(['', 2])
  expect(stderr).toContain(
    '--since: "09/28/2026" has the month first; in India the day comes first: write 28/09/2026 or 2026-09-28',
  )
  expect((await checked('09/28/2026')).stderr).toContain('order_date "09/28/2026" has the month first')
})

test.each(first(1, ['yesterday', 'today', '3d']))('%s stays refused in a cell of a sheet', async (word) => {
  expect((await checked(word)).stderr).toContain(`order_date "${word}" cannot be read as a day`)
})
