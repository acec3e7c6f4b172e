// Rows that repeat the header of a table, as a bill prints it on each page: they are left out (docs/guides/sheets.md).
import { count, counted } from '../../domain/count.ts'
import type { SheetRow } from './sheet.ts'
import type { SheetRows } from './totals.ts'

/** Rows that a note names. */
const mostNamed = 5

/** The rows of a table without those that repeat its header. */
export function withoutHeaders(
  headers: readonly string[],
  rows: AsyncIterable<readonly SheetRow[]>,
  counts: 'line' | 'row',
): SheetRows {
  const first = headers.findIndex((header) => header !== '')
  const repeats = ({ cells }: SheetRow): boolean =>
    first !== -1 &&
    cells[first]!.trim() === headers[first] &&
    headers.every((header, at) => cells[at]!.trim() === header)
  const lines: number[] = []
  let left = 0
  const leave = (row: SheetRow): false => {
    if (left++ < mostNamed) lines.push(row.line)
    return false
  }
  const walked = async function* (): AsyncGenerator<readonly SheetRow[]> {
    for await (const batch of rows)
      yield batch.some(repeats) ? batch.filter((row) => !repeats(row) || leave(row)) : batch
  }
  const notes = (): readonly string[] => {
    if (left === 0) return []
    const more = left > lines.length ? ` and ${count(left - lines.length)} more` : ''
    const where = `${counts}${left === 1 ? '' : 's'} ${lines.join(', ')}${more}`
    return [`Left out ${counted(left, ['row', 'rows'])} that repeat${left === 1 ? 's' : ''} the header (${where}).`]
  }
  return { rows: walked(), notes }
}
