// An order in words: the text of `orders create` before its question, and after the order exists.
import { scaled } from '../../../domain/rates/measures.ts'
import { percentOf, rupeesOf } from '../../../domain/money.ts'
import { deliveryOf, type OrderAnswer, type OrderCreate } from '../../../domain/orders.ts'
import { amountPaid, type Offer } from '../../../domain/rates/pricing.ts'
import type { OrderOffers } from '../../../engine/orders/booking.ts'
import type { Screen } from '../../terminal/screen.ts'
import { showDay, showMoney, showWeight } from '../../output/display.ts'
import { testEngine } from '../../source/place.ts'
import { quoted } from '../../terminal/safe.ts'

/** How many couriers are listed next to the chosen one. */
const othersNamed = 2

/** An offer with what is paid for it, with GST of a percent. */
export function offered(offer: Offer, gst: number, screen: Screen): string {
  const price = showMoney(rupeesOf(percentOf(amountPaid(offer), 100 + gst)), screen)
  const delivery = offer.delivery === '' ? '' : `, delivery ${showDay(offer.delivery)}`
  return `${offer.service.carrier_name} ${price} with GST${delivery}`
}

/** The parcel of an order: its weight and size, its destination, the payment. */
export function parcelText(input: OrderCreate, screen: Screen): string {
  const { city, zip } = deliveryOf(input)
  const arrow = screen.ascii ? '->' : '\u2192'
  const payment = input.payment_method === 'COD' ? `COD ${showMoney(input.cod_collectible!, screen)}` : 'prepaid'
  const size = [input.length, input.breadth, input.height].join('x')
  const way = `${input.warehouse_id} ${arrow} ${city} ${zip}`
  return `Order ${input.order_id}: ${showWeight(scaled(input.weight, 1000))}, ${size} cm, ${way}, ${payment}`
}

/** The courier of an order, its price, and the other couriers. */
export function courierText(offer: Offer, { offers, gst }: OrderOffers, screen: Screen): string {
  const others = offers.filter((other) => other !== offer)
  const named = others.slice(0, othersNamed).map((other) => offered(other, gst, screen))
  const more = others.length > named.length ? [`${others.length - named.length} more`] : []
  const also = [...named, ...more]
  return `${offered(offer, gst, screen)}${also.length === 0 ? '' : `. Also possible: ${also.join('; ')}`}`
}

/** The outcome of an order in the embedded engine, with the words for the chosen offer when known. */
export function savedText(
  order_id: string,
  { payload }: OrderAnswer,
  taken: string | undefined,
  where: string,
  screen: Screen,
): string {
  const dot = screen.ascii ? '-' : '\u00b7'
  const courier = taken ?? payload.courier_name ?? ''
  const what =
    payload.awb_generated === 1
      ? [courier, testEngine(`AWB ${payload.awb_code ?? ''} is`)]
      : [`no courier yet: shipx local assign ${quoted(order_id)}`]
  return [`Order ${order_id} ${where}`, ...what].join(` ${dot} `)
}
