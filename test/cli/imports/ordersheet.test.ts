// Defends the reading of order sheets: both forms give the orders that they mean,
// and what is written as a sheet reads back as the same orders.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namesOf } from '../../../src/cli/imports/uniquenames.ts'
import { sheetColumns } from '../../../src/cli/imports/forms/columns.ts'
import { orderReader } from '../../../src/cli/imports/orders/sheet.ts'
import { orderForms, orderRows } from '../../../src/cli/imports/orders/template.ts'
import { parseInput } from '../../../src/domain/parse.ts'
import { everyPincode } from '../../../src/domain/pincodes.ts'
import { readState } from '../../../src/domain/read/states.ts'
import { istMinute } from '../../../src/domain/time.ts'
import { testNow } from '../../support/engine.ts'
import { orderRequest } from '../../support/requests.ts'
import { plain, flagged, opened, ordersIn, faultsIn, csv, api, line, sheet } from './ordersheets.ts'
import { first } from '../../support/size.ts'

/** A cell as whoever writes with another delimiter writes it. */
const cellOf = (cell: string, delimiter: string): string => {
  const text = csv([[cell]]).slice(0, -1)
  return text.includes(delimiter) && !text.startsWith('"') ? `"${text}"` : text
}

describe('a sheet in the API’s names', () => {
  test('is one order for each run of lines with its id; later lines may leave open what the first one says', async () => {
    const orders = await ordersIn(
      api(
        {},
        { order_id: 'A-2', sub_total: '748.5' },
        {
          order_id: 'A-2',
          billing_customer_name: '',
          billing_phone: '',
          sub_total: '',
          weight: '',
          item_name: '',
          item_sku: 'MS-11',
          item_units: '1',
          item_selling_price: '250',
        },
        { order_id: 'A-3' },
      ),
    )
    expect(orders.map(({ order_id, lines, faults }) => [order_id, lines, faults])).toEqual([
      ['A-1', [2], []],
      ['A-2', [3, 4], []],
      ['A-3', [5], []],
    ])
    expect(orders[1]!.input).toEqual(
      parseInput(
        'orchestrateForwardOrder',
        orderRequest({
          order_id: 'A-2',
          order_date: '2026-09-28 10:15',
          billing_phone: '9812345678',
          billing_pincode: '560038',
          sub_total: 748.5,
          order_items: [
            { name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 499 },
            { name: 'MS-11', sku: 'MS-11', units: 1, selling_price: 250 },
          ],
        }),
      ),
    )
    expect(orders[1]!.rows.map((row) => row.line)).toEqual([3, 4])
  })

  test.each([
    ['weight', '500g', { weight: 0.5 }],
    ['weight', '0.5kg', { weight: 0.5 }],
    ['weight', '1.25 KGS', { weight: 1.25 }],
    ['weight', '2', { weight: 2 }],
    ['weight_grams', '750', { weight: 0.75 }],
    ['length', '20.5 cm', { length: 20.5 }],
    ['order_date', '2026-09-28', { order_date: '2026-09-28 00:00' }],
    ['order_date', '28-09-2026 14:05', { order_date: '2026-09-28 14:05' }],
    ['order_date', '8/9/2026 9:05', { order_date: '2026-09-08 09:05' }],
    ['order_date', '2026-09-28T04:30:00Z', { order_date: '2026-09-28 10:00' }],
    ['order_date', '', { order_date: '2026-09-28 10:00' }],
    ['sub_total', '₹ 1,49,999.50', { sub_total: 149_999.5 }],
    ['sub_total', 'Rs. 1499/-', { sub_total: 1499 }],
    ['sub_total', '', { sub_total: 998 }],
    ['billing_phone', '+91 98123-45678', { billing_phone: '9812345678' }],
    ['billing_phone', '9812345678.0', { billing_phone: '9812345678' }],
    ['billing_pincode', "'560038", { billing_pincode: '560038' }],
    ['billing_phone', "'9812345678", { billing_phone: '9812345678' }],
    ['payment_method', 'Cash on Delivery (COD)', { payment_method: 'COD' }],
    ['billing_pincode', '560038.0', { billing_pincode: '560038' }],
    ['billing_city', '', { billing_city: expect.stringMatching(/^Beng/) }],
    ['billing_country', '', { billing_country: 'India' }],
    ['print_label', 'No', { print_label: false }],
    ['is_dangerous_goods', '1', { is_dangerous_goods: true }],
    ['tags', 'gift, fragile', { tags: ['gift', 'fragile'] }],
    ['landmark', 'near the lake', { billing_address: '12 MG Road, near the lake' }],
    ['warehouse_id', 'main', { warehouse_id: 'WHYYB5' }],
    ['order_id', '=1+1', { order_id: '=1+1' }],
  ])('%s %j is read', async (name, cell, expected) => {
    const text = api(name === 'weight_grams' ? { weight: cell } : { [name]: cell })
    const [order] = await ordersIn(name === 'weight_grams' ? text.replace('weight', name) : text, {
      ...plain,
      warehouse: flagged.warehouse,
    })
    expect(order!.faults).toEqual([])
    expect(order!.input).toMatchObject(expected)
  })

  test('COD is collected in full where nothing else is said, and a delivery address of its own is one', async () => {
    const [cod, less, apart] = await ordersIn(
      api(
        { payment_method: 'c.o.d.' },
        { order_id: 'A-2', payment_method: 'COD', cod_collectible: '500' },
        {
          order_id: 'A-3',
          shipping_customer_name: 'Meena',
          shipping_address: '4 Lake Road',
          shipping_pincode: '700019',
          shipping_phone: '09898989898',
        },
      ),
    )
    expect([cod!.input?.cod_collectible, less!.input?.cod_collectible]).toEqual([998, 500])
    expect(apart!.input).toMatchObject({
      shipping_is_billing: false,
      shipping_city: 'Kolkata',
      shipping_state: 'West Bengal',
      shipping_country: 'India',
      shipping_phone: '9898989898',
    })
  })

  test('commas are decimals where semicolons keep cells apart', async () => {
    const text = api({ sub_total: '1,499' })
    const [first] = await ordersIn(text)
    expect(first!.input?.sub_total).toBe(1499)
    const faults = await faultsIn(text.replaceAll('"', '').replaceAll(',', ';').replace('1;499', '1,499'))
    const why = 'in a file with ; a comma may be a decimal point'
    expect(faults).toEqual([`2 sub_total: "1,499" is not an amount in rupees: ${why}; write for example 1499`])
  })
})

describe('the sheet of the aggregators', () => {
  test('is filled from the pincode table, the flags and its own items', async () => {
    const [cod, prepaid] = await ordersIn(
      sheet(
        line(),
        line({ sku: 'MS-11', item: 'Swaddle', qty: '1', price: '250.50' }),
        line({ id: 'S-2', payment: 'Online Payment', weight: '1.2' }),
      ),
      flagged,
    )
    expect([cod!.faults, prepaid!.faults]).toEqual([[], []])
    expect(cod!.input).toEqual({
      order_id: 'S-1',
      order_date: '2026-09-28 10:00',
      billing_customer_name: 'Asha Rao',
      billing_phone: '9812345678',
      billing_address: '12 MG Road',
      billing_pincode: '560038',
      billing_city: expect.stringMatching(/^Beng/) as string,
      billing_state: 'Karnataka',
      billing_country: 'India',
      payment_method: 'COD',
      sub_total: 1248.5,
      cod_collectible: 1248.5,
      length: 20,
      breadth: 15,
      height: 10,
      weight: 0.5,
      warehouse_id: 'WHYYB5',
      order_items: [
        { name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 499 },
        { name: 'Swaddle', sku: 'MS-11', units: 1, selling_price: 250.5 },
      ],
    })
    expect(prepaid!.input).toMatchObject({ payment_method: 'PREPAID', sub_total: 998, weight: 1.2 })
    expect(prepaid!.input).not.toHaveProperty('cod_collectible')
  })

  test.each([
    ['COD', ['COD', 'cod', 'Cash on Delivery', 'CASH-ON-DELIVERY', 'Cash']],
    ['PREPAID', ['Prepaid', 'PRE-PAID', 'pre paid', 'Online', 'Paid', 'UPI', 'Credit Card']],
  ])('%s in its usual spellings', async (method, spellings) => {
    const orders = await ordersIn(sheet(...spellings.map((payment, n) => line({ id: `S-${n}`, payment }))), flagged)
    expect(orders.map(({ input }) => input?.payment_method)).toEqual(spellings.map(() => method))
  })

  test('a header of another name is named with --map, and what has no place is left over', async () => {
    const text = sheet(line()).replace('Customer pincode', 'Drop PIN')
    await expect(opened(text)).rejects.toMatchObject({
      details: [{ message: expect.stringContaining('the header lacks billing_pincode') as string }],
    })
    const found = await opened(text, ['Drop PIN=billing_pincode'])
    expect(found.unknown).toEqual(['Product tax rate'])
    const read = orderReader(flagged).orders(found, namesOf(10))
    expect((await read.next()).value).toMatchObject({ input: { billing_pincode: '560038' } })
  })

  test('no header stands for two columns', () => {
    const folded = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')
    const owners = new Map<string, string>()
    for (const { name, aliases = [] } of sheetColumns)
      for (const header of [name, ...aliases]) {
        expect([header, owners.get(folded(header)) ?? name]).toEqual([header, name])
        owners.set(folded(header), name)
      }
    expect(owners.size).toBeGreaterThan(150)
  })
})

describe('samples', () => {
  test.each(orderForms)('the %s form reads without a fault or a note', async (form) => {
    const orders = await ordersIn(csv(orderRows(form, testNow)), form === 'api' ? plain : flagged)
    expect(orders.map(({ lines }) => lines)).toEqual([[2, 3], [4]])
    expect(orders.flatMap(({ faults, notes }) => [...faults, ...notes])).toEqual([])
    expect(orders.map(({ input }) => input?.payment_method)).toEqual(['COD', 'PREPAID'])
    if (form === 'api') expect(orders[0]!.input?.order_date).toBe(istMinute(testNow))
  })
})

describe('what is written reads back', () => {
  const pincodes = [...everyPincode()].filter((_, n) => n % 97 === 0)
  const words = fc
    .stringMatching(/^[A-Za-z0-9ऀ-ॿ=+@'",;\-./&() ]{1,30}$/)
    .map((text) => text.trim().normalize('NFC'))
    .filter((text) => text !== '' && !/^\d(?:\.\d+)?E\+?\d{1,3}$/i.test(text) && !text.startsWith('="'))
  const rupees = fc.integer({ min: 1, max: 9_999_999 }).map((paise) => paise / 100)
  const side = fc.integer({ min: 1, max: 3000 }).map((mm) => mm / 10)
  const order = fc.record({
    order_date: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2026, 8, 29) }).map(istMinute),
    billing_customer_name: words,
    billing_address: words,
    billing_city: words,
    billing_state: words,
    billing_country: fc.constantFrom('India', 'IN', 'ind'),
    billing_pincode: fc.constantFrom(...pincodes),
    billing_phone: fc.stringMatching(/^[6-9]\d{9}$/),
    order_items: fc.array(
      fc.record({ name: words, sku: words, units: fc.integer({ min: 1, max: 99 }), selling_price: rupees }),
      { minLength: 1, maxLength: 4 },
    ),
    payment_method: fc.constantFrom('COD' as const, 'PREPAID' as const),
    sub_total: rupees,
    length: side,
    breadth: side,
    height: side,
    weight: fc.integer({ min: 10, max: 50_000 }).map((grams) => grams / 1000),
    warehouse_id: words,
    store_name: fc.option(words, { nil: undefined }),
    print_label: fc.option(fc.boolean(), { nil: undefined }),
  })

  test.each(first(1, [',', ';', '\t']))(
    'orders, through a sheet with %j between cells',
    { tags: ['full'] },
    async (delimiter) => {
      await fc.assert(
        fc.asyncProperty(fc.array(order, { minLength: 1, maxLength: 5 }), fc.boolean(), async (orders, repeat) => {
          const inputs = orders.map(({ store_name, print_label, ...rest }, n) =>
            parseInput('orchestrateForwardOrder', {
              ...rest,
              billing_state: readState(rest.billing_state) ?? rest.billing_state,
              order_id: `P-${n}`,
              ...(rest.payment_method === 'COD' ? { cod_collectible: rest.sub_total } : {}),
              ...(store_name === undefined ? {} : { store_name }),
              ...(print_label === undefined ? {} : { print_label }),
            }),
          )
          const names = [
            'order_id',
            ...Object.keys(orders[0]!).filter((name) => name !== 'order_items'),
            'cod_collectible',
            'item_name',
            'item_sku',
            'item_units',
            'item_selling_price',
          ]
          const rows = inputs.flatMap((input) =>
            input.order_items.map((item, n) =>
              names.map((name) => {
                const value = name.startsWith('item_')
                  ? item[name.slice(5) as 'sku']
                  : name === 'order_id' || n === 0 || repeat
                    ? input[name as 'sub_total']
                    : undefined
                return value === undefined ? '' : String(value)
              }),
            ),
          )
          const text = [names, ...rows]
            .map((row) => row.map((cell) => cellOf(cell, delimiter)).join(delimiter))
            .join('\r\n')
          const read = await ordersIn(text, plain)
          expect(read.flatMap(({ faults }) => faults)).toEqual([])
          expect(read.map(({ input }) => input)).toEqual(inputs)
        }),
        { numRuns: 60 },
      )
    },
  )
})

describe('a sheet with two addresses', () => {
  test('a last name of the delivery alone was dropped without a word', async () => {
    const faults = await faultsIn(api({ shipping_last_name: 'Das' }))
    expect(faults).toContain('2 shipping_address: is required when shipping_is_billing is false')
  })

  test('the pincode of the delivery was read with the street of the customer', async () => {
    const header = 'Order Id,Customer name,Customer mobile no,Customer address,Delivery address,Delivery pincode'
    const rest = 'Payment method,Product SKU Id,Product quantity,Product price'
    const cells = 'S-1,Asha Rao,9812345678,12 MG Road,7 Fancy Bazaar,781001,Prepaid,CR-02,1,499'
    await expect(ordersIn(`${header},${rest}\n${cells}\n`, flagged)).rejects.toMatchObject({
      details: [{ message: expect.stringMatching(/Customer address.*Delivery address/) as string }],
    })
  })
})

test('an order id that a spreadsheet keeps as text became another order, and its phone was refused', async () => {
  const kept = { id: '="10001"', phone: '="9812345678"', pincode: '="560038"', sku: '="W-1"' }
  const [order] = await ordersIn(sheet(line(kept)).replaceAll("'=", '='), flagged)
  expect([order!.order_id, order!.faults]).toEqual(['10001', []])
  expect(order!.input).toMatchObject({ billing_phone: '9812345678', billing_pincode: '560038' })
  expect(order!.input!.order_items[0]!.sku).toBe('W-1')
})
