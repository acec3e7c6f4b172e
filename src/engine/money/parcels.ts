// Finds the parcels that an invoice bills: one query looks for hundreds of AWBs (docs/guides/money.md, How a line finds
// its parcel).
import sql, { raw, type Sql } from 'sql-template-tag'
import { cameBack, type KnownParcel } from '../../domain/money/parcel.ts'
import { deliveryOf, type OrderCreate } from '../../domain/orders.ts'
import { paiseOf } from '../../domain/money.ts'
import { roundWeight } from '../../domain/rates/measures.ts'
import { listsOf } from '../database/inlist.ts'
import { row, rows, type Work } from '../database/port.ts'
import { notTaken } from '../orders/handover.ts'
import { grams } from '../orders/record.ts'
import type { ParcelPlace } from './parcelplace.ts'
import { skuSizesOf, type SkuSize } from './skusizes.ts'

/** The parcels of some names; several where an AWB was used again. */
export type Found = Map<string, KnownParcel | readonly KnownParcel[]>

/** A shipment as it is read: what its parcel depends on, in one text. Of a million rows, each column takes time. */
interface ShipmentRow extends Record<string, unknown> {
  readonly text: string
}

/** The parts of such a text. */
interface Shipment {
  readonly id: string
  readonly awb: string
  readonly name: string | null
  readonly kind: string
  readonly weight: number | null
  readonly zip: string | null
  readonly worth: number | null
  readonly collected: number | null
  readonly day_at: number | null
  readonly delivered_at: number | null
}

/** Whether an AWB was used for several parcels. */
export const isList = (found: KnownParcel | readonly KnownParcel[]): found is readonly KnownParcel[] =>
  Array.isArray(found)

/** Whether the account has any shipment. */
export function* hasShipments(account: number): Work<boolean> {
  return (yield* row(sql`select id from shipments where account_id = ${account} limit 1`)) !== undefined
}

const apart = '\u001f'
const inner = '\u001e'

/** `concat` of both databases takes null as nothing, and a number as its digits. */
const between = (columns: readonly string[], separator: string): string => columns.join(`, '${separator}', `)

const moved =
  'coalesce(picked_up_at, in_transit_at, out_for_delivery_at, delivered_at, rto_initiated_at, rto_delivered_at) > 0'
const textWith = (id: string): Sql =>
  raw(
    `concat(${between(
      [
        'tracking_number',
        'order_display_id',
        'zip',
        'applied_weight',
        'total_price',
        'cod_amount',
        'coalesce(picked_up_at, ready_for_pickup_at, nullif(created_at, 0))',
        'delivered_at',
        id,
      ],
      inner,
    )}, '${inner}', ${between(
      [
        'carrier_id',
        'carrier_name',
        'warehouse_id',
        'zone',
        'status',
        'granular_status',
        `case when ${moved} then 1 end`,
        'is_cod',
      ],
      apart,
    )}) as text`,
  )

/** Ids are long, and only orders, SKUs and manifests are found by them. */
const [withIds, withoutIds] = [textWith('id'), textWith("''")]
const columnsFor = ({ orders, skus, manifests }: ParcelPlace): Sql =>
  orders || skus || manifests ? withIds : withoutIds

const textOf = (text: string): string | null => (text === '' ? null : text)
const numberOf = (text: string): number | null => (text === '' ? null : Number(text))

function shipmentIn({ text }: ShipmentRow): Shipment {
  const parts = text.split(inner)
  // A record with a separator in one of its texts cannot be taken apart: its parcel cannot be judged.
  const at = (n: number): string => (parts.length === 10 ? parts[n]! : '')
  return {
    awb: parts[0]!,
    name: textOf(at(1)),
    zip: textOf(at(2)),
    weight: numberOf(at(3)),
    worth: numberOf(at(4)),
    collected: numberOf(at(5)),
    day_at: numberOf(at(6)),
    delivered_at: numberOf(at(7)),
    id: at(8),
    kind: at(9),
  }
}

/** What many parcels have in common: courier, warehouse, zone, status and payment. */
interface Kind {
  readonly carrier_id: string | null
  readonly carrier_name: string | null
  readonly warehouse_id: string | null
  readonly zone: string | null
  readonly status: string | null
  readonly shipped: boolean
  readonly back: boolean
  readonly cod: boolean | undefined
}

const kinds = new Map<string, Kind>()

function kindOf(text: string): Kind {
  let kind = kinds.get(text)
  if (kind === undefined) {
    const all = text.split(apart)
    const parts = (all.length === 8 ? all : Array<string>(8).fill('')).map(textOf) as (string | null)[]
    const [id = null, name = null, warehouse = null, zone = null, status = null, granular = null, moving, cod] = parts
    kind = {
      carrier_id: id,
      carrier_name: name,
      warehouse_id: warehouse,
      zone,
      status,
      shipped: status !== 'cancelled' && (moving !== null || status !== 'pending'),
      back: cameBack(status, granular),
      cod: cod == null ? undefined : cod === '1',
    }
    if (kinds.size >= 20_000) kinds.clear()
    kinds.set(text, kind)
  }
  return kind
}

function* shipmentsOf(statement: Sql): Work<readonly Shipment[]> {
  return (yield* rows<ShipmentRow>(statement)).map(shipmentIn)
}

/** The parcels of AWBs: shipments, and the returns of those that no shipment has. */
export function* parcelsOf(place: ParcelPlace, awbs: readonly string[]): Work<Found> {
  const { account } = place
  const found: Found = new Map()
  for (const list of listsOf(awbs)) {
    const shipments = yield* shipmentsOf(
      sql`select ${columnsFor(place)} from shipments where account_id = ${account} and tracking_number in (${list})`,
    )
    for (const [shipment, parcel] of yield* shipmentParcels(place, shipments)) add(found, shipment.awb, parcel)
  }
  if (found.size === awbs.length) return found
  const left = awbs.filter((awb) => !found.has(awb))
  for (const list of listsOf(left)) {
    const returns = yield* rows<ReturnRow>(
      sql`select id, tracking_number as awb, order_display_id, carrier_id, carrier_name, warehouse_id, zone, zip,
          status, total_price, return_delivered_at as delivered_at,
          coalesce(return_pickup_scheduled_at, nullif(created_at, 0)) as day_at
        from returns where account_id = ${account} and tracking_number in (${list})`,
    )
    const ids = returns.map(({ id }) => id)
    const sizes = place.skus ? yield* skuSizesOf(place.dialect, account, 'return', ids) : noSizes
    for (const one of returns) add(found, one.awb, returnParcel(place, one, sizes.get(one.id)))
  }
  return found
}

/** The parcels of order numbers; for lines whose AWB no parcel has. */
export function* parcelsOfOrders(place: ParcelPlace, orders: readonly string[]): Work<Found> {
  const found: Found = new Map()
  for (const list of listsOf(orders)) {
    const shipments = yield* shipmentsOf(
      sql`select ${columnsFor(place)} from shipments
        where account_id = ${place.account} and order_display_id in (${list})`,
    )
    for (const [shipment, parcel] of yield* shipmentParcels(place, shipments)) add(found, shipment.name!, parcel)
  }
  return found
}

function add(found: Found, name: string, parcel: KnownParcel): void {
  const before = found.get(name)
  if (before === undefined) found.set(name, parcel)
  else found.set(name, [...(isList(before) ? before : [before]), parcel])
}

const noOrders: ReadonlyMap<string, OrderCreate> = new Map()
const noSizes: ReadonlyMap<string, SkuSize> = new Map()
const noStrucks: ReadonlyMap<string, string> = new Map()

/** Shipments with their parcels: by their orders, and by the SKUs of those without one. */
function* shipmentParcels(
  place: ParcelPlace,
  shipments: readonly Shipment[],
): Work<readonly (readonly [Shipment, KnownParcel])[]> {
  const orders = place.orders ? yield* ordersOf(place.account, shipments) : noOrders
  const left = place.skus ? shipments.flatMap(({ id }) => (orders.has(id) ? [] : [id])) : []
  const sizes = left.length === 0 ? noSizes : yield* skuSizesOf(place.dialect, place.account, 'shipment', left)
  const struckBy = place.manifests ? yield* strucksOf(place, shipments) : noStrucks
  return shipments.map((one) => {
    const parcel = shipmentParcel(place, one, orders.get(one.id), sizes.get(one.id))
    const struck = struckBy.get(one.id)
    return [one, struck === undefined ? parcel : { ...parcel, shipped: false, struck }] as const
  })
}

/** The manifests that say that the courier did not take a shipment, by its id. */
function* strucksOf(
  { dialect, account }: ParcelPlace,
  shipments: readonly Shipment[],
): Work<ReadonlyMap<string, string>> {
  const found = yield* notTaken(
    dialect,
    account,
    shipments.map(({ awb }) => awb),
  )
  return new Map(found.map(({ shipment_id: id, manifest }) => [id, manifest]))
}

function* ordersOf(account: number, shipments: readonly Shipment[]): Work<ReadonlyMap<string, OrderCreate>> {
  const docs = new Map<string, OrderCreate>()
  for (const list of listsOf(shipments.map(({ id }) => id))) {
    const found = yield* rows<{ shipment_id: string; doc: string }>(
      sql`select shipment_id, doc from orders where account_id = ${account} and shipment_id in (${list})`,
    )
    for (const { shipment_id: id, doc } of found) docs.set(id, JSON.parse(doc) as OrderCreate)
  }
  return docs
}

/** A shipment as a parcel, with the weight and sides of its order where it was made here, else of its SKUs. */
function shipmentParcel(
  { warehouses }: ParcelPlace,
  one: Shipment,
  order: OrderCreate | undefined,
  size: SkuSize | undefined,
): KnownParcel {
  const { weight, worth } = one
  const kind = kindOf(one.kind)
  const sizes = order === undefined ? size : undefined
  const collected = order?.cod_collectible === undefined ? one.collected : (paiseOf(order.cod_collectible) ?? null)
  return {
    awb: one.awb,
    order: one.name,
    carrier_id: kind.carrier_id,
    carrier_name: kind.carrier_name,
    journey: 'forward',
    merchant: kind.warehouse_id === null ? null : (warehouses.get(kind.warehouse_id) ?? null),
    customer: (order === undefined ? one.zip : deliveryOf(order).zip) ?? null,
    zone: kind.zone,
    day_at: one.day_at,
    status: kind.status,
    shipped: kind.shipped,
    back: kind.back,
    delivered_at: one.delivered_at,
    cod: kind.cod,
    cod_amount: one.collected,
    collected: collected === null || collected <= 0 ? (worth ?? undefined) : collected,
    worth: worth ?? undefined,
    // Field by field: to spread an object into each of a million parcels takes as long as to find them.
    dead: order === undefined ? (sizes === undefined ? deadOf(weight) : sizes.dead) : roundWeight(grams(order)),
    length: (order ?? sizes)?.length ?? 0,
    width: order?.breadth ?? sizes?.width ?? 0,
    height: (order ?? sizes)?.height ?? 0,
    weight_by: order === undefined ? (sizes === undefined ? 'record' : 'skus') : 'order',
  }
}

const noSides = { length: 0, width: 0, height: 0 }

const bySkus = (size: SkuSize | undefined) => size && { ...size, weight_by: 'skus' as const }

const deadOf = (milligrams: number | null): number | undefined =>
  milligrams === null || milligrams <= 0 ? undefined : roundWeight(milligrams / 1000)

interface ReturnRow extends Record<string, unknown> {
  readonly id: string
  readonly awb: string
  readonly order_display_id: string | null
  readonly carrier_id: string | null
  readonly carrier_name: string | null
  readonly warehouse_id: string | null
  readonly zone: string | null
  readonly zip: string | null
  readonly status: string | null
  readonly total_price: number | null
  readonly delivered_at: number | null
  readonly day_at: number | null
}

/** A return that is still at the customer. */
const unpicked: ReadonlySet<string | null> = new Set(['return_requested', 'pickup_scheduled'])

/** A return as a parcel: its record has no weight, but its SKUs may have. */
const returnParcel = ({ warehouses }: ParcelPlace, one: ReturnRow, size: SkuSize | undefined): KnownParcel => ({
  awb: one.awb,
  order: one.order_display_id,
  carrier_id: one.carrier_id,
  carrier_name: one.carrier_name,
  journey: 'return',
  merchant: one.warehouse_id === null ? null : (warehouses.get(one.warehouse_id) ?? null),
  customer: one.zip,
  zone: one.zone,
  day_at: one.day_at,
  status: one.status,
  shipped: one.status !== 'cancelled' && (one.delivered_at !== null || !unpicked.has(one.status)),
  back: false,
  delivered_at: null,
  cod: false,
  cod_amount: null,
  collected: undefined,
  worth: one.total_price ?? undefined,
  ...(bySkus(size) ?? { ...noSides, dead: undefined, weight_by: 'record' }),
})
