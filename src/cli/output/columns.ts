// What a column of records is and which columns a table gets.
import type { Paint, Screen } from '../terminal/screen.ts'
import type { Missed } from '../../domain/foreign/values.ts'

/** The exact value of a cell, as machines get it. */
export type Raw = string | number | boolean | null | undefined

/** The text of a cell for people, with or without a colour; it need not be safe yet, and carries no colour codes. */
export type Shown = string | { readonly text: string; readonly paint: keyof Paint }

/** One column: its name for `--columns`, its header, and how a record becomes its cell. */
export interface Column<R> {
  readonly key: string
  readonly header: string
  readonly raw: (record: R) => Raw
  readonly show?: (record: R, screen: Screen) => Shown
  /** Aligned right, as numbers are. */
  readonly right?: true
  /** Never cut: AWB, id, store name, amount. */
  readonly whole?: true
  /** Its importance: 1 is the last to be dropped. */
  readonly rank: number
  /** Only with `--wide` or when named by `--columns`. */
  readonly wide?: true
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase().trim()

/**
 * The columns to show: the named ones in the order named (each once, unknown names left out), else all but the wide
 * ones.
 */
export function chooseColumns<R>(
  all: readonly Column<R>[],
  named: readonly string[] | undefined,
  wide: boolean,
): readonly Column<R>[] {
  if (named === undefined) return wide ? all : all.filter((column) => column.wide !== true)
  const chosen = new Set<Column<R>>()
  for (const name of named) {
    const column = all.find(({ key }) => sameName(key, name))
    if (column !== undefined) chosen.add(column)
  }
  return [...chosen]
}

/** The names that no column has, as they were given. */
export function unknownColumns<R>(all: readonly Column<R>[], named: readonly string[]): readonly string[] {
  return named.filter((name) => !all.some(({ key }) => sameName(key, name)))
}

/** How a kind of record is shown. */
export interface View<R> {
  readonly columns: readonly Column<R>[]
  /** A record from its JSON text, in the shape that columns take; reports what cannot be read. Without it, as it is. */
  readonly read?: (text: string, missed: Missed) => R
  /** What `--ids` prints. */
  readonly id: (record: R) => string
  /** CSV names that are there even when no record on the first page has them. */
  readonly names: readonly string[]
  /** What one record and several are called. */
  readonly noun: readonly [one: string, many: string]
}
