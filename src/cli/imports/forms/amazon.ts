// The form of Amazon's order report (Seller Central, Order Reports; tabs between the cells). Amounts are those of the
// whole line and not of one piece. The columns: docs/reference/data.md, Exports.
import { each, saysCod, sumOf, type ExportOrder, type Form } from './form.ts'

const amountsOf = ({ lines }: ExportOrder, headers: readonly string[]): string =>
  sumOf(lines.flatMap(({ cell }) => headers.map(cell)))

/** The words for payment. `Other` is Amazon's word for everything but cash on delivery. */
const paymentOf = ({ cell }: ExportOrder): string => {
  const method = cell('payment-method')
  return method.toLowerCase() === 'other' ? 'PREPAID' : method
}

export const amazon: Form = {
  name: 'amazon',
  title: 'an Amazon order report',
  signs: ['order-id', 'order-item-id', 'quantity-purchased', 'recipient-name', 'ship-postal-code'],
  id: 'order-id',
  order: {
    order_date: 'purchase-date',
    // The address of the buyer is Amazon's own and may be empty.
    billing_email: 'buyer-email',
    payment_method: { from: ['payment-method'], value: paymentOf },
    cod_collectible: {
      from: ['cod-collectible-amount'],
      value: (order) => (saysCod(paymentOf(order)) ? amountsOf(order, ['cod-collectible-amount']) : ''),
    },
    sub_total: { from: ['item-price'], value: (order) => amountsOf(order, ['item-price', 'shipping-price']) },
    shipping_charges: { from: ['shipping-price'], value: (order) => amountsOf(order, ['shipping-price']) },
  },
  addresses: [
    {
      key: 'ship-address-1',
      fields: {
        billing_customer_name: ['recipient-name', 'buyer-name'],
        billing_phone: ['ship-phone-number', 'buyer-phone-number'],
        billing_address: 'ship-address-1',
        address_line_2: {
          from: ['ship-address-2'],
          value: ({ cell }) =>
            ['ship-address-2', 'ship-address-3']
              .map(cell)
              .filter((part) => part !== '')
              .join(', '),
        },
        billing_city: 'ship-city',
        billing_pincode: 'ship-postal-code',
        billing_state: 'ship-state',
        billing_country: 'ship-country',
      },
    },
  ],
  item: {
    item_name: ['product-name', 'item-name'],
    item_sku: 'sku',
    item_units: 'quantity-purchased',
    item_selling_price: {
      from: ['item-price'],
      value: ({ cell }) => each(cell('item-price'), cell('quantity-purchased')),
    },
  },
  left: [
    { as: 'cancelled', header: 'is-buyer-requested-cancellation', words: ['true'], off: true },
    { as: 'fulfilled', header: 'quantity-to-ship', words: ['0'] },
  ],
}
