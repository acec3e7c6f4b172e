// The form of Unicommerce's export of sale orders, one line for each piece. It has no quantity. Its columns:
// docs/reference/data.md, Exports.
import { saysCod, sumOf, underway, withUnit, type ExportLine, type ExportOrder, type Form } from './form.ts'

/** `COD` is a yes or no, which programs write as 1 or true too. */
const paymentOf = ({ cell }: ExportOrder): string => {
  const cod = cell('COD').toLowerCase()
  if (['1', 'true', 'yes', 'y'].includes(cod)) return 'COD'
  return ['0', 'false', 'no', 'n'].includes(cod) ? 'PREPAID' : cell('COD')
}

const total = ({ lines }: ExportOrder): readonly string[] => lines.map(({ cell }: ExportLine) => cell('Total Price'))

const side = (header: string) => ({
  from: [header],
  value: ({ cell }: ExportOrder): string => withUnit(cell(header), 'mm'),
})

export const unicommerce: Form = {
  name: 'unicommerce',
  title: 'a Unicommerce export',
  signs: ['Sale Order Item Code', 'Display Order Code', 'Item SKU Code', 'Shipping Address Pincode'],
  id: 'Display Order Code',
  order: {
    order_date: 'Order Date as dd/mm/yyyy hh:MM:ss',
    billing_email: 'Notification Email',
    payment_method: { from: ['COD'], value: paymentOf },
    cod_collectible: {
      from: ['Total Price'],
      value: (order) =>
        saysCod(paymentOf(order))
          ? sumOf(
              total(order),
              order.lines.map(({ cell }) => cell('Prepaid Amount')),
            )
          : '',
    },
    sub_total: { from: ['Total Price'], value: (order) => sumOf(total(order)) },
    length: side('Length(mm)'),
    breadth: side('Width(mm)'),
    height: side('Height(mm)'),
  },
  addresses: [
    {
      key: 'Shipping Address Line 1',
      fields: {
        billing_customer_name: 'Shipping Address Name',
        billing_phone: ['Shipping Address Phone', 'Notification Mobile'],
        billing_address: 'Shipping Address Line 1',
        address_line_2: 'Shipping Address Line 2',
        billing_city: 'Shipping Address City',
        billing_pincode: 'Shipping Address Pincode',
        billing_state: 'Shipping Address State',
        billing_country: 'Shipping Address Country',
      },
    },
  ],
  item: {
    item_name: ['Item Type Name', 'SKU Name'],
    item_sku: 'Item SKU Code',
    item_units: { from: ['Sale Order Item Code'], value: () => '1' },
    item_selling_price: 'Selling Price',
    item_hsn: 'HSN Code',
  },
  left: [
    { as: 'cancelled', header: 'Sale Order Status', words: ['cancelled'], off: true },
    { as: 'fulfilled', header: 'Dispatch Date' },
    { as: 'fulfilled', header: 'Sale Order Status', words: ['complete', 'completed', ...underway] },
  ],
  leftLines: [{ as: 'cancelled', header: 'Sale Order Item Status', words: ['cancelled'], off: true }],
}
