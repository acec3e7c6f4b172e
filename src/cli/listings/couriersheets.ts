// Sheets of records as files: one file, or one for each courier in a folder, named after it. All of them are put in
// their places at the end, or none is (docs/guides/worklists.md). A workbook has a sheet for each courier.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from '../../domain/count.ts'
import { ShipxError, type Fault } from '../../domain/errors.ts'
import { flag, oneOf, word } from '../args/kinds.ts'
import type { OptionsOf } from '../args/options.ts'
import type { Context } from '../command/context.ts'
import { inFile, isSheet, list } from '../command/flags.ts'
import type { Workbook } from '../command/workbook.ts'
import { fileNameOf } from '../files/filenames.ts'
import { makeFolder } from '../files/folders.ts'
import { checkPlace, openWhole } from '../files/userfiles.ts'
import type { View } from '../output/columns.ts'
import { fieldsOf } from '../output/printing.ts'
import { nothingWritten, stopping, type Stopping } from '../output/stopping.ts'
import { printList, printer } from '../output/printer.ts'
import type { Printer } from '../output/printing.ts'
import { plainView } from '../output/views.ts'
import { safe } from '../terminal/safe.ts'

/** The options of sheets; the flags are `splitFlags`. */
export const splitOptions = { split_by: oneOf(['courier'], 'key'), out: word, force: flag }

/** A folder for sheets, and whether shipx may replace files in it; no folder where a workbook takes the sheets. */
export interface Split {
  readonly folder: string | undefined
  readonly force: boolean
}

/** The folder that the options ask for, if they ask for sheets, and the faults of the options. */
export function splitOf(
  context: Pick<Context, 'flags' | 'format'>,
  { split_by, out, force }: OptionsOf<typeof splitOptions>,
): { readonly split: Split | undefined; readonly faults: readonly Fault[] } {
  const xlsx = context.format === 'xlsx'
  if (!context.flags.has('split-by'))
    return {
      split: undefined,
      faults: (['out', 'force'] as const)
        .filter((name) => context.flags.has(name) && !(inFile(context.format) && name === 'force'))
        .map((name) => ({
          field: `--${name}`,
          message: 'goes with --split-by courier; for one file write > list.csv',
        })),
    }
  const faults = xlsx ? workbookFaults(out) : [...formatFaults(context), ...folderFaults(out)]
  return split_by === undefined || faults.length > 0
    ? { split: undefined, faults }
    : { split: { folder: out, force }, faults }
}

const workbookFaults = (out: string | undefined): readonly Fault[] =>
  out === undefined
    ? []
    : [{ field: '--out', message: 'is left out: --xlsx writes one workbook with a sheet for each courier' }]

/** The faults of formats that are not formats of a sheet. */
export const formatFaults = ({ flags }: Pick<Context, 'flags'>): readonly Fault[] =>
  (['ids', 'parquet'] as const)
    .filter((name) => flags.has(name))
    .map((name) => ({ field: `--${name}`, message: 'is not a sheet; use --csv, --tsv, --excel or --xlsx' }))

function folderFaults(out: string | undefined): readonly Fault[] {
  if (out === undefined || out === '' || out === '-')
    return [{ field: '--split-by', message: 'needs a folder for the sheets, for example --out sheets' }]
  const there = statSync(out, { throwIfNoEntry: false })
  return there === undefined || there.isDirectory()
    ? []
    : [{ field: '--out', message: `${safe(out)} is a file; name a folder` }]
}

/** The context of the sheets: their format is CSV, unless the user names another one; JSON is for the list. */
export const sheetContext = (context: Context): Context =>
  isSheet(context.format) ? context : { ...context, format: 'csv' }

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

/** Names the file of each new courier in a folder as no other one: two couriers may differ by a sign alone. */
function newPaths(context: Context, folder: string): (courier: string | null) => string {
  const names = new Set<string>()
  const ending = context.format === 'tsv' ? 'tsv' : 'csv'
  return (courier) => {
    const first = courier === null ? 'no-courier' : fileNameOf(courier, 'courier')
    let name = first
    for (let n = 2; names.has(name); n++) name = `${first}-${n}`
    names.add(name)
    return join(folder, `${name}.${ending}`)
  }
}

/** The sheets that records with these couriers would make. Throws what writing them would, as far as names show it. */
export function plannedSheets(
  context: Context,
  { folder = '.', force }: Split,
  couriers: readonly (string | null)[],
): readonly WrittenSheet[] {
  const pathFor = newPaths(context, folder)
  const there = existsSync(folder)
  return [...new Set(couriers)]
    .map((courier) => {
      const file = pathFor(courier)
      if (there) checkPlace(file, force, '--out')
      return { file, courier, records: couriers.filter((one) => one === courier).length }
    })
    .toSorted(byFile)
}

const byFile = (a: WrittenSheet, b: WrittenSheet): number => (a.file < b.file ? -1 : 1)

/** How many additions to sheets come between two looks for Ctrl-C. */
const betweenStops = 200

/** Opens the sheets of a folder, which is made when it is missing. Throws `output_failed`. */
export function courierSheets<R>(context: Context, view: View<R>, { folder, force }: Split): CourierSheets {
  const { workbook } = context
  if (workbook !== undefined) return workbookSheets(context, view, workbook)
  if (folder === undefined) throw new Error('sheets in files need a folder')
  const sheets = new Map<string | null, OpenSheet>()
  const pathFor = newPaths(context, folder)
  let stop: Stopping | undefined
  let added = 0
  return {
    add: async (courier, records) => {
      // From the first sheet on, Ctrl-C must not leave customers' phones beside the places of sheets.
      stop ??= stopping(context)
      if (++added % betweenStops === 0) await stop.between(() => nothingWritten)
      let sheet = sheets.get(courier)
      if (sheet === undefined) {
        folderMade(folder)
        sheet = openSheetFile(context, view, pathFor(courier), force, courier)
        sheets.set(courier, sheet)
      }
      await sheet.add(records)
    },
    finish: async () => {
      for (const sheet of sheets.values()) await sheet.end()
      await stop?.between(() => nothingWritten)
      const written = [...sheets.values()].map((sheet) => sheet.put())
      return written.toSorted(byFile)
    },
    close: () => {
      stop?.end()
      for (const sheet of sheets.values()) sheet.close()
    },
  }
}

/** The sheets of a workbook, one for each courier, in the order of their names; parcels without a courier come last. */
function workbookSheets<R>(context: Context, view: View<R>, workbook: Workbook): CourierSheets {
  const sheets = new Map<string | null, { readonly out: Printer; records: number }>()
  return {
    add: async (courier, records) => {
      let sheet = sheets.get(courier)
      if (sheet === undefined) {
        const named: Workbook = {
          ...workbook,
          sheet: (_, noun, columns) => workbook.sheet(courier ?? 'No courier', noun, columns, true),
        }
        sheet = { out: printer({ ...context, workbook: named }, view), records: 0 }
        sheets.set(courier, sheet)
      }
      sheet.records += records.length
      await sheet.out.batch(records)
    },
    finish: async () => {
      const named = [...sheets].toSorted(([a], [b]) => (b === null || (a !== null && a < b) ? -1 : 1))
      for (const [, { out }] of named) await out.end()
      return named.map(([courier, { records }]) => ({ file: '', courier, records }))
    },
    close: () => undefined,
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

const sheetsView = plainView<WrittenSheet>(['sheet', 'sheets'], ({ file }) => file, ['file', 'courier', 'records'])

/** Whether sheets of a view have customers' phones, which no sheet masks. */
function hasPhones<R>(context: Pick<Context, 'flags'>, view: View<R>): boolean {
  const fields = fieldsOf(context, view)?.map(({ path }) => path)
  const names = fields ?? list(context.flags, 'columns') ?? view.names
  return names.some((name) => /phone$|^(?:attributes|(?:attributes\.)?shipping_address)$/i.test(name))
}

/** Prints what was written: a line for each sheet, or JSON; and warns that phones in it are whole. */
export async function showSheets<R>(context: Context, view: View<R>, written: readonly WrittenSheet[]): Promise<void> {
  if (context.workbook === undefined) await printSheets(context, view, written)
  if (written.length > 0 && hasPhones(context, view))
    await context.warn(
      written.length === 1
        ? 'phones are whole in this sheet: send it to its courier only'
        : context.workbook === undefined
          ? 'phones are whole in these sheets: send each to its courier only'
          : 'phones are whole in this workbook of several couriers: send it to none of them',
    )
}

async function printSheets<R>(context: Context, { noun }: View<R>, written: readonly WrittenSheet[]): Promise<void> {
  if (context.format === 'json' || context.format === 'jsonl') {
    // The fields are those of the records.
    const flags = new Map([...context.flags].filter(([name]) => name !== 'fields'))
    return printList({ ...context, flags }, sheetsView, written)
  }
  for (const { file, records } of written) await context.io.stdout.write(`${safe(file)}, ${counted(records, noun)}\n`)
}
