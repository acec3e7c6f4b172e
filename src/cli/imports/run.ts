// One import from its file to its summary: checked, asked about, saved, told; knows no kind of thing (docs/bulk.md).
import { ShipxError } from '../../domain/errors.ts'
import { confirm } from '../ask/confirm.ts'
import { wouldDo } from '../output/outcome.ts'
import type { Context } from '../command/context.ts'
import { refuse } from '../command/faults.ts'
import { csvWriter } from '../files/csv.ts'
import { beStingy } from '../terminal/heap.ts'
import { progress } from '../output/progress.ts'
import { failedFile, checkFailedPath, failedColumns, failedPath, type FailedFile } from './failedfile.ts'
import { openGiven, type Given } from './inputfile.ts'
import { withJournal, type Journal } from './journal.ts'
import type { Kind, Target } from './importer.ts'
import { byName, inFileOrder } from './staging.ts'
import { check, openerOf, openTable, type Checked, type Ear, type Measured } from './validate.ts'
import { saveBatches, sendSingles } from './save.ts'
import { many, noteBad, tellBad, tellSummary, type BadRows, type Ended } from './summary.ts'
import { tallyOf, type Tally } from './counts.ts'
import { wishesOf, type Wishes } from './options.ts'
import { shownHeaders } from '../files/headers.ts'
import { safe } from '../terminal/safe.ts'

/** Imports a file of some kind and gives the exit code: 0, 7 (some failed) or 2 (nothing was sent). Throws what ends it. */
export async function importFile<V>(context: Context, kind: Kind<V>): Promise<number> {
  if (context.flags.has('template')) return template(context, kind)
  beStingy()
  const wishes = wishesOf(context)
  const failedAt = failedPath(wishes.path, kind.noun[1])
  if (!wishes.dry) checkFailedPath(failedAt, wishes.force)
  const opener = openerOf(context, kind, wishes)
  const given = await openGiven(context, wishes.path, '<file>', async (bytes) => void (await opener(bytes)))
  const stop = new AbortController()
  let abandon = async (): Promise<void> => undefined
  const quiet = context.io.onInterrupt(() => {
    // Who asks twice does not want to wait for what is under way.
    if (stop.signal.aborted) void abandon()
    stop.abort()
  })
  try {
    const measured = await measure(given)
    // A header that is wrong is told before anything else is opened.
    const table = await openTable(opener, given, measured)
    await tellUnknown(context, table.sheet.unknown)
    const open = (use: 'read' | 'write'): Promise<Target<V>> =>
      kind.open({ context, use, rule: wishes.rule, max_rps: wishes.max_rps, stop: stop.signal })
    const first = await open('read')
    let target: Target<V> | undefined = first
    const failed = failedFile(context, failedAt, table.sheet.headers)
    const aside = kind.together === true ? byName<V>(context, measured.lines) : inFileOrder<V>(context)
    try {
      const work = async (journal: Journal | undefined): Promise<number> => {
        const begun = performance.now()
        const tally = tallyOf()
        const bad: BadRows = new Map()
        const ear: Ear<V> = {
          done: tally.add,
          failed: (item, failure) => {
            if (failure.early === true) noteBad(bad, item.rows[0].line, failure.message)
            tally.fail(item, failure)
            failed.add(item.rows, failure)
          },
        }
        const course = { stopped: () => stop.signal.aborted, journal, rule: wishes.rule }
        const reading = await progress(context, `Reading ${given.shown}`, undefined)
        const looking = { ...course, step: reading.advance }
        const checked = await check(looking, { kind, given, lines: measured.lines }, table, first, aside, ear).finally(
          reading.end,
        )
        const plan = planOf(checked, wishes)
        await context.note(`Read ${given.shown}: ${many(checked.rows, ['row', 'rows'])}`)
        await tellBad(context, bad, checked.counts.bad)
        if (wishes.dry) return dryRun(context, kind, first, plan, checked)
        if (plan.asked > 0) await confirm(context, question(kind, first, plan))
        if (first.way.kind === 'batches' && plan.asked > 0) {
          // Closed once: opening it again may fail, on a full disk for example.
          target = undefined
          await first.close()
          target = await open('write')
        }
        const { way } = target ?? first
        if (way.kind === 'singles') abandon = way.abandon
        const failures = (): string => (tally.failed() === 0 ? '' : `${tally.failed().toLocaleString('en-IN')} failed`)
        const bar = await progress(context, `${plan.doing} ${kind.noun[1]}`, plan.asked, failures)
        const second = { ...course, step: bar.advance }
        const saving =
          way.kind === 'batches'
            ? saveBatches(second, kind, aside, way, ear)
            : sendSingles({ ...second, journal: journal! }, kind, aside, way, wishes.concurrency, ear)
        // How it ended is told after what was saved.
        const ended = await saving
          .then(
            (): Ended => ({ how: stop.signal.aborted ? 'stopped' : 'whole' }),
            (error: unknown): Ended => ({ how: 'error', error }),
          )
          .finally(bar.end)
        return finish({
          context,
          kind,
          given,
          checked,
          tally,
          failed,
          seconds: (performance.now() - begun) / 1000,
          ended,
          lacking: (target ?? first).lacking?.() ?? 0,
        })
      }
      const { way } = first
      return way.kind === 'singles' && !wishes.dry
        ? await withJournal(context, measured.digest, way.identity, work)
        : await work(undefined)
    } finally {
      failed.close()
      aside.close()
      await target?.close()
    }
  } finally {
    quiet()
    given.close()
  }
}

async function template<V>(context: Context, kind: Kind<V>): Promise<number> {
  refuse(context, [])
  const { row } = csvWriter({ raw: false, excel: false, tsv: false })
  await context.io.stdout.write(kind.template.map(row).join(''))
  return 0
}

/** The SHA-256 of a file's bytes and how many lines it has at most. */
async function measure(given: Given): Promise<Measured> {
  const reading = given.read()
  let lines = 1
  for await (const chunk of reading.bytes()) for (const byte of chunk) if (byte === 0x0a || byte === 0x0d) lines++
  return { digest: reading.digest(), lines }
}

async function tellUnknown(context: Context, unknown: readonly string[]): Promise<void> {
  const own = unknown.filter((header) => !(failedColumns as readonly string[]).includes(header) && header !== '')
  if (own.length > 0) await context.note(`Columns that are not used: ${shownHeaders(own)}`)
}

/** What would be done, in numbers. */
interface Plan {
  readonly create: number
  readonly update: number
  readonly leave: number
  readonly skip: number
  readonly bad: number
  readonly refused: number
  /** Items that something is sent for. */
  readonly asked: number
  readonly doing: string
}

function planOf({ counts }: Checked, { rule }: Wishes): Plan {
  const { create, unchanged, conflict, bad } = counts
  const update = rule === 'update' ? conflict : 0
  return {
    create,
    update,
    leave: unchanged,
    skip: rule === 'skip' ? conflict : 0,
    refused: rule === 'fail' ? conflict : 0,
    bad,
    asked: create + update,
    doing: create === 0 ? 'Changing' : 'Creating',
  }
}

/** What is to be done with the good rows, in words; `about` is what is known of those that would be created. */
function deeds<V>({ noun }: Kind<V>, { name }: Target<V>, plan: Plan, about: string): string {
  const left = plan.skip + plan.refused
  return [
    plan.create === 0 ? '' : `create ${many(plan.create, noun)} in ${name}${about}`,
    plan.update === 0
      ? ''
      : `change ${plan.update.toLocaleString('en-IN')} that ${plan.update === 1 ? 'differs' : 'differ'}${plan.create === 0 ? ` in ${name}` : ''}`,
    plan.leave === 0 ? '' : `leave ${plan.leave.toLocaleString('en-IN')} as ${plan.leave === 1 ? 'it is' : 'they are'}`,
    left === 0 ? '' : `leave out ${left.toLocaleString('en-IN')} that ${left === 1 ? 'differs' : 'differ'}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function question<V>(kind: Kind<V>, target: Target<V>, plan: Plan): string {
  const skip = plan.bad === 0 ? [] : [`skip ${many(plan.bad, ['bad row', 'bad rows'])}`]
  const about = target.forecast?.()
  const text = [deeds(kind, target, plan, about === undefined ? '' : ` (${about})`), ...skip].join(', ')
  return safe(text.charAt(0).toUpperCase() + text.slice(1))
}

async function dryRun<V>(
  context: Context,
  kind: Kind<V>,
  target: Target<V>,
  plan: Plan,
  { rows, counts }: Checked,
): Promise<number> {
  // A program gets the numbers, a person a sentence.
  if (context.format === 'plain' && context.screen.tty) {
    const faults = plan.bad === 0 ? '' : `; ${many(plan.bad, ['row has', 'rows have'])} faults`
    const about = target.forecast?.()
    await context.io.stdout.write(
      `Would ${safe(deeds(kind, target, plan, about === undefined ? '' : `, ${about}`) || `create no ${kind.noun[1]}`)}${faults}\n`,
    )
  } else await wouldDo(context, { import: context.command.path[0]!, rows, ...counts })
  const good = counts.create + counts.unchanged + counts.conflict
  return counts.bad === 0 ? 0 : good === 0 ? 2 : 7
}

interface Finished<V> {
  readonly context: Context
  readonly kind: Kind<V>
  readonly given: Given
  readonly checked: Checked
  readonly tally: Tally
  readonly failed: FailedFile
  readonly seconds: number
  readonly ended: Ended
  /** Things that were created and lack a part. */
  readonly lacking: number
}

async function finish<V>({
  context,
  kind,
  given,
  checked,
  tally,
  failed,
  seconds,
  ended,
  lacking,
}: Finished<V>): Promise<number> {
  let file: string | undefined
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
  await tellSummary(context, {
    noun: kind.noun,
    path: given.path,
    rows: checked.rows,
    tally,
    left,
    file,
    seconds,
    ended,
  })
  if (ended.how === 'error') throw ended.error
  if (ended.how === 'stopped' && left > 0) {
    throw new ShipxError('interrupted', `stopped; ${many(left, kind.noun)} not handled`, {
      hint: 'run the same command again to go on: what is there already stays as it is',
    })
  }
  if (unwritten !== undefined) throw unwritten
  if (tally.failed() === 0) return lacking > 0 ? 7 : 0
  return handled === 0 && tally.sent() === 0 ? 2 : 7
}
