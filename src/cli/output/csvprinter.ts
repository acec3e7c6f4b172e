// Prints records as flat rows of a sheet: CSV, TSV and Parquet with the fields that the records have, sheets for people
// with the columns that they read.
import { parseExact } from '../../domain/exactjson.ts'
import { readInstant } from '../../domain/time.ts'
import type { Column, View } from './columns.ts'
import type { ColumnType } from '../command/tablefile.ts'
import { list } from '../command/flags.ts'
import type { Context } from '../command/context.ts'
import { sheetSecond, sheetTime } from './display.ts'
import { excelColumns, isDay, type ExcelCell } from './excelcolumns.ts'
import { flatten, pick, type Flat } from './flat.ts'
import { flatReader, nested, noObject } from './flatcells.ts'
import { words, type Word } from '../../domain/parcels/words.ts'
import { pathsIn, refuseUnknown, shapeOf, type Field, type Printer } from './printing.ts'
import { sheetOut, type SheetColumn } from './sheetout.ts'

/** A column of a sheet: its header, and what its cell makes of the record's value of this name and of its text. */
interface SheetCells extends SheetColumn {
  readonly name: string
  /** Without it, the cell is the value. */
  readonly cell?: (value: Flat, text: string) => Flat
}

const ownColumn =
  <R>({ types = {} }: View<R>) =>
  (name: string): SheetCells => ({
    name,
    header: name,
    ...(Object.hasOwn(types, name) ? typed(types[name]) : {}),
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
  let sheet: { readonly columns: readonly SheetCells[]; readonly read: ReturnType<typeof flatReader> } | undefined
  let late = 0
  const sheetFor = (records: readonly unknown[]): NonNullable<typeof sheet> => {
    const columns = columnsFor(records)
    return { columns, read: flatReader(columns.map(({ name }) => name)) }
  }
  const columnsFor = (records: readonly unknown[]): readonly SheetCells[] =>
    fields === undefined
      ? columnNames(view, view.names, records.map(flatten)).map(ownColumn(view))
      : fieldColumns(view, records, fields)
  // Types hold only values that shipx can read.
  const parse = (record: string): unknown =>
    context.table === undefined || view.read === undefined ? parseExact(record) : view.read(record, context.missed)
  return {
    batch: async (records) => {
      // The first records say which fields there are, and no records say nothing.
      if (records.length === 0) return
      const parsed = records.map(parse)
      if (fields !== undefined && sheet === undefined) refuseUnknown(view, parsed, fields)
      const paths = fields === undefined ? undefined : pathsIn(fields)
      const first = sheet === undefined
      const { columns, read } = (sheet ??= sheetFor(parsed))
      const rows = parsed.map((record, i) => {
        const { cells, more } = read(paths === undefined ? record : pick(record, paths))
        if (more && !first) late++
        return columns.map(({ cell }, n) => shown(cell === undefined ? cells[n]! : cell(cells[n]!, records[i]!)))
      })
      await out.put(columns, rows)
    },
    end: async () => {
      if (sheet === undefined) await out.put((sheet = sheetFor([])).columns, [])
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
    const names = fieldNames(view, records, path)
    if (path === name) return names.map(ownColumn(view))
    return names.map((own) => ({
      ...ownColumn(view)(own),
      ...typed(wordOf(name)?.said === undefined ? undefined : 'text'),
      header: own === path ? name : own,
      cell: (value) => wordOf(name)?.said?.[String(value)] ?? value,
    }))
  })
  return [...new Map(found.map((one) => [one.name, one])).values()]
}

/** The word of this name: it says its values in its own way. */
const wordOf = (name: string): Word | undefined => (words as Readonly<Record<string, Word>>)[name]

/**
 * The names that records have, after those of `base`. The name of an object whose parts have columns (`carrier` beside
 * `carrier.id`) is left out while all records have nothing there: then it only says that there is no object.
 */
function columnNames<R>(
  { exact }: View<R>,
  base: readonly string[],
  flat: readonly ReadonlyMap<string, Flat>[],
): readonly string[] {
  const names = new Set(base)
  const filled = new Set<string>()
  for (const record of flat)
    for (const [name, value] of record) {
      names.add(name)
      if (!noObject(value)) filled.add(name)
    }
  const all = [...names]
  // The names of a query are whole, and none is inside another one.
  return exact === true ? all : all.filter((name) => filled.has(name) || !nested(name, all))
}

/** The names of a record next to its attributes. */
const besideAttributes: ReadonlySet<string> = new Set(['id', 'type'])

/**
 * The names of the columns of a field. A field that is an object yields everything in it; a field inside a list yields
 * the list narrowed to it.
 */
function fieldNames<R>(view: View<R>, records: readonly unknown[], field: string): readonly string[] {
  if (view.exact === true) return [field.trim()]
  const short = field.trim().replace(/^attributes\./, '')
  const known = view.names.filter(
    (name) =>
      (field === 'attributes' && !besideAttributes.has(name)) ||
      name === short ||
      name.startsWith(`${short}.`) ||
      short.startsWith(`${name}.`),
  )
  const found = columnNames(
    view,
    known,
    records.map((record) => flatten(pick(record, [field]))),
  )
  return found.length === 0 ? [short] : found
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/

/** An ISO time, ms UTC; undefined for a time that shipx reads nowhere (31 February, before 1970): it stays as it is. */
const instantIn = (value: Flat): number | undefined =>
  typeof value === 'string' && isoTime.test(value) ? readInstant(value) : undefined

/**
 * How cells show ISO times: as Excel reads them in a sheet for people, in the zone of --tz, or as they are. A workbook
 * has times and days as such.
 */
function shownIn<R>({ format, flags, screen }: Context, { exact }: View<R>): (value: Flat) => ExcelCell {
  if (format === 'xlsx')
    return (value) => {
      const instant = instantIn(value)
      if (instant !== undefined) return { instant }
      return typeof value === 'string' && isDay(value) ? { day: value } : value
    }
  const people = format === 'excel' && exact !== true
  if (!people && !flags.has('tz')) return (value) => value
  const told = people ? sheetTime : sheetSecond
  return (value) => {
    const instant = instantIn(value)
    return instant === undefined ? value : told(instant, screen)
  }
}
