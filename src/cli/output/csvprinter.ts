// Prints records as flat rows of a sheet: CSV, TSV and Parquet with the fields that the records have, sheets for people
// with the columns that they read.
import { parseExact } from '../../domain/exactjson.ts'
import type { Column, View } from './columns.ts'
import type { ColumnType } from '../command/tablefile.ts'
import { list } from '../command/flags.ts'
import type { Context } from '../command/context.ts'
import { sheetTime } from './display.ts'
import { excelColumns, isDay, type ExcelCell } from './excelcolumns.ts'
import { flatten, pick, type Flat } from './flat.ts'
import { words, type Word } from '../../domain/parcels/words.ts'
import { pathsIn, refuseUnknown, shapeOf, type Field, type Printer } from './printing.ts'
import { sheetOut, type SheetColumn } from './sheetout.ts'

/** A column of a sheet: its header, and its cell of a record's flat values and its text. */
interface SheetCells extends SheetColumn {
  readonly name: string
  readonly cell: (flat: ReadonlyMap<string, Flat>, text: string) => Flat
}

const ownColumn =
  <R>({ types = {} }: View<R>) =>
  (name: string): SheetCells => ({
    name,
    header: name,
    ...(Object.hasOwn(types, name) ? typed(types[name]) : {}),
    cell: (flat) => flat.get(name) ?? null,
  })

const typed = (type: ColumnType | undefined): Pick<SheetColumn, 'type'> => (type === undefined ? {} : { type })

/** What the kinds of columns are in a Parquet file. */
const kinds = { time: 'instant', day: 'day', words: 'text', money: 'money', share: 'number' } as const

const typeOf = <R>({ type, kind }: Column<R>): ColumnType | undefined =>
  type ?? (kind === undefined ? undefined : kinds[kind])

/** A printer of sheets of fields. A word among them is the header of its column. */
export function csvPrinter<R>(context: Context, view: View<R>, fields: readonly Field<R>[] | undefined): Printer {
  const out = sheetOut(context, view)
  const shown = shownIn(context, view)
  let columns: readonly SheetCells[] | undefined
  let late = 0
  const columnsFor = (records: readonly unknown[]): readonly SheetCells[] =>
    fields === undefined
      ? columnNames(view.names, records.map(flatten)).map(ownColumn(view))
      : fieldColumns(view, records, fields)
  // Types hold only values that shipx can read.
  const parse = (record: string): unknown =>
    context.table === undefined || view.read === undefined ? parseExact(record) : view.read(record, context.missed)
  return {
    batch: async (records) => {
      const parsed = records.map(parse)
      if (fields !== undefined && columns === undefined) refuseUnknown(view, parsed, fields)
      const paths = fields === undefined ? undefined : pathsIn(fields)
      const flat = parsed.map((record) => flatten(paths === undefined ? record : pick(record, paths)))
      if (columns === undefined) columns = columnsFor(parsed)
      else {
        const names = columns.map(({ name }) => name)
        const there = new Set(names)
        late += flat.filter((record) =>
          [...record.keys()].some((name) => !there.has(name) && !nested(name, names)),
        ).length
      }
      const cells = columns.map(({ cell }) => cell)
      const row = (record: ReadonlyMap<string, Flat>, i: number): readonly ExcelCell[] =>
        cells.map((cell) => shown(cell(record, records[i]!)))
      await out.put(columns, flat.map(row))
    },
    end: async () => {
      if (columns === undefined) await out.put((columns = columnsFor([])), [])
      await out.end()
      if (late > 0)
        await context.warn(
          `${late} records have fields that the first ones lack and the sheet does not show; name them with --fields`,
        )
    },
    hidden: () => [],
  }
}

/** A printer of sheets for people, who open them in Excel. */
export function excelPrinter<R>(context: Context, view: View<R>): Printer {
  const columns = excelColumns(view, list(context.flags, 'columns'))
  const out = sheetOut(context, view)
  let begun = false
  return {
    batch: async (records) => {
      begun = true
      const rows = records.map((record) => {
        const shape = view.read === undefined ? (JSON.parse(record) as R) : view.read(record, context.missed)
        return columns.map(({ cell }) => cell(shape))
      })
      await out.put(columns, rows)
    },
    end: async () => {
      if (!begun) await out.put(columns, [])
      begun = true
      await out.end()
    },
    hidden: () => [],
  }
}

/** The columns of the named fields: those that the records have there, or the value of a column of the table. */
function fieldColumns<R>(
  view: View<R>,
  records: readonly unknown[],
  fields: readonly Field<R>[],
): readonly SheetCells[] {
  const found = fields.flatMap(({ typed: name, path, column }): readonly SheetCells[] => {
    if (column !== undefined)
      return [
        { name, header: name, ...typed(typeOf(column)), cell: (_, text) => column.raw(shapeOf(view, text)) ?? null },
      ]
    const names = fieldNames(view.names, records, path)
    if (path === name) return names.map(ownColumn(view))
    return names.map((own) => ({
      ...ownColumn(view)(own),
      ...typed(wordOf(name)?.said === undefined ? undefined : 'text'),
      header: own === path ? name : own,
      cell: (flat) => wordOf(name)?.said?.[String(flat.get(own) ?? null)] ?? flat.get(own) ?? null,
    }))
  })
  return [...new Map(found.map((one) => [one.name, one])).values()]
}

/** The word of this name: it says its values in its own way. */
const wordOf = (name: string): Word | undefined => (words as Readonly<Record<string, Word>>)[name]

/** Whether a name only means a missing object (`carrier` where the header has `carrier.id`). */
const nested = (name: string, names: readonly string[]): boolean => names.some((other) => other.startsWith(`${name}.`))

function columnNames(base: readonly string[], flat: readonly ReadonlyMap<string, unknown>[]): readonly string[] {
  const names = new Set(base)
  for (const record of flat) for (const name of record.keys()) names.add(name)
  const all = [...names]
  return all.filter((name) => !nested(name, all))
}

/** The names of a record next to its attributes. */
const besideAttributes: ReadonlySet<string> = new Set(['id', 'type'])

/**
 * The names of the columns of a field. A field that is an object yields everything in it; a field inside a list yields
 * the list narrowed to it.
 */
function fieldNames(base: readonly string[], records: readonly unknown[], field: string): readonly string[] {
  const short = field.trim().replace(/^attributes\./, '')
  const known = base.filter(
    (name) =>
      (field === 'attributes' && !besideAttributes.has(name)) ||
      name === short ||
      name.startsWith(`${short}.`) ||
      short.startsWith(`${name}.`),
  )
  const found = columnNames(
    known,
    records.map((record) => flatten(pick(record, [field]))),
  )
  return found.length === 0 ? [short] : found
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/

/**
 * How cells show ISO times: as Excel reads them in a sheet for people, in the zone of --tz, or as they are. A workbook
 * has times and days as such.
 */
function shownIn<R>({ format, flags, screen }: Context, { exact }: View<R>): (value: Flat) => ExcelCell {
  if (format === 'xlsx')
    return (value) => {
      if (typeof value !== 'string') return value
      return isoTime.test(value) ? { instant: Date.parse(value) } : isDay(value) ? { day: value } : value
    }
  const people = format === 'excel' && exact !== true
  if (!people && !flags.has('tz')) return (value) => value
  const zoned = (value: string): string =>
    people
      ? sheetTime(Date.parse(value), screen)
      : new Intl.DateTimeFormat('sv-SE', { timeZone: screen.tz, dateStyle: 'short', timeStyle: 'medium' }).format(
          new Date(value),
        )
  return (value) => (typeof value === 'string' && isoTime.test(value) ? zoned(value) : value)
}
