// One shipment of a plan, with the facts that a return of it needs.
import { draw, type Dice } from '../../domain/random.ts'
import { rupeesOf } from '../../domain/money.ts'
import type { Locality } from '../../domain/pincodes.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { shipmentBuckets } from '../../domain/parcels/statuses.ts'
import { zones, type Zone } from '../../domain/rates/zones.ts'
import { streams, uuid, tenDigits } from './chance.ts'
import { minute, hour, stamp, seconds } from './calendar.ts'
import { atlas } from './atlas.ts'
import { storeChannel, storelessChannel, type Courier } from './catalogue.ts'
import { orderTime, type Shop, type Warehouse, type World } from './world.ts'
import { personIn, linesOf, orderValue, orderIds, tagsOf, type Line } from './orders.ts'
import { boxOf, chargedWeight, courierFor, destination, zoneBetween, origin, type Consignment } from './routes.ts'
import { drawJourneyEnd, travel, type JourneyEnd, type ParcelProgress } from './journey.ts'

/** A shipment, and the facts that a return of it needs. */
export interface Parcel {
  readonly record: Shipment
  readonly deliveredAt: number | undefined
  readonly lines: readonly Line[]
  readonly courier: Courier | undefined
  readonly warehouse: Warehouse
  readonly place: Locality
  readonly zone: Zone
  readonly order: Order
}

interface Order {
  readonly id: string
  readonly display_id: string
  readonly external_id: string
  readonly channel: string
  readonly store_name: string | null
}

/** What a customer ordered, from whom and how. */
interface Sale {
  readonly shop: Shop | undefined
  readonly channel: string
  readonly lines: readonly Line[]
  /** Paise. */
  readonly total: number
  readonly exchange: boolean
  readonly influencer: boolean
  /** The customer wants to pay on delivery. */
  readonly wantsCod: boolean
}

function drawSale({ dice, shops }: World): Sale {
  const shop =
    shops.length === 0 || dice.chance(0.12) ? undefined : shops[Math.floor(dice.unit() ** 1.8 * shops.length)]!
  const channel = draw(dice, shop === undefined ? storelessChannel : storeChannel)
  const lines = linesOf(dice, shop)
  const total = orderValue(lines)
  const exchange = dice.chance(0.015)
  const influencer = dice.chance(0.012)
  const wantsCod = dice.chance(total < 150_000 ? 0.69 : total < 400_000 ? 0.58 : 0.38) && !exchange && !influencer
  return { shop, channel, lines, total, exchange, influencer, wantsCod }
}

const startOf = (dice: Dice, { plan }: World, { hold }: JourneyEnd): ParcelProgress => ({
  now: plan.now,
  hold,
  firstScan: 1_000_000 + dice.below(8_000_000),
  granular: 'pending',
  assigned: false,
  attempts: 0,
  ndr: null,
  rto: null,
  deliveredAt: undefined,
  milestones: [],
  scans: [],
})

/** A line as records contain it. */
export const itemOf = (line: Line) => ({
  id: line.id,
  quantity: line.quantity,
  price: rupeesOf(line.paise),
  name: line.good.product.name,
  sku: line.good.product.sku,
})

const addressIn = (dice: Dice, place: Locality) => ({
  name: personIn(dice, place.state),
  phone: String(6_000_000_000 + dice.below(4_000_000_000)),
  city: place.city,
  state: place.state,
  zip: place.pincode,
})

/**
 * The n-th parcel of a plan. With `earlier` (ms UTC), a parcel from before the plan, created then and always delivered.
 */
export function parcelAt(world: World, index: number, earlier?: number): Parcel {
  const { dice, plan, warehouses } = world
  dice.aim(streams.shipment, index)
  const id = uuid(dice)
  const created = earlier ?? orderTime(world, index)
  const spot = destination(world)
  const place = atlas().places[spot]!
  const site = origin(world, spot)
  const warehouse = warehouses[site]!
  const zone = zones[zoneBetween(world, site, spot)]!
  const sale = drawSale(world)
  const box = boxOf(sale.lines)

  const cod = sale.wantsCod ? sale.total : 0
  const trade: Consignment = { from: warehouse.place, to: place, zone, box, journey: 'forward', cod, qc: false }
  let courier = courierFor(dice, trade)
  const isCod = sale.wantsCod && courier !== undefined
  const route = isCod ? trade : { ...trade, cod: 0 }
  if (sale.wantsCod && !isCod) courier = courierFor(dice, route)
  const lot: JourneyEnd =
    earlier === undefined
      ? drawJourneyEnd(dice, plan.now - created, isCod)
      : { fate: 'delivered', attempts: 1, hold: undefined }
  const trip = startOf(dice, world, lot)
  travel(world, trip, created, lot, route, courier)

  const assigned = trip.assigned ? courier : undefined
  const number = tenDigits(index, plan.seed)
  const order = {
    id: `ORD${number}`,
    channel: sale.channel,
    ...orderIds(dice, sale.channel, index + 1, sale.shop),
    store_name: sale.shop?.store_name ?? null,
  }
  const status = shipmentBuckets[trip.granular]
  const record: Shipment = {
    id,
    type: 'shipment',
    attributes: {
      tracking_number: assigned === undefined ? null : assigned.prefix + number,
      status,
      sub_status: trip.granular === status ? null : trip.granular,
      created_at: stamp(created),
      warehouse_id: warehouse.id,
      total_price: rupeesOf(sale.total),
      cod_amount: rupeesOf(route.cod),
      is_cod: isCod,
      zone,
      applied_weight: { value: chargedWeight(box, assigned?.service), metric_unit: 'g' },
      attempt_count: trip.attempts,
      carrier: assigned?.carrier ?? null,
      order: orderOf(dice, order, created),
      items: sale.lines.map(itemOf),
      shipping_address: addressIn(dice, place),
      shipment_milestones: trip.milestones,
      tracking_details: trip.scans,
      granular_status: trip.granular,
      tags: tagsOf(dice, sale.lines, courier?.service.is_fast ?? false, sale.exchange, sale.influencer),
      ndr_reason: trip.ndr,
      rto_reason: trip.rto,
    },
  }
  const { deliveredAt } = trip
  return { record, deliveredAt, lines: sale.lines, courier: assigned, warehouse, place, zone, order }
}

/** An order as its shipment contains it; it was placed some time before the shipment was created. */
function orderOf(dice: Dice, { id, channel, display_id, external_id, store_name }: Order, created: number) {
  const order_date = stamp(seconds(created - 2 * minute - dice.unit() ** 4 * 20 * hour))
  return { id, order_date, channel, display_id, external_id, store_name }
}
