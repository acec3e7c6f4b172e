// Whether an existing shipment is what an order asks for (docs/guides/sheets.md, Orders).
import { paiseOf } from './money.ts'
import { deliveryOf, streetOf, type OrderCreate } from './orders.ts'
import { readPhone } from './read/phone.ts'
import { readState } from './read/states.ts'
import type { Shipment } from './parcels/shipments.ts'

/** Text as it is compared: deployments change spaces and capitals of names and ids. */
const plain = (value: unknown): string => String(value).normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()

/** Text as people write it: any signs between words are one blank, and those at its ends do not count. */
const spoken = (value: unknown): string =>
  plain(value)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

const stateIn = (value: unknown): string => spoken(readState(String(value)) ?? value)

const paise = (value: unknown): number | undefined =>
  typeof value === 'number' || typeof value === 'string' ? paiseOf(value) : undefined

/** Items in a form that compares, whatever their order. */
const itemsAs = (items: readonly (readonly [sku: unknown, units: unknown, price: unknown])[]): string =>
  items
    .map(([sku, units, price]) => `${plain(sku)} ${Number(units)} ${String(paise(price))}`)
    .toSorted()
    .join('\n')

/**
 * The fields in which an order differs from its shipment; none when they are the same. Attributes that the shipment
 * lacks are not compared. A shipment has no weights, sides or order date to compare, and no street: that of `made`, the
 * order that it was made from, stands in.
 */
export function differences(
  input: OrderCreate,
  { attributes }: Shipment,
  made: OrderCreate | undefined,
): readonly string[] {
  const { total_price, is_cod, cod_amount, warehouse_id, shipping_address: address, items, order } = attributes
  const wanted = deliveryOf(input)
  const cod = input.payment_method === 'COD'
  const own = input.shipping_is_billing === false ? 'shipping' : 'billing'
  const compared: readonly (readonly [field: string, there: unknown, same: () => boolean])[] = [
    ['sub_total', total_price, () => paise(total_price) === paise(input.sub_total)],
    ['payment_method', is_cod, () => is_cod === cod],
    [
      'cod_collectible',
      cod && is_cod !== false ? cod_amount : null,
      () => paise(cod_amount) === paise(input.cod_collectible),
    ],
    ['warehouse_id', warehouse_id, () => plain(warehouse_id) === plain(input.warehouse_id)],
    [`${own}_customer_name`, address?.name, () => spoken(address?.name) === spoken(wanted.name)],
    [`${own}_phone`, address?.phone, () => (readPhone(String(address?.phone)) ?? address?.phone) === wanted.phone],
    [`${own}_address`, made, () => made === undefined || spoken(streetOf(made)) === spoken(streetOf(input))],
    [`${own}_city`, address?.city, () => spoken(address?.city) === spoken(wanted.city)],
    [`${own}_state`, address?.state, () => stateIn(address?.state) === stateIn(wanted.state)],
    [`${own}_pincode`, address?.zip, () => plain(address?.zip).replaceAll(' ', '') === wanted.zip],
    [
      'store_name',
      input.store_name === undefined ? null : order?.store_name,
      () => order?.store_name === input.store_name,
    ],
    [
      'order_items',
      items?.length === 0 ? null : items,
      () =>
        itemsAs((items ?? []).map((item) => [item.sku, item.quantity, item.price])) ===
        itemsAs(input.order_items.map((item) => [item.sku, item.units, item.selling_price])),
    ],
  ]
  return compared.filter(([, there, same]) => there != null && !same()).map(([field]) => field)
}
