// What the parcels of a report cost, as sections of its page (docs/guides/cost.md).
import { count, counted } from '../../../domain/count.ts'
import type { CostFigures } from '../../listings/summaryview.ts'
import { exactRupees, percent, rupees } from '../../pages/amounts.ts'
import { barChart, type Caption } from '../../pages/drawing.ts'
import { html, type Html } from '../../pages/html.ts'
import type { Line } from '../../pages/table.ts'
import type { CostReport, Report } from './figures.ts'
import { costTable, linesOf } from './tables.ts'
import { groupName } from './words.ts'

/** The cost of the report's parcels; nothing while none has a price. */
export function costSection({ cost }: Report): Html {
  if (cost === undefined) return html``
  const months = cost.by_month.map((row): Line<CostFigures> => ({ name: groupName(row.month, false), figures: row }))
  return html`<section>
      <h2>Cost</h2>
      <p class="lead">${lead(cost.totals)}</p>
      ${costTable('Cost by month', 'Month', months)}
    </section>
    <div class="pair">
      ${costs('courier-cost', 'Cost by courier', 'Courier', linesOf(cost.by_courier, 'courier', false))}
      ${costs('zone-cost', 'Cost by zone', 'Zone', linesOf(cost.by_zone, 'zone', true))}
    </div>`
}

function lead({
  priced,
  freight,
  surcharges,
  cost,
  cost_per_order: each,
  cost_share: share,
  unpriced,
  invented,
}: CostReport['totals']): Html {
  const parcels = counted(priced, ['parcel', 'parcels'])
  const value = share === null ? '' : `, ${percent(share)} of their value`
  const missing =
    unpriced === 0
      ? ''
      : `${counted(unpriced, ['parcel', 'parcels'])} with a courier ${unpriced === 1 ? 'has' : 'have'} no price yet.`
  return html`${parcels} cost ${exactRupees(cost)}: ${each === null ? '–' : exactRupees(each)} each${value}. Their
  forward freight is ${exactRupees(freight)}${surcharges === 0 ? '' : `, and surcharges ${exactRupees(surcharges)}`}.
  Amounts are before GST, as quoted, without cancelled parcels. ${missing}
  ${unpriced > 0 && html`To price them: <code>shipx local price</code>`} ${invented > 0 && inventedNote(invented)}`
}

const inventedNote = (invented: number): Html =>
  html`<strong> The prices of ${counted(invented, ['parcel', 'parcels'])} are invented (rate card sample). </strong>`

function costs(id: string, title: string, first: string, lines: readonly Line<CostFigures>[]): Html {
  const each = lines.map(({ name, figures }) => `${name}: ${rupees(figures.cost)} for ${count(figures.priced)}`)
  const caption: Caption = { id, title, description: `${each.join('; ')}.` }
  const bars = lines.map(({ name, figures }) => ({ name, amount: figures.cost }))
  return html`<section>
    <h2>${title}</h2>
    <p class="lead">Forward freight with surcharges, COD fees, RTO and platform fees, before GST.</p>
    ${barChart(caption, bars, rupees, 'half')} ${barChart(caption, bars, rupees, 'phone')}
    ${costTable(title, first, lines)}
  </section>`
}
