// An order's shipment as a record, before and after a courier takes it, and the answer that the endpoints return.
import sql from 'sql-template-tag'
import { scaled, standardDivisor, volumetricWeight } from '../../domain/rates/measures.ts'
import { rupeesText } from '../../domain/money.ts'
import { deliveryOf, type OrderAnswer, type OrderCreate } from '../../domain/orders.ts'
import { placeOf } from '../../domain/pincodes.ts'
import type { Offer } from '../../domain/rates/pricing.ts'
import type { RateCard } from '../../domain/rates/ratecard.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { shipmentBuckets, type GranularStatus } from '../../domain/parcels/statuses.ts'
import { isoOf, readOrderDate } from '../../domain/time.ts'
import { zoneOf } from '../../domain/rates/zones.ts'
import { row, type Work } from '../database/port.ts'
import { growingId } from '../growingids.ts'
import { capitals, digits, type Host } from '../runtime.ts'

export const grams = (input: OrderCreate): number => scaled(input.weight, 1000)

/** The shipment of a new order, still without a courier. */
export function newShipment(host: Host, input: OrderCreate, pincode: string, card: RateCard, now: number): Shipment {
  const address = deliveryOf(input)
  const from = placeOf(pincode)
  const to = placeOf(address.zip)
  const volumetric = volumetricWeight(input.length, input.breadth, input.height, standardDivisor)
  return {
    id: growingId(host.uuid(), now),
    type: 'shipment',
    attributes: {
      tracking_number: null,
      status: 'pending',
      sub_status: null,
      created_at: isoOf(now),
      warehouse_id: input.warehouse_id,
      total_price: input.sub_total,
      cod_amount: input.cod_collectible ?? 0,
      is_cod: input.payment_method === 'COD',
      zone: from === undefined || to === undefined ? null : zoneOf(from, to, card.zones).zone,
      applied_weight: { value: Math.max(grams(input), volumetric), metric_unit: 'g' },
      attempt_count: 0,
      carrier: null,
      order: {
        id: `ORD${host.letters(10, capitals)}`,
        order_date: isoOf(readOrderDate(input.order_date)!),
        channel: 'manual_order',
        display_id: input.order_id,
        external_id: input.order_id,
        store_name: input.store_name ?? null,
        ...extrasOf(input),
      },
      items: input.order_items.map((item) => ({
        id: host.uuid(),
        quantity: item.units,
        price: item.selling_price,
        name: item.name,
        sku: item.sku,
      })),
      shipping_address: { ...address },
      shipment_milestones: [],
      tracking_details: [],
      granular_status: 'pending',
      tags: input.tags ?? [],
      ndr_reason: null,
      rto_reason: null,
    },
  }
}

/** Fields that an order only keeps and returns; absent if the order has none (docs/inside/decisions.md, Orders). */
const extrasOf = (order: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(extraFields.flatMap((field) => (order[field] === undefined ? [] : [[field, order[field]]])))

const extraFields = ['rto_warehouse_id', 'channel_id', 'vendor_details'] as const

/** A shipment's status fields for a detailed status. */
export function statusFields(granular: GranularStatus) {
  const status = shipmentBuckets[granular]
  return { status, sub_status: granular === status ? null : granular, granular_status: granular }
}

export function withCourier(record: Shipment, offer: Offer, tracking: string, now: number): Shipment {
  const { attributes } = record
  return {
    ...record,
    attributes: {
      ...attributes,
      ...statusFields('ready_for_pickup'),
      tracking_number: tracking,
      applied_weight: { value: offer.weight, metric_unit: 'g' },
      carrier: { id: offer.service.carrier_id, name: offer.service.carrier_name },
      shipment_milestones: [{ milestone: 'ready_for_pickup', milestone_at: isoOf(now) }],
    },
  }
}

/** A new tracking number of 14 digits, unique in the account. */
export function* newTracking(account: number, host: Host): Work<string> {
  for (;;) {
    const number = `7${host.letters(13, digits)}`
    const other = yield* row(
      sql`select id from shipments where account_id = ${account} and tracking_number = ${number}`,
    )
    if (other === undefined) return number
  }
}

export function answerOf(shipment: Shipment, offer: Offer | undefined): OrderAnswer {
  const { attributes } = shipment
  const done = offer === undefined ? 0 : 1
  return {
    status: 1,
    payload: {
      order_created: 1,
      awb_generated: done,
      pickup_generated: done,
      order_id: attributes.order!.id!,
      shipment_id: shipment.id,
      awb_code: attributes.tracking_number ?? null,
      courier_company_id: attributes.carrier?.id ?? null,
      courier_name: attributes.carrier?.name ?? null,
      applied_weight: attributes.applied_weight!.value! / 1000,
      cod: attributes.is_cod === true ? 1 : 0,
      label_url: null,
      charges:
        offer === undefined
          ? null
          : {
              frwd_charges: { shipping_charges: rupeesText(offer.freight), cod_charges: rupeesText(offer.cod) },
              rto_charges: { rto_charges: rupeesText(offer.rto) },
            },
      ...extrasOf(attributes.order!),
    },
  }
}
