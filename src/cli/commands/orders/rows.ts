// The commands of orders.
import type { Command, Flag } from '../../command/tree.ts'
import { labelCommands } from './labelrows.ts'
import {
  api,
  bulkExits,
  bulkFlags,
  dryRun,
  fieldFlag,
  idempotencyKey,
  propertiesOf,
  writeAnywhere,
} from '../rows/flags.ts'

const orderFields = Object.keys(propertiesOf('orchestrateForwardOrder')).filter(
  (key) => !['order_items', 'weight', 'vendor_details'].includes(key),
)

/** Fields that a friendlier flag also sets: hidden in help where that flag has the same value, and never both given. */
const besideFriendly: Readonly<Record<string, Partial<Flag>>> = {
  store_name: { hidden: true },
  warehouse_id: { hidden: true },
  carrier_id: { hidden: true },
  cod_collectible: { hidden: true },
  payment_method: { excludes: ['prepaid', 'cod'] },
  length: { excludes: ['size'] },
  breadth: { excludes: ['size'] },
  height: { excludes: ['size'] },
}

const strictState: Flag = {
  name: 'strict',
  kind: 'switch',
  help: 'Refuse an order whose pincode is in another state; without it, shipx warns',
  group: 'Safety',
}

// prettier-ignore
export const orders: readonly Command[] = [
  {
    path: ['orders', 'create'], summary: 'Create an order linked to a store', args: [],
    about: 'Write --weight with its unit: 500g or 0.5kg. In a JSON file, a number there is in kilograms. shipx takes city and state from the pincode. On a terminal, shipx asks for missing values and confirms the order.',
    flags: [
      { name: 'file', kind: 'text', value: '<order.json|->', help: 'Read the order from a JSON file (- for standard input); flags override its fields', group: 'Order' },
      { name: 'store', kind: 'text', value: '<name>', help: 'Link the order to this store', group: 'Order', key: 'store_name' },
      { name: 'no-assign', kind: 'switch', help: 'Save the order and assign no courier', group: 'Order' },
      { name: 'courier', kind: 'text', value: '<courier>', help: 'Use this courier instead of the cheapest: its id, its code or part of its name', group: 'Order', key: 'carrier_id' },
      { name: 'item', kind: 'repeated', value: '<sku:units:price:name>', help: 'Add an item, for example TOY-1:2:499:Puzzle (the price in rupees); repeat the flag for more', group: 'Order' },
      { name: 'weight', short: 'w', kind: 'text', value: '<weight>', help: 'Weight of the parcel: 500g or 0.5kg', group: 'Order', key: 'weight' },
      { name: 'size', short: 's', kind: 'text', value: '<LxBxH>', help: 'Length, breadth and height in centimetres (20x15x10), or in inches (8x6x4in)', group: 'Order' },
      { name: 'cod', kind: 'text', value: '<rupees>', help: 'Collect this amount in rupees on delivery, for example 1499', group: 'Order', key: 'cod_collectible' },
      { name: 'prepaid', kind: 'switch', help: 'The customer paid already; the courier collects nothing', group: 'Order', excludes: ['cod'] },
      { name: 'warehouse', kind: 'text', value: '<id>', help: 'Pick up at this warehouse: its id, or its name in the profile', group: 'Order', key: 'warehouse_id' },
      ...orderFields.map((key) => fieldFlag('orchestrateForwardOrder', key, 'API names', besideFriendly[key])),
      strictState,
      dryRun,
      idempotencyKey,
    ],
    examples: [
      { about: 'Create an order from a file, in the brand of a store', line: 'shipx orders create --file order.json --store acme-kids' },
      { about: 'Create an order from a pipe, without a courier yet', line: 'jq .order export.json | shipx orders create --file - --no-assign' },
    ],
    output: '{status, payload: {order_id, shipment_id, awb_code, courier_name, …}}', exits: `${writeAnywhere} · 7 shipx created the order, but no courier took it · 130 cancelled`,
    api: `${api('orchestrateForwardOrder')}, with --no-assign ${api('createForwardOrder')}`,
  },
  {
    path: ['orders', 'import'], summary: 'Create many orders from a file', args: [{ name: 'file', help: 'A CSV, an Excel workbook (.xlsx) or JSON Lines, or - for standard input' }],
    about: "The file is an export of Shopify, WooCommerce, Amazon, Unicommerce or Shiprocket as it is, or a sheet with one line for each item. The headers of a sheet are the API's names with item_name, item_sku, item_units and item_selling_price, or those of Indian aggregators. shipx reads a weight without a unit as kilograms, and refuses one that could be grams. It takes city and state from the pincode and adds up the items. Flags fill empty cells. It imports the good rows and writes the bad ones with their reasons to <file>.failed.csv. If you run the command again, it continues and creates nothing twice.",
    flags: [
      { name: 'from', kind: 'text', value: '<program>', choices: ['shopify', 'woocommerce', 'amazon', 'unicommerce', 'shiprocket', 'sheet'], help: "Read the file as this program's export (default: by its header); sheet reads only our own headers", group: 'File' },
      { name: 'warehouse', kind: 'text', value: '<id>', help: 'Pick up at this warehouse: its id, or its name in the profile', group: 'Orders' },
      { name: 'weight', short: 'w', kind: 'text', value: '<weight>', help: 'Weight of every parcel without one: 500g or 0.5kg', group: 'Orders' },
      { name: 'size', short: 's', kind: 'text', value: '<LxBxH>', help: 'Length, breadth and height in centimetres (20x15x10), or in inches (8x6x4in)', group: 'Orders' },
      { name: 'payment', kind: 'text', value: '<how>', choices: ['cod', 'prepaid'], help: 'Payment of every order without one: cod or prepaid', group: 'Orders' },
      { name: 'order-date', kind: 'text', value: '<when>', help: 'Use this date for the orders: 2026-09-28 14:05, today (default: now)', group: 'Orders' },
      { name: 'store', kind: 'text', value: '<name>', help: 'Link the orders to this store', group: 'Orders' },
      { name: 'courier', kind: 'text', value: '<courier>', help: 'Use this courier instead of the cheapest: its id, its code or part of its name', group: 'Orders' },
      { name: 'no-assign', kind: 'switch', help: 'Save the orders and assign no courier', group: 'Orders' },
      strictState,
      // An order cannot be changed: a row that differs from an existing order fails.
      ...bulkFlags.filter((flag) => flag.name !== 'on-conflict'),
    ],
    examples: [
      { about: 'See what would happen', line: 'shipx orders import orders.csv --dry-run' },
      { about: 'Import an export of your shop as it is', line: 'shipx orders import shopify.csv --weight 500g --size 20x15x10 --warehouse WH1' },
      { about: 'Import a sheet without warehouses and sizes', line: 'shipx orders import sheet.csv --warehouse WH1 --size 20x15x10 --yes' },
      { about: 'Import a sheet with its own header', line: 'shipx orders import orders.csv --map "Drop PIN=billing_pincode" --yes' },
    ],
    output: '{data: {rows, created, updated, unchanged, skipped, failed, reasons: [], failed_file}}', exits: bulkExits,
    api: `${api('orchestrateForwardOrder')}, with --no-assign ${api('createForwardOrder')}`,
  },
  {
    path: ['orders', 'template'], summary: 'Print a sample sheet of orders', args: [],
    about: 'You can import the sample unchanged. The sheet form has no warehouse and no size: import it with --warehouse WH1 --size 20x15x10.',
    flags: [{ name: 'form', kind: 'text', value: '<form>', choices: ['api', 'sheet'], help: "Use the API's names (api), or the headers of aggregators (sheet)", group: 'File', default: 'api' }],
    examples: [{ about: 'Print a sheet to start with', line: 'shipx orders template' }, { about: 'Print a sheet with the headers of aggregators', line: 'shipx orders template --form sheet' }],
    output: 'order_id,order_date,…', exits: '0 done · 2 bad input',
  },
  ...labelCommands,
]
