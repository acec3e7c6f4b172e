// Defends parcels against addresses that contradict themselves: a pincode against another state is said before anything is
// made, in any usual spelling of the state.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderRequest } from '../support/requests.ts'
import { sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'

const box = sandbox()
beforeAll(() => box.shipx(['local', 'warehouse', 'set', 'WH1', '400001']))
afterAll(() => box.remove())

const order =
  'orders create --dry-run --json --order-id S-1 --warehouse-id WH1 --prepaid -w 500g -s 20x15x10 --item CR:1:499:Romper ' +
  '--sub-total 499 --billing-customer-name Asha --billing-phone 9812345678 --billing-address MG-Road --billing-city Bengaluru'
const created = (pincode: string, state: string, ...more: readonly string[]) =>
  box.shipx([...order.split(' '), '--billing-pincode', pincode, '--billing-state', state, ...more])

const imported = (places: readonly (readonly [pincode: string, state: string])[], ...more: readonly string[]) =>
  box.shipx(['orders', 'import', '-', '--warehouse', 'WH1', '--dry-run', ...more], {
    input: [
      'order_id,billing_customer_name,billing_phone,billing_address,billing_pincode,billing_state,payment_method,' +
        'item_sku,item_units,item_selling_price,weight,length,breadth,height',
      ...places.map(
        ([pincode, state], n) =>
          `S-${n},Asha Rao,9812345678,12 MG Road,${pincode},${state},prepaid,CR-02,1,499,0.5,20,15,10`,
      ),
    ].join('\n'),
  })

describe('a pincode against another state', () => {
  const clash = 'pincode 560001 is in Bengaluru, Karnataka, and the address says Maharashtra'

  test.each(first(1, ['Maharashtra', 'MH', 'maharashtra ']))('is a warning of orders create: %s', async (state) => {
    const { stderr, exit } = await created('560001', state)
    expect([exit, stderr]).toEqual([0, expect.stringContaining(clash)])
  })

  test('is a finding of orders import, by its line', async () => {
    const { stderr, exit } = await imported([
      ['560001', 'Karnataka'],
      ['560001', 'Maharashtra'],
      ['110001', 'DL'],
    ])
    expect([exit, stderr]).toEqual([0, expect.stringContaining(`line 3: ${clash}`)])
    expect(stderr).not.toMatch(/line [24]:/)
  })
})

// prettier-ignore
test.each(first(1, [
  ['560001', 'KA'], ['751001', 'Orissa'], ['110001', 'New Delhi'], ['180001', 'Jammu & Kashmir'], ['500001', 'Andhra Pradesh'],
  ['605001', 'Pondicherry'], ['560001', 'Mysore State'], ['560001', ''],
]))('%s and "%s" agree, or shipx does not know better', async (pincode, state) => {
  expect((await imported([[pincode, state]])).stderr).not.toContain('and the address says')
})

describe('--strict', () => {
  const clash = 'pincode 560001 is in Bengaluru, Karnataka, and the address says Maharashtra'

  test('refuses such an order, as flags and in a sheet, and nothing is made', async () => {
    const one = await created('560001', 'MH', '--strict')
    expect([one.stdout, one.exit]).toEqual(['', 2])
    expect(one.stderr).toContain(`--strict: ${clash}`.replaceAll('"', '\\"'))
    const sheet = await imported(
      [
        ['560001', 'MH'],
        ['560001', 'KA'],
      ],
      '--strict',
    )
    expect([sheet.exit, sheet.stderr]).toEqual([7, expect.stringContaining(`line 2: billing_state ${clash}`)])
  })
})

test('city and state come from the pincode where they are missing, as flags and in a JSON file', async () => {
  const typed = [
    ...order.split(' ').filter((word) => !/^(?:--billing-city|Bengaluru)$/.test(word)),
    '--billing-pincode',
    '110017',
  ]
  const flags = await box.shipx(typed)
  const place = { billing_city: 'Delhi', billing_state: 'Delhi', billing_pincode: '110017' }
  expect(JSON.parse(flags.stdout)).toMatchObject({ dry_run: { body: place } })
  const { billing_city: _, billing_state: __, ...rest } = orderRequest({ billing_pincode: '110017' })
  const file = box.file('order.json', JSON.stringify(rest))
  const read = await box.shipx(['orders', 'create', '--file', file, '--dry-run', '--json'])
  expect(JSON.parse(read.stdout)).toMatchObject({ dry_run: { body: place } })
})
