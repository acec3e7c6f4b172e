// Reads an invoice to its end: judges its lines in pieces, writes them as they come, and adds them up.
import type { Billed, Shape } from '../../../domain/money/billed.ts'
import type { Bench } from '../../../domain/money/judge.ts'
import { billerOf, policyOf, type OwnPolicy } from '../../../domain/money/policies.ts'
import type { OlderAwbs } from '../../../domain/money/seenawbs.ts'
import { count, counted } from '../../../domain/count.ts'
import { istDate, readDay } from '../../../domain/time.ts'
import type { Context } from '../../command/context.ts'
import { progress } from '../../output/progress.ts'
import { openTempFile } from '../../files/tempfile.ts'
import type { KeptLine } from '../../../engine/money/lines.ts'
import { growHeapSlowly, keepNewSpace } from '../../terminal/heap.ts'
import { mostRows } from '../../workbooks/limits.ts'
import { quoted } from '../../terminal/safe.ts'
import { interrupted } from '../rates/many/stream.ts'
import { accrualOf } from './accrual.ts'
import { awbRuns } from './awbruns.ts'
import { looked, refuseCourier, refuseSpoilt, refuseStrangers, refuseUnit } from './doubts.ts'
import { groupsOf } from './groups.ts'
import { rowsOf, type InvoiceFile } from './invoicefile.ts'
import { judgeOf, match, type Matched, type Matching, type Outcome } from './judging.ts'
import { ledgerOf } from './ledger.ts'
import { keptTermsOf, type WrongTotal } from './keptterms.ts'
import { lineReader } from './linereader.ts'
import type { Keeper } from './keeper.ts'
import type { InvoiceOptions } from './options.ts'
import { outputOf } from './output.ts'
import { overCommand } from './overcommand.ts'
import { keptLine, weightDeadline, type RecordTerms } from './records.ts'
import type { Shown } from './shown.ts'
import { someOf, type Unread } from './unread.ts'
import { countLine, tallyOf, totalsCheck, type Tally, type TotalsCheck } from './tally.ts'

/** An invoice on its way. */
export interface Work {
  readonly file: InvoiceFile
  readonly path: string
  /** The number of the document, where its lines name none. */
  readonly number: string
  readonly matching: Matching
  readonly bench: Bench
  /** The name of the card. */
  readonly card: string
  readonly options: InvoiceOptions
  /** What the account set of the policies of couriers. */
  readonly policies: readonly OwnPolicy[]
  /** What its first line says of the day of the document, and its last line; filled while the lines are read. */
  readonly seen: { date: string; last: number; misprints: number }
  readonly unread: Unread
  readonly shown: Shown
}

/** Lines that are matched in one statement at most. */
const most = 512

/** Lines that are judged together at least. Few are in memory at once, since V8 copies what is. */
const least = 128

/** Judges an invoice, prints its lines and its page, and returns the sums; a keeper keeps the lines as they come. */
export async function reconcile(context: Context, work: Work, keeper?: Keeper): Promise<Tally> {
  // What a piece of lines needs is soon garbage, and hardly anything else stays but a table outside of V8's heap.
  keepNewSpace()
  growHeapSlowly(60)
  const { io } = context
  const { options, file, bench, matching, shown } = work
  const stop = { asked: false }
  const quiet = io.onInterrupt(() => {
    stop.asked = true
    if (work.path === '-') io.stdin.close()
  })
  const tally = tallyOf(shown, bench.comparison !== undefined, bench.terms.shape.gst === 'inside')
  const checked = totalsCheck(file.sheet.counts, tally.wrong)
  const { database, place } = matching
  const groups = groupsOf(options.by, database === undefined ? undefined : { database, account: place.account })
  const bar = io.stdout.tty ? undefined : await progress(context, 'Judging lines', undefined)
  const out = outputOf(context, options)
  const older = awbRuns(() => openTempFile(context))
  let terms: RecordTerms | undefined
  try {
    for await (const { matched, judge } of judged(work, checked, older, stop)) {
      const { number, courier } = matched[0]!.line
      const day = options.date ?? dayIn(work)
      const biller = billerOf(file.name, bench.courier ?? courier)
      terms ??= {
        gst: bench.terms.shape.gst === 'none' ? 'none' : 'included',
        courier: bench.courier,
        disputeBy: weightDeadline(day, policyOf(biller, work.policies), holidaysOn(work, day)),
      }
      const kept: KeptLine[] = []
      await groups?.look(matched.map(({ line }) => line.awb))
      // One line after the other, so that nothing of a line stays in memory after it is written.
      for (const one of matched) {
        const outcome = judge(one)
        const line = keptLine(outcome, terms)
        countLine(tally, line, outcome.judged.reasons, one.line.number, groups?.of)
        if (keeper !== undefined) kept.push(line)
        out.add(line, one.line.number, terms)
      }
      await keeper?.add(kept, { number, courier, day, terms })
      await out.flush()
      await bar?.advance(matched.length)
      if (stop.asked) break
    }
    await out.end()
  } finally {
    await bar?.end()
    older.close()
    quiet()
  }
  if (stop.asked) throw interrupted(tally.lines, ['line', 'lines'])
  await noteFile(context, work, tally)
  const [number = work.number] = tally.numbers
  const { parcels } = tally
  const facts = {
    courier: bench.courier,
    number,
    day: options.date ?? dayIn(work),
    form: file.name,
    card: work.card,
    gst: bench.terms.shape.gst !== 'none',
    terms: keptTermsOf(bench.terms),
    disputeBy: terms?.disputeBy,
    by: options.by ?? 'reason',
    accrual:
      parcels === undefined || database === undefined
        ? undefined
        : await accrualOf({ database, place, tariff: bench.tariff }, parcels),
    command: overCommand(context),
  }
  await shown.finish(tally, facts)
  await out.finish(tally, facts)
  return tally
}

/** The holidays of the card on an IST day. */
function holidaysOn({ bench }: Work, day: string | undefined): readonly string[] {
  const tariff = day === undefined ? undefined : bench.tariff(readDay(day)![0])
  return tariff === undefined || typeof tariff === 'string' ? [] : tariff.card.holidays
}

/** The IST day that the file names for the document. */
function dayIn({ seen, bench }: Work): string | undefined {
  const at = seen.date === '' ? undefined : bench.dayOf(seen.date)
  return at === undefined ? undefined : istDate(at)
}

/** Lines with their parcels, at least one, and what judges them in their order. */
interface Piece {
  readonly matched: readonly Matched[]
  readonly judge: (matched: Matched) => Outcome
}

/** The lines of a file to judge, some hundreds at a time. */
async function* judged(
  work: Work,
  checked: TotalsCheck,
  older: OlderAwbs,
  stop: { asked: boolean },
): AsyncGenerator<Piece> {
  const { matching } = work
  let { bench } = work
  let judge = judgeOf(bench, older)
  let open = true
  const sought = async (lines: readonly Billed[]): Promise<Piece> => {
    const matched: Matched[] = []
    for (let at = 0; at < lines.length; at += most)
      matched.push(...(await match(lines.slice(at, at + most), matching, bench)))
    if (open) {
      refuseDoubts(lines, matched, work, bench)
      // Judged for a look, and then again from the start.
      const outcomes = () => matched.map(judgeOf(bench, older))
      if (!work.options.force) work.unread.refuse(outcomes, lines, bench.terms.shape)
    }
    open = false
    return { matched, judge }
  }
  let held: Billed[] = []
  let wanted = looked
  for await (const line of linesOf(work, checked, stop)) {
    if (!Array.isArray(line)) {
      bench = { ...bench, terms: { ...bench.terms, shape: line.shape } }
      judge = judgeOf(bench, older)
      continue
    }
    held = held.length === 0 ? line : held.concat(line)
    if (held.length < wanted) continue
    yield await sought(held)
    held = []
    wanted = least
  }
  if (held.length > 0) yield await sought(held)
}

function refuseDoubts(
  lines: readonly Billed[],
  found: readonly Matched[],
  { file, options }: Work,
  bench: Bench,
): void {
  if (options.unit === undefined) refuseUnit(lines, file)
  refuseSpoilt(lines)
  if (options.force || bench.alone === true) return
  refuseStrangers(found, file.name)
  refuseCourier(found, ({ line, parcel }) => {
    const biller = bench.courier ?? line.courier
    return biller === '' || bench.sameCourier(biller, parcel!)
  })
}

/** The lines of a file in pieces; of a ledger first its shape, then the lines that its rows are folded into. */
async function* linesOf(
  { file, number, bench, seen, unread }: Work,
  checked: TotalsCheck,
  stop: { asked: boolean },
): AsyncGenerator<Billed[] | { readonly shape: Shape }> {
  const reader = lineReader(file, number, bench.comparison !== undefined)
  const { shape } = bench.terms
  const ledger = file.ledger ? ledgerOf(reader, shape) : undefined
  for await (const rows of rowsOf(file)) {
    const lines: Billed[] = []
    seen.last = rows.at(-1)?.line ?? seen.last
    for (const row of rows) {
      const total = reader.totals(row)
      if (total !== undefined) checked.check(total)
      else {
        if (seen.date === '') seen.date = reader.dated(row)
        const line = ledger === undefined ? reader.read(row) : ledger.add(row)
        checked.add(line, shape)
        unread.add(row, line)
        lines.push(line)
      }
    }
    seen.misprints = reader.misprints()
    if (stop.asked) return
    if (ledger === undefined && lines.length > 0) yield lines
  }
  if (ledger === undefined) return
  const folded = ledger.done()
  yield { shape: folded.shape }
  for (let at = 0; at < folded.lines.length; at += least) yield folded.lines.slice(at, at + least)
}

/** Says what the reader of a file noticed. */
async function noteFile(context: Context, { file, bench, seen, unread }: Work, tally: Tally): Promise<void> {
  const names = unread.shown()
  if (names.length > 0)
    await context.warn(
      `Not read: ${someOf(names)}. Name them with --map "<header>=<column>", or leave them out with --ignore.`,
    )
  for (const note of file.sheet.notes()) await context.note(note)
  if (seen.misprints > 0)
    await context.note(
      `Read the number inside ${counted(seen.misprints, ['amount', 'amounts'])} like %!f(string=40.00).`,
    )
  await warnTotals(context, tally)
  if (bench.courier === undefined && !file.places.has('courier'))
    await context.warn(`The file names no courier: say whose invoice it is${mainCourier(tally)}.`)
  if (seen.last === mostRows)
    await context.warn(
      `The file ends at ${file.sheet.counts} ${count(mostRows)}, the last one that Excel has: lines may be cut off.`,
    )
  if (
    bench.comparison === undefined &&
    bench.terms.shape.gst === 'none' &&
    tally.taxed * 2 > tally.lines &&
    tally.lines > 0
  )
    await context.warn('Most amounts are 18% above the card: if they have GST in them, add --gst included.')
}

/** The flag that names the courier of most lines; nothing where no parcel was found. */
function mainCourier({ couriers }: Tally): string {
  const [most] = [...couriers].toSorted(([, a], [, b]) => b - a)
  return most === undefined ? ' with --courier' : `: --courier ${quoted(most[0])}`
}

/** Warns of totals of the file that are wrong. */
export async function warnTotals(
  context: Context,
  { wrong }: { readonly wrong: readonly WrongTotal[] },
): Promise<void> {
  for (const { counts, line } of wrong)
    await context.warn(`The total in ${counts} ${line} is not the sum of the lines.`)
}
