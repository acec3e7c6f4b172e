// The view of each kind of record: its columns, its id and its CSV names.
import type { Return } from '../../domain/parcels/returns.ts'
import { readRecord, readStore } from '../../domain/foreign/records.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import type { Store } from '../../domain/stores.ts'
import { readInstant } from '../../domain/time.ts'
import { words as shortWords, wordPaths } from '../../domain/parcels/words.ts'
import { maskPhone, showAgo, showMoney, showTime, showWeight, words } from './display.ts'
import type { Column, Shown, View } from './columns.ts'
import type { Screen } from '../terminal/screen.ts'

type Maybe<T> = T | null | undefined

export const money = (value: Maybe<number>, screen: Screen): string =>
  typeof value === 'number' ? showMoney(value, screen) : '-'

const time = (value: Maybe<string>, screen: Screen): string => {
  const ms = readInstant(value ?? '')
  return ms === undefined ? '-' : showTime(ms, screen)
}

const ago = (value: Maybe<string>, screen: Screen): string => {
  const ms = readInstant(value ?? '')
  return ms === undefined ? '-' : showAgo(ms, screen)
}

const said = (value: Maybe<string>): string => (value == null || value.trim() === '' ? '-' : value)

const label = (value: Maybe<string>): string => (value == null || value === '' ? '-' : words(value))

/** Colours of statuses; the text is always there too. */
const tones: Readonly<Record<string, Exclude<Shown, string>['paint']>> = {
  delivered: 'green',
  return_received: 'green',
  passed: 'green',
  processed: 'green',
  connected: 'green',
  ndr_raised: 'yellow',
  rto_initiated: 'yellow',
  rto_in_transit: 'yellow',
  pending: 'dim',
  rto_delivered: 'red',
  cancelled: 'red',
  lost: 'red',
  others: 'red',
  failed: 'red',
  disconnected: 'red',
}

const status = (value: Maybe<string>): Shown => {
  const paint = value == null ? undefined : tones[value]
  return paint === undefined ? label(value) : { text: label(value), paint }
}

/** The time of a shipment's last event as ISO text; '' when there is none. */
function lastEvent({ attributes }: Shipment): string {
  const times = [
    ...(attributes.tracking_details ?? []).map((scan) => scan.event_date_time),
    ...(attributes.shipment_milestones ?? []).map((milestone) => milestone.milestone_at),
  ].filter((value): value is string => typeof value === 'string')
  return times.reduce(
    (latest, value) => (readInstant(value)! > (readInstant(latest) ?? -Infinity) ? value : latest),
    attributes.created_at,
  )
}

/** The number of pieces in a return; null when the record does not say. An item without a quantity is one piece. */
function piecesIn({ attributes: { return_items: items } }: Return): number | null {
  if (items == null || items.some(({ quantity }) => quantity === null)) return null
  return items.reduce((n, { quantity }) => n + (quantity ?? 1), 0)
}

const place = (address: Maybe<{ readonly city?: Maybe<string>; readonly zip?: Maybe<string> }>): string =>
  [address?.city, address?.zip].filter((part) => part != null && part !== '').join(' ')

const payment = (cod: Maybe<boolean>): string | null => (cod == null ? null : shortWords.payment.said[`${cod}`])

/** Between these widths of a screen, a table has no room for the pincode next to the city. */
const cityAlone = { from: 60, below: 120 }

const shortPlace = (address: Parameters<typeof place>[0], { width, wide }: Screen): string =>
  !wide && width >= cityAlone.from && width < cityAlone.below ? (address?.city ?? place(address)) : place(address)

// prettier-ignore
const shipmentColumns: readonly Column<Shipment>[] = [
  { key: 'awb',       header: 'awb',       rank: 1,  whole: true, main: true, raw: ({ attributes: a }) => a.tracking_number, show: ({ attributes: a }) => said(a.tracking_number) },
  { key: 'status',    header: 'status',    rank: 2,  main: true, kind: 'words', raw: ({ attributes: a }) => a.status, show: ({ attributes: a }) => status(a.status) },
  { key: 'detail',    header: 'detail',    rank: 11, wide: true, field: 'sub_status', kind: 'words', raw: ({ attributes: a }) => a.sub_status, show: ({ attributes: a }) => label(a.sub_status) },
  { key: 'courier',   header: 'courier',   rank: 5,  main: true, raw: ({ attributes: a }) => a.carrier?.name, show: ({ attributes: a }) => said(a.carrier?.name) },
  { key: 'order',     header: 'order',     rank: 3,  whole: true, main: true, raw: ({ attributes: a }) => a.order?.display_id, show: ({ attributes: a }) => said(a.order?.display_id) },
  { key: 'store',     header: 'store',     rank: 8,  whole: true, raw: ({ attributes: a }) => a.order?.store_name, show: ({ attributes: a }) => said(a.order?.store_name) },
  { key: 'customer',  header: 'customer',  rank: 12, wide: true, field: 'shipping_address.name', raw: ({ attributes: a }) => a.shipping_address?.name, show: ({ attributes: a }) => said(a.shipping_address?.name) },
  { key: 'phone',     header: 'phone',     rank: 13, wide: true, field: 'shipping_address.phone', raw: ({ attributes: a }) => a.shipping_address?.phone, show: ({ attributes: a }, screen) => maskPhone(said(a.shipping_address?.phone), screen) },
  { key: 'to',        header: 'to',        rank: 6,  main: true, drawn: true, raw: ({ attributes: a }) => place(a.shipping_address), show: ({ attributes: a }, screen) => said(shortPlace(a.shipping_address, screen)) },
  { key: 'city',      header: 'city',      rank: 19, asked: true, raw: ({ attributes: a }) => a.shipping_address?.city, show: ({ attributes: a }) => said(a.shipping_address?.city) },
  { key: 'state',     header: 'state',     rank: 20, asked: true, raw: ({ attributes: a }) => a.shipping_address?.state, show: ({ attributes: a }) => said(a.shipping_address?.state) },
  { key: 'pincode',   header: 'pincode',   rank: 21, asked: true, raw: ({ attributes: a }) => a.shipping_address?.zip, show: ({ attributes: a }) => said(a.shipping_address?.zip) },
  { key: 'zone',      header: 'zone',      rank: 10, wide: true, kind: 'words', raw: ({ attributes: a }) => a.zone, show: ({ attributes: a }) => label(a.zone) },
  { key: 'value',     header: 'value',     rank: 9,  wide: true, right: true, whole: true, field: 'total_price', kind: 'money', sheet: 'Value (₹)', raw: ({ attributes: a }) => a.total_price, show: ({ attributes: a }, screen) => money(a.total_price, screen) },
  { key: 'cod',       header: 'cod',       rank: 4,  right: true, whole: true, field: 'cod_amount', kind: 'money', sheet: 'COD (₹)', raw: ({ attributes: a }) => a.cod_amount, show: ({ attributes: a }, screen) => a.is_cod === true ? money(a.cod_amount, screen) : '-' },
  { key: 'payment',   header: 'payment',   rank: 22, asked: true, kind: 'words', raw: ({ attributes: a }) => payment(a.is_cod), show: ({ attributes: a }) => label(payment(a.is_cod)) },
  { key: 'weight',    header: 'weight',    rank: 15, wide: true, right: true, field: 'applied_weight.value', sheet: 'Weight (g)', raw: ({ attributes: a }) => a.applied_weight?.value, show: ({ attributes: a }) => typeof a.applied_weight?.value === 'number' ? showWeight(a.applied_weight.value) : '-' },
  { key: 'attempts',  header: 'tries',     rank: 14, wide: true, right: true, field: 'attempt_count', raw: ({ attributes: a }) => a.attempt_count, show: ({ attributes: a }) => String(a.attempt_count ?? '-') },
  { key: 'reason',    header: 'reason',    rank: 16, wide: true, kind: 'words', raw: ({ attributes: a }) => a.rto_reason ?? a.ndr_reason, show: ({ attributes: a }) => label(a.rto_reason ?? a.ndr_reason) },
  { key: 'warehouse', header: 'warehouse', rank: 17, wide: true, raw: ({ attributes: a }) => a.warehouse_id, show: ({ attributes: a }) => said(a.warehouse_id) },
  { key: 'created',   header: 'created',   rank: 18, wide: true, kind: 'time', raw: ({ attributes: a }) => a.created_at, show: ({ attributes: a }, screen) => time(a.created_at, screen) },
  { key: 'updated',   header: 'updated',   rank: 7,  right: true, kind: 'time', raw: lastEvent, show: (record, screen) => ago(lastEvent(record), screen) },
]

// prettier-ignore
const returnColumns: readonly Column<Return>[] = [
  { key: 'return',    header: 'return',    rank: 1,  whole: true, main: true, field: 'display_id', raw: ({ attributes: a }) => a.display_id, show: ({ attributes: a }) => said(a.display_id) },
  { key: 'status',    header: 'status',    rank: 2,  main: true, kind: 'words', raw: ({ attributes: a }) => a.status, show: ({ attributes: a }) => status(a.status) },
  { key: 'courier',   header: 'courier',   rank: 3,  main: true, raw: ({ attributes: a }) => a.shipment?.carrier?.name, show: ({ attributes: a }) => said(a.shipment?.carrier?.name) },
  { key: 'from',      header: 'from',      rank: 4,  main: true, drawn: true, raw: ({ attributes: a }) => place(a.shipping_address), show: ({ attributes: a }, screen) => said(shortPlace(a.shipping_address, screen)) },
  { key: 'qc',        header: 'qc',        rank: 8,  field: 'qc_status', kind: 'words', raw: ({ attributes: a }) => a.qc_status, show: ({ attributes: a }) => status(a.qc_status) },
  { key: 'refund',    header: 'refund',    rank: 5,  field: 'refund_status', kind: 'words', raw: ({ attributes: a }) => a.refund_status, show: ({ attributes: a }) => status(a.refund_status) },
  { key: 'reason',    header: 'reason',    rank: 9,  field: 'return_reason', kind: 'words', raw: ({ attributes: a }) => a.return_reason, show: ({ attributes: a }) => label(a.return_reason) },
  { key: 'items',     header: 'items',     rank: 11, right: true, type: 'count', raw: piecesIn, show: (record) => String(piecesIn(record) ?? '-') },
  { key: 'value',     header: 'value',     rank: 6,  right: true, whole: true, field: 'total_price', kind: 'money', sheet: 'Value (₹)', raw: ({ attributes: a }) => a.total_price, show: ({ attributes: a }, screen) => money(a.total_price, screen) },
  { key: 'awb',       header: 'awb',       rank: 10, whole: true, raw: ({ attributes: a }) => a.shipment?.tracking_number, show: ({ attributes: a }) => said(a.shipment?.tracking_number) },
  { key: 'order',     header: 'order',     rank: 12, whole: true, wide: true, raw: ({ attributes: a }) => a.order?.display_id, show: ({ attributes: a }) => said(a.order?.display_id) },
  { key: 'store',     header: 'store',     rank: 13, whole: true, wide: true, raw: ({ attributes: a }) => a.order?.store_name, show: ({ attributes: a }) => said(a.order?.store_name) },
  { key: 'customer',  header: 'customer',  rank: 20, asked: true, field: 'shipping_address.name', raw: ({ attributes: a }) => a.shipping_address?.name, show: ({ attributes: a }) => said(a.shipping_address?.name) },
  { key: 'phone',     header: 'phone',     rank: 21, asked: true, field: 'shipping_address.phone', raw: ({ attributes: a }) => a.shipping_address?.phone, show: ({ attributes: a }, screen) => maskPhone(said(a.shipping_address?.phone), screen) },
  { key: 'city',      header: 'city',      rank: 15, asked: true, raw: ({ attributes: a }) => a.shipping_address?.city, show: ({ attributes: a }) => said(a.shipping_address?.city) },
  { key: 'state',     header: 'state',     rank: 16, asked: true, raw: ({ attributes: a }) => a.shipping_address?.state, show: ({ attributes: a }) => said(a.shipping_address?.state) },
  { key: 'pincode',   header: 'pincode',   rank: 17, asked: true, raw: ({ attributes: a }) => a.shipping_address?.zip, show: ({ attributes: a }) => said(a.shipping_address?.zip) },
  { key: 'exchange',  header: 'exchange',  rank: 14, wide: true, field: 'is_exchange', raw: ({ attributes: a }) => a.is_exchange, show: ({ attributes: a }) => (a.is_exchange === true ? 'yes' : 'no') },
  { key: 'requested', header: 'requested', rank: 7,  right: true, kind: 'time', raw: ({ attributes: a }) => a.request_date, show: ({ attributes: a }, screen) => ago(a.request_date, screen) },
  { key: 'warehouse', header: 'warehouse', rank: 18, asked: true, raw: ({ attributes: a }) => a.warehouse_id, show: ({ attributes: a }) => said(a.warehouse_id) },
  { key: 'created',   header: 'created',   rank: 19, asked: true, kind: 'time', raw: ({ attributes: a }) => a.created_at, show: ({ attributes: a }, screen) => time(a.created_at, screen) },
]

// prettier-ignore
const storeColumns: readonly Column<Store>[] = [
  { key: 'store',   header: 'store',   rank: 1, whole: true, field: 'store_name', raw: (store) => store.store_name, show: (store) => said(store.store_name) },
  { key: 'brand',   header: 'brand',   rank: 2, field: 'brand_name', raw: (store) => store.brand_name, show: (store) => said(store.brand_name) },
  { key: 'status',  header: 'status',  rank: 3, kind: 'words', raw: (store) => store.status, show: (store) => status(store.status) },
  { key: 'channel', header: 'channel', rank: 6, raw: (store) => store.channel },
  { key: 'logo',    header: 'logo',    rank: 5, field: 'logo_url', raw: (store) => store.logo_url, show: (store) => (store.logo_url == null ? '-' : 'yes') },
  { key: 'created', header: 'created', rank: 7, field: 'created_at', kind: 'time', raw: (store) => store.created_at, show: (store, screen) => time(store.created_at, screen) },
  { key: 'id',      header: 'id',      rank: 4, whole: true, raw: (store) => store.id },
]

const shipmentNames = [
  'id',
  'type',
  'tracking_number',
  'status',
  'sub_status',
  'created_at',
  'warehouse_id',
  'total_price',
  'cod_amount',
  'is_cod',
  'zone',
  'applied_weight.value',
  'applied_weight.metric_unit',
  'attempt_count',
  'carrier.id',
  'carrier.name',
  'order.id',
  'order.order_date',
  'order.channel',
  'order.display_id',
  'order.external_id',
  'order.store_name',
  'items',
  'shipping_address.name',
  'shipping_address.phone',
  'shipping_address.city',
  'shipping_address.state',
  'shipping_address.zip',
  'shipment_milestones',
  'tracking_details',
  'granular_status',
  'tags',
  'ndr_reason',
  'rto_reason',
]

const shipmentTypes: NonNullable<View<Shipment>['types']> = {
  created_at: 'instant',
  total_price: 'money',
  cod_amount: 'money',
  is_cod: 'truth',
  'applied_weight.value': 'number',
  attempt_count: 'count',
  'order.order_date': 'instant',
}

const returnNames = [
  'id',
  'type',
  'return_reason',
  'request_date',
  'display_id',
  'qc_status',
  'qc_required',
  'status',
  'warehouse_id',
  'shipping_address.name',
  'shipping_address.phone',
  'shipping_address.city',
  'shipping_address.state',
  'shipping_address.zip',
  'total_price',
  'is_exchange',
  'refund_status',
  'created_at',
  'return_items',
  'weight.value',
  'weight.metric_unit',
  'shipment.id',
  'shipment.tracking_number',
  'shipment.status',
  'shipment.carrier.id',
  'shipment.carrier.name',
  'shipment.shipment_milestones',
  'order.id',
  'order.display_id',
  'order.channel',
  'order.store_name',
  'granular_status',
  'zone',
  'is_dangerous_goods',
]

const returnTypes: NonNullable<View<Return>['types']> = {
  request_date: 'instant',
  created_at: 'instant',
  qc_required: 'truth',
  is_exchange: 'truth',
  is_dangerous_goods: 'truth',
  total_price: 'money',
  'weight.value': 'number',
}

const storeNames = ['id', 'store_name', 'brand_name', 'channel', 'status', 'logo_url', 'created_at', 'updated_at']

/** The views of shipments, returns and stores. */
export const shipmentView: View<Shipment> = {
  columns: shipmentColumns,
  read: (text, missed) => readRecord('shipments', text, missed),
  id: (record) => record.id,
  names: shipmentNames,
  types: shipmentTypes,
  paths: wordPaths('shipment'),
  noun: ['shipment', 'shipments'],
}

export const returnView: View<Return> = {
  columns: returnColumns,
  read: (text, missed) => readRecord('returns', text, missed),
  id: (record) => record.id,
  names: returnNames,
  types: returnTypes,
  paths: wordPaths('return'),
  noun: ['return', 'returns'],
}

export const storeView: View<Store> = {
  columns: storeColumns,
  read: readStore,
  id: (store) => store.id,
  names: storeNames,
  types: { created_at: 'instant', updated_at: 'instant' },
  noun: ['store', 'stores'],
}

/** A view of plain objects with text columns, for small lists (warehouses, cards, counts). */
export function plainView<R extends Readonly<Record<string, unknown>>>(
  noun: View<R>['noun'],
  id: (record: R) => string,
  keys: readonly (keyof R & string)[],
): View<R> {
  return {
    noun,
    id,
    names: keys,
    columns: keys.map((key, i) => ({
      key,
      header: key.replaceAll('_', ' '),
      rank: i + 1,
      whole: true,
      raw: (record) => {
        const value = record[key]
        return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
          ? value
          : value == null
            ? null
            : JSON.stringify(value)
      },
    })),
  }
}
