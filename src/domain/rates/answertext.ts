// The answer of the rates endpoint as it is sent: text, for a service that answers thousands of quotes a second.
import { rupeesOf } from '../money.ts'
import type { Offer } from './pricing.ts'
import type { Service } from './ratecard.ts'
import { ownWords, rateAnswer, type Quote } from './rates.ts'

/**
 * The text of a quote's answer, the same as `JSON.stringify(rateAnswer(found))` in a third of the time: what an
 * answer says of a service is written once, and one text grows.
 */
export function rateText(found: Quote): string {
  const forward = found.request.journey_type === 'forward'
  let text = '{"status":"SUCCESS","result":{"serviceable_couriers":['
  let between = ''
  for (const offer of found.offers) {
    text += between + offerText(offer, found, forward)
    between = ','
  }
  return `${text}],"shipment_details":${parcelText(found, forward)}}}`
}

function offerText(offer: Offer, found: Quote, forward: boolean): string {
  const dates = `"expected_delivery":{"pickup":"${offer.pickup}","delivery":"${offer.delivery}"}`
  const charges = forward ? forwardText(offer) : returnText(offer)
  return `${startOf(offer, found, forward)},${dates},"charges":{${charges}${ownText(offer)}`
}

/** The charges of an offer, with their bracket, and what follows them. */
function forwardText({ freight, cod, rto, total, fee }: Offer): string {
  const parts = `"forward_freight_charges":${rupeesOf(freight)},"cod_charges":${rupeesOf(cod)}`
  const rest = `"rto_charges":${rupeesOf(rto)},"total_forward_charges":${rupeesOf(total)}}`
  return `${parts},${rest},"platform_fee":${rupeesOf(fee)}`
}

function returnText({ freight, qc, total }: Offer): string {
  const rest = `"qc_charges":${rupeesOf(qc)},"total_return_charges":${rupeesOf(total)}}`
  return `"return_freight_charges":${rupeesOf(freight)},${rest}`
}

/** The end of an offer: what the specification has no field for, and its bracket. */
function ownText(offer: Offer): string {
  const own = ownWords(offer)
  const plain = own.surcharges === undefined && own.courier_zone === undefined
  return plain ? '}' : `,${JSON.stringify(own).slice(1)}`
}

/** The parcel: its words and pincodes have been checked, so that nothing in them needs an escape. */
function parcelText({ request, volumetric, applicable, zone }: Quote, forward: boolean): string {
  const lane = `"origin_pincode":"${request.origin_pincode}","destination_pincode":"${request.destination_pincode}"`
  const payment = forward ? `,"payment_method":"${request.payment_method}"` : ''
  const weights = `"dead_weight":${request.dead_weight},"volumetric_weight":${volumetric}`
  const priced = `"applicable_weight":${applicable},"zone":"${zone.zone}"`
  return `{"journey_type":"${request.journey_type}",${lane}${payment},${weights},${priced}}`
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
