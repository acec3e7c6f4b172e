// Orders in the database: creation by both endpoints, courier assignment and cancellation (spec 4.6; docs/decisions.md,
// Orders); knows no driver, no transport and no command.
import sql, { empty } from 'sql-template-tag'
import { ShipxError, type Code } from '../../domain/errors.ts'
import { scaled, standardDivisor, volumetricWeight } from '../../domain/rates/measures.ts'
import { nearest } from '../../domain/nearest.ts'
import { rupeesText } from '../../domain/money.ts'
import { deliveryOf, orderRefusals, spellings, type OrderAnswer, type OrderCreate } from '../../domain/orders.ts'
import { placeOf } from '../../domain/pincodes.ts'
import type { Offer } from '../../domain/rates/pricing.ts'
import { quote, type RateRequest } from '../../domain/rates/rates.ts'
import type { RateCard } from '../../domain/rates/ratecard.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { shipmentBuckets, type GranularStatus } from '../../domain/parcels/statuses.ts'
import { isoOf, readOrderDate } from '../../domain/time.ts'
import { zoneOf } from '../../domain/rates/zones.ts'
import { row, rows, type Dialect, type Work } from '../database/port.ts'
import { capitals, digits, type Host } from '../runtime.ts'
import { listsOf } from '../database/inlist.ts'
import { tellInto, tellStep } from '../messages/outbox.ts'
import { findRecord, fixed, saveRecords } from '../records/records.ts'
import { cardInUse, warehousePincode } from '../accounts/settings.ts'
import { happen } from '../tracking.ts'

interface OrderRow extends Record<string, unknown> {
  readonly id: string
  readonly shipment_id: string
  readonly doc: string
}

const rejected = (code: Code, field: string, message: string): ShipxError =>
  new ShipxError(code, message, { details: [{ field, message }] })

/**
 * Creates an order and its shipment, with `assign` also a courier and a tracking number. Throws `duplicate_order`,
 * `unknown_store`, `store_disconnected`, `unknown_warehouse`, `no_courier` or, for what cannot be meant, `rejected`.
 */
export function* createOrder(
  dialect: Dialect,
  account: number,
  host: Host,
  input: OrderCreate,
  assign: boolean,
): Work<OrderAnswer> {
  yield* refuseDuplicate(account, input.order_id)
  const draft = yield* draftOf(account, host, yield* cardInUse(account), namedIn(dialect, account), input, assign)
  yield* saveDrafts(dialect, account, host, [draft])
  return answerOf(draft.shipment, draft.offer)
}

/** What became of one of many orders: its answer, the shipment that an order of this id has already, or why it was refused. */
export type Placed = { readonly answer: OrderAnswer } | { readonly there: Shipment } | { readonly refused: ShipxError }

/** Creates many orders, whose ids are all different, as one transaction; one that is refused leaves the others alone. */
export function* createOrders(
  dialect: Dialect,
  account: number,
  host: Host,
  inputs: readonly OrderCreate[],
  assign: boolean,
): Work<readonly Placed[]> {
  const card = yield* cardInUse(account)
  const known = yield* ordersThere(
    account,
    inputs.map((input) => input.order_id),
  )
  const named = namedIn(dialect, account)
  const placed: Placed[] = []
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

/** Who would take an order and for how much, or why it would be refused; without a courier where none is assigned. */
export type Foreseen = { readonly offer: Offer | undefined } | { readonly refused: ShipxError }

/** What `createOrders` would make of orders that are not there yet; changes nothing. */
export function* foreseeOrders(
  dialect: Dialect,
  account: number,
  host: Host,
  inputs: readonly OrderCreate[],
  assign: boolean,
): Work<readonly Foreseen[]> {
  const card = yield* cardInUse(account)
  // Nothing is held: a transaction that only reads may take no lock.
  const named = namedIn({ ...dialect, locking: () => empty }, account)
  const foreseen: Foreseen[] = []
  for (const input of inputs)
    try {
      const { offer } = yield* bookable(card, named, input, assign, host.now())
      foreseen.push({ offer })
    } catch (error) {
      foreseen.push({ refused: refusalOf(error) })
    }
  return foreseen
}

/** A refusal of one order; throws what is none. */
function refusalOf(error: unknown): ShipxError {
  if (error instanceof ShipxError && error.kind === 'rejected') return error
  throw error
}

/** The shipments of orders, by the merchant's own ids; an id that no order has is not in it. */
export function* ordersThere(account: number, ids: readonly string[]): Work<ReadonlyMap<string, Shipment>> {
  const found = new Map<string, Shipment>()
  // An account without shipments has no orders, which is cheaper to ask once than for each id.
  if ((yield* rows(sql`select 1 as one from shipments where account_id = ${account} limit 1`)).length === 0)
    return found
  for (const part of listsOf(ids)) {
    const shown = yield* rows<{ order_id: string; doc: string }>(
      sql`select order_display_id as order_id, doc from shipments where account_id = ${account} and order_display_id in (${part})`,
    )
    for (const { order_id, doc } of shown) {
      const shipment = JSON.parse(doc) as Shipment
      if (shipment.attributes.order?.external_id === order_id) found.set(order_id, shipment)
    }
    const made = yield* rows<{ order_id: string; doc: string }>(
      sql`select o.order_id, s.doc from orders o join shipments s on s.account_id = ${account} and s.id = o.shipment_id
        where o.account_id = ${account} and o.order_id in (${part})`,
    )
    for (const { order_id, doc } of made) found.set(order_id, JSON.parse(doc) as Shipment)
  }
  return found
}

/** An order that may be saved. */
interface Draft {
  readonly input: OrderCreate
  readonly shipment: Shipment
  readonly offer: Offer | undefined
  readonly now: number
}

/** Judges an order whose id no other has and makes what will be saved of it; nothing is written before all of this has passed. */
function* draftOf(
  account: number,
  host: Host,
  card: RateCard,
  named: Named,
  input: OrderCreate,
  assign: boolean,
): Work<Draft> {
  const now = host.now()
  const { pincode, offer } = yield* bookable(card, named, input, assign, now)
  const record = recordOf(host, input, pincode, card, now)
  const shipment = offer === undefined ? record : assigned(record, offer, yield* newTracking(account, host), now)
  return { input, shipment, offer, now }
}

/** The pincode of a warehouse; throws `unknown_warehouse` for none. */
function known(warehouse: string, pincode: string | undefined): string {
  if (pincode === undefined)
    throw rejected('unknown_warehouse', 'warehouse_id', `the pincode of warehouse ${warehouse} is not known`)
  return pincode
}

/** Where an order starts and who takes it at a time, ms UTC. Throws what `createOrder` throws but `duplicate_order`. */
function* bookable(
  card: RateCard,
  named: Named,
  input: OrderCreate,
  assign: boolean,
  now: number,
): Work<{ readonly pincode: string; readonly offer: Offer | undefined }> {
  const faults = orderRefusals(input, now)
  if (faults.length > 0) throw new ShipxError('rejected', faults[0]!.message, { details: faults })
  const unusable = input.store_name === undefined ? undefined : yield* named.storeFault(input.store_name)
  if (unusable !== undefined) throw unusable
  const pincode = known(input.warehouse_id, yield* named.pincode(input.warehouse_id))
  // Without a courier yet, the one that is named is a wish for later.
  if (!assign && input.carrier_id !== undefined && !onCard(input.carrier_id, card))
    throw offCard(input.carrier_id, card)
  return { pincode, offer: assign ? offerFor(input, pincode, card, input.carrier_id, now) : undefined }
}

const insertOrder = fixed(
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
  yield* tellStep(
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
      ? sql`select doc from shipments where account_id = ${account} and order_display_id = ${order_id}`
      : sql`select doc from shipments where account_id = ${account} and id = ${order.shipment_id}`,
  )
  const first = found
    .map(({ doc }) => JSON.parse(doc) as Shipment)
    .find((record) => order !== undefined || record.attributes.order?.external_id === order_id)
  if (first === undefined && order === undefined) return
  const tracking = first?.attributes.tracking_number
  throw rejected(
    'duplicate_order',
    'order_id',
    `order ${order_id} exists already, ${tracking == null ? 'without a tracking number yet' : `tracking number ${tracking}`}`,
  )
}

/** What orders name, each asked for once in a transaction: nearly all orders of a file name the same. */
interface Named {
  /** The pincode of a warehouse, where it is known. */
  readonly pincode: (warehouse: string) => Work<string | undefined>
  /** Why no order can be linked to a store. */
  readonly storeFault: (store_name: string) => Work<ShipxError | undefined>
}

function namedIn(dialect: Dialect, account: number): Named {
  const [pincodes, faults] = [new Map<string, string | undefined>(), new Map<string, ShipxError | undefined>()]
  return {
    pincode: (warehouse) => once(pincodes, warehouse, () => warehousePincode(account, warehouse)),
    storeFault: (store_name) => once(faults, store_name, () => storeFault(dialect, account, store_name)),
  }
}

function* once<T>(
  known: Map<string, T | undefined>,
  name: string,
  ask: () => Work<T | undefined>,
): Work<T | undefined> {
  if (!known.has(name)) known.set(name, yield* ask())
  return known.get(name)
}

function* storeFault(dialect: Dialect, account: number, store_name: string): Work<ShipxError | undefined> {
  const store = yield* row<{ status: string }>(
    sql`select status from stores where account_id = ${account} and store_name = ${store_name}${dialect.locking('share')}`,
  )
  if (store === undefined)
    return rejected('unknown_store', 'store_name', `store ${store_name} does not exist in this account`)
  if (store.status !== 'connected')
    return rejected('store_disconnected', 'store_name', `store ${store_name} is disconnected`)
  return undefined
}

const grams = (input: OrderCreate): number => scaled(input.weight, 1000)

/** The quote that an order asks for, as a rate request. */
function requestOf(input: OrderCreate, origin: string): RateRequest {
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
    ...(cod ? { shipment_value: input.cod_collectible! } : {}),
  }
}

/** Everyone who takes an order at a time (ms UTC), in the order of the quote; nobody where its warehouse is not known. */
export function* offersOf(account: number, input: OrderCreate, now: number): Work<readonly Offer[]> {
  const pincode = yield* warehousePincode(account, input.warehouse_id)
  return pincode === undefined ? [] : quote(requestOf(input, pincode), yield* cardInUse(account), now).offers
}

function offerFor(
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
    throw rejected('no_courier', 'shipping_pincode', `no courier takes the parcel from ${lane} (${reasons})`)
  }
  const refusal = found.refusals.find((other) => other.service.carrier_id === carrier)
  if (refusal === undefined) throw offCard(carrier, card)
  throw rejected(
    'no_courier',
    'carrier_id',
    `${refusal.service.carrier_name} does not take the parcel from ${lane}: ${refusal.reason}`,
  )
}

const onCard = (carrier: string, { services }: RateCard): boolean =>
  services.some(({ carrier_id }) => carrier_id === carrier)

const offCard = (carrier: string, card: RateCard): ShipxError =>
  rejected(
    'no_courier',
    'carrier_id',
    `carrier ${carrier} is not on the rate card ${card.name}${nearCarrier(carrier, card)}`,
  )

/** The nearest carrier of the card to an id or a name, as a question. */
function nearCarrier(carrier: string, { services }: RateCard): string {
  const near = nearest(
    carrier,
    services.flatMap((service) => [service.carrier_id, service.carrier_name]),
  )
  const meant = services.find((service) => service.carrier_id === near || service.carrier_name === near)
  return meant === undefined ? '' : `. Did you mean ${meant.carrier_id} (${meant.carrier_name})?`
}

/** The shipment of a new order, without a courier yet. */
function recordOf(host: Host, input: OrderCreate, pincode: string, card: RateCard, now: number): Shipment {
  const address = deliveryOf(input)
  const from = placeOf(pincode)
  const to = placeOf(address.zip)
  const volumetric = volumetricWeight(input.length, input.breadth, input.height, standardDivisor)
  return {
    id: host.uuid(),
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
        ...keptOf(input),
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

/** What an order brings to be kept and returned, no more: absent where it brought none (docs/decisions.md, Orders). */
const keptOf = (order: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(keptFields.flatMap((field) => (order[field] === undefined ? [] : [[field, order[field]]])))

const keptFields = ['rto_warehouse_id', 'channel_id', 'vendor_details'] as const

/** A shipment's status fields for a detailed status. */
export function statusFields(granular: GranularStatus) {
  const status = shipmentBuckets[granular]
  return { status, sub_status: granular === status ? null : granular, granular_status: granular }
}

function assigned(record: Shipment, offer: Offer, tracking: string, now: number): Shipment {
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

/** A tracking number of 14 digits that no shipment of the account has. */
export function* newTracking(account: number, host: Host): Work<string> {
  for (;;) {
    const number = `7${host.letters(13, digits)}`
    const other = yield* row(
      sql`select id from shipments where account_id = ${account} and tracking_number = ${number}`,
    )
    if (other === undefined) return number
  }
}

function answerOf(shipment: Shipment, offer: Offer | undefined): OrderAnswer {
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
      ...keptOf(attributes.order!),
    },
  }
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
    throw new ShipxError('not_found', `there is no order ${reference} made by this engine`, {
      hint: 'shipx shipments list --granular-status pending',
    })
  }
  return { input: JSON.parse(order.doc) as OrderCreate, shipment: JSON.parse(doc) as Shipment }
}

/** Gives an unassigned order a courier and a tracking number. Throws `not_found`, `wrong_state`, `no_courier`. */
export function* assignOrder(
  dialect: Dialect,
  account: number,
  host: Host,
  reference: string,
  carrier: string | undefined,
): Work<{ readonly shipment: Shipment; readonly answer: OrderAnswer }> {
  const { input, shipment } = yield* findOrder(dialect, account, reference)
  if (shipment.attributes.granular_status !== 'pending' || shipment.attributes.tracking_number != null) {
    throw new ShipxError(
      'wrong_state',
      `order ${reference} is ${String(shipment.attributes.granular_status)}, with tracking number ${String(shipment.attributes.tracking_number)}`,
    )
  }
  const now = host.now()
  const card = yield* cardInUse(account)
  const pincode = known(input.warehouse_id, yield* warehousePincode(account, input.warehouse_id))
  const offer = offerFor(input, pincode, card, carrier ?? input.carrier_id, now)
  const done = assigned(shipment, offer, yield* newTracking(account, host), now)
  const from = placeOf(pincode)
  const to = placeOf(deliveryOf(input).zip)
  const zoned: Shipment = { ...done, attributes: { ...done.attributes, zone: zoneOf(from!, to!, card.zones).zone } }
  yield* saveRecords(dialect, account, 'shipment', [zoned])
  return { shipment: zoned, answer: answerOf(zoned, offer) }
}

/** What may still be cancelled: nothing that a courier has picked up. */
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
    throw new ShipxError('wrong_state', `order ${reference} is ${granular} and cannot be cancelled any more`)
  return (yield* happen(dialect, account, host, 'shipment', shipment, 'cancelled', tellInto(account, host))) as Shipment
}
