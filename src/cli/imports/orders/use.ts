// What is made of the orders of a sheet: orders to create, or parcels to price (docs/guides/sheets.md, Orders).
import type { Fault } from '../../../domain/errors.ts'
import type { Raw } from '../../args/input.ts'
import type { SheetColumn } from '../../files/headers.ts'
import type { Sheet } from '../../files/sheet.ts'

/** An order of a sheet whose open values are filled. */
export interface FilledOrder {
  /** Its values by the API's names, as the readers of its cells made them. */
  readonly raw: Raw
  readonly sheet: Sheet
  /** Its first line. */
  readonly line: number
  /** The line that a column's value stands in. */
  readonly lineOf: (column: string) => number
}

/** What an order becomes, or its faults. */
export interface Made<T> {
  readonly value?: T
  /** Faults by the names of the API's fields. */
  readonly faults: readonly Fault[]
  /** Faults by the headers of the sheet. */
  readonly ofSheet?: readonly Fault[]
  /** What is unusual and may be intended. */
  readonly notes: readonly string[]
}

/** What the orders of a sheet become. */
export interface OrderUse<T> {
  /** The columns that are read. */
  readonly columns: readonly SheetColumn[]
  /** Fields that a header, a flag or the SKUs must supply. */
  readonly needed: readonly string[]
  readonly made: (order: FilledOrder) => Made<T>
}
