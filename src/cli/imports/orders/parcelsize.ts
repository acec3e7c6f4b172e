// The sides of an order from one cell with all three, such as `LxBxH (cm)` (docs/guides/sheets.md, Orders).
import type { Fault } from '../../../domain/errors.ts'
import { readSize, type SideUnit } from '../../../domain/read/sides.ts'
import type { Raw } from '../../args/input.ts'
import { sideFields } from './skuparcel.ts'

/** An order during reading, as far as its sides go. */
interface SizedDraft {
  readonly raw: Raw
  readonly faults: Fault[]
  readonly notes: string[]
  readonly covered: Set<string>
  readonly given: Map<string, SizeCell>
}

/** The text of the cell and its line. */
interface SizeCell {
  readonly text: string
  readonly line: number
}

/** The column: its header, what the sheet counts (`row` or `line`), and the unit in the header. */
interface SizeColumn {
  readonly header: string
  readonly counts: string
  readonly unit: SideUnit | undefined
}

/** Takes the sides, cm, of a cell with all three, where the order has none of its own. A unit of the cell is noted. */
export function takeSize(
  { raw, faults, notes, covered, given }: SizedDraft,
  cell: SizeCell,
  { header, counts, unit }: SizeColumn,
): void {
  if (sideFields.some((side) => raw[side] !== undefined || covered.has(side))) return
  const read = readSize(cell.text, unit)
  if ('fault' in read) faults.push({ field: header, message: read.fault, row: cell.line })
  else if (read.said !== undefined && unit === undefined) notes.push(`${counts} ${cell.line}: ${header} ${read.said}`)
  for (const [i, side] of sideFields.entries()) {
    if ('fault' in read) covered.add(side)
    else raw[side] = read.value[i]
    given.set(side, cell)
  }
}
