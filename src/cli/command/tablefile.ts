// The file of `--parquet` as the printers of records see it: one table with typed columns.

/** Types of columns; rupees are exact to the paisa, instants are ms UTC, days are those of the calendar. */
export type ColumnType = 'text' | 'truth' | 'count' | 'number' | 'money' | 'instant' | 'day'

export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
}

/** A value before it has the type of its column. */
export type TableValue = string | number | boolean | null

/** The rows of a table that is being written. */
export interface TableRows {
  /** Values in the order of the columns; what a column cannot hold is null and reported. Throws `output_failed`. */
  readonly add: (rows: readonly (readonly TableValue[])[]) => void
}

/** A file with one table. */
export interface TableFile {
  /** Begins the table, once; `noun` is one of its records and several of them. */
  readonly begin: (noun: readonly [one: string, many: string], columns: readonly TableColumn[]) => TableRows
  /** A file for rows whose types are known at their end. Throws `output_failed`. */
  readonly temporary: () => WaitingRows
}

/** A file for bytes that wait. */
export interface WaitingRows {
  /** Throws `output_failed`. */
  readonly append: (bytes: Uint8Array) => void
  readonly read: () => AsyncIterable<Uint8Array>
  readonly close: () => void
}
