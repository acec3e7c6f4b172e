// Prices the parcels of a file, whatever the file is, and prints one record for each line. The pricers calculate.
import { notACourier } from '../ranking.ts'
import { inventedNote } from '../show.ts'
import { count } from '../../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../../domain/errors.ts'
import { isCourier } from '../../../../domain/rates/pick.ts'
import type { RateCard } from '../../../../domain/rates/ratecard.ts'
import { usualGst, type RateRequest } from '../../../../domain/rates/rates.ts'
import { namesPincode } from '../../../../domain/rates/zonetables.ts'
import { versionAt, type Versions } from '../../../../domain/rates/cardversions.ts'
import { day, flag, list, word } from '../../../args/kinds.ts'
import type { OptionsOf } from '../../../args/options.ts'
import { paceOptions } from '../../../args/pace.ts'
import type { Context } from '../../../command/context.ts'
import { refuse } from '../../../command/faults.ts'
import { colourWish, forPeople } from '../../../command/flags.ts'
import type { Sheet } from '../../../files/sheet.ts'
import { eachOf, inOrder } from '../../../listings/inorder.ts'
import type { View } from '../../../output/columns.ts'
import type { FlatRecord } from '../../../output/flatprinter.ts'
import { checkShape } from '../../../output/printer.ts'
import { isRemote, sourceOf } from '../../../source/open.ts'
import { bulkPace } from '../../../source/pace.ts'
import { notOffered } from '../../../source/source.ts'
import { paintFor } from '../../../terminal/colour.ts'
import { fittedTo } from '../../../terminal/wrap.ts'
import { givenVersions, pricedHere, today, versionsNamed } from '../../ratecards/cards.ts'
import { patient } from './giveup.ts'
import { gstOfAnswers, gstOfCards, type Gst } from './gst.ts'
import { pick, sheetWithoutCard } from './options.ts'
import type { ParcelLine } from './parcelfile.ts'
import { cardPricer, refused, remotePricer, type Answer, type Asked, type Choice, type Terms } from './pricers.ts'
import { interrupted, pour, type Stop } from './stream.ts'
import { countLine, failuresOf, summaryText, tallyOf, type Tally } from './summary.ts'
import { comparedOf, comparedView, pricedView, recordOf, withOwnGst } from './views.ts'

/** The flags that say how parcels are priced. */
export const priceOptions = { gst: flag, card: word, card_sheet: word, date: day, compare: list, pick, ...paceOptions }

type PriceOptions = OptionsOf<typeof priceOptions>

/** Where prices come from, and how they are shown. */
export interface Pricing {
  /** Whether the service of the account is asked. */
  readonly asked: boolean
  /** The cards of this computer that price parcels, each with its versions; none when a service is asked. */
  readonly histories: readonly Versions[]
  readonly rule: Gst
  readonly view: View<FlatRecord>
  readonly compared: readonly [string, string] | undefined
  /** Whether a well-formed pincode that shipx does not know may be asked for: a contract names it, or a service may. */
  readonly named: (pincode: string) => boolean
}

/** The parcels of a file. */
export interface Parcels {
  readonly sheet: Pick<Sheet, 'counts' | 'close'>
  readonly path: string
  /** Its lines in order, in batches. */
  readonly lines: AsyncIterable<Iterable<ParcelLine>>
  /** Notes what the reader should know once all lines were read. */
  readonly note: () => Promise<void>
  /** What helps when lines have no price. */
  readonly hint?: string | undefined
}

/** A line and its answers: one, or one for each of two cards. */
interface Answered {
  readonly line: ParcelLine
  readonly answers: readonly Answer[]
}

/** The faults of the flags that name cards. */
export function cardFaults({ compare: compared, card, card_sheet: sheet }: PriceOptions): readonly Fault[] {
  const faults: Fault[] = []
  if (card === '')
    faults.push({ field: '--card', message: 'is a card file (.json, .csv, .xlsx) or the name of a card' })
  if (card === undefined && sheet !== undefined) faults.push(sheetWithoutCard)
  if (compared === undefined) return faults
  if (compared.length !== 2)
    faults.push({ field: '--compare', message: `takes two cards, for example --compare old.json,new.json` })
  return faults
}

/** Finds where prices come from, and checks it before the file is opened. */
export async function pricingOf(context: Context, options: PriceOptions): Promise<Pricing> {
  const compared = options.compare as readonly [string, string] | undefined
  const remote = await isRemote(context)
  const asked = remote && compared === undefined && options.card === undefined
  if (asked && options.date !== undefined) throw notOffered('--date')
  const histories = asked ? [] : await cardsOf(context, options, remote)
  const cards = histories.map((versions) => versionAt(versions, options.date ?? today(context)))
  refuse(context, courierFaults(options.pick.couriers, cards))
  const rule = asked ? gstOfAnswers(options.gst) : gstOfCards(cards)
  const view = compared === undefined ? pricedView(options.gst, rule.percent) : comparedView(...compared, rule.percent)
  checkShape(context, view)
  const named = (pincode: string): boolean =>
    asked || histories.flat().some(({ zone_tables: tables = [] }) => namesPincode(tables, pincode))
  return { asked, histories, rule, view, compared, named }
}

/** Prints the price of each parcel, then the summary. Throws `partial` when some have none, and `interrupted`. */
export async function printPrices(
  context: Context,
  options: PriceOptions,
  { asked, histories, rule, view, compared }: Pricing,
  { sheet, path, lines, note, hint }: Parcels,
): Promise<number> {
  const now = context.io.host.now()
  const source = asked ? await sourceOf(context, 'read', bulkPace(options.max_rps)) : undefined
  const tally = tallyOf(compared === undefined ? 1 : 2, rule)
  const gst = options.gst ? usualGst : undefined
  const people = context.format === 'plain' || (forPeople(context.format) && !context.flags.has('fields'))
  // One at a time instead of in lists, so that no parcel stays in memory after its line is printed.
  const records = function* (answered: Iterable<Answered>): Generator<FlatRecord> {
    for (const { line, answers } of answered) {
      countLine(tally, line.line, answers)
      const [first, second] = answers
      const record = compared === undefined ? recordOf(line, first!, gst) : comparedOf(line, first!, second!)
      yield people && compared === undefined ? withOwnGst(record, first!) : record
    }
  }
  const stopped = await pour(context, {
    view,
    doing: 'Pricing parcels',
    noun: ['parcel', 'parcels'],
    path,
    done: () => tally.lines,
    drains: source !== undefined,
    batches: (stop) =>
      source === undefined
        ? onCards(
            lines,
            histories.map((versions) => pricerOf(versions, now, options.pick, options.date)),
            records,
          )
        : fromService(lines, patient(remotePricer(source.service, options.pick)), options.concurrency, records, stop),
    close: async () => source?.close(),
  }).finally(sheet.close)
  await note()
  await tell(context, tally, compared)
  if (stopped) throw interrupted(tally.lines, ['parcel', 'parcels'])
  if (tally.failed > 0) throw someUnpriced(tally, sheet.counts, hint)
  return 0
}

function someUnpriced(tally: Tally, counts: Sheet['counts'], hint: string | undefined): ShipxError {
  const have = tally.failed === 1 ? 'parcels has' : 'parcels have'
  const message = `${count(tally.failed)} of ${count(tally.lines)} ${have} no price`
  const details = failuresOf(tally).map((fault) => ({ ...fault, counts }))
  return new ShipxError('partial', message, hint === undefined ? { details } : { details, hint })
}

/** The pricer of a card; `day` prices the lines that name no day. */
function pricerOf(versions: Versions, now: number, choice: Choice, day: string | undefined) {
  const price = cardPricer(versions, now, choice)
  return day === undefined
    ? price
    : (request: RateRequest, line: Terms): Answer => price(request, line.day === undefined ? { ...line, day } : line)
}

/** The cards that price parcels on this computer. */
async function cardsOf(
  context: Context,
  { compare: compared, card: named, card_sheet: sheet }: PriceOptions,
  remote: boolean,
): Promise<readonly Versions[]> {
  const cards: Versions[] = []
  if (compared !== undefined)
    for (const word of compared) cards.push(await givenVersions(context, word, { field: '--compare' }))
  else if (named !== undefined) cards.push(await givenVersions(context, named, { field: '--card', sheet }))
  else cards.push(await versionsNamed(context, undefined))
  for (const note of inventedNote(cards.length === 1 ? cards[0]![0].name : undefined)) await context.note(note)
  if (remote) await context.note(pricedHere(cards.map(([first]) => first)))
  return cards
}

/** The faults of couriers in `--pick` that no card has, each with the nearest name. */
function courierFaults(words: readonly string[], cards: readonly RateCard[]): readonly Fault[] {
  const services = cards.flatMap((card) => card.services)
  if (services.length === 0) return []
  const names = [...new Set(services.map((service) => service.carrier_name))]
  const what = `cheapest, fastest or a courier of ${cards.map(({ name }) => name).join(' or ')}`
  return words
    .filter((word) => !services.some((service) => isCourier(service, word)))
    .map((word) => notACourier('--pick', word, what, names, ['cheapest', 'fastest']))
}

type Records = (answered: Iterable<Answered>) => Iterable<FlatRecord>

/** Prices lines on this computer. */
async function* onCards(
  lines: Parcels['lines'],
  pricers: readonly ((request: RateRequest, line: Terms) => Answer)[],
  records: Records,
): AsyncGenerator<Iterable<FlatRecord>> {
  const priced = function* (batch: Iterable<ParcelLine>): Generator<Answered> {
    for (const line of batch) {
      const { request, code, reason } = line
      yield {
        line,
        answers: pricers.map((price) => (request === undefined ? refused(code, reason) : price(request, line))),
      }
    }
  }
  for await (const batch of lines) yield records(priced(batch))
}

/** Prices lines at a deployment, several requests at a time; starts none after a stop. */
async function* fromService(
  lines: Parcels['lines'],
  ask: (line: Asked) => Promise<Answer>,
  most: number,
  records: Records,
  stop: Stop,
): AsyncGenerator<Iterable<FlatRecord>> {
  const answered = async (line: ParcelLine): Promise<Answered> => {
    const { request, back, code, reason } = line
    return { line, answers: [request === undefined ? refused(code, reason) : await ask({ request, back })] }
  }
  for await (const one of inOrder(eachOf(lines), answered, most, stop)) yield records([one])
}

/** Prints the summary on stderr; not when a program reads the data, unless a person watches. */
async function tell(context: Context, tally: Tally, cards: readonly [string, string] | undefined): Promise<void> {
  const { io, flags, format, screen } = context
  if (flags.has('quiet') || tally.lines === 0 || (format !== 'plain' && !io.stderr.tty)) return
  const paint = await paintFor(io.stderr, io, colourWish(flags))
  // The lines may go to a file, while the summary is on a narrow terminal.
  const width = (io.stderr.tty ? io.stderr.width : undefined) ?? screen.width
  await io.stderr.write(await fittedTo(io, summaryText(tally, { ...screen, paint, width }, cards)))
}
