// Shipments that a user names, as arguments or in a file: one reference on each line, or a column of a table.
import { invalid, type Fault } from '../../domain/errors.ts'
import { readDigits, typed } from '../../domain/read/typed.ts'
import type { Context } from '../command/context.ts'
import { unguard } from '../files/csv.ts'
import { startOf } from '../files/foreignfiles.ts'
import { folded } from '../files/headers.ts'
import { bytesOf, linesOf } from '../files/jsonlines.ts'
import { openSheet } from '../files/opensheet.ts'
import { safe } from '../terminal/safe.ts'
import { alikeNames, namesIn } from './pastednames.ts'
import type { Reference } from './lookup.ts'

/** A reference, and its line when it comes from a file. */
export interface Asked extends Reference {
  readonly line: number | undefined
  readonly counts?: Fault['counts']
}

/** The headers of columns of references, as they are compared; the first column that a file has comes first. */
const known: readonly string[] = [
  'tracking_number',
  'awb',
  'awbs',
  'awb_no',
  'awb_number',
  'awb_code',
  'tracking_no',
  'waybill',
  'id',
  'shipment',
  'order.display_id',
  'order',
  'order_no',
  'order_number',
  'order_id',
].map(folded)

/** The text of a cell as a reference. Throws `invalid_input` for one that cannot be a reference. */
function referenceIn(cell: string, file: string, line: number, counts: Fault['counts'] = 'line'): string {
  const read = readDigits(unguard(cell))
  if ('fault' in read) throw invalid([{ field: file, message: read.fault, row: line, counts }])
  return read.value
}

/** Whether a line has several cells; one in quotes may hold what separates them. */
function hasSeveral(line: string): boolean {
  let quoted = false
  for (const sign of line) {
    if (sign === '"') quoted = !quoted
    else if (!quoted && (sign === ',' || sign === ';' || sign === '\t')) return true
  }
  return false
}

/** The references of a file: one a line, or a column of a table. Throws `invalid_input` for a line that is neither. */
export async function* referencesIn(context: Context, path: string, sheet: string | undefined): AsyncGenerator<Asked> {
  const { io } = context
  const file = path === '-' ? 'standard input' : safe(path)
  const { kind, bytes } = await startOf(bytesOf(io, path, '--file'))
  if (kind !== undefined || sheet !== undefined) return yield* fromTable(context, path, bytes, sheet)
  const lines = linesOf(bytes)
  const first = await lines.next()
  if (first.done === true) return
  const head = first.value.replace(/^\ufeff/, '')
  const all = joined(head, lines)
  yield* hasSeveral(head) && alikeNames(head) === undefined
    ? fromTable(context, path, bytesOfLines(all), sheet)
    : fromLines(file, all)
}

async function* joined(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** One reference a line, or several of the same kind; skips empty lines and a header. */
async function* fromLines(file: string, lines: AsyncGenerator<string>): AsyncGenerator<Asked> {
  let [line, first] = [0, true]
  for await (const text of lines)
    for (const cell of text.split('\r')) {
      line++
      if (cell.trim() === '') continue
      const several = alikeNames(cell)
      for (const name of several ?? []) yield { name: referenceIn(name, file, line), line }
      if (several === undefined) {
        if (hasSeveral(cell)) throw invalid([{ field: file, message: severalColumns, row: line }])
        const own = cell.trim().replace(/^"(.*)"$/, (_, inside: string) => inside.replaceAll('""', '"'))
        if (!first || !known.includes(folded(own))) yield { name: referenceIn(own, file, line), line }
      }
      first = false
    }
}

const severalColumns = 'has several columns; keep one column, or add a header: awb, tracking_number or order'

async function* bytesOfLines(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield Buffer.from(`${line}\n`)
}

/** The first column of ours that has a value, in each row of a table; in a workbook of one column, that one. */
async function* fromTable(
  context: Context,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  named: string | undefined,
): AsyncGenerator<Asked> {
  const plan = { path, field: '--file', columns: [], known, bytes: () => bytes, sheet: named }
  const sheet = await openSheet(context.io, plan)
  const { name: file, headers, rows, counts, headLine } = sheet
  try {
    const found = known.map((header) => headers.findIndex((one) => folded(one) === header)).filter((at) => at !== -1)
    const bare = found.length === 0 && headers.length === 1 && counts === 'row'
    const places = bare ? [0] : found
    if (places.length === 0) throw invalid([{ field: file, message: severalColumns, row: headLine, counts }])
    if (bare) yield { name: referenceIn(headers[0]!, file, headLine, counts), line: headLine, counts }
    for await (const batch of rows)
      for (const { cells, line, fault } of batch) {
        if (fault !== undefined) throw invalid([{ field: file, message: fault, row: line, counts }])
        const cell = places.map((at) => cells[at]!.trim()).find((text) => text !== '')
        if (cell !== undefined) yield { name: referenceIn(cell, file, line, counts), line, counts }
      }
    for (const note of sheet.notes()) await context.note(note)
  } finally {
    sheet.close()
  }
}

/** References as arguments, without what spreadsheets put around digits; one argument may hold several. */
export const argumentNames = (args: readonly string[]): readonly string[] =>
  args.flatMap(namesIn).map((name) => typed(unguard(name)))

export async function* argumentsOf(args: readonly string[]): AsyncGenerator<Asked> {
  for (const name of argumentNames(args)) yield { name, line: undefined }
}
