// The columns of couriers' offers: prices, the marks of the cheapest and the fastest, delivery.
import { percentOf, rupeesOf } from '../../../domain/money.ts'
import type { RateAnswer } from '../../../domain/rates/rates.ts'
import { showDay, withZones } from '../../output/display.ts'
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

/** What is paid for an offer, rupees: its price, and GST of this percent where it is known; NaN where it is none. */
export function payable(offer: CourierOffer, gst: number | undefined): number | undefined {
  const price = paidFor(offer)
  if (price === undefined) return undefined
  const paise = Math.round(price * 100)
  return Number.isSafeInteger(paise) ? rupeesOf(percentOf(paise, 100 + (gst ?? 0))) : Number.NaN
}

/** Whether a courier asks for a platform fee. */
export const hasFee = ({ platform_fee: fee = 0 }: CourierOffer): boolean => fee > 0

/** What a table of offers needs other than its rows. */
export interface OfferTable {
  readonly forward: boolean
  readonly cod: boolean
  /** GST percent that is part of what is paid, or undefined. */
  readonly gst: number | undefined
  /** Whether to show the GST in a column of its own. */
  readonly gstShown: boolean
  readonly mark: (offer: CourierOffer) => string
  /** The zone of each offer by the id of its courier. */
  readonly zones: ReadonlyMap<string, string>
  /** The offers whose equal columns become one; none where a program reads the columns by their place. */
  readonly offers: readonly CourierOffer[]
}

/** The columns of a quote, which depend on the journey and the payment. A column that repeats another one is wide. */
export function offerView({ forward, cod, gst, gstShown, mark, zones, offers }: OfferTable): View<CourierOffer> {
  const [freight, total] = forward
    ? ['forward_freight_charges', 'total_forward_charges']
    : ['return_freight_charges', 'total_return_charges']
  const every = (check: (offer: CourierOffer) => boolean): boolean => offers.length > 0 && offers.every(check)
  const onlyFreight = every(({ charges }) => charges[freight!] === charges[total!])
  const noFee = every((offer) => !hasFee(offer))
  const onlyTotal = every((offer) => offer.charges[total!] === payable(offer, gst))
  const oneZone = offers.length === 0 || new Set(zones.values()).size < 2
  const zone = ({ carrier_id: id }: CourierOffer): string => zones.get(id) ?? ''
  const hide = (hidden: boolean): { readonly wide?: true } => (hidden ? { wide: true } : {})
  const charge = (key: string, name: string, header: string, rank: number): Column<CourierOffer> => ({
    key: name,
    field: `charges.${key}`,
    header,
    rank,
    right: true,
    whole: true,
    kind: 'money',
    raw: (offer) => offer.charges[key],
    show: (offer, screen) => money(offer.charges[key], screen),
  })
  const pay = (offer: CourierOffer): number | undefined => payable(offer, gst)
  const tax = (offer: CourierOffer): number | undefined => {
    const [price, all] = [paidFor(offer), pay(offer)]
    return price === undefined ? undefined : Math.round((all! - price) * 100) / 100
  }
  const surcharged = ({ surcharges = {} }: CourierOffer): number =>
    Math.round(Object.values(surcharges).reduce((sum, amount) => sum + amount, 0) * 100) / 100
  // prettier-ignore
  const columns: Column<CourierOffer>[] = [
    { key: 'courier', field: 'carrier_name', header: 'courier', rank: 1, whole: true, raw: (offer) => offer.carrier_name },
    { key: 'service', field: 'service_level', header: 'service', rank: 10, raw: (offer) => offer.service_level },
    { key: 'zone', header: 'zone', rank: 8, whole: true, ...(oneZone ? { asked: true as const } : {}), raw: zone, show: (offer) => withZones(zone(offer)) || '-' },
    { ...charge(freight!, 'freight', 'freight', 8), ...hide(onlyFreight) },
    ...(forward ? (cod ? [charge('cod_charges', 'cod', 'cod', 9)] : []) : [{ ...charge('qc_charges', 'qc', 'qc', 9), ...hide(onlyFreight) }]),
    ...(offers.some(({ surcharges }) => surcharges !== undefined) ? [{ key: 'surcharges', header: 'surcharges', rank: 9, right: true as const, whole: true as const, kind: 'money' as const, raw: surcharged, show: (offer: CourierOffer, screen: Screen) => money(surcharged(offer), screen) }] : []),
    { ...charge(total!, 'total', 'total', 3), ...hide(onlyTotal) },
    ...(forward ? [{ key: 'fee', field: 'platform_fee', header: '+ fee', rank: 6, right: true as const, whole: true as const, kind: 'money' as const, ...hide(noFee), raw: (offer: CourierOffer) => offer.platform_fee, show: (offer: CourierOffer, screen: Screen) => money(offer.platform_fee, screen) }] : []),
    ...(gst === undefined ? [] : [{ key: 'gst', header: '+ gst', rank: 7, right: true as const, whole: true as const, kind: 'money' as const, ...hide(!gstShown), raw: tax, show: (offer: CourierOffer, screen: Screen) => money(tax(offer), screen) }]),
    { key: 'pay', header: 'you pay', rank: 2, right: true, whole: true, kind: 'money', raw: pay, show: (offer, screen) => (pay(offer) === undefined ? noPrice : money(pay(offer), screen)) },
    ...(forward ? [charge('rto_charges', 'returned', 'if returned', 11)] : []),
    { key: 'pickup', field: 'expected_delivery.pickup', header: 'pickup', rank: 12, kind: 'day', raw: (offer) => offer.expected_delivery.pickup, show: (offer) => showDay(offer.expected_delivery.pickup) },
    { key: 'delivery', field: 'expected_delivery.delivery', header: 'delivery', rank: 4, whole: true, kind: 'day', raw: (offer) => offer.expected_delivery.delivery, show: (offer) => showDay(offer.expected_delivery.delivery) },
    { key: 'mark', header: '', rank: 5, raw: () => undefined, show: (offer) => ({ text: mark(offer), paint: 'green' }) },
    { key: 'code', field: 'carrier_code', header: 'code', rank: 13, wide: true, raw: (offer) => offer.carrier_code },
    { key: 'id', field: 'carrier_id', header: 'id', rank: 14, wide: true, whole: true, raw: (offer) => offer.carrier_id },
  ]
  return { columns, id: (offer) => offer.carrier_id, names: [], noun: ['courier', 'couriers'] }
}
