// Reads an invoice to its end: judges its lines in pieces, writes them as they come, and adds them up.
import type { Billed } from '../../../domain/money/billed.ts'
import type { Bench } from '../../../domain/money/judge.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { istDate } from '../../../domain/time.ts'
import type { Context } from '../../command/context.ts'
import { colourWish } from '../../command/flags.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { printer } from '../../output/printer.ts'
import { progress } from '../../output/progress.ts'
import type { SheetRow } from '../../files/sheet.ts'
import { paintFor } from '../../terminal/colour.ts'
import { growHeapSlowly } from '../../terminal/heap.ts'
import { fittedTo } from '../../terminal/wrap.ts'
import { interrupted } from '../rates/many/stream.ts'
import { looked, refuseCourier, refuseSpoilt, refuseStrangers, refuseUnit } from './doubts.ts'
import { explained } from './explain.ts'
import type { InvoiceFile } from './invoicefile.ts'
import { judgeOf, match, type Matched, type Matching, type Outcome } from './judging.ts'
import { ledgerOf } from './ledger.ts'
import { lineReader } from './linereader.ts'
import type { InvoiceOptions } from './options.ts'
import { pageText, type PageFacts } from './page.ts'
import { cellsOf, jsonOf, recordNames, recordView, sheetLine, weightDeadline, type RecordTerms } from './records.ts'
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
}

/** Lines that are matched in one statement. */
const piece = 512

/** Judges an invoice, prints its lines and its page, and returns the sums. */
export async function reconcile(context: Context, work: Work): Promise<Tally> {
  growHeapSlowly()
  const { io } = context
  const { options, file } = work
  const stop = { asked: false }
  const quiet = io.onInterrupt(() => {
    stop.asked = true
    if (work.path === '-') io.stdin.close()
  })
  const day = options.date
  const disputeBy = weightDeadline(file.name, day)
  const checked = totalsCheck()
  const tally = tallyOf()
  const bar = io.stdout.tty ? undefined : await progress(context, 'Judging lines', undefined)
  const terms: RecordTerms = { shape: work.bench.terms.shape, courier: work.bench.courier, disputeBy }
  const out = await outputOf(context, options)
  let last = terms
  try {
    for await (const { outcomes, shape } of judged(work, checked, stop)) {
      if (shape !== last.shape) last = { ...terms, shape }
      for (const outcome of outcomes) countLine(tally, outcome, options.by ?? 'reason')
      await out.batch(outcomes, last)
      await bar?.advance(outcomes.length)
      if (stop.asked) break
    }
    await out.end()
  } finally {
    await bar?.end()
    quiet()
  }
  if (stop.asked) throw interrupted(tally.lines, ['line', 'lines'])
  await tell(context, work, tally, { checked, disputeBy })
  return tally
}

/** What a piece of an invoice is once it is judged. */
interface Piece {
  readonly outcomes: readonly Outcome[]
  readonly shape: RecordTerms['shape']
}

/** The judged lines of a file, some hundreds at a time. */
async function* judged(work: Work, checked: TotalsCheck, stop: { asked: boolean }): AsyncGenerator<Piece> {
  const { matching } = work
  let { bench } = work
  let judge = judgeOf(bench)
  let open = true
  const conclude = async (lines: readonly Billed[]): Promise<Piece> => {
    const found: Matched[] = []
    for (let at = 0; at < lines.length; at += piece)
      found.push(...(await match(lines.slice(at, at + piece), matching, bench)))
    if (open) refuseDoubts(lines, found, work, bench)
    open = false
    return { outcomes: found.map(judge), shape: bench.terms.shape }
  }
  let held: Billed[] = []
  let most = looked
  for await (const line of linesOf(work, checked, stop)) {
    if (!Array.isArray(line)) {
      bench = { ...bench, terms: { ...bench.terms, shape: line.shape } }
      judge = judgeOf(bench)
      continue
    }
    held = held.length === 0 ? line : held.concat(line)
    if (held.length < most) continue
    yield await conclude(held)
    held = []
    most = piece
  }
  if (held.length > 0) yield await conclude(held)
}

function refuseDoubts(
  lines: readonly Billed[],
  found: readonly Matched[],
  { file, options }: Work,
  bench: Bench,
): void {
  if (options.unit === undefined) refuseUnit(lines, file)
  refuseSpoilt(lines)
  if (options.force) return
  refuseStrangers(found, file.name)
  refuseCourier(found, ({ line, parcel }) => {
    const biller = bench.courier ?? line.courier
    return biller === '' || bench.sameCourier(biller, parcel!)
  })
}

/** The lines of a file in pieces; of a ledger first its shape, then the lines that its rows are folded into. */
async function* linesOf(
  { file, number, bench }: Work,
  checked: TotalsCheck,
  stop: { asked: boolean },
): AsyncGenerator<Billed[] | { readonly shape: RecordTerms['shape'] }> {
  const reader = lineReader(file, number)
  const { shape } = bench.terms
  const ledger = file.ledger ? ledgerOf(reader, shape) : undefined
  for await (const rows of rowsOf(file)) {
    const lines: Billed[] = []
    for (const row of rows) {
      const total = reader.totals(row)
      if (total !== undefined) checked.check(total)
      else {
        const line = ledger === undefined ? reader.read(row) : ledger.add(row)
        checked.add({ line }, shape)
        lines.push(line)
      }
    }
    if (stop.asked) return
    if (ledger === undefined && lines.length > 0) yield lines
  }
  if (ledger === undefined) return
  const folded = ledger.done()
  yield { shape: folded.shape }
  for (let at = 0; at < folded.lines.length; at += piece) yield folded.lines.slice(at, at + piece)
}

/** The rows of a file; a sheet whose weights could be either unit is `unit_doubtful`. */
async function* rowsOf({ sheet }: InvoiceFile): AsyncGenerator<readonly SheetRow[]> {
  try {
    yield* sheet.rows
  } catch (error) {
    const doubtful = error instanceof ShipxError && error.code === 'invalid_input' && error.message.includes('no unit')
    if (!doubtful) throw error
    throw new ShipxError('unit_doubtful', error.message, {
      details: error.details,
      hint: 'say the unit of the column: --unit kg or --unit g',
      cause: error,
    })
  }
}

/** Where judged lines go. */
interface Output {
  readonly batch: (outcomes: readonly Outcome[], terms: RecordTerms) => Promise<void>
  readonly end: () => Promise<void>
}

async function outputOf(context: Context, options: InvoiceOptions): Promise<Output> {
  const { format, io, flags } = context
  const { only, explain } = options
  const wanted = (outcomes: readonly Outcome[]): readonly Outcome[] =>
    only === undefined && explain === undefined
      ? outcomes
      : outcomes.filter(
          ({ judged: { verdict }, line }) =>
            (only === undefined || verdict === only) && (explain === undefined || line.awb === explain),
        )
  if (format === 'plain' && explain === undefined) return { batch: async () => undefined, end: async () => undefined }
  if (format === 'plain')
    return {
      batch: async (outcomes, terms) => {
        for (const outcome of wanted(outcomes)) await io.stdout.write(explained(outcome, terms, context.screen))
      },
      end: async () => undefined,
    }
  if ((format === 'csv' || format === 'tsv') && !flags.has('fields')) {
    const writer = writerFor(context)
    let header = writer.header(recordNames)
    const between = format === 'tsv' ? '\t' : ','
    return {
      batch: async (outcomes, terms) => {
        const lines: string[] = [header]
        header = ''
        for (const outcome of wanted(outcomes)) lines.push(sheetLine(cellsOf(outcome, terms), writer, between))
        const text = lines.join('')
        if (text !== '') await io.stdout.write(text)
      },
      end: async () => {
        if (header !== '') await io.stdout.write(header)
      },
    }
  }
  const out = printer(context, recordView)
  return {
    batch: (outcomes, terms) => out.batch(wanted(outcomes).map((outcome) => jsonOf(cellsOf(outcome, terms)))),
    end: () => out.end(),
  }
}

/** Prints the page: on standard output for people, else on standard error where a person watches. */
async function tell(
  context: Context,
  { file, number, bench, card, options }: Work,
  tally: Tally,
  { checked, disputeBy }: { readonly checked: TotalsCheck; readonly disputeBy: string | undefined },
): Promise<void> {
  const { io, format, flags, screen } = context
  for (const note of file.sheet.notes()) await context.note(note)
  for (const { line } of checked.wrong())
    await context.warn(`The total in ${file.sheet.counts} ${line} is not the sum of the lines.`)
  if (bench.terms.shape.gst === 'none' && tally.taxed * 2 > tally.lines && tally.lines > 0)
    await context.warn('Most amounts are 18% above the card: if they have GST in them, add --gst included.')
  if (options.explain !== undefined && format === 'plain') return
  const [own] = tally.numbers
  const facts: PageFacts = {
    courier: bench.courier,
    number: own ?? number,
    day: options.date,
    form: file.name,
    card,
    gst: bench.terms.shape.gst !== 'none',
    order: bench.terms.order,
    disputeBy: disputeBy === undefined ? undefined : istDate(Date.parse(disputeBy)),
    wrong: checked.wrong(),
    by: options.by ?? 'reason',
  }
  if (format === 'plain') {
    await io.stdout.write(pageText(tally, facts, screen))
    return
  }
  if (flags.has('quiet') || !io.stderr.tty) return
  const paint = await paintFor(io.stderr, io, colourWish(flags))
  await io.stderr.write(await fittedTo(io, pageText(tally, facts, { ...screen, paint })))
}
