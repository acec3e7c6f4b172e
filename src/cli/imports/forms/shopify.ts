// The form of Shopify's export of orders (Orders, Export, CSV). Its columns: docs/reference/data.md, Exports.
import { readPayment } from '../../../domain/read/payment.ts'
import { isZero, saysCod, stateWord, underway, type ExportOrder, type Form } from './form.ts'

/** Whether Shopify has all the money: `paid`, and no balance where the export has that column. */
function isPaid({ cell }: ExportOrder): boolean {
  const balance = cell('Outstanding Balance')
  return stateWord(cell('Financial Status')) === 'paid' && (balance === '' || isZero(balance))
}

/**
 * How an order is paid. A gateway that shipx does not know is prepaid only when Shopify has all the money: then nothing
 * is left to collect, whatever the gateway is called.
 */
function paymentOf(order: ExportOrder): string {
  const method = order.cell('Payment Method')
  return 'fault' in readPayment(method) && isPaid(order) ? 'PREPAID' : method
}

/** What the courier collects: what is still to pay. Cash on delivery that is paid already becomes 0, a fault. */
function balanceOf(order: ExportOrder): string {
  if (!saysCod(paymentOf(order))) return ''
  return order.cell('Outstanding Balance') || (isPaid(order) ? '0' : order.cell('Total'))
}

/** What is still to pay. Authorized money is there for the merchant to take. */
function outstandingOf({ cell }: ExportOrder): string {
  const balance = cell('Outstanding Balance')
  return isZero(balance) || stateWord(cell('Financial Status')) === 'authorized' ? '' : balance
}

export const shopify: Form = {
  name: 'shopify',
  title: 'a Shopify export',
  signs: ['Name', 'Financial Status', 'Fulfillment Status', 'Lineitem quantity', 'Lineitem name'],
  id: 'Name',
  order: {
    order_date: 'Created at',
    billing_email: 'Email',
    payment_method: { from: ['Payment Method'], value: paymentOf },
    cod_collectible: { from: ['Outstanding Balance', 'Total'], value: balanceOf },
    sub_total: 'Total',
    shipping_charges: 'Shipping',
    discount: 'Discount Amount',
    tax: 'Taxes',
    tags: 'Tags',
  },
  outstanding: { from: ['Outstanding Balance'], value: outstandingOf },
  addresses: [
    {
      key: 'Shipping Address1',
      fields: {
        billing_customer_name: 'Shipping Name',
        billing_phone: ['Shipping Phone', 'Billing Phone', 'Phone'],
        billing_address: 'Shipping Address1',
        address_line_2: 'Shipping Address2',
        billing_city: 'Shipping City',
        billing_pincode: 'Shipping Zip',
        billing_state: ['Shipping Province', 'Shipping Province Name'],
        billing_country: 'Shipping Country',
      },
    },
    {
      key: 'Billing Address1',
      fields: {
        billing_customer_name: 'Billing Name',
        billing_phone: ['Billing Phone', 'Phone'],
        billing_address: 'Billing Address1',
        address_line_2: 'Billing Address2',
        billing_city: 'Billing City',
        billing_pincode: 'Billing Zip',
        billing_state: ['Billing Province', 'Billing Province Name'],
        billing_country: 'Billing Country',
      },
    },
  ],
  item: {
    item_name: 'Lineitem name',
    // Shopify does not require a SKU.
    item_sku: ['Lineitem sku', 'Lineitem name'],
    item_units: 'Lineitem quantity',
    item_selling_price: 'Lineitem price',
  },
  unread: ['Notes'],
  left: [
    { as: 'cancelled', header: 'Cancelled at', off: true },
    { as: 'fulfilled', header: 'Fulfillment Status', words: ['fulfilled', ...underway] },
    { as: 'partly fulfilled', header: 'Fulfillment Status', words: ['partial', 'partially fulfilled'] },
    // Its goods went back to the stock: none of it is to be sent.
    { as: 'restocked', header: 'Fulfillment Status', words: ['restocked'], off: true },
    { as: 'on hold', header: 'Fulfillment Status', words: ['on hold'] },
    { as: 'scheduled', header: 'Fulfillment Status', words: ['scheduled'] },
    { as: 'refunded', header: 'Financial Status', words: ['refunded', 'voided'], off: true },
    { as: 'unpaid', header: 'Financial Status', words: ['expired'] },
  ],
  states: [
    {
      header: 'Fulfillment Status',
      ships: ['unfulfilled', 'open', 'pending'],
      ways: ['unfulfilled', 'fulfilled'],
    },
    {
      header: 'Financial Status',
      ships: ['pending', 'payment pending', 'authorized', 'paid', 'partially paid', 'partially refunded'],
      ways: ['paid', 'voided'],
    },
  ],
  refund: { header: 'Refunded Amount', total: 'Total', left: 'Outstanding Balance' },
  // A gift card or a download is in no parcel.
  leftLines: [{ as: 'digital', header: 'Lineitem requires shipping', words: ['false'] }],
}
