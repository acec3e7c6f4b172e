// `shipx rates --file`: prices every parcel of a file while reading it. The pricers calculate the prices.
import { notACourier } from './ranking.ts'
import { inventedNote } from './show.ts'
import { count } from '../../../domain/count.ts'
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { isCourier } from '../../../domain/rates/pick.ts'
import type { RateCard } from '../../../domain/rates/ratecard.ts'
import { usualGst, type RateRequest } from '../../../domain/rates/rates.ts'
import { bulkPace } from '../../source/pace.ts'
import { paceOptions } from '../../args/pace.ts'
import { givenVersions, pricedHere, today, versionsNamed } from '../ratecards/cards.ts'
import { versionAt, type Versions } from '../../../domain/rates/cardversions.ts'
import { paintFor } from '../../terminal/colour.ts'
import { day, flag, list, word } from '../../args/kinds.ts'
import { keepMaps, mapFaults, mapOptions, mapsOf } from '../../args/maps.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { colourWish } from '../../command/flags.ts'
import type { FlatRecord } from '../../output/flatprinter.ts'
import { eachOf, inOrder } from '../../listings/inorder.ts'
import { cardPricer, refused, remotePricer, type Answer, type Choice } from './many/pricers.ts'
import { gstOfAnswers, gstOfCards } from './many/gst.ts'
import { namesPincode } from '../../../domain/rates/zonetables.ts'
import { headerFaults, isFlat, lineReader, parcelColumns, type Listener, type ParcelLine } from './many/parcelfile.ts'
import { endOptions, endsOf, oneParcelFaults, pick } from './many/options.ts'
import { comparedOf, comparedView, pricedView, recordOf, withOwnGst } from './many/views.ts'
import { interrupted, pour, type Stop } from './many/stream.ts'
import { patient } from './many/giveup.ts'
import { countLine, failuresOf, summaryText, tallyOf, type Tally } from './many/summary.ts'
import { checkShape } from '../../output/printer.ts'
import { openMapped } from '../../files/mapped.ts'
import type { Sheet, SheetRow } from '../../files/sheet.ts'
import { isRemote, sourceOf } from '../../source/open.ts'
import { notOffered } from '../../source/source.ts'
import { fittedTo } from '../../terminal/wrap.ts'

/** A line and its answers: one, or one for each of two cards. */
interface Answered {
  readonly line: ParcelLine
  readonly answers: readonly Answer[]
}

type Read = (row: SheetRow) => ParcelLine

const manyOptions = {
  gst: flag,
  card: word,
  date: day,
  file: word,
  compare: list,
  ...mapOptions,
  sheet: word,
  pick,
  ...endOptions,
  ...paceOptions,
}

type ManyOptions = OptionsOf<typeof manyOptions>

/** Prints the price of every parcel of a file, in the order of its lines. */
export const manyRates = verb(manyOptions, async (context, options) => {
  const { flags, io } = context
  const { pick: choice } = options
  refuse(context, [...oneParcelFaults(flags), ...cardFaults(options), ...mapFaults(options)])
  const ends = endsOf(context, options)
  const compared = options.compare as readonly [string, string] | undefined
  const remote = await isRemote(context)
  const asked = remote && compared === undefined && options.card === undefined
  if (asked && options.date !== undefined) throw notOffered('--date')
  const histories = asked ? [] : await cardsOf(context, compared, options.card, remote)
  const cards = histories.map((versions) => versionAt(versions, options.date ?? today(context)))
  refuse(context, courierFaults(choice.couriers, cards))
  const rule = asked ? gstOfAnswers(options.gst) : gstOfCards(cards)
  const view = compared === undefined ? pricedView(options.gst, rule.percent) : comparedView(...compared, rule.percent)
  checkShape(context, view)
  const path = options.file!
  const maps = mapsOf(context, options)
  const sheet = await openMapped(io, { path, field: '--file', columns: parcelColumns, sheet: options.sheet }, maps)
  await keepMaps(context, options.save_map, maps)
  const missing = headerFaults(sheet, ends)
  if (missing.length > 0) {
    sheet.close()
    throw invalid(missing)
  }
  const now = io.host.now()
  const heard = listening()
  const named = (pincode: string): boolean =>
    asked || histories.flat().some(({ zone_tables: tables = [] }) => namesPincode(tables, pincode))
  const read = lineReader(sheet, ends, named, heard, now)
  const source = asked ? await sourceOf(context, 'read', bulkPace(options.max_rps)) : undefined
  const tally = tallyOf(compared === undefined ? 1 : 2, rule)
  const gst = options.gst ? usualGst : undefined
  const people = context.format === 'plain' || (context.format === 'excel' && !flags.has('fields'))
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
            sheet,
            read,
            histories.map((versions) => pricerOf(versions, now, choice, options.date)),
            records,
          )
        : fromService(sheet, read, patient(remotePricer(source.service, choice)), options.concurrency, records, stop),
    close: async () => source?.close(),
  }).finally(sheet.close)
  await noteRead(context, sheet, heard, asked)
  await tell(context, tally, compared)
  if (stopped) throw interrupted(tally.lines, ['parcel', 'parcels'])
  if (tally.failed > 0) throw someUnpriced(tally, sheet)
  return 0
})

function someUnpriced(tally: Tally, { counts }: Sheet): ShipxError {
  const have = tally.failed === 1 ? 'parcels has' : 'parcels have'
  const message = `${count(tally.failed)} of ${count(tally.lines)} ${have} no price`
  return new ShipxError('partial', message, { details: failuresOf(tally).map((fault) => ({ ...fault, counts })) })
}

/** What the lines of a sheet said that its reader should know: unknown pincodes, and conversions. */
interface Heard extends Listener {
  readonly pincodes: ReadonlySet<string>
  readonly converted: { readonly first: string; readonly more: number }
}

function listening(): Heard {
  const pincodes = new Set<string>()
  const converted = { first: '', more: 0 }
  return {
    pincodes,
    converted,
    unknown: (pincode) => {
      if (pincodes.size < mostNamed) pincodes.add(pincode)
    },
    said: (sentence) => {
      if (converted.first === '') converted.first = sentence
      else converted.more++
    },
  }
}

/** Notes what was heard, and the columns that the sheet lacks or that a service (`asked`) does not use. */
async function noteRead(context: Context, sheet: Sheet, { pincodes, converted }: Heard, asked: boolean): Promise<void> {
  for (const note of sheet.notes()) await context.note(note)
  if (isFlat(sheet)) await context.warn('the file has no sides: parcels are priced on dead weight alone')
  if (asked && (sheet.places.has('date') || sheet.places.has('zone')))
    await context.note('The columns date and zone are not used: the service prices as of today')
  if (pincodes.size > 0) {
    const more = pincodes.size === mostNamed ? ' and perhaps more' : ''
    const names = `${[...pincodes].join(', ')}${more}`
    await context.warn(asked ? `shipx does not know ${names}; sent as written` : `India Post does not list ${names}`)
  }
  if (converted.first !== '') {
    const more = converted.more === 0 ? '' : `; ${count(converted.more)} more sides in inches or millimetres`
    await context.note(`${converted.first}${more}`)
  }
}

type Priced = Pick<ParcelLine, 'day' | 'zone'>

/** The pricer of a card; `day` prices the lines that name no day. */
function pricerOf(versions: Versions, now: number, choice: Choice, day: string | undefined) {
  const price = cardPricer(versions, now, choice)
  return day === undefined
    ? price
    : (request: RateRequest, line: Priced): Answer => price(request, line.day === undefined ? { ...line, day } : line)
}

/** How many unknown pincodes are listed. */
const mostNamed = 10

/** The faults of the flags that name cards. */
function cardFaults({ compare: compared, card, file }: ManyOptions): readonly Fault[] {
  const faults: Fault[] = []
  if (card === '')
    faults.push({ field: '--card', message: 'is a card file (.json, .csv, .xlsx) or the name of a card' })
  if (file === '')
    faults.push({ field: '--file', message: 'is a CSV or an Excel workbook of parcels, or - for standard input' })
  if (compared === undefined) return faults
  if (compared.length !== 2)
    faults.push({ field: '--compare', message: `takes two cards, for example --compare old.json,new.json` })
  return faults
}

/** The cards that price parcels on this computer. */
async function cardsOf(
  context: Context,
  compared: readonly [string, string] | undefined,
  named: string | undefined,
  remote: boolean,
): Promise<readonly Versions[]> {
  const cards: Versions[] = []
  if (compared !== undefined) for (const word of compared) cards.push(await givenVersions(context, word, '--compare'))
  else if (named !== undefined) cards.push(await givenVersions(context, named, '--card'))
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

/** Prices the lines of a sheet on this computer, some hundreds at a time. */
async function* onCards(
  { rows }: Sheet,
  read: Read,
  pricers: readonly ((request: RateRequest, line: Priced) => Answer)[],
  records: Records,
): AsyncGenerator<Iterable<FlatRecord>> {
  const priced = function* (batch: readonly SheetRow[]): Generator<Answered> {
    for (const row of batch) {
      const line = read(row)
      const { request, code, reason } = line
      yield {
        line,
        answers: pricers.map((price) => (request === undefined ? refused(code, reason) : price(request, line))),
      }
    }
  }
  for await (const batch of rows) yield records(priced(batch))
}

/** Prices the lines of a sheet at a deployment, several requests at a time; starts none after a stop. */
async function* fromService(
  { rows }: Sheet,
  read: Read,
  ask: (request: RateRequest) => Promise<Answer>,
  most: number,
  records: Records,
  stop: Stop,
): AsyncGenerator<Iterable<FlatRecord>> {
  const answered = async (row: SheetRow): Promise<Answered> => {
    const line = read(row)
    const { request, code, reason } = line
    return { line, answers: [request === undefined ? refused(code, reason) : await ask(request)] }
  }
  for await (const one of inOrder(eachOf(rows), answered, most, stop)) yield records([one])
}

/** Prints the summary on stderr; not when a program reads the data, unless a person watches. */
async function tell(context: Context, tally: Tally, cards: readonly [string, string] | undefined): Promise<void> {
  const { io, flags, format, screen } = context
  if (flags.has('quiet') || tally.lines === 0 || (format !== 'plain' && !io.stderr.tty)) return
  const paint = await paintFor(io.stderr, io, colourWish(flags))
  await io.stderr.write(await fittedTo(io, summaryText(tally, { ...screen, paint }, cards)))
}
