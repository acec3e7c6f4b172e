// What is said of an invoice after its lines were read: what was not read or left out, whose it is, wrong totals.
import { count, counted } from '../../../domain/count.ts'
import type { Bench } from '../../../domain/money/judge.ts'
import { excerpt } from '../../../domain/read/typed.ts'
import { istDate } from '../../../domain/time.ts'
import type { Context } from '../../command/context.ts'
import { shownHeader, shownHeaders } from '../../files/shownheaders.ts'
import { lackingText } from '../../files/mapped.ts'
import { showDay } from '../../output/display.ts'
import { safe } from '../../terminal/safe.ts'
import { mostRows } from '../../workbooks/limits.ts'
import { severalText, takesCarrier } from './billers.ts'
import type { Days } from './days.ts'
import { footnotesText, leftOutTexts, type LeftOut } from './footerrows.ts'
import type { InvoiceFile } from './invoicefile.ts'
import type { WrongTotal } from './keptterms.ts'
import type { BlankTotals } from './linereader.ts'
import type { InvoiceOptions } from './options.ts'
import type { Tally } from './tally.ts'
import type { Titled } from './titles.ts'
import { someOf, type Unread } from './unread.ts'

/** An invoice whose lines were read. */
interface ReadFile {
  readonly file: InvoiceFile
  readonly bench: Bench
  readonly days: Days
  readonly options: InvoiceOptions
  readonly seen: {
    readonly last: number
    readonly misprints: number
    readonly strangers: readonly string[]
    readonly blank: BlankTotals
    readonly footnotes: readonly number[]
    readonly leftOut: readonly LeftOut[]
  }
  readonly unread: Unread
  readonly titled: Titled
}

/** Says what the reader of a file noticed. */
export async function noteFile(
  context: Context,
  { file, bench, days, seen, unread, options, titled }: ReadFile,
  tally: Tally,
  { biller, day }: { readonly biller: string | undefined; readonly day: string | undefined },
): Promise<void> {
  for (const text of lackingText(file.sheet)) await context.warn(text)
  const names = unread.shown()
  if (names.length > 0)
    await context.warn(
      `Not read: ${someOf(names)}. Name them with --map "<header>=<column>", or leave them out with --ignore.`,
    )
  for (const note of file.sheet.notes()) await context.note(note)
  if (seen.footnotes.length > 0) await context.note(footnotesText(seen.footnotes, file.sheet.counts))
  const left = leftOutTexts(seen.leftOut, file.sheet.counts, context.screen)
  if (left.note !== undefined) await context.note(left.note)
  if (left.warning !== undefined) await context.warn(left.warning)
  for (const added of addedUp(file)) await context.note(added)
  for (const said of titledText(titled, options)) await context.note(said)
  await warnDays(context, days.unread(), day === undefined && tally.lines > 0 && !options.dry_run)
  if (seen.misprints > 0)
    await context.note(
      `Read the number inside ${counted(seen.misprints, ['amount', 'amounts'])} like %!f(string=40.00).`,
    )
  if (seen.blank.lines > 0) await context.warn(blankText(file, seen.blank))
  if (seen.strangers.length > 0) await context.warn(strangersText(file, seen.strangers))
  await warnTotals(context, tally)
  await warnCredits(context, tally)
  if (takesCarrier(file, options) && bench.courier === undefined) await noteBiller(context, tally, biller)
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

/** Warns of a day that cannot be read, and of a document whose own day is not known. */
async function warnDays(context: Context, odd: string | undefined, dayless: boolean): Promise<void> {
  if (odd !== undefined)
    await context.warn(`The file has days that shipx cannot read, such as ${safe(excerpt(odd))}: write 05-11-2026.`)
  if (!dayless) return
  const today = showDay(istDate(context.io.host.now()))
  const why = odd === undefined ? 'The file does not say its day' : 'The day of the file is not known'
  await context.warn(`${why}: today's, ${today}, counts, also for the deadlines of disputes. Say it with --date.`)
}

/** Notes that a message names. */
const mostNotes = 5

/** Lines whose total is blank. */
function blankText({ sheet }: InvoiceFile, { lines, first }: BlankTotals): string {
  const more = lines > first.length ? ` and ${count(lines - first.length)} more` : ''
  const where = `${sheet.counts}${lines === 1 ? '' : 's'} ${first.join(', ')}${more}`
  return `The total is blank in ${where}: the sum of the parts counts in its place.`
}

/** Words of the column of the journey that shipx does not know. */
function strangersText({ sheet, places }: InvoiceFile, words: readonly string[]): string {
  const header = shownHeader(sheet.headers[places.get('journey')![0]!]!)
  const quoted = words.slice(0, mostNotes).map((word) => `"${safe(word)}"`)
  const more = words.length > mostNotes ? ' and others' : ''
  return (
    `"${header}" says ${quoted.join(', ')}${more}, which names no journey that shipx knows (FWD, RTO, DTO): ` +
    'lines with it are judged by their amounts and their parcels.'
  )
}

/** What was read above the header, as far as no flag says it. */
function titledText({ number, day }: Titled, { date }: InvoiceOptions): readonly string[] {
  const said = [
    ...(number === undefined ? [] : [`number ${safe(number)}`]),
    ...(day === undefined || date !== undefined ? [] : [`day ${showDay(day)} ${day.slice(0, 4)}`]),
  ]
  return said.length === 0 ? [] : [`Read above the header: ${said.join(', ')}.`]
}

/** The columns that are added up to one field, in a sentence each: --map names one of them, and the file the others. */
const addedUp = ({ sheet: { headers, places, more } }: InvoiceFile): readonly string[] =>
  [...(more ?? [])].map(
    ([field, further]) =>
      `Added up as ${field}: ${shownHeaders([places.get(field)!, ...further].map((at) => headers[at]!))}.`,
  )

/** Says whose document a file without a courier counts as. */
function noteBiller(context: Context, { couriers }: Tally, biller: string | undefined): Promise<void> {
  if (biller !== undefined)
    return context.note(`The file names no courier. All parcels went with ${safe(biller)}: it counts as theirs.`)
  const carriers = [...couriers].toSorted(([, a], [, b]) => b - a)
  if (carriers.length === 0) return context.warn('The file names no courier: say whose invoice it is with --courier.')
  return context.warn(`T${severalText(carriers).slice(1)}.`)
}

/** Warns of credits that cannot all be right: of more than was billed, or as an earlier document has them. */
async function warnCredits(context: Context, { beyond, twice }: Tally): Promise<void> {
  const named = (awbs: readonly string[]): string =>
    `(${awbs
      .slice(0, mostNotes)
      .map((awb) => safe(awb))
      .join(', ')}${awbs.length > mostNotes ? ' and others' : ''})`
  const give = counted(beyond.length, ['credit gives', 'credits give'])
  if (beyond.length > 0) await context.warn(`${give} back more than was ever billed for the parcel ${named(beyond)}.`)
  if (twice.length === 0) return
  const [stand, again] = twice.length === 1 ? ['credit stands', 'counts'] : ['credits stand', 'count']
  await context.warn(
    `${count(twice.length)} ${stand} in an earlier document with the same amount, and ${again} again ${named(twice)}.`,
  )
}

/** Warns of totals of the file that are wrong. */
export async function warnTotals(
  context: Context,
  { wrong }: { readonly wrong: readonly WrongTotal[] },
): Promise<void> {
  for (const { counts, line } of wrong)
    await context.warn(`The total in ${counts} ${line} is not the sum of the lines.`)
}
