// Runs one import from its file to its summary: check, ask, save, sum up (docs/guides/sheets.md).
import { ShipxError } from '../../domain/errors.ts'
import { confirm } from '../ask/confirm.ts'
import { wouldDo } from '../output/outcome.ts'
import type { Context } from '../command/context.ts'
import { refuse } from '../command/faults.ts'
import { csvWriter } from '../files/csv.ts'
import { boundNewSpace, growHeapSlowly } from '../terminal/heap.ts'
import { progress } from '../output/progress.ts'
import {
  failedFile,
  checkFailedPath,
  failedColumns,
  failedPath,
  type FailedFile,
  type LeftFiles,
} from './failedfile.ts'
import { openInputFile, type InputFile } from './inputfile.ts'
import { withJournal, type Journal } from './journal.ts'
import { creating, type Importer, type Target } from './importer.ts'
import { stageByPlace, stageInFileOrder, type Staging } from './staging.ts'
import {
  headingOf,
  validateRows,
  openerOf,
  openTable,
  type Checked,
  type Pass,
  type Listener,
  type Measured,
  type Table,
} from './validate.ts'
import { saveBatches, sendSingles } from './save.ts'
import { noteBad, showBad, showSummary, type BadRows, type Ended } from './summary.ts'
import { askColumns } from './askcolumns.ts'
import { deeds, planOf, question, type Plan } from './deeds.ts'
import { newTally, type Tally } from './counts.ts'
import { importOptions, type ImportOptions } from './options.ts'
import { workbookKind } from '../files/foreignfiles.ts'
import { lackingText, unusedText } from '../files/mapped.ts'
import type { Sheet } from '../files/sheet.ts'
import { unusedHeaders } from '../files/sidecolumns.ts'
import { mostRows } from '../workbooks/limits.ts'
import { count, counted } from '../../domain/count.ts'

/** An import with its file, first target and temporary files open. */
interface Run<V> {
  readonly context: Context
  readonly importer: Importer<V>
  readonly options: ImportOptions
  readonly input: InputFile
  readonly measured: Measured
  readonly table: Table
  /** The export that the table is read as. */
  readonly form: string | undefined
  readonly failed: FailedFile
  readonly staging: Staging<V>
  readonly stop: AbortSignal
  readonly open: (use: 'read' | 'bulk') => Promise<Target<V>>
  /** Undefined while it is closed between reading and writing. */
  target: Target<V> | undefined
  /** Ends the requests under way without waiting for them. */
  abandon: () => Promise<void>
}

/**
 * Imports a file. Returns the exit code: 0, 7 (some failed) or 2 (nothing was sent). Throws the error that ends the
 * import.
 */
export async function importFile<V>(context: Context, importer: Importer<V>): Promise<number> {
  if (context.flags.has('template')) return template(context, importer)
  growHeapSlowly()
  const given = importOptions(context)
  const asked = await askColumns(context, given, headingOf(importer))
  const options = { ...given, maps: asked.maps }
  const failedAt = failedPath(options.path, importer.noun[1])
  if (!options.dry) checkFailedPath(failedAt, options.force)
  const opener = openerOf(context, importer, options)
  const input = await openInputFile(context, options.path, '<file>', async (bytes) => (await opener(bytes)).close())
  const stop = new AbortController()
  let run: Run<V> | undefined
  let sheet: Sheet | undefined
  const quiet = context.io.onInterrupt(() => {
    // After a second interrupt, do not wait for the requests under way.
    if (stop.signal.aborted) void run?.abandon()
    stop.abort()
  })
  const endLooking = boundNewSpace()
  try {
    const measured = await measure(input)
    // shipx reports a wrong header before it opens anything else.
    const table = await openTable(opener, input, measured)
    const form = table.sheet.apart === true ? importer.form?.(table.sheet.headers) : undefined
    if (form !== undefined) await context.note(`Read as ${form}.`)
    sheet = table.sheet
    await noteUnknown(context, unusedHeaders(table.sheet))
    if (!options.dry) await options.keep(options.maps, asked.name)
    const open = (use: 'read' | 'bulk'): Promise<Target<V>> =>
      importer.open({ context, use, rule: options.rule, max_rps: options.max_rps, stop: stop.signal })
    const target = await open('read')
    const failed = failedFile(context, failedAt, table.sheet.headers)
    const staging = await stagingFor(context, importer, target)
    const abandon = async (): Promise<void> => undefined
    run = {
      context,
      importer,
      options,
      input,
      measured,
      table,
      form,
      failed,
      staging,
      stop: stop.signal,
      open,
      target,
      abandon,
    }
    return await withItsJournal(run, target)
  } finally {
    run?.failed.close()
    run?.staging.close()
    await run?.target?.close()
    sheet?.close()
    quiet()
    input.close()
    endLooking()
  }
}

/** Where items wait between the passes, in the order that suits the target. Closes the target if it cannot tell it. */
async function stagingFor<V>(context: Context, { held }: Importer<V>, target: Target<V>): Promise<Staging<V>> {
  if (target.places === undefined) return stageInFileOrder<V>(context, held)
  try {
    return stageByPlace<V>(context, await target.places.span())
  } catch (error) {
    await target.close()
    throw error
  }
}

/** Runs an import. When rows are sent one by one, it uses the journal of earlier runs. */
async function withItsJournal<V>(run: Run<V>, first: Target<V>): Promise<number> {
  const { way } = first
  const { form, options, measured, table } = run
  if (way.kind === 'batches' || options.dry) return checkAndSave(run, first, undefined)
  const lines = { digest: measured.digest, tab: table.sheet.tab, form, maps: options.maps }
  return withJournal(run.context, lines, way.identity, (journal) => checkAndSave(run, first, journal))
}

/** Checks every row, asks, saves, and reports how the import ended. */
async function checkAndSave<V>(run: Run<V>, first: Target<V>, journal: Journal | undefined): Promise<number> {
  const { context, importer, options, input, measured, table, failed, staging, stop } = run
  const started = performance.now()
  const tally = newTally()
  const bad: BadRows = new Map()
  const listener: Listener<V> = {
    done: tally.add,
    failed: (item, failure) => {
      if (failure.early === true) noteBad(bad, item.rows[0].line, failure)
      tally.fail(item, failure)
      failed.add(item.rows, failure)
    },
  }
  const pass = { stopped: () => stop.aborted, journal, rule: options.rule }
  const reading = await progress(context, `Reading ${input.shown}`, undefined)
  const looking = { ...pass, step: reading.advance }
  const file = { kind: importer, input, lines: measured.lines }
  const checked = await validateRows(looking, file, table, first, staging, listener).finally(reading.end)
  const plan = planOf(checked, options, importer.deed)
  await context.note(`Read ${input.shown}: ${counted(checked.rows, ['row', 'rows'])}`)
  for (const text of lackingText(table.sheet)) await context.warn(text)
  for (const note of table.sheet.notes()) await context.note(note)
  const there = first.notes?.()
  if (there !== undefined) await context.note(there)
  if (checked.bare > 0) await context.note(importer.bare!.said(checked.bare))
  await showBad(context, bad, checked.counts.bad, table.sheet.counts)
  if (options.dry) return dryRun(context, importer, first, plan, checked)
  const asked = performance.now()
  if (plan.asked > 0) await confirm(context, question(importer, first, plan))
  const answered = performance.now()
  const target = plan.asked > 0 ? await openForWriting(run, first) : first
  const ended = await save(run, target, plan, pass, tally, listener)
  const seconds = (performance.now() - answered + asked - started) / 1000
  const lacking = target.lacking?.() ?? 0
  return finish({
    context,
    kind: importer,
    where: target.where,
    input,
    checked,
    tally,
    failed,
    seconds,
    ended,
    lacking,
  })
}

/** The target to save to: a database is closed and opened again for writing. */
async function openForWriting<V>(run: Run<V>, first: Target<V>): Promise<Target<V>> {
  if (first.way.kind !== 'batches') return first
  // Close it only once: opening it again may fail, for example on a full disk.
  run.target = undefined
  await first.close()
  run.target = await run.open('bulk')
  return run.target
}

/**
 * Saves what is staged. An error that ends it early is part of the result, since the user first sees what was saved.
 */
async function save<V>(
  run: Run<V>,
  { way }: Target<V>,
  plan: Plan,
  pass: Omit<Pass, 'step'>,
  tally: Tally,
  listener: Listener<V>,
): Promise<Ended> {
  const { context, importer, options, staging, stop } = run
  if (way.kind === 'singles') run.abandon = way.abandon
  const failures = (): string => (tally.failed() === 0 ? '' : `${count(tally.failed())} failed`)
  const bar = await progress(context, `${plan.doing} ${importer.noun[1]}`, plan.asked, failures)
  const second = { ...pass, step: bar.advance }
  const saving =
    way.kind === 'batches'
      ? saveBatches(second, importer, staging, way, listener)
      : sendSingles({ ...second, journal: pass.journal! }, importer, staging, way, options.concurrency, listener)
  return saving
    .then(
      (): Ended => ({ how: stop.aborted ? 'stopped' : 'whole' }),
      (error: unknown): Ended => ({ how: 'error', error }),
    )
    .finally(bar.end)
}

async function template<V>(context: Context, kind: Importer<V>): Promise<number> {
  refuse(context, [])
  const { row } = csvWriter({ raw: false, excel: false, tsv: false })
  await context.io.stdout.write(kind.template.map(row).join(''))
  return 0
}

/** The SHA-256 of a file's bytes, and how many lines it has at most. */
async function measure(input: InputFile): Promise<Measured> {
  const reading = input.read()
  let lines = 1
  let packed: boolean | undefined
  for await (const chunk of reading.bytes()) {
    packed ??= workbookKind(chunk) !== undefined
    if (!packed) lines += breaksIn(chunk)
  }
  // The bytes of a workbook do not show its rows.
  return { digest: reading.digest(), lines: packed === true ? mostRows : lines }
}

/** The line breaks of some bytes, those of CR LF twice. */
function breaksIn(bytes: Uint8Array): number {
  let breaks = 0
  // An iterator over them takes twice as long.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x0a || bytes[at] === 0x0d) breaks++
  return breaks
}

async function noteUnknown(context: Context, unknown: readonly string[]): Promise<void> {
  const own = unknown.filter((header) => !(failedColumns as readonly string[]).includes(header) && header !== '')
  for (const sentence of unusedText(own)) await context.note(sentence)
}

async function dryRun<V>(
  context: Context,
  kind: Importer<V>,
  target: Target<V>,
  plan: Plan,
  { rows, counts }: Checked,
): Promise<number> {
  const faults = plan.bad === 0 ? '' : `; ${counted(plan.bad, ['row has', 'rows have'])} faults`
  const about = target.forecast?.()
  const differing = target.differences?.()
  if (differing !== undefined) await context.warn(differing)
  const would =
    deeds(kind, target, plan, about === undefined ? '' : `, ${about}`) ||
    `${(kind.deed ?? creating).would} no ${kind.noun[1]} ${target.where}`
  await wouldDo(context, `${would}${faults}`, { import: context.command.path[0]!, rows, ...counts })
  const good = counts.create + counts.unchanged + counts.conflict
  return counts.bad === 0 ? 0 : good === 0 ? 2 : 7
}

interface Finished<V> {
  readonly context: Context
  readonly kind: Importer<V>
  /** The place of the target. */
  readonly where: string
  readonly input: InputFile
  readonly checked: Checked
  readonly tally: Tally
  readonly failed: FailedFile
  readonly seconds: number
  readonly ended: Ended
  /** Created things that lack a part. */
  readonly lacking: number
}

async function finish<V>({
  context,
  kind,
  where,
  input,
  checked,
  tally,
  failed,
  seconds,
  ended,
  lacking,
}: Finished<V>): Promise<number> {
  let file: LeftFiles | undefined
  let unwritten: unknown
  try {
    file = failed.finish()
  } catch (error) {
    unwritten = error
  }
  const { counts } = checked
  const items = counts.create + counts.unchanged + counts.conflict + counts.bad
  const handled = Object.values(tally.done).reduce((sum, n) => sum + n, 0)
  const left = items - handled - tally.failed()
  await showSummary(context, {
    where,
    did: (kind.deed ?? creating).done,
    noun: kind.noun,
    idles: kind.idles === true,
    path: input.path,
    rows: checked.rows,
    tally,
    left,
    file,
    seconds,
    ended,
  })
  if (ended.how === 'error') throw ended.error
  if (ended.how === 'stopped' && left > 0) {
    throw new ShipxError('interrupted', `stopped; ${counted(left, kind.noun)} not handled`, {
      hint: 'run the same command again to go on: what is there already stays as it is',
    })
  }
  if (unwritten !== undefined) throw unwritten
  if (tally.failed() === 0) return lacking > 0 ? 7 : 0
  return handled === 0 && tally.sent() === 0 ? 2 : 7
}
