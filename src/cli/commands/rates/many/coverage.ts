// Which couriers deliver to a pincode, whether they take COD, and when a parcel arrives. Asks a card in this process,
// or a deployment, about an ordinary parcel.
import type { ShippingService } from '../../../../domain/contract.ts'
import { byPrice, type ComparableOffer } from '../../../../domain/rates/pricing.ts'
import type { RateCard } from '../../../../domain/rates/ratecard.ts'
import { quote, type Quote, type RateRequest } from '../../../../domain/rates/rates.ts'
import { remoteOffers, type Unpriced } from './pricers.ts'

/** What a courier offers for a pincode. */
export interface Served {
  readonly service: ComparableOffer['service']
  /**
   * The IST date on which a prepaid parcel arrives after the next pickup; undefined when the courier does not deliver
   * there.
   */
  readonly delivery: string | undefined
  readonly cod: boolean
  /** Why the courier does not deliver there, or takes no COD; undefined when the reason is unknown. */
  readonly why: string | undefined
}

/** The couriers of a pincode. */
export interface Reach {
  readonly zone: string | undefined
  readonly couriers: readonly Served[]
}

/** The parcel that shipx asks about: 500 g, 10 x 10 x 10 cm, ₹500 to collect. */
const ordinary = { journey_type: 'forward', dead_weight: 500, length: 10, width: 10, height: 10 } as const

const questions = (from: string, to: string): readonly [prepaid: RateRequest, cod: RateRequest] => {
  const parcel = { ...ordinary, origin_pincode: from, destination_pincode: to }
  return [
    { ...parcel, payment_method: 'prepaid' },
    { ...parcel, payment_method: 'cod', shipment_value: 500 },
  ]
}

/** Looks up pincodes on a card, at an instant (ms UTC). */
export function reachOnCard(card: RateCard, from: string, now: number): (pincode: string) => Reach {
  return (pincode) => {
    const [prepaid, cod] = questions(from, pincode).map((question) => quote(question, card, now)) as [Quote, Quote]
    const collecting = new Set(cod.offers.map(({ service }) => service))
    const whyNoCod = new Map(cod.refusals.map(({ service, reason }) => [service, reason]))
    // Couriers by price, as a deployment lists them, then those that do not deliver there.
    const couriers: readonly Served[] = [
      ...prepaid.offers.map(({ service, delivery }) => ({
        service,
        delivery,
        cod: collecting.has(service),
        why: whyNoCod.get(service),
      })),
      ...prepaid.refusals.map(({ service, reason }) => ({ service, delivery: undefined, cod: false, why: reason })),
    ]
    return { zone: prepaid.zone.zone, couriers: couriers.toSorted(bySpeed) }
  }
}

/** Asks a deployment twice for each pincode, prepaid and COD. It lists only the couriers that deliver there. */
export function reachOfService(
  service: Pick<ShippingService, 'getRates'>,
  from: string,
): (pincode: string) => Promise<Reach> {
  return async (pincode) => {
    const [prepaid, cod] = questions(from, pincode)
    const [first, second] = [await remoteOffers(service, prepaid), await remoteOffers(service, cod)]
    const idOf = ({ service: { carrier_id, service_level } }: Unpriced): string => `${carrier_id} ${service_level}`
    const collecting = new Set([...second.offers, ...second.unpriced].map(idOf))
    const going = new Set([...first.offers, ...first.unpriced].map(idOf))
    const more = (offer: Unpriced): boolean => !going.has(idOf(offer))
    // A courier with an offer for COD alone also delivers there. So does one whose price cannot be read.
    const priced = [...first.offers, ...second.offers.filter(more)].toSorted(byPrice)
    const couriers = [...priced, ...first.unpriced, ...second.unpriced.filter(more)].map((offer) => ({
      service: offer.service,
      delivery: offer.delivery,
      cod: collecting.has(idOf(offer)),
      why: undefined,
    }))
    return { zone: first.zone ?? second.zone, couriers: couriers.toSorted(bySpeed) }
  }
}

/** The earliest delivery first, those without a date last; otherwise keeps the order. */
function bySpeed(a: Served, b: Served): number {
  const [x, y] = [a.delivery || '~', b.delivery || '~']
  return x < y ? -1 : x > y ? 1 : 0
}
