// The answer for one parcel: the chosen offer, or why there is none, from a card in this process or from a deployment.
import type { ShippingService } from '../../../../domain/contract.ts'
import { ShipxError, type Code } from '../../../../domain/errors.ts'
import { isCourier, type Picker } from '../../../../domain/rates/pick.ts'
import { byPrice, type ComparableOffer } from '../../../../domain/rates/pricing.ts'
import type { RateCard } from '../../../../domain/rates/ratecard.ts'
import { quote, type Quote, type RateRequest, type Refusal } from '../../../../domain/rates/rates.ts'
import { amountIn } from '../../../../domain/foreign/values.ts'
import { paiseOf } from '../../../../domain/money.ts'
import { readOffer, readQuoteZone, type ChargeName, type Offer } from '../../../../domain/foreign/offers.ts'
import { versionAt, versionOn, type Versions } from '../../../../domain/rates/cardversions.ts'
import { istDate, readDay } from '../../../../domain/time.ts'
import { reasonOf, type ParcelLine } from './parcelfile.ts'

/** The offer chosen for a parcel, or the code and the reason why there is none. */
export interface Answer {
  readonly zone: string | undefined
  readonly offer: ComparableOffer | undefined
  readonly code: Code | undefined
  readonly reason: string | undefined
  /** GST to add, percent, where it is known. */
  readonly gst: number | undefined
}

/** Which offer to choose. */
export interface Choice {
  readonly pick: Picker
  /** The words of `--pick` when they name only couriers: the reason, perhaps, why no offer is left. */
  readonly only: readonly string[] | undefined
}

/** An answer without an offer. */
export const refused = (code: Code | undefined, reason: string | undefined, zone?: string): Answer => ({
  zone,
  offer: undefined,
  code,
  reason,
  gst: undefined,
})

/** What a line says of its price beside the request. */
export type Terms = Pick<ParcelLine, 'day' | 'zone' | 'back'>

/** A card, and the instant (ms UTC) at which it prices. */
interface Priced {
  readonly card: RateCard
  readonly at: number
}

/**
 * Prices parcels on a card at an instant (ms UTC), or at the start of the day that a line names, with the version of
 * that day: calls `quote` and chooses one of its offers.
 */
export function cardPricer(
  versions: Versions,
  now: number,
  { pick, only }: Choice,
): (request: RateRequest, line: Terms) => Answer {
  const today = versionAt(versions, istDate(now))
  const days = new Map<string, Priced | undefined>()
  const pricedOn = (day: string): Priced | undefined => {
    if (!days.has(day)) {
      const card = versionOn(versions, day)
      days.set(day, card && { card, at: readDay(day)![0] })
    }
    return days.get(day)
  }
  return (request, { day, zone: given, back }) => {
    const on = day === undefined ? { card: today, at: now } : pricedOn(day)
    if (on === undefined) return refused('no_card_for_day', `${today.name} has no prices for ${day!}`)
    const gst = on.card.gst_percent
    let found: Quote
    try {
      found = quote(request, on.card, on.at, given, back)
    } catch (error) {
      // A pincode that another card of the comparison names.
      if (!(error instanceof ShipxError) || error.code !== 'invalid_input') throw error
      return refused(error.code, reasonOf(error.details))
    }
    const { offers, refusals, zone } = found
    const offer = pick(offers)
    if (offer !== undefined) return { zone: offer.zone.name, offer, code: undefined, reason: undefined, gst }
    return refused('no_courier', nobody(offers.length, only, refusals), zone.zone)
  }
}

/**
 * Asks a deployment about each parcel. A refusal of one parcel is that parcel's answer. A refusal of all requests and
 * faults inside shipx are thrown; so are temporary failures, for the caller to judge.
 */
export function remotePricer(
  service: Pick<ShippingService, 'getRates'>,
  { pick, only }: Choice,
): (line: Asked) => Promise<Answer> {
  return async ({ request, back }) => {
    try {
      const { zone, offers: all, unpriced, gst } = await remoteOffers(service, request)
      const offers = back === true ? all.flatMap(cameBack).toSorted(byPrice) : all
      if (offers.length < all.length && offers.length === 0) return refused('not_supported', noWayBack, zone)
      const offer = pick(offers)
      if (offer !== undefined) return { zone, offer, code: undefined, reason: undefined, gst }
      const unread = pick(unpriced.map((one) => ({ ...one, weight: 0, total: 0, fee: 0 })))
      if (unread !== undefined)
        return refused(
          'bad_answer',
          `price not readable: ${unread.service.carrier_name || unread.service.carrier_id || '-'}`,
          zone,
        )
      return refused('no_courier', nobody(offers.length, only, []), zone)
    } catch (error) {
      if (error instanceof ShipxError && ofTheParcel.has(error.kind)) return refused(error.code, oneLine(error))
      throw error
    }
  }
}

/** A parcel that a deployment is asked about. */
export interface Asked extends Pick<ParcelLine, 'back'> {
  readonly request: RateRequest
}

/** A deployment's offer, with the COD fee in its total, paise. */
interface RemoteOffer extends ComparableOffer {
  readonly cod: number
}

const noWayBack =
  'the service does not say what this parcel costs when it comes back; price it as forward, and add its rto'

/** The offer of a parcel that came back. Whether a COD fee is then due, no service says: there is none then. */
const cameBack = (offer: RemoteOffer): readonly RemoteOffer[] =>
  offer.rto === undefined || offer.cod !== 0 ? [] : [{ ...offer, total: offer.total + offer.rto }]

/** An offer with an unreadable price: it is never chosen, and no amount replaces the price. */
export type Unpriced = Pick<ComparableOffer, 'service' | 'delivery'>

/** A deployment's offers for a parcel, by price; those without a price separately. */
export async function remoteOffers(
  service: Pick<ShippingService, 'getRates'>,
  request: RateRequest,
): Promise<{
  readonly zone: string | undefined
  readonly offers: readonly RemoteOffer[]
  readonly unpriced: readonly Unpriced[]
  readonly gst: number | undefined
}> {
  let gst: number | undefined
  const { result } = await service.getRates(request, { onQuote: (facts) => (gst = facts.gst_percent) })
  const details = result.shipment_details as Partial<typeof result.shipment_details> | undefined
  const weight = amountIn(details?.applicable_weight) ?? NaN
  const [offers, unpriced]: [RemoteOffer[], Unpriced[]] = [[], []]
  for (const courier of result.serviceable_couriers) {
    const offer = readOffer(courier)
    if (!offer.offered) continue
    const named = namedOf(offer)
    if (offer.price === undefined) unpriced.push(named)
    else
      offers.push({
        ...named,
        ...offer.price,
        weight,
        rto: paise(offer, 'rto_charges'),
        cod: paise(offer, 'cod_charges') ?? 0,
      })
  }
  return { zone: readQuoteZone(details), offers: offers.toSorted(byPrice), unpriced, gst }
}

/** The kinds of errors that concern one parcel. */
export const ofTheParcel: ReadonlySet<ShipxError['kind']> = new Set(['usage', 'rejected', 'not_found'])

/** An error as a reason: its faults with their fields, or its message. */
export const oneLine = ({ message, details }: ShipxError): string =>
  (details.length === 0
    ? message
    : details.map((fault) => `${fault.field === null ? '' : `${fault.field}: `}${fault.message}`).join('; ')
  ).replaceAll('\n', ' ')

/** A charge of a deployment's offer, paise; undefined where it names none. */
const paise = ({ charges }: Offer, name: ChargeName): number | undefined =>
  charges[name] === undefined ? undefined : paiseOf(charges[name])

/** The courier of a deployment's offer, and its delivery date. */
function namedOf({
  delivery = '',
  carrier_id = '',
  carrier_name = carrier_id,
  carrier_code = '',
  service_level = '',
}: Offer): Unpriced {
  return { service: { carrier_id, carrier_name, carrier_code, service_level }, delivery }
}

/** Why no offer is left: each reason once, with its couriers. Where others have one, those that were picked count. */
function nobody(others: number, only: readonly string[] | undefined, refusals: readonly Refusal[]): string {
  const reasons = new Map<string, string[]>()
  for (const { service, reason } of refusals) {
    if (only !== undefined && others > 0 && !only.some((word) => isCourier(service, word))) continue
    const who = reasons.get(reason)
    if (who === undefined) reasons.set(reason, [service.carrier_name])
    else who.push(service.carrier_name)
  }
  const who = only === undefined || others === 0 ? 'no courier' : `none of ${only.join(', ')}`
  const why = [...reasons].map(([reason, names]) =>
    reasons.size === 1 && others === 0 ? reason : `${reason} (${names.join(', ')})`,
  )
  return `${who} takes this parcel${why.length === 0 ? '' : `: ${why.join('; ')}`}`
}
