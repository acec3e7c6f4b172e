// Defends the value of an order that nobody typed: the sum of its items, said, and asked where it is not certain.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderRequest } from '../support/requests.ts'
import { sandbox } from '../support/sandbox.ts'

const box = sandbox()
beforeAll(() => box.shipx(['local', 'warehouse', 'set', 'WH1', '400001']))
afterAll(() => box.remove())

type Body = Readonly<Record<string, unknown>>

const { sub_total: _, ...bare } = orderRequest({
  order_items: [
    { name: 'Romper', sku: 'CR', units: 2, selling_price: 499.5 },
    { name: 'Swaddle', sku: 'MS', units: 1, selling_price: '₹1,499' },
  ],
}) as Body

const created = (order: Body, ...flags: readonly string[]) =>
  box.shipx(['orders', 'create', '--file', '-', '--dry-run', '--json', ...flags], { input: JSON.stringify(order) })

const valueOf = (stdout: string): unknown =>
  (JSON.parse(stdout) as { dry_run: { body: { sub_total: unknown } } }).dry_run.body.sub_total

describe('an order without sub_total', () => {
  test('is worth its items, less its discount', async () => {
    expect(valueOf((await created(bare)).stdout)).toBe(2498)
    expect(valueOf((await created({ ...bare, discount: 98 })).stdout)).toBe(2400)
    expect(valueOf((await created(bare, '--sub-total', '2000')).stdout)).toBe('2000')
  })

  test('says so before it is made', async () => {
    const { stderr, exit } = await box.shipx(['orders', 'create', '--file', '-', '--dry-run', '--no-assign'], {
      input: JSON.stringify(bare),
    })
    expect([exit, stderr]).toEqual([0, expect.stringContaining('sub_total is ₹2,498.00: the items less discounts')])
  })

  test.each<[string, Body]>([
    [
      'a discount that could be for each piece',
      { name: 'Romper', sku: 'CR', units: 2, selling_price: 499, discount: 9 },
    ],
    ['a price that is no number', { name: 'Romper', sku: 'CR', units: 2, selling_price: 'ten' }],
  ])('must be given with %s', { tags: ['full'] }, async (_what, item) => {
    const { stderr, exit } = await created({ ...bare, order_items: [item] })
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/sub.total/)])
  })
})

test(
  'an import takes discounts off the sum of the items, and asks where they could be for each piece',
  { tags: ['full'] },
  async () => {
    const head =
      'order_id,billing_customer_name,billing_phone,billing_address,billing_pincode,payment_method,' +
      'item_sku,item_units,item_selling_price,item_discount,discount,weight,length,breadth,height,warehouse_id'
    const line = (id: string, units: number, off: string): string =>
      `${id},Asha Rao,9812345678,12 MG Road,560001,cod,CR-02,${units},499,${off},10,0.5kg,20,15,10,WH1`
    box.file('orders.csv', [head, line('S-1', 1, '9'), line('S-2', 2, ''), line('S-3', 2, '9')].join('\n'))
    const { exit, stderr } = await box.shipx(['orders', 'import', 'orders.csv', '--yes'])
    expect([exit, stderr]).toEqual([7, expect.stringContaining('sub_total is required')])
    const { stdout } = await box.shipx(['shipments', 'list', '--csv', '--fields', 'order.display_id,total_price'])
    expect(stdout.trim().split('\n').slice(1).toSorted()).toEqual(['S-1,480', 'S-2,988'])
  },
)
