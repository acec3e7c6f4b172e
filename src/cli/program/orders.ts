// The commands of orders.
import type { Command } from '../tree.ts'
import { api, dryRun, fieldFlag, idempotencyKey, propertiesOf, write } from './flags.ts'

const orderFields = Object.keys(propertiesOf('orchestrateForwardOrder')).filter(
  (key) => !['order_items', 'weight', 'vendor_details'].includes(key),
)

// prettier-ignore
export const orders: readonly Command[] = [
  {
    path: ['orders', 'create'], summary: 'Create an order linked to a store', args: [],
    about: 'Weights are grams on the command line (500g, 0.5kg) and kilograms in a file, as the API has them.',
    flags: [
      { name: 'file', kind: 'text', value: '<order.json|->', help: 'The order as JSON; flags win over its fields', group: 'Order' },
      { name: 'store', kind: 'text', value: '<name>', help: 'Store that the order is linked to', group: 'Order', key: 'store_name' },
      { name: 'no-assign', kind: 'switch', help: 'Record the order, assign no courier yet', group: 'Order' },
      { name: 'courier', kind: 'text', value: '<carrier id>', help: 'This courier instead of the cheapest', group: 'Order', key: 'carrier_id' },
      { name: 'item', kind: 'repeated', value: '<sku:units:price:name>', help: 'An item; may be repeated', group: 'Order' },
      { name: 'weight', short: 'w', kind: 'text', value: '<grams>', help: 'Weight: 500, 500g or 0.5kg', group: 'Order', key: 'weight' },
      { name: 'size', short: 's', kind: 'text', value: '<LxBxH>', help: 'Centimetres, for example 20x15x10', group: 'Order' },
      { name: 'cod', kind: 'text', value: '<rupees>', help: 'Cash on delivery of this amount', group: 'Order', key: 'cod_collectible' },
      { name: 'prepaid', kind: 'switch', help: 'The customer has paid', group: 'Order' },
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
]
