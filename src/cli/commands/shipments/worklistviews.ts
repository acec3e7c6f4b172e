// The columns of work lists: stuck parcels, failed deliveries.
import { readInstant } from '../../../domain/time.ts'
import { isDue, type Stuck, type Undelivered } from '../../../domain/parcels/worklists.ts'
import type { Context } from '../../command/context.ts'
import type { Column, View } from '../../output/columns.ts'
import type { Screen } from '../../terminal/screen.ts'
import { maskPhone, showDay, showMoney, showTime, words } from '../../output/display.ts'

const time = (value: string | null, screen: Screen): string =>
  value === null ? '-' : showTime(readInstant(value)!, screen)
const label = (value: string | null): string => (value === null || value === '' ? '-' : words(value))

type Parcel = Pick<Stuck, 'tracking_number' | 'order' | 'courier' | 'status' | 'store' | 'customer' | 'phone' | 'city'>

// prettier-ignore
const parcel = {
  awb:      { key: 'awb',      header: 'awb',      rank: 1,  whole: true, main: true, raw: (row) => row.tracking_number, show: (row) => row.tracking_number ?? '-' },
  order:    { key: 'order',    header: 'order',    rank: 4,  whole: true, main: true, raw: (row) => row.order, show: (row) => row.order ?? '-' },
  courier:  { key: 'courier',  header: 'courier',  rank: 7,  raw: (row) => row.courier, show: (row) => row.courier ?? '-' },
  status:   { key: 'status',   header: 'status',   rank: 5,  main: true,  kind: 'words', raw: (row) => row.status, show: (row) => label(row.status) },
  store:    { key: 'store',    header: 'store',    rank: 9,  whole: true, raw: (row) => row.store, show: (row) => row.store ?? '-' },
  customer: { key: 'customer', header: 'customer', rank: 11, wide: true, raw: (row) => row.customer, show: (row) => row.customer ?? '-' },
  phone:    { key: 'phone',    header: 'phone',    rank: 7,  whole: true, raw: (row) => row.phone, show: (row, screen) => row.phone === null ? '-' : maskPhone(row.phone, screen) },
  city:     { key: 'city',     header: 'city',     rank: 6,   raw: (row) => row.city, show: (row) => row.city ?? '-' },
} as const satisfies Record<string, Column<Parcel>>

/** Stuck parcels. */
// prettier-ignore
export const stuckView: View<Stuck> = {
  columns: [
    parcel.awb, parcel.order, { ...parcel.courier, rank: 3, main: true }, parcel.status,
    { key: 'last_scan', header: 'last scan', rank: 8, right: true, field: 'last_scan_at', kind: 'time', raw: (row) => row.last_scan_at, show: (row, screen) => time(row.last_scan_at, screen) },
    { key: 'days', header: 'days', rank: 2, right: true, whole: true, main: true, raw: (row) => row.days, show: (row) => String(row.days ?? '-') },
    parcel.city, parcel.store, parcel.phone, parcel.customer,
  ],
  id: (row) => row.id,
  names: ['id', 'tracking_number', 'order', 'courier', 'status', 'store', 'customer', 'phone', 'city', 'last_scan_at', 'days'],
  types: { last_scan_at: 'instant', days: 'count' },
  paths: { awb: 'tracking_number' },
  noun: ['parcel', 'parcels'],
}

const leftText = (days: number | null): string =>
  days === null ? '-' : days < 0 ? `${-days} over` : days === 0 ? 'today' : String(days)

/** An answer in a few words: the day of a reattempt, what is new, and whether the courier has it. */
function answerText({ answer, reattempt_on, new_phone, new_address, sent_at }: Undelivered): string {
  if (answer === null) return '-'
  const day = reattempt_on === null ? [] : [`again ${showDay(reattempt_on)}`]
  const fresh = [...(new_phone === null ? [] : ['phone']), ...(new_address === null ? [] : ['address'])]
  // A short column: the list has the money to collect next to it on 80 columns.
  const what =
    answer === 'rto' ? ['RTO'] : [...day, ...fresh.map((one, i) => `${day.length + i === 0 ? 'new ' : '+'}${one}`)]
  return `${what.join(' ')}${sent_at === null ? '' : ', sent'}`
}

/** Failed deliveries that wait for the merchant's answer. */
// prettier-ignore
export const undeliveredView: View<Undelivered> = {
  columns: [
    parcel.awb, parcel.order,
    { key: 'reason', header: 'reason', rank: 3, least: 13, wholeBefore: 8, kind: 'words', raw: (row) => row.reason, show: (row) => label(row.reason) },
    { key: 'attempts', header: 'tries', rank: 9, right: true, whole: true, raw: (row) => row.attempts },
    { key: 'days_left', header: 'days left', rank: 2, right: true, whole: true, main: true, raw: (row) => row.days_left, show: (row) => ({ text: leftText(row.days_left), paint: row.answer !== null ? 'dim' : isDue(row) ? 'red' : 'yellow' }) },
    { key: 'phone', header: 'phone', rank: 5.5, whole: true, sheet: 'Customer phone', raw: (row) => row.phone, show: (row, screen) => row.phone === null ? '-' : maskPhone(row.phone, screen) },
    { ...parcel.customer, rank: 13 },
    { key: 'cod', header: 'cod', rank: 5, right: true, whole: true, kind: 'money', sheet: 'COD (₹)', raw: (row) => row.cod, show: (row, screen) => row.cod === 0 ? '-' : showMoney(row.cod, screen) },
    parcel.courier, parcel.city, { ...parcel.store, rank: 10 },
    { key: 'answer', header: 'answer', rank: 3, whole: true, main: true, raw: (row) => row.answer, show: answerText },
    { key: 'answer_by', header: 'answer by', rank: 11, wide: true, kind: 'day', raw: (row) => row.answer_by, show: (row) => (row.answer_by === null ? '-' : showDay(row.answer_by)) },
    { key: 'failed_at', header: 'failed', rank: 12, wide: true, right: true, kind: 'time', raw: (row) => row.failed_at, show: (row, screen) => time(row.failed_at, screen) },
    { ...parcel.status, wide: true, rank: 14 },
    { key: 'reattempt_on', header: 'reattempt on', rank: 15, asked: true, kind: 'day', raw: (row) => row.reattempt_on, show: (row) => (row.reattempt_on === null ? '-' : showDay(row.reattempt_on)) },
    { key: 'new_phone', header: 'new phone', rank: 16, asked: true, raw: (row) => row.new_phone, show: (row, screen) => row.new_phone === null ? '-' : maskPhone(row.new_phone, screen) },
    { key: 'new_address', header: 'new address', rank: 17, asked: true, raw: (row) => row.new_address, show: (row) => row.new_address ?? '-' },
    { key: 'new_pincode', header: 'new pincode', rank: 18, asked: true, raw: (row) => row.new_pincode, show: (row) => row.new_pincode ?? '-' },
    { key: 'note', header: 'note', rank: 19, asked: true, raw: (row) => row.note, show: (row) => row.note ?? '-' },
    { key: 'answered_at', header: 'answered', rank: 20, asked: true, kind: 'time', raw: (row) => row.answered_at, show: (row, screen) => time(row.answered_at, screen) },
    { key: 'sent_at', header: 'sent', rank: 21, asked: true, kind: 'time', raw: (row) => row.sent_at, show: (row, screen) => time(row.sent_at, screen) },
  ],
  id: (row) => row.id,
  names: ['id', 'tracking_number', 'order', 'courier', 'status', 'store', 'customer', 'phone', 'city', 'reason', 'attempts', 'attempts_left', 'failed_at', 'answer_by', 'days_left', 'cod', 'answer', 'reattempt_on', 'new_phone', 'new_address', 'new_pincode', 'note', 'answered_by', 'answered_at', 'sent_at'],
  types: { attempts: 'count', attempts_left: 'count', failed_at: 'instant', answer_by: 'day', days_left: 'count', cod: 'money', reattempt_on: 'day', answered_at: 'instant', sent_at: 'instant' },
  paths: { awb: 'tracking_number' },
  noun: ['failed delivery', 'failed deliveries'],
}

/** The view for rows without an answer: a terminal shows no column of answers, unless the user names it. */
export const unansweredView = ({ flags, screen }: Pick<Context, 'flags' | 'screen'>): View<Undelivered> =>
  flags.has('columns') || !screen.tty
    ? undeliveredView
    : { ...undeliveredView, columns: undeliveredView.columns.filter(({ key }) => key !== 'answer') }
