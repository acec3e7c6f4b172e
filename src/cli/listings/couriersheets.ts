// Sheets of records as files: one file, or one for each courier in a folder, named after it. All of them are put in
// their places at the end, or none is (docs/guides/worklists.md).
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '../../domain/count.ts'
import { ShipxError, type Fault } from '../../domain/errors.ts'
import { flag, oneOf, word } from '../args/kinds.ts'
import type { OptionsOf } from '../args/options.ts'
import type { Context } from '../command/context.ts'
import { fileNameOf } from '../files/filenames.ts'
import { makeFolder } from '../files/folders.ts'
import { openWhole } from '../files/userfiles.ts'
import type { View } from '../output/columns.ts'
import { printList, printer } from '../output/printer.ts'
import { plainView } from '../output/views.ts'
import { safe } from '../terminal/safe.ts'

/** The options of sheets; the flags are `splitFlags`. */
export const splitOptions = { split_by: oneOf(['courier'], 'key'), out: word, force: flag }

/** A folder for sheets, and whether shipx may replace files in it. */
export interface Split {
  readonly folder: string
  readonly force: boolean
}

/** The folder that the options ask for, if they ask for sheets, and the faults of the options. */
export function splitOf(
  context: Pick<Context, 'flags'>,
  { split_by, out, force }: OptionsOf<typeof splitOptions>,
): { readonly split: Split | undefined; readonly faults: readonly Fault[] } {
  if (!context.flags.has('split-by'))
    return {
      split: undefined,
      faults: (['out', 'force'] as const)
        .filter((name) => context.flags.has(name))
        .map((name) => ({
          field: `--${name}`,
          message: 'goes with --split-by courier; for one file write > list.csv',
        })),
    }
  const faults = [...formatFaults(context), ...folderFaults(out)]
  return split_by === undefined || faults.length > 0
    ? { split: undefined, faults }
    : { split: { folder: out!, force }, faults }
}

/** The faults of formats that are not formats of a sheet. */
export const formatFaults = ({ flags }: Pick<Context, 'flags'>): readonly Fault[] =>
  flags.has('ids') ? [{ field: '--ids', message: 'is not a sheet; use --csv, --tsv or --excel' }] : []

function folderFaults(out: string | undefined): readonly Fault[] {
  if (out === undefined || out === '' || out === '-')
    return [{ field: '--split-by', message: 'needs a folder for the sheets, for example --out sheets' }]
  const there = statSync(out, { throwIfNoEntry: false })
  return there === undefined || there.isDirectory()
    ? []
    : [{ field: '--out', message: `${safe(out)} is a file; name a folder` }]
}

/** The context of the sheets: their format is CSV, unless the user names TSV or Excel; JSON is for the list. */
export const sheetContext = (context: Context): Context =>
  ['csv', 'tsv', 'excel'].includes(context.format) ? context : { ...context, format: 'csv' }

/** A sheet that was written. */
export interface WrittenSheet extends Readonly<Record<string, unknown>> {
  readonly file: string
  readonly courier: string | null
  readonly records: number
}

/** A sheet that is not in its place yet. */
interface OpenSheet {
  readonly add: (records: readonly string[]) => Promise<void>
  /** Writes what must close. */
  readonly end: () => Promise<void>
  /** Puts the file in its place. */
  readonly put: () => WrittenSheet
  readonly close: () => void
}

/** Opens one sheet. Throws as `openWhole`. */
export function openSheetFile<R>(
  context: Context,
  view: View<R>,
  path: string,
  force: boolean,
  courier: string | null,
): OpenSheet {
  const file = openWhole(path, force, '--out')
  const { stdout } = context.io
  const sink = {
    tty: false,
    width: undefined,
    height: undefined,
    write: async (content: string | Uint8Array) => file.write(content),
    get stream() {
      return stdout.stream
    },
  }
  const { io, screen } = context
  const inFile = { ...sheetContext(context), io: { ...io, stdout: sink }, screen: { ...screen, tty: false } }
  const out = printer(inFile, view)
  let count = 0
  return {
    add: async (records) => {
      count += records.length
      await out.batch(records)
    },
    end: () => out.end(),
    put: () => {
      file.finish()
      return { file: path, courier, records: count }
    },
    close: file.close,
  }
}

/** Sheets in a folder, one for each courier. */
export interface CourierSheets {
  /** Adds records of a courier. Throws `invalid_input` for a file that is there and may not be replaced. */
  readonly add: (courier: string | null, records: readonly string[]) => Promise<void>
  /** Puts all sheets in their places, and returns them by courier. */
  readonly finish: () => Promise<readonly WrittenSheet[]>
  /** Removes what is not in its place. */
  readonly close: () => void
}

/** Opens the sheets of a folder, which is made when it is missing. Throws `output_failed`. */
export function courierSheets<R>(context: Context, view: View<R>, { folder, force }: Split): CourierSheets {
  const sheets = new Map<string | null, OpenSheet>()
  const names = new Set<string>()
  const ending = context.format === 'tsv' ? 'tsv' : 'csv'
  /** A name that no other sheet has: two couriers may differ by a sign alone. */
  const nameFor = (courier: string | null): string => {
    const first = courier === null ? 'no-courier' : fileNameOf(courier, 'courier')
    let name = first
    for (let n = 2; names.has(name); n++) name = `${first}-${n}`
    names.add(name)
    return `${name}.${ending}`
  }
  return {
    add: async (courier, records) => {
      let sheet = sheets.get(courier)
      if (sheet === undefined) {
        folderMade(folder)
        sheet = openSheetFile(context, view, join(folder, nameFor(courier)), force, courier)
        sheets.set(courier, sheet)
      }
      await sheet.add(records)
    },
    finish: async () => {
      for (const sheet of sheets.values()) await sheet.end()
      const written = [...sheets.values()].map((sheet) => sheet.put())
      return written.toSorted((a, b) => (a.file < b.file ? -1 : 1))
    },
    close: () => {
      for (const sheet of sheets.values()) sheet.close()
    },
  }
}

function folderMade(folder: string): void {
  try {
    // The sheets hold customers' names and phones.
    makeFolder(folder, 0o700)
  } catch (error) {
    throw new ShipxError('output_failed', `the folder ${safe(folder)} cannot be made`, { cause: error })
  }
}

const view = plainView<WrittenSheet>(['sheet', 'sheets'], ({ file }) => file, ['file', 'courier', 'records'])

/** Prints what was written: a line for each sheet, or JSON. */
export async function showSheets(
  context: Context,
  written: readonly WrittenSheet[],
  noun: readonly [one: string, many: string],
): Promise<void> {
  if (context.format === 'json' || context.format === 'jsonl') {
    // The fields are those of the records.
    const flags = new Map([...context.flags].filter(([name]) => name !== 'fields'))
    return printList({ ...context, flags }, view, written)
  }
  for (const { file, records } of written) await context.io.stdout.write(`${safe(file)}, ${counted(records, noun)}\n`)
}
