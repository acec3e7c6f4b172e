// What invented data promises: equal for equal plans, and every record in agreement with itself, its card and its map.
import { describe, expect, test } from 'vitest'
import { paiseOf } from '../../src/domain/money.ts'
import { placeOf, stateNames } from '../../src/domain/pincodes.ts'
import { quote, type RateRequest } from '../../src/domain/rates/rates.ts'
import { Return } from '../../src/domain/parcels/returns.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import { Shipment } from '../../src/domain/parcels/shipments.ts'
import { keysOf } from '../../src/domain/keysof.ts'
import {
  failureReasons,
  qcStatuses,
  refundStatuses,
  returnBuckets,
  returnMilestones,
  shipmentBuckets,
  shipmentMilestones,
  type GranularStatus,
  type ReturnGranularStatus,
} from '../../src/domain/parcels/statuses.ts'
import { brandFault, storeNameFault, tidyBrand } from '../../src/domain/stores.ts'
import { dayMs, isoOf } from '../../src/domain/time.ts'
import { metroOf, zoneOf } from '../../src/domain/rates/zones.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { seedStores, seedWarehouses, type SeedPlan } from '../../src/engine/sample/plan.ts'
import { names, regionOf } from '../../src/engine/sample/vocabulary.ts'
import { first } from '../support/size.ts'

const now = Date.parse('2025-11-21T11:03:07.250Z')
const plan: SeedPlan = { shipments: 5000, returns: 1500, stores: 12, days: 90, seed: 42, now }
const shipments = [...seedShipments(plan)]
const returns = [...seedReturns(plan)]
const stores = seedStores(plan)
const warehouses = seedWarehouses(plan)

type Sent = Shipment['attributes']
const granularOf = (attributes: Sent): GranularStatus => attributes.granular_status as GranularStatus
const milestonesOf = (attributes: Sent): readonly string[] => attributes.shipment_milestones!.map((m) => m.milestone)
const has = (attributes: Sent, milestone: string): boolean => milestonesOf(attributes).includes(milestone)
const scansOf = (attributes: Sent, status: string): number =>
  attributes.tracking_details!.filter((scan) => scan.status === status).length
const share = <T>(list: readonly T[], wanted: (item: T) => boolean): number => list.filter(wanted).length / list.length
const jsonOf = (wanted: SeedPlan): string => JSON.stringify([[...seedShipments(wanted)], [...seedReturns(wanted)]])

/** Every text of a record that is a time, as ms. */
function timesIn(value: unknown): readonly number[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? [Date.parse(value)] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(timesIn)
}

const ascending = (times: readonly number[]): boolean => times.every((time, i) => i === 0 || times[i - 1]! <= time)

// prettier-ignore
const shipmentKeys = [
  'tracking_number', 'status', 'sub_status', 'created_at', 'warehouse_id', 'total_price', 'cod_amount', 'is_cod', 'zone',
  'applied_weight', 'attempt_count', 'carrier', 'order', 'items', 'shipping_address', 'shipment_milestones',
  'tracking_details', 'granular_status', 'tags', 'ndr_reason', 'rto_reason',
]
// prettier-ignore
const returnKeys = [
  'return_reason', 'request_date', 'display_id', 'qc_status', 'qc_required', 'status', 'warehouse_id', 'shipping_address',
  'total_price', 'is_exchange', 'refund_status', 'created_at', 'return_items', 'weight', 'shipment', 'order',
  'granular_status', 'zone', 'is_dangerous_goods',
]

test('every state has a region with names, and a misspelt state is an error', () => {
  expect(stateNames().filter((state) => names[regionOf(state)] === undefined)).toEqual([])
  expect(() => regionOf('Tamilnadu')).toThrow('no region has the state Tamilnadu')
})

describe('a plan', () => {
  test('gives the same data every time, and other data for another seed', () => {
    const small: SeedPlan = { ...plan, shipments: 500, returns: 80 }
    expect(jsonOf(small)).toBe(jsonOf({ ...small }))
    expect(jsonOf(small)).not.toBe(jsonOf({ ...small, seed: 43 }))
    expect(seedStores(plan)).toEqual(stores)
    expect(seedWarehouses(plan)).toEqual(warehouses)
  })

  test('may be read twice at the same time', () => {
    const [one, other] = [seedShipments(plan), seedShipments(plan)]
    for (let i = 0; i < 50; i++) expect(one.next().value).toEqual(other.next().value)
  })

  test.each([
    [{ ...plan, shipments: 0, returns: 0, stores: 0 }, 0, 0],
    [{ ...plan, shipments: 0, returns: 30, stores: 0 }, 0, 30],
    [{ ...plan, shipments: 3, returns: 40, stores: 1 }, 3, 40],
    [{ ...plan, shipments: 1, returns: 0, days: 0 }, 1, 0],
    [{ ...plan, shipments: 300, returns: 60, days: 1 }, 300, 60],
    [{ ...plan, shipments: 200, returns: 500, days: 40, seed: -7.5 }, 200, 500],
    [{ ...plan, shipments: 50, returns: 5, days: 4000, seed: 2 ** 40 + 1 }, 50, 5],
  ])('gives the counts asked for: %o', (odd, sent, back) => {
    const [some, others] = [[...seedShipments(odd)], [...seedReturns(odd)]]
    expect([some.length, others.length]).toEqual([sent, back])
    for (const time of timesIn([some, others])) expect(time).toBeLessThanOrEqual(now)
    expect(new Set(others.map(({ id }) => id)).size).toBe(back)
  })
})

describe('stores and warehouses', () => {
  test('have unique tidy names up to 1,000', () => {
    const many = seedStores({ ...plan, stores: 1000 })
    expect(new Set(many.map((store) => store.store_name)).size).toBe(1000)
    expect(new Set(many.map((store) => store.id)).size).toBe(1000)
    for (const { store_name, brand_name, created_at } of many) {
      expect(storeNameFault(store_name)).toBeUndefined()
      expect(store_name).toBe(store_name.toLowerCase())
      if (brand_name !== null) expect([brandFault(brand_name), tidyBrand(brand_name)]).toEqual([undefined, brand_name])
      expect(created_at).toBeLessThan(now - plan.days * dayMs)
    }
    expect(many.some(({ brand_name }) => brand_name === null)).toBe(true)
    expect(many.some(({ brand_name }) => /\p{Script=Devanagari}/u.test(brand_name ?? ''))).toBe(true)
    expect(new Set(seedStores({ ...plan, stores: 2500 }).map((store) => store.store_name)).size).toBe(2500)
  })

  test.each([1, 2, 3, 42, 99])('are three to five places in metros, seed %i', (seed) => {
    const some = seedWarehouses({ ...plan, seed })
    expect(some.length).toBeGreaterThanOrEqual(3)
    expect(some.length).toBeLessThanOrEqual(5)
    expect(new Set(some.map(({ id }) => id)).size).toBe(some.length)
    for (const { id, pincode } of some) {
      expect(id).toMatch(/^WH[A-Z0-9]{4}$/)
      expect(metroOf(pincode)).toBeDefined()
    }
  })
})

describe('shipments', () => {
  test('fit the schema, with the attributes in order', () => {
    for (const shipment of shipments) {
      expect(Shipment.parse(shipment)).toEqual(shipment)
      expect(Object.keys(shipment)).toEqual(['id', 'type', 'attributes'])
      expect(Object.keys(shipment.attributes)).toEqual(shipmentKeys)
      expect(shipment.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })

  test('come in order of creation, with ids of their own', () => {
    expect(ascending(shipments.map(({ attributes }) => Date.parse(attributes.created_at)))).toBe(true)
    expect(new Set(shipments.map(({ id }) => id)).size).toBe(plan.shipments)
    for (const key of ['id', 'display_id', 'external_id'] as const) {
      expect(new Set(shipments.map(({ attributes }) => attributes.order![key])).size).toBe(plan.shipments)
    }
    const numbers = [
      ...shipments.map((s) => s.attributes.tracking_number),
      ...returns.map((r) => r.attributes.shipment!.tracking_number),
    ]
    const given = numbers.filter((number) => number !== null)
    expect(new Set(given).size).toBe(given.length)
    for (const number of given) expect(number).toMatch(/^\d{12,14}$/)
  })

  test('agree on money, people, stores and places', () => {
    const names = new Set(stores.map((store) => store.store_name))
    const sites = new Map(warehouses.map(({ id, pincode }) => [id, placeOf(pincode)!]))
    for (const { attributes } of shipments) {
      const { order, items, shipping_address: address, total_price: total, cod_amount, is_cod } = attributes
      const sum = items!.reduce((paise, item) => paise + paiseOf(item.price!)! * item.quantity!, 0)
      expect(paiseOf(total!)).toBe(sum)
      expect(cod_amount).toBe(is_cod === true ? total : 0)
      expect(items!.length).toBeGreaterThanOrEqual(1)
      expect(items!.length).toBeLessThanOrEqual(4)
      expect(new Set(items!.map(({ sku }) => sku)).size).toBe(items!.length)
      expect(address!.phone).toMatch(/^[6-9]\d{9}$/)
      const place = placeOf(address!.zip!)!
      expect([address!.city, address!.state]).toEqual([place.city, place.state])
      expect(attributes.zone).toBe(zoneOf(sites.get(attributes.warehouse_id!)!, place).zone)
      expect(order!.id).toMatch(/^ORD\d{10}$/)
      if (order!.store_name !== null) expect(names.has(order!.store_name!)).toBe(true)
      const waited = Date.parse(attributes.created_at) - Date.parse(order!.order_date!)
      expect(waited).toBeGreaterThan(0)
      expect(waited).toBeLessThan(dayMs)
    }
  })

  test('are carried by services that quote for them, at the weight charged', () => {
    const sites = new Map(warehouses.map(({ id, pincode }) => [id, pincode]))
    for (const { attributes } of shipments) {
      if (attributes.carrier === null) continue
      const weight = attributes.applied_weight!
      expect(weight.metric_unit).toBe('g')
      const request: RateRequest = {
        journey_type: 'forward',
        origin_pincode: sites.get(attributes.warehouse_id!)!,
        destination_pincode: attributes.shipping_address!.zip!,
        dead_weight: weight.value!,
        length: 1,
        width: 1,
        height: 1,
        payment_method: attributes.is_cod === true ? 'cod' : 'prepaid',
        shipment_value: attributes.total_price!,
      }
      const offer = quote(request, sampleCard, now).offers.find(
        ({ service }) => service.carrier_id === attributes.carrier!.id,
      )
      expect(offer?.service.carrier_name).toBe(attributes.carrier!.name)
      expect(offer?.weight).toBe(weight.value)
    }
  })

  test('agree on status, milestones, scans, attempts and reasons', { tags: ['full'] }, () => {
    for (const { attributes } of shipments) {
      const granular = granularOf(attributes)
      const status = shipmentBuckets[granular]
      const milestones = milestonesOf(attributes)
      const scans = attributes.tracking_details!
      const back = granular.startsWith('rto_')
      expect(attributes.status).toBe(status)
      expect(attributes.sub_status).toBe(granular === status ? null : granular)
      expect(attributes.tracking_number === null).toBe(attributes.carrier === null)
      expect(attributes.carrier !== null).toBe(has(attributes, 'ready_for_pickup'))
      if (['pending', 'processing', 'rejected', 'externally_fulfilled'].includes(granular)) {
        expect(attributes.carrier).toBeNull()
      } else if (granular !== 'cancelled') expect(attributes.carrier).not.toBeNull()

      // Each milestone at most once, in the order of the journey, which is also the order of time.
      expect(shipmentMilestones.filter((name) => milestones.includes(name))).toEqual(milestones)
      expect(ascending(attributes.shipment_milestones!.map((m) => Date.parse(m.milestone_at!)))).toBe(true)
      expect(ascending(scans.map((scan) => Date.parse(scan.event_date_time!)))).toBe(true)
      expect(new Set(scans.map(({ id }) => id)).size).toBe(scans.length)
      const created = Date.parse(attributes.created_at)
      for (const time of timesIn([attributes.shipment_milestones, scans])) expect(time).toBeGreaterThan(created)
      for (const time of timesIn(attributes)) expect(time).toBeLessThanOrEqual(now)

      expect(has(attributes, 'delivered')).toBe(granular === 'delivered')
      expect(has(attributes, 'rto_initiated')).toBe(back)
      expect(has(attributes, 'rto_delivered')).toBe(granular === 'rto_delivered')
      const moving =
        ['in_transit', 'out_for_delivery', 'delivered', 'ndr_raised'].includes(status) || back || granular === 'lost'
      expect(has(attributes, 'picked_up')).toBe(moving)
      if (moving && granular !== 'in_transit') expect(has(attributes, 'in_transit')).toBe(true)

      const attempts = attributes.attempt_count!
      expect(attempts).toBe(scansOf(attributes, 'out_for_delivery'))
      expect(has(attributes, 'out_for_delivery')).toBe(attempts > 0)
      const failed = scansOf(attributes, 'ndr_raised')
      const under = granular === 'out_for_delivery' || granular === 'delivered'
      expect(failed).toBe(under ? attempts - 1 : attempts)
      expect(attributes.ndr_reason === null).toBe(failed === 0)
      expect(attributes.rto_reason === null).toBe(!back)
      for (const reason of [attributes.ndr_reason, attributes.rto_reason]) {
        if (reason !== null) expect(failureReasons).toContain(reason)
      }
      if (failed > 0) {
        const last = scans.filter((scan) => scan.status === 'ndr_raised').at(-1)!
        expect(last.description).toBe(`Delivery failed: ${attributes.ndr_reason!.replaceAll('_', ' ')}`)
      }
      if (attempts > 0) {
        const at = scans.filter((scan) => scan.status === 'out_for_delivery').at(-1)!.event_date_time
        expect(attributes.shipment_milestones!.find((m) => m.milestone === 'out_for_delivery')!.milestone_at).toBe(at)
      }
      const silent = [
        'cancelled',
        'pickup_scheduled',
        'need_attention',
        'reattempt_delivery',
        'rto_cancelled',
        'rto_need_attention',
      ]
      if (moving && !silent.includes(granular))
        expect(scans.at(-1)!.status === 'picked_up' ? 'in_transit' : scans.at(-1)!.status).toBe(granular)
      if (!moving) expect(scans.every((scan) => scan.status === 'not_picked')).toBe(true)
    }
  })

  test('look like a merchant', () => {
    const all = shipments.map(({ attributes }) => attributes)
    const picked = all.filter((attributes) => has(attributes, 'picked_up'))
    const returned = (list: readonly Sent[]): number => share(list, (a) => granularOf(a).startsWith('rto_'))
    const within = (value: number, low: number, high: number): void => {
      expect(value).toBeGreaterThanOrEqual(low)
      expect(value).toBeLessThanOrEqual(high)
    }
    within(
      share(all, (a) => a.is_cod === true),
      0.55,
      0.65,
    )
    within(returned(picked), 0.1, 0.16)
    expect(returned(picked.filter((a) => a.is_cod))).toBeGreaterThan(returned(picked.filter((a) => !a.is_cod)))
    within(
      share(all, (a) => a.granular_status === 'cancelled'),
      0.02,
      0.04,
    )
    within(
      share(all, (a) => a.order!.store_name === null),
      0.1,
      0.14,
    )
    within(
      share(all, (a) => a.tags!.length > 0),
      0.25,
      0.36,
    )
    within(
      share(all, (a) => metroOf(a.shipping_address!.zip!) !== undefined),
      0.5,
      0.6,
    )
    within(
      share(all, (a) => /[^\p{Script=Latin}' ]/u.test(a.shipping_address!.name!)),
      0.01,
      0.12,
    )
    const night = (a: Sent): boolean =>
      [1, 2, 3, 4].includes(new Date(Date.parse(a.created_at) + 19_800_000).getUTCHours())
    within(share(all, night), 0, 0.05)
    // What is older than the longest journey has come to its end.
    const final = [
      'delivered',
      'cancelled',
      'rejected',
      'lost',
      'externally_fulfilled',
      'rto_delivered',
      'rto_lost',
      'rto_cancelled',
    ]
    const old = all.filter((a) => Date.parse(a.created_at) < now - 50 * dayMs)
    expect(old.filter((a) => !final.includes(granularOf(a)))).toEqual([])
  })

  test.each(
    first(1, [
      [42, now],
      [7, now - 8 * 3_600_000],
      [1, now + 12 * 3_600_000],
      [2026, now + 40 * dayMs],
    ]),
  )('pass through every status, seed %i at %i', (seed, at) => {
    const seen = new Set([...seedShipments({ ...plan, seed, now: at })].map(({ attributes }) => granularOf(attributes)))
    expect(keysOf(shipmentBuckets).filter((status) => !seen.has(status))).toEqual([])
    const back = new Set([...seedReturns({ ...plan, seed, now: at })].map((r) => r.attributes.granular_status))
    expect(keysOf(returnBuckets).filter((status) => !back.has(status))).toEqual([])
  })
})

describe('returns', () => {
  const byId = new Map(shipments.map((shipment) => [shipment.id, shipment.attributes]))

  test('fit the schema, with the attributes in order', () => {
    for (const record of returns) {
      expect(Return.parse(record)).toEqual(record)
      expect(Object.keys(record.attributes)).toEqual(returnKeys)
    }
    expect(new Set(returns.map(({ id }) => id)).size).toBe(plan.returns)
    expect(new Set(returns.map(({ attributes }) => attributes.display_id)).size).toBe(plan.returns)
  })

  test('belong to delivered shipments of the plan', () => {
    for (const { attributes } of returns) {
      const sent = byId.get(attributes.shipment!.id!)!
      expect(sent.granular_status).toBe('delivered')
      const { order_date: _, external_id: __, ...order } = sent.order!
      expect(attributes.order).toEqual(order)
      expect(attributes.shipping_address).toEqual(sent.shipping_address)
      expect([attributes.zone, attributes.warehouse_id]).toEqual([sent.zone, sent.warehouse_id])
      const delivered = Date.parse(sent.shipment_milestones!.at(-1)!.milestone_at!)
      const asked = Date.parse(attributes.request_date!)
      expect(attributes.created_at).toBe(isoOf(asked))
      expect(asked).toBeGreaterThanOrEqual(delivered + dayMs)
      expect(asked).toBeLessThanOrEqual(delivered + 10 * dayMs)
      for (const item of attributes.return_items!) {
        const bought = sent.items!.find(({ id }) => id === item.id)!
        expect([item.name, item.sku, item.price]).toEqual([bought.name, bought.sku, bought.price])
        expect(item.quantity).toBeLessThanOrEqual(bought.quantity!)
      }
      expect(attributes.return_items![0]!.return_reason).toBe(attributes.return_reason)
      const sum = attributes.return_items!.reduce((paise, item) => paise + paiseOf(item.price!)! * item.quantity!, 0)
      expect(paiseOf(attributes.total_price!)).toBe(sum)
    }
    const pairs = returns.flatMap((r) =>
      r.attributes.return_items!.map((item) => `${r.attributes.shipment!.id} ${item.id}`),
    )
    expect(new Set(pairs).size / pairs.length).toBeGreaterThan(0.9)
  })

  test('agree on status, quality check, refund, courier and milestones', () => {
    for (const { attributes } of returns) {
      const granular = attributes.granular_status as ReturnGranularStatus
      const { tracking_number, carrier, status, shipment_milestones } = attributes.shipment!
      const milestones = shipment_milestones!.map((m) => m.milestone)
      expect(attributes.status).toBe(returnBuckets[granular].shown)
      expect(status).toBe(attributes.status)
      expect(returnMilestones.filter((name) => milestones.includes(name))).toEqual(milestones)
      expect(
        ascending([Date.parse(attributes.created_at), ...shipment_milestones!.map((m) => Date.parse(m.milestone_at!))]),
      ).toBe(true)
      for (const time of timesIn(attributes)) expect(time).toBeLessThanOrEqual(now)
      expect(carrier === null).toBe(tracking_number === null)
      expect(carrier !== null).toBe(milestones.includes('return_pickup_scheduled'))
      expect(granular === 'return_delivered').toBe(milestones.includes('return_delivered'))

      expect(qcStatuses).toContain(attributes.qc_status)
      expect(refundStatuses).toContain(attributes.refund_status)
      const picked = ['in_transit', 'delivered', 'lost'].includes(attributes.status!)
      if (attributes.qc_required === false) expect(attributes.qc_status).toBe('not_applicable')
      else expect(attributes.qc_status).toBe(picked ? 'passed' : granular === 'return_qc_failed' ? 'failed' : 'pending')
      if (attributes.refund_status !== 'pending') expect(granular).toBe('return_delivered')
      expect(attributes.weight!.metric_unit).toBe('g')
      expect(attributes.weight!.value).toBeGreaterThan(0)
    }
    const exchanges = share(returns, ({ attributes }) => attributes.is_exchange === true)
    expect(exchanges).toBeGreaterThan(0.1)
    expect(exchanges).toBeLessThan(0.2)
  })

  test('are taken by services that quote for them', () => {
    const sites = new Map(warehouses.map(({ id, pincode }) => [id, pincode]))
    for (const { attributes } of returns) {
      const carrier = attributes.shipment!.carrier
      if (carrier === null || carrier === undefined) continue
      const request: RateRequest = {
        journey_type: 'return',
        origin_pincode: attributes.shipping_address!.zip!,
        destination_pincode: sites.get(attributes.warehouse_id!)!,
        dead_weight: attributes.weight!.value!,
        length: 1,
        width: 1,
        height: 1,
        qc_applicable: attributes.qc_required!,
      }
      const offer = quote(request, sampleCard, now).offers.find(({ service }) => service.carrier_id === carrier.id)
      expect(offer?.weight).toBe(attributes.weight!.value)
    }
  })
})
