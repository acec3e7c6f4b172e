// Tables that people give as files: CSV read as a stream, its columns found by their headers, each row with its line; JSON Lines
// are read by jsonsheet.ts. Knows no command and nothing of what the cells mean (docs/bulk.md).
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { ShipxError, invalid } from '../../domain/errors.ts'
import { cellFault } from './cellcontent.ts'
import { unguard } from './csv.ts'
import { withoutDoubt } from './doubtfulweights.ts'
import { fileFault, workbookIn } from './userfiles.ts'
import { placed, type Heading, type Placed } from './headers.ts'
import type { Io } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'

/** A row of a table. */
export interface SheetRow {
  /** The line of the file that it begins in; the header is in line 1. */
  readonly line: number
  /** The file's own cells, the guard against formulas taken off, as many as there are headers. */
  readonly cells: readonly string[]
  /** Why the row cannot be read as one. */
  readonly fault: string | undefined
}

/** A table whose header has been read. */
export interface Sheet extends Placed {
  /** The file's own headers. */
  readonly headers: readonly string[]
  /** The character between cells; JSON Lines have none. */
  readonly delimiter?: string
  /** The rows, some hundreds at a time. Can be walked once; throws `invalid_file`. */
  readonly rows: AsyncIterable<readonly SheetRow[]>
}

/** What is read. */
export interface SheetPlan extends Heading {
  /** The file, or - for standard input. */
  readonly path: string
  /** Its bytes, where they were opened already. */
  readonly bytes?: () => AsyncIterable<Uint8Array>
}

/** The longest row, in characters; a quote that is never closed would be read to the end of the file. */
const mostCharacters = 1_000_000

/** Bytes that are looked at to tell what a file is. */
const firstBytes = 65_536

const unreadable = (path: string, what: string, hint: string): ShipxError =>
  new ShipxError('invalid_file', `${path === '-' ? 'standard input' : safe(path)}: ${what}`, { hint })

const saveAs = 'save it as CSV UTF-8 (in Excel: File, Save As, "CSV UTF-8 (comma delimited)")'

/** The bytes of a file or of standard input. Throws `invalid_input`. */
async function* bytesOf(io: Io, { path, field, bytes }: SheetPlan): AsyncGenerator<Buffer> {
  try {
    const source = bytes?.() ?? (path === '-' ? io.stdin.bytes() : createReadStream(path, { highWaterMark: 16384 }))
    for await (const chunk of source) yield Buffer.from(chunk as Uint8Array)
  } catch (error) {
    throw path === '-' || error instanceof ShipxError ? error : invalid([fileFault(field, path, error)])
  }
}

/** Whether most of every other byte is zero: UTF-16 without a mark. */
function looksWide(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, 512)
  const zeros = [0, 0]
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 2]!++
  return sample.length >= 4 && Math.max(...zeros) > sample.length / 4 && Math.min(...zeros) < sample.length / 16
}

/** Refuses what is no UTF-8 text, by its first bytes, with the way out. */
function refuseForeign(path: string, first: Buffer): void {
  const starts = (...bytes: readonly number[]): boolean => bytes.every((byte, i) => first[i] === byte)
  const workbook = workbookIn(first)
  if (workbook !== undefined) throw unreadable(path, `it is ${workbook}, not CSV`, saveAs)
  if (starts(0xff, 0xfe) || starts(0xfe, 0xff) || looksWide(first))
    throw unreadable(path, 'it is UTF-16 text', `${saveAs}, or: iconv -f UTF-16 -t UTF-8`)
}

/** The character that stands most often between the cells of the first line. */
function delimiterOf(first: string): string {
  const counts = new Map([',', ';', '\t'].map((character) => [character, 0]))
  let quoted = false
  for (const character of first) {
    if (character === '"') quoted = !quoted
    else if (!quoted && (character === '\n' || character === '\r')) break
    else if (!quoted && counts.has(character)) counts.set(character, counts.get(character)! + 1)
  }
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0]
}

/**
 * Opens a table: reads its header and finds the columns. Throws `invalid_input` for a file that is not there or a header
 * that lacks a column, and `invalid_file` for one that is no CSV in UTF-8.
 */
export async function openSheet(io: Io, plan: SheetPlan): Promise<Sheet> {
  const source = bytesOf(io, plan)
  const begin = await beginningOf(source)
  refuseForeign(plan.path, begin)
  if (/^\ufeff?\s*\{/.test(begin.toString('utf8', 0, 512))) return (await import('./jsonsheet.ts')).openJson(plan, joined(begin, source)) // prettier-ignore
  const delimiter = delimiterOf(begin.toString('utf8').replace(/^\ufeff/, ''))
  const rows = recordsOf(plan.path, delimiter, begin, source)
  const head = await rows.next()
  if (head.done === true) throw unreadable(plan.path, 'it is empty', 'its first line holds the names of the columns')
  const headers = (head.value as readonly string[]).map((cell) => cell.trim())
  const found = placed(plan, headers)
  return { headers, delimiter, ...found, rows: withoutDoubt({ ...found, headers, field: plan.field }, rowsOf(rows, headers.length)) } // prettier-ignore
}

/** The first bytes of a file, enough to tell what it is; all of it when it is small. */
async function beginningOf(source: AsyncGenerator<Buffer>): Promise<Buffer> {
  let begin: Buffer = Buffer.alloc(0)
  // A pipe may give a few bytes at a time.
  while (begin.length < firstBytes && !(begin.length >= 512 && begin.includes(10))) {
    const next = await source.next()
    if (next.done === true) break
    begin = begin.length === 0 ? next.value : Buffer.concat([begin, next.value])
  }
  return begin
}

async function* joined(begin: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield begin
  yield* rest
}

/** A row as the parser gives it. */
interface Raw {
  readonly line: number
  readonly cells: readonly string[]
}

async function* rowsOf(
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
async function* recordsOf(
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
      throw unreadable(path, `line ${from + linesBeforeFault(bytes)} is not UTF-8 text; it may be Latin-1 (Windows-1252)`, `${saveAs}, or: iconv -f WINDOWS-1252 -t UTF-8`) // prettier-ignore
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
