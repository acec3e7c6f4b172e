// The one table of questions: which command asks what, and for which flags.
import { list } from '../command/flags.ts'
import { payment, pincode, size, typed, weight } from './fields.ts'
import { items, itemsTotal } from './items.ts'
import type { Question } from './missing.ts'
import { store, warehouse } from './picks.ts'

/** `shipx rates` */
export const rateQuestions: readonly Question[] = [
  pincode('from', 'Pickup pincode', ['origin-pincode']),
  pincode('to', 'Delivery pincode', ['destination-pincode']),
  weight(['dead-weight']),
  size(['length', 'width', 'height']),
  payment(['payment-method', 'shipment-value'], 'Value of the parcel in rupees'),
]

/** `shipx stores create` */
export const storeQuestions: readonly Question[] = [
  typed('name', 'Name of the store: letters, numbers and hyphens', { also: ['store-name'] }),
  typed('brand', 'Brand shown to customers (Enter for none)', { also: ['brand-name'], optional: true }),
]

/** `shipx orders create` */
export const orderQuestions: readonly Question[] = [
  typed('order-id', 'Your order id'),
  store,
  typed('billing-customer-name', "Customer's name"),
  typed('billing-phone', 'Mobile number of ten digits'),
  typed('billing-address', 'Street address'),
  pincode('billing-pincode', 'Delivery pincode', []),
  // Asked only where shipx does not know the place of the pincode.
  typed('billing-city', 'City'),
  typed('billing-state', 'State'),
  items,
  typed('sub-total', 'Value of the order in rupees', {
    suggestion: ({ flags }) => itemsTotal(list(flags, 'item') ?? []),
  }),
  payment(['payment-method', 'cod-collectible'], 'Rupees to collect on delivery'),
  weight([]),
  size(['length', 'breadth', 'height']),
  warehouse,
]
