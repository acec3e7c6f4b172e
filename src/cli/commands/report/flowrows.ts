// Where the stages of the flow chart stand: every stage that leads nowhere has a row of its own across the chart, and a
// stage before it the middle of its rows. So no band crosses another one or the words next to a stage.
import type { Link, Stage } from './figures.ts'

/** The rows of a chart of some height, in pixels. */
export interface FlowRows {
  /** The stages that are drawn, from the top. */
  readonly shown: readonly Stage[]
  /** The shipments of a stage. */
  readonly size: (stage: Stage) => number
  /** Where a stage begins, as a share of the height. */
  readonly top: (stage: Stage) => number
  /** The gap between the stages of a column with which ECharts draws shipments as high as the rows have them. */
  readonly gap: number
}

/**
 * Lays out the links of a flow, each stage reached by one link, and stages `alone` whose link is not drawn. `least` is
 * the gap between two rows.
 */
export function flowRows(links: readonly Link[], alone: readonly Link[], height: number, least: number): FlowRows {
  const childrenOf = (stage: Stage): readonly Stage[] => links.filter(({ from }) => from === stage).map(({ to }) => to)
  const sizes = new Map([...alone, ...links].map(({ to, shipments }) => [to, shipments]))
  const first = [...new Set([...links.map(({ from }) => from), ...sizes.keys()])].filter((stage) =>
    links.every(({ to }) => to !== stage),
  )
  const size = (stage: Stage): number => {
    const known = sizes.get(stage)
    return known ?? childrenOf(stage).reduce((sum, child) => sum + size(child), 0)
  }
  const all = first.reduce((sum, stage) => sum + size(stage), 0)
  const shown: Stage[] = []
  const columns: Stage[][] = []
  const tops = new Map<Stage, number>()
  const isEnd = (stage: Stage): boolean => childrenOf(stage).length === 0
  const walk = (stage: Stage, column: number, visit: (stage: Stage, column: number) => void): void => {
    visit(stage, column)
    for (const child of childrenOf(stage)) walk(child, column + 1, visit)
  }
  for (const stage of first)
    walk(stage, 0, (seen, column) => {
      shown.push(seen)
      ;(columns[column] ??= []).push(seen)
    })
  const ends = shown.filter(isEnd)
  const scale = (height - (ends.length - 1) * least) / all
  let at = 0
  for (const stage of ends) {
    tops.set(stage, at)
    at += size(stage) * scale + least
  }
  const place = (stage: Stage): readonly [from: number, to: number] => {
    const spans = childrenOf(stage).map(place)
    const [from, to] = [
      spans.at(0)?.[0] ?? tops.get(stage)!,
      spans.at(-1)?.[1] ?? tops.get(stage)! + size(stage) * scale,
    ]
    tops.set(stage, (from + to - size(stage) * scale) / 2)
    return [from, to]
  }
  first.forEach(place)
  const gaps = columns
    .filter((column) => column.length > 1)
    .map((column) => (height - scale * column.reduce((sum, stage) => sum + size(stage), 0)) / (column.length - 1))
  return { shown, size, top: (stage) => tops.get(stage)! / height, gap: Math.min(least * shown.length, ...gaps) }
}
