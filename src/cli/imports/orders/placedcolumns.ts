// The columns of an order and of its items where a sheet has them, with the reader of each.
import { readerOf, type FieldReader, type Manner } from '../../../domain/read/fields.ts'
import type { SheetColumn } from '../../files/headers.ts'
import type { Sheet } from '../../files/sheet.ts'
import { itemColumns, itemField, orderColumns } from '../forms/columns.ts'

/** A sheet of orders: how to read its cells, and where the columns of an order and of an item are. */
export interface OrderSheet {
  readonly sheet: Sheet
  readonly manner: Manner
  readonly ofOrder: readonly At<(typeof orderColumns)[number]>[]
  readonly ofItem: readonly At<(typeof itemColumns)[number]>[]
}

type At<C> = C & { readonly at: number; readonly read: FieldReader | undefined }

/** The columns of a sheet that are read, placed once; `courier` reads the couriers. */
export function orderSheet(sheet: Sheet, read: readonly SheetColumn[], courier: FieldReader | undefined): OrderSheet {
  const { places, delimiter, weights } = sheet
  const names = new Set(read.map(({ name }) => name))
  const placed = <C extends { readonly name: string }>(
    columns: readonly C[],
    field: (name: C['name']) => string,
  ): readonly At<C>[] =>
    columns.flatMap((column) => {
      const at = places.get(column.name)
      return at === undefined || !names.has(column.name)
        ? []
        : [{ ...column, at, read: column.name === 'carrier_id' ? courier : readerOf(field(column.name)) }]
    })
  return {
    sheet,
    // Where decimals have commas, semicolons separate the cells.
    manner: { grouped: delimiter !== ';', weight: weights.get('weight') ?? { unit: 'kg', certain: true } },
    ofOrder: placed(orderColumns, (name) => name),
    ofItem: placed(itemColumns, itemField),
  }
}
