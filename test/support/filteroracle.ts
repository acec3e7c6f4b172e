// What each filter of both listings means, said of the JSON alone, and with it the answer to any question.
import type * as z from 'zod'
import type { Input } from '../../src/domain/contract.ts'
import type { Filter } from '../../src/domain/filters.ts'
import type { Page } from '../../src/domain/page.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { returnFilters, type Return } from '../../src/domain/parcels/returns.ts'
import { readState } from '../../src/domain/read/states.ts'
import { shipmentFilters, type Shipment } from '../../src/domain/parcels/shipments.ts'
import { keysOf } from '../../src/domain/keysof.ts'
import { returnBuckets, shipmentBuckets } from '../../src/domain/parcels/statuses.ts'
import type { EmbeddedService } from '../../src/engine/service.ts'
import { changed, type Json } from './mangledrecords.ts'

type Sent = Shipment['attributes']

type SentInput = Input<'listShipments'>

type BackInput = Input<'listReturns'>

type ValueOf<F extends Filter> = z.output<ReturnType<F['schema']>>

const among = (list: readonly unknown[], value: unknown): boolean => list.includes(value)

/** A zone as it counts: a letter alone is one of the five. */
const zoneSent = (zone: unknown): unknown =>
  typeof zone === 'string' && /^[A-E]$/.test(zone) ? `zone_${zone.toLowerCase()}` : zone

const instant = (text: string | null | undefined): number | undefined => (text ? Date.parse(text) : undefined)

const grams = (record: Shipment): number | undefined => {
  const value = record.attributes.applied_weight?.value
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : undefined
}

const reached = (
  milestones: Sent['shipment_milestones'] | undefined,
  name: string,
  keeps: (at: number) => boolean,
): boolean => {
  const times = (milestones ?? []).flatMap((m) => (m.milestone === name ? (instant(m.milestone_at) ?? []) : []))
  return times.length > 0 && keeps(Math.max(...times))
}

/** The date of a shipment that `date_field` names. */
function dated(record: Shipment, input: SentInput, keeps: (at: number) => boolean): boolean {
  const field = input.date_field ?? 'created_at'
  const { attributes } = record
  if (field === 'created_at') return keeps(instant(attributes.created_at)!)
  if (field !== 'order_date') return reached(attributes.shipment_milestones, field.replace(/_at$/, ''), keeps)
  const at = instant(attributes.order?.order_date)
  return at !== undefined && keeps(at)
}

// The detailed status of a record whose deployment has no attribute for it is its sub-status or status, where they say it.
function granular(attributes: Sent | Return['attributes'], known: readonly string[]): string | undefined {
  if (attributes.granular_status) return attributes.granular_status
  return [attributes['sub_status'], attributes.status].find(
    (value): value is string => typeof value === 'string' && known.includes(value),
  )
}

const sentGranular = (record: Shipment) => granular(record.attributes, keysOf(shipmentBuckets))

const backGranular = (record: Return) => granular(record.attributes, keysOf(returnBuckets))

/** The bucket of each detailed status of a return (docs/inside/decisions.md, Listings), written out once more. */
const backBucket: Readonly<Record<string, string>> = {
  return_requested: 'return_requested',
  return_pickup_scheduled: 'pickup_scheduled',
  return_not_picked: 'pickup_scheduled',
  return_in_transit: 'in_transit',
  return_ndr_raised: 'in_transit',
  return_need_attention: 'in_transit',
  return_delivered: 'return_received',
  return_cancelled: 'cancelled',
  return_rejected: 'cancelled',
  return_qc_failed: 'cancelled',
  return_lost: 'no bucket',
}

const firstMs = (text: string): number =>
  Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00.000+05:30` : text)

const lastMs = (text: string): number =>
  Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999+05:30` : text)

const folded = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('\0', ' ').toWellFormed()

const texts = new WeakMap<object, readonly string[]>()

let latest: { readonly search: string; readonly words: readonly string[] } = { search: '', words: [] }

/** Every word occurs in one of the fields, ignoring case. A NUL and what has no width count as white space. */
function found(
  record: Shipment | Return,
  search: string,
  fields: () => readonly (string | null | undefined)[],
): boolean {
  let text = texts.get(record)
  if (text === undefined) texts.set(record, (text = fields().flatMap((field) => (field ? [folded(field)] : []))))
  if (latest.search !== search)
    latest = { search, words: folded(search).split(/[\s\u180e\u200b-\u200d\u2060\ufeff]+/u) }
  return latest.words.every((word) => text.some((field) => field.includes(word)))
}

function sentFields({ id, attributes }: Shipment): readonly (string | null | undefined)[] {
  const { order, shipping_address: to, items } = attributes
  return [
    id,
    attributes.tracking_number,
    order?.id,
    order?.display_id,
    order?.external_id,
    to?.name,
    to?.phone,
    to?.city,
    to?.state,
    to?.zip,
    ...(items ?? []).flatMap((item) => [item.name, item.sku]),
  ]
}

function backFields({ id, attributes }: Return): readonly (string | null | undefined)[] {
  const { order, shipment, shipping_address: to, return_items: items } = attributes
  return [
    id,
    attributes.display_id,
    shipment?.tracking_number,
    order?.id,
    order?.display_id,
    order?.external_id,
    to?.name,
    to?.phone,
    to?.city,
    to?.state,
    to?.zip,
    ...(items ?? []).flatMap((item) => [item.name, item.sku]),
  ]
}

const spaced = (text: string | null | undefined): string =>
  folded(text ?? '')
    .split(/\s+/)
    .filter((part) => part !== '')
    .join(' ')

const placed = {
  city: (record: Shipment | Return, list: readonly string[]): boolean => {
    const city = spaced(record.attributes.shipping_address?.city)
    return city !== '' && list.some((one) => spaced(one) === city)
  },
  state: (record: Shipment | Return, list: readonly string[]): boolean => {
    const state = record.attributes.shipping_address?.state
    return among(list, state == null ? undefined : readState(state))
  },
  pincode: (record: Shipment | Return, list: readonly string[]): boolean =>
    among(list, record.attributes.shipping_address?.zip?.replaceAll(/[\s']/g, '')),
}

/** A filter without a row here does not compile. */
const sentOracle: {
  readonly [K in keyof typeof shipmentFilters]: (
    record: Shipment,
    value: ValueOf<(typeof shipmentFilters)[K]>,
    input: SentInput,
  ) => boolean
} = {
  search: (record, value) => found(record, value, () => sentFields(record)),
  status: (record, value) => record.attributes.status === value,
  statuses: (record, list) => among(list, record.attributes.status),
  granular_status: (record, list) => among(list, sentGranular(record)),
  carrier_id: (record, list) => among(list, record.attributes.carrier?.id),
  warehouse_ids: (record, list) => among(list, record.attributes.warehouse_id),
  channel: (record, list) => among(list, record.attributes.order?.channel),
  zone: (record, list) => among(list, zoneSent(record.attributes.zone)),
  is_cod: (record, value) => record.attributes.is_cod === value,
  sku: (record, list) => (record.attributes.items ?? []).some((item) => among(list, item.sku)),
  tags: (record, list) => (record.attributes.tags ?? []).some((tag) => among(list, tag)),
  ndr_reason: (record, list) => among(list, record.attributes.ndr_reason),
  rto_reason: (record, list) => among(list, record.attributes.rto_reason),
  applied_weight_min: (record, value) => (grams(record) ?? NaN) >= Math.round(value * 1000) / 1000,
  applied_weight_max: (record, value) => (grams(record) ?? NaN) <= Math.round(value * 1000) / 1000,
  attempts_count__gte: (record, value) => (record.attributes.attempt_count ?? NaN) >= value,
  attempts_count__lte: (record, value) => (record.attributes.attempt_count ?? NaN) <= value,
  store_name: (record, list) => among(list, record.attributes.order?.store_name),
  order_display_id: (record, list) => among(list, record.attributes.order?.display_id),
  tracking_number: (record, list) => among(list, record.attributes.tracking_number),
  ...placed,
  start_time: (record, value, input) => dated(record, input, (at) => at >= value * 1000),
  end_time: (record, value, input) => dated(record, input, (at) => at < (value + 1) * 1000),
}

const backStatus = (record: Return) => {
  const shown = record.attributes.status === 'delivered' ? 'return_received' : record.attributes.status
  return backBucket[backGranular(record) ?? ''] ?? shown
}

const backMilestones = (record: Return) => record.attributes.shipment?.shipment_milestones

const backOracle: {
  readonly [K in keyof typeof returnFilters]: (
    record: Return,
    value: ValueOf<(typeof returnFilters)[K]>,
    input: BackInput,
  ) => boolean
} = {
  search: (record, value) => found(record, value, () => backFields(record)),
  status: (record, value) => backStatus(record) === value,
  statuses: (record, list) => among(list, backStatus(record)),
  granular_status: (record, list) => among(list, backGranular(record)),
  warehouse_id: (record, list) => among(list, record.attributes.warehouse_id),
  channel: (record, list) => among(list, record.attributes.order?.channel),
  store_name: (record, list) => among(list, record.attributes.order?.store_name),
  carrier_ids: (record, list) => among(list, record.attributes.shipment?.carrier?.id),
  zone: (record, list) => among(list, zoneSent(record.attributes.zone)),
  refund_status: (record, list) => among(list, record.attributes.refund_status),
  qc_status: (record, list) => among(list, record.attributes.qc_status),
  display_id: (record, list) => among(list, record.attributes.display_id),
  tracking_number: (record, list) => among(list, record.attributes.shipment?.tracking_number),
  ...placed,
  sku: (record, list) => (record.attributes.return_items ?? []).some((item) => among(list, item.sku)),
  is_dangerous_goods: (record, value) => record.attributes.is_dangerous_goods === value,
  created_at__gte: (record, value) => instant(record.attributes.created_at)! >= firstMs(value),
  created_at__lte: (record, value) => instant(record.attributes.created_at)! <= lastMs(value),
  return_pickup_scheduled_at__gte: (record, value) =>
    reached(backMilestones(record), 'return_pickup_scheduled', (at) => at >= firstMs(value)),
  return_pickup_scheduled_at__lte: (record, value) =>
    reached(backMilestones(record), 'return_pickup_scheduled', (at) => at <= lastMs(value)),
  return_delivered_at__gte: (record, value) =>
    reached(backMilestones(record), 'return_delivered', (at) => at >= firstMs(value)),
  return_delivered_at__lte: (record, value) =>
    reached(backMilestones(record), 'return_delivered', (at) => at <= lastMs(value)),
}

/** A listing under test: what its filters mean, and how it is asked. */
export interface Listing {
  readonly kind: 'shipment' | 'return'
  readonly filters: Readonly<Record<string, Filter>>
  readonly keeps: (record: Shipment | Return, name: string, value: unknown, input: unknown) => boolean
  readonly sortValue: (record: Shipment | Return, sort: string) => number
  readonly fields: (record: Shipment | Return) => readonly (string | null | undefined)[]
  readonly page: (service: EmbeddedService, raw: Json) => Promise<Page>
  /** Those that the questions are asked of. */
  readonly records: readonly (Shipment | Return)[]
}

const byName = (table: object, name: string) =>
  (table as Readonly<Record<string, (...given: unknown[]) => boolean>>)[name]!

/** The listing of shipments, by the oracle. */
export const sent: Listing = {
  kind: 'shipment',
  filters: shipmentFilters,
  keeps: (record, name, value, input) => byName(sentOracle, name)(record, value, input),
  sortValue: (record) => instant(record.attributes.created_at)!,
  fields: (record) => sentFields(record as Shipment),
  page: (service, raw) => service.listShipments(parseInput('listShipments', raw)),
  records: changed.shipments,
}

/** The listing of returns. */
export const back: Listing = {
  kind: 'return',
  filters: returnFilters,
  keeps: (record, name, value, input) => byName(backOracle, name)(record, value, input),
  sortValue: (record, sort) => {
    const { created_at, request_date, total_price } = (record as Return).attributes
    if (sort === 'total_price') return Math.round((total_price ?? 0) * 100)
    return instant((sort === 'request_date' ? request_date : undefined) ?? created_at)!
  },
  fields: (record) => backFields(record as Return),
  page: (service, raw) => service.listReturns(parseInput('listReturns', raw)),
  records: changed.returns,
}

/** What a question means: which records, in which order. */
export interface Asked {
  readonly filters: Json
  readonly order: 'asc' | 'desc' | undefined
  readonly sort: string | undefined
  readonly date: string | undefined
}

/** Whether a value is no filter at all. */
export const none = (value: unknown): boolean =>
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'string' && value.replaceAll('\0', '').trim() === '')

const pairs = [
  ['start_time', 'end_time'],
  ['applied_weight_min', 'applied_weight_max'],
  ['attempts_count__gte', 'attempts_count__lte'],
] as const

/** Whether a question's range is the wrong way round, which is refused. */
export function reversed(filters: Json): boolean {
  const numbers = pairs.some(
    ([low, high]) => low in filters && high in filters && Number(filters[low]) > Number(filters[high]),
  )
  const dates = Object.keys(filters).some((low) => {
    const high = low.replace('__gte', '__lte')
    return low.endsWith('_at__gte') && high in filters && firstMs(String(filters[low])) > lastMs(String(filters[high]))
  })
  return numbers || dates
}

const forms = new WeakMap<object, { readonly json: string; readonly id: Buffer }>()

function formsOf(record: Shipment | Return) {
  let known = forms.get(record)
  if (known === undefined) forms.set(record, (known = { json: JSON.stringify(record), id: Buffer.from(record.id) }))
  return known
}

/** The JSON of all matches in order, as the decisions define them. */
export function expected(listing: Listing, { filters, order, sort, date }: Asked): readonly string[] {
  const used = Object.entries(filters).filter(([, value]) => !none(value))
  const input = { ...filters, date_field: date }
  const kept = listing.records.filter((record) =>
    used.every(([name, value]) => listing.keeps(record, name, value, input)),
  )
  const keyed = kept.map((record) => ({ ...formsOf(record), at: listing.sortValue(record, sort ?? 'created_at') }))
  const sign = order === 'asc' ? 1 : -1
  return keyed.toSorted((a, b) => sign * (a.at - b.at || Buffer.compare(a.id, b.id))).map(({ json }) => json)
}
