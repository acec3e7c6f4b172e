// Lines of text from a file or a pipe, and JSON records with the lines that they are on; also a saved page. Knows no
// kind of record.
import { isAscii, isUtf8 } from 'node:buffer'
import { createReadStream, fstatSync, openSync } from 'node:fs'
import { ShipxError } from '../../domain/errors.ts'
import { exactTexts } from '../../domain/exactjson.ts'
import { workbookIn } from './foreignfiles.ts'
import { fileFault } from './userfiles.ts'
import type { Io } from '../terminal/io.ts'
import { invalid } from '../../domain/errors.ts'
import { safe } from '../terminal/safe.ts'

/** A record with the line that it is on, counted from 1 (for a page: its place in `data`). */
export interface Numbered {
  readonly line: number
  readonly value: unknown
  /** The record as JSON, where one of its numbers has more digits than its value. */
  readonly text?: string | undefined
}

/** The longest line: far more than any record, and no danger to memory. */
const maxLine = 4_194_304
/** The largest page that is not on one line. */
const maxPage = 67_108_864

/** The bytes of a file or, for `-`, of standard input. Throws `invalid_input` naming `field`. */
export const bytesOf = (io: Io, path: string, field: string): AsyncIterable<Uint8Array> =>
  path === '-' ? io.stdin.bytes() : bytesIn(openFile(path, field).descriptor)

/** An open file; `bytes` is 0 where it is a pipe or a device. */
export interface OpenFile {
  readonly descriptor: number
  readonly bytes: number
}

/** Opens a file to read it. Throws `invalid_input` naming `field`, also for a folder. */
export function openFile(path: string, field: string): OpenFile {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    throw invalid([fileFault(field, path, error)])
  }
  const found = fstatSync(descriptor)
  if (found.isDirectory()) throw invalid([{ field, message: `${safe(path)}: it is a folder` }])
  return { descriptor, bytes: found.isFile() ? found.size : 0 }
}

/** The bytes of an open file, which is closed after them. */
export const bytesIn = (descriptor: number): AsyncIterable<Uint8Array> =>
  createReadStream('', { fd: descriptor, highWaterMark: 1 << 18 })

/** The fault of a line of a file. */
export const lineFault = (line: number, message: string): ShipxError =>
  new ShipxError('invalid_file', `line ${line}: ${message}`, { details: [{ field: null, message, row: line }] })

/** What a CSV is told that was given in the place of records. */
export const csvGiven = 'it is a CSV; this takes JSON Lines'

/**
 * The records of JSON Lines, or of a saved page `{"data":[…]}` on one line or many. Throws `invalid_file` with the line
 * for what is not JSON, and for bytes that are not UTF-8.
 */
export const recordsIn = (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Numbered> =>
  recordsOf(linesOf(textIn(bytes)))

/** Bytes that are not an Excel workbook. Throws `invalid_file` for one, with what to do instead. */
async function* textIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first = true
  for await (const chunk of bytes) {
    const workbook = first ? workbookIn(chunk) : undefined
    if (workbook !== undefined)
      throw new ShipxError('invalid_file', `it is ${workbook}`, { hint: 'records come as JSON Lines' })
    first = false
    yield chunk
  }
}

async function* recordsOf(lines: AsyncGenerator<string>): AsyncGenerator<Numbered> {
  let first = true
  let line = 0
  for (;;) {
    const step = await lines.next()
    if (step.done === true) return
    line++
    const text = line === 1 ? step.value.replace(/^\ufeff/, '') : step.value
    if (text.trim() === '') continue
    const { value, texts } = first ? await firstValue(text, lines, line) : parsed(text, line)
    first = false
    const page = pageOf(value)
    if (page === undefined) yield { line, value, text: texts?.[0] }
    else for (const [i, record] of page.entries()) yield { line: i + 1, value: record, text: texts?.[i] }
  }
}

function pageOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  const data = typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined
  return Array.isArray(data) ? data : undefined
}

/** Whether the first line of a file is the header of a CSV. */
const isCsvHeader = (text: string): boolean => /^[^{[]*[,;\t]/.test(text.trim())

/** A value, and the texts of its records where a number of them has more digits. */
interface Parsed {
  readonly value: unknown
  readonly texts: readonly string[] | undefined
}

function parsed(text: string, line: number): Parsed {
  try {
    return { value: JSON.parse(text), texts: exactTexts(text, (value) => pageOf(value) ?? [value]) }
  } catch (error) {
    if (line === 1 && isCsvHeader(text)) throw new ShipxError('invalid_file', csvGiven)
    throw lineFault(
      line,
      `it is not JSON (${error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 120) : ''})`,
    )
  }
}

/** The first lines of a page that goes on below, without blanks. */
const pageStarts: ReadonlySet<string> = new Set(['{', '[', '{"data":', '{"data":['])

/** The first value may be a page that someone saved with line breaks: then everything is one value. */
async function firstValue(text: string, lines: AsyncGenerator<string>, line: number): Promise<Parsed> {
  if (!pageStarts.has(text.replace(/\s+/g, ''))) return parsed(text, line)
  let whole = text
  for await (const more of lines) {
    whole += `\n${more}`
    if (whole.length > maxPage) throw lineFault(line, 'the page is larger than 64 MB; save it as JSON Lines')
  }
  return parsed(whole, line)
}

/** Lines of UTF-8 bytes, without their ends. Throws `invalid_file` with the line. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  let count = 0
  // Nearly every line is plain ASCII, whose text takes half the room and is parsed in half the time.
  const textOf = (line: Buffer): string => {
    count++
    if (line.length > maxLine) throw lineFault(count, 'it is longer than 4 MB')
    const end = line.at(-1) === 13 ? line.length - 1 : line.length
    if (isAscii(line)) return line.toString('latin1', 0, end)
    if (!isUtf8(line)) throw lineFault(count, 'it is not UTF-8 text; save the file as UTF-8')
    return line.toString('utf8', 0, end)
  }
  for await (const chunk of bytes) {
    const all = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    let at = 0
    for (let end = all.indexOf(10, Math.max(0, rest.length)); end !== -1; end = all.indexOf(10, at)) {
      yield textOf(all.subarray(at, end))
      at = end + 1
    }
    rest = all.subarray(at)
    if (rest.length > maxLine) throw lineFault(count + 1, 'it is longer than 4 MB')
  }
  if (rest.length > 0) yield textOf(rest)
}
