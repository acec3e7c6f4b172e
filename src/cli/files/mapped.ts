// A table that is read with the user's own maps: what a header means, what a value means, what is not read
// (docs/guides/sheets.md, Maps).
import { invalid, type Fault } from '../../domain/errors.ts'
import type { Io } from '../terminal/io.ts'
import { shownHeader, shownHeaders } from './shownheaders.ts'
import { openSheet } from './opensheet.ts'
import type { Sheet, SheetPlan, SheetRow } from './sheet.ts'

/** The user's maps of a file. */
export interface Maps {
  /** `Company=brand_name`. */
  readonly map: readonly string[]
  /** `Payment Method:Bank transfer=PREPAID`. */
  readonly map_value: readonly string[]
  /** Headers that must not be read. */
  readonly ignore: readonly string[]
  /** Of bills and remittances: whose they are. */
  readonly courier?: string | undefined
  /** What of these is of --use-map: a file may lack such a header where the column is not required. */
  readonly saved?: readonly string[]
}

/** Maps of nobody. */
export const noMaps: Maps = { map: [], map_value: [], ignore: [] }

/** The parts of `Payment Method:Bank transfer=PREPAID`; undefined for a text of another form. */
function valueMap(text: string): { readonly header: string; readonly from: string; readonly to: string } | undefined {
  const [colon, equals] = [text.indexOf(':'), text.lastIndexOf('=')]
  if (colon < 1 || equals < colon) return undefined
  return { header: text.slice(0, colon).trim(), from: text.slice(colon + 1, equals), to: text.slice(equals + 1).trim() }
}

const compared = (cell: string): string => cell.trim().toLowerCase()

/** The other values of each column, by its place. Throws `invalid_input`. */
function valuesIn(
  headers: readonly string[],
  given: readonly string[],
  saved: readonly string[],
): ReadonlyMap<number, Map<string, string>> {
  const columns = new Map<number, Map<string, string>>()
  const faults: Fault[] = []
  for (const text of given) {
    const parts = valueMap(text)
    const at = parts === undefined ? -1 : headers.indexOf(parts.header)
    if (parts === undefined) {
      const message = `"${shownHeader(text)}" is not <header>:<value>=<our value>`
      faults.push({ field: '--map-value', message })
    } else if (at === -1 && saved.includes(text)) continue
    else if (at === -1) {
      const message = `the file has no header "${shownHeader(parts.header)}"; it has: ${shownHeaders(headers)}`
      faults.push({ field: '--map-value', message })
    } else columns.set(at, (columns.get(at) ?? new Map<string, string>()).set(compared(parts.from), parts.to))
  }
  if (faults.length > 0) throw invalid(faults)
  return columns
}

/** What --use-map reads and a file does not have: `"Fuel" (fuel)`. */
const lackingIn = (headers: readonly string[], { map, saved = [] }: Maps): readonly string[] =>
  map.flatMap((pair) => {
    const at = pair.lastIndexOf('=')
    const header = pair.slice(0, Math.max(0, at)).trim()
    if (!saved.includes(pair) || headers.includes(header)) return []
    return [`"${shownHeader(header)}" (${shownHeader(pair.slice(at + 1).trim())})`]
  })

/** Says what --use-map reads and the file does not have. */
export const lackingText = ({ lacking = [] }: Pick<Sheet, 'lacking'>): readonly string[] =>
  lacking.length === 0 ? [] : [`The file lacks what --use-map reads: ${lacking.join(', ')}.`]

/** Says which headers of a file are not read. */
export const unusedText = (headers: readonly string[]): readonly string[] =>
  headers.length === 0 ? [] : [`Columns that are not used: ${shownHeaders(headers)}`]

/** Opens a table with the user's maps. Throws as `openSheet`, and `invalid_input` for a map that does not fit. */
export async function openMapped(io: Io, plan: Omit<SheetPlan, 'map' | 'ignore'>, maps: Maps): Promise<Sheet> {
  const { saved = [] } = maps
  const opened = await openSheet(io, { ...plan, map: maps.map, ignore: maps.ignore, saved })
  const lacking = lackingIn(opened.headers, maps)
  const sheet = lacking.length === 0 ? opened : { ...opened, lacking }
  if (maps.map_value.length === 0) return sheet
  const columns = valuesIn(sheet.headers, maps.map_value, saved)
  const read = (row: SheetRow): SheetRow => ({
    ...row,
    cells: row.cells.map((cell, at) => columns.get(at)?.get(compared(cell)) ?? cell),
  })
  const rows = async function* (): AsyncGenerator<readonly SheetRow[]> {
    for await (const batch of sheet.rows) yield batch.map(read)
  }
  return { ...sheet, rows: rows() }
}
