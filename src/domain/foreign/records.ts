// Records as another deployment sends them: filters read what they need from any shape, and the text stays as it was
// sent.
import type { Query } from '../contract.ts'
import { parseExact } from '../exactjson.ts'
import { scaled } from '../rates/measures.ts'
import { address } from './address.ts'
import { attributeOf, neededAttributes, listings } from '../parcels/listings.ts'
import type { Return } from '../parcels/returns.ts'
import {
  amount,
  count,
  isFields,
  list,
  mapped,
  part,
  text,
  textIn,
  time,
  truth,
  type Fields,
  type OnUnreadable,
  type Reader,
} from './values.ts'
import type { Shipment } from '../parcels/shipments.ts'
import type { Store } from '../stores.ts'
import { isoOf, readInstant } from '../time.ts'
import { readWeightUnit } from '../read/weight.ts'
import { readZone } from '../read/zone.ts'
import { lazily } from '../values.ts'

/** The two kinds of record that are listed. */
export type SentKind = 'shipments' | 'returns'

/** What a kind's records are. */
interface Records {
  readonly shipments: Shipment
  readonly returns: Return
}

/* ---- Records in our own shape ---- */

type Attributes<K extends SentKind> = Records[K]['attributes']
type Member<K extends SentKind, N extends keyof Attributes<K>> = NonNullable<Attributes<K>[N]>
type Element<L> = L extends readonly (infer E)[] ? E : never

/** A zone of ours, where a text names one: zones are letters elsewhere. */
export const zoneIn = (word: string): string => readZone(word) ?? word

const zone = mapped(text, zoneIn)

const carrier = part<Member<'shipments', 'carrier'>>({ id: text, name: text })

const order = part<Member<'shipments', 'order'>>({
  id: text,
  order_date: time,
  channel: text,
  display_id: text,
  external_id: text,
  store_name: text,
})

/** A weight as a record has it. */
type SentWeight = { readonly value?: number | null | undefined; readonly metric_unit?: string | null | undefined }

/** The grams of a weight, whose unit is g where it has none; undefined for units that are not g or kg. */
export function gramsIn({ value, metric_unit: said }: SentWeight): number | undefined {
  if (typeof value !== 'number' || said === 'g') return value ?? undefined
  const word = (said ?? '').trim().replace(/\.$/, '')
  const unit = word === '' ? 'g' : readWeightUnit(word)
  return unit === 'kg' ? scaled(value, 1000) : unit && value
}

/** A weight in grams; one in pounds is left out. */
const weight = mapped(part<Member<'shipments', 'applied_weight'>>({ value: amount, metric_unit: text }), (found) => {
  if (typeof found.value !== 'number') return found
  const grams = gramsIn(found)
  return grams === undefined ? undefined : { ...found, value: grams, metric_unit: 'g' }
})

/** A milestone without a name is left out. */
const milestones = list(
  mapped(part<Element<Member<'shipments', 'shipment_milestones'>>>({ milestone: text, milestone_at: time }), (found) =>
    typeof found.milestone === 'string' ? found : undefined,
  ),
)

const makers = {
  shipments: part<Attributes<'shipments'>>({
    tracking_number: text,
    status: text,
    sub_status: text,
    granular_status: text,
    created_at: time,
    warehouse_id: text,
    total_price: amount,
    cod_amount: amount,
    is_cod: truth,
    zone,
    applied_weight: weight,
    attempt_count: count,
    carrier,
    order,
    items: list(
      part<Element<Member<'shipments', 'items'>>>({ id: text, quantity: amount, price: amount, name: text, sku: text }),
    ),
    shipping_address: address,
    shipment_milestones: milestones,
    tracking_details: list(
      part<Element<Member<'shipments', 'tracking_details'>>>({
        id: text,
        status: text,
        last_location: text,
        event_date_time: time,
        description: text,
      }),
    ),
    tags: list(text),
    ndr_reason: text,
    rto_reason: text,
  }),
  returns: part<Attributes<'returns'>>({
    return_reason: text,
    request_date: time,
    display_id: text,
    qc_status: text,
    qc_required: truth,
    status: text,
    granular_status: text,
    warehouse_id: text,
    zone,
    is_dangerous_goods: truth,
    shipping_address: address,
    total_price: amount,
    is_exchange: truth,
    refund_status: text,
    created_at: time,
    return_items: list(
      part<Element<Member<'returns', 'return_items'>>>({
        id: text,
        quantity: amount,
        price: amount,
        name: text,
        sku: text,
        return_reason: text,
      }),
    ),
    weight,
    shipment: part<Member<'returns', 'shipment'>>({
      id: text,
      tracking_number: text,
      status: text,
      carrier,
      shipment_milestones: milestones,
    }),
    order: part<Member<'returns', 'order'>>({
      id: text,
      display_id: text,
      external_id: text,
      channel: text,
      store_name: text,
    }),
  }),
}

/** The attributes of a shipment that work lists show: scans, milestones and items take most of the time of reading. */
type ParcelAttributes = Pick<
  Attributes<'shipments'>,
  'tracking_number' | 'status' | 'sub_status' | 'granular_status' | 'carrier' | 'order' | 'shipping_address'
>

/** A shipment of which only those attributes were read. */
export interface ParcelRecord {
  readonly id: string
  readonly attributes: ParcelAttributes
}

const parcelMaker = part<ParcelAttributes>({
  tracking_number: text,
  status: text,
  sub_status: text,
  granular_status: text,
  carrier,
  order,
  shipping_address: address,
})

/** What a record has several of, and is found by. */
export interface RecordLists {
  readonly items?: readonly { readonly sku?: string | null | undefined }[] | null | undefined
  readonly return_items?: RecordLists['items']
  readonly tags?: readonly (string | null)[] | null | undefined
}

const skus = list(part<{ sku?: string | null | undefined }>({ sku: text }))
const listsMaker = part<RecordLists>({ items: skus, return_items: skus, tags: list(text) })

const storeMaker = part<Store>({
  id: text,
  store_name: text,
  brand_name: text,
  channel: text,
  status: text,
  logo_url: text,
  created_at: time,
  updated_at: time,
})

const ready: { -readonly [N in 'shipments' | 'returns' | 'parcel' | 'lists' | 'store']?: Reader<unknown> } = {}

const readers = {
  shipments: (): Reader<unknown> => (ready.shipments ??= makers.shipments('')),
  returns: (): Reader<unknown> => (ready.returns ??= makers.returns('')),
  parcel: (): Reader<unknown> => (ready.parcel ??= parcelMaker('')),
  lists: (): Reader<unknown> => (ready.lists ??= listsMaker('')),
  store: (): Reader<unknown> => (ready.store ??= storeMaker('')),
}

const ignored: OnUnreadable = () => undefined

/**
 * A record in our own shape, from any shape: a value that cannot be read is null and reported to `missed`, unknown
 * attributes stay. `id` and `created_at` are '' where the record does not say them. Throws as `JSON.parse`.
 */
export const readRecord = <K extends SentKind>(kind: K, sent: string, missed: OnUnreadable = ignored): Records[K] =>
  shaped(kind, parseExact(sent), missed)

/** What a work list shows of a shipment, read as `readRecord` reads it, in half the time. Throws as `JSON.parse`. */
export const readParcel = (sent: string): ParcelRecord => shaped('shipments', parseExact(sent), ignored, readers.parcel)

/** The lists of a record of either kind, read as `readRecord` reads them. Throws as `JSON.parse`. */
export const readLists = (sent: string): RecordLists =>
  shaped('shipments', parseExact(sent), ignored, readers.lists).attributes

function shaped<K extends SentKind>(
  kind: K,
  sent: unknown,
  missed: OnUnreadable,
  reader: () => Reader<unknown> = readers[kind],
): Records[K] {
  const fields: Fields = isFields(sent) ? sent : {}
  if (!isFields(fields['attributes'])) missed('attributes')
  const attributes: Fields = isFields(fields['attributes']) ? fields['attributes'] : {}
  reader()(attributes, missed)
  attributes['created_at'] ??= ''
  return { ...fields, id: idOf(fields['id'], missed), type: kind.slice(0, -1), attributes } as unknown as Records[K]
}

function idOf(value: unknown, missed: OnUnreadable): string {
  const id = textIn(value) ?? ''
  if (id === '') missed('id')
  return id
}

/** The id in a record's JSON text, '' where it has none. */
export function idIn(sent: string): string {
  const value = parseExact(sent)
  return isFields(value) ? idOf(value['id'], ignored) : ''
}

/** A store in our own shape, as `readRecord`. */
export function readStore(sent: string, missed: OnUnreadable = ignored): Store {
  const value = parseExact(sent)
  const store = (isFields(value) ? readers.store()(value, missed) : {}) as Partial<Store>
  return { ...store, id: store.id ?? '', store_name: store.store_name ?? '' }
}

/* ---- Records for the database ---- */

/** A record as it was sent, and as filters see it. */
export interface SentRecord {
  readonly id: string
  readonly text: string
  /** The record that columns are made from: attributes of another shape are read, or left out. */
  readonly record: Shipment | Return
  /** Whether it has an amount that cannot be read, and that sums therefore lack. */
  readonly unread: boolean
  /** ms UTC; undefined where the record has none, which then counts as created at 0. */
  readonly created_at: number | undefined
  /** The attributes it has of those that filters ask for, whatever their values. */
  readonly carried: readonly string[]
}

/** A record from its JSON text; undefined for one without an id, or whose attributes are text. */
export function readSent(kind: SentKind, sent: string, missed: OnUnreadable = ignored): SentRecord | undefined {
  const value = parseExact(sent)
  if (!isFields(value) || typeof value['attributes'] === 'string') return undefined
  const carried = carriedBy(kind, isFields(value['attributes']) ? value['attributes'] : {})
  const unread = new Set<string>()
  const record = shaped(kind, value, (name) => {
    unread.add(name)
    missed(name)
  })
  if (record.id === '') return undefined
  const created = readInstant(record.attributes.created_at)
  if (created === undefined) record.attributes.created_at = isoOf(0)
  const cash = kind === 'shipments' && (record as Shipment).attributes.is_cod === true && unread.has('cod_amount')
  return {
    id: record.id,
    text: sent,
    record,
    unread: cash || unread.has('total_price'),
    created_at: created,
    carried,
  }
}

/* ---- Which filters the records of a deployment can answer ---- */

const listingOf = { shipments: listings.listShipments, returns: listings.listReturns } as const

/** The attributes that each record is checked for; worked out once, since a pull reads millions of records. */
const asked = {
  shipments: lazily(() => neededAttributes(listingOf.shipments)),
  returns: lazily(() => neededAttributes(listingOf.returns)),
}

const carriedBy = (kind: SentKind, attributes: Fields): readonly string[] =>
  asked[kind]().filter((path) => {
    const [first, second] = path.split('.') as [string, string?]
    const value = attributes[first]
    return second === undefined ? first in attributes : isFields(value) && second in value
  })

/** The parameters of a question that records with only these attributes cannot answer. */
export function unanswerable(kind: SentKind, input: Query, carried: ReadonlySet<string>): readonly string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return []
    const attribute = attributeOf(listingOf[kind], name, value)
    return attribute === undefined || carried.has(attribute) ? [] : [name]
  })
}
