// What happens to an existing order: it gets a courier, or it is cancelled.
import sql from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { deliveryOf, type OrderAnswer, type OrderCreate } from '../../domain/orders.ts'
import { spellings } from '../../domain/parcels/ordernumbers.ts'
import { placeOf } from '../../domain/pincodes.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import type { GranularStatus } from '../../domain/parcels/statuses.ts'
import { zoneOf } from '../../domain/rates/zones.ts'
import { row, type Dialect, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'
import { istDate } from '../../domain/time.ts'
import { messageMaker } from '../messages/outbox.ts'
import { replaceCharges } from '../records/charges.ts'
import { findRecord, saveRecords } from '../records/records.ts'
import { cardInUse } from '../accounts/ratecards.ts'
import { warehousePincode } from '../accounts/settings.ts'
import { applyToRecord } from '../tracking.ts'
import { withCourier, newTracking, answerOf } from './record.ts'
import { pincodeOrRefuse, offerFor, quotedCharges } from './booking.ts'

interface OrderRow extends Record<string, unknown> {
  readonly id: string
  readonly shipment_id: string
  readonly doc: string
}

/** The order that a reference names: the merchant's order id, ours, or the shipment's id. Throws `not_found`. */
function* findOrder(
  dialect: Dialect,
  account: number,
  reference: string,
): Work<{ readonly input: OrderCreate; readonly shipment: Shipment }> {
  let order: OrderRow | undefined
  for (const name of spellings(reference))
    order ??= yield* row<OrderRow>(
      sql`select id, shipment_id, doc from orders
        where account_id = ${account} and (order_id = ${name} or id = ${name} or shipment_id = ${name})`,
    )
  const doc = order === undefined ? undefined : yield* findRecord(dialect, account, 'shipment', order.shipment_id)
  if (order === undefined || doc === undefined) {
    throw new ShipxError('not_found', `there is no order ${reference} that was created here`, {
      hint: 'shipx shipments list --granular-status pending',
    })
  }
  return { input: JSON.parse(order.doc) as OrderCreate, shipment: JSON.parse(doc) as Shipment }
}

/** Assigns a courier and a tracking number to an order. Throws `not_found`, `wrong_state`, `no_courier`. */
export function* assignOrder(
  dialect: Dialect,
  account: number,
  host: Host,
  reference: string,
  carrier: string | undefined,
): Work<{ readonly shipment: Shipment; readonly answer: OrderAnswer }> {
  const { input, shipment } = yield* findOrder(dialect, account, reference)
  const { granular_status: status, tracking_number: tracking } = shipment.attributes
  if (status !== 'pending' || tracking != null) {
    const which = tracking == null ? 'without a tracking number' : `with tracking number ${tracking}`
    throw new ShipxError('wrong_state', `order ${reference} is ${String(status)}, ${which}`)
  }
  const now = host.now()
  const card = yield* cardInUse(account, istDate(now))
  const pincode = pincodeOrRefuse(input.warehouse_id, yield* warehousePincode(account, input.warehouse_id))
  const offer = offerFor(input, pincode, card, carrier ?? input.carrier_id, now)
  const done = withCourier(shipment, offer, yield* newTracking(account, host), now)
  const from = placeOf(pincode)
  const to = placeOf(deliveryOf(input).zip)
  const zoned: Shipment = { ...done, attributes: { ...done.attributes, zone: zoneOf(from!, to!, card.zones).zone } }
  yield* saveRecords(dialect, account, 'shipment', [zoned])
  yield* replaceCharges(account, [quotedCharges(zoned.id, offer, card, now)])
  return { shipment: zoned, answer: answerOf(zoned, offer) }
}

/** Statuses that can still be cancelled: before a courier has picked the parcel up. */
const cancellable: ReadonlySet<string> = new Set<GranularStatus>([
  'pending',
  'processing',
  'ready_for_pickup',
  'pickup_scheduled',
  'not_picked',
])

/** Cancels an order that has not been picked up. Throws `not_found` or `wrong_state`. */
export function* cancelOrder(dialect: Dialect, account: number, host: Host, reference: string): Work<Shipment> {
  const { shipment } = yield* findOrder(dialect, account, reference)
  const granular = String(shipment.attributes.granular_status)
  if (!cancellable.has(granular))
    throw new ShipxError('wrong_state', `order ${reference} is ${granular} and can no longer be cancelled`)
  return (yield* applyToRecord(
    dialect,
    account,
    host,
    'shipment',
    shipment,
    'cancelled',
    messageMaker(account, host),
  )) as Shipment
}
