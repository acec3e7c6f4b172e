// The label of a parcel: what it says, from the record, the order that it was made of, and the places of the merchant.
// What none of them says is null, and a label leaves it out.
import { amountIn, isFields, textIn, type Fields } from '../foreign/values.ts'
import { paiseOf } from '../money.ts'
import type { OrderCreate } from '../orders.ts'
import type { Shipment } from '../parcels/shipments.ts'
import { hasBarcode } from './code128.ts'
import { routingOf } from './routing.ts'

/** A name with an address and a phone. `street` holds no city. */
export interface Party {
  readonly name: string | null
  readonly street: string | null
  readonly landmark: string | null
  readonly city: string | null
  readonly state: string | null
  readonly pincode: string | null
  readonly phone: string | null
}

/** One line of what is in the parcel; amounts in paise. */
export interface LabelItem {
  readonly sku: string | null
  readonly name: string | null
  readonly units: number
  readonly price: number | null
  readonly tax: number | null
  readonly hsn: string | null
}

/** What a label says. Amounts are paise, weights grams, sides centimetres, times ms UTC. */
export interface Label {
  /** The id of the shipment. */
  readonly id: string
  readonly courier: string | null
  readonly service: string | null
  readonly awb: string
  readonly routing: string | null
  /** What the courier collects; 0 for a prepaid parcel. */
  readonly collect: number
  readonly value: number | null
  readonly order: string | null
  readonly to: Party
  readonly items: readonly LabelItem[]
  readonly weight: number | null
  /** Whether the weight is the charged one: its record has no other. */
  readonly charged: boolean
  readonly sides: readonly [length: number, breadth: number, height: number] | null
  readonly invoice: { readonly number: string; readonly date: string | null } | null
  readonly seller: { readonly name: string | null; readonly gstin: string | null }
  /** Where an undelivered parcel goes; where the courier picks it up, if that is another place. */
  readonly back: Party | null
  readonly from: Party | null
}

/** A warehouse as labels need it. */
export interface Godown {
  readonly pincode: string | null
  readonly name: string | null
  readonly address: string | null
  readonly phone: string | null
  readonly gstin: string | null
}

/** What labels are made of, besides the record. */
export interface LabelSources {
  /** The order as it was sent, where this database has it. */
  readonly order: OrderCreate | undefined
  readonly warehouse: (id: string) => Godown | undefined
  /** The brand of a store, by the store's name. */
  readonly brand: (store: string) => string | undefined
}

/** Why a parcel gets no label, and what to do; `cancelled` never gets one. */
export type NoLabel = 'cancelled' | 'no_awb' | 'awb_unfit' | 'no_address' | 'no_amount'

const textOrNull = (value: unknown): string | null => {
  const text = textIn(value)?.trim()
  return text === undefined || text === '' ? null : text
}

/** The first of some members that has a text. */
const firstOf = (fields: Fields, names: readonly string[]): string | null =>
  names.reduce<string | null>((found, name) => found ?? textOrNull(fields[name]), null)

const rupeesIn = (value: unknown): number | null => {
  const amount = amountIn(value)
  return amount === undefined ? null : (paiseOf(amount) ?? null)
}

const joined = (parts: readonly (string | null | undefined)[], between: string): string | null => {
  const there = parts.filter((part) => part != null && part.trim() !== '')
  return there.length === 0 ? null : there.join(between)
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** The members of an address in which deployments write the street and its second line. */
const streets = ['address', 'address1', 'address_1', 'address_line_1', 'address_line1', 'line1', 'street']
const seconds = ['address2', 'address_2', 'address_line_2', 'address_line2', 'line2']

/** An address of a record, with what other deployments add to it. */
function partyIn(value: unknown): Party {
  const fields = fieldsOf(value)
  return {
    name: textOrNull(fields['name']),
    street: joined([firstOf(fields, streets), firstOf(fields, seconds)], ', '),
    landmark: textOrNull(fields['landmark']),
    city: textOrNull(fields['city']),
    state: textOrNull(fields['state']),
    pincode: firstOf(fields, ['zip', 'pincode', 'pin_code']),
    phone: textOrNull(fields['phone']),
  }
}

const partyOfGodown = (godown: Godown | undefined): Party | null =>
  godown === undefined || (godown.name === null && godown.address === null)
    ? null
    : {
        name: godown.name,
        street: godown.address,
        landmark: null,
        city: null,
        state: null,
        pincode: godown.pincode,
        phone: godown.phone,
      }

/** The items of an order, with what the courier's label must say of each; else those of the record. */
function itemsOf(order: OrderCreate | undefined, { items }: Shipment['attributes']): readonly LabelItem[] {
  if (order !== undefined)
    return order.order_items.map((item) => ({
      sku: textOrNull(item.sku),
      name: textOrNull(item.name),
      units: item.units,
      price: rupeesIn(item.selling_price),
      tax: rupeesIn(item.tax),
      hsn: textOrNull(item.hsn),
    }))
  return (items ?? []).map((item) => ({
    sku: textOrNull(item.sku),
    name: textOrNull(item.name),
    units: item.quantity ?? 1,
    price: rupeesIn(item.price),
    tax: null,
    hsn: null,
  }))
}

/** Whether the shipment is cancelled, however its record says so. */
const isCancelled = ({ status, granular_status: granular }: Shipment['attributes']): boolean =>
  [status, granular].some((word) => /^cancell?ed$|^cancellation|^rejected$/i.test(word ?? ''))

/** What the courier collects, paise; undefined where a COD parcel does not say how much. */
export function collectOf({ is_cod: cod, cod_amount: amount }: Shipment['attributes']): number | undefined {
  const paise = rupeesIn(amount)
  if (cod === true) return paise === null || paise <= 0 ? undefined : paise
  // A record that does not say how it is paid, and has an amount, is one to collect.
  return cod === false ? 0 : (paise ?? 0)
}

/** The label of a shipment, from its record as it was read and as it was sent; or why there is none. */
export function labelOf(shipment: Shipment, sent: Fields, sources: LabelSources): Label | NoLabel {
  const { attributes: a, id } = shipment
  const raw = fieldsOf(sent['attributes'])
  if (isCancelled(a)) return 'cancelled'
  const awb = textOrNull(a.tracking_number)
  if (awb === null) return 'no_awb'
  if (!hasBarcode(awb)) return 'awb_unfit'
  const { order } = sources
  const to = { ...partyIn(raw['shipping_address']), ...streetOf(order) }
  if (to.pincode === null || (to.street === null && to.city === null)) return 'no_address'
  const collect = collectOf(a)
  if (collect === undefined) return 'no_amount'
  const vendor = fieldsOf(order?.vendor_details ?? fieldsOf(raw['order'])['vendor_details'])
  const pickup = textOrNull(a.warehouse_id)
  const godown = pickup === null ? undefined : sources.warehouse(pickup)
  const backId = textOrNull(fieldsOf(raw['order'])['rto_warehouse_id'] ?? order?.rto_warehouse_id)
  const from = partyOfGodown(godown) ?? vendorParty(vendor)
  const back = (backId === null ? null : partyOfGodown(sources.warehouse(backId))) ?? from
  const store = textOrNull(a.order?.store_name)
  const invoice = firstOf(vendor, ['invoice_number', 'invoice_no'])
  return {
    id,
    courier: textOrNull(a.carrier?.name) ?? textOrNull(a.carrier?.id),
    service: firstOf(fieldsOf(raw['carrier']), ['service', 'service_name', 'mode']),
    awb,
    routing: firstOf(raw, ['routing_code', 'sort_code']) ?? routingOf(a.zone ?? null, to.city, to.pincode),
    collect,
    value: rupeesIn(a.total_price),
    order: textOrNull(a.order?.display_id) ?? textOrNull(a.order?.external_id) ?? textOrNull(a.order?.id),
    to,
    items: itemsOf(order, a),
    weight: order === undefined ? (a.applied_weight?.value ?? null) : Math.round(order.weight * 1e6) / 1e3,
    charged: order === undefined,
    sides: order === undefined ? null : [order.length, order.breadth, order.height],
    invoice: invoice === null ? null : { number: invoice, date: textOrNull(vendor['invoice_date']) },
    seller: {
      name: (store === null ? undefined : sources.brand(store)) ?? store ?? from?.name ?? null,
      gstin: godown?.gstin ?? firstOf(vendor, ['gstin', 'gst_number']),
    },
    back,
    from: back === from ? null : from,
  }
}

/** The street of an order's delivery address: a record has only its city and pincode. */
function streetOf(order: OrderCreate | undefined): Partial<Party> {
  if (order === undefined) return {}
  return { street: textOrNull(order.shipping_is_billing === false ? order.shipping_address : order.billing_address) }
}

/** The vendor of an order as a place, where it has an address. */
function vendorParty(vendor: Fields): Party | null {
  const party = partyIn(vendor)
  return party.street === null ? null : party
}

/** The key by which a packer sorts labels: the SKUs of the parcel, in order. */
export const skuKey = ({ items }: Label): string =>
  items
    .map(({ sku, name }) => sku ?? name ?? '')
    .toSorted()
    .join(' ')
