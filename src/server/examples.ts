// Examples for the API description: a store, an order, quotes by the sample card, and records of the sample merchant.
import { basePath } from '../domain/contract.ts'
import { parseInput } from '../domain/parse.ts'
import { quote, rateAnswer, type Quote } from '../domain/rates/rates.ts'
import { sampleCard } from '../domain/rates/samplecard.ts'
import { isoOf } from '../domain/time.ts'
import { answerOf, newShipment, withCourier } from '../engine/orders/record.ts'
import { seedReturns, seedShipments } from '../engine/sample/seed.ts'

type Json = Readonly<Record<string, unknown>>

/** A request that works, and its answer. */
export interface Example {
  readonly summary: string
  /** The JSON body; none for GET. */
  readonly request?: Json
  /** Path parameters. */
  readonly path?: Readonly<Record<string, string>>
  readonly answer: Json
}

/** When the examples happen, ms UTC. */
const now = Date.UTC(2025, 10, 21, 11, 3, 7, 250)

export const storeId = '2f1d6f0e-6b1c-4d6e-9d8e-0c9b7c1f3a52'

export const store = {
  id: storeId,
  store_name: 'acme-kids',
  brand_name: 'Acme Kids',
  channel: 'manual_order',
  status: 'connected',
  logo_url: `${basePath}/client-stores/${storeId}/logo`,
  created_at: isoOf(now),
  updated_at: isoOf(now),
}

const order = {
  order_date: '2025-11-21 16:30',
  billing_customer_name: 'Asha',
  billing_last_name: 'Rao',
  billing_address: '12 MG Road',
  billing_city: 'Bengaluru',
  billing_pincode: '560001',
  billing_state: 'Karnataka',
  billing_country: 'India',
  billing_phone: '9876543221',
  order_items: [{ name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 749.5 }],
  payment_method: 'COD',
  cod_collectible: 1499,
  sub_total: 1499,
  length: 20,
  breadth: 15,
  height: 10,
  weight: 0.5,
  warehouse_id: 'WHMUM1',
}

const size = { dead_weight: 500, length: 20, width: 15, height: 10 }

const lanes = {
  forward: { origin_pincode: '400001', destination_pincode: '560001', payment_method: 'cod', shipment_value: 1499 },
  return: { origin_pincode: '560001', destination_pincode: '400001', qc_applicable: true },
}

function quoted(journey_type: keyof typeof lanes): readonly [request: Json, Quote] {
  const request = { journey_type, ...lanes[journey_type], ...size }
  return [request, quote(parseInput('getRates', request), sampleCard, now)]
}

/** A quote by the sample card, with its first two couriers. */
export function quoteExample(journey: keyof typeof lanes, summary: string): Example {
  const [request, found] = quoted(journey)
  return { summary, request, answer: rateAnswer({ ...found, offers: found.offers.slice(0, 2) }) }
}

/** An order as the engine answers it, with the first courier of the quote or without one. */
export function orderExample(order_id: string, assigned: boolean, summary: string): Example {
  const request = { order_id, ...order }
  const host = {
    now: () => now,
    uuid: () => (assigned ? 'c6a3f6d2-0d56-4c39-9a10-5a4f0e7b2c11' : '5f0e7a9c-0b51-4b7e-8f0a-9a3b6c2d1e04'),
    letters: () => (assigned ? '7B1M3XW90C' : '2A7Q0ZK41M'),
    digest: () => '',
  }
  const recorded = newShipment(host, parseInput('createForwardOrder', request), '400001', sampleCard, now)
  if (!assigned) return { summary, request, answer: answerOf(recorded, undefined) }
  const offer = quoted('forward')[1].offers[0]!
  return { summary, request, answer: answerOf(withCourier(recorded, offer, '70031894552617', now), offer) }
}

const merchant = { shipments: 60, returns: 12, stores: 3, days: 60, seed: 21, now }

function first<T>(records: Iterable<T>, fits: (record: T) => boolean | undefined): T {
  for (const record of records) if (fits(record)) return record
  throw new Error('the sample merchant has no such record')
}

/** A COD parcel on the way in zone_d, of the week from 10 November 2025. */
export const shipment = first(
  seedShipments(merchant),
  ({ attributes: { status, is_cod, zone, created_at } }) =>
    status === 'in_transit' && is_cod === true && zone === 'zone_d' && created_at >= '2025-11-10',
)

/** A return that came back in October 2025 and is refunded. */
export const returned = first(
  seedReturns(merchant),
  ({ attributes: { granular_status, refund_status, shipment: back } }) =>
    granular_status === 'return_delivered' &&
    refund_status === 'processed' &&
    back?.shipment_milestones?.at(-1)?.milestone_at?.startsWith('2025-10'),
)
