// Defends the import of other programs' exports as they are: which orders they become, to the paisa, and what is left out.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OrderPlan } from '../../../src/cli/imports/orders/plan.ts'
import type { SheetOrder } from '../../../src/cli/imports/orders/sheet.ts'
import { paiseOf } from '../../../src/domain/money.ts'
import { csvOf, shopifyExport, wooExport, type Exported } from '../../support/exports.ts'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { inputOf, readExport, weighed } from './ordersheets.ts'
import { first } from '../../support/size.ts'

const asExported = ({ input }: SheetOrder) => ({
  id: input!.order_id,
  cod: input!.payment_method === 'COD',
  total: paiseOf(input!.sub_total),
  items: input!.order_items.map(({ selling_price, units }) => [paiseOf(selling_price), units]),
})

describe.each<[string, (count: number) => Exported, string]>([
  ['Shopify', shopifyExport, 'Read as a Shopify export.\nColumns that are not used: Notes'],
  ['WooCommerce', wooExport, 'Read as a WooCommerce export.\nColumns that are not used: Customer Note'],
])('an export of %s with 200 orders', (_, make, said) => {
  let box: Sandbox
  beforeEach(() => {
    box = sandbox()
  })
  afterEach(() => box.remove())

  test('is the orders that the shop has to ship, to the paisa', async () => {
    const { csv, orders, left } = make(200)
    const read = await readExport(csv)
    expect(read.orders.flatMap(({ faults }) => faults)).toEqual([])
    expect(read.orders.map(asExported)).toEqual(orders)
    expect(read.left).toEqual(left)
    const collected = read.orders.reduce((sum, { input }) => sum + (paiseOf(input!.cod_collectible ?? 0) ?? NaN), 0)
    expect(collected).toBe(orders.reduce((sum, { cod, total }) => sum + (cod ? total : 0), 0))
    expect(new Set(read.orders.map(({ input }) => input!.billing_state))).toEqual(
      new Set(['Karnataka', 'Maharashtra', 'Delhi', 'West Bengal']),
    )
    expect(JSON.stringify(read.orders.map(({ input }) => input))).not.toMatch(/\\[rn]/)
  })

  test('is read with a header in small letters too', async () => {
    const { csv, orders } = make(5)
    const end = csv.indexOf('\n')
    const read = await readExport(csv.slice(0, end).toLowerCase() + csv.slice(end))
    expect(read.orders.map(asExported)).toEqual(orders)
  })

  test('goes in with two flags', { tags: make === wooExport ? ['full'] : [] }, async () => {
    box.file('export.csv', make(200).csv)
    const { exit, stderr } = await box.bash(
      'shipx local warehouse set WH1 400001; shipx profile set warehouse.default WH1; ' +
        'shipx orders import export.csv --weight 500g --size 20x15x10 --yes',
    )
    expect(stderr).toContain(`${said}\nLeft out 20 cancelled and 20 fulfilled orders.\n`)
    expect([exit, stderr]).toEqual([0, expect.stringContaining('160 orders created on this computer')])
  })
})

test('a WooCommerce order whose delivery address has no street shipped to the billing address without a word', async () => {
  const base = {
    'Order Number': '5001',
    'Order Status': 'Processing',
    'First Name (Billing)': 'Papa',
    'Last Name (Billing)': 'Das',
    'Address 1&2 (Billing)': '501 Sea View, Bandra',
    'City (Billing)': 'Mumbai',
    'Postcode (Billing)': '400053',
    'Phone (Billing)': '9063996269',
    'First Name (Shipping)': 'Papa',
    'Last Name (Shipping)': 'Das',
    'Address 1&2 (Shipping)': '',
    'City (Shipping)': 'Guwahati',
    'Postcode (Shipping)': '781001',
    'Payment Method Title': 'Cash on delivery',
    'Order Total Amount': '499',
    SKU: 'CR-02',
    'Item Name': 'Lamp',
    Quantity: '1',
    'Item Cost': '499',
  }
  const text = csvOf(Object.keys(base), [base])
  const { orders } = await readExport(text)
  expect(orders.flatMap(({ faults }) => faults)).toMatchObject([
    { field: 'Address 1&2 (Shipping)', message: 'is required' },
  ])
})

test('an Amazon report has the amounts of a whole line, and quotes as they are', async () => {
  const base = {
    'order-id': '405-1234567-1234567',
    'order-item-id': '1',
    'purchase-date': '2026-09-28T12:35:11+00:00',
    'buyer-name': 'Asha Rao',
    'buyer-phone-number': '9812345678',
    sku: 'CR-02',
    'product-name': 'Romper 6" long',
    'quantity-purchased': '2',
    'quantity-to-ship': '2',
    'item-price': '666.66',
    'shipping-price': '40',
    'recipient-name': 'Asha Rao',
    'ship-address-1': '12 MG Road',
    'ship-address-2': 'Indiranagar',
    'ship-city': 'BENGALURU',
    'ship-state': 'KARNATAKA',
    'ship-postal-code': '560038',
    'ship-country': 'IN',
    'payment-method': 'COD',
    'cod-collectible-amount': '706.66',
  }
  const second = { ...base, 'order-item-id': '2', sku: 'MS-11', 'item-price': '99', 'shipping-price': '0' }
  const text = csvOf(
    Object.keys(base),
    [
      base,
      { ...second, 'quantity-purchased': '1', 'quantity-to-ship': '1', 'cod-collectible-amount': '99' },
      { ...base, 'order-id': '405-2', 'payment-method': 'Other', 'cod-collectible-amount': '' },
      { ...base, 'order-id': '405-3', 'quantity-to-ship': '0' },
    ],
    '\t',
  )
  const inputs = await inputOf(text)
  expect(inputs[0]).toMatchObject({
    order_date: '2026-09-28 18:05',
    payment_method: 'COD',
    cod_collectible: 805.66,
    sub_total: 805.66,
    shipping_charges: 40,
    order_items: [
      { sku: 'CR-02', name: 'Romper 6" long', units: 2, selling_price: 333.33 },
      { sku: 'MS-11', units: 1, selling_price: 99 },
    ],
  })
  expect(inputs[1]).toMatchObject({ payment_method: 'PREPAID', sub_total: 706.66 })
  expect((await readExport(text)).left).toEqual({ fulfilled: 1 })
})

test('a Unicommerce export has a line for each piece, and cancelled pieces are left out', async () => {
  const base = {
    'Sale Order Item Code': 'SOI1',
    'Display Order Code': 'U-1',
    'Notification Mobile': '9812345678',
    COD: '1',
    'Shipping Address Name': 'Asha Rao',
    'Shipping Address Line 1': '12 MG Road',
    'Shipping Address City': 'Bengaluru',
    'Shipping Address State': 'Karnataka',
    'Shipping Address Country': 'India',
    'Shipping Address Pincode': '560038',
    'Item SKU Code': 'CR-02',
    'Item Type Name': 'Romper',
    'Selling Price': '499.50',
    'Total Price': '524.50',
    'Prepaid Amount': '24.50',
    'Order Date as dd/mm/yyyy hh:MM:ss': '28/09/2026 14:05:00',
    'Sale Order Status': 'PROCESSING',
    'Sale Order Item Status': 'FULFILLABLE',
    'Dispatch Date': '',
    'Length(mm)': '200',
    'Width(mm)': '150',
    'Height(mm)': '100',
  }
  const text = csvOf(Object.keys(base), [
    base,
    { ...base, 'Sale Order Item Code': 'SOI2' },
    { ...base, 'Sale Order Item Code': 'SOI3', 'Sale Order Item Status': 'CANCELLED' },
    { ...base, 'Display Order Code': 'U-2', 'Sale Order Item Status': 'CANCELLED' },
    { ...base, 'Display Order Code': 'U-3', 'Dispatch Date': '28/09/2026' },
    { ...base, 'Display Order Code': 'U-5', 'Sale Order Status': 'COMPLETE' },
    { ...base, 'Display Order Code': 'U-4', COD: '0', 'Prepaid Amount': '524.50' },
  ])
  const { left } = await readExport(text)
  expect(left).toEqual({ cancelled: 1, fulfilled: 2 })
  const inputs = await inputOf(text)
  expect(inputs[0]).toMatchObject({
    order_id: 'U-1',
    sub_total: 1049,
    cod_collectible: 1000,
    length: 20,
    order_items: [
      { sku: 'CR-02', units: 1, selling_price: 499.5 },
      { sku: 'CR-02', units: 1, selling_price: 499.5 },
    ],
  })
  expect(inputs[1]).toMatchObject({ order_id: 'U-4', payment_method: 'PREPAID', sub_total: 524.5 })
})

test('a Shiprocket sheet has a total of items, charges and discounts', async () => {
  const base = {
    '*Order Id': 'S-1',
    'Order Date as dd-mm-yyyy hh:MM': '28-09-2026 14:05',
    '*Channel': 'CUSTOM',
    '*Payment Method(COD/Prepaid)': 'COD',
    '*Customer First Name': 'Asha',
    'Customer Last Name': 'Rao',
    'Email (Optional)': 'asha@example.com',
    '*Customer Mobile': '9812345678',
    '*Shipping Address Line 1': '12 MG Road',
    '*Shipping Address Country': 'India',
    '*Shipping Address State': 'Karnataka',
    '*Shipping Address City': 'Bengaluru',
    '*Shipping Address Postcode': '560038',
    '*Master SKU': 'CR-02',
    '*Product Name': 'Romper',
    '*Product Quantity': '2',
    '*Selling Price(Per Unit Item, Inclusive of Tax)': '499.25',
    'Discount(Per Unit Item)': '10',
    'Shipping Charges(Per Order)': '40',
    'COD Charges(Per Order)': '30',
    'Total Discount (Per Order)': '8.50',
    'Paid Amount (Rs.)': '100',
    '*Length (cm)': '20',
    '*Breadth (cm)': '15',
    '*Height (cm)': '10',
    '*Weight Of Shipment(kg)': '0.5',
  }
  const [input] = await inputOf(csvOf(Object.keys(base), [base]))
  const [barter] = (await readExport(csvOf(Object.keys(base), [{ ...base, '*Payment Method(COD/Prepaid)': 'barter' }])))
    .orders
  expect(barter!.faults[0]!.message).toContain("--map-value '*Payment Method(COD/Prepaid):barter=PREPAID'")
  // 2 × (499.25 − 10) + 40 + 30 − 8.50, of which 100 are paid
  expect(input).toMatchObject({ sub_total: 1040, cod_collectible: 940, weight: 0.5, billing_last_name: 'Rao' })
})

test('a file is read as another program’s export only when it is one', async () => {
  const named = (from: 'shopify' | 'sheet'): OrderPlan => ({ ...weighed, exports: { from, ignore: [] } })
  const message = /^the file is not a Shopify export: its header lacks Financial Status, Fulfillment Status/
  await expect(readExport('Name,Total\n#1,5\n', named('shopify'))).rejects.toMatchObject({
    details: [{ field: '--from', message: expect.stringMatching(message) as string }],
  })
  await expect(readExport(shopifyExport(1).csv, named('sheet'))).rejects.toMatchObject({
    details: [expect.anything(), { message: expect.stringMatching(/^the header lacks order_id, /) as string }],
  })
  await expect(readExport('{"order_id":"A-1"}\n', named('shopify'))).rejects.toThrow()
})

describe('one of another kind', () => {
  let box: Sandbox
  beforeEach(() => {
    box = sandbox()
  })
  afterEach(() => box.remove())

  test.each(
    first(1, [
      [
        'orders import',
        'AWB,Charged Weight,Freight\n1,0.5,40\n',
        "it looks like a courier's invoice; to see what its parcels",
      ],
      [
        'orders import',
        'Waybill No,Order No,Billed Wt,Forward Charge,GST\n1,A,500,38,6\n',
        "it looks like a courier's invoice",
      ],
      [
        'orders import',
        'order_id,order_number,status,billing_postcode,line_item_1\n1,1,processing,560001,name:Kurta|sku:K\n',
        '✗ line 1 given.csv: it looks like a WooCommerce export with the items of an order in one cell each',
      ],
      ['orders import', 'store_name,brand_name\na,A\n', 'it looks like stores: shipx stores import <file>'],
      ['stores import', shopifyExport(1).csv, 'it looks like a Shopify export of orders: shipx orders import <file>'],
    ]),
  )('given to %s is named', async (command, text, message) => {
    box.file('given.csv', text)
    const { exit, stderr } = await box.shipx([...command.split(' '), 'given.csv', '--yes'])
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
