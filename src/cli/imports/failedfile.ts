// The file of the rows that were not saved, with the reasons, next to the file they came from. Users fix it and import
// it as it is (docs/guides/sheets.md).
import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { invalid } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import { csvWriter } from '../files/csv.ts'
import { renameOver } from '../files/openelsewhere.ts'
import { openWhole } from '../files/userfiles.ts'
import { safe } from '../terminal/safe.ts'
import type { SheetRow } from '../files/sheet.ts'
import type { Failure } from './importer.ts'
import { failedMark, type FailedMark } from './failedmark.ts'
import { openTempFile, type TempFile } from '../files/tempfile.ts'

/** The columns that shipx adds, and ignores when it imports such a file. */
export const failedColumns = ['shipx_row', 'shipx_error', 'shipx_code'] as const

const isOwn = (header: string): boolean => (failedColumns as readonly string[]).includes(header)

/** The path for the failed rows of an import: `stores.failed.csv` for `stores.csv`, `stores.failed.2.csv` for that. */
export function failedPath(path: string, many: string): string {
  if (path === '-') return `${many}.failed.csv`
  const [, stem, , nth] = /^(.*?)(\.failed(?:\.(\d+))?)?(?:\.(?:csv|tsv|txt|xlsx))?$/is.exec(path)!
  const failed = /\.failed(?:\.\d+)?(?:\.(?:csv|tsv|txt|xlsx))?$/i.test(path)
  return failed ? `${stem}.failed.${Number(nth ?? 1) + 1}.csv` : `${stem}.failed.csv`
}

/** Throws `invalid_input` when the path holds a file that is not one of ours, unless `force`. */
export function checkFailedPath(path: string, force: boolean): void {
  if (force || !existsSync(path) || ours(path)) return
  throw invalid([
    {
      field: '--force',
      message:
        `${safe(path)} exists, where failed rows would go, and shipx did not write it; ` +
        'move it, or add --force to replace it',
    },
  ])
}

/** Whether the first line of a file ends with the columns that only shipx writes. */
function ours(path: string): boolean {
  if (!statSync(path).isFile()) return false
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(1 << 16)
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes))
    // A program may have saved the file with its own delimiter, quotes and line ends.
    return new RegExp(`${failedColumns.join('"?[,;\\t]"?')}"?\\r?(?:\\n|$)`).test(text)
  } finally {
    closeSync(descriptor)
  }
}

/** The paths of the files of failed rows after a run; undefined where there is none. */
export interface LeftFiles {
  /** The failed rows of this run. */
  readonly path: string | undefined
  /** Where the changed file of an earlier run is now. */
  readonly kept: string | undefined
  /** The file of an earlier run that was removed, because no row failed. */
  readonly removed: string | undefined
}

/** The failed rows of a run. */
export interface FailedFile {
  readonly add: (rows: readonly SheetRow[], failure: Failure) => void
  /**
   * Writes the file. When no row failed, takes an old one away: removes it, or keeps it under another name when a user
   * has changed it. Throws `output_failed`.
   */
  readonly finish: () => LeftFiles
  readonly close: () => void
}

/** Characters that are kept in memory at most. */
const inMemory = 1_000_000

/** Opens a file of failed rows under the headers of their own file. */
export function failedFile(context: Context, path: string, headers: readonly string[]): FailedFile {
  const own = headers.map((header, i) => ({ header, i })).filter(({ header }) => !isOwn(header))
  const { header, row } = csvWriter({ raw: false, excel: false, tsv: false })
  let text = header([...own.map((column) => column.header), ...failedColumns])
  let temporary: TempFile | undefined
  let count = 0
  return {
    add: (rows, { code, message }) => {
      for (const { cells, line } of rows) {
        text += row([...own.map(({ i }) => cells[i]), line, message, code])
        count++
      }
      if (text.length < inMemory) return
      temporary ??= openTempFile(context)
      temporary.append(Buffer.from(text))
      text = ''
    },
    finish: () => {
      const mark = failedMark(context, path)
      if (count === 0) return takeAway(path, mark)
      const kept = write(path, mark, temporary, text)
      mark.set()
      return { path, kept, removed: undefined }
    },
    close: () => temporary?.close(),
  }
}

/** Takes the file of an earlier run away, if there is one. */
function takeAway(path: string, mark: FailedMark): LeftFiles {
  const none: LeftFiles = { path: undefined, kept: undefined, removed: undefined }
  if (!existsSync(path) || !ours(path)) return none
  if (!mark.holds()) return { ...none, kept: keepOld(path) }
  rmSync(path, { force: true })
  return { ...none, removed: path }
}

/** Renames a file that a user may be correcting, beside those that are kept already. Returns where it is now. */
function keepOld(path: string): string {
  const nth = (n: number): string => path.replace(/\.csv$/, n === 1 ? '.old.csv' : `.old.${n}.csv`)
  let n = 1
  while (existsSync(nth(n))) n++
  renameOver(path, nth(n))
  return nth(n)
}

/** Writes the file. Returns where the one that was there is now, if a user had changed it to something else. */
function write(path: string, mark: FailedMark, temporary: TempFile | undefined, rest: string): string | undefined {
  let kept: string | undefined
  const file = openWhole(path, true, '<file>')
  try {
    const chunk = Buffer.alloc(1 << 16)
    for (let at = 0; at < (temporary?.size() ?? 0);) {
      const read = readSync(temporary!.descriptor, chunk, 0, chunk.length, at)
      file.write(chunk.subarray(0, read))
      at += read
    }
    file.write(rest)
    file.finish((written) => {
      // A user may be fixing the rows of the last run in the old file.
      if (!existsSync(path) || mark.holds() || same(path, written)) return
      kept = keepOld(path)
    })
    return kept
  } finally {
    file.close()
  }
}

/** Whether two files hold the same bytes. */
function same(one: string, other: string): boolean {
  if (statSync(one).size !== statSync(other).size) return false
  const descriptors = [openSync(one, 'r'), openSync(other, 'r')] as const
  try {
    const [a, b] = [Buffer.alloc(1 << 16), Buffer.alloc(1 << 16)]
    for (;;) {
      const [m, n] = [readSync(descriptors[0], a), readSync(descriptors[1], b)]
      if (m !== n || !a.subarray(0, m).equals(b.subarray(0, n))) return false
      if (m === 0) return true
    }
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor)
  }
}
