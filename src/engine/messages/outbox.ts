// The outbox: makes a message for each step that customers hear about, and for each change that webhooks receive. It
// does so in the transaction of the step (docs/guides/messages.md). It sends nothing.
import sql from 'sql-template-tag'
import type { CustomerStep, TrackingEvent, Notice } from '../../domain/parcels/journeys.ts'
import { dueAt, phoneOf, stepOf, type Facts, type MessageChannel } from '../../domain/messages/messages.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { isoOf } from '../../domain/time.ts'
import { brandsNow } from './brands.ts'
import { rows, type RecordKind, type Work } from '../database/port.ts'
import { growingId } from '../growingids.ts'
import type { Host } from '../runtime.ts'
import { listsOf } from '../database/inlist.ts'
import type { ParcelChange } from '../events.ts'
import { cancelWaiting, saveMessages, stepsTold, type MessageRow } from './messagerows.ts'
import { webhooksOf, type Webhook } from './webhooks.ts'

/** Whether messages are sent. `withheld` keeps them unsent, so that a later event does not send the same step. */
export type InitialStatus = 'waiting' | 'withheld'

/** What making messages needs to know, and the rows made so far. */
interface Outbox {
  readonly account: number
  readonly host: Host
  readonly telling: InitialStatus
  readonly now: number
  readonly hooks: readonly Webhook[]
  /** The steps of each record that already have a message. */
  readonly told: Map<string, Set<string>>
  /** The records whose customers heard before that the parcel has arrived, or comes back. */
  readonly ended: ReadonlySet<string>
  readonly brandOf: ReturnType<typeof brandsNow>
  readonly mails: ReadonlyMap<string, string>
  readonly silent: ReadonlySet<string>
  readonly lines: MessageRow[]
}

/**
 * Makes the messages about what parcels did, as often as one transaction asks; a step gets at most one message. Returns
 * how many will be sent to customers.
 */
export function messageMaker(account: number, host: Host, telling: InitialStatus = 'waiting') {
  const brandOf = brandsNow(account, host)
  return function* (moved: readonly ParcelChange[]): Work<number> {
    const wanted = moved.filter(({ steps, changes }) => steps.length > 0 || changes.length > 0)
    if (wanted.length === 0) return 0
    const hooks = yield* webhooksOf(account, 'status')
    const customers = wanted.filter(({ steps }) => steps.length > 0)
    const records = wanted.map(({ record }) => record.id)
    const phones = customers.flatMap((one) => phoneFor(one) ?? [])
    const told = yield* stepsTold(account, records)
    yield* cancelWaiting(
      account,
      wanted.filter(({ record }) => record.attributes.status === 'cancelled').map(({ record }) => record.id),
    )
    const outbox: Outbox = {
      account,
      host,
      telling,
      now: host.now(),
      hooks,
      told,
      ended: new Set(records.filter((id) => endings.some((step) => told.get(id)?.has(step) === true))),
      brandOf,
      mails: yield* mailsOf(account, customers.map(shipmentOf)),
      silent: yield* optedOut(account, phones),
      lines: [],
    }
    for (const one of wanted) {
      yield* tellCustomer(outbox, one)
      tellWebhooks(outbox, one)
    }
    // None of these messages can exist already: the transaction that moves a parcel locks its record until its end.
    yield* saveMessages(account, outbox.now, outbox.lines)
    return outbox.lines.filter(({ channel, status }) => channel !== 'webhook' && status === 'waiting').length
  }
}

/** The steps after which nothing on the way to the customer is news. */
const endings: readonly CustomerStep[] = ['delivered', 'coming_back']

const onTheWay: ReadonlySet<CustomerStep> = new Set([
  'order_confirmed',
  'shipped',
  'out_for_delivery',
  'attempt_failed',
])

/** A new id for the message of a step; undefined if the step already has a message. */
function newMessage({ host, told }: Outbox, record: string, step: string): string | undefined {
  const known = told.get(record) ?? new Set()
  if (known.has(step)) return undefined
  // By the number of its messages, so that a parcel's messages of one moment keep the order of its steps.
  const id = growingId(host.uuid(), host.now(), known.size)
  told.set(record, known.add(step))
  return id
}

function* tellCustomer(outbox: Outbox, one: ParcelChange): Work<void> {
  const { telling, now, brandOf, mails, silent, lines } = outbox
  const facts = factsOf(one)
  for (const happened of one.steps) {
    const { step } = happened
    // A late scan of the way there is no news to a customer who has the parcel, or knows that it comes back.
    if (outbox.ended.has(one.record.id) && onTheWay.has(stepOf(step))) continue
    const id = newMessage(outbox, one.record.id, step)
    if (id === undefined) continue
    const email = mails.get(shipmentOf(one)) ?? null
    const channel: MessageChannel = email === null ? 'text' : 'email'
    const phone = phoneFor(one)
    const store_name = one.record.attributes.order?.store_name ?? null
    const brand = yield* brandOf(store_name)
    lines.push({
      id,
      record_id: one.record.id,
      step,
      channel,
      status: telling === 'waiting' && phone !== null && silent.has(phone) ? 'opted_out' : telling,
      tracking_number: trackingOf(one),
      order_id: orderOf(one),
      store_id: brand?.store_id ?? null,
      store_name,
      brand: brand?.id ?? null,
      phone,
      email,
      doc: JSON.stringify(facts(happened)),
      due: dueAt(now, channel, step),
    })
  }
}

/**
 * Each webhook has its own messages: a receiver that does not answer delays no other. A late scan brings the kept ones
 * with it; a webhook that was set after those does not get them.
 */
function tellWebhooks(outbox: Outbox, one: ParcelChange): void {
  for (const { event, granular, since } of one.changes)
    for (const { id: hook, created_at } of outbox.hooks) {
      if (since < created_at) continue
      const step = `status:${event.id}:${hook}`
      const id = newMessage(outbox, one.record.id, step)
      if (id === undefined) continue
      outbox.lines.push({
        id,
        record_id: one.record.id,
        step,
        channel: 'webhook',
        target: hook,
        status: outbox.telling,
        tracking_number: trackingOf(one),
        order_id: orderOf(one),
        doc: statusText(one, event, granular),
        due: outbox.now,
      })
    }
}

const trackingOf = ({ kind, record }: Pick<ParcelChange, 'kind' | 'record'>): string | null =>
  (kind === 'shipment'
    ? (record as Shipment).attributes.tracking_number
    : (record as Return).attributes.shipment?.tracking_number) ?? null

/** The customer's phone, in the form in which phones are kept. */
const phoneFor = ({ record }: ParcelChange): string | null => {
  const phone = record.attributes.shipping_address?.phone ?? ''
  return phone === '' ? null : phoneOf(phone)
}

const orderOf = ({ record }: ParcelChange): string | null => record.attributes.order?.display_id ?? null

/** The forward shipment of a record. It leads to the order, and so to the e-mail address. */
const shipmentOf = ({ kind, record }: ParcelChange): string =>
  kind === 'shipment' ? record.id : ((record as Return).attributes.shipment?.id ?? '')

/** The customers' e-mail addresses by shipment, from orders that were made here and have one. */
function* mailsOf(account: number, shipments: readonly string[]): Work<ReadonlyMap<string, string>> {
  const mails = new Map<string, string>()
  for (const part of listsOf(shipments)) {
    const found = yield* rows<{ shipment_id: string; doc: string }>(
      sql`select shipment_id, doc from orders where account_id = ${account} and shipment_id in (${part})`,
    )
    for (const { shipment_id, doc } of found) {
      const { billing_email: mail } = JSON.parse(doc) as { readonly billing_email?: string }
      if (mail !== undefined && mail !== '') mails.set(shipment_id, mail)
    }
  }
  return mails
}

/** The phones that get no messages. */
function* optedOut(account: number, phones: readonly string[]): Work<ReadonlySet<string>> {
  const silent = new Set<string>()
  for (const part of listsOf(phones)) {
    const found = yield* rows<{ phone: string }>(
      sql`select phone from optouts where account_id = ${account} and phone in (${part})`,
    )
    for (const { phone } of found) silent.add(phone)
  }
  return silent
}

/** Returns a function that makes the facts of a parcel for any of its steps. */
function factsOf({ kind, record }: ParcelChange): (told: Notice) => Facts {
  const forward = kind === 'shipment' ? (record as Shipment).attributes : undefined
  const back = kind === 'return' ? (record as Return).attributes : undefined
  const { order, shipping_address: address, total_price: total } = record.attributes
  const items = (forward?.items ?? back?.return_items ?? []).map(({ name, quantity }) => ({
    name: name ?? null,
    quantity: quantity ?? 1,
  }))
  return ({ step, at, reason }) => ({
    step: stepOf(step),
    at: isoOf(at),
    tracking_number: trackingOf({ kind, record }),
    order: order?.display_id ?? null,
    courier: (forward?.carrier ?? back?.shipment?.carrier)?.name ?? null,
    customer: { name: address?.name ?? null, city: address?.city ?? null, pincode: address?.zip ?? null },
    items,
    total: total ?? null,
    cod: forward?.is_cod === true ? (forward.cod_amount ?? null) : null,
    attempt: step.includes(':') ? Number(step.split(':')[1]) : null,
    reason: stepOf(step) === 'attempt_failed' ? (reason ?? 'other') : null,
    return: back?.display_id ?? null,
  })
}

/**
 * A status change in the form that webhook receivers of such deployments know (docs/guides/delivery.md, Status
 * webhooks).
 */
function statusText({ kind, record }: ParcelChange, event: TrackingEvent, granular: string | null): string {
  const forward = kind === 'shipment' ? (record as Shipment).attributes : undefined
  const back = kind === 'return' ? (record as Return).attributes : undefined
  const order = record.attributes.order
  const delivered = granular === 'delivered' || granular === 'return_delivered' || granular === 'rto_delivered'
  return JSON.stringify({
    event: 'status_change',
    event_id: event.id,
    event_timestamp: isoOf(event.at),
    data: {
      shipment_id: record.id,
      tracking_number: trackingOf({ kind, record }),
      order_id: order?.id ?? null,
      order_external_id: order?.external_id ?? null,
      order_display_id: order?.display_id ?? null,
      status: granular,
      sub_status: granular,
      carrier_name: (forward?.carrier ?? back?.shipment?.carrier)?.name ?? null,
      estimated_delivery_date: null,
      original_edd: null,
      shipment_type: kind === 'return' ? 'return' : granular?.startsWith('rto_') === true ? 'rto' : 'forward',
      delivered_at: delivered ? isoOf(event.at) : null,
      tracking_url: null,
    },
  })
}

/** Makes the messages of a step that comes without an event: a new order, a refund. */
export function* makeStepMessages(
  account: number,
  host: Host,
  kind: RecordKind,
  records: readonly (Shipment | Return)[],
  step: CustomerStep,
): Work<void> {
  const told: Notice = { step, at: host.now(), reason: null }
  yield* messageMaker(account, host)(records.map((record) => ({ kind, record, steps: [told], changes: [] })))
}
