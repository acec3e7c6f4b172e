// A rate card as a table, of a CSV or of a workbook: the small form or the long one, by its header.
import { invalid, type Fault } from '../../../domain/errors.ts'
import { nearest } from '../../../domain/nearest.ts'
import { cardColumns, weightColumns, type CardLine, type CardReading } from '../../../domain/rates/cardcells.ts'
import { courierHeaders, isSmall, smallTerms, toTemplate } from '../../../domain/rates/smallcolumns.ts'
import type { SmallSheet } from '../../../domain/rates/smallform.ts'
import type { BareWeight } from '../../../domain/read/weight.ts'
import { folded, unitIn } from '../../files/headers.ts'
import { shownHeaders } from '../../files/shownheaders.ts'
import { openSheet } from '../../files/opensheet.ts'
import { safe } from '../../terminal/safe.ts'
import type { Context } from '../../command/context.ts'

/** The lines of a card in the long form, and how to read their cells. */
export interface CardTable extends CardReading {
  readonly lines: readonly CardLine[]
  readonly counts: 'line' | 'row'
}

/** A card as a table in one of its two forms. */
export type Table = { readonly long: CardTable } | { readonly small: SmallSheet }

/** The file of a table. */
interface TableFile {
  readonly path: string
  /** The flag or argument that names it. */
  readonly field: string
  readonly bytes: Uint8Array
  /** The sheet of a workbook. */
  readonly sheet: string | undefined
}

/** Reads a table. Says what it left out. Throws `invalid_input` with its faults, and `invalid_file`. */
export async function tableOf(context: Context, { path, field, bytes, sheet: named }: TableFile): Promise<Table> {
  const once = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  const known = [...cardColumns, ...smallTerms, ...courierHeaders, 'zone_a'].map(folded)
  const sheet = await openSheet(context.io, { path, field, columns: [], known, bytes: once, sheet: named })
  const { headers, headLine, counts } = sheet
  const lines: { readonly at: number; readonly cells: readonly string[] }[] = []
  try {
    const faults: Fault[] = []
    for await (const batch of sheet.rows)
      for (const { cells, line, fault } of batch) {
        if (fault !== undefined) faults.push({ field: null, message: fault, row: line, counts })
        if (cells.some((cell) => cell.trim() !== '')) lines.push({ at: line, cells })
      }
    if (faults.length > 0) throw invalid(faults)
  } finally {
    sheet.close()
  }
  for (const sentence of sheet.notes()) await context.note(sentence)
  // Where decimals have commas, semicolons separate the cells.
  const grouped = sheet.delimiter !== ';'
  if (isSmall(headers)) return { small: { headers, headLine, counts, lines, grouped } }
  const weights = new Map<string, BareWeight>()
  const names = longNames(headers, { row: headLine, counts }, weights)
  return {
    long: {
      lines: lines.map(({ cells }) => Object.fromEntries(names.map((name, at) => [name, cells[at]!])) as CardLine),
      rows: lines.map(({ at }) => at),
      counts,
      grouped,
      weights,
    },
  }
}

/** More missing columns than these are one fault. */
const mostMissing = 5

/**
 * The columns of a header of the long form. `weights` receives the columns of weights whose header names the unit
 * (`up_to (kg)`).
 */
function longNames(
  headers: readonly string[],
  place: Pick<Fault, 'row' | 'counts'>,
  weights: Map<string, BareWeight>,
): string[] {
  const others: Fault[] = []
  const names = headers.map((cell) => {
    const name = cell.trim().toLowerCase().replaceAll(' ', '_')
    const { rest, unit, other } = unitIn(cell)
    const column = weightColumns.find((known) => folded(known) === rest)
    if (column === undefined || column === name) return name
    if (unit !== undefined) weights.set(column, { unit, certain: true })
    if (other !== undefined) others.push({ field: column, message: `says ${other}; shipx reads kg and g`, ...place })
    return column
  })
  const missing = cardColumns.filter((column) => !names.includes(column))
  if (missing.length > mostMissing) {
    const message =
      missing.length === cardColumns.length
        ? `this is not a price list: the header has no column of a rate card; it has: ${shownHeaders(headers)}`
        : `the header lacks prices by zone (zone_a, zone_a_step …), or ${missing.length} columns of the long form: ` +
          `${missing.slice(0, mostMissing).join(', ')} …; it has: ${shownHeaders(headers)}`
    throw invalid([{ field: null, message, ...place }], toTemplate)
  }
  const free = names.filter((name) => !(cardColumns as readonly string[]).includes(name))
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  const faults: Fault[] = [
    ...missing.map((column) => ({ field: column, message: `this column is missing${maybe(column, free)}`, ...place })),
    ...twice.map((column) => ({ field: column, message: 'this column appears twice', ...place })),
    ...others,
  ]
  if (faults.length > 0) throw invalid(faults, `for the form: shipx ratecard export sample --csv; ${toTemplate}`)
  return names
}

/** The header that most likely means a column. */
function maybe(column: string, free: readonly string[]): string {
  const near = nearest(column, free)
  return near === undefined ? '' : `; the file has "${safe(near)}": rename it`
}
