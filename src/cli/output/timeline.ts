// One shipment or return for people: its customer, places and contents, and its journey line by line.
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { dayMs, readDay, readInstant } from '../../domain/time.ts'
import type { Handover } from '../../engine/orders/prints.ts'
import type { Screen } from '../terminal/screen.ts'
import { maskPhone, showDay, showMoney, showTime, showWeight, words } from './display.ts'
import { answerText, type AnswerOf } from './ndranswer.ts'
import { isSettled } from '../../domain/parcels/statuses.ts'
import { counted } from '../../domain/count.ts'
import { safe } from '../terminal/safe.ts'
import { folded, padEnd, widthOf } from '../terminal/width.ts'

type Maybe<T> = T | null | undefined

/** What is kept beside a shipment: the answer to its failed delivery, and what a list of a pickup says about it. */
interface Beside {
  readonly answer?: AnswerOf | undefined
  readonly handover?: Handover | undefined
}

/** The record as a few lines of text, safe for a terminal; a shipment with what is kept beside it. */
export function timelineOf(record: Shipment | Return, screen: Screen, beside: Beside = {}): string {
  return record.type === 'return'
    ? returnText(record as Return, screen)
    : shipmentText(record as Shipment, screen, beside)
}

const show = (value: Maybe<string | number>): string => (value == null || value === '' ? '-' : safe(String(value)))
const label = (value: Maybe<string>): string => (value == null || value === '' ? '-' : safe(words(value)))
const when = (value: Maybe<string>, screen: Screen): string => {
  const ms = typeof value === 'string' ? readInstant(value) : undefined
  return ms === undefined ? show(value) : showTime(ms, screen)
}

/** The separator between facts on one line. */
const dot = (screen: Screen): string => (screen.ascii ? ' - ' : ' · ')

/** With fewer columns, names do not get a column next to the values. */
const leastRoom = 16

function head(screen: Screen, ...parts: readonly string[]): readonly string[] {
  const lines = folded(parts.filter((part) => part !== '-').join(dot(screen)), Math.max(leastRoom, screen.width))
  return lines.map((line) => screen.paint.bold(line))
}

/** Names and values; on a narrow screen long values are folded. */
function rows(pairs: readonly (readonly [string, string])[], screen: Screen): readonly string[] {
  const width = Math.max(...pairs.map(([name]) => name.length))
  const room = Math.max(leastRoom, screen.width - width - 2)
  return pairs.flatMap(([name, value]) =>
    // An id must stay in one piece, to be copied.
    !value.includes(' ') && widthOf(value) > room
      ? [name, `  ${value}`]
      : folded(value, room).map((line, i) => `${(i === 0 ? name : '').padEnd(width)}  ${line}`),
  )
}

interface Address {
  readonly name?: Maybe<string>
  readonly phone?: Maybe<string>
  readonly city?: Maybe<string>
  readonly state?: Maybe<string>
  readonly zip?: Maybe<string>
}

function addressText(address: Maybe<Address>, screen: Screen): string {
  if (address == null) return '-'
  const place = [address.city, [address.state, address.zip].filter((part) => part != null).join(' ')]
    .filter((part) => part != null && part !== '')
    .join(', ')
  const phone = address.phone == null ? undefined : screen.pii ? address.phone : maskPhone(address.phone, screen)
  return safe([address.name, place, phone].filter((part) => part != null && part !== '').join(dot(screen)))
}

const itemsText = (
  items: Maybe<
    readonly { readonly quantity?: Maybe<number>; readonly name?: Maybe<string>; readonly sku?: Maybe<string> }[]
  >,
): string =>
  safe(
    (items ?? [])
      .map(
        (item) =>
          `${item.quantity === undefined ? 1 : (item.quantity ?? '-')} x ${item.name ?? '-'} (${item.sku ?? '-'})`,
      )
      .join(', '),
  ) || '-'

/** An event: when, where, and what happened. */
interface Event {
  readonly at: Maybe<string>
  readonly place?: Maybe<string>
  readonly what: string
}

/** The widest place that still gets a column. */
const placeWidth = 20

/** Events, the latest first: times, places and events in columns, or indented on a narrow screen. */
function journey(events: readonly Event[], screen: Screen): readonly string[] {
  const shown = events
    .filter((event): event is Event & { at: string } => typeof event.at === 'string')
    .toSorted((a, b) => (readInstant(b.at) ?? 0) - (readInstant(a.at) ?? 0))
    .map(({ at, place, what }) => ({ at: when(at, screen), place: place == null ? '' : safe(place), what: safe(what) }))
  if (screen.width < 60) return shown.flatMap((event) => narrowEvent(event, screen))
  const placed = Math.min(placeWidth, Math.max(0, ...shown.map(({ place }) => widthOf(place))))
  return shown.flatMap(({ at, place, what }) => {
    const before = `  ${screen.paint.dim(at.padEnd(12))}  ${placed === 0 ? '' : `${padEnd(place, placed)}  `}`
    const indent = 16 + (placed === 0 ? 0 : placed + 2)
    return folded(what, Math.max(leastRoom, screen.width - indent)).map(
      (line, i) => (i === 0 ? before : ' '.repeat(indent)) + line,
    )
  })
}

function narrowEvent(
  { at, place, what }: { at: string; place: string; what: string },
  screen: Screen,
): readonly string[] {
  const line = [what, ...(place === '' ? [] : [place])].join(', ')
  return [
    `  ${screen.paint.dim(at)}`,
    ...folded(line, Math.max(leastRoom, screen.width - 4)).map((part) => `    ${part}`),
  ]
}

/** Milestones without a scan: services often send only the latest scans. */
function unscanned(a: Shipment['attributes']): readonly Event[] {
  const scans = a.tracking_details ?? []
  const known = new Set(scans.flatMap(({ status, event_date_time }) => [status, event_date_time]))
  return (a.shipment_milestones ?? [])
    .filter(({ milestone, milestone_at }) => !known.has(milestone) && !known.has(milestone_at))
    .map(({ milestone, milestone_at }) => ({ at: milestone_at, what: words(milestone) }))
}

/** Who pays, and whether the payment has been made. */
function payment(a: Shipment['attributes'], screen: Screen): string {
  const worth = typeof a.total_price === 'number' ? ` ${showMoney(a.total_price, screen)}` : ''
  if (a.is_cod == null) return `payment not known${worth}`
  if (!a.is_cod) return `prepaid${worth}`
  const amount = typeof a.cod_amount === 'number' ? ` ${showMoney(a.cod_amount, screen)}` : ''
  const done = a.status === 'delivered' ? 'collected' : isSettled(a) ? 'not collected' : 'to be collected'
  return `COD${amount}, ${done}`
}

/** How long the parcel is or was on its way, and the promised day if the service sends one. */
function duration(a: Shipment['attributes'], screen: Screen): string | undefined {
  const at = (name: string): number | undefined =>
    readInstant((a.shipment_milestones ?? []).find(({ milestone }) => milestone === name)?.milestone_at ?? '')
  const started = at('picked_up') ?? readInstant(a.order?.order_date ?? '') ?? readInstant(a.created_at)
  const ended = at('delivered') ?? at('rto_delivered')
  if (started === undefined || (ended === undefined && isSettled(a))) return undefined
  const days = Math.floor(Math.max(0, (ended ?? screen.now) - started) / dayMs)
  const long = days === 0 ? 'less than a day' : counted(days, ['day', 'days'])
  const since = at('picked_up') === undefined ? 'ordered' : 'picked up'
  const end = ended === undefined ? 'so far' : at('delivered') === undefined ? 'to come back' : 'to deliver'
  return `${long} ${end}, ${since} ${showTime(started, screen)}${promise(a, ended ?? screen.now, screen)}`
}

/** Names under which deployments send the promised day of delivery; the specification has none. */
const promises = ['expected_delivery_date', 'estimated_delivery_date', 'promised_delivery_date', 'edd'] as const

function promise(a: Readonly<Record<string, unknown>>, reached: number, screen: Screen): string {
  const said = promises.map((name) => a[name]).find((value) => typeof value === 'string')
  if (typeof said !== 'string') return ''
  const day = readDay(said)?.[1]
  const by = day ?? readInstant(said)
  if (by === undefined) return `; promised for ${safe(said)}`
  const late = Math.ceil((reached - by) / dayMs)
  const promised = day === undefined ? showTime(by, screen) : showDay(said)
  return `; promised for ${promised}${late <= 0 ? '' : `, ${counted(late, ['day', 'days'])} late`}`
}

/** The pickup in one line: `handed over 29 Sep 14:00 · manifest 20260929-WH7-C9-1`. */
const pickupText = ({ taken, at, manifest }: Handover, screen: Screen): string =>
  [`${taken ? 'handed over' : 'not handed over'} ${showTime(at, screen)}`, `manifest ${safe(manifest)}`].join(
    dot(screen),
  )

function shipmentText({ id, attributes: a }: Shipment, screen: Screen, { answer, handover }: Beside): string {
  const store = a.order?.store_name
  const detail = a.sub_status != null && a.sub_status !== a.status ? ` (${words(a.sub_status).toLowerCase()})` : ''
  const scans = (a.tracking_details ?? []).map((scan): Event => ({
    at: scan.event_date_time,
    place: scan.last_location,
    what: scan.description ?? label(scan.status),
  }))
  const took = duration(a, screen)
  const lines = [
    ...head(
      screen,
      show(a.tracking_number ?? 'no tracking number yet'),
      `${label(a.status)}${safe(detail)}`,
      show(a.carrier?.name),
    ),
    ...rows(
      [
        [
          'Order',
          [
            `${show(a.order?.display_id)}${a.order?.channel == null ? '' : ` (${safe(a.order.channel)})`}`,
            ...(store == null ? [] : [`store ${safe(store)}`]),
            ...(a.order?.order_date == null ? [] : [when(a.order.order_date, screen)]),
          ].join(', '),
        ],
        ['To', addressText(a.shipping_address, screen)],
        [
          'Parcel',
          [
            ...(typeof a.applied_weight?.value === 'number' ? [`${showWeight(a.applied_weight.value)} charged`] : []),
            ...(a.zone == null ? [] : [label(a.zone)]),
            payment(a, screen),
            ...(a.attempt_count == null ? [] : [counted(a.attempt_count, ['attempt', 'attempts'])]),
          ].join(dot(screen)),
        ],
        ...(took === undefined ? [] : [['Time', took] as const]),
        ...(handover === undefined ? [] : [['Pickup', pickupText(handover, screen)] as const]),
        ['Items', itemsText(a.items)],
        ...(a.ndr_reason == null ? [] : [['NDR', label(a.ndr_reason)] as const]),
        ...(answer === undefined ? [] : [['Answer', answerText(answer, screen)] as const]),
        ...(a.rto_reason == null ? [] : [['RTO', label(a.rto_reason)] as const]),
        ...(a.tags == null || a.tags.length === 0 ? [] : [['Tags', safe(a.tags.join(', '))] as const]),
        ['Id', id === '' ? '-' : safe(id, 'id')],
      ],
      screen,
    ),
    '',
    ...journey([...scans, ...unscanned(a)], screen),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function returnText({ id, attributes: a }: Return, screen: Screen): string {
  const milestones = (a.shipment?.shipment_milestones ?? []).map((milestone): Event => ({
    at: milestone.milestone_at,
    what: words(milestone.milestone),
  }))
  const lines = [
    ...head(screen, show(a.display_id), label(a.granular_status ?? a.status), show(a.shipment?.carrier?.name)),
    ...rows(
      [
        ['Order', `${show(a.order?.display_id)}, store ${show(a.order?.store_name)}`],
        ['From', addressText(a.shipping_address, screen)],
        ['Why', `${label(a.return_reason)}${a.is_exchange === true ? ', exchange' : ''}`],
        ['QC', label(a.qc_status)],
        [
          'Refund',
          `${label(a.refund_status)}, ${typeof a.total_price === 'number' ? showMoney(a.total_price, screen) : '-'}`,
        ],
        ['Parcel', `AWB ${show(a.shipment?.tracking_number)}`],
        ['Items', itemsText(a.return_items)],
        ['Id', id === '' ? '-' : safe(id, 'id')],
      ],
      screen,
    ),
    '',
    ...journey([{ at: a.request_date, what: 'Requested' }, ...milestones], screen),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}
