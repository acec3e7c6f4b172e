// Sample order sheets in both forms; they import without changes (docs/guides/sheets.md, Orders).
import { istMinute } from '../../../domain/time.ts'

/** The API's own names, or the headers of the sheets that aggregators in India hand out. */
export const orderForms = ['api', 'sheet'] as const
export type OrderForm = (typeof orderForms)[number]

type Sample = Readonly<Record<string, string | number>>

// prettier-ignore
const apiOrders = (date: string): readonly Sample[] => [
  {
    order_id: 'SAMPLE-1001', order_date: date, store_name: '', billing_customer_name: 'Asha Rao', billing_phone: '9812345678',
    billing_email: 'asha@example.com', billing_address: '12 MG Road, Indiranagar', billing_city: 'Bengaluru', billing_pincode: '560038',
    billing_state: 'Karnataka', billing_country: 'India', payment_method: 'COD', sub_total: 1497, cod_collectible: 1497,
    item_name: 'Cotton romper', item_sku: 'CR-02', item_units: 2, item_selling_price: 499,
    length: 20, breadth: 15, height: 10, weight: 0.5, warehouse_id: 'WH1',
  },
  // Another item of the same order: its line leaves empty what the first line says.
  { order_id: 'SAMPLE-1001', item_name: 'Muslin swaddle', item_sku: 'MS-11', item_units: 1, item_selling_price: 499 },
  {
    order_id: 'SAMPLE-1002', order_date: date, billing_customer_name: 'Vikram Singh', billing_phone: '9898989898',
    billing_address: 'Flat 4B, Lake View', billing_city: 'Kolkata', billing_pincode: '700019',
    billing_state: 'West Bengal', billing_country: 'India', payment_method: 'PREPAID', sub_total: 1250,
    item_name: 'Brass lamp', item_sku: 'BL-7', item_units: 1, item_selling_price: 1250,
    length: 25, breadth: 20, height: 20, weight: 1.2, warehouse_id: 'WH1',
  },
]

const sheetHeaders = [
  'Customer name',
  'Customer mobile no',
  'Order Id',
  'Payment method',
  'Address line 1',
  'Customer pincode',
  'Product name',
  'Product SKU Id',
  'Product quantity',
  'Product price',
  'Product tax rate',
  'Weight of the Package (in Kgs)',
] as const

// prettier-ignore
const sheetOrders: readonly (readonly string[])[] = [
  ['Asha Rao', '9812345678', 'SAMPLE-2001', 'Cash on Delivery', '12 MG Road, Indiranagar', '560038', 'Cotton romper', 'CR-02', '2', '499', '5', '0.5'],
  ['Asha Rao', '9812345678', 'SAMPLE-2001', 'Cash on Delivery', '12 MG Road, Indiranagar', '560038', 'Muslin swaddle', 'MS-11', '1', '499', '5', '0.5'],
  ['Vikram Singh', '9898989898', 'SAMPLE-2002', 'Prepaid', 'Flat 4B, Lake View', '700019', 'Brass lamp', 'BL-7', '1', '1250', '12', '1.2'],
]

/** The rows of a sample sheet, header first; where the form has a date, its orders are dated `now` (ms UTC). */
export function orderRows(form: OrderForm, now: number): readonly (readonly string[])[] {
  if (form === 'sheet') return [sheetHeaders, ...sheetOrders]
  const orders = apiOrders(istMinute(now))
  const names = Object.keys(orders[0]!)
  return [names, ...orders.map((order) => names.map((name) => String(order[name] ?? '')))]
}
