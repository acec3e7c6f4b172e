// The columns that the database keeps of shipments and of returns, one row each: everything that filters, SQL, mirrors
// and messages need to know about a column.
import { returnBuckets, shipmentBuckets } from './statuses.ts'

/** One column of a listing's records. */
export interface Column {
  /**
   * The attribute of a record that holds the value, or a part of one (`order.channel`); null for what every record has.
   * Mirrors remember which of them they have met, so a path keeps its name.
   */
  readonly at: string | null
  /** Where in that attribute the value itself is, where it is deeper than `at`. */
  readonly value?: string
  /** Attributes of a status that may say the same, or more. */
  readonly detail?: readonly string[]
  /** Words of `detail`, and what each counts under; null is nothing. */
  readonly finer?: Readonly<Record<string, string | null>>
  /** Words that a record shows in place of the filter's own. */
  readonly shown?: Readonly<Record<string, string>>
  /** What people call it, in front of a filter's value. '' shows the value alone; a pair is what true and false say. */
  readonly noun: string | readonly [yes: string, no: string]
  /** Holds a time, ms UTC. */
  readonly date?: boolean
  /** Its values are a list of ours and not of the specification: another deployment may know more of them. */
  readonly closed?: boolean
  /** The specification has no filter on it: a deployment announces that it has one (`extra_filters`). */
  readonly added?: boolean
  /** The wide index of the records holds it. */
  readonly wide?: boolean
  /** It holds few values, each of many records: the wide index answers for it, and it has none of its own on SQLite. */
  readonly few?: boolean
  /** Its own index goes on with `created_at`, so that an equality is in date order. */
  readonly dated?: boolean
  /** A table of its own next to the records: one row for each value, or the text that search reads. */
  readonly table?: 'values' | 'search'
}

const detail = ['granular_status', 'sub_status'] as const

/** Where the customer is, in the form of `src/domain/read/places.ts`. */
const places = {
  city: { at: 'shipping_address.city', noun: 'city', added: true, dated: true },
  state: { at: 'shipping_address.state', noun: 'state', closed: true, added: true, wide: true, dated: true },
  pincode: { at: 'shipping_address.zip', noun: 'pincode', added: true, dated: true },
} as const satisfies Readonly<Record<string, Column>>

/** The names of a record's order. */
const orderNames = {
  order_id: { at: 'order.id', noun: 'order id' },
  order_external_id: { at: 'order.external_id', noun: "shop's order id" },
} as const satisfies Readonly<Record<string, Column>>

/** What sums and SQL views show next to what filters compare: the texts of an address as they came, and more. */
const shown = {
  city_name: { at: 'shipping_address.city', noun: 'city' },
  state_name: { at: 'shipping_address.state', noun: 'state' },
  zip: { at: 'shipping_address.zip', noun: 'pincode' },
  /** 1 where an amount is there and cannot be read: it counts as nothing. */
  unread_amount: { at: null, noun: 'unreadable amount' },
  /** 1 where the amounts in paise are all that the record says, 0 where it says more, null where it has none. */
  whole_paise: { at: null, noun: 'whole paise' },
  /** 1 where the record has an order, whatever is in it. */
  has_order: { at: null, noun: 'with an order' },
} as const satisfies Readonly<Record<string, Column>>

/** The columns of shipments. */
export const shipmentColumns = {
  created_at: { at: null, noun: 'created', date: true, wide: true },
  status: { at: 'status', noun: '', closed: true, wide: true, dated: true, detail, finer: shipmentBuckets },
  granular_status: {
    at: 'granular_status',
    noun: 'granular status',
    closed: true,
    wide: true,
    dated: true,
    detail: ['sub_status', 'status'],
  },
  carrier_id: { at: 'carrier', value: 'carrier.id', noun: 'courier', wide: true, few: true },
  warehouse_id: { at: 'warehouse_id', noun: 'warehouse', wide: true, few: true },
  channel: { at: 'order.channel', noun: 'channel', wide: true, few: true },
  zone: { at: 'zone', noun: 'zone', closed: true, wide: true, few: true },
  is_cod: { at: 'is_cod', noun: ['COD', 'prepaid'], wide: true, few: true },
  applied_weight: { at: 'applied_weight', noun: 'applied weight', wide: true, few: true },
  attempt_count: { at: 'attempt_count', noun: 'attempts', wide: true, few: true },
  ndr_reason: { at: 'ndr_reason', noun: 'ndr reason', closed: true, wide: true, dated: true },
  rto_reason: { at: 'rto_reason', noun: 'rto reason', closed: true, wide: true, dated: true },
  store_name: { at: 'order.store_name', noun: 'store', added: true, wide: true, dated: true },
  ...places,
  tracking_number: { at: 'tracking_number', noun: 'AWB', added: true },
  order_display_id: { at: 'order.display_id', noun: 'order', added: true },
  ...orderNames,
  total_price: { at: 'total_price', noun: 'total price' },
  cod_amount: { at: 'cod_amount', noun: 'COD amount' },
  carrier_name: { at: 'carrier', value: 'carrier.name', noun: 'courier' },
  ...shown,
  last_scan_at: { at: null, noun: 'last scan', date: true },
  order_date: { at: 'order.order_date', noun: 'order', date: true },
  ready_for_pickup_at: { at: 'shipment_milestones', noun: 'ready for pickup', date: true },
  picked_up_at: { at: 'shipment_milestones', noun: 'picked up', date: true },
  in_transit_at: { at: 'shipment_milestones', noun: 'in transit', date: true },
  out_for_delivery_at: { at: 'shipment_milestones', noun: 'out for delivery', date: true },
  delivered_at: { at: 'shipment_milestones', noun: 'delivered', date: true },
  rto_initiated_at: { at: 'shipment_milestones', noun: 'rto initiated', date: true },
  rto_delivered_at: { at: 'shipment_milestones', noun: 'rto delivered', date: true },
  shipment_skus: { at: 'items', noun: 'sku', table: 'values' },
  shipment_tags: { at: 'tags', noun: 'tags', table: 'values' },
  shipment_search: { at: null, noun: 'search', table: 'search' },
} as const satisfies Readonly<Record<string, Column>>

/** The columns of returns. */
export const returnColumns = {
  created_at: { at: null, noun: 'created', date: true, wide: true },
  request_date: { at: 'request_date', noun: 'requested', date: true, wide: true },
  total_price: { at: 'total_price', noun: 'total price', wide: true },
  status: {
    at: 'status',
    noun: '',
    closed: true,
    wide: true,
    dated: true,
    detail,
    finer: Object.fromEntries(Object.entries(returnBuckets).map(([name, { filter }]) => [name, filter])),
    // A received return (spec 2.5).
    shown: { delivered: 'return_received' },
  },
  granular_status: {
    at: 'granular_status',
    noun: 'granular status',
    closed: true,
    wide: true,
    dated: true,
    detail: ['sub_status', 'status'],
  },
  warehouse_id: { at: 'warehouse_id', noun: 'warehouse', wide: true, few: true },
  channel: { at: 'order.channel', noun: 'channel', wide: true, few: true },
  store_name: { at: 'order.store_name', noun: 'store', wide: true, dated: true },
  carrier_id: { at: 'shipment', value: 'shipment.carrier.id', noun: 'courier', wide: true, few: true },
  zone: { at: 'zone', noun: 'zone', closed: true, wide: true, few: true },
  refund_status: { at: 'refund_status', noun: 'refund status', closed: true, wide: true, few: true },
  qc_status: { at: 'qc_status', noun: 'qc status', closed: true, wide: true, few: true },
  display_id: { at: 'display_id', noun: 'return' },
  is_dangerous_goods: {
    at: 'is_dangerous_goods',
    noun: ['dangerous goods', 'without dangerous goods'],
    wide: true,
    dated: true,
  },
  shipment_id: { at: 'shipment', noun: 'shipment' },
  ...places,
  tracking_number: { at: 'shipment', value: 'shipment.tracking_number', noun: 'AWB', added: true },
  order_display_id: { at: 'order.display_id', noun: 'order' },
  ...orderNames,
  return_reason: { at: 'return_reason', noun: 'reason' },
  is_exchange: { at: 'is_exchange', noun: ['exchange', 'no exchange'] },
  ...shown,
  carrier_name: { at: 'shipment', value: 'shipment.carrier.name', noun: 'courier' },
  return_pickup_scheduled_at: { at: 'shipment', noun: 'return pickup scheduled', date: true },
  return_delivered_at: { at: 'shipment', noun: 'return delivered', date: true },
  return_skus: { at: 'return_items', noun: 'sku', table: 'values' },
  return_search: { at: null, noun: 'search', table: 'search' },
} as const satisfies Readonly<Record<string, Column>>

/** A column of a shipment or of a return that a filter may name. */
export type ShipmentColumn = keyof typeof shipmentColumns
export type ReturnColumn = keyof typeof returnColumns

/** The columns that a record's own row holds next to its id, its `created_at` and its text. */
export type RowColumn<C> = Exclude<
  { readonly [K in keyof C]: C[K] extends { readonly table: string } ? never : K }[keyof C],
  'created_at'
>

/** The tables that hold a row for each value of a record. */
export type ValueTable<C> = {
  readonly [K in keyof C]: C[K] extends { readonly table: 'values' } ? K : never
}[keyof C]
