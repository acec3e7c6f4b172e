// Prints records in any format, a batch at a time; the one place that knows all formats.
import { invalid } from '../../domain/errors.ts'
import { mapJson } from '../../domain/exactjson.ts'
import { chooseColumns, unknownColumns, type Column, type View } from './columns.ts'
import type { Context } from '../command/context.ts'
import { forPeople, list } from '../command/flags.ts'
import type { TableStream } from './table.ts'
import { jsonText, safe, safeJson, safeLines } from '../terminal/safe.ts'
import { plainView } from './views.ts'
import {
  fieldsOf,
  known,
  narrowTo,
  refuseUnknown,
  shapeOf,
  simplePrinter,
  type Printer,
  type Printing,
} from './printing.ts'
import { csvPrinter, excelPrinter } from './csvprinter.ts'

/** The note about columns that a table leaves out; there is at least one. */
export const hiddenColumns = (names: readonly string[]): string => `hidden: ${names.join(', ')} (--wide)`

/**
 * Checks `--columns` and whether `--fields` makes sense, before the command fetches anything. Throws `invalid_input`.
 */
export function checkShape<R>(context: Context, view: View<R>): void {
  const columns = list(context.flags, 'columns')
  const keys = [...view.columns.map((column) => column.key), ...(view.paths === undefined ? [] : view.names)]
  const people = context.format === 'plain' || (forPeople(context.format) && view.exact !== true)
  const faults = (columns === undefined ? [] : unknownColumns(view, columns)).map((name) => ({
    field: '--columns',
    message: `"${name}" isn't a column.${known(name, keys)}`,
  }))
  if (context.flags.has('fields') && (context.format === 'plain' || context.format === 'ids'))
    faults.push({ field: '--fields', message: 'narrows JSON and CSV; for the table use --columns' })
  if (columns !== undefined && people && context.format !== 'plain' && context.flags.has('fields'))
    faults.push({ field: '--columns', message: 'and --fields exclude each other' })
  if (columns !== undefined && !people)
    faults.push({
      field: '--columns',
      message: `is for the table, --excel and --xlsx; for ${context.format} use --fields, or add --table`,
    })
  if (faults.length > 0) throw invalid(faults)
}

/**
 * A printer for a view. `one` prints a single record's envelope `{"data":{…}}` instead of a list's. A list's envelope
 * ends with the `meta` that `end` receives.
 */
export function printer<R>(context: Context, view: View<R>, one = false): Printer {
  const { format, screen, flags } = context
  const fields = fieldsOf(context, view)
  const printing: Printing<R> = { context, view, one, fields }
  switch (format) {
    case 'json':
      return jsonPrinter(printing)
    case 'jsonl':
      return linesPrinter(printing)
    case 'ids':
      return idsPrinter(printing)
    case 'csv':
    case 'tsv':
    case 'parquet':
      return csvPrinter(context, view, fields)
    case 'excel':
    case 'xlsx':
      return fields === undefined && view.exact !== true
        ? excelPrinter(context, view)
        : csvPrinter(context, view, fields)
    case 'plain': {
      const columns = chooseColumns(view, list(flags, 'columns'), flags.has('wide'))
      const { read = (text: string): R => JSON.parse(text) as R } = view
      const parse = (records: readonly string[]): readonly R[] => records.map((record) => read(record, context.missed))
      return screen.tty ? tablePrinter(context, columns, parse) : pipedPrinter(context, columns, parse)
    }
  }
}

/**
 * Prints a list of records in the chosen format, in JSON with `more` beside them; an empty list prints `empty` for
 * people. Names hidden columns.
 */
export async function printList<R>(
  context: Context,
  view: View<R>,
  all: readonly R[],
  empty?: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  if (all.length === 0 && empty !== undefined) await context.note(empty)
  const out = printer(context, view)
  if (all.length > 0) await out.batch(all.map((record) => JSON.stringify(record)))
  await out.end(undefined, context.format === 'json' ? more : {})
  if (out.hidden().length > 0) await context.note(hiddenColumns(out.hidden()))
}

/** Prints one record in the chosen format; undefined is `null` in JSON, and no record in other formats. */
export async function printRecord<R>(context: Context, view: View<R>, record: R | undefined): Promise<void> {
  const out = printer(context, view, true)
  if (record !== undefined) await out.batch([JSON.stringify(record)])
  await out.end()
}

/** Records narrowed to `--fields`. In the first batch, a field that no record has is an error. */
function narrowedText<R>({ view, fields }: Printing<R>, records: readonly string[], first: boolean): readonly string[] {
  if (fields === undefined) return records
  if (first) {
    const parsed = records.map((record) => JSON.parse(record) as unknown)
    refuseUnknown(view, parsed, fields)
  }
  return records.map((record) => mapJson(record, (value) => narrowTo(view, fields, value, record)))
}

/** Writes one JSON envelope piece by piece, with line breaks on a terminal. */
function jsonPrinter<R>(printing: Printing<R>): Printer {
  const { context, one } = printing
  const { write } = context.io.stdout
  const pretty = context.screen.tty
  const start = pretty ? (one ? '{\n  "data": ' : '{\n  "data": [') : one ? '{"data":' : '{"data":['
  const indent = ' '.repeat(one ? 2 : 4)
  const shaped = (record: string): string =>
    pretty ? mapJson(record, (value) => value, 2).replaceAll('\n', `\n${indent}`) : record
  const partText = (name: string, value: unknown): string =>
    pretty ? `,\n  "${name}": ${jsonText(value, true).replaceAll('\n', '\n  ')}` : `,"${name}":${jsonText(value)}`
  let seen = 0
  const printed: Printer = {
    batch: async (records) => {
      if (records.length === 0) return
      let out = seen === 0 ? start : ''
      for (const record of narrowedText(printing, records, seen === 0)) {
        out += `${seen === 0 ? '' : ','}${pretty && !one ? '\n    ' : ''}${safeJson(shaped(record))}`
        seen++
      }
      await write(out)
    },
    end: async (meta, beside = {}) => {
      const head = seen > 0 ? '' : one ? `${start}null` : start
      const close = one ? '' : pretty && seen > 0 ? '\n  ]' : ']'
      const parts = Object.entries({ ...beside, ...(meta === undefined ? {} : { meta }) })
      const tail = parts.map(([name, value]) => partText(name, value)).join('')
      await write(`${head}${close}${tail}${pretty ? '\n}' : '}'}\n`)
    },
    hidden: () => [],
  }
  if (pretty || one || printing.fields !== undefined) return printed
  return passingOn(printed, context, async (records, handOn) => {
    await write(seen === 0 ? start : ',')
    seen++
    await handOn(commaSeparated(records))
  })
}

/** Lines of JSON as elements of a list: a record holds no line break. They change where they are. */
function commaSeparated(lines: Uint8Array): Uint8Array {
  // A Buffer finds a byte several times as fast.
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length)
  for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, at + 1)) bytes[at] = comma
  return lines
}

const [lineBreak, comma] = [0x0a, 0x2c]

/**
 * A printer that also takes records as lines, which `pass` writes. They go out while the next ones are read; an error
 * of the last write is thrown by what follows it.
 */
function passingOn(
  printer: Printer,
  context: Context,
  pass: (records: Uint8Array, handOn: (records: Uint8Array) => Promise<void>) => Promise<void>,
): Printer {
  const { write, handOn = write } = context.io.stdout
  let writing: Promise<void> = Promise.resolve()
  const after =
    <A extends readonly unknown[]>(next: (...given: A) => Promise<void>) =>
    async (...given: A): Promise<void> => {
      await writing
      await next(...given)
    }
  return {
    ...printer,
    batch: after(printer.batch),
    end: after(printer.end),
    lines: async (records, release) => {
      await writing
      writing = pass(records, async (own) => {
        const bytes = safeLines(own)
        await (typeof bytes === 'string' ? write(bytes) : handOn(bytes, release))
      })
      writing.catch(() => undefined)
    },
  }
}

/** JSON Lines: one record a line. */
function linesPrinter<R>(printing: Printing<R>): Printer {
  const { write } = printing.context.io.stdout
  let first = true
  const simple = simplePrinter(async (records) => {
    if (records.length === 0) return
    const lines = narrowedText(printing, records, first)
    first = false
    await write(`${lines.map(safeJson).join('\n')}\n`)
  })
  if (printing.fields !== undefined) return simple
  return passingOn(simple, printing.context, async (records, handOn) => {
    await handOn(records)
    await write('\n')
  })
}

/** Ids, one a line. */
function idsPrinter<R>({ context, view }: Printing<R>): Printer {
  const { stdout } = context.io
  const print = async (ids: readonly string[]): Promise<void> => {
    if (ids.length > 0) await stdout.write(`${ids.map((id) => (stdout.tty ? safe(id, 'id') : id)).join('\n')}\n`)
  }
  const simple = simplePrinter(async (records) => {
    // Only the id is shown, so no other unread value matters.
    const all = records.map((record) => view.id(shapeOf(view, record)))
    const ids = all.filter((id) => id !== '')
    if (ids.length < all.length) context.missed('id')
    await print(ids)
  })
  return { ...simple, ids: print }
}

/** The columns of the table separated by tabs, when standard output is not a terminal. */
const pipedPrinter = <R>(
  { io }: Context,
  columns: readonly Column<R>[],
  parse: (records: readonly string[]) => readonly R[],
): Printer =>
  simplePrinter(async (records) => {
    if (records.length > 0) await io.stdout.write(pipedLines(columns, parse(records)))
  })

/**
 * Records inside an answer with a shape of its own, narrowed to `--fields`. Throws `invalid_input` for an unknown one.
 */
export function narrowed<R>(context: Context, view: View<R>, records: readonly R[]): readonly unknown[] {
  const fields = fieldsOf(context, view)
  if (fields === undefined) return records
  refuseUnknown(view, records, fields)
  return records.map((record) => narrowTo(view, fields, record, JSON.stringify(record)))
}

/** The width of a table for a pager, which scrolls sideways or wraps. */
const pagedWidth = 10_000

function tablePrinter<R>(
  context: Context,
  columns: readonly Column<R>[],
  parse: (records: readonly string[]) => readonly R[],
): Printer {
  const { io } = context
  const screen =
    context.screen.wide && io.stdout.paged === true ? { ...context.screen, width: pagedWidth } : context.screen
  let waiting: R[] = []
  let stream: TableStream<R> | undefined
  let drawnHidden: readonly string[] = []
  // Up to a page is one table; a longer list streams with the widths of its first hundred rows.
  const flush = async (last: boolean): Promise<void> => {
    const { table, streamTable } = await import('./table.ts')
    if (stream === undefined && last) {
      const drawn = table(columns, waiting, screen)
      drawnHidden = drawn.hidden
      await io.stdout.write(drawn.text)
    } else if (stream === undefined) {
      stream = streamTable(columns, screen)
      await io.stdout.write(stream.header(waiting) + stream.rows(waiting))
    } else await io.stdout.write(stream.rows(waiting))
    waiting = []
  }
  return {
    batch: async (records) => {
      waiting.push(...parse(records))
      if (waiting.length > 100 || (stream !== undefined && waiting.length > 0)) await flush(false)
    },
    end: async () => {
      if (waiting.length > 0) await flush(true)
    },
    hidden: () => stream?.hidden() ?? drawnHidden,
  }
}

const breaks = /\r\n|[\t\n\r]/g

/**
 * One line a record without a header: its exact values separated by tabs. An absent value is empty, a tab or line break
 * inside a value becomes a space, and other control characters become visible escapes. Every line ends with a newline.
 */
export function pipedLines<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  let text = ''
  for (const row of rows) {
    text += columns.map(({ raw }) => safe(String(raw(row) ?? '').replace(breaks, ' '))).join('\t') + '\n'
  }
  return text
}

/** Prints one plain object in the chosen format; on a terminal the note has shown it already. */
export async function printOne(context: Context, value: Readonly<Record<string, unknown>>, id: string): Promise<void> {
  if (context.format === 'plain' && context.screen.tty) return
  const view = plainView<typeof value>(['record', 'records'], () => id, Object.keys(value))
  await printRecord(context, view, value)
}
