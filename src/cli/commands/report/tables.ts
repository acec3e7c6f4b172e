// The tables of a report.
import { count } from '../../../domain/count.ts'
import type { CostFigures } from '../../listings/summaryview.ts'
import type { ReturnFigures, ShipmentFigures } from './figures.ts'
import type { Largest } from './groups.ts'
import { exactRupees, percent } from '../../pages/amounts.ts'
import type { Html } from '../../pages/html.ts'
import { table, type Column, type Line } from '../../pages/table.ts'
import { days, fewMark, groupName } from './words.ts'

/** The largest groups as lines, and the others as one. */
export function linesOf<F, K extends string>(
  { rows, others }: Largest<F, K>,
  key: K,
  worded: boolean,
): readonly Line<F>[] {
  const lines = rows.map((row): Line<F> => ({ name: groupName(row[key], worded), figures: row }))
  return others === null ? lines : [...lines, { name: `${count(others.groups)} others`, figures: others }]
}

const shipmentColumns: readonly Column<ShipmentFigures>[] = [
  { header: 'Shipments', show: ({ shipments }) => count(shipments) },
  { header: 'Value', show: ({ value }) => exactRupees(value) },
  { header: 'Picked up', show: ({ picked_up, few }) => `${count(picked_up)}${few ? fewMark : ''}` },
  { header: 'Delivered', show: ({ delivered }) => count(delivered) },
  { header: 'of picked up', show: (figures) => percent(figures.delivered_of_picked_up) },
  { header: 'RTO', show: ({ rto }) => count(rto) },
  { header: 'of picked up', show: ({ rto_share }) => percent(rto_share) },
  { header: 'COD', show: ({ cod_share }) => percent(cod_share) },
  { header: 'Days', show: ({ average_days }) => days(average_days) },
]

const returnColumns: readonly Column<ReturnFigures>[] = [
  { header: 'Returns', show: ({ returns }) => count(returns) },
  { header: 'Value', show: ({ value }) => exactRupees(value) },
  { header: 'Received', show: ({ received }) => count(received) },
  { header: 'Cancelled', show: ({ cancelled }) => count(cancelled) },
  { header: 'Refunded', show: ({ refunded }) => count(refunded) },
  { header: 'Days', show: ({ average_days }) => days(average_days) },
]

const costColumns: readonly Column<CostFigures>[] = [
  { header: 'Priced', show: ({ priced }) => count(priced) },
  { header: 'Freight', show: ({ freight }) => exactRupees(freight) },
  { header: 'Cost', show: ({ cost }) => exactRupees(cost) },
  { header: 'each', show: ({ cost_per_order: each }) => (each === null ? '–' : exactRupees(each)) },
  { header: 'of value', show: ({ cost_share: share }) => percent(share) },
]

/** Groups of shipments as a table. */
export const shipmentTable = (caption: string, first: string, lines: readonly Line<ShipmentFigures>[]): Html =>
  table(caption, first, shipmentColumns, lines)

/** What groups of shipments cost as a table. */
export const costTable = (caption: string, first: string, lines: readonly Line<CostFigures>[]): Html =>
  table(caption, first, costColumns, lines)

/** Groups of returns as a table. */
export const returnTable = (caption: string, first: string, lines: readonly Line<ReturnFigures>[]): Html =>
  table(caption, first, returnColumns, lines)
