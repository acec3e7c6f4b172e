// The charts of a report: their content and layout.
import { count } from '../../../domain/count.ts'
import {
  barChart,
  gridAround,
  ink,
  lineHeight,
  nameAxis,
  notInteractive,
  soft,
  svg,
  type Caption,
} from '../../pages/drawing.ts'
import { roundPercent } from '../../pages/amounts.ts'
import type { Link, Report, ReturnFigures, ShipmentFigures, Stage } from './figures.ts'
import { flowRows } from './flowrows.ts'
import type { Html } from '../../pages/html.ts'
import { stageName, stepName } from './words.ts'

const stageColours: Readonly<Record<Stage, string>> = {
  created: 'var(--accent)',
  picked_up: 'var(--accent)',
  not_picked_up: 'var(--open)',
  cancelled: 'var(--none)',
  not_shipped: 'var(--none)',
  delivered: 'var(--good)',
  in_transit: 'var(--open)',
  out_for_delivery: 'var(--open)',
  ndr: 'var(--warn)',
  rto: 'var(--bad)',
  lost_or_other: 'var(--none)',
  rto_under_way: 'var(--bad)',
  rto_delivered: 'var(--bad)',
  rto_lost: 'var(--bad)',
}

/** A name and a number on two lines, as narrow as a phone needs them. */
function twoLines(name: string, number: string): string {
  const at = name.length > 12 ? name.lastIndexOf(' ', 11) : -1
  return at < 0 ? `${name}\n${number}` : `${name.slice(0, at)}\n${name.slice(at + 1)} ${number}`
}

/** How shipments moved from one stage to the next; on a phone the chart starts at the second stage. */
export function flowChart(caption: Caption, flow: readonly Link[], place: 'full' | 'phone'): Html {
  const phone = place === 'phone'
  const height = phone ? 480 : 400
  const edge = phone ? 16 : 12
  // A phone has no room for the first stage, unless all the others follow on it.
  const without = phone && flow.some(({ from }) => from !== 'created')
  const links = flow.filter(({ from }) => !without || from !== 'created')
  const alone = flow.filter((link) => !links.includes(link))
  const { shown, size, top, gap } = flowRows(links, alone, height - 2 * edge, phone ? 30 : 18)
  const label = (stage: Stage): string =>
    phone ? twoLines(stageName(stage), count(size(stage))) : `${stageName(stage)}  ${count(size(stage))}`
  const series = {
    ...notInteractive,
    type: 'sankey',
    left: 4,
    right: phone ? 92 : 168,
    top: edge,
    bottom: edge,
    nodeWidth: phone ? 8 : 12,
    nodeGap: gap,
    nodeAlign: 'left',
    layoutIterations: 0,
    data: shown.map((stage) => ({
      name: stage,
      value: size(stage),
      localY: top(stage),
      itemStyle: { color: stageColours[stage], borderWidth: 0 },
      label: { formatter: label(stage) },
    })),
    links: links.map(({ from, to, shipments }) => ({ source: from, target: to, value: shipments })),
    lineStyle: { color: 'target', opacity: 0.28, curveness: 0.5 },
    label: { ...ink, fontSize: phone ? 12 : 13, lineHeight: phone ? 14 : 16 },
  }
  return svg(caption, place, { series: [series] }, height)
}

/** Shipments of each day, week or month up to a day, stacked by outcome so far: delivered, RTO, all others. */
export function volumeChart(
  caption: Caption,
  { step, rows }: Report['volume'],
  end: string,
  place: 'full' | 'phone',
): Html {
  const phone = place === 'phone'
  const bar = (color: string, figure: (row: ShipmentFigures) => number): object => ({
    ...notInteractive,
    type: 'bar',
    stack: 'all',
    barCategoryGap: '24%',
    barMaxWidth: 40,
    itemStyle: { color },
    data: rows.map(figure),
  })
  const option = {
    grid: { left: 4, right: 4, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'category',
      data: rows.map(({ from }) => stepName(step, from, end)),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: 'var(--line)' } },
      axisLabel: { ...soft, hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitNumber: 4,
      splitLine: { lineStyle: { color: 'var(--line)' } },
      axisLabel: { ...soft, formatter: count },
    },
    series: [
      bar('var(--good)', ({ delivered }) => delivered),
      bar('var(--bad)', ({ rto }) => rto),
      bar('var(--open)', (row) => Math.max(0, row.shipments - row.delivered - row.rto)),
    ],
  }
  return svg(caption, place, option, phone ? 240 : 280)
}

/** A line of a chart of shares. */
export interface ShareLine {
  readonly name: string
  readonly figures: ShipmentFigures
}

/** The results of each line's picked-up shipments: delivered, sent back, still open. */
export function shareChart(caption: Caption, lines: readonly ShareLine[], place: 'half' | 'phone'): Html {
  const percentOf = ({ picked_up }: ShipmentFigures, n: number): number => (picked_up === 0 ? 0 : (n / picked_up) * 100)
  const bar = (color: string, n: (figures: ShipmentFigures) => number, label: object = {}): object => ({
    ...notInteractive,
    type: 'bar',
    stack: 'all',
    barWidth: 18,
    itemStyle: { color },
    // The bar of a small group is pale, and the words next to it say why.
    data: lines.map(({ figures }) => ({
      value: percentOf(figures, n(figures)),
      itemStyle: { opacity: figures.few ? 0.4 : 1 },
    })),
    ...label,
  })
  const at = ({ dataIndex }: { readonly dataIndex: number }): ShipmentFigures => lines[dataIndex]!.figures
  const right = ({ picked_up, few, rto_share }: ShipmentFigures): string =>
    picked_up === 0 ? 'none picked up' : few ? `of only ${count(picked_up)}` : `${roundPercent(rto_share)} RTO`
  const option = {
    grid: gridAround(place),
    // The sum of three divisions can be slightly more than 100; ECharts would cut the last bar there.
    xAxis: { type: 'value', max: 100.1, show: false },
    yAxis: nameAxis(lines, place),
    series: [
      bar('var(--good)', ({ delivered }) => delivered, {
        label: {
          show: true,
          position: 'insideLeft',
          color: 'var(--on-good)',
          fontSize: 12,
          formatter: (row: { readonly dataIndex: number }) =>
            at(row).few || (at(row).delivered_of_picked_up ?? 0) < 0.15
              ? ''
              : roundPercent(at(row).delivered_of_picked_up),
        },
      }),
      bar('var(--bad)', ({ rto }) => rto),
      bar('var(--open)', ({ picked_up, delivered, rto }) => Math.max(0, picked_up - delivered - rto)),
      // A series of zero length carries the words at the end of each bar.
      {
        ...notInteractive,
        type: 'bar',
        stack: 'all',
        data: lines.map(() => 0),
        label: {
          show: true,
          position: 'right',
          distance: 8,
          ...soft,
          formatter: (row: { readonly dataIndex: number }) => right(at(row)),
        },
      },
    ],
  }
  return svg(caption, place, option, lines.length * lineHeight + 4)
}

/** Shipments that took this many days or more share the last bar. */
const longDays = 14

/** How many shipments arrived within each number of days. */
export function spreadChart(caption: Caption, rows: Report['days_to_deliver']['rows'], place: 'half' | 'phone'): Html {
  const last = Math.min(longDays, Math.max(...rows.map(({ days }) => days)))
  const bars = Array.from({ length: last + 1 }, (_, n) => ({
    name: n === longDays ? `>${n}` : String(n + 1),
    shipments: rows.reduce((sum, { days, shipments }) => sum + (Math.min(days, longDays) === n ? shipments : 0), 0),
  }))
  const all = bars.reduce((sum, { shipments }) => sum + shipments, 0)
  const option = {
    grid: { left: 4, right: 4, top: 22, bottom: 22 },
    xAxis: {
      type: 'category',
      data: bars.map(({ name }) => name),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: 'var(--line)' } },
      axisLabel: { ...soft, interval: 0 },
    },
    yAxis: { type: 'value', show: false },
    series: [
      {
        ...notInteractive,
        type: 'bar',
        barCategoryGap: '18%',
        barMaxWidth: 48,
        itemStyle: { color: 'var(--accent)' },
        data: bars.map(({ shipments }) => shipments),
        label: {
          show: true,
          position: 'top',
          distance: 4,
          ...soft,
          formatter: ({ value }: { readonly value: number }) => (value === 0 ? '' : roundPercent(value / all)),
        },
      },
    ],
  }
  return svg(caption, place, option, place === 'phone' ? 220 : 330)
}

/** A line of a chart of returns. */
export interface ReturnLine {
  readonly name: string
  readonly figures: ReturnFigures
}

/** How many returns each line has. */
export const returnChart = (caption: Caption, lines: readonly ReturnLine[], place: 'half' | 'phone'): Html =>
  barChart(
    caption,
    lines.map(({ name, figures }) => ({ name, amount: figures.returns })),
    count,
    place,
  )
