// Runs a command whose records go into the workbook of --xlsx.
import { closeSync, openSync } from 'node:fs'
import { count, counted } from '../../domain/count.ts'
import { ShipxError, type Fault } from '../../domain/errors.ts'
import type { Context, Verb } from '../command/context.ts'
import { refuse } from '../command/faults.ts'
import { text } from '../command/flags.ts'
import { printsList } from '../command/lists.ts'
import type { WorkbookCell, Workbook } from '../command/workbook.ts'
import { openTempFile } from '../files/tempfile.ts'
import { openWhole, type WholeFile } from '../files/userfiles.ts'
import { installed } from '../source/packagefiles.ts'
import { where } from '../source/place.ts'
import { safe } from '../terminal/safe.ts'
import { ownApplication } from '../workbooks/packageparts.ts'
import { longestText } from '../workbooks/sheetxml.ts'
import { openWorkbookFile, type WorkbookFile } from '../workbooks/workbookfile.ts'
import { sheetSerial } from '../output/display.ts'
import { done } from '../output/outcome.ts'
import { commandAsSaid, flagsAsSaid, placeFault, printedInto, type Output } from './infile.ts'

/** A sheet that was begun, with how many rows it has. */
interface Counted {
  readonly noun: readonly [one: string, many: string]
  rows: number
}

/** Runs a command that prints into a workbook, and returns its exit code. Throws `output_failed` and all its errors. */
export async function inWorkbook(context: Context, verb: Verb): Promise<number> {
  const path = text(context.flags, 'xlsx') ?? ''
  refuse(context, await placeFaults(context, path))
  const file = openWhole(path, true, '--xlsx')
  const book = openWorkbookFile({
    write: file.write,
    temporary: () => openTempFile(context),
    version: installed().version,
    now: context.io.host.now(),
  })
  const drop = (): void => {
    book.close()
    file.close()
  }
  const workbook = workbookOf(context, path, book, file)
  return printedInto(context, path, { ...workbook, placed: file.placed, drop }, () => verb({ ...context, workbook }))
}

/** The workbook that printers fill; `finish` adds the sheet about it. A command may call it itself and go on. */
function workbookOf(
  context: Context,
  path: string,
  book: WorkbookFile,
  file: WholeFile,
): Workbook & Pick<Output, 'begun' | 'finish'> {
  const sheets: Counted[] = []
  let finished = false
  return {
    begun: () => sheets.length > 0,
    sheet: (name, noun, columns, aside) => {
      const sheet = book.sheet(name, columns, aside)
      const counting: Counted = { noun, rows: 0 }
      sheets.push(counting)
      return {
        add: async (rows) => {
          counting.rows += rows.length
          await sheet.add(rows)
        },
        end: sheet.end,
      }
    },
    finish: async () => {
      if (finished) return
      finished = true
      // Other sheets say what the records of the first one add up to.
      const [{ noun }] = sheets as [Counted]
      const records = sheets.filter((sheet) => sheet.noun[0] === noun[0])
      const rows = records.reduce((sum, sheet) => sum + sheet.rows, 0)
      const cut = book.cut()
      const about = book.sheet('About', [{ header: 'About' }, { header: 'Value' }])
      await about.add(await aboutRows(context, rows, cut))
      await about.end()
      await book.end()
      file.finish()
      const parts = records.length === 1 ? '' : ` in ${count(records.length)} sheets`
      await done(context, `Wrote ${counted(rows, noun)}${parts} to ${path}`)
      if (cut > 0) await context.warn(cutText(cut))
    },
  }
}

const cutText = (cut: number): string =>
  `${counted(cut, ['text', 'texts'])} cut at ${count(longestText)} characters, as long as Excel takes; --csv has all`

/** The faults of the file and of flags that do not go with it. */
async function placeFaults({ command, flags }: Context, path: string): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  const refused = (message: string, field = '--xlsx'): void => void faults.push({ field, message })
  const name = command.path.join(' ')
  if (!printsList(command.path)) refused(`is for commands that print a list; shipx ${name} does not`)
  // The fault of a missing name is there already.
  if (path === '-') refused('needs the name of a file, for example --xlsx list.xlsx')
  else if (path !== '' && !/\.xlsx$/i.test(path))
    refused(`${safe(path)} does not end in .xlsx, and Excel would not open it`)
  else if (path !== '') {
    // What a sheet for a courier says was marked as sent: it is nowhere else.
    const made = name !== 'shipments ndr export'
    const fault = await placeFault({ command, flags }, path, made, () => isOwn(path))
    if (fault !== undefined) refused(fault)
  }
  if (flags.has('no-header')) refused('does not go with --xlsx: a workbook has its header', '--no-header')
  return faults
}

/** Whether a file is a workbook as shipx wrote it: a program that saves it again puts its own name there. */
async function isOwn(path: string): Promise<boolean> {
  const { openZip } = await import('../workbooks/zip.ts')
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    const zip = await openZip(descriptor, (reason) => new ShipxError('invalid_file', reason))
    let xml = ''
    for await (const bytes of zip.part('docProps/app.xml')) {
      xml += bytes.toString('latin1')
      if (xml.length > 10_000) return false
    }
    return xml.includes(ownApplication)
  } catch {
    return false
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** What the sheet about a workbook says: the question, who answered it, and when. */
async function aboutRows(
  context: Context,
  rows: number,
  cut: number,
): Promise<readonly (readonly [string, WorkbookCell])[]> {
  const { command, screen, io } = context
  const own = (name: string): boolean => command.flags.some((flag) => flag.name === name)
  const flags = flagsAsSaid(context)
  const serial = sheetSerial(io.host.now(), screen)
  return [
    ['Command', commandAsSaid(context)],
    ['Answered', await where(context)],
    ['Time', serial === undefined ? new Date(io.host.now()).toISOString() : { serial, timed: true }],
    ['Time zone', screen.tz],
    ['Rows', rows],
    ['Written by', `shipx ${installed().version}`],
    ...(cut === 0 ? [] : [['Cut', cutText(cut)] as const]),
    ...[...flags]
      .filter(([name]) => own(name))
      .map(([name, value]): readonly [string, WorkbookCell] => [
        `--${name}`,
        value === true ? 'yes' : typeof value === 'string' ? value : value.join(', '),
      ]),
  ]
}
