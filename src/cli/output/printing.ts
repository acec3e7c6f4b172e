// The interface of printers and their inputs, shared by all formats.
import type { Meta } from '../../domain/page.ts'
import { columnCalled, type Column, type View } from './columns.ts'
import type { Context } from '../command/context.ts'
import { invalid } from '../../domain/errors.ts'
import { flatNames, pick, unknownFields } from './flat.ts'
import { nearest } from '../../domain/nearest.ts'
import { list } from '../command/flags.ts'

/** Prints records, which arrive as JSON text; `end` writes what must close. */
export interface Printer {
  readonly batch: (records: readonly string[]) => Promise<void>
  /**
   * Prints records that come one a line as UTF-8, for a format that is written like that. It may go on with that after
   * its promise, may change the bytes, and gives their memory back, by `release` where they have that: nothing may read
   * them afterwards.
   */
  readonly lines?: (records: Uint8Array, release?: () => void) => Promise<void>
  /** Prints records by their ids, for a format that has nothing else of them. */
  readonly ids?: (ids: readonly string[]) => Promise<void>
  /** `beside` stands next to the records in JSON: other lists of the same answer. */
  readonly end: (meta?: Meta, beside?: Readonly<Record<string, unknown>>) => Promise<void>
  /** The names of the columns that the table leaves out. */
  readonly hidden: () => readonly string[]
}

/** The inputs of a printer. */
export interface Printing<R> {
  readonly context: Context
  readonly view: View<R>
  readonly one: boolean
  /** What `--fields` names. */
  readonly fields: readonly Field<R>[] | undefined
}

/** A printer that writes each batch separately. */
export const simplePrinter = (batch: Printer['batch']): Printer => ({
  batch,
  end: async () => undefined,
  hidden: () => [],
})

/** A name of `--fields` as typed: the path of a field, or a column that no field of the record says. */
export interface Field<R> {
  readonly typed: string
  readonly path: string
  readonly column: Column<R> | undefined
}

/**
 * What a name means. A word is short for its path where the records have no field of that name themselves (`order` is
 * the whole order of a record).
 */
function fieldOf<R>({ names, paths = {}, columns }: View<R>, typed: string): Field<R> {
  const word = typed.trim()
  const own = names.some((name) => name === word || name.startsWith(`${word}.`))
  if (own) return { typed, path: typed, column: undefined }
  if (Object.hasOwn(paths, word)) return { typed: word, path: paths[word]!, column: undefined }
  const column = columnCalled(columns, word)
  return column === undefined
    ? { typed, path: typed, column }
    : { typed: word, path: column.field ?? word, column: column.field === undefined ? column : undefined }
}

/** What the names of `--fields` mean; undefined without it. */
export function fieldsOf<R>({ flags }: Pick<Context, 'flags'>, view: View<R>): readonly Field<R>[] | undefined {
  return list(flags, 'fields')?.map((field) => fieldOf(view, field))
}

/** The paths among the fields. */
export const pathsIn = <R>(fields: readonly Field<R>[]): readonly string[] =>
  fields.flatMap(({ path, column }) => (column === undefined ? [path] : []))

/** A record in the shape for columns. */
export const shapeOf = <R>({ read }: View<R>, text: string): R =>
  read === undefined ? (JSON.parse(text) as R) : read(text, () => undefined)

/** The parsed value of a record's text with only these fields; a column adds its value under its name. */
export function narrowTo<R>(view: View<R>, fields: readonly Field<R>[], value: unknown, text: string): object {
  const kept = pick(value, pathsIn(fields)) as object
  const columns = fields.filter(({ column }) => column !== undefined)
  if (columns.length === 0) return kept
  const record = shapeOf(view, text)
  return { ...kept, ...Object.fromEntries(columns.map(({ typed, column }) => [typed, column!.raw(record) ?? null])) }
}

/** The nearest of the names, or a list of some. */
export const known = (name: string, names: readonly string[]): string => {
  const near = nearest(name, names)
  return near === undefined ? ` One of: ${names.slice(0, 40).join(', ')}` : ` Did you mean ${near}?`
}

/** Throws `invalid_input` for a path that no record has. */
export function refuseUnknown<R>(
  { names, paths = {}, columns }: View<R>,
  records: readonly unknown[],
  fields: readonly Field<R>[],
): void {
  const wrong = unknownFields(records, pathsIn(fields)).filter((field) => !names.includes(field))
  if (wrong.length === 0) return
  const words = [...Object.keys(paths), ...columns.map(({ key }) => key)]
  const all = [...new Set([...names, ...flatNames(records), ...words])]
  throw invalid(wrong.map((field) => ({ field: '--fields', message: `"${field}" isn't a field.${known(field, all)}` })))
}
