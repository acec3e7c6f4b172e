// One shipment or return for people: who, where, what, and its journey line by line; fetches nothing.
import type { Return } from '../domain/returns.ts'
import type { Shipment } from '../domain/shipments.ts'
import { readInstant } from '../domain/time.ts'
import type { Screen } from './columns.ts'
import { maskPhone, showMoney, showTime, showWeight, words } from './display.ts'
import { safe } from './safe.ts'

type Maybe<T> = T | null | undefined

/** The record as a text of a few lines, safe for a terminal. */
export function timelineOf(record: Shipment | Return, screen: Screen): string {
  return record.type === 'return' || 'display_id' in record.attributes
    ? returnText(record as Return, screen)
    : shipmentText(record as Shipment, screen)
}

const show = (value: Maybe<string | number>): string => (value == null || value === '' ? '-' : safe(String(value)))
const label = (value: Maybe<string>): string => (value == null || value === '' ? '-' : safe(words(value)))
const when = (value: Maybe<string>, screen: Screen): string => {
  const ms = typeof value === 'string' ? readInstant(value) : undefined
  return ms === undefined ? show(value) : showTime(ms, screen)
}

const head = (screen: Screen, ...parts: readonly string[]): string =>
  screen.paint.bold(parts.filter((part) => part !== '-').join(screen.ascii ? ' - ' : ' · '))

function rows(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
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
  return safe(
    [address.name, place, phone].filter((part) => part != null && part !== '').join(screen.ascii ? ' - ' : ' · '),
  )
}

const itemsText = (
  items: Maybe<
    readonly { readonly quantity?: Maybe<number>; readonly name?: Maybe<string>; readonly sku?: Maybe<string> }[]
  >,
): string =>
  safe((items ?? []).map((item) => `${item.quantity ?? 1} x ${item.name ?? '-'} (${item.sku ?? '-'})`).join(', ')) ||
  '-'

function journey(
  events: readonly (readonly [at: Maybe<string>, ...parts: readonly Maybe<string>[]])[],
  screen: Screen,
): readonly string[] {
  const sorted = events
    .filter((event): event is [string, ...Maybe<string>[]] => typeof event[0] === 'string')
    .toSorted((a, b) => (readInstant(b[0]) ?? 0) - (readInstant(a[0]) ?? 0))
  return sorted.map(
    ([at, ...parts]) =>
      `  ${screen.paint.dim(when(at, screen).padEnd(12))}  ${parts
        .filter((part) => part != null && part !== '')
        .map((part) => safe(part!))
        .join('  ')}`,
  )
}

function shipmentText({ id, attributes: a }: Shipment, screen: Screen): string {
  const store = a.order?.store_name
  const detail = a.sub_status != null && a.sub_status !== a.status ? ` (${words(a.sub_status).toLowerCase()})` : ''
  const scans = a.tracking_details ?? []
  const milestones = (a.shipment_milestones ?? []).map(
    (milestone) => [milestone.milestone_at, words(milestone.milestone)] as const,
  )
  const events =
    scans.length > 0
      ? scans.map((scan) => [scan.event_date_time, scan.last_location, scan.description ?? label(scan.status)] as const)
      : milestones
  const lines = [
    head(
      screen,
      show(a.tracking_number ?? 'no tracking number yet'),
      `${label(a.status)}${safe(detail)}`,
      show(a.carrier?.name),
    ),
    ...rows([
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
          ...(a.zone == null ? [] : [safe(a.zone)]),
          a.is_cod === true ? `COD ${showMoney(a.cod_amount ?? 0, screen)}` : 'prepaid',
          `${a.attempt_count ?? 0} ${a.attempt_count === 1 ? 'attempt' : 'attempts'}`,
        ].join(screen.ascii ? ' - ' : ' · '),
      ],
      ['Items', itemsText(a.items)],
      ...(a.ndr_reason == null ? [] : [['NDR', label(a.ndr_reason)] as const]),
      ...(a.rto_reason == null ? [] : [['RTO', label(a.rto_reason)] as const]),
      ...(a.tags == null || a.tags.length === 0 ? [] : [['Tags', safe(a.tags.join(', '))] as const]),
      ['Id', safe(id, 'id')],
    ]),
    '',
    ...journey(events, screen),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function returnText({ id, attributes: a }: Return, screen: Screen): string {
  const milestones = (a.shipment?.shipment_milestones ?? []).map(
    (milestone) => [milestone.milestone_at, words(milestone.milestone)] as const,
  )
  const lines = [
    head(screen, show(a.display_id), label(a.granular_status ?? a.status), show(a.shipment?.carrier?.name)),
    ...rows([
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
      ['Id', safe(id, 'id')],
    ]),
    '',
    ...journey([[a.request_date, 'Requested'], ...milestones], screen),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}
