// Orders in the database: creates them, for both endpoints (spec 4.6; docs/inside/decisions.md, Orders).
import sql from 'sql-template-tag'
import { empty } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import type { OrderAnswer, OrderCreate } from '../../domain/orders.ts'
import type { Offer } from '../../domain/rates/pricing.ts'
import type { RateCard } from '../../domain/rates/ratecard.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { row, rows, type Dialect, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'
import { istDate } from '../../domain/time.ts'
import { listsOf } from '../database/inlist.ts'
import { makeStepMessages } from '../messages/outbox.ts'
import { addCharges } from '../records/charges.ts'
import { withDocs } from '../records/entry.ts'
import { fixedStatement, saveRecords } from '../records/records.ts'
import { cardInUse } from '../accounts/ratecards.ts'
import { newShipment, withCourier, newTracking, answerOf } from './record.ts'
import { rejection, bookable, lookupsIn, quotedCharges, type Lookups } from './booking.ts'

/**
 * Creates an order and its shipment; with `assign`, also a courier and a tracking number. Throws `duplicate_order`,
 * `unknown_store`, `store_disconnected`, `unknown_warehouse`, `no_courier` or, for values that cannot be meant,
 * `rejected`.
 */
export function* createOrder(
  dialect: Dialect,
  account: number,
  host: Host,
  input: OrderCreate,
  assign: boolean,
): Work<OrderAnswer> {
  yield* refuseDuplicate(account, input.order_id)
  const draft = yield* draftOf(
    account,
    host,
    yield* cardInUse(account, istDate(host.now())),
    lookupsIn(dialect, account),
    input,
    assign,
  )
  yield* saveDrafts(dialect, account, host, [draft])
  return answerOf(draft.shipment, draft.offer)
}

/** An order that is there: its shipment, and the order as it was made, where it was made here. */
export interface OrderThere {
  readonly shipment: Shipment
  readonly made: OrderCreate | undefined
}

/**
 * The outcome of one of many orders: its answer, the shipment that already has this order id, or why it was refused.
 */
export type OrderOutcome =
  { readonly answer: OrderAnswer } | { readonly there: OrderThere } | { readonly refused: ShipxError }

/**
 * Creates many orders in one transaction; a refused one does not affect the others. Their ids must all be different.
 */
export function* createOrders(
  dialect: Dialect,
  account: number,
  host: Host,
  inputs: readonly OrderCreate[],
  assign: boolean,
): Work<readonly OrderOutcome[]> {
  const card = yield* cardInUse(account, istDate(host.now()))
  const known = yield* ordersThere(
    account,
    inputs.map((input) => input.order_id),
  )
  const named = lookupsIn(dialect, account)
  const placed: OrderOutcome[] = []
  const drafts: Draft[] = []
  for (const input of inputs) {
    const there = known.get(input.order_id)
    if (there !== undefined) placed.push({ there })
    else
      try {
        const draft = yield* draftOf(account, host, card, named, input, assign)
        drafts.push(draft)
        placed.push({ answer: answerOf(draft.shipment, draft.offer) })
      } catch (error) {
        placed.push({ refused: refusalOf(error) })
      }
  }
  yield* saveDrafts(dialect, account, host, drafts)
  return placed
}

/**
 * The courier and price that an order would get, or why it would be refused. Without assignment there is no courier.
 */
export type OrderPreview = { readonly offer: Offer | undefined } | { readonly refused: ShipxError }

/** What `createOrders` would do with orders that do not exist yet; changes nothing. */
export function* previewOrders(
  dialect: Dialect,
  account: number,
  host: Host,
  inputs: readonly OrderCreate[],
  assign: boolean,
): Work<readonly OrderPreview[]> {
  const card = yield* cardInUse(account, istDate(host.now()))
  // A read-only transaction cannot take locks.
  const named = lookupsIn({ ...dialect, locking: () => empty }, account)
  const foreseen: OrderPreview[] = []
  for (const input of inputs)
    try {
      const { offer } = yield* bookable(card, named, input, assign, host.now())
      foreseen.push({ offer })
    } catch (error) {
      foreseen.push({ refused: refusalOf(error) })
    }
  return foreseen
}

/** The refusal of one order; throws any other error. */
function refusalOf(error: unknown): ShipxError {
  if (error instanceof ShipxError && error.kind === 'rejected') return error
  throw error
}

/** The orders that are there, by the merchant's own ids; without the ids that no order has. */
export function* ordersThere(account: number, ids: readonly string[]): Work<ReadonlyMap<string, OrderThere>> {
  const found = new Map<string, OrderThere>()
  // An account without shipments has no orders: one query finds that out more cheaply than one for each id.
  if ((yield* rows(sql`select 1 as one from shipments where account_id = ${account} limit 1`)).length === 0)
    return found
  for (const part of listsOf(ids)) {
    const shown = yield* rows<{ order_id: string; doc: string }>(
      sql`select r.order_display_id as order_id, d.doc from ${withDocs('shipment')}
        where r.account_id = ${account} and r.order_display_id in (${part})`,
    )
    for (const { order_id, doc } of shown) {
      const shipment = JSON.parse(doc) as Shipment
      if (shipment.attributes.order?.external_id === order_id) found.set(order_id, { shipment, made: undefined })
    }
    const made = yield* rows<{ order_id: string; made: string; doc: string }>(
      sql`select o.order_id, o.doc as made, d.doc from orders o, ${withDocs('shipment')}
        where o.account_id = ${account} and o.order_id in (${part})
          and r.account_id = ${account} and r.id = o.shipment_id`,
    )
    for (const one of made)
      found.set(one.order_id, { shipment: JSON.parse(one.doc) as Shipment, made: JSON.parse(one.made) as OrderCreate })
  }
  return found
}

/** An order that is ready to save. */
interface Draft {
  readonly input: OrderCreate
  readonly shipment: Shipment
  readonly offer: Offer | undefined
  /** The card of the offer. */
  readonly card: RateCard
  readonly now: number
}

/** Checks an order whose id is new and makes its rows. Nothing is written before all checks have passed. */
function* draftOf(
  account: number,
  host: Host,
  card: RateCard,
  named: Lookups,
  input: OrderCreate,
  assign: boolean,
): Work<Draft> {
  const now = host.now()
  const { pincode, offer } = yield* bookable(card, named, input, assign, now)
  const record = newShipment(host, input, pincode, card, now)
  const shipment = offer === undefined ? record : withCourier(record, offer, yield* newTracking(account, host), now)
  return { input, shipment, offer, card, now }
}

const insertOrder = fixedStatement(
  'insert into orders (account_id, id, order_id, shipment_id, doc, created_at) values (?, ?, ?, ?, ?, ?)',
)

function* saveDrafts(dialect: Dialect, account: number, host: Host, drafts: readonly Draft[]): Work<void> {
  yield* saveRecords(
    dialect,
    account,
    'shipment',
    drafts.map(({ shipment }) => shipment),
  )
  const [first, ...more] = drafts.map(({ input, shipment, now }) => [
    account,
    shipment.attributes.order!.id!,
    input.order_id,
    shipment.id,
    JSON.stringify(input),
    now,
  ])
  if (first !== undefined) yield* rows({ ...insertOrder(first), more })
  yield* addCharges(
    account,
    drafts.flatMap(({ shipment, offer, card, now }) =>
      offer === undefined ? [] : quotedCharges(shipment.id, offer, card, now),
    ),
  )
  yield* makeStepMessages(
    account,
    host,
    'shipment',
    drafts.map(({ shipment }) => shipment),
    'order_confirmed',
  )
}

function* refuseDuplicate(account: number, order_id: string): Work<void> {
  const order = yield* row<{ shipment_id: string }>(
    sql`select shipment_id from orders where account_id = ${account} and order_id = ${order_id}`,
  )
  const found = yield* rows<{ doc: string }>(
    order === undefined
      ? sql`select d.doc from ${withDocs('shipment')}
          where r.account_id = ${account} and r.order_display_id = ${order_id}`
      : sql`select d.doc from ${withDocs('shipment')}
          where r.account_id = ${account} and r.id = ${order.shipment_id}`,
  )
  const first = found
    .map(({ doc }) => JSON.parse(doc) as Shipment)
    .find((record) => order !== undefined || record.attributes.order?.external_id === order_id)
  if (first === undefined && order === undefined) return
  const tracking = first?.attributes.tracking_number
  const which = tracking == null ? 'without a tracking number yet' : `tracking number ${tracking}`
  throw rejection('duplicate_order', 'order_id', `order ${order_id} exists already, ${which}`)
}
