// `shipx rates`: one quote, as the API answers it, as a table, or explained; works out no price itself.
import type { Fault } from '../../../domain/errors.ts'
import { nearest } from '../../../domain/nearest.ts'
import { placeOf } from '../../../domain/pincodes.ts'
import { roundWeight } from '../../../domain/rates/measures.ts'
import { isCourier, type Named } from '../../../domain/rates/pick.ts'
import {
  quote,
  quoteFacts,
  rateAnswer,
  usualGst,
  type Quote,
  type QuoteFacts,
  type RateAnswer,
  type RateRequest,
} from '../../../domain/rates/rates.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import { flagFor, refuse, type Context } from '../../command/context.ts'
import { databaseThere } from '../../config/paths.ts'
import { list, text } from '../../command/flags.ts'
import type { Offer } from '../../../domain/foreign/offers.ts'
import { showMoney, showWeight } from '../../output/display.ts'
import { explanation, explanationText } from './explain.ts'
import { amountIn } from '../../../domain/foreign/values.ts'
import { quoting, rawInput, readAmounts, sizeFrom, weightFrom, limitFrom, type Raw } from '../../args/input.ts'
import { readZone } from '../../../domain/rates/zones.ts'
import { lenientInput, warnUnknown, type Lenient } from '../../listings/unknownvalues.ts'
import { keepCouriers } from '../../help/names.ts'
import { defaultOrigin } from '../../config/profiles.ts'
import { checkShape, hiddenColumns, narrowed, printer } from '../../output/printer.ts'
import { safe, safeJson } from '../../terminal/safe.ts'
import { isRemote, sourceOf } from '../../source/open.ts'
import { notOffered } from '../../source/source.ts'
import { offerView, paidFor, type CourierOffer } from '../../output/views.ts'

/** Prints courier offers for one parcel. */
export async function rates(typed: Context): Promise<number> {
  if (typed.flags.has('file')) return (await import('./file.ts')).manyRates(typed)
  const { context, parsed, faults } = await judged(typed)
  const { flags, io, format, screen } = context
  // On its way while the rest is judged; without a database nothing of the engine is loaded.
  const engine = !(await isRemote(context)) && databaseThere(context) ? import('../../source/engine.ts') : undefined
  const limit = limitFrom(flags, Infinity)
  const sort = text(flags, 'sort') ?? 'price'
  const sortFaults =
    sorts[sort] === undefined ? [{ field: '--sort', message: `"${sort}" isn't one of price, delivery, courier` }] : []
  const gstFaults =
    flags.has('gst') && format !== 'plain'
      ? [{ field: '--gst', message: 'is for the table; the API gives prices before GST' }]
      : []
  const explainFaults =
    flags.has('explain') && format !== 'plain' && format !== 'json'
      ? [{ field: '--explain', message: 'is for the table and for --json' }]
      : []
  const fileFaults = ofFiles
    .filter((name) => flags.has(name))
    .map((name) => ({ field: `--${name}`, message: 'goes with --file' }))
  refuse(context, [...faults, ...limit.faults, ...sortFaults, ...gstFaults, ...explainFaults, ...fileFaults])
  const answered = await answerTo(context, parsed.value!, engine)
  await warnUnknown(context, parsed.unknown)
  const forward = answered.request.journey_type === 'forward'
  // JSON is what was sent, also in its order, unless another one is asked for.
  const asSent = format === 'json' && !flags.has('sort')
  const sorted = (a: Told, b: Told): number => unpriced(a.shown) - unpriced(b.shown) || (asSent ? 0 : sorts[sort]!(a.shown, b.shown)) // prettier-ignore
  const picked = chosen(context, answered)
  const offers = picked.toSorted(sorted).slice(0, limit.value)
  const view = offerView({
    forward,
    cod: answered.request.payment_method === 'cod',
    gst: flags.has('gst') ? (answered.facts?.gst_percent ?? usualGst) : undefined,
    // Of all offers, also when only some are shown: the cheapest of two that were picked out is not the cheapest.
    mark: marksOf(answered.offers.map((offer) => offer.shown)),
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
    const body = flags.has('explain') ? { ...answer, explain: explanation(asked(context, answered.quote!)) } : answer
    await write(`${safeJson(JSON.stringify(body, null, screen.tty ? 2 : 0))}\n`)
    return 0
  }
  if (format === 'plain' && screen.tty) await write(heading(context, answered))
  else await context.note(heading(context, answered).trimEnd())
  const out = printer(context, view)
  const records = format === 'plain' || format === 'ids' ? offers.map((offer) => offer.shown) : sent
  await out.batch(records.map((offer) => JSON.stringify(offer)))
  await out.end()
  if (format === 'plain' && screen.tty) await write(await footer(context, answered, records.length, out.hidden()))
  else if (offers.length === 0) await context.note(nobody(answered))
  if (flags.has('explain') && format === 'plain')
    await write(`${screen.tty ? '\n' : ''}${explanationText(asked(context, answered.quote!), screen)}`)
  return 0
}

/** A command line, the request that it makes, and everything that is wrong with that, by flag. */
interface Judged {
  readonly context: Context
  readonly parsed: Lenient<'getRates'>
  readonly faults: readonly Fault[]
}

/** The request, with what it lacks asked for where somebody can be asked. */
async function judged(context: Context): Promise<Judged> {
  const first = await judgedAsTyped(context)
  if (first.faults.length === 0) return first
  const [{ askMissing }, { rateQuestions }] = await Promise.all([import('../../ask/missing.ts'), import('../../ask/questions.ts')]) // prettier-ignore
  const answered = await askMissing(context, rateQuestions, async (more) => (await judgedAsTyped(more)).faults)
  return answered === context ? first : judgedAsTyped(answered)
}

async function judgedAsTyped(context: Context): Promise<Judged> {
  const { raw, faults } = request(context)
  const parsed = await lenientInput(context, 'getRates', raw)
  const named = new Set(faults.map((fault) => fault.field))
  const asked = parsed.faults
    .filter((fault) => !named.has(fault.field) && !covered(fault, faults))
    .map((fault) => friendlier(fault, context))
  return { context, parsed, faults: [...faults, ...asked] }
}

/** The flags that say something about a file of parcels. */
const ofFiles = ['pick', 'card', 'compare', 'map', 'concurrency', 'max-rps']

/** An offer as the service sent it, and in the form that tables read. */
interface Told {
  readonly sent: CourierOffer
  readonly shown: CourierOffer
}

/** An answer with what is known besides: from the engine everything, from a deployment what it tells. */
interface Answered {
  readonly request: RateRequest
  readonly answer: RateAnswer
  readonly offers: readonly Told[]
  readonly facts: QuoteFacts | undefined
  readonly quote: Quote | undefined
}

/** The request that the flags make, and the faults of the friendly ones. */
function request(context: Context): { readonly raw: Raw; readonly faults: readonly Fault[] } {
  const { flags } = context
  const faults: Fault[] = []
  const both = (one: string, other: string): void => {
    if (flags.has(one) && flags.has(other))
      faults.push({ field: `--${other}`, message: `and --${one} exclude each other` })
  }
  both('forward', 'return')
  both('cod', 'prepaid')
  const raw = rawInput(context, ['weight', 'cod'])
  const weight = weightFrom(flags, 'weight', 'g')
  const size = sizeFrom(flags)
  faults.push(...weight.faults, ...size.faults)
  if (weight.value !== undefined) raw['dead_weight'] = weight.value
  if (size.value !== undefined) {
    const sides = ['length', 'width', 'height'] as const
    for (const [i, side] of sides.entries()) {
      if (flags.has(side)) faults.push({ field: `--${side}`, message: 'and --size exclude each other' })
      raw[side] = size.value[i]
    }
  }
  raw['journey_type'] ??= flags.has('return') ? 'return' : 'forward'
  raw[raw['journey_type'] === 'return' ? 'destination_pincode' : 'origin_pincode'] ??= defaultOrigin(context.io, flags)
  if (flags.has('forward') && flags.has('journey-type') && raw['journey_type'] === 'return')
    faults.push({ field: '--journey-type', message: 'and --forward exclude each other' })
  if (flags.has('no-qc')) {
    if (raw['journey_type'] === 'return') raw['qc_applicable'] = false
    else faults.push({ field: '--no-qc', message: 'goes with --return; a forward parcel is not quality checked' })
  }
  if (flags.has('prepaid')) raw['payment_method'] = 'prepaid'
  if (flags.has('cod')) {
    raw['payment_method'] = 'cod'
    raw['shipment_value'] = text(flags, 'cod')
  }
  readAmounts(raw)
  if (raw['journey_type'] === 'return' && !flags.has('forward')) {
    for (const name of ['cod', 'prepaid'])
      if (flags.has(name))
        faults.push({ field: `--${name}`, message: 'goes with a forward parcel; a return has no payment' })
  }
  return { raw, faults }
}

/** Sides that a faulty --size stands for are not missing as well. */
function covered(fault: Fault, faults: readonly Fault[]): boolean {
  const named = (flag: string): boolean => faults.some((other) => other.field === flag)
  if (['--length', '--width', '--height'].includes(fault.field ?? ''))
    return named('--size') && fault.message === 'is required'
  return (fault.field === '--weight' || fault.field === '--dead-weight') && named('--weight')
}

/** What is missing, in the words of the flags. */
function friendlier(fault: Fault, context: Context): Fault {
  if (fault.message.startsWith('is required for a forward journey'))
    return { field: '--prepaid', message: 'or --cod <rupees> is required for a forward parcel' }
  if (
    fault.field === flagFor(context.command, context.flags, 'shipment_value') &&
    fault.message.startsWith('is required')
  ) {
    return { field: '--cod', message: 'needs the shipment value, for example --cod 1499' }
  }
  if (fault.field === '--weight' && fault.message === 'is required')
    return { ...fault, message: 'is required, for example --weight 500g' }
  if (fault.message === 'is required') {
    const flag = context.command.flags.find((other) => `--${other.name}` === fault.field)
    if (
      ['length', 'width', 'height'].includes(flag?.name ?? '') &&
      !['length', 'width', 'height'].some((side) => context.flags.has(side))
    ) {
      return { field: '--size', message: 'is required, for example --size 20x15x10' }
    }
    return { ...fault, message: `is required: ${flag?.help.replace(/^./, (letter) => letter.toLowerCase()) ?? ''}` }
  }
  return quoting(fault, context)
}

/** The answer, from the engine's card in use, without a database from the sample card, or from a deployment. */
async function answerTo(
  context: Context,
  request: RateRequest,
  engine: Promise<typeof import('../../source/engine.ts')> | undefined,
): Promise<Answered> {
  if (await isRemote(context)) return remoteAnswer(context, request)
  const found = await quoteOf(context, request, engine)
  const answer = rateAnswer(found)
  const offers = answer.result.serviceable_couriers.map((offer) => ({ sent: offer, shown: offer }))
  return { request, answer, offers, facts: quoteFacts(found), quote: found }
}

async function quoteOf(
  context: Context,
  request: RateRequest,
  engine: Promise<typeof import('../../source/engine.ts')> | undefined,
): Promise<Quote> {
  if (engine === undefined) {
    await context.note('embedded engine, sample rate card')
    return quote(request, sampleCard, context.io.host.now())
  }
  const { service, database } = await (await engine).connect(context, 'read')
  try {
    const found = await service.explain(request)
    // With --local the account that is asked is a deployment's, whose couriers these are not.
    if (!context.flags.has('local')) keepCouriers(context, found.card.services, 'all')
    return found
  } finally {
    await database.close()
  }
}

async function remoteAnswer(context: Context, request: RateRequest): Promise<Answered> {
  if (context.flags.has('explain')) throw notOffered('--explain')
  const [{ readOffer }, source] = await Promise.all([
    import('../../../domain/foreign/offers.ts'),
    sourceOf(context, 'read'),
  ])
  try {
    let facts: QuoteFacts | undefined
    const answer = await source.service.getRates(request, {
      onQuote: (told) => {
        facts = told
      },
    })
    // Deployments also list couriers that they do not offer.
    const listed = answer.result.serviceable_couriers.map((sent) => ({ sent, offer: readOffer(sent) }))
    const offers = listed.filter(({ offer }) => offer.offered).map(({ sent, offer }) => told(sent, offer))
    keepCouriers(context, offers.map(({ shown }) => shown), 'some') // prettier-ignore
    return { request, answer, offers, facts, quote: undefined }
  } finally {
    await source.close()
  }
}

/** A deployment's offer in the form that tables read: what it does not say is empty. */
function told(sent: CourierOffer, offer: Offer): Told {
  const { carrier_id = '', carrier_code = '', service_level = '', pickup = '', delivery = '', price } = offer
  const priced = ([name, value]: [string, number | undefined]): boolean => value !== undefined && (price !== undefined || !name.startsWith('total_')) // prettier-ignore
  const shown: CourierOffer = {
    carrier_id,
    carrier_name: offer.carrier_name ?? carrier_id,
    carrier_code,
    service_level,
    status: 'active',
    expected_delivery: { pickup, delivery },
    charges: Object.fromEntries(Object.entries(offer.charges).filter(priced) as [string, number][]),
    ...(offer.is_fast === undefined ? {} : { is_fast: offer.is_fast }),
    ...(offer.is_prime === undefined ? {} : { is_prime: offer.is_prime }),
    ...(offer.platform_fee === undefined ? {} : { platform_fee: offer.platform_fee }),
  }
  return { sent, shown }
}

/** The offers of the couriers that were asked for; an unknown courier is a fault with the nearest one. */
function chosen(context: Context, { offers, quote: found }: Answered): readonly Told[] {
  const names = list(context.flags, 'courier')
  if (names === undefined) return offers
  // A deployment does not tell its card: who makes an offer is who there is.
  const services: readonly Named[] = found?.card.services ?? offers.map((offer) => offer.shown)
  const unknown = names.filter((name) => !services.some((service) => isCourier(service, name)))
  const where = found === undefined ? 'among the couriers that take this parcel' : `on the rate card ${found.card.name}`
  refuse(
    context,
    unknown.map((name) => {
      const near = nearest(
        name,
        services.map((service) => service.carrier_name),
      )
      return {
        field: '--courier',
        message: `"${name}" isn't ${where}.${near === undefined ? '' : ` Did you mean "${near}"?`}\nOne of: ${services.map((service) => service.carrier_name).join(', ')}`,
      }
    }),
  )
  const wanted = new Set(
    services.filter((service) => names.some((name) => isCourier(service, name))).map((service) => service.carrier_id),
  )
  return offers.filter((offer) => wanted.has(offer.shown.carrier_id))
}

/** A quote with the couriers that were asked for, those that do not take the parcel too. */
function asked({ flags }: Context, found: Quote): Quote {
  const names = list(flags, 'courier')
  if (names === undefined) return found
  const wanted = ({ service }: { service: Named }): boolean => names.some((name) => isCourier(service, name))
  return { ...found, offers: found.offers.filter(wanted), refusals: found.refusals.filter(wanted) }
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** 1 for an offer without a price, which comes after all others however they are sorted. */
const unpriced = (offer: CourierOffer): 0 | 1 => (paidFor(offer) === undefined ? 1 : 0)

/** Says how many of the offers that are printed have a price that cannot be read. */
async function tellUnpriced(context: Context, offers: readonly Told[]): Promise<void> {
  const count = offers.filter(({ shown }) => unpriced(shown) === 1).length
  if (count === 0) return
  const all = offers.length
  const which = all === 1 ? 'the price of the one courier' : count === all ? `the prices of all ${all} couriers` : `the ${count === 1 ? 'price' : 'prices'} of ${count} of ${all} couriers` // prettier-ignore
  await context.warn(`shipx cannot read ${which} that the deployment offers; --json shows what was sent`)
}

const byPaid = (a: CourierOffer, b: CourierOffer): number => (paidFor(a) ?? 0) - (paidFor(b) ?? 0)

/** Who delivers first; without a date last. */
const byDelivery = ({ expected_delivery: a }: CourierOffer, { expected_delivery: b }: CourierOffer): number =>
  byText(a.delivery || '~', b.delivery || '~')

const byPrice = (a: CourierOffer, b: CourierOffer): number =>
  byPaid(a, b) || byDelivery(a, b) || byText(a.carrier_id, b.carrier_id)

/** The orders of `--sort`; the API's own is by price, other deployments have others. */
const sorts: Readonly<Record<string, (a: CourierOffer, b: CourierOffer) => number>> = {
  price: byPrice,
  delivery: (a, b) => byDelivery(a, b) || byPaid(a, b),
  courier: (a, b) => byText(a.carrier_name, b.carrier_name) || byText(a.carrier_id, b.carrier_id),
}

/** Whether two offers are one: a courier may offer several services. */
const sameOffer = (a: CourierOffer, b: CourierOffer): boolean =>
  a.carrier_id === b.carrier_id && a.carrier_name === b.carrier_name && a.service_level === b.service_level

function marksOf(offers: readonly CourierOffer[]): (offer: CourierOffer) => string {
  const priced = offers.filter((offer) => unpriced(offer) === 0)
  const cheapest = priced.toSorted(byPaid)[0]
  const fastest = priced.filter((offer) => offer.expected_delivery.delivery !== '').toSorted((a, b) => byDelivery(a, b) || byPaid(a, b))[0] // prettier-ignore
  return (offer) =>
    [
      cheapest !== undefined && sameOffer(offer, cheapest) ? 'cheapest' : '',
      fastest !== undefined && sameOffer(offer, fastest) ? 'fastest' : '',
    ]
      .filter((word) => word !== '')
      .join(', ')
}

function heading({ screen }: Context, { request: asked, answer }: Answered): string {
  const { shipment_details: details } = answer.result
  const [from, to] = [placeOf(asked.origin_pincode), placeOf(asked.destination_pincode)]
  const arrow = screen.ascii ? '->' : '→'
  const dot = screen.ascii ? '-' : '·'
  const payment =
    asked.journey_type === 'return'
      ? `return${asked.qc_applicable === false ? ', no QC' : ' with QC'}`
      : asked.payment_method === 'cod'
        ? `COD ${showMoney(asked.shipment_value!, screen)}`
        : 'prepaid'
  const end = (pincode: string, place: { readonly city: string } | undefined): string =>
    place === undefined ? pincode : `${place.city} ${pincode}`
  const lane = `${end(asked.origin_pincode, from)} ${arrow} ${end(asked.destination_pincode, to)}`
  const zone = typeof details?.zone === 'string' ? (readZone(details.zone) ?? safe(details.zone)) : undefined
  const grams = (value: unknown): string => {
    const weight = amountIn(value)
    return weight === undefined ? '?' : showWeight(weight)
  }
  return `${screen.paint.bold(safe(lane))} ${dot} ${payment}${zone === undefined ? '' : ` ${dot} ${zone}`}\nDead ${showWeight(roundWeight(asked.dead_weight))}, volumetric ${grams(details?.volumetric_weight)}: charged on ${grams(details?.applicable_weight)}\n\n`
}

async function footer(context: Context, told: Answered, shown: number, hidden: number): Promise<string> {
  const { screen, flags } = context
  const lines: string[] = []
  const all = told.offers.length
  if (shown === 0) lines.push(nobody(told))
  else {
    const out = told.facts?.refused ?? 0
    lines.push(
      [
        `${shown === all ? '' : `${shown} of `}${all} ${all === 1 ? 'courier' : 'couriers'}. Rupees before GST.`,
        ...(out > 0
          ? [
              `${out} more ${out === 1 ? 'does' : 'do'} not take this parcel${flags.has('explain') ? '' : ' (--explain)'}.`,
            ]
          : []),
        ...(hidden > 0 ? [`${hiddenColumns(hidden)}.`] : []),
      ].join(' '),
    )
  }
  if (told.facts?.card === sampleCard.name)
    lines.push('Prices are invented (rate card sample). Your own contract: shipx ratecard import <file> --use')
  const { foldedText } = await import('../../terminal/width.ts')
  return `${shown === 0 ? '' : '\n'}${screen.paint.dim(foldedText(lines.join('\n'), screen.width))}\n`
}

/** Why no offer is shown: nobody takes the parcel, or none of those that were asked for. */
function nobody({ request: asked, offers, quote: found }: Answered): string {
  const others = offers.length
  if (others > 0)
    return `None of these couriers takes this parcel; ${others} ${others === 1 ? 'other does' : 'others do'}. See --explain, or leave --courier out.`
  const cod = asked.payment_method === 'cod'
  const lane = `${asked.origin_pincode} to ${asked.destination_pincode}`
  const refusals = found?.refusals ?? []
  const reasons = refusals
    .slice(0, 3)
    .map((refusal) => `${refusal.service.carrier_name}: ${refusal.reason}`)
    .join('; ')
  return `No courier takes this parcel from ${lane}${cod ? ', COD' : ''}${reasons === '' ? '' : ` (${reasons}${refusals.length > 3 ? '; …' : ''})`}.${cod ? ' Try --prepaid, or --explain.' : ' See --explain.'}`
}

/** The verbs of this file by the words that name them. */
export const verbs = { rates }
