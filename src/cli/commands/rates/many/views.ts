// Priced parcels as records: the columns and names of one price, and of two next to each other.
import { percentOf, rupeesOf } from '../../../../domain/money.ts'
import { amountPaid } from '../../../../domain/rates/pricing.ts'
import type { Column, View } from '../../../output/columns.ts'
import type { Screen } from '../../../terminal/screen.ts'
import { showDay, showMoney, showWeight } from '../../../output/display.ts'
import type { FlatRecord } from '../../../output/flatprinter.ts'
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
  'zone',
  'weight',
  'delivery',
  'code',
  'reason',
] as const

/** The record of a parcel and its answer: rupees, grams, an IST date. */
export function recordOf({ ref }: Pick<ParcelLine, 'ref'>, answer: Answer, gst: number | undefined): FlatRecord {
  const { offer, zone = null, code = null, reason = null } = answer
  if (offer === undefined) {
    const nothing = {
      courier: null,
      carrier_id: null,
      service: null,
      total: null,
      fee: null,
      paid: null,
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
export function comparedOf(line: Pick<ParcelLine, 'ref'>, one: Answer, other: Answer): FlatRecord {
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

const amount = (key: string, rank: number, header = key.replaceAll('_', ' ')): ParcelColumn =>
  column(key, rank, {
    header,
    right: true,
    whole: true,
    show: (record, screen: Screen) => (typeof record[key] === 'number' ? showMoney(record[key], screen) : '-'),
  })

const weight = (key: string, rank: number): ParcelColumn =>
  column(key, rank, {
    right: true,
    show: (record) => (typeof record[key] === 'number' ? showWeight(record[key]) : '-'),
  })

const day = (key: string, rank: number): ParcelColumn =>
  column(key, rank, { show: (record) => (typeof record[key] === 'string' ? showDay(record[key]) : '-') })

const quiet = (key: string, rank: number, more: Partial<ParcelColumn> = {}): ParcelColumn =>
  column(key, rank, { show: (record) => String(record[key] ?? ''), ...more })

const noun = ['parcel', 'parcels'] as const

const id = (record: FlatRecord): string => String(record['ref'])

/** The view of priced parcels, with a column for GST on request. */
export function pricedView(gst: boolean): View<FlatRecord> {
  const names = ['ref', ...priceNames.flatMap((name) => (name === 'paid' && gst ? [name, 'with_gst'] : [name]))]
  const columns = [
    column('ref', 1, { whole: true }),
    column('courier', 2),
    column('carrier_id', 13, { wide: true, header: 'id' }),
    column('service', 9),
    amount('total', 6),
    amount('fee', 10, '+ fee'),
    amount('paid', 3, 'you pay'),
    ...(gst ? [amount('with_gst', 4)] : []),
    column('zone', 7),
    weight('weight', 8),
    day('delivery', 5),
    quiet('code', 12),
    quiet('reason', 11, { header: 'why not' }),
  ]
  return { columns, id, names, noun }
}

/** The view of parcels on two cards. */
export function comparedView(first: string, second: string): View<FlatRecord> {
  const names = ['ref', 'zone', ...priceNames.flatMap((name) => [`${name}_1`, `${name}_2`]), 'difference', 'percent']
  const [one, two] = first === second ? ['first', 'second'] : [first, second]
  const columns = [
    column('ref', 1, { whole: true }),
    column('zone', 8),
    column('courier_1', 6, { header: one }),
    amount('paid_1', 4, 'you pay'),
    day('delivery_1', 10),
    column('courier_2', 7, { header: two }),
    amount('paid_2', 5, 'you pay'),
    day('delivery_2', 11),
    amount('difference', 2),
    column('percent', 3, { right: true, header: '%' }),
    quiet('reason_1', 12, { header: 'why not' }),
    quiet('reason_2', 13, { header: 'why not' }),
    ...(['carrier_id', 'service', 'total', 'fee', 'zone', 'weight', 'code'] as const).flatMap((name, i) =>
      [`${name}_1`, `${name}_2`].map((key) => column(key, 20 + i, { wide: true })),
    ),
  ]
  return { columns, id, names, noun }
}
