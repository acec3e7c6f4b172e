// The kinds of files that people give to the wrong command, by the headers that tell them apart.
import { awbSpellings } from '../../domain/money/owncolumns.ts'
import { folded } from '../files/headers.ts'
import { exportIn } from './forms/forms.ts'

/** A kind of file. */
interface Kind {
  /** What it is: `orders`. */
  readonly is: string
  /** The command that reads it; none when shipx has none. */
  readonly command?: string
  /** What helps with a file that no command reads. */
  readonly way?: string
  /** One header of each list, or like each pattern (small letters and digits alone), must be there. */
  readonly signs: readonly (readonly string[] | RegExp)[]
}

const awb = ['awb', ...awbSpellings]

const kinds: readonly Kind[] = [
  {
    is: "a courier's invoice",
    way:
      'to see what its parcels cost by your rate card: shipx local price, ' +
      'then shipx shipments list --columns awb,zone,weight,cost',
    signs: [
      /^(?:awb|(?:air)?waybill|docket|consignment|trackingid|trackingnumber)(?:no|num|number|code)?$/,
      /^(?:charged|chargeable|bill(?:ed|ing)|applied)w(?:eigh)?t|^(?:cod|rto|gst)(?:charges?|fees?|amount)$|^i?gst$/,
      /^(?:freight|forward|fwd|shipping|total|gross|net|courier).*(?:charges?|amount)$|^(?:freight|amount|total)$/,
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
  {
    is: 'a WooCommerce export with the items of an order in one cell each (line_item_1), which shipx does not read',
    way: 'export with the plugin Advanced Order Export, one line for each product',
    signs: [['line_item_1'], ['order_id', 'order_number'], ['billing_postcode', 'shipping_postcode']],
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
  const has = (sign: readonly string[] | RegExp): boolean =>
    sign instanceof RegExp ? [...there].some((name) => sign.test(name)) : sign.some((name) => there.has(folded(name)))
  const fits = ({ signs }: Kind): boolean => signs.every(has)
  const found = exportIn(headers)
  const orderExport: Kind = { is: `${found} of orders`, command: 'orders import', signs: [] }
  const kind = found === undefined ? kinds.find(fits) : orderExport
  if (kind === undefined || kind.command === command) return undefined
  const way = kind.command === 'orders import' ? orders : kind.command
  if (way === undefined) return `it looks like ${kind.is}${kind.way === undefined ? '' : `; ${kind.way}`}`
  return `it looks like ${kind.is}: shipx ${way} <file>`
}
