// Whether the value of an order fits its items.
import { paiseOf, rupeesText } from './money.ts'
import type { OrderCreate } from './orders.ts'

/** Amounts that can explain a difference between the value of an order and its items. */
const explaining = (amounts: readonly (number | undefined)[]): boolean =>
  amounts.some((amount) => amount !== undefined && amount !== 0)

/** Why an order's sub_total and its items cannot both be right; undefined where a discount or tax may explain it. */
export function totalClash({
  order_items,
  sub_total,
  discount,
  tax,
  shipping_charges,
}: OrderCreate): string | undefined {
  if (explaining([discount, tax, shipping_charges, ...order_items.flatMap((item) => [item.discount, item.tax])]))
    return undefined
  const total = paiseOf(sub_total)
  const items = order_items.reduce((sum, { units, selling_price }) => sum + units * (paiseOf(selling_price) ?? NaN), 0)
  if (total === undefined || !Number.isSafeInteger(items) || items === total) return undefined
  return `the items add up to ₹${rupeesText(items)}, and the value of the order is ₹${rupeesText(total)}`
}
