// Defends the faults of order sheets: each is told once, by its header and line.
import { describe, expect, test } from 'vitest'
import { namesOf } from '../../../src/cli/imports/uniquenames.ts'
import type { OrderPlan } from '../../../src/cli/imports/orders/plan.ts'
import { orderReader, type SheetOrder } from '../../../src/cli/imports/orders/sheet.ts'
import { plain, flagged, opened, ordersIn, faultsIn, api, line, sheet } from './ordersheets.ts'

describe('faults', () => {
  test.each<[string, string, readonly string[], OrderPlan?]>([
    [
      'every fault of an order at once',
      sheet(line({ phone: '12345', pincode: '56003', payment: 'barter', qty: '0', price: '-4', weight: '0' })),
      [
        '2 Customer mobile no: "12345" is not an Indian mobile number; write ten digits that start with 6 to 9, for example 98765 43210',
        '2 Payment method: "barter" is neither COD nor PREPAID; add --map-value \'Payment method:barter=PREPAID\', or =COD',
        '2 Customer pincode: 56003 has 5 digits; a pincode has 6',
        '2 Product quantity: must be 1 or more',
        '2 Product price: must not be negative',
        '2 Weight of the Package (in Kgs): must be more than 0',
      ],
      flagged,
    ],
    [
      'an item in its own line',
      sheet(line(), line({ sku: '', qty: 'two' })),
      ['3 Product SKU Id: is required', '3 Product quantity: "two" is not a number of units; write for example 2'],
      flagged,
    ],
    [
      'a pincode that does not exist',
      sheet(line({ pincode: '560999' })),
      [expect.stringMatching(/^2 Customer pincode: 560999 is not a pincode that exists; nearest: /) as string],
      flagged,
    ],
    [
      'an empty cell that a flag would fill',
      api({ warehouse_id: '' }),
      ['2 warehouse_id: is required, here or as --warehouse'],
      { ...plain, flags: new Map([['warehouse_id', '--warehouse']]) },
    ],
    [
      'a contradiction, with both lines',
      api({}, { billing_phone: '9898989898' }),
      ['3 billing_phone: "9898989898" differs from "9812345678" in line 2; the lines of one order must agree'],
    ],
    ['no order id', api({ order_id: '' }), ['2 order_id: is required']],
    [
      'what Excel made of an order id',
      api({ order_id: '1.23457E+11' }),
      [
        '2 order_id: "1.23457E+11" is a number that a spreadsheet has rounded; make the column text there and save it again',
      ],
    ],
    [
      'a day that does not exist',
      api({ order_date: '2026-02-30 10:00' }),
      [
        '2 order_date: "2026-02-30 10:00" is not a day of the calendar; write 2026-09-28, 28-09-2026, 28 Sep 2026 or 2026-09-28 14:05 (IST)',
      ],
    ],
    [
      'a month first',
      api({ order_date: '09/28/2026' }),
      ['2 order_date: "09/28/2026" has the month first; in India the day comes first: write 28/09/2026 or 2026-09-28'],
    ],
    [
      'a country that is not India',
      api({ billing_country: 'Nepal' }),
      ['2 billing_country: "Nepal" is not India; write India, IN or IND'],
    ],
    ['an e-mail without @', api({ billing_email: 'asha' }), ['2 billing_email: "asha" is not an e-mail address']],
    [
      'a date that is to come',
      api({ order_date: '2026-10-05 10:00' }),
      ['2 order_date: 2026-10-05 10:00 is more than a day in the future'],
    ],
    [
      'more to collect than the order is worth',
      api({ payment_method: 'COD', sub_total: '100', cod_collectible: '100.50' }),
      ['2 cod_collectible: 100.5 to collect is above the sub_total of 100'],
    ],
    [
      'an id with a sign that nobody sees',
      api({ order_id: 'A-1\u200b' }),
      ['2 order_id: must not contain invisible characters (U+200B)'],
    ],
    [
      'a weight that is none',
      api({ weight: 'heavy kg' }),
      ['2 weight: "heavy kg" is not a weight; write 500g or 0.5kg'],
    ],
    ['neither yes nor no', api({ print_label: 'maybe' }), ['2 print_label: "maybe" is not yes or no']],
    [
      'money to collect for a prepaid order',
      api({ cod_collectible: '50' }),
      ['2 cod_collectible: must be absent or 0 for a PREPAID order'],
    ],
    [
      'nothing to collect for COD',
      api({ payment_method: 'COD', sub_total: '0', item_selling_price: '0' }),
      ['2 cod_collectible: must be more than 0 for a COD order'],
    ],
    [
      'half a delivery address',
      api({ shipping_is_billing: 'no', shipping_customer_name: 'Meena' }),
      [
        '2 shipping_address: is required when shipping_is_billing is false',
        '2 shipping_pincode: is required when shipping_is_billing is false',
        '2 shipping_phone: is required when shipping_is_billing is false',
      ],
    ],
    [
      'a row with a cell too many',
      `${api({})}x,${'y,'.repeat(19)}z\n`,
      ['3 -: has 21 cells where the header has 20; a comma inside a cell needs quotes around it'],
    ],
  ])('%s', async (_, text, expected, plan) => {
    expect(await faultsIn(text, plan)).toEqual(expected)
  })

  test('a torn line spoils the whole order, not only itself', async () => {
    const [order, next] = await ordersIn(
      `${sheet(line(), 'Asha Rao,98123 45678,S-1')}${line({ id: 'S-2' })}\n`,
      flagged,
    )
    expect(order).toMatchObject({
      lines: [2, 3],
      input: undefined,
      faults: [{ row: 3, message: 'has 3 cells where the header has 12' }],
    })
    expect(next!.faults).toEqual([])
  })

  test('lines of one order that stand apart are a fault of both places', async () => {
    const reader = orderReader(plain)
    const apart = (other: number): string =>
      `"A-1" is in line ${other} too, with other orders between; the lines of one order must be together`
    const orders = await ordersIn(api({}, { order_id: 'A-2' }, {}, { order_id: 'A-3' }), plain, reader)
    expect(orders.map(({ lines, faults }) => [lines[0], faults.map(({ message }) => message)])).toEqual([
      [2, []],
      [3, []],
      [4, [apart(2)]],
      [5, []],
    ])
    expect([2, 3, 4, 5].map((line) => reader.late().get(line)?.message)).toEqual([
      apart(4),
      undefined,
      undefined,
      undefined,
    ])
  })

  test('a file whose orders stand apart everywhere is refused as a whole', { tags: ['full'] }, async () => {
    const lines = (suffix: string): string[] =>
      Array.from({ length: 10_001 }, (_, n) => line({ id: `S-${n}`, sku: suffix }))
    await expect(ordersIn(sheet(...lines('A'), ...lines('B')), flagged)).rejects.toMatchObject({
      code: 'invalid_file',
      message: 'the lines of 10,000 orders are apart, those of "S-10000" in lines 10002 and 20003',
    })
  })

  test('an order of more than 100 lines is told once, whatever its length', async () => {
    const faults = await faultsIn(sheet(...Array.from({ length: 205 }, () => line())), flagged)
    expect(faults.filter((fault) => fault.includes('too many items'))).toHaveLength(2)
    expect(faults.filter((fault) => fault.includes('is in line 2 too'))).toHaveLength(2)
  })

  test('a header that lacks what no flag gives is refused before any row', async () => {
    const flags = flagged.flags
    await expect(ordersIn(sheet(line()), { ...plain, flags })).rejects.toMatchObject({
      code: 'invalid_input',
      details: [
        { field: '--warehouse', message: 'is required: the file has no column warehouse_id' },
        { field: '--size', message: 'is required: the file has no column length, breadth, height' },
      ],
    })
    await expect(ordersIn(sheet(line()).replace(/Weight of[^\n]*/, 'Heft'), flagged)).rejects.toMatchObject({
      details: [{ field: 'orders.csv', message: 'the header lacks weight' }],
    })
  })

  test('a single weight that could be grams is a fault of its order, and the others go on', async () => {
    const plainSheet = sheet(
      line(),
      line({ id: 'S-2', weight: '500' }),
      line({ id: 'S-3', weight: '9g' }),
      line({ id: 'S-4', weight: '50' }),
    ).replace(' (in Kgs)', '')
    const orders = await ordersIn(plainSheet, flagged)
    expect(orders.map(({ faults }) => faults.map(({ row, message }) => `${row} ${message}`))).toEqual([
      [],
      ['3 500 what? Write 500kg or 500g'],
      [],
      [],
    ])
    expect(orders.map(({ input }) => input?.weight)).toEqual([0.5, undefined, 0.009, 50])
  })

  test('a sheet of weights that could be grams is refused once, with both readings of its first line', async () => {
    const plainSheet = sheet(
      line({ weight: '500' }),
      line({ id: 'S-2', weight: '750' }),
      line({ id: 'S-3', weight: '1.5' }),
    ).replace(/Weight of the Package \(in Kgs\)/, 'Weight')
    await expect(ordersIn(plainSheet, flagged)).rejects.toMatchObject({
      code: 'invalid_input',
      details: [
        {
          field: 'orders.csv',
          row: 2,
          message: 'the weights under "Weight" have no unit, and 500 could be 500 kg or 500 g',
        },
      ],
      hint: 'add --map Weight=weight_kg or --map Weight=weight_g, or name the unit in the header',
    })
    for (const [unit, weights] of [
      ['g', [0.5, 0.75, 0.0015]],
      ['kg', [500, 750, 1.5]],
    ] as const) {
      const orders: SheetOrder[] = []
      for await (const order of orderReader(flagged).orders(
        await opened(plainSheet, [`Weight=weight_${unit}`]),
        namesOf(9),
      ))
        orders.push(order)
      expect(orders.map(({ input }) => input?.weight)).toEqual(weights)
    }
  })

  test('a pincode that only a deployment may know passes where there is one, with its city', async () => {
    const text = api({ billing_pincode: '560 999' })
    expect(await faultsIn(text)).toHaveLength(1)
    const [order] = await ordersIn(text, { ...plain, lenient: true })
    expect(order).toMatchObject({
      input: { billing_pincode: '560999', billing_city: 'Bengaluru' },
      notes: ['line 2: shipx does not know pincode 560999; sent as written'],
    })
    expect(await faultsIn(api({ billing_pincode: '560999', billing_city: '' }), { ...plain, lenient: true })).toEqual([
      expect.stringMatching(/^2 billing_pincode: 560999 is not a pincode that exists/),
    ])
    expect(await faultsIn(api({ billing_pincode: '56099' }), { ...plain, lenient: true })).toHaveLength(1)
  })
})

test('a discount on each line of an order was taken once for the order', async () => {
  const head = 'Order Id,Customer name,Customer mobile no,Address line 1,Customer pincode,Payment method,'
  const made = (header: string, ...lines: readonly string[]): string =>
    [
      `${head}Product name,Product SKU Id,Product quantity,Product price,Weight,${header}`,
      ...lines.map((own) => `D-1,Asha Rao,9812345678,12 MG Road,560038,COD,Vase,V,${own}`),
    ].join('\n')
  const twice = ['1,500,0.5kg,50', '1,600,0.5kg,50'] as const
  expect(await faultsIn(made('Discount', ...twice), flagged)).toEqual([
    '2 Discount: "50" in 2 lines could be once for the order or for each line; ' +
      'name the column order_discount or item_discount, or add a column sub_total',
  ])
  expect(await faultsIn(made('Discount', twice[0], '1,600,0.5kg,60'), flagged)).toContain(
    '3 Discount: "60" differs from "50" in line 2; the lines of one order must agree; ' +
      'name a discount of each line item_discount',
  )
  const totals = async (text: string) => (await ordersIn(text, flagged)).map(({ input }) => input!.sub_total)
  expect(await totals(made('order_discount', ...twice))).toEqual([1050])
  expect(await totals(made('item_discount', ...twice))).toEqual([1000])
  expect(await totals(made('Discount,Order total', ...twice.map((own) => `${own},1000`)))).toEqual([1000])
  expect(await totals(made('Discount', twice[0], '1,600,0.5kg,'))).toEqual([1050])
  expect(await totals(made('Discount', ...twice.map((own) => own.replace(/50$/, '0'))))).toEqual([1100])
  expect(await totals(made('Discount', '2,500,0.5kg,50'))).toEqual([950])
})
