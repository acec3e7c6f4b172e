// The columns of couriers' offers: prices, the marks of the cheapest and the fastest, delivery.
import type { RateAnswer } from '../../../domain/rates/rates.ts'
import { showDay } from '../../output/display.ts'
import type { Column, View } from '../../output/columns.ts'
import type { Screen } from '../../terminal/screen.ts'
import { money } from '../../output/views.ts'

/** A courier offer of a rate answer. */
export type CourierOffer = RateAnswer['result']['serviceable_couriers'][number]

/**
 * The price of a forward or return offer, rupees: its total and the platform fee; undefined for one without a total.
 */
export function paidFor({ charges, platform_fee: fee = 0 }: CourierOffer): number | undefined {
  const total = charges['total_forward_charges'] ?? charges['total_return_charges']
  return total === undefined ? undefined : (Math.round(total * 100) + Math.round(fee * 100)) / 100
}

/** The text in place of an unreadable price. */
const noPrice = 'price not readable'

/** What a table of offers needs other than the offers. */
export interface OfferMarks {
  readonly forward: boolean
  readonly cod: boolean
  /** GST percent to add to the price, or undefined. */
  readonly gst: number | undefined
  readonly mark: (offer: CourierOffer) => string
}

/** The columns of a quote, which depend on the journey and the payment. */
export function offerView({ forward, cod, gst, mark }: OfferMarks): View<CourierOffer> {
  const charge = (key: string, name: string, header: string, rank: number): Column<CourierOffer> => ({
    key: name,
    header,
    rank,
    right: true,
    whole: true,
    raw: (offer) => offer.charges[key],
    show: (offer, screen) => money(offer.charges[key], screen),
  })
  const withGst = (offer: CourierOffer): number | undefined => {
    const paid = paidFor(offer)
    return paid === undefined ? undefined : Math.round(paid * (100 + (gst ?? 0))) / 100
  }
  // prettier-ignore
  const columns: Column<CourierOffer>[] = [
    { key: 'courier', header: 'courier', rank: 1, raw: (offer) => offer.carrier_name },
    { key: 'service', header: 'service', rank: 9, raw: (offer) => offer.service_level },
    charge(forward ? 'forward_freight_charges' : 'return_freight_charges', 'freight', 'freight', 7),
    ...(forward ? (cod ? [charge('cod_charges', 'cod', 'cod', 8)] : []) : [charge('qc_charges', 'qc', 'qc', 8)]),
    charge(forward ? 'total_forward_charges' : 'total_return_charges', 'total', 'total', 3),
    ...(forward ? [{ key: 'fee', header: '+ fee', rank: 10, right: true as const, whole: true as const, raw: (offer: CourierOffer) => offer.platform_fee, show: (offer: CourierOffer, screen: Screen) => money(offer.platform_fee, screen) }] : []),
    { key: 'pay', header: 'you pay', rank: 2, right: true, whole: true, raw: paidFor, show: (offer, screen) => (paidFor(offer) === undefined ? noPrice : money(paidFor(offer), screen)) },
    ...(gst === undefined ? [] : [{ key: 'gst', header: `with ${gst}% gst`, rank: 4, right: true as const, whole: true as const, raw: withGst, show: (offer: CourierOffer, screen: Screen) => money(withGst(offer), screen) }]),
    ...(forward ? [charge('rto_charges', 'returned', 'if returned', 11)] : []),
    { key: 'pickup', header: 'pickup', rank: 12, raw: (offer) => offer.expected_delivery.pickup, show: (offer) => showDay(offer.expected_delivery.pickup) },
    { key: 'delivery', header: 'delivery', rank: 5, raw: (offer) => offer.expected_delivery.delivery, show: (offer) => showDay(offer.expected_delivery.delivery) },
    { key: 'mark', header: '', rank: 6, raw: () => undefined, show: (offer) => ({ text: mark(offer), paint: 'green' }) },
    { key: 'code', header: 'code', rank: 13, wide: true, raw: (offer) => offer.carrier_code },
    { key: 'id', header: 'id', rank: 14, wide: true, whole: true, raw: (offer) => offer.carrier_id },
  ]
  return { columns, id: (offer) => offer.carrier_id, names: [], noun: ['courier', 'couriers'] }
}
