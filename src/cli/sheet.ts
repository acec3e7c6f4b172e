// Tables that people give as files: CSV read as a stream, its columns found by their headers, each row with its line; knows
// no command and nothing of what the cells mean (docs/bulk.md).
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { ShipxError, invalid, type Fault } from '../domain/errors.ts'
import { nearest } from '../domain/nearest.ts'
import { unguard } from './csv.ts'
import { fileFault } from './files.ts'
import type { Io } from './io.ts'
import { safe } from './safe.ts'

/** A column that a table may have, under its own name and those that other programs give it. */
export interface SheetColumn {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly required?: boolean
}

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
export interface Sheet {
  /** The file's own headers. */
  readonly headers: readonly string[]
  /** Where a column stands, by its name; a column that the file does not have is not in it. */
  readonly places: ReadonlyMap<string, number>
  /** Headers that are no column of ours. */
  readonly unknown: readonly string[]
  /** The character between cells. */
  readonly delimiter: string
  /** The rows, some hundreds at a time. Can be walked once; throws `invalid_file`. */
  readonly rows: AsyncIterable<readonly SheetRow[]>
}

/** What is read. */
export interface SheetPlan {
  /** The file, or - for standard input. */
  readonly path: string
  /** The flag or argument that named it. */
  readonly field: string
  readonly columns: readonly SheetColumn[]
  /** `Brand=brand_name`: the file's headers that stand for columns of ours. */
  readonly map?: readonly string[]
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
    throw path === '-' ? error : invalid([fileFault(field, path, error)])
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
  if (starts(0x50, 0x4b, 0x03, 0x04)) throw unreadable(path, 'it is an Excel workbook (.xlsx), not CSV', saveAs)
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) throw unreadable(path, 'it is an Excel workbook (.xls), not CSV', saveAs)
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

/** A header as it is compared: letters and digits of any script alone. */
const folded = (header: string): string =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')

const shown = (names: readonly string[]): string => names.map((name) => safe(name)).join(', ')

/** Finds our columns among the headers. Throws `invalid_input` with every fault of the header. */
function placed(
  { columns, map = [], field }: SheetPlan,
  headers: readonly string[],
): Pick<Sheet, 'places' | 'unknown'> {
  const faults: Fault[] = []
  const names = new Map<string, string>()
  for (const { name, aliases = [] } of columns) for (const known of [name, ...aliases]) names.set(folded(known), name)
  const given = new Map<string, string>()
  for (const pair of map) {
    const at = pair.lastIndexOf('=')
    const [header, name] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    const column = columns.find((known) => known.name === name)
    if (at <= 0 || column === undefined) {
      const near = nearest(name, columns.map((known) => known.name)) // prettier-ignore
      faults.push({ field: '--map', message: `"${safe(pair)}" is not <header>=<column>${near === undefined ? `; columns: ${columns.map((known) => known.name).join(', ')}` : `. Did you mean ${near}?`}` }) // prettier-ignore
    } else if (!headers.includes(header))
      faults.push({ field: '--map', message: `the file has no header "${safe(header)}"; it has: ${shown(headers)}` }) // prettier-ignore
    else given.set(header, name)
  }
  const found = new Map<string, number[]>()
  const unknown: string[] = []
  const taken = new Set(given.values())
  for (const [i, header] of headers.entries()) {
    const own = given.get(header)
    const loose = names.get(folded(header))
    // A header that was named for a column leaves it to nobody else.
    const name = own ?? (loose !== undefined && !taken.has(loose) ? loose : undefined)
    if (name === undefined) unknown.push(header)
    else found.set(name, [...(found.get(name) ?? []), i])
  }
  for (const [name, places] of found)
    if (places.length > 1)
      faults.push({ field, message: `${places.length} headers are taken for ${name}: ${shown(places.map((i) => headers[i]!))}; rename all but one, or name it: --map "${safe(headers[places[0]!]!)}=${name}"`, row: 1 }) // prettier-ignore
  const missing = columns.filter(({ name, required }) => required === true && !found.has(name)).map(({ name }) => name)
  if (missing.length > 0)
    faults.push({ field, message: `the header lacks ${missing.join(', ')}; it has: ${shown(headers)}. Where another header means one of them: --map "<header>=${missing[0]}"`, row: 1 }) // prettier-ignore
  if (faults.length > 0) throw invalid(faults)
  return { places: new Map([...found].map(([name, places]) => [name, places[0]!])), unknown }
}

/**
 * Opens a table: reads its header and finds the columns. Throws `invalid_input` for a file that is not there or a header
 * that lacks a column, and `invalid_file` for one that is no CSV in UTF-8.
 */
export async function openSheet(io: Io, plan: SheetPlan): Promise<Sheet> {
  const rows = recordsOf(io, plan)
  const head = await rows.next()
  if (head.done === true) throw unreadable(plan.path, 'it is empty', 'its first line holds the names of the columns')
  const { delimiter, first } = head.value as Head
  const headers = first.map((cell) => cell.trim())
  return { headers, delimiter, ...placed(plan, headers), rows: rowsOf(rows, headers.length) }
}

/** What comes first out of a file. */
interface Head {
  readonly delimiter: string
  readonly first: readonly string[]
}

/** A row as the parser gives it. */
interface Raw {
  readonly line: number
  readonly cells: readonly string[]
}

async function* rowsOf(
  records: AsyncGenerator<Head | readonly Raw[]>,
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

/** Whether a cell begins as those do that were guarded against formulas, or written for Excel: hardly any does. */
const mayBeGuarded = (cell: string): boolean => cell.startsWith("'") || cell.startsWith('=')

function faultOf(cells: readonly string[], width: number): string | undefined {
  if (cells.length < width) return `has ${cells.length} cells where the header has ${width}`
  // Spreadsheets leave empty cells at the end of a row.
  if (cells.length > width && cells.slice(width).some((cell) => cell !== ''))
    return `has ${cells.length} cells where the header has ${width}; a comma inside a cell needs quotes around it`
  return cells.some((cell) => cell.includes('\0')) ? 'holds the character U+0000' : undefined
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
async function* recordsOf(io: Io, plan: SheetPlan): AsyncGenerator<Head | readonly Raw[]> {
  const { path } = plan
  const source = bytesOf(io, plan)
  let begin: Buffer = Buffer.alloc(0)
  let ended = false
  // A pipe may give a few bytes at a time.
  while (begin.length < firstBytes && !ended) {
    const next = await source.next()
    if (next.done === true) ended = true
    else begin = begin.length === 0 ? next.value : Buffer.concat([begin, next.value])
    if (begin.length >= 512 && begin.includes(10)) break
  }
  refuseForeign(path, begin)
  const text = new TextDecoder('utf-8', { fatal: true })
  const { parse } = await import('csv-parse')
  const delimiter = delimiterOf(begin.toString('utf8').replace(/^\ufeff/, ''))
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
  const given = function* (batch: readonly Raw[]): Generator<Head | readonly Raw[]> {
    if (batch.length === 0) return
    if (head) yield batch
    else {
      head = true
      yield { delimiter, first: batch[0]!.cells }
      if (batch.length > 1) yield batch.slice(1)
    }
  }
  try {
    yield* given(await feed(begin))
    if (!ended) for await (const bytes of source) yield* given(await feed(bytes))
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
    await source.return(undefined)
  }
}
