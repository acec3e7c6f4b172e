// A user's table opened by what it is: CSV, JSON Lines or an Excel workbook; another encoding is refused.
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { ShipxError, invalid } from '../../domain/errors.ts'
import { withoutDoubt } from './doubtfulweights.ts'
import { headerIn, isHeader, mostTitles, skippedNote } from './headerrow.ts'
import type { Io } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'
import { oldWorkbook, workbookKind } from './foreignfiles.ts'
import { withoutHeaders } from './repeatedheaders.ts'
import type { Sheet, SheetPlan } from './sheet.ts'
import { openTempFile } from './tempfile.ts'
import { withoutTotals } from './totals.ts'
import { fileFault } from './userfiles.ts'
import { firstBytes, unreadable, saveAs, rowsOf, recordsOf } from './csvsheet.ts'

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

/** Refuses what is not UTF-8 text, by its first bytes, with the way out. */
function refuseForeign(path: string, first: Buffer): void {
  const starts = (...bytes: readonly number[]): boolean => bytes.every((byte, i) => first[i] === byte)
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

/** The delimiter of a table: that of its first line or, where that is a title without one, of the first that has it. */
function delimiterIn(plan: SheetPlan, start: string): string {
  const lines = start.split(/\r\n|\n|\r/, mostTitles)
  const first = lines[0]!.replace(/^\ufeff/, '')
  if (/[,;\t]/.test(first) || isHeader(plan, { line: 1, cells: [first] })) return delimiterOf(start)
  return delimiterOf(lines.find((line) => /[,;\t]/.test(line)) ?? '')
}

/**
 * Opens a table: reads its header and finds the columns. Throws `invalid_input` for a file that is not there or a
 * header that lacks a column, and `invalid_file` for one that is neither CSV in UTF-8 nor JSON Lines nor a workbook.
 */
export async function openSheet(io: Io, given: SheetPlan): Promise<Sheet> {
  const source = bytesOf(io, given)
  const name = given.path === '-' ? 'standard input' : safe(basename(given.path))
  // The faults of a file that is open name it; the flag names one that cannot be opened.
  const plan = { ...given, field: name }
  const start = await firstBytesOf(source)
  const kind = workbookKind(start)
  if (kind === 'cfb') throw await oldWorkbook(plan.path, joined(start, source))
  if (kind === 'zip') {
    const { openWorkbookSheet } = await import('./workbooksheet.ts')
    return openWorkbookSheet(plan, joined(start, source), () => openTempFile({ io }))
  }
  if (plan.sheet !== undefined)
    throw invalid([{ field: '--sheet', message: `${name} is not a workbook; only a workbook has sheets` }])
  refuseForeign(plan.path, start)
  if (/^\ufeff?\s*\{/.test(start.toString('utf8', 0, 512)))
    return (await import('./jsonsheet.ts')).openJson(plan, joined(start, source))
  return openCsv(plan, start, joined(start, source))
}

async function openCsv(plan: SheetPlan, start: Buffer, bytes: AsyncGenerator<Buffer>): Promise<Sheet> {
  const delimiter = delimiterIn(plan, start.toString('utf8').replace(/^\ufeff/, ''))
  const records = recordsOf(plan.path, delimiter, bytes)
  const first = await records.next()
  if (first.done === true) throw unreadable(plan.path, 'it is empty', 'its first line holds the names of the columns')
  const found = headerIn(plan, first.value)
  const { headers, line, above } = found
  const once = withoutHeaders(headers, rowsOf(found.rest, records, headers.length), 'line')
  const table = withoutTotals(plan, found, once.rows, 'line')
  return {
    name: plan.field,
    headers,
    delimiter,
    places: found.places,
    ...(found.more === undefined ? {} : { more: found.more }),
    unknown: found.unknown,
    weights: found.weights,
    sizeUnit: found.sizeUnit,
    ...(found.apart === true ? { apart: true } : {}),
    counts: 'line',
    headLine: line,
    titles: found.titles,
    rows: withoutDoubt({ ...found, field: plan.field }, table.rows),
    notes: () => [...skippedNote(above, line, 'line'), ...once.notes(), ...table.notes()],
    close: () => undefined,
  }
}

/** The first bytes of a file, enough to find out what it is; all of it when it is small. */
async function firstBytesOf(source: AsyncGenerator<Buffer>): Promise<Buffer> {
  let start: Buffer = Buffer.alloc(0)
  // A pipe may bring a few bytes at a time.
  while (start.length < firstBytes && !(start.length >= 512 && start.includes(10))) {
    const next = await source.next()
    if (next.done === true) break
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value])
  }
  return start
}

async function* joined(start: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield start
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
