// The figures behind a chart as a table that opens below it, for readers who prefer tables or cannot see the chart.
import { count } from '../../../domain/count.ts'
import type { CostFigures } from '../../listings/summaryview.ts'
import type { Largest, ReturnFigures, ShipmentFigures } from './figures.ts'
import { html, type Html } from './html.ts'
import { days, exactRupees, fewMark, groupName, percent } from './words.ts'

/** A column of figures. */
interface Column<F> {
  readonly header: string
  readonly show: (figures: F) => string
}

/** A line of a table. */
export interface Line<F> {
  readonly name: string
  readonly figures: F
}

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

/** A table that opens from its summary line; `first` is the heading of its first column. */
export function table<F>(
  caption: string,
  first: string,
  columns: readonly Column<F>[],
  lines: readonly Line<F>[],
): Html {
  // Keyboard users can scroll only an element that takes the focus.
  return html`<details>
    <summary>Figures as a table</summary>
    <div class="table" tabindex="0" role="region" aria-label="${caption}">
      <table>
        <caption>
          ${caption}
        </caption>
        <thead>
          <tr>
            <th scope="col">${first}</th>
            ${columns.map(({ header }) => html`<th scope="col">${header}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${lines.map(
            ({ name, figures }) =>
              html`<tr>
                <th scope="row">${name}</th>
                ${columns.map(({ show }) => html`<td>${show(figures)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`
}

/** Groups of shipments as a table. */
export const shipmentTable = (caption: string, first: string, lines: readonly Line<ShipmentFigures>[]): Html =>
  table(caption, first, shipmentColumns, lines)

/** What groups of shipments cost as a table. */
export const costTable = (caption: string, first: string, lines: readonly Line<CostFigures>[]): Html =>
  table(caption, first, costColumns, lines)

/** Groups of returns as a table. */
export const returnTable = (caption: string, first: string, lines: readonly Line<ReturnFigures>[]): Html =>
  table(caption, first, returnColumns, lines)
