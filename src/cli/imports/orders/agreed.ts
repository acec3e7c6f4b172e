// What the lines of one order say of the order itself: they must agree (docs/guides/sheets.md, Lines).
import type { Fault } from '../../../domain/errors.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'

/** A value of an order and its line. */
export interface Given {
  readonly text: string
  readonly line: number
}

/** The first value of an order's lines in a column; each line with another value is a fault. */
export function agreed(
  rows: readonly SheetRow[],
  at: number,
  field: string,
  counts: Sheet['counts'],
  faults: Fault[],
): Given | undefined {
  let first: Given | undefined
  for (const { cells, line } of rows) {
    const text = cells[at]!.trim()
    if (text === '') continue
    if (first === undefined) first = { text, line }
    else if (first.text !== text)
      faults.push({
        field,
        message:
          `${excerpt(text)} differs from ${excerpt(first.text)} in ${counts} ${first.line}; ` +
          'the lines of one order must agree',
        row: line,
      })
  }
  return first
}
