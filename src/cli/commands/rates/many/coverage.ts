// Who delivers to a pincode, whether COD is taken there and when a parcel arrives: out of a card in this process, or of a
// deployment, each asked with an ordinary parcel. Works out no price and no date.
import type { ShippingService } from '../../../../domain/contract.ts'
import { byPrice, type Priced } from '../../../../domain/rates/pricing.ts'
import type { RateCard } from '../../../../domain/rates/ratecard.ts'
import { quote, type Quote, type RateRequest } from '../../../../domain/rates/rates.ts'
import { remoteOffers, type Unpriced } from './pricers.ts'

/** What a courier does for a pincode. */
export interface Served {
  readonly service: Priced['service']
  /** The IST date of delivery of a prepaid parcel picked up next; undefined when the courier does not go there. */
  readonly delivery: string | undefined
  readonly cod: boolean
  /** Why the courier does not go there, or takes no COD; undefined where that is not told. */
  readonly why: string | undefined
}

/** What is known of the way to a pincode. */
export interface Reach {
  readonly zone: string | undefined
  readonly couriers: readonly Served[]
}

/** The parcel that is asked for: 500 g, 10 x 10 x 10 cm, ₹500 to collect. */
const ordinary = { journey_type: 'forward', dead_weight: 500, length: 10, width: 10, height: 10 } as const

const questions = (from: string, to: string): readonly [prepaid: RateRequest, cod: RateRequest] => {
  const parcel = { ...ordinary, origin_pincode: from, destination_pincode: to }
  return [
    { ...parcel, payment_method: 'prepaid' },
    { ...parcel, payment_method: 'cod', shipment_value: 500 },
  ]
}

/** Looks on a card, at an instant (ms UTC). */
export function reachOnCard(card: RateCard, from: string, now: number): (pincode: string) => Reach {
  return (pincode) => {
    const [prepaid, cod] = questions(from, pincode).map((question) => quote(question, card, now)) as [Quote, Quote]
    const collecting = new Set(cod.offers.map(({ service }) => service))
    const whyNoCod = new Map(cod.refusals.map(({ service, reason }) => [service, reason]))
    // In the order of price, as a deployment lists them, and then those that do not go there.
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

/** Asks a deployment twice for each pincode, prepaid and COD; it tells who goes there, not who does not. */
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
    // A courier that is offered for COD alone goes there too, and one whose price cannot be read.
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

/** Who delivers first, those without a date at the end; the order of the others stays. */
function bySpeed(a: Served, b: Served): number {
  const [x, y] = [a.delivery || '~', b.delivery || '~']
  return x < y ? -1 : x > y ? 1 : 0
}
