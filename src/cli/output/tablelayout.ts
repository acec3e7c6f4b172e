// Which columns of a table fit a screen, and how wide they are. A position is one character cell of the screen.
import type { Paint, Screen } from '../terminal/screen.ts'
import { safe } from '../terminal/safe.ts'
import { reachOf, widthOf, type Measure } from '../terminal/width.ts'
import type { Column } from './columns.ts'

/** The positions between two columns. */
export const gap = 2
/** A narrower screen shows records as cards. */
export const tableWidth = 60
/** shipx drops columns before it cuts one to less than this width. */
export const flexibleWidth = 16
/** The least width of a main column, which is cut only when no other column is left to drop. */
const mainWidth = 12
/** The least width of a column that the user names: the user wants all of them next to each other. */
const namedWidth = 8

/** The safe text of a cell, without colour codes, and its colour. */
export interface Cell {
  readonly text: string
  readonly paint?: keyof Paint
}

/** A column of the table and its width in positions. */
export interface Slot<R> {
  readonly column: Column<R>
  readonly width: number
}

/** The columns that fit, with their widths; undefined where only cards fit. */
export type Layout<R> = readonly Slot<R>[] | undefined

/** A column's header in capitals. */
export const headerOf = <R>(column: Column<R>): string => safe(column.header).toUpperCase()

/**
 * How wide a cell is. If shipx places the cursor, this is the most that any terminal takes for it: the next cell must
 * not cover its end.
 */
export const measureOf = (screen: Screen): Measure => (screen.placing === true ? reachOf : widthOf)

/** The positions of columns next to each other. */
export const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, gap * Math.max(0, widths.length - 1))

/** A column with its natural width in positions, and the width that it needs at least. */
interface Measured<R> extends Slot<R> {
  readonly least: number
}

/** The columns without the last of the given ones that has the highest rank. */
function withoutLast<R>(kept: readonly Measured<R>[], of: readonly Measured<R>[]): readonly Measured<R>[] {
  const rank = Math.max(...of.map(({ column }) => column.rank))
  const dropped = of.findLast(({ column }) => column.rank === rank)
  return kept.filter((one) => one !== dropped)
}

/** Chooses the columns that fit, and their widths. Drops those of the highest rank first, then narrows the rest. */
export function layoutOf<R>(
  columns: readonly Column<R>[],
  grid: readonly (readonly Cell[])[],
  screen: Screen,
): Layout<R> {
  if (screen.width < tableWidth) return undefined
  const measure = measureOf(screen)
  const measured = columns.map((column, i) => {
    const header = Math.max(1, widthOf(headerOf(column)))
    const natural = grid.reduce((most, row) => Math.max(most, measure(row[i]!.text)), header)
    const flexible =
      column.named === true ? namedWidth : column.main === true ? mainWidth : (column.least ?? flexibleWidth)
    const least = column.whole === true ? natural : Math.max(header, Math.min(natural, flexible))
    return { column, least, width: column.whole === true ? natural : Math.min(natural, Math.max(least, screen.width)) }
  })
  // With --wide and --columns the user asks for every column. If they do not fit side by side, cards show them all.
  const every = screen.wide === true || columns.every(({ named }) => named === true)
  if (every && totalOf(measured.map(({ least }) => least)) > screen.width) return undefined
  let kept: readonly Measured<R>[] = measured
  const other = ({ column }: Measured<R>): boolean => column.main !== true
  // A column that others go before is cut once they are gone.
  const early = ({ column }: Measured<R>): boolean =>
    column.wholeBefore !== undefined && kept.some((one) => other(one) && one.column.rank > column.wholeBefore!)
  const needs = (one: Measured<R>): number => (every || (other(one) && !early(one)) ? one.least : one.width)
  // The other columns go before a main one is cut.
  while (totalOf(kept.map(needs)) > screen.width && kept.length > 1 && kept.some(other))
    kept = withoutLast(kept, kept.filter(other))
  while (totalOf(kept.map(({ least }) => least)) > screen.width && kept.length > 1) kept = withoutLast(kept, kept)
  const widths = kept.map(({ width }) => width)
  for (let excess = totalOf(widths) - screen.width; excess > 0; excess--) {
    const wide = [...kept.keys()].filter((i) => widths[i]! > kept[i]!.least)
    const first = wide.filter((i) => other(kept[i]!))
    const widest = (first.length > 0 ? first : wide).reduce<number | undefined>(
      (most, i) => (most === undefined || widths[i]! > widths[most]! ? i : most),
      undefined,
    )
    if (widest === undefined) return undefined
    widths[widest]!--
  }
  return kept.map(({ column }, i) => ({ column, width: widths[i]! }))
}

/** Gives the space that the first page leaves free to the columns that later pages may need to cut. */
export function widened<R>(layout: readonly Slot<R>[], screen: Screen): readonly Slot<R>[] {
  let spare = screen.width - totalOf(layout.map(({ width }) => width))
  return layout.map(({ column, width }) => {
    const more = column.whole === true ? 0 : Math.max(0, Math.min(spare, flexibleWidth - width))
    spare -= more
    return { column, width: width + more }
  })
}

/** Without the sparse columns that have no text in any row. */
export function filled<R>(
  columns: readonly Column<R>[],
  grid: readonly (readonly Cell[])[],
): { readonly columns: readonly Column<R>[]; readonly grid: readonly (readonly Cell[])[] } {
  const kept = [...columns.keys()].filter((i) => columns[i]!.sparse !== true || grid.some((row) => row[i]!.text !== ''))
  if (kept.length === columns.length) return { columns, grid }
  return { columns: kept.map((i) => columns[i]!), grid: grid.map((cells) => kept.map((i) => cells[i]!)) }
}

/** The names of the columns that a layout leaves out. */
export function leftOut<R>(columns: readonly Column<R>[], layout: Layout<R>): readonly string[] {
  const kept = new Set(layout?.map(({ column }) => column) ?? columns)
  const names = columns
    .filter((column) => !kept.has(column))
    .map(({ header, key }) => safe(header === '' ? key : header))
  return [...new Set(names)]
}
