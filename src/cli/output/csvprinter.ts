// Prints records as flat rows of a sheet: CSV, TSV and Excel, with the columns that the records have.
import { parseExact } from '../../domain/exactjson.ts'
import type { View } from './columns.ts'
import type { Context } from '../command/context.ts'
import { writerFor } from './csvwriter.ts'
import { flatten, pick, type Flat } from './flat.ts'
import { words, type Word } from '../../domain/parcels/words.ts'
import { fieldPath, refuseUnknown, type Printer } from './printing.ts'

/** A printer of sheets. A word among the `typed` fields is the header of its column. */
export function csvPrinter<R>(context: Context, view: View<R>, typed: readonly string[] | undefined): Printer {
  const { io, flags, screen } = context
  const fields = typed?.map((field) => fieldPath(view, field))
  const wordOf = new Map(fields?.flatMap((path, i) => (path === typed![i] ? [] : [[path, typed![i]!.trim()] as const])))
  const headed = (names: readonly string[]): string => writer.header(names.map((name) => wordOf.get(name) ?? name))
  const writer = writerFor(context)
  const zone = flags.has('tz') ? screen.tz : undefined
  let names: readonly string[] | undefined
  let late = 0
  return {
    batch: async (records) => {
      const parsed = records.map(parseExact)
      if (fields !== undefined && names === undefined) refuseUnknown(parsed, fields, view.names)
      const flat = parsed.map((record) => flatten(fields === undefined ? record : pick(record, fields)))
      let out = ''
      if (names === undefined) {
        names = fields === undefined ? columnNames(view.names, flat) : fieldNames(view.names, parsed, fields)
        out = headed(names)
      } else {
        const header = new Set(names)
        late += flat.filter((record) =>
          [...record.keys()].some((name) => !header.has(name) && !nested(name, names!)),
        ).length
      }
      for (const record of flat)
        out += writer.row(names.map((name) => inZone(said(wordOf.get(name), record.get(name) ?? null), zone)))
      await io.stdout.write(out)
    },
    end: async () => {
      if (names === undefined)
        await io.stdout.write(headed(fields === undefined ? view.names : fieldNames(view.names, [], fields)))
      if (late > 0)
        await context.warn(
          `${late} records have fields that the first ones lack and the CSV does not show; name them with --fields`,
        )
    },
    hidden: () => [],
  }
}

/** A value in the words of its column. */
function said(word: string | undefined, value: Flat): Flat {
  const texts = word === undefined ? undefined : (words as Readonly<Record<string, Word>>)[word]?.said
  return texts?.[String(value)] ?? value
}

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
 * The columns of the named fields, in order. A field that is an object yields everything in it; a field inside a list
 * yields the list narrowed to it.
 */
function fieldNames(
  base: readonly string[],
  records: readonly unknown[],
  fields: readonly string[],
): readonly string[] {
  const names = fields.flatMap((field) => {
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
  })
  return [...new Set(names)]
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/

/** With --tz, an ISO time in that zone; any other value unchanged. */
function inZone(value: string | number | boolean | null, zone: string | undefined): string | number | boolean | null {
  if (zone === undefined || typeof value !== 'string' || !isoTime.test(value)) return value
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(
    new Date(value),
  )
}
