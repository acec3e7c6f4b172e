// The columns of records, and the choice of columns for a table.
import type { Paint, Screen } from '../terminal/screen.ts'
import type { OnUnreadable } from '../../domain/foreign/values.ts'
import type { ColumnType } from '../command/tablefile.ts'
import { flatten } from './flat.ts'

/** The exact value of a cell, for programs. */
export type Raw = string | number | boolean | null | undefined

/** The text of a cell for people, with an optional colour. It need not be safe yet, and contains no colour codes. */
export type Shown = string | { readonly text: string; readonly paint: keyof Paint }

/** One column: its name for `--columns`, its header, and its cell of a record. */
export interface Column<R> {
  readonly key: string
  readonly header: string
  readonly raw: (record: R) => Raw
  readonly show?: (record: R, screen: Screen) => Shown
  /** Aligned right, as numbers are. */
  readonly right?: true
  /** Never cut: AWB, id, store name, amount. */
  readonly whole?: true
  /** Cut only when no other column is left to drop: what a list is about. */
  readonly main?: true
  /** Cut to this width before other columns are dropped; without it to `flexibleWidth`. */
  readonly least?: number
  /** Columns of a higher rank than this are dropped before it is cut. */
  readonly wholeBefore?: number
  /** A table drops the columns of the highest rank first. */
  readonly rank: number
  /** Only with `--wide` or when named by `--columns`. */
  readonly wide?: true
  /** Only when named by `--columns`, and in sheets for people. */
  readonly asked?: true
  /** Named by `--columns`: a table narrows it and does not leave it out. */
  readonly named?: true
  /** Only on a screen: a sheet for people has its parts, or the exact value, in other columns. */
  readonly drawn?: true
  /** A table leaves it out while no row has text in it, such as a reason where all is well. */
  readonly sparse?: true
  /** The path of the field that says the same, below the record's attributes; without it, the column is computed. */
  readonly field?: string
  /**
   * What its exact value is where people read it in a sheet: a time, a day (`2026-09-29`), an API value to show as
   * words, rupees, or a share from 0 to 1.
   */
  readonly kind?: 'time' | 'day' | 'words' | 'money' | 'share'
  /** What its exact value is in a Parquet file, where neither its field nor its kind says it; otherwise text. */
  readonly type?: ColumnType
  /** Its header in a sheet for people, where that says more than the table's: `Weight (g)`. */
  readonly sheet?: string
}

/** Short words for fields, and the path of each. */
export type FieldPaths = Readonly<Record<string, string>>

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase().trim()

/** The columns of a view, the names of its fields and their words. */
type Columns<R> = Pick<View<R>, 'columns' | 'paths'> & Partial<Pick<View<R>, 'names'>>

/** A column by its key, or by its header with underscores (`you_pay`). */
export const columnCalled = <R>(columns: readonly Column<R>[], name: string): Column<R> | undefined =>
  columns.find(({ key }) => sameName(key, name)) ??
  columns.find(({ header }) => header !== '' && sameName(header.replaceAll(' ', '_'), name))

/** The column with a name, or the one that says the field with that name. */
function columnNamed<R>({ columns, paths, names = [] }: Columns<R>, name: string): Column<R> | undefined {
  const word = Object.keys(paths ?? {}).find((one) => sameName(paths![one]!, name))
  const found =
    columnCalled(columns, name) ??
    columns.find(({ field }) => field !== undefined && sameName(field, name)) ??
    (word === undefined ? undefined : columns.find(({ key }) => key === word))
  if (found !== undefined || paths === undefined) return found
  const own = names.find((one) => sameName(one, name))
  return own === undefined ? undefined : fieldColumn(own)
}

/** A column for a field that has none of its own. */
const fieldColumn = <R>(name: string): Column<R> => {
  const raw = (record: R): Raw => flatten(record).get(name)
  return { key: name, header: name.replaceAll('_', ' '), rank: 99, raw, show: (record) => String(raw(record) ?? '-') }
}

/**
 * The columns to show: the named ones in that order (each once, unknown names ignored), or else all but the wide ones.
 */
export function chooseColumns<R>(
  view: Columns<R>,
  named: readonly string[] | undefined,
  wide: boolean,
): readonly Column<R>[] {
  const usual = view.columns.filter((column) => column.asked !== true)
  if (named === undefined) return wide ? usual : usual.filter((column) => column.wide !== true)
  const found = new Map(
    named.flatMap((name) => {
      const column = columnNamed(view, name)
      return column === undefined ? [] : [[column.key, column] as const]
    }),
  )
  // A column that the user names is there, with text in it or without.
  return [...found.values()].map((column) => {
    const { sparse: _, ...shown } = column
    return { ...shown, named: true }
  })
}

/** The given names that no column has. */
export function unknownColumns<R>(view: Columns<R>, named: readonly string[]): readonly string[] {
  return named.filter((name) => columnNamed(view, name) === undefined)
}

/** How to show a kind of record. */
export interface View<R> {
  readonly columns: readonly Column<R>[]
  /**
   * Turns the JSON text of a record into the shape for the columns, and reports values that it cannot read. Without it,
   * the record stays as it is.
   */
  readonly read?: (text: string, missed: OnUnreadable) => R
  /** What `--ids` prints. */
  readonly id: (record: R) => string
  /** CSV names that are always there, even when no record on the first page has them. */
  readonly names: readonly string[]
  /** What the fields of these names are in a Parquet file; the others are text. */
  readonly types?: Readonly<Record<string, ColumnType>>
  /** Short words for its fields, with the path of each below the record's attributes. */
  readonly paths?: FieldPaths
  /** CSV for Excel has the fields as they are, as CSV has: the user wrote them (`shipx sql`). */
  readonly exact?: true
  /** The noun for one record and for several. */
  readonly noun: readonly [one: string, many: string]
}
