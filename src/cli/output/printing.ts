// The interface of printers and their inputs, shared by all formats.
import type { Meta } from '../../domain/page.ts'
import type { View } from './columns.ts'
import type { Context } from '../command/context.ts'
import { invalid } from '../../domain/errors.ts'
import { flatNames, unknownFields } from './flat.ts'
import { nearest } from '../../domain/nearest.ts'
import { list } from '../command/flags.ts'

/** Prints records, which arrive as JSON text; `end` writes what must close. */
export interface Printer {
  readonly batch: (records: readonly string[]) => Promise<void>
  /** Prints records that come one a line as UTF-8, for a format that is written like that. */
  readonly lines?: (records: Uint8Array) => Promise<void>
  readonly end: (meta?: Meta) => Promise<void>
  /** The names of the columns that the table leaves out. */
  readonly hidden: () => readonly string[]
}

/** The inputs of a printer. */
export interface Printing<R> {
  readonly context: Context
  readonly view: View<R>
  readonly one: boolean
  /** The names of `--fields`. */
  readonly fields: readonly string[] | undefined
}

/** A printer that writes each batch separately. */
export const simplePrinter = (batch: Printer['batch']): Printer => ({
  batch,
  end: async () => undefined,
  hidden: () => [],
})

/**
 * The path of a field as typed: a word is short for its path where the records have no field of that name themselves
 * (`order` is the whole order of a record).
 */
export function fieldPath<R>({ names, paths = {} }: View<R>, field: string): string {
  const word = field.trim()
  const own = names.some((name) => name === word || name.startsWith(`${word}.`))
  return own || !Object.hasOwn(paths, word) ? field : paths[word]!
}

/** The paths of `--fields`; undefined without it. */
export function fieldPaths<R>({ flags }: Pick<Context, 'flags'>, view: View<R>): readonly string[] | undefined {
  return list(flags, 'fields')?.map((field) => fieldPath(view, field))
}

/** The nearest of the names, or a list of some. */
export const known = (name: string, names: readonly string[]): string => {
  const near = nearest(name, names)
  return near === undefined ? ` One of: ${names.slice(0, 40).join(', ')}` : ` Did you mean ${near}?`
}

export function refuseUnknown(records: readonly unknown[], fields: readonly string[], names: readonly string[]): void {
  const wrong = unknownFields(records, fields).filter((field) => !names.includes(field))
  if (wrong.length === 0) return
  const all = [...new Set([...names, ...flatNames(records)])]
  throw invalid(wrong.map((field) => ({ field: '--fields', message: `"${field}" isn't a field.${known(field, all)}` })))
}
