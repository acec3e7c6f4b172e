// What a column of records is and which columns a table gets; knows nothing of drawing, widths or of any command's records.

/** The colours a cell may have: the basic ones and bold; identity functions where colour is off. */
export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly blue: (text: string) => string
  readonly cyan: (text: string) => string
  readonly magenta: (text: string) => string
}

/** The place that people read: its width in columns, its colours and letters, their time zone, and the time it is. */
export interface Screen {
  readonly width: number
  readonly paint: Paint
  /** Only ASCII can be shown. */
  readonly ascii: boolean
  readonly tz: string
  /** Now, in ms UTC. */
  readonly now: number
  /** Customers' data is shown whole. */
  readonly pii: boolean
  readonly tty: boolean
  /** The cursor can be placed: terminals do not agree on how wide letters beyond ASCII are. */
  readonly placing?: boolean
  /** Every column is shown, and whole (`--wide`). */
  readonly wide?: boolean
}

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

/** The columns to show: the named ones in the order named (each once, unknown names left out), else all but the wide ones. */
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
