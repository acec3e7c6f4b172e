// The form of the sheet that Shiprocket's bulk import takes. Its columns: docs/reference/data.md, Exports.
import { saysCod, sumOf, times, withUnit, type ExportLine, type ExportOrder, type Form } from './form.ts'

const payment = 'Payment Method(COD/Prepaid)'
const price = 'Selling Price(Per Unit Item, Inclusive of Tax)'
const charges = ['Shipping Charges(Per Order)', 'COD Charges(Per Order)', 'Gift Wrap Charges(Per Order)']

const ofPieces =
  (header: string) =>
  (line: ExportLine): string =>
    line.cell(header) === '' ? '' : times(line.cell(header), line.cell('Product Quantity'))

/** What the customer pays: the items and the charges, less the discounts and `less`. */
const totalOf = ({ cell, lines }: ExportOrder, less: readonly string[] = []): string =>
  sumOf(
    [...lines.map(ofPieces(price)), ...charges.map(cell)],
    [...lines.map(ofPieces('Discount(Per Unit Item)')), cell('Total Discount (Per Order)'), ...less],
  )

export const shiprocket: Form = {
  name: 'shiprocket',
  title: 'a Shiprocket sheet',
  signs: ['Order Id', payment, 'Shipping Address Postcode', 'Master SKU', 'Weight Of Shipment(kg)'],
  id: 'Order Id',
  order: {
    order_date: 'Order Date as dd-mm-yyyy hh:MM',
    billing_email: 'Email(Optional)',
    payment_method: payment,
    cod_collectible: {
      from: [payment],
      value: (order) => (saysCod(order.cell(payment)) ? totalOf(order, [order.cell('Paid Amount (Rs.)')]) : ''),
    },
    sub_total: { from: [price], value: (order) => totalOf(order) },
    shipping_charges: 'Shipping Charges(Per Order)',
    discount: 'Total Discount (Per Order)',
    length: 'Length (cm)',
    breadth: 'Breadth (cm)',
    height: 'Height (cm)',
    weight: {
      from: ['Weight Of Shipment(kg)'],
      value: ({ cell }) => withUnit(cell('Weight Of Shipment(kg)'), 'kg'),
    },
    tags: 'Order tag',
  },
  addresses: [
    {
      key: 'Shipping Address Line 1',
      fields: {
        billing_customer_name: 'Customer First Name',
        billing_last_name: 'Customer Last Name',
        billing_phone: ['Customer Mobile', 'Customer Alternate Mobile'],
        billing_address: 'Shipping Address Line 1',
        address_line_2: 'Shipping Address Line 2',
        billing_city: 'Shipping Address City',
        billing_pincode: 'Shipping Address Postcode',
        billing_state: 'Shipping Address State',
        billing_country: 'Shipping Address Country',
      },
    },
  ],
  item: {
    item_name: 'Product Name',
    item_sku: 'Master SKU',
    item_units: 'Product Quantity',
    item_selling_price: price,
    item_discount: 'Discount(Per Unit Item)',
    item_hsn: 'HSN Code',
  },
}
