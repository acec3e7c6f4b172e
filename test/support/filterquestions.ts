// Questions with any filters: values from the records and from nowhere, every spelling that a client may use.
import fc from 'fast-check'
import { returnFilters, returnSorts, type Return } from '../../src/domain/parcels/returns.ts'
import { shipmentFilters, type Shipment } from '../../src/domain/parcels/shipments.ts'
import { keysOf } from '../../src/domain/keysof.ts'
import {
  failureReasons,
  qcStatuses,
  refundStatuses,
  returnBuckets,
  returnStatuses,
  shipmentBuckets,
  shipmentDates,
  shipmentStatuses,
} from '../../src/domain/parcels/statuses.ts'
import { pincodeKnown, stateNames } from '../../src/domain/pincodes.ts'
import { readState } from '../../src/domain/read/states.ts'
import { testNow } from './engine.ts'
import { awkward, type Json } from './mangledrecords.ts'
import { sent, back, type Listing, type Asked } from './filteroracle.ts'
import type { On } from './filteredservices.ts'

/** Values of a filter. */
type Values = fc.Arbitrary<unknown>

const junk = fc.oneof(fc.constantFrom(...awkward), fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme' }))

/** Values of an array filter: from the records mostly, else words of the vocabulary, else anything that it takes. */
function listOf(listing: Listing, valuesIn: (record: never) => readonly unknown[], words?: readonly string[]): Values {
  const fromData = fc.nat(1e6).map((at) => {
    for (let i = 0; i < 50; i++) {
      const values = valuesIn(listing.records[(at + i) % listing.records.length] as never)
      const value = values[at % Math.max(1, values.length)]
      if (typeof value === 'string' && value !== '' && (words === undefined || words.includes(value))) return value
    }
    return words?.[0] ?? 'none'
  })
  const others = words === undefined ? junk : fc.constantFrom(...words)
  return fc.array(fc.oneof({ arbitrary: fromData, weight: 4 }, others).map(sound), { maxLength: 5 })
}

const sentList = (valuesIn: (record: Shipment) => readonly unknown[], words?: readonly string[]) =>
  listOf(sent, valuesIn, words)

const backList = (valuesIn: (record: Return) => readonly unknown[], words?: readonly string[]) =>
  listOf(back, valuesIn, words)

/** The pincodes of a listing that exist: a filter takes no others. */
const pincodesOf = ({ records }: Listing): readonly string[] => [
  ...new Set(records.map((record) => record.attributes.shipping_address?.zip ?? '').filter(pincodeKnown)),
]

const zoneNames = ['zone_a', 'zone_b', 'zone_c', 'zone_d', 'zone_e'] as const

/** A time of the data, its neighbours, or any of the half year before now, ms. */
function timeOf(listing: Listing): fc.Arbitrary<number> {
  const fromData = fc.tuple(fc.nat(1e6), fc.constantFrom(-1000, -1, 0, 1, 999, 1000)).map(([at, off]) => {
    const text = JSON.stringify(listing.records[at % listing.records.length])
    const times = text.match(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g)!
    return Date.parse(times[at % times.length]!) + off
  })
  return fc.oneof(fromData, fc.integer({ min: testNow - 180 * 86_400_000, max: testNow }))
}

const seconds = timeOf(sent).map((ms) => Math.floor(ms / 1000))

const iso = fc.tuple(timeOf(back), fc.nat(3)).map(([ms, form]) => {
  const utc = new Date(ms).toISOString()
  if (form === 0) return utc.slice(0, 10)
  return form === 1 ? `${new Date(ms + 330 * 60_000).toISOString().slice(0, -1)}+05:30` : utc
})

const weights = fc.oneof(
  fc.nat(5000),
  fc.constantFrom(0, 0.3, 0.333, 499.999, 500, 500.0004, 1e6),
  fc.integer({ min: 0, max: 5000 * 8 }).map((n) => n / 8),
)

/** A text as a request may hold it: without control characters and halves of characters. */
const sound = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ').toWellFormed()

/** A word or three of a record, or of nobody, bent in every way that searches have. */
function searches(listing: Listing): fc.Arbitrary<string> {
  // prettier-ignore
  const operators = [
    'AND', 'OR', 'NOT', 'NEAR', 'NEAR(a b, 3)', '"', '""', "'", '*', 'a*', '^', ':', 'text:', '(', ')', '+', '-', '%', '_', '%%', '\\', '\\%',
    '{text}:a', ';', '--', '\0', 'a\0b', 'zzzqqq',
  ]
  const word = (texts: readonly string[]): fc.Arbitrary<string> =>
    fc
      .tuple(fc.nat(1e6), fc.nat(1e6), fc.oneof(fc.integer({ min: 1, max: 4 }), fc.nat(12)), fc.nat(5), fc.nat(19))
      .map(([which, from, length, change, other]) => {
        if (other === 0) return operators[which % operators.length]!
        const text = texts[which % texts.length] ?? ''
        // By characters mostly; by halves of characters sometimes.
        const marks = other === 1 ? text.split('') : [...text]
        const part = marks
          .slice(from % (marks.length + 1))
          .slice(0, length)
          .join('')
        return change === 0
          ? part.toUpperCase()
          : change === 1
            ? part.toLowerCase()
            : change === 2
              ? part.normalize('NFD')
              : part
      })
  const blank = fc.constantFrom('', ' ', '\t\n', '\u00a0', '\u200b\u2060')
  const gap = fc.constantFrom(' ', '  ', '\t', '\n', '\u00a0', '\u3000', '\u200b', '\ufeff', '\u200d')
  return fc
    .oneof(
      {
        weight: 40,
        arbitrary: fc.nat(1e6).chain((at) => {
          const record = listing.records[at % listing.records.length]
          const texts = record === undefined ? awkward : listing.fields(record).filter((text): text is string => !!text)
          return fc
            .tuple(fc.array(word(texts), { minLength: 1, maxLength: 3 }), gap)
            .map(([words, space]) => words.join(space).slice(0, 200))
        }),
      },
      { weight: 3, arbitrary: fc.string({ maxLength: 8, unit: 'binary' }) },
      { weight: 2, arbitrary: blank },
    )
    .map(sound)
}

const sentValues: { readonly [K in keyof typeof shipmentFilters]: Values } = {
  search: searches(sent),
  status: fc.constantFrom(...shipmentStatuses),
  statuses: sentList((r) => [r.attributes.status], shipmentStatuses),
  granular_status: sentList((r) => [r.attributes.granular_status, r.attributes['sub_status']], keysOf(shipmentBuckets)),
  carrier_id: sentList((r) => [r.attributes.carrier?.id]),
  warehouse_ids: sentList((r) => [r.attributes.warehouse_id]),
  channel: sentList((r) => [r.attributes.order?.channel]),
  zone: sentList((r) => [r.attributes.zone], zoneNames),
  is_cod: fc.boolean(),
  sku: sentList((r) => (r.attributes.items ?? []).map((item) => item.sku)),
  tags: sentList((r) => r.attributes.tags ?? []),
  ndr_reason: sentList((r) => [r.attributes.ndr_reason], failureReasons),
  rto_reason: sentList((r) => [r.attributes.rto_reason], failureReasons),
  applied_weight_min: weights,
  applied_weight_max: weights,
  attempts_count__gte: fc.nat(5),
  attempts_count__lte: fc.oneof(fc.nat(5), fc.constant(1_000_000)),
  store_name: sentList((r) => [r.attributes.order?.store_name]),
  order_display_id: sentList((r) => [r.attributes.order?.display_id]),
  tracking_number: sentList((r) => [r.attributes.tracking_number]),
  city: sentList((r) => [r.attributes.shipping_address?.city]),
  state: sentList((r) => [readState(r.attributes.shipping_address?.state ?? '')], stateNames()),
  pincode: sentList((r) => [r.attributes.shipping_address?.zip], pincodesOf(sent)),
  start_time: seconds,
  end_time: seconds,
}

const backValues: { readonly [K in keyof typeof returnFilters]: Values } = {
  search: searches(back),
  status: fc.constantFrom(...returnStatuses),
  statuses: backList((r) => [r.attributes.status], returnStatuses),
  granular_status: backList((r) => [r.attributes.granular_status], keysOf(returnBuckets)),
  warehouse_id: backList((r) => [r.attributes.warehouse_id]),
  channel: backList((r) => [r.attributes.order?.channel]),
  store_name: backList((r) => [r.attributes.order?.store_name]),
  carrier_ids: backList((r) => [r.attributes.shipment?.carrier?.id]),
  zone: backList((r) => [r.attributes.zone], zoneNames),
  refund_status: backList((r) => [r.attributes.refund_status], refundStatuses),
  qc_status: backList((r) => [r.attributes.qc_status], qcStatuses),
  display_id: backList((r) => [r.attributes.display_id]),
  tracking_number: backList((r) => [r.attributes.shipment?.tracking_number]),
  city: backList((r) => [r.attributes.shipping_address?.city]),
  state: backList((r) => [readState(r.attributes.shipping_address?.state ?? '')], stateNames()),
  pincode: backList((r) => [r.attributes.shipping_address?.zip], pincodesOf(back)),
  sku: backList((r) => (r.attributes.return_items ?? []).map((item) => item.sku)),
  is_dangerous_goods: fc.boolean(),
  created_at__gte: iso,
  created_at__lte: iso,
  return_pickup_scheduled_at__gte: iso,
  return_pickup_scheduled_at__lte: iso,
  return_delivered_at__gte: iso,
  return_delivered_at__lte: iso,
}

/** And how and where it is put. */
export interface Question extends Asked {
  readonly per_page: number
  readonly on: On
  readonly spelling: number
}

const valuesOf = { shipment: sentValues, return: backValues } as const

/** Questions that use these filters, in any order, page size and spelling. */
export function questions(listing: Listing, names: readonly string[]): fc.Arbitrary<Question> {
  const values = valuesOf[listing.kind] as Readonly<Record<string, Values>>
  return fc.record({
    filters: fc.record(Object.fromEntries(names.map((name) => [name, values[name]!]))),
    order: fc.constantFrom('asc', 'desc', undefined),
    sort: listing.kind === 'return' ? fc.constantFrom(...returnSorts, undefined) : fc.constant(undefined),
    date: listing.kind === 'shipment' ? fc.constantFrom(...shipmentDates, undefined) : fc.constant(undefined),
    per_page: fc.integer({ min: 1, max: 100 }),
    on: fc.constantFrom<On>('hints', 'no hints', 'PostgreSQL'),
    spelling: fc.nat(1e6),
  })
}

/** The question as one of the clients might write it. */
export function wireOf({ filters, order, sort, date, spelling }: Question): Json {
  const raw: Json = {}
  const zoneForms = (zone: string): string =>
    [zone, zone.at(-1)!, zone.at(-1)!.toUpperCase(), `z_${zone.at(-1)}`][spelling % 4]!
  for (const [name, value] of Object.entries(filters)) {
    const said = name === 'zone' && Array.isArray(value) ? value.map((zone) => zoneForms(String(zone))) : value
    if (Array.isArray(said))
      raw[spelling % 3 === 0 ? `${name}[]` : name] = said.length === 1 && spelling % 5 === 0 ? said[0] : said
    else raw[name] = typeof said === 'number' && spelling % 2 === 0 ? String(said) : said
  }
  if (order !== undefined) raw['sort_order'] = order
  if (sort !== undefined) raw['sort_by'] = sort
  if (date !== undefined) raw['date_field'] = date
  return raw
}
