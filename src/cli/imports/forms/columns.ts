// The columns of an order sheet: the API's own names, and the headers of the sheets that aggregators in India hand out
// (docs/guides/sheets.md, Orders).
import type { OrderCreate } from '../../../domain/orders.ts'
import type { SheetColumn } from '../../files/headers.ts'
import { sizeHeaders } from '../../files/sidecolumns.ts'

/** A column: its headers in other programs. */
interface OrderColumn {
  readonly aliases?: readonly string[]
  readonly required?: true
  readonly weight?: SheetColumn['weight']
  readonly side?: true
  readonly size?: true
}

type Item = OrderCreate['order_items'][number]

/** A column of an item: `item_` and the API's name. */
export type ItemName = `item_${keyof Item & string}`

/** Columns that are only a part of an API field. */
type PartName = 'address_line_2' | 'landmark' | 'parcel_size'

/** The columns of an order, which each of its lines may have. `vendor_details` is an object and has no column. */
export type OrderName = Exclude<keyof OrderCreate & string, 'order_items' | 'vendor_details'> | PartName

// prettier-ignore
const ofOrder: Readonly<Record<OrderName, OrderColumn>> = {
  order_id:               { required: true, aliases: ['Order no', 'Order number', 'Reference no', 'Reference number'] },
  order_date:             { aliases: ['Date', 'Order date and time', 'Order created date'] },
  store_name:             { aliases: ['Store'] },
  billing_customer_name:  { required: true, aliases: ['Customer name', 'Customer first name', 'First name', 'Full name', 'Buyer name', 'Consignee name', 'Consignee'] },
  billing_last_name:      { aliases: ['Customer last name', 'Last name'] },
  billing_phone:          { required: true, aliases: ['Customer mobile no', 'Customer mobile', 'Customer mobile number', 'Customer phone', 'Customer phone no', 'Customer phone number', 'Customer contact', 'Mobile', 'Mobile no', 'Mobile number', 'Phone', 'Phone no', 'Phone number', 'Contact number', 'Consignee phone', 'Consignee mobile', 'Buyer mobile', 'Buyer phone'] },
  billing_email:          { aliases: ['Customer email', 'Customer email id', 'Email', 'Email id', 'Buyer email'] },
  billing_address:        { required: true, aliases: ['Address line 1', 'Address 1', 'Address', 'Customer address', 'Customer address line 1', 'Consignee address', 'Complete address', 'Full address', 'Delivery address'] },
  address_line_2:         { aliases: ['Address 2', 'Customer address line 2', 'Customer address 2'] },
  landmark:               { aliases: ['Customer landmark', 'Address landmark'] },
  billing_city:           { aliases: ['Customer city', 'City', 'Consignee city', 'Delivery city'] },
  billing_pincode:        { required: true, aliases: ['Customer pincode', 'Customer pin code', 'Pincode', 'Pin code', 'Pin', 'Zip', 'Zip code', 'Postal code', 'Delivery pincode', 'Consignee pincode'] },
  billing_state:          { aliases: ['Customer state', 'State', 'Consignee state', 'Delivery state'] },
  billing_country:        { aliases: ['Customer country', 'Country'] },
  shipping_is_billing:    {},
  shipping_customer_name: {},
  shipping_last_name:     {},
  shipping_address:       {},
  shipping_city:          {},
  shipping_pincode:       {},
  shipping_state:         {},
  shipping_country:       {},
  shipping_phone:         {},
  shipping_email:         {},
  payment_method:         { required: true, aliases: ['Payment mode', 'Payment type', 'Payment', 'Mode of payment', 'COD/Prepaid', 'Prepaid/COD'] },
  sub_total:              { aliases: ['Order total', 'Order value', 'Order amount', 'Total amount', 'Total order value', 'Invoice value', 'Total price'] },
  cod_collectible:        { aliases: ['COD amount', 'COD value', 'COD collectable', 'COD collectable amount', 'COD collectible amount', 'Collectable amount', 'Collectable value', 'Amount to collect', 'Amount to be collected'] },
  shipping_charges:       { aliases: ['Shipping charge'] },
  discount:               { aliases: ['Order discount', 'Total discount'] },
  tax:                    { aliases: ['Order tax', 'Total tax'] },
  length:                 { side: true, aliases: ['Length (cm)', 'Length (cms)', 'Length (in cm)', 'Length (in cms)', 'Package length', 'Package length (cm)', 'Package length (in cms)', 'Length of the package (in cms)', 'L (cm)'] },
  breadth:                { side: true, aliases: ['Breadth (cm)', 'Breadth (cms)', 'Breadth (in cm)', 'Breadth (in cms)', 'Package breadth', 'Package breadth (cm)', 'Package breadth (in cms)', 'Breadth of the package (in cms)', 'B (cm)', 'Width', 'Width (cm)', 'Width (cms)', 'Width (in cms)', 'Package width', 'Package width (cm)', 'Width of the package (in cms)'] },
  height:                 { side: true, aliases: ['Height (cm)', 'Height (cms)', 'Height (in cm)', 'Height (in cms)', 'Package height', 'Package height (cm)', 'Package height (in cms)', 'Height of the package (in cms)', 'H (cm)'] },
  // The header Size alone is that of a garment.
  parcel_size:            { size: true, aliases: sizeHeaders.filter((name) => name !== 'size' && name !== 'product_size') },
  weight:                 { weight: { usual: 'kg', api: 'weight' }, aliases: ['Wt', 'Weight of the package', 'Weight of shipment', 'Package weight', 'Dead weight'] },
  warehouse_id:           { aliases: ['Warehouse', 'Warehouse code', 'Pickup warehouse', 'Pickup warehouse id'] },
  rto_warehouse_id:       { aliases: ['RTO warehouse', 'Return warehouse'] },
  pickup_location:        {},
  carrier_id:             { aliases: ['Courier id'] },
  print_label:            {},
  is_dangerous_goods:     { aliases: ['Dangerous goods'] },
  channel_id:             {},
  tags:                   { aliases: ['Order tags'] },
}

// prettier-ignore
const ofItem: Readonly<Record<ItemName, OrderColumn>> = {
  item_name:          { aliases: ['Product name', 'Product', 'Product title', 'Item', 'Item title'] },
  item_sku:           { required: true, aliases: ['Product SKU Id', 'Product SKU', 'SKU', 'SKU Id', 'SKU code', 'Product SKU code', 'Master SKU'] },
  item_units:         { required: true, aliases: ['Product quantity', 'Product qty', 'Quantity', 'Qty', 'Units', 'Item quantity'] },
  item_selling_price: { required: true, aliases: ['Product price', 'Product selling price', 'Product unit price', 'Selling price', 'Unit price', 'Price', 'Item price'] },
  item_discount:      { aliases: ['Product discount'] },
  item_tax:           {},
  item_hsn:           { aliases: ['HSN', 'HSN code', 'Product HSN', 'Product HSN code'] },
}

const rowsOf = <N extends string>(
  columns: Readonly<Record<N, OrderColumn>>,
): readonly (OrderColumn & { readonly name: N })[] =>
  Object.entries<OrderColumn>(columns).map(([name, column]) => ({ ...column, name: name as N }))

/** The columns of an order: each of its lines may repeat them or leave them empty. */
export const orderColumns = rowsOf<OrderName>(ofOrder)

/** The columns of an item: one item a line. */
export const itemColumns = rowsOf<ItemName>(ofItem)

/** All columns, for opening a table. */
export const sheetColumns: readonly SheetColumn[] = [...orderColumns, ...itemColumns]

/** The API's name for the field of an item. */
export const itemField = (name: ItemName): keyof Item & string => name.slice('item_'.length) as keyof Item & string
