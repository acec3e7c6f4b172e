// Returns that the engine's own database makes: creation from a delivered shipment, QC, refund and progress
// (docs/inside/decisions.md, What is not in the service).
import sql, { join, raw } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { paiseOf, rupeesOf } from '../../domain/money.ts'
import { spellings } from '../../domain/parcels/ordernumbers.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { returnBuckets, type ReturnGranularStatus } from '../../domain/parcels/statuses.ts'
import { isoOf } from '../../domain/time.ts'
import type { ReturnEvent } from '../../domain/parcels/journeys.ts'
import { row, rows, type Dialect, type Work } from '../database/port.ts'
import { growingId } from '../growingids.ts'
import { digits, type Host } from '../runtime.ts'
import { newTracking } from './record.ts'
import { messageMaker, makeStepMessages } from '../messages/outbox.ts'
import { withDocs } from '../records/entry.ts'
import { findRecord, saveRecords } from '../records/records.ts'
import { applyToRecord } from '../tracking.ts'

/** What a new return needs. */
export interface ReturnDraft {
  /** Tracking number, id or order id of the shipment. */
  readonly shipment: string
  readonly reason: string
  /** The SKUs that come back; an empty list means all of them. */
  readonly skus: readonly string[]
  readonly exchange: boolean
  readonly qc: boolean
  readonly dangerous: boolean
}

/** What to change on a return. */
export interface ReturnChange {
  readonly status?: ReturnGranularStatus
  readonly qc?: string
  readonly refund?: string
}

/** The shipment that a reference names: tracking number, id, or the order's display id. Throws `not_found`. */
function* findShipment(account: number, reference: string): Work<Shipment> {
  let found: readonly { doc: string }[] = []
  for (const name of spellings(reference))
    if (found.length === 0)
      found = yield* rows<{ doc: string }>(
        join(
          ['tracking_number', 'id', 'order_display_id'].map(
            (column) =>
              sql`select d.doc from ${withDocs('shipment')}
                where r.account_id = ${account} and r.${raw(column)} = ${name}`,
          ),
          ' union all ',
          '',
          ' limit 2',
        ),
      )
  if (found.length === 0)
    throw new ShipxError('not_found', `there is no shipment ${reference}`, { hint: 'shipx shipments list' })
  if (found.length > 1)
    throw new ShipxError('wrong_state', `${reference} names several shipments; use a tracking number`)
  return JSON.parse(found[0]!.doc) as Shipment
}

/** Detailed statuses of returns that came to nothing: their items can be returned again. */
const cameToNothing: readonly unknown[] = ['return_cancelled', 'return_rejected'] satisfies ReturnGranularStatus[]

/** Throws `wrong_state` where a return of the shipment has one of the items already. */
function* refuseTwice(account: number, { id, attributes: shipped }: Shipment, items: Items): Work<void> {
  const docs = yield* rows<{ doc: string }>(
    sql`select d.doc from ${withDocs('return')} where r.account_id = ${account} and r.shipment_id = ${id}
      order by r.created_at, r.id`,
  )
  const asked = new Set(items.map(itemKey))
  const left = new Set(asked)
  const others: string[] = []
  for (const { doc } of docs) {
    const { id: other, attributes } = JSON.parse(doc) as Return
    if (cameToNothing.includes(attributes.granular_status ?? attributes.status)) continue
    const twice = (attributes.return_items ?? []).map(itemKey).filter((key) => asked.has(key))
    if (twice.length > 0) others.push(attributes.display_id ?? other)
    for (const key of twice) left.delete(key)
  }
  if (others.length === 0) return
  const order = shipped.order?.display_id ?? shipped.tracking_number ?? id
  const which = left.size === 0 ? 'these items' : [...asked].filter((key) => !left.has(key)).join(', ')
  throw new ShipxError('wrong_state', `${order} has a return of ${which} already: ${others.join(', ')}`, {
    hint: left.size === 0 ? `shipx returns get ${others[0]!}` : `for the other items: --sku ${[...left].join(',')}`,
  })
}

/** What items of one shipment are told apart by. */
const itemKey = ({ sku, name }: Items[number]): string => sku ?? name ?? ''

type Items = NonNullable<Shipment['attributes']['items']>

/**
 * Two returns of a shipment run one after the other. PostgreSQL would give a lock to the second one and not show it
 * what the first one made; that a row was written sends it back to its start.
 */
function* takeTurn({ planning }: Dialect, account: number, id: string): Work<void> {
  if (planning === undefined)
    yield* rows(sql`update shipments set status = status where account_id = ${account} and id = ${id}`)
}

/** Creates a return of a delivered shipment. Throws `not_found` or `wrong_state`. */
export function* createReturn(dialect: Dialect, account: number, host: Host, draft: ReturnDraft): Work<Return> {
  const shipment = yield* findShipment(account, draft.shipment)
  const { attributes: shipped, id } = shipment
  yield* takeTurn(dialect, account, id)
  if (shipped.status !== 'delivered') {
    throw new ShipxError(
      'wrong_state',
      `shipment ${draft.shipment} is ${String(shipped.status)}; only a delivered shipment can be returned`,
    )
  }
  const all = shipped.items ?? []
  const items = draft.skus.length === 0 ? all : all.filter((item) => draft.skus.includes(item.sku ?? ''))
  const unknown = draft.skus.filter((sku) => !all.some((item) => item.sku === sku))
  if (items.length === 0 && unknown.length === 0)
    throw new ShipxError('wrong_state', `shipment ${draft.shipment} has no items`)
  if (unknown.length > 0) {
    const skus = all.map((item) => item.sku).join(', ')
    throw new ShipxError(
      'wrong_state',
      `shipment ${draft.shipment} has no item with SKU ${unknown.join(', ')}; it has ${skus}`,
    )
  }
  yield* refuseTwice(account, shipment, items)
  const asked = host.now()
  const now = isoOf(asked)
  const total = items.reduce((sum, item) => sum + Math.round((paiseOf(item.price ?? 0) ?? 0) * (item.quantity ?? 1)), 0)
  const made: Return = {
    id: growingId(host.uuid(), asked),
    type: 'return',
    attributes: {
      return_reason: draft.reason,
      request_date: now,
      display_id: yield* newDisplayId(account, host),
      qc_status: draft.qc ? 'pending' : 'not_applicable',
      qc_required: draft.qc,
      status: 'return_requested',
      warehouse_id: shipped.warehouse_id,
      shipping_address: shipped.shipping_address,
      total_price: rupeesOf(total),
      is_exchange: draft.exchange,
      refund_status: 'pending',
      created_at: now,
      return_items: items.map((item) => ({ ...item, return_reason: draft.reason })),
      weight: shipped.applied_weight,
      shipment: { id, tracking_number: null, status: 'pending', carrier: shipped.carrier, shipment_milestones: [] },
      order: {
        id: shipped.order?.id,
        display_id: shipped.order?.display_id,
        channel: shipped.order?.channel,
        store_name: shipped.order?.store_name,
      },
      granular_status: 'return_requested',
      zone: shipped.zone,
      is_dangerous_goods: draft.dangerous,
    },
  }
  yield* saveRecords(dialect, account, 'return', [made])
  return made
}

function* newDisplayId(account: number, host: Host): Work<string> {
  for (;;) {
    const display = `RT-${host.letters(8, digits)}`
    if (
      (yield* row(sql`select id from returns where account_id = ${account} and display_id = ${display}`)) === undefined
    )
      return display
  }
}

/** The event that brings a return to a status; the merchant decides the other statuses. */
const eventTo: Partial<Record<ReturnGranularStatus, ReturnEvent>> = {
  return_pickup_scheduled: 'return_pickup_scheduled',
  return_not_picked: 'return_not_picked',
  return_in_transit: 'return_in_transit',
  return_ndr_raised: 'return_attempt_failed',
  return_qc_failed: 'return_qc_failed',
  return_delivered: 'return_delivered',
  return_lost: 'return_lost',
  return_cancelled: 'return_cancelled',
}

/** Final statuses of a return: only its refund changes after them. */
const ended: ReadonlySet<string> = new Set<ReturnGranularStatus>([
  'return_rejected',
  'return_delivered',
  'return_cancelled',
  'return_lost',
])

/**
 * Changes a return's status, QC or refund. The reference is its display id or id. Throws `not_found` or `wrong_state`.
 */
export function* updateReturn(
  dialect: Dialect,
  account: number,
  host: Host,
  reference: string,
  change: ReturnChange,
): Work<Return> {
  let byDisplay: { id: string } | undefined
  for (const name of spellings(reference))
    byDisplay ??= yield* row<{ id: string }>(
      sql`select id from returns where account_id = ${account} and display_id = ${name}`,
    )
  const doc = yield* findRecord(dialect, account, 'return', byDisplay?.id ?? reference)
  if (doc === undefined)
    throw new ShipxError('not_found', `there is no return ${reference}`, { hint: 'shipx returns list' })
  const before = JSON.parse(doc) as Return
  const { attributes } = before
  const granular = String(attributes.granular_status ?? attributes.status)
  if (change.status !== undefined && change.status !== granular && ended.has(granular)) {
    throw new ShipxError('wrong_state', `return ${reference} is ${granular}, which is final`)
  }
  if (change.qc !== undefined && attributes.qc_required === false && change.qc !== 'not_applicable') {
    throw new ShipxError('wrong_state', `return ${reference} needs no quality check`)
  }
  const shipment = attributes.shipment ?? {}
  const status = change.status === granular ? undefined : change.status
  const event = status === undefined ? undefined : eventTo[status]
  const scheduled = change.status === 'return_pickup_scheduled' && shipment.tracking_number == null
  const changed: Return = {
    ...before,
    attributes: {
      ...attributes,
      ...(status === undefined || event !== undefined
        ? {}
        : { status: returnBuckets[status].shown, granular_status: status }),
      ...(change.qc === undefined ? {} : { qc_status: change.qc }),
      ...(change.refund === undefined ? {} : { refund_status: change.refund }),
      shipment: {
        ...shipment,
        ...(scheduled ? { tracking_number: yield* newTracking(account, host) } : {}),
        ...(status === undefined || event !== undefined ? {} : { status: returnBuckets[status].shown }),
      },
    },
  }
  yield* saveRecords(dialect, account, 'return', [changed])
  const tell = messageMaker(account, host)
  const after =
    event === undefined
      ? changed
      : ((yield* applyToRecord(dialect, account, host, 'return', changed, event, tell)) as Return)
  if (change.refund === 'processed') yield* makeStepMessages(account, host, 'return', [after], 'refund')
  return after
}
