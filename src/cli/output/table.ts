// Draws records as a table, or as cards on a narrow screen. cli-table3 draws small tables. It needs all rows at once,
// and its time grows with their square, so shipx pads larger tables and streams itself (docs/inside/decisions.md).
// Here a column is a column of the table, and a position is one character cell of the screen.

import CliTable from 'cli-table3'

import type { Column } from './columns.ts'
import type { Screen } from '../terminal/screen.ts'
import { safe } from '../terminal/safe.ts'
import { certain, cut, padEnd, widthOf, wrap } from '../terminal/width.ts'
import {
  filled,
  flexibleWidth,
  gap,
  headerOf,
  layoutOf,
  leftOut,
  measureOf,
  totalOf,
  widened,
  type Cell,
  type Layout,
  type Slot,
} from './tablelayout.ts'

/** With more rows than this, shipx pads the lines itself. */
const libraryRows = 100

/** A table's text ('' without rows; each line ends with a newline), and the names of the columns that it leaves out. */
export interface DrawnTable {
  readonly text: string
  readonly hidden: readonly string[]
}

/** A table that is written page by page: first the header, then rows. `hidden` names the columns that it leaves out. */
export interface TableStream<R> {
  readonly header: (sample: readonly R[]) => string
  readonly rows: (rows: readonly R[]) => string
  readonly hidden: () => readonly string[]
}

/** The text of a cell with its colour codes, and its width in positions. */
interface PaintedCell {
  readonly text: string
  readonly width: number
  /** Whether every terminal agrees on that width. */
  readonly certain: boolean
}

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

const markOf = (screen: Screen): string => (screen.ascii ? '...' : '…')

const paintedText = ({ text, paint }: Cell, screen: Screen): string =>
  paint === undefined || text === '' ? text : screen.paint[paint](text)

function paintedCell(cell: Cell, screen: Screen, width?: number): PaintedCell {
  const measure = measureOf(screen)
  const text = width === undefined ? cell.text : cut(cell.text, width, markOf(screen), measure)
  return { text: paintedText({ ...cell, text }, screen), width: measure(text), certain: certain(text) }
}

const headerRow = <R>(layout: readonly Slot<R>[], screen: Screen): readonly PaintedCell[] =>
  layout.map(({ column }) => paintedCell({ text: headerOf(column), paint: 'bold' }, screen))

const cellsOf = <R>(columns: readonly Column<R>[], rows: readonly R[], screen: Screen): readonly (readonly Cell[])[] =>
  rows.map((row) => columns.map((column) => cellOf(column, row, screen)))

function paddedLines<R>(layout: readonly Slot<R>[], grid: readonly (readonly PaintedCell[])[]): string {
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

/** A character of a script that runs from right to left, such as Arabic or Urdu. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * The left-to-right mark, which goes after such a cell. Without it, a terminal that reorders such text also moves the
 * next cell, most often a number.
 */
const leftToRight = '\u200e'

/**
 * Places the cells that follow characters of uncertain width. Terminals disagree on the width of Indic vowel signs and
 * emoji. So shipx moves the cursor after them, and the next cell starts at the same position on every terminal.
 */
function placed<R>(
  layout: readonly Slot<R>[],
  grid: readonly (readonly PaintedCell[])[],
  screen: Screen,
): readonly (readonly PaintedCell[])[] {
  if (!screen.placing) return grid
  return grid.map((row) => {
    if (row.every((cell) => cell.certain)) return row
    // A terminal moves the cursor no further than its margin, so a row that is wider than the screen stays as it is.
    const total = totalOf(row.map((cell, i) => Math.max(layout[i]!.width, cell.width)))
    if (total > screen.width) return row
    let [position, doubtful] = [1, false]
    return row.map((cell, i) => {
      const { column, width } = layout[i]!
      const start = position + (column.right === true ? Math.max(0, width - cell.width) : 0)
      const marked = rightToLeft.test(cell.text) ? `${cell.text}${leftToRight}` : cell.text
      const text = doubtful && cell.text !== '' ? `\u001b[${start}G${marked}` : marked
      position += Math.max(width, cell.width) + gap
      doubtful ||= !cell.certain
      return { ...cell, text }
    })
  })
}

const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(gap),
}
/** The private character that stands for text in what cli-table3 lays out. */
const standIn = '\ue000'

function libraryLines<R>(layout: readonly Slot<R>[], grid: readonly (readonly PaintedCell[])[]): string {
  const library = new CliTable({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: layout.map(({ width }) => width),
    colAligns: layout.map(({ column }) => (column.right === true ? 'right' : 'left')),
  })
  // cli-table3 measures with an old string-width, which counts a Devanagari vowel sign as a position of its own. So
  // shipx gives it a run of one private character, as long as the true width, for any text that is not plain ASCII.
  // Then it puts the text back.
  const hidden: string[] = []
  for (const row of grid) {
    const cells = row.map(({ text, width }) => {
      if (/^[ -~]*$/.test(text)) return text
      hidden.push(text)
      return standIn.repeat(width)
    })
    library.push(cells)
  }
  const lines = library.toString().split('\n')
  return lines.map((line) => line.replace(/\ue000+/g, () => hidden.shift()!).trimEnd() + '\n').join('')
}

function cardLines(label: string, cell: Cell, whole: boolean, labelWidth: number, screen: Screen): readonly string[] {
  const bold = (text: string): string => paintedText({ text, paint: 'bold' }, screen)
  const prefix = screen.width < 40 ? `${label}: ` : padEnd(`${label}:`, labelWidth + 2)
  const room = screen.width - widthOf(prefix)
  const inline = widthOf(cell.text) <= room || (!whole && room >= flexibleWidth)
  if (inline)
    return [
      bold(prefix.trimEnd()) +
        ' '.repeat(prefix.length - prefix.trimEnd().length) +
        paintedCell(cell, screen, room).text,
    ]
  const indent = screen.width < 10 ? '' : '  '
  const below = Math.max(1, screen.width - indent.length)
  const parts = whole ? wrap(cell.text, below) : [cut(cell.text, below, markOf(screen))]
  return [
    bold(cut(`${label}:`, screen.width, markOf(screen))),
    ...parts.map((text) => indent + paintedText({ ...cell, text }, screen)),
  ]
}

function cardOf<R>(columns: readonly Column<R>[], cells: readonly Cell[], screen: Screen): string {
  const labels = columns.map(({ header }) => clean(header, screen))
  const labelWidth = Math.max(...labels.map(widthOf))
  // A column without a header, such as a bar, says nothing on a line of its own.
  const lines = columns.flatMap((column, i) =>
    cells[i]!.text === '' || labels[i] === ''
      ? []
      : cardLines(labels[i]!, cells[i]!, column.whole === true, labelWidth, screen),
  )
  return lines.map((line) => line.trimEnd() + '\n').join('')
}

const cards = <R>(columns: readonly Column<R>[], grid: readonly (readonly Cell[])[], screen: Screen): string =>
  grid.map((cells) => cardOf(columns, cells, screen)).join('\n')

/** The painted cells of the columns that fit. Cuts them, except in columns that are never cut. */
function paintedGrid<R>(
  columns: readonly Column<R>[],
  layout: readonly Slot<R>[],
  grid: readonly (readonly Cell[])[],
  screen: Screen,
): readonly (readonly PaintedCell[])[] {
  const shown = layout.map(({ column, width }) => ({
    index: columns.indexOf(column),
    width: column.whole === true ? undefined : width,
  }))
  return grid.map((row) => shown.map(({ index, width }) => paintedCell(row[index]!, screen, width)))
}

/** The columns to draw. With `--wide` shipx cuts none of them. */
const uncut = <R>(columns: readonly Column<R>[], { wide }: Screen): readonly Column<R>[] =>
  wide === true ? columns.map((column) => ({ ...column, whole: true })) : columns

/**
 * Draws records as a table of the screen's width. Drops sparse columns without text, and the columns of the highest
 * rank until the table fits. A screen that is narrower than 60 positions, or too narrow for the columns that are never
 * cut, gets cards. Cards show every column, and so does `--wide`.
 */
export function table<R>(all: readonly Column<R>[], rows: readonly R[], screen: Screen): DrawnTable {
  const possible = uncut(all, screen)
  if (possible.length === 0 || rows.length === 0) return { text: '', hidden: [] }
  const { columns, grid } = filled(possible, cellsOf(possible, rows, screen))
  const layout = layoutOf(columns, grid, screen)
  if (layout === undefined) return { text: cards(columns, grid, screen), hidden: [] }
  const rowsPainted = paintedGrid(columns, layout, grid, screen)
  const painted = screen.headless === true ? rowsPainted : [headerRow(layout, screen), ...rowsPainted]
  const lines = placed(layout, painted, screen)
  const text = rows.length <= libraryRows ? libraryLines(layout, lines) : paddedLines(layout, lines)
  return { text, hidden: leftOut(columns, layout) }
}

/**
 * Draws the same table page by page, with the columns and widths of the first page. Cuts later cells to these widths. A
 * cell that is never cut takes the space that it needs. A sparse column without text on the first page counts as left
 * out as soon as a later row has text in it.
 */
export function streamTable<R>(all: readonly Column<R>[], screen: Screen): TableStream<R> {
  const columns = uncut(all, screen)
  let layout: Layout<R>
  let started = false
  /** Sparse columns without text so far. */
  let empty: readonly Column<R>[] = []
  const header = (sample: readonly R[]): string => {
    const found = filled(columns, cellsOf(columns, sample, screen))
    empty = columns.filter((column) => !found.columns.includes(column))
    const fitting = layoutOf(found.columns, found.grid, screen)
    layout = fitting === undefined ? undefined : widened(fitting, screen)
    return layout === undefined || columns.length === 0 || screen.headless === true
      ? ''
      : paddedLines(layout, [headerRow(layout, screen)])
  }
  const lines = (rows: readonly R[]): string => {
    if (columns.length === 0 || rows.length === 0) return ''
    const grid = cellsOf(columns, rows, screen)
    empty = empty.filter((column) => grid.every((cells) => cells[columns.indexOf(column)]!.text === ''))
    if (layout !== undefined)
      return paddedLines(layout, placed(layout, paintedGrid(columns, layout, grid, screen), screen))
    const text = (started ? '\n' : '') + cards(columns, grid, screen)
    started = true
    return text
  }
  const hidden = (): readonly string[] =>
    leftOut(
      columns.filter((column) => !empty.includes(column)),
      layout,
    )
  return { header, rows: lines, hidden }
}
