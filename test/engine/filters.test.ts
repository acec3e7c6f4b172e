// Every filter of both listings keeps exactly the records that its sentence in the decisions says, in order, on any data.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type * as z from 'zod'
import type { Input } from '../../src/domain/contract.ts'
import type { Filter } from '../../src/domain/filters.ts'
import type { Page } from '../../src/domain/page.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { returnFilters, returnSorts, type Return } from '../../src/domain/parcels/returns.ts'
import { shipmentFilters, type Shipment } from '../../src/domain/parcels/shipments.ts'
import {
  failureReasons,
  namesOf,
  qcStatuses,
  refundStatuses,
  returnBuckets,
  returnStatuses,
  shipmentBuckets,
  shipmentDates,
  shipmentStatuses,
} from '../../src/domain/parcels/statuses.ts'
import type { Database, Dialect, Work } from '../../src/engine/database/port.ts'
import { checkRecord } from '../../src/engine/transfer/imports.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import { embeddedService, type EmbeddedService } from '../../src/engine/service.ts'
import { openEngine, openPostgresEngine, testNow, type TestEngine } from '../support/engine.ts'
import { runs } from '../support/size.ts'

/* ---- What each filter means, said of the JSON alone ---- */

type Sent = Shipment['attributes']
type SentInput = Input<'listShipments'>
type BackInput = Input<'listReturns'>
type ValueOf<F extends Filter> = z.output<ReturnType<F['schema']>>

const among = (list: readonly unknown[], value: unknown): boolean => list.includes(value)
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
const sentGranular = (record: Shipment) => granular(record.attributes, namesOf(shipmentBuckets))
const backGranular = (record: Return) => granular(record.attributes, namesOf(returnBuckets))

/** The bucket of each detailed status of a return (docs/decisions.md, Listings), written out once more. */
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
let asked: { readonly search: string; readonly words: readonly string[] } = { search: '', words: [] }

/** Every word occurs in one of the fields, ignoring case. A NUL and what has no width count as white space. */
function found(
  record: Shipment | Return,
  search: string,
  fields: () => readonly (string | null | undefined)[],
): boolean {
  let text = texts.get(record)
  if (text === undefined) texts.set(record, (text = fields().flatMap((field) => (field ? [folded(field)] : []))))
  if (asked.search !== search) asked = { search, words: folded(search).split(/[\s\u180e\u200b-\u200d\u2060\ufeff]+/u) }
  return asked.words.every((word) => text.some((field) => field.includes(word)))
}

function sentFields({ id, attributes }: Shipment): readonly (string | null | undefined)[] {
  const { order, shipping_address: to, items } = attributes
  return [
    id, attributes.tracking_number, order?.id, order?.display_id, order?.external_id,
    to?.name, to?.phone, to?.city, to?.state, to?.zip, ...(items ?? []).flatMap((item) => [item.name, item.sku]),
  ] // prettier-ignore
}

function backFields({ id, attributes }: Return): readonly (string | null | undefined)[] {
  const { order, shipment, shipping_address: to, return_items: items } = attributes
  return [
    id, attributes.display_id, shipment?.tracking_number, order?.id, order?.display_id, order?.external_id,
    to?.name, to?.phone, to?.city, to?.state, to?.zip, ...(items ?? []).flatMap((item) => [item.name, item.sku]),
  ] // prettier-ignore
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
  granular_status: (record, list) => among(list, sentGranular(record)),
  carrier_id: (record, list) => among(list, record.attributes.carrier?.id),
  warehouse_ids: (record, list) => among(list, record.attributes.warehouse_id),
  channel: (record, list) => among(list, record.attributes.order?.channel),
  zone: (record, list) => among(list, record.attributes.zone),
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
  start_time: (record, value, input) => dated(record, input, (at) => at >= value * 1000),
  end_time: (record, value, input) => dated(record, input, (at) => at < (value + 1) * 1000),
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
  status: (record, value) => {
    const shown = record.attributes.status === 'delivered' ? 'return_received' : record.attributes.status
    return (backBucket[backGranular(record) ?? ''] ?? shown) === value
  },
  granular_status: (record, list) => among(list, backGranular(record)),
  warehouse_id: (record, list) => among(list, record.attributes.warehouse_id),
  channel: (record, list) => among(list, record.attributes.order?.channel),
  store_name: (record, list) => among(list, record.attributes.order?.store_name),
  carrier_ids: (record, list) => among(list, record.attributes.shipment?.carrier?.id),
  zone: (record, list) => among(list, record.attributes.zone),
  refund_status: (record, list) => among(list, record.attributes.refund_status),
  qc_status: (record, list) => among(list, record.attributes.qc_status),
  display_id: (record, list) => among(list, record.attributes.display_id),
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

/* ---- Data: a merchant's, and what other deployments might send ---- */

// prettier-ignore
const awkward = [
  'कपड़े की दुकान', 'தமிழ்நாடு துணி', '👗 कुर्ता 🧵', '👨‍👩‍👧', `O'Brien "Q" AND`, '100% cotton', 'a_b%c', 'back\\slash', 'nul\0byte',
  'NEAR(x y)', 'İstanbul', 'ΟΔΟΣ', 'e\u0301clair', 'É', 'ﬁx', 'tab\there', 'nb\u00a0sp', '* - ^ : ( )', 'text:foo*', '-- ; drop table',
  'x\u200dy', "''", '""', '%', '_', '\\', '\\%', 'STRASSE ß', 'K', '0', 'null', 'undefined', '__proto__', '𝒳𝒴𝒵', '\uffee', 'a'.repeat(150),
]
const ties = [
  '2025-10-01T00:00:00.000Z',
  '2025-10-01T05:30:00+05:30',
  '2025-09-30T18:30:00Z',
  '2025-11-11T11:11:11.111Z',
]

/** A small source of chance that gives the same data in every run. */
function chanceOf(seed: number) {
  let state = seed
  const unit = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number): number => Math.floor(unit() * n)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  return { unit, below, pick }
}

type Json = Record<string, unknown>

/** The places of a record where people write text. */
function namesIn(attributes: Json): readonly (readonly [Json, string])[] {
  const part = (key: string): Json => (attributes[key] ?? {}) as Json
  const items = [attributes['items'], attributes['return_items']].flatMap((list) => (list ?? []) as Json[])
  return [
    ...['name', 'phone', 'city', 'state', 'zip'].map((key) => [part('shipping_address'), key] as const),
    ...['id', 'display_id', 'external_id', 'store_name', 'channel'].map((key) => [part('order'), key] as const),
    ...items.flatMap((item) => [[item, 'name'] as const, [item, 'sku'] as const]),
    [part('carrier'), 'id'],
    [attributes, 'warehouse_id'],
    [attributes, 'display_id'],
    [attributes, 'tracking_number'],
  ]
}

/** A record as some other deployment, or some mishap, would have it; valid, as everything that is imported is. */
function mangled<R extends Shipment | Return>(
  kind: 'shipments' | 'returns',
  record: R,
  index: number,
  seed: number,
  sameId = false,
): R {
  const { unit, below, pick } = chanceOf(seed + index)
  const copy = JSON.parse(JSON.stringify(record)) as Json & { attributes: Json }
  const { attributes } = copy
  const changes: readonly (() => void)[] = [
    () => void (attributes[pick(Object.keys(attributes).filter((key) => key !== 'created_at'))] = null),
    () => void delete attributes[pick(Object.keys(attributes).filter((key) => key !== 'created_at'))],
    () => {
      const part = attributes[pick(['order', 'shipping_address', 'carrier', 'shipment', 'applied_weight'])] as Json | null
      if (part != null) part[pick(Object.keys(part))] = null
    },
    () => {
      const [place, key] = pick(namesIn(attributes))
      place[key] = unit() < 0.5 ? pick(awkward) : `${String(place[key])} ${pick(awkward)}`
    },
    () => {
      const [place, key] = pick(namesIn(attributes))
      place[key] = ''
    },
    // A deployment that follows the specification and nothing more.
    () => {
      const detailed = attributes['granular_status']
      for (const key of ['granular_status', 'tags', 'ndr_reason', 'rto_reason', 'zone', 'is_dangerous_goods'])
        if (key !== 'zone' || kind === 'returns') delete attributes[key]
      attributes['sub_status'] = pick([detailed, attributes['status'], null, 'in_the_clouds'])
    },
    () => void (attributes['status'] = pick(['in_the_clouds', 'delivered', 'lost', 'pickup_scheduled', 'ready_for_pickup'])),
    () => void (attributes['granular_status'] = pick(['', '', 'in_the_clouds', 'delivered', 'return_delivered', 'return_lost'])),
    () => void Object.assign(attributes, { mystery: { deep: [1, null, 'x'] }, extra: pick(awkward) }),
    () => void (attributes['created_at'] = pick(ties)),
    () => void (attributes['request_date'] = pick([...ties, null])),
    () => void (attributes['total_price'] = pick([0, -5, 12.34, 12.34, 99_99_999.99, null])),
    () => void (attributes['applied_weight'] = { value: pick([0, 0.1 + 0.2, 1 / 3, 499.9996, 500, -1, 1e300, null]), metric_unit: 'g' }),
    () => void (attributes['attempt_count'] = pick([0, 1, 7, -1, 900_000])),
    () => void (attributes['zone'] = pick(['zone_a', 'zone_z', 'C', ''])),
    () => void (attributes['refund_status'] = pick(['processed', 'half', ''])),
    () => void (attributes['qc_status'] = pick(['passed', 'unsure', ''])),
    () => void (attributes['tags'] = pick([[], ['gift', 'gift'], ['', 'sale'], awkward.slice(0, 5), null])),
    () => {
      const list = (attributes['items'] ?? attributes['return_items'] ?? []) as Json[]
      const again = pick([[], null, [...list, ...list], [{}], [{ sku: null, name: pick(awkward) }]])
      attributes[kind === 'shipments' ? 'items' : 'return_items'] = again
    },
    () => {
      const holder = kind === 'shipments' ? attributes : ((attributes['shipment'] ?? {}) as Json)
      const list = (holder['shipment_milestones'] ?? []) as Json[]
      const odd = { milestone: pick(['delivered', 'return_delivered', 'on_the_moon']), milestone_at: pick([...ties, null]) }
      holder['shipment_milestones'] = pick([null, [], [...list, odd], list.map((m) => ({ ...m, milestone_at: null })), [...list, ...list]])
    },
    () => void (sameId || (copy['id'] = `${pick(awkward)}${pick(awkward)}${index}`.slice(-200).replaceAll('\0', '').toWellFormed())),
  ] // prettier-ignore
  for (let n = 1 + below(5); n > 0; n--) pick(changes)()
  const checked = checkRecord(kind, copy)
  if ('fault' in checked) throw new Error(`${checked.fault}: ${JSON.stringify(copy)}`)
  return checked.record as R
}

const plan: SeedPlan = { shipments: 1500, returns: 600, stores: 8, days: 60, seed: 7, now: testNow }

/** Seeded records, about every third one mangled. */
function dataOf<R extends Shipment | Return>(kind: 'shipments' | 'returns', seeded: Iterable<R>, seed: number): R[] {
  return [...seeded].map((record, i) => ((i * 7 + seed) % 3 === 0 ? mangled(kind, record, i, seed) : record))
}

/* ---- Both listings under test ---- */

interface Listing {
  readonly kind: 'shipment' | 'return'
  readonly filters: Readonly<Record<string, Filter>>
  readonly keeps: (record: Shipment | Return, name: string, value: unknown, input: unknown) => boolean
  readonly sortValue: (record: Shipment | Return, sort: string) => number
  readonly fields: (record: Shipment | Return) => readonly (string | null | undefined)[]
  readonly page: (service: EmbeddedService, raw: Json) => Promise<Page>
  records: readonly (Shipment | Return)[]
}

const byName = (table: object, name: string) =>
  (table as Readonly<Record<string, (...given: unknown[]) => boolean>>)[name]!

const sent: Listing = {
  kind: 'shipment',
  filters: shipmentFilters,
  keeps: (record, name, value, input) => byName(sentOracle, name)(record, value, input),
  sortValue: (record) => instant(record.attributes.created_at)!,
  fields: (record) => sentFields(record as Shipment),
  page: (service, raw) => service.listShipments(parseInput('listShipments', raw)),
  records: [],
}

const back: Listing = {
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
  records: [],
}

let engine: TestEngine
/** Where a question is asked: SQLite, SQLite as a database that plans for itself, and PostgreSQL, with equal records. */
type On = 'hints' | 'no hints' | 'PostgreSQL'
let services: Readonly<Record<On, EmbeddedService>>
let server: TestEngine
/** The statements that SQLite was asked without hints. */
const unhinted: string[] = []

function* overheard<T>(work: Work<T>): Work<T> {
  let step = work.next()
  while (step.done !== true) {
    unhinted.push(step.value.sql)
    step = work.next(yield step.value)
  }
  return step.value
}

beforeAll(async () => {
  engine = await openEngine()
  const { database, account, host } = engine
  // Checked by its type, so that a member of another name does not leave the planning where it is.
  const dialect: Dialect = { ...database.dialect, planning: undefined }
  const read: Database['read'] = (work, kind) => database.read(() => overheard(work()), kind)
  server = await openPostgresEngine()
  services = {
    hints: engine.service,
    'no hints': embeddedService({ ...database, dialect, read }, account, host),
    PostgreSQL: server.service,
  }
  const shipments = dataOf('shipments', seedShipments(plan), 0)
  const returns = dataOf('returns', seedReturns(plan), 1)
  const changed = {
    shipments: shipments.map((record, i) => (i % 4 === 0 ? mangled('shipments', record, i, 11, true) : record)),
    returns: returns.map((record, i) => (i % 4 === 0 ? mangled('returns', record, i, 11, true) : record)),
  }
  for (const one of [engine, server]) {
    const [before, after] = [await one.as('before'), await one.as('after')]
    // Neighbours hold the same records with other content, and others besides, saved before, between and after.
    const other = { ...plan, seed: 8, shipments: 200, returns: 100 }
    await before.save('shipment', seedShipments(other))
    await one.save('shipment', shipments)
    await one.save('return', returns)
    await after.save('return', seedReturns(other))
    for (const neighbour of [before, after]) {
      await neighbour.save(
        'shipment',
        shipments.slice(0, 300).map((record, i) => mangled('shipments', record, i, 9, true)),
      )
      await neighbour.save(
        'return',
        returns.slice(0, 150).map((record, i) => mangled('returns', record, i, 9, true)),
      )
    }
    // A quarter of the records are then replaced by changed ones.
    await one.save('shipment', changed.shipments)
    await one.save('return', changed.returns)
  }
  sent.records = changed.shipments
  back.records = changed.returns
})

test('SQLite as a database that plans for itself is given no hint, and SQLite itself is', async () => {
  const asked = (on: On): Promise<Page> =>
    services[on].listShipments(parseInput('listShipments', { status: 'delivered', zone: ['a', 'b'] }))
  unhinted.length = 0
  const [hinted, plain] = [await asked('hints'), await asked('no hints')]
  expect(plain).toEqual(hinted)
  expect(unhinted).toEqual(expect.arrayContaining([expect.stringMatching(/ as total,.* from shipments r where /)]))
  expect(unhinted.filter((sql) => sql.includes('indexed by'))).toEqual([])
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

/* ---- Questions ---- */

type Value = unknown
type Values = fc.Arbitrary<Value>

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
  granular_status: sentList(
    (r) => [r.attributes.granular_status, r.attributes['sub_status']],
    namesOf(shipmentBuckets),
  ),
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
  start_time: seconds,
  end_time: seconds,
}

const backValues: { readonly [K in keyof typeof returnFilters]: Values } = {
  search: searches(back),
  status: fc.constantFrom(...returnStatuses),
  granular_status: backList((r) => [r.attributes.granular_status], namesOf(returnBuckets)),
  warehouse_id: backList((r) => [r.attributes.warehouse_id]),
  channel: backList((r) => [r.attributes.order?.channel]),
  store_name: backList((r) => [r.attributes.order?.store_name]),
  carrier_ids: backList((r) => [r.attributes.shipment?.carrier?.id]),
  zone: backList((r) => [r.attributes.zone], zoneNames),
  refund_status: backList((r) => [r.attributes.refund_status], refundStatuses),
  qc_status: backList((r) => [r.attributes.qc_status], qcStatuses),
  display_id: backList((r) => [r.attributes.display_id]),
  sku: backList((r) => (r.attributes.return_items ?? []).map((item) => item.sku)),
  is_dangerous_goods: fc.boolean(),
  created_at__gte: iso,
  created_at__lte: iso,
  return_pickup_scheduled_at__gte: iso,
  return_pickup_scheduled_at__lte: iso,
  return_delivered_at__gte: iso,
  return_delivered_at__lte: iso,
}

interface Question {
  readonly filters: Json
  readonly order: 'asc' | 'desc' | undefined
  readonly sort: string | undefined
  readonly date: string | undefined
  readonly per_page: number
  readonly on: On
  readonly spelling: number
}

const valuesOf = { shipment: sentValues, return: backValues } as const

/** Questions that use these filters, in any order, page size and spelling. */
function questions(listing: Listing, names: readonly string[]): fc.Arbitrary<Question> {
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
function wireOf({ filters, order, sort, date, spelling }: Question): Json {
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

const none = (value: unknown): boolean =>
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'string' && value.replaceAll('\0', '').trim() === '')

const pairs = [
  ['start_time', 'end_time'],
  ['applied_weight_min', 'applied_weight_max'],
  ['attempts_count__gte', 'attempts_count__lte'],
] as const

/** Whether a question's range is the wrong way round, which is refused. */
function reversed(filters: Json): boolean {
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
function expected(listing: Listing, { filters, order, sort, date }: Question): readonly string[] {
  const used = Object.entries(filters).filter(([, value]) => !none(value))
  const input = { ...filters, date_field: date }
  const kept = listing.records.filter((record) =>
    used.every(([name, value]) => listing.keeps(record, name, value, input)),
  )
  const keyed = kept.map((record) => ({ ...formsOf(record), at: listing.sortValue(record, sort ?? 'created_at') }))
  const sign = order === 'asc' ? 1 : -1
  return keyed.toSorted((a, b) => sign * (a.at - b.at || Buffer.compare(a.id, b.id))).map(({ json }) => json)
}

/** Asks and compares: the total and the text of every record of every page. */
async function check(listing: Listing, question: Question): Promise<void> {
  const raw = wireOf(question)
  const service = services[question.on]
  if (reversed(question.filters)) {
    await expect(async () => listing.page(service, raw)).rejects.toMatchObject({ code: 'invalid_input' })
    return
  }
  const wanted = expected(listing, question)
  // Long answers come on large pages, so that a question costs some dozen pages at most.
  const per_page = Math.max(question.per_page, Math.min(100, Math.ceil(wanted.length / 12)))
  const given: string[] = []
  for (let page = 1; page <= Math.ceil(wanted.length / per_page) + 1; page++) {
    const { records, meta } = await listing.page(service, { ...raw, page, per_page })
    expect(meta).toMatchObject({ current_page: page, per_page, total: wanted.length })
    given.push(...records)
  }
  expect(given).toEqual(wanted)
}

const everyFilter = [sent, back].flatMap((listing) =>
  Object.keys(listing.filters).map((name) => [listing.kind, name, listing] as const),
)

describe('one filter', () => {
  test.each(everyFilter)('%s %s keeps what it says', async (_, name, listing) => {
    await fc.assert(
      fc.asyncProperty(questions(listing, [name]), (question) => check(listing, question)),
      { numRuns: runs(3, 25) },
    )
  })

  test.each(everyFilter)('%s %s keeps some of the data and not all of it', async (_, name, listing) => {
    const some = fc.sample(questions(listing, [name]), { numRuns: 300, seed: 1 }).some((question) => {
      const kept = none(question.filters[name]) ? 0 : expected(listing, question).length
      return kept > 0 && kept < listing.records.length
    })
    expect(some).toBe(true)
  })
})

describe.each([sent, back])('filters of $kind together', (listing) => {
  test('keep what all of them keep', async () => {
    const names = fc.uniqueArray(fc.constantFrom(...Object.keys(listing.filters)), { minLength: 2, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        names.chain((some) => questions(listing, some)),
        (question) => check(listing, question),
      ),
      { numRuns: runs(60, 600) },
    )
  })

  test('keep everything when there is none', async () => {
    await fc.assert(
      fc.asyncProperty(questions(listing, []), (question) => check(listing, question)),
      { numRuns: runs(3, 12) },
    )
  })
})

describe('what went wrong once', () => {
  const created_at = '2025-11-01T00:00:00Z'
  const saved = async (kind: 'shipment' | 'return', attributes: Json): Promise<EmbeddedService> => {
    const { save, service, close } = await openEngine()
    onTestFinished(close)
    const checked = checkRecord(`${kind}s`, { id: 'one', attributes: { created_at, ...attributes } })
    await save(kind, 'record' in checked ? [checked.record as Shipment | Return] : [])
    return service
  }

  test('a return is not found by the external id of its order', async () => {
    const service = await saved('return', { order: { external_id: 'SHOP-77123' } })
    for (const search of ['shop-77123', '77', '9'])
      expect((await service.listReturns({ search })).meta.total).toBe(search === '9' ? 0 : 1)
  })

  test('an empty granular status hides the sub-status', async () => {
    const shipments = await saved('shipment', { granular_status: '', sub_status: 'lost', status: 'others' })
    expect((await shipments.listShipments({ granular_status: ['lost'] })).meta.total).toBe(1)
    const returns = await saved('return', { granular_status: '', sub_status: 'return_qc_failed', status: 'odd' })
    expect((await returns.listReturns({ status: 'cancelled' })).meta.total).toBe(1)
  })

  test.each([1e300, 1e16, -1e300])('a weight of %d grams stops an import', async (value) => {
    const service = await saved('shipment', { applied_weight: { value } })
    expect((await service.listShipments({ applied_weight_min: 1e9 })).meta.total).toBe(value > 0 ? 1 : 0)
    expect((await service.listShipments({ applied_weight_max: 0 })).meta.total).toBe(value > 0 ? 0 : 1)
  })
})

describe.each([sent, back])('search of $kind', (listing) => {
  /** The first page and the total: enough to tell a wrong answer, and cheap enough for thousands. */
  async function glance(question: Question): Promise<void> {
    const wanted = expected(listing, question)
    const service = services[question.on]
    const { records, meta } = await listing.page(service, { ...wireOf(question), per_page: 100 })
    expect(meta.total).toBe(wanted.length)
    expect(records).toEqual(wanted.slice(0, 100))
  }

  // Thousands of questions: what a slow machine needs for them is no fault of the search.
  test('is the naive definition for any words', async () => {
    await fc.assert(fc.asyncProperty(questions(listing, ['search']), glance), { numRuns: runs(100, 3000) })
  })

  test('is the naive definition beside another filter', async () => {
    const names = fc.constantFrom(...Object.keys(listing.filters).filter((name) => name !== 'search'))
    const question = names.chain((name) => questions(listing, ['search', name]))
    await fc.assert(fc.asyncProperty(question, glance), { numRuns: runs(40, 600) })
  })
})
