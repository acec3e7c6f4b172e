// The kinds of files that people give to the wrong command, by the headers that tell them apart.
import { folded } from '../files/headers.ts'
import { exportIn } from './forms/forms.ts'

/** A kind of file. */
interface Kind {
  /** What it is: `orders`. */
  readonly is: string
  /** The command that reads it; none when shipx has none. */
  readonly command?: string
  /** One header of each list must be there. */
  readonly signs: readonly (readonly string[])[]
}

const awb = ['awb', 'AWB Number', 'AWB No', 'AWB Code', 'Waybill', 'Waybill Number', 'tracking_number', 'Tracking ID']

const kinds: readonly Kind[] = [
  {
    is: "a courier's invoice",
    signs: [
      awb,
      ['Charged Weight', 'Chargeable Weight', 'Billed Weight', 'Charged Weight (kg)', 'Applied Weight'],
      ['Freight', 'Freight Charge', 'Freight Charges', 'Freight Amount', 'Total Amount', 'Total Charges', 'Amount'],
    ],
  },
  {
    is: 'courier scans',
    command: 'local track --file',
    signs: [awb, ['event', 'Scan', 'Scan Type'], ['at', 'location']],
  },
  { is: 'answers to failed deliveries', command: 'shipments ndr answer --file', signs: [awb, ['answer']] },
  {
    is: 'a rate card',
    command: 'ratecard import',
    signs: [
      ['carrier_id', 'carrier_name'],
      ['zone_a', 'zone_b'],
    ],
  },
  { is: 'a Shopify export of products, not of orders', signs: [['Handle'], ['Variant SKU'], ['Variant Price']] },
  { is: 'stores', command: 'stores import', signs: [['store_name'], ['brand_name', 'logo']] },
  {
    is: 'orders',
    command: 'orders import',
    signs: [
      ['order_id', 'Order number', 'Order no'],
      ['billing_pincode', 'Customer pincode', 'Pincode', 'Zip'],
      ['item_sku', 'Product SKU Id', 'SKU'],
    ],
  },
  {
    is: 'parcels to price',
    command: 'rates --file',
    signs: [
      ['from', 'origin_pincode'],
      ['to', 'destination_pincode'],
      ['weight', 'dead_weight'],
    ],
  },
]

/**
 * What a file is, for a command that reads something else: `it looks like orders: shipx orders import <file>`.
 * Undefined for a file that is what the command reads, and for one that shipx does not know. `orders` is the command
 * that reads orders instead of `orders import`.
 */
export function otherKind(command: string, headers: readonly string[], orders = 'orders import'): string | undefined {
  const there = new Set(headers.map(folded))
  const fits = ({ signs }: Kind): boolean => signs.every((names) => names.some((name) => there.has(folded(name))))
  const found = exportIn(headers)
  const kind = found === undefined ? kinds.find(fits) : { is: `${found} of orders`, command: 'orders import' }
  if (kind === undefined || kind.command === command) return undefined
  const way = kind.command === 'orders import' ? orders : kind.command
  return `it looks like ${kind.is}${way === undefined ? '' : `: shipx ${way} <file>`}`
}
