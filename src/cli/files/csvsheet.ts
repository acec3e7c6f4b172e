// Tables that people give as files: CSV read as a stream, its columns found by their headers, each row with its line; JSON Lines
// are read by jsonsheet.ts. Knows no command and nothing of what the cells mean (docs/bulk.md).
import { isUtf8 } from 'node:buffer'
import { ShipxError } from '../../domain/errors.ts'
import { cellFault } from './cellcontent.ts'
import { unguard } from './csv.ts'
import { safe } from '../terminal/safe.ts'
import type { SheetRow } from './sheet.ts'

/** The longest row, in characters; a quote that is never closed would be read to the end of the file. */
const mostCharacters = 1_000_000

/** Bytes that are looked at to tell what a file is. */
export const firstBytes = 65_536

export const unreadable = (path: string, what: string, hint: string): ShipxError =>
  new ShipxError('invalid_file', `${path === '-' ? 'standard input' : safe(path)}: ${what}`, { hint })

export const saveAs = 'save it as CSV UTF-8 (in Excel: File, Save As, "CSV UTF-8 (comma delimited)")'

/** A row as the parser gives it. */
interface Raw {
  readonly line: number
  readonly cells: readonly string[]
}

export async function* rowsOf(
  records: AsyncGenerator<readonly string[] | readonly Raw[]>,
  width: number,
): AsyncGenerator<readonly SheetRow[]> {
  for await (const batch of records)
    yield (batch as readonly Raw[]).map(({ line, cells }) => {
      const own = cells.some(mayBeGuarded) ? cells.map(unguard) : (cells as string[])
      const fault = faultOf(own, width)
      while (own.length < width) own.push('')
      own.length = width
      return { line, cells: own, fault }
    })
}

/** Whether a cell may have been guarded against formulas, or written for Excel: hardly any was. */
const mayBeGuarded = (cell: string): boolean => cell.includes("'") || cell.startsWith('=')

function faultOf(cells: readonly string[], width: number): string | undefined {
  if (cells.length < width) return `has ${cells.length} cells where the header has ${width}`
  // Spreadsheets leave empty cells at the end of a row.
  if (cells.length > width && cells.slice(width).some((cell) => cell !== ''))
    return `has ${cells.length} cells where the header has ${width}; a comma inside a cell needs quotes around it`
  for (const cell of cells) {
    const fault = cellFault(cell)
    if (fault !== undefined) return fault
  }
  return undefined
}

const breaks = /\r\n|\n|\r/g

const breaksIn = (cell: string): number => (cell.includes('\n') || cell.includes('\r') ? cell.match(breaks)!.length : 0)

/** How many lines from the beginning of a text to its first byte that is not UTF-8. */
function linesBeforeFault(bytes: Buffer): number {
  let count = 0
  for (let at = 0; at < bytes.length; count++) {
    const end = bytes.indexOf(10, at)
    const line = bytes.subarray(at, end === -1 ? bytes.length : end)
    if (!isUtf8(line)) return count
    at = end === -1 ? bytes.length : end + 1
  }
  return count
}

/** The header, then the records of the file in batches: those of one piece of the file. */
export async function* recordsOf(
  path: string,
  delimiter: string,
  begin: Buffer,
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<readonly string[] | readonly Raw[]> {
  const text = new TextDecoder('utf-8', { fatal: true })
  const { parse } = await import('csv-parse')
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: mostCharacters,
  })
  let failed: Error | undefined
  parser.on('error', (error) => {
    failed = error
  })
  /** The line after the last record. */
  let line = 1
  const taken = (): readonly Raw[] => {
    const batch: Raw[] = []
    for (let cells = parser.read() as string[] | null; cells !== null; cells = parser.read() as string[] | null) {
      // An empty line is no row, but it is a line.
      if (cells.length > 1 || cells[0] !== '') batch.push({ line, cells })
      line += 1
      for (const cell of cells) line += breaksIn(cell)
    }
    return batch
  }
  const wrong = (error: Error): ShipxError => {
    const { code } = error as { readonly code?: unknown }
    const what =
      code === 'CSV_QUOTE_NOT_CLOSED'
        ? `the quote that opens in the row at line ${line} is never closed`
        : code === 'CSV_MAX_RECORD_SIZE'
          ? `the row at line ${line} has more than ${mostCharacters.toLocaleString('en-IN')} characters; a quote may be missing`
          : code === 'INVALID_OPENING_QUOTE' || code === 'CSV_INVALID_CLOSING_QUOTE'
            ? `line ${line}: a quote stands inside a cell; write the cell in quotes and the quote twice ("")`
            : `line ${line}: ${error.message}`
    return unreadable(path, what, 'mend that line and run the command again')
  }
  const feed = async (bytes: Buffer): Promise<readonly Raw[]> => {
    const from = line
    try {
      text.decode(bytes, { stream: true })
    } catch {
      throw unreadable(
        path,
        `line ${from + linesBeforeFault(bytes)} is not UTF-8 text; it may be Latin-1 (Windows-1252)`,
        `${saveAs}, or: iconv -f WINDOWS-1252 -t UTF-8`,
      )
    }
    const written = new Promise<void>((resolve) => {
      parser.write(bytes, (error) => {
        failed ??= error ?? undefined
        resolve()
      })
    })
    const batch = [...taken()]
    if (failed === undefined) await written
    batch.push(...taken())
    if (failed !== undefined) throw wrong(failed)
    return batch
  }
  let head = false
  const given = function* (batch: readonly Raw[]): Generator<readonly string[] | readonly Raw[]> {
    if (batch.length === 0) return
    if (head) yield batch
    else {
      head = true
      yield batch[0]!.cells
      if (batch.length > 1) yield batch.slice(1)
    }
  }
  try {
    yield* given(await feed(begin))
    for await (const bytes of rest) yield* given(await feed(bytes))
    try {
      text.decode()
    } catch {
      throw unreadable(path, 'it ends in the middle of a character', 'it may have been cut off: copy it again')
    }
    const batch: Raw[] = []
    const over = new Promise<void>((resolve) => {
      parser.once('end', resolve)
      parser.once('error', () => resolve())
    })
    parser.on('readable', () => batch.push(...taken()))
    parser.end()
    await over
    if (failed !== undefined) throw wrong(failed)
    yield* given(batch)
  } finally {
    parser.destroy()
    await rest.return(undefined)
  }
}
