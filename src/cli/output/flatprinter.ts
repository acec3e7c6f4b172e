// Prints records that are already flat, many at a time: CSV without building JSON, every other format with the printer.
import type { CsvCell } from '../files/csv.ts'
import { writerFor } from './csvwriter.ts'
import type { Context } from '../command/context.ts'
import { printer } from './printer.ts'
import type { View } from './columns.ts'

/** A record of single values under the names of its view. */
export type FlatRecord = Record<string, Exclude<CsvCell, undefined>>

/** Prints flat records; `end` writes what must close. */
export interface FlatPrinter {
  readonly batch: (records: Iterable<FlatRecord>) => Promise<void>
  readonly end: () => Promise<void>
  /** The names of the columns that a table leaves out. */
  readonly hidden: () => readonly string[]
}

/** A printer for flat records that all have the names of the view. */
export function flatPrinter(context: Context, view: View<FlatRecord>): FlatPrinter {
  const { format, io, flags } = context
  const plain = format === 'csv' || format === 'tsv'
  // Narrowing is rare: the printer checks it.
  if (!plain || flags.has('fields')) {
    const out = printer(context, view)
    return {
      batch: (records) => out.batch(Array.from(records, (record) => JSON.stringify(record))),
      end: () => out.end(),
      hidden: out.hidden,
    }
  }
  const { names } = view
  const writer = writerFor(context)
  let header: string | undefined = writer.header(names)
  return {
    batch: async (records) => {
      let text = header ?? ''
      header = undefined
      for (const record of records) text += writer.row(names.map((name) => record[name]))
      if (text !== '') await io.stdout.write(text)
    },
    end: async () => {
      if (header !== undefined) await io.stdout.write(header)
    },
    hidden: () => [],
  }
}
