// The outbox: a message for each step that a customer is told of, and for each change that the merchant's systems are told of,
// made in the transaction of the step (docs/messages.md); sends nothing and knows no text.
import sql from 'sql-template-tag'
import type { CustomerStep, TrackingEvent, Notice } from '../../domain/parcels/journeys.ts'
import { dueAt, phoneOf, stepOf, type Facts, type MessageChannel } from '../../domain/messages/messages.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { isoOf } from '../../domain/time.ts'
import { brandsNow } from './brands.ts'
import { rows, type RecordKind, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'
import { listOf } from '../database/inlist.ts'
import { fixed } from '../records/records.ts'
import type { Moved } from '../tracking.ts'

/** Whether messages are sent; `withheld` keeps them, so that a later event does not tell the same step after all. */
export type Telling = 'waiting' | 'withheld'

const insertMessage = fixed(
  'insert into messages (account_id, id, record_id, step, channel, target, status, tracking_number, order_id, store_id, store_name, brand, phone, email, doc, created_at, due_at, next_at, attempts) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
)

/**
 * Makes the messages of what parcels did; a step that was told before is not told again. Gives how many of them customers are to
 * be sent.
 */
export const tellInto = (account: number, host: Host, telling: Telling = 'waiting') =>
  function* (moved: readonly Moved[]): Work<number> {
    const wanted = moved.filter(({ steps, changes }) => steps.length > 0 || changes.length > 0)
    if (wanted.length === 0) return 0
    const hooks = yield* rows<{ id: string }>(sql`select id from webhooks where account_id = ${account} order by id`)
    const customers = wanted.filter(({ steps }) => steps.length > 0)
    const told = yield* stepsTold(
      account,
      wanted.map(({ record }) => record.id),
    )
    const brands = brandsNow(account, host)
    const mails = yield* mailsOf(account, customers.map(shipmentOf))
    const silent = yield* optedOut(
      account,
      customers.flatMap((one) => phoneFor(one) ?? []),
    )
    const now = host.now()
    const lines: unknown[][] = []
    let waiting = 0
    for (const one of wanted) {
      const facts = factsOf(one)
      let known = told.get(one.record.id)
      if (known === undefined) told.set(one.record.id, (known = new Set()))
      for (const happened of one.steps) {
        const { step } = happened
        if (known.has(step)) continue
        const id = messageId(host, known.size)
        known.add(step)
        const email = mails.get(shipmentOf(one)) ?? null
        const channel: MessageChannel = email === null ? 'text' : 'email'
        const phone = phoneFor(one)
        const brand = yield* brands(one.record.attributes.order?.store_name ?? null)
        const status = telling === 'withheld' ? telling : phone !== null && silent.has(phone) ? 'opted_out' : telling
        if (status === 'waiting') waiting++
        const due = dueAt(now, channel, step)
        const doc = JSON.stringify(facts(happened))
        lines.push([
          account,
          id,
          one.record.id,
          step,
          channel,
          null,
          status,
          trackingOf(one),
          orderOf(one),
          brand?.store_id ?? null,
          one.record.attributes.order?.store_name ?? null,
          brand?.id ?? null,
          phone,
          email,
          doc,
          now,
          due,
          due,
          0,
        ])
      }
      // Each webhook has messages of its own: one that is away holds up nobody else.
      for (const { event, granular } of one.changes)
        for (const hook of hooks) {
          const step = `status:${event.id}:${hook.id}`
          if (known.has(step)) continue
          const id = messageId(host, known.size)
          known.add(step)
          lines.push([
            account,
            id,
            one.record.id,
            step,
            'webhook',
            hook.id,
            telling,
            trackingOf(one),
            orderOf(one),
            null,
            null,
            null,
            null,
            null,
            statusText(one, event, granular),
            now,
            now,
            now,
            0,
          ])
        }
    }
    // None of them can be there already: what moves a parcel holds its record until the end.
    const [first, ...more] = lines
    if (first !== undefined) yield* rows({ ...insertMessage(first), more })
    return waiting
  }

/**
 * Ids grow with the time, so that the newest lie together in the indexes, and within a moment with the number of the record's
 * messages, so that those of one parcel are in the order of its steps (UUID version 7).
 */
function messageId(host: Host, before: number): string {
  const time = host.now().toString(16).padStart(12, '0')
  const place = Math.min(before, 0xfff).toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${place}${host.uuid().slice(18)}`
}

const trackingOf = ({ kind, record }: Pick<Moved, 'kind' | 'record'>): string | null =>
  (kind === 'shipment'
    ? (record as Shipment).attributes.tracking_number
    : (record as Return).attributes.shipment?.tracking_number) ?? null

/** The customer's phone in the one form that phones are kept in. */
const phoneFor = ({ record }: Moved): string | null => {
  const said = record.attributes.shipping_address?.phone ?? ''
  return said === '' ? null : phoneOf(said)
}

const orderOf = ({ record }: Moved): string | null => record.attributes.order?.display_id ?? null

/** The forward shipment that a record belongs to: the order, and with it the address for mails, is found by it. */
const shipmentOf = ({ kind, record }: Moved): string =>
  kind === 'shipment' ? record.id : ((record as Return).attributes.shipment?.id ?? '')

/** The steps of records that a message was made for. */
function* stepsTold(account: number, records: readonly string[]): Work<Map<string, Set<string>>> {
  const told = new Map<string, Set<string>>()
  for (let at = 0; at < records.length; at += asked) {
    const part = listOf(records.slice(at, at + asked))
    const found = yield* rows<{ record_id: string; step: string }>(
      sql`select record_id, step from messages where account_id = ${account} and record_id in (${part})`,
    )
    for (const { record_id, step } of found) {
      const steps = told.get(record_id)
      if (steps === undefined) told.set(record_id, new Set([step]))
      else steps.add(step)
    }
  }
  return told
}

/** Ids in one question. */
const asked = 512

/** The customers' e-mail addresses by shipment, of orders that were made here and carry one. */
function* mailsOf(account: number, shipments: readonly string[]): Work<ReadonlyMap<string, string>> {
  const mails = new Map<string, string>()
  for (let at = 0; at < shipments.length; at += asked) {
    const part = listOf(shipments.slice(at, at + asked))
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

/** Those of the phones that are told nothing. */
function* optedOut(account: number, phones: readonly string[]): Work<ReadonlySet<string>> {
  const silent = new Set<string>()
  for (let at = 0; at < phones.length; at += asked) {
    const part = listOf(phones.slice(at, at + asked))
    const found = yield* rows<{ phone: string }>(
      sql`select phone from optouts where account_id = ${account} and phone in (${part})`,
    )
    for (const { phone } of found) silent.add(phone)
  }
  return silent
}

/** What there is to say of a parcel, for any of its steps. */
function factsOf({ kind, record }: Moved): (told: Notice) => Facts {
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

/** A change of status in the form that receivers of such deployments know (docs/delivery.md, Status webhooks). */
function statusText({ kind, record }: Moved, event: TrackingEvent, granular: string | null): string {
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

/** Tells a step of records that no event brought: orders that were taken, a refund. */
export function* tellStep(
  account: number,
  host: Host,
  kind: RecordKind,
  records: readonly (Shipment | Return)[],
  step: CustomerStep,
): Work<void> {
  const told: Notice = { step, at: host.now(), reason: null }
  yield* tellInto(account, host)(records.map((record) => ({ kind, record, steps: [told], changes: [] })))
}
