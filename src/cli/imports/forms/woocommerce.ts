// The form of WooCommerce orders as the plugin Advanced Order Export writes them, one line for each product.
// WooCommerce itself exports no orders. The columns: docs/reference/data.md, Exports.
import { saysCod, underway, type ExportAddress, type Form } from './form.ts'

const address = (place: 'Shipping' | 'Billing'): ExportAddress => ({
  key: `Address 1&2 (${place})`,
  fields: {
    billing_customer_name: `First Name (${place})`,
    billing_last_name: `Last Name (${place})`,
    billing_phone: place === 'Shipping' ? ['Phone (Shipping)', 'Phone (Billing)'] : 'Phone (Billing)',
    billing_address: `Address 1&2 (${place})`,
    billing_city: `City (${place})`,
    billing_pincode: `Postcode (${place})`,
    billing_state: [`State Code (${place})`, `State Name (${place})`],
    billing_country: [`Country Code (${place})`, `Country Name (${place})`],
  },
})

/** The total less the refund, a column that the plugin writes when it is asked to. */
const afterRefund = 'Order Total Amount (- Refund)'
const totals: readonly string[] = [afterRefund, 'Order Total Amount']

export const woocommerce: Form = {
  name: 'woocommerce',
  title: 'a WooCommerce export',
  signs: ['Order Number', 'Order Status', 'Payment Method Title', 'Postcode (Billing)', 'Item Cost'],
  id: 'Order Number',
  order: {
    order_date: 'Order Date',
    billing_email: 'Email (Billing)',
    payment_method: 'Payment Method Title',
    cod_collectible: {
      from: totals,
      value: ({ cell }) =>
        saysCod(cell('Payment Method Title')) ? (totals.map(cell).find((text) => text !== '') ?? '') : '',
    },
    sub_total: totals,
    shipping_charges: 'Order Shipping Amount',
    discount: 'Cart Discount Amount',
    tax: 'Order Total Tax Amount',
  },
  addresses: [address('Shipping'), address('Billing')],
  item: {
    item_name: ['Item Name', 'Name'],
    item_sku: ['SKU', 'Item Name', 'Name'],
    item_units: ['Quantity (- Refund)', 'Quantity'],
    item_selling_price: 'Item Cost',
  },
  unread: ['Customer Note'],
  left: [
    { as: 'cancelled', header: 'Order Status', words: ['cancelled', 'canceled', 'trash'], off: true },
    { as: 'fulfilled', header: 'Order Status', words: ['completed', ...underway] },
    { as: 'returned', header: 'Order Status', words: ['rto', 'returned'] },
    { as: 'refunded', header: 'Order Status', words: ['refunded'], off: true },
    {
      as: 'unpaid',
      header: 'Order Status',
      words: ['pending payment', 'pending', 'failed', 'draft', 'checkout draft'],
    },
    // It waits for its payment, which cash on delivery never does.
    {
      as: 'unpaid',
      header: 'Order Status',
      words: ['on hold'],
      unless: ({ cell }) => saysCod(cell('Payment Method Title')),
    },
  ],
  refund: { header: 'Order Refund Amount', total: 'Order Total Amount', left: afterRefund },
  states: [{ header: 'Order Status', ships: ['processing', 'on hold'], ways: ['processing', 'completed'] }],
}
