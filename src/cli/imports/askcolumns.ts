// Asks a person which header of a file is each column that shipx cannot find, with cells to recognise it by, and offers
// to keep the answers as a map (docs/guides/sheets.md, Maps).
import { statSync } from 'node:fs'
import { ShipxError } from '../../domain/errors.ts'
import { shortened } from '../../domain/messages/plaintext.ts'
import type { Asker } from '../ask/asker.ts'
import { canAsk } from '../ask/confirm.ts'
import { mapNameFault } from '../config/maps.ts'
import type { Context } from '../command/context.ts'
import { lackedColumns, type Heading, type SheetColumn } from '../files/headers.ts'
import { shownHeader } from '../files/shownheaders.ts'
import { noMaps, openMapped, type Maps } from '../files/mapped.ts'
import { safe } from '../terminal/safe.ts'
import type { ImportOptions } from './options.ts'

/** How many cells a question shows of each header, how long each may be, and how many rows are looked at. */
const [cellsShown, longestCell, rowsLooked] = [3, 24, 50]

/** A header with cells of its first rows. */
export interface Sample {
  readonly header: string
  readonly cells: readonly string[]
}

/** What a column is called in a question: its first name in other programs, and ours. */
const called = ({ name, aliases = [] }: SheetColumn): string =>
  aliases[0] === undefined ? name : `${aliases[0]} (${name})`

/** The header of each column as `Header=column`; undefined when the person says that one is not there. */
export async function askHeaders(
  asker: Pick<Asker, 'choice'>,
  columns: readonly SheetColumn[],
  samples: readonly Sample[],
): Promise<readonly string[] | undefined> {
  const found: string[] = []
  const taken = new Set<string>()
  for (const column of columns) {
    const choices = samples
      .filter(({ header }) => !taken.has(header))
      .map(({ header, cells }) => ({
        value: header,
        name: `${shownHeader(header)}: ${cells.map((cell) => safe(shortened(cell, longestCell))).join(', ')}`,
      }))
    const none = { value: '', name: 'None of these' }
    const header = await asker.choice(`Which header is ${called(column)}?`, [...choices, none])
    if (header === '') return undefined
    taken.add(header)
    found.push(`${header}=${column.name}`)
  }
  return found
}

/** The headers of a file that are still free, with some of their cells. */
async function samplesOf(
  { io }: Context,
  file: Pick<ImportOptions, 'path' | 'sheet'>,
  taken: readonly string[],
): Promise<readonly Sample[]> {
  const { headers, rows } = await openMapped(io, { ...file, field: '<file>', columns: [] }, noMaps)
  const cells = headers.map((): string[] => [])
  let looked = 0
  for await (const batch of rows) {
    for (const row of batch)
      for (const [at, cell] of row.cells.entries())
        if (cell.trim() !== '' && cells[at]!.length < cellsShown) cells[at]!.push(cell.trim())
    looked += batch.length
    if (looked >= rowsLooked) break
  }
  return headers.flatMap((header, at) => (taken.includes(header) ? [] : [{ header, cells: cells[at]! }]))
}

/** Whether the file can be read twice. */
const isFile = (path: string): boolean => path !== '-' && statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Whether shipx finds the header by itself, below titles too. */
async function hasHeader(
  { io }: Context,
  file: Pick<ImportOptions, 'path' | 'sheet'>,
  heading: Omit<Heading, 'map' | 'ignore'>,
  maps: Maps,
): Promise<boolean> {
  try {
    const opened = await openMapped(io, { ...heading, ...file, field: '<file>' }, maps)
    opened.close()
    return true
  } catch (error) {
    if (error instanceof ShipxError) return false
    throw error
  }
}

/**
 * The maps of an import, with an answer for each column that the file's header lacks. Asks only where a person can
 * answer and nothing else is wrong with the header.
 */
export async function askColumns(
  context: Context,
  { path, sheet, maps, dry }: Pick<ImportOptions, 'path' | 'sheet' | 'maps' | 'dry'>,
  heading: Omit<Heading, 'map' | 'ignore'>,
): Promise<{ readonly maps: Maps; readonly name?: string }> {
  if (!context.attended || !canAsk(context) || !isFile(path)) return { maps }
  if (await hasHeader(context, { path, sheet }, heading, maps)) return { maps }
  const { headers } = await openMapped(context.io, { path, sheet, field: '<file>', columns: [] }, noMaps)
  const lacked = lackedColumns({ ...heading, map: maps.map, ignore: maps.ignore }, headers)
  if (lacked.columns.length === 0) return { maps }
  const { askerOf } = await import('../ask/ask.ts')
  const asker = await askerOf(context)
  const answers = await askHeaders(asker, lacked.columns, await samplesOf(context, { path, sheet }, lacked.taken))
  if (answers === undefined) return { maps }
  const answered = { ...maps, map: [...maps.map, ...answers] }
  if (dry || context.flags.has('save-map') || !(await asker.agree('Save the answers as a map?')))
    return { maps: answered }
  const name = await asker.line({ message: 'Name of the map', fault: async (typed) => mapNameFault(typed.trim()) })
  return { maps: answered, name: name.trim() }
}
