// The lines of a rate card as a table: a CSV, or a sheet of a workbook.
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { cardColumns, weightColumns, type CardLine, type CardReading } from '../../../domain/rates/cardcells.ts'
import type { BareWeight } from '../../../domain/read/weight.ts'
import { unguard } from '../../files/csv.ts'
import { folded, unitIn } from '../../files/headers.ts'
import { openSheet } from '../../files/opensheet.ts'
import type { Io } from '../../terminal/io.ts'

/** The lines of a card, and how to read their cells. */
export interface CardTable extends CardReading {
  readonly lines: readonly CardLine[]
}

/** The lines of a CSV. Throws `invalid_input` for a wrong header, and `invalid_file`. */
export async function csvLines(content: string): Promise<CardTable> {
  const { parse } = await import('csv-parse/sync')
  const weights = new Map<string, BareWeight>()
  let rows: Record<string, string>[]
  try {
    rows = parse(content, {
      bom: true,
      columns: (header: string[]) => headerOf(header, weights),
      skip_empty_lines: true,
      delimiter: [',', ';', '\t'],
    })
  } catch (error) {
    if (error instanceof ShipxError) throw error
    throw new ShipxError('invalid_file', `the CSV cannot be read: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
  const lines = rows.map(
    (row) => Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, unguard(cell)])) as CardLine,
  )
  // Where decimals have commas, semicolons separate the cells.
  return { lines, grouped: !content.slice(0, content.indexOf('\n')).includes(';'), weights }
}

/** The lines of a sheet of a workbook. Throws `invalid_input` with its faults, and `invalid_file`. */
export async function workbookLines(
  io: Io,
  path: string,
  field: string,
  bytes: Uint8Array,
  named: string | undefined,
): Promise<CardTable> {
  const once = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  const known = cardColumns.map(folded)
  const sheet = await openSheet(io, { path, field, columns: [], known, bytes: once, sheet: named })
  const weights = new Map<string, BareWeight>()
  try {
    const names = inRow(sheet.headLine, () => headerOf(sheet.headers, weights))
    const lines: CardLine[] = []
    const rows: number[] = []
    const faults: Fault[] = []
    for await (const batch of sheet.rows)
      for (const { cells, line, fault } of batch) {
        if (fault !== undefined) faults.push({ field: null, message: fault, row: line, counts: 'row' })
        lines.push(Object.fromEntries(names.map((name, at) => [name, cells[at]!])) as CardLine)
        rows.push(line)
      }
    if (faults.length > 0) throw invalid(faults)
    return { lines, rows, grouped: true, weights }
  } finally {
    sheet.close()
  }
}

/** Work on a header, whose faults name its row. */
function inRow<T>(row: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ShipxError)) throw error
    throw invalid(
      error.details.map((fault) => ({ ...fault, row, counts: 'row' })),
      error.hint,
    )
  }
}

/** The columns of a header. `weights` receives the columns of weights whose header names the unit (`up_to (kg)`). */
function headerOf(header: readonly string[], weights: Map<string, BareWeight>): string[] {
  const others: Fault[] = []
  const names = header.map((cell) => {
    const name = cell.trim().toLowerCase().replaceAll(' ', '_')
    const { rest, unit, other } = unitIn(cell)
    const column = weightColumns.find((known) => folded(known) === rest)
    if (column === undefined || column === name) return name
    if (unit !== undefined) weights.set(column, { unit, certain: true })
    if (other !== undefined) others.push({ field: column, message: `says ${other}; shipx reads kg and g`, row: 1 })
    return column
  })
  const missing = cardColumns.filter((column) => !names.includes(column))
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  const faults: Fault[] = [
    ...missing.map((column) => ({ field: column, message: 'this column is missing', row: 1 })),
    ...twice.map((column) => ({ field: column, message: 'this column appears twice', row: 1 })),
    ...others,
  ]
  if (faults.length > 0) throw invalid(faults, 'to see the form: shipx ratecard export sample --csv')
  return names
}
