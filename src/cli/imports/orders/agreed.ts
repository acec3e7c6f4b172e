// What the lines of one order say of the order itself: they must agree (docs/guides/sheets.md, Lines). A discount may
// be the order's or each line's.
import type { Fault } from '../../../domain/errors.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import { folded } from '../../files/headers.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'

/** A value of an order and its line. */
export interface Given {
  readonly text: string
  readonly line: number
}

/** How a discount says whose it is. */
const perLine = 'name a discount of each line item_discount'

/**
 * The fault of a column Discount that repeats an amount on lines of one order: nothing says whether it is that of the
 * order or of each line. A header that says so, or a total of the order, decides.
 */
export function discountFault(rows: readonly SheetRow[], at: number, field: string): Fault | undefined {
  if (folded(field) !== 'discount') return undefined
  const lines = rows.filter(({ cells }) => /[1-9]/.test(cells[at]!))
  if (lines.length < 2) return undefined
  const amount = excerpt(lines[0]!.cells[at]!.trim())
  const which = `${amount} in ${lines.length} lines could be once for the order or for each line`
  const way = 'name the column order_discount or item_discount, or add a column sub_total'
  return { field, message: `${which}; ${way}`, row: lines[0]!.line }
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
          `the lines of one order must agree${folded(field) === 'discount' ? `; ${perLine}` : ''}`,
        row: line,
      })
  }
  return first
}
