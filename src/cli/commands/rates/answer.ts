// The answer to a rate request, from this computer or a deployment, with everything known about each offer.
import {
  quote,
  quoteFacts,
  rateAnswer,
  type Quote,
  type QuoteFacts,
  type RateAnswer,
  type RateRequest,
} from '../../../domain/rates/rates.ts'
import { versionAt, versionFor } from '../../../domain/rates/cardversions.ts'
import { readDay } from '../../../domain/time.ts'
import { sampleCard } from '../../../domain/rates/samplecard.ts'
import type { Context } from '../../command/context.ts'
import type { Offer } from '../../../domain/foreign/offers.ts'
import { keepCouriers } from '../../help/names.ts'
import { isRemote, withSource } from '../../source/open.ts'
import { notOffered } from '../../source/source.ts'
import type { CourierOffer } from './offerview.ts'

/** An offer as the service sent it, and in the form that tables use. */
export interface Told {
  readonly sent: CourierOffer
  readonly shown: CourierOffer
}

/** An answer and what else is known: everything from the engine, only what it sends from a deployment. */
export interface Answered {
  readonly request: RateRequest
  readonly answer: RateAnswer
  readonly offers: readonly Told[]
  readonly facts: QuoteFacts | undefined
  readonly quote: Quote | undefined
}

/** How to answer: with an explanation, or on another card than the one in use. */
interface Wanted {
  readonly explain: boolean
  /** The file or the name of `--card`. */
  readonly card: string | undefined
  /** The sheet of that file. */
  readonly sheet: string | undefined
  /** The IST day of `--date`, whose prices count. */
  readonly date: string | undefined
}

/** The answer from the engine's card in use, from the sample card when there is no database, or from a deployment. */
export async function answerTo(
  context: Context,
  request: RateRequest,
  engine: Promise<typeof import('../../source/engine.ts')> | undefined,
  wanted: Wanted,
): Promise<Answered> {
  const { explain, card, date } = wanted
  if (card === undefined && (await isRemote(context))) {
    if (explain) throw notOffered('--explain')
    if (date !== undefined) throw notOffered('--date')
    return remoteAnswer(context, request)
  }
  const found =
    card === undefined ? await quoteOf(context, request, engine, date) : await quoteOn(context, request, card, wanted)
  const answer = rateAnswer(found)
  const offers = answer.result.serviceable_couriers.map((offer) => ({ sent: offer, shown: offer }))
  return { request, answer, offers, facts: quoteFacts(found), quote: found }
}

/** The quote of the card that `--card` names. With an account at a service, says that the service did not price it. */
async function quoteOn(context: Context, request: RateRequest, card: string, wanted: Wanted): Promise<Quote> {
  const { date, sheet } = wanted
  const { givenVersions, pricedHere, today } = await import('../ratecards/cards.ts')
  const versions = await givenVersions(context, card, { field: '--card', sheet })
  const found = date === undefined ? versionAt(versions, today(context)) : versionFor(versions, date)
  if (await isRemote(context)) await context.note(pricedHere([found]))
  return quote(request, found, momentOf(context, date))
}

/** Now, or the start of a day in IST: ms UTC. */
const momentOf = ({ io }: Context, date: string | undefined): number =>
  date === undefined ? io.host.now() : readDay(date)![0]

async function quoteOf(
  context: Context,
  request: RateRequest,
  engine: Promise<typeof import('../../source/engine.ts')> | undefined,
  date: string | undefined,
): Promise<Quote> {
  if (engine === undefined) return quote(request, sampleCard, momentOf(context, date))
  const { withEngine } = await engine
  return withEngine(context, 'read', async ({ service }) => {
    const found = await service.explain(request, date)
    // With --local the account may be a deployment's, and these are not its couriers.
    if (!context.flags.has('local')) keepCouriers(context, found.card.services, 'all')
    return found
  })
}

async function remoteAnswer(context: Context, request: RateRequest): Promise<Answered> {
  const { readOffer } = await import('../../../domain/foreign/offers.ts')
  return withSource(context, 'read', async (source) => {
    let facts: QuoteFacts | undefined
    const answer = await source.service.getRates(request, {
      onQuote: (told) => {
        facts = told
      },
    })
    // Deployments also list couriers that make no offer.
    const listed = answer.result.serviceable_couriers.map((sent) => ({ sent, offer: readOffer(sent) }))
    const offers = listed.filter(({ offer }) => offer.offered).map(({ sent, offer }) => told(sent, offer))
    keepCouriers(
      context,
      offers.map(({ shown }) => shown),
      'some',
    )
    return { request, answer, offers, facts, quote: undefined }
  })
}

/** A deployment's offer in the form that tables use; missing values are empty. */
export function told(sent: CourierOffer, offer: Offer): Told {
  const { carrier_id = '', carrier_code = '', service_level = '', pickup = '', delivery = '', price } = offer
  const priced = ([name, value]: [string, number | undefined]): boolean =>
    value !== undefined && (price !== undefined || !name.startsWith('total_'))
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
    ...(sent.surcharges === undefined ? {} : { surcharges: sent.surcharges }),
  }
  return { sent, shown }
}

/**
 * The zone that each offer is charged in, by the id of its courier: one of the five, or the courier's own name. Empty
 * where a deployment names no zone.
 */
export function zonesCharged({ answer, offers, quote: found }: Answered): ReadonlyMap<string, string> {
  if (found !== undefined) return new Map(found.offers.map(({ service, zone }) => [service.carrier_id, zone.name]))
  const zone: unknown = answer.result.shipment_details?.zone
  return new Map(
    offers.flatMap(({ sent, shown }) => {
      const charged: unknown = sent.courier_zone ?? zone
      return typeof charged === 'string' ? [[shown.carrier_id, charged] as const] : []
    }),
  )
}
