// Draws records as a table, or as cards on a narrow screen.

import CliTable from 'cli-table3'

import type { Column } from './columns.ts'
import type { Paint, Screen } from '../terminal/screen.ts'
import { safe } from '../terminal/safe.ts'
import { certain, cut, padEnd, reachOf, widthOf, wrap, type Measure } from '../terminal/width.ts'

const gap = 2
/** A narrower screen shows records as cards. */
const tableWidth = 60
/** A column that may be cut keeps this width while others can be dropped instead. */
const flexibleWidth = 16
/** Above this many rows our own padding replaces cli-table3, which takes quadratic time. */
const libraryRows = 100

/** A table's text, each line with its newline ('' without rows), and how many columns were dropped. */
export interface DrawnTable {
  readonly text: string
  readonly hidden: number
}

/** A table written page by page: the header first, then rows; `hidden` returns how many columns were dropped. */
export interface TableStream<R> {
  readonly header: (sample: readonly R[]) => string
  readonly rows: (rows: readonly R[]) => string
  readonly hidden: () => number
}

/** Safe text before painting. */
interface Cell {
  readonly text: string
  readonly paint?: keyof Paint
}

/** Painted text and its width in columns. */
interface Drawn {
  readonly text: string
  readonly width: number
  /** Whether every terminal agrees on that width. */
  readonly certain: boolean
}

interface Slot<R> {
  readonly column: Column<R>
  readonly width: number
}

/** The columns that fit, with their widths; undefined where only cards fit. */
type Layout<R> = readonly Slot<R>[] | undefined

function clean(text: string, screen: Screen): string {
  const line = safe(text).trimEnd()
  // A lone combining mark needs a base, or it would appear in the gap between columns.
  const seen = line !== '' && widthOf(line) === 0 ? `◌${line}` : line
  return screen.ascii ? seen.replaceAll('⏎', '\\n') : seen
}

function cellOf<R>(column: Column<R>, record: R, screen: Screen): Cell {
  const shown = column.show === undefined ? String(column.raw(record) ?? '') : column.show(record, screen)
  if (typeof shown === 'string') return { text: clean(shown, screen) }
  return { text: clean(shown.text, screen), paint: shown.paint }
}

const headerOf = <R>(column: Column<R>): string => safe(column.header).toUpperCase()

const markOf = (screen: Screen): string => (screen.ascii ? '...' : '…')

const painted = ({ text, paint }: Cell, screen: Screen): string =>
  paint === undefined || text === '' ? text : screen.paint[paint](text)

/**
 * When shipx places the cursor, a cell keeps the most columns that it may take, so that the next cell does not cover
 * its end.
 */
const measureOf = (screen: Screen): Measure => (screen.placing === true ? reachOf : widthOf)

function drawn(cell: Cell, screen: Screen, width?: number): Drawn {
  const measure = measureOf(screen)
  const text = width === undefined ? cell.text : cut(cell.text, width, markOf(screen), measure)
  return { text: painted({ ...cell, text }, screen), width: measure(text), certain: certain(text) }
}

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, gap * Math.max(0, widths.length - 1))

/** Which columns fit, and their widths: drops the least important first, then cuts those that may be cut. */
function layoutOf<R>(columns: readonly Column<R>[], grid: readonly (readonly Cell[])[], screen: Screen): Layout<R> {
  if (screen.width < tableWidth) return undefined
  const measure = measureOf(screen)
  const measured = columns.map((column, i) => {
    const header = Math.max(1, widthOf(headerOf(column)))
    const natural = grid.reduce((most, row) => Math.max(most, measure(row[i]!.text)), header)
    const least = column.whole === true ? natural : Math.max(header, Math.min(natural, flexibleWidth))
    return { column, least, width: column.whole === true ? natural : Math.min(natural, Math.max(least, screen.width)) }
  })
  // The user asked for every column: when they do not fit next to each other, cards show them all.
  if (screen.wide === true && totalOf(measured.map(({ least }) => least)) > screen.width) return undefined
  let kept = measured
  while (totalOf(kept.map(({ least }) => least)) > screen.width && kept.length > 1) {
    const rank = Math.max(...kept.map(({ column }) => column.rank))
    const dropped = kept.findLastIndex(({ column }) => column.rank === rank)
    kept = kept.filter((_, i) => i !== dropped)
  }
  const widths = kept.map(({ width }) => width)
  for (let excess = totalOf(widths) - screen.width; excess > 0; excess--) {
    let widest: number | undefined
    for (const [i, { least }] of kept.entries()) {
      if (widths[i]! > least && (widest === undefined || widths[i]! > widths[widest]!)) widest = i
    }
    if (widest === undefined) return undefined
    widths[widest]!--
  }
  return kept.map(({ column }, i) => ({ column, width: widths[i]! }))
}

/** Space that the first page leaves goes to the columns that later pages would cut. */
function widened<R>(layout: readonly Slot<R>[], screen: Screen): readonly Slot<R>[] {
  let spare = screen.width - totalOf(layout.map(({ width }) => width))
  return layout.map(({ column, width }) => {
    const more = column.whole === true ? 0 : Math.max(0, Math.min(spare, flexibleWidth - width))
    spare -= more
    return { column, width: width + more }
  })
}

const headerRow = <R>(layout: readonly Slot<R>[], screen: Screen): readonly Drawn[] =>
  layout.map(({ column }) => drawn({ text: headerOf(column), paint: 'bold' }, screen))

const cellsOf = <R>(columns: readonly Column<R>[], rows: readonly R[], screen: Screen): readonly (readonly Cell[])[] =>
  rows.map((row) => columns.map((column) => cellOf(column, row, screen)))

function paddedLines<R>(layout: readonly Slot<R>[], grid: readonly (readonly Drawn[])[]): string {
  let text = ''
  for (const row of grid) {
    let line = ''
    for (const [i, { column, width }] of layout.entries()) {
      const cell = row[i]!
      const space = ' '.repeat(Math.max(0, width - cell.width))
      line += (i === 0 ? '' : ' '.repeat(gap)) + (column.right === true ? space + cell.text : cell.text + space)
    }
    text += line.trimEnd() + '\n'
  }
  return text
}

/** Characters that run from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * The mark after such characters: without it, a terminal that reorders them moves the next cell too, above all a
 * number.
 */
const leftToRight = '\u200e'

/**
 * Rows with cells at fixed positions. Terminals disagree on the width of some characters (Indic vowel signs, emoji).
 * After them shipx places the cursor, so that the next cell starts in the same column everywhere.
 */
function placed<R>(
  layout: readonly Slot<R>[],
  grid: readonly (readonly Drawn[])[],
  screen: Screen,
): readonly (readonly Drawn[])[] {
  if (screen.placing !== true) return grid
  return grid.map((row) => {
    if (row.every((cell) => cell.certain)) return row
    // A terminal treats a position beyond its margin as the margin; such a row is wider than the screen anyway.
    const total = totalOf(row.map((cell, i) => Math.max(layout[i]!.width, cell.width)))
    if (total > screen.width) return row
    let [column, doubtful] = [1, false]
    return row.map((cell, i) => {
      const {
        column: { right },
        width,
      } = layout[i]!
      const at = column + (right === true ? Math.max(0, width - cell.width) : 0)
      const marked = rightToLeft.test(cell.text) ? `${cell.text}${leftToRight}` : cell.text
      const text = doubtful && cell.text !== '' ? `\u001b[${at}G${marked}` : marked
      column += Math.max(width, cell.width) + gap
      doubtful ||= !cell.certain
      return { ...cell, text }
    })
  })
}

// prettier-ignore
const borderless = {
  top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '',
  'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: ' '.repeat(gap),
}
const standIn = '\ue000'

function libraryLines<R>(layout: readonly Slot<R>[], grid: readonly (readonly Drawn[])[]): string {
  const library = new CliTable({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: layout.map(({ width }) => width),
    colAligns: layout.map(({ column }) => (column.right === true ? 'right' : 'left')),
  })
  // cli-table3 measures with an old string-width (it counts a Devanagari vowel sign as a column). So any text that is
  // not plain ASCII is laid out as a run of one private character of its true width, and put back afterwards.
  const put: string[] = []
  for (const row of grid) {
    const cells = row.map(({ text, width }) => {
      if (/^[ -~]*$/.test(text)) return text
      put.push(text)
      return standIn.repeat(width)
    })
    library.push(cells)
  }
  const lines = library.toString().split('\n')
  return lines.map((line) => line.replace(/\ue000+/g, () => put.shift()!).trimEnd() + '\n').join('')
}

function cardLines(label: string, cell: Cell, whole: boolean, labelWidth: number, screen: Screen): readonly string[] {
  const bold = (text: string): string => painted({ text, paint: 'bold' }, screen)
  const prefix = screen.width < 40 ? `${label}: ` : padEnd(`${label}:`, labelWidth + 2)
  const room = screen.width - widthOf(prefix)
  const inline = widthOf(cell.text) <= room || (!whole && room >= flexibleWidth)
  if (inline)
    return [
      bold(prefix.trimEnd()) + ' '.repeat(prefix.length - prefix.trimEnd().length) + drawn(cell, screen, room).text,
    ]
  const indent = screen.width < 10 ? '' : '  '
  const below = Math.max(1, screen.width - indent.length)
  const parts = whole ? wrap(cell.text, below) : [cut(cell.text, below, markOf(screen))]
  return [
    bold(cut(`${label}:`, screen.width, markOf(screen))),
    ...parts.map((text) => indent + painted({ ...cell, text }, screen)),
  ]
}

function cardOf<R>(columns: readonly Column<R>[], cells: readonly Cell[], screen: Screen): string {
  const labels = columns.map(({ header, key }) => clean(header === '' ? key : header, screen))
  const labelWidth = Math.max(...labels.map(widthOf))
  const lines = columns.flatMap((column, i) =>
    cells[i]!.text === '' ? [] : cardLines(labels[i]!, cells[i]!, column.whole === true, labelWidth, screen),
  )
  return lines.map((line) => line.trimEnd() + '\n').join('')
}

const cards = <R>(columns: readonly Column<R>[], grid: readonly (readonly Cell[])[], screen: Screen): string =>
  grid.map((cells) => cardOf(columns, cells, screen)).join('\n')

/** The cells of the columns that fit, cut where allowed, and painted. */
function drawnGrid<R>(
  columns: readonly Column<R>[],
  layout: readonly Slot<R>[],
  grid: readonly (readonly Cell[])[],
  screen: Screen,
): readonly (readonly Drawn[])[] {
  const places = layout.map(({ column, width }) => ({
    at: columns.indexOf(column),
    width: column.whole === true ? undefined : width,
  }))
  return grid.map((row) => places.map(({ at, width }) => drawn(row[at]!, screen, width)))
}

/** The columns to draw: with `--wide` none is cut. */
const uncut = <R>(columns: readonly Column<R>[], { wide }: Screen): readonly Column<R>[] =>
  wide === true ? columns.map((column) => ({ ...column, whole: true })) : columns

/**
 * Records as a table of the screen's width: safe text, upper-case bold headers, two spaces between columns. Drops
 * columns of the highest rank until the table fits. A screen narrower than 60, or too narrow for what is never cut,
 * gets cards, which show every column. `--wide` keeps every column.
 */
export function table<R>(all: readonly Column<R>[], rows: readonly R[], screen: Screen): DrawnTable {
  const columns = uncut(all, screen)
  if (columns.length === 0 || rows.length === 0) return { text: '', hidden: 0 }
  const grid = cellsOf(columns, rows, screen)
  const layout = layoutOf(columns, grid, screen)
  if (layout === undefined) return { text: cards(columns, grid, screen), hidden: 0 }
  const lines = [headerRow(layout, screen), ...drawnGrid(columns, layout, grid, screen)]
  const put = placed(layout, lines, screen)
  const text = rows.length <= libraryRows ? libraryLines(layout, put) : paddedLines(layout, put)
  return { text, hidden: columns.length - layout.length }
}

/**
 * The same table written page by page, with the widths of the first page. Later cells are cut to them; cells that are
 * never cut take the space they need.
 */
export function streamTable<R>(all: readonly Column<R>[], screen: Screen): TableStream<R> {
  const columns = uncut(all, screen)
  let layout: Layout<R>
  let started = false
  const header = (sample: readonly R[]): string => {
    const fitting = layoutOf(columns, cellsOf(columns, sample, screen), screen)
    layout = fitting === undefined ? undefined : widened(fitting, screen)
    return layout === undefined || columns.length === 0 ? '' : paddedLines(layout, [headerRow(layout, screen)])
  }
  const lines = (rows: readonly R[]): string => {
    if (columns.length === 0 || rows.length === 0) return ''
    const grid = cellsOf(columns, rows, screen)
    if (layout !== undefined)
      return paddedLines(layout, placed(layout, drawnGrid(columns, layout, grid, screen), screen))
    const text = (started ? '\n' : '') + cards(columns, grid, screen)
    started = true
    return text
  }
  return { header, rows: lines, hidden: () => (layout === undefined ? 0 : columns.length - layout.length) }
}
