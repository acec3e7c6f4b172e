// The figures of a report, for its JSON and its page: turns the engine's groups into rows, shares and flows
// (docs/guides/report.md).
import {
  billedSums,
  costSums,
  shareOf,
  shipmentSums,
  type Group,
  type ReturnSums,
} from '../../../domain/parcels/summary.ts'
import { addDays, dayMs } from '../../../domain/time.ts'
import type { ReportSums, ReturnGroups, ShipmentGroups } from '../../../engine/records/report.ts'
import { costFigures, returnRow, shipmentRow, type CostFigures } from '../../listings/summaryview.ts'

import { billedOf, type BilledReport } from './billed.ts'
import { findingsOf } from './findings.ts'
import { largest, total, type Largest, type Row } from './groups.ts'
import type { MonthMoney } from './month.ts'
import type { RtoReport } from './rto.ts'

/** With fewer picked-up shipments (or returns), a share means little and is marked. */
export const fewBelow = 30

/** The subject of a report. */
export interface Scope {
  readonly generated_at: string
  readonly source: {
    readonly kind: 'engine' | 'mirror'
    /** The account, or the mirror's name. */
    readonly name: string
    readonly pulled_at: string | null
  }
  readonly period: {
    readonly since: string | null
    readonly until: string
    readonly date_field: string
    readonly time_zone: 'Asia/Kolkata'
  }
  /** The filters under the API's names. */
  readonly filters: Readonly<Record<string, unknown>>
  /** The database holds the sample data of shipx: some of the records, or all, are invented. */
  readonly sample_data: boolean
}

/**
 * The figures of a group of shipments. Amounts are rupees, shares are 0 to 1, null where there is nothing to divide by.
 */
export interface ShipmentFigures {
  readonly shipments: number
  readonly value: number
  readonly cod: number
  readonly picked_up: number
  readonly delivered: number
  readonly delivered_share: number | null
  readonly rto: number
  readonly rto_share: number | null
  readonly average_days: number | null
  readonly delivered_of_picked_up: number | null
  readonly cod_shipments: number
  readonly cod_share: number | null
  readonly few: boolean
}

/** The figures of a group of returns. */
export interface ReturnFigures {
  readonly returns: number
  readonly value: number
  readonly received: number
  readonly received_share: number | null
  readonly cancelled: number
  readonly refunded: number
  readonly average_days: number | null
}

/** Shipments that moved from one stage to another. */
export interface Link {
  readonly from: Stage
  readonly to: Stage
  readonly shipments: number
}

/** The stages of a shipment. */
export const stages = [
  'created',
  'picked_up',
  'not_picked_up',
  'cancelled',
  'not_shipped',
  'delivered',
  'in_transit',
  'out_for_delivery',
  'ndr',
  'rto',
  'lost_or_other',
  'rto_under_way',
  'rto_delivered',
  'rto_lost',
] as const
export type Stage = (typeof stages)[number]

/** A step of time in the volume chart. */
export type Step = 'day' | 'week' | 'month'

/** What the parcels with a price cost, and how many have a courier and no price. */
export interface CostReport {
  readonly totals: CostFigures & { readonly unpriced: number; readonly invented: number }
  readonly by_courier: Largest<CostFigures, 'courier'>
  readonly by_zone: Largest<CostFigures, 'zone'>
  /** Months in IST of the date that the period applies to, the earliest first. */
  readonly by_month: readonly Row<CostFigures, 'month'>[]
}

/** All figures of a report. */
export interface Report extends Scope {
  readonly few_below: number
  readonly totals: ShipmentFigures & { readonly open_ndr: number }
  readonly flow: readonly Link[]
  readonly volume: {
    readonly step: Step
    readonly rows: readonly (ShipmentFigures & { readonly from: string })[]
    /** Shipments without the date that the period filters by. */
    readonly undated: number
  }
  readonly by_zone: Largest<ShipmentFigures, 'zone'>
  readonly by_carrier: Largest<ShipmentFigures, 'carrier'>
  readonly by_city: Largest<ShipmentFigures, 'city'>
  readonly by_payment: readonly Row<ShipmentFigures, 'payment'>[]
  /** Absent while no parcel has a price. */
  readonly cost?: CostReport
  /** Absent while no kept invoice bills one of the parcels. */
  readonly billed?: BilledReport
  /** Absent while no parcel is delivered or came back. */
  readonly rto?: RtoReport
  /** Of a report with --month alone: the month's money, or why there is none. */
  readonly money?: MonthMoney & { readonly findings: readonly string[] }
  readonly money_left_out?: string
  readonly days_to_deliver: {
    readonly timed: number
    readonly average_days: number | null
    /** The fewest whole days within which half (or nine in ten) of the timed shipments were delivered. */
    readonly half_within_days: number | null
    readonly most_within_days: number | null
    /** Shipments that took at least `days` days and less than one more. */
    readonly rows: readonly { readonly days: number; readonly shipments: number }[]
  }
  /** Null when the report leaves returns out, for the given reason. */
  readonly returns: {
    readonly totals: ReturnFigures & { readonly few: boolean }
    readonly by_reason: Largest<ReturnFigures, 'reason'>
    readonly by_refund_status: readonly Row<ReturnFigures, 'refund_status'>[]
  } | null
  readonly returns_left_out: string | null
}

const none = Object.fromEntries(
  [...shipmentSums, 'cod_count', ...costSums, ...billedSums].map((name) => [name, 0]),
) as unknown as ReportSums
const noReturns: ReturnSums = { count: 0, value: 0, received: 0, cancelled: 0, refunded: 0, timed: 0, taken: 0 }

const shipmentFigures = (sums: ReportSums): ShipmentFigures => ({
  ...(shipmentRow(sums) as unknown as Omit<ShipmentFigures, 'few'>),
  delivered_of_picked_up: shareOf(sums.delivered, sums.picked_up),
  cod_shipments: sums.cod_count,
  cod_share: shareOf(sums.cod_count, sums.count),
  few: sums.picked_up < fewBelow,
})
const returnFigures = (sums: ReturnSums): ReturnFigures => returnRow(sums) as unknown as ReturnFigures

/** What a report knows beside its shipments; sentences say why it leaves something out. */
export interface Besides {
  readonly returns: ReturnGroups | string
  readonly rto: RtoReport | undefined
  readonly money: MonthMoney | string | undefined
}

/** The figures from the engine's sums. */
export function reportOf(scope: Scope, shipments: ShipmentGroups, { returns, rto, money }: Besides): Report {
  const all = total(none, shipments.status)
  return {
    ...scope,
    few_below: fewBelow,
    totals: { ...shipmentFigures(all), open_ndr: countOf(shipments, 'ndr_raised') },
    flow: flowOf(shipments),
    volume: volumeOf(shipments),
    by_zone: largest('zone', shipments.zone, none, shipmentFigures),
    by_carrier: largest('carrier', shipments.carrier, none, shipmentFigures),
    by_city: largest('city', shipments.city, none, shipmentFigures),
    by_payment: largest('payment', shipments.payment, none, shipmentFigures).rows,
    ...(all.priced === 0 ? {} : { cost: costOf(all, shipments) }),
    ...(all.billed_parcels === 0 ? {} : { billed: billedOf(all, shipments, none) }),
    ...(rto === undefined ? {} : { rto }),
    ...(money === undefined
      ? {}
      : typeof money === 'string'
        ? { money_left_out: money }
        : { money: { ...money, findings: findingsOf(money, rto) } }),
    days_to_deliver: {
      timed: all.timed,
      average_days: shipmentFigures(all).average_days,
      ...spreadOf(shipments),
    },
    returns: typeof returns === 'string' ? null : returnsOf(returns),
    returns_left_out: typeof returns === 'string' ? returns : null,
  }
}

/** What shipments cost. Groups without a priced parcel are left out. */
function costOf(all: ReportSums, { carrier, zone, day }: ShipmentGroups): CostReport {
  const months = new Map<string | null, Group<ReportSums>[]>()
  for (const group of day) {
    const month = group.keys[0]?.slice(0, 7) ?? null
    months.set(month, [...(months.get(month) ?? []), group])
  }
  const priced = (groups: readonly Group<ReportSums>[]) => groups.filter(({ sums }) => sums.priced > 0)
  const dearest = (groups: readonly Group<ReportSums>[]) => priced(groups).toSorted((a, b) => b.sums.cost - a.sums.cost)
  const monthly = [...months].map(([month, groups]) => ({ keys: [month], sums: total(none, groups) }))
  return {
    totals: { ...costFigures(all), unpriced: all.unpriced, invented: all.invented },
    by_courier: largest('courier', dearest(carrier), none, costFigures),
    by_zone: largest('zone', dearest(zone), none, costFigures),
    by_month: priced(monthly).map(({ keys, sums }) => ({ month: keys[0]!, ...costFigures(sums) })),
  }
}

function returnsOf(groups: ReturnGroups): Report['returns'] {
  const all = total(noReturns, groups.reason)
  return {
    totals: { ...returnFigures(all), few: all.count < fewBelow },
    by_reason: largest('reason', groups.reason, noReturns, returnFigures),
    by_refund_status: largest('refund_status', groups.refund_status, noReturns, returnFigures).rows,
  }
}

const countOf = ({ status }: ShipmentGroups, name: string): number =>
  status.find(({ keys }) => keys[0] === name)?.sums.count ?? 0

/** The stage of picked-up shipments that were neither delivered nor sent back, by status. */
const after: Readonly<Record<string, Stage>> = {
  pending: 'in_transit',
  in_transit: 'in_transit',
  out_for_delivery: 'out_for_delivery',
  ndr_raised: 'ndr',
  rto_initiated: 'rto',
}
/** The stage of shipments that were never picked up, by status. */
const before: Readonly<Record<string, Stage>> = { pending: 'not_picked_up', cancelled: 'cancelled' }

function flowOf({ status }: ShipmentGroups): readonly Link[] {
  const links = new Map<string, { from: Stage; to: Stage; shipments: number }>()
  const add = (from: Stage, to: Stage, shipments: number): void => {
    if (shipments <= 0) return
    const link = links.get(`${from} ${to}`)
    if (link === undefined) links.set(`${from} ${to}`, { from, to, shipments })
    else link.shipments += shipments
  }
  for (const { keys, sums } of status) {
    const name = keys[0] ?? ''
    add('created', 'picked_up', sums.picked_up)
    add('created', before[name] ?? 'not_shipped', sums.count - sums.picked_up)
    add('picked_up', 'delivered', sums.delivered)
    // A shipment that counts as delivered and as lost on its way back is counted as delivered.
    const back = Math.min(sums.rto, sums.picked_up - sums.delivered)
    add('picked_up', 'rto', back)
    add(
      'rto',
      name === 'rto_delivered' ? 'rto_delivered' : name.startsWith('rto_') ? 'rto_under_way' : 'rto_lost',
      back,
    )
    add('picked_up', after[name] ?? 'lost_or_other', sums.picked_up - sums.delivered - back)
  }
  const place = ({ from, to }: Link): number => stages.indexOf(from) * stages.length + stages.indexOf(to)
  return [...links.values()].toSorted((a, b) => place(a) - place(b))
}

/** After this many days bars are weeks, and later months. */
const mostDays = 62
const mostWeeks = 62
/** In a period up to this many days, steps without a shipment have bars too. */
const mostFilled = 20 * 366

function volumeOf({ day }: ShipmentGroups): Report['volume'] {
  const dated = day.filter(({ keys }) => keys[0] !== null)
  const undated = day.find(({ keys }) => keys[0] === null)?.sums.count ?? 0
  const [first, last] = [dated[0]?.keys[0], dated.at(-1)?.keys[0]]
  if (first == null || last == null) return { step: 'day', rows: [], undated }
  const days = Math.round((Date.parse(last) - Date.parse(first)) / dayMs) + 1
  const step: Step = days <= mostDays ? 'day' : days <= mostWeeks * 7 ? 'week' : 'month'
  const steps = new Map<string, Group<ReportSums>[]>()
  const end = startOf(step, last)
  // A clock that is wrong by centuries must not add thousands of empty months.
  if (days <= mostFilled)
    for (let from = startOf(step, first); from <= end; from = nextOf(step, from)) steps.set(from, [])
  for (const group of dated) {
    const from = startOf(step, group.keys[0]!)
    steps.set(from, [...(steps.get(from) ?? []), group])
  }
  return {
    step,
    undated,
    rows: [...steps].map(([from, groups]) => ({ from, ...shipmentFigures(total(none, groups)) })),
  }
}

/** The first day of the step that contains a date; weeks start on Monday. */
const startOf = (step: Step, date: string): string =>
  step === 'day'
    ? date
    : step === 'month'
      ? `${date.slice(0, 7)}-01`
      : addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7))

const nextOf = (step: Step, from: string): string =>
  step === 'month' ? startOf('month', addDays(from, 31)) : addDays(from, step === 'day' ? 1 : 7)

function spreadOf({
  took,
}: ShipmentGroups): Pick<Report['days_to_deliver'], 'half_within_days' | 'most_within_days' | 'rows'> {
  const rows = took
    .filter(({ keys }) => keys[0] !== null)
    .map(({ keys, sums }) => ({ days: Number(keys[0]), shipments: sums.count }))
    .toSorted((a, b) => a.days - b.days)
  const all = rows.reduce((sum, { shipments }) => sum + shipments, 0)
  const within = (share: number): number | null => {
    let sum = 0
    for (const { days, shipments } of rows) if ((sum += shipments) >= all * share) return days + 1
    return null
  }
  return { half_within_days: within(0.5), most_within_days: within(0.9), rows }
}
