// The answer of the rates endpoint as it is sent: text, for a service that answers thousands of quotes a second.
import { rupeesOf } from '../money.ts'
import type { Offer } from './pricing.ts'
import type { Service } from './ratecard.ts'
import { ownWords, rateAnswer, type Quote } from './rates.ts'

/**
 * The text of a quote's answer, the same as `JSON.stringify(rateAnswer(found))` in a third of the time: what an answer
 * says of a service is written once.
 */
export function rateText(found: Quote): string {
  const forward = found.request.journey_type === 'forward'
  const offers = found.offers.map((offer) => offerText(offer, found, forward)).join(',')
  const details = JSON.stringify(rateAnswer({ ...found, offers: [] }).result.shipment_details)
  return `{"status":"SUCCESS","result":{"serviceable_couriers":[${offers}],"shipment_details":${details}}}`
}

function offerText(offer: Offer, found: Quote, forward: boolean): string {
  const own = ownWords(offer)
  const [freight, cod, rto] = [rupeesOf(offer.freight), rupeesOf(offer.cod), rupeesOf(offer.rto)]
  const [qc, total] = [rupeesOf(offer.qc), rupeesOf(offer.total)]
  const charges = forward
    ? `"forward_freight_charges":${freight},"cod_charges":${cod},"rto_charges":${rto},"total_forward_charges":${total}`
    : `"return_freight_charges":${freight},"qc_charges":${qc},"total_return_charges":${total}`
  const fee = forward ? `,"platform_fee":${rupeesOf(offer.fee)}` : ''
  const dates = `"expected_delivery":{"pickup":"${offer.pickup}","delivery":"${offer.delivery}"}`
  const plain = own.surcharges === undefined && own.courier_zone === undefined
  const end = plain ? '}' : `,${JSON.stringify(own).slice(1)}`
  return `${startOf(offer, found, forward)},${dates},"charges":{${charges}}${fee}${end}`
}

const starts = { forward: new WeakMap<Service, string>(), return: new WeakMap<Service, string>() }

/** What an answer says of a service itself, before dates and amounts, without the bracket at its end. */
function startOf(offer: Offer, found: Quote, forward: boolean): string {
  const known = starts[forward ? 'forward' : 'return']
  let text = known.get(offer.service)
  if (text === undefined) {
    const whole = JSON.stringify(rateAnswer({ ...found, offers: [offer] }).result.serviceable_couriers[0])
    text = whole.slice(0, whole.indexOf(',"expected_delivery":'))
    known.set(offer.service, text)
  }
  return text
}
