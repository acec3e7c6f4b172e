// A row of a sheet of answers: its cells, the AWB or order that it names, and the answer or what is wrong with it.
import { readDigits } from '../../domain/read/typed.ts'
import type { Sheet, SheetRow } from '../files/sheet.ts'
import { safe } from '../terminal/safe.ts'
import type { Item } from './importer.ts'

/** The trimmed cell of a row below one of our columns; '' where the sheet has no such column. */
export const cellOf = ({ cells }: SheetRow, { places }: Sheet, name: string): string =>
  places.has(name) ? cells[places.get(name)!]!.trim() : ''

/** What was read of a row. */
export type RowRead<V> = { readonly value: V } | { readonly fault: string }

/** The item of a row; `read` gets its name, the first cell of `named` with something in it, and the other cells. */
export function answerItem<V>(
  row: SheetRow,
  sheet: Sheet,
  read: (name: string, cell: (column: string) => string) => RowRead<V>,
  named: readonly string[] = ['awb'],
): Item<V> {
  const failed = (message: string, name = ''): Item<V> => ({
    rows: [row],
    name,
    value: undefined,
    failure: { code: row.fault === undefined ? 'invalid_input' : 'invalid_file', message },
  })
  if (row.fault !== undefined) return failed(row.fault)
  const cell = (column: string): string => cellOf(row, sheet, column)
  const awb = readDigits(named.map(cell).find((text) => text !== '') ?? '')
  if ('fault' in awb) return failed(`awb: ${safe(awb.fault)}`)
  const name = awb.value
  if (name === '') return failed('awb is missing')
  const found = read(name, cell)
  return 'fault' in found ? failed(found.fault, name) : { rows: [row], name, value: found.value, failure: undefined }
}
