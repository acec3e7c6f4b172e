// How the parcels of a report ended, as a section of its page (docs/guides/returns.md).
import { count } from '../../../domain/count.ts'
import type { LikeForLike } from '../../../domain/parcels/likeforlike.ts'
import { shortPercentIn, type RtoFigures } from '../../../domain/parcels/rto.ts'
import { exactRupees } from '../../pages/amounts.ts'
import {
  lineHeight,
  gridAround,
  nameAxis,
  notInteractive,
  soft,
  svg,
  type Caption,
  type Place,
} from '../../pages/drawing.ts'
import { figure } from '../../pages/frame.ts'
import { html, type Html } from '../../pages/html.ts'
import { openTable, table, type Column, type Line } from '../../pages/table.ts'
import type { Report } from './figures.ts'
import { fewMark, groupName } from './words.ts'

const percent = (value: number | null): string => (value === null ? '–' : `${value.toFixed(1)}%`)
/** A part of a whole, rounded once. */
const shareOf = (part: number, whole: number): string => percent(shortPercentIn(part, whole))
const range = (low: number | null, high: number | null): string =>
  low === null || high === null ? '–' : `${low.toFixed(1)} to ${high.toFixed(1)}%`
const money = (value: number | null): string => (value === null ? '–' : exactRupees(value))

const weekColumns: readonly Column<RtoFigures>[] = [
  { header: 'Settled', show: ({ settled, few }) => `${count(settled)}${few ? fewMark : ''}` },
  { header: 'RTO', show: ({ rto }) => count(rto) },
  { header: 'RTO %', show: ({ rto, settled }) => shareOf(rto, settled) },
  { header: '95% range', show: ({ low, high }) => range(low, high) },
  { header: '1st attempt', show: ({ first_attempt_percent: share }) => percent(share) },
  { header: 'RTO cost', show: ({ rto_cost: cost }) => money(cost) },
]

const courierColumns: readonly Column<LikeForLike>[] = [
  { header: 'Settled', show: ({ settled, few }) => `${count(settled)}${few ? fewMark : ''}` },
  { header: 'RTO %', show: ({ rto, settled }) => shareOf(rto, settled) },
  { header: 'Like for like', show: ({ standardised_percent: share }) => percent(share) },
  { header: '95% range', show: ({ low, high }) => range(low, high) },
  { header: 'Account', show: ({ account_percent: share }) => percent(share) },
  { header: 'of the mix', show: ({ covered_percent: share }) => percent(share) },
]

/** How the report's parcels ended; nothing while none has. */
export function rtoSection({ rto }: Report): Html {
  if (rto === undefined) return html``
  const { totals, by_week: weeks, like_for_like: couriers } = rto
  const lines = weeks.map((row): Line<RtoFigures> => ({ name: groupName(row.week, false), figures: row }))
  const each = lines.map(
    ({ name, figures }) => `${name}: ${shareOf(figures.rto, figures.settled)} of ${count(figures.settled)}`,
  )
  const caption: Caption = { id: 'rto-week', title: 'RTO by week', description: `${each.join('; ')}.` }
  const alike = couriers.map((row): Line<LikeForLike> => ({ name: groupName(row.courier, false), figures: row }))
  const unpriced = totals.rto_unpriced === 0 ? '' : ` ${count(totals.rto_unpriced)} have no cost yet and are not in it.`
  return html`<section>
    <h2>Returns to origin</h2>
    <p class="lead">
      Of parcels that are settled: delivered, or sent back. The range is what chance leaves likely (95%).${unpriced}
    </p>
    <dl class="figures">
      ${figure('RTO', shareOf(totals.rto, totals.settled), `${count(totals.rto)} of ${count(totals.settled)} settled`)}
      ${figure('Settled', shareOf(totals.settled, totals.picked_up), `of ${count(totals.picked_up)} picked up`)}
      ${figure('First attempt', percent(totals.first_attempt_percent), 'of settled')}
      ${figure('Cost of RTO', money(totals.rto_cost), 'both ways, before GST')}
    </dl>
    <h3>RTO by week</h3>
    ${weekChart(caption, lines, 'full')} ${weekChart(caption, lines, 'phone')}
    ${table('RTO by week', 'Week', weekColumns, lines)}
    <h3>Couriers like for like</h3>
    <p class="lead">Each courier in your own mix of zone and payment; the account in the same part of the mix.</p>
    ${openTable('Couriers like for like', 'Courier', courierColumns, alike)}
  </section>`
}

/** The RTO share of each week. */
function weekChart(caption: Caption, lines: readonly Line<RtoFigures>[], place: Place): Html {
  const option = {
    grid: gridAround(place),
    xAxis: { type: 'value', show: false, min: 0 },
    yAxis: nameAxis(lines, place),
    series: [
      {
        ...notInteractive,
        type: 'bar',
        barWidth: 18,
        data: lines.map(({ figures: { rto_percent: share, few } }) => ({
          value: share ?? 0,
          itemStyle: { color: 'var(--bad)', opacity: few ? 0.4 : 1 },
        })),
        label: {
          show: true,
          position: 'right',
          distance: 8,
          ...soft,
          formatter: ({ dataIndex }: { readonly dataIndex: number }) => {
            const { rto: back, few, settled } = lines[dataIndex]!.figures
            return few ? `of only ${count(settled)}` : shareOf(back, settled)
          },
        },
      },
    ],
  }
  return svg(caption, place, option, lines.length * lineHeight + 4)
}
