// Defends the reading of order sheets: both forms give the orders that they mean, every fault is told by its header and
// line, and what is written as a sheet reads back as the same orders.
import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namesOf } from '../../../src/cli/imports/uniquenames.ts'
import { sheetColumns } from '../../../src/cli/imports/orders/columns.ts'
import { orderReader, type OrderPlan, type SheetOrder } from '../../../src/cli/imports/orders/sheet.ts'
import { orderForms, orderRows } from '../../../src/cli/imports/orders/template.ts'
import { csvWriter } from '../../../src/cli/files/csv.ts'
import type { Io } from '../../../src/cli/terminal/io.ts'
import { openSheet } from '../../../src/cli/files/opensheet.ts'
import type { Sheet } from '../../../src/cli/files/sheet.ts'
import { parseInput } from '../../../src/domain/parse.ts'
import { everyPincode } from '../../../src/domain/pincodes.ts'
import { istMinute } from '../../../src/domain/time.ts'
import { temporaryPath, testNow } from '../../support/engine.ts'

const plain: OrderPlan = {
  defaults: { order_date: '2026-09-28 10:00' },
  flags: new Map([['order_date', '--order-date']]),
  warehouse: (name) => name,
  lenient: false,
  now: () => Date.parse('2026-09-29T08:30:00Z'),
}

/** The plan of somebody who gave every flag. */
const flagged: OrderPlan = {
  ...plain,
  defaults: { ...plain.defaults, warehouse_id: 'main', length: 20, breadth: 15, height: 10 },
  flags: new Map([
    ['warehouse_id', '--warehouse'],
    ['length', '--size'],
    ['breadth', '--size'],
    ['height', '--size'],
    ['order_date', '--order-date'],
  ]),
  warehouse: (name) => (name === 'main' ? 'WHYYB5' : name),
}

const opened = (text: string, map: readonly string[] = []): Promise<Sheet> => {
  const path = temporaryPath('orders.csv')
  writeFileSync(path, text)
  return openSheet({} as Io, { path, field: '<file>', columns: sheetColumns, map })
}

async function ordersIn(
  text: string,
  plan: OrderPlan = plain,
  reader = orderReader(plan),
): Promise<readonly SheetOrder[]> {
  // prettier-ignore
  const orders: SheetOrder[] = []
  for await (const order of reader.orders(await opened(text), namesOf(text.split('\n').length))) orders.push(order)
  return orders
}

const faultsIn = async (text: string, plan: OrderPlan = plain): Promise<readonly string[]> =>
  (await ordersIn(text, plan)).flatMap(({ faults }) =>
    faults.map(({ field, message, row }) => `${row ?? '-'} ${field ?? '-'}: ${message}`),
  )

/** A cell as whoever writes with another delimiter writes it. */
const cellOf = (cell: string, delimiter: string): string => {
  const text = csv([[cell]]).slice(0, -1)
  return text.includes(delimiter) && !text.startsWith('"') ? `"${text}"` : text
}

const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map(csvWriter({ raw: false, excel: false, tsv: false }).row).join('')

/** A sheet in the API's names, one line for each record: what is not named is as in the sample. */
function api(...lines: readonly Readonly<Record<string, string>>[]): string {
  const sample: Readonly<Record<string, string>> = {
    order_id: 'A-1', order_date: '2026-09-28 10:15', billing_customer_name: 'Asha Rao', billing_phone: '9812345678', billing_address: '12 MG Road',
    billing_city: 'Bengaluru', billing_pincode: '560038', billing_state: 'Karnataka', billing_country: 'India', payment_method: 'PREPAID', sub_total: '998',
    item_name: 'Cotton romper', item_sku: 'CR-02', item_units: '2', item_selling_price: '499', length: '20', breadth: '15', height: '10', weight: '0.5', warehouse_id: 'WH1',
  } // prettier-ignore
  const names = [...new Set([...Object.keys(sample), ...lines.flatMap(Object.keys)])]
  return csv([names, ...lines.map((line) => names.map((name) => line[name] ?? sample[name] ?? ''))])
}

const sheetHeader =
  'Customer name,Customer mobile no,Order Id,Payment method,Address line 1,Customer pincode,Product name,Product SKU Id,Product quantity,Product price,Product tax rate,Weight of the Package (in Kgs)'
const line = (
  over: Partial<
    Record<
      'name' | 'phone' | 'id' | 'payment' | 'address' | 'pincode' | 'item' | 'sku' | 'qty' | 'price' | 'weight',
      string
    >
  > = {},
): string => {
  // prettier-ignore
  const { name = 'Asha Rao', phone = '98123 45678', id = 'S-1', payment = 'Cash on Delivery', address = '12 MG Road', pincode = '560 038', item = 'Cotton romper', sku = 'CR-02', qty = '2', price = '499', weight = '0.5' } = over
  return csv([[name, phone, id, payment, address, pincode, item, sku, qty, price, '5', weight]]).trimEnd()
}
const sheet = (...lines: readonly string[]): string => `${[sheetHeader, ...lines].join('\n')}\n`

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
      parseInput('orchestrateForwardOrder', {
        order_id: 'A-2', order_date: '2026-09-28 10:15', billing_customer_name: 'Asha Rao', billing_phone: '9812345678', billing_address: '12 MG Road',
        billing_city: 'Bengaluru', billing_pincode: '560038', billing_state: 'Karnataka', billing_country: 'India', payment_method: 'PREPAID', sub_total: 748.5,
        length: 20, breadth: 15, height: 10, weight: 0.5, warehouse_id: 'WH1',
        order_items: [{ name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 499 }, { name: 'MS-11', sku: 'MS-11', units: 1, selling_price: 250 }],
      }),
    ) // prettier-ignore
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
    expect(faults).toEqual(['2 sub_total: "1,499" is not an amount in rupees; write for example 1499'])
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

describe('faults', () => {
  test.each<[string, string, readonly string[], OrderPlan?]>([
    [
      'every fault of an order at once',
      sheet(line({ phone: '12345', pincode: '56003', payment: 'barter', qty: '0', price: '-4', weight: '0' })),
      [
        '2 Customer mobile no: must be a phone of ten digits that starts with 6 to 9',
        '2 Payment method: "barter" is neither COD nor PREPAID',
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
      ['3 Product SKU Id: is required', '3 Product quantity: must be a number'],
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
        '2 order_date: "2026-02-30 10:00" is not a date of the calendar; write 2026-09-28 14:05 or 28-09-2026 14:05 (IST)',
      ],
    ],
    [
      'a month first',
      api({ order_date: '09/28/2026' }),
      ['2 order_date: "09/28/2026" is not a date of the calendar; write 2026-09-28 14:05 or 28-09-2026 14:05 (IST)'],
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
      ['2 order_date: 2026-10-05 10:00 is more than a day ahead'],
    ],
    [
      'more to collect than the order is worth',
      api({ payment_method: 'COD', sub_total: '100', cod_collectible: '100.50' }),
      ['2 cod_collectible: 100.5 to collect is above the sub_total of 100'],
    ],
    [
      'an id with a sign that nobody sees',
      api({ order_id: 'A-1\u200b' }),
      ['2 order_id: must not hold invisible characters (U+200B)'],
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
      `"A-1" stands in line ${other} too, with other orders between; the lines of one order must stand together`
    const orders = await ordersIn(api({}, { order_id: 'A-2' }, {}, { order_id: 'A-3' }), plain, reader)
    expect(orders.map(({ lines, faults }) => [lines[0], faults.map(({ message }) => message)])).toEqual([
      [2, []],
      [3, []],
      [4, [apart(2)]],
      [5, []],
    ])
    expect([2, 3, 4, 5].map((line) => reader.late(line)?.message)).toEqual([apart(4), undefined, undefined, undefined])
  })

  test('a file whose orders stand apart everywhere is refused as a whole', async () => {
    const lines = (suffix: string): string[] =>
      Array.from({ length: 10_001 }, (_, n) => line({ id: `S-${n}`, sku: suffix }))
    await expect(ordersIn(sheet(...lines('A'), ...lines('B')), flagged)).rejects.toMatchObject({
      code: 'invalid_file',
      message: 'the lines of 10,000 orders stand apart, those of "S-10000" in lines 10002 and 20003',
    })
  })

  test('an order of more than 100 lines is told once, whatever its length', async () => {
    const faults = await faultsIn(sheet(...Array.from({ length: 205 }, () => line())), flagged)
    expect(faults.filter((fault) => fault.includes('too many items'))).toHaveLength(2)
    expect(faults.filter((fault) => fault.includes('stands in line 2 too'))).toHaveLength(2)
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
      details: [{ field: '<file>', message: 'the header lacks weight' }],
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
          field: '<file>',
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

  test.each([',', ';', '\t'])('orders, through a sheet with %j between cells', async (delimiter) => {
    await fc.assert(
      fc.asyncProperty(fc.array(order, { minLength: 1, maxLength: 5 }), fc.boolean(), async (orders, repeat) => {
        const inputs = orders.map(({ store_name, print_label, ...rest }, n) =>
          parseInput('orchestrateForwardOrder', {
            ...rest,
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
  })
})
