// Books an order: its warehouse, its store, the courier's offer, or why the order is refused.
import sql from 'sql-template-tag'
import { istDate } from '../../domain/time.ts'
import { ShipxError, type Code } from '../../domain/errors.ts'
import { nearest } from '../../domain/nearest.ts'
import { deliveryOf, orderRefusals, type OrderCreate } from '../../domain/orders.ts'
import type { Offer } from '../../domain/rates/pricing.ts'
import { quote, type RateRequest } from '../../domain/rates/rates.ts'
import type { RateCard } from '../../domain/rates/ratecard.ts'
import { chargesBy } from '../../domain/parcels/charges.ts'
import { row, type Dialect, type Work } from '../database/port.ts'
import type { NewCharges } from '../records/charges.ts'
import { cardInUse } from '../accounts/ratecards.ts'
import { warehousePincode } from '../accounts/settings.ts'
import { grams } from './record.ts'

export const rejection = (code: Code, field: string, message: string): ShipxError =>
  new ShipxError(code, message, { details: [{ field, message }] })

/** The pincode of a warehouse; throws `unknown_warehouse` if it is undefined. */
export function pincodeOrRefuse(warehouse: string, pincode: string | undefined): string {
  if (pincode === undefined)
    throw rejection('unknown_warehouse', 'warehouse_id', `the pincode of warehouse ${warehouse} is not known`)
  return pincode
}

/**
 * Where an order starts, and which courier takes it at a time, ms UTC. Throws the same as `createOrder`, except
 * `duplicate_order`.
 */
export function* bookable(
  card: RateCard,
  named: Lookups,
  input: OrderCreate,
  assign: boolean,
  now: number,
): Work<{ readonly pincode: string; readonly offer: Offer | undefined }> {
  const faults = orderRefusals(input, now)
  if (faults.length > 0) throw new ShipxError('rejected', faults[0]!.message, { details: faults })
  const unusable = input.store_name === undefined ? undefined : yield* named.storeFault(input.store_name)
  if (unusable !== undefined) throw unusable
  const pincode = pincodeOrRefuse(input.warehouse_id, yield* named.pincode(input.warehouse_id))
  // Without assignment, a named courier is a request for later.
  if (!assign && input.carrier_id !== undefined && !onCard(input.carrier_id, card))
    throw offCard(input.carrier_id, card)
  return { pincode, offer: assign ? offerFor(input, pincode, card, input.carrier_id, now) : undefined }
}

/** The warehouses and stores that orders name, each read once in a transaction: most orders of a file name the same. */
export interface Lookups {
  /** The pincode of a warehouse, if known. */
  readonly pincode: (warehouse: string) => Work<string | undefined>
  /** Why no order can link to a store; undefined if one can. */
  readonly storeFault: (store_name: string) => Work<ShipxError | undefined>
}

export function lookupsIn(dialect: Dialect, account: number): Lookups {
  const [pincodes, faults] = [new Map<string, string | undefined>(), new Map<string, ShipxError | undefined>()]
  return {
    pincode: (warehouse) => readOnce(pincodes, warehouse, () => warehousePincode(account, warehouse)),
    storeFault: (store_name) => readOnce(faults, store_name, () => storeFault(dialect, account, store_name)),
  }
}

function* readOnce<T>(
  known: Map<string, T | undefined>,
  name: string,
  ask: () => Work<T | undefined>,
): Work<T | undefined> {
  if (!known.has(name)) known.set(name, yield* ask())
  return known.get(name)
}

function* storeFault(dialect: Dialect, account: number, store_name: string): Work<ShipxError | undefined> {
  const store = yield* row<{ status: string }>(
    sql`select status from stores
      where account_id = ${account} and store_name = ${store_name}${dialect.locking('share')}`,
  )
  if (store === undefined)
    return rejection('unknown_store', 'store_name', `store ${store_name} does not exist in this account`)
  if (store.status !== 'connected')
    return rejection('store_disconnected', 'store_name', `store ${store_name} is disconnected`)
  return undefined
}

/** The rate request for an order. */
export function requestOf(input: OrderCreate, origin: string): RateRequest {
  const cod = input.payment_method === 'COD'
  return {
    journey_type: 'forward',
    origin_pincode: origin,
    destination_pincode: deliveryOf(input).zip,
    dead_weight: grams(input),
    length: input.length,
    width: input.breadth,
    height: input.height,
    payment_method: cod ? 'cod' : 'prepaid',
    // Of a prepaid order, only surcharges by value depend on it.
    shipment_value: cod ? input.cod_collectible! : input.sub_total,
  }
}

/** The offers for an order, and the GST percent of their card. */
export interface OrderOffers {
  readonly offers: readonly Offer[]
  readonly gst: number
}

/** All offers for an order at a time (ms UTC), in the order of the quote; none if its warehouse is unknown. */
export function* offersOf(account: number, input: OrderCreate, now: number): Work<OrderOffers> {
  const pincode = yield* warehousePincode(account, input.warehouse_id)
  const card = yield* cardInUse(account, istDate(now))
  const offers = pincode === undefined ? [] : quote(requestOf(input, pincode), card, now).offers
  return { offers, gst: card.gst_percent }
}

export function offerFor(
  input: OrderCreate,
  pincode: string,
  card: RateCard,
  carrier: string | undefined,
  now: number,
): Offer {
  const found = quote(requestOf(input, pincode), card, now)
  const offer =
    carrier === undefined ? found.offers[0] : found.offers.find((other) => other.service.carrier_id === carrier)
  if (offer !== undefined) return offer
  const lane = `${pincode} to ${deliveryOf(input).zip}`
  if (carrier === undefined) {
    const reasons = found.refusals.map((refusal) => `${refusal.service.carrier_name}: ${refusal.reason}`).join('; ')
    throw rejection('no_courier', 'shipping_pincode', `no courier takes the parcel from ${lane} (${reasons})`)
  }
  const refusal = found.refusals.find((other) => other.service.carrier_id === carrier)
  if (refusal === undefined) throw offCard(carrier, card)
  throw rejection(
    'no_courier',
    'carrier_id',
    `${refusal.service.carrier_name} does not take the parcel from ${lane}: ${refusal.reason}`,
  )
}

/** The charges of a shipment whose courier takes it at a time, ms UTC. */
export const quotedCharges = (shipment_id: string, offer: Offer, card: RateCard, now: number): NewCharges => ({
  ...chargesBy(offer, card, istDate(now)),
  shipment_id,
  quoted_by: 'order',
  quoted_at: now,
})

const onCard = (carrier: string, { services }: RateCard): boolean =>
  services.some(({ carrier_id }) => carrier_id === carrier)

const offCard = (carrier: string, card: RateCard): ShipxError =>
  rejection(
    'no_courier',
    'carrier_id',
    `carrier ${carrier} is not on the rate card ${card.name}${nearCarrier(carrier, card)}`,
  )

/** The card's carrier closest to an id or a name, as a question. */
function nearCarrier(carrier: string, { services }: RateCard): string {
  const near = nearest(
    carrier,
    services.flatMap((service) => [service.carrier_id, service.carrier_name]),
  )
  const meant = services.find((service) => service.carrier_id === near || service.carrier_name === near)
  return meant === undefined ? '' : `. Did you mean ${meant.carrier_id} (${meant.carrier_name})?`
}
