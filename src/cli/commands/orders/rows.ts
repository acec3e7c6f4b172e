// The commands of orders.
import type { Command } from '../../command/tree.ts'
import { api, bulkExits, bulkFlags, dryRun, fieldFlag, idempotencyKey, propertiesOf, write } from '../rows/flags.ts'

const orderFields = Object.keys(propertiesOf('orchestrateForwardOrder')).filter(
  (key) => !['order_items', 'weight', 'vendor_details'].includes(key),
)

// prettier-ignore
export const orders: readonly Command[] = [
  {
    path: ['orders', 'create'], summary: 'Create an order linked to a store', args: [],
    about: 'Write a weight with its unit: 500g, 0.5kg. In a file of the API it is in kilograms. On a terminal, shipx asks for what is missing.',
    flags: [
      { name: 'file', kind: 'text', value: '<order.json|->', help: 'The order as JSON; flags win over its fields', group: 'Order' },
      { name: 'store', kind: 'text', value: '<name>', help: 'Store that the order is linked to', group: 'Order', key: 'store_name' },
      { name: 'no-assign', kind: 'switch', help: 'Save the order without a courier', group: 'Order' },
      { name: 'courier', kind: 'text', value: '<carrier id>', help: 'This courier instead of the cheapest', group: 'Order', key: 'carrier_id' },
      { name: 'item', kind: 'repeated', value: '<sku:units:price:name>', help: 'An item; repeat the flag for more', group: 'Order' },
      { name: 'weight', short: 'w', kind: 'text', value: '<weight>', help: 'Weight: 500g or 0.5kg', group: 'Order', key: 'weight' },
      { name: 'size', short: 's', kind: 'text', value: '<LxBxH>', help: 'Centimetres, for example 20x15x10', group: 'Order' },
      { name: 'cod', kind: 'text', value: '<rupees>', help: 'Cash on delivery of this amount', group: 'Order', key: 'cod_collectible' },
      { name: 'prepaid', kind: 'switch', help: 'The customer has paid', group: 'Order', excludes: ['cod'] },
      ...orderFields.map((key) => fieldFlag('orchestrateForwardOrder', key, 'API names', key === 'store_name' || key === 'carrier_id' || key === 'cod_collectible' ? { hidden: true } : {})),
      dryRun,
      idempotencyKey,
    ],
    examples: [
      { about: 'From a file, in the brand of a store', line: 'shipx orders create --file order.json --store acme-kids' },
      { about: 'From a pipe, without a courier yet', line: 'jq .order export.json | shipx orders create --file - --no-assign' },
    ],
    output: '{status, payload: {order_id, shipment_id, awb_code, courier_name, …}}', exits: write,
    api: `${api('orchestrateForwardOrder')}, with --no-assign ${api('createForwardOrder')}`,
  },
  {
    path: ['orders', 'import'], summary: 'Create many orders from a file', args: [{ name: 'file', help: 'CSV or JSON Lines, or - for standard input' }],
    about: "Columns: the API's names with item_name, item_sku, item_units and item_selling_price, one line for each item; or the headers of the sheets that aggregators in India use. A weight without a unit is in kilograms; shipx refuses one that could be grams. City and state come from the pincode, sums from the items. Flags fill empty cells. Bad rows do not stop good ones: they go to <file>.failed.csv with their reasons. Running the command again carries on and creates nothing twice.",
    flags: [
      { name: 'warehouse', kind: 'text', value: '<id>', help: 'Warehouse, or the name that the profile gives it', group: 'Orders' },
      { name: 'size', short: 's', kind: 'text', value: '<LxBxH>', help: 'Centimetres, for example 20x15x10', group: 'Orders' },
      { name: 'order-date', kind: 'text', value: '<when>', help: 'Date of the orders: 2026-09-28 14:05, today (default: now)', group: 'Orders' },
      { name: 'store', kind: 'text', value: '<name>', help: 'Store that the orders are linked to', group: 'Orders' },
      { name: 'courier', kind: 'text', value: '<carrier id>', help: 'This courier instead of the cheapest', group: 'Orders' },
      { name: 'no-assign', kind: 'switch', help: 'Save the orders without a courier', group: 'Orders' },
      // An order cannot be changed: a row that differs from an existing order fails.
      ...bulkFlags.filter((flag) => flag.name !== 'on-conflict'),
    ],
    examples: [
      { about: 'What would happen', line: 'shipx orders import orders.csv --dry-run' },
      { about: 'A sheet without warehouses and sizes', line: 'shipx orders import sheet.csv --warehouse WH1 --size 20x15x10 --yes' },
      { about: 'With its own header', line: 'shipx orders import orders.csv --map "Drop PIN=billing_pincode" --yes' },
    ],
    output: '{data: {rows, created, updated, unchanged, skipped, failed, reasons: [], failed_file}}', exits: bulkExits,
    api: `${api('orchestrateForwardOrder')}, with --no-assign ${api('createForwardOrder')}`,
  },
  {
    path: ['orders', 'template'], summary: 'Print a sample sheet of orders', args: [],
    about: 'The sample imports as it is. The sheet form has no warehouse and no size: add --warehouse WH1 --size 20x15x10.',
    flags: [{ name: 'form', kind: 'text', value: '<form>', choices: ['api', 'sheet'], help: "The API's names, or the headers of aggregators", group: 'File', default: 'api' }],
    examples: [{ about: 'A sheet to start with', line: 'shipx orders template' }, { about: 'With the headers of aggregators', line: 'shipx orders template --form sheet' }],
    output: 'order_id,order_date,…', exits: '0 done · 2 bad input',
  },
]
