// JSON records out of a file or a pipe, a line at a time with its number; also a saved page. Knows no kind of record.
import { createReadStream, fstatSync, openSync } from 'node:fs'
import { ShipxError } from '../domain/errors.ts'
import { fileFault } from './files.ts'
import type { Io } from './io.ts'
import { invalid } from '../domain/errors.ts'
import { safe } from './safe.ts'

/** A record with the line that it is on, counted from 1 (for a page: its place in `data`). */
export interface Numbered {
  readonly line: number
  readonly value: unknown
}

/** The longest line: far more than any record, and no danger to memory. */
const maxLine = 4_194_304
/** The largest page that is not on one line. */
const maxPage = 67_108_864

/** The bytes of a file or, for `-`, of standard input. Throws `invalid_input` naming `field`. */
function bytesOf(io: Io, path: string, field: string): AsyncIterable<Uint8Array> {
  if (path === '-') return io.stdin.bytes()
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    throw invalid([fileFault(field, path, error)])
  }
  if (fstatSync(descriptor).isDirectory()) throw invalid([{ field, message: `${safe(path)}: it is a folder` }])
  return createReadStream(path, { fd: descriptor, highWaterMark: 1 << 18 })
}

const wrong = (line: number, message: string): ShipxError =>
  new ShipxError('invalid_file', `line ${line}: ${message}`, { details: [{ field: null, message, row: line }] })

/**
 * The records of a JSON Lines file, or of a saved page `{"data":[…]}` on one line or many. Throws `invalid_file` with the
 * line for what is not JSON, and for bytes that are not UTF-8.
 */
export function readRecords(io: Io, path: string, field: string): AsyncGenerator<Numbered> {
  // Opened before anything is read or written, so that a wrong name costs nothing.
  return recordsOf(linesOf(bytesOf(io, path, field)))
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
    const value = first ? await firstValue(text, lines, line) : parsed(text, line)
    first = false
    const page = pageOf(value)
    if (page === undefined) yield { line, value }
    else for (const [i, record] of page.entries()) yield { line: i + 1, value: record }
  }
}

function pageOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  const data = typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined
  return Array.isArray(data) ? data : undefined
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrong(
      line,
      `it is not JSON (${error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 120) : ''})`,
    )
  }
}

/** The first value may be a page that someone saved with line breaks: then everything is one value. */
async function firstValue(text: string, lines: AsyncGenerator<string>, line: number): Promise<unknown> {
  if (!/^\s*[{[]\s*("data"\s*:\s*\[?)?\s*$/.test(text)) return parsed(text, line)
  let whole = text
  for await (const more of lines) {
    whole += `\n${more}`
    if (whole.length > maxPage) throw wrong(line, 'the page is larger than 64 MB; save it as JSON Lines')
  }
  return parsed(whole, line)
}

/** Lines of UTF-8 bytes, without their ends. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  let count = 0
  const decode = (chunk: Uint8Array | undefined): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch {
      throw wrong(count + 1, 'it is not UTF-8 text from here on; save the file as UTF-8')
    }
  }
  for await (const chunk of bytes) {
    const parts = (rest + decode(chunk)).split('\n')
    rest = parts.pop()!
    if (rest.length > maxLine) throw wrong(count + parts.length + 1, 'it is longer than 4 MB')
    for (const part of parts) {
      count++
      yield part.endsWith('\r') ? part.slice(0, -1) : part
    }
  }
  rest += decode(undefined)
  if (rest !== '') yield rest
}
