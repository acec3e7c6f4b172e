// Priced parcels as records: the columns and names of one price, and of two next to each other.
import { paiseOf, percentOf, rupeesOf } from '../../../../domain/money.ts'
import { amountPaid } from '../../../../domain/rates/pricing.ts'
import { usualGst } from '../../../../domain/rates/rates.ts'
import type { Column, View } from '../../../output/columns.ts'
import type { Screen } from '../../../terminal/screen.ts'
import { showDay, showMoney, showWeight, words } from '../../../output/display.ts'
import type { FlatRecord } from '../../../output/flatprinter.ts'
import { withGst } from './gst.ts'
import type { Answer } from './pricers.ts'
import type { ParcelLine } from './parcelfile.ts'

/** The names in a price's record, in the order of the columns. */
const priceNames = [
  'courier',
  'carrier_id',
  'service',
  'total',
  'fee',
  'paid',
  'rto',
  'zone',
  'weight',
  'delivery',
  'code',
  'reason',
] as const

type Named = Pick<ParcelLine, 'ref' | 'request'>

/** The record of a parcel and its answer: rupees, grams, an IST date. A return cannot come back: it has no `rto`. */
export function recordOf({ ref, request }: Named, answer: Answer, gst: number | undefined): FlatRecord {
  const { offer, zone = null, code = null, reason = null } = answer
  if (offer === undefined) {
    const nothing = {
      courier: null,
      carrier_id: null,
      service: null,
      total: null,
      fee: null,
      paid: null,
      rto: null,
      zone,
      weight: null,
      delivery: null,
    }
    return gst === undefined ? { ref, ...nothing, code, reason } : { ref, ...nothing, with_gst: null, code, reason }
  }
  const { service, weight: grams, delivery } = offer
  const cost = amountPaid(offer)
  const record: FlatRecord = {
    ref,
    courier: service.carrier_name,
    carrier_id: service.carrier_id,
    service: service.service_level,
    total: rupeesOf(offer.total),
    fee: rupeesOf(offer.fee),
    paid: rupeesOf(cost),
    rto: offer.rto === undefined || request?.journey_type === 'return' ? null : rupeesOf(offer.rto),
    zone,
    weight: Number.isFinite(grams) ? grams : null,
    delivery: delivery === '' ? null : delivery,
    code,
    reason,
  }
  if (gst !== undefined) record['with_gst'] = rupeesOf(percentOf(cost, 100 + (answer.gst ?? gst)))
  return record
}

/** The record of a parcel on two cards, with the extra cost of the second: rupees, and percent of the first. */
export function comparedOf(line: Named, one: Answer, other: Answer): FlatRecord {
  const [a, b] = [recordOf(line, one, undefined), recordOf(line, other, undefined)]
  const record: FlatRecord = { ref: line.ref, zone: a['zone']! }
  for (const name of priceNames) {
    record[`${name}_1`] = a[name]!
    record[`${name}_2`] = b[name]!
  }
  const both = one.offer !== undefined && other.offer !== undefined
  const difference = both ? amountPaid(other.offer) - amountPaid(one.offer) : undefined
  record['difference'] = difference === undefined ? null : rupeesOf(difference)
  record['percent'] = both ? percentMore(amountPaid(one.offer), amountPaid(other.offer)) : null
  return record
}

/** The extra cost of the second amount, in percent of the first, to two decimals; null when the first is zero. */
export const percentMore = (first: number, second: number): number | null =>
  first === 0 ? null : Math.round(((second - first) / first) * 10_000) / 100

type ParcelColumn = Column<FlatRecord>

const column = (key: string, rank: number, more: Partial<ParcelColumn> = {}): ParcelColumn => ({
  key,
  header: key.replaceAll('_', ' '),
  rank,
  raw: (record) => record[key],
  show: (record) => String(record[key] ?? '-'),
  ...more,
})

const amount = (
  key: string,
  rank: number,
  header = key.replaceAll('_', ' '),
  more: Partial<ParcelColumn> = {},
): ParcelColumn =>
  column(key, rank, {
    header,
    right: true,
    whole: true,
    kind: 'money',
    show: (record, screen: Screen) => (typeof record[key] === 'number' ? showMoney(record[key], screen) : '-'),
    ...more,
  })

/** The name under which a record for people holds the GST of its answer, percent. No column shows it. */
const ownGst = 'gst_percent'

const gstOf = (record: FlatRecord): number | undefined => {
  const percent = record[ownGst]
  return typeof percent === 'number' ? percent : undefined
}

/** A record for people, who read what is paid with the GST of its answer. */
export const withOwnGst = (record: FlatRecord, { gst }: Answer): FlatRecord =>
  gst === undefined ? record : { ...record, [ownGst]: gst }

/** An amount of the record in rupees, with GST of a percent where it is known. */
function rupeesWith(record: FlatRecord, key: string, percent: number | undefined): number | null {
  const value = record[key]
  const paise = typeof value === 'number' ? paiseOf(value) : undefined
  return paise === undefined ? null : rupeesOf(withGst(paise, percent))
}

/** A column of what is paid, or of a difference in it; a record may know its own GST. */
const paid = (key: string, rank: number, header: string, percent: number | undefined): ParcelColumn =>
  column(key, rank, {
    header,
    right: true,
    whole: true,
    kind: 'money',
    raw: (record) => rupeesWith(record, key, gstOf(record) ?? percent),
    show: (record, screen: Screen) => {
      const amount = rupeesWith(record, key, gstOf(record) ?? percent)
      return amount === null ? '-' : showMoney(amount, screen)
    },
  })

const zone = (key: string, rank: number, more: Partial<ParcelColumn> = {}): ParcelColumn =>
  column(key, rank, { show: (record) => (typeof record[key] === 'string' ? words(record[key]) : '-'), ...more })

const weight = (key: string, rank: number): ParcelColumn =>
  column(key, rank, {
    right: true,
    show: (record) => (typeof record[key] === 'number' ? showWeight(record[key]) : '-'),
  })

const day = (key: string, rank: number): ParcelColumn =>
  column(key, rank, {
    kind: 'day',
    show: (record) => (typeof record[key] === 'string' ? showDay(record[key]) : '-'),
  })

const quiet = (key: string, rank: number, more: Partial<ParcelColumn> = {}): ParcelColumn =>
  column(key, rank, { show: (record) => String(record[key] ?? ''), sparse: true, ...more })

const noun = ['parcel', 'parcels'] as const

const id = (record: FlatRecord): string => String(record['ref'])

/**
 * The view of priced parcels. What is paid has GST of `percent`; with `asked`, each record says its own amount with
 * GST.
 */
export function pricedView(asked: boolean, percent: number | undefined): View<FlatRecord> {
  const names = ['ref', ...priceNames.flatMap((name) => (name === 'paid' && asked ? [name, 'with_gst'] : [name]))]
  const columns = [
    column('ref', 1, { whole: true, main: true }),
    column('courier', 2, { main: true }),
    column('carrier_id', 13, { wide: true, header: 'id' }),
    column('service', 10),
    amount('total', 5),
    amount('fee', 8, '+ fee'),
    paid('paid', 3, 'you pay', asked ? usualGst : percent),
    ...(asked ? [amount('with_gst', 14, 'with gst', { wide: true })] : []),
    amount('rto', 15, 'if returned', { wide: true }),
    zone('zone', 7),
    weight('weight', 9),
    day('delivery', 4),
    quiet('code', 12),
    quiet('reason', 6, { header: 'why not' }),
  ]
  return { columns, id, names, noun }
}

/** The view of parcels on two cards, with GST of `percent` where both cards have the same. */
export function comparedView(first: string, second: string, percent: number | undefined): View<FlatRecord> {
  const names = ['ref', 'zone', ...priceNames.flatMap((name) => [`${name}_1`, `${name}_2`]), 'difference', 'percent']
  const [one, two] = first === second ? ['first', 'second'] : [first, second]
  const columns = [
    column('ref', 1, { whole: true }),
    zone('zone', 8),
    column('courier_1', 6, { header: one }),
    paid('paid_1', 4, 'you pay', percent),
    day('delivery_1', 10),
    column('courier_2', 7, { header: two }),
    paid('paid_2', 5, 'you pay', percent),
    day('delivery_2', 11),
    paid('difference', 2, 'difference', percent),
    column('percent', 3, { right: true, header: '%' }),
    quiet('reason_1', 12, { header: 'why not' }),
    quiet('reason_2', 13, { header: 'why not' }),
    ...(['carrier_id', 'service', 'total', 'fee', 'rto', 'zone', 'weight', 'code'] as const).flatMap((name, i) =>
      [`${name}_1`, `${name}_2`].map((key) => column(key, 20 + i, { wide: true })),
    ),
  ]
  return { columns, id, names, noun }
}
