// `shipx rates`: one quote, as the API answers it, as a table, or explained.
import { isCourier, type CourierNames } from '../../../domain/rates/pick.ts'
import type { Fault } from '../../../domain/errors.ts'
import { usualGst, type Quote } from '../../../domain/rates/rates.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import type { FlagValues } from '../../command/flags.ts'
import { databaseThere } from '../../config/paths.ts'
import { day, flag, limit, list, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import { sayConverted } from '../../args/input.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { checkShape, narrowed, printer } from '../../output/printer.ts'
import { safeJson } from '../../terminal/safe.ts'
import { isRemote } from '../../source/open.ts'
import { ofOrders } from './many/options.ts'
import { offerView } from './offerview.ts'
import { rateRequest } from './request.ts'
import { unpriced, sorts, marksOf, notACourier } from './ranking.ts'
import { answerTo, zonesCharged, type Told, type Answered } from './answer.ts'
import { sheetWithoutCard } from './many/options.ts'
import { heading, footer, inventedNote, nobody } from './show.ts'
import { say } from '../../output/outcome.ts'

/** How to show the offers. */
const showOptions = {
  file: word,
  orders: word,
  limit: limit(Infinity),
  sort: word,
  courier: list,
  explain: flag,
  gst: flag,
  card: word,
  card_sheet: word,
  date: day,
}

/** The faults of flags that do not go with the others. */
function faultsOf({ flags, format }: Context, options: OptionsOf<typeof showOptions>): readonly Fault[] {
  const { sort = 'price', explain, gst, card, card_sheet: sheet } = options
  const sortFaults =
    sorts[sort] === undefined ? [{ field: '--sort', message: `"${sort}" isn't one of price, delivery, courier` }] : []
  const gstFaults =
    gst && !['plain', 'excel', 'xlsx'].includes(format)
      ? [{ field: '--gst', message: 'is for the table, --excel and --xlsx; the API and its fields are before GST' }]
      : []
  const explainFaults =
    explain && format !== 'plain' && format !== 'json'
      ? [{ field: '--explain', message: 'is for the table and for --json' }]
      : []
  const fileFaults = [...ofFiles, ...ofOrders]
    .filter((name) => flags.has(name))
    .map((name) => ({
      field: `--${name}`,
      message: ofFile(name, card, flags),
    }))
  const cardFaults = sheet !== undefined && card === undefined ? [sheetWithoutCard] : []
  return [...sortFaults, ...gstFaults, ...explainFaults, ...cardFaults, ...fileFaults]
}

/** Which file a flag goes with; --form without --from looks misspelt. */
function ofFile(name: string, card: string | undefined, flags: FlagValues): string {
  if (name === 'sheet' && card !== undefined) return sheetOfCard
  if (!ofOrders.includes(name)) return 'goes with --file'
  return name === 'form' && !flags.has('from') ? 'goes with --orders; did you mean --from?' : 'goes with --orders'
}

/** Prints courier offers for one parcel. */
const rates = verb(showOptions, async (typed, options) => {
  if (options.file !== undefined) return (await import('./file.ts')).manyRates(typed)
  if (options.orders !== undefined) return (await import('./orders.ts')).orderRates(typed)
  const { context, parsed, faults, said } = await rateRequest(typed, faultsOf(typed, options))
  const { io, format, screen } = context
  // Starts to load while the rest is checked; without a database, nothing of the engine is loaded.
  const engine = !(await isRemote(context)) && databaseThere(context) ? import('../../source/engine.ts') : undefined
  const { sort = 'price', explain, gst, card, card_sheet: sheet, date } = options
  refuse(context, faults)
  await sayConverted(context, said)
  const answered = await answerTo(context, parsed.value!, engine, { explain, card, sheet, date })
  if (answered.quote === undefined) await warnUnknown(context, parsed.unknown)
  else if (parsed.unknown.length > 0) await context.warn(answered.quote.zone.why)
  const forward = answered.request.journey_type === 'forward'
  // JSON keeps the service's text and order, unless the user asks for another order.
  const asSent = format === 'json' && options.sort === undefined
  const sorted = (a: Told, b: Told): number =>
    unpriced(a.shown) - unpriced(b.shown) || (asSent ? 0 : sorts[sort]!(a.shown, b.shown))
  const picked = chosen(context, options.courier, answered)
  const offers = picked.toSorted(sorted).slice(0, options.limit)
  const percent = answered.facts?.gst_percent ?? (gst ? usualGst : undefined)
  const view = offerView({
    forward,
    cod: answered.request.payment_method === 'cod',
    gst: percent,
    gstShown: gst,
    // Marks come from all offers, even when only some are shown: the cheapest of two chosen ones may not be the
    // cheapest.
    zones: zonesCharged(answered),
    mark: marksOf(answered.offers.map((offer) => offer.shown)),
    offers: screen.tty ? offers.map((offer) => offer.shown) : [],
  })
  checkShape(context, view)
  await tellUnpriced(context, offers)
  const write = io.stdout.write
  const sent = offers.map((offer) => offer.sent)
  if (format === 'json') {
    const answer = {
      ...answered.answer,
      result: { ...answered.answer.result, serviceable_couriers: narrowed(context, view, sent) },
    }
    const quoted = answered.quote === undefined ? undefined : asked(answered.quote, options.courier)
    const body = explain ? { ...answer, explain: (await import('./explain.ts')).explanation(quoted!) } : answer
    await write(`${safeJson(JSON.stringify(body, null, screen.tty ? 2 : 0))}\n`)
    return 0
  }
  const charged = answered.quote && asked(answered.quote, options.courier).offers.map(({ weight }) => weight)
  const head = heading(context, answered, charged)
  if (format === 'plain' && screen.tty) await say(context, head)
  else await context.note([head.trimEnd(), ...inventedNote(answered.facts?.card)].join('\n'))
  const out = printer(context, view)
  const records = format === 'plain' || format === 'ids' ? offers.map((offer) => offer.shown) : sent
  await out.batch(records.map((offer) => JSON.stringify(offer)))
  await out.end()
  if (format === 'plain' && screen.tty)
    await write(await footer(context, answered, { explain, shown: records.length, hidden: out.hidden(), gst: percent }))
  else if (offers.length === 0) await context.note(nobody(answered))
  if (explain && format === 'plain') {
    const { explanationText } = await import('./explain.ts')
    const text = explanationText(asked(answered.quote!, options.courier), screen)
    await say(context, `${screen.tty ? '\n' : ''}${text}`)
  }
  return 0
})

/** The way to a card in another sheet of a workbook than the first. */
const sheetOfCard = 'goes with --file; for the workbook of --card: --card-sheet <name>'

/** The flags that apply only to a file of parcels or orders. */
const ofFiles = 'pick compare concurrency max-rps map map-value ignore use-map save-map sheet'.split(' ')

/** The offers of the requested couriers; an unknown courier is a fault with the nearest name. */
function chosen(
  context: Context,
  names: readonly string[] | undefined,
  { offers, quote: found }: Answered,
): readonly Told[] {
  if (names === undefined) return offers
  // A deployment does not send its card, so the couriers of its offers are the known ones.
  const services: readonly CourierNames[] = found?.card.services ?? offers.map((offer) => offer.shown)
  const unknown = names.filter((name) => !services.some((service) => isCourier(service, name)))
  const known = services.map((service) => service.carrier_name)
  const where = found === undefined ? 'among the couriers that take this parcel' : `on the rate card ${found.card.name}`
  refuse(
    context,
    unknown.map((name) => notACourier('--courier', name, where, known)),
  )
  const wanted = new Set(
    services.filter((service) => names.some((name) => isCourier(service, name))).map((service) => service.carrier_id),
  )
  return offers.filter((offer) => wanted.has(offer.shown.carrier_id))
}

/** A quote for the requested couriers, including those that do not take the parcel. */
export function asked(found: Quote, names: readonly string[] | undefined): Quote {
  if (names === undefined) return found
  const wanted = ({ service }: { service: CourierNames }): boolean => names.some((name) => isCourier(service, name))
  return { ...found, offers: found.offers.filter(wanted), refusals: found.refusals.filter(wanted) }
}

/** Reports how many of the printed offers have an unreadable price. */
async function tellUnpriced(context: Context, offers: readonly Told[]): Promise<void> {
  const count = offers.filter(({ shown }) => unpriced(shown) === 1).length
  if (count === 0) return
  const all = offers.length
  const which =
    all === 1
      ? 'the price of the one courier'
      : count === all
        ? `the prices of all ${all} couriers`
        : `the ${count === 1 ? 'price' : 'prices'} of ${count} of ${all} couriers`
  await context.warn(`shipx cannot read ${which} that the service offers; --json shows what was sent`)
}

/** The verbs of this file by name. */
export const verbs = { rates }
