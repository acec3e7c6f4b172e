// The figures of a run: one row each in an aligned table for people, and the same as JSON for programs.

/** One figure and the goal that it is held against. */
export interface Figure {
  readonly item: string
  readonly work: string
  readonly against: string
  /** The figure: a ratio, or MB for memory; undefined when it was skipped (the note says why). */
  readonly value: number | undefined
  readonly unit: 'x' | 'MB'
  /** The bound, and on which side of it the figure should be. */
  readonly goal?: number
  readonly side?: 'at most' | 'at least'
  /** The medians in ms. */
  readonly ours?: number
  readonly theirs?: number
  readonly runs: number
  /** The rows of data, where the part had a number of its own. */
  readonly rows?: number
  readonly note?: string
  /** What else a program reading the JSON may want. */
  readonly detail?: unknown
}

/** Whether the figure is within its goal; undefined without a goal or a figure. */
export function within({ value, goal, side = 'at most' }: Figure): boolean | undefined {
  if (value === undefined || goal === undefined) return undefined
  return side === 'at most' ? value <= goal : value >= goal
}

const places = (value: number): string => value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 0)

/** A time as people read it. */
export const inMs = (ms: number | undefined): string => (ms === undefined ? '' : `${places(ms)} ms`)

function cells(figure: Figure): readonly string[] {
  const { item, work, against, value, unit, goal, side, ours, theirs, runs, rows, note } = figure
  const ok = within(figure)
  return [
    rows === undefined ? item : `${item}@${rows}`,
    work,
    against,
    value === undefined ? 'skipped' : `${value.toFixed(unit === 'MB' ? 0 : 2)}${unit === 'MB' ? ' MB' : ''} (${runs})`,
    goal === undefined
      ? ''
      : `${side === 'at least' ? '≥' : '≤'} ${Number(goal.toFixed(2))}${unit === 'MB' ? ' MB' : ''}`,
    ok === undefined ? '' : ok ? 'yes' : 'NO',
    inMs(ours),
    inMs(theirs),
    note ?? '',
  ]
}

const head = ['#', 'work', 'against', 'ratio (median of N)', 'goal', 'ok', 'ours', 'theirs', 'note']

/** Rows of cells under each other; the last column is not padded. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) => {
      const line = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!)))
      return `${line.join(' | ').trimEnd()}\n`
    })
    .join('')
}

/** The figures as a table. */
export function tableOf(figures: readonly Figure[]): string {
  return aligned([head, ...figures.map(cells)])
}

/** The figures as JSON text, with whether each is within its goal. */
export function jsonOf(about: Readonly<Record<string, unknown>>, figures: readonly Figure[]): string {
  return `${JSON.stringify({ ...about, figures: figures.map((figure) => ({ ...figure, ok: within(figure) })) }, null, 2)}\n`
}

/** Word of what is going on, on stderr. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
