// Reads an invoice to its end: judges its lines in pieces, writes them as they come, and adds them up.
import type { Billed, Shape } from '../../../domain/money/billed.ts'
import type { Bench } from '../../../domain/money/judge.ts'
import { billerOf, policyOf, type OwnPolicy } from '../../../domain/money/policies.ts'
import { claimSum, overOf } from '../../../domain/money/claimed.ts'
import { seenAwbs, type OlderAwbs } from '../../../domain/money/seenawbs.ts'
import { istDate, readDay } from '../../../domain/time.ts'
import type { Context } from '../../command/context.ts'
import { progress } from '../../output/progress.ts'
import { openTempFile } from '../../files/tempfile.ts'
import { billingKinds } from '../../../engine/money/documents.ts'
import type { KeptLine } from '../../../engine/money/lines.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { keepHeapSmall } from '../../terminal/heap.ts'
import { interrupted } from '../rates/many/stream.ts'
import { accrualOf } from './accrual.ts'
import { awbRuns } from './awbruns.ts'
import { carrierOf, courierIn, namedCouriers } from './billers.ts'
import type { Days } from './days.ts'
import { looked, refuseCourier, refuseGoods, refuseSpoilt, refuseStrangers, refuseUnit } from './doubts.ts'
import { footerAmount, isFootnote, type LeftOut } from './footerrows.ts'
import { groupsOf } from './groups.ts'
import { rowsOf, type InvoiceFile } from './invoicefile.ts'
import { billedAwb, judgeOf, match, type Matched, type Matching, type Outcome } from './judging.ts'
import { ledgerOf } from './ledger.ts'
import { keptTermsOf } from './keptterms.ts'
import { noteFile } from './notices.ts'
import { lineReader, type BlankTotals } from './linereader.ts'
import type { Keeper } from './keeper.ts'
import type { InvoiceOptions } from './options.ts'
import { outputOf } from './output.ts'
import { overCommand } from './overcommand.ts'
import { keptLine, weightDeadline, type RecordTerms } from './records.ts'
import { refuseNumber, refuseSameLines, standingsOf } from './samebill.ts'
import type { Shown } from './shown.ts'
import type { Unread } from './unread.ts'
import type { Titled } from './titles.ts'
import { countLine, tallyOf, type Tally } from './tally.ts'
import { totalsCheck, type TotalsCheck } from './totalscheck.ts'

/** An invoice on its way. */
export interface Work {
  readonly file: InvoiceFile
  readonly path: string
  /** The number of the document, where its lines name none. */
  readonly number: string
  /** Where documents are kept; undefined where none is looked for: of a file that is kept, or that replaces one. */
  readonly kept: BesidePlace | undefined
  /** Of the content of the file; undefined for standard input. */
  readonly sha256: string | undefined
  /** The IST day of the document, where neither a flag nor its lines say one. */
  readonly day: string | undefined
  /** What was read above the header. */
  readonly titled: Titled
  readonly matching: Matching
  readonly bench: Bench
  readonly days: Days
  /** The name of the card. */
  readonly card: string
  readonly options: InvoiceOptions
  /** What the account set of the policies of couriers. */
  readonly policies: readonly OwnPolicy[]
  /** What its first line says of the day of the document, and its last line; filled while the lines are read. */
  readonly seen: {
    date: string
    last: number
    misprints: number
    strangers: readonly string[]
    blank: BlankTotals
    readonly footnotes: number[]
    readonly leftOut: LeftOut[]
  }
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
  keepHeapSmall(60)
  const { io } = context
  const { options, file, bench, matching, shown } = work
  const stop = { asked: false }
  const quiet = io.onInterrupt(() => {
    stop.asked = true
    if (work.path === '-') io.stdin.close()
  })
  const tally = tallyOf(shown, bench.comparison !== undefined)
  const checked = totalsCheck(file.sheet.counts, tally.wrong)
  const { database, place } = matching
  const groups = groupsOf(options.by, database === undefined ? undefined : { database, account: place.account })
  const bar = io.stdout.tty ? undefined : await progress(context, 'Judging lines', undefined)
  const out = outputOf(context, options)
  const older = awbRuns(() => openTempFile(context))
  const olderClaims = awbRuns(() => openTempFile(context))
  const claims = claimSum(seenAwbs(olderClaims))
  const couriers = namedCouriers(bench)
  let terms: RecordTerms | undefined
  try {
    for await (const { matched, judge, biller: named } of judged(work, checked, older, stop)) {
      const { number, courier } = matched[0]!.line
      const day = options.date ?? dayIn(work)
      const biller = billerOf(file.name, named ?? courier)
      terms ??= {
        gst: bench.terms.shape.gst === 'none' ? 'none' : 'included',
        courier: named,
        disputeBy: weightDeadline(day, policyOf(biller, work.policies), holidaysOn(work, day)),
      }
      const kept: KeptLine[] = []
      await groups?.look(matched.map(({ line }) => line.awb))
      // One line after the other, so that nothing of a line stays in memory after it is written.
      for (const one of matched) {
        const outcome = judge(one)
        const line = keptLine(outcome, terms)
        if (line.billed < 0) noteCredit(tally, outcome)
        countLine(tally, line, outcome.judged.reasons, one.line.number, groups?.of)
        couriers.add(one)
        claims.add(billedAwb(one), { billed: line.billed, over: overOf(line) }, outcome.net)
        if (keeper !== undefined) kept.push(line)
        out.add(line, one.line.number, terms)
      }
      await keeper?.add(kept, { number, courier: courierIn(matched, options, bench), day, terms })
      await out.flush()
      await bar?.advance(matched.length)
      if (stop.asked) break
    }
    await out.end()
  } finally {
    await bar?.end()
    older.close()
    olderClaims.close()
    quiet()
  }
  if (stop.asked) throw interrupted(tally.lines, ['line', 'lines'])
  tally.credited = claims.credited()
  tally.several = couriers.several()
  await noteFile(context, work, tally, { biller: terms?.courier, day: options.date ?? dayIn(work) })
  const [number = work.number] = tally.numbers
  const facts = {
    courier: terms?.courier,
    number,
    day: options.date ?? dayIn(work),
    form: file.name,
    card: work.card,
    gst: bench.terms.shape.gst !== 'none',
    terms: keptTermsOf(bench.terms),
    disputeBy: terms?.disputeBy,
    by: options.by ?? 'reason',
    accrual:
      tally.parcels === undefined || database === undefined
        ? undefined
        : await accrualOf({ database, place, tariff: bench.tariff }, tally.parcels),
    command: overCommand(context),
  }
  await shown.finish(tally, facts)
  await out.finish(tally, facts)
  return tally
}

/** Remembers a credit of more than was billed for its parcel, or one that an earlier document has too. */
function noteCredit({ beyond, twice }: Tally, { line, judged: { billed, verdict }, earlier, net }: Outcome): void {
  if (verdict === 'credit' && net < 0) beyond.push(line.awb)
  if (earlier.some(({ amount }) => amount === billed)) twice.push(line.awb)
}

/** The holidays of the card on an IST day. */
function holidaysOn({ bench }: Work, day: string | undefined): readonly string[] {
  const tariff = day === undefined ? undefined : bench.tariff(readDay(day)![0])
  return tariff === undefined || typeof tariff === 'string' ? [] : tariff.card.holidays
}

/** The IST day of the document: as its first line has it, else as it is known without its lines. */
function dayIn({ seen, bench, day }: Work): string | undefined {
  const at = seen.date === '' ? undefined : bench.dayOf(seen.date)
  return at === undefined ? day : istDate(at)
}

/** Lines with their parcels, at least one, and what judges them in their order. */
interface Piece {
  readonly matched: readonly Matched[]
  readonly judge: (matched: Matched) => Outcome
  /** Whose document it is: as --courier, the form or the parcels say. */
  readonly biller: string | undefined
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
  let biller = bench.courier
  let judge = judgeOf(bench, older)
  let open = true
  const sought = async (lines: readonly Billed[]): Promise<Piece> => {
    const matched: Matched[] = []
    for (let at = 0; at < lines.length; at += most)
      matched.push(...(await match(lines.slice(at, at + most), matching, bench)))
    if (open) {
      refuseDoubts(lines, matched, work, bench)
      biller ??= carrierOf(matched, work.file, work.options)
      // Lines that are compared with each other were counted without it.
      if (bench.comparison === undefined && biller !== bench.courier) {
        bench = { ...bench, courier: biller }
        judge = judgeOf(bench, older)
      }
      // Judged for a look, and then again from the start.
      const outcomes = () => matched.map(judgeOf(bench, older))
      await refuseKept(work, matched, biller, outcomes)
      if (!work.options.force) work.unread.refuse(outcomes, lines, bench.terms.shape)
    }
    open = false
    return { matched, judge, biller }
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

/** Throws `document_differs` and `document_exists` where a document is kept under this number, or with these lines. */
async function refuseKept(
  { kept, file, sha256, options, bench }: Work,
  matched: readonly Matched[],
  biller: string | undefined,
  outcomes: () => readonly Outcome[],
): Promise<void> {
  if (kept === undefined) return
  const { number } = matched[0]!.line
  const courier = biller ?? courierIn(matched, options, bench)
  if (!options.replace) await refuseNumber(kept, { kind: file.ledger ? 'ledger' : 'invoice', number, courier, sha256 })
  if (options.force || !matched.some(({ earlier }) => earlier !== undefined)) return
  await refuseSameLines(kept, { kinds: billingKinds, number, sha256 }, standingsOf(outcomes()))
}

function refuseDoubts(
  lines: readonly Billed[],
  found: readonly Matched[],
  { file, options }: Work,
  bench: Bench,
): void {
  if (options.unit === undefined) refuseUnit(lines, file)
  refuseSpoilt(lines)
  if (!options.force) refuseGoods(lines, file, bench.terms.shape)
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
  let below = false
  for await (const rows of rowsOf(file)) {
    const lines: Billed[] = []
    seen.last = rows.at(-1)?.line ?? seen.last
    for (const row of rows) {
      const footer = reader.footer(row)
      if (footer !== undefined) {
        const { kind, words } = footer
        const fits = checked.check(footer)
        const amount = footerAmount(footer)
        below = true
        if (kind === 'total') continue
        if (amount === undefined) seen.footnotes.push(row.line)
        else if (fits !== undefined) seen.leftOut.push({ line: row.line, words, amount, fits })
      } else if (isFootnote(row, below)) seen.footnotes.push(row.line)
      else {
        if (seen.date === '') seen.date = reader.dated(row)
        const line = ledger === undefined ? reader.read(row) : ledger.add(row)
        checked.add(line, shape)
        unread.add(row, line)
        lines.push(line)
      }
    }
    seen.misprints = reader.misprints()
    seen.strangers = reader.strangers()
    seen.blank = reader.blankTotals()
    if (stop.asked) return
    if (ledger === undefined && lines.length > 0) yield lines
  }
  if (ledger === undefined) return
  const folded = ledger.done()
  yield { shape: folded.shape }
  for (let at = 0; at < folded.lines.length; at += least) yield folded.lines.slice(at, at + least)
}
