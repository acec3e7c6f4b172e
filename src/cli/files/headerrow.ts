// The row of a table that holds its header: the first, or one below titles (docs/guides/sheets.md).
import { counted } from '../../domain/count.ts'
import { ShipxError, invalid } from '../../domain/errors.ts'
import { unguard } from './csv.ts'
import { folded, placeColumns, type Heading, type Placed } from './headers.ts'

/** A row before it is known whether it is the header. */
export interface Line {
  readonly line: number
  readonly cells: readonly string[]
}

/** What tells a header from a title. */
export interface Wanted extends Heading {
  readonly known?: readonly string[]
}

/** The header of a table, and the rows that were read to find it. */
export interface Header extends Placed {
  readonly line: number
  readonly headers: readonly string[]
  /** How many rows are above it, and their cells. */
  readonly above: number
  readonly titles: readonly (readonly string[])[]
  readonly rest: readonly Line[]
}

/** Rows that may be titles or the header. */
export const mostTitles = 20

const trimmed = ({ cells }: Line): readonly string[] => cells.map((cell) => unguard(cell.trim()))

/**
 * Finds the header among the first rows of a table. The first row wins unless it lacks a column and one below has
 * all, and more of ours. Throws `invalid_input` with the faults of the header.
 */
export function headerIn(wanted: Wanted, lines: readonly Line[]): Header {
  const { at } = headerAt(wanted, lines.slice(0, mostTitles))
  const headers = trimmed(lines[at]!)
  return {
    line: lines[at]!.line,
    headers,
    above: at,
    titles: lines.slice(0, at).map(trimmed),
    rest: lines.slice(at + 1),
    ...placedAt(wanted, headers, lines[at]!.line),
  }
}

/** Whether the first row of a table is its header for certain. */
export const isHeader = (wanted: Wanted, line: Line): boolean => headerAt(wanted, [line]).certain

/** How many cells of a row have something in them. */
const filled = ({ cells }: Line): number => cells.filter((cell) => cell.trim() !== '').length

/**
 * The row that has all columns or a known name; without one, the first row, unless only one below names columns: one of
 * them is enough below a title, which fills one cell.
 */
function headerAt(wanted: Wanted, lines: readonly Line[]): { readonly at: number; readonly certain: boolean } {
  const { columns, known = [] } = wanted
  if (columns.length === 0) {
    const at = lines.findIndex(({ cells }) => cells.some((cell) => known.includes(folded(cell.slice(0, 100)))))
    return { at: Math.max(0, at), certain: at !== -1 || known.length === 0 }
  }
  const matches: number[] = []
  for (const [at, line] of lines.entries()) {
    const headers = trimmed(line)
    if (wanted.apart?.(headers) === true) return { at, certain: true }
    const most = Math.max(0, ...matches)
    matches.push(matchesIn(wanted, headers))
    if (matches[at]! > most && fits(() => placeColumns(wanted, headers))) return { at, certain: true }
  }
  const most = Math.max(...matches)
  const best = matches.indexOf(most)
  const below = most > 1 || (most === 1 && filled(lines[0]!) === 1 && filled(lines[best]!) > 1)
  return { at: matches[0] === 0 && below ? best : 0, certain: false }
}

/** How many columns of ours a row names. */
function matchesIn({ columns, field, map = [] }: Wanted, headers: readonly string[]): number {
  const optional = columns.map((column) => ({ ...column, required: false }))
  const own = map.filter((pair) => headers.includes(pair.slice(0, Math.max(0, pair.lastIndexOf('='))).trim()))
  let matches = 0
  fits(() => {
    matches = placeColumns({ columns: optional, field, map: own }, headers).places.size
  })
  return matches
}

function fits(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (error instanceof ShipxError) return false
    throw error
  }
}

/** The columns of a header; its faults name its own line. */
function placedAt(wanted: Wanted, headers: readonly string[], line: number): Placed {
  try {
    return placeColumns(wanted, headers)
  } catch (error) {
    if (!(error instanceof ShipxError) || line === 1) throw error
    throw invalid(
      error.details.map((fault) => (fault.row === 1 ? { ...fault, row: line } : fault)),
      error.hint,
    )
  }
}

/** Says that rows above the header were skipped. */
export const skippedNote = (above: number, line: number, counts: 'line' | 'row'): readonly string[] =>
  above === 0 ? [] : [`Skipped ${counted(above, ['row', 'rows'])} above the header (${counts} ${line}).`]
