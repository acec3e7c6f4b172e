// The view of a summary: the figures of a group as a row, its columns and its bar.
import { count, counted } from '../../domain/count.ts'
import { rupeesOf } from '../../domain/money.ts'
import {
  daysOf,
  shareOf,
  type BilledSums,
  type CostSums,
  type ReturnSums,
  type ShipmentSums,
} from '../../domain/parcels/summary.ts'
import type { ColumnType } from '../command/tablefile.ts'
import type { Column, View } from '../output/columns.ts'
import type { Screen } from '../terminal/screen.ts'
import { showMoney, words } from '../output/display.ts'

/** A printed group: its keys by name, then its figures. */
export type SummaryRow = Readonly<Record<string, string | number | null>>

/** A column of figures. */
export interface Figure {
  readonly name: string
  readonly header: string
  readonly show: (value: number, screen: Screen) => string
  readonly rank: number
  readonly wide?: true
  readonly kind?: 'money' | 'share'
  /** Of a share: its header in a sheet, and what it is a share of. */
  readonly sheet?: string
  readonly of?: string
}

/** Amounts in rupees, shares from 0 to 1; the RTO share counts only picked-up shipments (docs/guides/worklists.md). */
export const shipmentRow = (sums: ShipmentSums): SummaryRow => ({
  shipments: sums.count,
  value: rupeesOf(sums.value),
  cod: rupeesOf(sums.cod),
  picked_up: sums.picked_up,
  delivered: sums.delivered,
  delivered_share: shareOf(sums.delivered, sums.count),
  rto: sums.rto,
  rto_share: shareOf(sums.rto, sums.picked_up),
  average_days: daysOf(sums),
})

/** What priced parcels cost, rupees before GST; null where none has a price. */
export interface CostFigures {
  readonly priced: number
  readonly freight: number
  readonly surcharges: number
  readonly cost: number
  readonly cost_per_order: number | null
  readonly cost_share: number | null
}

/** The figures of what a group cost (docs/guides/cost.md). */
export const costFigures = ({ priced, freight, surcharges, cost, priced_value: value }: CostSums): CostFigures => ({
  priced,
  freight: rupeesOf(freight),
  surcharges: rupeesOf(surcharges),
  cost: rupeesOf(cost),
  cost_per_order: priced === 0 ? null : rupeesOf(Math.round(cost / priced)),
  cost_share: shareOf(cost, value),
})

/** What couriers billed for parcels over all kept invoices, rupees before GST, beside what the card says. */
export interface BilledFigures {
  readonly billed_parcels: number
  readonly billed: number
  readonly expected: number
  readonly over: number
  /** Parcels that were picked up and that no invoice bills. */
  readonly not_billed: number
}

/** The figures of what couriers billed for a group (docs/guides/money.md). */
export const billedFigures = (sums: BilledSums): BilledFigures => ({
  billed_parcels: sums.billed_parcels,
  billed: rupeesOf(sums.billed),
  expected: rupeesOf(sums.expected),
  over: rupeesOf(sums.over),
  not_billed: sums.not_billed,
})

/** Amounts in rupees, shares from 0 to 1. */
export const returnRow = (sums: ReturnSums): SummaryRow => ({
  returns: sums.count,
  value: rupeesOf(sums.value),
  received: sums.received,
  received_share: shareOf(sums.received, sums.count),
  cancelled: sums.cancelled,
  refunded: sums.refunded,
  average_days: daysOf(sums),
})

const percent = (value: number): string => `${(value * 100).toFixed(1)}%`
const days = (value: number): string => value.toFixed(1)

/** The figures of each summary after the count. */
export const figures: Readonly<Record<'shipments' | 'returns', readonly Figure[]>> = {
  shipments: [
    { name: 'value', header: 'value', show: showMoney, rank: 5, kind: 'money' },
    { name: 'cod', header: 'cod', show: showMoney, rank: 9, kind: 'money' },
    { name: 'picked_up', header: 'picked up', show: count, rank: 11, wide: true },
    { name: 'delivered', header: 'delivered', show: count, rank: 12, wide: true },
    {
      name: 'delivered_share',
      header: 'delivered %',
      show: percent,
      rank: 6,
      kind: 'share',
      sheet: 'Delivered share',
      of: 'all shipments',
    },
    { name: 'rto', header: 'rto', show: count, rank: 13, wide: true },
    {
      name: 'rto_share',
      header: 'rto %',
      show: percent,
      rank: 7,
      kind: 'share',
      sheet: 'RTO share',
      of: 'those picked up',
    },
    { name: 'average_days', header: 'days', show: days, rank: 8 },
  ],
  returns: [
    { name: 'value', header: 'value', show: showMoney, rank: 5, kind: 'money' },
    { name: 'received', header: 'received', show: count, rank: 11, wide: true },
    {
      name: 'received_share',
      header: 'received %',
      show: percent,
      rank: 6,
      kind: 'share',
      sheet: 'Received share',
      of: 'all returns',
    },
    { name: 'cancelled', header: 'cancelled', show: count, rank: 9 },
    { name: 'refunded', header: 'refunded', show: count, rank: 7 },
    { name: 'average_days', header: 'days', show: days, rank: 8 },
  ],
}

/** The figures of `--cost`, which come after the value. */
export const costColumns: readonly Figure[] = [
  { name: 'priced', header: 'priced', show: count, rank: 3.4 },
  { name: 'freight', header: 'freight', show: showMoney, rank: 3.8 },
  { name: 'surcharges', header: 'surcharges', show: showMoney, rank: 8.5 },
  { name: 'cost', header: 'cost', show: showMoney, rank: 3.5 },
  { name: 'cost_per_order', header: 'per order', show: showMoney, rank: 3.6 },
  {
    name: 'cost_share',
    header: 'cost %',
    show: percent,
    rank: 3.7,
    sheet: 'Cost share',
    of: 'the value of the priced ones',
  },
]

/** The figures of `--billed`, which come after the value. */
export const billedColumns: readonly Figure[] = [
  { name: 'billed_parcels', header: 'parcels billed', show: count, rank: 3.4 },
  { name: 'billed', header: 'billed', show: showMoney, rank: 3.5 },
  { name: 'expected', header: 'expected', show: showMoney, rank: 3.6 },
  { name: 'over', header: 'over', show: showMoney, rank: 3.7 },
  { name: 'not_billed', header: 'not billed', show: count, rank: 3.8 },
]

/** What couriers billed for all groups together, in a sentence for people. */
export function billedTotal(rows: readonly SummaryRow[], screen: Screen): string {
  const sum = (name: string): number => rows.reduce((all, row) => all + Number(row[name] ?? 0), 0)
  const money = (name: string): string => showMoney(rupeesOf(Math.round(sum(name) * 100)), screen)
  return `${money('billed')} billed before GST, ${money('expected')} expected, ${money('over')} over`
}

/** What all groups cost together, in a sentence for people; undefined where no parcel has a price. */
export function costTotal(rows: readonly SummaryRow[], screen: Screen): string | undefined {
  const sum = (name: string): number => rows.reduce((all, row) => all + Number(row[name] ?? 0), 0)
  const [priced, paise] = [sum('priced'), Math.round(sum('cost') * 100)]
  if (priced === 0) return undefined
  const each = showMoney(rupeesOf(Math.round(paise / priced)), screen)
  const are = counted(priced, ['priced one costs', 'priced ones cost'])
  return `${are} ${showMoney(rupeesOf(paise), screen)} before GST, ${each} each`
}

/** What the shares among the shown figures are of: `DELIVERED % is of all shipments`. */
export const basesOf = (shown: readonly Figure[], hidden: readonly string[]): string =>
  shown
    .filter(({ of, header }) => of !== undefined && !hidden.includes(header))
    .map(({ of, header }) => `${header.toUpperCase()} is of ${of!}`)
    .join(', ')

/** Keys whose values are words of the API. */
const worded: ReadonlySet<string> = new Set([
  'status',
  'granular_status',
  'ndr_reason',
  'rto_reason',
  'qc_status',
  'refund_status',
  'payment',
  'reason',
  'channel',
  'zone',
])

/** What the values of a figure are in a Parquet file. */
const typeOf = ({ show }: Figure): ColumnType => (show === showMoney ? 'money' : show === count ? 'count' : 'number')

/** The longest bar, in columns. */
const barWidth = 16

/** A summary by some keys; `most` is the count of the longest bar, and without it there are no bars. */
export function summaryView(
  noun: 'shipments' | 'returns',
  by: readonly string[],
  shown: readonly Figure[],
  most: number | undefined,
): View<SummaryRow> {
  const keys = by.map((key, i): Column<SummaryRow> => {
    const show = (value: SummaryRow[string] | undefined): string =>
      value == null ? '-' : worded.has(key) ? words(String(value)) : String(value)
    return {
      key,
      header: key.replaceAll('_', ' '),
      rank: i + 1,
      whole: true,
      ...(key === 'day' ? { kind: 'day' as const } : {}),
      raw: (row) => row[key],
      show: (row) => show(row[key]),
    }
  })
  const column = ({ name, header, show, rank, wide, sheet, kind }: Figure): Column<SummaryRow> => ({
    key: name,
    header,
    rank,
    right: true,
    whole: true,
    ...(wide === undefined ? {} : { wide }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(kind === undefined ? {} : { kind }),
    raw: (row) => row[name],
    show: (row, screen) => (typeof row[name] === 'number' ? show(row[name], screen) : '-'),
  })
  const bar = (longest: number): Column<SummaryRow> => ({
    key: 'bar',
    header: '',
    rank: 4,
    whole: true,
    raw: () => undefined,
    show: (row, { ascii }) =>
      (ascii ? '#' : '█').repeat(Math.max(1, Math.round((Number(row[noun]) / longest) * barWidth))),
  })
  return {
    columns: [
      ...keys,
      column({ name: noun, header: noun, show: count, rank: 3 }),
      ...(most === undefined ? [] : [bar(most)]),
      ...shown.map(column),
    ],
    id: (row) => by.map((key) => String(row[key] ?? '')).join(','),
    names: [...by, noun, ...shown.map(({ name }) => name)],
    types: {
      ...(by.includes('day') ? { day: 'day' } : {}),
      ...Object.fromEntries(shown.map((figure) => [figure.name, typeOf(figure)])),
      [noun]: 'count',
    },
    noun: ['group', 'groups'],
  }
}
