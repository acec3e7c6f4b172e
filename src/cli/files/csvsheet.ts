// A CSV file read as a stream, each row with its line; jsonsheet.ts reads JSON Lines (docs/guides/sheets.md).
import { isUtf8 } from 'node:buffer'
import type { Parser } from 'csv-parse'
import { ShipxError } from '../../domain/errors.ts'
import { cellFault } from './cellcontent.ts'
import { unguard } from './csv.ts'
import { count } from '../../domain/count.ts'
import { safe } from '../terminal/safe.ts'
import type { Line } from './headerrow.ts'
import { plainRows, type PlainRows } from './plaincsv.ts'
import type { SheetRow } from './sheet.ts'

/** The longest row, in characters; a quote that is never closed would be read to the end of the file. */
const mostCharacters = 1_000_000

/** Bytes that are looked at to find out what a file is. */
export const firstBytes = 65_536

export const unreadable = (path: string, what: string, hint: string): ShipxError =>
  new ShipxError('invalid_file', `${path === '-' ? 'standard input' : safe(path)}: ${what}`, { hint })

export const saveAs = 'save it as CSV UTF-8 (in Excel: File, Save As, "CSV UTF-8 (comma delimited)")'

/** Records as rows of so many cells, after those that were read already. */
export async function* rowsOf(
  first: readonly Line[],
  records: AsyncGenerator<readonly Line[]>,
  width: number,
): AsyncGenerator<readonly SheetRow[]> {
  const made = (batch: readonly Line[]): readonly SheetRow[] =>
    batch.map(({ line, cells }) => {
      const own = cells.some(mayBeGuarded) ? cells.map(unguard) : (cells as string[])
      const fault = faultOf(own, width)
      while (own.length < width) own.push('')
      own.length = width
      return { line, cells: own, fault }
    })
  try {
    if (first.length > 0) yield made(first)
    for await (const batch of records) yield made(batch)
  } finally {
    await records.return(undefined)
  }
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

/** A CSV that is being parsed, and the line after the last record that was taken from it. */
interface Parsing {
  readonly path: string
  /** What reads the rows before the first one that is not simple. */
  readonly plain: PlainRows
  /** What reads the others; made at the first of them. */
  readonly parser: () => Promise<Parser>
  readonly text: InstanceType<typeof TextDecoder>
  line: number
  failed: Error | undefined
}

/** Takes the records that the parser has ready, and counts their lines: csv-parse counts a CRLF inside quotes twice. */
function takeRecords(parsing: Parsing, parser: Parser): readonly Line[] {
  const batch: Line[] = []
  for (let cells = parser.read() as string[] | null; cells !== null; cells = parser.read() as string[] | null) {
    // An empty line is not a row, but it is a line.
    if (cells.length > 1 || cells[0] !== '') batch.push({ line: parsing.line, cells })
    parsing.line += 1
    for (const cell of cells) parsing.line += breaksIn(cell)
  }
  return batch
}

/** The error for a file that csv-parse cannot read on. */
function parseError({ path, line }: Parsing, error: Error): ShipxError {
  const { code } = error as { readonly code?: unknown }
  const what =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? `the quote that opens in the row at line ${line} is never closed`
      : code === 'CSV_MAX_RECORD_SIZE'
        ? `the row at line ${line} has more than ${count(mostCharacters)} characters; a quote may be missing`
        : code === 'INVALID_OPENING_QUOTE' || code === 'CSV_INVALID_CLOSING_QUOTE'
          ? `line ${line}: there is a quote inside a cell; write the cell in quotes and the quote twice ("")`
          : `line ${line}: ${error.message}`
  return unreadable(path, what, 'fix that line and run the command again')
}

/** The records that end in a piece of the file. Throws `invalid_file`. */
async function recordsIn(parsing: Parsing, bytes: Buffer): Promise<readonly Line[]> {
  const { path, text, line, plain } = parsing
  try {
    text.decode(bytes, { stream: true })
  } catch {
    throw unreadable(
      path,
      `line ${line + linesBeforeFault(bytes)} is not UTF-8 text; it may be Latin-1 (Windows-1252)`,
      `${saveAs}, or: iconv -f WINDOWS-1252 -t UTF-8`,
    )
  }
  if (!plain.open()) return parsed(parsing, bytes)
  const batch = plainRecords(parsing, plain.take(bytes))
  return plain.open() ? batch : [...batch, ...(await parsed(parsing, plain.left()))]
}

/** Records of one line each, with their lines. */
function plainRecords(parsing: Parsing, rows: readonly string[][]): readonly Line[] {
  const batch: Line[] = []
  for (const cells of rows) {
    if (cells.length > 1 || cells[0] !== '') batch.push({ line: parsing.line, cells })
    parsing.line++
  }
  return batch
}

/** The records that end in a piece that csv-parse reads. Throws `invalid_file`. */
async function parsed(parsing: Parsing, bytes: Buffer): Promise<readonly Line[]> {
  const parser = await parsing.parser()
  const written = new Promise<void>((resolve) => {
    parser.write(bytes, (error) => {
      parsing.failed ??= error ?? undefined
      resolve()
    })
  })
  const batch = [...takeRecords(parsing, parser)]
  if (parsing.failed === undefined) await written
  batch.push(...takeRecords(parsing, parser))
  if (parsing.failed !== undefined) throw parseError(parsing, parsing.failed)
  return batch
}

/** The records that are left at the end of the file. Throws `invalid_file`. */
async function recordsLeft(parsing: Parsing): Promise<readonly Line[]> {
  const { path, text, plain } = parsing
  try {
    text.decode()
  } catch {
    throw unreadable(path, 'it ends in the middle of a character', 'it may have been cut off: copy it again')
  }
  const left = plain.open() ? plain.left() : undefined
  if (left?.length === 0) return []
  const batch: Line[] = left === undefined ? [] : [...(await parsed(parsing, left))]
  const parser = await parsing.parser()
  const over = new Promise<void>((resolve) => {
    parser.once('end', resolve)
    parser.once('error', () => resolve())
  })
  parser.on('readable', () => batch.push(...takeRecords(parsing, parser)))
  parser.end()
  await over
  if (parsing.failed !== undefined) throw parseError(parsing, parsing.failed)
  return batch
}

/** The records of the file in batches: those of one piece of the file, none of them empty. Throws `invalid_file`. */
async function* batchesOf(parsing: Parsing, bytes: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[]> {
  for await (const piece of bytes) {
    const batch = await recordsIn(parsing, piece)
    if (batch.length > 0) yield batch
  }
  const batch = await recordsLeft(parsing)
  if (batch.length > 0) yield batch
}

/** The records of the file in batches. Throws `invalid_file`. */
export async function* recordsOf(
  path: string,
  delimiter: string,
  bytes: AsyncGenerator<Buffer>,
): AsyncGenerator<readonly Line[]> {
  let made: Parser | undefined
  const parsing: Parsing = {
    path,
    plain: plainRows(delimiter),
    parser: async () => (made ??= await parserOf(delimiter, (error) => (parsing.failed = error))),
    text: new TextDecoder('utf-8', { fatal: true }),
    line: 1,
    failed: undefined,
  }
  try {
    yield* batchesOf(parsing, bytes)
  } finally {
    made?.destroy()
    await bytes.return(undefined)
  }
}

async function parserOf(delimiter: string, failed: (error: Error) => void): Promise<Parser> {
  const { parse } = await import('csv-parse')
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // Programs that put tabs between cells write quotes as they are: Cable 6" long.
    relax_quotes: delimiter === '\t',
    max_record_size: mostCharacters,
  })
  parser.on('error', failed)
  return parser
}
