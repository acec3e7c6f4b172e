// Runs a command whose records go into the Parquet file of --parquet.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { count, counted } from '../../domain/count.ts'
import { invalid, type Fault } from '../../domain/errors.ts'
import type { Context, Verb } from '../command/context.ts'
import { refuse } from '../command/faults.ts'
import { text } from '../command/flags.ts'
import { hasTypes } from '../command/lists.ts'
import type { TableFile } from '../command/tablefile.ts'
import { openTempFile } from '../files/tempfile.ts'
import { openWhole, type WholeFile } from '../files/userfiles.ts'
import { done } from '../output/outcome.ts'
import { openParquetFile, type ParquetFile } from '../parquet/parquetfile.ts'
import { installed } from '../source/packagefiles.ts'
import { where } from '../source/place.ts'
import { keepNewSpace } from '../terminal/heap.ts'
import { safe } from '../terminal/safe.ts'
import { commandAsSaid, placeFault, printedInto, type Output } from './infile.ts'

/** Runs a command that prints into a Parquet file, and returns its exit code. Throws `output_failed` and its errors. */
export async function inParquet(context: Context, verb: Verb): Promise<number> {
  const path = text(context.flags, 'parquet') ?? ''
  refuse(context, await placeFaults(context, path))
  const file = openWhole(path, true, '--parquet')
  const table = tableIn(context, path, file)
  return printedInto(context, path, table, () => verb({ ...context, table }))
}

/** The table that printers get; `finish` says where it comes from. */
function tableIn(context: Context, path: string, file: WholeFile): TableFile & Output {
  let table: { readonly noun: readonly [string, string]; readonly written: ParquetFile } | undefined
  let finished = false
  const rounded = new Map<string, number>()
  return {
    begin: (noun, columns) => {
      // Nothing that --parquet goes with prints two lists.
      if (table !== undefined) throw invalid([{ field: '--parquet', message: 'holds one list; this command has two' }])
      keepNewSpace()
      const written = openParquetFile(columns, {
        write: file.write,
        createdBy: createdBy(installed().version),
        misfits: (name) => ({
          missed: () => context.missed(name),
          rounded: () => void rounded.set(name, (rounded.get(name) ?? 0) + 1),
        }),
      })
      table = { noun, written }
      return written
    },
    temporary: () => openTempFile(context),
    begun: () => table !== undefined,
    placed: file.placed,
    finish: async () => {
      if (finished || table === undefined) return
      finished = true
      const { noun, written } = table
      written.end(await aboutOf(context))
      file.finish()
      await done(context, `Wrote ${counted(written.rows(), noun)} to ${path}`)
      for (const [name, amounts] of rounded)
        await context.warn(`${name}: ${counted(amounts, ['amount', 'amounts'])} rounded to the paisa; --csv has all`)
    },
    drop: file.close,
  }
}

/** The faults of the file and of flags that do not go with it. */
async function placeFaults({ command, flags }: Context, path: string): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  const refused = (message: string, field = '--parquet'): void => void faults.push({ field, message })
  const name = command.path.join(' ')
  if (!hasTypes(command.path))
    refused(`is for lists of records, summaries and sql; for shipx ${name} use --csv or --json`)
  // The fault of a missing name is there already.
  if (path === '-') refused('needs the name of a file, for example --parquet list.parquet')
  else if (path !== '' && !/\.parquet$/i.test(path)) refused(`${safe(path)} does not end in .parquet`)
  else if (path !== '') {
    const fault = await placeFault({ command, flags }, path, true, () => isOwn(path))
    if (fault !== undefined) refused(fault)
  }
  if (flags.has('no-header')) refused('does not go with --parquet: its columns have names', '--no-header')
  // Each reader of a Parquet file shows its times in a zone of its own.
  if (flags.has('tz')) refused('does not go with --parquet: its times are in UTC; for sheets --csv or --xlsx', '--tz')
  return faults
}

/** Who wrote a file, in the form that Parquet has for it: the program, its version and its build. */
const createdBy = (version: string): string => `shipx version ${version} (build shipx)`
const ownMark = /shipx version [\w.+-]{1,40} \(build shipx\)/

/** The end of a file says who wrote it: only a few bytes for each column follow. */
const mostEnd = 65_536

/** Whether a file is a Parquet file as shipx wrote it: its end says so. */
function isOwn(path: string): boolean {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    const { size } = fstatSync(descriptor)
    const last = bytesAt(descriptor, size - 8, 8)
    const length = last.readUInt32LE(0)
    if (last.toString('latin1', 4) !== 'PAR1' || length > size - 12) return false
    const read = Math.min(length, mostEnd)
    return ownMark.test(bytesAt(descriptor, size - 8 - read, read).toString('latin1'))
  } catch {
    return false
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Bytes of a file. Throws where it has none there. */
function bytesAt(descriptor: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  if (readSync(descriptor, bytes, 0, length, at) < length) throw new RangeError(`fewer than ${count(length)} bytes`)
  return bytes
}

/** What a file says about itself: the question, who answered it, and when. */
const aboutOf = async (context: Context): Promise<ReadonlyMap<string, string>> =>
  new Map([
    ['shipx.command', commandAsSaid(context)],
    ['shipx.answered', await where(context)],
    ['shipx.time', new Date(context.io.host.now()).toISOString()],
  ])
