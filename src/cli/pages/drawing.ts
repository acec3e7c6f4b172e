// What charts of HTML pages have in common: static SVG with a title and a description. Colours are names from the style
// sheet, so that one drawing serves light, dark and print.
import { safe } from '../terminal/safe.ts'
import { cut, roundPercent } from './amounts.ts'
import { drawn } from './echarts.ts'
import { escaped, type Html } from './html.ts'

/** The title and the description of a chart, for readers who cannot see it. */
export interface Caption {
  /** The id of the chart inside the page. */
  readonly id: string
  readonly title: string
  readonly description: string
}

/**
 * The place of a chart: full width, a column of a wide page, or a phone. Each place has its own drawing, because
 * scaling one drawing would scale its text.
 */
export type Place = 'full' | 'half' | 'phone'

const widths: Readonly<Record<Place, number>> = { full: 926, half: 432, phone: 328 }

/** How names are written, and notes next to them. */
export const ink = { color: 'var(--ink)', fontSize: 13 } as const
export const soft = { color: 'var(--soft)', fontSize: 12 } as const
/** A series that answers no pointer. */
export const notInteractive = { silent: true, emphasis: { disabled: true } } as const

/**
 * Draws an ECharts option as an <svg> with title and description. Removes ECharts' own <svg> tag, background, styles
 * and script attributes.
 */
export function svg({ id, title, description }: Caption, place: Place, option: object, height: number): Html {
  const width = widths[place]
  const own = `${id}-${place}`
  const inside = withoutWrapping(drawn({ textStyle: { fontFamily: 'inherit' }, ...option }, width, height))
    .replace(/<style\b[\s\S]*?<\/style>/g, '')
    .replace(/ (?:ecmeta_\w+|class|pointer-events)="[^"]*"/g, '')
  const labels = `role="img" aria-labelledby="${own}-t ${own}-d"`
  const head = `<svg class="${place}" viewBox="0 0 ${width} ${height}" ${labels}>`
  const texts = `<title id="${own}-t">${escaped(title)}</title><desc id="${own}-d">${escaped(description)}</desc>`
  return { html: head + texts + inside }
}

/** A drawing without its first tag and its background. Throws when ECharts begins its drawings in another way. */
function withoutWrapping(text: string): string {
  const opening = /^<svg [^>]*>\s*<rect [^>]*><\/rect>/.exec(text)
  if (opening === null) throw new Error(`a drawing of ECharts begins with ${text.slice(0, 100)}`)
  return text.slice(opening[0].length)
}

/** The height of a line of bars. */
export const lineHeight = 30

/** Space for the names on the left and the words on the right. */
export const gridAround = (place: Place): object => ({
  left: place === 'phone' ? 112 : 132,
  right: place === 'phone' ? 84 : 92,
  top: 2,
  bottom: 2,
})

/** The axis that names the lines. */
export const nameAxis = (lines: readonly { readonly name: string }[], place: Place): object => ({
  type: 'category',
  inverse: true,
  data: lines.map(({ name }) => cut(safe(name), 18)),
  axisTick: { show: false },
  axisLine: { show: false },
  axisLabel: { ...ink, margin: 10, width: place === 'phone' ? 102 : 122, overflow: 'truncate', interval: 0 },
})

/** What each line has of one amount, and its share of all. */
export function barChart(
  caption: Caption,
  lines: readonly { readonly name: string; readonly amount: number }[],
  show: (amount: number) => string,
  place: 'half' | 'phone',
): Html {
  const all = lines.reduce((sum, { amount }) => sum + amount, 0)
  const option = {
    grid: gridAround(place),
    xAxis: { type: 'value', show: false },
    yAxis: nameAxis(lines, place),
    series: [
      {
        ...notInteractive,
        type: 'bar',
        barWidth: 18,
        itemStyle: { color: 'var(--accent)' },
        data: lines.map(({ amount }) => amount),
        label: {
          show: true,
          position: 'right',
          distance: 8,
          ...soft,
          formatter: ({ value }: { readonly value: number }) =>
            `${show(value)} · ${roundPercent(all === 0 ? null : value / all)}`,
        },
      },
    ],
  }
  return svg(caption, place, option, lines.length * lineHeight + 4)
}

/** A line of a chart of amounts that may be below zero. */
export interface SignedLine {
  readonly name: string
  readonly amount: number
}

/** Amounts as bars as long as they are large; those below zero have another colour, and the words beside say them. */
export function signedChart(
  caption: Caption,
  lines: readonly SignedLine[],
  show: (amount: number) => string,
  place: 'full' | 'phone',
): Html {
  const phone = place === 'phone'
  const option = {
    grid: { left: phone ? 128 : 264, right: phone ? 104 : 128, top: 2, bottom: 2 },
    xAxis: { type: 'value', show: false },
    yAxis: {
      ...nameAxis([], place),
      data: lines.map(({ name }) => (phone ? cut(safe(name), 20) : cut(safe(name), 40))),
      axisLabel: { ...ink, margin: 10, width: phone ? 118 : 250, overflow: 'truncate', interval: 0 },
    },
    series: [
      {
        ...notInteractive,
        type: 'bar',
        barWidth: 18,
        data: lines.map(({ amount }) => ({
          value: Math.abs(amount),
          itemStyle: { color: amount < 0 ? 'var(--open)' : 'var(--bad)' },
        })),
        label: {
          show: true,
          position: 'right',
          distance: 8,
          ...soft,
          formatter: ({ dataIndex }: { readonly dataIndex: number }) => show(lines[dataIndex]!.amount),
        },
      },
    ],
  }
  return svg(caption, place, option, lines.length * lineHeight + 4)
}
