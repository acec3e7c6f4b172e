// Turns an order of a sheet into a request: fills what the sheet leaves open, then lets the contract check it
// (docs/guides/sheets.md, Orders).
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { paiseOf, rupeesOf } from '../../../domain/money.ts'
import { orderRefusals, shippingFields, type OrderCreate } from '../../../domain/orders.ts'
import { parseInput } from '../../../domain/parse.ts'
import { pincodeKnown, placeOf } from '../../../domain/pincodes.ts'
import { readPincode } from '../../../domain/read/pincode.ts'
import type { Raw } from '../../args/input.ts'

/** Values of an order that its sheet does not contain. */
export interface OrderDefaults {
  /** Values for the API's fields that a sheet leaves open. */
  readonly defaults: Raw
  /** The id of a warehouse for its name in the profile. */
  readonly warehouse: (name: string) => string
}

/** Fills what the sheet leaves open: parts that belong together, the plan's values, the places of pincodes, sums. */
export function completeOrder({ defaults, warehouse }: OrderDefaults, raw: Raw, items: readonly Raw[]): void {
  const { address_line_2: more, landmark, ...rest } = raw
  for (const name of ['address_line_2', 'landmark']) delete raw[name]
  if (rest['billing_address'] !== undefined)
    raw['billing_address'] = [rest['billing_address'], more, landmark].filter((part) => part !== undefined).join(', ')
  for (const [field, value] of Object.entries(defaults)) raw[field] ??= value
  for (const field of ['warehouse_id', 'rto_warehouse_id'])
    if (raw[field] !== undefined) raw[field] = warehouse(String(raw[field]))
  const ofDelivery = [...shippingFields, 'shipping_last_name', 'shipping_email']
  if (ofDelivery.some((field) => raw[field] !== undefined)) raw['shipping_is_billing'] ??= false
  placeAddress(raw, 'billing')
  if (raw['shipping_is_billing'] === false) placeAddress(raw, 'shipping')
  for (const item of items) if (item['name'] === undefined && item['sku'] !== undefined) item['name'] = item['sku']
  raw['order_items'] = items
  const sum = valueOfItems(items, raw['discount'])
  if (sum !== undefined) raw['sub_total'] ??= sum
  if (raw['payment_method'] === 'COD' && raw['sub_total'] !== undefined) raw['cod_collectible'] ??= raw['sub_total']
}

/** Fills city, state and country of an address from its pincode. */
function placeAddress(raw: Raw, address: Address): void {
  placeOfPincode(raw, address)
  raw[`${address}_country`] ??= 'India'
}

type Address = 'billing' | 'shipping'

/** Fills city and state of an address from its pincode, where they are missing. */
export function placeOfPincode(raw: Raw, address: Address): void {
  const place = placeOf(readPincode(String(raw[`${address}_pincode`] ?? '')))
  if (place === undefined) return
  raw[`${address}_city`] ??= place.city
  raw[`${address}_state`] ??= place.state
}

/**
 * The value of an order in rupees by its items, less its discounts; undefined when an item has no price or number, and
 * when a discount could be for one piece or for all.
 */
export function valueOfItems(items: readonly Raw[], discount: unknown): number | undefined {
  let sum = 0
  for (const { units, selling_price: price, discount: off } of items) {
    const paise = paiseIn(price)
    if (paise === undefined || !/^\d{1,6}(?:\.0+)?$/.test(String(units))) return undefined
    const less = paiseIn(off ?? 0)
    if (less === undefined || (less > 0 && Number(units) > 1)) return undefined
    sum += paise * Number(units) - less
  }
  const less = paiseIn(discount ?? 0)
  return less === undefined || less > sum ? undefined : rupeesOf(sum - less)
}

const paiseIn = (value: unknown): number | undefined =>
  typeof value === 'string' || typeof value === 'number' ? paiseOf(value) : undefined

/** The fields with a pincode that our table lacks and a deployment may know, when the sheet names city and state. */
export const unknownPincodes = (raw: Raw): readonly string[] =>
  ['billing', 'shipping'].flatMap((address) => {
    const pincode = readPincode(String(raw[`${address}_pincode`] ?? ''))
    const placed = raw[`${address}_city`] !== undefined && raw[`${address}_state`] !== undefined
    return placed && /^[1-9]\d{5}$/.test(pincode) && !pincodeKnown(pincode) ? [`${address}_pincode`] : []
  })

/**
 * The order after the check of the contract and the business rules, or its faults. For the check, an existing pincode
 * replaces those that only a deployment may know.
 */
export function checkOrder(
  raw: Raw,
  unknown: readonly string[],
  now: number,
): { readonly value?: OrderCreate; readonly faults: readonly Fault[] } {
  const own = Object.fromEntries(unknown.map((field) => [field, readPincode(String(raw[field]))]))
  const asked =
    unknown.length === 0 ? raw : { ...raw, ...Object.fromEntries(unknown.map((field) => [field, '110001'])) }
  try {
    const value = parseInput('orchestrateForwardOrder', asked)
    const faults = orderRefusals(value, now)
    return faults.length > 0 ? { faults } : { value: { ...value, ...own }, faults }
  } catch (error) {
    if (error instanceof ShipxError && error.code === 'invalid_input') return { faults: error.details }
    throw error
  }
}
