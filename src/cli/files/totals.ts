// Rows of totals below a table, which are left out (docs/guides/sheets.md).
import { counted } from '../../domain/count.ts'
import { isTotalLabel } from '../../domain/money/footers.ts'
import { readRupees } from '../../domain/read/money.ts'
import type { Heading, Placed } from './headers.ts'
import type { SheetRow } from './sheet.ts'

const onlyLabel = /^(?:grand\s+)?total\s*:?$/i

const isEmpty = (cell: string): boolean => cell.trim() === ''
const isAmount = (cell: string): boolean => isEmpty(cell) || (cell.length < 40 && 'rupees' in readRupees(bare(cell)))

/** The number of a cell without a percent sign, and without the brackets of a negative amount. */
function bare(cell: string): string {
  const text = cell.trim()
  const inner = text.startsWith('(') && text.endsWith(')') ? text.slice(1, -1) : text
  return inner.endsWith('%') ? inner.slice(0, -1) : inner
}

/** The rows of a table without some of them, and what was left out, in sentences. */
export interface SheetRows {
  readonly rows: AsyncIterable<readonly SheetRow[]>
  readonly notes: () => readonly string[]
}

/**
 * A row of totals lacks what every row needs, so no row that could be read is left out. Where rows need a name alone, a
 * row named Total with a number as its brand is one too: a store of that name has another brand, or none.
 */
export function withoutTotals(
  { columns, keepTotals }: Heading,
  { places }: Placed,
  rows: AsyncIterable<readonly SheetRow[]>,
  counts: 'line' | 'row',
): SheetRows {
  const [key, ...others] = columns.flatMap(({ name, required }) => {
    const place = places.get(name)
    return required === true && place !== undefined ? [place] : []
  })
  if (key === undefined || keepTotals === true) return { rows, notes: () => [] }
  const looksTotal = ({ cells }: SheetRow): boolean => {
    const lacks = others.some((place) => isEmpty(cells[place]!))
    if (!isEmpty(cells[key]!)) {
      if (!onlyLabel.test(cells[key]!.trim()) || !cells.every((cell, at) => at === key || isAmount(cell))) return false
      // Where a row needs nothing else, a number next to the label says that it is one.
      return others.length === 0 ? cells.some((cell, at) => at !== key && !isEmpty(cell)) : lacks
    }
    const first = cells.findIndex((cell) => !isAmount(cell))
    if (first === -1) return (lacks || others.length === 0) && cells.some((cell) => !isEmpty(cell))
    return isTotalLabel(cells[first]!) && cells.every((cell, at) => at === first || isAmount(cell))
  }
  const left: SheetRow[] = []
  const walked = async function* (): AsyncGenerator<readonly SheetRow[]> {
    for await (const batch of rows) {
      // Totals are the last rows: what came before another row was none.
      let end = batch.length
      while (end > 0 && left.length + batch.length - end < mostLeft && looksTotal(batch[end - 1]!)) end--
      if (end > 0) {
        const before = left.splice(0)
        yield before.length === 0 && end === batch.length ? batch : [...before, ...batch.slice(0, end)]
      }
      left.push(...batch.slice(end))
    }
  }
  const notes = (): readonly string[] =>
    left.length === 0
      ? []
      : [
          `Left out ${counted(left.length, ['row', 'rows'])} of totals (${placesOf(
            left.map(({ line }) => line),
            counts,
          )}).`,
        ]
  return { rows: walked(), notes }
}

/** Rows of totals at most. */
const mostLeft = 10

const placesOf = (lines: readonly number[], counts: 'line' | 'row'): string =>
  `${counts}${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`
